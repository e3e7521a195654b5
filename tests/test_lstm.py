"""The LSTM's layer against its equations, and its backward pass by hand against autograd and finite differences."""

import pytest
import torch

from lmkit.lstm import GATES, LSTM, lstm_step
from tests.doors import Door, bad_values
from tests.test_recurrent_layers import make, normal

H, D = 4, 3


def weights():
    W = {gate: normal(H, H + D, seed=k) for k, gate in enumerate(GATES)}
    return W, {gate: normal(H, seed=10 + k) for k, gate in enumerate(GATES)}


def bad_gates(k):
    """``W`` (k = 0) or ``b`` with something wrong about the forget gate alone."""
    good = weights()[k]
    rest = {gate: w for gate, w in good.items() if gate != "f"}
    return [
        None,
        3,
        "ifgo",
        [],
        {},
        rest,
        good | {"z": good["f"]},
        *(rest | {"f": bad} for bad in bad_values("tensor", good["f"])),
    ]


ARGUMENTS = {"x": normal(2, D), "h": normal(2, H, seed=20), "c": normal(2, H, seed=21)}
DOORS = [
    Door(LSTM, lambda: {"d_input": 5, "d_hidden": 7}, {"d_input": "count", "d_hidden": "count"}),
    Door(
        lstm_step,
        lambda: ARGUMENTS | dict(zip("Wb", weights(), strict=True)),
        {
            "x": bad_values("free_tensor", ARGUMENTS["x"]),
            "h": "tensor 0",
            "c": "tensor 0 1",
            "W": bad_gates(0),
            "b": bad_gates(1),
        },
    ),
]


def test_layer_is_the_lectures_step_with_the_gates_in_torchs_order():
    W, b = weights()
    layer = LSTM(D, H).double()
    stacked = torch.cat([W[gate] for gate in "ifgo"])
    layer.W_h.data, layer.W_x.data = stacked[:, :H].clone(), stacked[:, H:].clone()
    layer.b.data = torch.cat([b[gate] for gate in "ifgo"])
    x, h, c = normal(6, 2, D), normal(2, H, seed=20), normal(2, H, seed=21)
    outputs, last = layer(x, (h, c))
    for x_t, h_t in zip(x, outputs, strict=True):
        h, c = lstm_step(x_t, h, c, W, b)
        torch.testing.assert_close(h_t, h, rtol=1e-13, atol=1e-13)
    torch.testing.assert_close(last, (h, c), rtol=1e-13, atol=1e-13)


def test_the_forget_gate_starts_open_and_no_other():
    layer = LSTM(D, H)
    assert layer.b.tolist() == [0] * H + [1] * H + [0] * 2 * H
    for W in (layer.W_x, layer.W_h):
        W.data.zero_()
    _, (_, c) = layer(torch.zeros(1, 1, D), (torch.zeros(1, H), torch.ones(1, H)))
    torch.testing.assert_close(c, torch.full((1, H), 1.0).sigmoid())  # c_1 = σ(1) c_0, for the candidate is tanh(0)


def test_gates_do_what_their_names_say():
    """Scores of ±50 open and close the gates completely."""
    H, d = 2, 1
    x, h, c = torch.ones(d).double(), torch.zeros(H).double(), torch.tensor([0.3, -0.7]).double()
    W = {name: torch.zeros(H, H + d).double() for name in GATES}

    def step(i, f, o):
        b = {"i": i, "f": f, "o": o, "g": 1.0}
        return lstm_step(x, h, c, W, {k: torch.full((H,), float(v)).double() for k, v in b.items()})

    candidate = torch.tanh(torch.ones(H).double())
    torch.testing.assert_close(step(i=-50, f=50, o=50), (torch.tanh(c), c))
    torch.testing.assert_close(step(i=50, f=-50, o=50)[1], candidate)
    torch.testing.assert_close(step(i=50, f=50, o=-50), (0 * c, c + candidate))


@pytest.mark.parametrize(("T", "B"), [(1, 1), (2, 3), (12, 4)])
def test_manual_backward_equals_autograd(T, B):
    """Every gradient: of the inputs, the weights and the initial state, through all outputs and the last state."""
    results = []
    for scan in (LSTM._scan, super(LSTM, LSTM)._scan):
        layer = make("lstm")
        x, h_0, c_0 = (t.requires_grad_() for t in (normal(T, B, 5), normal(B, 7, seed=1), normal(B, 7, seed=2)))
        h, (h_T, c_T) = scan(layer, layer.project(x), (h_0, c_0))
        loss = (h * normal(T, B, 7, seed=3)).sum() + (h_T * normal(B, 7, seed=4) + c_T.exp()).sum()
        results.append([loss, *torch.autograd.grad(loss, [x, h_0, c_0, *layer.parameters()])])
    torch.testing.assert_close(*results, rtol=1e-10, atol=1e-10)


def test_second_derivatives_are_refused():
    layer, x = LSTM(1, 2), torch.randn(2, 1, 1, requires_grad=True)
    with pytest.raises(ValueError, match="LSTM's gradient has no derivative"):
        torch.autograd.grad(layer(x)[0].sum(), x, create_graph=True)


def test_manual_backward_by_finite_differences():
    layer = make("lstm", 2, 3)
    a, h_0, c_0 = (t.requires_grad_() for t in (normal(4, 2, 12), normal(2, 3, seed=1), normal(2, 3, seed=2)))

    def outputs(a, W_h, h_0, c_0):
        layer.W_h = W_h
        h, (_, c_T) = layer.scan(a, (h_0, c_0))
        return h, c_T

    del layer.W_h
    assert torch.autograd.gradcheck(outputs, (a, normal(12, 3, seed=5).requires_grad_(), h_0, c_0))


@pytest.mark.parametrize("only", ["h", "c_T"])
def test_manual_backward_when_only_one_output_is_used(only):
    layer, x = make("lstm"), normal(5, 2, 5)
    h, (_, c_T) = layer(x)
    gradient = torch.autograd.grad((h if only == "h" else c_T).sum(), layer.W_h)[0]
    h, (_, c_T) = super(LSTM, LSTM)._scan(layer, layer.project(x), layer.initial_state(2))
    expected = torch.autograd.grad((h if only == "h" else c_T).sum(), layer.W_h)[0]
    torch.testing.assert_close(gradient, expected, rtol=1e-10, atol=1e-10)
