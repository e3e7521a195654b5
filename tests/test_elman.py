"""The numpy network by hand against torch, autograd and finite differences."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from lmkit.elman import NONLINEARITIES, ElmanRNN, comparison_network, summation_network
from tests.doors import Door, bad_values

WEIGHTS = ("W_xh", "W_hh", "b_h", "W_hy", "b_y")


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


X, TARGETS = np.arange(6.0).reshape(2, 3), [0, 3]
DOORS = [
    Door(
        ElmanRNN,
        lambda: {name: getattr(elman()[0], name) for name in WEIGHTS} | {"nonlinearity": "tanh"},
        {
            "W_xh": [*bad_values("array 0", np.ones((5, 3))), np.ones((5, 0))],
            "W_hh": [*bad_values("array 0 1", np.ones((5, 5))), np.ones((0, 0))],
            "W_hy": [*bad_values("array 1", np.ones((4, 5))), np.ones((0, 5))],
            "b_h": [None, "x", 3, [], [1.0], [[1.0]], [np.nan] * 5],
            "b_y": [None, "x", 3, [], [1.0], [[1.0]], [np.nan] * 4],
            "nonlinearity": "choice",
        },
    ),
    Door(
        ElmanRNN.random,
        lambda: {"d_input": 3, "d_hidden": 5, "d_output": 4, "rng": np.random.default_rng(0), "nonlinearity": "relu"},
        {"d_input": "count", "d_hidden": "count", "d_output": "count", "rng": "rng", "nonlinearity": "choice"},
    ),
    *(
        Door(
            lambda method=method, **arguments: getattr(elman()[0], method)(**arguments),
            lambda names=names: {name: {"x": X, "targets": TARGETS, "window": 1}[name] for name in names},
            {
                name: {
                    "x": [*bad_values("array", X), X[:0]],
                    "targets": [*bad_values("ids 4", None), [0]],
                    "window": "optional count",
                }[name]
                for name in names
            },
            f"elman.ElmanRNN.{method}",
        )  # fmt: skip
        for method, names in [
            ("forward", ["x"]),
            ("probabilities", ["x"]),
            ("loss", ["x", "targets"]),
            ("gradients", ["x", "targets", "window"]),
        ]  # fmt: skip
    ),
    Door(comparison_network, lambda: {"weight": 5.0}, {"weight": "number"}),
]


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


def test_the_targets_must_be_as_many_as_the_inputs():
    net, x, targets = elman()
    for call in (net.loss, net.gradients):
        with pytest.raises(ValueError, match="targets must have one id per input, 9, got 8"):
            call(x, targets[:-1])


def test_weights_assigned_later_are_checked_and_are_not_copied():
    net, x, _ = elman()
    W_hh = net.W_hh
    net.forward(x)
    assert net.W_hh is W_hh
    net.b_h = np.zeros(1)  # would broadcast
    with pytest.raises(ValueError, match=r"b_h must have shape \(H=5,\), got \(1,\)"):
        net.forward(x)


def test_weights_assigned_later_may_be_lists_and_must_be_weights():
    net = summation_network()
    net.W_xh, net.b_h = [[2]], [0]
    assert net.forward([[1.0], [2.0]])[1].ravel().tolist() == [2, 6]
    assert net.gradients([[1.0], [2.0]], [0, 0])["W_xh"].tolist() == [[0]]
    for name, wrong in (("W_hh", [[np.nan]]), ("W_hy", "x"), ("nonlinearity", "nope")):
        net = summation_network()
        setattr(net, name, wrong)
        for call in (net.forward, net.probabilities):
            with pytest.raises(ValueError, match=name):
                call([[1.0]])


def test_states_that_grow_beyond_all_floats_are_refused():
    net = ElmanRNN([[1]], [[10]], [0], [[1], [0]], [0, 0], "linear")
    assert np.isfinite(net.forward(np.ones((300, 1)))[1]).all()
    for call in (
        net.forward,
        net.probabilities,
        lambda x: net.loss(x, [0] * 400),
        lambda x: net.gradients(x, [0] * 400),
    ):
        with pytest.raises(ValueError, match="x of 400 steps"):
            call(np.ones((400, 1)))


def test_random_weights_have_the_variance_that_they_promise():
    net = ElmanRNN.random(50, 400, 30, np.random.default_rng(0))
    for W, columns in ((net.W_xh, 50), (net.W_hh, 400), (net.W_hy, 400)):
        assert W.var() == pytest.approx(1 / columns, rel=0.05)
    assert not net.b_h.any() and not net.b_y.any()
