"""Run the pages as other processors compute, and print every check that fails there.

Sums are rounded in another order where a processor has wider or narrower registers, and training makes much of a difference in
the last digit. What a page says of networks that it trains must hold on the reader's machine, too. torch, MKL, oneDNN and
numpy can be told to compute as older processors do; on other machines than x86 they do not listen.

Usage: ``python book/elsewhere.py [PAGE ...]``, such as ``gru``; all pages by default. Exit status 1 if any check fails.
"""

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbclient
from build import ROOT, read_chapter
from nbconvert.filters import strip_ansi

PROCESSORS = {
    "AVX2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_CBWR": "AVX2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    },
    "SSE4": {
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_CBWR": "COMPATIBLE",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR",
    },
}


def failures(page: Path, processor: str) -> list[str]:
    """What the cells of a page raise when they run as on a processor; later cells run all the same."""
    os.environ.update(PROCESSORS[processor], OMP_NUM_THREADS="1")
    os.environ.pop("LMKIT_DATA_DIR", None)
    notebook = read_chapter(page)
    if notebook is None:
        return []
    client = nbclient.NotebookClient(
        notebook, timeout=900, allow_errors=True, resources={"metadata": {"path": str(page.parent)}}
    )
    client.extra_arguments = ["--IPKernelApp.log_level=ERROR"]
    try:
        client.execute()
    except (nbclient.exceptions.CellTimeoutError, nbclient.exceptions.DeadKernelError) as error:
        return [str(error)]
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    return [strip_ansi("\n".join(output.traceback)) for output in outputs if output.output_type == "error"]


def main() -> int:
    """Run them; the exit status."""
    parser = argparse.ArgumentParser(description="Run the pages as other processors compute.")
    parser.add_argument("pages", nargs="*", help="such as gru; all by default")
    names = parser.parse_args().pages or sorted(path.stem for path in (ROOT / "book").glob("*.md"))
    if unknown := [name for name in names if not (ROOT / f"book/{name}.md").is_file()]:
        parser.error(f"no such page: {', '.join(unknown)}; expected names of book/, such as gru")
    failed = 0
    with ProcessPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        plan = {
            (name, kind): pool.submit(failures, ROOT / f"book/{name}.md", kind) for kind in PROCESSORS for name in names
        }
        for (name, kind), found in plan.items():
            print(f"{kind}  {name}: {len(found.result()) or 'no'} failed checks", flush=True)
            print("\n".join(found.result()), end="\n" if found.result() else "")
            failed += len(found.result())
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
