"""n-gram language models: a token depends on the n − 1 tokens before it, and counts say how.

All smoothing methods here are one recursion. A history h = w_{t−k+1} … w_{t−1} without its first token is the
shorter history h'. The probability of order k is

    P_k(w | h) = kept(h w) + left(h) · P_{k−1}(w | h'),        P_0(w) = 1 / (V − 1):

each n-gram that was seen *keeps* a part of its history's probability, and what is *left* is dealt out by the
shorter history, down to the uniform distribution over the V − 1 tokens that can be predicted (all but ``<bos>``).
A history that was never seen leaves everything. A smoothing method is a choice of ``kept`` and ``left``.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from lmkit.checks import check_distribution, check_fields, check_instance, check_token_ids
from lmkit.language_model import LanguageModel
from lmkit.ngram_counts import NgramCounts, Table


class Smoothing(ABC):
    """A choice of ``kept`` and ``left`` in P_k(w | h) = kept(h w) + left(h) · P_{k−1}(w | h').

    Attributes:
        every_order: mixes all orders; otherwise the highest stands directly on P_0.
        continuation: counts distinct left neighbours below the highest order.
        uniform: P_0 is uniform; otherwise 0.
    """

    every_order = True
    continuation = False
    uniform = True

    @abstractmethod
    def _shares(self, table: Table) -> tuple[np.ndarray, np.ndarray]:
        """``kept`` of each n-gram (G,) and ``left`` of each history (H,)."""


@dataclass(frozen=True)
class MaximumLikelihood(Smoothing):
    """No smoothing: P(w | h) = c(h w) / c(h).

    After a history that was never seen this is 0/0. Here no token is possible then: probability 0, log −inf.
    """

    every_order = False
    uniform = False

    def _shares(self, table: Table) -> tuple[np.ndarray, np.ndarray]:
        return table.counts / table.totals[table.history_of], np.zeros(len(table.totals))


@dataclass(frozen=True)
class AddK(Smoothing):
    """P(w | h) = (c(h w) + k) / (c(h) + k (V − 1)): every token is counted k times more than it occurred.

    k = 1 is Laplace's rule of succession; k = 0 would be ``MaximumLikelihood``. After a history that was never seen all
    tokens are equally likely.
    """

    k: float = 1.0

    every_order = False

    def __post_init__(self) -> None:
        check_fields(self, k={"low": 1e-290, "high": 1e290})  # no sum infinite, no probability 0

    def _shares(self, table: Table) -> tuple[np.ndarray, np.ndarray]:
        added = self.k * (table.vocab_size - 1)
        total = table.totals + added
        return table.counts / total[table.history_of], added / total


@dataclass(frozen=True)
class Interpolation(Smoothing):
    """Jelinek & Mercer (1980): P(w | h) = λ_0 / (V − 1) + λ_1 P_ML(w) + … + λ_n P_ML(w | h).

    Orders whose history was never seen drop out, and the other weights are scaled up to sum to one.

    Args:
        weights: λ_0 (uniform), λ_1 (unigram), …, λ_n ≥ 0 that sum to 1. ``fit_interpolation`` finds good ones.
    """

    weights: Sequence[float]

    def __post_init__(self) -> None:
        weights = check_distribution(self.weights, "weights")
        object.__setattr__(self, "weights", tuple((weights / weights.sum()).tolist()))

    def _shares(self, table: Table) -> tuple[np.ndarray, np.ndarray]:
        so_far = sum(self.weights[: table.order + 1])
        share = self.weights[table.order] / so_far if so_far else 1.0  # λ_k among λ_0 … λ_k
        return share * table.counts / table.totals[table.history_of], np.full(len(table.totals), 1 - share)


class _Discounting(Smoothing):
    """kept(h w) = (c(h w) − D) / c(h), and left(h) is the sum of what the discounts D took, over c(h)."""

    continuation = True

    def _shares(self, table: Table) -> tuple[np.ndarray, np.ndarray]:
        discount = np.array([0.0, *self._discounts(table.counts)])[np.minimum(table.counts, 3)]
        taken = np.bincount(table.history_of, discount, minlength=len(table.totals))
        return (table.counts - discount) / table.totals[table.history_of], taken / table.totals

    @abstractmethod
    def _discounts(self, counts: np.ndarray) -> tuple[float, float, float]:
        """What to take from n-grams of count 1, of count 2, and of count 3 or more, given all counts of an order."""


@dataclass(frozen=True)
class KneserNey(_Discounting):
    """Interpolated Kneser-Ney: one discount D from every count (Kneser & Ney 1995; Chen & Goodman 1999).

    Args:
        discount: 0 ≤ D ≤ 1. None estimates it for each order as n_1 / (n_1 + 2 n_2), where n_c is the number of
            n-grams with count c, and takes 0.75 where n_1 or n_2 is 0.
    """

    discount: float | None = None

    def __post_init__(self) -> None:
        if self.discount is not None:
            check_fields(self, discount={"low": 0, "high": 1})

    def _discounts(self, counts: np.ndarray) -> tuple[float, float, float]:
        if self.discount is not None:
            return (self.discount,) * 3
        n1, n2 = (np.count_nonzero(counts == c) for c in (1, 2))
        return (n1 / (n1 + 2 * n2) if n1 and n2 else 0.75,) * 3


@dataclass(frozen=True)
class ModifiedKneserNey(_Discounting):
    """Interpolated Kneser-Ney with discounts of their own for counts 1, 2 and 3+ (Chen & Goodman 1999).

    For each order D_c = c − (c + 1) Y n_{c+1} / n_c with Y = n_1 / (n_1 + 2 n_2), where n_c is the number of n-grams
    with count c. Where one of them is undefined or negative, all three are 0.5, 1 and 1.5 (KenLM's ``--discount_fallback``).
    """

    def _discounts(self, counts: np.ndarray) -> tuple[float, float, float]:
        n1, n2, n3, n4 = (np.count_nonzero(counts == c) for c in (1, 2, 3, 4))
        if n1 and n2 and n3:
            y = n1 / (n1 + 2 * n2)
            estimated = 1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3
            if min(estimated) >= 0:
                return estimated
        return 0.5, 1.0, 1.5


class NgramLM(LanguageModel):
    """An n-gram language model: P(w_t | w_<t) = P_n(w_t | w_{t−n+1} … w_{t−1}).

    Args:
        counts: the n-grams of the training text; models that differ in their smoothing can share them.
        smoothing: what to do about n-grams that the text does not hold.

    Raises:
        ValueError: for interpolation weights of another order than the counts.
    """

    def __init__(self, counts: NgramCounts, smoothing: Smoothing) -> None:
        check_instance(counts, "counts", NgramCounts)
        check_instance(smoothing, "smoothing", Smoothing)
        if isinstance(smoothing, Interpolation) and len(smoothing.weights) != counts.order + 1:
            wanted = f"{counts.order + 1} weights (uniform and orders 1 … {counts.order})"
            raise ValueError(f"smoothing must have {wanted}, got {len(smoothing.weights)}")
        self.counts, self.smoothing = counts, smoothing
        self.order, self.vocab_size, self.bos_id = counts.order, counts.vocab_size, counts.bos_id
        self._lowest = np.full(self.vocab_size, 1 / (self.vocab_size - 1) if smoothing.uniform else 0.0)  # P_0
        self._lowest[self.bos_id] = 0
        orders = range(1, self.order + 1) if smoothing.every_order else [self.order]
        self._tables = counts.continuation_tables if smoothing.continuation else {k: counts.table(k) for k in orders}
        self._shares = {}
        for k, table in self._tables.items():
            kept, left = smoothing._shares(table)
            # index −1, never seen: keeps nothing, leaves all
            self._shares[k] = np.append(kept, 0.0), np.append(left, 1.0)

    @classmethod
    def fit(
        cls, sequences: Sequence[ArrayLike], order: int, vocab_size: int, smoothing: Smoothing, bos_id: int = 0
    ) -> "NgramLM":
        """Count the n-grams of ``sequences`` (see ``NgramCounts``) and smooth them."""
        return cls(NgramCounts(sequences, order, vocab_size, bos_id), smoothing)

    def log_probs(self, tokens: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.log_probs``."""
        return self.log_probs_many([check_token_ids(tokens, "tokens", self.vocab_size)])[0]

    def log_probs_many(self, sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
        """See ``LanguageModel.log_probs_many``."""
        tokens, indices = self.counts._locate(sequences, self._tables)
        p = self._lowest[tokens]  # (T,)
        for k, history, gram in indices:
            kept, left = self._shares[k]
            p = kept[gram] + left[history] * p
        log_p, ends = _log(p), accumulate(map(len, sequences))
        return [log_p[end - len(sequence) : end] for sequence, end in zip(sequences, ends, strict=True)]

    def next_log_probs(self, prefix: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.next_log_probs``."""
        p = self._lowest.copy()  # (V,)
        for k, i in self.counts._locate_next(prefix, self._tables):
            if i < 0:
                break  # nor was any longer history seen
            kept, left = self._shares[k]
            table = self._tables[k]
            span = slice(table.starts[i], table.starts[i + 1])
            p *= left[i]
            p[table.words[span]] += kept[span]
        return _log(p)


def fit_interpolation(counts: NgramCounts, held_out: Sequence[ArrayLike]) -> Interpolation:
    """The weights that give held-out text the highest probability, by expectation maximisation (Jelinek & Mercer 1980).

    Think of each token as drawn by going down from the longest history that was seen: stop at order k with probability
    s_k and draw from c(h_k w) / c(h_k), or go on. The E step asks where each token stopped, the M step counts. Both are repeated
    until a round gains less than 1e-10 nats per token: on tiny texts up to 1e-4 nats can be left.

    Args:
        counts: the n-grams of the training text.
        held_out: other text from the same source. On the training text itself the highest order would take all.

    Raises:
        ValueError: for a held-out text without tokens, or with ids that are <bos> or that ``counts`` does not know.
    """
    check_instance(counts, "counts", NgramCounts)
    tables = {k: counts.table(k) for k in range(1, counts.order + 1)}
    tokens, indices = counts._locate(held_out, tables, "held_out")
    if (tokens == counts.bos_id).any():
        raise ValueError(f"held_out contains <bos> (id {counts.bos_id}): leave it out, it is put in front of each")
    if len(tokens) == 0:
        raise ValueError("held_out holds no token, expected at least one")
    estimate = np.zeros((counts.order + 1, len(tokens)))  # the maximum-likelihood estimate of each order
    seen = np.zeros((counts.order + 1, len(tokens)), dtype=bool)  # whether the history was seen, so that it exists
    estimate[0] = 1 / (counts.vocab_size - 1)
    for k, history, gram in indices:
        table = tables[k]
        seen[k] = history >= 0
        estimate[k] = np.where(gram >= 0, (table.counts / table.totals[table.history_of])[gram], 0)
    stop = np.full(counts.order + 1, 0.5)
    before = -np.inf
    for _ in range(1000):
        p = estimate[:1].repeat(counts.order + 1, axis=0)  # (n + 1, T), P_k of each token
        for k in range(1, counts.order + 1):
            p[k] = np.where(seen[k], stop[k] * estimate[k] + (1 - stop[k]) * p[k - 1], p[k - 1])
        fit = np.log(p[-1]).mean()
        if fit - before < 1e-10:
            break
        before = fit
        came = np.ones(len(tokens))  # the probability that a token, now that it is known, came down to order k
        for k in range(counts.order, 0, -1):
            stopped = came * np.divide(stop[k] * estimate[k], p[k], out=np.zeros_like(came), where=seen[k] & (p[k] > 0))
            if (arrived := came[seen[k]].sum()) > 0:  # 0: all stopped above, and stop[k] hardly matters
                stop[k] = stopped.sum() / arrived
            came -= stopped
    stop[0] = 1
    going_on = np.append(np.cumprod(1 - stop[:0:-1])[::-1], 1)  # from the top to order k
    return Interpolation(stop * going_on)


def _log(p: np.ndarray) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.log(p)
