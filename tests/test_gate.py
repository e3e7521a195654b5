"""The gate: what of a student's file is let in."""

import base64
import json
import os
import struct
import time
from urllib.parse import quote

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from lmkit.grading import COURSE, definitions, gate, notebook_files
from lmkit.grading.markup import to_html
from lmkit.student import pasted
from lmkit.student.bindings import added, tree

HOMEWORK = "hw1_ngram"
RELEASE = nbformat.read(COURSE / "homeworks" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)


def submission(change=None):
    notebook = json.loads(nbformat.writes(RELEASE))
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "joint_probability":
            cell["source"] = "def joint_probability(factors):\n    return math.prod(factors)"
    if change:
        change(notebook)
    return json.dumps(notebook).encode()


def cell_of(notebook, grade_id):
    cells = notebook.cells if hasattr(notebook, "cells") else [nbformat.from_dict(c) for c in notebook["cells"]]
    (cell,) = [c for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id]
    return cell


def raw(notebook, grade_id):
    (cell,) = [c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id]
    return cell


def test_an_ordinary_file_passes_without_a_note():
    admitted = gate.admit(submission(), RELEASE)
    assert admitted.notes == []
    assert "math.prod" in cell_of(admitted.notebook, "joint_probability").source
    assert [c.id for c in admitted.notebook.cells] == [c.id for c in RELEASE.cells]
    nbformat.validate(admitted.notebook)


@pytest.mark.parametrize("homework", sorted(p.name for p in (COURSE / "solutions").glob("hw*")))
def test_another_homeworks_notebook_is_told_so_and_gets_no_silent_zero(homework):
    solved = nbformat.read(COURSE / "solutions" / homework / f"{homework}.ipynb", as_version=4)
    for folder in sorted((COURSE / "homeworks").glob("hw*")):
        release = nbformat.read(folder / f"{folder.name}.ipynb", as_version=4)
        if folder.name == homework:
            gate.admit(nbformat.writes(solved).encode(), release)
            continue
        with pytest.raises(notebook_files.NotLetIn, match="the notebook of another homework") as error:
            gate.admit(nbformat.writes(solved).encode(), release)
        assert error.value.kind == "malformed"


def test_answers_written_into_another_homeworks_notebook_count():
    other = json.loads(
        nbformat.writes(nbformat.read(COURSE / "homeworks/hw2_backprop/hw2_backprop.ipynb", as_version=4))
    )
    solved = nbformat.read(COURSE / "solutions" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    answers = [cell for cell in solved.cells if cell.cell_type == "code" and cell.metadata.nbgrader.solution]
    other["cells"] += [json.loads(json.dumps(new_code_cell(cell.source))) for cell in answers[:5]]
    admitted = gate.admit(json.dumps(other).encode(), RELEASE)
    assert cell_of(admitted.notebook, "events").source == cell_of(solved, "events").source
    empty = {"cells": [new_code_cell("x = 1")], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    gate.admit(json.dumps(empty).encode(), RELEASE)  # no id, no other homework: a human reads what is there


def test_tests_metadata_and_outputs_come_from_the_release():
    def forge(notebook):
        test = raw(notebook, "test_joint_probability")
        test["source"], test["metadata"]["tags"] = "80.0", ["skip-execution"]
        test["metadata"]["nbgrader"]["points"] = 1000
        test["outputs"] = [{"output_type": "execute_result", "data": {"text/plain": "80"}, "execution_count": 1}]
        raw(notebook, "setup")["source"] = "import math; math.isclose = lambda *a, **k: True"
        notebook["metadata"]["kernelspec"] = {"name": "evil", "display_name": "evil"}

    admitted = gate.admit(submission(forge), RELEASE)
    for name in ("test_joint_probability", "setup"):
        assert cell_of(admitted.notebook, name) == cell_of(RELEASE, name)
    assert admitted.notebook.metadata == RELEASE.metadata
    assert sorted(admitted.notes) == [
        "differs, taken as released: setup",
        "differs, taken as released: test_joint_probability",
    ]


def test_deleted_cells_come_back_and_own_cells_stay_where_they_were():
    def change(notebook):
        notebook["cells"] = [
            c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") != "test_events"
        ]
        where = [c["id"] for c in notebook["cells"]].index("log-probability")
        notebook["cells"].insert(
            where, {"cell_type": "code", "metadata": {}, "source": ["def helper():\n", "    pass"]}
        )

    admitted = gate.admit(submission(change), RELEASE)
    ids = [c.id for c in admitted.notebook.cells]
    assert ids.index("log-probability") == ids.index("part-1-2") + 2
    assert admitted.notebook.cells[ids.index("log-probability") - 1].source == "def helper():\n    pass"
    assert admitted.notes == ["missing, put back as released: test_events"]


@pytest.mark.parametrize("lost", ["metadata", "ids", "both"])
def test_answers_are_found_without_metadata_or_ids(lost):
    def strip(notebook):
        for i, cell in enumerate(notebook["cells"]):
            if lost in ("metadata", "both"):
                cell["metadata"] = {}
            if lost in ("ids", "both"):
                cell["id"] = f"x{i}"
            if cell["source"] and "YOUR ANSWER HERE" in "".join(cell["source"]):
                cell["source"] = "because of Jensen"

    admitted = gate.admit(submission(strip), RELEASE)
    assert "math.prod" in cell_of(admitted.notebook, "joint_probability").source
    written = [c for c in admitted.notebook.cells if c.cell_type == "markdown" and "nbgrader" in c.metadata]
    assert written and all(c.source == "because of Jensen" for c in written)


def test_the_last_copy_that_was_filled_in_counts():
    def copy_cells(notebook):
        cell = raw(notebook, "joint_probability")
        stub = cell_of(RELEASE, "joint_probability").source
        where = notebook["cells"].index(cell)
        earlier, untouched = (
            {**cell, "id": "a", "source": "def joint_probability(f):\n    return 0"},
            {
                **cell,
                "id": "b",
                "source": stub,
            },
        )
        notebook["cells"][where : where + 1] = [earlier, cell, untouched]

    admitted = gate.admit(submission(copy_cells), RELEASE)
    assert "math.prod" in cell_of(admitted.notebook, "joint_probability").source
    ids = [c.metadata.get("nbgrader", {}).get("grade_id") for c in admitted.notebook.cells]
    assert len([i for i in ids if i]) == len({i for i in ids if i})
    own = [c.source for c in admitted.notebook.cells[: ids.index("joint_probability")] if c.id.startswith("own")]
    assert any("return 0" in source for source in own)


def test_an_answer_typed_into_the_statement_is_kept():
    def write(notebook):
        next(c for c in notebook["cells"] if c["id"] == "part-8-3")["source"] += "\n\nMy answer: agreement."

    admitted = gate.admit(submission(write), RELEASE)
    assert any(c.id.startswith("own") and "My answer: agreement." in c.source for c in admitted.notebook.cells)


def test_text_is_cleaned_and_pictures_are_checked():
    def write(notebook):
        answer = raw(notebook, "open_question")
        answer["source"] = "a\x00b\ud800c\r\nd\x1b[31m"
        png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
        answer["attachments"] = {
            "derivation.png": {"image/png": png},
            "x.svg": {"image/svg+xml": "<svg onload=alert(1)>"},
            "y.png": {"image/png": "PHNjcmlwdD4="},
        }

    cell = cell_of(gate.admit(submission(write), RELEASE).notebook, "open_question")
    assert cell.source == "a�b?c\nd�[31m"
    assert list(cell.attachments) == ["derivation.png"]
    json.dumps(cell).encode()


PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


def picture(mime, width, height):
    """The beginning of a picture of a certain size, as base64."""
    if mime == "image/png":
        head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height)
    else:  # a part for a program, then the frame
        head = b"\xff\xd8\xff\xe1\0\x04ab\xff\xc2\0\x11\x08" + struct.pack(">HH", height, width)
    return base64.b64encode(head + bytes(20)).decode()


def test_a_picture_that_stands_in_the_text_as_in_colab_is_kept_whole():
    large = base64.b64encode(base64.b64decode(PNG) + bytes(900_000)).decode()

    def write(notebook):
        answer = raw(notebook, "open_question")
        answer["source"] = f"mine: ![a](data:image/png;base64,{large}) and ![b](data:image/png;base64,{PNG}) so."
        answer["attachments"] = {"pasted-3": {"image/png": PNG}}

    admitted = gate.admit(submission(write), RELEASE)
    cell = cell_of(admitted.notebook, "open_question")
    assert cell.source == "mine: ![a](attachment:pasted-2) and ![b](attachment:pasted-4) so." and admitted.notes == []
    assert cell.attachments == {
        n: {"image/png": p} for n, p in (("pasted-3", PNG), ("pasted-2", large), ("pasted-4", PNG))
    }
    nbformat.validate(admitted.notebook)


@pytest.mark.parametrize(
    ("address", "mime", "data", "why"),
    [
        ("attachment:a", "image/png", picture("image/png", 12_000, 8000), ""),
        ("attachment:a", "image/jpeg", picture("image/jpeg", 12_000, 8000), ""),
        ("attachment:a", "image/png", picture("image/png", 60_000, 60_000), "60000 times 60000 pixels"),
        ("attachment:a", "image/jpeg", picture("image/jpeg", 60_000, 60_000), "60000 times 60000 pixels"),
        ("attachment:a", "image/png", "iVBORw0KGgoA" + "A" * 8_000_000, "6.0 MB"),
        ("attachment:a", "image/heic", "AAAA", "type image/heic"),
        ("attachment:a", "image/jpeg", "AAAA", "no JPEG"),
        ("attachment:a", "image/jpeg", PNG, ""),
        ("attachment:a", "image/jpg", picture("image/jpeg", 9, 9), ""),
        ("attachment:b", "image/png", PNG, "not in the notebook"),
        ("photo.jpg", "image/png", PNG, "paste it into the cell"),
        ("https://example.org/a.png", "image/png", PNG, "on the web"),
    ],
)
def test_a_picture_that_nobody_will_see_is_said(address, mime, data, why):
    def write(notebook):
        answer = raw(notebook, "derivation")
        answer["source"] = f"See ![my derivation]({address}), and `![code](b.png)` in code."
        answer["attachments"] = {"a": {mime: data}}

    admitted = gate.admit(submission(write), RELEASE)
    kept = cell_of(admitted.notebook, "derivation").get("attachments")
    assert bool(kept) == (not why or address != "attachment:a")
    said = [note for note in admitted.notes if note.startswith("a picture that is not shown: derivation, ")]
    assert len(said) == len(admitted.notes) == bool(why) and all(why in note for note in said)


LONG = "导" * 15 + "a" * 200 + "b.png"  # 250 bytes; 340 characters where it is an address


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("![x](attachment:IMG%20(1).png)", None),
        ("![x](attachment:IMG%20(1).png 'a title')", None),
        ("![x](attachment:IMG%20(1).png (a title))", None),
        ("<img alt='x' src='attachment:IMG (1).png' width=300>", None),
        ("<img src='attachment:IMG (1).png' src='b.png'>", None),
        ("![IMG [1]][photo]\n\n[Photo]: <attachment:IMG%20(1).png> 'a title'", None),
        ("``![x](b.png)``", None),
        ("````\n```\n![x](b.png)\n````", None),
        (r"\![x](b.png)", None),
        ("$n!$ is [large](b.png), see [1] and ![2]", None),
        ("![x](attachment:IMG%20(1).png =400x)", "IMG (1).png: its brackets hold more than an address"),
        ("![x](attachment:IMG (1).png)", "IMG: its brackets hold more than an address"),
        ("![IMG [1]](attachment:b.png)", "b.png: it is not in the notebook"),
        ("![" + "long " * 50 + "](b.png)", "b.png: it is a file beside the notebook"),
        ("![x][photo]\n\n[photo]: b.png", "b.png: it is a file beside the notebook"),
        ("![photo]\n\n[photo]: attachment:b.png", "b.png: it is not in the notebook"),
        ("```x = 1```\n\n![x](b.png)", "b.png: it is a file beside the notebook"),
        ("![x](data:image/svg+xml;utf8,<svg></svg>)", "data:image/svg+xml;utf8,<svg></svg>: it is no PNG or JPEG"),
        (f"![x](data:image/PNG;charset=utf-8;base64,{PNG})", None),
        (f"<img src='data:image/png;base64,{PNG[:40]}\n  {PNG[40:]}\n'> It's mine", None),  # lines, as base64 writes
        (f"<img src=data:image/png;base64,{PNG} alt='x'>", None),
        (f"![x](attachment:{LONG})", None),
        (f"![x](attachment:{quote(LONG)})", None),
        (f"![x](attachment:{quote('b' + LONG)})", f"{('b' + LONG)[:60]}: it is not in the notebook"),
    ],
)
def test_a_picture_is_shown_or_said_and_never_both(text, said):
    def write(notebook):
        answer = raw(notebook, "derivation")
        answer["source"] = f"So:\n\n{text}"
        answer["attachments"] = {"IMG (1).png": {"image/png": PNG, "text/plain": "a photo"}, LONG: {"image/png": PNG}}

    admitted = gate.admit(submission(write), RELEASE)
    cell = cell_of(admitted.notebook, "derivation")
    assert admitted.notes == [] if said is None else f"derivation, {said}" in admitted.notes[0]
    shown = to_html(cell.source, cell.attachments).count("<img ")
    assert not (said and shown) and (said or shown or "attachment:" not in cell.source)


def test_a_picture_that_is_named_a_thousand_times_is_looked_at_once(monkeypatch):
    looked = []
    monkeypatch.setattr(pasted, "why_not", lambda picture: looked.append(picture) or "")
    assert pasted.not_shown("![](attachment:a)" * 1000, {"a": {"image/png": PNG}}) == [] and len(looked) == 1


def test_looking_for_pictures_takes_no_square_of_the_length():
    texts = (
        "![" * 200_000,
        "<img " * 100_000,
        "```\n" * 100_000,
        "`" * 400_001,
        "data:image/png;base64" * 20_000,
        "![x](" * 90_000,
        "![" + "[x]" * 160_000,
        "![x](" + "(x)" * 160_000,
        "<img src='" * 50_000,
        "` `` " * 100_000,
        "[x]:\n" * 100_000,
    )
    began = time.process_time()
    for text in texts:
        gate.admit(submission(lambda notebook, text=text: raw(notebook, "open_question").update(source=text)), RELEASE)
    assert time.process_time() - began < 30  # quadratic it would be hours


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"   ",
        b"%PDF-1.7 not a notebook",
        b'{"cells": [',
        b"[1, 2]",
        b'{"cells": 3}',
        b'{"worksheets": []}',
        b"[" * 200_000,
        b'{"cells": ' * 50_000,
        b"\xff\xfe\x00",
        b'"' + b'\\"' * 1_000_000,
    ],
)
def test_what_is_no_notebook_is_malformed_with_a_sentence(content):
    with pytest.raises(notebook_files.NotLetIn) as caught:
        gate.admit(content, RELEASE)
    assert caught.value.kind == "malformed" and str(caught.value)[0].isupper()


@pytest.mark.parametrize(
    "cell",
    [
        None,
        [],
        {"source": None, "metadata": None},
        {"source": [1, 2], "metadata": {"nbgrader": "x"}, "cell_type": 5},
        {"source": "x", "metadata": {"nbgrader": {"grade_id": ["a"]}}, "id": {}, "cell_type": "code"},
        {"source": "x" * 10**6, "cell_type": "code", "outputs": 10**400, "execution_count": -(10**400)},
    ],
)
def test_odd_cells_harm_nobody(cell):
    def add(notebook):
        notebook["cells"].insert(3, cell)

    admitted = gate.admit(submission(add).replace(b"-1" + b"0" * 400, b"-1" + b"0" * 5000), RELEASE)
    assert "math.prod" in cell_of(admitted.notebook, "joint_probability").source
    nbformat.validate(admitted.notebook)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_other_encodings_of_unicode_are_read(encoding):
    text = submission().decode()
    assert "math.prod" in cell_of(gate.admit(text.encode(encoding), RELEASE).notebook, "joint_probability").source


@pytest.mark.parametrize(
    "student", ["", "a/b", "..", "a..b", ".x", "[abc]", "a*", "new\nline", "a b", "ü", "x" * 101, "-r"]
)
def test_odd_student_ids_are_refused(student):
    with pytest.raises(ValueError, match="student: got"):
        notebook_files.check_student_id(student)


def test_links_pipes_and_large_files_are_refused(tmp_path):
    secret = tmp_path / "solution.ipynb"
    secret.write_bytes(submission())
    (tmp_path / "link.ipynb").symlink_to(secret)
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    for name, size in (("large", notebook_files.LARGEST_FILE), ("huge", notebook_files.LARGEST_READ)):
        with open(tmp_path / f"{name}.ipynb", "wb") as file:
            file.truncate(size + 1)
    for name in ("link", "pipe", "folder", "large", "huge"):
        with pytest.raises(notebook_files.NotLetIn) as caught:
            notebook_files.read_file(tmp_path / f"{name}.ipynb")
        assert caught.value.kind == "refused", name


def test_outputs_do_not_make_a_file_too_large():
    def print_much(notebook):
        raw(notebook, "setup")["outputs"] = [{"output_type": "stream", "text": "x" * notebook_files.LARGEST_FILE}]

    content = submission(print_much)
    assert len(content) > notebook_files.LARGEST_FILE > 10 * len(notebook_files.slimmed(content))
    assert gate.admit(notebook_files.slimmed(content), RELEASE) == gate.admit(content, RELEASE)
    cells = b'{"cells": [' + b"{}," * (notebook_files.LARGEST_FILE // 3) + b"{}]}"
    assert notebook_files.slimmed(cells) == cells  # too many to be read: nothing is built of them


def test_a_second_name_on_the_disk_is_a_note(tmp_path):
    """A link to a classmate's file would otherwise refuse the classmate, too."""
    for student in ("owner", "other"):
        (tmp_path / student / HOMEWORK).mkdir(parents=True)
    (tmp_path / "owner" / HOMEWORK / f"{HOMEWORK}.ipynb").write_bytes(submission())
    os.link(tmp_path / "owner" / HOMEWORK / f"{HOMEWORK}.ipynb", tmp_path / "other" / HOMEWORK / f"{HOMEWORK}.ipynb")
    for student in ("owner", "other"):
        path, notes = notebook_files.find_notebook(tmp_path / student / HOMEWORK, HOMEWORK)
        assert notebook_files.read_file(path) == submission() and "hard link" in notes[0]


def test_a_folder_is_no_notebook_and_what_came_instead_is_said(tmp_path):
    folder = tmp_path / "alice" / HOMEWORK
    (folder / f"{HOMEWORK}.ipynb").mkdir(parents=True)
    (folder / "essay.pdf").write_bytes(b"%PDF")
    with pytest.raises(notebook_files.NotLetIn, match="got 'essay.pdf', 'hw1_ngram.ipynb', a folder."):
        notebook_files.find_notebook(folder, HOMEWORK)
    (folder / f"{HOMEWORK}.ipynb.txt").write_bytes(submission())
    path, notes = notebook_files.find_notebook(folder, HOMEWORK)
    assert path.name == f"{HOMEWORK}.ipynb.txt" and "left out: 'hw1_ngram.ipynb'" in notes


def test_two_answers_in_one_cell_and_the_second_cell_deleted():
    def merge(notebook):
        raw(notebook, "joint_probability")["source"] += "\n\ndef log_probability(factors):\n    return 0"
        notebook["cells"].remove(raw(notebook, "log_probability"))
        notebook["cells"].remove(raw(notebook, "events"))

    admitted = gate.admit(submission(merge), RELEASE)
    assert cell_of(admitted.notebook, "log_probability").source == ""
    assert cell_of(admitted.notebook, "events").source == cell_of(RELEASE, "events").source
    assert admitted.notes == [
        "missing, answered in another cell: log_probability",
        "missing, put back as released: events",
    ]


def test_an_answer_by_assignment_in_another_cell_is_an_answer():
    def merge(notebook):
        raw(notebook, "joint_probability")["source"] += "\n\nlog_probability = lambda factors: 0"
        notebook["cells"].remove(raw(notebook, "log_probability"))

    admitted = gate.admit(submission(merge), RELEASE)
    assert cell_of(admitted.notebook, "log_probability").source == ""
    assert admitted.notes == ["missing, answered in another cell: log_probability"]


def test_without_ids_an_assignment_is_an_answer_and_a_function_counts_before_it():
    def strip(notebook):
        raw(notebook, "perplexity")["source"] = "perplexity = lambda log_probs: 2"
        raw(notebook, "events")["source"] = "mle = 3\ndef events(sentence, n):\n    return []"
        raw(notebook, "mle")["source"] = "def mle(counts, context, word):\n    return 1"
        for i, cell in enumerate(notebook["cells"]):
            cell["metadata"], cell["id"] = {}, f"x{i}"

    admitted = gate.admit(submission(strip), RELEASE)
    assert cell_of(admitted.notebook, "perplexity").source == "perplexity = lambda log_probs: 2"
    assert "return 1" in cell_of(admitted.notebook, "mle").source
    assert "def events" in cell_of(admitted.notebook, "events").source


def test_a_variable_with_the_name_of_a_missing_answer_stays_where_it_stands():
    """It may use what is defined above it, and what stands below may use what its cell defines."""
    helper = "def helper():\n    pass\nfor log_probability in [perplexity]:\n    print(log_probability)"

    def change(notebook):
        notebook["cells"].remove(raw(notebook, "log_probability"))
        raw(notebook, "perplexity")["source"] = "def perplexity(log_probs):\n    return 2"
        at = notebook["cells"].index(raw(notebook, "test_perplexity")) + 1
        notebook["cells"].insert(at, {"cell_type": "code", "metadata": {}, "source": helper})

    cells = gate.admit(submission(change), RELEASE).notebook.cells
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") or cell.source for cell in cells]
    assert names.index(helper) == names.index("test_perplexity") + 1


def test_imports_added_to_the_setup_are_kept():
    def add(notebook):
        raw(notebook, "setup")["source"] = "import operator\n" + "".join(raw(notebook, "setup")["source"]) + "\nBOS = 3"

    admitted = gate.admit(submission(add), RELEASE)
    where = [c.id for c in admitted.notebook.cells].index("setup")
    assert admitted.notebook.cells[where] == RELEASE.cells[where]
    assert admitted.notebook.cells[where + 1].source == "import operator" and len(admitted.notes) == 2


def test_definitions_added_to_locked_cells_are_kept():
    """Answer and test merged into one cell; a helper in the setup and in a copy of it."""

    def add(notebook):
        answer, test = raw(notebook, "joint_probability"), raw(notebook, "test_joint_probability")
        test["source"] = "def joint_probability(factors):\n    return half(1)\n\n" + "".join(test["source"])
        notebook["cells"].remove(answer)
        setup = raw(notebook, "setup")
        copy = {**setup, "source": "def half(x):\n    return x / two\n\n\nBOS = 3\nprint(BOS)\nBOS.x = 4"}
        setup["source"] = "".join(setup["source"]) + "\ntwo = 2"
        notebook["cells"].insert(notebook["cells"].index(setup) + 1, copy)

    admitted = gate.admit(submission(add), RELEASE)
    ids = [c.id for c in admitted.notebook.cells]
    at = ids.index(cell_of(RELEASE, "test_joint_probability").id)
    assert admitted.notebook.cells[at - 1].source == "def joint_probability(factors):\n    return half(1)"
    assert cell_of(admitted.notebook, "joint_probability").source == ""
    assert [c.source for c in admitted.notebook.cells[ids.index("setup") + 1 :][:2]] in (
        ["two = 2", "def half(x):\n    return x / two"],
        ["def half(x):\n    return x / two", "two = 2"],
    )
    assert admitted.notes.count("imports or definitions added to setup: kept in cells of their own") == 2
    assert "missing, answered in another cell: joint_probability" in admitted.notes
    for name in ("test_joint_probability", "setup"):
        assert cell_of(admitted.notebook, name) == cell_of(RELEASE, name)


@pytest.mark.parametrize(
    ("extra", "kept"),
    [
        (
            "def vocabulary(x):\n    return 'first try'\nsum = 0\nK = 0",
            "",
        ),  # what answers above define, and Python itself
        ("x = f\"{'\u00a0|'.join('ab')}\"\ny: int = 4\nz = " + "1 + " * 900 + "1", "y: int = 4"),
        ("if True:\n    !pip install regex\n    a = 1\nimport operator\nb = min(1, 2)", "import operator"),
        ("J, m = 1, 2\nEX: int = 3\nfrom os import *\nJ = 4\nm = 5\nEX = 6\nQ = 7", "Q = 7"),
        ("EOS = '</s>'\nimport torch as np\nFIRST: int = 0\nLAST = (-1, 2)", "LAST = (-1, 2)"),
        ('text = """\n%d apples\n!important\n"""', r"text = '\n%d apples\n!important\n'"),
    ],
)
def test_scratch_code_below_a_test_is_not_taken(extra, kept):
    def add(notebook):
        raw(notebook, "vocabulary")["source"] = (
            "%matplotlib inline\nFIRST: dict = {}\nimport math as m\nK = {1: 2}\nJ, (EX, L) = 1, (2, 3)\n"
            "def vocabulary(x):\n    return K"
        )
        test = raw(notebook, "test_vocabulary")
        test["source"] = "".join(test["source"]) + "\n" + extra

    admitted = gate.admit(submission(add), RELEASE)
    own = [cell.source for cell in admitted.notebook.cells if cell.id.startswith("own-")]
    assert own == ([kept] if kept else [])


def test_copies_of_locked_cells_are_read_up_to_a_length(monkeypatch):
    read = []
    monkeypatch.setattr(gate, "added", lambda given, source, *rest: read.append(source) or "")
    monkeypatch.setattr(gate, "MOST_PARSED", 100_000)

    def copy(notebook):
        setup = raw(notebook, "setup")
        notebook["cells"] += [{**setup, "source": f"x{i} = 1\n" * 4000} for i in range(9)]

    gate.admit(submission(copy), RELEASE)
    assert 0 < sum(map(len, read)) < 100_000


def test_a_magic_of_the_given_cell_is_nothing_added():
    given = "%matplotlib inline\nimport math\ndata = [1]"
    assert added(given, given, False) == [] and added(given, f"{given}\n!ls\nx = 1", False) == ["x = 1"]
    ours = "files = !ls\nd['x'] = !ls\na.b = %time 3\n(a, b) = !ls\n%autoreload 2\n!pip install a \\\n    b\nCounter?\nx[0]?"
    for extra in ("t = {}\nt['end'] = data", "t = []\nt.append('\\n!hi\\n%d')", "if math:\n    t = 1"):
        cells = added(given, f"{given}\n{extra}\n{ours}\nprint(data)\ndata.append(2)", False)
        assert "\n".join(cells) == extra
    shell = "\n".join(["!pip install a==1.0rc1"] * 7)
    assert added(given, f"{given}\n{shell}\nt = 1", False) == ["t = 1"]
    text = 't = """\n!hi\n%d\n"""'
    assert added(given, f"{given}\n{text}\nt[0] = 3", False) == ["t = '\\n!hi\\n%d\\n'\nt[0] = 3"]


def test_what_uses_added_names_is_kept_and_ends_a_cell():
    """One that fails, such as a folder that is not there, costs none of those below it; what changes the given is not kept."""
    given = "import os, bisect\ndata = [1]"
    extra = "m = []\ndef fill(x):\n    x.append(2)\nfill(m)\nHERE = '/content'\nos.chdir(HERE)\nbisect.insort(m, 1)\n"
    extra += "x = len(m)\nK = 3"
    lost = "data.append(m)\nprint(data)\nos.getcwd()\ndata = 5"
    assert added(given, f"{given}\n{lost}\n{extra}", False) == [
        "m = []\n\ndef fill(x):\n    x.append(2)\nfill(m)".replace("\n\n", "\n"),
        "HERE = '/content'\nos.chdir(HERE)",
        "bisect.insort(m, 1)",
        "x = len(m)",
        "K = 3",
    ]
    classes = "class Cfg:\n    path = os.environ['DATA']\ndef pad(s, n=len(os.sep)):\n    return s\n"
    classes += "def tokenize(s):\n    return s.split()"
    assert len(added(given, f"{given}\n{classes}", False)) == 3  # each of the first two may fail
    typed = "def f(x: Table): pass\nasync def g() -> Table: pass\ny: Table = 1\na, b = 1\n[*c] = 1, 2\ndef h(x): pass\nZ = 1"
    assert [cell.count("\n") for cell in added(given, f"{given}\n{typed}", False)] == [1, 1, 0, 0, 0, 2]
    many = added(given, given + "\n" + "\n".join(f"a{i} = len('b')" for i in range(200)), False)
    assert len(many) == 50 and "".join(many).count("len") == 200


def test_a_dotted_name_without_an_end_is_not_read():
    """Python's parser would need hundreds of megabytes for it."""
    for source in ("import a" + ".a" * 20_000, "x = 1\nfrom a" + " .\\\n a" * 5000 + " import b"):
        assert tree(source) is None
    numbers = '"""[1. 0. 0.\n' + " 1. 0. 2.\n" * 200 + '"""'
    assert all(map(tree, ("x = a" + ".a" * 150, "x" * 50_000, "x = " + "1.5, " * 9000, numbers)))


@pytest.mark.parametrize("kind", ["raw", "markdown"])
def test_an_old_attempt_turned_into_text_is_no_answer(kind):
    def copy(notebook, only=False):
        cell = raw(notebook, "mle")
        cell["source"] = "def mle(*a):\n    return 'new'"
        old = {**cell, "cell_type": kind, "source": "def mle(*a):\n    return 'old'"}
        at = notebook["cells"].index(cell)
        notebook["cells"][at : at + 1] = [old] if only else [cell, old]

    admitted = gate.admit(submission(copy), RELEASE)
    assert "'new'" in cell_of(admitted.notebook, "mle").source and admitted.notes == []
    assert (kind == "markdown") == any("'old'" in cell.source for cell in admitted.notebook.cells)
    admitted = gate.admit(submission(lambda notebook: copy(notebook, True)), RELEASE)
    assert "'old'" in cell_of(admitted.notebook, "mle").source  # better than nothing


def test_code_copied_from_a_written_answer_is_no_answer():
    def copy(notebook):
        cell = raw(notebook, "derivation")
        cell["source"] = "because"
        code = {**cell, "cell_type": "code", "source": "print(1)", "outputs": [], "execution_count": None}
        notebook["cells"].insert(notebook["cells"].index(cell) + 1, code)

    admitted = gate.admit(submission(copy), RELEASE)
    assert cell_of(admitted.notebook, "derivation").source == "because" and admitted.notes == []
    assert [cell.source for cell in admitted.notebook.cells].count("print(1)") == 1


def test_the_notebook_is_found_under_odd_names(tmp_path):
    folder = tmp_path / "alice" / HOMEWORK
    folder.mkdir(parents=True)
    with pytest.raises(notebook_files.NotLetIn, match="No notebook was handed in"):
        notebook_files.find_notebook(folder, HOMEWORK)
    (folder / "my\nhomework.ipynb").write_bytes(submission())
    assert notebook_files.find_notebook(folder, HOMEWORK)[0].name == "my\nhomework.ipynb"
    (folder / "hw1_ngram (1).ipynb").write_bytes(submission())
    (folder / "numpy.py").write_text("print('shadow')")
    path, notes = notebook_files.find_notebook(folder, HOMEWORK)
    assert path.name == "hw1_ngram (1).ipynb"
    assert any("numpy.py" in note for note in notes) and any("hw1_ngram (1)" in note for note in notes)
    (folder / f"{HOMEWORK}.ipynb").write_bytes(submission())
    path, notes = notebook_files.find_notebook(folder, HOMEWORK)
    assert path.name == f"{HOMEWORK}.ipynb"
    others = r"'hw1_ngram (1).ipynb', 'my\nhomework.ipynb'"  # one of them may be the newer one
    assert f"beside 'hw1_ngram.ipynb' and not graded: {others}" in notes


def test_many_cells_are_refused():
    def add(notebook):
        notebook["cells"] += [dict(new_code_cell("1")), dict(new_markdown_cell("x"))] * notebook_files.MOST_CELLS

    with pytest.raises(notebook_files.NotLetIn, match="at most"):
        gate.admit(submission(add), RELEASE)


def test_no_cell_is_parsed_twice_and_very_long_ones_not_at_all(monkeypatch):
    """The parser takes seconds for half a million characters, and the gate asks for every cell and every answer."""
    parsed = []
    real = definitions.ast.parse
    monkeypatch.setattr(definitions.ast, "parse", lambda source, *rest: parsed.append(source) or real(source, *rest))
    monkeypatch.setattr(definitions, "LONGEST_PARSED", 4000)
    monkeypatch.setattr(definitions, "MOST_PARSED", 90_000)
    filler = [f"a<b\n{i}\n" * 500 for i in range(40)]
    long = "def joint_probability(factors):\n    return 1\n" + "a<b\n" * definitions.LONGEST_PARSED

    def change(notebook):
        kept = [c for c in notebook["cells"] if not c["metadata"].get("nbgrader", {}).get("solution")]
        notebook["cells"] = [*kept, *(dict(new_code_cell(source)) for source in (*filler, long))]
        for i, cell in enumerate(notebook["cells"]):
            cell["id"], cell["metadata"] = f"x{i}", {}

    admitted = gate.admit(submission(change), RELEASE)
    theirs = [source for source in parsed if source not in {cell.source for cell in RELEASE.cells}]
    assert len(theirs) == len(set(theirs)) and 10_000 < sum(map(len, theirs)) < 90_000
    assert cell_of(admitted.notebook, "joint_probability").source == long
    assert "found without its id: joint_probability" in admitted.notes


def test_what_was_added_to_copies_of_locked_cells_stays_in_its_place():
    def add(notebook):
        setup, test = raw(notebook, "setup"), raw(notebook, "test_joint_probability")
        at = notebook["cells"].index(raw(notebook, "mle"))
        own = dict(new_code_cell("def tokens(s):\n    return s"))
        copies = [{**setup, "source": "N = len(tokens(COWS))"}, {**test, "source": "MINE = 3"}]
        notebook["cells"][at:at] = [own, *copies]

    cells = gate.admit(submission(add), RELEASE).notebook.cells
    at = [cell.source for cell in cells].index("def tokens(s):\n    return s")
    assert [cell.source for cell in cells[at + 1 : at + 3]] == ["N = len(tokens(COWS))", "MINE = 3"]


def test_what_is_kept_of_a_locked_cell_grows_no_larger_than_the_cell():
    nested = "\n".join(" " * i + "if 1:" for i in range(99)) + "\n" + " " * 99 + ";".join(["a=1"] * 10_000)

    def add(notebook):
        raw(notebook, "setup")["source"] = nested

    assert len(json.dumps(gate.admit(submission(add), RELEASE).notebook)) < 1_000_000
