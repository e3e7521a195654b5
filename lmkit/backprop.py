"""Back-propagation through a softmax, by hand: the lecture's network z = W x, ŷ = softmax(z), L = −yᵀ log ŷ.

Vectors are columns, written as arrays of shape (K,). A Jacobian ∂a/∂b has a row for each component of a and a column for
each of b, so that Jacobians multiply in the order of the computation graph: ∂L/∂W = ∂L/∂ŷ · ∂ŷ/∂z · ∂z/∂W, by the chain
rule of calculus.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lmkit.checks import check_array, check_distribution, check_integer, check_number


def log_softmax(z: ArrayLike, axis: int = -1) -> np.ndarray:
    """log softmax(z) = z − log Σ_k e^{z_k}, for logits of any size.

    Subtracting the largest logit changes nothing, for the softmax does not notice a shift, and keeps e^z from overflowing.
    """
    z = check_array(z, "z", "…", finite=False)
    if z.ndim == 0 or z.shape[check_integer(axis, "axis", -z.ndim, z.ndim - 1)] == 0:
        raise ValueError(f"z must have at least one logit along axis {axis}, got shape {z.shape}")
    top = z.max(axis=axis, keepdims=True)
    if not np.isfinite(top).all():
        raise ValueError("z must be numbers below infinity, at least one of each row finite; got +inf or a row of -inf")
    shifted = z - top
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def softmax(z: ArrayLike, axis: int = -1) -> np.ndarray:
    """ŷ_k = e^{z_k} / Σ_j e^{z_j}; sums to one along ``axis``. Errors as for ``log_softmax``."""
    return np.exp(log_softmax(z, axis))


def nll(z: ArrayLike, y: ArrayLike) -> float:
    """L = −yᵀ log softmax(z) in nats, for a one-hot target y (K,)."""
    z = check_array(z, "z", "K", finite=False)
    return float(-log_softmax(z)[_one_hot(y, len(z)) == 1].sum())


def loss_jacobian(y_hat: ArrayLike, y: ArrayLike) -> np.ndarray:
    """∂L/∂ŷ as a row, (1, K): −y_k / ŷ_k.

    Raises:
        ValueError: also if the target has probability 0, or almost, where L is infinite.
    """
    y_hat = check_distribution(y_hat, "y_hat")
    target = _one_hot(y, len(y_hat)) == 1
    if (y_hat[target] < np.finfo(float).tiny).any():
        raise ValueError("y_hat is 0 at the target, or almost, where the loss or its derivative is infinite")
    gradient = np.zeros_like(y_hat)
    gradient[target] = -1 / y_hat[target]
    return gradient[None]


def softmax_jacobian(y_hat: ArrayLike) -> np.ndarray:
    """∂ŷ/∂z, (K, K), from ŷ = softmax(z): ŷ_i (1 − ŷ_i) on the diagonal, −ŷ_i ŷ_j off it."""
    y_hat = check_distribution(y_hat, "y_hat")
    return np.diag(y_hat) - np.outer(y_hat, y_hat)


def logits_jacobian(x: ArrayLike, n_logits: int) -> np.ndarray:
    """∂z/∂W of z = W x, (K, K·D), with W read row by row: for K = 3, D = 2 the lecture's 3×6 matrix."""
    return np.kron(np.eye(check_integer(n_logits, "n_logits", low=1)), check_array(x, "x", "D"))


def weight_gradient(W: ArrayLike, x: ArrayLike, y: ArrayLike) -> np.ndarray:
    """∂L/∂W = (ŷ − y) xᵀ, (K, D): what the three Jacobians multiply to."""
    W = check_array(W, "W", "K D")
    x = check_array(x, "x", "D", D=W.shape[1])
    return np.outer(softmax(W @ x) - _one_hot(y, len(W)), x)


@dataclass(frozen=True)
class GradientCheck:
    """A gradient computed in three ways; prints as a table.

    Attributes:
        by_hand, central_difference, autograd: the gradient's components, each (n,).
    """

    by_hand: np.ndarray
    central_difference: np.ndarray
    autograd: np.ndarray

    @property
    def largest_difference(self) -> float:
        """The largest distance between the hand gradient and one of the others, relative to the largest component (or 1)."""
        scale = max(1.0, abs(self.by_hand).max())
        others = np.stack([self.central_difference, self.autograd])
        return float(abs(others - self.by_hand).max() / scale)

    def __str__(self) -> str:
        rows = zip(self.by_hand, self.central_difference, self.autograd, strict=True)
        lines = [f"{'by hand':>14}{'difference':>14}{'autograd':>14}"]
        return "\n".join(lines + ["".join(f"{value:14.8f}" for value in row) for row in rows])


def gradient_check(f: Callable, by_hand: ArrayLike, theta: ArrayLike, step: float = 1e-6) -> GradientCheck:
    """Lay a hand gradient beside a central difference and autograd.

    Args:
        f: the function from parameters to a scalar, or a pair: one for arrays, one for torch tensors (both float64).
        by_hand: the gradient to check, of theta's shape.
        theta: where to check it.
        step: of the difference (f(θ + step) − f(θ − step)) / (2 step).

    Raises:
        ValueError: also for an f that fails on one of the two, and where a gradient is NaN.
    """
    import torch

    theta = check_array(theta, "theta", "…")
    by_hand = check_array(by_hand, "by_hand", theta.shape)
    step = check_number(step, "step", above=0, high=1)
    pair = f if isinstance(f, tuple) else (f, f)
    if len(pair) != 2 or not all(callable(g) for g in pair):
        raise ValueError(f"f must be a function, or a pair of them, got {f!r}")
    of_array, of_tensor = pair
    difference, leaf = np.zeros_like(theta), torch.tensor(theta, requires_grad=True)
    try:
        for at in np.ndindex(theta.shape):
            ahead, behind = theta.copy(), theta.copy()
            ahead[at] += step
            behind[at] -= step
            if ahead[at] == behind[at]:
                raise ValueError(f"step must not vanish beside theta, got {step} beside {theta[at]}")
            above, below = (check_array(of_array(near), "f", (), finite=False) for near in (ahead, behind))
            difference[at] = (above - below) / (2 * step)
        (gradient,) = torch.autograd.grad(of_tensor(leaf), leaf)
    except (RuntimeError, TypeError, AttributeError) as error:
        raise ValueError(f"f must give a real number that depends on theta, for arrays and tensors: {error}") from error
    columns = [np.ravel(g) for g in (by_hand, difference, gradient.numpy())]
    if np.isnan(columns).any():
        raise ValueError("theta gives a gradient that holds a NaN: is it outside the function's domain?")
    return GradientCheck(*columns)


def _one_hot(y: ArrayLike, K: int) -> np.ndarray:
    y = check_array(y, "y", "K", K=K)
    if sorted(y.tolist()) != [0.0] * (K - 1) + [1.0]:
        raise ValueError(f"y must be one-hot, got {y.tolist()}")
    return y
