import dataclasses

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmkit.neural import IGNORE
from lmkit.recurrent import (
    CELLS,
    NONLINEARITIES,
    ElmanRNN,
    RecurrentConfig,
    RecurrentEncoder,
    RecurrentLM,
    comparison_network,
    summation_network,
)

SMALL = RecurrentConfig(vocab_size=11, d_embedding=6, d_hidden=8)
VARIANTS = {
    "rnn": dataclasses.replace(SMALL, cell="rnn"),
    "relu": dataclasses.replace(SMALL, cell="rnn", nonlinearity="relu"),
    "linear": dataclasses.replace(SMALL, cell="rnn", nonlinearity="linear"),
    "gru": dataclasses.replace(SMALL, cell="gru", n_layers=2),
    "lstm": SMALL,
    "stacked": dataclasses.replace(SMALL, n_layers=3),
    "tied": dataclasses.replace(SMALL, d_embedding=8, tied=True),
}
every_variant = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)
WEIGHTS = ("W_xh", "W_hh", "b_h", "W_hy", "b_y")


def ids(B, T, V=11, seed=0):
    return torch.randint(V, (B, T), generator=torch.Generator().manual_seed(seed))


# --- By hand


def test_summation_network():
    h, y = summation_network().forward([[2], [-0.5], [1], [1]])
    assert y[:, 0].tolist() == [2, 1.5, 2.5, 3.5]
    assert h.shape == y.shape == (4, 1)


def test_comparison_network():
    yes = comparison_network().probabilities([[2, -2], [0, 3.5], [1, 2.2]])[:, 0]
    assert [f"{p:.2f}" for p in yes] == ["1.00", "0.92", "0.03"]
    np.testing.assert_allclose(yes, 1 / (1 + np.exp(-5 * np.array([4, 0.5, -0.7]))), rtol=1e-12)


def elman(nonlinearity="tanh", T=9, d=3, H=5, K=4):
    rng = np.random.default_rng(0)
    net = ElmanRNN.random(d, H, K, rng, nonlinearity)
    net.b_h, net.b_y = rng.normal(size=H), rng.normal(size=K)
    return net, rng.normal(size=(T, d)), rng.integers(K, size=T)


def autograd_gradients(net, x, targets, window):
    """The same network in torch; the hidden state is detached where a window ends."""
    W = {name: torch.tensor(getattr(net, name), requires_grad=True) for name in WEIGHTS}
    phi = {"tanh": torch.tanh, "relu": torch.relu, "linear": lambda a: a}[net.nonlinearity]
    h, loss = torch.zeros(len(net.b_h)).double(), 0.0
    for t, (x_t, target) in enumerate(zip(torch.tensor(x), torch.tensor(targets), strict=True)):
        if window is not None and t % window == 0:
            h = h.detach()
        h = phi(W["W_xh"] @ x_t + W["W_hh"] @ h + W["b_h"])
        loss = loss + F.cross_entropy(W["W_hy"] @ h + W["b_y"], target) / len(x)
    loss.backward()
    return loss.item(), {name: w.grad.numpy() for name, w in W.items()}


@pytest.mark.parametrize("nonlinearity", NONLINEARITIES)
@pytest.mark.parametrize("window", [None, 1, 2, 4, 8])
@pytest.mark.parametrize("T", [1, 9])
def test_backpropagation_through_time_equals_autograd(nonlinearity, window, T):
    net, x, targets = elman(nonlinearity, T)
    loss, expected = autograd_gradients(net, x, targets, window)
    assert net.loss(x, targets) == pytest.approx(loss, rel=1e-12)
    gradients = net.gradients(x, targets, window)
    for name in WEIGHTS:
        np.testing.assert_allclose(gradients[name], expected[name], rtol=1e-10, atol=1e-13, err_msg=name)


@pytest.mark.parametrize("name", WEIGHTS)
def test_gradients_by_finite_differences(name):
    net, x, targets = elman()
    gradient, weight, eps = net.gradients(x, targets)[name], getattr(net, name), 1e-6
    for index in np.ndindex(weight.shape):
        weight[index] += eps
        up = net.loss(x, targets)
        weight[index] -= 2 * eps
        down = net.loss(x, targets)
        weight[index] += eps
        assert gradient[index] == pytest.approx((up - down) / (2 * eps), rel=1e-6, abs=1e-9)


def test_window_at_least_as_long_as_the_text_is_the_full_gradient():
    net, x, targets = elman()
    full = net.gradients(x, targets)
    for window in (9, 10, 1000):
        assert all((net.gradients(x, targets, window)[n] == full[n]).all() for n in WEIGHTS)
    assert not np.allclose(net.gradients(x, targets, 8)["W_hh"], full["W_hh"])


def test_forward_is_torchs_rnn():
    net, x, _ = elman()
    theirs = nn.RNN(3, 5).double()
    theirs.weight_ih_l0.data, theirs.weight_hh_l0.data = torch.tensor(net.W_xh), torch.tensor(net.W_hh)
    theirs.bias_ih_l0.data, theirs.bias_hh_l0.data = torch.tensor(net.b_h), torch.zeros(5).double()
    np.testing.assert_allclose(net.forward(x)[0], theirs(torch.tensor(x))[0].detach(), rtol=1e-12)


def test_probabilities_and_loss_survive_large_scores():
    net = ElmanRNN([[1]], [[0]], [0], [[1000], [0]], [0, 0], "linear")
    assert net.probabilities([[1.0]]).tolist() == [[1, 0]]
    assert net.loss([[1.0]], [1]) == pytest.approx(1000)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda n, x, y: n.forward(x[:, :2]), r"x must have shape \(T, 3\).*got \(9, 2\)"),
        (lambda n, x, y: n.forward(x[:0]), "T ≥ 1"),
        (lambda n, x, y: n.loss(x, y[:-1]), "one id per input, 9, got 8"),
        (lambda n, x, y: n.loss(x, y + 4), "outside the vocabulary"),
        (lambda n, x, y: n.gradients(x, y / 2), "integer"),
        (lambda n, x, y: n.gradients(x, y, window=0), "window must be at least 1"),
        (lambda n, x, y: dataclasses.replace(n, W_hh=np.eye(4)), r"W_hh must have shape \(5, 5\), got \(4, 4\)"),
        (lambda n, x, y: dataclasses.replace(n, nonlinearity="step"), "got 'step'"),
    ],
)
def test_wrong_arguments_of_the_elman_network(call, message):
    with pytest.raises(ValueError, match=message):
        call(*elman())


# --- Language models


@every_variant
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_causal(config, data):
    model = RecurrentLM(config).double()
    T = data.draw(st.integers(2, 10))
    t = data.draw(st.integers(1, T - 1))
    tokens = ids(2, T, seed=data.draw(st.integers(0, 99)))
    changed = tokens.clone()
    changed[:, t] = (changed[:, t] + data.draw(st.integers(1, 10))) % 11
    before, after = model.logits(tokens), model.logits(changed)
    torch.testing.assert_close(before[:, :t], after[:, :t], rtol=0, atol=1e-13)
    assert not torch.allclose(before[:, t:], after[:, t:])


@every_variant
@pytest.mark.parametrize("T", [1, 7])
def test_stepping_equals_the_whole_sequence(config, T):
    model, tokens = RecurrentLM(config).double(), ids(3, T)
    whole = model(tokens)[0]
    state = model.initial_state(3)
    for t in range(T):
        logits, state = model.step(tokens[:, t], state)
        torch.testing.assert_close(logits, whole[:, t], rtol=1e-12, atol=1e-12)
    once, after = model.step(tokens, model.initial_state(3))
    torch.testing.assert_close(once, whole[:, -1], rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(after, state, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("V", [3, 100])  # fewer words than tokens: the table; more: one product per token
def test_folded_embedding_equals_the_embedding_first(V):
    config = dataclasses.replace(SMALL, vocab_size=V)
    model, tokens = RecurrentLM(config).double(), ids(4, 5, V)
    layer = model.encoder.layers[0][0]
    h, _ = layer(model.encoder.embedding(tokens.T))
    expected = model.output(h.transpose(0, 1))
    torch.testing.assert_close(model.logits(tokens), expected, rtol=1e-12, atol=1e-12)
    weights = list(model.parameters())
    ours = torch.autograd.grad(model(tokens, tokens)[1], weights)
    its = torch.autograd.grad(F.cross_entropy(expected.flatten(0, 1), tokens.flatten()), weights)
    torch.testing.assert_close(ours, its, rtol=1e-10, atol=1e-12)


def test_stacked_lstm_equals_torchs():
    model, tokens = RecurrentLM(VARIANTS["stacked"]).double(), ids(2, 6)
    theirs = nn.LSTM(6, 8, num_layers=3, batch_first=True).double()
    rows = torch.cat([torch.arange(8 * k, 8 * k + 8) for k in (0, 1, 3, 2)])  # i, f, g, o
    for k, (layer,) in enumerate(model.encoder.layers):
        for name, weight in (("weight_ih", layer.W_x), ("weight_hh", layer.W_h), ("bias_ih", layer.b)):
            getattr(theirs, f"{name}_l{k}").data = weight.data[rows]
        getattr(theirs, f"bias_hh_l{k}").data.zero_()
    h, _ = theirs(model.encoder.embedding(tokens))
    torch.testing.assert_close(model.logits(tokens), model.output(h), rtol=1e-12, atol=1e-12)


def test_truncation_by_detaching_the_state_is_the_numpy_one():
    """Windows in torch, the state carried over detached: the gradient of ``ElmanRNN.gradients(window)``."""
    model = RecurrentLM(dataclasses.replace(SMALL, cell="rnn")).double()
    (layer,), E = model.encoder.layers[0], model.encoder.embedding.weight
    text, window = ids(1, 10), 4
    net = ElmanRNN(
        *(w.detach().numpy() for w in (layer.W_x, layer.W_h, layer.b, model.output.weight, model.output.bias))
    )
    expected = net.gradients(E.detach().numpy()[text[0, :-1]], text[0, 1:].numpy(), window)
    state = model.initial_state()
    for start in range(0, 9, window):
        end = min(start + window, 9)
        logits, state = model.run(text[:, start:end], [tuple(s.detach() for s in layer) for layer in state])
        (F.cross_entropy(logits[0], text[0, start + 1 : end + 1], reduction="sum") / 9).backward()
    np.testing.assert_allclose(layer.W_h.grad, expected["W_hh"], rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(layer.W_x.grad, expected["W_xh"], rtol=1e-10, atol=1e-13)


@every_variant
def test_language_model_questions_agree(config):
    model, tokens = RecurrentLM(config), ids(1, 6)[0].numpy()
    tokens = np.where(tokens == 0, 1, tokens)  # <bos> is never predicted
    log_p = [model.next_log_probs(tokens[:t])[tokens[t]] for t in range(6)]
    np.testing.assert_allclose(model.log_probs(tokens), log_p, rtol=1e-5)
    assert np.exp(model.next_log_probs([])).sum() == pytest.approx(1)


@pytest.mark.parametrize("cell", CELLS)
def test_learns_what_only_memory_can_tell(cell):
    """<bos> A x x x x A or <bos> B x x x x B: the last token is certain only to who remembers the first."""
    model = RecurrentLM(RecurrentConfig(vocab_size=4, cell=cell, d_embedding=8, d_hidden=16))
    text = torch.tensor([[0, w, 3, 3, 3, 3, w] for w in (1, 2)])
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(150):
        _, loss = model(text[:, :-1], text[:, 1:])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    first, *rest = -model.log_probs(text[0, 1:].numpy())
    assert first == pytest.approx(np.log(2), abs=0.05)  # no one can know A or B beforehand
    assert max(rest) < 0.05


def test_seed_decides_and_global_randomness_does_not():
    torch.manual_seed(1)
    a = RecurrentLM(SMALL, seed=5)
    after = torch.rand(1)
    torch.manual_seed(1)
    assert torch.rand(1) == after
    b, c = RecurrentLM(SMALL, seed=5), RecurrentLM(SMALL, seed=6)
    tokens = ids(1, 4)
    assert torch.equal(a.logits(tokens), b.logits(tokens))
    assert not torch.equal(a.logits(tokens), c.logits(tokens))


def test_tied_weights_are_one_matrix():
    model = RecurrentLM(VARIANTS["tied"])
    assert model.output.weight is model.encoder.embedding.weight


# --- Both directions


def test_bidirectional_equals_torchs_with_padding():
    config = dataclasses.replace(SMALL, bidirectional=True, n_layers=2)
    encoder = RecurrentEncoder(config).double()
    theirs = nn.LSTM(6, 8, num_layers=2, bidirectional=True).double()
    rows = torch.cat([torch.arange(8 * k, 8 * k + 8) for k in (0, 1, 3, 2)])
    for k, pair in enumerate(encoder.layers):
        for layer, suffix in zip(pair, ("", "_reverse"), strict=True):
            for name, weight in (("weight_ih", layer.W_x), ("weight_hh", layer.W_h), ("bias_ih", layer.b)):
                getattr(theirs, f"{name}_l{k}{suffix}").data = weight.data[rows]
            getattr(theirs, f"bias_hh_l{k}{suffix}").data.zero_()
    tokens, lengths = ids(3, 6), torch.tensor([6, 1, 4])
    for row, length in zip(tokens, lengths, strict=True):
        row[length:] = IGNORE
    packed = nn.utils.rnn.pack_padded_sequence(encoder.embedding(tokens.clamp(min=0).T), lengths, enforce_sorted=False)
    expected, _ = nn.utils.rnn.pad_packed_sequence(theirs(packed)[0])  # (T, B, 2H), zeros where padded
    h, _ = encoder(tokens)
    h = h * (tokens != IGNORE)[..., None]
    torch.testing.assert_close(h, expected.transpose(0, 1), rtol=1e-12, atol=1e-12)


def test_a_language_model_refuses_to_look_ahead():
    with pytest.raises(ValueError, match="bidirectional must be False"):
        RecurrentLM(dataclasses.replace(SMALL, bidirectional=True))


# --- Errors


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cell": "mamba"}, "cell must be one of rnn, gru, lstm, got 'mamba'"),
        ({"d_hidden": 0}, "d_hidden must be at least 1, got 0"),
        ({"n_layers": 0}, "n_layers"),
        ({"nonlinearity": "relu"}, "nonlinearity"),
        ({"tied": True}, "tied needs d_embedding = d_hidden, got 6 and 8"),
        ({"bos_id": 11}, "bos_id must be an id 0 … 10, got 11"),
    ],
)
def test_wrong_configurations(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(SMALL, **change)


def test_unknown_nonlinearity_is_named_when_the_configuration_is_made():
    with pytest.raises(ValueError, match="nonlinearity must be one of .*got 'swish'"):
        dataclasses.replace(SMALL, cell="rnn", nonlinearity="swish")


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (torch.zeros(1, 0, dtype=torch.int64), "T ≥ 1"),
        (torch.zeros(3, dtype=torch.int64), "shape"),
        (torch.zeros(1, 3), "int64"),
        (torch.tensor([[0, 11]]), "0 … 10"),
        (torch.tensor([[0, -1]]), "0 … 10"),
    ],
)
def test_wrong_tokens(tokens, message):
    with pytest.raises(ValueError, match=message):
        RecurrentLM(SMALL)(tokens)


def test_step_wants_one_token_per_sequence():
    model = RecurrentLM(SMALL)
    with pytest.raises(ValueError, match="2 sequences like the state, got 3"):
        model.step(torch.tensor([1, 2, 3]), model.initial_state(2))
