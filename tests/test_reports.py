"""After grading: the report, the exports, similar submissions, and the command line around them."""

import csv
import dataclasses
import errno
import io
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import zipfile

import nbformat
import pytest
from nbgrader.api import Gradebook
from rich.console import Console
from typer.testing import CliRunner

from lmkit.grading import COURSE, audit, cli, gradebook, show, similarity
from lmkit.grading.answers import read_answers, with_answer
from lmkit.grading.batch import Batch
from lmkit.grading.cli import app
from lmkit.grading.export import Row, grades, new_columns, write_csv
from lmkit.grading.gradebook import CannotWrite, whole
from lmkit.grading.notebook_files import hash_of
from lmkit.grading.outcome import Kind, Outcome, TestResult
from lmkit.grading.release import find_alembic, load_config, read_notebook
from lmkit.grading.report import make_report, not_yet, plot
from lmkit.grading.settings import course_secret, limits
from lmkit.grading.similarity import compare, rings, tokens

HOMEWORK = "hw1_ngram"


def outcome(student, points, kind=Kind.GRADED, most=2.0):
    tests = tuple(TestResult(f"test_{i}", p, most) for i, p in enumerate(points))
    return Outcome(student, "hw", kind, "fine", tests)


def test_the_report_tells_what_separates():
    """Question 0 and, in part, 4 follow ability, 1 is full for all, 2 is passed by nobody, 3 is a coin."""
    coin = [0, 2, 2, 0, 0, 2, 2, 0]
    made = make_report([outcome(f"s{i}", (2.0 * (i > 3), 2.0, 0.0, coin[i], i / 4)) for i in range(8)])
    assert set(made.nobody) == {"test_2", "test_4"} and set(made.flat) == {"test_1", "test_2", "test_3"}
    assert [q.full for q in made.questions] == [0.5, 1.0, 0.0, 0.5, 0.0]
    assert made.questions[0].histogram == (4, 0, 0, 0, 0, 0, 4) and made.questions[0].bars == "█     █"
    assert made.points == tuple(sorted(2.0 * (i > 3) + 2 + coin[i] + i / 4 for i in range(8))) and made.max_points == 10
    assert make_report([]).summary() == {}


def test_the_correlation_is_with_the_other_questions():
    made = make_report([outcome(f"s{i}", (i / 4, i / 4, 2 - i / 4)) for i in range(9)])
    assert made.questions[2].separates == pytest.approx(-1) and made.flat == ("test_2",)
    assert made.questions[0].separates is None  # the other two always add up to the same


def test_what_did_not_run_counts_as_an_outcome_only():
    broken = [outcome(f"b{i}", (0, 0), Kind.MALFORMED) for i in range(3)]
    made = make_report([outcome("a", (2, 0)), outcome("c", (2, 0), Kind.TIMED_OUT), *broken])
    assert made.kinds == {"malformed": 3, "graded": 1, "timed_out": 1}
    assert made.questions[0].full == 1 and made.nobody == ("test_1",) and len(made.points) == 5


def test_the_plot_is_drawn(tmp_path):
    plot(make_report([outcome(f"s{i}", (i / 4, 1)) for i in range(9)]), tmp_path / "points.svg", "hw")
    assert "<svg" in (tmp_path / "points.svg").read_text()


ROWS = [
    Row("jane@uni.edu", "Jane Doe", "17", 60.0, 18.5, 0.0, 0.0, 100.0),
    Row("=cmd|x", "=HYPERLINK(1)", "18", 40.0, 0.0, 20.0, 5.0, 100.0),
]


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    ("lms", "column"), [("canvas", "hw"), ("moodle", "Grade"), ("gradescope", "Total Score"), ("plain", "total")]
)
def test_an_unread_answer_is_not_a_zero(tmp_path, lms, column):
    assert write_csv(ROWS, tmp_path / "g.csv", lms, "hw") == {}
    jane, other = read(tmp_path / "g.csv")
    assert jane[column] == "78.5" and other[column] == ""
    assert "hw tests" not in jane  # to Canvas one more assignment
    write_csv(ROWS, tmp_path / "g.csv", lms, "hw", provisional=True)
    assert read(tmp_path / "g.csv")[1][column] == "35"
    text = (tmp_path / "g.csv").read_text()
    assert ("20 of 100 points not yet read" in text) == (lms != "canvas") and not re.search(
        r"(^|,)=", text, re.MULTILINE
    )


def test_a_name_is_no_formula_where_lines_are_split_elsewhere(tmp_path):
    """A spreadsheet of another country splits at the semicolon, or takes a wide sign for the narrow one."""
    for name, safe in {
        "Max;=HYPERLINK(1)": "Max;'=HYPERLINK(1)",
        'Max; "@SUM(1)': "Max; \"'@SUM(1)",
        "Max\t-1+1": "Max\t'-1+1",
        "Max\n=1": "Max\n'=1",
        "＝1+1": "'＝1+1",
        "=1+1": "'=1+1",
    }.items():
        write_csv([dataclasses.replace(ROWS[0], name=name)], tmp_path / "g.csv", "plain", "hw")
        assert read(tmp_path / "g.csv")[0]["name"] == safe
    for name in ("Anna-Lena Roth", "O'Neill; junior", "a=b"):
        write_csv([dataclasses.replace(ROWS[0], name=name)], tmp_path / "g.csv", "plain", "hw")
        assert read(tmp_path / "g.csv")[0]["name"] == name


def test_a_platforms_own_table_is_filled_in(tmp_path):
    roster = tmp_path / "canvas.csv"
    roster.write_text(
        "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,hw (991),Other (3)\n"
        "    Points Possible,,,,,100,10\nJane,17,,jane,A,1,7\nMax,99,,max,A,,8\n"
    )
    assert write_csv(ROWS, tmp_path / "g.csv", "canvas", "hw", roster) == {"=cmd|x": ""}
    points, jane, maximilian = read(tmp_path / "g.csv")
    assert jane["hw (991)"] == "78.5" and jane["Other (3)"] == "7" and "hw tests" not in jane  # one more that counts
    assert points["hw (991)"] == "100" and maximilian["hw (991)"] == ""
    worksheet = tmp_path / "moodle.csv"
    worksheet.write_text(
        "Identifier,Full name,Email address,Grade,Feedback comments\nParticipant 18,=HYPERLINK(1),x@y.z,,\n"
    )
    assert write_csv(ROWS, tmp_path / "g.csv", "moodle", "hw", worksheet) == {"jane@uni.edu": ""}
    assert read(tmp_path / "g.csv")[0]["Feedback comments"] == "autograder: provisional, 20 of 100 points not yet read"
    with pytest.raises(ValueError, match="roster: got a list of moodle"):
        write_csv(ROWS, tmp_path / "g.csv", "canvas", "hw", worksheet)
    with pytest.raises(ValueError, match="to: got 'ilias'"):
        write_csv(ROWS, tmp_path / "g.csv", "ilias", "hw")
    with pytest.raises(ValueError, match="to: got 'plain' and the roster"):
        write_csv(ROWS, tmp_path / "g.csv", "plain", "hw", worksheet)


def test_what_is_not_the_graders_stays_in_a_list(tmp_path):
    roster = tmp_path / "canvas.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,hw (bonus) (990),hw (991),hw tests (992),Other (3)\n"
        "Jane,17,,jane,A,,1,,-2.5\nMax,99,,@max,A,,,,'x\n"
    )
    assert write_csv(ROWS, tmp_path / "g.csv", "canvas", "hw", roster) == {"=cmd|x": ""}
    jane, maximilian = read(tmp_path / "g.csv")
    assert (jane["hw (bonus) (990)"], jane["hw (991)"], jane["hw tests (992)"], jane["Other (3)"]) == (
        "",
        "78.5",
        "60",
        "-2.5",
    )
    assert maximilian["SIS Login ID"] == "@max" and "hw tests" not in maximilian
    roster.write_text("Student,ID,SIS User ID,SIS Login ID,Section,hw (1),hw (2)\nJane,17,,jane,A,,\n")
    with pytest.raises(ValueError, match=r"columns \['hw \(1\)', 'hw \(2\)'\], expected one for 'hw'"):
        write_csv(ROWS, tmp_path / "g.csv", "canvas", "hw", roster)
    worksheet = tmp_path / "moodle.csv"
    final = [Row(name.lower(), name, str(i), 5.0, 0.0, 0.0, 0.0, 9.0) for i, name in enumerate("ABC", 1)]
    worksheet.write_text(
        "Identifier,Full name,Grade,Feedback comments\nParticipant 1,A,,- see me\n"
        'Participant 2,B,,"autograder: provisional, 3 of 9 points not yet read"\n'
        "Participant 3,C,,not graded: plagiarism\n"
    )
    assert write_csv(final, tmp_path / "g.csv", "moodle", "hw", worksheet) == {}
    comments = [line["Feedback comments"] for line in read(tmp_path / "g.csv")]
    assert comments == ["- see me", "", "not graded: plagiarism"]


def test_a_folder_called_like_somebodys_number_gets_no_points(tmp_path):
    lines = ("398,Ann,311", "399,Bob,312", "400,Zed,313")
    worksheet = tmp_path / "moodle.csv"
    worksheet.write_text(
        "\n".join(("Identifier,Full name,ID number,Grade", *(f"Participant {line}," for line in lines)))
    )
    rows = folders(_311=1.0, _312=2.0, _400=99.0)
    said = write_csv(rows, tmp_path / "g.csv", "moodle", "hw", worksheet)
    assert list(said) == ["400"] and "another column" in said["400"]
    assert [line["Grade"] for line in read(tmp_path / "g.csv")] == ["1", "2", ""]


@pytest.mark.parametrize("logins", [2, 3, 4])
def test_folders_named_by_address_or_login_are_all_found(tmp_path, logins):
    worksheet = tmp_path / "moodle.csv"
    lines = [f"Participant {i},S{i},s{i}@x.edu,n{i}," for i in range(6)]
    worksheet.write_text("\n".join(("Identifier,Full name,Email address,Username,Grade", *lines)))
    rows = folders(**{f"n{i}" if i < logins else f"s{i}@x.edu": float(i) for i in range(6)})
    assert write_csv(rows, tmp_path / "g.csv", "moodle", "hw", worksheet) == {}
    assert [line["Grade"] for line in read(tmp_path / "g.csv")] == list("012345")


def test_another_platforms_number_is_not_exported(tmp_path):
    row = Row("jane", "Jane", "17", 5.0, 0.0, 0.0, 0.0, 9.0, lms="moodle")
    write_csv([row], tmp_path / "g.csv", "canvas", "hw")
    assert read(tmp_path / "g.csv")[0]["ID"] == ""
    write_csv([row], tmp_path / "g.csv", "moodle", "hw")
    assert read(tmp_path / "g.csv")[0]["Identifier"] == "Participant 17"


def test_nobody_gets_the_points_of_a_student_who_is_called_like_a_number_or_a_login(tmp_path):
    worksheet = tmp_path / "moodle.csv"
    lines = (
        "Participant 345,Victim,login",
        "Participant 9,345,x",
        "Participant 8,Login,y",
        "Participant 7,Absent,login",
    )
    worksheet.write_text("\n".join(("Identifier,Full name,Username,Grade", *(f"{line}," for line in lines))))
    rows = [("345", "345", "9", 5.0), ("login", "Login", "8", 6.0), ("victim", "Victim", "345", 100.0)]
    rows = [Row(student, name, number, points, 0.0, 0.0, 0.0, 100.0) for student, name, number, points in rows]
    assert write_csv(rows, tmp_path / "g.csv", "moodle", "hw", worksheet) == {}
    assert [line["Grade"] for line in read(tmp_path / "g.csv")] == ["100", "5", "6", ""]
    by_hand = [Row("x", "", "", 1.0, 0.0, 0.0, 0.0, 100.0), Row("7", "", "", 2.0, 0.0, 0.0, 0.0, 100.0)]
    assert write_csv(by_hand, tmp_path / "g.csv", "moodle", "hw", worksheet) == {}
    assert [line["Grade"] for line in read(tmp_path / "g.csv")] == ["", "1", "", "2"]
    by_hand = [Row("8", "", "", 5.0, 0.0, 0.0, 0.0, 100.0), Row("login", "", "77", 3.0, 0.0, 0.0, 0.0, 100.0)]
    worksheet.write_text(worksheet.read_text().replace(",x,", ",8,"))  # somebody else's user name
    said = write_csv(by_hand, tmp_path / "g.csv", "moodle", "hw", worksheet)
    assert said == {"8": "'8' fits the lines of more than one student", "login": ""}
    assert [line["Grade"] for line in read(tmp_path / "g.csv")] == ["", "", "", ""]


CANVAS = 'Student,ID,SIS User ID,SIS Login ID,Section,hw (7)\n"Lee, Ann",101,{},{},A,\n"Ray, Bob",102,{},{},A,\n'


def folders(**points):
    return [
        Row(name.strip("_"), "", name.strip("_"), p, 0.0, 0.0, 0.0, 100.0, lms="folders") for name, p in points.items()
    ]


@pytest.mark.parametrize(
    ("columns", "rows", "expected", "said"),
    [
        # numbers or SIS ids? both fit everybody
        (("102", "ann", "101", "bob"), folders(_101=11.0, _102=22.0), ["", ""], ["101", "102"]),
        # only the numbers fit everybody; Ann's SIS id is Bob's number
        (("102", "ann", "s2", "bob"), folders(_101=11.0, _102=22.0), ["11", "22"], []),
        (("102", "ann", "103", "bob"), folders(_102=11.0, _103=22.0), ["11", "22"], []),
        # the same line twice
        (("s1", "ann", "s2", "bob"), folders(ann=11.0, s1=22.0, bob=33.0), ["11", "33"], ["s1"]),
        (("s1", "ann", "s2", "bob"), folders(ann=11.0, s1=22.0), ["", ""], ["ann", "s1"]),
        (("s1", "Ann@X.edu", "s2", "b@x.edu"), folders(**{"ann@x.edu": 11.0, "B@x.edu": 22.0}), ["11", "22"], []),
    ],
)
def test_the_names_of_folders_are_from_one_column_or_it_is_said(tmp_path, columns, rows, expected, said):
    (tmp_path / "canvas.csv").write_text(CANVAS.format(*columns))
    found = write_csv(rows, tmp_path / "g.csv", "canvas", "hw", tmp_path / "canvas.csv")
    assert [line["hw (7)"] for line in read(tmp_path / "g.csv")] == expected
    assert list(found) == said and all(found.values())


def test_of_two_ids_of_one_student_the_later_one_counts_and_that_is_said(tmp_path):
    rows = [
        Row("a1234", "Lee, Ann", "101", 80.0, 0.0, 0.0, 0.0, 100.0, lms="canvas", taken_in=2),
        Row("leeann-101", "leeann", "101", 15.0, 0.0, 0.0, 0.0, 100.0, lms="canvas", taken_in=1),
    ]
    (tmp_path / "canvas.csv").write_text(CANVAS.format("s1", "a1234", "s2", "b1234"))
    for order in (rows, rows[::-1]):
        ((old, why),) = write_csv(order, tmp_path / "g.csv", "canvas", "hw", tmp_path / "canvas.csv").items()
        assert read(tmp_path / "g.csv")[0]["hw (7)"] == "80" and old == "leeann-101" and "'a1234'" in why
        with pytest.raises(ValueError, match="'leeann-101' and 'a1234', who are one student, number 101"):
            write_csv(order, tmp_path / "g.csv", "canvas", "hw")
        write_csv(order, tmp_path / "g.csv", "plain", "hw")


def test_a_groups_grade_is_nobodys_who_has_its_number(tmp_path):
    worksheet = tmp_path / "moodle.csv"
    worksheet.write_text("Identifier,Full name,Grade,Feedback comments\nParticipant 5,Zoe Zed,,\nParticipant 6,Bo,,\n")
    rows = [
        Row(name.lower(), name, n, 9.0, 0.0, 0.0, 0.0, 9.0, lms="moodle")
        for name, n in (("Group A", "5"), ("Group B", "6"))
    ]
    said = write_csv(rows, tmp_path / "g.csv", "moodle", "hw", worksheet)
    assert said == {
        "group a": "number 5 is 'Zoe Zed' in the list, 'Group A' in the download",
        "group b": "number 6 is 'Bo' in the list, 'Group B' in the download",
    }
    assert [line["Grade"] for line in read(tmp_path / "g.csv")] == ["", ""]


def test_cells_of_any_length_with_any_line_ends_stay(tmp_path):
    cell = "line1\r\nline2\rline3\n" + "x" * 200_000
    with open(tmp_path / "moodle.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(
            [["Identifier", "Full name", "Grade", "Online text"], ["Participant 17", "Jane Doe", "", cell]]
        )
    write_csv(ROWS[:1], tmp_path / "g.csv", "moodle", "hw", tmp_path / "moodle.csv")
    assert read(tmp_path / "g.csv")[0]["Online text"] == cell


def test_who_is_excused_stays_so_and_canvas_may_split_names(tmp_path):
    roster = tmp_path / "canvas.csv"
    roster.write_text("LastName,FirstName,ID,SIS Login ID,Section,hw (9)\nDoe,Jane,17,jane,A,EX\nRoe,Max,18,m,A,\n")
    said = write_csv(ROWS, tmp_path / "g.csv", "canvas", "hw", roster, provisional=True)
    assert said == {"jane@uni.edu": "excused there, which stays"}
    assert [line["hw (9)"] for line in read(tmp_path / "g.csv")] == ["EX", "35"]
    lines = ["Doe,Jane,17,jane,A,,", "Roe,Max,18,m,A,,EX", "Doe,Jane,17,jane,B,EX,"]  # in two sections
    roster.write_text("\n".join(["LastName,FirstName,ID,SIS Login ID,Section,hw (9),hw tests (10)", *lines, ""]))
    assert write_csv(ROWS, tmp_path / "g.csv", "canvas", "hw", roster, provisional=True) == said
    found = [(line["hw (9)"], line["hw tests (10)"]) for line in read(tmp_path / "g.csv")]
    assert found == [("", ""), ("35", "EX"), ("EX", "")]


A_GROUPS = ": taken for a group's; if it is the student's, take in today's download first"


@pytest.mark.parametrize("last", ["team", "student"])
def test_of_a_team_and_a_student_with_one_number_the_list_names_one(tmp_path, last):
    (tmp_path / "list.csv").write_text("Identifier,Full name,Grade,Feedback comments\nParticipant 1,Ann Lee,,\n")
    rows = [
        Row(student, name, "1", points, 0.0, 0.0, 0.0, 9.0, lms="moodle", taken_in=1 + (last == kind))
        for student, name, points, kind in (("ann", "Ann Lee", 3.0, "student"), ("red", "Rockets", 9.0, "team"))
    ]
    said = write_csv(rows, tmp_path / "g.csv", "moodle", "hw", tmp_path / "list.csv")
    assert said == {"red": "number 1 is 'Ann Lee' in the list, 'Rockets' at intake" + A_GROUPS}
    assert [line["Grade"] for line in read(tmp_path / "g.csv")] == ["3"]


def test_where_one_group_is_known_the_others_are_groups_too(tmp_path):
    """Also one whose number is a student's who handed in nothing."""
    people = ["Ann Lee", "Bob Ray", "Cy Orr", "Di Fox", "Ed Roe"]
    lines = "".join(f"Participant {n},{name},,\n" for n, name in enumerate(people, 1))
    (tmp_path / "list.csv").write_text("Identifier,Full name,Grade,Feedback comments\n" + lines)
    came = [*((n, name) for n, name in enumerate(people, 1) if n != 3), (1, "Rockets"), (2, "Sharks"), (3, "Tigers")]
    rows = [
        Row(name.lower(), name, f"{n}", float(n), 0.0, 0.0, 0.0, 9.0, lms="moodle", taken_in=i)
        for i, (n, name) in enumerate(came)
    ]
    said = write_csv(rows, tmp_path / "g.csv", "moodle", "hw", tmp_path / "list.csv")
    assert set(said) == {"rockets", "sharks", "tigers"}
    assert said["tigers"] == "number 3 is 'Cy Orr' in the list, 'Tigers' at intake" + A_GROUPS
    assert [line["Grade"] for line in read(tmp_path / "g.csv")] == ["1", "2", "", "4", "5"]


@pytest.mark.parametrize("before", ["Fang Wang", "Participant"])
def test_a_new_name_is_no_group(tmp_path, before):
    """Who has an old id and a new one, with other names than the list's or a hidden one, gets the grade taken in last."""
    (tmp_path / "list.csv").write_text(
        "Identifier,Full name,Grade,Feedback comments\n"
        + "".join(f"Participant {n},{name},,\n" for n, name in enumerate(["Ann Lee", "Bob Ray", "王芳"], 1))
    )
    rows = [
        Row(student, name, n, points, 0.0, 0.0, 0.0, 9.0, lms="moodle", taken_in=taken_in)
        for student, name, n, points, taken_in in (
            ("ann", "Ann Lee", "1", 1.0, 1),
            ("bob", "Bob Ray", "2", 2.0, 1),
            ("fang", before, "3", 3.0, 1),
            ("wang@x.edu", "Fang Wang", "3", 4.0, 2),
        )
    ]
    assert set(write_csv(rows, tmp_path / "g.csv", "moodle", "hw", tmp_path / "list.csv")) == {"fang"}
    assert [line["Grade"] for line in read(tmp_path / "g.csv")] == ["1", "2", "4"]


def test_an_address_that_is_no_id_is_found_as_it_is_written(tmp_path):
    roster = tmp_path / "canvas.csv"
    roster.write_text("Student,ID,SIS Login ID,hw (9)\nSean,17,sean.o'neil@x.edu,\n")
    row = Row("sean.o-neil@x.edu", "Sean", "sean.o'neil@x.edu", 9.0, 0.0, 0.0, 0.0, 9.0, lms="gradescope")
    assert write_csv([row], tmp_path / "g.csv", "canvas", "hw", roster) == {}
    assert read(tmp_path / "g.csv")[0]["hw (9)"] == "9"


def test_points_of_the_tests_in_canvas_stay_where_a_new_attempt_cannot_be_graded(tmp_path):
    (tmp_path / "canvas.csv").write_text("Student,ID,hw (9),hw tests (10)\nJane,17,70,60\nMax,18,,\n")
    rows = [dataclasses.replace(ROWS[0], nothing="The file is larger than 20 MB."), ROWS[1]]
    write_csv(rows, tmp_path / "g.csv", "canvas", "hw", tmp_path / "canvas.csv")
    assert [(line["hw (9)"], line["hw tests (10)"]) for line in read(tmp_path / "g.csv")] == [("70", "60"), ("", "40")]


def test_a_column_that_the_platforms_list_has_not_is_said(tmp_path):
    roster = tmp_path / "canvas.csv"
    new = {"hw (9),hw tests (10)": [], "hw,hw tests": [], "hw (9)": [], "Homework 1 (9)": ["hw"], "HW (9)": ["hw"]}
    for columns, said in new.items():
        roster.write_text(f"Student,ID,{columns}\nJane,17,\n")
        assert new_columns(roster, "hw") == said
    (tmp_path / "moodle.csv").write_text("Identifier,Full name,Grade\nParticipant 17,Jane,\n")
    assert new_columns(tmp_path / "moodle.csv", "hw") == []  # a remark's new column does no harm there


def test_what_is_handed_in_and_not_graded_is_named(tmp_path):
    for student in ("ann", "bob", "eve", "old"):
        (tmp_path / "submitted" / student / "hw").mkdir(parents=True)
    for student in ("ann", "bob", "old"):
        (tmp_path / "submitted" / student / "hw" / "hw.ipynb").write_text("{}")
    latest = {
        student: Outcome(student, "hw", Kind.GRADED, "", notebook_hash=hash_of(content))
        for student, content in {"ann": b"{}", "bob": b"{ }", "eve": b""}.items()
    }
    assert not_yet(latest, ["ann", "bob", "eve", "old"], tmp_path, "hw") == ["bob"]  # whose file is another one now
    assert not_yet(latest, ["ann", "eve"], tmp_path, "hw") == ["bob", "old"]
    assert not_yet({}, [], tmp_path / "elsewhere", "hw") == []


def test_why_nothing_ran_is_said_once_not_for_each_test():
    tests = tuple(TestResult(f"test_{i}", 0, 2, "It is empty.") for i in range(9))
    said = list(show.some({"ann": Outcome("ann", "hw", Kind.MALFORMED, "It is empty.", tests)}, Batch()))
    assert said == ["[bold]ann[/]: 0 of 18 points in the tests. It is empty."]


def test_the_gates_notes_are_grouped_and_a_cut_is_seen():
    made = make_report([outcome("ann", (1,)), Outcome("eve", "hw", Kind.MALFORMED, "It is no notebook.")])
    notes = {f"s{i}": ["differs, taken as released: test_a"] for i in range(5)} | {"ken": ["x" * 400]}
    said = io.StringIO()
    for part in show.report(made, {}, "hw", None):
        Console(file=said, width=500).print(part)
    assert "(with 1 of whom nothing ran, as zeros; below they do not count)" in said.getvalue()
    batch = Batch(notes=notes)
    batch.outcomes["ann"] = outcome("ann", (1,))
    for part in show.report(made, batch.outcomes, "hw", batch):
        Console(file=said, width=500).print(part)
    assert "s0, s1, s2 and 2 more: differs, taken as released: test_a" in said.getvalue()
    assert f"ken: {'x' * 300} …\n" in said.getvalue()


def test_what_lies_beyond_a_rosters_header_stays(tmp_path):
    (tmp_path / "canvas.csv").write_text("Student,ID,Note,Note\nJane,17,one,two,three,four\nMax,99,,\n\n")
    write_csv(ROWS, tmp_path / "g.csv", "canvas", "hw", tmp_path / "canvas.csv")
    lines = (tmp_path / "g.csv").read_text().splitlines()
    assert lines == ["Student,ID,Note,Note,,,hw", "Jane,17,one,two,three,four,78.5", "Max,99,,,,,"]


def test_a_german_worksheet_is_filled_in(tmp_path):
    worksheet = tmp_path / "moodle.csv"
    header = '\ufeffID;"Vollständiger Name";E-Mail-Adresse;Status;Bewertung;Bestwertung;"Feedback als Kommentar"'
    worksheet.write_text(
        f"{header}\nTeilnehmer/in17;Jane;j@x.de;;-;100,00;\nTeilnehmer/in18;=HYPERLINK(1);m@x.de;;;100,00;\n"
    )
    assert write_csv(ROWS, tmp_path / "g.csv", "moodle", "hw", worksheet) == {}
    lines = (tmp_path / "g.csv").read_text().splitlines()
    assert lines[1] == "Teilnehmer/in17;Jane;j@x.de;;78,5;100,00;"
    assert (
        lines[2]
        == "Teilnehmer/in18;=HYPERLINK(1);m@x.de;;;100,00;autograder: provisional, 20 of 100 points not yet read"
    )


@pytest.mark.parametrize(("lms", "column"), [("canvas", "hw"), ("moodle", "Grade"), ("plain", "total")])
def test_what_could_not_be_graded_is_not_a_zero(tmp_path, lms, column):
    row = Row("max", "Max", "19", 0.0, 0.0, 0.0, 0.0, 100.0, "The file is larger than 20 MB.")
    write_csv([row], tmp_path / "g.csv", lms, "hw")
    text = (tmp_path / "g.csv").read_text()
    assert read(tmp_path / "g.csv")[0][column] == ""
    assert "autograder: not graded. The file is larger than 20 MB." in text or lms == "canvas"
    assert not {"0", "0.0"} & set(read(tmp_path / "g.csv")[0].values())
    write_csv([row], tmp_path / "g.csv", lms, "hw", provisional=True)
    assert read(tmp_path / "g.csv")[0][column] == "0"


@pytest.fixture
def book(tmp_path):
    """A gradebook with one student, whose test is graded and whose answer waits."""
    find_alembic()
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as book:
        book.add_assignment("hw")
        book.add_notebook("hw", "hw")
        book.add_grade_cell("test_a", "hw", "hw", max_score=3, cell_type="code")
        book.add_grade_cell("why", "hw", "hw", max_score=5, cell_type="markdown")
        book.add_student("alice", first_name="Alice", last_name="Liddell")
        book.add_submission("hw", "alice")
        test, why = book.find_grade("test_a", "hw", "hw", "alice"), book.find_grade("why", "hw", "hw", "alice")
        test.auto_score, test.needs_manual_grade, why.needs_manual_grade = 2, False, True
        book.db.commit()
        yield book


@pytest.mark.slow
def test_grades_come_from_the_gradebook(book, tmp_path):
    assert grades(book, "hw", tmp_path) == [Row("alice", "Alice Liddell", "", 2.0, 0.0, 5.0, 0.0, 8.0)]
    why = book.find_grade("why", "hw", "hw", "alice")
    why.manual_score, why.needs_manual_grade = 4, False
    book.db.commit()
    record = {"homework": "hw", "student": "alice", "name": "A. Liddell", "lms": "canvas", "lms_id": "42"}
    (tmp_path / "intake.jsonl").write_text(
        "".join(json.dumps(record | {"student": s}) + "\n" for s in ("alice", "a", "alice"))
    )
    (row,) = grades(book, "hw", tmp_path)
    assert row == Row("alice", "A. Liddell", "42", 2.0, 4.0, 0.0, 0.0, 8.0) and (row.lms, row.taken_in) == ("canvas", 2)


@pytest.mark.slow
def test_what_never_ran_says_so_in_the_grades_until_somebody_decides(book, tmp_path):
    why = book.find_grade("why", "hw", "hw", "alice")
    why.auto_score, why.needs_manual_grade = 0, False
    book.db.commit()
    audit.append(tmp_path, Outcome("alice", "hw", Kind.REFUSED, "The notebook is a link.", ()))
    (row,) = grades(book, "hw", tmp_path)
    assert row.nothing == "The notebook is a link." and not row.is_final
    why.manual_score = 4
    book.db.commit()
    assert grades(book, "hw", tmp_path)[0].is_final


def test_names_comments_and_layout_do_not_hide_a_copy():
    one = "def f(words):\n    total = 0  # sum\n    for word in words:\n        total += len(word)\n    return total\n"
    two = 'def f(x):\n  """new"""\n  q = 0\n  for z in x: q += len(z)\n  return q'
    known = {"def", "for", "in", "return", "len", "f"}
    plain = [t for t in tokens(two, known) if t != "s"]
    assert plain == tokens(one, known)
    assert tokens("def f(:\n  'open", known)[:3] == ["def", "f", "("]
    text = 'def f():\n    """Ten\n    % of all"""\n'
    assert tokens(text + one, known) == tokens(text.replace("%", "per cent"), known) + tokens(one, known)
    ipython = "!echo '''\n  %time \"\"\"\n"  # lines that Python cannot read
    assert tokens(ipython + one, known) == tokens(one, known)


def test_no_very_long_cell_is_parsed_to_be_compared(monkeypatch):
    read = []
    monkeypatch.setattr(similarity, "parsed", lambda source: read.append(len(source)))
    assert tokens("x = 1\n" * 20_000, set())[:3] == ["v", "=", "1"] and read == []
    assert "v" in tokens("%time\n" + "x = 1\n" * 20_000, set()) and read == [1]


def test_copies_are_found_among_answers_of_the_class():
    """Independent answers to homework 1 and two copies: one word for word, one with every name changed."""
    release = nbformat.read(COURSE / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    stub = [cell.source for cell in release.cells if cell.cell_type == "code"]

    def cells(answer):
        kept = with_answer(release, answer).cells
        return [cell.source for cell in kept if cell.cell_type == "code" and cell.source not in stub]

    group = {answer.name: cells(answer) for answer in read_answers(HOMEWORK, "right")}
    assert len(group) >= 3
    assert not [pair for pair in compare(group, stub) if pair.share > 0.8]
    original = max(group, key=lambda name: sum(map(len, group[name])))
    own = sorted({name for c in group[original] for name in re.findall(r"\b[a-z_]{3,}\b(?=\s*=[^=])", c)})
    random.Random(0).shuffle(own)
    renamed = group[original]
    for i, name in enumerate(own):
        renamed = [re.sub(rf"\b{name}\b", f"v{i}", cell) for cell in renamed]
    found = compare(group | {"copy": list(group[original]), "disguised": renamed}, stub)
    best = {frozenset((pair.first, pair.second)) for pair in found[:3]}
    assert {frozenset((original, "copy")), frozenset((original, "disguised"))} <= best
    assert all(pair.share > 0.9 for pair in found[:2])


def test_who_has_what_two_others_have_makes_no_ring_of_them():
    def answer(seed):
        draw = random.Random(seed)
        return "\n".join(
            f"x{i} = x{draw.randrange(i + 1)} {draw.choice('+-*')} {draw.randrange(90)}" for i in range(40)
        )

    sources = {"alice": [answer(1)], "bob": [answer(2)], "carol": [answer(1), answer(2)], "dave": [answer(3)]}
    pairs = compare(sources, [])
    assert [(pair.first, pair.second) for pair in pairs] == [("alice", "carol"), ("bob", "carol")]
    assert all(pair.share > 0.9 and 0.4 < pair.both < 0.6 for pair in pairs) and rings(pairs) == []


@pytest.mark.parametrize(("students", "copies"), [(20, 2), (20, 4), (20, 10), (60, 10)])
def test_a_ring_does_not_make_its_own_code_common(students, copies):
    """Made-up answers that differ from each other, and one that several have, each with names and a line of their own."""

    def answer(seed):
        draw = random.Random(seed)
        steps = [f"    x{i} = x{draw.randrange(i + 1)} {draw.choice('+-*')} {draw.randrange(90)}" for i in range(40)]
        return "def f(x0):\n" + "\n".join(steps) + "\n    return x40"

    ring = {f"ring{i:02}": [re.sub(r"\bx", f"name{i}_", answer(0)) + f"\nprint({i})"] for i in range(copies)}
    others = {f"s{i:02}": [answer(i + 1)] for i in range(students - copies)}
    pairs = compare(ring | others, ["def f(x0):\n    pass"])
    assert {pair.first[:4] + pair.second[:4] for pair in pairs} == {"ringring"}
    assert len(pairs) == copies * (copies - 1) // 2 and all(pair.share > 0.9 for pair in pairs)
    assert rings(pairs) == ([sorted(ring)] if copies > 2 else [])
    said = io.StringIO()
    Console(file=said, width=500).print(show.similar(pairs, students))
    assert (f"{copies} students have the same code: ring00, ring01" in said.getvalue()) == (copies > 2)


def test_no_line_of_a_copy_turns_the_report_around():
    made = show.similar(
        [similarity.Pair("ann", "bob", 1.0, 1.0, 99, ("x = 1  # \u202egnirts", "y = 2  # \u2066open\x9b2J"))], 2
    )
    said = io.StringIO()
    Console(file=said, width=200).print(made)
    assert "x = 1" in said.getvalue() and not re.search("[\x80-\x9f\u202a-\u202e\u2066-\u2069]", said.getvalue())


def test_a_folder_of_any_name_is_listed_by_it():
    said = io.StringIO()
    Console(file=said, width=200).print(show.similar([similarity.Pair("ann[1]", "[/b]", 1.0, 1.0, 99, ())], 2))
    assert "ann[1], [/b]" in said.getvalue()


def test_json_on_a_terminal_is_no_command_for_it(capsys):
    cli._print_json({"lines": ["é\x9b2J"]})
    said = capsys.readouterr().out
    assert json.loads(said) == {"lines": ["é\x9b2J"]} and "\x9b" not in said and "é" in said


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.mark.parametrize("command", ["grade", "intake", "feedback", "export", "report", "similar", "doctor"])
def test_every_command_has_help_with_an_example(command):
    result = run(command, "--help")
    assert result.exit_code == 0 and f"Example: lmkit {command}" in re.sub(r"\s+", " ", result.output)


def test_an_output_that_cannot_be_written_is_said(tmp_path):
    command = [sys.executable, "-m", "lmkit.grading.cli", "doctor", "--course", str(tmp_path)]
    plain = os.environ | {"PYTHONIOENCODING": "ascii"}
    (tmp_path / "nbgrader_config.py").write_text("get_config()")
    for more in ([], ["--json"]):
        said = subprocess.run([*command, *more], capture_output=True, text=True, env=plain)
        assert "c.Grading.?" in said.stdout or json.loads(said.stdout)["items"], said.stderr
        with open("/dev/full", "w") as full:
            ended = subprocess.run([*command, *more], stdout=full, stderr=subprocess.PIPE, text=True)
            silent = subprocess.run([*command, *more], stdout=full, stderr=full)
        said = "stopped: cannot write the output: No space left on device\n"
        assert (ended.returncode, ended.stderr, silent.returncode) == (3, said, 3)


@pytest.mark.parametrize(
    ("closed", "printed"), [("<&-", True), (">&-", False), ("2>&-", True), ("<&- >&- 2>&-", False)]
)
def test_a_stream_that_the_caller_has_closed_leads_nowhere(closed, printed, tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("get_config()")
    command = f"{sys.executable} -m lmkit.grading.cli doctor --json --course {tmp_path} {closed}"
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert (bool(ended.stdout), ended.stderr) == (printed, "") and ended.returncode in (0, 1)
    # Else the next file opened would have its number, and be what is printed to.
    code = (
        "import lmkit.grading.cli, os, sys; os.write(os.open(sys.argv[1], os.O_CREAT | os.O_RDWR), b'kept'); print(1)"
    )
    subprocess.run(["bash", "-c", f'{sys.executable} -c "{code}" {tmp_path / "grades"} {closed}'], check=True)
    assert (tmp_path / "grades").read_bytes() == b"kept"
    started = "import os, sys; os.write(os.open(sys.argv[1], os.O_CREAT | os.O_RDWR), b'kept'); os.write(int(sys.argv[2]), b'1')"
    for number in "12":  # in a process that it starts, too
        code = f"import lmkit.grading.cli, subprocess, sys; subprocess.run([sys.executable, '-c', *sys.argv[1:], '{number}'])"
        command = f'{sys.executable} -c "{code}" "{started}" {tmp_path / number} {closed}'
        subprocess.run(["bash", "-c", command], check=True, capture_output=True)
        assert (tmp_path / number).read_bytes() == b"kept"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ((errno.EMFILE, "Too many open files"), "Too many open files"),
        ((errno.EMFILE, "Too many open files", "[a]"), "[a]: Too many open files"),
        (("a library says so",), "a library says so"),
    ],
)
def test_the_output_is_not_blamed_for_what_the_system_refuses_elsewhere(error, said):
    code = f"from lmkit.grading import cli\ndef app():\n    raise OSError(*{error!r})\ncli.app = app\ncli.main()"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (3, f"stopped: {said}\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [("grade", "hw9_nothing"), ("report", "hw9_nothing"), ("intake", "/nowhere", HOMEWORK), ("similar", "hw9_nothing")],
)
def test_what_a_user_can_cause_is_one_sentence(arguments, tmp_path):
    for folder in ("homeworks", "solutions"):
        (tmp_path / folder).symlink_to(COURSE / folder)
    config = f"c = get_config()\nc.CourseDirectory.root = {str(tmp_path)!r}\n"
    (tmp_path / "nbgrader_config.py").write_text(config + f"c.CourseDirectory.db_url = 'sqlite:///{tmp_path}/g.db'\n")
    result = run(*arguments, "--course", tmp_path)
    assert result.exit_code == 2 and "error: " in result.output and "Traceback" not in result.output, result.output
    assert "got" in result.output and ("expected" in result.output or "`" in result.output or "graded" in result.output)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("cell_seconds", 10**10, "a whole number, 1 to 1000000"),
        ("test_seconds", 0, "a whole number, 1 to"),
        ("total_seconds", True, "a whole number"),
        ("memory", 2000, "a whole number of bytes, 268435456 to"),
        ("processes", 1, "a whole number, 8 to"),
        ("memory", 10**30, "a whole number of bytes"),
        ("disk", "64 MB", "a whole number of bytes"),
        ("cell_second", 60, "there is no such setting, only secret, cell_seconds, "),
        ("secret", 20261127, "expected a text"),
    ],
)
def test_a_setting_that_is_none_is_refused_and_the_doctor_says_so(tmp_path, monkeypatch, name, value, expected):
    monkeypatch.delenv("LMKIT_COURSE_SECRET", raising=False)
    (tmp_path / "nbgrader_config.py").write_text(f"c = get_config()\nc.Grading.{name} = {value!r}\n")
    with pytest.raises(ValueError, match=re.escape(f"c.Grading.{name}: ") + ".*" + re.escape(expected)):
        config = load_config(tmp_path)
        course_secret(config), limits(config)
    result = run("doctor", "--json", "--course", tmp_path)
    (item,) = (item for item in json.loads(result.stdout)["items"] if f"c.Grading.{name}: " in item["words"])
    assert item["state"] == "missing" and result.exit_code == 1


@pytest.mark.slow
def test_the_doctor_and_the_report_speak_json(tmp_path):
    result = run("doctor", "--json")
    items = {item["name"]: item for item in json.loads(result.stdout)["items"]}
    assert {"sandbox", "processors", "course secret", "gradebook"} <= set(items)
    assert result.exit_code == int(any(item["state"] == "missing" for item in items.values()))
    for i in range(3):
        audit.append(tmp_path, outcome(f"s{i}", (i / 2, 2)))
    result = run("report", "hw", "--course", tmp_path, "--json")
    assert result.exit_code == 0 and json.loads(result.stdout)["students"]["s2"]["points"] == 3
    assert "test_1" in run("report", "hw", "--course", tmp_path).output
    sentence = "In 2.2 Count them: " + "a sentence that is longer than a terminal is wide, " * 5
    audit.append(tmp_path, Outcome("s9", "hw", Kind.CRASHED, sentence, ()))
    command = [sys.executable, "-m", "lmkit.grading.cli", "report", "hw", "--course", str(tmp_path)]
    surroundings = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    piped = subprocess.run(command, capture_output=True, text=True, env=surroundings)
    assert any(sentence.strip() in line for line in piped.stdout.splitlines()), piped


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("intake", "export.zip", HOMEWORK, "--lms", "foo"),
        ("intake", "export.zip", HOMEWORK, "--roster", "/nowhere.csv"),
        ("export", HOMEWORK, "--roster", "/nowhere.csv"),
        ("export", HOMEWORK, "--to", "canvas", "--roster", "folder"),
        ("export", HOMEWORK, "-o", "/nowhere/x.csv"),
        ("export", HOMEWORK, "-o", "folder"),
        ("report", "hw", "--plot", "p.txt"),
        ("report", "hw", "--plot", "/nowhere/p.svg"),
        ("grade", HOMEWORK, "--plot", "/nowhere/p.svg"),
        ("grade", HOMEWORK, "--course", "/nowhere"),
        ("feedback", HOMEWORK, "--course", "/nowhere"),
        ("export", HOMEWORK, "--course", "/nowhere"),
    ],
)
def test_a_mistyped_path_or_name_is_one_sentence_before_any_work(arguments, book, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for folder in ("homeworks", "solutions"):
        (tmp_path / folder).symlink_to(COURSE / folder)
    config = f"c = get_config()\nc.CourseDirectory.root = {str(tmp_path)!r}\n"
    config += f"c.CourseDirectory.db_url = 'sqlite:///{tmp_path}/gradebook.db'\n"
    (tmp_path / "nbgrader_config.py").write_text(config)
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as made:
        made.write(COURSE / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb", f"alice_1_2_{HOMEWORK}.ipynb")
    audit.append(tmp_path, outcome("alice", (1, 2)))
    monkeypatch.setattr("lmkit.grading.batch.Records", lambda *_: pytest.fail("it had begun"))
    before = sorted(tmp_path.rglob("*"))
    result = run(*arguments, *(() if "--course" in arguments else ("--course", tmp_path)))
    assert result.exit_code == 2, (result.output, result.exception)
    assert re.match(r"error: \w+: got .+, (expected|which)", result.output), result.output
    assert ("course: got /nowhere" in result.output) == ("/nowhere" in arguments)
    assert [path for path in sorted(tmp_path.rglob("*")) if path not in before] == []


@pytest.fixture
def course(tmp_path):
    """A course without a gradebook."""
    for folder in ("homeworks", "solutions"):
        (tmp_path / folder).symlink_to(COURSE / folder)
    (tmp_path / "export.zip").touch()
    config = f"c = get_config()\nc.CourseDirectory.root = {str(tmp_path)!r}\n"
    config += (
        f"c.CourseDirectory.source_directory = 'solutions'\nc.CourseDirectory.db_url = 'sqlite:///{tmp_path}/g.db'\n"
    )
    (tmp_path / "nbgrader_config.py").write_text(config)
    return tmp_path


def test_a_configuration_that_was_handed_in_never_runs(course, monkeypatch):
    """Who looks into a submission's folder and calls lmkit there works in the course around it."""
    (course / "disk").mkdir()
    (course / "submitted").symlink_to(course / "disk")  # a shell's PWD has the link, the folder's own path has not
    for room in ("submitted", "autograded", "feedback", "downloaded"):
        folder = course / room / "mallory" / "hw1_ngram"
        inner = folder / "submitted" / "x"
        inner.mkdir(parents=True)
        for place in (folder, inner):
            (place / "nbgrader_config.py").write_text(f"open({str(course / 'ran')!r}, 'w')")
        for place in (folder.parent, folder, inner, course):  # the first has no configuration
            monkeypatch.chdir(place)
            monkeypatch.setenv("PWD", str(place))
            assert cli._here() == course
        monkeypatch.chdir(inner)
        monkeypatch.setenv("PWD", str(inner))
        result = run("report", "hw1_ngram")
        assert "of which nothing is graded" in result.output and not (course / "ran").exists()
    monkeypatch.setenv("PWD", str(course.parent))  # of somewhere else
    assert cli._here() == course
    monkeypatch.chdir(course.parent)
    assert cli._here() == COURSE


@pytest.mark.slow
@pytest.mark.parametrize("command", ["grade", "feedback", "export"])
def test_a_gradebook_that_cannot_be_used_stops_every_command(course, command):
    (course / "g.db").write_bytes(b"no gradebook" * 500)
    result = run(command, HOMEWORK, "--course", course)
    assert result.exit_code == 3 and "stopped: cannot use the gradebook: " in result.output, result.output
    (course / "g.db").unlink()
    (course / "g.db").mkdir()
    result = run(command, HOMEWORK, "--course", course)
    assert result.exit_code == 3 and "stopped: cannot use the gradebook: " in result.output, result.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "line", "said"),
    [
        ("grade", "c.X.y = 'a", "SyntaxError"),
        ("doctor", "c.X.y = 'a", "SyntaxError"),
        ("feedback", "1 / 0", "ZeroDivisionError"),
        ("export", "import no_such", "ModuleNotFoundError"),
        ("export", "raise SystemExit", "SystemExit"),
        ("report", "\0", "null"),
    ],
)
def test_a_configuration_that_python_cannot_run_is_said_with_its_line(course, command, line, said):
    path = course / "nbgrader_config.py"
    path.write_text(f"c = get_config()\n{line}\n")
    result = run(command, *[HOMEWORK] * (command != "doctor"), "--course", course)
    where = f"{path}, line 2" if said != "null" else path
    assert result.exit_code == 2 and result.output.startswith(f"error: course: got {where}, which"), result.output
    assert said in result.output
    result = run(command, *[HOMEWORK] * (command != "doctor"), "--course", course, "--json")
    assert result.exit_code == 2 and said in json.loads(result.stdout)["error"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "file", "number"),
    [("eval('1 +')", "nbgrader_config.py", 3), ("import helper_of_mine", "helper_of_mine.py", 2)],
)
def test_a_mistake_that_a_configuration_reaches_is_said_with_its_place(course, line, file, number, monkeypatch):
    monkeypatch.chdir(course)
    (course / "helper_of_mine.py").write_text("import enum\nenum.Enum('E', 5)\n")
    (course / "nbgrader_config.py").write_text(f"import sys\nsys.path.insert(0, {str(course)!r})\n{line}\n")
    monkeypatch.setattr(sys, "path", [*sys.path])
    result = run("export", HOMEWORK, "--course", course)
    assert result.output.startswith(f"error: course: got {course / file}, line {number}, which"), result.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("root = 5", "error: c.CourseDirectory.root: got 5, expected the directory of "),
        ("root = '/nowhere'", "error: c.CourseDirectory.root: got '/nowhere', expected the directory of "),
        ("root = '/a\\0b'", "error: c.CourseDirectory.root: got '/a\\x00b', expected the directory of "),
        (
            "submitted_directory = 'in'",
            "error: c.CourseDirectory.submitted_directory: got 'in', expected 'submitted', ",
        ),
        ("directory_structure = '{student_id}'", "error: c.CourseDirectory.directory_structure: got '{student_id}', "),
        ("db_url = 5", "error: The 'db_url' trait"),
        ("db_url = 'postgresql://a@b/c'", "stopped: cannot use the gradebook: "),
    ],
)
@pytest.mark.parametrize("command", ["grade", "feedback", "export"])
def test_a_setting_that_is_none_is_one_sentence(course, command, setting, said):
    with open(course / "nbgrader_config.py", "a") as file:
        file.write(f"c.CourseDirectory.{setting}\n")
    result = run(command, HOMEWORK, "--course", course)
    assert result.exit_code in (2, 3) and result.output.startswith(said), (result.output, result.exception)


@pytest.mark.parametrize("error", [sqlite3.ProgrammingError, sqlite3.InterfaceError])
def test_a_mistake_of_the_graders_blames_no_gradebook(error, monkeypatch, tmp_path):
    def mistaken(*_):
        raise error("a wrong number of bindings")

    monkeypatch.setattr("lmkit.grading.batch.run", mistaken)
    assert isinstance(run("grade", "hw", "--course", tmp_path).exception, error)


@pytest.mark.parametrize("command", ["report", "similar", "intake"])
def test_a_course_that_is_none_is_blamed_itself(command):
    result = run(command, *["/nowhere.zip"] * (command == "intake"), HOMEWORK, "--course", "/nowhere")
    assert result.exit_code == 2 and result.output.startswith("error: course: got /nowhere, which has no")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["grade", "feedback", "export", "report", "similar", "intake"])
def test_a_homework_that_is_none_is_told_with_those_that_are(course, command):
    arguments = [command, *[course / "export.zip"] * (command == "intake")]
    for name in ("hw1_ngam", "", "../../etc"):
        result = run(*arguments, name, "--course", course)
        assert result.exit_code == 2 and f"homework: got {name!r}, expected one of {HOMEWORK}, hw2" in result.output
    if command != "intake":
        result = run(*arguments, f"{HOMEWORK}/", "--course", course)
        assert result.exit_code == 2 and f"homework: got '{HOMEWORK}', " in result.output
    assert not (course / "g.db").exists()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["grade", "similar", "intake"])
def test_a_notebook_of_the_course_that_cannot_be_read_is_named(course, command):
    (course / "homeworks").unlink()
    damaged = course / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb"
    damaged.parent.mkdir(parents=True)
    damaged.write_text("<<<<<<< HEAD")
    with open(course / "nbgrader_config.py", "a") as config:
        config.write("c.CourseDirectory.release_directory = 'homeworks'\n")
    find_alembic()
    with Gradebook(f"sqlite:///{course}/g.db") as made:
        made.add_assignment(HOMEWORK)
        made.add_notebook(HOMEWORK, HOMEWORK)
    (course / "submitted" / "alice" / HOMEWORK).mkdir(parents=True)
    result = run(command, *[course / "export.zip"] * (command == "intake"), HOMEWORK, "--course", course)
    assert result.output.startswith(f"error: homework: got {damaged}, which is no notebook"), result.output


@pytest.mark.parametrize("content", ["[]", "{}", '{"cells": 5}', '{"nbformat": 4}', "\udcff"])
def test_what_is_no_notebook_is_not_read(content, tmp_path):
    (tmp_path / "hw.ipynb").write_text(content, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(ValueError, match=r"homework: got /.*hw\.ipynb, which is no notebook"):
        read_notebook(tmp_path / "hw.ipynb")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda notebook: notebook["cells"].clear(), "in which no cell gives points"),
        (lambda notebook: notebook["cells"][1]["metadata"]["nbgrader"].pop("grade_id"), "whose cell 2 has no grade_id"),
        (lambda notebook: notebook["cells"][1]["metadata"].update(nbgrader={}), "whose cell 2 has no grade_id"),
        (
            lambda notebook: notebook["cells"][1]["metadata"]["nbgrader"].update(grade_id=""),
            "whose cell 2 has no grade_id",
        ),
        (lambda notebook: notebook["cells"][1]["metadata"].update(nbgrader=[]), "which is no notebook"),
        (lambda notebook: notebook["cells"][1].pop("source"), "which is no notebook"),
    ],
)
def test_a_notebook_that_cannot_be_graded_is_not_read(damage, said, tmp_path):
    notebook = json.loads((COURSE / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb").read_text())
    damage(notebook)
    (tmp_path / "hw.ipynb").write_text(json.dumps(notebook))
    with pytest.raises(ValueError, match=rf"homework: got /.*hw\.ipynb, {said}"):
        read_notebook(tmp_path / "hw.ipynb")


def test_the_version_is_told():
    assert run("--version").output.startswith("lmkit ")


def test_what_a_disk_says_is_one_sentence_and_the_report_is_printed_before_the_plot(tmp_path, monkeypatch):
    audit.append(tmp_path, outcome("alice", (1, 2)))

    def full(*_):
        raise OSError(28, "No space left on device", str(tmp_path / "p.svg"))

    monkeypatch.setattr("lmkit.grading.report.plot", full)
    result = run("report", "hw", "--course", tmp_path, "--plot", tmp_path / "p.svg")
    assert result.exit_code == 3 and "points in the tests" in result.output
    assert "No space left on device" in result.output.replace("\n", " ")


def test_where_a_list_cannot_be_written_the_old_one_stays_and_nothing_of_the_new_one(tmp_path):
    path = tmp_path / "grades.csv"
    path.write_text("old")
    with pytest.raises(CannotWrite, match="cannot write .*grades.csv: No space left"), whole(path) as file:
        file.write("new")
        file.flush()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))  # as the system says it of a file that is open
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["grades.csv"]


def test_a_list_that_nobody_else_may_read_stays_so(tmp_path):
    path = tmp_path / "grades.csv"
    for mode in (0o600, 0o640, 0o444):
        path.touch()
        path.chmod(mode)
        with whole(path) as file:
            file.write(oct(mode))
        assert path.stat().st_mode & 0o777 == mode and path.read_text() == oct(mode)


def test_where_no_file_can_be_begun_the_sentence_names_the_one_that_was_asked_for(tmp_path, monkeypatch):
    def refused(path, *_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(gradebook, "open", refused, raising=False)
    monkeypatch.setattr(type(tmp_path), "unlink", refused)  # a disk that is read-only says so of what is not there, too
    with pytest.raises(CannotWrite, match="cannot write .*/grades.csv: Read-only file system"):
        with whole(tmp_path / "grades.csv"):
            pass


def test_a_disk_that_cannot_be_written_is_one_sentence(tmp_path, monkeypatch):
    def read_only(*_):
        raise OSError(30, "Read-only file system", str(tmp_path / "p.svg"))

    monkeypatch.setattr("lmkit.grading.batch.run", read_only)
    result = run("grade", "hw", "--course", tmp_path)
    assert result.exit_code == 3 and re.match(r"stopped: cannot write .+: Read-only", result.output)


@pytest.mark.parametrize("only", [True, False])
def test_a_batch_that_stopped_shows_no_grades_of_before(tmp_path, monkeypatch, only):
    for student in ("alice", "bob", "carol"):
        audit.append(tmp_path, outcome(student, (1, 2)))
    batch = Batch(stopped="cannot use the gradebook")
    monkeypatch.setattr("lmkit.grading.batch.run", lambda *_: batch)
    arguments = ("grade", "hw", "--course", tmp_path, *(("--only", "alice", "--only", "bob") if only else ()))
    said = run(*arguments, "--plot", tmp_path / "p.svg").stdout
    assert "0 graded" in said and "alice" not in said and "points in the tests" not in said
    assert not (tmp_path / "p.svg").exists()
    batch.outcomes["alice"] = outcome("alice", (1, 2))
    said = run(*arguments).stdout
    assert "alice" in said and "bob" not in said if only else re.search(r"graded +1$", said, re.MULTILINE), said


@pytest.mark.slow
@pytest.mark.parametrize("command", ["feedback", "export", "report"])
def test_where_nothing_is_graded_that_is_said(course, command):
    find_alembic()
    with Gradebook(f"sqlite:///{course}/g.db") as made:
        made.add_assignment("hw")
        made.add_notebook("hw", "hw")
    for folder in ("homeworks", "solutions"):
        (course / folder).unlink()
    result = run(command, "hw", "--course", course)
    assert result.exit_code == 2 and result.output.startswith("error: homework: got 'hw', of which nothing is graded; ")
    result = run("doctor", "--course", course)
    assert re.search(r"good +gradebook +knows hw\s", result.output), result.output
    (course / "g.db").unlink()
    assert re.search(r"look +homeworks +there are none in", run("doctor", "--course", course).output)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Object of type")
def test_an_export_says_who_is_not_graded_and_names_canvass_own_column(course, monkeypatch):
    find_alembic()
    with Gradebook(f"sqlite:///{course}/g.db") as made:
        made.add_assignment("hw")
        made.add_notebook("hw", "hw")
        for student in [f"s{i:02}" for i in range(12)]:
            made.add_student(student)
            made.add_submission("hw", student)
    (course / "submitted" / "late" / "hw").mkdir(parents=True)
    (course / "list.csv").write_text("Student,ID,SIS Login ID,HW one (9)\nS,17,s00,\n")
    monkeypatch.chdir(course)  # no --course: the folder that one is in, as for nbgrader
    result = run("export", "hw", "--to", "canvas", "--roster", "list.csv", "--column", "HW one", "-o", "g.csv")
    said = result.output
    assert result.exit_code == 1 and "1 grade: g.csv" in said, said
    assert read(course / "g.csv")[0]["HW one (9)"] == "0"
    assert "nothing written into list.csv for s01, s02, s03, s04, s05, s06, s07, s08, s09, s10 and 1 more" in said
    assert "handed in, but not graded yet: late; first `lmkit grade hw --resume`" in said
    result = run("export", "hw", "--to", "moodle", "--column", "HW one")
    assert result.exit_code == 2 and "column: got 'HW one', expected none for moodle" in result.output


def test_an_export_says_who_was_graded_by_other_tests(course, monkeypatch):
    """A test was mended, and only the student who had asked was graded again."""
    find_alembic()
    with Gradebook(f"sqlite:///{course}/g.db") as made:
        made.add_assignment("hw")
        made.add_notebook("hw", "hw")
        for student in ("ann", "bob", "eve", "pdf"):
            made.add_student(student)
            made.add_submission("hw", student)
            if student != "eve":  # who has left
                folder = course / "submitted" / student / "hw"
                folder.mkdir(parents=True)
                (folder / "hw.ipynb").write_text("{}")
    one = Outcome("", "hw", Kind.GRADED, "", notebook_hash=hash_of(b"{}"), tests_hash="old")
    for student in ("ann", "bob", "eve"):
        audit.append(course, dataclasses.replace(one, student=student))
    audit.append(course, dataclasses.replace(one, student="pdf", kind=Kind.MALFORMED))
    monkeypatch.chdir(course)
    assert "other tests" not in run("export", "hw").output
    audit.append(course, dataclasses.replace(one, student="bob", tests_hash="new"))
    result = run("export", "hw")
    assert result.exit_code == 1 and "graded by other tests than the newest: ann;" in result.output
    assert "first `lmkit grade hw --resume`" in result.output
    assert json.loads(run("export", "hw", "--json").stdout)["by_other_tests"] == ["ann"]
    audit.append(course, dataclasses.replace(one, student="ann", tests_hash="new"))
    assert "other tests" not in run("export", "hw").output
    audit.append(course, dataclasses.replace(one, student="eve", tests_hash="newer"))  # a trial, taken away again
    assert "other tests" not in run("export", "hw").output
    audit.append(course, dataclasses.replace(one, student="ann", tests_hash="newer"))
    audit.append(course, dataclasses.replace(one, student="ann", kind=Kind.MALFORMED))  # what came then is no notebook
    assert "other tests" not in run("export", "hw").output


def test_a_batch_that_stopped_says_so_in_its_json(tmp_path, monkeypatch):
    audit.append(tmp_path, outcome("alice", (1, 2)))
    batch = Batch(stopped="cannot use the gradebook", look=["alice: look"])
    monkeypatch.setattr("lmkit.grading.batch.run", lambda *_: batch)
    result = run("grade", "hw", "--course", tmp_path, "--json")
    assert result.exit_code == 3 and json.loads(result.stdout)["stopped"] == "cannot use the gradebook"
    assert json.loads(result.stdout)["look"] == ["alice: look"]
