"""What the pages for instructors say: plans that fit the book, commands that exist with their options, marks that add up."""

import re
import shlex
import sys

import pytest
import typer
from conftest import ROOT
from nbgrader.apps.nbgraderapp import NbGraderApp
from test_prose import CHAPTERS, SOURCES

from lmkit.grading.cli import app

sys.path.append(str(ROOT / "book/_ext"))
from schedule import as_markdown, minutes, weeks

PLANS = {name: weeks(ROOT, name) for name in ("fourteen", "seven")}
HOMEWORKS = {path.name for path in (ROOT / "solutions").iterdir() if path.is_dir()}
# What the short plan leaves out although its homework names it: the page for instructors says what to show instead.
PATCHED = {"hw2_backprop": {"autodiff"}, "hw4_attention": {"attention_scores"}}


def test_the_long_plan_has_every_chapter_once_in_the_book_s_order():
    assert len(PLANS["fourteen"]) == 14 and len(PLANS["seven"]) == 7
    assert [page for week in PLANS["fourteen"] for page in week["pages"]] == list(CHAPTERS)
    short = [page for week in PLANS["seven"] for page in week["pages"]]
    assert short == [page for page in CHAPTERS if page in short]


@pytest.mark.parametrize("name", PLANS)
def test_homework_comes_after_its_pages_and_takes_two_weeks(name):
    out = {week["out"]: i for i, week in enumerate(PLANS[name]) if "out" in week}
    due = {week["due"]: i for i, week in enumerate(PLANS[name]) if "due" in week}
    assert set(due) <= set(out) <= HOMEWORKS and (name == "seven" or set(out) == HOMEWORKS)
    assert all(due[one] - out[one] >= 2 for one in due)
    asked = {
        one: page
        for page, text in SOURCES.items()
        for one in re.findall(r"\.\./homeworks/(\w+)/", text)
        if page != "index"
    }
    for one, week in out.items():
        read = [page for earlier in PLANS[name][: week + 1] for page in earlier["pages"]]
        if name == "fourteen":  # of the other, the next test
            assert asked[one] in read


def test_the_short_plan_has_the_pages_of_its_homeworks_and_lacks_some_of_the_others():
    titles = {re.search("^# (.+)", text, re.MULTILINE)[1]: page for page, text in SOURCES.items()}
    asked = {}
    for name in HOMEWORKS:
        text = (ROOT / f"solutions/{name}/{name}.ipynb").read_text(encoding="utf-8")
        chapters = re.findall(r"\*(.+?)\*", re.search(r"chapters (\*[^.]*)", text)[1])
        asked[name] = {titles[title] for title in chapters}
    read = set()
    for week in PLANS["seven"]:
        read.update(week["pages"])
        if "out" in week:
            assert asked[week["out"]] - read <= PATCHED.get(week["out"], set())
    for name, pages in PATCHED.items():
        for page in pages - read:
            assert re.search(rf"Without {{doc}}`{page}`.* homework {name[2]}", SOURCES["instructors"])
    assert asked["hw5_transformer"] <= read, "book/instructors.md: give it out in week 7"
    left = HOMEWORKS - {week.get("out") for week in PLANS["seven"]} - {"hw5_transformer"}
    assert {name: asked[name] - read for name in left} == {
        "hw3_recurrent": {"through_time", "sequence_tasks"},
        "hw6_compute": {"budgets"},
    }


@pytest.mark.parametrize("name", PLANS)
def test_the_table_counts_from_the_pages(name):
    text = "\n".join(as_markdown(ROOT, name))
    for page, shown in re.findall(r"\{doc\}`(\w+)` (\d+)", text):
        assert shown == f"{minutes(SOURCES[page]):.0f}"
    for pages, total in re.findall(r"^\| \d+ \| (.+?) \| (\d+) \|", text, re.MULTILINE):
        assert sum(map(int, re.findall(r"` (\d+)", pages))) == int(total)
    for week in PLANS[name]:
        assert sum(minutes(SOURCES[page]) for page in week["pages"]) <= 70


# ------------------------------------------------------------------------------------------------- the commands

TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "book/instructors.md")}
CALL = r"(?:lmkit|nbgrader|make)\b"


def blocks(text):
    """What stands between fences."""
    return "\n".join(text.split("\n```")[1::2])


def commands(text):
    """What is to be typed: lines of code blocks, and code in a sentence."""
    found = re.findall(rf"^{CALL}[^\n`]*", blocks(text), re.MULTILINE)
    found += re.findall(rf"(?<!`)`({CALL}[^`]*)`(?!`)", text)  # a sentence may break a line in it
    return [shlex.split(one, comments=True) for one in found]


def wrong(words):
    """What of a command does not exist."""
    tool, *rest = words
    if tool == "make":
        targets = re.findall(r"^([a-z-]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        return [word for word in rest if "=" not in word and word not in targets]
    if not rest:
        return []
    if tool == "nbgrader":
        here = NbGraderApp()
        while here.subcommands:  # `nbgrader db` has some of its own
            if not set(rest[:1]) & set(here.subcommands):
                return rest[:1] or words
            here = here.subcommands[rest.pop(0)][0]()
        return [word for word in rest if word.startswith("--") and word[2:] not in here.flags]
    if rest[0] == "check":  # the student's, which reads its own arguments
        return [word for word in rest[1:] if word.startswith("-") and word not in ("--seconds", "--json")]
    every = typer.main.get_command(app).commands
    if rest[0] not in every:
        return rest[:1]
    options = {one for parameter in every[rest[0]].params for one in parameter.opts}
    return [word for word in rest[1:] if word.startswith("-") and word not in options]


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_exists_with_its_options(name):
    found = commands(TEXTS[name])
    assert len(found) > 12
    assert [(" ".join(words), what) for words in found if (what := wrong(words))] == []


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("lmkit grade hw1_ngram --resume --jobs 4", []),
        ("lmkit grade hw1_ngram --again", ["--again"]),
        ("lmkit mark hw1_ngram", ["mark"]),
        ("nbgrader generate_assignment hw1_ngram --force", []),
        ("nbgrader generate_assignment hw1_ngram --farce", ["--farce"]),
        ("nbgrader grade", ["grade"]),
        ("nbgrader db student remove firsthalf-4444 --force", []),
        ("nbgrader db student forget firsthalf-4444", ["forget"]),
        ('make student-kit HOMEWORKS="hw1_ngram"', []),
        ("make coffee", ["coffee"]),
    ],
)
def test_a_command_that_does_not_exist_is_found(line, what):
    assert wrong(shlex.split(line)) == what


def test_commands_fit_their_box():
    lines = blocks(SOURCES["instructors"]).splitlines()
    assert len(lines) > 20 and [line for line in lines if len(line) > 80] == []


def test_instructors_learn_of_every_command():
    used = {words[1] for words in commands(TEXTS["book/instructors.md"]) if words[0] == "lmkit" and len(words) > 1}
    assert used == set(typer.main.get_command(app).commands)


def test_the_readme_counts_the_homeworks():
    numbers = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    assert f"gets {numbers[len(HOMEWORKS)]} homeworks of 100 points" in TEXTS["README.md"]


# ------------------------------------------------------------------------------------------------- the examination


QUESTION = re.compile(r"^\*\*(\d+)\. [^*]+\*\* \(([\d +]+) marks\)\. (.*?)^:::$", re.DOTALL | re.MULTILINE)


def test_twenty_questions_of_five_marks_each_with_an_answer_for_each_part():
    questions = QUESTION.findall(SOURCES["examination"])
    assert [int(number) for number, *_ in questions] == list(range(1, 21))
    for number, marks, rest in questions:
        asked, answer = rest.split(f":::{{admonition}} Answer {number}\n:class: dropdown\n")
        parts = marks.split(" + ")
        assert sum(map(int, parts)) == 5
        for half in (asked, answer):
            assert sorted(set(re.findall(r"\(([a-e])\)", half))) == list("abcde"[: len(parts)]), number


def test_the_short_plan_says_what_it_leaves_out_of_the_examination():
    """Parts whose pages nobody has read, even with the patches: each is about the page's own thing."""
    about = {
        "8b": ("autodiff", "forward mode"),
        "10b": ("adaptive_steps", "Adam"),
        "12c": ("through_time", "clipping"),
        "14a": ("sequence_tasks", "bidirectional"),
        "15": ("linear_recurrence", "Hillis and Steele"),
    }
    said, total = re.search(r"leave out (.*?): ([0-9]+) of its 100 marks", SOURCES["instructors"]).groups()
    assert re.findall(r"\d+[a-e]?", said) == list(about)
    questions = {number: (marks.split(" + "), text) for number, marks, text in QUESTION.findall(SOURCES["examination"])}
    read = {page for week in PLANS["seven"] for page in week["pages"]}
    marks = 0
    for part, (page, term) in about.items():
        each, text = questions[part.rstrip("abc")]
        marks += int(each["abc".index(part[-1])]) if part[-1] in "abc" else sum(map(int, each))
        assert term in text and page not in read and term.lower() in SOURCES[page].lower()
    assert marks == int(total)
