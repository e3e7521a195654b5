"""Homework 3: what its statement and its sample answers say about its language and its table holds, and for other seeds."""

import contextlib
import io
from collections import Counter, defaultdict

import nbformat
import numpy as np
import pytest

from lmkit.corpora import TAGGED
from lmkit.grading.answers import notebook_path
from lmkit.grading.master import is_test


@pytest.fixture(scope="module")
def names():
    """What the notebook's cells define, the tests left out."""
    cells = nbformat.read(notebook_path("hw3_recurrent"), as_version=4).cells
    found = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            if cell.cell_type == "code" and not is_test(cell):
                exec(compile(cell.source, cell.id, "exec"), found)
    return found


def test_a_cell_whose_two_terms_cancel_may_be_in_single_precision(names, monkeypatch):
    """With this secret the rounding of what is kept and what is written is more than a thousandth of their sum."""

    def lstm_step(x, h, c, W, b):
        below = np.concatenate([h, x]).astype(np.float32)
        a = {gate: np.float32(W[gate]) @ below + np.float32(b[gate]) for gate in "figo"}
        f, i, o = (1 / (1 + np.exp(-a[gate])) for gate in "fio")
        c = f * np.float32(c) + i * np.tanh(a["g"])
        return o * np.tanh(c), c

    monkeypatch.setattr("lmkit.homework.secret", "s343")
    notebook = nbformat.read(notebook_path("hw3_recurrent"), as_version=4)
    (test,) = (c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "test_lstm_step")
    exec(compile(test.source, test.id, "exec"), names | {"lstm_step": lstm_step})


def tables(language, n_words, seed=0, n=20_000):
    """How often each tag comes with the last ``n_words`` words up to its own."""
    counts = defaultdict(Counter)
    for sentence in language.sample_annotated(n, seed):
        words = [""] * (n_words - 1) + [token.word for token in sentence]
        for i, token in enumerate(sentence):
            counts[tuple(words[i : i + n_words])][token.tag] += 1
    return counts


@pytest.mark.parametrize(("n_words", "share"), [(1, 0.84), (2, 0.94)])
def test_what_looking_at_one_or_two_words_gives(names, n_words, share):
    counts = tables(names["language"], n_words)
    right = sum(max(tags.values()) for tags in counts.values()) / sum(sum(tags.values()) for tags in counts.values())
    assert abs(right - share) < 0.008


def tag_probabilities(language, words):
    """P(tag of the last word | the words up to it), exactly."""
    alive = {language._begin: 1.0}
    for word in words:
        tags, behind = Counter(), Counter()
        for state, weight in alive.items():
            for p, token, after, _ in language._next(state):
                if token.word == word:
                    tags[token.tag] += weight * p
                    behind[after] += weight * p
        alive = behind
    total = sum(tags.values())
    return {tag: weight / total for tag, weight in tags.items()}


def test_the_best_from_left_to_right(names):
    language, best = names["language"], []
    for sentence in language.sample(600, seed=3):
        best += [max(tag_probabilities(language, sentence[: i + 1]).values()) for i in range(len(sentence))]
    assert abs(np.mean(best) - 0.97) < 0.005


def test_the_sentences_of_statement_and_answers(names):
    language = names["language"]
    spoken = [[token.word for token in sentence] for sentence in TAGGED]
    spoken += [
        text.split() for text in ("time flies see the plan", "time flies with their wings", "paper forms list plans")
    ]
    spoken += [text.split() for text in ("the plan forms in the list", "they plan forms in the list")]
    assert all(np.isfinite(language.log_prob(words)) for words in spoken)
    assert len(names["WORDS"]) == 35 and {token.tag for sentence in TAGGED for token in sentence} == set("dnpv")
    both = [word for (word,), tags in tables(language, 1).items() if {"n", "v"} <= set(tags)]
    assert 0.42 < len(both) / 35 < 0.5
    assert all(0.45 < p < 0.55 for p in tag_probabilities(language, ["time", "flies"]).values())
    readings = {tuple(t.tag for t in s) for s in TAGGED if [t.word for t in s] == "time flies like an arrow".split()}
    assert readings == {tuple("nvpdn"), tuple("nnvdn")}


def medians(names, s, first):
    """Norms of 20 networks over 1, 5, 10, 20 and 35 steps as the notebook's cell draws them, and of their W_hh."""
    norms, gamma = [], []
    for seed in range(first, first + 20):
        rng = np.random.default_rng(seed)
        p = {"W_xh": 0.1 * rng.normal(size=(16, 8)), "W_hh": s * rng.normal(size=(16, 16)) / 4, "b_h": np.zeros(16)}
        p |= {"W_hy": np.zeros((1, 16)), "b_y": np.zeros(1)}
        h, _ = names["forward"](p, rng.normal(size=(36, 8)), np.zeros(16))
        norms.append(names["influence"](p, h)[[-2, -6, -11, -21, -36]])
        gamma.append(np.linalg.norm(p["W_hh"], 2))
    return np.median(norms, axis=0), np.median(gamma)


@pytest.mark.parametrize("first", [0, 100, 200])
def test_the_table_of_the_written_part_is_typical(names, first):
    (small, g_small), (middle, g_middle), (large, g_large) = (medians(names, s, first) for s in (0.5, 1, 2))
    assert g_small < 1 and 1.7 < g_middle < 1.95 and g_large > 3  # the sample answer says 1.8
    assert (np.diff(small) < 0).all() and small[-1] < 1e-9
    assert middle[0] > 1 > middle[2] > middle[3] > middle[4] and middle[4] < 0.1  # γ > 1, and it vanishes
    assert large[-1] > 5 and large[-1] < g_large**35 / 1e10  # far below the bound
    kept = names["carried"](np.full((36, 2), [0.9, 0.99]))[0]
    assert np.allclose(kept, [0.025, 0.70], rtol=0.01, atol=0) and abs(2 ** (-1 / 35) - 0.98) < 5e-4


@pytest.mark.slow
def test_the_two_directions_fail_where_the_answer_says(names):
    base = "plan form list report note print stamp fly".split()
    with_s = "plans forms lists reports notes prints stamps flies".split()
    for seed in range(3):
        train, unseen = names["tagged"](1000, 50 + seed), names["tagged"](1000, 60 + seed)
        share, wrong = {}, {}
        for way in (1, -1):
            p = names["train_tagger"]([(x[::way], y[::way]) for x, y in train], 35, 4, seed)
            mistakes, hits = Counter(), []
            for x, y in unseen:
                found = names["forward"](p, x[::way], np.zeros(len(p["b_h"])))[1].argmax(1)[::way]
                words = [names["WORDS"][i] for i in x.argmax(1)]
                mistakes.update(word for word, a, b in zip(words, found, y) if a != b)
                hits += (found == y).tolist()
            share[way] = np.mean(hits)
            kinds = [sum(mistakes[w] for w in group) for group in (with_s, base, ["like"])]
            wrong[way] = [*kinds, mistakes.total() - sum(kinds)]
        assert 0.955 < share[1] < 0.975 and 0.94 < share[-1] < 0.967 and share[1] > share[-1]
        assert wrong[1][0] > 80 and wrong[1][2] > 10 and wrong[1][1] <= 10 and wrong[1][3] <= 10
        assert wrong[-1][0] > 60 and wrong[-1][1] > 60 and wrong[-1][2] > 5 and wrong[-1][3] <= 10


@pytest.mark.slow
def test_a_rate_of_one_fails_as_the_statement_says(names):
    for seed in range(3):
        rng, train = np.random.default_rng(seed), names["tagged"](1000, 70 + seed)
        p = names["initial_parameters"](rng, 35, 24, 4)
        for epoch in range(5):
            for i in rng.permutation(len(train)):
                gradients = names["bptt"](p, *train[i], np.zeros(24))
                p = {name: p[name] - (1 - epoch / 5) * gradients[name] for name in p}
        found = [(names["forward"](p, x, np.zeros(24))[1].argmax(1) == y) for x, y in names["tagged"](300, 80 + seed)]
        assert np.concatenate(found).mean() < 0.9
