"""Bengio's model: by hand and by autograd the same; causal; with a window that is a window."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmkit.feedforward import FeedforwardConfig, FeedforwardLM, loss_and_gradients

CONFIG = FeedforwardConfig(vocab_size=9, n_context=3, d_embedding=4, d_hidden=6)


def test_hand_gradient_equals_autograd():
    model = FeedforwardLM(CONFIG).double()
    rng = np.random.default_rng(0)
    tokens = torch.tensor(np.column_stack([np.zeros(5, dtype=int), rng.integers(1, 9, size=(5, 7))]))
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    _, loss = model(inputs, targets)
    loss.backward()

    padded = np.column_stack([np.zeros((5, 2), dtype=int), inputs.numpy()])
    contexts = np.concatenate([padded[:, t : t + 3] for t in range(7)])
    parameters = {name: p.detach().numpy() for name, p in model.named_parameters()}
    by_hand, gradients = loss_and_gradients(parameters, contexts, targets.T.reshape(-1).numpy())
    assert np.isclose(by_hand, loss.item(), rtol=1e-12)
    for name, p in model.named_parameters():
        assert np.allclose(gradients[name], p.grad.numpy(), rtol=0, atol=1e-12), name


def test_hand_gradient_equals_finite_differences():
    rng = np.random.default_rng(1)
    model = FeedforwardLM(CONFIG).double()
    parameters = {name: p.detach().numpy().copy() for name, p in model.named_parameters()}
    contexts, targets = rng.integers(0, 9, size=(4, 3)), rng.integers(0, 9, size=4)
    _, gradients = loss_and_gradients(parameters, contexts, targets)
    for name, value in parameters.items():
        at = tuple(rng.integers(size) for size in value.shape)
        saved, losses = value[at], []
        for step in (1e-6, -1e-6):
            value[at] = saved + step
            losses.append(loss_and_gradients(parameters, contexts, targets)[0])
        value[at] = saved
        assert np.isclose((losses[0] - losses[1]) / 2e-6, gradients[name][at], atol=1e-8), name


@given(st.integers(0, 7), st.integers(1, 8))
def test_a_token_changes_the_next_three_predictions_and_no_other(at, new):
    model = FeedforwardLM(CONFIG)
    tokens = torch.tensor([[0, 1, 2, 3, 4, 5, 6, 7]])
    changed = tokens.clone()
    changed[0, at] = new
    same = (model.logits(tokens) == model.logits(changed)).all(-1)[0]
    assert same[:at].all() and same[at + 3 :].all()
    assert new == tokens[0, at] or not same[at : at + 3].any()


def test_as_a_language_model():
    model = FeedforwardLM(CONFIG)
    sequence = [3, 1, 4, 1]
    steps = [model.next_log_probs(sequence[:t])[w] for t, w in enumerate(sequence)]
    assert np.allclose(model.log_probs(sequence), steps, atol=1e-6)
    assert np.isclose(np.exp(model.next_log_probs([])).sum(), 1)
    assert model.log_probs([5]).shape == (1,)


def test_bad_input():
    with pytest.raises(ValueError, match="n_context must be at least 1, got 0"):
        FeedforwardConfig(vocab_size=5, n_context=0)
    with pytest.raises(ValueError, match="bos_id must be"):
        FeedforwardConfig(vocab_size=5, bos_id=5)
    parameters = {name: p.detach().numpy() for name, p in FeedforwardLM(CONFIG).named_parameters()}
    with pytest.raises(ValueError, match=r"contexts must have shape \(B, 3\)"):
        loss_and_gradients(parameters, [[1, 2]], [1])
    with pytest.raises(ValueError, match="targets must be integer ids 0 … 8"):
        loss_and_gradients(parameters, [[1, 2, 3]], [9])
