"""Homework 1: the solution scores everything, the release nothing, wrong answers fail where they should."""

import nbformat
import pytest

from lmkit.grading import COURSE
from lmkit.grading.answers import notebook_path, read_answers, run_tests, with_answer

HOMEWORK = "hw1_ngram"
WRONG = read_answers(HOMEWORK, "wrong")
RIGHT = read_answers(HOMEWORK, "right")


@pytest.fixture(scope="module")
def solved():
    return nbformat.read(notebook_path(HOMEWORK), as_version=4)


def graded(notebook):
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]


def test_a_hundred_points_part_of_them_read_by_a_human(solved):
    points = {cell.metadata.nbgrader["grade_id"]: cell.metadata.nbgrader["points"] for cell in graded(solved)}
    assert sum(points.values()) == 100
    by_hand = [cell for cell in graded(solved) if cell.cell_type == "markdown"]
    assert sum(cell.metadata.nbgrader["points"] for cell in by_hand) == 20
    assert all("Rubric" in cell.source for cell in by_hand)


def test_notebook_carries_no_outputs_and_unique_ids(solved):
    assert len({cell.id for cell in solved.cells}) == len(solved.cells)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in solved.cells)


def test_solution_passes_every_test(solved):
    outcome = run_tests(solved)
    assert set(outcome) == {c.metadata.nbgrader["grade_id"] for c in graded(solved) if c.cell_type == "code"}
    assert not any(outcome.values()), outcome


def test_every_cell_of_the_solution_runs(solved, capsys):
    """The comparison with the grammar too, which no test grades: its models order as the open question supposes."""
    names = {}
    for cell in solved.cells:
        if cell.cell_type == "code":
            exec(compile(cell.source, cell.id, "exec"), names)
    rows = [line for line in capsys.readouterr().out.splitlines() if "-gram" in line and "written" not in line]
    unseen = {row[:22].strip(): float(row[22:].split()[1]) for row in rows}
    assert len(unseen) == 5 and min(unseen.values()) > 0
    assert unseen["1-gram"] > unseen["2-gram, add 0.01"] > unseen["3-gram, add 0.01"] > unseen["3-gram, interpolated"]


def test_bare_release_passes_none():
    released = nbformat.read(COURSE / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    outcome = run_tests(released)
    assert outcome and all(outcome.values()), outcome


def test_release_and_solution_grade_the_same_cells(solved):
    released = nbformat.read(COURSE / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    ids = [(c.metadata.nbgrader["grade_id"], c.metadata.nbgrader["points"]) for c in graded(released)]
    assert ids == [(c.metadata.nbgrader["grade_id"], c.metadata.nbgrader["points"]) for c in graded(solved)]


def test_there_are_enough_answers():
    assert len(WRONG) >= 12 and len(RIGHT) >= 3


@pytest.mark.parametrize("answer", RIGHT, ids=lambda a: a.name)
def test_right_answer_scores_full(answer, solved):
    outcome = run_tests(with_answer(solved, answer))
    assert not any(outcome.values()), outcome


@pytest.mark.parametrize("answer", WRONG, ids=lambda a: a.name)
def test_wrong_answer_is_caught_and_told_why(answer, solved):
    error = run_tests(with_answer(solved, answer))[answer.caught_by]
    assert error is not None, f"{answer.caught_by} did not notice: {answer.misconception}"
    assert answer.hint and answer.hint in error
