"""Every operator against PyTorch, networks against the gradients that the lecture derives, and what must not be computed."""

import math
import operator
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmkit import backprop
from lmkit.autodiff import Value, dot
from tests.doors import Door, Endless, bad_values

# What a vector of numbers and values is not.
NOT_VECTORS = [
    None,
    3,
    "12",
    {0: 1},
    {1.0},
    [None],
    ["2"],
    [True],
    [1j],
    [math.nan],
    [[1.0]],
    [np.timedelta64(1, "ns")],
    bytearray(b"1"),
    memoryview(b"1"),
    Endless(),
    np.ones((1, 1)),
    np.array(1.0),
]

DOORS = [
    Door(
        Value, lambda: {"data": 3.0}, {"data": [*bad_values("number", None), np.timedelta64(1, "D"), np.timedelta64(1)]}
    ),
    Door(dot, lambda: {"a": [Value(1.0)], "b": [2.0]}, {"a": NOT_VECTORS, "b": [*NOT_VECTORS, [1.0, 2.0]]}),
]

NUMBERS = st.floats(-5, 5).filter(lambda x: abs(x) > 1e-2)
BINARY = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]


def leaf(x):
    return torch.tensor(x, dtype=torch.float64, requires_grad=True)


def agree(values, tensors):
    """Whether the gradients are the same; the values' own derivatives must be numbers, too."""
    np.testing.assert_allclose([v.grad for v in values], [t.grad.item() for t in tensors], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("f", BINARY)
@given(x=NUMBERS, y=NUMBERS)
def test_operators_between_values_and_with_a_number_on_either_side(f, x, y):
    x = abs(x) if f is operator.pow else x
    ours, theirs = [Value(x), Value(y)], [leaf(x), leaf(y)]
    for one, other in ((0, 1), (0, y), (x, 1)):  # an index means that value, a float the number itself
        of_values, of_tensors = (
            f(*(side[a] if type(a) is int else a for a in (one, other))) for side in (ours, theirs)
        )
        assert of_values.data == pytest.approx(of_tensors.item(), rel=1e-12)
        of_values.backward()
        of_tensors.backward()
    agree(ours, theirs)


@pytest.mark.parametrize("name", ["exp", "log", "tanh", "relu", "__neg__"])
@given(x=NUMBERS)
def test_functions(name, x):
    x = abs(x) if name == "log" else x
    ours, theirs = Value(x), leaf(x)
    y, t = getattr(ours, name)(), getattr(theirs, name)()
    assert y.data == pytest.approx(t.item(), rel=1e-12)
    y.backward()
    t.backward()
    agree([ours], [theirs])


def test_relu_is_flat_at_zero():
    x = Value(0.0)
    x.relu().backward()
    assert x.grad == 0


@pytest.mark.parametrize(
    "formula",
    [
        lambda: Value(1e200) * Value(1e200),
        lambda: Value(1e308) + 1e308,
        lambda: -1e308 - Value(1e308),
        lambda: Value(1.0) / 1e-200 / 1e-200,
        lambda: Value(1.0) / Value(1e-200),  # whose derivative is −1e400
        lambda: Value(5e-324).log(),  # 1/x
        lambda: dot([1e200], [Value(1e200)]),
    ],
)
def test_what_no_float_can_hold_is_refused(formula):
    with pytest.raises(ValueError, match="must be a finite number, got -?inf"):
        formula()


@pytest.mark.parametrize(("x", "n", "slope"), [(0, 2, 0), (0, 1, 1), (0, 0, 0), (-2, 3, 12), (-2, -1, -0.25)])
def test_powers_at_zero_and_of_negative_numbers(x, n, slope):
    v = Value(x)
    power = v**n
    power.backward()
    assert (power.data, v.grad) == (x**n, slope)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=5))
def test_dot_is_the_sum_term_by_term(pairs):
    for kinds in ((Value, Value), (Value, float), (float, Value)):
        gradients = []
        for inner in (dot, lambda a, b: sum(x * y for x, y in zip(a, b))):
            a, b = ([kind(x) for x in column] for kind, column in zip(kinds, zip(*pairs)))
            z = inner(a, b).tanh()
            z.backward()
            gradients.append([z.data] + [v.grad for v in a + b if isinstance(v, Value)])
        np.testing.assert_allclose(*gradients, rtol=1e-12, atol=1e-15)
    x = Value(3)
    dot([x, 2.0], [x, x]).backward()  # x² + 2x
    assert x.grad == 8
    assert dot([1, 2], np.array([3.0, 4.0])).data == 11


def test_a_value_used_more_than_once_collects_from_all_its_uses():
    x = Value(3.0)
    y = x * x  # used three times below, and itself two uses of x
    (y * y + y).backward()
    assert x.grad == 4 * 3**3 + 2 * 3 and y.grad == 2 * 9 + 1


def test_gradients_of_leaves_add_up_over_calls_and_those_on_the_way_do_not():
    x = Value(2.0)
    y = x**2
    loss = y * 3
    loss.backward()
    loss.backward()
    assert (x.grad, y.grad, loss.grad) == (24, 3, 1)
    x.grad = 0.0
    (y + x).backward()  # another formula over the same y
    assert (x.grad, y.grad) == (5, 1)
    x.backward()  # ∂x/∂x
    assert x.grad == 6


def test_moving_a_parameter_does_not_change_what_was_computed():
    w = Value(2.0)
    loss = w * w
    w.data = 100.0
    loss.backward()
    assert w.grad == 4


def test_a_chain_of_100_000_additions_and_its_end():
    x = total = Value(1.0)
    for _ in range(100_000):
        total = total + x
    total.backward()
    assert total.data == x.grad == 100_001
    assert repr(x) == "Value(1, grad=100001)"


def cross_entropy(z, y):
    """−log softmax(z)_y, written out."""
    top = max(v.data for v in z)
    return sum((v - top).exp() for v in z).log() - (z[y] - top)


def test_the_lectures_network():
    W = np.array([[0.5, -1.0], [2.0, 0.3], [-0.7, 0.1]])
    x, y = np.array([1.5, -2.0]), 1
    weights = [[Value(w) for w in row] for row in W]
    loss = cross_entropy([dot(row, x) for row in weights], y)
    loss.backward()
    assert loss.data == pytest.approx(backprop.nll(W @ x, np.eye(3)[y]), rel=1e-12)
    gradient = [[w.grad for w in row] for row in weights]
    np.testing.assert_allclose(gradient, backprop.weight_gradient(W, x, np.eye(3)[y]), rtol=1e-12)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_a_network_with_a_hidden_layer_against_torch(activation):
    rng = np.random.default_rng(0)
    X, targets = rng.normal(size=(5, 4)), rng.integers(3, size=5)
    weights = [rng.normal(size=shape) for shape in ((6, 4), (6,), (3, 6), (3,))]
    W_1, b_1, W_2, b_2 = ours = [np.vectorize(Value, otypes=[object])(w) for w in weights]  # arrays of values
    losses = []
    for x, y in zip(X, targets):
        h = [getattr(a, activation)() for a in W_1 @ x + b_1]
        losses.append(cross_entropy([dot(row, h) + b for row, b in zip(W_2, b_2)], y))
    loss = sum(losses) / len(losses)
    loss.backward()

    V_1, c_1, V_2, c_2 = theirs = [leaf(w) for w in weights]
    hidden = getattr(torch, activation)(torch.tensor(X) @ V_1.T + c_1)
    expected = torch.nn.functional.cross_entropy(hidden @ V_2.T + c_2, torch.tensor(targets))
    expected.backward()
    assert loss.data == pytest.approx(expected.item(), rel=1e-12)
    for values, tensor in zip(ours, theirs):
        np.testing.assert_allclose([v.grad for v in values.flat], tensor.grad.flatten(), rtol=1e-9, atol=1e-14)


def test_numpys_numbers_count_as_numbers():
    x = Value(np.float32(3))
    y = np.float64(2) * x + np.int64(1)
    assert isinstance(y, Value) and type(y.data) is float and y.data == 7


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Value(0).log(), "above 0, got 0.0"),
        (lambda: Value(-1.5).log(), "above 0, got -1.5"),
        (lambda: Value(1) / Value(0), "divide 1.0 by zero"),
        (lambda: Value(1) / 0, "divide 1.0 by zero"),
        (lambda: 3 / Value(0), "divide 3.0 by zero"),
        (lambda: Value(0) ** -1, r"\(0.0\) \*\* -1.0"),
        (lambda: Value(0) ** 0.5, r"\(0.0\) \*\* 0.5 or its derivative"),
        (lambda: Value(-2) ** 0.5, r"\(-2.0\) \*\* 0.5"),
        (lambda: (-2) ** Value(2), r"\(-2.0\) \*\* 2.0"),
        (lambda: Value(1e300) ** 2, r"\(1e\+300\) \*\* 2.0"),
        (lambda: Value(710).exp(), "subtract the largest logit"),
        (lambda: Value("3"), "got '3'"),
        (lambda: Value(math.nan), "got nan"),
        (lambda: Value(1) + None, "got None"),
        (lambda: "a" - Value(1), "got 'a'"),
        (lambda: Value(1) * 1j, "got 1j"),
        (lambda: Value(1) * np.ones(2), "got array"),
        (lambda: Value(1) - torch.tensor(1.0), "got tensor"),
        (lambda: Value(1) + math.inf, "got inf"),
        (lambda: Value(1) * 10**400, "too large"),
        (lambda: Value(1) * True, "got True"),
        (lambda: dot([Value(1)], [1, 2]), "as long as a, 1, got 2"),
        (lambda: dot([Value(1)], ["2"]), "got '2'"),
    ],
)
def test_errors_name_what_came(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_it_needs_nothing_but_python():
    code = "import sys, lmkit.autodiff; sys.exit('numpy' in sys.modules or 'torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_a_power_whose_derivative_no_float_can_hold_is_refused():
    for base, exponent in ((10**-3.05, -100), (10.0, Value(308.2))):
        with pytest.raises(ValueError, match="derivative is not a finite real number"):
            Value(base) ** exponent
