"""Entropy and perplexity against known answers: dice, digits, the telephone operator."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lmkit.evaluation import (
    Evaluation,
    ZeroProbabilityWarning,
    cross_entropy,
    entropy,
    evaluate,
    guesses,
    in_unit,
    kl_divergence,
    perplexity,
)
from lmkit.language_model import LanguageModel
from tests.doors import NOTHING, Door, bad_values


class Die(LanguageModel):
    """The same distribution after every prefix."""

    bos_id = 0

    def __init__(self, p):
        self.p, self.vocab_size = np.array(p), len(p)

    def log_probs(self, tokens):
        return self.next_log_probs(())[np.asarray(tokens, dtype=int)]

    def next_log_probs(self, prefix):
        with np.errstate(divide="ignore"):
            return np.log(self.p)


OPERATOR = np.concatenate([np.full(3, 1 / 4), np.full(30_000, 1 / 120_000)])
distributions = arrays(float, 5, elements=st.floats(0.01, 1)).map(lambda w: w / w.sum())


def test_the_telephone_operator():
    bits = 3 / 4 * 2 + 1 / 4 * math.log2(120_000)
    assert entropy(OPERATOR, "bits") == pytest.approx(bits, rel=1e-12)
    assert bits == pytest.approx(5.718, abs=5e-4)
    assert entropy(OPERATOR) == pytest.approx(3.964, abs=5e-4)
    assert math.exp(entropy(OPERATOR)) == pytest.approx(52.64, abs=5e-3)
    assert 2 ** entropy(OPERATOR, "bits") == pytest.approx(math.exp(entropy(OPERATOR)), rel=1e-12)


def test_random_digits_have_perplexity_ten():
    digits = np.random.default_rng(0).integers(10, size=500)
    result = evaluate(Die(np.full(10, 0.1)), [digits])
    assert result.perplexity == pytest.approx(10, rel=1e-12)
    assert result.bits_per_token == pytest.approx(math.log2(10), rel=1e-12)


def test_perplexity_is_the_inverse_probability_as_a_geometric_mean():
    p = [0.5, 0.125, 0.25]
    assert perplexity(np.log(p)) == pytest.approx((1 / math.prod(p)) ** (1 / 3), rel=1e-14)


def test_a_text_too_improbable_for_a_float_is_no_problem():
    log_probs = np.full(100_000, math.log(1e-3))  # the product would be 10^−300 000
    assert perplexity(log_probs) == pytest.approx(1000, rel=1e-9)
    assert perplexity([-1000.0]) == math.inf  # e^1000 has no float
    assert perplexity([-708.0]) == pytest.approx(math.exp(708), rel=1e-12)


def test_bits_per_character_do_not_depend_on_the_tokens():
    word, letters = evaluate(Die(np.full(16, 1 / 16)), [[5]], 4), evaluate(Die([0.5, 0.5]), [[0, 1, 1, 0]], 4)
    assert word.bits_per_character == letters.bits_per_character == 1


@given(distributions, distributions)
def test_kl_divergence_is_what_the_wrong_model_costs(p, q):
    assert kl_divergence(p, q, "bits") >= 0
    near = p * (1 + 1e-9 * q)
    assert 0 <= kl_divergence(p, near / near.sum()) < 1e-14
    assert kl_divergence(p, p) == 0
    assert cross_entropy(p, q) == pytest.approx(-(p * np.log(q)).sum(), rel=1e-12)
    assert cross_entropy(p, q, "bits") == pytest.approx(cross_entropy(p, q) / math.log(2), rel=1e-12)
    assert entropy(p) + kl_divergence(p, q) == pytest.approx(-(p * np.log(q)).sum(), rel=1e-12)
    assert kl_divergence(p, q, "bits") == pytest.approx(kl_divergence(p, q) / math.log(2), rel=1e-12)


def test_what_cannot_happen_costs_nothing_and_what_was_thought_impossible_everything():
    assert entropy([1, 0, 0]) == 0
    assert entropy([0.5, 0.5, 0], "bits") == 1
    assert kl_divergence([1, 0], [0.5, 0.5], "bits") == 1
    assert kl_divergence([0.5, 0.5], [1, 0]) == cross_entropy([0.5, 0.5], [1, 0]) == math.inf
    assert str(entropy([1, 0])) == "0.0"  # and not -0.0


def test_evaluate_sums_over_sequences():
    result = evaluate(Die([0, 0.5, 0.25, 0.25]), [[1, 2], [], [3, 1, 1]], characters=10)
    assert result == Evaluation(tokens=5, nats=pytest.approx(7 * math.log(2)), characters=10)
    assert result.bits_per_token == pytest.approx(7 / 5)
    assert result.nats_per_token == pytest.approx(7 / 5 * math.log(2))
    assert result.bits_per_character == pytest.approx(7 / 10)
    assert result.perplexity == pytest.approx(2 ** (7 / 5))


def test_evaluate_takes_impossible_tokens():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = evaluate(Die([0, 1, 0]), [[1, 1], [1, 2, 1], [0]])
    assert result.perplexity == result.nats_per_token == math.inf


def test_perplexity_warns_of_an_impossible_token_and_names_it():
    log_probs = [-1.0, -2.0, -np.inf, -np.inf]
    with pytest.warns(ZeroProbabilityWarning, match="2 of 4 tokens have probability 0, first at position 2$") as warned:
        assert perplexity(log_probs) == math.inf
    assert warned[0].filename == __file__  # it points to the caller's line
    with pytest.warns(ZeroProbabilityWarning, match=r"position 2 \('glorp'\)"):
        perplexity(log_probs, ["cows", "eat", "glorp", "corn"])


def test_the_shannon_game():
    die = Die([0, 0.2, 0.5, 0.2, 0.1])
    assert guesses(die, [2, 1, 3, 4, 0]).tolist() == [1, 2, 3, 4, 5]
    uniform = guesses(Die(np.full(10, 0.1)), np.arange(10))
    assert uniform.tolist() == list(range(1, 11))


LOG_PROBS = [*bad_values("log_probs", None), [np.inf]]
UNIFORM = Die([0, 0.5, 0.5])
DOORS = [
    Door(in_unit, lambda: {"nats": 1.0, "unit": "bits"}, {"nats": "number", "unit": "choice"}),
    Door(
        perplexity,
        lambda: {"log_probs": [-1.0], "tokens": ["a"]},
        {"log_probs": LOG_PROBS, "tokens": [3, [], ["a", "b"], {"a": 1}, NOTHING, np.array("a")]},
    ),
    Door(
        evaluate,
        lambda: {"model": UNIFORM, "sequences": [[1, 2]], "characters": 3},
        {"model": "object", "sequences": [*bad_values("sequences 3", None), [], [[]]], "characters": "optional count"},
    ),
    Door(guesses, lambda: {"model": UNIFORM, "tokens": [1]}, {"model": "object", "tokens": "ids 3"}),
    Door(entropy, lambda: {"p": [0.5, 0.5], "unit": "bits"}, {"p": "distribution", "unit": "choice"}),
    *(
        Door(
            measure,
            lambda: {"p": [0.5, 0.5], "q": [0.5, 0.5], "unit": "bits"},
            {"p": "distribution", "q": [*bad_values("distribution", None), [0.2, 0.2, 0.6]], "unit": "choice"},
        )
        for measure in (cross_entropy, kl_divergence)
    ),
]


def test_errors_say_what_is_wrong():
    with pytest.raises(ValueError, match=r"log_probs\[1\] is 0.5, expected ≤ 0"):
        perplexity([-1.0, 0.5])
    with pytest.raises(ValueError, match=r"log_probs\[0\] is 1e-08, expected ≤ 0"):
        perplexity([1e-8])
    assert perplexity([1e-12]) == math.exp(-1e-12)  # that is rounding
    with pytest.raises(ValueError, match=r"q must have the shape of p, \(1,\), got \(2,\)"):
        kl_divergence([1.0], [0.5, 0.5])
    with pytest.raises(ValueError, match="characters is not known"):
        _ = evaluate(UNIFORM, [[1]]).bits_per_character
    with pytest.raises(ValueError, match="the model's log-probabilities.* nan"):
        evaluate(Die([0, np.nan]), [[1]])


@pytest.mark.parametrize("wrong", [1, -1])
def test_a_model_that_scores_more_or_fewer_tokens_is_refused(wrong):
    class Odd(LanguageModel):
        vocab_size, bos_id = 4, 0

        def next_log_probs(self, prefix):
            return np.log([0.1, 0.2, 0.3, 0.4])

        def log_probs(self, tokens):
            return np.full(len(tokens) + wrong, -1.0)

    with pytest.raises(ValueError, match="one log-probability for each token of sequences"):
        evaluate(Odd(), [[1, 2], [3, 1]])
