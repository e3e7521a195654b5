"""The list of what the lectures have wrong: complete, computed, and where it says it is."""

import re
import sys

import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "book/_ext"))
from corrections import as_markdown, entries, parts

ALL = entries(ROOT)
PAGES = [page for part in parts(ROOT).values() for page in part]


def test_every_correction_is_there_once_and_says_what_and_what_instead():
    assert [one["number"] for one in ALL] == list(range(1, 98))
    for one in ALL:
        assert set(one) <= {"number", "lectures", "says", "right", "page", "box", "check"}
        assert re.fullmatch(r"S[0-4](, S[0-4])*(, and the paper)?", one["lectures"])
        assert one["says"].strip() and one["right"].strip() and one["says"] != one["right"]


@pytest.mark.parametrize("one", [one for one in ALL if "check" in one], ids=lambda one: str(one["number"]))
def test_what_can_be_computed_is(one):
    assert eval(one["check"], {}) is True


@pytest.mark.parametrize("one", ALL, ids=lambda one: str(one["number"]))
def test_the_page_uses_it(one):
    text = (ROOT / f"book/{one['page']}.md").read_text(encoding="utf-8")
    assert one["page"] in PAGES
    if "box" in one:
        assert f":::{{admonition}} {one['box']}\n:class: lecture\n" in text


def test_the_page_has_them_in_the_book_s_order_under_a_heading_for_each_part():
    text = "\n".join(as_markdown(ALL, parts(ROOT)))
    found = re.findall(r"\{doc\}`(\w+)`", text)
    assert len(found) == len(ALL) and found == sorted(found, key=PAGES.index)
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings == [part for part in parts(ROOT) if part in headings] and len(headings) > 4


@pytest.mark.slow
def test_its_headings_are_headings(book):
    page = (book / "book/corrections.html").read_text(encoding="utf-8")
    captions = [caption for caption, pages in parts(ROOT).items() if {one["page"] for one in ALL} & {*pages}]
    assert re.findall(r'<h2>([^<]*)<a class="headerlink"', page) == captions
