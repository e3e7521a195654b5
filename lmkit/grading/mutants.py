"""Graders graded: small automatic changes to every solution function, and whether the homework's tests notice them.

    python -m lmkit.grading.mutants [HOMEWORK …]     writes _build/graders.json, prints the survivors

A mutant that no test notices is either the same function in other words, and then ``solutions/<homework>/equivalent_mutants.txt``
holds its description and the reason, or a hole in the tests.
"""

import ast
import copy
import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from lmkit.grading import COURSE
from lmkit.grading.answers import defined_in, notebook_path, read_answers, run_tests, with_answer
from lmkit.grading.master import is_test

SECONDS = 30  # of computing, whatever else the machine does; a mutant may loop for ever: that is noticed too

SWAPS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.UAdd: (ast.USub,),
}
CALLS = {
    "max": "min",
    "min": "max",
    "sum": "len",
    "tanh": "sin",
    "exp": "expm1",
    "log": "log1p",
    "zeros": "ones",
    "ones": "zeros",
}


@dataclass(frozen=True)
class Mutant:
    """One change: in which cell, what, and the cell's source with it."""

    cell: str
    change: str
    source: str

    @property
    def description(self) -> str:
        """How ``equivalent_mutants.txt`` names it."""
        return f"{self.cell}: {self.change}"


def mutants(cell: NotebookNode) -> Iterator[Mutant]:
    """Every change of one place in a solution cell, by one of a few rules."""
    tree = ast.parse(cell.source)
    for i, node in enumerate(ast.walk(tree)):
        for j, (was, now) in enumerate(_changes(node)):
            mutated = copy.deepcopy(tree)
            target = next(n for k, n in enumerate(ast.walk(mutated)) if k == i)
            list(_changes(target, apply=j))
            source = ast.unparse(ast.fix_missing_locations(mutated))
            line = getattr(node, "lineno", 0)
            text = cell.source.splitlines()[line - 1].strip() if line else ""
            yield Mutant(cell.id, f"{was} -> {now} in `{text}`", source)


def _changes(node: ast.AST, apply: int = -1) -> Iterator[tuple[str, str]]:
    """The changes of a node, each as (before, after); the one numbered ``apply`` is made."""
    options: list[tuple[str, str, object]] = []  # what, into what, and how
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp):
        for other in SWAPS.get(type(node.op), ()):
            options.append((type(node.op).__name__, other.__name__, lambda o=other: setattr(node, "op", o())))
    elif isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.USub | ast.Not):
            name = type(node.op).__name__
            swap = ast.UAdd if isinstance(node.op, ast.USub) else None
            if swap:
                options.append((name, "nothing", lambda: setattr(node, "op", ast.UAdd())))
            else:
                options.append(
                    (name, "nothing", lambda: _become(node, ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])))
                )
    elif isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            for other in SWAPS.get(type(operator), ()):
                options.append(
                    (type(operator).__name__, other.__name__, lambda o=other, k=at: node.ops.__setitem__(k, o()))
                )
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        for other in (node.value + 1, node.value - 1):
            options.append((repr(node.value), repr(other), lambda o=other: setattr(node, "value", o)))
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        options.append((repr(node.value), repr(not node.value), lambda: setattr(node, "value", not node.value)))
    elif isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in CALLS:
            field = "id" if isinstance(node.func, ast.Name) else "attr"
            options.append((name, CALLS[name], lambda f=field: setattr(node.func, f, CALLS[name])))
        if len(node.args) == 2:
            options.append(("arguments", "swapped", lambda: node.args.reverse()))
    elif isinstance(node, ast.IfExp):
        options.append(("if", "always", lambda: setattr(node, "test", ast.Constant(True))))
        options.append(("if", "never", lambda: setattr(node, "test", ast.Constant(False))))
    elif isinstance(node, ast.If | ast.While):
        if isinstance(node, ast.If):
            options.append(("if", "always", lambda: setattr(node, "test", ast.Constant(True))))
        options.append(("condition", "never", lambda: setattr(node, "test", ast.Constant(False))))
    elif isinstance(node, ast.Return) and node.value is not None:
        options.append(("return", "None", lambda: setattr(node, "value", ast.Constant(None))))
    elif isinstance(node, ast.FunctionDef | ast.For):
        for at, statement in enumerate(node.body):
            if isinstance(statement, ast.AugAssign | ast.For | ast.If) or (
                isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            ):
                options.append(
                    (
                        type(statement).__name__,
                        f"pass (line {at + 1} of its block)",
                        lambda k=at: node.body.__setitem__(k, ast.Pass()),
                    )
                )
    for number, (was, now, change) in enumerate(options):
        if number == apply:
            change()
        yield was, now


def _become(node: ast.AST, other: ast.AST) -> None:
    node.__class__, node.__dict__ = other.__class__, dict(other.__dict__)


class _TooLong(BaseException):
    pass


def own_test(notebook: NotebookNode, cell_id: str) -> str:
    """The grade id of the first test behind a solution cell: the one that is there for it."""
    ids = [cell.id for cell in notebook.cells]
    return next(c.metadata.nbgrader["grade_id"] for c in notebook.cells[ids.index(cell_id) :] if is_test(c))


def is_noticed(notebook: NotebookNode, mutant: Mutant) -> bool:
    """Whether the test of the cell's own task fails, or runs for ever, on a notebook with this one change."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        if cell.id == mutant.cell:
            cell.source = mutant.source

    def stop(*_: object) -> None:
        raise _TooLong

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return any(run_tests(notebook, [own_test(notebook, mutant.cell)]).values())
    except _TooLong:
        return True
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def grade_graders(homework: str, course: Path = COURSE) -> dict:
    """Counts of wrong answers caught, right answers with full marks and mutants noticed, and the survivors' descriptions."""
    notebook = nbformat.read(notebook_path(homework, course), as_version=4)
    wrong, right = (read_answers(homework, kind, course) for kind in ("wrong", "right"))
    caught = sum(bool(run_tests(with_answer(notebook, a), [a.caught_by])[a.caught_by]) for a in wrong)
    full = sum(not any(run_tests(with_answer(notebook, answer)).values()) for answer in right)
    # The cells behind the last test are not tested; what runs before is as short as it can be.
    found = [m for cell in notebook.cells if cell.cell_type == "code" and defined_in(cell) for m in mutants(cell)]
    # Processes of their own: a fork of this one, in which torch has started threads, may wait for them for ever.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        noticed = list(pool.map(is_noticed, [notebook] * len(found), found, chunksize=4))
    survivors = [m.description for m, seen in zip(found, noticed, strict=True) if not seen]
    return {
        "wrong_total": len(wrong),
        "wrong_caught": caught,
        "right_total": len(right),
        "right_full": full,
        "mutants_total": len(found),
        "mutants_killed": sum(noticed),
        "survivors": survivors,
        "argued_equivalent": sorted(set(survivors) & equivalent(homework, course).keys()),
    }


def equivalent(homework: str, course: Path = COURSE) -> dict[str, str]:
    """The survivors that a person has looked at: description → why no test can tell the difference."""
    path = course / "solutions" / homework / "equivalent_mutants.txt"
    if not path.exists():
        return {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {mutant: reason.removeprefix("  because ") for mutant, reason in zip(lines[::2], lines[1::2], strict=True)}


def main(homeworks: list[str]) -> int:
    """The command line; fails if a survivor is not argued or an answer is not graded as its folder says."""
    from lmkit.grading.release import homeworks as all_homeworks

    # As in grading, here and in the processes: sums in another order are other numbers.
    os.environ["OMP_NUM_THREADS"] = "1"

    report, holes, known = {}, 0, all_homeworks()
    if unknown := sorted(set(homeworks) - set(known)):
        print(
            f"there is no homework {', '.join(unknown)}, got {' '.join(homeworks)}; expected some of {', '.join(known)}"
        )
        return 2
    for homework in homeworks or known:
        result = report[homework] = grade_graders(homework)
        open_ones = [s for s in result["survivors"] if s not in result["argued_equivalent"]]
        holes += (
            len(open_ones)
            + result["wrong_total"]
            - result["wrong_caught"]
            + result["right_total"]
            - result["right_full"]
        )
        print(
            f"{homework}: wrong answers caught {result['wrong_caught']} of {result['wrong_total']}, right ones full "
            f"{result['right_full']} of {result['right_total']}, mutants noticed {result['mutants_killed']} of "
            f"{result['mutants_total']}, {len(result['argued_equivalent'])} more are equivalent"
        )
        print("".join(f"  survived: {survivor}\n" for survivor in open_ones), end="")
    path = COURSE / "_build" / "graders.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(holes > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
