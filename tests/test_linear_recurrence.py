import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmkit.linear_recurrence import (
    LinearRecurrenceConfig,
    LinearRecurrenceLM,
    SelectiveLayer,
    blelloch_scan,
    hillis_steele_scan,
    linear_scan,
    sequential_scan,
)
from tests.doors import Door, bad_values

SCANS = {"hillis_steele": hillis_steele_scan, "blelloch": blelloch_scan, "fast": linear_scan}
SMALL = LinearRecurrenceConfig(vocab_size=11, d_model=6, d_inner=8, n_states=3)


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def ids(B, T, seed=0):
    return torch.randint(11, (B, T), generator=torch.Generator().manual_seed(seed))


A, LAYER, MODEL = torch.rand(3, 2), SelectiveLayer(4, 3, 2), LinearRecurrenceLM(SMALL)
X, H_0, STATE = torch.rand(5, 2, 4), torch.rand(2, 3, 2), MODEL.initial_state(2)
DOORS = [
    *(
        Door(scan, lambda: {"a": A, "b": A}, {"a": [*bad_values("free_tensor", A), A[:0], A[:, :0], A[0, 0], A.tolist()],
             "b": [*bad_values("tensor 0 1", A), A.double()]})
        for scan in (sequential_scan, *SCANS.values())
    ),
    Door(LinearRecurrenceConfig,
         lambda: {"vocab_size": 11, "d_model": 6, "d_inner": 8, "n_states": 3, "n_layers": 1, "bos_id": 0},
         dict.fromkeys(("vocab_size", "d_model", "d_inner", "n_states", "n_layers"), "count")
         | {"bos_id": [*bad_values("index", None), 11]}),
    Door(SelectiveLayer, lambda: {"d_model": 4, "d_inner": 3, "n_states": 2},
         dict.fromkeys(("d_model", "d_inner", "n_states"), "count")),
    Door(LAYER.forward, lambda: {"x": X, "h_0": H_0},
         {"x": [*bad_values("tensor 2", X), X.double(), X[:0]], "h_0": [*bad_values("tensor 0 1 2", H_0), H_0.double()]},
         "linear_recurrence.SelectiveLayer.forward"),
    Door(LinearRecurrenceLM, lambda: {"config": SMALL, "seed": 0}, {"config": "object", "seed": "seed"}),
    Door(MODEL.initial_state, lambda: {"batch_size": 2}, {"batch_size": "count"},
         "linear_recurrence.LinearRecurrenceLM.initial_state"),
    Door(MODEL.run, lambda: {"tokens": ids(2, 3), "state": STATE},
         {"tokens": "id_tensor 11", "state": [None, 3, [], STATE[:1], STATE * 2, MODEL.initial_state(1), [None, None]]},
         "linear_recurrence.LinearRecurrenceLM.run"),
]  # fmt: skip


def test_sequential_scan_by_hand():
    a, b = torch.tensor([9.0, 0.5, 2.0]), torch.tensor([4.0, 1.0, -1.0])
    assert sequential_scan(a, b).tolist() == [4, 3, 5]  # h_0 = 0, so a_1 does not matter


def test_constant_decay_is_a_geometric_sum():
    a = torch.full((50,), 0.9, dtype=torch.float64)
    expected = (1 - 0.9 ** torch.arange(1, 51).double()) / (1 - 0.9)
    torch.testing.assert_close(sequential_scan(a, torch.ones(50).double()), expected, rtol=1e-13, atol=0)


@pytest.mark.parametrize("scan", SCANS.values(), ids=SCANS)
@settings(max_examples=40)
@given(T=st.integers(1, 40), width=st.integers(1, 3), seed=st.integers(0, 99))
def test_scans_and_their_gradients_equal_the_sequence(scan, T, width, seed):
    results = []
    for f in (sequential_scan, scan):
        a, b = (normal(T, 2, width, seed=seed + k).requires_grad_() for k in range(2))
        h = f(a, b)
        loss = (h * normal(T, 2, width, seed=seed + 2)).sum()
        da, db = torch.autograd.grad(loss, [a, b], materialize_grads=True)  # at T = 1 a may be left unread
        results.append([h, da, db])
    torch.testing.assert_close(*results, rtol=1e-10, atol=1e-10)


def test_second_derivatives_of_the_scan_by_hand_are_refused():
    a, b = torch.rand(2, 3, 2, requires_grad=True)
    with pytest.raises(ValueError, match="linear_scan's gradient has no derivative"):
        torch.autograd.grad(linear_scan(a, b).square().sum(), a, create_graph=True)


def test_manual_backward_by_finite_differences():
    a, b = normal(5, 2).requires_grad_(), normal(5, 2, seed=1).requires_grad_()
    assert torch.autograd.gradcheck(linear_scan, (a, b))


@pytest.mark.parametrize("scan", SCANS.values(), ids=SCANS)
def test_scans_leave_their_arguments_alone(scan):
    a, b = normal(9, 3), normal(9, 3, seed=1)
    before = a.clone(), b.clone()
    scan(a, b)
    assert torch.equal(a, before[0]) and torch.equal(b, before[1])


class CountProducts(torch.utils._python_dispatch.TorchDispatchMode):
    """Counts the calls of mul, one per round, and the numbers multiplied."""

    def __init__(self):
        super().__init__()
        self.calls = self.products = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if func is torch.ops.aten.mul.Tensor:
            self.calls, self.products = self.calls + 1, self.products + out.numel()
        return out


def test_depth_and_work_are_as_the_docstrings_say():
    """With T = 2^10: Hillis & Steele log T rounds and T log T work, Blelloch 2 log T and at most 3T, sequence T and T."""
    T, counts = 1024, {}
    for scan in (sequential_scan, hillis_steele_scan, blelloch_scan):
        with CountProducts() as count:
            scan(normal(T), normal(T))
        counts[scan] = count
    assert (counts[sequential_scan].calls, counts[sequential_scan].products) == (T, T)
    assert counts[hillis_steele_scan].calls == 2 * 10  # a round is two products: of a and a, of a and b
    assert counts[hillis_steele_scan].products == 2 * sum(T - 2**k for k in range(10))
    assert counts[blelloch_scan].calls == 3 * 10  # two on the way down, one on the way up
    assert counts[blelloch_scan].products < 3 * T


def test_selective_layer_is_its_equations():
    """The docstring's four lines, one step, channel and number at a time."""
    torch.manual_seed(0)
    layer = SelectiveLayer(4, 3, 2).double()
    x, h = normal(5, 1, 4), normal(3, 2, seed=1).numpy()
    y, last = layer(x, torch.tensor(h[None]))
    W = {name: p.detach().numpy() for name, p in layer.named_parameters()}
    for t in range(5):
        projected = W["W_in.weight"] @ x[t, 0].numpy()
        u, gate = (z / (1 + np.exp(-z)) for z in (projected[:3], projected[3:]))
        delta = np.log1p(np.exp(W["W_delta.weight"] @ u + W["W_delta.bias"]))
        k, q = np.split(W["W_kq.weight"] @ u, 2)
        out = np.zeros(3)
        for c in range(3):
            for n in range(2):
                h[c, n] = math.exp(-delta[c] * math.exp(W["log_rate"][c, n])) * h[c, n] + delta[c] * u[c] * k[n]
                out[c] += h[c, n] * q[n]
            out[c] += W["D"][c] * u[c]
        np.testing.assert_allclose(y[t, 0].detach(), W["W_out.weight"] @ (out * gate), rtol=1e-10)
    np.testing.assert_allclose(last[0].detach(), h, rtol=1e-10)


def test_channels_begin_with_all_time_scales():
    layer = SelectiveLayer(4, 7, 2)
    delta = torch.nn.functional.softplus(layer.W_delta.bias).sort().values
    torch.testing.assert_close(delta, torch.tensor([0.001, 0.01**1.25, 0.01, 0.1**1.5, 0.1, 0.1**0.5, 1.0]))
    torch.testing.assert_close(layer.log_rate.exp(), torch.tensor([1.0, 2.0]).expand(7, 2))


def test_layers_add_to_what_they_read():
    model = LinearRecurrenceLM(LinearRecurrenceConfig(11, d_model=6, d_inner=8)).double()
    tokens, (first, second) = ids(2, 4), model.layers
    second.W_out.weight.data.zero_()  # so that it adds nothing
    x = model.embedding(tokens.T)
    x = x + first(model.norms[0](x), model.initial_state(2)[0])[0]
    expected = model.output(model.final_norm(x)).transpose(0, 1)
    torch.testing.assert_close(model.logits(tokens), expected, rtol=1e-12, atol=1e-12)


@settings(max_examples=20)
@given(data=st.data())
def test_causal(data):
    model = LinearRecurrenceLM(SMALL).double()
    T = data.draw(st.integers(2, 10))
    t = data.draw(st.integers(1, T - 1))
    tokens = ids(2, T, seed=data.draw(st.integers(0, 99)))
    changed = tokens.clone()
    changed[:, t] = (changed[:, t] + data.draw(st.integers(1, 10))) % 11
    before, after = model.logits(tokens), model.logits(changed)
    torch.testing.assert_close(before[:, :t], after[:, :t], rtol=0, atol=1e-13)
    assert not torch.allclose(before[:, t:], after[:, t:])


@pytest.mark.parametrize("T", [1, 9])
def test_stepping_equals_the_whole_sequence_with_a_state_of_one_size(T):
    model, tokens = LinearRecurrenceLM(SMALL).double(), ids(3, T)
    whole = model(tokens)[0]
    state = model.initial_state(3)
    shapes = [h.shape for h in state]
    for t in range(T):
        logits, state = model.step(tokens[:, t : t + 1], state)
        torch.testing.assert_close(logits, whole[:, t], rtol=1e-11, atol=1e-11)
        assert [h.shape for h in state] == shapes
    once, after = model.step(tokens, model.initial_state(3))
    torch.testing.assert_close(once, whole[:, -1], rtol=1e-11, atol=1e-11)
    torch.testing.assert_close(after, state, rtol=1e-11, atol=1e-11)


def test_learns_to_select():
    """x x A x x x ? → A: only an input-dependent decay can ignore the x's, however many there are, and keep the A."""
    generator = torch.Generator().manual_seed(0)
    model = LinearRecurrenceLM(LinearRecurrenceConfig(vocab_size=8, d_model=16, d_inner=24, n_layers=1))
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02)

    def batch(B, T):
        tokens = torch.full((B, T), 2)  # x
        targets = torch.full((B, T), -1)
        words = torch.randint(4, 8, (B,), generator=generator)
        tokens[torch.arange(B), torch.randint(T - 1, (B,), generator=generator)] = words
        tokens[:, -1], targets[:, -1] = 3, words  # ?
        return tokens, targets

    for _ in range(150):
        _, loss = model(*batch(32, 12))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    tokens, targets = batch(200, 12)
    accuracy = (model(tokens)[0][:, -1].argmax(dim=1) == targets[:, -1]).double().mean()
    assert accuracy > 0.98


def test_seed_decides_and_global_randomness_does_not():
    torch.manual_seed(1)
    a = LinearRecurrenceLM(SMALL, seed=5)
    after = torch.rand(1)
    torch.manual_seed(1)
    assert torch.rand(1) == after
    b, c = LinearRecurrenceLM(SMALL, seed=5), LinearRecurrenceLM(SMALL, seed=6)
    assert torch.equal(a.logits(ids(1, 4)), b.logits(ids(1, 4)))
    assert not torch.equal(a.logits(ids(1, 4)), c.logits(ids(1, 4)))
