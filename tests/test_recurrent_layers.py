"""Every layer against PyTorch's, and gradients that reach back against Jacobians."""

import pytest
import torch
from torch import nn

from lmkit.lstm import LSTM
from lmkit.recurrent_layers import GRU, RNN, gradient_norms
from tests.doors import Door, bad_values

LAYERS = {"rnn": RNN, "relu": lambda d, H: RNN(d, H, "relu"), "gru": GRU, "lstm": LSTM}
every_layer = pytest.mark.parametrize("kind", LAYERS)


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def make(kind, d=5, H=7, dtype=torch.float64):
    layer = LAYERS[kind](d, H).to(dtype)
    for k, p in enumerate(layer.parameters()):
        p.data = 0.5 * normal(*p.shape, seed=k + 1, dtype=dtype)
    return layer


def torchs(kind, d=5, H=7, dtype=torch.float64, **options):
    """PyTorch's layer of the same kind, with weights of its own."""
    if kind == "relu":
        options["nonlinearity"] = "relu"
    layer = {"gru": nn.GRU, "lstm": nn.LSTM}.get(kind, nn.RNN)(d, H, **options).to(dtype)
    for k, p in enumerate(layer.parameters()):
        p.data = 0.5 * normal(*p.shape, seed=k + 50, dtype=dtype)
    return layer


X = normal(4, 2, 5, dtype=torch.float32)
STATE = {"rnn": (torch.zeros(2, 7),), "gru": (torch.zeros(2, 7),), "lstm": (torch.zeros(2, 7), torch.zeros(2, 7))}
BAD_STATES = [3, "x", torch.zeros(2, 7), (), [torch.zeros(2, 7)], (None,), (torch.zeros(1, 7),), (torch.zeros(2, 1),),
              (torch.zeros(3, 7),), (torch.zeros(7),), (torch.zeros(2, 7),) * 3, (torch.zeros(2, 7).long(),),
              (torch.zeros(2, 7).double(),)]  # fmt: skip
DOORS = [
    Door(GRU, lambda: {"d_input": 5, "d_hidden": 7}, {"d_input": "count", "d_hidden": "count"}),
    Door(
        RNN,
        lambda: {"d_input": 5, "d_hidden": 7, "nonlinearity": "relu"},
        {"d_input": "count", "d_hidden": "count", "nonlinearity": "choice"},
    ),
    *(
        door
        for kind in ("gru", "lstm")
        for door in [
            Door(
                lambda x, state, kind=kind: LAYERS[kind](5, 7)(x, state),
                lambda kind=kind: {"x": X, "state": STATE[kind]},
                {"x": [*bad_values("tensor", X), X[:0], X[:, :0], X.double()], "state": BAD_STATES},
                "recurrent_layers.RecurrentLayer.forward",
            ),
            Door(
                lambda a, state, kind=kind: LAYERS[kind](5, 7).scan(a, state),
                lambda kind=kind: {"a": LAYERS[kind](5, 7).project(X).detach(), "state": STATE[kind]},
                {"a": "tensor", "state": BAD_STATES},
                "recurrent_layers.RecurrentLayer.scan",
            ),
        ]
    ),
    Door(
        LSTM(5, 7).project,
        lambda: {"x": X},
        {"x": [*bad_values("free_tensor", X), X[..., :1], X[..., :4], X.double()]},
        "recurrent_layers.RecurrentLayer.project",
    ),  # fmt: skip
    Door(
        LSTM(5, 7).initial_state,
        lambda: {"batch_size": 2},
        {"batch_size": "count"},
        "recurrent_layers.RecurrentLayer.initial_state",
    ),
    *(
        Door(
            LAYERS[kind](5, 7).load_torch,
            lambda kind=kind: {"layer": torchs(kind)},
            {
                "layer": [*bad_values("object", None), *(torchs(other) for other in LAYERS if other != kind)]
                + [
                    torchs(kind, H=6),
                    torchs(kind, bias=False),
                    torchs(kind, num_layers=2),
                    torchs(kind, bidirectional=True),
                ]
            },
            "recurrent_layers.RecurrentLayer.load_torch",
        )  # fmt: skip
        for kind in LAYERS
    ),
    Door(
        gradient_norms,
        lambda: {"layer": GRU(5, 7), "x": X[:, 0]},
        {
            "layer": [*bad_values("object", None), nn.GRU(5, 7)],
            "x": [*bad_values("tensor", X[:, 0]), X[:0, 0], torch.nan * X[0]],
        },
    ),
]


@every_layer
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-6), (torch.float64, 1e-12)])
@pytest.mark.parametrize(("T", "B"), [(1, 1), (9, 3)])
def test_equal_to_torch_with_its_weights(kind, dtype, tolerance, T, B):
    layer, theirs = make(kind, dtype=dtype), torchs(kind, dtype=dtype)
    layer.load_torch(theirs)
    x, state = normal(T, B, 5, dtype=dtype), [normal(B, 7, seed=k, dtype=dtype) for k in range(layer.n_states)]
    expected, last = theirs(x, tuple(s[None] for s in state) if len(state) == 2 else state[0][None])
    last = last if isinstance(last, tuple) else (last,)
    h, after = layer(x, tuple(state))
    torch.testing.assert_close(h, expected, rtol=tolerance, atol=tolerance)
    for ours, its in zip(after, last, strict=True):
        torch.testing.assert_close(ours, its[0], rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("kind", ["rnn", "lstm"])
def test_the_weights_are_torchs_name_by_name(kind):
    """So that they can be copied into PyTorch's layer without a thought for the order of the gates."""
    layer, theirs = make(kind), torchs(kind)
    with torch.no_grad():
        for ours, its in {"W_x": "weight_ih_l0", "W_h": "weight_hh_l0", "b": "bias_ih_l0"}.items():
            getattr(theirs, its).copy_(getattr(layer, ours))
        theirs.bias_hh_l0.zero_()
    torch.testing.assert_close(layer(normal(6, 2, 5))[0], theirs(normal(6, 2, 5))[0], rtol=1e-12, atol=1e-12)


@every_layer
def test_no_state_is_a_state_of_zeros(kind):
    layer, x = make(kind), normal(4, 2, 5)
    torch.testing.assert_close(layer(x), layer(x, layer.initial_state(2)), rtol=0, atol=0)
    assert not any(part.any() for part in layer.initial_state(2))


def test_initial_weights_keep_within_torchs_bounds():
    layer = GRU(50, 64)
    for W in (layer.W_x, layer.W_h):
        assert W.abs().max() <= 1 / 8 and W.abs().max() > 0.12 and abs(W.mean()) < 0.01
    assert not layer.b.any() and not layer.b_hn.any()


@every_layer
def test_gradient_norms_are_the_jacobians(kind):
    layer, x = make(kind), normal(6, 5)
    norms = gradient_norms(layer, x)
    assert norms.shape == (6, layer.n_states)
    a = layer.project(x)
    for k in (1, 4):  # the state k steps before the end, as a function's argument
        state = layer.initial_state(1)
        for a_t in a[: 6 - k]:
            state = layer._step(a_t[None], state)

        def last(*state, start=6 - k):
            return layer.scan(a[start:, None], state)[0][-1]

        jacobians = torch.autograd.functional.jacobian(last, state)
        for column, J in enumerate(jacobians):
            expected = torch.linalg.matrix_norm(J[0, :, 0], ord=2)
            torch.testing.assert_close(norms[k - 1, column], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("H", [1, 3])
def test_gradients_that_explode_beyond_all_floats_are_told(H):
    layer = RNN(1, H, "linear")
    layer.W_h.data = 10 * torch.eye(H)
    assert gradient_norms(layer, normal(38, 1, dtype=torch.float32))[-1].item() == pytest.approx(1e38, rel=1e-5)
    with pytest.raises(ValueError, match="x through layer: the gradients must hold finite numbers"):
        gradient_norms(layer, normal(45, 1, dtype=torch.float32))


def test_gradient_of_a_linear_rnn_is_a_power_of_its_matrix():
    layer = RNN(1, 3, "linear").double()
    layer.W_h.data = torch.diag(torch.tensor([0.9, 0.5, -0.2], dtype=torch.float64))
    norms = gradient_norms(layer, normal(20, 1))
    torch.testing.assert_close(norms[:, 0], 0.9 ** torch.arange(1, 21).double(), rtol=1e-12, atol=0)


def test_open_forget_gate_keeps_the_gradient_and_tanh_loses_it():
    lstm, rnn, x = LSTM(4, 16).double(), RNN(4, 16).double(), normal(60, 4)
    for layer in (lstm, rnn):
        layer.W_h.data = 0.1 * normal(*layer.W_h.shape)
    lstm.b.data[16:32] = 6.0
    assert gradient_norms(rnn, x)[-1, 0] < 1e-12
    assert gradient_norms(lstm, x)[-1, 1] > 0.05
