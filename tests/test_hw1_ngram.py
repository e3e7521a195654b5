"""Homework 1: its comparison shows what the open question asks to explain."""

import contextlib
import dis
import io

import nbformat
import numpy as np
import pytest

from lmkit.grading.answers import notebook_path
from lmkit.grading.master import is_test


@pytest.fixture(scope="module")
def table():
    """A function from the seeds of the training and the test text to the printed table: names, and (models, unseen/seen)."""
    cells = nbformat.read(notebook_path("hw1_ngram"), as_version=4).cells
    comparison = next(cell.source for cell in cells if cell.id == "comparison")
    names = {}
    for cell in cells:
        if cell.cell_type == "code" and cell.id != "comparison":
            exec(compile(cell.source, cell.id, "exec"), names)

    def run(train_seed=1, test_seed=2, **other):
        source = comparison.replace("seed=1", f"seed={train_seed}").replace("seed=2", f"seed={test_seed}")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(source, "comparison", "exec"), names | other)
        rows = [line for line in printed.getvalue().splitlines() if "±" in line]
        return [row[:22].strip() for row in rows], np.array(
            [[float(row[22:].split()[i]) for i in (0, 3)] for row in rows]
        )

    return run


def test_the_comparison_shows_what_the_open_question_asks(table):
    names, wasted = table()
    unseen, seen = (dict(zip(names, column, strict=True)) for column in wasted.T)
    assert len(names) == 5 and min(unseen.values()) > 0
    assert unseen["1-gram"] > unseen["2-gram, add 0.01"] > unseen["3-gram, add 0.01"] > unseen["3-gram, interpolated"]
    # A longer context is no help where the text is new, and memorises where it is not.
    gap = {name: unseen[name] - seen[name] for name in names}
    assert gap["3-gram, add 0.01"] > 3 * gap["2-gram, add 0.01"] > 0
    assert seen["3-gram, add 0.01"] < seen["2-gram, add 0.01"]


def test_a_function_that_is_not_written_costs_only_its_rows(table):
    def missing(*_):
        raise NotImplementedError

    without = table(kneser_ney=missing, generate=missing)[0]
    assert [name for name in table()[0] if name not in without] == ["2-gram, Kneser-Ney"]


def test_every_text_can_be_counted_event_by_event():
    """Nothing depends on how fast an answer is: whoever asks list.count about each of T events looks at T² of them."""
    cells = {cell.id: cell.source for cell in nbformat.read(notebook_path("hw1_ngram"), as_version=4).cells}
    names, events_in_text = {}, []
    exec("\n".join(cells[name] for name in ("setup", "events", "count-ngrams")), names)
    solution = names["count_ngrams"]

    def count_ngrams(sentences, n):
        events_in_text.append(sum(len(sentence) + 1 for sentence in sentences))
        return solution(sentences, n)

    exec(cells["test-count-ngrams"], names | {"count_ngrams": count_ngrams})
    assert 5000 < max(events_in_text) < 10_000


def test_the_comparison_takes_no_name_that_a_helper_may_have():
    cells = nbformat.read(notebook_path("hw1_ngram"), as_version=4).cells
    code = compile(next(cell.source for cell in cells if cell.id == "comparison"), "comparison", "exec")
    sets = {i.argval for i in dis.get_instructions(code) if i.opname == "STORE_NAME"}
    assert {name for name in sets if not name.isupper()} == {"compare", "course_grammar", "wasted_bits"}


@pytest.mark.slow
def test_the_comparison_shows_what_is_typical(table):
    """Over 40 other pairs of training and test texts each figure of the table lies within three standard deviations."""
    others = np.array([table(2 * i, 2 * i + 1)[1] for i in range(100, 140)])  # (40, models, 2)
    assert (abs(table()[1] - others.mean(0)) < 3 * others.std(0)).all()


@pytest.fixture(scope="module")
def trained():
    """What the notebook's cells define, the tests left out, and the counts of n-grams for n from 1 to 7."""
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in nbformat.read(notebook_path("hw1_ngram"), as_version=4).cells:
            if cell.cell_type == "code" and not is_test(cell):
                exec(compile(cell.source, cell.id, "exec"), names)
    return names, [names["count_ngrams"](names["TRAIN"], n) for n in range(1, 8)]


def test_the_rubric_has_the_numbers_of_add_k_and_of_interpolation(trained):
    names, tables = trained

    def wasted(n, probability):
        known = {}
        return [names["wasted_bits"](probability, n, names[text], known)[0] for text in ("TEST", "TRAIN")]

    def add(k, n):
        return wasted(n, lambda c, w: names["add_k"](tables[n - 1], c, w, k, names["V"]))

    for n, expected in {2: (0.83, 0.75), 3: (0.69, 0.30), 4: (1.36, 0.25), 5: (2.05, 0.17)}.items():
        assert np.allclose(add(0.01, n), expected, rtol=0, atol=0.0052)
    four = wasted(4, lambda c, w: names["interpolate"](tables[:4], c, w, [0.005, 0.05, 0.19, 0.755]))
    assert np.allclose(four, (0.73, 0.08), rtol=0, atol=0.0052)
    # With add-k the training text's waste rises again: from this n on, and not before.
    for k, n in ((1, 3), (0.1, 4), (0.01, 7)):
        before, there = add(k, n - 1)[1], add(k, n)[1]
        assert there > before and (n == 3 or before < add(k, n - 2)[1])


def test_contexts_of_four_words_are_rare_and_copies_far_away(trained):
    names, tables = trained
    new = {context for sentence in names["TEST"] for context, _ in names["events"](sentence, 5)}
    assert np.mean([sum(tables[4].get(context, {}).values()) <= 1 for context in new]) > 0.55
    between = [
        i - story.index(story[i]) - 1  # from the name's first place to its second, and so from copy to copy
        for story in names["TEST"]
        for i in range(len(story) - 2)
        if story[i + 1 : i + 3] == ["prints", "her"]
    ]
    assert min(between) >= 20 and np.mean(np.array(between) <= 50) > 0.9
