"""Answers to a homework, right and wrong, each a small Python file, and the notebooks that they make.

``solutions/<homework>/right_answers/*.py`` must score full marks. ``solutions/<homework>/wrong_answers/*.py`` hold one
misconception each: the docstring names it, ``CAUGHT_BY`` is the grade id of the test that must fail, ``HINT`` a part of
the message that the student reads.
"""

import ast
import copy
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from lmkit.grading import COURSE
from lmkit.grading.cells import is_solution
from lmkit.grading.master import is_test
from lmkit.grading.tester import TEST


@dataclass(frozen=True)
class Answer:
    """One answer file, taken apart.

    Attributes:
        name: the file's stem.
        misconception: the docstring.
        caught_by: grade id of the test cell that must fail; empty for a right answer.
        hint: text that must stand in that test's message; empty for a right answer.
        functions: source of each top-level function that replaces a student's cell, by name.
        preamble: everything else (imports, helpers), put in front of the first replaced cell.
    """

    name: str
    misconception: str
    caught_by: str
    hint: str
    functions: dict[str, str]
    preamble: str


def notebook_path(homework: str, course: Path = COURSE) -> Path:
    """The source notebook of a homework."""
    return course / "solutions" / homework / f"{homework}.ipynb"


def read_answers(homework: str, kind: str, course: Path = COURSE) -> list[Answer]:
    """All answers of a homework; ``kind`` is ``"right"`` or ``"wrong"``."""
    asked_for = {
        name for cell in nbformat.read(notebook_path(homework, course), as_version=4).cells for name in defined_in(cell)
    }
    paths = sorted((course / "solutions" / homework / f"{kind}_answers").glob("*.py"))
    return [_read_answer(path, asked_for) for path in paths]


def _read_answer(path: Path, asked_for: set[str]) -> Answer:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text, filename=str(path))
    functions, labels, preamble = {}, {"CAUGHT_BY": "", "HINT": ""}, []
    for node in tree.body:
        decorators = [f"@{ast.get_source_segment(text, d)}" for d in getattr(node, "decorator_list", ())]
        source = "\n".join([*decorators, ast.get_source_segment(text, node)])  # a def's own segment begins behind them
        if isinstance(node, ast.FunctionDef) and node.name in asked_for:
            functions[node.name] = source
        elif isinstance(node, ast.Assign) and (label := getattr(node.targets[0], "id", "")) in labels:
            labels[label] = ast.literal_eval(node.value)
        elif node is not tree.body[0]:  # the docstring
            preamble.append(source)
    if not functions:
        raise ValueError(f"{path} defines none of the functions that the homework asks for: {sorted(asked_for)}")
    doc = ast.get_docstring(tree) or ""
    return Answer(path.stem, doc, labels["CAUGHT_BY"], labels["HINT"], functions, "\n\n".join(preamble))


def defined_in(cell: NotebookNode) -> list[str]:
    """Names of the functions that a student writes in this cell."""
    if cell.cell_type != "code" or not is_solution(cell):
        return []
    return [node.name for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef)]


def with_answer(notebook: NotebookNode, answer: Answer) -> NotebookNode:
    """A copy of the notebook in which the answer's functions stand in their cells; other cells stay as they are."""
    notebook = copy.deepcopy(notebook)
    preamble = answer.preamble
    for cell in notebook.cells:
        sources = [answer.functions[name] for name in defined_in(cell) if name in answer.functions]
        if sources:
            cell.source = "\n\n\n".join([preamble, *sources] if preamble else sources)
            preamble = ""
    return notebook


def run_tests(notebook: NotebookNode, only: Collection[str] | None = None) -> dict[str, str | None]:
    """Runs the code cells up to the last test, without a kernel, and says how each test ended: None or its error's text.

    For the course's own answers only: there is no time limit and no sandbox.

    Args:
        notebook: a source with solutions or answers in it.
        only: the grade ids of the tests to run, where others do not matter: no test leaves anything to the next.
    """
    ended = errors_of(notebook, only).items()
    return {test: None if error is None else f"{type(error).__name__}: {error}" for test, error in ended}


def errors_of(notebook: NotebookNode, only: Collection[str] | None = None) -> dict[str, Exception | None]:
    """What each test raised, as ``run_tests``; the code of a test is named as the grader names it."""
    names: dict = {"__name__": "__main__"}
    outcome: dict[str, Exception | None] = {}
    cells = [
        cell
        for cell in notebook.cells
        if cell.cell_type == "code"
        and (only is None or not is_test(cell) or cell.metadata.nbgrader["grade_id"] in only)
    ]
    last = max(i for i, cell in enumerate(cells) if is_test(cell))
    for cell in cells[: last + 1]:
        error = None
        try:
            exec(compile(cell.source, TEST if is_test(cell) else f"<cell {cell.id}>", "exec"), names)
        except Exception as raised:
            error = raised
        if is_test(cell):
            outcome[cell.metadata.nbgrader["grade_id"]] = error
    return outcome


def write_notebook(notebook: NotebookNode, path: Path) -> None:
    """Writes a notebook, making its directory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
