"""Homework 5: what its written questions ask to explain is so, and its goal is within reach of every seed."""

import math

import nbformat
import numpy as np
import pytest
import torch

from lmkit.grading.answers import notebook_path
from lmkit.grading.master import is_test


def unrotated(X, start=0):
    return X


@pytest.fixture
def names():
    """What the notebook's cells define, with the solutions in them."""
    found = {}
    for cell in nbformat.read(notebook_path("hw5_transformer"), as_version=4).cells:
        if cell.cell_type == "code" and not is_test(cell):
            exec(compile(cell.source, cell.id, "exec"), found)
    return found


def test_the_poll_gives_the_same_sum_in_another_order():
    x, a = np.diag([1.0, 1, 2, 1]), np.array([0.1, 0.2, 0.6, 0.1])
    swap = [0, 2, 1, 3]
    np.testing.assert_allclose(a @ x, [0.1, 0.2, 1.2, 0.1])
    np.testing.assert_allclose(a[swap] @ x[swap], [0.1, 0.2, 1.2, 0.1])
    np.testing.assert_allclose(a @ x[swap], [0.1, 0.6, 0.4, 0.1])  # the fellow student's


def test_the_reference_goes_by_the_type_of_its_arguments_not_by_the_default(names):
    """It stands in for the answers above a test; a student who sets torch's default to float64 pays once."""
    torch.set_default_dtype(torch.float64)
    try:
        p = names["random_model"](np.random.default_rng(0), 7, 8, 2)
        p = {name: p[name].float() for name in ("E", "gain", "bias")} | {
            "blocks": [{name: value.float() for name, value in block.items()} for block in p["blocks"]]
        }
        Z = names["logits"](p, torch.tensor([[0, 3, 5]]), 2)
        z, _ = names["step"](p, torch.tensor([0]), names["empty_cache"](p, 1, 2), 2)
        assert Z.dtype == z.dtype == names["rotate"](Z[..., :6]).dtype == torch.float32 and torch.allclose(
            Z[:, 0], z, atol=1e-5
        )
    finally:
        torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("seed", range(5))
def test_who_notices_that_two_words_change_places(names, seed):
    """One causal layer without positions does not, two do, and one with rotation does: 2.3, 2.4 and 8.2."""
    parameters = names["random_model"](np.random.default_rng(seed), 20, 8, 2)
    before, after = torch.tensor([[0, 3, 5, 7, 9, 4]]), torch.tensor([[0, 3, 7, 5, 9, 4]])

    def change(n_layers):
        model = parameters | {"blocks": parameters["blocks"][:n_layers]}
        first, second = (names["logits"](model, tokens, 2).softmax(-1) for tokens in (before, after))
        return (first - second).abs().amax(-1)[0].tolist()

    assert change(1)[5] > 1e-6
    names["rotate"] = unrotated
    assert change(1)[5] < 1e-14 and change(2)[5] > 1e-6
    assert max(change(2)[:2]) == 0 and min(change(1)[2:4]) > 1e-6  # the exchanged places themselves notice
    mask = names["causal_mask"]
    names["causal_mask"] = lambda n_queries, n_keys: torch.ones_like(mask(n_queries, n_keys))
    assert change(2)[5] < 1e-14 and change(2)[1] < 1e-14  # without a mask nobody notices, at any depth


@pytest.mark.parametrize(
    ("layer", "shape"),
    [
        (lambda X: torch.nn.LayerNorm(4)(X), (2, 3, 4)),
        (lambda X: torch.nn.MultiheadAttention(4, 2)(X, X, X)[0], (3, 4)),
        (lambda X: torch.nn.TransformerEncoderLayer(4, 2, 8)(X), (3, 4)),
        (lambda X: torch.nn.CrossEntropyLoss()(X, torch.tensor([1, 0])), (2, 3)),
        (lambda X: torch.nn.functional.scaled_dot_product_attention(X, X, X), (2, 3, 4)),
        (lambda X: torch.layer_norm(X, (4,)), (2, 3, 4)),
        (lambda X: torch.nn.functional.instance_norm(X), (2, 3, 4)),
        (lambda X: torch.nn.BatchNorm1d(4)(X), (3, 4)),
    ],
)
def test_ready_made_functions_are_noticed_also_within_layers(names, layer, shape):
    same, found, ready_made = names["gradients"](layer, torch.ones(shape).double())
    assert same and len(found) == 1 and ready_made


def test_what_is_not_forbidden_is_not_noticed(names):
    def allowed(X):
        X = torch.nn.functional.linear(torch.nn.functional.softmax(X, -1), torch.eye(4))
        return torch.nn.functional.nll_loss(X.log_softmax(-1), torch.tensor([0, 1]))

    assert names["gradients"](allowed, torch.ones(2, 4).double())[2] == []


def test_a_small_loss_behind_large_scores_may_be_in_single_precision(names, monkeypatch):
    """With this secret the test shifts scores by so much that their rounding alone is more than 1e-4 of the loss."""

    def nll(Z, targets):
        Z, counted = Z.float(), targets >= 0
        return (Z.logsumexp(-1) - Z.gather(-1, targets.clamp(min=0)[..., None])[..., 0])[counted].mean()

    monkeypatch.setattr("lmkit.homework.secret", "zz38")
    notebook = nbformat.read(notebook_path("hw5_transformer"), as_version=4)
    (test,) = (c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "test_nll")
    exec(compile(test.source, test.id, "exec"), names | {"nll": nll})


@pytest.mark.slow
def test_positions_are_worth_less_than_the_rest(names):
    """8.1: with and without rotation the model is far closer to the grammar than to a bigram model, for any seed."""
    train, held_out = names["draw_sentences"](2000, 30), names["as_batch"](names["draw_sentences"](300, 31))

    def perplexities():
        found = []
        for seed in range(3):
            parameters = names["train_language_model"](train, len(names["vocabulary"]), seed)
            with torch.no_grad():
                Z = names["logits"](parameters, held_out[0], names["N_HEADS"])
                found.append(math.exp(float(names["nll"](Z, held_out[1]))))
        return np.array(found)

    rotated = perplexities()
    names["rotate"] = unrotated
    without = perplexities()
    assert max(*rotated, *without) < 3.3 and min(*rotated, *without) > 2.5
    assert 0 < (without - rotated).mean() < 0.2
