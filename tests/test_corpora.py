"""The texts are what they claim to be."""

import os
import re
from collections import Counter

import numpy as np
import pytest

from lmkit import corpora
from lmkit.tokenizers import split_words
from tests.doors import Door

DOORS = [
    Door(corpora.course_grammar, lambda: {"words_per_class": 3}, {"words_per_class": "optional count"}),
]


def state_graph(grammar):
    """steps[i]: the (probability, word, next state) of every step of a derivation in state i; [] where it has ended."""
    states = [grammar._begin]
    number = {states[0]: 0}
    steps = []
    for state in states:  # grows while we read it
        steps.append([])
        for p, token, behind, _ in grammar._next(state):
            if behind not in number:
                number[behind] = len(states)
                states.append(behind)
            steps[-1].append((p, token.word, number[behind]))
    return steps


@pytest.fixture(scope="module")
def small_steps():
    return state_graph(corpora.course_grammar(3))


def test_no_sentence_of_the_course_grammar_has_two_derivations():
    """All sentences, however long and rare: a derivation has finitely many states."""
    assert corpora.course_grammar(3)._twice is None is corpora.course_grammar()._twice


def test_exact_entropy_and_length_by_walking_all_derivations(small_steps):
    """Independent of the grammar's own computation, which counts uses of rules."""
    begin, p, end = (
        np.array(column)
        for column in zip(*((i, p, j) for i, step in enumerate(small_steps) for p, _, j in step), strict=True)
    )
    going_on = np.array([bool(step) for step in small_steps])
    choice = np.bincount(begin, -p * np.log(p), len(small_steps))  # entropy of the next step, in nats
    at = np.eye(1, len(small_steps))[0]  # probability of each state after t words
    entropy, longer_than = 0.0, []
    while not longer_than or longer_than[-1] > 1e-17:
        entropy += at @ choice
        longer_than.append(at[going_on].sum())  # P(length > t)
        at = np.bincount(end, at[begin] * p, len(small_steps))
    small = corpora.course_grammar(3)
    assert np.isclose(entropy, small.entropy(), rtol=1e-12)
    assert np.isclose(sum(longer_than) + 1, small.expected_length(), rtol=1e-12)
    # lengths do not depend on how many words a class has
    assert np.isclose(sum(longer_than) + 1, corpora.course_grammar().expected_length(), rtol=1e-12)
    assert longer_than[64] < 0.02 and longer_than[96] < 1e-3


def test_cows_eat():
    after = Counter(line.split("cows eat ")[1].split()[0] for line in corpora.COWS)
    assert after == {"corn": 4, "grass": 3, "hay": 2, "if": 1, "which": 1}


PAGE = """\
Names and binding
*****************

*Names* refer to "dict" objects, see "getattr()" [3].  If the built-
in "max()" has a default, e.g. None, it is
used. The case x = 3 is code.  Is "__eq__()" a word?

   >>> for x in range(3):
   ...     print(x)
   Traceback (most recent call last):

* An item (of a
  list) is a sentence — of prose.

Integers ("int")
   These are numbers up to 255, all non-
   negative.

+--------------+
| Operation    |
+--------------+
   stmt ::= "for" target.
This sentence never ends:
"""


def test_a_page_of_the_manual_gives_only_its_sentences():
    assert list(corpora._sentences(PAGE)) == [
        "Names refer to dict objects, see getattr.",
        "If the built-in max has a default, e.g. None, it is used.",
        "An item (of a list) is a sentence — of prose.",
        "These are numbers up to 255, all non-negative.",
    ]


def test_python_docs_are_english_prose():
    text = corpora.python_docs()
    assert corpora.python_docs() is text and 100_000 < len(text) < 250_000
    tokens = split_words(text)
    assert sum(token.isalpha() for token in tokens) / len(tokens) > 0.86
    assert {t for t in tokens if not t.isalnum()} <= set(".,;:!?()-–—’'“”")
    sentences = text.split("\n")
    assert len(set(sentences)) == len(sentences)
    assert all(re.fullmatch(r"[(“]?[A-Z].*[.!?][”)]*", s) for s in sentences)
    lengths = [len(split_words(s)) for s in sentences]
    assert 15 < np.median(lengths) < 20 and min(lengths) >= 3 and max(lengths) < 100


def test_tagged_words_include_the_corrected_determiner():
    assert ("their", "d", None) in corpora.TAGGED[2]
    assert [t.tag for t in corpora.TAGGED[0]] == ["n", "v", "p", "d", "n"]
    assert [t.word for t in corpora.TAGGED[0]] == [t.word for t in corpora.TAGGED[1]]


def test_missing_and_wrong_tiny_shakespeare(tmp_path, monkeypatch):
    monkeypatch.setenv("LMKIT_DATA_DIR", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="LMKIT_DATA_DIR is .* go online once"):
        corpora.tiny_shakespeare()
    (tmp_path / "tinyshakespeare.txt").write_text("To be, or not")
    with pytest.raises(ValueError, match="is not Tiny Shakespeare"):
        corpora.tiny_shakespeare()


def test_no_network_says_both_ways_out(tmp_path, monkeypatch):
    pooch = pytest.importorskip("pooch")
    monkeypatch.delenv("LMKIT_DATA_DIR", raising=False)

    def offline(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setattr(pooch, "retrieve", offline)
    with pytest.raises(FileNotFoundError, match="no network.*LMKIT_DATA_DIR.*go online once"):
        corpora.tiny_shakespeare()


@pytest.mark.skipif(
    "LMKIT_DATA_DIR" not in os.environ, reason="LMKIT_DATA_DIR does not name a folder with Tiny Shakespeare"
)
def test_tiny_shakespeare():
    text = corpora.tiny_shakespeare()
    assert len(text) == 1_115_394 and text.startswith("First Citizen:")


def test_too_small_a_grammar():
    with pytest.raises(ValueError, match="words_per_class must be an integer ≥ 3, got 2"):
        corpora.course_grammar(2)
