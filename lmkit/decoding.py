"""Choosing the next token: from a distribution over tokens to a text.

Works with every ``LanguageModel``. Distributions are natural log-probabilities, (V,), in and out; scores before the
softmax (logits) do as well, for they are normalised first.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lmkit.backprop import log_softmax
from lmkit.checks import check_array, check_instance, check_integer, check_number, check_token_ids
from lmkit.language_model import LanguageModel

EOS_ID = 1  # the id of <eos> in every vocabulary of the course


def apply_temperature(log_probs: ArrayLike, temperature: float) -> np.ndarray:
    """p_i^(1/temperature), normalised: below 1 sharper, above 1 flatter; 0 is the limit, only the most probable remain."""
    log_p = _normalised(log_probs)
    if check_number(temperature, "temperature", low=0) == 0:
        return log_softmax(np.where(log_p == log_p.max(), 0.0, -np.inf))
    with np.errstate(over="ignore"):  # what is far less probable may become −∞
        return log_softmax((log_p - log_p.max()) / temperature)


def keep_top_k(log_probs: ArrayLike, k: int) -> np.ndarray:
    """The k most probable tokens (the lower id first among equals), normalised; the others become impossible."""
    log_p = _normalised(log_probs)
    return _keep(log_p, np.argsort(-log_p, kind="stable")[: check_integer(k, "k", 1, len(log_p))])


def keep_top_p(log_probs: ArrayLike, p: float) -> np.ndarray:
    """The smallest set of most probable tokens whose probabilities sum to at least p, normalised (Holtzman et al. 2020)."""
    log_p = _normalised(log_probs)
    if check_number(p, "p", above=0, high=1) == 1:
        return log_p
    order = np.argsort(-log_p, kind="stable")
    covered = np.cumsum(np.exp(log_p[order]))
    size = 1 + int(np.searchsorted(covered, p - 1e-12))  # .4 + .4 may fall a little short of .8
    return _keep(log_p, order[:size])


def roll(log_probs: ArrayLike, rng: np.random.Generator) -> int:
    """Throw the weighted die: token i with probability exp(log_probs[i])."""
    check_instance(rng, "rng", np.random.Generator)
    # Lay the probabilities end to end; a point thrown on that line falls into one of them.
    edges = np.cumsum(np.exp(_normalised(log_probs)))
    return int(np.searchsorted(edges, rng.random() * edges[-1], side="right"))


def sample(
    model: LanguageModel,
    rng: np.random.Generator,
    prefix: ArrayLike = (),
    max_tokens: int = 100,
    stop: int | None = EOS_ID,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> list[int]:
    """Continue a text by throwing the model's die again and again.

    Args:
        model: any language model.
        rng: source of randomness: the same state, the same text.
        prefix: token ids to continue, without ``<bos>``.
        max_tokens: number of tokens at most.
        stop: end after this token; None never stops.
        temperature, top_k, top_p: reshape each distribution, in this order.

    Returns:
        The new tokens, ``stop`` included if it was drawn. Shorter than ``max_tokens`` also where the model knows no
        next token (a maximum-likelihood n-gram model after a history that it never saw).
    """
    check_instance(model, "model", LanguageModel)
    check_instance(rng, "rng", np.random.Generator)
    check_number(temperature, "temperature", low=0)
    if top_k is not None:
        check_integer(top_k, "top_k", 1, model.vocab_size)
    if top_p is not None:
        check_number(top_p, "top_p", above=0, high=1)

    def choose(log_p: np.ndarray) -> int:
        if temperature != 1:
            log_p = apply_temperature(log_p, temperature)
        if top_k is not None:
            log_p = keep_top_k(log_p, top_k)
        if top_p is not None:
            log_p = keep_top_p(log_p, top_p)
        return roll(log_p, rng)

    return _continue(model, choose, prefix, max_tokens, stop)


def greedy(model: LanguageModel, prefix: ArrayLike = (), max_tokens: int = 100, stop: int | None = EOS_ID) -> list[int]:
    """Continue a text with the most probable token each time. Arguments and result as for ``sample``."""
    return _continue(model, lambda log_p: int(np.argmax(log_p)), prefix, max_tokens, stop)


class Hypothesis(NamedTuple):
    """A continuation and its log-probability in nats."""

    tokens: tuple[int, ...]
    log_prob: float


def beam_search(
    model: LanguageModel,
    beam_width: int,
    prefix: ArrayLike = (),
    max_tokens: int = 100,
    stop: int | None = EOS_ID,
    length_penalty: float = 0.0,
) -> list[Hypothesis]:
    """Search for the most probable continuation, keeping the ``beam_width`` best beginnings at each length.

    Args:
        model, prefix, max_tokens, stop: as for ``sample``.
        beam_width: 1 is greedy decoding, but for a text that leads to where no token can follow: that is none.
        length_penalty: α ≤ 10 in log_prob / length^α, by which continuations compete. 0 compares probabilities, which favours
            short ones; 1 compares means per token.

    Returns:
        At most ``beam_width`` possible continuations, the best first. Each ends with ``stop`` or has ``max_tokens``
        tokens.
    """
    beam_width = check_integer(beam_width, "beam_width", low=1)
    length_penalty = check_number(length_penalty, "length_penalty", low=0, high=10)
    prefix, max_tokens, stop = _checked(model, prefix, max_tokens, stop)

    def score(hypothesis: Hypothesis) -> float:
        return hypothesis.log_prob / len(hypothesis.tokens) ** length_penalty

    reader = model.reader(prefix)
    unfinished, finished = [Hypothesis((), 0.0)], []  # the reader has a row for each of the first
    for length in range(1, max_tokens + 1):
        totals = np.array([h.log_prob for h in unfinished])[:, None] + reader.log_probs  # (B, V)
        rows, tokens = _largest(totals, beam_width)
        longer = [
            (Hypothesis((*unfinished[row].tokens, token), float(totals[row, token])), row)
            for row, token in zip(rows.tolist(), tokens.tolist(), strict=True)
        ]
        candidates = [(h, None) for h in finished] + longer
        best = sorted(candidates, key=lambda candidate: score(candidate[0]), reverse=True)[:beam_width]
        finished = [h for h, _ in best if h.tokens[-1] == stop]
        going_on = [(h, row) for h, row in best if h.tokens[-1] != stop]
        unfinished = [h for h, _ in going_on]
        if not unfinished or length == max_tokens:
            break
        reader.keep([row for _, row in going_on])
        reader.read([h.tokens[-1] for h in unfinished])
    return [h for h, _ in best]


def _continue(
    model: LanguageModel, choose: Callable[[np.ndarray], int], prefix: ArrayLike, max_tokens: int, stop: int | None
) -> list[int]:
    prefix, max_tokens, stop = _checked(model, prefix, max_tokens, stop)
    reader = model.reader(prefix)
    tokens: list[int] = []
    while reader.log_probs.max() != -np.inf:  # a history may be without a next token
        tokens.append(choose(reader.log_probs[0]))
        if tokens[-1] == stop or len(tokens) == max_tokens:
            break
        reader.read(tokens[-1:])
    return tokens


def _checked(model: LanguageModel, prefix: ArrayLike, max_tokens: int, stop: int | None) -> tuple:
    V = check_instance(model, "model", LanguageModel).vocab_size
    stop = None if stop is None else check_integer(stop, "stop", 0, V - 1)
    return check_token_ids(prefix, "prefix", V), check_integer(max_tokens, "max_tokens", low=1), stop


def _largest(totals: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the ``count`` largest numbers above −∞, the largest first, equals in reading order."""
    flat = totals.ravel()
    least = np.partition(flat, -count)[-count] if count < len(flat) else -np.inf
    candidates = np.flatnonzero((flat >= least) & (flat > -np.inf))
    return np.divmod(candidates[np.argsort(-flat[candidates], kind="stable")[:count]], totals.shape[1])


def _keep(log_p: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    kept = np.full(len(log_p), -np.inf)
    kept[tokens] = log_p[tokens]
    return log_softmax(kept)


def _normalised(log_probs: ArrayLike) -> np.ndarray:
    log_p = check_array(log_probs, "log_probs", "V", finite=False)
    if not len(log_p) or not np.isfinite(log_p.max()):
        raise ValueError(f"log_probs must have a number and no +∞, the largest is {max(log_p, default=None)}")
    return log_softmax(log_p)
