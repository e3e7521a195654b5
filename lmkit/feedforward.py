"""The feed-forward language model of Bengio et al. (2003): a window of N words, one hidden layer.

    e = [E x_{t−N}; …; E x_{t−1}]     the embeddings of the N words before, one under the other
    h = tanh(W e + b_h)
    z = U h + b_y,   ŷ = softmax(z),   L = −log ŷ_{w_t}

With N words of context it is an (N+1)-gram model. Twice: in numpy with the gradient by hand, in torch with autograd.
"""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import ArrayLike
from torch import Tensor, nn

from lmkit.backprop import log_softmax
from lmkit.neural import NeuralLM


@dataclass(frozen=True)
class FeedforwardConfig:
    """Sizes of the model.

    Attributes:
        vocab_size: number V of tokens.
        n_context: N, the words that it looks back at; the lecture draws 3.
        d_embedding, d_hidden: sizes of an embedding and of the hidden layer.
        bos_id: the id of ``<bos>``, which also fills the window before the beginning.
    """

    vocab_size: int
    n_context: int = 3
    d_embedding: int = 32
    d_hidden: int = 128
    bos_id: int = 0

    def __post_init__(self) -> None:
        for name in ("vocab_size", "n_context", "d_embedding", "d_hidden"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not 0 <= self.bos_id < self.vocab_size:
            raise ValueError(f"bos_id must be 0 … {self.vocab_size - 1}, got {self.bos_id}")


def loss_and_gradients(
    parameters: dict[str, np.ndarray], contexts: ArrayLike, targets: ArrayLike
) -> tuple[float, dict]:
    """Mean loss in nats over B examples and its gradients, by hand.

    Args:
        parameters: E (V, d), W (H, N·d), b_h (H,), U (V, H), b_y (V,).
        contexts: ids of the N words before, the oldest first, (B, N).
        targets: ids of the words to predict, (B,).

    Raises:
        ValueError: for shapes that do not fit, or ids outside the vocabulary.
    """
    E, W, b_h, U, b_y = (parameters[name] for name in ("E", "W", "b_h", "U", "b_y"))
    contexts, targets = np.asarray(contexts), np.asarray(targets)
    (V, d), n = E.shape, len(contexts)
    if contexts.ndim != 2 or n == 0 or contexts.shape[1] * d != W.shape[1] or targets.shape != (n,):
        raise ValueError(
            f"contexts must have shape (B, {W.shape[1] // d}) and targets (B,), got {contexts.shape} and {targets.shape}"
        )
    for name, ids in (("contexts", contexts), ("targets", targets)):
        if ids.dtype.kind not in "iu" or ids.min() < 0 or ids.max() >= V:
            raise ValueError(f"{name} must be integer ids 0 … {V - 1}, got {ids.dtype} {ids.min()} … {ids.max()}")

    e = E[contexts].reshape(n, -1)  # (B, N·d)
    h = np.tanh(e @ W.T + b_h)  # (B, H)
    log_p = log_softmax(h @ U.T + b_y)  # (B, V)
    loss = -log_p[np.arange(n), targets].mean()

    dz = np.exp(log_p)  # (B, V): (ŷ − y) / B
    dz[np.arange(n), targets] -= 1
    dz /= n
    da = (dz @ U) * (1 - h**2)  # (B, H), before the tanh
    dE = np.zeros_like(E)
    np.add.at(dE, contexts, (da @ W).reshape(n, -1, d))  # a word that stands twice in a window learns twice
    return float(loss), {"E": dE, "W": da.T @ e, "b_h": da.sum(0), "U": dz.T @ h, "b_y": dz.sum(0)}


class FeedforwardLM(NeuralLM):
    """The same model in torch, as a language model over sequences."""

    def __init__(self, config: FeedforwardConfig, seed: int = 0) -> None:
        super().__init__()
        self.config, self.vocab_size, self.bos_id = config, config.vocab_size, config.bos_id
        V, N, d, H = config.vocab_size, config.n_context, config.d_embedding, config.d_hidden
        rng = torch.Generator().manual_seed(seed)
        self.E = nn.Parameter(torch.randn(V, d, generator=rng))
        self.W = nn.Parameter(torch.randn(H, N * d, generator=rng) / (N * d) ** 0.5)
        self.b_h = nn.Parameter(torch.zeros(H))
        self.U = nn.Parameter(torch.randn(V, H, generator=rng) / H**0.5)
        self.b_y = nn.Parameter(torch.zeros(V))

    def logits(self, tokens: Tensor) -> Tensor:
        """(B, T) → (B, T, V): the window of each position ends with its own token."""
        N = self.config.n_context
        before = tokens.new_full((len(tokens), N - 1), self.bos_id)
        windows = torch.cat([before, tokens], dim=1).unfold(1, N, 1)  # (B, T, N)
        e = F.embedding(windows, self.E).flatten(2)  # (B, T, N·d); unlike E[windows], repeatable with several threads
        h = torch.tanh(e @ self.W.T + self.b_h)  # (B, T, H)
        return h @ self.U.T + self.b_y
