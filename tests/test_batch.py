"""A class is graded once and whole, whatever dies: the grader, its processes, the scheduler, the disk, the database."""

import ast
import json
import os
import re
import resource
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from threading import current_thread
from types import SimpleNamespace

import nbformat
import psutil
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import text

from lmkit.grading import audit
from lmkit.grading.batch import run
from lmkit.grading.gradebook import Records, open_gradebook
from lmkit.grading.master import Master
from lmkit.grading.outcome import NOT_STARTED, Kind, Outcome, TestResult
from lmkit.grading.packages import Needs
from lmkit.grading.release import load_config, nbgrader_api
from lmkit.grading.sandbox import Limits, why_not
from lmkit.grading.starting import first_line, start_ahead
from lmkit.grading.starting import start as start_process
from lmkit.grading.station import GAVE_UP, CannotGrade, Job, Material, Station

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("batch"),
    pytest.mark.skipif(bool(why_not()), reason=f"no sandbox: {why_not()}"),
]

HOMEWORK = "tiny"
PIXEL = (  # a PNG
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
CONFIG = """\
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "tiny-course"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "homeworks"
c.CourseDirectory.db_url = "sqlite:///{root}/gradebook.db?timeout=2"
c.LateSubmissionPlugin.penalty_method = "zero"
c.Grading.cell_seconds = 5
c.Grading.test_seconds = 5
"""
STUB = "def {}(a, b):\n    ### BEGIN SOLUTION\n    return a {} b\n    ### END SOLUTION"


def cell(make, source, grade_id, points=None, solution=False):
    about = {"grade_id": grade_id, "grade": points is not None, "solution": solution, "locked": not solution}
    about |= {"task": False, "schema_version": 3} | ({"points": points} if points is not None else {})
    return make(source, metadata={"nbgrader": about}, id=grade_id.replace("_", "-"))


def source():
    cells = [new_markdown_cell("# Tiny\n\n## Part 1", id="title")]
    for name, sign in (("add", "+"), ("mul", "*"), ("sub", "-")):
        cells.append(cell(new_code_cell, STUB.format(name, sign), name, solution=True))
        test = f"assert {name}(2, 1) == 2 {sign} 1, 'wrong {name}'\n### BEGIN HIDDEN TESTS\nassert {name}(5, 3) == 5 {sign} 3\n"
        cells.append(cell(new_code_cell, test + "### END HIDDEN TESTS", f"test_{name}", 2))
    cells.append(cell(new_markdown_cell, "Because.", "why", 4, solution=True))
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return new_notebook(cells=cells, metadata=metadata)


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """A course with a tiny homework, released, and nobody's work."""
    root = tmp_path_factory.mktemp("tiny")
    (root / "solutions" / HOMEWORK).mkdir(parents=True)
    nbformat.write(source(), root / "solutions" / HOMEWORK / f"{HOMEWORK}.ipynb")
    (root / "nbgrader_config.py").write_text(CONFIG.format(root=str(root)))
    api = nbgrader_api(load_config(root))
    assert api.generate_assignment(HOMEWORK)["success"]
    return root


@pytest.fixture
def make_course(template, tmp_path):
    """A function that copies the course and fills it with a class."""

    def make(name, students=6):
        root = tmp_path / name
        shutil.copytree(template, root)
        (root / "nbgrader_config.py").write_text(CONFIG.format(root=str(root)))
        for i in range(students):
            hand_in(root, f"s{i:02}", i)
        return root

    return make


def hand_in(root, student, i, extra=""):
    """Student ``i`` has right what the bits of i say; every fourth writes something."""
    notebook = nbformat.read(root / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    for bit, (name, sign) in enumerate((("add", "+"), ("mul", "*"), ("sub", "-"))):
        (mine,) = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name]
        answer = f"a {sign} b" if i >> bit & 1 else "None"
        mine.source = f"def {name}(a, b):\n    return {answer}{extra}"
    if i % 4 == 0:
        notebook.cells[-1].source = f"Because of {student}."
    folder = root / "submitted" / student / HOMEWORK
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, folder / f"{HOMEWORK}.ipynb")


def expected(i):
    return 2.0 * bin(i % 8).count("1")


def grades(root):
    """Everything that the gradebook says about submissions, but for random ids; fails if the file is damaged."""
    with sqlite3.connect(f"file:{root}/gradebook.db?mode=ro", uri=True) as book:
        assert book.execute("pragma integrity_check").fetchall() == [("ok",)]
        marks = book.execute(
            "select sa.student_id, sa.timestamp, sn.late_submission_penalty, b.name, g.auto_score, g.manual_score, "
            "g.needs_manual_grade from grade g join base_cell b on g.cell_id = b.id join submitted_notebook sn on "
            "g.notebook_id = sn.id join submitted_assignment sa on sn.assignment_id = sa.id order by 1, 4"
        ).fetchall()
        comments = book.execute(
            "select sa.student_id, b.name, k.auto_comment, k.manual_comment from comment k join base_cell b on "
            "k.cell_id = b.id join submitted_notebook sn on k.notebook_id = sn.id join submitted_assignment sa on "
            "sn.assignment_id = sa.id order by 1, 2"
        ).fetchall()
        return marks, comments, book.execute("select id from student order by 1").fetchall()


def lines(root):
    return [json.loads(line)["student"] for line in (root / audit.LOG).read_text().splitlines()]


def command(root, *arguments):
    return [sys.executable, "-m", "lmkit.grading.cli", "grade", HOMEWORK, "--course", str(root), *arguments]


def lmkit(root, *arguments, **options):
    return subprocess.run(command(root, *arguments), capture_output=True, text=True, timeout=300, **options)


def start(root, *arguments):
    return subprocess.Popen(command(root, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.02)


def graded(root):
    return len(lines(root)) if (root / audit.LOG).exists() else 0


def as_undisturbed(root, students):
    """The state after ``--resume`` is that of a batch in which nothing happened."""
    assert [m[0] for m in grades(root)[2]] == [f"s{i:02}" for i in range(students)]
    points = {}
    for student, _, _, name, auto, _, _ in grades(root)[0]:
        points[student] = points.get(student, 0) + (auto or 0 if name.startswith("test_") else 0)
    assert points == {f"s{i:02}": expected(i) for i in range(students)}
    assert sorted(lines(root)) == sorted(set(lines(root))) == [f"s{i:02}" for i in range(students)]
    for i in range(students):
        nbformat.read(root / "autograded" / f"s{i:02}" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
        assert os.listdir(root / "autograded" / f"s{i:02}") == [HOMEWORK]


def test_the_gradebook_is_as_nbgraders_own_autograde_leaves_it(make_course):
    ours, theirs = make_course("ours"), make_course("theirs")
    for root in (ours, theirs):
        with sqlite3.connect(root / "gradebook.db") as book:
            book.execute("update assignment set duedate = '2026-01-01 12:00:00.000000'")
        (root / "submitted" / "s03" / HOMEWORK / "timestamp.txt").write_text("2026-01-02 12:00:00 UTC")
        (root / "submitted" / "s05" / HOMEWORK / "timestamp.txt").write_text("2025-12-31 12:00:00 UTC")
    assert set(run(HOMEWORK, ours, 1).outcomes) == {f"s{i:02}" for i in range(6)}
    stock = [sys.executable, "-m", "nbgrader", "autograde", HOMEWORK, "--force"]
    subprocess.run(stock, cwd=theirs, check=True, capture_output=True, timeout=300)
    assert grades(ours) == grades(theirs)
    for root in (ours, theirs):  # a human reads an answer and overrules a test; then all is graded again
        with sqlite3.connect(root / "gradebook.db") as book:
            book.execute("update grade set manual_score = 1.5, needs_manual_grade = 0")
            book.execute("update comment set manual_comment = 'read'")
        hand_in(root, "s04", 7)
    batch = run(HOMEWORK, ours, 1)
    subprocess.run(stock, cwd=theirs, check=True, capture_output=True, timeout=300)
    read = [m for m in grades(ours)[0] if m[3] == "why" and not m[6]]
    assert [m[0] for m in read] == ["s00", "s01", "s02", "s03", "s05"]  # what was read; nbgrader asks for it again

    def stock_asks(marks):
        return [(*m[:6], 1) if m in read else m for m in marks]

    assert (stock_asks(grades(ours)[0]), *grades(ours)[1:]) == grades(theirs)
    assert batch.changes == {
        "s04": "2 → 6 points (test_add 0 → 2, test_mul 0 → 2), because of another notebook",
    }


def test_odd_submissions_end_with_an_outcome_each_and_stop_nobody(make_course):
    root = make_course("odd", 2)
    for student, content in {"cut": b'{"cells": [', "empty": b"", "text": b"hello"}.items():
        (root / "submitted" / student / HOMEWORK).mkdir(parents=True)
        (root / "submitted" / student / HOMEWORK / f"{HOMEWORK}.ipynb").write_bytes(content)
    (root / "submitted" / "nothing" / HOMEWORK).mkdir(parents=True)
    (root / "submitted" / "link" / HOMEWORK).mkdir(parents=True)
    solution = root / "solutions" / HOMEWORK / f"{HOMEWORK}.ipynb"
    (root / "submitted" / "link" / HOMEWORK / f"{HOMEWORK}.ipynb").symlink_to(solution)
    shutil.copytree(root / "submitted" / "s01", root / "submitted" / "[abc]")
    shutil.copytree(root / "submitted" / "s01", root / "submitted" / "new\nline")
    shutil.copytree(root / "submitted" / "s01", root / "submitted" / os.fsdecode(b"J\xfcrgen"))  # as Latin-1 has it
    shutil.copytree(root / "submitted" / "s01", root / "submitted" / "renamed")
    folder = root / "submitted" / "renamed" / HOMEWORK
    (folder / f"{HOMEWORK}.ipynb").rename(folder / f"{HOMEWORK} (1).ipynb")
    (root / "submitted" / "folder" / HOMEWORK / f"{HOMEWORK}.ipynb").mkdir(parents=True)
    hand_in(root, "exits", 7, extra="\nimport os; os._exit(1)")
    hand_in(root, "stamp", 7)
    (root / "submitted" / "stamp" / HOMEWORK / "timestamp.txt").write_text("yesterday")
    batch = run(HOMEWORK, root, 2)
    kinds = {student: outcome.kind for student, outcome in batch.outcomes.items()}
    assert kinds == {
        **dict.fromkeys(("cut", "empty", "text", "nothing", "folder"), Kind.MALFORMED),
        **dict.fromkeys(("link", "[abc]", "new\nline", "J\\xfcrgen"), Kind.REFUSED),
        **dict.fromkeys(("s00", "s01", "renamed", "stamp"), Kind.GRADED),
        "exits": Kind.CRASHED,
    }
    assert batch.outcomes["s01"].points == batch.outcomes["renamed"].points == 2
    assert sorted(lines(root)) == sorted(kinds) and all(o.sentence for o in batch.outcomes.values())
    recorded = {student for (student,) in grades(root)[2]}
    assert recorded == set(kinds) - {"[abc]", "new\nline", "J\\xfcrgen"}
    for options in ([], ["--json"]):
        ended = lmkit(root, "--resume", *options, env={**os.environ, "PYTHONUTF8": "1"})
        assert ended.returncode == 1 and "xfcrgen" in ended.stdout and "Traceback" not in ended.stderr, ended
        assert "any more" not in ended.stdout
    ended = lmkit(root, "--quiet", "--only", "nothing", "--only", "s00")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == "look: nothing that could be graded came from 1 of 2: 'nothing'; the report says why\n"
    ended = lmkit(root, "--quiet", "--only", "s00")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    waiting = [mark for mark in grades(root)[0] if mark[0] == "cut" and mark[-1]]
    assert waiting == []  # nothing was written, so nothing waits to be read


def test_resume_grades_only_what_changed(make_course):
    root = make_course("resume", 3)
    run(HOMEWORK, root, 1)
    hand_in(root, "s00", 7)
    hand_in(root, "s03", 3)
    batch = run(HOMEWORK, root, 1, resume=True)
    assert sorted(batch.outcomes) == ["s00", "s03"] and batch.skipped == ["s01", "s02"]
    with sqlite3.connect(root / "gradebook.db") as book:  # somebody put back a gradebook of yesterday
        book.execute("update grade set auto_score = 0")
    shutil.rmtree(root / "autograded" / "s02")
    assert sorted(run(HOMEWORK, root, 1, resume=True).outcomes) == ["s00", "s01", "s02", "s03"]
    assert sorted(run(HOMEWORK, root, 1, only=["s01"]).outcomes) == ["s01"]
    stamp = root / "submitted" / "s01" / HOMEWORK / "timestamp.txt"
    for say in (lambda: stamp.write_text("2026-01-02 12:00:00 UTC"), stamp.unlink):  # another penalty
        say()
        assert sorted(run(HOMEWORK, root, 1, resume=True).outcomes) == ["s01"]
    with pytest.raises(ValueError, match="only: got 'nobody'"):
        run(HOMEWORK, root, 1, only=["nobody"])


def test_resume_counts_penalties_again(make_course):
    root = make_course("penalties", 1)
    hand_in(root, "s00", 4)  # two points, and a text
    with open(root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write("\nc.LateSubmissionPlugin.penalty_method = 'zero'\n")
    (root / "submitted" / "s00" / HOMEWORK / "timestamp.txt").write_text("2026-01-02 12:00:00 UTC")
    run(HOMEWORK, root, 1)
    for then, taken_off in (
        ("update assignment set duedate = '2026-01-01 12:00:00.000000'", 2),  # set after grading
        ("update grade set manual_score = 3, needs_manual_grade = 0 where auto_score is null", 5),  # read after grading
        ("update assignment set duedate = '2026-01-03 12:00:00.000000'", None),
    ):
        with sqlite3.connect(root / "gradebook.db") as book:
            book.execute(then)
        said = f"or plugin than now: s00; first `lmkit grade {HOMEWORK} --resume`"
        assert (said in exported(root)) == (taken_off != 2)  # then the total stays empty
        assert run(HOMEWORK, root, 1, resume=True).outcomes
        assert {m[2] for m in grades(root)[0]} == {taken_off}
        assert run(HOMEWORK, root, 1, resume=True).outcomes == {}
    assert "than now" not in exported(root) + exported(root, "feedback")


def test_another_time_of_a_submission_is_said_until_it_is_graded_by(make_course):
    root = make_course("times", 0)
    hand_in(root, "s00", 3)  # four points, and nothing to read
    stamp = root / "submitted" / "s00" / HOMEWORK / "timestamp.txt"
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("update assignment set duedate = '2026-01-01 12:00:00.000000'")
    run(HOMEWORK, root, 1)
    for then, taken_off in (
        (lambda: stamp.write_text("2026-01-01 12:00:01 UTC"), 4),
        (lambda: stamp.write_text("2026-01-01 13:00:00 +0100"), None),
        (lambda: stamp.write_text("2026-01-01 11:00:01 -01:00"), 4),
        (stamp.unlink, None),
    ):
        then()
        assert f"another time, due date or plugin than now: s00; first `lmkit grade {HOMEWORK}" in exported(root)
        assert list(run(HOMEWORK, root, 1, resume=True).outcomes) == ["s00"]
        assert {m[2] for m in grades(root)[0]} == {taken_off}
        assert exported(root) == "" and run(HOMEWORK, root, 1, resume=True).outcomes == {}
    stamp.write_text("31.12.2025 at noon, with my permission")
    batch = run(HOMEWORK, root, 1)
    assert batch.notes == {
        "s00": ("timestamp.txt says no time, so nothing is late: expected such as 2026-01-31 23:59:00 UTC",)
    }
    hand_in(root, "s00", 7)  # is said once
    stamp.write_text("2026-01-01 12:00:01 UTC")
    assert exported(root) == f"look: handed in, but not graded yet: s00; first `lmkit grade {HOMEWORK} --resume`\n"


def test_a_time_that_is_taken_out_is_forgotten_after_a_crash_too(make_course, monkeypatch):
    root = make_course("forgotten", 0)
    hand_in(root, "s00", 3)
    stamp = root / "submitted" / "s00" / HOMEWORK / "timestamp.txt"
    stamp.write_text("2026-01-01 13:00:01  +01")
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("update assignment set duedate = '2026-01-01 12:00:00.000000'")
    run(HOMEWORK, root, 1)
    assert {m[2] for m in grades(root)[0]} == {4}
    stamp.unlink()
    with monkeypatch.context() as crash, pytest.raises(ZeroDivisionError):
        crash.setattr(Records, "_write_grades", lambda *given: 1 / 0)
        run(HOMEWORK, root, 1, resume=True)
    run(HOMEWORK, root, 1, resume=True)
    assert {m[2] for m in grades(root)[0]} == {None} and exported(root) == ""


def test_an_extension_without_a_due_date_is_never_late(make_course):
    root = make_course("extended", 2)
    (root / "submitted" / "s01" / HOMEWORK / "timestamp.txt").write_text("2026-01-02 12:00:00 UTC")
    run(HOMEWORK, root, 1)
    with closing(open_gradebook(CourseDirectory(config=load_config(root)))) as book:
        book.grant_extension(HOMEWORK, "s01", days=1)
    assert run(HOMEWORK, root, 1).stopped == exported(root) == exported(root, "feedback") == ""


def test_points_that_a_gradebook_keeps_in_six_digits_are_the_same(make_course):
    root = make_course("rounded", 0)
    hand_in(root, "s00", 3)
    with open(root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write("\nfrom nbgrader.plugins import LateSubmissionPlugin\nclass Third(LateSubmissionPlugin):\n")
        file.write("    def late_submission_penalty(self, student_id, score, total_seconds_late):\n")
        file.write("        return score / 3\nc.AssignLatePenalties.plugin_class = Third\n")
    (root / "submitted" / "s00" / HOMEWORK / "timestamp.txt").write_text("2026-01-02 12:00:00 UTC")
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("update assignment set duedate = '2026-01-01 12:00:00.000000'")
    run(HOMEWORK, root, 1)
    with sqlite3.connect(root / "gradebook.db") as book:  # as MySQL does
        book.execute("update submitted_notebook set late_submission_penalty = round(late_submission_penalty, 5)")
        book.execute("update grade set auto_score = auto_score + 1e-5 where auto_score > 0")
    assert run(HOMEWORK, root, 1, resume=True).outcomes == {}
    assert exported(root) == exported(root, "feedback") == ""


def test_a_penalty_in_decimal_does_not_stop_resume(make_course):
    root = make_course("decimal", 1)
    hand_in(root, "s00", 4)
    (root / "late_by_day.py").write_text(
        "from decimal import Decimal\nfrom nbgrader.plugins import LateSubmissionPlugin\n"
        "class ByDay(LateSubmissionPlugin):\n"
        "    def late_submission_penalty(self, student_id, score, total_seconds_late):\n"
        "        return Decimal('0.1')\n"
    )
    with open(root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write(f"\nimport sys\nsys.path.insert(0, {str(root)!r})\nfrom late_by_day import ByDay\n")
        file.write("c.AssignLatePenalties.plugin_class = ByDay\n")
    (root / "submitted" / "s00" / HOMEWORK / "timestamp.txt").write_text("2026-01-02 12:00:00 UTC")
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("update assignment set duedate = '2026-01-01 12:00:00.000000'")
    run(HOMEWORK, root, 1)
    assert {m[2] for m in grades(root)[0]} == {0.1}
    assert run(HOMEWORK, root, 1, resume=True).outcomes == {}


@pytest.mark.parametrize(
    ("penalty", "why"),
    [("self.days[student_id]", "KeyError: 's01'"), ("self.days.get(student_id) or exit(0)", "SystemExit: 0")],
)
def test_a_late_plugin_that_raises_is_one_sentence(make_course, penalty, why):
    root = make_course("raises", 2)
    (root / "late_by_table.py").write_text(
        "from nbgrader.plugins import LateSubmissionPlugin\n"
        "class ByTable(LateSubmissionPlugin):\n"
        "    days = {'s00': 1}\n"
        "    def late_submission_penalty(self, student_id, score, total_seconds_late):\n"
        f"        return {penalty}\n"
    )
    with open(root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write(f"\nimport sys\nsys.path.insert(0, {str(root)!r})\nfrom late_by_table import ByTable\n")
        file.write("c.AssignLatePenalties.plugin_class = ByTable\n")
    for student in ("s00", "s01"):
        (root / "submitted" / student / HOMEWORK / "timestamp.txt").write_text("2026-01-02 12:00:00 UTC")
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("update assignment set duedate = '2026-01-01 12:00:00.000000'")
    said = f"cannot count what is taken off for lateness of s01: ByTable ended in {why}"
    ended = lmkit(root, "--jobs", "1")
    assert ended.returncode == 3 and f"stopped: {said}. What was graded is safe" in ended.stderr, ended.stderr
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("update assignment set duedate = '2026-01-03 12:00:00.000000'")
    assert lmkit(root, "--resume").returncode == 0
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("update assignment set duedate = '2026-01-01 12:00:00.000000'")
    ended = lmkit(root, "--resume")
    assert ended.returncode == 3 and f"stopped: {said}" in ended.stderr and "Traceback" not in ended.stderr
    assert "or plugin than now: s01; first" in exported(root, "feedback")


def test_a_secret_that_is_set_elsewhere_is_no_other_test(make_course):
    root = make_course("elsewhere", 2)
    assert lmkit(root, env={**os.environ, "LMKIT_COURSE_SECRET": "a secret"}).returncode == 0
    assert exported(root, "feedback") == ""
    with open(root / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write("\nc.Grading.secret = 'another one'\n")
    assert "graded by other tests than the newest: s00, s01" in exported(root, "feedback")


def test_a_changed_test_is_not_ignored(make_course, monkeypatch):
    monkeypatch.setenv("LMKIT_COURSE_SECRET", "a secret")
    root = make_course("changed", 2)
    run(HOMEWORK, root, 1)
    assert "other tests" not in exported(root) + exported(root, "feedback")
    path = root / "solutions" / HOMEWORK / f"{HOMEWORK}.ipynb"
    path.write_text(path.read_text().replace("add(5, 3) == 5 + 3", "add(5, 4) == 5 + 4"))
    old = f"graded by other tests than the newest: s00, s01; a changed test counts for everybody: first `lmkit grade {HOMEWORK}"
    assert old in exported(root) and old in exported(root, "feedback")
    ended = lmkit(root, "--resume")
    command = f"nbgrader generate_assignment {HOMEWORK} --force"
    said = " ".join(ended.stderr.split())
    assert ended.returncode == 3 and "stopped: test_add changed" in said and command in said, ended.stderr
    assert graded(root) == 2  # nothing was graded by the old test
    assert nbgrader_api(load_config(root)).generate_assignment(HOMEWORK, force=True)["success"]
    assert old in exported(root)
    assert sorted(run(HOMEWORK, root, 1, resume=True).outcomes) == ["s00", "s01"]
    assert "other tests" not in exported(root) + exported(root, "feedback")


def test_points_that_change_without_a_cause_and_a_class_that_crashes_are_said(make_course):
    root = make_course("look", 2)
    assert run(HOMEWORK, root, 1).look == []
    log = (root / audit.LOG).read_text().splitlines()
    (root / audit.LOG).write_text("\n".join(log[:1] + [log[1].replace('"points": 2.0', '"points": 1.0')]) + "\n")
    ended = lmkit(root, "--quiet", "--only", "s00", "--only", "s01")
    said = (
        f"{json.loads(log[1])['student']}: 1 → 2 points (test_add 1 → 2), though notebook, tests and lmkit are the same"
    )
    assert ended.returncode == 1 and said in " ".join(ended.stderr.split()), ended.stderr
    for i in range(2):
        hand_in(root, f"s{i:02}", 7, extra="\nimport os; os._exit(1)")
    (said,) = run(HOMEWORK, root, 1).look
    assert said.startswith("2 of 2 crashed or ran out of time or memory: 's00', 's01'")


def waiting(root):
    """Whose written answers formgrader asks a human to read."""
    return [student for student, _, _, name, _, _, asked in grades(root)[0] if name == "why" and asked]


def exported(root, what="export"):
    words = [sys.executable, "-m", "lmkit.grading.cli", what, HOMEWORK, "--course", str(root)]
    return subprocess.run(words, capture_output=True, text=True, timeout=300).stderr


def test_a_crash_forgets_no_answer_that_is_to_be_read_again(make_course, monkeypatch):
    root = make_course("torn", 1)
    run(HOMEWORK, root, 1)
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("update grade set manual_score = 3, needs_manual_grade = 0 where auto_score is null")
    path = root / "submitted" / "s00" / HOMEWORK / f"{HOMEWORK}.ipynb"
    path.write_text(path.read_text().replace("Because of s00.", "Because I copied."))
    with monkeypatch.context() as patch:
        patch.setattr("lmkit.grading.gradebook.Records._write_grades", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run(HOMEWORK, root, 1)
    run(HOMEWORK, root, 1, resume=True)
    assert waiting(root) == ["s00"]


def test_another_picture_of_the_same_name_and_a_cell_below_are_read_again(make_course):
    root = make_course("pictures", 3)

    def put(student, picture="", below=""):
        hand_in(root, student, 4)
        path = root / "submitted" / student / HOMEWORK / f"{HOMEWORK}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        notebook.cells[-1].source = "![](attachment:image.png)"
        notebook.cells[-1].attachments = {"image.png": {"image/png": PIXEL + picture}}
        notebook.cells.append(new_markdown_cell(f"And because of that{below}."))
        nbformat.write(notebook, path)

    for student in ("s00", "s01", "s02"):
        put(student)
    run(HOMEWORK, root, 1)
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute(
            "update grade set manual_score = 3, needs_manual_grade = 0 where grade.cell_id in "
            "(select id from base_cell where name = 'why')"
        )
    put("s00", picture="AAAA")
    put("s01", below=" and this")
    said = run(HOMEWORK, root, 1).look
    assert waiting(root) == ["s00", "s01"] and [words[:4] for words in said] == ["s00:", "s01:"]


def test_points_of_a_human_in_the_place_of_a_test_are_said_when_it_has_graded_again(make_course):
    root = make_course("overruled", 2)
    run(HOMEWORK, root, 1)

    def decide(points):
        with sqlite3.connect(root / "gradebook.db") as book:
            book.execute(
                f"update grade set manual_score = {points}, needs_manual_grade = 0 where auto_score is not null and "
                "cell_id = (select id from base_cell where name = 'test_add')"
            )

    decide(0.5)
    assert "before the last grading" not in exported(root)
    run(HOMEWORK, root, 1)
    assert "somebody gave are from before the last grading: s00, s01; formgrader" in exported(root)
    decide(0.5)
    assert "before the last grading" not in exported(root)


def test_points_of_a_human_for_another_text_are_said(make_course):
    root = make_course("read", 5)
    run(HOMEWORK, root, 1)
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("update grade set manual_score = 3, needs_manual_grade = 0 where auto_score is null")
    assert run(HOMEWORK, root, 1).look == []  # the same notebooks again
    assert waiting(root) == [] and "before the last grading" not in exported(root)
    for student in ("s00", "s01"):
        path = root / "submitted" / student / HOMEWORK / f"{HOMEWORK}.ipynb"
        path.write_text(
            path.read_text().replace("Because of s00.", "Because I copied.").replace("return", "return 0 or")
        )
    (said,) = run(HOMEWORK, root, 1).look  # the code of both has changed, the text that somebody read of one
    assert said == "s00: somebody gave 3 points for why, whose answer is another one now; they stay: read it again"
    assert waiting(root) == ["s00"] and "from before the last grading: s00; formgrader" in exported(root)
    run(HOMEWORK, root, 1)
    assert waiting(root) == ["s00"]  # until somebody has read it
    ended = lmkit(root, "--only", "s01")
    assert ended.stdout.startswith("s01: ") and "s00" not in ended.stdout and "separates" not in ended.stdout
    shutil.rmtree(root / "submitted" / "s04")
    ended = subprocess.run(
        [sys.executable, "-m", "lmkit.grading.cli", "report", HOMEWORK, "--course", str(root)],
        capture_output=True,
        text=True,
    )
    assert "not in submitted/ any more, and not in this report: s04" in ended.stdout
    assert re.search(r"^graded +4$", ended.stdout, re.MULTILINE), ended.stdout
    feedback = [sys.executable, "-m", "lmkit.grading.cli", "feedback", HOMEWORK, "--course", str(root), "--only"]
    ended = subprocess.run([*feedback, "nobody"], capture_output=True, text=True)
    assert ended.returncode == 2 and "only: got 'nobody', of whom nothing is graded" in ended.stderr
    assert subprocess.run([*feedback, "s00"], capture_output=True).returncode == 0
    kept = (root / audit.LOG).read_text().splitlines(keepends=True)
    (root / audit.LOG).write_text("".join(line for line in kept if '"s00"' not in line))  # a lost line
    ended = subprocess.run([*feedback, "s00", "--only", "s02"], capture_output=True, text=True)
    assert ended.returncode == 1 and ended.stderr.count("look:") == 1, ended.stderr
    assert "s00: grading.jsonl does not tell of the grade that the gradebook holds; grade again" in ended.stderr
    damaged = root / "autograded" / "s02" / HOMEWORK / f"{HOMEWORK}.ipynb"
    damaged.write_text("{}")
    ended = subprocess.run(feedback[:-1], capture_output=True, text=True)
    assert ended.returncode == 1 and f"s02: homework: got {damaged}, which is no notebook" in ended.stderr, ended.stderr
    assert "4 pages" in ended.stdout  # of all others
    assert {"s00", "s02"} <= set(run(HOMEWORK, root, 1, resume=True).outcomes) and damaged.read_text()


def test_the_number_of_processes_changes_nothing(make_course, monkeypatch):
    one, three = make_course("one"), make_course("three")
    run(HOMEWORK, one, 1)
    parse, parsing = ast.parse, set()
    monkeypatch.setattr(ast, "parse", lambda *given, **named: parsing.add(current_thread()) or parse(*given, **named))
    run(HOMEWORK, three, 3)
    assert parsing == {current_thread()}  # two threads that parse at a time end in SystemError in Python 3.11
    assert grades(one) == grades(three)
    as_undisturbed(three, 6)


@pytest.mark.parametrize("after", [0, 2])
def test_kill_the_grader(make_course, after):
    root = make_course("killed", 6)
    process = start(root, "-j", "1")
    wait_for(lambda: graded(root) >= after)
    process.send_signal(signal.SIGKILL)
    process.wait()
    grades(root)  # not damaged
    assert graded(root) < 6
    ended = lmkit(root, "--resume")
    assert ended.returncode == 0, ended.stderr
    as_undisturbed(root, 6)


def test_kill_a_grading_process_again_and_again(make_course):
    root = make_course("worker", 6)
    process = start(root, "-j", "2")
    killed, me = 0, psutil.Process(process.pid)
    for at in (1, 3):
        wait_for(lambda at=at: graded(root) >= at)
        for child in [c for c in me.children() if "lmkit.grading.station" in c.cmdline()][:1]:
            child.kill()
            killed += 1
    _, said = process.communicate(timeout=300)
    assert killed and process.returncode in (0, 1), said
    as_undisturbed(root, 6)


def test_processes_started_ahead_are_those_that_the_batch_wants(make_course, monkeypatch):
    root = make_course("ahead")
    ahead = start_ahead(HOMEWORK, root, 2, (), False)
    others = [start_process(first_line(0, Needs(("lmkit.ngram",), (), ()), False)) for _ in range(2)]
    assert len(ahead) == 2
    with monkeypatch.context() as patched:
        patched.setattr("lmkit.grading.station.start", lambda told: pytest.fail("another one was started"))
        run(HOMEWORK, root, 2, ahead=ahead)
    as_undisturbed(root, 6)
    assert all(one.process.poll() is not None for one in ahead)
    run(HOMEWORK, root, 2, ahead=others)  # of another homework: not used
    assert all(one.process.poll() is not None for one in others) and sorted(lines(root)[6:]) == sorted(lines(root)[:6])
    (one,) = start_ahead(HOMEWORK, root, 9, ["s01"], False)
    one.process.communicate(timeout=60)
    assert one.process.returncode == 0 and start_ahead("other", root, 2, (), False) == []


@pytest.mark.parametrize("side", [0, 1])
def test_a_process_killed_while_it_waits_for_the_batch_is_replaced(make_course, side):
    root = make_course("waits", 2)
    (one,) = start_ahead(HOMEWORK, root, 1, (), False)
    station = psutil.Process(one.process.pid)
    # Two sandboxes, with an interpreter at work in each: before that, who kills bubblewrap does not end what is in it.
    wait_for(lambda: sum("python" in child.name() for child in station.children(recursive=True)) == 2)
    station.children()[side].kill()
    assert not run(HOMEWORK, root, 1, ahead=[one]).stopped and one.process.returncode == 1
    as_undisturbed(root, 2)


def test_a_process_that_cannot_serve_the_batch_leaves_no_folder_behind(make_course, monkeypatch):
    root, needs = make_course("old", 1), Needs(None, (), ())
    monkeypatch.setenv("TMPDIR", str(root / "tmp"))
    (root / "tmp").mkdir()
    station = Station(Material(HOMEWORK, "", {}, "", Master(HOMEWORK, ()), needs, "", Limits(), True, version="0"))
    with pytest.raises(CannotGrade, match="and the batch is of 0"):
        station.grade(Job("s00"))
    assert list((root / "tmp").iterdir()) == []


@pytest.mark.parametrize("why", ["stale", signal.SIGINT, signal.SIGHUP, signal.SIGTERM])
def test_a_batch_that_ends_before_it_begins_leaves_no_process_behind(make_course, why):
    root = make_course("early")
    if why == "stale":
        path = root / "solutions" / HOMEWORK / f"{HOMEWORK}.ipynb"
        path.write_text(path.read_text().replace("wrong add", "false"))
    marked = {**os.environ, "LMKIT_TEST_MARK": str(root)}
    ends = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}

    def hear():  # a shell's background and nohup ignore these signals, and what is started there would, too
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    process = subprocess.Popen(command(root, "-q"), env=marked, start_new_session=True, preexec_fn=hear, **ends)

    def stations():
        found = []
        for other in psutil.process_iter():
            with suppress(psutil.Error):
                if "lmkit.grading.station" in other.cmdline() and other.environ().get("LMKIT_TEST_MARK") == str(root):
                    found.append(other)
        return found

    if why != "stale":
        wait_for(stations)
        os.killpg(process.pid, why)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said.count("\n")) == ((3, 1) if why == "stale" else (130, 0)), said
    wait_for(lambda: not stations())


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_batch_without_a_sandbox_that_is_stopped_leaves_no_folder_behind(make_course, stop):
    root = make_course("unsafe", 0)
    hand_in(root, "s00", 7, extra="\nopen('began', 'w').close()\nwhile True:\n    pass")
    (root / "tmp").mkdir()
    places = {**os.environ, "TMPDIR": str(root / "tmp")}
    process = subprocess.Popen(
        command(root, "-q", "--unsafe-no-sandbox"), env=places, preexec_fn=lambda: signal.signal(stop, signal.SIG_DFL)
    )
    wait_for(lambda: list((root / "tmp").glob("*/began")))
    process.send_signal(stop)
    assert process.wait(60) == 130 and list((root / "tmp").iterdir()) == []
    mine = [p for p in psutil.process_iter(["environ"]) if str(root) in str(p.info["environ"])]
    assert psutil.wait_procs(mine, timeout=3)[1] == []


@pytest.mark.parametrize("where", ["homeworks/{0}/{0}.ipynb", "submitted/s00/{0}/{0}.ipynb"])
def test_a_pipe_in_the_place_of_a_notebook_is_told_and_not_read(make_course, where):
    root = make_course("pipe", 2)
    path = root / where.format(HOMEWORK)
    path.unlink()
    os.mkfifo(path)
    ended = subprocess.run(command(root), capture_output=True, text=True, timeout=60)
    said = f"there is no {path}" if "homeworks" in where else "The notebook is no ordinary file"
    assert ended.returncode == (2 if "homeworks" in where else 1), ended.stderr
    assert said in ended.stdout + ended.stderr, ended


@pytest.mark.parametrize(
    ("said", "of_tests"), [(GAVE_UP, ""), (f"This cell {NOT_STARTED}", ""), ("", f"this test {NOT_STARTED}")]
)
def test_what_the_grader_could_not_finish_is_tried_again(make_course, monkeypatch, said, of_tests):
    root = make_course("gave-up", 0)
    hand_in(root, "s00", 7)

    def dies(self):
        self.process = subprocess.Popen(["true"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    with monkeypatch.context() as patched:
        patched.setattr(Station, "_start", dies)
        batch = run(HOMEWORK, root, 1)
    assert batch.outcomes["s00"].kind == Kind.CRASHED and batch.outcomes["s00"].sentence == GAVE_UP
    assert "died 3 times" in batch.look[-1]
    tests = tuple(replace(test, error=of_tests) for test in batch.outcomes["s00"].tests)
    audit.append(root, replace(batch.outcomes["s00"], sentence=said, tests=tests))
    batch = run(HOMEWORK, root, 1, resume=True)
    assert batch.outcomes["s00"].points == 6 and "0 → 6 points" in batch.changes["s00"]


def test_a_file_that_cannot_grow(make_course):
    root = make_course("full", 16)
    size = (root / "gradebook.db").stat().st_size
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))  # noqa: E731
    ended = lmkit(root, preexec_fn=limit)
    assert ended.returncode == 3 and "cannot use the gradebook" in ended.stderr and "--resume" in ended.stderr, (
        ended.stderr
    )
    grades(root)
    assert graded(root) < 16
    ended = lmkit(root, "--resume")
    assert ended.returncode == 0, ended.stderr
    as_undisturbed(root, 16)


@pytest.mark.parametrize("left", [0, 20_000, 60_000, 90_000])  # autograded/, then a new student's rows, then a commit
def test_a_disk_that_is_full(make_course, tmp_path, left):
    root, after = make_course("full", 6), tmp_path / "after"
    shutil.copytree(root, after)
    words = " ".join(map(shlex.quote, command(root, "--jobs", "1")))
    script = (
        f"cp -r {after}/. {root} && free=$(df --output=avail -B1 {root} | tail -1) && "
        f"head -c $((free - {left})) /dev/zero > {root}/fill; {words} >&2; echo $?; "
        f"cp {root}/gradebook.db {after}/then.db; rm {root}/fill; {words} --resume >&2; echo $?; "
        f"cp -r {root}/. {after}"
    )
    disk = ["bwrap", "--cap-add", "ALL", "--dev-bind", "/", "/", "--size", "2000000", "--tmpfs", str(root)]
    if subprocess.run([*disk, "bwrap", "--ro-bind", "/", "/", "--unshare-pid", "true"], capture_output=True).returncode:
        pytest.skip("no sandbox in a sandbox here")
    ended = subprocess.run([*disk, "sh", "-c", script], capture_output=True, text=True, timeout=300)
    assert ended.stdout == "3\n0\n" and "Traceback" not in ended.stderr, ended
    said = "cannot (write|use the gradebook: database or disk is full).*once that is put right, the same with --resume"
    assert re.search(f"stopped: {said}", ended.stderr), ended.stderr
    with closing(sqlite3.connect(after / "then.db")) as book:
        assert book.execute("pragma integrity_check").fetchall() == [("ok",)]
    as_undisturbed(after, 6)


@pytest.mark.parametrize("kind", ["exclusive", "immediate"])  # formgrader while it commits, and before that
def test_a_locked_database(make_course, kind):
    root = make_course("locked", 3)
    holder = sqlite3.connect(root / "gradebook.db", isolation_level=None)
    holder.execute(f"begin {kind}")
    ended = lmkit(root)
    assert ended.returncode == 3 and "stopped: cannot use the gradebook: database is locked" in ended.stderr, ended
    assert "Traceback" not in ended.stderr
    process = start(root, "--resume")  # the lock goes in time: nobody notices
    time.sleep(1)
    holder.execute("rollback")
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said
    as_undisturbed(root, 3)


def test_a_lock_that_comes_while_a_class_is_graded_is_said_after_the_report(make_course, monkeypatch):
    root, read_before = make_course("late-lock", 2), Records.read_before
    holder = sqlite3.connect(root / "gradebook.db", isolation_level=None)
    monkeypatch.setattr(
        Records, "read_before", lambda *given: holder.execute("begin exclusive") and read_before(*given)
    )
    batch = run(HOMEWORK, root, 1)
    holder.execute("rollback")
    assert batch.stopped.startswith("cannot use the gradebook: database is locked. What was graded is safe")


def test_a_gradebook_whose_address_says_nothing_is_waited_for(template):
    directory = CourseDirectory(config=load_config(template))
    for address, seconds in ((directory.db_url, 2), (directory.db_url.split("?")[0], 60)):
        directory.db_url = address
        with open_gradebook(directory) as book:
            assert book.db.execute(text("pragma busy_timeout")).scalar() == 1000 * seconds


def test_one_batch_at_a_time(make_course):
    import fcntl

    root = make_course("two", 1)
    with open(root / ".grading.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        ended = lmkit(root)
    assert ended.returncode == 2 and "another `lmkit grade` is at work" in ended.stderr


def test_a_line_that_a_crash_cut_off_is_skipped_and_the_log_goes_on(tmp_path):
    outcome = Outcome("alice", "hw", Kind.GRADED, "fine", (TestResult("t", 1.0, 2.0, "half"),))
    audit.append(tmp_path, outcome)
    with open(tmp_path / audit.LOG, "ab") as file:
        file.write(b'{"student": "bob", "homew')
    audit.append(tmp_path, outcome)
    assert [found for _, found in audit.read(tmp_path)] == [outcome, outcome]
    assert audit.latest(tmp_path, "hw") == {"alice": outcome} and audit.latest(tmp_path, "other") == {}


def test_a_change_of_limits_is_a_cause(tmp_path):
    most = {"test_seconds": 30, "disk": 1}
    before = Outcome("alice", "hw", Kind.GRADED, "fine", (TestResult("t", 2.0, 2.0),), limits=most)
    after = replace(before, tests=(TestResult("t", 0.0, 2.0, "late"),), limits=most | {"test_seconds": 5})
    audit.append(tmp_path, before)
    said = audit.change(audit.latest(tmp_path, "hw")["alice"], after)
    assert said == "2 → 0 points (t 2 → 0), because of test_seconds 30 → 5"
    record = json.loads((tmp_path / audit.LOG).read_text())
    del record["limits"]  # a line of an older version
    (tmp_path / audit.LOG).write_text(json.dumps(record) + "\n")
    assert audit.change(audit.latest(tmp_path, "hw")["alice"], after).endswith(audit.NO_CAUSE)


@contextmanager
def dask(folder, **settings):
    """A scheduler and two workers, each a process of its own: (address, the scheduler)."""
    environment = {**os.environ, **settings}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    file, protocol = folder / "scheduler.json", "tls" if settings else "tcp"
    options = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    options["start_new_session"] = True
    here = ["--host", "127.0.0.1", "--protocol", protocol, "--no-dashboard"]
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--scheduler-file", str(file)]
    started = [subprocess.Popen([*scheduler, *here], **options)]
    try:
        wait_for(lambda: file.exists() and file.read_text().endswith("}"), 60)
        address = json.loads(file.read_text())["address"]
        worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1"]
        started += [subprocess.Popen([*worker, *here], **options) for _ in range(2)]
        yield address, started[0]
    finally:
        for process in started:
            with suppress(ProcessLookupError):  # a group each: a worker's child may end while it is looked for
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    with dask(tmp_path) as started:
        yield started


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl to make certificates with")
def test_a_cluster_elsewhere_is_reached_with_certificates_only(make_course, tmp_path):
    """TLS on loopback, as between machines: the local grades with a certificate, nothing and a sentence without."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=the course"]
    subprocess.run([*request, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    settings = {"DASK_DISTRIBUTED__COMM__TLS__CA_FILE": str(certificate)}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        settings[f"DASK_DISTRIBUTED__COMM__TLS__{who}__CERT"] = str(certificate)
        settings[f"DASK_DISTRIBUTED__COMM__TLS__{who}__KEY"] = str(key)
    root, local = make_course("tls", 6), make_course("local", 6)
    with dask(tmp_path, **settings) as (address, _):
        assert address.startswith("tls://")
        stranger = lmkit(root, "--scheduler", address)
        assert stranger.returncode != 0 and "Traceback" not in stranger.stderr, stranger.stderr
        assert address in stranger.stderr and graded(root) == 0
        ended = lmkit(root, "--scheduler", address, env={**os.environ, **settings})
        assert ended.returncode == 0, ended.stderr
    as_undisturbed(root, 6)
    run(HOMEWORK, local, 1)
    assert grades(root) == grades(local)


def test_a_cluster_gives_the_same_grades_and_may_lose_its_scheduler(make_course, cluster):
    address, scheduler = cluster
    root = make_course("cluster", 6)
    ended = lmkit(root, "--scheduler", address)
    assert ended.returncode == 0, ended.stderr
    as_undisturbed(root, 6)
    local = make_course("local", 6)
    run(HOMEWORK, local, 1)
    assert grades(root) == grades(local)
    lost = make_course("lost", 20)
    process = start(lost, "--scheduler", address)
    wait_for(lambda: graded(lost) >= 2)
    scheduler.kill()
    _, said = process.communicate(timeout=300)
    assert process.returncode == 3 and "--resume" in said and "Traceback" not in said, said
    assert 2 <= graded(lost) < 20
    ended = lmkit(lost, "--resume")
    assert ended.returncode == 0, ended.stderr
    as_undisturbed(lost, 20)


@pytest.mark.parametrize("at", ["submit", "wait", "result", "exception"])
@pytest.mark.parametrize("error", ["CancelledError", "FuturesCancelledError", "CommClosedError", "ClosedClientError"])
@pytest.mark.parametrize("status", ["connecting", "running"])
def test_every_way_in_which_a_scheduler_ends_is_said(monkeypatch, at, error, status):
    """What dask raises, and where, hangs on what it was doing at that moment; its status may not know yet."""
    from distributed import client

    from lmkit.grading import cluster
    from lmkit.grading.gradebook import CannotWrite
    from lmkit.grading.station import Job

    class Dask:
        """Client and future in one."""

        status, as_current, nthreads = "running", nullcontext, lambda self: {"worker": 1}

        def gone(self, here, value=None):
            if here == at:
                self.status = status
                raise getattr(client, error)([])
            return value

        submit = lambda self, *_, **__: self.gone("submit", Dask.future)  # noqa: E731
        result = lambda self, *_: dask.gone("result")  # noqa: E731
        exception = lambda self, *_: dask.gone("exception")  # noqa: E731

        def close(self, timeout):
            raise TimeoutError

    dask, Dask.future = Dask(), Dask()
    Dask.future.status = "error" if at == "exception" else "finished"
    monkeypatch.setattr(cluster, "Client", lambda *_, **__: dask)
    monkeypatch.setattr(cluster, "wait", lambda futures, **_: dask.gone("wait", SimpleNamespace(done=futures)))
    mistake = status == "running" and error == "ClosedClientError"  # of ours, not the scheduler's end
    expected = client.ClosedClientError if mistake else CannotWrite
    with pytest.raises(expected, match=None if mistake else "the scheduler at tcp://127.0.0.1:1 is gone"):
        list(cluster.remote(None, iter([Job("s00")]), "tcp://127.0.0.1:1", print))


@pytest.mark.parametrize(
    "address", ["tcp://10.0.0.1:8786", "http://localhost:1", "localhost:8786", "tcp://example.org:1", ""]
)
def test_traffic_stays_on_the_machine_or_is_encrypted(address):
    from lmkit.grading.cluster import check_address

    with pytest.raises(ValueError, match="scheduler: got"):
        check_address(address)
    assert check_address("tls://10.0.0.1:8786") and check_address("tcp://127.0.0.1:8786")
