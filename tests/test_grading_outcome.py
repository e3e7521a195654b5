"""One record per submission, the same before and after JSON."""

import itertools
import math
import re
import subprocess
import sys

import nbgrader.utils
import pytest
from nbformat.v4 import new_code_cell

from lmkit.grading import cells
from lmkit.grading.outcome import CellRun, Kind, Outcome, TestResult, clean_text, unturned
from lmkit.grading.packages import Needs
from lmkit.grading.starting import first_line, start


def outcome():
    tests = (TestResult("a", 3.0, 3.0), TestResult("b", 0.5, 2.0, "your <b> is 'ü'", "cell-b", Kind.TIMED_OUT))
    return Outcome("ada", "hw1", Kind.TIMED_OUT, "b ran out of time.", tests, {"cell-b": CellRun("1", "", ("iVBO",))})


def test_json_there_and_back():
    assert Outcome.from_json(outcome().to_json()) == outcome()
    assert "\n" not in outcome().to_json() and outcome().to_json().isascii()


def test_points_add_up():
    assert outcome().points == 3.5 and outcome().max_points == 5.0
    assert [t.passed for t in outcome().tests] == [True, False]


@pytest.mark.parametrize("points", [math.nan, math.inf, -0.1, 2.1])
def test_points_are_finite_and_in_range(points):
    with pytest.raises(ValueError, match="points of t"):
        TestResult("t", points, 2.0)


@pytest.mark.parametrize("line", ["", "null", "[]", "{}", '{"kind": "graded"}', '{"kind": "won", "tests": []}'])
def test_what_is_no_outcome_is_refused(line):
    with pytest.raises(ValueError, match="expected an outcome"):
        Outcome.from_json(line)


def test_text_is_cleaned():
    assert clean_text("a\tb\r\nc\x1b[31m\ud800\u202e\x00é") == "a\tb\nc�[31m���é"
    assert clean_text("x" * 50, 10) == "x" * 10 + " … (cut)"


@pytest.mark.parametrize(
    "text", ["\u2067a\n\u2069", "\u2069a\u2068", "\u2066\u2066a\u2069", "\u2067\u202ea\u202c\u2069\u2069"]
)
def test_what_turns_text_around_is_taken_out_where_it_does_not_end(text):
    assert unturned(f"\u2068a\u2069\n{text}") == "\u2068a\u2069\n" + re.sub("[^a\n]", "�", text)


def test_cells_are_what_nbgrader_says_they_are():
    for grade, solution, locked in itertools.product((True, False, None), repeat=3):
        about = {"grade": grade, "solution": solution, "locked": locked}
        cell = new_code_cell(metadata={"nbgrader": {k: v for k, v in about.items() if v is not None}})
        for name in ("is_grade", "is_solution", "is_locked"):
            assert getattr(cells, name)(cell) == getattr(nbgrader.utils, name)(cell), (name, about)
            assert getattr(cells, name)(new_code_cell()) is False


def test_a_grading_process_takes_no_module_of_the_folder_that_one_is_in(tmp_path, monkeypatch):
    """It may be what a student has handed in."""
    (tmp_path / "lmkit").mkdir()
    for name in ("json.py", "lmkit/__init__.py"):
        (tmp_path / name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    process = start(first_line(None, Needs(None, (), ()), True)).process
    process.communicate(timeout=60)  # the end of its input is its end
    assert process.returncode == 0 and not (tmp_path / "ran").exists()


def test_a_grading_process_starts_without_nbgrader():
    """Importing it takes longer than grading a submission."""
    code = (
        "import sys, lmkit.grading.station; print({'nbgrader', 'sqlalchemy', 'torch', 'matplotlib'} & {*sys.modules})"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
