"""Bengio's model: by hand and by autograd the same; causal; with a window that is a window."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmkit.batches import packed_batches
from lmkit.feedforward import FeedforwardConfig, FeedforwardLM, loss_and_gradients
from lmkit.training import TrainingConfig, train
from tests.doors import Door, bad_values

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


def test_embeddings_begin_small_and_maps_keep_the_size_of_what_they_read():
    model = FeedforwardLM(FeedforwardConfig(vocab_size=300, d_embedding=50, d_hidden=200))
    assert model.config.n_context == 3 and model.W.shape == (200, 150)  # as the lecture draws it
    for weight, deviation in ((model.E, 0.1), (model.W, 150**-0.5), (model.U, 200**-0.5)):
        assert weight.std().item() == pytest.approx(deviation, rel=0.03)
    assert not model.b_h.any() and not model.b_y.any()


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


def test_steps_equal_the_whole():
    """Its state is the words before, however few there are yet."""
    for n_context in (1, 2, 5):
        model = FeedforwardLM(FeedforwardConfig(9, n_context, 4, 6, bos_id=8))
        tokens, state, read = torch.tensor([[8, 1, 2, 3, 4, 5], [8, 7, 6, 5, 4, 3]]), model.initial_state(2), 0
        whole = model.logits(tokens)
        for piece in tokens.split([1, 3, 2], dim=1):
            logits, state = model.step(piece, state)
            read += piece.shape[1]
            torch.testing.assert_close(logits, whole[:, read - 1])


def test_seed_decides_the_weights():
    one, same, other = FeedforwardLM(CONFIG, 1), FeedforwardLM(CONFIG, 1), FeedforwardLM(CONFIG, 2)
    assert torch.equal(one.E, same.E) and not torch.equal(one.E, other.E)


def test_words_that_are_used_alike_end_up_side_by_side():
    """Embeddings begin small: 1 and 2 are followed by 5, 3 and 4 by 6, and that soon outweighs where they began."""
    text = [[before, word, 5 if word < 3 else 6] for before in (7, 8) for word in (1, 2, 3, 4)]
    for seed in range(3):
        model = FeedforwardLM(FeedforwardConfig(9, n_context=2, d_embedding=16, d_hidden=32), seed)
        train(model, packed_batches(text, 25, 0, seed), TrainingConfig(60, 0.01), quiet=True)
        e = torch.nn.functional.normalize(model.E.detach()[1:5])
        cosines = e @ e.T
        assert min(cosines[0, 1], cosines[2, 3]) > 0.8 > 0.3 > cosines[:2, 2:].max()


MODEL, IDS = FeedforwardLM(CONFIG), torch.tensor([[1, 2, 3], [4, 5, 6]])
WEIGHTS = {name: p.detach().numpy() for name, p in MODEL.named_parameters()}


def without(name):
    return {key: value for key, value in WEIGHTS.items() if key != name}


BAD_WEIGHTS = [
    *(without(name) | {name: WEIGHTS[name][..., :1]} for name in ("W", "b_h", "U", "b_y")),  # it would broadcast
    *(without(name) | {name: np.full_like(WEIGHTS[name], np.nan)} for name in WEIGHTS),
    without("b_y") | {"b_y": WEIGHTS["b_h"]},
]
DOORS = [
    Door(
        FeedforwardConfig,
        lambda: {"vocab_size": 9, "n_context": 3, "d_embedding": 4, "d_hidden": 6, "bos_id": 0},
        dict.fromkeys(["vocab_size", "n_context", "d_embedding", "d_hidden"], "count")
        | {"bos_id": [*bad_values("index", 0), 9]},
    ),
    Door(
        loss_and_gradients,
        lambda: {"parameters": WEIGHTS, "contexts": [[1, 2, 3], [4, 5, 6]], "targets": [4, 7]},
        {
            "parameters": [None, 3, "x", {}, {1: 2, "E": 3}, without("W"), list(WEIGHTS.values()), *BAD_WEIGHTS],
            "contexts": [
                None,
                "x",
                3,
                [1, 2, 3],
                [[1, 2]],
                [[1, 2, 3]],
                [[1, 2, 9], [4, 5, 6]],
                [[1, 2, -1], [4, 5, 6]],
                [[0.5] * 3] * 2,
                [[True] * 3] * 2,
                [[1, 2, 3], [4, 5]],
            ],
            "targets": [*bad_values("ids 9", [4, 7]), []],
        },
    ),
    Door(FeedforwardLM, lambda: {"config": CONFIG, "seed": 0}, {"config": "object", "seed": "seed"}),
    Door(
        MODEL.initial_state,
        lambda: {"batch_size": 2},
        {"batch_size": "count"},
        name="feedforward.FeedforwardLM.initial_state",
    ),
    Door(
        MODEL.run,
        lambda: {"tokens": IDS, "state": MODEL.initial_state(2)},
        {
            "tokens": "id_tensor 9",
            "state": [None, 3, [], [None], [torch.zeros(2, 2)], [torch.zeros(1, 2, dtype=torch.int64)]],
        },
        name="feedforward.FeedforwardLM.run",
    ),
    Door(
        MODEL.output,
        lambda: {"h": torch.zeros(2, 6)},
        {"h": [None, "x", torch.zeros(2, 1), torch.zeros(2, 6).long()]},
        name="feedforward.FeedforwardLM.output",
    ),
]
