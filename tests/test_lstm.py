import pytest
import torch
from torch import nn

from lmkit.lstm import GRU, LSTM, RNN, gradient_norms, lstm_step_by_gates, lstm_step_stacked

LAYERS = {"rnn": RNN, "relu": lambda d, H: RNN(d, H, "relu"), "gru": GRU, "lstm": LSTM}
every_layer = pytest.mark.parametrize("kind", LAYERS)


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def make(kind, d=5, H=7, dtype=torch.float64):
    layer = LAYERS[kind](d, H).to(dtype)
    for k, p in enumerate(layer.parameters()):
        p.data = 0.5 * normal(*p.shape, seed=k + 1, dtype=dtype)
    return layer


def to_torch(kind, layer):
    """PyTorch's layer with the same weights. It has two biases that it adds, and wants i, f, g, o."""
    H, d = layer.W_h.shape[1], layer.W_x.shape[1]
    theirs = {"gru": nn.GRU, "lstm": nn.LSTM}.get(kind, nn.RNN)(
        d, H, **({"nonlinearity": "relu"} if kind == "relu" else {})
    )
    order = [0, 1, 3, 2] if kind == "lstm" else range(layer.n_blocks)
    rows = torch.cat([torch.arange(k * H, (k + 1) * H) for k in order])
    theirs.to(layer.W_h.dtype)
    theirs.weight_ih_l0.data, theirs.weight_hh_l0.data = layer.W_x.data[rows], layer.W_h.data[rows]
    theirs.bias_ih_l0.data = layer.b.data[rows]
    theirs.bias_hh_l0.data = torch.zeros(len(rows), dtype=layer.b.dtype)
    if kind == "gru":
        theirs.bias_hh_l0.data[2 * H :] = layer.b_hn.data
    return theirs


def test_gates_and_stacked_matrix_agree():
    H, d = 4, 3
    W = {name: normal(H, H + d, seed=k) for k, name in enumerate("ifog")}
    b = {name: normal(H, seed=10 + k) for k, name in enumerate("ifog")}
    x, h, c = normal(d), normal(H, seed=20), normal(H, seed=21)
    by_gates = lstm_step_by_gates(x, h, c, W, b)
    stacked = lstm_step_stacked(x, h, c, torch.cat([W[k] for k in "ifog"]), torch.cat([b[k] for k in "ifog"]))
    torch.testing.assert_close(stacked, by_gates, rtol=1e-14, atol=1e-14)


def test_gates_do_what_their_names_say():
    """Scores of ±50 open and close the gates completely."""
    H, d = 2, 1
    x, h, c = torch.ones(d).double(), torch.zeros(H).double(), torch.tensor([0.3, -0.7]).double()
    W = {name: torch.zeros(H, H + d).double() for name in "ifog"}

    def step(i, f, o):
        b = {"i": i, "f": f, "o": o, "g": 1.0}
        return lstm_step_by_gates(x, h, c, W, {k: torch.full((H,), float(v)).double() for k, v in b.items()})

    candidate = torch.tanh(torch.ones(H).double())
    torch.testing.assert_close(step(i=-50, f=50, o=50), (torch.tanh(c), c))
    torch.testing.assert_close(step(i=50, f=-50, o=50)[1], candidate)
    torch.testing.assert_close(step(i=50, f=50, o=-50), (0 * c, c + candidate))


def test_layer_is_the_stacked_step():
    layer = make("lstm")
    x = normal(6, 2, 5)
    h = c = torch.zeros(2, 7).double()
    for x_t in x:
        h, c = lstm_step_stacked(x_t, h, c, torch.cat([layer.W_h, layer.W_x], dim=1), layer.b)
    torch.testing.assert_close(layer(x)[1], (h, c), rtol=1e-13, atol=1e-13)


@every_layer
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-6), (torch.float64, 1e-12)])
@pytest.mark.parametrize(("T", "B"), [(1, 1), (9, 3)])
def test_equal_to_torch(kind, dtype, tolerance, T, B):
    layer = make(kind, dtype=dtype)
    theirs = to_torch(kind, layer)
    x, state = normal(T, B, 5, dtype=dtype), [normal(B, 7, seed=k, dtype=dtype) for k in range(layer.n_states)]
    expected, last = theirs(x, tuple(s[None] for s in state) if len(state) == 2 else state[0][None])
    last = last if isinstance(last, tuple) else (last,)
    h, after = layer(x, tuple(state))
    torch.testing.assert_close(h, expected, rtol=tolerance, atol=tolerance)
    for ours, its in zip(after, last, strict=True):
        torch.testing.assert_close(ours, its[0], rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("T", "B"), [(1, 1), (2, 3), (12, 4)])
def test_manual_backward_equals_autograd(T, B):
    """Every gradient: of the inputs, the weights and the initial state, through all outputs and the last state."""
    results = []
    for scan in (LSTM.scan, super(LSTM, LSTM).scan):
        layer = make("lstm")
        x, h_0, c_0 = (t.requires_grad_() for t in (normal(T, B, 5), normal(B, 7, seed=1), normal(B, 7, seed=2)))
        h, (h_T, c_T) = scan(layer, layer.project(x), (h_0, c_0))
        loss = (h * normal(T, B, 7, seed=3)).sum() + (h_T * normal(B, 7, seed=4) + c_T.exp()).sum()
        results.append([loss, *torch.autograd.grad(loss, [x, h_0, c_0, *layer.parameters()])])
    torch.testing.assert_close(*results, rtol=1e-10, atol=1e-10)


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
    h, (_, c_T) = super(LSTM, LSTM).scan(layer, layer.project(x), layer.initial_state(2))
    expected = torch.autograd.grad((h if only == "h" else c_T).sum(), layer.W_h)[0]
    torch.testing.assert_close(gradient, expected, rtol=1e-10, atol=1e-10)


@every_layer
def test_gradient_norms_are_the_jacobians(kind):
    layer, x = make(kind), normal(6, 5)
    norms = gradient_norms(layer, x)
    assert norms.shape == (6, layer.n_states)
    a = layer.project(x)
    for k in (1, 4):  # the state k steps before the end, as a function's argument
        state = layer.initial_state(1)
        for a_t in a[: 6 - k]:
            state = layer.step(a_t[None], state)

        def last(*state, start=6 - k):
            return layer.scan(a[start:, None], state)[0][-1]

        jacobians = torch.autograd.functional.jacobian(last, state)
        for column, J in enumerate(jacobians):
            expected = torch.linalg.matrix_norm(J[0, :, 0], ord=2)
            torch.testing.assert_close(norms[k - 1, column], expected, rtol=1e-9, atol=1e-12)


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


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (torch.zeros(3, 5), r"x must have shape \(T, B, 5\)"),
        (torch.zeros(3, 2, 4), "got \\(3, 2, 4\\)"),
        (torch.zeros(0, 2, 5), "T, B ≥ 1"),
        (torch.zeros(3, 2, 5, dtype=torch.float64), "float32"),
        (torch.zeros(3, 2, 5, dtype=torch.int64), "int64"),
    ],
)
def test_wrong_inputs_are_named(x, message):
    with pytest.raises(ValueError, match=message):
        LSTM(5, 7)(x)


def test_unknown_nonlinearity():
    with pytest.raises(ValueError, match="tanh, relu, linear, got 'swish'"):
        RNN(2, 2, "swish")
