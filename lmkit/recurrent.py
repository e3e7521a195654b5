"""Recurrent networks: the Elman RNN by hand in numpy, and recurrent language models in torch.

The numpy part is the lecture's three algorithms (outputs, probabilities, loss) and back-propagation through time. The
torch part stacks the layers of ``lmkit.lstm`` and puts a softmax on top.

Everywhere h_t has read the inputs up to and including x_t, and predicts w_{t+1}.

Sources: Elman (1990); Werbos (1990) for back-propagation through time; Williams & Peng (1990) for its truncation; Mikolov
et al. (2010) for the language model; Schuster & Paliwal (1997) for reading in both directions.
"""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmkit.language_model import as_token_ids
from lmkit.lstm import GRU, LSTM, RNN, RecurrentLayer, State
from lmkit.neural import IGNORE, RecurrentStateLM

# --- By hand ----------------------------------------------------------------------------------------------------

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
        self.W_xh, self.W_hh, self.b_h, self.W_hy, self.b_y = (
            np.asarray(w, dtype=np.float64) for w in (self.W_xh, self.W_hh, self.b_h, self.W_hy, self.b_y)
        )
        if self.nonlinearity not in NONLINEARITIES:
            raise ValueError(f"nonlinearity must be one of {', '.join(NONLINEARITIES)}, got {self.nonlinearity!r}")
        H, K = len(self.b_h), len(self.b_y)
        d = self.W_xh.shape[-1]
        for name, shape in {"W_xh": (H, d), "W_hh": (H, H), "b_h": (H,), "W_hy": (K, H), "b_y": (K,)}.items():
            if getattr(self, name).shape != shape:
                raise ValueError(f"{name} must have shape {shape}, got {getattr(self, name).shape}")

    @classmethod
    def random(
        cls, d_input: int, d_hidden: int, d_output: int, rng: np.random.Generator, nonlinearity: str = "tanh"
    ) -> "ElmanRNN":
        """Weights drawn from a normal distribution of variance 1 / (number of columns); no biases."""
        H = d_hidden
        W_xh, W_hh, W_hy = (rng.normal(scale=n**-0.5, size=(m, n)) for m, n in [(H, d_input), (H, H), (d_output, H)])
        return cls(W_xh, W_hh, np.zeros(H), W_hy, np.zeros(d_output), nonlinearity)

    def forward(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The inputs x (T, d) → the hidden states h_1 … h_T (T, H) and the outputs y_1 … y_T (T, K)."""
        x = np.asarray(x, dtype=np.float64)
        d = self.W_xh.shape[1]
        if x.ndim != 2 or x.shape[1] != d or len(x) == 0:
            raise ValueError(f"x must have shape (T, {d}) with T ≥ 1, got {x.shape}")
        phi, _ = NONLINEARITIES[self.nonlinearity]
        h_t, h = np.zeros(len(self.b_h)), []
        for x_t in x:
            h_t = phi(self.W_xh @ x_t + self.W_hh @ h_t + self.b_h)
            h.append(h_t)
        h = np.array(h)  # (T, H)
        return h, h @ self.W_hy.T + self.b_y

    def probabilities(self, x: np.ndarray) -> np.ndarray:
        """softmax(y_t) at every step: (T, d) → (T, K), rows that sum to 1."""
        y = self.forward(x)[1]
        p = np.exp(y - y.max(axis=1, keepdims=True))  # shifting all of a row's scores changes nothing but the overflow
        return p / p.sum(axis=1, keepdims=True)

    def loss(self, x: np.ndarray, targets: np.ndarray) -> float:
        """Mean over t of −log softmax(y_t)[targets_t], in nats. The targets (T,) are ids 0 … K−1."""
        targets = self._check_targets(targets, len(x))
        y = self.forward(x)[1]
        log_Z = np.logaddexp.reduce(y, axis=1)
        return float(np.mean(log_Z - y[np.arange(len(y)), targets]))

    def gradients(self, x: np.ndarray, targets: np.ndarray, window: int | None = None) -> dict[str, np.ndarray]:
        """Back-propagation through time: ∂loss/∂W for every weight, under its name.

        Args:
            window: truncated: the text is cut into windows of so many steps, and no gradient passes from one into the one
                before, though the hidden state does. None, or T and more: the full gradient.
        """
        targets, T = self._check_targets(targets, len(x)), len(x)
        if window is not None and window < 1:
            raise ValueError(f"window must be at least 1 or None, got {window}")
        _, slope = NONLINEARITIES[self.nonlinearity]
        x, (h, _) = np.asarray(x, dtype=np.float64), self.forward(x)
        dy = self.probabilities(x)  # ŷ − y: softmax and log-likelihood together
        dy[np.arange(T), targets] -= 1
        dy /= T
        da = np.zeros_like(h)  # ∂L/∂a_t, where h_t = φ(a_t)
        for t in reversed(range(T)):
            dh = self.W_hy.T @ dy[t]
            if t + 1 < T and (window is None or (t + 1) % window != 0):
                dh += self.W_hh.T @ da[t + 1]  # h_t is also an input of step t + 1
            da[t] = slope(h[t]) * dh
        # The weights are shared by all steps, so their gradients are sums over t of outer products.
        return {
            "W_xh": da.T @ x,
            "W_hh": da[1:].T @ h[:-1],
            "b_h": da.sum(axis=0),
            "W_hy": dy.T @ h,
            "b_y": dy.sum(axis=0),
        }

    def _check_targets(self, targets: np.ndarray, T: int) -> np.ndarray:
        targets = as_token_ids(targets, len(self.b_y), "targets")
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
    return ElmanRNN([[1, -1]], W_hh=[[1]], b_h=[0], W_hy=[[weight], [0]], b_y=[0, 0], nonlinearity="linear")


# --- In torch ---------------------------------------------------------------------------------------------------

CELLS = {"rnn": RNN, "gru": GRU, "lstm": LSTM}


@dataclass(frozen=True)
class RecurrentConfig:
    """What defines a recurrent network that reads tokens.

    Attributes:
        vocab_size: number V of tokens.
        cell: one of ``CELLS``.
        d_embedding: width of the embeddings.
        d_hidden: width H of the hidden state of each layer (and direction).
        n_layers: layers stacked; each reads the outputs of the one below.
        nonlinearity: of the cell "rnn": "tanh", "relu" or "linear".
        bidirectional: each layer also reads from right to left; for tagging, since a language model must not look ahead.
        tied: the output matrix is the embedding matrix (Press & Wolf 2017); needs d_embedding = d_hidden.
        bos_id: the id of ``<bos>``.
    """

    vocab_size: int
    cell: str = "lstm"
    d_embedding: int = 64
    d_hidden: int = 128
    n_layers: int = 1
    nonlinearity: str = "tanh"
    bidirectional: bool = False
    tied: bool = False
    bos_id: int = 0

    def __post_init__(self) -> None:
        for field in ("vocab_size", "d_embedding", "d_hidden", "n_layers"):
            if getattr(self, field) < 1:
                raise ValueError(f"{field} must be at least 1, got {getattr(self, field)}")
        if self.cell not in CELLS:
            raise ValueError(f"cell must be one of {', '.join(CELLS)}, got {self.cell!r}")
        choices = NONLINEARITIES if self.cell == "rnn" else ("tanh",)
        if self.nonlinearity not in choices:
            raise ValueError(
                f"nonlinearity must be one of {', '.join(choices)} for {self.cell!r}, got {self.nonlinearity!r}"
            )
        if self.tied and self.d_embedding != self.d_hidden:
            raise ValueError(f"tied needs d_embedding = d_hidden, got {self.d_embedding} and {self.d_hidden}")
        if not 0 <= self.bos_id < self.vocab_size:
            raise ValueError(f"bos_id must be an id 0 … {self.vocab_size - 1}, got {self.bos_id}")

    def layer(self, d_input: int) -> RecurrentLayer:
        """A new layer of this configuration's cell."""
        if self.cell == "rnn":
            return RNN(d_input, self.d_hidden, self.nonlinearity)
        return CELLS[self.cell](d_input, self.d_hidden)


class RecurrentEncoder(nn.Module):
    """Tokens to hidden states: an embedding and a stack of recurrent layers."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(config.vocab_size, config.d_embedding)
        if config.tied:  # as an output matrix it must not make large scores
            nn.init.normal_(self.embedding.weight, std=config.d_embedding**-0.5)
        directions = 1 + config.bidirectional
        self.d_output = directions * config.d_hidden
        self.layers = nn.ModuleList(  # of one layer, or of two that read in opposite directions
            nn.ModuleList(config.layer(self.d_output if k else config.d_embedding) for _ in range(directions))
            for k in range(config.n_layers)
        )

    def initial_state(self, batch_size: int) -> list[State]:
        """Of every layer and direction, zeros."""
        return [layer.initial_state(batch_size) for pair in self.layers for layer in pair]

    def forward(self, tokens: Tensor, state: list[State] | None = None) -> tuple[Tensor, list[State]]:
        """Tokens (B, T), IGNORE to the right of short sequences → outputs (B, T, d_output) and the state after."""
        ids = tokens.T  # (T, B): the layers want time first
        lengths = (ids != IGNORE).sum(dim=0)  # (B,)
        states = iter(self.initial_state(len(tokens)) if state is None else state)
        x, after = None, []
        for pair in self.layers:
            outputs = []
            for layer, backwards in zip(pair, (False, True), strict=False):
                a = self._project_embeddings(layer, ids.clamp(min=0)) if x is None else layer.project(x)
                y, last = layer.scan(_reverse(a, lengths) if backwards else a, next(states))
                outputs.append(_reverse(y, lengths) if backwards else y)
                after.append(last)
            x = torch.cat(outputs, dim=-1)  # (T, B, d_output)
        return x.transpose(0, 1), after

    def _project_embeddings(self, layer: RecurrentLayer, ids: Tensor) -> Tensor:
        """layer.project(embedding(ids)), with the product done for V words or T·B tokens, whichever are fewer."""
        E = self.embedding.weight  # (V, d)
        if len(E) <= ids.numel():
            return F.embedding(ids, layer.project(E))
        return layer.project(F.embedding(ids, E))


def _reverse(x: Tensor, lengths: Tensor) -> Tensor:
    """Each sequence of x (T, B, …) from its own last position to its first; the padding stays at the end."""
    t = torch.arange(len(x), device=x.device)[:, None]  # (T, 1)
    source = torch.where(t < lengths, lengths - 1 - t, t)  # (T, B)
    return x[source, torch.arange(x.shape[1], device=x.device)]


class RecurrentLM(RecurrentStateLM):
    """A recurrent language model: softmax(W_hy h_t + b_y) is the distribution of the token after w_t.

    ``forward(tokens, targets)`` is teacher forcing: every input is the true token, whatever the model predicted.
    ``step`` feeds it one token at a time, its own choices if you like.

    Args:
        config: see ``RecurrentConfig``.
        seed: of the random initial weights; the global random state is left as it was.
    """

    def __init__(self, config: RecurrentConfig, seed: int = 0) -> None:
        if config.bidirectional:
            raise ValueError("bidirectional must be False in a language model: it would read the word it is to predict")
        super().__init__()
        self.config = config
        self.vocab_size, self.bos_id = config.vocab_size, config.bos_id
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(seed)
            self.encoder = RecurrentEncoder(config)
            self.output = nn.Linear(config.d_hidden, config.vocab_size)
        if config.tied:
            self.output.weight = self.encoder.embedding.weight

    def initial_state(self, batch_size: int = 1) -> list[State]:
        """See ``RecurrentStateLM.initial_state``."""
        return self.encoder.initial_state(batch_size)

    def run(self, tokens: Tensor, state: list[State]) -> tuple[Tensor, list[State]]:
        """See ``RecurrentStateLM.run``."""
        h, state = self.encoder(tokens, state)  # (B, T, H)
        return self.output(h), state
