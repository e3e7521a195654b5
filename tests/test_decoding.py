"""Decoding against closed forms, brute force and statistics."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lmkit.decoding import (
    Hypothesis,
    apply_temperature,
    beam_search,
    greedy,
    keep_top_k,
    keep_top_p,
    roll,
    sample,
)
from lmkit.feedforward import FeedforwardConfig, FeedforwardLM
from lmkit.language_model import LanguageModel
from lmkit.linear_recurrence import LinearRecurrenceConfig, LinearRecurrenceLM
from lmkit.ngram import MaximumLikelihood, NgramLM
from lmkit.recurrent import RecurrentConfig, RecurrentLM
from lmkit.transformer import TransformerConfig, TransformerLM
from tests.doors import Door, bad_values

EOS = 1


class Chain(LanguageModel):
    """A Markov chain: row i of P is the distribution after token i, row 0 (<bos>) begins."""

    bos_id = 0

    def __init__(self, P):
        self.P, self.vocab_size = np.array(P, dtype=float), len(P)

    def next_log_probs(self, prefix):
        with np.errstate(divide="ignore"):
            return np.log(self.P[prefix[-1] if len(prefix) else 0])

    def log_probs(self, tokens):
        return np.array([self.next_log_probs(tokens[:t])[w] for t, w in enumerate(tokens)])


@pytest.fixture
def chain():
    P = np.random.default_rng(3).dirichlet(np.ones(4), size=5)
    return Chain(np.hstack([np.zeros((5, 1)), P]))


# Greedy takes 2 (.6), then at best .4; a beam of two finds 3 (.4) and then 1.0.
GARDEN_PATH = Chain([[0, 0, 0.6, 0.4], [0, 1, 0, 0], [0, 0.4, 0.3, 0.3], [0, 1, 0, 0]])

log_distributions = arrays(float, 6, elements=st.floats(0.01, 1)).map(lambda w: np.log(w / w.sum()))
P = np.array([0.5, 0.3, 0.15, 0.05])


def assert_distribution(log_p, expected):
    np.testing.assert_allclose(np.exp(log_p), expected, rtol=1e-13, atol=0)


# --- Reshaping a distribution -------------------------------------------------------------------------------------------


def test_temperature_is_a_power_of_the_probabilities():
    assert_distribution(apply_temperature(np.log(P), 0.5), P**2 / (P**2).sum())
    assert_distribution(apply_temperature(np.log(P), 2), np.sqrt(P) / np.sqrt(P).sum())
    assert_distribution(apply_temperature(np.log(P), 1), P)


def test_temperature_zero_is_the_limit():
    assert_distribution(apply_temperature(np.log(P), 0), [1, 0, 0, 0])
    assert_distribution(apply_temperature(np.log([0.4, 0.2, 0.4]), 0), [0.5, 0, 0.5])
    assert_distribution(apply_temperature(np.log([0.4, 0.2, 0.4]), 1e-300), [0.5, 0, 0.5])
    np.testing.assert_allclose(np.exp(apply_temperature(np.log(P), 1e9)), 0.25, rtol=1e-8)


def test_what_is_impossible_stays_impossible():
    log_p = np.array([-np.inf, math.log(0.75), math.log(0.25)])
    for reshaped in (apply_temperature(log_p, 5), keep_top_k(log_p, 3), keep_top_p(log_p, 1), keep_top_p(log_p, 0.9)):
        assert reshaped[0] == -np.inf
        assert np.exp(reshaped).sum() == pytest.approx(1, rel=1e-14)


def test_top_k():
    assert_distribution(keep_top_k(np.log(P), 2), [0.625, 0.375, 0, 0])
    assert_distribution(keep_top_k(np.log(P), 4), P)
    assert_distribution(keep_top_k(np.log(np.full(4, 0.25)), 2), [0.5, 0.5, 0, 0])


@pytest.mark.parametrize(
    ("p", "size"), [(1e-9, 1), (0.5, 1), (0.51, 2), (0.8, 2), (0.81, 3), (0.95, 3), (0.96, 4), (1, 4)]
)
def test_top_p_keeps_the_smallest_set_that_reaches_p(p, size):
    shuffled = np.array([2, 0, 3, 1])
    expected = np.where(np.arange(4) < size, P, 0) / P[:size].sum()
    assert_distribution(keep_top_p(np.log(P[shuffled]), p), expected[shuffled])


def test_top_p_reaches_p_in_spite_of_rounding():
    for tenths in product(range(1, 8), repeat=4):
        if sum(tenths) == 10 and list(tenths) == sorted(tenths, reverse=True):
            for size in (1, 2, 3, 4):
                kept = keep_top_p(np.log(np.array(tenths) / 10), sum(tenths[:size]) / 10)
                assert (kept > -np.inf).sum() == size, (tenths, size)


@given(log_distributions, st.floats(0.01, 1))
def test_top_p_is_minimal_and_prefers_the_probable(log_p, p):
    kept = keep_top_p(log_p, p) > -np.inf
    mass = np.exp(log_p)
    assert mass[kept].sum() >= p - 1e-9
    assert mass[kept].sum() - mass[kept].min() < p
    assert kept.all() or mass[kept].min() >= mass[~kept].max()


@pytest.mark.slow
@given(log_distributions, st.floats(-50, 50))
def test_logits_will_do(log_p, shift):
    assume((np.diff(np.sort(log_p)) > 1e-9).all())  # of two that are nearly the same, rounding would choose
    for reshape in (lambda x: apply_temperature(x, 0.7), lambda x: keep_top_k(x, 3), lambda x: keep_top_p(x, 0.618)):
        np.testing.assert_allclose(np.exp(reshape(log_p + shift)), np.exp(reshape(log_p)), atol=1e-12)


# --- The weighted die ---------------------------------------------------------------------------------------------------


def chi_square(observed, expected):
    return ((observed - expected) ** 2 / expected).sum()


def test_the_die_is_fair_to_its_weights():
    rng = np.random.default_rng(0)
    throws = np.bincount([roll(np.log(P), rng) for _ in range(20_000)], minlength=4)
    assert chi_square(throws, 20_000 * P) < 16.27  # 3 degrees of freedom: exceeded once in a thousand


def test_the_die_never_shows_what_is_impossible():
    rng = np.random.default_rng(0)
    log_p = np.array([-np.inf, math.log(0.5), -np.inf, math.log(0.5), -np.inf])
    assert {roll(log_p, rng) for _ in range(500)} == {1, 3}


@pytest.mark.parametrize(("point", "token"), [(0.0, 1), (1 - 2**-53, 30_000)])
def test_the_extreme_throws_hit_the_first_and_the_last_possible_token(point, token):
    class Fixed(np.random.Generator):
        def random(self):
            return point

    log_p = np.concatenate([[-np.inf], np.zeros(30_000), [-np.inf]])
    assert roll(log_p, Fixed(np.random.PCG64(0))) == token


def test_samples_follow_the_chain(chain):
    rng = np.random.default_rng(1)
    seen = np.zeros((5, 5))
    for _ in range(600):
        text = [0, *sample(chain, rng, max_tokens=30)]
        for before, after in zip(text, text[1:], strict=False):
            seen[before, after] += 1
    expected = seen.sum(axis=1, keepdims=True) * chain.P
    rows = [0, 2, 3, 4]  # nothing follows <eos>
    assert seen[EOS].sum() == 0
    assert chi_square(seen[rows][:, 1:], expected[rows][:, 1:]) < 32.9  # 4 × 3 degrees of freedom, one in a thousand


def test_sampling_ends_with_eos_or_at_its_length(chain):
    for seed in range(50):
        text = sample(chain, np.random.default_rng(seed), max_tokens=6)
        assert EOS not in text[:-1]
        assert len(text) == 6 or text[-1] == EOS
    assert len(sample(chain, np.random.default_rng(0), max_tokens=200, stop=None)) == 200


def test_the_same_seed_gives_the_same_text(chain):
    a, b, c = (sample(chain, np.random.default_rng(s), stop=None, max_tokens=20) for s in (5, 5, 6))
    assert a == b != c
    assert all(type(token) is int for token in a)


def test_sampling_continues_its_prefix():
    model = NgramLM.fit([[2, 3, 4, 5, 1]], 3, vocab_size=6, smoothing=MaximumLikelihood())
    assert sample(model, np.random.default_rng(0), prefix=[2, 3]) == [4, 5, 1]


def test_sampling_stops_where_the_training_text_ends():
    model = NgramLM.fit([[2, 3, 4]], 3, vocab_size=5, smoothing=MaximumLikelihood())
    assert sample(model, np.random.default_rng(0)) == greedy(model) == [2, 3, 4]
    assert beam_search(model, 2) == []
    assert beam_search(model, 2, max_tokens=2) == [Hypothesis((2, 3), 0.0)]


def test_sampling_reshapes_the_distribution(chain):
    best = greedy(chain, max_tokens=20, stop=None)
    for options in ({"temperature": 0}, {"top_k": 1}, {"top_p": 1e-6}):
        assert sample(chain, np.random.default_rng(0), max_tokens=20, stop=None, **options) == best
    two = [{0, 1}] * 5
    for row in range(5):
        two[row] = set(np.argsort(-chain.P[row])[:2].tolist())
    text = [0, *sample(chain, np.random.default_rng(0), max_tokens=300, stop=None, top_k=2)]
    assert all(after in two[before] for before, after in zip(text, text[1:], strict=False))


# --- Greedy and beam search ---------------------------------------------------------------------------------------------


def test_a_beam_escapes_the_garden_path():
    assert greedy(GARDEN_PATH) == [2, EOS]
    (best, second) = beam_search(GARDEN_PATH, 2, max_tokens=4)
    assert best == Hypothesis((3, EOS), pytest.approx(math.log(0.4)))
    assert second == Hypothesis((2, EOS), pytest.approx(math.log(0.24)))


def test_a_beam_of_one_is_greedy(chain):
    for prefix in ([], [2], [3, 4]):
        (only,) = beam_search(chain, 1, prefix, max_tokens=7)
        assert list(only.tokens) == greedy(chain, prefix, max_tokens=7)


@pytest.mark.parametrize("beam_width", [2, 3, 5])
def test_a_beam_gives_no_more_than_its_width(chain, beam_width):
    assert {len(beam_search(chain, beam_width, [w], max_tokens=6)) for w in (2, 3, 4)} == {beam_width}


@pytest.mark.parametrize("length_penalty", [0, 0.7, 1, 10])
def test_a_wide_beam_finds_the_best_of_all(chain, length_penalty):
    every = []
    for length in range(1, 5):
        for text in product(range(1, 5), repeat=length):
            if EOS not in text[:-1] and (text[-1] == EOS or length == 4):
                every.append((chain.log_probs(np.array(text)).sum() / length**length_penalty, text))
    every.sort(reverse=True)
    found = beam_search(chain, 500, max_tokens=4, length_penalty=length_penalty)
    assert {h.tokens for h in found} == {text for _, text in every}
    scores = [h.log_prob / len(h.tokens) ** length_penalty for h in found]
    np.testing.assert_allclose(scores, [score for score, _ in every], rtol=1e-12)
    for hypothesis in found:
        assert hypothesis.log_prob == pytest.approx(chain.log_probs(np.array(hypothesis.tokens)).sum(), rel=1e-12)


def test_a_length_penalty_favours_longer_texts():
    model = Chain([[0, 0.4, 0.6], [0, 1, 0], [0, 0.4, 0.6]])
    assert beam_search(model, 3, max_tokens=8)[0].tokens == (EOS,)
    assert len(beam_search(model, 3, max_tokens=8, length_penalty=1)[0].tokens) == 8


def test_equals_go_on_in_the_order_of_their_ids(chain):
    """All tokens alike, and prefixes that differ: the first in reading order."""
    even = Chain([[0, 0, 0.25, 0.25, 0.25, 0.25]] * 6)
    assert [h.tokens for h in beam_search(even, 3, max_tokens=1)] == [(2,), (3,), (4,)]
    assert [h.tokens for h in beam_search(even, 3, max_tokens=2)] == [(2, 2), (2, 3), (2, 4)]
    assert greedy(even, max_tokens=2) == [2, 2]


def test_a_beam_reads_each_length_in_one_batch(chain):
    """The readers of models that keep a state advance all texts of the beam at once."""
    model, sizes = NEURAL["LSTM"], []
    step = type(model).step

    def counted(self, tokens, state):
        sizes.append(tuple(tokens.shape))
        return step(self, tokens, state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(model), "step", counted)
        beam_search(model, 5, [3, 4], max_tokens=6, stop=None)
    assert sizes == [(1, 3)] + [(5, 1)] * 5


# --- Errors -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda c: apply_temperature(np.log(P), -1), "temperature must be a number ≥ 0, got -1"),
        (lambda c: keep_top_k(np.log(P), 5), "k must be an integer 1 … 4, got 5"),
        (lambda c: keep_top_p(np.log(P), 0), "p must be a number > 0 and ≤ 1, got 0"),
        (lambda c: roll([], np.random.default_rng(0)), "log_probs must have a number and no"),
        (lambda c: roll([-1, math.nan], np.random.default_rng(0)), r"log_probs\[1\] is nan"),
        (lambda c: roll([-math.inf] * 2, np.random.default_rng(0)), "the largest is -inf"),
        (lambda c: roll([math.inf, 0], np.random.default_rng(0)), "the largest is inf"),
        (lambda c: sample(c, np.random.default_rng(0), stop="<eos>"), "stop must be an integer 0 … 4, got '<eos>'"),
        (lambda c: greedy(c, max_tokens=2.5), "max_tokens must be an integer ≥ 1, got 2.5"),
        (lambda c: beam_search(c, 2, prefix=["cows"]), "prefix must be integer token ids"),
    ],
)
def test_errors_say_what_is_wrong(make, says, chain):
    with pytest.raises(ValueError, match=says):
        make(chain)


LOG_PROBS = [*bad_values("log_probs", np.log(P)), [-math.inf] * 4, [math.inf, 0, 0, 0]]
LOG_PROBS = [bad for bad in LOG_PROBS if bad != [0.5]]  # scores before the softmax will do
CONTINUING = {"model": "object", "prefix": "ids 4", "max_tokens": "count", "stop": [*bad_values("index", 1), 4]}
CONTINUING["stop"] = [bad for bad in CONTINUING["stop"] if bad is not None]  # None: never stop


def continuing(**more):
    return lambda: {"model": GARDEN_PATH, "prefix": [2], "max_tokens": 3, "stop": 1} | more


DOORS = [
    Door(
        apply_temperature,
        lambda: {"log_probs": np.log(P), "temperature": 0.5},
        {"log_probs": LOG_PROBS, "temperature": [*bad_values("nonnegative", 1), math.inf]},
    ),
    Door(
        keep_top_k,
        lambda: {"log_probs": np.log(P), "k": 2},
        {"log_probs": LOG_PROBS, "k": [*bad_values("count", 2), 5]},
    ),
    Door(
        keep_top_p,
        lambda: {"log_probs": np.log(P), "p": 0.5},
        {"log_probs": LOG_PROBS, "p": [*bad_values("probability", 0.5), 0]},
    ),
    Door(
        roll, lambda: {"log_probs": np.log(P), "rng": np.random.default_rng(0)}, {"log_probs": LOG_PROBS, "rng": "rng"}
    ),
    Door(
        sample,
        continuing(rng=np.random.default_rng(0), temperature=0.5, top_k=2, top_p=0.9),
        CONTINUING
        | {
            "rng": "rng",
            "temperature": [*bad_values("nonnegative", 1), math.inf],
            "top_k": [*bad_values("optional count", 2), 5],
            "top_p": [*bad_values("optional probability", 0.5), 0],
        },
    ),
    Door(greedy, continuing(), CONTINUING),
    Door(
        beam_search,
        continuing(beam_width=2, length_penalty=0.7),
        CONTINUING | {"beam_width": "count", "length_penalty": [*bad_values("nonnegative", 1), math.inf, 1e6]},
    ),
]

# --- Every kind of model ------------------------------------------------------------------------------------------------

SIZES = {"vocab_size": 9, "context_length": 24, "n_layers": 2, "n_heads": 2, "d_model": 16}
NEURAL = {
    "feed-forward": FeedforwardLM(FeedforwardConfig(9, n_context=3)),
    "RNN": RecurrentLM(RecurrentConfig(9, "rnn")),
    "LSTM": RecurrentLM(RecurrentConfig(9, "lstm", n_layers=2)),
    "linear recurrence": LinearRecurrenceLM(LinearRecurrenceConfig(9)),
    "Transformer": TransformerLM(TransformerConfig(**SIZES)),
    "rotary Transformer": TransformerLM(TransformerConfig(**SIZES, positions="rotary", qk_norm=True, dropout=0.1)),
}
every_neural_model = pytest.mark.parametrize("model", NEURAL.values(), ids=NEURAL)


class WithoutState(LanguageModel):
    """The same model, asked about the whole prefix for each token."""

    def __init__(self, model):
        self.model, self.vocab_size, self.bos_id = model, model.vocab_size, model.bos_id

    def log_probs(self, tokens):
        return self.model.log_probs(tokens)

    def next_log_probs(self, prefix):
        return self.model.next_log_probs(prefix)


@pytest.mark.slow
@every_neural_model
def test_decoding_with_state_is_decoding_without(model):
    model.train()  # reading takes the model out of training for the moment only
    plain = WithoutState(model)
    for prefix in ((), (4, 2)):
        texts = [sample(m, np.random.default_rng(5), prefix, max_tokens=30, stop=None) for m in (model, plain)]
        assert texts[0] == texts[1] and len(texts[0]) == 30
        assert greedy(model, prefix, max_tokens=30) == greedy(plain, prefix, max_tokens=30)
        ours, theirs = (beam_search(m, 3, prefix, max_tokens=6, length_penalty=0.7) for m in (model, plain))
        assert [h.tokens for h in ours] == [h.tokens for h in theirs]
        np.testing.assert_allclose([h.log_prob for h in ours], [h.log_prob for h in theirs], atol=1e-4)
    assert model.training
