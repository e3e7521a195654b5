"""Release, autograding, feedback and export with the real nbgrader."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from lmkit.grading import COURSE, demo
from lmkit.grading.answers import notebook_path, read_answers, run_tests, with_answer
from lmkit.grading.release import leaks, release

HOMEWORK = "hw1_ngram"


@pytest.mark.slow
def test_committed_release_is_fresh(capsys):
    assert release(check=True) == [], capsys.readouterr().out


def test_release_shows_no_secret():
    assert leaks(COURSE / "solutions" / HOMEWORK, COURSE / "homeworks" / HOMEWORK) == []


def test_a_leak_is_found(tmp_path):
    """The source itself, taken for a release, gives everything away."""
    source = COURSE / "solutions" / HOMEWORK
    found = "\n".join(leaks(source, source))
    assert "BEGIN SOLUTION" in found and "BEGIN HIDDEN TESTS" in found and "math.prod(factors)" in found


def test_nothing_but_the_notebook_is_released():
    assert [p.name for p in (COURSE / "homeworks" / HOMEWORK).rglob("*") if p.is_file()] == [f"{HOMEWORK}.ipynb"]


@pytest.fixture(scope="module")
def graded_class(tmp_path_factory):
    """Some of the made-up students, graded: (folder of the course, result of each student)."""
    root = tmp_path_factory.mktemp("course") / "class"
    everybody = demo.students()
    names = ("perfect", "first-half", "empty", "syntax-error", "endless-loop", "kills-kernel", "wrong-two-to-the-nats")
    results = demo.grade_class(root, HOMEWORK, {name: everybody[name] for name in names})
    return root, {result.student: result for result in results}


@pytest.mark.slow
@pytest.mark.xdist_group("class")
def test_every_student_gets_the_grade_that_is_due(graded_class):
    _, result = graded_class
    assert result["perfect"].points == 80 and result["perfect"].manual == 20 and result["perfect"].failed == ()
    assert result["empty"].points == 0
    assert 0 < result["first-half"].points < 80
    for broken in ("syntax-error", "endless-loop", "kills-kernel"):
        assert result[broken].failed == ("test_joint_probability",), broken
    assert result["wrong-two-to-the-nats"].failed == ("test_perplexity",)


@pytest.mark.slow
@pytest.mark.xdist_group("class")
def test_feedback_and_grades_are_written(graded_class):
    root, result = graded_class
    page = result["wrong-two-to-the-nats"].feedback.read_text(encoding="utf-8")
    assert "nats" in page and "### BEGIN HIDDEN" not in page and "rng_" not in page
    assert "there a loop without an end" in result["endless-loop"].feedback.read_text(encoding="utf-8")
    with open(root / "grades.csv", encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: float(row["score"] or 0) for row in csv.DictReader(file)}
    assert scores["perfect"] == 80 and scores["empty"] == 0


@pytest.mark.slow
@pytest.mark.xdist_group("class")
def test_nbgraders_own_commands_work(graded_class):
    """validate, autograde, generate_feedback and export, as an instructor types them."""
    root, _ = graded_class
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def nbgrader(*arguments, cwd=root):
        command = [sys.executable, "-m", "nbgrader", *arguments]
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)

    solved = nbgrader("validate", str(root / "solutions" / HOMEWORK / f"{HOMEWORK}.ipynb"))
    assert "Success! Your notebook passes all the tests." in solved.stdout, solved.stderr
    again = nbgrader("autograde", HOMEWORK, "--student", "perfect", "--force")
    assert again.returncode == 0, again.stderr
    assert nbgrader("generate_feedback", HOMEWORK, "--student", "perfect", "--force").returncode == 0
    exported = nbgrader("export", "--to", "again.csv")
    assert exported.returncode == 0 and "perfect" in (root / "again.csv").read_text(), exported.stderr
    listed = nbgrader("generate_assignment", "--help", cwd=COURSE)
    assert listed.returncode == 0
    assert (
        not nbformat.read(COURSE / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4).cells[0].get("outputs")
    )


def test_an_answer_keeps_its_decorators_and_its_settings(tmp_path):
    """What stands above a function or sets an attribute belongs to an answer, too."""
    path = notebook_path("hw", tmp_path)
    (path.parent / "right_answers").mkdir(parents=True)
    (path.parent / "right_answers" / "decorated.py").write_text(
        '''"""Decorators and a setting."""

from dataclasses import dataclass
from decimal import getcontext
from functools import cache, wraps

getcontext().prec = 40


@dataclass(
    frozen=True,
)
class Point:
    x: int


def twice(f):
    @wraps(f)
    def g(x):
        return 2 * f(x)

    return g


@cache
@twice
def asked(x):
    return Point(x).x if getcontext().prec == 40 else None
''',
        encoding="utf-8",
    )
    answer_cell, test_cell = nbformat.v4.new_code_cell("def asked(x):\n    pass"), nbformat.v4.new_code_cell()
    answer_cell.metadata["nbgrader"] = {"grade": False, "solution": True, "locked": False, "grade_id": "asked"}
    test_cell.metadata["nbgrader"] = {"grade": True, "solution": False, "locked": True, "grade_id": "t", "points": 1}
    test_cell.source = "assert asked(3) == 6 and asked.cache_info().currsize == 1"
    nbformat.write(nbformat.v4.new_notebook(cells=[answer_cell, test_cell]), path)
    (answer,) = read_answers("hw", "right", tmp_path)
    assert answer.functions["asked"].startswith("@cache\n@twice\ndef asked") and "prec = 40" in answer.preamble
    assert run_tests(with_answer(nbformat.read(path, as_version=4), answer)) == {"t": None}
