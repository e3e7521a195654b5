"""Counting the n-grams of a text, fast: sort them, and equal ones lie side by side.

An n-gram is stored as one integer whose digits in base V are its token ids, so that a text becomes an array of integers
per order, counting is a sort, and looking n-grams up is a binary search. ``lmkit.ngram`` turns counts into probabilities.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from lmkit.language_model import as_token_ids


@dataclass(frozen=True)
class Table:
    """The distinct k-grams of a text, sorted, so that k-grams with the same history (first k − 1 tokens) are neighbours.

    Attributes:
        order: k.
        vocab_size: V.
        grams: the integer of each k-gram, ascending, (G,).
        words: the last token of each k-gram, (G,).
        counts: the count of each k-gram, (G,).
        history_of: which history each k-gram has, (G,), an index 0 … H − 1.
        histories: the integer of each history, ascending, (H,).
        totals: the sum of the counts of the k-grams with this history, (H,).
        starts: k-grams starts[i] … starts[i + 1] − 1 have history i, (H + 1,).
    """

    order: int
    vocab_size: int
    grams: np.ndarray
    words: np.ndarray
    counts: np.ndarray
    history_of: np.ndarray
    histories: np.ndarray
    totals: np.ndarray
    starts: np.ndarray

    @classmethod
    def from_sorted(cls, order: int, vocab_size: int, keys: np.ndarray) -> "Table":
        """Count the runs of equal integers in a sorted array: one integer per occurrence of a k-gram."""
        first = run_starts(keys)
        grams, counts = keys[first], np.diff(first, append=len(keys))
        histories = grams // vocab_size
        words = grams - histories * vocab_size
        starts = run_starts(histories)
        history_of = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(grams)))
        totals = np.diff(first[starts], append=len(keys))
        bounds = np.append(starts, len(grams))
        return cls(order, vocab_size, grams, words, counts, history_of, histories[starts], totals, bounds)


class NgramCounts:
    """The n-grams of orders 1 … n in a text.

    Every sequence is a sentence: ``<bos>`` stands n − 1 times before it, so that its first token has a history too. A
    long text without sentences is one sequence.

    Args:
        sequences: token ids, one sequence per sentence, without ``<bos>``.
        order: n ≥ 1.
        vocab_size: number V of token ids, ``<bos>`` included.
        bos_id: the id of ``<bos>``.

    Raises:
        ValueError: for an order below 1, no tokens, or ids that are no integers, lie outside 0 … V − 1 or are ``<bos>``.
    """

    def __init__(self, sequences: Sequence[ArrayLike], order: int, vocab_size: int, bos_id: int = 0) -> None:
        if not isinstance(order, int | np.integer) or order < 1:
            raise ValueError(f"order must be an integer ≥ 1, got {order!r}")
        if vocab_size < 2:
            raise ValueError(f"vocab_size must be ≥ 2 (<bos> and one token), got {vocab_size}")
        if not 0 <= bos_id < vocab_size:
            raise ValueError(f"bos_id must be one of the ids 0 … {vocab_size - 1}, got {bos_id}")
        self.order, self.vocab_size, self.bos_id = int(order), int(vocab_size), int(bos_id)
        self._text, self._at, self._place = self._pad(sequences)
        if len(self._at) == 0:
            raise ValueError("sequences hold no token, expected at least one")
        if (self._text[self._at] == bos_id).any():
            raise ValueError(f"sequences contain <bos> (id {bos_id}): leave it out, it is put in front of each")
        self._ranks: dict[int, np.ndarray] = {}
        if self.vocab_size**self.order >= 2**63:
            self._rank_histories()

    @cached_property
    def tables(self) -> dict[int, Table]:
        """For each order k the table of k-grams, counted as often as they occur."""
        return {
            k: Table.from_sorted(k, self.vocab_size, np.sort(grams[self._at])) for k, _, grams in self._keys(self._text)
        }

    @cached_property
    def continuation_tables(self) -> dict[int, Table]:
        """As ``tables``, but with the counts of Kneser-Ney smoothing.

        Only the highest order counts occurrences. A shorter k-gram counts its distinct left neighbours,
        |{v : c(v w_1 … w_k) > 0}|: in how many contexts it is at home. One that begins with ``<bos>`` has no left
        neighbour and counts occurrences; k-grams with more than one ``<bos>`` say nothing new and are left out.
        """
        keys = {k: grams for k, _, grams in self._keys(self._text)}
        voters = self._at[self._place >= self.order - 2]  # positions whose n-gram holds at most one <bos>
        tables = {}
        for k in range(self.order, 0, -1):
            grams = keys[k][voters]
            by_gram = np.argsort(grams)
            tables[k] = Table.from_sorted(k, self.vocab_size, grams[by_gram])
            # Of each distinct k-gram one occurrence votes for the (k−1)-gram at its end. Join them: (k−1)-grams with <bos>.
            one_of_each = voters[by_gram[np.cumsum(tables[k].counts) - 1]]
            voters = np.concatenate([one_of_each, self._at[self._place == k - 3]])
        return tables

    def followers(self, history: ArrayLike) -> dict[int, int]:
        """How often each token followed ``history``, the most frequent first; empty if it never occurred.

        Raises:
            ValueError: for a history of more than n − 1 tokens, or ids outside the vocabulary.
        """
        ids = as_token_ids(history, self.vocab_size, "history")
        if len(ids) >= self.order:
            raise ValueError(f"history has {len(ids)} tokens, expected at most {self.order - 1} (n − 1)")
        table = self.tables[len(ids) + 1]
        i = find_one(table.histories, self.history_key(ids.tolist()))
        if i < 0:
            return {}
        span = slice(table.starts[i], table.starts[i + 1])
        by_count = np.argsort(-table.counts[span], kind="stable")
        return dict(zip(table.words[span][by_count].tolist(), table.counts[span][by_count].tolist(), strict=True))

    def history_key(self, ids: Sequence[int]) -> int:
        """The integer that stands for this history in the table of order len(ids) + 1; −1 if it has none."""
        key = 0
        for k, token in enumerate(ids, start=1):
            key = self._rank_one(k, key) * self.vocab_size + token
        return self._rank_one(len(ids) + 1, key)

    def keys(self, sequences: Sequence[ArrayLike]) -> tuple[np.ndarray, Iterator[tuple[int, np.ndarray, np.ndarray]]]:
        """The T tokens of other sequences, and for k = 1 … n: k, the integers of their histories and k-grams, (T,)."""
        text, at, _ = self._pad(sequences)
        return text[at], ((k, history[at], grams[at]) for k, history, grams in self._keys(text))

    def _pad(self, sequences: Sequence[ArrayLike]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One array of all sequences with their ``<bos>``; where its T tokens are; each one's place in its sequence."""
        try:
            lengths = np.fromiter(map(len, sequences), dtype=np.int64)
        except TypeError:
            raise ValueError("sequences must be a list of id sequences; put a single one into a list") from None
        full = [sequence for sequence in sequences if len(sequence)]
        try:
            if any(isinstance(sequence, np.ndarray) for sequence in full):
                ids = as_token_ids(np.concatenate(full), self.vocab_size)
            else:
                ids = as_token_ids(np.array(list(chain.from_iterable(full))), self.vocab_size)
        except ValueError:
            for i, sequence in enumerate(sequences):  # once more, slowly, to say where it is
                as_token_ids(sequence, self.vocab_size, f"sequences[{i}]")
            raise
        sentence = np.repeat(np.arange(len(lengths)), lengths)
        at = np.arange(len(ids)) + (sentence + 1) * (self.order - 1)
        text = np.full(len(ids) + len(lengths) * (self.order - 1), self.bos_id)
        text[at] = ids
        return text, at, np.arange(len(ids)) - (np.cumsum(lengths) - lengths)[sentence]

    def _keys(self, text: np.ndarray) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """For k = 1 … n: k, and the integers of the history and of the k-gram that end at each position of a padded text."""
        grams = text
        yield 1, np.zeros_like(text), grams
        for k in range(2, self.order + 1):
            history = self._rank(k, np.roll(grams, 1))  # what wraps around is <bos>, where no k-gram ends
            grams = history * self.vocab_size + text
            yield k, history, grams

    def _rank_histories(self) -> None:
        """Where k-grams would not fit into 63 bits, number the histories of the text and use the number instead."""
        grams, largest = self._text, self.vocab_size
        for k in range(2, self.order + 1):
            if largest * self.vocab_size >= 2**63:
                histories = np.sort(grams[self._at - 1])
                self._ranks[k] = histories[run_starts(histories)]
                largest = len(self._ranks[k])
            largest *= self.vocab_size
            if k < self.order:
                grams = self._rank(k, np.roll(grams, 1)) * self.vocab_size + self._text

    def _rank(self, k: int, histories: np.ndarray) -> np.ndarray:
        if k not in self._ranks:
            return histories
        in_order = np.argsort(histories)  # binary searches for neighbours walk through the same memory: faster
        ranks = np.empty_like(histories)
        ranks[in_order] = find(self._ranks[k], histories[in_order])
        return ranks

    def _rank_one(self, k: int, history: int) -> int:
        return find_one(self._ranks[k], history) if k in self._ranks else history


def run_starts(ordered: np.ndarray) -> np.ndarray:
    """Where each new value begins in a sorted array."""
    is_new = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return np.flatnonzero(is_new)


def find(ordered: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """The index of each key in a sorted array, −1 where it is not there."""
    if len(ordered) == 0:
        return np.full(len(keys), -1)
    at = np.searchsorted(ordered, keys)
    at[at == len(ordered)] = 0
    return np.where(ordered[at] == keys, at, -1)


def find_one(ordered: np.ndarray, key: int) -> int:
    """The index of one key in a sorted array, or −1."""
    at = int(np.searchsorted(ordered, key))
    return at if at < len(ordered) and ordered[at] == key else -1
