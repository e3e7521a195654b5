"""A homework begun with `lmkit new-homework` releases, grades and keeps to the contract before anything is written in it."""

import json

import nbformat
import pytest
from typer.testing import CliRunner

from lmkit.grading import COURSE
from lmkit.grading.answers import defined_in, notebook_path, read_answers, run_tests, with_answer
from lmkit.grading.cli import app
from lmkit.grading.gate import admit
from lmkit.grading.grader import grade_notebook
from lmkit.grading.master import Master
from lmkit.grading.mutants import equivalent, is_noticed, mutants
from lmkit.grading.new_homework import begin
from lmkit.grading.pair import Pair
from lmkit.grading.release import generate, homeworks
from lmkit.grading.sandbox import why_not
from lmkit.student.check import PASSED, TO_DO, check
from lmkit.student.notebooks import released
from tests import test_homeworks as contract

NAME = "hw7_surprise"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with one homework, just begun and released."""
    root = tmp_path_factory.mktemp("course")
    (root / "nbgrader_config.py").write_text(
        (COURSE / "nbgrader_config.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    begin(NAME, root)
    generate(NAME, root / "homeworks", root)
    return root


@pytest.fixture
def solved(course):
    return nbformat.read(notebook_path(NAME, course), as_version=4)


@pytest.mark.slow
def test_it_is_a_homework_of_the_course(course):
    assert homeworks(course) == [NAME]
    names = {path.name for path in (course / "solutions" / NAME).iterdir()}
    assert names == {f"{NAME}.ipynb", "rubric.md", "right_answers", "wrong_answers"}
    for path in (course / "solutions" / NAME / "rubric.md", notebook_path(NAME, course)):
        text = path.read_text(encoding="utf-8")
        assert NAME in text and "NAME" not in text.replace(NAME, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "rule",
    [
        contract.test_a_hundred_points_part_of_them_read_by_a_human,
        contract.test_every_test_is_named_for_the_task_before_it,
        contract.test_notebook_carries_no_outputs_and_unique_ids,
        contract.test_tests_neither_leave_nor_read_names_of_the_student,
        contract.test_solution_passes_every_test,
        contract.test_bare_release_passes_none,
        contract.test_release_and_solution_grade_the_same_cells,
    ],
    ids=lambda rule: rule.__name__,
)
def test_it_keeps_to_the_contract(course, solved, monkeypatch, rule):
    fresh = nbformat.read(course / "homeworks" / NAME / f"{NAME}.ipynb", as_version=4)
    monkeypatch.setattr(contract, "solved", lambda _: solved)
    monkeypatch.setattr(contract, "released", lambda _: fresh)
    monkeypatch.setattr(contract, "notebook_path", lambda name: notebook_path(name, course))
    rule(NAME)


def test_its_answers_do_what_their_folders_say(course, solved):
    right, wrong = (read_answers(NAME, kind, course) for kind in ("right", "wrong"))
    assert len(right) >= 2 and len(wrong) >= 3
    for answer in right:
        assert not any(run_tests(with_answer(solved, answer)).values()), answer.name
    for answer in wrong:
        assert answer.hint in run_tests(with_answer(solved, answer))[answer.caught_by], answer.name
    fresh = nbformat.read(course / "homeworks" / NAME / f"{NAME}.ipynb", as_version=4)
    test = next(cell for cell in fresh.cells if cell.id == "test-surprisal").source
    assert sum(answer.hint not in test for answer in wrong) >= len(wrong) / 2  # quiet ones, caught by hidden tests only


def test_its_tests_notice_every_mutant(course, solved):
    found = [m for cell in solved.cells if cell.cell_type == "code" and defined_in(cell) for m in mutants(cell)]
    assert found and all(is_noticed(solved, m) for m in found) and equivalent(NAME, course) == {}


def test_students_can_check_it(course, solved, tmp_path):
    path = course / "homeworks" / NAME / f"{NAME}.ipynb"
    known = released(course / "homeworks")
    assert [test.state for test in check(path, known=known).tests] == [TO_DO]
    right = with_answer(solved, read_answers(NAME, "right", course)[0])
    nbformat.write(right, tmp_path / f"{NAME}.ipynb")
    assert [test.state for test in check(tmp_path / f"{NAME}.ipynb", known=known).tests] == [PASSED]


@pytest.mark.slow
@pytest.mark.skipif(bool(why_not()), reason="no sandbox here")
@pytest.mark.xdist_group("sandbox")
def test_it_grades(course, solved):
    fresh = nbformat.read(course / "homeworks" / NAME / f"{NAME}.ipynb", as_version=4)
    right = with_answer(solved, read_answers(NAME, "right", course)[0])
    with Pair(Master.from_notebook(NAME, solved), "a secret") as pair:
        for notebook, points in ((right, 80), (fresh, 0)):
            admitted = admit(nbformat.writes(notebook).encode(), fresh)
            assert grade_notebook(admitted.notebook, pair, "jane").points == points


@pytest.mark.parametrize(
    "name",
    ["", "Hw7", "7hw", "hw-7", "hw 7", "../hw7", "hw__7", "hw7_", "_hw7", "hw7/x", "ü", "hw7\n", "h" * 41, "[hw]"],
)
def test_bad_names_are_refused(course, name):
    before = homeworks(course)
    with pytest.raises(ValueError, match="name: got .*expected small letters"):
        begin(name, course)
    assert homeworks(course) == before


def test_existing_names_and_places_that_are_no_course_are_refused(course, tmp_path):
    with pytest.raises(ValueError, match="there is solutions/hw7_surprise already"):
        begin(NAME, course)
    (course / "homeworks" / "hw8").mkdir()
    with pytest.raises(ValueError, match="there is homeworks/hw8 already"):
        begin("hw8", course)
    with pytest.raises(ValueError, match="no nbgrader_config.py"):
        begin("hw9", tmp_path)


def test_the_command(course):
    ended = CliRunner().invoke(app, ["new-homework", "hw9_more", "--course", str(course)])
    assert ended.exit_code == 0 and "hw9_more.ipynb" in ended.output and (course / "solutions" / "hw9_more").is_dir()
    again = CliRunner().invoke(app, ["new-homework", "hw9_more", "--course", str(course)])
    assert again.exit_code == 2


def test_it_says_what_it_made_as_json(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("")
    result = CliRunner().invoke(app, ["new-homework", "hw8_more", "--course", str(tmp_path), "--json"])
    said = json.loads(result.stdout)
    assert said["folder"] == str(tmp_path / "solutions" / "hw8_more") and "hw8_more.ipynb" in said["files"]
