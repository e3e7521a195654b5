"""The reader that asks a model about the whole prefix, and what every model inherits."""

import numpy as np
import pytest

from lmkit.language_model import LanguageModel, Reader
from tests.doors import Door, bad_values


class Die(LanguageModel):
    """The next token is the number of tokens so far, modulo 4, plus one; with a little chance it is another one."""

    vocab_size, bos_id = 5, 0

    def next_log_probs(self, prefix):
        p = np.full(5, 0.1)
        p[[0, 1 + len(prefix) % 4]] = 0, 0.7
        with np.errstate(divide="ignore"):
            return np.log(p)

    def log_probs(self, tokens):
        return np.array([self.next_log_probs(tokens[:t])[w] for t, w in enumerate(tokens)])


def test_sequences_are_scored_one_by_one():
    texts = [[1, 2], [], [4, 2, 3]]
    scored = Die().log_probs_many(texts)
    np.testing.assert_allclose(np.exp(scored[2]), [0.1, 0.7, 0.7])
    assert [len(row) for row in scored] == [2, 0, 3]


def test_a_reader_reads_many_texts_on():
    class Memory(Die):
        """Sees the last two tokens."""

        def next_log_probs(self, prefix):
            p = np.full(5, 0.01)
            p[prefix[-2:]] += [0.4, 0.2][: len(prefix)]
            return np.log(p / p.sum())

    model = Memory()
    reader = model.reader([3])
    assert type(reader) is Reader and reader.log_probs.shape == (1, 5)
    reader.keep([0, 0, 0])
    reader.read([1, 2, 4])
    reader.keep([2, 0])
    np.testing.assert_allclose(reader.log_probs, [model.next_log_probs([3, 4]), model.next_log_probs([3, 1])])
    reader.read(np.array([2, 2]))
    np.testing.assert_allclose(reader.log_probs, [model.next_log_probs([3, 4, 2]), model.next_log_probs([3, 1, 2])])
    with pytest.raises(ValueError, match="tokens must have one id for each of 2 texts, got 1"):
        reader.read([2])


def test_a_token_that_is_refused_is_not_kept():
    class Picky(Die):
        def next_log_probs(self, prefix):
            if 2 in prefix:
                raise ValueError("prefix holds a 2")
            return super().next_log_probs(prefix)

    reader = Reader(Picky(), [1, 3])
    with pytest.raises(ValueError, match="holds a 2"):
        reader.read([2])
    np.testing.assert_allclose(reader.log_probs, [Picky().next_log_probs([1, 3])])
    reader.read([3])  # or the 2 would still be in the prefix
    np.testing.assert_allclose(reader.log_probs, [Picky().next_log_probs([1, 3, 3])])


def pair_of_texts():
    reader = Reader(Die(), [1])
    reader.keep([0, 0])
    return reader


DOORS = [
    Door(
        Die().log_probs_many,
        lambda: {"sequences": [[1], [2, 3]]},
        {"sequences": "sequences 5"},
        name="language_model.LanguageModel.log_probs_many",
    ),
    Door(Die().reader, lambda: {"prefix": [1]}, {"prefix": "ids 5"}, name="language_model.LanguageModel.reader"),
    Door(Reader, lambda: {"model": Die(), "prefix": [1]}, {"model": "object", "prefix": "ids 5"}),
    Door(
        lambda tokens: pair_of_texts().read(tokens),
        lambda: {"tokens": [1, 2]},
        {"tokens": [*bad_values("ids 5", [1, 2]), [1], [1, 2, 3], []]},
        name="language_model.Reader.read",
    ),
    Door(
        lambda rows: pair_of_texts().keep(rows),
        lambda: {"rows": [1, 1]},
        {"rows": [*bad_values("ids 2", [1, 1]), []]},
        name="language_model.Reader.keep",
    ),
]
