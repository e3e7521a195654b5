"""Train every model of the course once, keep the result for the page ``ladder``, and say when it no longer holds.

All models together take too long for a page. So their table lies in ``lmkit/data/ladder.json`` with a
fingerprint of the code and the grammar that it came from; ``make book`` refuses to show a table whose fingerprint does
not fit. Comments, docstrings and blank lines do not count. If the code did change, a training of a few steps decides whether
the numbers can have: if it ends where it used to, the table stays and gets the new fingerprint.

Usage: ``make ladder`` (a minute if no number changed, else some six for each seed; interrupted, it goes on where it
stopped), ``python book/ladder.py --check`` (exit status 1 if the table is out of date).
"""

import argparse
import ast
import hashlib
import inspect
import io
import json
import math
import sys
import tokenize
from dataclasses import asdict

from build import ROOT, module_files, write

STORED = ROOT / "lmkit/data/ladder.json"
SEEDS = (0, 1, 2)  # the page shows the first and the spread of all; one more is added without training the others again
FEW = {"n_train": 500, "n_test": 40, "steps": 20}  # of sentences and of steps, to see whether anything changed
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef  # what can have a docstring
TOLERANCE = 1e-4  # relative, of bits after a few steps: another processor rounds differently


def code(source: str) -> str:
    """Python source without comments, docstrings and blank lines (from the lines, for ``ast.unparse`` changes with Python)."""
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            docstring = node.body[0]
            first, last = docstring.lineno - 1, docstring.end_lineno - 1
            before = lines[first].encode()[: docstring.col_offset]  # ast counts bytes
            after = lines[last].encode()[docstring.end_col_offset :]
            lines[first : last + 1] = [(before + after).decode(), *[""] * (last - first)]
    return "\n".join(line.rstrip() for line in lines if line.strip())


def fingerprint() -> str:
    """Hash of what the table depends on: the grammar, and the code of ``lmkit.ladder`` and of all that it imports."""
    digest = hashlib.sha256((ROOT / "lmkit/data/course_grammar.txt").read_bytes())
    for path in sorted(module_files({"lmkit.ladder"})):
        if path.suffix == ".py":
            digest.update(f"{path.name}\n{code(path.read_text(encoding='utf-8'))}\n".encode())
    return digest.hexdigest()


def stored() -> dict:
    """The table as it was kept; empty if there is none."""
    return json.loads(STORED.read_text(encoding="utf-8")) if STORED.is_file() else {}


def climb() -> None:
    """Bring the table up to date with as little training as possible."""
    import torch

    from lmkit.ladder import MODELS, ladder

    torch.set_num_threads(1)
    sizes = ("n_train", "n_test", "steps", "tokens_per_batch")
    arguments = {name: inspect.signature(ladder).parameters[name].default for name in sizes}
    after_few = {rung.name: round(rung.bits, 6) for rung in ladder(**FEW, quiet=True)}
    kept = stored()
    same = kept and kept["arguments"] == arguments and kept["after_few_steps"].keys() == after_few.keys()
    if same:
        same = all(math.isclose(kept["after_few_steps"][n], b, rel_tol=TOLERANCE) for n, b in after_few.items())
    print("The table's numbers still hold" if same else "The numbers have changed: from the start", flush=True)
    runs = kept["runs"] if same else {}
    for seed in map(str, SEEDS):
        for name in MODELS:
            if name not in runs.setdefault(seed, {}):
                for rung in ladder(seed=int(seed), only=[name]):
                    numbers = asdict(rung)
                    del numbers["name"], numbers["seconds"]  # the machine's, not the model's
                    runs[seed][rung.name] = rounded(numbers)
                table = {"fingerprint": fingerprint(), "torch": torch.__version__, "arguments": arguments}
                write(STORED, json.dumps(table | {"after_few_steps": after_few, "runs": runs}, indent=1) + "\n")
    if same:
        write(STORED, json.dumps(kept | {"fingerprint": fingerprint(), "runs": runs}, indent=1) + "\n")


def rounded(numbers: dict) -> dict:
    """All numbers with six decimals."""
    return {k: rounded(x) if isinstance(x, dict) else round(x, 6) for k, x in numbers.items()}


def complaint() -> str | None:
    """What is wrong with the table, if anything is."""
    kept = stored()
    if not kept:
        return f"{STORED.relative_to(ROOT)} is missing."
    if kept["fingerprint"] != fingerprint():
        return "The models or the grammar have changed since the ladder's table was made."
    wanted = kept["after_few_steps"].keys()  # every model
    finished = all(kept["runs"].get(str(seed), {}).keys() == wanted for seed in SEEDS)
    return None if finished else "The ladder's table is not finished."


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description="Bring the ladder's table up to date.")
    parser.add_argument("--check", action="store_true", help="only say whether it is")
    if not parser.parse_args().check:
        climb()
    if wrong := complaint():
        print(
            f"{wrong}\nRun `make ladder` (a minute, or about six for each seed) and commit the file.", file=sys.stderr
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
