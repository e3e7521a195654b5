"""Every homework: the solution has full marks, the release none; wrong answers fail where they should, right ones nowhere."""

import ast
import builtins
import copy
import re
import symtable
import traceback
from functools import cache
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from lmkit.grading import COURSE, tester
from lmkit.grading.answers import defined_in, errors_of, notebook_path, read_answers, run_tests, with_answer
from lmkit.grading.master import Master, is_test
from lmkit.grading.packages import Needs
from lmkit.grading.release import homeworks

HOMEWORKS = homeworks()
RIGHT = [(homework, answer) for homework in HOMEWORKS for answer in read_answers(homework, "right")]
WRONG = [(homework, answer) for homework in HOMEWORKS for answer in read_answers(homework, "wrong")]


@cache
def solved(homework):
    return nbformat.read(notebook_path(homework), as_version=4)


def released(homework):
    return nbformat.read(COURSE / "homeworks" / homework / f"{homework}.ipynb", as_version=4)


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_what_students_get_says_what_grading_needs(homework):
    """So grading processes can start before the gradebook has been read."""
    needs = Needs.of_file(COURSE / "homeworks" / homework / f"{homework}.ipynb")
    assert needs == Master.from_notebook(homework, solved(homework)).needs() and "numpy" in needs.names


def graded(notebook):
    return [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]


def name(case):
    return case if isinstance(case, str) else case.name


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_a_hundred_points_part_of_them_read_by_a_human(homework):
    points = {cell.metadata.nbgrader["grade_id"]: cell.metadata.nbgrader["points"] for cell in graded(solved(homework))}
    assert sum(points.values()) == 100
    by_hand = [cell for cell in graded(solved(homework)) if cell.cell_type == "markdown"]
    assert sum(cell.metadata.nbgrader["points"] for cell in by_hand) == 20
    rubric = (notebook_path(homework).parent / "rubric.md").read_text(encoding="utf-8")
    for cell in by_hand:  # one section each, whose rows add up and whose sample answers are marked
        grade_id = cell.metadata.nbgrader["grade_id"]
        section = re.search(rf"^## [^\n]*`{grade_id}`, (\d+) points\)(.*?)(?=^## |\Z)", rubric, re.M | re.S)
        rows = re.findall(r"^\| [a-z] \| (\d+) \|", section[2], re.M)
        assert int(section[1]) == cell.metadata.nbgrader["points"] == sum(map(int, rows))
        assert len(re.findall(r"^\*\d+:\*", section[2], re.M)) >= 2


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_every_test_is_named_for_the_task_before_it(homework):
    task = ""
    for cell in solved(homework).cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if defined_in(cell):
            task = grade_id
        if is_test(cell):
            assert grade_id == f"test_{task}"


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_notebook_carries_no_outputs_and_unique_ids(homework):
    cells = solved(homework).cells
    assert len({cell.id for cell in cells}) == len(cells)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_tests_neither_leave_nor_read_names_of_the_student(homework):
    """A test cell defines one function, calls it and deletes it; it reads the asked-for functions and what locked cells give."""
    codes = [cell for cell in solved(homework).cells if cell.cell_type == "code"]
    asked_for = {name for cell in codes for name in defined_in(cell)}
    given = set()
    for cell in codes:
        if cell.metadata.get("nbgrader", {}).get("locked") and not is_test(cell):
            given |= {
                s.get_name() for s in symtable.symtable(cell.source, cell.id, "exec").get_symbols() if is_bound(s)
            }
    for cell in filter(is_test, codes):
        own = f"_{cell.metadata.nbgrader['grade_id']}"
        table = symtable.symtable(cell.source, cell.id, "exec")
        assert {s.get_name() for s in table.get_symbols()} == {own}, f"{cell.id} touches the student's names"
        assert [type(part) for part in ast.parse(cell.source).body] == [ast.FunctionDef, ast.Expr, ast.Delete]
        used = {s.get_name() for t in scopes(table) for s in t.get_symbols() if s.is_global()} - {own}
        unknown = used - asked_for - given - set(dir(builtins))
        assert not unknown, f"{cell.id} reads {unknown}"


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_what_an_answer_calls_back_asserts_nothing(homework):
    """The text of its errors does not cross the border: keep what came, and look at it after the call."""
    for cell in filter(is_test, solved(homework).cells):
        nodes = list(ast.walk(ast.parse(cell.source)))
        passed_on = {arg.id for n in nodes if isinstance(n, ast.Call) for arg in n.args if isinstance(arg, ast.Name)}
        for function in nodes:
            if isinstance(function, ast.FunctionDef) and function.name in passed_on:
                assert not any(isinstance(n, ast.Assert) for n in ast.walk(function)), f"{cell.id}: {function.name}"


def is_bound(symbol):
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def scopes(table):
    yield table
    for child in table.get_children():
        yield from scopes(child)


@pytest.mark.slow
@pytest.mark.parametrize("homework", HOMEWORKS)
def test_solution_passes_every_test(homework):
    outcome = run_tests(solved(homework))
    assert set(outcome) == {c.metadata.nbgrader["grade_id"] for c in graded(solved(homework)) if c.cell_type == "code"}
    assert not any(outcome.values()), outcome


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_bare_release_passes_none(homework):
    outcome = run_tests(released(homework))
    assert outcome and all(outcome.values()), outcome


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_release_and_solution_grade_the_same_cells(homework):
    ids = [
        [(c.metadata.nbgrader["grade_id"], c.metadata.nbgrader["points"]) for c in graded(notebook)]
        for notebook in (released(homework), solved(homework))
    ]
    assert ids[0] == ids[1]


@pytest.mark.parametrize("homework", HOMEWORKS)
def test_there_are_enough_answers_and_half_of_the_wrong_ones_pass_what_students_see(homework):
    wrong = [answer for h, answer in WRONG if h == homework]
    assert len(wrong) >= 30 and sum(h == homework for h, _ in RIGHT) >= 8
    visible = {
        cell.metadata.nbgrader["grade_id"]: re.sub(
            r"[^\n]*### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS[^\n]*", "", cell.source, flags=re.S
        )
        for cell in filter(is_test, solved(homework).cells)
    }
    hidden_only = [
        a.name for a in wrong if "".join(a.hint.split()) not in "".join(visible[a.caught_by].replace('"', "").split())
    ]
    assert len(hidden_only) >= len(wrong) / 2


@pytest.mark.slow
@pytest.mark.parametrize(("homework", "answer"), RIGHT, ids=name)
def test_right_answer_scores_full(homework, answer):
    outcome = run_tests(with_answer(solved(homework), answer))
    assert not any(outcome.values()), outcome


def drawn_again(notebook, test, secrets):
    """The notebook with copies of a test behind it, named ``test secret``, whose hidden inputs another course draws."""
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        if is_test(cell) and cell.metadata.nbgrader["grade_id"] == test:
            for secret in secrets:
                again = copy.deepcopy(cell)
                again.metadata.nbgrader["grade_id"] = f"{test} {secret}"
                again.source = f"__import__('lmkit.homework').homework.secret = {secret!r}\n{cell.source}"
                cells.append(again)
    notebook.cells = cells
    return notebook


def as_students_read_it(error, test):
    """The grader's sentence for what a test raised: in hidden lines little of the values, and no text of other errors."""
    its_own = isinstance(error, AssertionError) or traceback.extract_tb(error.__traceback__)[-1].filename == tester.TEST
    raised = None if its_own else (error, type(error).__name__, str(error), [])
    border = SimpleNamespace(gone=None, missing=(), raised=raised, doing="the answer", answers=())
    return tester._explained(error, test.source, border)[2]


def test_the_message_that_is_asked_for_a_hint_is_the_one_that_students_get():
    hidden = "### BEGIN HIDDEN TESTS\n{0}\n### END HIDDEN TESTS"
    seen = "a hidden test cannot use what the answer gave: KeyError"
    for line, visible, in_hidden in (
        ("assert not x, f'all of {x}'", f"all of {[7] * 99}", f"all of [{'7, ' * 19}7,…"),
        ("f(7)", "the answer raised KeyError: 7", "the answer raised KeyError in a hidden test"),
        ("{}[7]", "the test cannot use what the answer gave: KeyError: 7", seen),
    ):
        for source, said in ((line, visible), (hidden.format(line), in_hidden)):
            test = new_code_cell(source, metadata={"nbgrader": {"grade": True, "grade_id": "t", "points": 1}})
            cells = [new_code_cell("x = [7] * 99\ndef f(x):\n    return {}[x]"), test]
            assert as_students_read_it(errors_of(new_notebook(cells=cells))["t"], test) == said


@pytest.mark.slow
@pytest.mark.parametrize(("homework", "answer"), WRONG, ids=name)
def test_wrong_answer_is_caught_and_told_why(homework, answer, monkeypatch):
    """Whatever the hidden test draws: of two students with the same mistake none is luckier."""
    monkeypatch.setattr("lmkit.homework.secret", "")
    secrets = () if "train" in answer.caught_by else ("spring", "autumn")  # what trains takes long
    notebook = drawn_again(with_answer(solved(homework), answer), answer.caught_by, secrets)
    tests = [answer.caught_by, *(f"{answer.caught_by} {secret}" for secret in secrets)]
    outcome = errors_of(notebook, tests)
    for test in tests:
        assert outcome[test] is not None, f"{test} did not notice: {answer.misconception}"
    cell = next(
        cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == answer.caught_by
    )
    assert answer.hint and answer.hint in as_students_read_it(outcome[answer.caught_by], cell)
