"""What every chapter keeps: its length, its shape, its code; and numbers of its prose that no cell can compute."""

import os
import re
import sys
from collections import Counter, defaultdict

import pytest
from conftest import ROOT
from sphinx_external_toc.parsing import parse_toc_yaml

from lmkit import corpora

sys.path.append(str(ROOT / "book/_ext"))
from schedule import CELL, body, cells, minutes

BOOK = ROOT / "book"
PAGES = [ROOT / f"{name}.md" for name in parse_toc_yaml(ROOT / "_toc.yml") if "*" not in name]
SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in PAGES if path.is_file()}
CHAPTERS = {
    name: text for name, text in SOURCES.items() if "{code-cell}" in text and name not in ("index", "examination")
}


def shown(text):
    """The code that stands open on the page."""
    return [code for options, code in cells(text) if not re.search("hide-input|remove-input", options)]


def test_minutes_count_words_formulas_and_cells():
    page = "---\nx: y\n---\n" + "word " * 180 + "\n\n$$\na = b\n$$ (eq)\n\n```{code-cell} ipython3\nprint(1)\n```\n"
    assert minutes(page) == 2
    assert minutes(page + "\n```{code-cell} ipython3\n:tags: [remove-cell]\n\nassert True\n```\n") == 2
    assert minutes(page + "\n```{exercise} A title\n:label: ex\n\n" + "$x + y$ " * 178 + "\n```\n") == 3


def built(name):
    """The page as the reader gets it."""
    page = ROOT / "_build" / "html" / "book" / f"{name}.html"
    if not page.is_file():
        pytest.skip("the book is not built: run `make book` first")
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_takes_at_most_twenty_minutes(name):
    assert minutes(CHAPTERS[name]) <= 20


@pytest.mark.parametrize("name", CHAPTERS)
def test_code_is_short_narrow_and_free_of_the_build(name):
    wrong = []
    for _, code in cells(CHAPTERS[name]):
        wrong += [f"{len(line)} columns: {line}" for line in code.splitlines() if len(line) > 80]
    for code in shown(CHAPTERS[name]):
        if len(code.strip().splitlines()) > 20:
            wrong.append(f"{len(code.strip().splitlines())} lines: {code[:60]}")
        wrong += re.findall(r"^\s*(?:glue\(|assert |import |from ).*", code, re.MULTILINE)
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS)
def test_printed_lines_are_narrow(name):
    import nbformat

    path = ROOT / "_build" / "notebooks" / f"{name}.ipynb"
    if not path.is_file():
        pytest.skip("the book is not built: run `make book` first")
    printed = [
        line
        for cell in nbformat.read(path, 4).cells
        if cell.cell_type == "code" and "remove-cell" not in cell.metadata.get("tags", [])
        for output in cell.outputs
        if output.output_type == "stream"
        for line in output.text.splitlines()
    ]
    assert [line for line in printed if len(line) > 80] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS)
def test_words_of_figures_can_be_read_on_a_phone(name):
    small = []
    for svg in re.findall(r'<svg class="figure".*?</svg>', built(name), re.DOTALL):
        width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
        sizes = [float(size) for size in re.findall(r"font(?:-size)?: [^;\"]*?([\d.]+)px", svg)]
        small += [f"{size * 330 / width:.1f} px" for size in sizes if size * 330 / width < 9]
    assert small == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_chapter_opens_with_a_question_and_a_picture(name):
    opening = re.split(r"^## ", body(CHAPTERS[name]), maxsplit=1, flags=re.MULTILINE)[0]
    assert re.search(r"^\*\*.*\?\*\*$", opening, re.MULTILINE)
    options, _ = cells("\n---\n" + opening)[0]
    assert "hide-input" in options and "alt:" in options


@pytest.mark.parametrize("name", CHAPTERS)
def test_what_a_hand_does_is_said_on_screens_only(name):
    """On paper nobody presses a button or moves a slider."""
    prose = re.sub(r"\[[^]]*\]\{\.on-screen\}", "", CELL.sub("", body(CHAPTERS[name])))
    assert re.findall(r'[Pp]ress [*"“]\S+|.*\bsliders?\b', prose) == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_boxes_say_in_their_titles_what_is_in_them(name):
    titles = re.findall(r"^:::\{admonition\} (.*)\n:class: lecture", CHAPTERS[name], re.MULTILINE)
    assert len(set(titles)) == len(titles) and not [t for t in titles if "lecture" in t.lower()]


@pytest.mark.parametrize("name", CHAPTERS)
def test_exercises_are_graded(name):
    titles = re.findall(r"^```\{exercise\} (.*)", CHAPTERS[name], re.MULTILINE)
    every = " | ".join(titles) + " | " + CHAPTERS[name].split("## Exercises")[1]
    assert len(titles) >= 4
    assert titles[0].startswith("Warm-up") and titles[-1].startswith("Open")
    assert "by hand" in every and re.search("real text|manuals|training sentences", every)


@pytest.mark.parametrize("name", CHAPTERS)
def test_relative_tolerances_are_relative(name):
    """``allclose(rtol=1e-13)`` alone keeps an absolute tolerance of 1e-8."""
    assert re.findall(r"(?:allclose|isclose)\([^\n]*rtol=[\de-]+\)", CHAPTERS[name]) == []


def test_every_source_can_be_found():
    entries = re.split(r"^@", (BOOK / "references.bib").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    nowhere = {
        entry.split("{")[1].split(",")[0] for entry in entries if not re.search(r"^  (?:doi|url) =", entry, re.M)
    }
    assert nowhere == {"jelinek1980", "shi2025"}  # a printed volume without a DOI; a lecture that is not online
    cited = {
        key for text in SOURCES.values() for keys in re.findall(r"\{cite\}`([^`]+)`", text) for key in keys.split(",")
    }
    assert cited <= {entry.split("{")[1].split(",")[0] for entry in entries}


# The lecture's sample of a "5-gram model", as the slide prints it (Shi 2025).
SLIDE = """Approacheth, deny. dungy Thither! Julius think: grant,--O Yead linens, sheep's Ancient, Agreed: Petrarch plaguy
Resolved pear! observingly honourest adulteries wherever scabbard guess; affirmation--his monsieur; died. jealousy, chequins
me. Daphne building. weakness: sunrise, cannot stays carry't, unpurposed. prophet-like drink; back-return 'gainst surmise
Bridget ships? wane; interim? She's striving wet;"""


@pytest.mark.slow
@pytest.mark.skipif("LMKIT_DATA_DIR" not in os.environ, reason="needs Tiny Shakespeare: set LMKIT_DATA_DIR")
def test_numbers_about_tiny_shakespeare_in_the_chapter_on_ngrams():
    text = corpora.tiny_shakespeare()
    words, after = text.split(), defaultdict(Counter)
    for i in range(4, len(words)):
        after[tuple(words[i - 4 : i])][words[i]] += 1
    share = sum(len(one) == 1 for one in after.values()) / len(after)
    assert f"{100 * share:.1f}" == "99.5"
    assert "99.5\u202f%" in SOURCES["ngram"]
    plain = re.compile(r"[a-z]+(?:'[a-z]+)?")
    words, sample = plain.findall(text.lower()), plain.findall(SLIDE.lower())
    common = {word for word, _ in Counter(words).most_common(20)}
    assert len(sample) == 52 and sum(word not in words for word in sample) == 15
    assert sum(word in common for word in sample) == 2
    assert round(len(sample) * sum(word in common for word in words) / len(words)) == 15
