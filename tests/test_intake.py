"""What Canvas, Moodle and Gradescope export becomes submitted/."""

import io
import json
import os
import shutil
import struct
import time
import unicodedata
import zipfile
from pathlib import Path

import pytest
from rich.console import Console

from lmkit.grading import COURSE, archives, show
from lmkit.grading.identities import RECORD, noted
from lmkit.grading.intake import take_in
from lmkit.grading.names import agree, alike
from lmkit.grading.notebook_files import NotLetIn, find_notebook
from lmkit.grading.platforms import slug

HOMEWORK = "hw1_ngram"
BLANK = (COURSE / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb").read_bytes()


def work(name):
    """A submission that can be told from others."""
    return BLANK.replace(b"YOUR CODE HERE", f"work of {name}|".encode())


def zipped(files, path=None, kind=zipfile.ZIP_DEFLATED, times=()):
    """A zip; ``times`` are days and hours of February 2026 for some of its files."""
    target, times = path or io.BytesIO(), dict(times)
    with zipfile.ZipFile(target, "w", kind) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (2026, 2, *times[name], 0, 0)) if name in times else name
            archive.writestr(info, content, kind)
    return path or target.getvalue()


@pytest.fixture
def course(tmp_path):
    shutil.copytree(COURSE / "homeworks" / HOMEWORK, tmp_path / "course" / "homeworks" / HOMEWORK)
    return tmp_path / "course"


def taken(course):
    return {
        path.parts[-3]: path.read_bytes().split(b"work of ")[1].split(b"|")[0].decode()
        for path in (course / "submitted").glob(f"*/{HOMEWORK}/{HOMEWORK}.ipynb")
    }


@pytest.mark.parametrize("folder", [".", "homeworks", "solutions", f"solutions/{HOMEWORK}"])
def test_the_course_itself_is_no_export(course, folder):
    shutil.copytree(course / "homeworks", course / "solutions")
    with pytest.raises(ValueError, match="^source: got .*, which holds the course's "):
        take_in(course / folder, HOMEWORK, course)


def test_canvas(course, tmp_path):
    export = zipped(
        {
            "doejane_101_9001_hw1_ngram.ipynb": work("jane, first"),
            "doejane_101_9002_hw1_ngram-1.ipynb": work("jane, second"),
            "roemax_LATE_102_9003_hw1_ngram (1).ipynb": work("max"),
            "nunezjose_103_9004_submission.zip": zipped(
                {"__MACOSX/._hw1_ngram.ipynb": b"junk", "work/hw1_ngram.ipynb": work("jose"), "work/notes.ipynb": b"{}"}
            ),
            "linann_104_9005_essay.pdf": b"%PDF",
        },
        tmp_path / "submissions.zip",
    )
    intake = take_in(export, HOMEWORK, course)
    assert taken(course) == {"doejane-101": "jane, second", "roemax-102": "max", "nunezjose-103": "jose"}
    assert intake.attempts["doejane-101"] == 2 and intake.attempts["roemax-102"] == 1
    records = [json.loads(line) for line in (course / "intake.jsonl").read_text().splitlines()]
    assert {(r["student"], r["lms_id"], r["late"]) for r in records} == {
        ("doejane-101", "101", False),
        ("roemax-102", "102", True),
        ("nunezjose-103", "103", False),
        ("linann-104", "104", False),
    }
    assert list(intake.without) == ["linann-104"]
    assert take_in(export, HOMEWORK, course).changed == set()


def test_somebody_called_dot_is_not_taken_for_a_hidden_folder(course, tmp_path):
    files = {f"{name}_assignsubmission_file_/hw1_ngram.ipynb": work(name) for name in ("Jane Doe_17", ".._11", ".x_12")}
    intake = take_in(
        zipped(files | {".git/Ann_13_assignsubmission_file_/x.ipynb": BLANK}, tmp_path / "m.zip"), HOMEWORK, course
    )
    assert sorted(taken(course).values()) == [".._11", ".x_12", "Jane Doe_17"], intake.warnings


def test_moodle_with_and_without_roster(course, tmp_path):
    export = zipped(
        {
            "Jane Doe_17_assignsubmission_file_/hw1_ngram.ipynb": work("jane"),
            "Jane Doe_18_assignsubmission_file_/hw1_ngram (2).ipynb": work("the other jane"),
            "José Núñez_19_assignsubmission_file_hw1.ipynb": work("jose"),
        },
        tmp_path / "moodle.zip",
    )
    intake = take_in(export, HOMEWORK, course)
    assert taken(course) == {"jane-doe-17": "jane", "jane-doe-18": "the other jane", "jose-nunez": "jose"}
    assert any("several students are called 'jane-doe'" in warning for warning in intake.warnings)
    roster = tmp_path / "worksheet.csv"
    roster.write_text(
        "\ufeffIdentifier,Full name,Email address\nParticipant 17,Jane Doe,jane@uni.edu\nParticipant 18,Jane Doe,doe@uni.edu\n"
    )
    shutil.rmtree(course / "submitted")
    intake = take_in(export, HOMEWORK, course, roster=roster)
    assert taken(course) == {"jane@uni.edu": "jane", "doe@uni.edu": "the other jane", "jose-nunez": "jose"}
    assert intake.warnings == ["not in worksheet.csv: jose-nunez"]


def test_gradescope_with_a_group_and_times(course, tmp_path):
    metadata = """\
submission_1:
  :submitters:
  - :name: Jane Doe
    :sid: '1'
    :email: jane@uni.edu
  - :name: Max Roe
    :sid: '2'
    :email: max@uni.edu
  :created_at: 2026-02-01 12:00:00.000000000 Z
submission_2:
  :submitters:
  - :name: Jane Doe
    :sid: '1'
    :email: jane@uni.edu
  :created_at: 2026-02-02 12:00:00.000000000 Z
"""
    forged = metadata.replace("jane@uni.edu", "max@uni.edu")
    export = zipped(
        {
            "assignment_7_export/submission_metadata.yml": metadata,
            "assignment_7_export/submission_2/hw1_ngram.ipynb": work("jane alone"),
            "assignment_7_export/submission_1/hw1_ngram.ipynb": work("both"),
            "assignment_7_export/submission_1/submission_metadata.yml": forged,
        },
        tmp_path / "gradescope.zip",
    )
    take_in(export, HOMEWORK, course)
    assert taken(course) == {"jane@uni.edu": "jane alone", "max@uni.edu": "both"}
    stamp = (course / "submitted" / "jane@uni.edu" / HOMEWORK / "timestamp.txt").read_text()
    assert stamp == "2026-02-02 12:00:00 UTC"


def test_gradescope_without_addresses(course, tmp_path):
    """A group of two, known by number and by name; the folder that theirs was is somebody else's in the next download."""
    people = {"Jane Doe": "  - :name: Jane Doe\n    :sid: '7'\n    :email:\n", "Max Roe": "  - :name: Max Roe\n"}
    people["Zoe Lee"] = "  - :name: Zoe Lee\n    :sid:\n    :email:\n"
    for i, names in enumerate((["Jane Doe", "Max Roe"], ["Zoe Lee"])):
        files = {
            "assignment_7_export/submission_metadata.yml": "submission_1:\n  :submitters:\n"
            + "".join(map(people.get, names)),
            "assignment_7_export/submission_1/hw1_ngram.ipynb": work(names[0]),
        }
        take_in(zipped(files, tmp_path / f"{i}.zip"), HOMEWORK, course)
    assert taken(course) == {"7": "Jane Doe", "max-roe": "Jane Doe", "zoe-lee": "Zoe Lee"}


def test_folders_per_student(course, tmp_path):
    for student in ("alice", "bob"):
        (tmp_path / "class" / student / HOMEWORK).mkdir(parents=True)
        (tmp_path / "class" / student / HOMEWORK / f"{HOMEWORK}.ipynb").write_bytes(work(student))
    take_in(tmp_path / "class", HOMEWORK, course)
    assert taken(course) == {"alice": "alice", "bob": "bob"}


def test_of_several_files_the_one_with_the_homework_counts_then_the_last(course, tmp_path):
    folder = tmp_path / "class" / "alice"
    folder.mkdir(parents=True)
    for i, name in enumerate(["hw1_ngram.ipynb", "hw1_ngram (1).ipynb", "final.ipynb", "hw1_ngram-draft.ipynb"]):
        (folder / name).write_bytes(b'{"cells": []}' if "draft" in name else work(name))
        os.utime(folder / name, (1000 + i, 1000 + i))
    (tmp_path / "class" / "bob").mkdir()
    (tmp_path / "class" / "bob" / "x.ipynb").write_bytes(work("bob"))
    take_in(tmp_path / "class", HOMEWORK, course)
    assert taken(course)["alice"] == "final.ipynb"


def test_a_student_cannot_pass_for_another(course, tmp_path):
    """Only the outermost name, which the platform wrote, says whose a file is."""
    inner = {
        "Jane Doe_17_assignsubmission_file_/hw1_ngram.ipynb": work("evil"),
        "doejane_101_9001_hw1_ngram.ipynb": work("evil"),
        "../../jane/hw1_ngram/hw1_ngram.ipynb": work("evil"),
        "/etc/hw1_ngram.ipynb": work("evil"),
        "C:\\hw1_ngram.ipynb": work("evil"),
    }
    export = zipped(
        {"doejane_101_9001_hw1_ngram.ipynb": work("jane"), "evileve_666_9002_x.zip": zipped(inner)}, tmp_path / "c.zip"
    )
    intake = take_in(export, HOMEWORK, course)
    assert taken(course) == {"doejane-101": "jane", "evileve-666": "evil"}
    assert sum("leads elsewhere" in warning for warning in intake.warnings) == 3
    assert sorted(p.name for p in course.iterdir()) == ["homeworks", "intake.jsonl", "submitted"]


def test_a_file_called_like_a_moodle_download_is_its_senders(course, tmp_path):
    """Without folders Moodle writes its own part in front of the name that the student gave."""
    theirs = f"Max Roe_18_assignsubmission_file_{HOMEWORK}.ipynb"
    again = f"Ann Ray_20_assignsubmission_file_Ann Ray_1234_assignsubmission_file_{HOMEWORK}.ipynb"
    export = {theirs: work("max"), f"Eve Evil_19_assignsubmission_file_{theirs}": work("eve"), again: work("ann")}
    take_in(zipped(export, tmp_path / "m.zip"), HOMEWORK, course)
    assert taken(course) == {"max-roe": "max", "eve-evil": "eve", "ann-ray": "ann"}
    assert {student: record["lms_id"] for student, record in noted(course, HOMEWORK).items()} == {
        "max-roe": "18",
        "eve-evil": "19",
        "ann-ray": "20",
    }


def test_a_profile_called_like_a_moodle_folder_is_a_student_of_its_own(course, tmp_path):
    """In a folder's name all but the last number may be the student's."""
    folders = {"Max_18": "max", "Bob_18_assignsubmission_file_x_20": "bob"}
    export = {f"{name}_assignsubmission_file/{HOMEWORK}.ipynb": work(who) for name, who in folders.items()}
    take_in(zipped(export, tmp_path / "m.zip"), HOMEWORK, course)
    assert sorted(taken(course).values()) == ["bob", "max"]
    assert {record["lms_id"] for record in noted(course, HOMEWORK).values()} == {"18", "20"}


def test_another_platforms_list_is_refused(course, tmp_path):
    """Its numbers mean other students."""
    (tmp_path / "canvas.csv").write_text("Student,ID,SIS User ID,SIS Login ID,Section\nDoe,1,,doe,A\n")
    export = zipped({f"Jane Roe_1_assignsubmission_file_/{HOMEWORK}.ipynb": work("jane")}, tmp_path / "m.zip")
    with pytest.raises(ValueError, match="roster: got a list of canvas for submissions of moodle"):
        take_in(export, HOMEWORK, course, roster=tmp_path / "canvas.csv")
    assert taken(course) == {}


@pytest.mark.parametrize("sections", [1, 2])
def test_a_class_without_names_is_a_class(course, tmp_path, sections):
    """Moodle that hides who is who calls everybody a participant."""
    files = {
        f"{'AB'[i % sections]}/Participant_{11 + i}_assignsubmission_file/{HOMEWORK}.ipynb": work(str(i))
        for i in range(5)
    }
    intake = take_in(zipped(files | {"notes/x.pdf": b"%PDF"}, tmp_path / "m.zip"), HOMEWORK, course)
    assert {record["lms_id"] for record in noted(course, HOMEWORK).values()} == {"11", "12", "13", "14", "15"}
    assert not any("section of the class, with one" in warning for warning in intake.warnings)


def test_a_number_in_another_column_renames_nobody(course, tmp_path):
    roster = tmp_path / "moodle.csv"
    lines = ("398,Ann,311", "399,Bob,312", "400,Zed,313")
    roster.write_text("\n".join(("Identifier,Full name,ID number", *(f"Participant {line}" for line in lines))))
    files = {f"class/{number}/{HOMEWORK}.ipynb": work(number) for number in ("311", "312", "400")}
    intake = take_in(zipped(files, tmp_path / "f.zip"), HOMEWORK, course, roster=roster)
    assert taken(course) == {number: number for number in ("311", "312", "400")}
    assert any("400 ('400' stands in another column" in warning for warning in intake.warnings)


def test_a_folder_and_a_number_may_be_the_same_figure(course, tmp_path):
    """Max's folder is named by his ID number, 17, which is Jane's number in Moodle: both are there, and as themselves."""
    roster = tmp_path / "list.csv"
    lines = ["Participant 17,Jane Doe,900,", "Participant 18,Max Roe,17,", "Participant 19,Li Na,901,"]
    roster.write_text("\n".join(["Identifier,Full name,ID number,Grade", *lines]) + "\n")
    files = {f"a/17/{HOMEWORK}/{HOMEWORK}.ipynb": work("max")}
    for name, number in (("Jane Doe", 17), ("Li Na", 19), ("Bo Xi", 20)):
        files[f"b/{name}_{number}_assignsubmission_file_/{HOMEWORK}.ipynb"] = work(name)
    found = take_in(zipped(files, tmp_path / "both.zip"), HOMEWORK, course, roster=roster)
    assert taken(course) == {"17": "max", "900": "Jane Doe", "901": "Li Na", "bo-xi": "Bo Xi"}
    assert "not in list.csv: bo-xi" in found.warnings


def test_links_bombs_and_broken_zips_are_left_out_and_said(course, tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_FILE", 2 * len(BLANK))
    link = zipfile.ZipInfo("link.ipynb")
    link.external_attr = 0o120777 << 16
    bomb = zipped({"hw1_ngram.ipynb": b"0" * (3 * len(BLANK))})
    folder = tmp_path / "class"
    for student in ("alice", "bomb", "broken", "deep", "link"):
        (folder / student).mkdir(parents=True)
    (folder / "alice" / "hw1_ngram.ipynb").write_bytes(work("alice"))
    (folder / "bomb" / "a.zip").write_bytes(bomb)
    (folder / "broken" / "a.zip").write_bytes(bomb[:-30])
    (folder / "deep" / "a.zip").write_bytes(zipped({"b.zip": zipped({"c.zip": zipped({"hw1_ngram.ipynb": BLANK})})}))
    (folder / "link" / "hw1_ngram.ipynb").symlink_to(folder / "alice" / "hw1_ngram.ipynb")
    with zipfile.ZipFile(folder / "link" / "l.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    intake = take_in(folder, HOMEWORK, course)
    assert taken(course) == {"alice": "alice"}
    said = "\n".join(intake.warnings)
    for words in ("larger than", "no zip that can be read", "too deep", "a link", "leads elsewhere"):
        assert words in said
    monkeypatch.setattr(archives, "MOST_MEMBERS", 3)
    with pytest.raises(ValueError, match="source: more than"):
        take_in(folder, HOMEWORK, course)


def damaged(kind):
    """A zip whose compressed data are no such data."""
    content = zipped({"hw1_ngram.ipynb": work("x") * 20}, kind=kind)
    return content[:80] + b"\xff" * 60 + content[140:]


def with_password():
    content = bytearray(zipped({"hw1_ngram.ipynb": BLANK}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


HOSTILE_ZIPS = {
    "damaged": (lambda: damaged(zipfile.ZIP_DEFLATED), "cannot be read (Error"),
    "damaged, lzma": (lambda: damaged(zipfile.ZIP_LZMA), "cannot be read (Corrupt"),
    "damaged, bzip2": (lambda: damaged(zipfile.ZIP_BZIP2), "cannot be read (Invalid"),
    "a password": (with_password, "asks for a password"),
    "no end": (lambda: zipped({f"{i}.ipynb": work(f"{i}") for i in range(40)}), "MB handed in"),
    "elsewhere": (lambda: zipped({"../../zoe-33333/hw1_ngram/hw1_ngram.ipynb": BLANK}), "leads elsewhere"),
    "a thousand files": (lambda: zipped({f"venv/{i}.py": b"" for i in range(1000)}), "handed in no notebook"),
    "a thousand notebooks": (
        lambda: zipped({f"{i}.ipynb": b"work of m|" for i in range(1000)}),
        "more than 200 files to read",
    ),
    "a thousand times": (
        lambda: zipped({f"{i}/timestamp.txt": b"" for i in range(1000)}),
        "more than 200 files to read",
    ),
}


@pytest.mark.parametrize("platform", ["{}_{}_7_{}", "{}_{}_assignsubmission_file_/{}"])
@pytest.mark.parametrize("name", HOSTILE_ZIPS)
def test_what_one_student_hands_in_keeps_nobody_else_out(course, tmp_path, monkeypatch, name, platform):
    monkeypatch.setattr(archives, "MOST_BYTES", 25 * len(BLANK))
    monkeypatch.setattr(archives, "MOST_MEMBERS", 900)
    make, said = HOSTILE_ZIPS[name]
    export = tmp_path / "export.zip"
    members = {
        platform.format("ann", 11111, "hw1_ngram.ipynb"): work("ann"),
        platform.format("mallory", 2, "hw.zip"): make(),
    }
    export.write_bytes(zipped(members | {platform.format("zoe", 33333, "hw1_ngram.ipynb"): work("zoe")}))
    intake = take_in(export, HOMEWORK, course)
    assert {"ann", "zoe"} <= set(taken(course).values()) and len(intake.taken) + len(intake.without) == 3
    assert any(said in warning for warning in intake.warnings) and len(intake.warnings) < 60, intake.warnings


PLATFORMS = {
    "canvas": ("doe{0}_{0}_7{0}_{1}", {}),
    "moodle": ("Doe {0}_{0}_assignsubmission_file_/{1}", {}),
    "moodle, flat": ("Doe {0}_{0}_assignsubmission_file_{1}", {}),
    "gradescope": (
        "submission_{0}/{1}",
        {
            "submission_metadata.yml": "".join(
                f"submission_{i}:\n  :submitters:\n  - :email: doe{i}@uni.edu\n" for i in range(1, 43)
            )
        },
    ),
    "folders": ("doe{0}/{1}", {}),
}
LAYOUTS = {
    "as it is": lambda files: files,
    "in a folder": lambda files: {f"submissions/{name}": content for name, content in files.items()},
    "in a zip": lambda files: {"submissions.zip": zipped(files)},
}


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("unpacked", [False, True])
def test_everybody_in_an_export_is_accounted_for(course, tmp_path, platform, layout, unpacked):
    name, more = PLATFORMS[platform]
    files = {name.format(i, "hw1_ngram.pdf"): b"%PDF" for i in range(1, 41)}
    files |= {name.format(41, "hw1_ngram.ipynb"): work("jane")}
    files |= {name.format(42, "hw.zip"): zipped({"hw1_ngram.ipynb": work("max")})}
    files = LAYOUTS[layout](files | more)
    export = tmp_path / "export.zip"
    export.write_bytes(zipped(files))
    if unpacked:
        export = tmp_path / "export"
        for path, content in files.items():
            (export / path).parent.mkdir(parents=True, exist_ok=True)
            (export / path).write_bytes(content.encode() if isinstance(content, str) else content)
    intake = take_in(export, HOMEWORK, course)
    assert len(intake.without) == 40 and len(intake.taken) == 2


@pytest.mark.parametrize("notebook", ["work/hw1_ngram.ipynb", "hw.zip"])
def test_the_only_notebook_of_a_class_of_folders_leaves_everybody_where_they_are(course, tmp_path, notebook):
    content = work("jane") if notebook.endswith("ipynb") else zipped({"hw1_ngram.ipynb": work("jane")})
    files = {f"doe{i}/hw1_ngram.pdf": b"%PDF" for i in range(1, 41)} | {f"doe41/{notebook}": content}
    export = tmp_path / "export.zip"
    export.write_bytes(zipped(files))
    intake = take_in(export, HOMEWORK, course)
    assert [one.student for one in intake.taken] == ["doe41"] and len(intake.without) == 40


@pytest.mark.parametrize("platform", ["moodle", "gradescope", "folders"])
def test_a_folder_beside_the_class_is_nobody_and_said(course, tmp_path, platform):
    name, more = PLATFORMS[platform]
    files = {f"submissions/{name.format(i, 'work/hw1_ngram.ipynb')}": work(str(i)) for i in range(1, 43)}
    files |= {f"submissions/{path}": content for path, content in more.items()}
    export = tmp_path / "export.zip"
    export.write_bytes(zipped(files | {"lecture notes/week1.pdf": b"%PDF"}))
    intake = take_in(export, HOMEWORK, course)
    assert len(intake.taken) == 42 and not intake.without
    assert "left out, beside the folder of the class: 'lecture notes'" in intake.warnings


def below(folder, files):
    return {f"{folder}/{name}": content for name, content in files.items()}


def a_class(platform, numbers):
    name, more = PLATFORMS[platform]
    metadata = {path: "".join(part for i in numbers for part in (GRADESCOPES.format(i),)) for path in more}
    return {name.format(i, "hw1_ngram.ipynb"): work(str(i)) for i in numbers} | metadata


GRADESCOPES = "submission_{0}:\n  :submitters:\n  - :email: doe{0}@uni.edu\n"
REFERENCE = work("the solution")
WRAPPED = {  # where the class is, and what is said
    "twice": (lambda one, two: below("term/downloads", one | two), []),
    "four times": (lambda one, two: below("a/b/c/d", one | two), []),
    "beside the solution": (
        lambda one, two: below("submissions", one | two) | {"hw1_ngram.ipynb": REFERENCE},
        ["left out, beside the folder of the class: 'hw1_ngram.ipynb'"],
    ),
    "beside a folder with the solution": (
        lambda one, two: below("term/submissions", one | two) | {"term/sol/hw1_ngram.ipynb": REFERENCE},
        ["left out, beside the folder of the class: 'term/sol'"],
    ),
    "in a folder with a date": (lambda one, two: below("submissions_2026_11_22", one | two), []),
    "two sections with dates": (lambda one, two: below("A_2026_11_22", one) | below("B_2026_11_22", two), []),
    "two sections": (lambda one, two: below("A", one) | below("B", two), []),
    "two sections deeper": (lambda one, two: below("term/A/submissions", one) | below("term/B", two), []),
    "two zips": (lambda one, two: {"A.zip": zipped(one), "B.zip": zipped(two)}, []),
    "a zip and what was in it": (
        lambda one, two: {"x.zip": zipped(one | two)} | below("x", one) | below("x", two),
        [],
    ),
}


def put(files, source, unpacked):
    if not unpacked:
        return zipped(files, source.with_suffix(".zip"))
    for path, content in files.items():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_bytes(content.encode() if isinstance(content, str) else content)
    return source


@pytest.mark.slow
@pytest.mark.parametrize("unpacked", [False, True])
@pytest.mark.parametrize("where", WRAPPED)
@pytest.mark.parametrize("platform", [*PLATFORMS, "nbgrader"])
def test_a_class_is_found_wherever_it_lies(course, tmp_path, platform, where, unpacked):
    """Platforms' names show it; that of folders by counting is said, or that a class may have been taken for a student."""
    wrap, expected = WRAPPED[where]
    if platform == "nbgrader":
        one, two = ({f"doe{i}/{HOMEWORK}/{HOMEWORK}.ipynb": work(str(i)) for i in some} for some in ((1, 2, 3), (4, 5)))
    else:
        one, two = a_class(platform, (1, 2, 3)), a_class(platform, (4, 5))
    if platform == "gradescope" and "sections" not in where and "zips" not in where:
        one, two = a_class(platform, (1, 2, 3, 4, 5)), {}
    intake = take_in(put(wrap(one, two), tmp_path / "export", unpacked), HOMEWORK, course)
    if platform == "folders":
        assert intake.warnings and all("taken for" in warning or "beside the" in warning for warning in intake.warnings)
    elif (platform, where) != ("nbgrader", "a zip and what was in it"):
        assert intake.warnings == expected
    if platform != "folders" or where in ("twice", "four times", "beside the solution", "in a folder with a date"):
        assert sorted(taken(course).values()) == ["1", "2", "3", "4", "5"]
    take_in(put(wrap(one, two), tmp_path / "export", unpacked), HOMEWORK, course, lms=intake.taken[0].lms)
    if platform in ("canvas", "moodle", "gradescope"):
        assert sorted(taken(course).values()) == ["1", "2", "3", "4", "5"]


def test_a_section_of_one_is_a_section_and_said(course, tmp_path):
    files = below("A", a_class("canvas", (1, 2))) | below("B", a_class("canvas", (3,)))
    intake = take_in(zipped(files, tmp_path / "export.zip"), HOMEWORK, course)
    assert sorted(taken(course).values()) == ["1", "2", "3"]
    assert intake.warnings == ["'B' was taken for a section of the class, with one student"]


def test_what_nbgrader_has_beside_submitted_is_not_handed_in(course, tmp_path):
    files = {
        f"c/{kind}/{s}/{HOMEWORK}/{HOMEWORK}.ipynb": work(kind) for s in "ab" for kind in ("submitted", "autograded")
    }
    files |= {f"c/{kind}/{HOMEWORK}/{HOMEWORK}.ipynb": work(kind) for kind in ("source", "release", "homeworks")}
    intake = take_in(zipped(files, tmp_path / "export.zip"), HOMEWORK, course)
    assert taken(course) == {"a": "submitted", "b": "submitted"} and len(intake.warnings) == 4


def test_the_course_of_one_student_hands_in_no_solution(course, tmp_path):
    kinds = ("submitted/ann/", "source/", "release/", "autograded/ann/")
    files = {f"{kind}{HOMEWORK}/{HOMEWORK}.ipynb": work(kind) for kind in kinds}
    intake = take_in(zipped(files, tmp_path / "export.zip"), HOMEWORK, course)
    assert taken(course) == {"ann": "submitted/ann/"} and len(intake.warnings) == 3


@pytest.mark.parametrize("name", ["hw1_ngram.ipynb", "hw1_ngram.pdf"])
def test_a_class_that_lies_deep_shares_no_limit(course, tmp_path, name):
    files = {f"home/prof/course/submitted/s{i:03}/{HOMEWORK}/{name}": work(str(i)) for i in range(110)}
    files |= {f"{path.rpartition('/')[0]}/timestamp.txt": "2026-10-01 12:00:00 UTC" for path in files}
    files[f"home/prof/course/submitted/zoe/{HOMEWORK}/hw1_ngram.ipynb"] = work("zoe")
    intake = take_in(zipped(files, tmp_path / "export.zip"), HOMEWORK, course)
    assert len(intake.taken) + len(intake.without) == 111


def test_one_name_in_two_sections_is_said(course, tmp_path):
    files = {f"{s}/submitted/{who}/{HOMEWORK}/{HOMEWORK}.ipynb": work(s) for s in "AB" for who in ("ann", f"only-{s}")}
    intake = take_in(zipped(files, tmp_path / "export.zip"), HOMEWORK, course)
    assert "in more than one section, taken for one student each: 'ann'; is that so?" in intake.warnings


def test_loose_files_beside_a_class_are_said(course, tmp_path):
    files = {"ann.zip": zipped({"hw1_ngram.ipynb": work("ann")}), "bob.zip": zipped({"hw1_ngram.ipynb": work("bob")})}
    intake = take_in(zipped(files | {"cyd.7z": b"7z", "dan.pdf": b"%PDF"}, tmp_path / "export.zip"), HOMEWORK, course)
    said = " ".join(intake.warnings)
    assert sorted(taken(course)) == ["ann", "bob"] and "cyd.7z" in said and "dan.pdf" in said


@pytest.mark.parametrize("unpacked", [False, True])
def test_who_handed_in_hidden_files_only_is_recorded(course, tmp_path, unpacked):
    files = {f"{s}/hw1_ngram.ipynb": work(s) for s in ("ann", "cyd")} | {"bob/.ipynb_checkpoints/hw1.ipynb": BLANK}
    intake = take_in(put(files, tmp_path / "export", unpacked), HOMEWORK, course)
    assert sorted(taken(course)) == ["ann", "cyd"] and "bob" in str(intake.without)


FOLDERS = {  # students, and a word of what is said
    "two versions": (
        {"ann/v1/hw1.ipynb": "ann", "ann/v2/hw1.ipynb": "ann", "bob/essay.pdf": ""},
        "ann bob",
        "'v1', 'v2'",
    ),
    "three versions": (
        {f"ann/v{i}/hw1.ipynb": "ann" for i in (1, 2, 3)} | {"bob/essay.pdf": "", "cyd/essay.pdf": ""},
        "ann bob cyd",
        "'v1', 'v2', 'v3'",
    ),
    "one folder deeper": ({"ann/mine/hw1.ipynb": "ann"}, "mine", "'ann' was taken for the folder of the class"),
    "one wrapper": (
        {f"all/{s}/hw1.ipynb": s for s in ("ann", "bob")},
        "ann bob",
        "'all' was taken for the folder of the class, and 'ann', 'bob' for students",
    ),
    "everything in one folder": ({f"all/{s}.ipynb": s for s in ("ann", "bob")}, "all", "2 notebooks of only 1 student"),
    "sections": (
        {f"{s[0]}/{s}.ipynb": s for s in ("a1", "a2", "b1", "b2")},
        "a b",
        "4 notebooks of only 2 students, 'a', 'b'",
    ),
    "the solution beside": (
        {f"all/{s}/hw1.ipynb": s for s in ("ann", "bob")} | {"sol/hw1.ipynb": "sol"},
        "all sol",
        "'all' was taken for one student's folder",
    ),
    "a platform's names in a student's folder": (
        {f"{s}/hw1.ipynb": s for s in ("ann", "bob", "cyd")} | {f"mal/x{i}_{i}_{i}_h.ipynb": "mal" for i in range(9)},
        "ann bob cyd mal",
        "'mal' was taken for one student's folder, though names in it",
    ),
    "only one notebook, of platform's names": (
        {f"{s}/hw1.pdf": "" for s in ("ann", "bob", "cyd")} | {f"mal/x{i}_{i}_{i}_h.ipynb": "mal" for i in range(3)},
        "ann bob cyd mal",
        "'mal' was taken for one student's folder, though names in it",
    ),
    "a student's own downloads from Moodle": (
        {"ann/hw1.ipynb": "ann"} | {f"bob/Bob Ray_{i}_assignsubmission_file_hw.ipynb": "bob" for i in (12, 99)},
        "ann bob",
        "'bob' was taken for one student's folder, though names in it",
    ),
    "a student's own download from Moodle": (
        {"ann/hw1.ipynb": "ann", "bob/Bob Ray_12_assignsubmission_file_hw.ipynb": "bob"},
        "ann bob",
        "",
    ),
    "a platform's class of one beside notes": (
        {"hw1/Jane Doe_1_assignsubmission_file/hw1.ipynb": "jane", "notes/x.pdf": ""},
        "hw1 notes",
        "'hw1' was taken for one student's folder, though names in it",
    ),
    "sections with a wrapper each": (
        {f"{s[0]}/submissions/{s}/hw1.ipynb": s for s in ("a1", "b1", "b2")},
        "a b",
        "'b' was taken for one student's folder, though files are in 'b1', 'b2'",
    ),
    "sections with a notebook each": (
        {"Mon/ann/hw1.ipynb": "ann", "Mon/bob/hw1.pdf": "", "Tue/cyd/hw1.ipynb": "cyd", "Tue/dan/hw1.pdf": ""},
        "Mon Tue",
        "'Mon' was taken for one student's folder, though files are in 'ann', 'bob'",
    ),
    "a folder for the work, and one for data": (
        {f"{s}/{f}": s for s in ("ann", "bob") for f in ("work/hw1.ipynb", "data/x.csv", "img/a.png", "README.md")},
        "ann bob",
        "",
    ),
    "numbers in a name": (
        {"late/ann/ws_2025_26_hw1.ipynb": "ann"},
        "ws-2025",
        "'late/ann' was taken for Canvas's files of one student; if it is a student's folder: --lms folders",
    ),
    "dates in names": (
        {f"{s}/hw1_2026_0{i}_final.ipynb": s for i, s in enumerate(("ann", "bob"))},
        "ann bob",
        "",
    ),
    "very deep": ({"ann/" * 3000 + "hw1.ipynb": "ann", "bob/hw1.ipynb": "bob"}, "ann bob", ""),
}


@pytest.mark.parametrize("layout", FOLDERS)
def test_what_folders_leave_open_is_said(course, tmp_path, layout):
    files, students, said = FOLDERS[layout]
    files = {name: work(content) if name.endswith("ipynb") else b"%PDF" for name, content in files.items()}
    intake = take_in(zipped(files, tmp_path / "export.zip"), HOMEWORK, course)
    assert sorted([one.student for one in intake.taken] + list(intake.without)) == students.split()
    assert any(said in warning for warning in intake.warnings) if said else not intake.warnings


def test_a_zip_for_each_student(course, tmp_path):
    files = {f"{student}.zip": zipped({"hw1_ngram.ipynb": work(student)}) for student in ("ann", "bob")}
    intake = take_in(zipped(files | {"cyd.ZIP": b"no zip"}, tmp_path / "export.zip"), HOMEWORK, course)
    assert taken(course) == {"ann": "ann", "bob": "bob"} and list(intake.without) == ["cyd"]


@pytest.mark.parametrize("lms", ["auto", "canvas", "folders"])
def test_notebooks_of_nobody_are_an_error_that_names_them(course, tmp_path, lms):
    export = zipped({f"{student}.ipynb": work(student) for student in ("ann", "bob", "cyd")}, tmp_path / "export.zip")
    with pytest.raises(ValueError, match="source: got 'ann.ipynb' and 2 other notebooks .* do not say whose they are"):
        take_in(export, HOMEWORK, course, lms=lms)


@pytest.mark.parametrize("outer", ["mallory_2_7_hw.zip", "mallory_2_assignsubmission_file_/hw.zip"])
@pytest.mark.parametrize("inner", ["zoe_3_8_hw1_ngram.ipynb", "zoe_3_assignsubmission_file_/hw1_ngram.ipynb"])
def test_the_only_notebook_is_not_somebody_elses(course, tmp_path, outer, inner):
    """Names inside of a student's own zip say nothing about whose it is, though nobody else handed in a notebook."""
    export = tmp_path / "export.zip"
    metadata = ":submissions: []\n"
    export.write_bytes(zipped({outer: zipped({inner: work("mallory"), "submission_metadata.yml": metadata.encode()})}))
    (found,) = take_in(export, HOMEWORK, course).taken
    assert found.student.startswith("mallory") and list(taken(course).values()) == ["mallory"]


def test_a_record_that_a_crash_cut_off_is_skipped(course, tmp_path):
    (tmp_path / "class" / "alice").mkdir(parents=True)
    (tmp_path / "class" / "alice" / "hw1_ngram.ipynb").write_bytes(work("one"))
    take_in(tmp_path / "class", HOMEWORK, course)
    with open(course / RECORD, "a") as file:
        file.write('{"homework": "hw1_ngram", "student": "bob"}\n{"homework": "hw1_ng')
    (tmp_path / "class" / "alice" / "hw1_ngram.ipynb").write_bytes(work("two"))
    assert take_in(tmp_path / "class", HOMEWORK, course).changed == {"alice"} and taken(course) == {"alice": "two"}
    assert not take_in(tmp_path / "class", HOMEWORK, course).changed
    assert len((course / RECORD).read_text().splitlines()) == 4 and noted(course, HOMEWORK)["alice"]["where"]


def test_odd_names_become_ids_and_that_is_said(course, tmp_path):
    for student in ("alice", "[abc]", "new\nline", "-force", os.fsdecode(b"J\xfcrgen")):
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / os.fsdecode(b"h\xfc.ipynb")).write_bytes(work("one"))
    intake = take_in(tmp_path / "class", HOMEWORK, course)
    assert set(taken(course)) == {"alice", "abc", "new-line", "force", "J-xfcrgen"} and len(intake.warnings) == 4
    assert "alice/h\\xfc.ipynb" in [a.where for a in intake.taken] and "".join(intake.warnings).encode()
    assert not take_in(tmp_path / "class", HOMEWORK, course).warnings
    assert noted(course, HOMEWORK)["abc"]["lms_id"] == "[abc]"


def people(*addresses):
    """A class as Gradescope exports it."""
    about = 'submission_{0}:\n  :submitters:\n  - :email: "{1}"\n  :created_at: 2026-02-0{0} 12:00:00 Z\n'
    files = {f"submission_{i}/hw1_ngram.ipynb": work(f"{i} {address}") for i, address in enumerate(addresses, 1)}
    return files | {"submission_metadata.yml": "".join(about.format(i, a) for i, a in enumerate(addresses, 1))}


def test_addresses_with_apostrophes_and_accents_are_students_of_their_own(course, tmp_path):
    addresses = ("ann@x.edu", "sean.o'neil@x.edu", "josé@x.edu", "jose@x.edu", "李雷@x.edu", "a" * 120 + "@x.edu")
    export = zipped(people(*addresses), tmp_path / "g.zip")
    for _ in range(2):
        intake = take_in(export, HOMEWORK, course)
        found = taken(course)
        assert len(found) == len(addresses) and {"ann@x.edu", "sean.o-neil@x.edu", "jose@x.edu"} <= set(found)
        assert found["jose@x.edu"] == "4 jose@x.edu" and found["ann@x.edu"] == "1 ann@x.edu"
    records = noted(course, HOMEWORK)
    assert {records[student]["lms_id"] for student in found} == set(addresses)
    assert not intake.changed


def test_an_address_in_capitals_is_the_same_one(course, tmp_path):
    intake = take_in(zipped(people("ann@x.edu", "Ann@X.edu"), tmp_path / "g.zip"), HOMEWORK, course)
    assert taken(course) == {"ann@x.edu": "2 Ann@X.edu"} and intake.attempts == {"ann@x.edu": 2}
    take_in(
        zipped(people("ANN@x.edu") | {"submission_1/new.ipynb": work("newest")}, tmp_path / "2.zip"), HOMEWORK, course
    )
    assert list(taken(course)) == ["ann@x.edu"]
    (tmp_path / "class" / "ann@x.edu").mkdir(parents=True)
    (tmp_path / "class" / "ann@x.edu" / "hw1_ngram.ipynb").write_bytes(work("ann"))
    roster = tmp_path / "moodle.csv"
    roster.write_text("Identifier,Full name,Email address\nParticipant 17,Ann,Ann@X.edu\n")
    shutil.rmtree(course / "submitted")
    intake = take_in(tmp_path / "class", HOMEWORK, course, roster=roster)
    assert list(taken(course)) == ["Ann@X.edu"] and not intake.warnings


def test_a_roster_that_comes_later_makes_nobody_two(course, tmp_path):
    def canvas(upload, name):
        files = {f"leeann_101_{upload}_hw1_ngram.ipynb": work(name), "raybob_102_9002_hw1_ngram.ipynb": work("bob")}
        return zipped(files, tmp_path / f"{upload}.zip")

    roster = tmp_path / "roster.csv"
    roster.write_text('Student,ID,SIS User ID,SIS Login ID\n"Lee, Ann",101,s1,a1234\n"Ray, Bob",102,s2,b1234\n')
    take_in(canvas(9001, "first"), HOMEWORK, course)
    intake = take_in(canvas(9011, "second"), HOMEWORK, course, roster=roster)
    assert taken(course) == {"leeann-101": "second", "raybob-102": "bob"}
    assert intake.warnings == [] and intake.kept == ["leeann-101 (a1234)", "raybob-102 (b1234)"]
    # A course in which both are there already: what comes goes to the newest, and the other one is named.
    shutil.copytree(course / "submitted" / "leeann-101", course / "submitted" / "a1234")
    with open(course / RECORD, "a") as file:
        record = noted(course, HOMEWORK)["leeann-101"] | {"student": "a1234"}
        file.write(json.dumps(record) + "\n")
    intake = take_in(canvas(9021, "third"), HOMEWORK, course)
    assert taken(course)["a1234"] == "third" and taken(course)["leeann-101"] == "second"
    assert any("'leeann-101' and 'a1234' are one student" in warning for warning in intake.warnings)
    shutil.rmtree(course / "submitted" / "a1234")  # somebody would rather keep the first
    assert not take_in(canvas(9031, "fourth"), HOMEWORK, course).warnings
    assert taken(course) == {"leeann-101": "fourth", "raybob-102": "bob"}


def test_a_link_in_the_place_of_a_submission_is_replaced_not_followed(course, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("precious")
    folder = course / "submitted" / "alice" / HOMEWORK
    folder.mkdir(parents=True)
    (folder / f"{HOMEWORK}.ipynb").symlink_to(secret)
    (tmp_path / "class" / "alice").mkdir(parents=True)
    (tmp_path / "class" / "alice" / "hw1_ngram.ipynb").write_bytes(work("alice"))
    take_in(tmp_path / "class", HOMEWORK, course)
    assert secret.read_text() == "precious" and taken(course) == {"alice": "alice"}


@pytest.mark.parametrize("source", ["nothing", "text.zip", "empty"])
def test_what_is_no_export_is_said(course, tmp_path, source):
    (tmp_path / "text.zip").write_text("hello")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="source: "):
        take_in(tmp_path / source, HOMEWORK, course)


def test_names_become_ids():
    assert slug("José Núñez-O'Brien") == "jose-nunez-o-brien" and slug("李雷") == ""


def handed_in(course, student):
    return (course / "submitted" / student / HOMEWORK / "handed-in.txt").read_text().splitlines()


def test_who_handed_in_no_notebook_is_recorded_all_the_same(course, tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_FILE", 2 * len(BLANK))
    export = zipped(
        {
            "Ada_1_assignsubmission_file/hw1_ngram.ipynb.txt": work("ada"),
            "Bob_2_assignsubmission_file/hw1_ngram.ipynb.json": work("bob"),
            "Cem_3_assignsubmission_file/hw1.pdf": b"%PDF",
            "Dea_4_assignsubmission_onlinetext/onlinetext.html": b"<p>I did not manage",
            "Eve_5_assignsubmission_file/hw1_ngram.ipynb": b" " * (3 * len(BLANK)),
            "Fay_6_assignsubmission_file/work.zip": b"no zip",
            "Gil_7_assignsubmission_file/work.zip": zipped({"a/notes.txt": b"x"}),
        },
        tmp_path / "moodle.zip",
    )
    intake = take_in(export, HOMEWORK, course)
    assert taken(course) == {"ada": "ada", "bob": "bob"}
    assert sorted(intake.without) == ["cem", "dea", "eve", "fay", "gil"]
    assert handed_in(course, "cem") == ["hw1.pdf"] and handed_in(course, "dea") == ["onlinetext.html"]
    assert "larger than" in handed_in(course, "eve")[0]
    assert "no zip that can be read" in "".join(handed_in(course, "fay")) and "notes.txt" in handed_in(course, "gil")
    assert sum("handed in no notebook" in warning for warning in intake.warnings) == 5
    assert take_in(export, HOMEWORK, course).changed == set()
    with pytest.raises(NotLetIn, match=r"expected a file named hw1_ngram.ipynb, got 'hw1.pdf'"):
        find_notebook(course / "submitted" / "cem" / HOMEWORK, HOMEWORK)
    later = zipped({"Cem_3_assignsubmission_file/hw1_ngram.ipynb": work("cem")}, tmp_path / "later.zip")
    take_in(later, HOMEWORK, course)
    assert taken(course)["cem"] == "cem"
    assert not (course / "submitted" / "cem" / HOMEWORK / "handed-in.txt").exists()
    intake = take_in(export, HOMEWORK, course)  # what he handed in before takes nothing away
    assert taken(course)["cem"] == "cem" and any("cem" in w and "stays" in w for w in intake.warnings)


def test_gradescope_knows_who_handed_in_even_without_a_file(course, tmp_path):
    about = "submission_{}:\n  :submitters:\n  - :name: {}\n    :email: {}\n  :created_at: 2026-02-01 12:00:00 Z\n"
    metadata = about.format(1, "Ann", "ann@uni.edu") + about.format(2, "Bo", "bo@uni.edu") + about.format(3, "Cy", "")
    files = {"e/submission_metadata.yml": metadata, "e/submission_1/hw1_ngram.ipynb": work("ann")}
    intake = take_in(zipped(files | {"e/submission_3/x.pdf": b""}, tmp_path / "g.zip"), HOMEWORK, course)
    assert taken(course) == {"ann@uni.edu": "ann"} and set(intake.without) == {"bo@uni.edu", "cy"}


def test_a_folder_without_any_notebook_is_no_class(course, tmp_path):
    (tmp_path / "documents" / "holiday").mkdir(parents=True)
    (tmp_path / "documents" / "holiday" / "photo.jpg").write_bytes(b"x")
    with pytest.raises(ValueError, match="source: no notebook"):
        take_in(tmp_path / "documents", HOMEWORK, course)
    assert not (course / "submitted").exists()


def test_another_student_of_the_same_name_takes_nobodys_place(course, tmp_path):
    first = zipped({"Jörg Müller_201_assignsubmission_file/hw1_ngram.ipynb": work("first")}, tmp_path / "1.zip")
    second = zipped(
        {
            "Eva Klein_301_assignsubmission_file/hw1_ngram.ipynb": work("eva"),
            "Jörg Müller_399_assignsubmission_file/hw1_ngram.ipynb": work("second"),
        },
        tmp_path / "2.zip",
    )
    take_in(first, HOMEWORK, course)
    intake = take_in(second, HOMEWORK, course)
    everybody = {"jorg-muller": "first", "jorg-muller-399": "second", "eva-klein": "eva"}
    assert taken(course) == everybody
    assert intake.warnings == [
        "'jorg-muller' is another student, taken in before: this one becomes 'jorg-muller-399'; --roster gives steady ids"
    ]
    both = {
        f"Jörg Müller_{number}_assignsubmission_file/hw1_ngram.ipynb": work(name)
        for number, name in ((201, "first, again"), (399, "second, again"))
    }
    take_in(zipped(both, tmp_path / "3.zip"), HOMEWORK, course)  # each keeps the id that he has
    assert taken(course) == everybody | {"jorg-muller": "first, again", "jorg-muller-399": "second, again"}


def test_canvas_numbers_uploads_whatever_the_file_is_called(course, tmp_path):
    export = zipped(
        {
            "leeann_101_9001_hw1_ngram-1.ipynb": work("older"),
            "leeann_101_9005_hw1_ngram.ipynb": work("newer"),
        },
        tmp_path / "c.zip",
    )
    take_in(export, HOMEWORK, course)
    assert taken(course) == {"leeann-101": "newer"}
    older = zipped({"leeann_101_9001_hw1_ngram-1.ipynb": work("older")}, tmp_path / "older.zip")
    for dry_run in (True, False):
        intake = take_in(older, HOMEWORK, course, dry_run=dry_run)
        assert taken(course) == {"leeann-101": "newer"} and "is older than" in intake.warnings[0] and not intake.taken


def test_timestamps_of_folders_are_carried_over(course, tmp_path):
    for student, stamp in (("alice", "2026-02-02 12:00:00 UTC"), ("bob", "soon")):
        folder = tmp_path / "class" / student / HOMEWORK
        folder.mkdir(parents=True)
        (folder / f"{HOMEWORK}.ipynb").write_bytes(work(student))
        (folder / "timestamp.txt").write_text(f"{stamp}\n")
    intake = take_in(tmp_path / "class", HOMEWORK, course)
    stamp = course / "submitted" / "alice" / HOMEWORK / "timestamp.txt"
    assert stamp.read_text() == "2026-02-02 12:00:00 UTC" and len(intake.taken) == 2
    assert not (course / "submitted" / "bob" / HOMEWORK / "timestamp.txt").exists()
    assert ["no time that can be read" in warning for warning in intake.warnings] == [True]
    (tmp_path / "class" / "alice" / HOMEWORK / "timestamp.txt").write_text("2026-02-03 12:00:00 UTC")
    assert take_in(tmp_path / "class", HOMEWORK, course).changed == {"alice"}  # whose penalty may be another now
    assert stamp.read_text() == "2026-02-03 12:00:00 UTC"
    (tmp_path / "class" / "alice" / HOMEWORK / "timestamp.txt").unlink()
    assert take_in(tmp_path / "class", HOMEWORK, course).changed == set()
    assert stamp.read_text() == "2026-02-03 12:00:00 UTC"


def test_a_time_that_is_written_by_hand_stays_with_its_file(course, tmp_path):
    stamp = course / "submitted" / "janedoe-17" / HOMEWORK / "timestamp.txt"
    for i, content in enumerate((work("jane"), work("jane"), work("jane again"))):
        files = {"janedoe_LATE_17_900_hw1_ngram.ipynb": content, "royal_18_901_hw1_ngram.ipynb": work("roy")}
        made = dict.fromkeys(files, (1 + i, 12))  # a platform's zip has the time of its making
        take_in(zipped(files, tmp_path / f"{i}.zip", times=made), HOMEWORK, course)
        assert stamp.exists() == (i == 1)  # another file is not of that time
        stamp.write_text("2026-02-28 23:10:00 UTC")


@pytest.mark.parametrize("inside", ["work.zip", "sub"])
def test_a_timestamp_counts_for_all_below_it_and_a_students_own_does_not(course, tmp_path, inside):
    own = {"hw1.ipynb": work("ann"), "timestamp.txt": b"2020-01-01 12:00:00 UTC"}
    ann = {"work.zip": zipped(own)} if inside == "work.zip" else {f"sub/{name}": what for name, what in own.items()}
    ann["timestamp.txt"] = b"2026-03-09 12:00:00 UTC"
    files = {f"submitted/ann/{HOMEWORK}/{name}": what for name, what in ann.items()}
    files |= {"submitted/bob/hw1.ipynb": work("bob"), "submitted/ann/timestamp.txt": b"2026-01-01 12:00:00 UTC"}
    (tmp_path / "drive" / "term.zip").mkdir(parents=True)
    zipped(files, tmp_path / "drive" / "term.zip" / "e.zip")
    stamp = course / "submitted" / "ann" / HOMEWORK / "timestamp.txt"
    for source in (tmp_path / "drive" / "term.zip" / "e.zip", tmp_path / "drive"):  # a class in a zip in a folder
        warnings = take_in(source, HOMEWORK, course).warnings
        assert taken(course) == {"ann": "ann", "bob": "bob"} and stamp.read_text() == "2026-03-09 12:00:00 UTC"
        assert any("a time in a student's own zip" in warning for warning in warnings) == (inside == "work.zip")
    files[f"submitted/ann/{HOMEWORK}/timestamp.txt"] = b"soon"
    source = zipped(files | {f"submitted/ann/{HOMEWORK}/more.ipynb": work("ann, again")}, tmp_path / "again.zip")
    assert any("no time that can be read" in warning for warning in take_in(source, HOMEWORK, course).warnings)
    assert "2020" not in (stamp.read_text() if stamp.is_file() else "")


@pytest.mark.parametrize("name", ["Ann Lee_{}_assignsubmission_file/hw1.ipynb", "leeann{0}_{0}_9001_hw1.ipynb"])
def test_a_class_in_a_folder_of_a_zip_in_a_folder(course, tmp_path, name):
    (tmp_path / "drive").mkdir()
    files = {f"submissions/{name.format(number)}": work(str(number)) for number in (1, 2, 3)}
    zipped(files, tmp_path / "drive" / "e.zip")
    take_in(tmp_path / "drive", HOMEWORK, course)
    assert sorted(taken(course).values()) == ["1", "2", "3"]


def test_a_german_roster_gives_the_same_ids(course, tmp_path):
    export = zipped({"Jörg Müller_201_assignsubmission_file/hw1_ngram.ipynb": work("jörg")}, tmp_path / "m.zip")
    roster = tmp_path / "bewertungen.csv"
    roster.write_text(
        "\ufeffID;Name;E-Mail-Adresse;Status;Bewertung;Bestwertung\nTeilnehmer/in201;Jörg Müller;j@uni.de;;;100,00\n"
    )
    take_in(export, HOMEWORK, course, roster=roster)
    assert taken(course) == {"j@uni.de": "jörg"}
    roster.write_bytes("Identifier,Großbuchstaben".encode("latin-1"))
    with pytest.raises(ValueError, match="no CSV in UTF-8"):
        take_in(export, HOMEWORK, course, roster=roster)


def of_moodle(course, tmp_path, names, listed, identifier="Participant "):
    """What becomes of a class of Moodle with numbers from 5 on, under the names of the download and of the list."""
    files = {f"{name}_{n}_assignsubmission_file/hw1.ipynb": work(name) for n, name in enumerate(names, 5)}
    rows = [f"{identifier}{n},{name},{n}@x.edu\n" for n, name in enumerate(listed, 5)]
    (tmp_path / "worksheet.csv").write_text("Identifier,Full name,Email address\n" + "".join(rows))
    intake = take_in(zipped(files, tmp_path / "m.zip"), HOMEWORK, course, roster=tmp_path / "worksheet.csv")
    return taken(course), intake.warnings


def test_a_groups_number_is_not_a_students(course, tmp_path):
    """Moodle numbers groups from 1 on, as it numbers students."""
    came, said = of_moodle(course, tmp_path, ["Group A", "Bo's", "Süd"], ["Zoe Zed", "Bo Bär", "Ann Lee"])
    assert came == {"group-a": "Group A", "bo-s": "Bo's", "sud": "Süd"}
    assert said == [
        "not in worksheet.csv: bo-s (number 6 is 'Bo Bär' in the list, \"Bo's\" in the download)",
        "not in worksheet.csv: group-a (number 5 is 'Zoe Zed' in the list, 'Group A' in the download)",
        "not in worksheet.csv: sud (number 7 is 'Ann Lee' in the list, 'Süd' in the download)",
    ]


@pytest.mark.parametrize(
    ("names", "identifier"),
    [
        (["Participant"] * 3, "Participant "),
        (["Teilnehmer-in", "Teilnehmerin", "Teilnehmer in"], "Teilnehmer/in"),
        (["Group A-Participant", "Group A-Participant", "Group B-Participant"], "Participant "),
        (["Participant", "Participant", "Ann Lee"], "Participant "),
        (["Participant"] * 3, "Teilnehmer/in"),
        (["Zoe-Zed", "Bähr, Jörg", "Ann Roe"], "Participant "),
        (["Zoe Zed", "Joerg Baehr", "Ann Lee"], "Participant "),
        (["Zoe Zed", "J_rg B_hr", "Ann Lee"], "Participant "),
    ],
)
def test_whose_name_is_hidden_or_written_otherwise_is_found_by_number(course, tmp_path, names, identifier):
    came, said = of_moodle(course, tmp_path, names, ["Zoe Zed", "Jörg Bähr", "Ann Lee"], identifier)
    assert list(map(came.get, ("5@x.edu", "6@x.edu", "7@x.edu"))) == names and said == []


@pytest.mark.parametrize("folder", ["Ann_1_assignsubmission_file", "ann"])
def test_what_is_in_a_zip_was_handed_in_when_the_zip_was(course, tmp_path, folder):
    """Somebody corrects a mistake with a zip that holds a notebook saved before the mistake."""
    others = {"Bob_2_assignsubmission_file/hw1.ipynb" if "_" in folder else "bob/hw1.ipynb": work("bob")}
    inside = zipped(
        {"hw1.ipynb": work("second"), "old.ipynb": work("old")}, times={"hw1.ipynb": (1, 13), "old.ipynb": (1, 9)}
    )
    wrong, right = f"{folder}/hw1.ipynb", f"{folder}/work.zip"
    times = {wrong: (1, 14), right: (3, 8)}
    take_in(zipped(others | {wrong: work("first")}, tmp_path / "1.zip", times=times), HOMEWORK, course)
    assert sorted(taken(course).values()) == ["bob", "first"]
    for files in ({right: inside}, {right: inside, wrong: work("first")}):
        intake = take_in(zipped(others | files, tmp_path / "2.zip", times=times), HOMEWORK, course)
        assert sorted(taken(course).values()) == ["bob", "second"]
        assert not [w for w in intake.warnings if "is older" in w]


@pytest.mark.parametrize(
    "students",
    [
        ["Zoe Zed", "Bo Bär"],
        ["Иван Петров", "Ольга Сидорова"],
        ["张三", "Ann A. Lee"],
        ["अमित शर्मा", "प्रिया मेहता"],
        ["Juan de Dios", "Maria de Paz"],
        ["Ann Lee", "Zoe Project"],
    ],
)
@pytest.mark.parametrize(
    "teams",
    [
        ["Команда А", "Команда Б"],
        ["Team A", "Team B"],
        ["第一组", "第二组"],
        ["टीम एक", "टीम दो"],
        ["Equipe de Max", "Los de Leon"],
        ["Participants A", "Participants B"],
        ["Team Lee", "Team Fox"],
        ["🔥🔥", "⭐"],
    ],
)
def test_teams_and_students_may_be_named_in_any_script(course, tmp_path, teams, students):
    came, said = of_moodle(course, tmp_path, teams, students)
    assert not {"5@x.edu", "6@x.edu"} & set(came) and len(came) == 2 and len(said) >= 2


ONE_PERSON = [
    ("张三", "张三"),
    ("张 三", "张三"),
    ("伟 王", "王伟"),
    ("王伟Wang Wei", "王伟"),
    ("Wang Wei(王伟)", "Wei Wang"),
    ("민준 김", "김민준"),
    ("יוסי כהן", "יוסי כהן"),
    ("مُحَمَّد عَليّ", "محـــمد علي"),
    ("Łukasz Wałęsa", "Lukasz Walesa"),
    ("Soren Kjaer", "Søren Kjær"),
    ("Dang Duc", "Đặng Đức"),
    ("Jos_ Nu_ez", "José Núñez"),
    ("प्रिया शर्मा", "प्रिया शर्मा"),
    ("Wu Li", "Li Wu"),
    ("___ ____", "Иван Петров"),
    ("#U738b#U4f1f", "王伟"),
    ("王伟".encode("gbk").decode("cp437"), "王伟"),
    ("Иван Петров".encode("cp866").decode("cp437"), "Иван Петров"),
    ("Иван Петров".encode("cp1251").decode("cp437"), "Иван Петров"),
    ("Jörg Bähr".encode().decode("cp437"), "Jörg Bähr"),
]


@pytest.mark.parametrize(("name", "listed"), ONE_PERSON)
def test_a_name_is_one_persons_however_it_came(course, tmp_path, name, listed):
    came, said = of_moodle(course, tmp_path, [name], [listed])
    assert came == {"5@x.edu": name} and said == []
    (other,) = {"Иван Петров", "王芳"} - {listed, "Иван Петров" if listed == "王芳" else "王芳"} or {"王芳"}
    assert agree(listed, name) is not False and not agree(other, name)
    assert agree(name, name) and agree(name, listed) == agree(listed, name)


@pytest.mark.parametrize(("name", "listed"), ONE_PERSON)
def test_a_name_may_come_in_two_ways_from_week_to_week(course, tmp_path, name, listed):
    for n, week in enumerate((name, listed, name), 1):  # one week a folder that lost letters, one week the zip itself
        files = {f"{week}_5_assignsubmission_file/hw1.ipynb": work(f"week {n}")}
        files |= {f"{week}_6_assignsubmission_file/hw1.ipynb": work(f"another's week {n}")}
        export = zipped(files, tmp_path / "w.zip", times=dict.fromkeys(files, (10 + n, 8)))
        take_in(export, HOMEWORK, course)
        assert len(taken(course)) == 2 and set(taken(course).values()) == {f"week {n}", f"another's week {n}"}


def test_one_of_many_with_another_name_is_said(course, tmp_path):
    came, said = of_moodle(course, tmp_path, ["Zoe Zed", "Bobby", "Ann Lee"], ["Zoe Zed", "Robert Roe", "Ann Lee"])
    assert came == {"5@x.edu": "Zoe Zed", "6@x.edu": "Bobby", "7@x.edu": "Ann Lee"}
    assert said == ["6@x.edu: number 6 is 'Robert Roe' in the list, 'Bobby' in the download: one student?"]
    assert take_in(tmp_path / "m.zip", HOMEWORK, course, roster=tmp_path / "worksheet.csv").warnings == []  # once


@pytest.mark.parametrize("roster", [True, False])
@pytest.mark.parametrize("names", [["Ann Lee", "Bob Ray", "Cy Orr"], ["张三", "李四", "王五"]])
def test_teams_do_not_replace_what_students_handed_in(course, tmp_path, names, roster):
    listed = [f"Participant {n},{name},{n}@x.edu\n" for n, name in enumerate(names, 1)]
    (tmp_path / "list.csv").write_text("Identifier,Full name,Email address\n" + "".join(listed))
    teams = ["第一组", "Team B", "Team C"]
    for called, day in ((names, 1), (teams, 2), (names, 3), (names, 3)):
        files = {
            f"{name}_{n}_assignsubmission_file/hw1.ipynb": work(f"{name} {day}") for n, name in enumerate(called, 1)
        }
        export = zipped(files, tmp_path / f"{day}.zip", times=dict.fromkeys(files, (day, 8)))
        for _ in range(2):
            found = take_in(export, HOMEWORK, course, roster=tmp_path / "list.csv" if roster else None)
        if day == 2:
            assert sorted(taken(course).values()) == sorted(
                [f"{name} 1" for name in names] + ["第一组 2", "Team B 2", "Team C 2"]
            )
    assert {f"{name} 3" for name in names} <= set(taken(course).values()) and len(taken(course)) == 6, found.warnings


@pytest.mark.parametrize("blind", [True, False])
def test_a_list_says_whose_a_number_is_now(course, tmp_path, blind):
    """Students after teams, or teams after students whose names were hidden."""
    people, teams = ["Ann Lee", "Bob Ray", "Cy Orr"], ["Rockets", "Sharks", "Tigers"]
    listed = [f"Participant {n},{name},{n}@x.edu\n" for n, name in enumerate(people, 1)]
    (tmp_path / "list.csv").write_text("Identifier,Full name,Email address\n" + "".join(listed))
    for day, names in enumerate((["Participant"] * 3, teams) if blind else (teams, people), 1):
        files = {f"{name}_{n}_assignsubmission_file/hw1.ipynb": work(f"{name} {n}") for n, name in enumerate(names, 1)}
        export = zipped(files, tmp_path / "e.zip", times=dict.fromkeys(files, (day, 8)))
        take_in(export, HOMEWORK, course, roster=tmp_path / "list.csv")
    own = ["Participant"] * 3 if blind else people
    expected = {f"{n}@x.edu": f"{name} {n}" for n, name in enumerate(own, 1)}
    assert taken(course) == expected | {name.lower(): f"{name} {n}" for n, name in enumerate(teams, 1)}
    again = take_in(export, HOMEWORK, course, roster=tmp_path / "list.csv")
    assert not again.changed and (blind or again.warnings == [])


def test_a_hidden_name_may_come_to_light(course, tmp_path):
    """Also of who does not hand in again after it."""
    for names, day in ((["Participant"] * 2, 1), (["Ann Lee", "Bob Ray"], 2), (["Ann Lee", "Bob Ray"], 3)):
        files = {
            f"{name}_{n}_assignsubmission_file/hw1.ipynb": work(f"{n} {day if n == 1 else min(day, 2)}")
            for n, name in enumerate(names, 1)
        }
        intake = take_in(zipped(files, tmp_path / "e.zip", times=dict.fromkeys(files, (day, 8))), HOMEWORK, course)
        assert len(taken(course)) == 2 and (day == 1 or intake.warnings == [])
    assert sorted(taken(course).values()) == ["1 3", "2 2"] and len(intake.changed) == 1


@pytest.mark.parametrize("why", ["a PDF", "a notebook changed by hand"])
def test_with_a_list_names_that_come_to_light_are_the_same_people(course, tmp_path, why):
    """Also of whom nothing new is noted then."""
    hand_in = "{}_{}_assignsubmission_file/hw1.{}".format
    names = ["Ann Lee", "Bob Ray", "Cy Orr"]
    first = {hand_in("Participant", n, "ipynb"): work(f"{n}") for n, _ in enumerate(names, 701)}
    then = {hand_in(name, n, "ipynb"): work(f"{n}") for n, name in enumerate(names, 701)}
    if why == "a PDF":
        del then[hand_in("Ann Lee", 701, "ipynb")]
        then[hand_in("Ann Lee", 701, "pdf")] = b"%PDF"
    blind, shown = tmp_path / "blind.csv", tmp_path / "shown.csv"
    blind.write_text("Identifier,Status\n" + "".join(f"Participant {n},\n" for n, _ in enumerate(names, 701)))
    rows = [f"Participant {n},{name},{n}@x.edu\n" for n, name in enumerate(names, 701)]
    shown.write_text("Identifier,Full name,Email address\n" + "".join(rows))
    take_in(zipped(first, tmp_path / "1.zip", times=dict.fromkeys(first, (1, 8))), HOMEWORK, course, roster=blind)
    before = taken(course)
    assert len(before) == 3
    if why != "a PDF":
        path = next((course / "submitted").glob(f"*701/{HOMEWORK}/{HOMEWORK}.ipynb"))
        path.write_bytes(path.read_bytes().replace(b"work of 701", b"work of mended"))
        before = taken(course)
    for _ in range(2):
        take_in(zipped(then, tmp_path / "2.zip", times=dict.fromkeys(then, (1, 8))), HOMEWORK, course, roster=shown)
        assert taken(course) == before and len(list((course / "submitted").iterdir())) == 3


NOBODY = "nobody of this export is in list.csv: is it the list of this assignment, and are these students?"
LISTED = {1: "Ann Lee", 2: "Bob Ray"}


def weeks(course, tmp_path, *given):
    """What intakes say, week after week, of exports {number: name} with a list {number: name}, or without one (None)."""
    said = []
    for week, (names, listed) in enumerate(given, 1):
        files = {
            f"{name}_{n}_assignsubmission_file/hw1.ipynb": work(f"{n}, {name}, {week}") for n, name in names.items()
        }
        export = zipped(files, tmp_path / "e.zip", times=dict.fromkeys(files, (week, 8)))
        said.append(take_in(export, HOMEWORK, course, roster=moodle_list(tmp_path, listed)).warnings)
    return said


def moodle_list(tmp_path, names):
    if names is not None:
        rows = "".join(f"Participant {n},{name},{n}@x.edu\n" for n, name in names.items())
        (tmp_path / "list.csv").write_text("Identifier,Full name,Email address\n" + rows)
    return None if names is None else tmp_path / "list.csv"


def test_late_adds_of_whom_the_list_does_not_know(course, tmp_path):
    """One has a longer name, one lost the letters of his on the way, and one is a group."""
    late = {7: "Иван Петров", 8: "Eva Ray", 9: "Uwe Alt"}
    then = {7: "____ ______", 8: "Eva Ray-Kim", 9: "Rockets"}
    _, said = weeks(course, tmp_path, (LISTED | late, LISTED), (LISTED | then, LISTED))
    assert sorted(words[:4] for words in taken(course).values()) == ["1, A", "2, B", "7, _", "8, E", "9, R", "9, U"]
    assert not any("nobody" in words or "number 9 was" in words for words in said)


def test_of_groups_only_those_with_a_students_number_are_called_that(course, tmp_path):
    """One is named as a student is, and one has a number that the list has not."""
    ((*words,),) = weeks(
        course, tmp_path, ({1: "Rockets", 2: "Bob Ray", 3: "Sharks", 9: "Tigers"}, LISTED | {3: "Cy Orr"})
    )
    assert sorted(words) == [
        "not in list.csv: bob-ray (its number is a group's, as others' are)",
        "not in list.csv: rockets (number 1 is 'Ann Lee' in the list, 'Rockets' in the download)",
        "not in list.csv: sharks (number 3 is 'Cy Orr' in the list, 'Sharks' in the download)",
        "not in list.csv: tigers",
    ]


def test_one_who_is_not_in_the_list_is_named(course, tmp_path):
    assert weeks(course, tmp_path, ({9: "Uwe Alt"}, LISTED)) == [["not in list.csv: uwe-alt"]]


def test_one_alone_with_another_name_is_one_student(course, tmp_path):
    _, (words,) = weeks(course, tmp_path, ({1: "Ann Lee"}, None), ({1: "Robin Neu"}, None))
    assert words.endswith("taken for one student, whose newest file counts; is that so?") and len(taken(course)) == 1


def test_half_of_the_names_is_not_most(course, tmp_path):
    people = LISTED | {3: "Cy Orr", 4: "Di Fox"}
    weeks(course, tmp_path, (people, None), (people | {3: "王芳", 4: "李娜"}, None))
    assert len(taken(course)) == 4


@pytest.mark.parametrize("listed", [None, LISTED])
def test_groups_first_and_students_later(course, tmp_path, listed):
    groups, students = {1: "Rockets", 2: "Sharks", 9: "Tigers"}, LISTED | {9: "Uwe Alt"}
    _, said = weeks(course, tmp_path, (groups, None), (students, listed))
    about = {words.split()[1] for words in said if words.endswith("taken for two, a student and a group; is that so?")}
    assert about == {"1", "2"} | ({"9"} if listed is None else set()) and len(taken(course)) == 6
    words = "not in list.csv: uwe-alt (not the 'tigers' of an earlier intake, who had its number)"
    assert (words in said) == (listed is not None)


def test_among_new_names_one_that_only_gained_its_dots_is_the_same(course, tmp_path):
    people = {1: "Fang Wang", 2: "Na Li", 3: "Ming Wu", 4: "Zoe Weiss"}
    then = {1: "王芳", 2: "李娜", 3: "吴明", 4: "Zoë Weiss"}
    weeks(course, tmp_path, (people, None), (then, then))
    assert "zoe-weiss" in taken(course) and "4@x.edu" not in taken(course)


def test_whom_the_list_gives_the_id_of_then_is_asked_about_once(course, tmp_path):
    people, then = LISTED | {3: "Fang Wang"}, LISTED | {3: "王芳"}
    assert weeks(course, tmp_path, (people, people), (then, then), (people, then)) == [
        [],
        [],
        ["3@x.edu: number 3 is '王芳' in the list, 'Fang Wang' in the download: one student?"],
    ]
    assert len(taken(course)) == 3


def test_a_list_of_nobody_changes_nobodys_id(course, tmp_path):
    hidden, shown = dict.fromkeys((1, 2, 3), "Participant"), {1: "Ann Lee", 2: "Bob Ray", 3: "王芳"}
    another = {17: "Ann Lee"}
    first, *others = weeks(course, tmp_path, (hidden, another), (shown, another), (shown, None))
    assert first == [NOBODY, "several students are called 'participant': told apart by number"]
    assert others == [[NOBODY], []]
    assert sorted(taken(course)) == ["participant-1", "participant-2", "participant-3"]


@pytest.mark.parametrize("first", ["pdf", "ipynb"])
def test_names_that_come_to_light_are_news_only_once(course, tmp_path, first):
    """Also of somebody of whom nothing is taken: a PDF again, or a PDF after a notebook."""
    hand_in = "{}_{}_assignsubmission_file/hw1.{}".format
    shown = LISTED | {3: "Cy Orr"}
    exports = [{hand_in("Participant", n, first if n == 1 else "ipynb"): work(f"{n}") for n in shown}]
    exports += [{hand_in(name, n, "pdf" if n == 1 else "ipynb"): work(f"{n}") for n, name in shown.items()}] * 2
    for week, files in enumerate(exports, 1):
        export = zipped(files, tmp_path / "e.zip", times=dict.fromkeys(files, (week, 8)))
        said = [words for words in take_in(export, HOMEWORK, course).warnings if "notebook" not in words]
        assert len(list((course / "submitted").iterdir())) == 3
    assert (
        said == [] and {r["student"]: r["name"] for r in noted(course, HOMEWORK).values()}["participant-1"] == "Ann Lee"
    )


def test_advice_to_give_a_list_only_without_one(course, tmp_path):
    ((words,),) = weeks(course, tmp_path, ({1: "Max Kim", 2: "Max Kim"}, None))
    assert words.endswith("told apart by number; --roster gives steady ids")
    bo = {6: "Bo Roe"}
    *_, said = weeks(course, tmp_path, ({5: "Max Kim-Lee"} | bo, bo), ({7: "Max Kim-Lee"} | bo, bo))
    assert any(words.endswith("becomes 'max-kim-lee-7'") for words in said)


def test_only_who_has_an_id_in_the_list_can_keep_another(course, tmp_path):
    """Not somebody who is not in it, and nobody where the list has no addresses."""
    late = LISTED | {9: "Eva Ray"}
    weeks(course, tmp_path, (late, LISTED), (late | {9: "Eva Ray-Kim"}, None))
    export = tmp_path / "e.zip"
    assert take_in(export, HOMEWORK, course, roster=moodle_list(tmp_path, LISTED)).kept == []
    (tmp_path / "blind.csv").write_text("Identifier,Status\nParticipant 1,\nParticipant 2,\nParticipant 9,\n")
    assert take_in(export, HOMEWORK, course, roster=tmp_path / "blind.csv").kept == []


def test_a_list_that_has_nobody_is_said_in_one_sentence_and_ids_that_stay_are_no_warning(course, tmp_path):
    files = {f"Name {c}_{n}_assignsubmission_file/hw1.ipynb": work(c) for n, c in enumerate("abcde", 1)}
    export = zipped(files, tmp_path / "e.zip")

    def said(first):
        rows = "".join(f"Participant {n},Name {c},{n}@x.edu\n" for n, c in enumerate("abcde", first))
        (tmp_path / "list.csv").write_text("Identifier,Full name,Email address\n" + rows)
        return take_in(export, HOMEWORK, course, roster=tmp_path / "list.csv")

    assert said(100).warnings == [NOBODY]
    for _ in range(2):
        found = said(1)
        assert found.warnings == [] and found.kept[:2] == ["name-a (1@x.edu)", "name-b (2@x.edu)"]
        assert "5 keep the id of an earlier intake (the list's in brackets): name-a (1@x.edu), " in shown(found)
    assert len(taken(course)) == 5 == len(found.kept)


def shown(found):
    """What the command prints."""
    out = Console(file=io.StringIO(), width=200)
    out.print(show.intake(found, HOMEWORK, dry_run=False))
    return out.file.getvalue()


NEXT = "hw2_backprop"


@pytest.mark.parametrize("platform", ["canvas", "gradescope", "moodle"])
@pytest.mark.parametrize("lists", ["given later", "never given"])
def test_the_next_homework_knows_who_somebody_is(course, tmp_path, platform, lists):
    """By a number that is the course's own; Moodle's are each assignment's, so there a list that comes late is asked about."""
    shutil.copytree(COURSE / "homeworks" / NEXT, course / "homeworks" / NEXT)
    names = {101: "doejane", 102: "roemax"}

    def hand_in(homework, first, names):
        if platform == "canvas":
            return {f"{name}_{n}_{first + n}_{homework}.ipynb": b"{}" for n, name in names.items()}
        if platform == "moodle":
            return {f"{name}_{first + n}_assignsubmission_file/{homework}.ipynb": b"{}" for n, name in names.items()}
        files = {f"submission_{first + n}/{homework}.ipynb": b"{}" for n in names}
        about = "".join(
            f"submission_{first + n}:\n  :submitters:\n  - :name: {name}\n    :sid: ''\n    :email: {n}@x.edu\n"
            for n, name in names.items()
        )
        return files | {"submission_metadata.yml": f"---\n{about}".encode()}

    roster = tmp_path / "list.csv"
    roster.write_text(
        {
            "canvas": "Student,ID,SIS Login ID\ndoejane,101,jd\nroemax,102,mr\n",
            "gradescope": "First Name,SID,Email\nJane,jd,101@x.edu\nMax,mr,102@x.edu\n",
            "moodle": "Identifier,Full name,Email address\nParticipant 1101,doejane,jd\nParticipant 1102,roemax,mr\n",
        }[platform]
    )
    take_in(zipped(hand_in(HOMEWORK, 500, names), tmp_path / "1.zip"), HOMEWORK, course)
    before = {path.name for path in (course / "submitted").iterdir()}
    if platform != "moodle":
        names[101] = "raydoejane"  # she has married
    given = roster if lists == "given later" else None
    for again in (False, True):
        found = take_in(zipped(hand_in(NEXT, 1000, names), tmp_path / "2.zip"), NEXT, course, roster=given)
        there = {path.parent.name for path in (course / "submitted").glob(f"*/{NEXT}")}
        if platform == "moodle" and given:
            assert there == {"jd", "mr"}
            said = [words for words in found.warnings if "which knows doejane, roemax: were earlier" in words]
            assert len(said) == (not again)
        else:
            assert there == before and len(there) == 2 and bool(found.kept) == bool(given)
            assert found.warnings == [] or platform == "moodle"


@pytest.fixture
def two(course):
    """A course of two homeworks."""
    shutil.copytree(COURSE / "homeworks" / NEXT, course / "homeworks" / NEXT)
    return course


def of_gradescope(people, homework, path):
    about = "".join(
        f"submission_{i}:\n  :submitters:\n  - :name: {name}\n    :sid: ''\n    :email: {email}\n"
        for i, (name, email) in enumerate(people.items())
    )
    files = {f"submission_{i}/{homework}.ipynb": work(name) for i, name in enumerate(people)}
    return zipped(files | {"submission_metadata.yml": f"---\n{about}".encode()}, path)


def in_moodle(path, people, homework=HOMEWORK, day=1, text=""):
    """A download of Moodle: (name, number) of each student, whose notebook says who and ``text``."""
    files = {f"{name}_{n}_assignsubmission_file/x.ipynb": work(f"{name} {n}{text}") for name, n in people}
    return zipped(files, path, times=dict.fromkeys(files, (day, 8)))


def in_canvas(path, people, homework=HOMEWORK, upload=1, text=""):
    """The same of Canvas, whose later uploads have larger numbers."""
    files = {f"{name}_{n}_{upload + n}_{homework}.ipynb": work(f"{name} {n}{text}") for name, n in people}
    return zipped(files, path)


def in_folders(path, texts, homework=HOMEWORK):
    return zipped({f"{student}/{homework}.ipynb": work(text) for student, text in texts.items()}, path)


def ids(course, homework):
    return {path.parent.name for path in (course / "submitted").glob(f"*/{homework}")}


@pytest.mark.parametrize("first", [[("Team 2", 1), ("Team!", 2), ("Team", 3)], [("Team 2", 1), ("Team", 3)]])
def test_an_id_told_apart_by_number_is_nobody_elses(course, tmp_path, first):
    """Team's number 2 makes ``team-2`` of it, which Team 2 is: in one download, or in the next one."""
    for people in (first, [("Team!", 2)], first):
        take_in(in_moodle(tmp_path / "e.zip", people), HOMEWORK, course)
        assert len(taken(course)) >= len(people)
    assert sorted(taken(course).values()) == ["Team 2 1", "Team 3", "Team! 2"]
    assert taken(course)["team-2"] == "Team 2 1"


def test_two_downloads_in_one_are_told_apart_by_name(course, tmp_path):
    """In a folder each, or in one: Moodle has given their numbers twice."""
    files = {f"A/{name}_{n}_assignsubmission_file/x.ipynb": work(name) for n, name in enumerate(("Ann Lee", "Bo Roe"))}
    files |= {f"B/{name}_{n}_assignsubmission_file/x.ipynb": work(name) for n, name in enumerate(("Cy Orr", "Di Fox"))}
    for _ in range(2):
        found = take_in(
            zipped(files, tmp_path / "e.zip"), HOMEWORK, course, roster=moodle_list(tmp_path, {0: "Ann Lee"})
        )
        assert taken(course) == {"0@x.edu": "Ann Lee", "bo-roe": "Bo Roe", "cy-orr": "Cy Orr", "di-fox": "Di Fox"}
    (said,) = [words for words in found.warnings if "told apart by name" in words]
    assert "number 0, 'Ann Lee' and 'Cy Orr', number 1, 'Bo Roe' and 'Di Fox'; are there two downloads" in said
    assert "not in list.csv: cy-orr" in found.warnings and not found.changed


def test_hidden_names_in_two_sections_are_asked_about(course, tmp_path):
    files = {f"{where}/Participant_{n}_assignsubmission_file/x.ipynb": work(f"{n}") for where in "AB" for n in (1, 2)}
    found = take_in(zipped(files, tmp_path / "e.zip"), HOMEWORK, course)
    assert any("in more than one section, taken for one student each: 'Participant 1'" in w for w in found.warnings)


def test_mail_stays_when_the_same_download_comes_again(course, tmp_path):
    """What came in another way is replaced by what is new only, and that is said: their times cannot be compared."""
    download = in_moodle(tmp_path / "m.zip", [("Ann Lee", 5), ("Cy Orr", 6)], day=2)
    take_in(download, HOMEWORK, course)
    found = take_in(in_folders(tmp_path / "f.zip", {"ann-lee": "mail", "zed": "zed"}), HOMEWORK, course)
    (said,) = found.warnings
    assert said.startswith(
        "ann-lee: 'ann-lee/hw1_ngram.ipynb' replaces 'Ann Lee_5_assignsubmission_file/x.ipynb' of moodle"
    )
    again = take_in(download, HOMEWORK, course)
    assert taken(course)["ann-lee"] == "mail" and again.changed == set() and again.warnings == []
    older = in_moodle(tmp_path / "m.zip", [("Ann Lee", 5), ("Cy Orr", 6)], day=1, text=" older")
    assert sum("is older than" in words for words in take_in(older, HOMEWORK, course).warnings) == 2
    newer = in_moodle(tmp_path / "m.zip", [("Ann Lee", 5), ("Cy Orr", 6)], day=3, text=" newer")
    (said,) = take_in(newer, HOMEWORK, course).warnings
    assert "replaces 'ann-lee/hw1_ngram.ipynb' of folders; which one is newer?" in said
    assert taken(course) == {"ann-lee": "Ann Lee 5 newer", "cy-orr": "Cy Orr 6 newer", "zed": "zed"}
    (said,) = take_in(in_folders(tmp_path / "f.zip", {"ann-lee": "mail", "zed": "zed"}), HOMEWORK, course).warnings
    assert said == (
        "ann-lee: 'ann-lee/hw1_ngram.ipynb' is the one that was taken before; "
        "'Ann Lee_5_assignsubmission_file/x.ipynb' of moodle came after it, and stays"
    )
    assert taken(course)["ann-lee"] == "Ann Lee 5 newer"
    take_in(in_folders(tmp_path / "f.zip", {"ann-lee": "mail once more", "zed": "zed"}), HOMEWORK, course)
    assert taken(course)["ann-lee"] == "mail once more"


def test_a_platforms_number_is_known_after_a_mail(two, tmp_path):
    """In this homework, in the next one, and where grades are exported."""
    people = [("leeann", 101), ("raybob", 102)]
    (tmp_path / "list.csv").write_text("Student,ID,SIS Login ID\nAnn,101,ann@x\nBob,102,bob@x\n")
    take_in(in_canvas(tmp_path / "c.zip", people), HOMEWORK, two)
    mail = {"leeann-101": "mail", "raybob-102": "mail"}
    for homework in (HOMEWORK, NEXT):
        take_in(in_folders(tmp_path / "f.zip", mail, homework), homework, two)
    assert noted(two, HOMEWORK)["leeann-101"]["lms_id"] == "101"
    people[0] = ("orrann", 101)
    for homework in (HOMEWORK, NEXT):
        export = in_canvas(tmp_path / "c.zip", people, homework, 50)
        found = take_in(export, homework, two, roster=tmp_path / "list.csv")
        assert ids(two, homework) == set(mail) and found.kept == ["leeann-101 (ann@x)", "raybob-102 (bob@x)"]


def test_of_two_homeworks_the_one_taken_in_last_says_who_somebody_is(course, tmp_path):
    for homework in (NEXT, "hw3_recurrent"):
        shutil.copytree(COURSE / "homeworks" / homework, course / "homeworks" / homework)

    def take(homework, login):
        if login:
            (tmp_path / "list.csv").write_text(f"Student,ID,SIS Login ID\nAnn,101,{login}\n")
        export = in_canvas(tmp_path / "c.zip", [("leeann", 101)], homework)
        take_in(export, homework, course, roster=tmp_path / "list.csv" if login else None)

    take(NEXT, "second")
    (course / "submitted").rename(course / "aside")  # so that the first homework does not know her
    take(HOMEWORK, "first")
    shutil.copytree(course / "aside", course / "submitted", dirs_exist_ok=True)
    record = noted(course, NEXT)["second"]
    (course / RECORD).write_text(
        "".join(f"{json.dumps(r)}\n" for r in (record, noted(course, HOMEWORK)["first"], record))
    )
    take("hw3_recurrent", None)
    assert ids(course, "hw3_recurrent") == {"second"}


def test_a_list_with_student_numbers_knows_who_has_a_new_address(two, tmp_path):
    for homework, address in ((HOMEWORK, "lee@x"), (HOMEWORK, "ann@x"), (NEXT, "ann@x")):
        (tmp_path / "list.csv").write_text(f"First Name,SID,Email\nAnn,777,{address}\nBob,778,bob@x\n")
        export = of_gradescope({"Ann Lee": address, "Bob": "bob@x"}, homework, tmp_path / "e.zip")
        assert take_in(export, homework, two, roster=tmp_path / "list.csv").warnings == []
        assert ids(two, homework) == {"777", "778"}


def test_a_folder_named_by_an_id_is_that_students_though_a_list_gives_another(two, tmp_path):
    """As the instructors' page says to take in a mail; in Gradescope ids without a list are addresses, which it has, too."""
    (tmp_path / "list.csv").write_text("First Name,SID,Email\nAnn,777,ann@x\nBob,778,bob@x\n")
    take_in(of_gradescope({"Ann": "ann@x", "Bob": "bob@x"}, HOMEWORK, tmp_path / "e.zip"), HOMEWORK, two)
    for homework in (HOMEWORK, NEXT):
        mail = in_folders(tmp_path / "f.zip", {"ann@x": "mail"}, homework)
        said = take_in(mail, homework, two, roster=tmp_path / "list.csv").warnings
        assert "777" not in ids(two, homework) and "ann@x" in ids(two, homework)
        assert not any("has an id, and so has" in words for words in said), said  # 777 is nobody's
    assert taken(two) == {"ann@x": "mail", "bob@x": "Bob"}


@pytest.mark.parametrize("folder", ["Ann@X", "ann@x"])
def test_a_folder_named_by_an_id_in_capitals_is_that_students(two, tmp_path, folder):
    (tmp_path / "list.csv").write_text("First Name,SID,Email\nAnn,777,Ann@X\nBob,778,bob@x\n")
    take_in(of_gradescope({"Ann": "Ann@X", "Bob": "bob@x"}, HOMEWORK, tmp_path / "e.zip"), HOMEWORK, two)
    take_in(in_folders(tmp_path / "f.zip", {folder: "mail"}), HOMEWORK, two, roster=tmp_path / "list.csv")
    assert taken(two) == {"Ann@X": "mail", "bob@x": "Bob"}


def test_a_folder_whose_id_and_whose_line_are_two_students_is_asked_about(two, tmp_path):
    (tmp_path / "list.csv").write_text("First Name,SID,Email\nAnn,777,ann@x\nBob,778,bob@x\n")
    take_in(in_folders(tmp_path / "f.zip", {"ann@x": "mail"}), HOMEWORK, two)
    new = of_gradescope({"Cyd": "cyd@x", "Bob": "bob@x"}, HOMEWORK, tmp_path / "e.zip")
    take_in(new, HOMEWORK, two, roster=tmp_path / "list.csv")
    take_in(in_folders(tmp_path / "f.zip", {"777": "mail"}), HOMEWORK, two)
    said = take_in(in_folders(tmp_path / "f.zip", {"ann@x": "2"}), HOMEWORK, two, roster=tmp_path / "list.csv").warnings
    assert any("'ann@x'" in words and "'777'" in words for words in said), said


@pytest.mark.parametrize("homework", [HOMEWORK, NEXT])
def test_a_folder_named_by_a_number_that_is_anothers_id_is_whose_number_it_is(two, tmp_path, homework):
    """Student numbers and a platform's numbers may be the same ones: all folders are named from one column."""
    (tmp_path / "list.csv").write_text("Student,ID,SIS Login ID\nAnn,1001,1002\nBob,1002,1003\nCyd,1003,1004\n")
    take_in(in_canvas(tmp_path / "e.zip", [("ann", 1001)]), HOMEWORK, two, roster=tmp_path / "list.csv")
    export = in_folders(tmp_path / "f.zip", {"1001": "Ann", "1002": "Bob", "1003": "Cyd"}, homework)
    take_in(export, homework, two, roster=tmp_path / "list.csv")
    work_of = {path.parts[-3]: path.read_text() for path in (two / "submitted").glob(f"*/{homework}/*.ipynb")}
    assert all(f"work of {who}|" in work_of[own] for own, who in (("1002", "Ann"), ("1003", "Bob"), ("1004", "Cyd")))


@pytest.mark.parametrize("homework", [HOMEWORK, NEXT])
def test_a_number_that_is_anothers_id_of_an_older_list_is_whose_number_it_is(two, tmp_path, homework):
    """The first list had no addresses, and gave numbers as ids; the second one has them still, as second best."""
    (tmp_path / "old.csv").write_text("Identifier,Full name,ID number\nParticipant 11,Ann,1002\n")
    take_in(in_moodle(tmp_path / "e.zip", [("Ann", 11)]), HOMEWORK, two, roster=tmp_path / "old.csv")
    people = [(1001, "Ann", 1002), (1002, "Bob", 5002), (1003, "Cyd", 5003)]
    lines = [f"Participant {n},{who},{who}@x,{i}\n" for n, who, i in people]
    (tmp_path / "list.csv").write_text("Identifier,Full name,Email address,ID number\n" + "".join(lines))
    export = in_folders(tmp_path / "f.zip", {"1001": "Ann", "1002": "Bob", "1003": "Cyd"}, homework)
    take_in(export, homework, two, roster=tmp_path / "list.csv")
    work_of = {path.parts[-3]: path.read_text() for path in (two / "submitted").glob(f"*/{homework}/*.ipynb")}
    assert "work of Bob|" in work_of["Bob@x"] and "work of Bob|" not in work_of.get("1002", "")


def test_a_second_id_that_is_somebodys_first_is_not_the_others(two, tmp_path):
    """Canvas has two ids of its school: the login of one may be the number of another, who has none."""
    lines = ["Student,ID,SIS User ID,SIS Login ID,Section", "Ann,1,2001,1001,A", "Bob,2,1001,bob,A"]
    lines += ["Cy,3,2003,cy,A", "Di,4,2004,di,A"]
    (tmp_path / "list.csv").write_text("\n".join(lines))
    names = ("Ann", "Bob", "Cy", "Di")
    first = in_folders(tmp_path / "e.zip", dict(zip(("1001", "bob", "cy", "di"), names, strict=True)), HOMEWORK)
    take_in(first, HOMEWORK, two, roster=tmp_path / "list.csv")
    assert ids(two, HOMEWORK) == {"1001", "bob", "cy", "di"}
    second = in_folders(tmp_path / "f.zip", dict(zip(("2001", "1001", "2003", "2004"), names, strict=True)), NEXT)
    take_in(second, NEXT, two, roster=tmp_path / "list.csv")
    work_of = {path.parts[-3]: path.read_text() for path in (two / "submitted").glob(f"*/{NEXT}/*.ipynb")}
    assert work_of.keys() == {"1001", "bob", "cy", "di"}
    assert "work of Ann|" in work_of["1001"] and "work of Bob|" in work_of["bob"]


def test_an_id_from_before_that_the_list_gives_to_another_is_asked_about(two, tmp_path):
    """The first export had no list: the folder's name became the id. In the list of the second it is what another has."""
    names = {"1001": "Ann", "1002": "Bob", "1003": "Cyd"}
    take_in(in_folders(tmp_path / "e.zip", names, HOMEWORK), HOMEWORK, two)
    lines = ["Student,ID,SIS Login ID,SIS User ID", "Ann,1001,ann,1002", "Bob,1002,bob,5002", "Cyd,1003,cyd,5003"]
    (tmp_path / "list.csv").write_text("\n".join(lines))
    found = take_in(in_folders(tmp_path / "f.zip", names, NEXT), NEXT, two, roster=tmp_path / "list.csv")
    asked = "by list.csv the folder '1002' is that of 'bob'; that name was somebody's id before: the same student?"
    assert ids(two, NEXT) == {"1001", "bob", "1003"} and asked in found.warnings


def test_who_has_no_id_in_the_list_is_not_asked_about(two, tmp_path):
    """The folder's name stays the id, though the list gives it to another as second best."""
    names = {"1001": "Ann", "1002": "Bob", "1003": "Cyd"}
    take_in(in_folders(tmp_path / "e.zip", names, HOMEWORK), HOMEWORK, two)
    lines = ["Student,ID,SIS Login ID,SIS User ID", "Ann,1001,ann,1002", "Bob,1002,,", "Cyd,1003,cyd,5003"]
    (tmp_path / "list.csv").write_text("\n".join(lines))
    found = take_in(in_folders(tmp_path / "f.zip", names, NEXT), NEXT, two, roster=tmp_path / "list.csv")
    assert ids(two, NEXT) == {"1001", "1002", "1003"} and not any("is that of" in words for words in found.warnings)


def test_a_folder_without_an_id_of_its_own_that_is_called_as_anothers_is_asked_about(two, tmp_path):
    """The name stays its id, and the list says that this is Ann's: her work would be Bob's."""
    (tmp_path / "list.csv").write_text("Student,ID,SIS Login ID\nAnn,1001,1002\nBob,1002,\nCyd,1003,1004\n")
    take_in(in_canvas(tmp_path / "e.zip", [("ann", 1001)]), HOMEWORK, two, roster=tmp_path / "list.csv")
    export = in_folders(tmp_path / "f.zip", {"1002": "Bob", "1003": "Cyd"}, NEXT)
    found = take_in(export, NEXT, two, roster=tmp_path / "list.csv")
    asked = (
        "the folder '1002' is that of a student without an id; that name was somebody's id before: the same student?"
    )
    assert f"by list.csv {asked}" in found.warnings


def test_a_blank_cell_is_no_id(course, tmp_path):
    (tmp_path / "list.csv").write_text("Student,ID,SIS Login ID,SIS User ID\nAnn,1, ,5001\nBob,2, ,5002\n")
    export = in_folders(tmp_path / "e.zip", {"5001": "Ann", "5002": "Bob"}, HOMEWORK)
    found = take_in(export, HOMEWORK, course, roster=tmp_path / "list.csv")
    assert set(taken(course)) == {"5001", "5002"} and found.warnings == []


def test_who_is_deleted_comes_back_under_the_same_id(course, tmp_path):
    """Though the list that gave it is not at hand any more."""
    weeks(course, tmp_path, (LISTED, LISTED))
    shutil.rmtree(course / "submitted" / "1@x.edu")
    weeks(course, tmp_path, (LISTED, None))
    assert set(taken(course)) == {"1@x.edu", "2@x.edu"}


def test_addresses_that_make_one_id_are_two_students_in_two_homeworks(two, tmp_path):
    for homework, address in ((HOMEWORK, "josé@x"), (NEXT, "jose@x")):
        found = take_in(of_gradescope({"José": address, "Bo": "bo@x"}, homework, tmp_path / "e.zip"), homework, two)
    assert ids(two, HOMEWORK) == {"jose@x", "bo@x"} and "jose@x" not in ids(two, NEXT) and len(ids(two, NEXT)) == 2
    assert any("'jose@x' is another student, taken in before" in words for words in found.warnings)


def test_one_address_is_one_student_whatever_the_names(course, tmp_path):
    """Names are compared where numbers say nothing: in Moodle."""
    about = "".join(
        f"submission_{i}:\n  :submitters:\n  - :name: {name}\n    :email: fw@x\n  :created_at: 2026-02-0{i} 12:00:00 Z\n"
        for i, name in enumerate(("Fang Wang", "王芳"), 1)
    )
    files = {f"submission_{i}/x.ipynb": work(f"{i}") for i in (1, 2)} | {"submission_metadata.yml": about}
    assert take_in(zipped(files, tmp_path / "e.zip"), HOMEWORK, course).warnings == [] and taken(course) == {
        "fw@x": "2"
    }


def test_a_list_of_nobody_is_not_asked_about_twice(two, tmp_path):
    """Most ids are new then, but not because a list was forgotten."""
    for homework, first in ((HOMEWORK, 1), (NEXT, 11)):
        export = in_moodle(tmp_path / "e.zip", [("Ann Lee", first), ("Bob Ray", first + 1)])
        found = take_in(export, homework, two, roster=moodle_list(tmp_path, LISTED))
    said = [words for words in found.warnings if "look like" not in words]
    assert said == [NOBODY]


def test_after_a_team_the_student_with_half_a_new_name_is_the_same(course, tmp_path):
    """The team has the number, too, and no word of the name."""
    first, teams = {1: "Ann Lee", 2: "Bo Roe"}, {1: "Rockets", 2: "Sharks"}
    *_, said = weeks(course, tmp_path, (first, None), (teams, None), ({1: "Ann Roth", 2: "Bo Roe"}, None))
    assert taken(course)["ann-lee"] == "1, Ann Roth, 3" and taken(course)["rockets"] == "1, Rockets, 2"
    assert len(said) == 1 and "was 'Ann Lee' at an earlier intake and is 'Ann Roth'" in said[0]


def test_a_hidden_name_that_comes_to_light_may_be_missing_in_the_list(course, tmp_path):
    hidden, shown = dict.fromkeys((1, 2, 9), "Participant"), LISTED | {9: "Uwe Alt"}
    weeks(course, tmp_path, (hidden, LISTED), (shown, LISTED))
    assert len(taken(course)) == 3


def test_who_is_not_in_this_download_is_not_asked_about(course, tmp_path):
    """Number 4 was a student's, then a team's, and is nobody's now."""
    people, teams = {2: "Ann Lee", 3: "Cy Orr", 4: "Di Fox"}, {2: "Group Ann", 3: "Sharks", 4: "Tigers"}
    listed = people | {1: "Bo Roe"}
    *_, said = weeks(course, tmp_path, (people, listed), (teams, listed), ({2: "Ann Lee", 3: "Cy Orr"}, listed))
    assert said == [] and len(taken(course)) == 6
    assert taken(course)["2@x.edu"] == "2, Ann Lee, 3" and taken(course)["group-ann"] == "2, Group Ann, 2"


def test_the_id_of_another_name_is_not_taken_because_a_list_gives_it(course, tmp_path):
    """The number of a student who has left, in the same homework."""
    for name, n in (("Ann Lee", 5), ("Zoe Zed", 9)):
        (tmp_path / "list.csv").write_text(f"Identifier,Full name,Email address\nParticipant {n},{name},one@x\n")
        found = take_in(in_moodle(tmp_path / "e.zip", [(name, n)]), HOMEWORK, course, roster=tmp_path / "list.csv")
    assert taken(course) == {"one@x": "Ann Lee 5", "one@x-9": "Zoe Zed 9"}
    assert any("'one@x' is another student, taken in before" in words for words in found.warnings)


@pytest.mark.parametrize("listed", [True, False])
def test_what_is_said_of_a_list_that_was_forgotten_helps(two, tmp_path, listed):
    """One homework was taken in with a list, the other without: the advice is followed to the letter."""
    people = ["Ann Lee", "Bo Roe", "Cy Orr"]

    def take(homework, first, roster):
        roster = moodle_list(tmp_path, dict(enumerate(people, first))) if roster else None
        export = in_moodle(tmp_path / "e.zip", [(name, n) for n, name in enumerate(people, first)])
        return [w for w in take_in(export, homework, two, roster=roster).warnings if "does not look like" not in w]

    assert take(HOMEWORK, 1, listed) == []
    (said,) = take(NEXT, 1 if listed else 11, not listed)
    assert f"delete submitted/*/{NEXT} and take it in again {'with --roster' if listed else 'without it'}" in said
    for path in (two / "submitted").glob(f"*/{NEXT}"):
        shutil.rmtree(path)
    assert take(NEXT, 1 if listed else 11, listed) == [] and ids(two, NEXT) == ids(two, HOMEWORK)


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        (["Ann Lee", "Bo Roe"], ["Ann Lee", "Bo Roe"], "'lee@x' and 'ann@x'"),
        (["Ann Lee", "Bo Roe"], ["Lee, Ann M.", "Bo Roe"], "'lee@x' and 'ann@x'"),
        (["Ann Lee", "Bo Roe"], ["Zoe Lee", "Bo Roe"], ""),
        (["Ann Lee", "Ann Lee", "Cy Orr", "Di Fox"], ["Ann Lee", "Bo Roe", "Cy Orr", "Di Fox"], "'lee@x' and 'ann@x'"),
        (["Participant", "Bo Roe"], ["Ann Lee", "Bo Roe"], ""),
    ],
)
def test_who_is_new_and_has_the_name_of_somebody_missing_is_asked_about(two, tmp_path, then, now, said):
    """An address has changed, perhaps; asked once, and not of whom a name is hidden."""
    for homework, first, address, names in ((HOMEWORK, 1, "ann@x", then), (NEXT, 11, "lee@x", now)):
        rows = zip(range(first, first + 4), names, (address, "bo@x", "cy@x", "di@x"), strict=False)
        lines = [f'Participant {n},"{name}",{mail}' for n, name, mail in rows]
        (tmp_path / "list.csv").write_text("\n".join(["Identifier,Full name,Email address", *lines]) + "\n")
        export = in_moodle(tmp_path / "e.zip", [(name, n) for n, name in enumerate(names, first)])
        found, again = (take_in(export, homework, two, roster=tmp_path / "list.csv").warnings for _ in range(2))
    words = [w for w in found if "of one name" in w]
    assert words == ([f"of one name, but not of one number: {said}; is that one student?"] if said else [])
    assert not any("of one name" in w for w in again)
    if said:  # what the instructors' page says to do if it is one student
        (tmp_path / "list.csv").write_text((tmp_path / "list.csv").read_text().replace("lee@x", "ann@x"))
        shutil.rmtree(two / "submitted" / "lee@x" / NEXT)
        for _ in range(2):
            found = take_in(export, NEXT, two, roster=tmp_path / "list.csv")
            assert "ann@x" in ids(two, NEXT) and "lee@x" not in ids(two, NEXT) and found.kept == []
            assert not any("one student" in words for words in found.warnings)


def test_everybody_of_whom_is_asked_is_named(two, tmp_path):
    """Five of twelve had no address in the list of the first homework."""
    people = [f"{word} Lee" for word in "Ann Bob Cyd Dee Eva Fay Gus Hal Ida Joe Kim Lou".split()]
    for homework, first, known in ((HOMEWORK, 1, 7), (NEXT, 31, 12)):
        rows = [f"Participant {n},{who},{who[:3] if n < first + known else ''}" for n, who in enumerate(people, first)]
        (tmp_path / "list.csv").write_text("\n".join(["Identifier,Full name,Email address", *rows]) + "\n")
        export = in_moodle(tmp_path / "e.zip", [(name, n) for n, name in enumerate(people, first)])
        said = take_in(export, homework, two, roster=tmp_path / "list.csv").warnings
    (words,) = [words for words in said if "of one name" in words]
    assert all(f"{who[:3]!r} and {who.lower().replace(' ', '-')!r}" in words for who in people[7:])


def test_names_in_any_letters_are_the_same_students_in_the_next_homework(two, tmp_path):
    """Moodle without a list: what a name is called does not depend on its number."""
    names = ["李雷", "王芳", "Иван", "Иван Lee", "Ольга Lee", "José", "Ann"]
    for homework, first in ((HOMEWORK, 1), (NEXT, 31)):
        export = in_moodle(tmp_path / "e.zip", [(name, n) for n, name in enumerate(names, first)])
        assert not any("told apart" in words for words in take_in(export, homework, two).warnings)
    assert ids(two, HOMEWORK) == ids(two, NEXT) and len(ids(two, NEXT)) == len(names)
    assert {"ann", "jose"} <= ids(two, NEXT)


def test_gradescope_knows_people_without_addresses_by_their_names(course, tmp_path):
    groups = [["José Pérez"], ["Jose Perez"], ["李雷", "王芳"], ["Ann"], ["Ann"]]

    def export(groups, first):
        about = "".join(
            f"submission_{i}:\n  :submitters:\n" + "".join(f"  - :name: {name}\n" for name in group)
            for i, group in enumerate(groups, first)
        )
        files = {f"submission_{i}/x.ipynb": work("+".join(group)) for i, group in enumerate(groups, first)}
        return zipped(files | {"submission_metadata.yml": about}, tmp_path / "e.zip")

    found = take_in(export(groups, 1), HOMEWORK, course)
    assert sorted(taken(course).values()) == ["Ann", "Jose Perez", "José Pérez", "李雷+王芳", "李雷+王芳"]
    assert "more than one submission, no address, taken for one student each: 'Ann'; is that so?" in found.warnings
    there = set(taken(course))
    assert take_in(export(groups[2:3], 11), HOMEWORK, course).changed == set() and set(taken(course)) == there


def test_an_address_of_two_students_is_nobodys_id(course, tmp_path):
    """A couple's, or a slip; whoever of them hands in."""
    rows = "Participant 5,Ann Lee,x@x\nParticipant 6,Al Roe,x@x\nParticipant 7,Cy Orr,cy@x\n"
    (tmp_path / "list.csv").write_text("Identifier,Full name,Email address\n" + rows)
    for people in ([("Ann Lee", 5), ("Cy Orr", 7)], [("Al Roe", 6), ("Cy Orr", 7)]):
        found = take_in(in_moodle(tmp_path / "e.zip", people), HOMEWORK, course, roster=tmp_path / "list.csv")
        assert "'x@x' stands at more than one student in list.csv, and is nobody's id" in found.warnings
    assert set(taken(course)) == {"ann-lee", "al-roe", "cy@x"}
    only = in_moodle(tmp_path / "e.zip", [("Cy Orr", 7)])
    assert take_in(only, HOMEWORK, course, roster=tmp_path / "list.csv").warnings == []


def test_two_of_one_name_are_not_taken_for_hidden(course, tmp_path):
    """Where the list has others at their numbers, it is the list of others."""
    listed = {5: "Zoe Zed", 6: "Al Roe"}
    found = take_in(
        in_moodle(tmp_path / "e.zip", [("Max Kim", 5), ("Max Kim", 6)]),
        HOMEWORK,
        course,
        roster=moodle_list(tmp_path, listed),
    )
    assert set(taken(course)) == {"max-kim-5", "max-kim-6"}
    assert sum(words.startswith("not in list.csv: max-kim-") for words in found.warnings) == 2


def test_a_group_that_has_a_word_of_a_students_name_is_asked_about(course, tmp_path):
    """And with the list, which knows that the number is the student's, it is somebody else."""
    listed = {1: "Ann Lee", 2: "Bo Roe"}
    _, said = weeks(course, tmp_path, (listed, None), ({1: "Team Lee"}, None))
    assert said == [
        "number 1 was 'Ann Lee' at an earlier intake and is 'Team Lee': taken for one student, whose newest file counts; "
        "is that so?"
    ]
    own = {"ann-lee": "1, Ann Lee, 1", "team-lee": "1, Team Lee, 2"}  # both in folders, as the instructors' page says
    take_in(in_folders(tmp_path / "both.zip", own), HOMEWORK, course)
    assert taken(course) == own | {"bo-roe": "2, Bo Roe, 1"}
    shutil.rmtree(course / "submitted")
    (course / RECORD).unlink()
    weeks(course, tmp_path, (listed, listed), ({1: "Team Lee", 2: "Rockets", 3: "Sharks"}, listed), (listed, listed))
    own = {student: words.split(", ")[1] for student, words in taken(course).items()}
    assert own == {"1@x.edu": "Ann Lee", "2@x.edu": "Bo Roe", "team-lee": "Team Lee", "rockets": "Rockets"} | {
        "sharks": "Sharks"
    }


def test_an_address_may_have_become_somebody_elses(two, tmp_path):
    """The list says whose an id is now; without one the address is all that there is."""
    roster = tmp_path / "list.csv"
    for homework, people in ((HOMEWORK, {"Ann": "lee@x", "Bob": "bob@x"}), (NEXT, {"Amy": "lee@x", "Ann": "lee2@x"})):
        sids = {"Ann": 777, "Bob": 778, "Amy": 888}
        rows = "".join(f"{name},{sids[name]},{email}\n" for name, email in people.items())
        roster.write_text("First Name,SID,Email\n" + rows)
        found = take_in(of_gradescope(people, homework, tmp_path / "e.zip"), homework, two, roster=roster)
        assert found.warnings == [] and {a.student for a in found.taken} == {str(sids[name]) for name in people}


@pytest.mark.parametrize("deleted", [HOMEWORK, NEXT])
def test_a_folder_that_somebody_deleted_makes_nobody_two(two, tmp_path, deleted):
    def canvas(homework):
        files = {f"leeann_101_9_{homework}.ipynb": work("ann"), f"raybob_102_8_{homework}.ipynb": work("bob")}
        return zipped(files, tmp_path / "e.zip")

    (tmp_path / "list.csv").write_text("Student,ID,SIS Login ID\nAnn,101,ann@x\nBob,102,bob@x\n")
    for homework in (HOMEWORK, NEXT):
        take_in(canvas(homework), homework, two)
    shutil.rmtree(two / "submitted" / "leeann-101" / deleted)
    found = take_in(canvas(deleted), deleted, two, roster=tmp_path / "list.csv")
    assert {a.student for a in found.taken} == {"leeann-101", "raybob-102"}


def test_odd_records_of_another_homework_are_skipped(two, tmp_path):
    lines = [
        '{"homework": "hw2_backprop", "student": "bob"}',
        '{"student": "bob"}',
        '{"student": 5}',
        '["student"]',
        "5",
    ]
    (two / RECORD).write_text("\n".join(lines) + "\n")
    (two / "submitted" / "bob" / NEXT).mkdir(parents=True)
    found = take_in(zipped({"leeann_101_9_hw1.ipynb": work("ann")}, tmp_path / "e.zip"), HOMEWORK, two)
    assert [a.student for a in found.taken] == ["leeann-101"] and found.warnings == []


@pytest.mark.parametrize("start", [4, 14])
@pytest.mark.parametrize("name", ["Participant", "Participant {}"])
def test_who_is_hidden_in_two_homeworks_is_said_once(two, tmp_path, start, name):
    """Moodle with anonymous submissions: nobody can know who is who, whether the numbers are the same or others."""

    def take(homework, first):
        files = {f"{name.format(n)}_{n}_assignsubmission_file_/x.ipynb": work(f"{n}") for n in range(first, first + 3)}
        found = take_in(zipped(files, tmp_path / "e.zip"), homework, two)
        return [words for words in found.warnings if "does not look like" not in words and "told apart" not in words]

    assert take(HOMEWORK, 4) == []
    (said,) = take(NEXT, start)
    assert said.startswith("Moodle hides who is who")
    assert take(NEXT, start) == []


@pytest.mark.parametrize("first", [True, False])
def test_a_homework_with_hidden_names_and_one_without_do_not_know_each_other(two, tmp_path, first):
    shown = [("Ann Lee", 1), ("Bob Ray", 2)]
    for homework, hides in ((HOMEWORK, first), (NEXT, not first)):
        people = [("Participant" if hides else name, n) for name, n in shown]
        said = take_in(in_moodle(tmp_path / "e.zip", people), homework, two).warnings
    assert any(words.startswith("Moodle hides who is who") for words in said)
    assert not any("most ids" in words for words in said)


def test_hidden_names_that_come_later_are_not_asked_about(course, tmp_path):
    """One, or two."""
    for numbers in ((1, 2, 3), (4,), (5, 6)):
        export = in_moodle(tmp_path / "e.zip", [("Participant", n) for n in numbers])
        said = take_in(export, HOMEWORK, course).warnings
        assert not any("of one name" in words for words in said)
    assert len(taken(course)) == 6


def test_other_students_in_the_next_homework_are_not_asked_about(two, tmp_path):
    """Where the platform's numbers say that they are others."""
    for homework, people in ((HOMEWORK, [("leeann", 1), ("raybob", 2)]), (NEXT, [("orrcy", 3), ("foxdi", 4)])):
        found = take_in(in_canvas(tmp_path / "e.zip", people, homework), homework, two)
        assert not any("ids" in words for words in found.warnings)


def test_a_deleted_students_id_is_no_teams(course, tmp_path):
    weeks(course, tmp_path, ({1: "Ann Lee", 2: "Bo Roe"}, None))
    shutil.rmtree(course / "submitted" / "ann-lee")
    weeks(course, tmp_path, ({1: "Rockets", 2: "Sharks"}, None))
    assert set(taken(course)) == {"bo-roe", "rockets", "sharks"}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Ann Lee", "Lee, Ann Maria", True),
        ("王伟", "Wang Wei (王伟)", True),
        ("Ann Lee", "Team Lee", False),
        ("____", "Иван", False),
        ("Zoë Weiß", "Zoe Weiss", True),
        ("Ann", "Anna", False),
    ],
)
def test_names_that_are_alike(one, other, expected):
    assert alike(one, other) is alike(other, one) is expected


def test_teams_with_numbers_for_names_are_not_hidden(two, tmp_path):
    for homework, names in ((HOMEWORK, ("Ann Lee", "Bob Ray", "Cy Orr")), (NEXT, ("Group 1", "Group 2", "Group 3"))):
        files = {f"{name}_{31 + i}_assignsubmission_file_/x.ipynb": work(name) for i, name in enumerate(names)}
        said = take_in(zipped(files, tmp_path / "e.zip"), homework, two).warnings
    assert not any("hides" in words for words in said) and any("most ids are new" in words for words in said)


@pytest.mark.parametrize("first", [True, False])
def test_a_list_in_one_homework_only_is_asked_about(two, tmp_path, first):
    """Moodle numbers each assignment anew; not asked where the list is another one, or most ids are known."""

    def take(homework, number, names, roster):
        files = {f"{name}_{number + n}_assignsubmission_file/x.ipynb": work(name) for n, name in names.items()}
        listed = moodle_list(tmp_path, {number + n: name for n, name in LISTED.items()}) if roster else None
        return take_in(zipped(files, tmp_path / "e.zip"), homework, two, roster=listed).warnings

    take(HOMEWORK, 0, LISTED, first)
    said = take(NEXT, 10, LISTED | {3: "Cy Orr"}, not first)
    assert sum("most ids are new to the course" in words for words in said) == 1
    assert not any("most ids" in words for words in take(NEXT, 10, LISTED | {3: "Cy Orr"}, not first))
    shutil.rmtree(two / "submitted")
    (two / RECORD).unlink()
    take(HOMEWORK, 0, LISTED, False)
    assert not any("most ids" in words for words in take(NEXT, 10, LISTED | {3: "Cy Orr", 4: "Di Fox"}, False))


@pytest.mark.parametrize("lists", ["given", "later"])
def test_a_student_may_have_a_name_without_a_word_of_the_old_one(course, tmp_path, lists):
    for week, name in enumerate(("Fang Wang", "王芳"), 1):
        names = [name, "Bob Ray", "Cy Orr"]
        files = {f"{who}_{n}_assignsubmission_file/hw1.ipynb": work(f"{n}, {week}") for n, who in enumerate(names, 1)}
        rows = [f"Participant {n},{who},{n if n > 1 else week * 10}@x.edu\n" for n, who in enumerate(names, 1)]
        (tmp_path / "list.csv").write_text("Identifier,Full name,Email address\n" + "".join(rows))
        roster = tmp_path / "list.csv" if lists == "given" or week == 2 else None
        export = zipped(files, tmp_path / "e.zip", times=dict.fromkeys(files, (week, 8)))
        said = take_in(export, HOMEWORK, course, roster=roster).warnings
        assert sorted(taken(course).values()) == [f"{n}, {week}" for n in (1, 2, 3)]
    assert any(
        "was 'Fang Wang' at an earlier intake and is '王芳': taken for one student, whose newest file counts;" in words
        for words in said
    )


@pytest.mark.parametrize("names", [["Участник"], ["Участник", "Участник", "Ann Lee"], ["Команда А-Участник"] * 2])
def test_a_name_may_be_hidden_in_any_script(course, tmp_path, names):
    came, said = of_moodle(course, tmp_path, names, ["Zoe Zed", "Bo Bär", "Ann Lee"], "Участник ")
    assert set(came) == {f"{n}@x.edu" for n, _ in enumerate(names, 5)} and said == []


def test_a_zip_of_a_mac_has_its_names_in_utf8(course, tmp_path):
    names = ["Nguyễn Văn Đức", "Ольга Сидорова"]
    of_moodle(course, tmp_path, names, names)
    content = (tmp_path / "m.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "m.zip") as archive:
        places = [place for member in archive.infolist() for place in (member.header_offset + 6,)]
        at = archive.start_dir
        for _ in names:
            places.append(at + 8)
            at += 46 + sum(struct.unpack_from("<HHH", content, at + 28))
    without = bytearray(content)
    for place in places:  # the flag that says so
        assert struct.unpack_from("<H", without, place)[0] & 0x800
        struct.pack_into("<H", without, place, struct.unpack_from("<H", without, place)[0] & ~0x800)
    (tmp_path / "mac.zip").write_bytes(without)
    intake = take_in(tmp_path / "mac.zip", HOMEWORK, course, roster=tmp_path / "worksheet.csv")
    assert set(taken(course)) == {"5@x.edu", "6@x.edu"} and intake.warnings == [] and not intake.changed


@pytest.mark.parametrize(
    "zips",
    [
        lambda: {f"data/{i:03}.zip": b"no zip" for i in range(100)},
        lambda: {f"data/{i:03}.zip": zipped({"x.txt": b""}) for i in range(210)},
        lambda: {f"data/{i:03}.zip": zipped({"x.zip": b"", "y.zip": b""}) for i in range(70)},
    ],
)
def test_many_zips_do_not_hide_a_notebook(course, tmp_path, zips):
    ann = "Ann Lee_1_assignsubmission_file"
    files = {f"{ann}/a.zip": zipped(zips() | {"z.ipynb": work("ann")}), "Bo_2_assignsubmission_file/b.zip": b"no zip"}
    intake = take_in(zipped(files, tmp_path / "e.zip"), HOMEWORK, course)
    assert taken(course) == {"ann-lee": "ann"} and len(intake.warnings) < 25
    assert "bo: handed in no notebook, only b.zip (no zip that can be read); grading records that" in intake.warnings


def test_what_cannot_be_read_is_said_before_what_is_beside_it(course, tmp_path):
    data = {f"a{i:02}.csv": b"1" for i in range(25)}
    files = {"Ann Lee_1_assignsubmission_file/a.zip": zipped(data | {"z.zip": b"no zip", "x.csv": b""})}
    files["Bo_2_assignsubmission_file/hw1.ipynb"] = work("bo")
    warnings = take_in(zipped(files, tmp_path / "e.zip"), HOMEWORK, course).warnings
    path = "Ann Lee_1_assignsubmission_file/a.zip/z.zip"
    assert f"left out, no zip that can be read: {path!r}" in warnings
    only = "z.zip (no zip that can be read), a.zip, a00.csv, …"
    assert f"ann-lee: handed in no notebook, only {only}; grading records that" in warnings


def test_the_second_zip_after_many_files_keeps_its_time(course, tmp_path):
    pictures = {f"img{i}.png": b"" for i in range(25)}
    ann = "Ann Lee_1_assignsubmission_file"
    files = {
        f"{ann}/a.zip": zipped(pictures | {"hw1.ipynb": work("first")}, times={"hw1.ipynb": (2, 8)}),
        f"{ann}/b.zip": zipped({"hw1.ipynb": work("second")}, times={"hw1.ipynb": (1, 8)}),
    }
    times = {f"{ann}/a.zip": (3, 8), f"{ann}/b.zip": (4, 8)}
    take_in(zipped(files, tmp_path / "e.zip", times=times), HOMEWORK, course)
    assert taken(course) == {"ann-lee": "second"}


def test_a_zip_of_a_folder_is_not_older_than_the_folder(course, tmp_path):
    for name in ("ann", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "hw1.ipynb").write_bytes(work(name))
        os.utime(tmp_path / "class" / name / "hw1.ipynb", (1_770_000_001.7, 1_770_000_001.7))
    take_in(tmp_path / "class", HOMEWORK, course)
    export = shutil.make_archive(str(tmp_path / "class"), "zip", tmp_path / "class")
    assert take_in(Path(export), HOMEWORK, course).warnings == []
    for name in ("ann", "bob"):  # as a program that rounds down unpacks it
        os.utime(tmp_path / "class" / name / "hw1.ipynb", (1_769_999_998, 1_769_999_998))
    for _ in range(2):
        again = take_in(tmp_path / "class", HOMEWORK, course)
        assert again.warnings == [] and again.changed == set() and len(again.taken) == 2
    (tmp_path / "class" / "ann" / "hw1.ipynb").write_bytes(work("somebody"))
    os.utime(tmp_path / "class" / "ann" / "hw1.ipynb", (1_769_999_998, 1_769_999_998))
    (said,) = take_in(tmp_path / "class", HOMEWORK, course).warnings
    assert "is older than" in said and taken(course) == {"ann": "ann", "bob": "bob"}
    mended = course / "submitted" / "ann" / HOMEWORK / f"{HOMEWORK}.ipynb"
    mended.write_bytes(work("ann, mended by hand"))
    (tmp_path / "class" / "ann" / "hw1.ipynb").write_bytes(work("ann"))
    os.utime(tmp_path / "class" / "ann" / "hw1.ipynb", (1_769_999_998, 1_769_999_998))
    (said,) = take_in(tmp_path / "class", HOMEWORK, course).warnings
    assert "was changed after it was taken in, and stays" in said and taken(course)["ann"] == "ann, mended by hand"
    (tmp_path / "class" / "ann" / "hw1.ipynb").write_bytes(work("ann, again"))
    (said,) = take_in(tmp_path / "class", HOMEWORK, course).warnings
    assert "'ann/hw1.ipynb' replaces it" in said and taken(course)["ann"] == "ann, again"


def test_a_zip_with_a_link_in_it_is_as_new_as_others(course, tmp_path):
    inside = io.BytesIO(zipped({"hw1.ipynb": work("second")}, times={"hw1.ipynb": (3, 7)}))
    with zipfile.ZipFile(inside, "a") as archive:
        link = zipfile.ZipInfo("venv/python")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/usr/bin/python3")
    ann = "Ann Lee_1_assignsubmission_file"
    files = {f"{ann}/hw1.ipynb": work("first"), f"{ann}/work.zip": inside.getvalue()}
    times = {f"{ann}/hw1.ipynb": (1, 14), f"{ann}/work.zip": (3, 8)}
    take_in(zipped(files, tmp_path / "e.zip", times=times), HOMEWORK, course)
    assert taken(course) == {"ann-lee": "second"}


@pytest.mark.parametrize("name", ["Ann_1_assignsubmission_file/hw1.ipynb", "leeann_1_9001_hw1.ipynb"])
def test_one_download_is_the_same_on_clocks_far_apart(course, tmp_path, monkeypatch, name):
    export = zipped({name: work("ann"), name.replace("nn", "b").replace("_1_", "_2_"): work("ab")}, tmp_path / "e.zip")
    try:
        for zone in ("America/New_York", "Europe/Berlin"):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            intake = take_in(export, HOMEWORK, course)
            assert intake.warnings == []
        assert intake.changed == set()
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_zip_and_the_folder_that_it_becomes_have_one_clock(course, tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        folder = tmp_path / "unpacked"
        for name in ("ann", "bob"):
            (folder / name).mkdir(parents=True)
            (folder / name / "hw1.ipynb").write_bytes(work(name))
            at = time.mktime((2026, 2, 1, 13, 0, 0, 0, 0, -1))
            os.utime(folder / name / "hw1.ipynb", (at, at))
        take_in(folder, HOMEWORK, course)
        files = {f"{name}/hw1.ipynb": work(f"{name}, later") for name in ("ann", "bob")}
        export = zipped(files, tmp_path / "e.zip", times=dict.fromkeys(files, (1, 16)))
        assert not any("is older" in warning for warning in take_in(export, HOMEWORK, course).warnings)
        assert taken(course) == {"ann": "ann, later", "bob": "bob, later"}
    finally:
        monkeypatch.undo()
        time.tzset()


def test_one_name_in_the_ways_of_two_machines_is_one_student(course, tmp_path):
    for form in ("NFC", "NFD"):
        files = {f"{unicodedata.normalize(form, name)}/hw1.ipynb": work(f"{name}, {form}") for name in ("Jörg", "Ann")}
        take_in(
            zipped(files, tmp_path / f"{form}.zip", times=dict.fromkeys(files, (1 + len(form), 5))), HOMEWORK, course
        )
    assert sorted(taken(course)) == ["Ann", "Jorg"]


def test_what_was_typed_in_canvas_is_somebodys(course, tmp_path):
    files = {"doejane_101_9001_hw1.ipynb": work("jane"), "roemax_102_text.html": b"", "lee_LATE_103_link.html": b""}
    intake = take_in(zipped(files, tmp_path / "e.zip"), HOMEWORK, course)
    assert list(intake.without) == ["lee-103", "roemax-102"]
    assert any("roemax-102: handed in no notebook, only roemax_102_text.html" in warning for warning in intake.warnings)


def test_who_handed_in_nothing_but_the_time_is_somebody(course, tmp_path):
    files = {f"submitted/{name}/{HOMEWORK}/timestamp.txt": b"2026-02-01 12:00:00 UTC" for name in ("ann", "bob")}
    files[f"submitted/ann/{HOMEWORK}/{HOMEWORK}.ipynb"] = work("ann")
    intake = take_in(zipped(files, tmp_path / "e.zip"), HOMEWORK, course)
    assert taken(course) == {"ann": "ann"} and list(intake.without) == ["bob"]


def test_another_homeworks_notebook_is_not_this_one(course, tmp_path):
    (course / "homeworks" / "data").mkdir()
    (course / "homeworks" / "hw2_backprop").mkdir()
    (course / "homeworks" / "hw2_backprop" / "hw2_backprop.ipynb").write_bytes(BLANK)
    files = {f"submitted/ann/{HOMEWORK}/{HOMEWORK}.ipynb": work("ann"), "submitted/bob/hw2_backprop/x.ipynb": b"{}"}
    intake = take_in(zipped(files, tmp_path / "e.zip"), HOMEWORK, course)
    assert taken(course) == {"ann": "ann"} and list(intake.without) == ["bob"]
    assert any("bob: handed in no notebook, only x.ipynb (in a folder of hw2_backprop)" in w for w in intake.warnings)
    outside = zipped({f"hw2_backprop/{name}/data/x.ipynb": work(name) for name in ("eve", "fay")}, tmp_path / "f.zip")
    take_in(outside, HOMEWORK, course)
    assert taken(course) == {"ann": "ann", "eve": "eve", "fay": "fay"}


JANE = "Student,ID,SIS User ID,SIS Login ID,Section\nDoe Jane,101,s1,jane,A\n"


def test_moved_to_another_platform_with_a_list_somebody_stays_one(course, tmp_path):
    """What a folder's name was is no number of Canvas's."""
    roster = tmp_path / "list.csv"
    roster.write_text(JANE)
    files = {f"{name}/{HOMEWORK}.ipynb": work("first") for name in ("jane", "max")}
    take_in(zipped(files, tmp_path / "folders.zip"), HOMEWORK, course)
    later = zipped({f"doejane_101_9009_{HOMEWORK}.ipynb": work("second")}, tmp_path / "canvas.zip")
    take_in(later, HOMEWORK, course, roster=roster)
    assert taken(course) == {"jane": "second", "max": "first"}


def test_an_id_of_another_homework_replaces_none_that_is_here(course, tmp_path):
    """Jane, once with a list and once without, by mistake: here she stays who she was here."""
    roster = tmp_path / "list.csv"
    roster.write_text(JANE)
    for other in ("hw2", "hw3"):
        shutil.copytree(course / "homeworks" / HOMEWORK, course / "homeworks" / other)
        (course / "homeworks" / other / f"{HOMEWORK}.ipynb").rename(course / "homeworks" / other / f"{other}.ipynb")

    def handed_in(homework, text):
        return zipped({f"doejane_101_9001_{homework}.ipynb": work(text)}, tmp_path / f"{homework}.zip")

    for homework in (HOMEWORK, "hw3"):
        take_in(handed_in(homework, "first"), homework, course)
    (course / "submitted").rename(course / "aside")
    take_in(handed_in("hw2", "first"), "hw2", course, roster=roster)
    shutil.copytree(course / "aside", course / "submitted", dirs_exist_ok=True)
    here = set(taken(course))
    take_in(handed_in(HOMEWORK, "second"), HOMEWORK, course)
    assert set(taken(course)) == here and set(taken(course).values()) == {"second"}


def test_what_is_gone_from_other_homeworks_is_not_asked_about(course, tmp_path):
    roster = tmp_path / "list.csv"
    people = {"Ann A": ("11", "a@u.edu"), "Bo B": ("12", "b@u.edu")}
    rows = [f"Participant {number},{name},{mail},,\n" for name, (number, mail) in people.items()]
    roster.write_text("Identifier,Full name,Email address,Grade,Feedback comments\n" + "".join(rows))
    shutil.copytree(course / "homeworks" / HOMEWORK, course / "homeworks" / "hw2")
    (course / "homeworks" / "hw2" / f"{HOMEWORK}.ipynb").rename(course / "homeworks" / "hw2" / "hw2.ipynb")
    for homework, shift in (("hw2", 0), (HOMEWORK, 10)):
        files = {
            f"{name}_{int(number) - 10 + shift}_assignsubmission_file_/{homework}.ipynb": work(name)
            for name, (number, _) in people.items()
        }
        source = zipped(files, tmp_path / f"{homework}.zip")
        found = take_in(source, homework, course, roster=roster if shift else None)
        if not shift:
            shutil.rmtree(course / "submitted")
    assert set(taken(course)) == {"a@u.edu", "b@u.edu"} and not found.warnings
