"""What the lectures teach, row by row: the page has it, the anchor is there, and the check is one that ran."""

import ast
import html
import re
import sys
import tomllib

import nbformat
import pytest
from conftest import ROOT
from docutils.nodes import make_id
from test_prose import CHAPTERS

sys.path.append(str(ROOT / "book/_ext"))
from schedule import CELL, body

ITEMS = tomllib.loads((ROOT / "book/coverage.toml").read_text(encoding="utf-8"))


def plain(text):
    """The text with single spaces, so that it may be broken anywhere."""
    return " ".join(text.split())


def asserts(code):
    """The assert statements of a cell, each as one line of its source."""
    code = re.sub(r"^(?:---\n.*?^---\n|(?::[^\n]*\n)+)", "", code, flags=re.DOTALL | re.MULTILINE)
    return [plain(ast.get_source_segment(code, n)) for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Assert)]


def anchors(text):
    """What this text can be entered at: headings, labels, equations."""
    prose = CELL.sub("", text)
    found = {make_id(title) for title in re.findall(r"^#+ (.*)$", prose, re.MULTILINE)}
    found |= set(re.findall(r"^\((\S+)\)=$", prose, re.MULTILINE)) | set(re.findall(r"^:label: (\S+)$", prose, re.M))
    return found | {f"equation-{label}" for label in re.findall(r"^\$\$ \((\S+)\)$", prose, re.MULTILINE)}


def checked(text):
    """The assert statements of all cells."""
    return [one for code in CELL.findall(text) if "assert" in code for one in asserts(code)]


def wrong(row, text):
    """What is missing on the page for this row. Its words stand in the anchor's section; without words, its check does."""
    section = [part for part in re.split(r"^(?=## )", body(text), flags=re.MULTILINE) if row["at"] in anchors(part)]
    if len(section) != 1:
        return f"{len(section)} places with the anchor {row['at']}"
    says, check = plain(row.get("says", "")), plain(row.get("check", ""))
    if not says + check:
        return "neither a check nor words"
    if says not in plain(CELL.sub("", section[0])):
        return f"does not say there: {says}"
    if check.startswith("tests/"):
        path, name = check.split("::")
        return "" if f"\ndef {name}(" in (ROOT / path).read_text(encoding="utf-8") else f"no test {check}"
    where = body(text) if says else section[0]
    return "" if not check or any(check in one for one in checked(where)) else f"no assert there has: {check}"


def test_every_row_is_whole():
    for page, rows in ITEMS.items():
        assert list(rows) == [str(i) for i in range(1, len(rows) + 1)], page
        for row in rows.values():
            assert {"lectures", "topic", "at"} <= set(row) <= {"lectures", "topic", "at", "check", "says"} and row[
                "topic"
            ]
            assert re.fullmatch(r"own|S[0-4](, S[0-4])*", row["lectures"]), row
    assert {one for rows in ITEMS.values() for row in rows.values() for one in row["lectures"].split(", ")} == {
        *("S0", "S1", "S2", "S3", "S4", "own")
    }


def test_every_chapter_has_rows():
    assert set(CHAPTERS) == set(ITEMS), "book/coverage.toml has rows for the chapters of _toc.yml, and for each of them"


@pytest.mark.parametrize("page", ITEMS)
def test_the_page_teaches_it(page):
    found = [(f"{page} {i}, {row['topic']}", wrong(row, CHAPTERS[page])) for i, row in ITEMS[page].items()]
    missing = [f"{row}: {what}" for row, what in found if what]
    assert missing == [], "\n".join(missing)


@pytest.mark.slow
@pytest.mark.parametrize("page", ITEMS)
def test_the_anchor_is_built_and_the_check_ran(page, book):
    ids = {html.unescape(one) for one in re.findall(r'\bid="([^"]*)"', (book / f"book/{page}.html").read_text("utf-8"))}
    notebook = nbformat.read(ROOT / "_build/notebooks" / f"{page}.ipynb", 4)
    ran = [
        one
        for cell in notebook.cells
        if cell.cell_type == "code" and cell.execution_count and "assert" in cell.source
        if not any(output.output_type == "error" for output in cell.outputs)
        for one in asserts(cell.source)
    ]
    missing = []
    for i, row in ITEMS[page].items():
        check = plain(row.get("check", ""))
        if row["at"] not in ids:
            missing.append(f"{page} {i}: the built page has no {row['at']}")
        if not check.startswith("tests/") and not any(check in one for one in ran):
            missing.append(f"{page} {i}: did not run: {check}")
    assert missing == [], "\n".join(missing)


PAGE = """---
x: y
---
# A title

Some words
of prose.

$$
a = b
$$ (eq-x)

```{code-cell} ipython3
:tags: [remove-cell]

for i in range(3):
    assert i < 3 and (
        i >= 0)
```

## Another section

elsewhere

```{code-cell} ipython3
assert 2 > 1
```
"""


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ({"at": "a-title", "says": "words of prose"}, ""),
        ({"at": "equation-eq-x", "check": "i < 3 and ( i >= 0"}, ""),
        ({"at": "a-title", "check": "tests/test_coverage.py::test_what_is_missing_is_found"}, ""),
        ({"at": "eq-x", "says": "words"}, "0 places"),
        ({"at": "a-title"}, "neither"),
        ({"at": "a-title", "says": "other words"}, "does not say"),
        ({"at": "a-title", "says": "elsewhere"}, "does not say"),
        ({"at": "a-title", "check": "2 > 1"}, "no assert"),
        ({"at": "a-title", "says": "words", "check": "2 > 1"}, ""),
        ({"at": "a-title", "check": "range(3)"}, "no assert"),
        ({"at": "a-title", "check": "tests/test_coverage.py::test_nothing"}, "no test"),
    ],
)
def test_what_is_missing_is_found(row, what):
    found = wrong(row, PAGE)
    assert found.startswith(what) if what else found == ""
