"""Writes an outcome into the notebook, as nbgrader reads it: an error is no points, a shown number is part of them."""

import re

from nbformat import NotebookNode
from nbformat.v4 import new_output

import lmkit
from lmkit.grading.master import TEST, Master, name_of
from lmkit.grading.outcome import CellRun, Kind, Outcome, TestResult
from lmkit.grading.sandbox import SAFE, UNSAFE

LONGEST_HEADING = 500  # characters


def annotate(notebook: NotebookNode, master: Master, outcome: Outcome) -> NotebookNode:
    """Replaces all outputs of the notebook by what the outcome says; returns the same notebook.

    Only plain text, numbers and checked PNG pictures are written; a test's text is one sentence, without a traceback.
    """
    tests = {test.name: test for test in outcome.tests}
    kinds = {cell.name: cell.kind for cell in master.cells}
    count = 0
    for i, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        count += 1
        cell.outputs, cell.execution_count = [], count
        name = name_of(cell)
        if kinds.get(name) == TEST:
            cell.outputs = _of_test(tests.get(name), count)
        else:
            cell.outputs = _of_run(outcome.cells.get(cell.get("id") or f"cell-{i}", CellRun()))
    return notebook


def titles(notebook: NotebookNode) -> dict[str, str]:
    """What the student knows each cell by: the last heading of the homework's own above it, by the cell's id."""
    found, title = {}, ""
    for i, cell in enumerate(notebook.cells):
        cell_id = cell.get("id") or f"cell-{i}"
        if cell.cell_type == "markdown" and not cell_id.startswith("own-"):
            for words in re.findall(r"^#{2,3}\s+(.+)$", cell.source, re.MULTILINE):
                title = plain(words)
        found[cell_id] = title
    return found


def plain(words: str) -> str:
    """A heading without its points and its Markdown."""
    words = words[:LONGEST_HEADING]  # the pattern takes the square of a student's run of spaces
    words = re.sub(r"\s*\((?:[\d.]+ points?|nothing to write)[^)]*\)\s*$", "", words)
    return words.replace("*", "").replace("`", "").strip()


def not_run(
    master: Master, student: str, kind: Kind, sentence: str, notebook_hash: str, secret: str, unsafe: bool
) -> Outcome:
    """The outcome of a submission of which nothing ran: every test without points, and the reason in words."""
    tests = tuple(TestResult(test.name, 0.0, test.points, sentence, kind=kind) for test in master.of_kind(TEST))
    about = {"notebook_hash": notebook_hash, "tests_hash": master.tests_hash(secret), "version": lmkit.__version__}
    return Outcome(student, master.homework, kind, sentence, tests, sandbox=UNSAFE if unsafe else SAFE, **about)


def _of_test(test: TestResult | None, count: int) -> list[NotebookNode]:
    if test is None:
        return [_error("NotGraded", "this test was not run")]
    if test.passed:
        return []
    if test.points:
        return [new_output("execute_result", {"text/plain": repr(float(test.points))}, execution_count=count)]
    name, _, text = test.error.partition(": ")
    return [_error(name, text) if name.isidentifier() and name.endswith("Error") else _error("Failed", test.error)]


def _of_run(run: CellRun) -> list[NotebookNode]:
    outputs = [new_output("stream", name="stdout", text=run.text)] if run.text else []
    outputs += [new_output("display_data", {"image/png": image}) for image in run.images]
    return outputs + ([_error("Error", run.error)] if run.error else [])


def _error(name: str, text: str) -> NotebookNode:
    return new_output("error", ename=name, evalue=text, traceback=[f"{name}: {text}"])
