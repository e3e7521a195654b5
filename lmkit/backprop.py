"""Back-propagation through a softmax, by hand: the lecture's network z = W x, ŷ = softmax(z), L = −yᵀ log ŷ.

Vectors are columns, written as arrays of shape (K,). A Jacobian ∂a/∂b has a row for each component of a and a column for
each of b, so that Jacobians multiply in the order of the computation graph: ∂L/∂W = ∂L/∂ŷ · ∂ŷ/∂z · ∂z/∂W, by the chain
rule of calculus.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike


def log_softmax(z: ArrayLike, axis: int = -1) -> np.ndarray:
    """log softmax(z) = z − log Σ_k e^{z_k}, for logits of any size.

    Subtracting the largest logit changes nothing, for the softmax does not notice a shift, and keeps e^z from overflowing.

    Raises:
        ValueError: for an empty axis, a NaN, or +∞.
    """
    z = np.asarray(z, dtype=float)
    if z.ndim == 0 or z.shape[axis] == 0:
        raise ValueError(f"z must have at least one logit along axis {axis}, got shape {z.shape}")
    top = z.max(axis=axis, keepdims=True)
    if not np.isfinite(top).all():
        raise ValueError(
            "z must be numbers below infinity, at least one of each row finite; got a NaN, +inf or a row of -inf"
        )
    shifted = z - top
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def softmax(z: ArrayLike, axis: int = -1) -> np.ndarray:
    """ŷ_k = e^{z_k} / Σ_j e^{z_j}; sums to one along ``axis``. Errors as for ``log_softmax``."""
    return np.exp(log_softmax(z, axis))


def nll(z: ArrayLike, y: ArrayLike) -> float:
    """L = −yᵀ log softmax(z) in nats, for a one-hot target y (K,).

    Raises:
        ValueError: if y is not one-hot, or not of z's shape.
    """
    log_p = log_softmax(z)
    y = _one_hot(y, log_p.shape)
    return float(-log_p[y == 1].sum())


def loss_jacobian(y_hat: ArrayLike, y: ArrayLike) -> np.ndarray:
    """∂L/∂ŷ as a row, (1, K): −y_k / ŷ_k."""
    y_hat = np.asarray(y_hat, dtype=float)
    return (-_one_hot(y, y_hat.shape) / y_hat)[None]


def softmax_jacobian(y_hat: ArrayLike) -> np.ndarray:
    """∂ŷ/∂z, (K, K), from ŷ = softmax(z): ŷ_i (1 − ŷ_i) on the diagonal, −ŷ_i ŷ_j off it."""
    y_hat = np.asarray(y_hat, dtype=float)
    return np.diag(y_hat) - np.outer(y_hat, y_hat)


def logits_jacobian(x: ArrayLike, n_logits: int) -> np.ndarray:
    """∂z/∂W of z = W x, (K, K·D), with W read row by row: for K = 3, D = 2 the lecture's 3×6 matrix."""
    x = np.asarray(x, dtype=float)
    if x.ndim != 1 or n_logits < 1:
        raise ValueError(f"x must have shape (D,) and n_logits be at least 1, got {x.shape} and {n_logits}")
    return np.kron(np.eye(n_logits), x)


def weight_gradient(W: ArrayLike, x: ArrayLike, y: ArrayLike) -> np.ndarray:
    """∂L/∂W = (ŷ − y) xᵀ, (K, D): what the three Jacobians multiply to."""
    W, x = np.asarray(W, dtype=float), np.asarray(x, dtype=float)
    if W.ndim != 2 or x.shape != W.shape[1:]:
        raise ValueError(f"W must have shape (K, D) and x (D,), got {W.shape} and {x.shape}")
    y_hat = softmax(W @ x)
    return np.outer(y_hat - _one_hot(y, y_hat.shape), x)


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
        ValueError: if the shapes differ, or anything is NaN.
    """
    import torch

    theta, by_hand = np.array(theta, dtype=float), np.asarray(by_hand, dtype=float)
    if theta.shape != by_hand.shape:
        raise ValueError(f"by_hand must have theta's shape {theta.shape}, got {by_hand.shape}")
    of_array, of_tensor = f if isinstance(f, tuple) else (f, f)
    difference = np.zeros_like(theta)
    for at in np.ndindex(theta.shape):
        moved = [theta.copy(), theta.copy()]
        moved[0][at] += step
        moved[1][at] -= step
        difference[at] = (float(of_array(moved[0])) - float(of_array(moved[1]))) / (2 * step)
    leaf = torch.tensor(theta, requires_grad=True)
    of_tensor(leaf).backward()
    columns = [np.ravel(g) for g in (by_hand, difference, leaf.grad.numpy())]
    if np.isnan(columns).any():
        raise ValueError("a gradient holds a NaN: is theta outside the function's domain?")
    return GradientCheck(*columns)


def _one_hot(y: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    y = np.asarray(y, dtype=float)
    if y.shape != shape or y.ndim != 1 or sorted(y.tolist())[-1:] != [1.0] or y.sum() != 1 or (y < 0).any():
        raise ValueError(f"y must be one-hot of shape {shape}, got {y.tolist()}")
    return y
