"""How good is a language model? Entropy, cross-entropy, perplexity.

Logarithms are natural, so sums of them are in nats; ``unit="bits"`` divides by log 2. Perplexity is e^nats = 2^bits.
"""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lmkit.language_model import LanguageModel, as_token_ids

UNITS = {"nats": 1.0, "bits": math.log(2)}  # how many nats make one


class ZeroProbabilityWarning(UserWarning):
    """A token of the text was impossible according to the model: the perplexity is infinite."""


class Impossible(NamedTuple):
    """A token to which a model gave probability 0."""

    sequence: int
    position: int
    token: int


def negative_log_likelihood(log_probs: ArrayLike) -> float:
    """−Σ_t log P(w_t | w_<t) in nats, from the log-probabilities of the tokens; infinite if one is impossible.

    Raises:
        ValueError: if there are none, or one is NaN or positive.
    """
    return -float(_checked(log_probs).sum())


def cross_entropy(log_probs: ArrayLike, unit: str = "nats", per: int | None = None) -> float:
    """The mean negative log-likelihood per token, in nats or bits.

    Args:
        log_probs: natural log-probabilities of the tokens of a text, (T,).
        unit: "nats" or "bits".
        per: divide by this number instead of T. The number of characters makes models with different tokens comparable.

    Raises:
        ValueError: for log-probabilities that are none, an unknown unit, or ``per`` < 1.
    """
    log_probs = _checked(log_probs)
    if per is not None and not per >= 1:
        raise ValueError(f"per must be a count ≥ 1, got {per}")
    return negative_log_likelihood(log_probs) / _nats(unit) / (per or len(log_probs))


def perplexity(log_probs: ArrayLike, tokens: Sequence | None = None) -> float:
    """e^(mean negative log-likelihood in nats): the inverse probability, as a geometric mean over tokens.

    Args:
        log_probs: natural log-probabilities of the tokens of a text, (T,).
        tokens: the tokens themselves, named in the warning.

    Warns:
        ZeroProbabilityWarning: if a token is impossible; then the perplexity is infinite.
    """
    log_probs = _checked(log_probs)
    if tokens is not None and len(tokens) != len(log_probs):
        raise ValueError(f"tokens must be as many as log_probs, {len(log_probs)}, got {len(tokens)}")
    impossible = np.flatnonzero(np.isneginf(log_probs))
    if len(impossible):
        first = int(impossible[0])
        name = "" if tokens is None else f" ({tokens[first]!r})"
        message = f"{len(impossible)} of {len(log_probs)} tokens have probability 0, first at position {first}{name}"
        warnings.warn(message, ZeroProbabilityWarning, stacklevel=2)
    return _exp(cross_entropy(log_probs))


@dataclass(frozen=True)
class Evaluation:
    """What a model achieved on a text.

    Attributes:
        tokens: number of predicted tokens.
        nats: their total negative log-likelihood.
        characters: number of characters of the text, if it was given.
        impossible: the tokens with probability 0; if there is one, everything below is infinite.
    """

    tokens: int
    nats: float
    characters: int | None = None
    impossible: tuple[Impossible, ...] = ()

    @property
    def nats_per_token(self) -> float:
        """Cross-entropy in nats per token."""
        return self.nats / self.tokens

    @property
    def bits_per_token(self) -> float:
        """Cross-entropy in bits per token."""
        return self.nats_per_token / math.log(2)

    @property
    def bits_per_character(self) -> float:
        """Cross-entropy in bits per character.

        Raises:
            ValueError: if the number of characters was not given.
        """
        if self.characters is None:
            raise ValueError("characters is not known; give evaluate() the number of characters of the text")
        return self.nats / math.log(2) / self.characters

    @property
    def perplexity(self) -> float:
        """Perplexity per token."""
        return _exp(self.nats_per_token)


def evaluate(model: LanguageModel, sequences: Sequence[ArrayLike], characters: int | None = None) -> Evaluation:
    """Score every sequence with a model.

    Args:
        model: any language model.
        sequences: token ids, one sequence per sentence, without ``<bos>``.
        characters: number of characters that the sequences stand for, for ``bits_per_character``.

    Raises:
        ValueError: for no tokens, ids outside the vocabulary, or ``characters`` < 1.
    """
    if characters is not None and not characters >= 1:
        raise ValueError(f"characters must be a count ≥ 1, got {characters}")
    scored = model.log_probs_many(sequences)
    log_probs = _checked(np.concatenate([*scored, np.zeros(0)]), "the model's log-probabilities")
    impossible = tuple(
        Impossible(i, int(t), int(sequences[i][t]))
        for i, log_p in enumerate(scored)
        for t in np.flatnonzero(np.isneginf(log_p))
    )
    return Evaluation(len(log_probs), -float(log_probs.sum()), characters, impossible)


def guesses(model: LanguageModel, tokens: ArrayLike) -> np.ndarray:
    """The Shannon game: which guess is right, if the model names tokens from the most to the least probable? (T,), ≥ 1.

    Equally probable tokens are named in the order of their ids. Shannon (1951) played it with people.
    """
    ids = as_token_ids(tokens, model.vocab_size)
    rank = np.zeros(len(ids), dtype=np.int64)
    for t, token in enumerate(ids):
        log_p = model.next_log_probs(ids[:t])
        rank[t] = 1 + (log_p > log_p[token]).sum() + (log_p[:token] == log_p[token]).sum()
    return rank


def entropy(p: ArrayLike, unit: str = "nats") -> float:
    """H(p) = −Σ p log p of a distribution, with 0 log 0 = 0.

    Raises:
        ValueError: if p is not a distribution, or for an unknown unit.
    """
    p = _distribution(p, "p")
    p = p[p > 0]
    return float(-(p * np.log(p)).sum()) / _nats(unit)


def kl_divergence(p: ArrayLike, q: ArrayLike, unit: str = "nats") -> float:
    """KL(p ‖ q) = Σ p log(p / q) ≥ 0: what it costs to believe q where p is true; H(p) + KL(p ‖ q) is the cross-entropy.

    Infinite where p is possible and q is not.

    Raises:
        ValueError: if p or q is not a distribution, their shapes differ, or for an unknown unit.
    """
    p, q = _distribution(p, "p"), _distribution(q, "q")
    if p.shape != q.shape:
        raise ValueError(f"q must have the shape of p, {p.shape}, got {q.shape}")
    p, q = p[p > 0], q[p > 0]
    with np.errstate(divide="ignore"):
        return float((p * (np.log(p) - np.log(q))).sum()) / _nats(unit)


def _checked(log_probs: ArrayLike, name: str = "log_probs") -> np.ndarray:
    log_probs = np.asarray(log_probs, dtype=float)
    if log_probs.ndim != 1 or len(log_probs) == 0:
        raise ValueError(f"{name} must have shape (T,) with T ≥ 1, got {log_probs.shape}")
    if np.isnan(log_probs).any():
        raise ValueError(f"{name}[{int(np.isnan(log_probs).argmax())}] is NaN, expected a logarithm")
    if log_probs.max() > 1e-9:  # rounding may lift a certain token's log-probability just above 0
        at = int(log_probs.argmax())
        raise ValueError(f"{name}[{at}] is {log_probs[at]}, expected ≤ 0: the log of a probability")
    return log_probs


def _distribution(p: ArrayLike, name: str) -> np.ndarray:
    p = np.asarray(p, dtype=float)
    if p.ndim != 1 or not (p >= 0).all() or not abs(p.sum() - 1) < 1e-6:
        raise ValueError(f"{name} must be numbers ≥ 0 that sum to 1, got sum {p.sum()} and shape {p.shape}")
    return p


def _nats(unit: str) -> float:
    if unit not in UNITS:
        raise ValueError(f"unit must be 'nats' or 'bits', got {unit!r}")
    return UNITS[unit]


def _exp(nats: float) -> float:
    return math.exp(nats) if nats < 700 else math.inf  # beyond e^709 a float ends
