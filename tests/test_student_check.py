"""What `lmkit check` tells a student, on a small homework and everything that may have happened to it."""

import copy
import json
import math
import random
import subprocess
import sys

import pytest
from nbformat import reads
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes

from lmkit.grading import gate, notebook_files
from lmkit.student import check as checking
from lmkit.student import cli, newer, notebooks
from lmkit.student.check import FAILED, NOT_REACHED, PART, PASSED, TO_DO, check
from lmkit.student.notebooks import REPOSITORY as HOMEWORKS
from lmkit.student.notebooks import read, released

LONG = (
    "this message is longer than a line of a terminal, because it explains what a student did and what to do instead: "
    * 3
)


def cell(name, source, **about):
    metadata = {"grade_id": name, "schema_version": 3, "grade": False, "solution": False, "locked": True} | about
    made = new_markdown_cell if about.get("text") else new_code_cell
    metadata.pop("text", None)
    return made(source, metadata={"nbgrader": metadata}, id=f"id-{name}")


def homework():
    """Two tasks and a written part; cells by name, in order."""
    stub = "def {0}(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    cells = [
        new_markdown_cell(
            "# Homework\n\n## Part 1 · Numbers\n\n### 1.1 Double (5 points)\n\n```\n# no heading\n```", id="text"
        ),
        cell("setup", "import math\n\nimport numpy as np\n\nLIMIT = 3"),
        cell("double", stub.format("double"), solution=True, locked=False),
        cell("test_double", f"assert double(2) == 4, {LONG!r}", grade=True, points=5),
        new_markdown_cell("### 1.2 Half (3 points)", id="text-2"),
        cell("half", stub.format("half"), solution=True, locked=False),
        cell(
            "test_half",
            "assert half(4) == sum([1, 1]) < LIMIT, f'half of 4 is 2, yours is {half(4)}'",
            grade=True,
            points=3,
        ),
        new_markdown_cell("## Part 2 · Why? (8 points, read by a human)", id="text-3"),
        cell("why", "YOUR ANSWER HERE", solution=True, grade=True, points=8, locked=False, text=True),
    ]
    return {c.id.removeprefix("id-"): c for c in cells}


DOUBLE, HALF = "def double(x):\n    return 2 * x", "def half(x):\n    return double(x) / 4"


@pytest.fixture
def checked(tmp_path):
    """A function that changes a copy of the homework, checks it and returns the report."""

    def run(change=lambda cells: None, may_import=("numpy", "lmkit.corpora"), **options):
        def write(cells, path):
            path.parent.mkdir(parents=True, exist_ok=True)
            metadata = {"lmkit": {"may_import": list(may_import)}}
            path.write_text(writes(new_notebook(cells=list(cells.values()), metadata=metadata)), encoding="utf-8")

        write(homework(), tmp_path / "homeworks" / "hw" / "hw.ipynb")
        mine = homework()
        change(mine)
        write(mine, tmp_path / "mine.ipynb")
        return check(tmp_path / "mine.ipynb", known=released(tmp_path / "homeworks"), **options)

    return run


def answers(**sources):
    def change(cells):
        for name, source in sources.items():
            cells[name].source = source

    return change


def states(report):
    return [test.state for test in report.tests]


def test_nothing_is_done_yet(checked):
    report = checked()
    assert states(report) == [TO_DO, TO_DO] and not report.passed and report.remarks == []
    assert [(t.title, t.points, t.message) for t in report.tests] == [("1.1 Double", 5, ""), ("1.2 Half", 3, "")]
    assert [(w.name, w.title, w.points, w.words) for w in report.written] == [("why", "2 · Why?", 8, 0)]


def test_passed_and_failed_with_the_whole_message_and_the_line(checked):
    report = checked(
        answers(double="def double(x):\n    return 3 * x", half="def half(x):\n    return x // 0", why="so it is")
    )
    assert states(report) == [FAILED, FAILED] and report.written[0].words == 3
    assert report.tests[0].message == LONG
    assert "ZeroDivisionError" in report.tests[1].message and report.tests[1].line == 2
    text = "\n".join(cli.table(report))
    assert " ".join(LONG.split()) in " ".join(text.split()) and max(map(len, text.splitlines())) <= 120
    assert "0 of 2 visible tests passed" in text and "0 of 8 points" in text and "Hidden tests" in text


def test_everything_passes(checked):
    report = checked(answers(double=DOUBLE, half=HALF))
    assert report.passed and states(report) == [PASSED, PASSED]
    assert "2 of 2 visible tests passed; they stand for 8 of 8 points" in "\n".join(cli.table(report))


def test_partial_credit_is_said(checked, tmp_path):
    def change(cells):
        cells["double"].source = DOUBLE

    checked(change)
    path = tmp_path / "homeworks" / "hw" / "hw.ipynb"
    path.write_text(
        path.read_text(encoding="utf-8").replace("assert half(4) == sum([1, 1]) < LIMIT, ", "2.0 #"), encoding="utf-8"
    )
    mine = tmp_path / "mine.ipynb"
    mine.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    report = check(mine, known=released(tmp_path / "homeworks"))
    assert report.tests[1].state == PART and report.tests[1].message == "2 of 3 points"


def test_a_syntax_error_is_said_once_and_where(checked):
    report = checked(answers(double="def double(x:\n    return 2 * x", half="def half(x):\n    return x / 2"))
    assert states(report) == [NOT_REACHED, PASSED]
    assert "SyntaxError" in report.tests[0].message and "line 1 of double" in report.tests[0].message


@pytest.mark.parametrize("line", ["%%skip", "%%skip too slow", "%%timeit", "%%bash", "%%!"])
def test_an_answer_below_a_magic_that_defines_nothing_is_told_so(checked, line):
    report = checked(answers(double=f"{line}\n{DOUBLE}", half="def half(x):\n    return x / 2"))
    assert states(report) == [NOT_REACHED, PASSED]
    magic = line.split()[0]
    assert report.tests[0].message == f"its cell begins with {magic}, which defines nothing; take that line away"
    report = checked(answers(double=f"%%time\n{DOUBLE}", half=f"{HALF}\n{DOUBLE}"))
    assert report.passed


def test_an_old_attempt_that_is_skipped_hides_no_error_of_the_new_one(checked):
    def change(cells):
        answers(double=f"%%skip\n{DOUBLE}", half="%%Bash\ndef half(x):\n    return x + [1]")(cells)
        last = {name: cells.pop(name) for name in [*cells][list(cells).index("test_double") :]}
        cells["own"] = new_code_cell("def double(x):\n    return x + [2]")
        cells.update(last)

    report = checked(change)  # a magic that is not here, %%Bash, is left out: what is below it runs
    assert states(report) == [FAILED, FAILED]
    assert all(test.message.startswith("TypeError: unsupported operand") for test in report.tests)


def test_an_answer_that_prints_an_error_below_its_function_is_tested_all_the_same(checked):
    report = checked(answers(double=DOUBLE + "\n\nprint(undefined)", half=HALF))
    assert report.passed


@pytest.mark.slow
def test_an_endless_loop_costs_its_own_task(checked):
    report = checked(
        answers(double="def double(x):\n    while True:\n        pass", half="def half(x):\n    return x / 2"),
        seconds=3,
    )
    assert states(report) == [FAILED, PASSED] and "did not finish within 3 seconds" in report.tests[0].message
    report = checked(answers(double="while True:\n    pass", half="def half(x):\n    return x / 2"), seconds=3)
    assert states(report) == [NOT_REACHED, PASSED] and "loop without an end" in report.tests[0].message


@pytest.mark.slow
@pytest.mark.parametrize(
    "source", ["import os\nos._exit(1)", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"]
)
def test_a_crash_is_a_sentence_and_later_tasks_are_tested(checked, source):
    report = checked(answers(double=source, half="def half(x):\n    return x / 2"))
    assert states(report) == [NOT_REACHED, PASSED] and "ended the process" in report.tests[0].message


def test_given_cells_and_tests_are_the_released_ones(checked):
    report = checked(answers(setup="import numpy as math", test_double="pass", double="def double(x):\n    return 5"))
    assert states(report) == [FAILED, TO_DO]
    assert len(report.remarks) == 2 and all("as in grading" in remark for remark in report.remarks)


def test_what_is_missing_is_put_back_and_said(checked):
    def change(cells):
        answers(double=DOUBLE, half=HALF)(cells)
        del cells["test_double"], cells["setup"], cells["half"]

    report = checked(change)
    assert states(report) == [PASSED, TO_DO]
    assert [remark.split()[0] for remark in report.remarks] == ["setup", "test_double", "half"]


def test_an_answer_without_its_name_is_found(checked):
    def change(cells):
        answers(double=DOUBLE, half=HALF)(cells)
        cells["double"].metadata.clear()
        cells["double"].id = "new"

    report = checked(change)
    assert report.passed and "double was found" in report.remarks[0]


def test_a_picture_that_whoever_reads_will_not_see_is_said(checked):
    def change(cells):
        cells["why"].source = "![a](photo.heic) ![b](attachment:b.png)"
        cells["why"].attachments = {"b.png": {"image/png": "AAAA"}}

    remarks = checked(change).remarks
    for remark, why in zip(
        remarks, ("photo.heic: it is a file beside the notebook", "b.png: it is no PNG"), strict=True
    ):
        assert remark.startswith(f"why: whoever reads it will not see the picture {why}")


def test_a_copied_answer_is_said(checked):
    def change(cells):
        answers(double=DOUBLE, half=HALF)(cells)
        copy = homework()["half"]
        copy.id, copy.source = "copy", "def half(x):\n    return x / 2"
        cells["copy"] = copy

    report = checked(change)
    assert report.passed and "more than once" in report.remarks[0]


def copied(cells, kind, name="half"):
    copy = homework()[name]
    copy.id = "copy"
    copy.source = {
        "empty": copy.source,
        "wrong": "def half(x):\n    return 7",
        "right": HALF,
        "text": "def half(x):\n    return 8",
    }[kind]
    if kind == "text":
        copy = new_markdown_cell(copy.source, metadata=copy.metadata, id="copy")
    cells["copy"] = copy


@pytest.mark.parametrize(("kind", "wanted"), [("empty", PASSED), ("text", PASSED), ("wrong", FAILED)])
def test_of_copies_the_last_that_was_filled_in_counts(checked, kind, wanted):
    def change(cells):
        answers(double=DOUBLE, half=HALF)(cells)
        test = cells.pop("test_half")
        copied(cells, kind)
        cells["test_half"] = test

    assert states(checked(change)) == [PASSED, wanted]


def test_a_wrong_copy_below_an_empty_answer_is_tested(checked):
    def change(cells):
        answers(double=DOUBLE)(cells)
        test = cells.pop("test_half")
        copied(cells, "wrong")
        cells["test_half"] = test

    report = checked(change)
    assert states(report) == [PASSED, FAILED] and "yours is 7" in report.tests[1].message


@pytest.mark.parametrize(
    ("first", "below", "wanted"),
    [(HALF, "wrong", FAILED), (None, "right", PASSED), ("def half(x):\n    return 9", "text", FAILED)],
)
def test_a_copy_below_the_test_counts_as_in_grading(checked, first, below, wanted):
    def change(cells):
        answers(double=DOUBLE, **({"half": first} if first else {}))(cells)
        copied(cells, below)

    assert states(checked(change)) == [PASSED, wanted]


def test_a_copy_of_a_test_above_its_answer_runs_after_it(checked):
    def change(cells):
        answers(double=DOUBLE, half=HALF)(cells)
        test = cells["test_half"]
        rest = {name: cells.pop(name) for name in list(cells)[list(cells).index("half") :]}
        cells |= {"above": new_code_cell(test.source, metadata=test.metadata, id="above")} | rest

    assert checked(change).passed


def test_an_answer_without_a_name_comes_before_an_old_one_as_text(checked):
    def change(cells):
        answers(double=DOUBLE)(cells)
        half = cells["half"]
        at = list(cells).index("half")
        rest = {name: cells.pop(name) for name in list(cells)[at:]}
        rest["half"] = new_markdown_cell("def half(x):\n    return 7", metadata=half.metadata, id="id-half")
        cells |= {"lost": new_code_cell(HALF)} | rest

    assert checked(change).passed


def test_an_answer_as_text_or_in_another_s_cell_counts_as_in_grading(checked):
    def change(cells):
        answers(double=f"{DOUBLE}\n{HALF}")(cells)
        del cells["half"]

    report = checked(change)
    assert report.passed and "half is missing; another cell answers it" in report.remarks

    def text(cells):
        answers(double=DOUBLE)(cells)
        cells["half"] = new_markdown_cell(HALF, metadata=cells["half"].metadata, id="id-half")

    assert checked(text).passed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "name", "words"),
    [
        (
            "from lmkit.evaluation import perplexity",
            "perplexity",
            "this homework does not offer it; what it asks for you write yourself",
        ),
        ("import pandas", "pandas", "pandas: answers to this homework may not import it"),
        ("import helpers", "helpers", "helpers: answers to this homework may not import it"),
    ],
)
def test_an_import_costs_in_check_what_it_costs_in_grading(checked, tmp_path, line, name, words):
    (tmp_path / "helpers.py").write_text("")
    used = DOUBLE.replace(":\n", f":\n    {name}.mean\n", 1)
    half = "from lmkit.corpora import course_grammar\nimport numpy.linalg\ndef half(x):\n    return x / 2"
    report = checked(answers(double=f"{line}\n{used}", half=half))
    assert report.tests[0].state == FAILED and words in report.tests[0].message
    assert "ImportError" not in report.tests[1].message
    assert checked(answers(double=f"{line}\n{DOUBLE}", half=HALF)).tests[0].state == PASSED  # nothing needs it


def test_an_answer_that_is_a_missing_import_passes_no_test(checked):
    """No line of a test is left out, though it names what is not there."""
    report = checked(
        answers(double="from no_such_package import double", half="import no_such_package\nhalf = no_such_package.half")
    )
    assert [test.state for test in report.tests] == [FAILED, FAILED]
    assert all("no_such_package" in test.message for test in report.tests)


def test_names_that_tests_count_on_are_said_when_they_are_bound_anew(checked):
    def change(cells):
        own = "import math, numpy as np\nmath.sum = 1\nLIMIT = iter = 2\ndef f(np=1):\n    sum = np\n    return sum"
        answers(double=f"iter = LIMIT = 1\n{DOUBLE}", half=f"sum = 3\n{HALF}")(cells)
        cells["own"] = new_code_cell(own)  # no test comes after it

    assert checked(change).remarks == [
        "double binds LIMIT, a name of the given cells: tests may count on theirs; choose another name",
        "half binds sum, a name of Python itself: tests may count on theirs; choose another name",
    ]


def test_what_only_a_newer_python_than_the_graders_knows_is_said(checked, monkeypatch):
    double = f"import itertools\n{DOUBLE}\ndef pairs(x):\n    return itertools.batched(x, 2)"
    try_first = "try:\n    from itertools import batched\nexcept ImportError:\n    batched = None"
    change = answers(double=double, half=f"{try_first}\n{HALF}")
    assert checked(change).remarks == []
    monkeypatch.setattr(newer, "graded_with", lambda: (3, 10))
    report = checked(change)
    said = (
        "double has itertools.batched (line 5): homework is graded with Python 3.10, which does not know that yet, "
        "and the cell would fail there; write it in another way"
    )
    assert states(report) == [PASSED, PASSED] and report.remarks == [said]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="what Python 3.12 added to the grammar")
@pytest.mark.parametrize(
    "source",
    [
        "f'{d['a']}'",
        "'a' f'{d['a']}'",
        "rf'{d['a']}\\d'",
        "f'{f'{x}'}'",
        'f\'{f"{"a"}"}\'',
        "f'{x:{w['a']}}'",
        'print(f"{", ".join(d)} b")',
        'f"{d\n}"',
        "f'''{d # no\n}'''",
        'f"""{"\\n".join(d)}"""',
        "%matplotlib inline\nf'{d['a']}'",
        "class A[T]:\n    pass",
        "def f[T](x: T) -> T:\n    return x",
        "type Point = tuple",
    ],
)
def test_the_grammar_that_python_3_11_does_not_know_is_known(source):
    assert newer.newer(source, (3, 11)) and newer.newer(source, (3, 12)) == []


@pytest.mark.parametrize(
    "source",
    [
        "f\"{d['a']:>{w}} \\n {x!r}\"",
        "f'''{d['a']}\n{x}'''",
        "f'''{d\n}'''",
        "f'{{}} \\'a\\' {x}'",
        "f'abc \\\n{x}'",
        "('a\\n'\n f'{x}'\n f'b\"{y}\"')",
        "rf'\\d{x}'",
        "f'{x:,.2f}% {x=} {x:%H:%M} {x:{w}.{p}}'",
        "f'{\"#\"}' # f'{'",
        "f\"{', '.join(f'{y}' for y in x)}\"",
        'f"""a "quoted" {x} \\" """',
        "f'\\N{EN DASH}{x}'",
        "f'''{f\"\"\"\n\"\"\"=}'''",
        "try:\n    1\nexcept (A, B):\n    2",
        "x.batched(1)",
        "copy = 'a'.replace('a', 'b')\ncopy.replace('b', 'a')",
        "if sys.version_info >= (3, 12):\n    f = itertools.batched",
    ],
)
def test_what_every_python_knows_is_not_called_newer(source):
    compile(source, "cell", "exec")
    assert newer.newer(source, (3, 10)) == []


def test_an_f_string_that_python_cannot_take_apart_is_not_called_newer(monkeypatch):
    def fails(readline):
        raise SystemError("Negative size passed to PyUnicode_New")

    monkeypatch.setattr(newer.tokenize, "generate_tokens", fails)
    assert newer._is_old("f'{x}'")


def test_what_was_added_to_given_cells_and_tests_is_run_as_in_grading(checked):
    def change(cells):
        setup = "%matplotlib inline\nimport math, operator\nhelper: int = 2\nLIMIT = 7\nfor i in [1]:\n    helper += 0"
        answers(setup=setup, half="def half(x):\n    return operator.truediv(x, helper)")(cells)
        cells["test_double"].source = f"{DOUBLE}\ndouble(2)\n{cells['test_double'].source}\ndouble = double(2)"
        del cells["double"]
        copy = homework()["setup"]
        copy.id, copy.source = "copy", "LIMIT = 8\nthird = 3"
        cells["copy"] = copy
        again = homework()["test_double"]
        again.id, again.source = "again", f"{again.source}\ndef fourth():\n    return 4"
        cells["again"] = again
        cells["own"] = new_code_cell("assert third == LIMIT == 3 and fourth() == 4")

    report = checked(change)
    assert states(report) == [PASSED, PASSED] and not any("own (number" in remark for remark in report.remarks), report


def test_a_mistake_of_an_earlier_task_is_pointed_to(checked):
    report = checked(answers(double="def double(x):\n    return 3 * x", half=HALF))
    assert states(report) == [FAILED, FAILED]
    assert "First see" not in report.tests[0].message
    assert report.tests[1].message.endswith("\n(First see 1.1 Double: yours uses double, which failed there.)")
    for half in ("def half(x):\n    return x / 3", "def double(x):\n    return x\n" + HALF):
        assert (
            "First see" not in checked(answers(double="def double(x):\n    return 3 * x", half=half)).tests[1].message
        )


def test_magics_figures_input_and_prints_harm_nothing(checked):
    def change(cells):
        answers(double="%matplotlib inline\n" + DOUBLE + "\nprint('x' * 100_000)", half=HALF)(cells)
        cells["own"] = new_code_cell("input()")

    report = checked(change)
    assert report.passed and ["EOFError" in remark or "input" in remark for remark in report.remarks] == [True]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no such file"),
        (b"{", "no Jupyter notebook"),
        (b"[]", "no list of cells"),
        (b'{"cells": []}', "none of the homeworks"),
    ],
)
def test_a_file_that_cannot_be_checked_is_a_sentence(tmp_path, capsys, content, words):
    path = tmp_path / "x.ipynb"
    if content is not None:
        path.write_bytes(content)
    assert cli.main(["check", str(path)]) == 2
    assert words in capsys.readouterr().err
    assert cli.main(["check", str(path), "--json"]) == 2
    assert words in json.loads(capsys.readouterr().out)["error"]


def test_what_the_grader_will_not_read_is_said(tmp_path, capsys, monkeypatch):
    """Outputs may take a notebook over one limit; what they leave is under the other, or it is not."""
    monkeypatch.setattr(notebooks, "LARGEST_FILE", 200_000)
    monkeypatch.setattr(notebooks, "LARGEST_READ", 400_000)
    path = tmp_path / "hw1_ngram.ipynb"
    cells = json.loads((HOMEWORKS / "hw1_ngram" / "hw1_ngram.ipynb").read_text(encoding="utf-8"))["cells"]

    def written(size: int, place: str, more: int = 0) -> int:
        last = {"cell_type": "code", "id": "own", "metadata": {}, "source": "", "outputs": "", place: "0" * size}
        path.write_text(json.dumps({"cells": cells + [last] * (1 + more), "metadata": {}}), encoding="utf-8")
        return len(notebooks.read(path)[0])

    assert written(250_000, "outputs") == len(cells) + 1
    for size, place, more, words in (
        (500_000, "outputs", 0, "MB, and the grader reads at most 0: clear its outputs"),
        (250_000, "source", 0, "MB without its outputs, and the grader reads at most 0"),
        (1, "source", 1000, "cells, and the grader reads at most 1000"),
    ):
        with pytest.raises(ValueError, match=words):
            written(size, place, more)
    assert cli.main(["check", str(path)]) == 2 and "reads at most 1000" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("put", "escaped", "reads"),
    [
        ({"outputs": ["0" * 250_000]}, False, True),
        ({"outputs": [{"x": [math.nan], "y": "0" * 250_000}]}, False, False),
        ({"outputs": ["0" * 250_000 + "\ud83d"]}, True, False),
        ({"outputs": ["0" * 250_000], "source": "\ud83d"}, True, False),
        ({"outputs": ["0" * 250_000], "source": "\U0001f600"}, True, True),
        ({"outputs": ["0" * 250_000], "source": "é" * 30_000}, True, False),
        ({"outputs": ["0" * 250_000], "source": "é" * 30_000}, False, True),
        ({"own": "0" * 250_000}, False, True),
        ({"outputs": ["0" * 250_000], "beside": "\ud83d"}, True, False),
        ({"outputs": ["0" * 250_000], "beside": math.inf}, True, False),
        (None, False, False),
    ],
)
def test_a_large_notebook_is_read_at_home_where_the_grader_reads_it(tmp_path, monkeypatch, put, escaped, reads):
    for module in (notebooks, notebook_files):
        monkeypatch.setattr(module, "LARGEST_FILE", 200_000)
    path = tmp_path / "hw1_ngram.ipynb"
    notebook = json.loads((HOMEWORKS / "hw1_ngram" / "hw1_ngram.ipynb").read_text(encoding="utf-8"))
    put = put and {"cell_type": "code", "metadata": {}, "source": ""} | put
    notebook["metadata"]["widgets"] = put and put.pop("beside", "")
    notebook["cells"].append(put)
    notebook["cells"].append(
        {"cell_type": "code", "metadata": {}, "source": "", "outputs": ["0" * 200_000 * (not put)]}
    )
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=escaped), encoding="utf-8")
    assert path.stat().st_size > 200_000
    assert read_by_both(path) == (reads, reads)


def read_by_both(path):
    """Whether a notebook is read at home and by the grader."""

    def is_read(reader) -> bool:
        try:
            reader(path)
        except ValueError:
            return False
        return True

    return is_read(notebooks.read), is_read(lambda path: notebook_files.parse(notebook_files.read_file(path)))


def test_a_notebook_that_a_shell_of_windows_has_redirected_is_read_at_home_as_by_the_grader(tmp_path, monkeypatch):
    path = tmp_path / "hw1_ngram.ipynb"
    text = (HOMEWORKS / "hw1_ngram" / "hw1_ngram.ipynb").read_text(encoding="utf-8")
    for encoding in ("utf-16", "utf-32", "utf-8-sig"):
        path.write_text(text, encoding=encoding)
        assert read_by_both(path) == (True, True) and len(notebooks.read(path)[0]) == len(json.loads(text)["cells"])
    path.write_text(text, encoding="utf-16")
    for module in (notebooks, notebook_files):
        monkeypatch.setattr(module, "LARGEST_FILE", 50_000)
    assert read_by_both(path) == (False, False)


def test_nothing_that_cannot_be_a_time(capsys):
    with pytest.raises(SystemExit):
        cli.main(["check", "x.ipynb", "--seconds", "0"])
    assert "expected a positive number" in capsys.readouterr().err


def test_a_python_without_what_is_needed_says_so(checked, monkeypatch):
    monkeypatch.setattr(checking, "START", "import no_such_module")
    with pytest.raises(ValueError, match="No module named 'no_such_module'.*requirements.txt"):
        checked()


@pytest.mark.slow
def test_the_instructors_command_is_the_same(tmp_path):
    code = "from lmkit.grading.cli import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", code, "check", str(tmp_path / "none.ipynb"), "--json"], capture_output=True, text=True
    )
    assert ended.returncode == 2 and "no such file" in json.loads(ended.stdout)["error"], ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_check_runs_what_the_gate_lets_in(seed, tmp_path):
    """A homework with answers, then a few things done to its cells: the same code in the same order."""
    rng, known = random.Random(seed), [*released().values()][seed % 6]
    text = (HOMEWORKS / f"{known.homework}/{known.homework}.ipynb").read_text(encoding="utf-8")
    release, notebook = reads(text, 4), json.loads(text)
    cells = notebook["cells"]
    stubs = {cell.name: cell.source for cell in known.cells if cell.kind == "answer"}

    def name(cell):
        return cell["metadata"].get("nbgrader", {}).get("grade_id", "")

    for cell in cells:
        if name(cell) in stubs and rng.random() < 0.7:
            cell["source"] = "".join(cell["source"]).replace("raise NotImplementedError()", f"return {rng.random()}")
    for number in range(rng.randint(1, 5)):
        at = rng.randrange(len(cells))
        cell, other = cells[at], rng.randrange(len(cells))
        things = [
            "copy",
            "another try",
            "delete",
            "move",
            "text",
            "code",
            "lose its name",
            "lose all names",
            "add",
            "own",
        ]
        match rng.choice([*things, "own with its id", "magic", "kept as a text"]):
            case "copy":
                cells.insert(other, copy.deepcopy(cell))
            case "another try" if name(cell) in stubs:
                cells.insert(other, cell | {"source": stubs[name(cell)] + f"\n# {number}"})
            case "delete":
                del cells[at]
            case "move":
                cells.insert(other, cells.pop(at))
            case "text" if name(cell) in stubs:
                cells[at] = {key: cell[key] for key in ("id", "metadata", "source")} | {"cell_type": "markdown"}
            case "code" if cell["cell_type"] == "markdown" and rng.random() < 0.5:
                cells[at] = dict(new_code_cell(f"said = {number}")) | {"id": cell["id"], "metadata": cell["metadata"]}
            case "lose all names" if rng.random() < 0.2:
                cells = [cell | {"metadata": {}, "id": f"lost-{number}-{i}"} for i, cell in enumerate(cells)]
                notebook["cells"] = cells
            case "own with its id":
                cells.insert(other, dict(new_code_cell(f"own = {number}")) | {"id": cell["id"]})
            case "lose its name":
                cells[at] = cell | {"metadata": {}, "id": f"lost-{number}"}
            case "add" if cell["cell_type"] == "code":
                cell["source"] = (
                    "".join(cell["source"]) + f"\ndef added{number}():\n    pass\nz{number} = {{}}\nz{number}.x()"
                )
            case "own":
                cells.insert(other, dict(new_code_cell(f"own = {number}")))
            case "kept as a text" if name(cell) in stubs:
                kept = "old = '''\n" + "".join(cell["source"]) + "\n'''"
                cells[at] = cell | {"metadata": {}, "id": f"text-{number}", "source": kept}
            case "magic" if cell["cell_type"] == "code":
                cell["source"] = "%time\n" + "".join(cell["source"])
    path = tmp_path / f"{known.homework}.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    graded = gate.admit(path.read_bytes(), release).notebook.cells
    checked, _ = checking.arrange(read(path)[0], known)
    runs = [[c.source for c in graded if c.cell_type == "code"], [c.source for c in checked if c.code]]
    # Empty copies, which the one runs before the answer and the other not at all, change nothing.
    theirs, mine = ([source for source in some if source.strip() and source not in stubs.values()] for some in runs)
    assert mine == theirs
    assert {c.name: c.source for c in checked if c.name in stubs} == {
        name(c): c.source for c in graded if name(c) in stubs
    }


def test_of_each_cell_it_is_said_what_was_left_out():
    code = "from lmkit.student.runner import Shell\nshell = Shell()\nfor cell in 'ab': shell.run(cell, 'import no_such', False)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("Line 1 was left out.") == 2


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        ("type('E', (ValueError,), {'__traceback__': property(lambda e: 1 / 0)})", "E"),
        ("type('E', (ValueError,), {'__str__': lambda e: (_ for _ in ()).throw(SystemExit)})", "E"),
        ("type('M', (type,), {'__name__': property(lambda k: 1 / 0)})('E', (ValueError,), {})", "an error"),
        ("KeyError(input)", "KeyError"),
        ("SyntaxError", "SyntaxError"),
        ("SyntaxError(5)", "SyntaxError"),
        ("SyntaxError('x', (object(), 1, 1, 'x'))", "SyntaxError"),
        ("SyntaxError('x', ('<cell b>', 1, 1, 5))", "SyntaxError"),
    ],
)
def test_an_odd_error_is_an_error_like_any_other(raised, kind):
    code = f"from lmkit.student.runner import Shell\nprint(json.dumps(Shell().run('a', {f'raise {raised}'!r}, False)))"
    done = subprocess.run([sys.executable, "-c", f"import json\n{code}"], capture_output=True, text=True, check=True)
    assert f'"kind": "{kind}"' in done.stdout and '"place": ["a", 1]' in done.stdout and "_nobody" not in done.stdout


def test_a_raised_syntax_error_costs_no_more_than_in_grading(checked):
    report = checked(answers(double=f"{DOUBLE}\nraise SyntaxError", half="def half(x):\n    return x / 2\n10**5000"))
    assert states(report) == [PASSED, PASSED]
