"""Homework 4: what its written questions ask to explain is so, and the numbers of its rubric are those of the reference."""

import nbformat
import numpy as np
import pytest
import torch

from lmkit.grading.answers import notebook_path
from lmkit.grading.master import is_test
from lmkit.string_pairs import reversal_pairs


@pytest.fixture(scope="module")
def names():
    """What the notebook's cells define, with the solutions in them."""
    found = {}
    for cell in nbformat.read(notebook_path("hw4_attention"), as_version=4).cells:
        if cell.cell_type == "code" and not is_test(cell):
            exec(compile(cell.source, cell.id, "exec"), found)
    return found


def drawn(*sizes):
    rng = np.random.default_rng(4)
    return [torch.from_numpy(rng.normal(size=size)) for size in sizes]


def test_the_shapes_and_the_misprint(names):
    """4.1 and 4.2: the seven shapes; with W_K as printed no product, or one that fits four queries only."""
    Q, X, W_K, W_V, misprint = drawn((5, 4), (7, 6), (6, 4), (6, 3), (6, 5))
    Y, A = names["attention_layer"](Q, X, W_K, W_V)
    assert [tuple(M.shape) for M in (X @ W_K, X @ W_V, A, Y)] == [(7, 4), (7, 3), (5, 7), (5, 3)]
    with pytest.raises(RuntimeError, match="5x4 and 5x7"):
        names["attention_layer"](Q, X, misprint, W_V)
    names["attention_layer"](Q[:4], X, misprint[:, :4], W_V)  # four queries: the product exists


def test_another_order_of_the_inputs(names):
    """4.3: rows of K and V, columns of E and A; Y stays."""
    Q, X, W_K, W_V = drawn((5, 4), (7, 6), (6, 4), (6, 3))
    P = torch.eye(7, dtype=torch.float64)[[3, 0, 6, 1, 5, 2, 4]]
    Y, A = names["attention_layer"](Q, X, W_K, W_V)
    Y_new, A_new = names["attention_layer"](Q, P @ X, W_K, W_V)
    torch.testing.assert_close(P @ X @ W_K, P @ (X @ W_K))
    torch.testing.assert_close(A_new, A @ P.T)
    torch.testing.assert_close(Y_new, Y)


def letters_right(names, model, pairs, offset=None):
    """The share of letters that are right after the right ones before them; at each step the place ``offset`` from the
    mirror line is forbidden."""
    layer, found = names["attention_layer"], []
    for word, target in pairs:
        n, (ids, wanted) = len(word), (names["as_ids"]([text], model.letters) for text in (word, target))

        def attend(Q, X, W_K, W_V, mask, n=n):
            mask = mask.expand(1, Q.shape[1], X.shape[1]).clone()
            for t in range(n):
                if 0 <= (place := n - 1 - t + offset) < n:
                    mask[0, t, place] = False
            return layer(Q, X, W_K, W_V, mask)

        model.attend = layer if offset is None else attend
        with torch.no_grad():
            logits = model(ids, names["decoder_inputs"](wanted))
        found += (logits[0, :n, names["EOS"] :].argmax(-1) + names["EOS"] == wanted[0, :n]).tolist()
    model.attend = layer
    return np.mean(found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_the_numbers_of_the_rubric(names, seed):
    """7, row by row: where the two networks part, where the one looks, what it does with long words and forbidden places."""
    train, _, test = names["three_parts"](seed)
    words = [word for word, _ in test]

    def trained(attend):
        model = names["train_reverser"](train, seed, attend)
        return model, *model.answer(words, names["greedy"])

    _, answers, _ = trained(None)
    without = names["accuracy_by_length"](test, answers)
    assert without[3] > 0.8 and 0.35 < without[5] < 0.75 and without[8] < 0.15 and without[9] < 0.05

    model, answers, maps = trained(names["attention_layer"])
    assert min(names["accuracy_by_length"](test, answers).values()) > 0.9
    maps = [np.asarray(A) for A in maps]
    assert 0.94 < names["mirror_share"](maps) < 0.99

    def weight(offset):
        places = [(A, t, A.shape[1] - 1 - t + offset) for A in maps for t in range(min(A.shape))]
        return np.mean([A[t, j] if 0 <= j < A.shape[1] else 0 for A, t, j in places])

    assert 0.57 < weight(0) < 0.72
    assert 0.09 < weight(-1) < weight(1) < 0.2 and max(weight(-2), weight(2)) < 0.07

    longer = reversal_pairs("abcdefgh", range(10, 14), 400, seed + 1000)
    answers, _ = model.answer([word for word, _ in longer], names["greedy"])
    by_length = names["accuracy_by_length"](longer, answers)
    assert 0.2 < by_length[10] < 0.85 and by_length[11] < 0.2 and max(by_length[12], by_length[13]) < 0.02
    assert np.mean([len(answer) for answer, (word, _) in zip(answers, longer) if len(word) == 13]) < 12  # too early

    assert letters_right(names, model, test) > 0.98
    assert 0.08 < letters_right(names, model, test, 0) < 0.2
    assert min(letters_right(names, model, test, offset) for offset in (-1, 1)) > 0.96
