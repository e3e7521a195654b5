"""How good is a language model? Entropy, cross-entropy, perplexity.

Logarithms are natural, so sums of them are in nats; ``unit="bits"`` divides by log 2. Perplexity is e^nats = 2^bits.
"""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lmkit.checks import (
    check_array,
    check_choice,
    check_distribution,
    check_instance,
    check_integer,
    check_list,
    check_number,
    check_sequences,
    check_token_ids,
)
from lmkit.language_model import LanguageModel

UNITS = {"nats": 1.0, "bits": math.log(2)}  # how many nats make one


def in_unit(nats: float, unit: str) -> float:
    """A number of nats in "nats" or "bits"."""
    return check_number(nats, "nats", infinite=True) / UNITS[check_choice(unit, "unit", UNITS)] + 0.0  # 0.0 for −0.0


class ZeroProbabilityWarning(UserWarning):
    """A token of the text was impossible according to the model: the perplexity is infinite."""


def perplexity(log_probs: ArrayLike, tokens: Sequence | None = None) -> float:
    """e^(mean negative log-likelihood in nats): the inverse probability, as a geometric mean over tokens.

    Args:
        log_probs: natural log-probabilities of the tokens of a text, (T,).
        tokens: the tokens themselves, named in the warning.

    Warns:
        ZeroProbabilityWarning: if a token is impossible; then the perplexity is infinite.
    """
    log_probs = _checked(log_probs)
    listed = tokens if tokens is None or isinstance(tokens, str) else check_list(tokens, "tokens")
    if listed is not None and len(listed) != len(log_probs):
        raise ValueError(f"tokens must be as many as log_probs, {len(log_probs)}, got {len(tokens)}")
    impossible = np.flatnonzero(np.isneginf(log_probs))
    if len(impossible):
        first = int(impossible[0])
        name = "" if tokens is None else f" ({tokens[first]!r})"
        message = f"{len(impossible)} of {len(log_probs)} tokens have probability 0, first at position {first}{name}"
        warnings.warn(message, ZeroProbabilityWarning, stacklevel=2)
    return _exp(-log_probs.mean())


@dataclass(frozen=True)
class Evaluation:
    """What a model achieved on a text.

    Attributes:
        tokens: number of predicted tokens.
        nats: their total negative log-likelihood, infinite if one of them has probability 0.
        characters: number of characters of the text, if it was given.
    """

    tokens: int
    nats: float
    characters: int | None = None

    @property
    def nats_per_token(self) -> float:
        """Cross-entropy in nats per token."""
        return self.nats / self.tokens

    @property
    def bits_per_token(self) -> float:
        """Cross-entropy in bits per token."""
        return in_unit(self.nats_per_token, "bits")

    @property
    def bits_per_character(self) -> float:
        """Cross-entropy in bits per character.

        Raises:
            ValueError: if the number of characters was not given.
        """
        if self.characters is None:
            raise ValueError("characters is not known; give evaluate() the number of characters of the text")
        return in_unit(self.nats, "bits") / self.characters

    @property
    def perplexity(self) -> float:
        """Perplexity per token."""
        return _exp(self.nats_per_token)


def evaluate(model: LanguageModel, sequences: Sequence[ArrayLike], characters: int | None = None) -> Evaluation:
    """Score every sequence with a model.

    Perplexities are comparable only over the same tokens and the same vocabulary. KenLM counts one type more than a closed
    vocabulary has, its own ``<unk>``: to compare with it, give ``ngram.NgramLM.fit`` a vocab_size that is larger by one.

    Args:
        model: any language model.
        sequences: token ids, one sequence per sentence, without ``<bos>``.
        characters: number of characters that the sequences stand for, for ``bits_per_character``.

    Raises:
        ValueError: for no tokens, ids outside the vocabulary, or ``characters`` < 1.
    """
    sequences = check_sequences(sequences, "sequences", check_instance(model, "model", LanguageModel).vocab_size)
    if characters is not None:
        characters = check_integer(characters, "characters", low=1)
    if not any(map(len, sequences)):
        raise ValueError("sequences must hold at least one token, got none")
    scored = model.log_probs_many(sequences)
    if [*map(len, scored)] != [*map(len, sequences)]:
        raise ValueError("model must give one log-probability for each token of sequences, got more or fewer")
    log_probs = _checked(np.concatenate(scored), "the model's log-probabilities")
    return Evaluation(len(log_probs), -float(log_probs.sum()), characters)


def guesses(model: LanguageModel, tokens: ArrayLike) -> np.ndarray:
    """The Shannon game: which guess is right, if the model names tokens from the most to the least probable? (T,), ≥ 1.

    Equally probable tokens are named in the order of their ids. Shannon (1951) played it with people.
    """
    ids = check_token_ids(tokens, "tokens", check_instance(model, "model", LanguageModel).vocab_size)
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
    return cross_entropy(p, p, unit)


def cross_entropy(p: ArrayLike, q: ArrayLike, unit: str = "nats") -> float:
    """H(p, q) = −Σ p log q of two distributions: the mean surprisal of who believes q where p is true.

    Infinite where p is possible and q is not; least, H(p), for q = p.

    Raises:
        ValueError: if p or q is not a distribution, their shapes differ, or for an unknown unit.
    """
    p, q = _where_possible(p, q)
    with np.errstate(divide="ignore"):
        return in_unit(-float((p * np.log(q)).sum()), unit)


def kl_divergence(p: ArrayLike, q: ArrayLike, unit: str = "nats") -> float:
    """KL(p ‖ q) = Σ p log(p / q) ≥ 0: what it costs to believe q where p is true, H(p, q) − H(p).

    Infinite where p is possible and q is not.

    Raises:
        ValueError: if p or q is not a distribution, their shapes differ, or for an unknown unit.
    """
    p, q = _where_possible(p, q)
    with np.errstate(divide="ignore"):
        return in_unit(max(0.0, float((p * (np.log(p) - np.log(q))).sum())), unit)


def _where_possible(p: ArrayLike, q: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Two distributions where p is not 0."""
    p, q = check_distribution(p, "p"), check_distribution(q, "q")
    if p.shape != q.shape:
        raise ValueError(f"q must have the shape of p, {p.shape}, got {q.shape}")
    return p[p > 0], q[p > 0]


def _checked(log_probs: ArrayLike, name: str = "log_probs") -> np.ndarray:
    log_probs = check_array(log_probs, name, "T", finite=False)
    if len(log_probs) == 0:
        raise ValueError(f"{name} must hold at least one number, got none")
    if log_probs.max() > 1e-9:  # rounding may lift a certain token's log-probability just above 0
        at = int(log_probs.argmax())
        raise ValueError(f"{name}[{at}] is {log_probs[at]}, expected ≤ 0: the log of a probability")
    return log_probs


def _exp(nats: float) -> float:
    return math.exp(nats) if nats < 709 else math.inf  # soon after e^709 a float ends
