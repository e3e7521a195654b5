"""n-gram models against the formulas written out with dictionaries, against arithmetic by hand, and against KenLM."""

import os
import re
import warnings
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmkit.ngram import (
    AddK,
    Interpolation,
    KneserNey,
    MaximumLikelihood,
    ModifiedKneserNey,
    NgramLM,
    fit_interpolation,
)
from lmkit.ngram_counts import NgramCounts
from tests.doors import Door, bad_values

BOS, EOS = 0, 1
TEXT = [[1, 2, 3], [2, 1]]
DOORS = [
    Door(AddK, lambda: {"k": 0.5}, {"k": [*bad_values("positive", None), np.inf]}),
    Door(Interpolation, lambda: {"weights": [0.5, 0.5]}, {"weights": "distribution"}),
    Door(KneserNey, lambda: {"discount": 0.5}, {"discount": "optional probability"}),
    Door(ModifiedKneserNey, dict),
    Door(
        NgramLM,
        lambda: {"counts": NgramCounts(TEXT, 2, 4), "smoothing": KneserNey()},
        {"counts": "object", "smoothing": [*bad_values("object", None), KneserNey, Interpolation([0.5, 0.5])]},
    ),
    Door(
        NgramLM.fit,
        lambda: {"sequences": TEXT, "order": 2, "vocab_size": 4, "smoothing": KneserNey(), "bos_id": 0},
        {"sequences": "sequences 4", "order": "count", "vocab_size": "count", "smoothing": "object", "bos_id": "index"},
    ),
    *(
        Door(
            getattr(NgramLM.fit(TEXT, 2, 4, KneserNey()), method),
            lambda a=argument, v=value: {a: v},
            {argument: kind},
            f"ngram.NgramLM.{method}",
        )  # fmt: skip
        for method, argument, value, kind in [
            ("log_probs", "tokens", [1], "ids 4"),
            ("log_probs_many", "sequences", [[1]], "sequences 4"),
            ("next_log_probs", "prefix", [1], "ids 4"),
        ]
    ),
    Door(
        fit_interpolation,
        lambda: {"counts": NgramCounts(TEXT, 2, 4), "held_out": [[1]]},
        {"counts": "object", "held_out": "sequences 4"},
    ),
]
COWS, EAT, CORN, GRASS, HAY, IF, WHICH = range(2, 9)


def all_prefixes(vocab_size, longest):
    for length in range(longest + 1):
        yield from product(range(1, vocab_size), repeat=length)


# --- The formulas once more, with dictionaries and loops, sharing nothing with the module ------------------------------


def occurrences(sentences, order, pads):
    """c[k][gram] for k = 1 … order, every sentence after ``pads`` times <bos>; windows that would not fit are left out."""
    c = {k: Counter() for k in range(1, order + 1)}
    for sentence in sentences:
        padded = [BOS] * pads + list(sentence)
        for t in range(pads, len(padded)):
            for k in range(1, order + 1):
                if t - k + 1 >= 0:
                    c[k][tuple(padded[t - k + 1 : t + 1])] += 1
    return c


def kneser_ney_by_definition(sentences, order, vocab_size, discounts):
    """P(w, prefix) of interpolated Kneser-Ney (Chen & Goodman 1999); discounts(n_1 … n_4) → D_1, D_2, D_3+."""
    c = occurrences(sentences, order, pads=1)
    a = {order: dict(c[order])}
    for k in range(1, order):
        neighbours = {}
        for gram in c[k + 1]:
            neighbours.setdefault(gram[1:], set()).add(gram[0])
        a[k] = {gram: c[k][gram] if gram[0] == BOS else len(neighbours[gram]) for gram in c[k]}
    d = {k: discounts(*(sum(1 for count in a[k].values() if count == i) for i in (1, 2, 3, 4))) for k in a}

    def p(k, word, history):
        if k == 0:
            return 0.0 if word == BOS else 1 / (vocab_size - 1)
        if len(history) < k - 1:
            return p(k - 1, word, history)
        h = history[len(history) - k + 1 :]
        after = {gram[-1]: count for gram, count in a[k].items() if gram[:-1] == h}
        if not after:
            return p(k - 1, word, history)
        total = sum(after.values())
        taken = sum(d[k][min(count, 3) - 1] for count in after.values())
        kept = after[word] - d[k][min(after[word], 3) - 1] if word in after else 0
        return kept / total + taken / total * p(k - 1, word, history)

    return lambda word, prefix: p(order, word, (BOS, *prefix))


def one_discount(n1, n2, n3, n4):
    return 3 * (n1 / (n1 + 2 * n2) if n1 > 0 and n2 > 0 else 0.75,)


def three_discounts(n1, n2, n3, n4):
    if 0 in (n1, n2, n3):
        return 0.5, 1, 1.5
    y = n1 / (n1 + 2 * n2)
    d = 1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3
    return d if all(0 <= d_i <= i for i, d_i in enumerate(d, start=1)) else (0.5, 1, 1.5)


# --- Every smoothing method ------------------------------------------------------------------------------------------

corpora = st.lists(st.lists(st.integers(1, 4), max_size=9), min_size=1, max_size=9).filter(any)


def smoothings(order):
    weights = np.arange(order + 1.0) + 0.5
    return [AddK(0.3), Interpolation(weights / weights.sum()), KneserNey(), KneserNey(0.6), ModifiedKneserNey()]


@settings(max_examples=40)
@given(corpora, st.integers(1, 4))
def test_smoothed_distributions_sum_to_one_after_every_prefix(sentences, order):
    counts = NgramCounts(sentences, order, vocab_size=5)
    for smoothing in smoothings(order):
        model = NgramLM(counts, smoothing)
        for prefix in all_prefixes(5, 2):
            p = np.exp(model.next_log_probs(prefix))
            assert p[BOS] == 0
            assert abs(p.sum() - 1) < 1e-12, (smoothing, prefix)


@settings(max_examples=40)
@given(corpora, st.integers(1, 4))
def test_scoring_a_text_and_predicting_its_next_token_agree_exactly(sentences, order):
    counts = NgramCounts(sentences, order, vocab_size=5)
    for smoothing in [MaximumLikelihood(), *smoothings(order)]:
        model = NgramLM(counts, smoothing)
        texts = [*sentences, [], [4, 3, 2, 1, 2, 3, 4, 4, 4, 1]]
        for text, log_p in zip(texts, model.log_probs_many(texts), strict=True):
            expected = [model.next_log_probs(text[:t])[token] for t, token in enumerate(text)]
            assert log_p.dtype == np.float64
            assert np.array_equal(log_p, expected)
            assert np.array_equal(log_p, model.log_probs(text))


@settings(max_examples=40)
@given(corpora, st.integers(1, 4))
def test_kneser_ney_is_its_definition(sentences, order):
    counts = NgramCounts(sentences, order, vocab_size=5)
    for smoothing, discounts in [
        (KneserNey(), one_discount),
        (KneserNey(0.4), lambda *_: (0.4, 0.4, 0.4)),
        (ModifiedKneserNey(), three_discounts),
    ]:
        model = NgramLM(counts, smoothing)
        p = kneser_ney_by_definition(sentences, order, 5, discounts)
        for prefix in all_prefixes(5, 2):
            expected = [p(word, prefix) for word in range(5)]
            np.testing.assert_allclose(np.exp(model.next_log_probs(prefix)), expected, rtol=0, atol=1e-13)


def test_modified_kneser_ney_is_its_definition_where_discounts_are_estimated():
    rng = np.random.default_rng(1)
    sentences = [[*(rng.zipf(1.4, size=8) % 30 + 2).tolist(), EOS] for _ in range(150)]
    estimated = []

    def discounts(*n):
        estimated.append(three_discounts(*n))
        return estimated[-1]

    p = kneser_ney_by_definition(sentences, 3, 32, discounts)
    assert sum(d != (0.5, 1, 1.5) for d in estimated) >= 2  # else this tests nothing new
    model = NgramLM.fit(sentences, 3, 32, ModifiedKneserNey())
    for prefix in [(), (2,), (3,), (2, 3), (2, 2), (9, 4), (31, 31)]:
        expected = [p(word, prefix) for word in range(32)]
        np.testing.assert_allclose(np.exp(model.next_log_probs(prefix)), expected, rtol=0, atol=1e-13)


@settings(max_examples=40)
@given(corpora, st.integers(1, 4))
def test_other_methods_are_their_definitions(sentences, order):
    c = occurrences(sentences, order, pads=order - 1)
    counts = NgramCounts(sentences, order, vocab_size=5)
    weights = np.arange(1.0, order + 2) / np.arange(1, order + 2).sum()
    likelihood, add_k, mixed = (NgramLM(counts, s) for s in (MaximumLikelihood(), AddK(0.3), Interpolation(weights)))
    for prefix in all_prefixes(5, 2):
        context = [BOS] * (order - 1) + list(prefix)
        parts = [(weights[0], np.array([0, 0.25, 0.25, 0.25, 0.25]))]
        for k in range(1, order + 1):
            history = tuple(context[len(context) - k + 1 :])
            seen = np.array([c[k][(*history, word)] for word in range(5)])
            if seen.sum():
                parts.append((weights[k], seen / seen.sum()))
        mixture = sum(w * p for w, p in parts) / sum(w for w, _ in parts)
        smoothed = (seen + 0.3) / (seen.sum() + 4 * 0.3) * [0, 1, 1, 1, 1]
        np.testing.assert_allclose(np.exp(mixed.next_log_probs(prefix)), mixture, atol=1e-14)
        np.testing.assert_allclose(np.exp(add_k.next_log_probs(prefix)), smoothed, atol=1e-14)
        np.testing.assert_allclose(np.exp(likelihood.next_log_probs(prefix)), seen / max(seen.sum(), 1), atol=1e-14)


# --- By hand -----------------------------------------------------------------------------------------------------------


def test_cows_eat():
    what = [CORN] * 4 + [GRASS] * 3 + [HAY] * 2 + [IF, WHICH]
    model = NgramLM.fit([[COWS, EAT, w] for w in what], 3, vocab_size=9, smoothing=MaximumLikelihood())
    p = np.exp(model.next_log_probs([COWS, EAT]))
    np.testing.assert_allclose(p[[CORN, GRASS, HAY, IF, WHICH]], np.array([4, 3, 2, 1, 1]) / 11, rtol=1e-15)
    assert p.sum() == pytest.approx(1, abs=1e-15)


# Two sentences, V = 6. Bigrams: <bos> cows 2, cows eat 2, eat corn 1, eat grass 1, corn <eos> 1, grass <eos> 1.
# Left neighbours: cows, eat, corn and grass have one each, <eos> two: 6 in all.
TWO = [[COWS, EAT, CORN, EOS], [COWS, EAT, GRASS, EOS]]


def test_kneser_ney_by_hand():
    model = NgramLM.fit(TWO, 2, vocab_size=6, smoothing=KneserNey(discount=0.5))
    after_eat = np.exp(model.next_log_probs([COWS, EAT]))
    # P(corn) = (1 − .5)/6 + 5·.5/6 · 1/5 = 1/6 and P(<eos>) = (2 − .5)/6 + 1/12 = 1/3.
    assert after_eat[CORN] == pytest.approx(0.5 / 2 + 0.5 / 6, rel=1e-14)  # (1 − .5)/2 + 2·.5/2 · 1/6
    assert after_eat[EOS] == pytest.approx(0.5 / 3, rel=1e-14)
    assert np.exp(model.next_log_probs([]))[COWS] == pytest.approx(1.5 / 2 + 0.25 / 6, rel=1e-14)


def test_modified_kneser_ney_by_hand():
    model = NgramLM.fit(TWO, 2, vocab_size=6, smoothing=ModifiedKneserNey())  # no count 3, so D = .5, 1, 1.5
    after_eat = np.exp(model.next_log_probs([COWS, EAT]))
    # P(corn) = .5/6 + (4·.5 + 1)/6 · 1/5 = 11/60 and P(<eos>) = (2 − 1)/6 + 1/10 = 16/60.
    assert after_eat[CORN] == pytest.approx(0.5 / 2 + 0.5 * 11 / 60, rel=1e-14)
    assert after_eat[EOS] == pytest.approx(0.5 * 16 / 60, rel=1e-14)
    assert np.exp(model.next_log_probs([]))[COWS] == pytest.approx(1 / 2 + 0.5 * 11 / 60, rel=1e-14)


def test_discounts_by_hand():
    counts = np.repeat([1, 2, 3, 4, 7], [10, 4, 2, 1, 5])  # Y = 10/18
    assert KneserNey()._discounts(counts) == pytest.approx([5 / 9] * 3, rel=1e-15)
    assert ModifiedKneserNey()._discounts(counts) == pytest.approx([5 / 9, 7 / 6, 17 / 9], rel=1e-15)
    # 2 − 3 · 4/6 · 40/1 < 0, which is no discount: fall back.
    assert ModifiedKneserNey()._discounts(np.repeat([1, 2, 3], [4, 1, 40])) == (0.5, 1, 1.5)
    # 3 − 4 · 4/8 · 3/2 = 0, which is one.
    assert ModifiedKneserNey()._discounts(np.repeat([1, 2, 3, 4], [4, 2, 2, 3])) == (0.5, 0.5, 0)


def test_kneser_ney_asks_in_how_many_contexts_a_word_is_at_home():
    san, francisco, glass, new = 2, 3, 4, range(5, 9)
    text = [[san, francisco]] * 20 + [[word, glass] for word in new]
    counts = NgramCounts(text, 2, vocab_size=9)
    frequent, versatile = (
        NgramLM(counts, smoothing).next_log_probs([glass])  # a history that was never seen
        for smoothing in (Interpolation([0.1, 0.4, 0.5]), KneserNey())
    )
    assert frequent[francisco] > frequent[glass]
    assert versatile[francisco] < versatile[glass]


def test_one_long_stream_keeps_its_context_across_any_distance():
    model = NgramLM.fit([np.array([2, 3, 2, 3, 2, 3, 2])], 3, vocab_size=4, smoothing=MaximumLikelihood())
    assert np.array_equal(model.log_probs([2, 3, 2, 3, 2]), np.zeros(5))
    assert np.array_equal(model.log_probs([3, 2]), [-np.inf, -np.inf])


def test_a_history_never_seen_makes_every_token_impossible_under_maximum_likelihood():
    model = NgramLM.fit(TWO, 3, vocab_size=6, smoothing=MaximumLikelihood())
    assert (model.next_log_probs([CORN, COWS]) == -np.inf).all()
    assert np.exp(NgramLM(model.counts, AddK(1)).next_log_probs([CORN, COWS]))[1:] == pytest.approx(0.2)
    rare = [
        NgramLM.fit([[1, 2, 3]], 1, 200, AddK(k)).next_log_probs([]) for k in (2, np.uint8(2))
    ]  # 2 · 199 wraps around
    np.testing.assert_array_equal(*rare)


def test_bos_is_impossible_as_a_token():
    for smoothing in (AddK(), KneserNey(), MaximumLikelihood()):
        assert NgramLM.fit(TWO, 2, vocab_size=6, smoothing=smoothing).log_probs([COWS, BOS])[1] == -np.inf


def test_another_id_can_mark_the_beginning():
    shifted = NgramLM.fit([[t - 1 for t in s] for s in TWO], 2, 6, KneserNey(), bos_id=5)
    plain = NgramLM.fit(TWO, 2, 6, KneserNey())
    np.testing.assert_allclose(np.roll(shifted.next_log_probs([EAT - 1]), 1), plain.next_log_probs([EAT]), rtol=1e-15)


def test_no_token_at_all_is_scored_as_nothing():
    model = NgramLM.fit(TWO, 3, 6, KneserNey())
    assert model.log_probs([]).shape == (0,)
    assert model.log_probs_many([]) == []
    assert [len(p) for p in model.log_probs_many([[], [COWS], []])] == [0, 1, 0]


def test_interpolation_without_shorter_histories_relies_on_the_longest_one_seen():
    model = NgramLM.fit(TWO, 2, 6, Interpolation([0, 0, 1]))
    assert np.exp(model.next_log_probs([CORN])[EOS]) == 1
    counted = np.array([0, 2, 2, 2, 1, 1]) / 8  # <eos> has no follower: the counts of single words
    np.testing.assert_allclose(np.exp(model.next_log_probs([EOS])), counted, rtol=1e-14)


# --- Interpolation weights ----------------------------------------------------------------------------------------------


def random_text(rng, n):
    """Sentences from a Markov chain whose next token leans on the one before."""
    lean = rng.dirichlet(np.full(6, 0.3), size=8)
    text = []
    for _ in range(n):
        sentence = [2]
        while len(sentence) < 12:
            sentence.append(int(rng.choice(6, p=lean[sentence[-1]])) + 2)
        text.append([*sentence, EOS])
    return text


def test_fitted_weights_cannot_be_bettered_on_the_held_out_text():
    rng = np.random.default_rng(0)
    text = random_text(rng, 60)
    counts = NgramCounts(text[:40], 3, vocab_size=8)
    held_out = text[40:]

    def score(weights):
        return np.concatenate(NgramLM(counts, Interpolation(weights)).log_probs_many(held_out)).mean()

    fitted = fit_interpolation(counts, held_out).weights
    best = score(fitted)
    for _ in range(60):
        assert score(rng.dirichlet(np.ones(4))) <= best
        assert score(0.98 * np.array(fitted) + 0.02 * rng.dirichlet(np.full(4, 0.3))) <= best + 1e-9


def test_weights_of_a_unigram_model_by_calculus():
    # Trained on a a a b, so P_ML(a) = 3/4 and P_0 = 1/2. Held out 70 % a: λ_1 · 3/4 + (1 − λ_1)/2 = 7/10, λ_1 = 4/5.
    counts = NgramCounts([[1, 1, 1, 2]], 1, vocab_size=3)
    assert fit_interpolation(counts, [[1] * 7 + [2] * 3]).weights == pytest.approx([0.2, 0.8], abs=1e-3)
    # Held out mostly b: even P_0 gives it too little, so P_ML gets nothing.
    assert fit_interpolation(counts, [[1, 2, 2]]).weights == pytest.approx([1, 0], abs=1e-6)


def test_the_training_text_itself_would_give_everything_to_the_highest_order():
    rng = np.random.default_rng(0)
    text = [rng.integers(1, 30, size=20).tolist() for _ in range(20)]
    assert fit_interpolation(NgramCounts(text, 3, 30), text).weights[3] > 0.99


# --- Errors -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: AddK(0), r"k must be a number ≥ 1e-290 and ≤ 1e\+290, got 0"),
        (lambda: AddK(float("inf")), "k must be a number .*, got inf"),
        (lambda: AddK(1e308), "k must be a number .*, got 1e[+]308"),
        (lambda: AddK(1e-320), "k must be a number .*, got 1e-320"),
        (lambda: NgramLM.fit(TWO, 3, 6, Interpolation([0.5, 0.5])), "smoothing must have 4 weights.*got 2"),
        (lambda: NgramLM.fit(TWO, 2, 6, AddK()).log_probs([2, 6]), r"tokens\[1\] is 6"),
        (lambda: NgramLM.fit(TWO, 2, 6, AddK()).log_probs_many([[2], [2, 6]]), r"sequences\[1\]\[1\] is 6"),
        (lambda: NgramLM.fit(TWO, 2, 6, AddK()).log_probs([2.0]), "tokens must be integer"),
        (lambda: NgramLM.fit(TWO, 2, 6, AddK()).next_log_probs([7]), r"prefix\[0\] is 7"),
        (lambda: fit_interpolation(NgramCounts(TWO, 2, 6), []), "held_out holds no token"),
        (lambda: fit_interpolation(NgramCounts(TWO, 2, 6), [[9]]), r"held_out\[0\]\[0\] is 9"),
        (lambda: fit_interpolation(NgramCounts(TWO, 2, 6), [[2, BOS]]), "held_out contains <bos>"),
    ],
)
def test_errors_say_what_is_wrong(make, says):
    with pytest.raises(ValueError, match=says):
        make()


# --- Tiny Shakespeare ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shakespeare():
    path = Path(os.environ.get("LMKIT_DATA_DIR", "/nowhere")) / "tinyshakespeare.txt"
    if not path.exists():
        pytest.skip("LMKIT_DATA_DIR does not name a folder with tinyshakespeare.txt")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("order", "kenlm"), [(2, 95.389), (3, 89.332), (5, 88.429)])
def test_modified_kneser_ney_equals_kenlm(shakespeare, order, kenlm):
    """KenLM's ``lmplz -o N --discount_fallback`` on the same words; a line is a sentence, words seen once are <unk>."""
    lines = [re.findall(r"\w+|[^\w\s]", line) for line in shakespeare.splitlines() if line.strip()]
    train, test = lines[: int(0.9 * len(lines))], lines[int(0.9 * len(lines)) :]
    frequency = Counter(word for line in train for word in line)
    ids = {word: i for i, word in enumerate((w for w, c in frequency.items() if c > 1), start=3)}
    train, test = ([[*(ids.get(word, 2) for word in line), EOS] for line in part] for part in (train, test))
    vocab_size = len(ids) + 3

    def perplexity(vocab_size):
        model = NgramLM.fit(train, order, vocab_size, ModifiedKneserNey())
        return np.exp(-np.concatenate(model.log_probs_many(test)).mean())

    plain, exact = perplexity(vocab_size), perplexity(vocab_size + 1)  # KenLM has one type more, which never occurs
    assert plain == pytest.approx(kenlm, rel=1e-3)
    assert exact == pytest.approx(kenlm, rel=1e-5)  # KenLM computes in single precision
    assert abs(exact - kenlm) < abs(plain - kenlm)


def test_character_7_gram_of_tiny_shakespeare(shakespeare):
    characters, ids = np.unique(np.frombuffer(shakespeare.encode(), dtype=np.uint8), return_inverse=True)
    ids, cut = ids + 2, int(0.9 * len(ids))
    model = NgramLM.fit([ids[:cut]], 7, len(characters) + 2, ModifiedKneserNey())
    assert -model.log_probs(ids[cut:]).mean() == pytest.approx(1.5165, abs=5e-4)


def test_interpolation_is_fitted_where_nothing_comes_down_to_an_order():
    """Held-out tokens that the bigrams are sure of: what comes down to the unigrams is 0, and so is their share of it."""
    counts = NgramCounts([np.arange(1, 30_000)], 2, 30_000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted = fit_interpolation(counts, [np.arange(1, 20)])
    assert fitted.weights[2] > 0.999 and np.isclose(sum(fitted.weights), 1, rtol=1e-9, atol=0)
