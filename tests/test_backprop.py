"""The hand-made gradients against finite differences, autograd and each other."""

import math
import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lmkit import backprop
from tests.doors import Door, bad_values

W, X, Y, Y_HAT = [[0.5, -1.0], [2.0, 0.3], [-0.7, 0.1]], [1.5, -2.0], [0.0, 1.0, 0.0], [0.2, 0.5, 0.3]
NOT_ONE_HOT = [
    None,
    "x",
    1,
    [0, 0, 0],
    [0, 1, 1],
    [0.5, 0.5, 0],
    [0, 2, -1],
    [0, 1],
    [0, 0, 0, 1],
    [[0, 1, 0]],
    [0, math.nan, 1],
]
LOGITS_DOOR = (
    {"z": [0.1, 0.2]},
    {"z": [None, "x", 1.0, [], [math.nan], [math.inf, 0], [-math.inf], [1j], ["a"], [[1], [1, 2]]]},
)


def a_square(theta):
    return (theta**2).sum()


DOORS = [
    *(
        Door(f, lambda: {"z": [0.1, 0.2], "axis": 0}, LOGITS_DOOR[1] | {"axis": [None, 1, -2, 0.0, "0", True]})
        for f in (backprop.log_softmax, backprop.softmax)
    ),
    Door(
        backprop.nll,
        lambda: {"z": [0.1, 0.2, 0.3], "y": Y},
        {"z": [*LOGITS_DOOR[1]["z"], [[1, 2, 3]]], "y": NOT_ONE_HOT},
    ),
    Door(
        backprop.loss_jacobian,
        lambda: {"y_hat": Y_HAT, "y": Y},
        {"y_hat": [*bad_values("distribution", Y_HAT), [0.5, 0, 0.5], [0.5, 5e-324, 0.5]], "y": NOT_ONE_HOT},
    ),
    Door(backprop.softmax_jacobian, lambda: {"y_hat": Y_HAT}, {"y_hat": "distribution"}),
    Door(
        backprop.logits_jacobian,
        lambda: {"x": X, "n_logits": 3},
        {"x": [None, "x", 1.0, [[1.0]], [math.nan], ["a"]], "n_logits": "count"},
    ),
    Door(
        backprop.weight_gradient, lambda: {"W": W, "x": X, "y": Y}, {"W": "free_array", "x": "array", "y": NOT_ONE_HOT}
    ),
    Door(
        backprop.gradient_check,
        lambda: {"f": a_square, "by_hand": [2.0, 4.0], "theta": [1.0, 2.0], "step": 1e-6},
        {
            "f": [
                None,
                3,
                "x",
                (a_square,),
                (a_square, None),
                lambda t: t,
                lambda t: None,
                lambda t: 3.0,
                lambda t: "x",
                lambda t: (t * 1j).sum(),
                lambda t: t.__imul__(2).sum(),
                lambda t: np.exp(t).sum(),
                (a_square, lambda t: torch.ones((), requires_grad=True)),
                (a_square, lambda t: (t * 1j).sum()),
                (lambda t: torch.exp(t).sum(), a_square),
            ],
            "by_hand": "array",
            "theta": "free_array",
            "step": [*bad_values("positive", 1e-6), 1e-30, 1e300],
        },
    ),
]

LOGITS = hnp.arrays(float, st.integers(1, 8), elements=st.floats(-50, 50))


@given(LOGITS, st.floats(-1e3, 1e3))
def test_softmax_sums_to_one_and_does_not_notice_a_shift(z, shift):
    p = backprop.softmax(z)
    assert np.isclose(p.sum(), 1, rtol=1e-12) and (p >= 0).all()
    assert np.allclose(backprop.softmax(z + shift), p, atol=1e-9)
    assert np.allclose(backprop.log_softmax(z), torch.log_softmax(torch.tensor(z), 0).numpy(), atol=1e-12)


def test_extreme_logits():
    assert backprop.softmax([1e300, 0]).tolist() == [1, 0]
    assert backprop.log_softmax([0, -1e5]).tolist() == [0, -1e5]
    assert backprop.softmax([0, -np.inf]).tolist() == [1, 0]


def test_the_lectures_network():
    """2 inputs, 3 outputs: the product of a 1×3, a 3×3 and a 3×6 matrix is (ŷ − y) xᵀ, row by row."""
    W = np.array([[0.5, -1.0], [2.0, 0.3], [-0.7, 0.1]])
    x, y = np.array([1.5, -2.0]), np.array([0, 1, 0])
    y_hat = backprop.softmax(W @ x)
    z_by_W = backprop.logits_jacobian(x, 3)
    assert z_by_W.tolist() == [[1.5, -2, 0, 0, 0, 0], [0, 0, 1.5, -2, 0, 0], [0, 0, 0, 0, 1.5, -2]]
    product = backprop.loss_jacobian(y_hat, y) @ backprop.softmax_jacobian(y_hat) @ z_by_W
    assert product.shape == (1, 6)
    assert np.allclose(product.reshape(3, 2), backprop.weight_gradient(W, x, y), rtol=1e-12)
    assert np.allclose(product.reshape(3, 2), np.outer(y_hat - y, x), rtol=1e-12)

    target = torch.tensor(y, dtype=torch.float64)
    column = torch.tensor(x)
    check = backprop.gradient_check(
        (lambda w: backprop.nll(w @ x, y), lambda w: -(target * torch.log_softmax(w @ column, 0)).sum()),
        backprop.weight_gradient(W, x, y),
        W,
    )
    assert check.largest_difference < 1e-8
    assert str(check).count("\n") == 6


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e3])
def test_the_largest_difference_is_that_to_either_and_relative_from_one_on(scale):
    right, wrong = np.array([1.0, -1.0]) * scale, np.array([1.0, -1.5]) * scale
    for check in (backprop.GradientCheck(right, wrong, right), backprop.GradientCheck(right, right, wrong)):
        assert check.largest_difference == pytest.approx(0.5 * min(scale, 1), rel=1e-12)
    assert backprop.GradientCheck(right, right, right).largest_difference == 0


def test_a_wrong_gradient_is_noticed():
    check = backprop.gradient_check(lambda t: (t**2).sum(), [2.0, 4.1], [1.0, 2.0])
    assert check.largest_difference > 0.02


@given(LOGITS)
def test_rows_of_the_softmax_jacobian_sum_to_zero(z):
    J = backprop.softmax_jacobian(backprop.softmax(z))
    assert np.allclose(J.sum(axis=1), 0, atol=1e-12) and np.allclose(J, J.T)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: backprop.softmax([]), "at least one logit"),
        (lambda: backprop.softmax([0, np.nan]), r"z\[1\] is nan"),
        (lambda: backprop.softmax([-np.inf, -np.inf]), "row of -inf"),
        (lambda: backprop.nll([0, 1], [0.5, 0.5]), "one-hot"),
        (lambda: backprop.weight_gradient(np.ones((3, 2)), [1, 2, 3], [1, 0, 0]), "x must have shape"),
        (lambda: backprop.nll([0, 1], [1, 0, 0]), "y must have shape"),
        (lambda: backprop.loss_jacobian([1, 0], [0, 1]), "y_hat is 0 at the target"),
        (lambda: backprop.gradient_check(lambda t: t.sum(), [1.0], [1.0, 2.0]), "by_hand must have shape"),
        (lambda: backprop.gradient_check((lambda t: t.sum(), lambda t: ((t - 2) ** 0.5).sum()), [1.0], [1.0]), "NaN"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_importing_it_does_not_import_torch():
    code = "import sys, lmkit, lmkit.backprop, lmkit.ngram, lmkit.evaluation, lmkit.decoding; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
