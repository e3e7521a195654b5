"""The Elman network by hand, in numpy: the lecture's forward pass, its loss, and back-propagation through time.

h_t has read the inputs up to and including x_t, and predicts the target of step t.

Sources: Elman (1990); Werbos (1990) for back-propagation through time; Williams & Peng (1990) for its truncation.
"""

from dataclasses import dataclass

import numpy as np

from lmkit.backprop import log_softmax, softmax
from lmkit.checks import check_array, check_choice, check_instance, check_integer, check_number, check_token_ids

SHAPES = {"W_hh": "H H", "W_xh": "H d", "b_h": "H", "W_hy": "K H", "b_y": "K"}

# φ(a), and φ′(a) written in terms of h = φ(a), which is all that the forward pass keeps.
NONLINEARITIES = {
    "tanh": (np.tanh, lambda h: 1 - h**2),
    "relu": (lambda a: np.maximum(a, 0), lambda h: (h > 0).astype(h.dtype)),
    "linear": (lambda a: a, np.ones_like),
}


@dataclass
class ElmanRNN:
    """h_t = φ(W_xh x_t + W_hh h_{t−1} + b_h), h_0 = 0; y_t = W_hy h_t + b_y, for one sequence, in numpy.

    Attributes:
        W_xh, W_hh, b_h: shapes (H, d), (H, H), (H,).
        W_hy, b_y: shapes (K, H), (K,).
        nonlinearity: the function φ, one of ``NONLINEARITIES``.
    """

    W_xh: np.ndarray
    W_hh: np.ndarray
    b_h: np.ndarray
    W_hy: np.ndarray
    b_y: np.ndarray
    nonlinearity: str = "tanh"

    def __post_init__(self) -> None:
        for name, weight in zip(SHAPES, self._checked(), strict=True):
            setattr(self, name, weight)

    @classmethod
    def random(
        cls, d_input: int, d_hidden: int, d_output: int, rng: np.random.Generator, nonlinearity: str = "tanh"
    ) -> "ElmanRNN":
        """Weights drawn from a normal distribution of variance 1 / (number of columns); no biases."""
        d, H = check_integer(d_input, "d_input", 1), check_integer(d_hidden, "d_hidden", 1)
        K = check_integer(d_output, "d_output", 1)
        check_instance(rng, "rng", np.random.Generator)
        W_xh, W_hh, W_hy = (rng.normal(scale=n**-0.5, size=(m, n)) for m, n in [(H, d), (H, H), (K, H)])
        return cls(W_xh, W_hh, np.zeros(H), W_hy, np.zeros(K), nonlinearity)

    def forward(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The inputs x (T, d) → the hidden states h_1 … h_T (T, H) and the outputs y_1 … y_T (T, K)."""
        W_hh, W_xh, b_h, W_hy, b_y = self._checked()
        x = check_array(x, "x", "T d", empty=False, d=W_xh.shape[1])
        phi, _ = NONLINEARITIES[self.nonlinearity]
        h_t, h = np.zeros(len(b_h)), []
        with np.errstate(over="ignore", invalid="ignore"):
            for x_t in x:
                h_t = phi(W_xh @ x_t + W_hh @ h_t + b_h)
                h.append(h_t)
            h = np.array(h)  # (T, H)
            y = h @ W_hy.T + b_y
        if not np.isfinite(y).all():
            raise ValueError(f"x of {len(x)} steps makes the hidden states of these weights grow beyond all floats")
        return h, y

    def probabilities(self, x: np.ndarray) -> np.ndarray:
        """softmax(y_t) at every step: (T, d) → (T, K), rows that sum to 1."""
        return softmax(self.forward(x)[1])

    def loss(self, x: np.ndarray, targets: np.ndarray) -> float:
        """Mean over t of −log softmax(y_t)[targets_t], in nats. The targets (T,) are ids 0 … K−1."""
        log_p = log_softmax(self.forward(x)[1])
        return float(-log_p[np.arange(len(log_p)), self._check_targets(targets, len(log_p))].mean())

    def gradients(self, x: np.ndarray, targets: np.ndarray, window: int | None = None) -> dict[str, np.ndarray]:
        """Back-propagation through time: ∂loss/∂W for every weight, under its name.

        Args:
            window: truncated: the text is cut into windows of so many steps, and no gradient passes from one into the one
                before, though the hidden state does. None, or T and more: the full gradient.
        """
        if window is not None:
            window = check_integer(window, "window", low=1)
        h, y = self.forward(x)
        W_hh, _, _, W_hy, _ = self._checked()
        x, T = check_array(x, "x", "T d"), len(h)
        _, slope = NONLINEARITIES[self.nonlinearity]
        dy = softmax(y)  # ŷ − y: softmax and log-likelihood together
        dy[np.arange(T), self._check_targets(targets, T)] -= 1
        dy /= T
        da = np.zeros_like(h)  # ∂L/∂a_t, where h_t = φ(a_t)
        for t in reversed(range(T)):
            dh = W_hy.T @ dy[t]
            if t + 1 < T and (window is None or (t + 1) % window != 0):
                dh += W_hh.T @ da[t + 1]  # h_t is also an input of step t + 1
            da[t] = slope(h[t]) * dh
        # The weights are shared by all steps, so their gradients are sums over t of outer products.
        return {
            "W_xh": da.T @ x,
            "W_hh": da[1:].T @ h[:-1],
            "b_h": da.sum(axis=0),
            "W_hy": dy.T @ h,
            "b_y": dy.sum(axis=0),
        }

    def _checked(self) -> list[np.ndarray]:
        """The weights, in order, as arrays that fit each other: whoever trains the network assigns to them."""
        check_choice(self.nonlinearity, "nonlinearity", NONLINEARITIES)
        sizes, weights = {"H": len(check_array(self.W_hh, "W_hh", "H H"))}, []
        for name, shape in SHAPES.items():  # an axis has the size that it had where it was first named
            weights.append(check_array(getattr(self, name), name, shape, empty=False, **sizes))
            sizes |= zip(shape.split(), weights[-1].shape, strict=True)
        return weights

    def _check_targets(self, targets: np.ndarray, T: int) -> np.ndarray:
        targets = check_token_ids(targets, "targets", len(self.b_y))
        if len(targets) != T:
            raise ValueError(f"targets must have one id per input, {T}, got {len(targets)}")
        return targets


def summation_network() -> ElmanRNN:
    """One linear unit that feeds back into itself with weight 1: its output is the sum of the inputs so far."""
    return ElmanRNN(W_xh=[[1]], W_hh=[[1]], b_h=[0], W_hy=[[1]], b_y=[0], nonlinearity="linear")


def comparison_network(weight: float = 5.0) -> ElmanRNN:
    """Has the first number's total been larger? Reads pairs; ``probabilities`` are (yes, no).

    The linear unit sums the differences. A softmax of (weight · h, 0) is the logistic function of weight · h.
    """
    check_number(weight, "weight")
    return ElmanRNN([[1, -1]], W_hh=[[1]], b_h=[0], W_hy=[[weight], [0]], b_y=[0, 0], nonlinearity="linear")
