"""Choosing the next token: from a distribution over tokens to a text.

Works with every ``LanguageModel``. Distributions are natural log-probabilities, (V,), in and out; scores before the
softmax (logits) do as well, for they are normalised first.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lmkit.language_model import LanguageModel, Reader, as_token_ids

EOS = 1  # the id of <eos> in every vocabulary of the course


def apply_temperature(log_probs: ArrayLike, temperature: float) -> np.ndarray:
    """p_i^(1/temperature), normalised: below 1 sharper, above 1 flatter; 0 is the limit, only the most probable remain.

    Raises:
        ValueError: for a temperature that is negative or not finite, or log_probs with a NaN, +∞ or nothing possible.
    """
    log_p = _normalised(log_probs)
    if not 0 <= temperature < np.inf:
        raise ValueError(f"temperature must be finite and ≥ 0, got {temperature}")
    if temperature == 0:
        return _normalised(np.where(log_p == log_p.max(), 0.0, -np.inf))
    return _normalised((log_p - log_p.max()) / temperature)


def keep_top_k(log_probs: ArrayLike, k: int) -> np.ndarray:
    """The k most probable tokens (the lower id first among equals), normalised; the others become impossible.

    Raises:
        ValueError: for k outside 1 … V, or log_probs with a NaN, +∞ or nothing possible.
    """
    log_p = _normalised(log_probs)
    if not isinstance(k, int | np.integer):
        raise ValueError(f"top k must be an integer, got {k!r}")
    if not 1 <= k <= len(log_p):
        raise ValueError(f"top k must lie in 1 … {len(log_p)} (V), got {k}")
    return _keep(log_p, np.argsort(-log_p, kind="stable")[:k])


def keep_top_p(log_probs: ArrayLike, p: float) -> np.ndarray:
    """The smallest set of most probable tokens whose probabilities sum to at least p, normalised (Holtzman et al. 2020).

    Raises:
        ValueError: for p outside (0, 1], or log_probs with a NaN, +∞ or nothing possible.
    """
    log_p = _normalised(log_probs)
    if not 0 < p <= 1:
        raise ValueError(f"top p must lie in (0, 1], got {p}")
    if p == 1:
        return log_p
    order = np.argsort(-log_p, kind="stable")
    covered = np.cumsum(np.exp(log_p[order]))
    size = 1 + int(np.searchsorted(covered, p - 1e-12))  # .4 + .4 may fall a little short of .8
    return _keep(log_p, order[:size])


def roll(log_probs: ArrayLike, rng: np.random.Generator) -> int:
    """Throw the weighted die: token i with probability exp(log_probs[i])."""
    # Lay the probabilities end to end; a point thrown on that line falls into one of them.
    edges = np.cumsum(np.exp(_normalised(log_probs)))
    return int(np.searchsorted(edges, rng.random() * edges[-1], side="right"))


def sample(
    model: LanguageModel,
    rng: np.random.Generator,
    prefix: ArrayLike = (),
    max_tokens: int = 100,
    stop: int | None = EOS,
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

    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a generator such as np.random.default_rng(0), got {rng!r}")

    def choose(log_p: np.ndarray) -> int:
        if temperature != 1:
            log_p = apply_temperature(log_p, temperature)
        if top_k is not None:
            log_p = keep_top_k(log_p, top_k)
        if top_p is not None:
            log_p = keep_top_p(log_p, top_p)
        return roll(log_p, rng)

    return _continue(model, choose, prefix, max_tokens, stop)


def greedy(model: LanguageModel, prefix: ArrayLike = (), max_tokens: int = 100, stop: int | None = EOS) -> list[int]:
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
    stop: int | None = EOS,
    length_penalty: float = 0.0,
) -> list[Hypothesis]:
    """Search for the most probable continuation, keeping the ``beam_width`` best beginnings at each length.

    Args:
        model, prefix, max_tokens, stop: as for ``sample``.
        beam_width: 1 is greedy decoding.
        length_penalty: α in log_prob / length^α, by which continuations compete. 0 compares probabilities, which favours
            short ones; 1 compares means per token.

    Returns:
        At most ``beam_width`` possible continuations, the best first. Each ends with ``stop`` or has ``max_tokens``
        tokens.

    Raises:
        ValueError: for a beam_width or max_tokens below 1, or a negative or infinite length_penalty.
    """
    if beam_width < 1:
        raise ValueError(f"beam_width must be ≥ 1, got {beam_width}")
    if not 0 <= length_penalty < np.inf:
        raise ValueError(f"length_penalty must be finite and ≥ 0, got {length_penalty}")
    start = _start(model, prefix, max_tokens)

    def score(hypothesis: Hypothesis) -> float:
        return hypothesis.log_prob / len(hypothesis.tokens) ** length_penalty

    beam = [(Hypothesis((), 0.0), model.reader(start))]
    finished: list[tuple[Hypothesis, Reader]] = []
    for _ in range(max_tokens):
        candidates = list(finished)
        for hypothesis, reader in beam:
            log_p = reader.log_probs
            candidates += [
                (Hypothesis((*hypothesis.tokens, int(token)), hypothesis.log_prob + float(log_p[token])), reader)
                for token in np.argsort(-log_p, kind="stable")[:beam_width]
                if log_p[token] > -np.inf
            ]
        kept = sorted(candidates, key=lambda candidate: score(candidate[0]), reverse=True)[:beam_width]
        finished = [candidate for candidate in kept if candidate[0].tokens[-1] == stop]
        beam = [(hypothesis, reader.fork()) for hypothesis, reader in kept if hypothesis.tokens[-1] != stop]
        if not beam or len(beam[0][0].tokens) == max_tokens:
            break
        for hypothesis, reader in beam:
            reader.read(hypothesis.tokens[-1])
    return [hypothesis for hypothesis, _ in kept]


def _continue(
    model: LanguageModel,
    choose: Callable[[np.ndarray], int],
    prefix: ArrayLike,
    max_tokens: int,
    stop: int | None,
) -> list[int]:
    reader = model.reader(_start(model, prefix, max_tokens))
    tokens: list[int] = []
    while reader.log_probs.max() != -np.inf:  # a history may be without a next token
        tokens.append(choose(reader.log_probs))
        if tokens[-1] == stop or len(tokens) == max_tokens:
            break
        reader.read(tokens[-1])
    return tokens


def _start(model: LanguageModel, prefix: ArrayLike, max_tokens: int) -> np.ndarray:
    if max_tokens < 1:
        raise ValueError(f"max_tokens must be ≥ 1, got {max_tokens}")
    return as_token_ids(prefix, model.vocab_size, "prefix")


def _keep(log_p: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    kept = np.full(len(log_p), -np.inf)
    kept[tokens] = log_p[tokens]
    return _normalised(kept)


def _normalised(log_probs: ArrayLike) -> np.ndarray:
    log_p = np.asarray(log_probs, dtype=float)
    if log_p.ndim != 1 or len(log_p) == 0:
        raise ValueError(f"log_probs must have shape (V,), got {log_p.shape}")
    highest = log_p.max()
    if not np.isfinite(highest):  # also where there is a NaN
        raise ValueError(f"log_probs must be numbers or −∞ and not all −∞, the largest is {highest}")
    log_p = log_p - highest
    return log_p - np.log(np.exp(log_p).sum())
