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

from lmkit.checks import check_integer, check_sequences, check_token_ids

MAX_ORDER = 300  # the work grows with it, and no text has so long a memory
MAX_VOCAB = 2**27  # a distribution over so many ids takes 1 GiB


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
        ValueError: for an order outside 1 … 300, a vocab_size outside 2 … 2^27, no tokens, or ids that are no integers, lie
            outside 0 … V − 1 or are ``<bos>``.
    """

    def __init__(self, sequences: Sequence[ArrayLike], order: int, vocab_size: int, bos_id: int = 0) -> None:
        self.order = check_integer(order, "order", 1, MAX_ORDER)
        self.vocab_size = check_integer(vocab_size, "vocab_size", 2, MAX_VOCAB)  # <bos> and a token
        self.bos_id = check_integer(bos_id, "bos_id", 0, vocab_size - 1)
        self._text, self._at, self._place = self._pad(sequences, "sequences")
        if len(self._at) == 0:
            raise ValueError("sequences hold no token, expected at least one")
        if (self._text[self._at] == bos_id).any():
            raise ValueError(f"sequences contain <bos> (id {bos_id}): leave it out, it is put in front of each")
        self._ranks: dict[int, np.ndarray] = {}
        self._own_grams = dict(self._grams(self._text))
        self._tables: dict[int, Table] = {}

    def table(self, k: int) -> Table:
        """The k-grams, k = 1 … n, counted as often as they occur."""
        k = check_integer(k, "k", 1, self.order)
        if k not in self._tables:
            self._tables[k], _ = self._count(k, self._own_grams[k][self._at])
        return self._tables[k]

    @cached_property
    def continuation_tables(self) -> dict[int, Table]:
        """For each order k its table with the counts of Kneser-Ney smoothing.

        Only the highest order counts occurrences. A shorter k-gram counts its distinct left neighbours,
        |{v : c(v w_1 … w_k) > 0}|: in how many contexts it is at home. One that begins with ``<bos>`` has no left
        neighbour and counts occurrences; k-grams with more than one ``<bos>`` say nothing new and are left out.
        """
        tables = {}
        inside = self._at[self._place > self.order - 2]  # where the k-grams end that are counted and hold no <bos> …
        for k in range(self.order, 0, -1):
            after_bos = self._at[self._place == k - 2]  # … and those that begin with one
            ends = np.concatenate([inside, after_bos])
            tables[k], one_of_each = self._count(k, self._own_grams[k][ends])
            inside = ends[one_of_each]  # each distinct k-gram is a left neighbour of the (k − 1)-gram in it
        return dict(sorted(tables.items()))

    def _locate(
        self, sequences: Sequence[ArrayLike], tables: dict[int, Table], name: str = "sequences"
    ) -> tuple[np.ndarray, Iterator[tuple[int, np.ndarray, np.ndarray]]]:
        """The T tokens of other sequences, and where ``tables`` have them.

        Args:
            tables: some tables of this object, by their order.
            name: what a ValueError calls the sequences.

        Returns:
            The tokens (T,), and for each order k of ``tables``, from low to high, (k, the index of the token's history in
            ``histories``, the index of the k-gram in ``grams``), both (T,), with −1 for what is not there.
        """
        text, at, _ = self._pad(sequences, name)

        def indices() -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
            for k, all_grams in self._grams(text):
                if k in tables:
                    grams = all_grams[at]
                    in_order = np.argsort(grams)  # also sorts the histories
                    histories = _find(tables[k].histories, grams // self.vocab_size, in_order)
                    yield k, histories, _find(tables[k].grams, grams, in_order)

        return text[at], indices()

    def _locate_next(self, prefix: ArrayLike, tables: dict[int, Table]) -> Iterator[tuple[int, int]]:
        """For each order of ``tables``, from low to high: k, and the index of the history after ``prefix``, −1 if not there."""
        ids = check_token_ids(prefix, "prefix", self.vocab_size)
        context = [self.bos_id] * (self.order - 1) + ids[max(0, len(ids) - self.order + 1) :].tolist()
        return ((k, self._index(table, context[len(context) - k + 1 :])) for k, table in tables.items())

    def _index(self, table: Table, history: list[int]) -> int:
        """The index of one history in a table, or −1."""
        key = 0
        for k, token in enumerate(history, start=1):
            key = self._code(k, key) * self.vocab_size + token
        return _find_one(table.histories, self._code(table.order, key))

    def _code(self, k: int, history: int) -> int:
        return _find_one(self._ranks[k], history) if k in self._ranks else history

    def _pad(self, sequences: Sequence[ArrayLike], name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """One array of all sequences with their ``<bos>``; where its T tokens are; each one's place in its sequence."""
        listed = isinstance(sequences, list | tuple)
        kinds = {getattr(sequence, "dtype", type(sequence)) for sequence in sequences} if listed else {None}
        try:  # all at once …
            joined = list(chain.from_iterable(sequences)) if kinds <= {list, tuple} else None
            if kinds == {np.dtype(np.int64)}:  # as tokenizers give; of two types numpy would make a third
                joined = np.concatenate(sequences)
            ids = check_token_ids(joined, name, self.vocab_size)
        except (TypeError, ValueError):  # … or slowly, to say where it is that something is wrong
            ids = np.concatenate([np.zeros(0, dtype=np.int64), *check_sequences(sequences, name, self.vocab_size)])
        lengths = np.fromiter(map(len, sequences), dtype=np.int64, count=len(sequences))
        sentence = np.repeat(np.arange(len(lengths)), lengths)
        at = np.arange(len(ids)) + (sentence + 1) * (self.order - 1)
        text = np.full(len(ids) + len(lengths) * (self.order - 1), self.bos_id)
        text[at] = ids
        return text, at, np.arange(len(ids)) - (np.cumsum(lengths) - lengths)[sentence]

    def _grams(self, text: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
        """For k = 1 … n: k, and the integers of the k-grams that end at each position of a padded text."""
        grams, limit = text, self.vocab_size  # all integers are below the limit
        yield 1, grams
        for k in range(2, self.order + 1):
            histories = np.roll(grams, 1)  # what wraps around is <bos>, where no k-gram ends
            if limit * self.vocab_size >= 2**63:  # would not fit: a history's rank in the training text stands for it
                if k not in self._ranks:  # this is the training text
                    in_order = np.sort(histories[self._at])
                    self._ranks[k] = in_order[_run_starts(in_order)]
                histories = _find(self._ranks[k], histories, np.argsort(histories))
                limit = len(self._ranks[k])
            grams, limit = histories * self.vocab_size + text, limit * self.vocab_size
            yield k, grams

    def _count(self, k: int, grams: np.ndarray) -> tuple[Table, np.ndarray]:
        """The table of these k-grams, in any order, and the index of one occurrence of each."""
        in_order = np.argsort(grams)
        occurrences = grams[in_order]
        first = _run_starts(occurrences)
        distinct = occurrences[first]  # (G,)
        histories = distinct // self.vocab_size
        starts = _run_starts(histories)  # (H,)
        table = Table(
            order=k,
            vocab_size=self.vocab_size,
            grams=distinct,
            words=distinct - histories * self.vocab_size,
            counts=np.diff(first, append=len(grams)),
            history_of=np.repeat(np.arange(len(starts)), np.diff(starts, append=len(distinct))),
            histories=histories[starts],
            totals=np.diff(first[starts], append=len(grams)),
            starts=np.append(starts, len(distinct)),
        )
        return table, in_order[first]


def _run_starts(ordered: np.ndarray) -> np.ndarray:
    """Where each new value begins in a sorted array."""
    is_new = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return np.flatnonzero(is_new)


def _find(ordered: np.ndarray, keys: np.ndarray, in_order: np.ndarray) -> np.ndarray:
    """The index of each key in a sorted array, −1 where it is not there.

    ``in_order`` sorts the keys: binary searches for neighbours walk through the same memory, so it is read once through.
    """
    found = np.full(len(keys), -1)
    if len(ordered):
        keys = keys[in_order]
        at = np.searchsorted(ordered, keys)
        at[at == len(ordered)] = 0
        found[in_order] = np.where(ordered[at] == keys, at, -1)
    return found


def _find_one(ordered: np.ndarray, key: int) -> int:
    """The index of one key in a sorted array, or −1."""
    at = int(np.searchsorted(ordered, key))
    return at if at < len(ordered) and ordered[at] == key else -1
