"""The feed-forward language model of Bengio et al. (2003): a window of N words, one hidden layer.

    e = [E x_{t−N}; …; E x_{t−1}]     the embeddings of the N words before, one under the other
    h = tanh(W e + b_h)
    z = U h + b_y,   ŷ = softmax(z),   L = −log ŷ_{w_t}

With N words of context it is an (N+1)-gram model. Twice: in numpy with the gradient by hand, in torch with autograd.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import ArrayLike
from torch import Tensor, nn

from lmkit.backprop import log_softmax
from lmkit.checks import (
    check_array,
    check_fields,
    check_instance,
    check_integer,
    check_sequences,
    check_tensor,
    check_token_ids,
)
from lmkit.neural import RecurrentStateLM


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
        check_fields(self, "vocab_size n_context d_embedding d_hidden")


def loss_and_gradients(
    parameters: Mapping[str, ArrayLike], contexts: ArrayLike, targets: ArrayLike
) -> tuple[float, dict]:
    """Mean loss in nats over B examples and its gradients, by hand.

    Args:
        parameters: E (V, d), W (H, N·d), b_h (H,), U (V, H), b_y (V,).
        contexts: ids of the N words before, the oldest first, (B, N).
        targets: ids of the words to predict, (B,).
    """
    E, W, b_h, U, b_y = _weights(parameters)
    V, d = E.shape
    rows = check_sequences(contexts, "contexts", V)
    targets = check_token_ids(targets, "targets", V)
    n, N = len(targets), W.shape[1] // d
    if n == 0:
        raise ValueError("targets is empty, expected at least one word to predict")
    if [len(row) for row in rows] != [N] * n:
        raise ValueError(f"contexts must have shape (B={n}, N={N}), got rows of lengths {[*map(len, rows)]!s:.60}")
    contexts = np.stack(rows)  # (B, N)

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


def _weights(parameters: Mapping[str, ArrayLike]) -> list[np.ndarray]:
    shapes = {"E": "V d", "W": "H D", "b_h": "H", "U": "V H", "b_y": "V"}
    if check_instance(parameters, "parameters", Mapping).keys() != shapes.keys():
        raise ValueError(f"parameters must map {', '.join(shapes)} to arrays, got {[*parameters]}")
    weights, sizes = [], {}
    for name, shape in shapes.items():  # an axis has the size that it had where it was first named
        weights.append(check_array(parameters[name], f"parameters[{name!r}]", shape, **sizes))
        sizes |= zip(shape.split(), weights[-1].shape, strict=True)
    d, D = sizes["d"], sizes["D"]
    if d == 0 or D % d:
        raise ValueError(f"parameters['W'] must have N·{d} columns, N embeddings of size {d}, got {D}")
    return weights


class FeedforwardLM(RecurrentStateLM):
    """The same model in torch, as a language model over sequences. Its state is the N − 1 words before."""

    def __init__(self, config: FeedforwardConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = check_instance(config, "config", FeedforwardConfig)
        self.vocab_size, self.bos_id = config.vocab_size, config.bos_id
        V, N, d, H = config.vocab_size, config.n_context, config.d_embedding, config.d_hidden
        rng = torch.Generator().manual_seed(check_integer(seed, "seed", 0, 2**64 - 1))
        # Small, so that what training adds outweighs it: words that are used alike end up side by side.
        self.E = nn.Parameter(0.1 * torch.randn(V, d, generator=rng))
        self.W = nn.Parameter(torch.randn(H, N * d, generator=rng) / (N * d) ** 0.5)
        self.b_h = nn.Parameter(torch.zeros(H))
        self.U = nn.Parameter(torch.randn(V, H, generator=rng) / H**0.5)
        self.b_y = nn.Parameter(torch.zeros(V))

    def initial_state(self, batch_size: int = 1) -> list[Tensor]:
        """See ``RecurrentStateLM.initial_state``: ``<bos>`` everywhere, (B, N−1)."""
        shape = check_integer(batch_size, "batch_size", low=1), self.config.n_context - 1
        return [torch.full(shape, self.bos_id, device=self.device)]

    def run(self, tokens: Tensor, state: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
        """See ``RecurrentStateLM.run``: the window of each position ends with its own token; h is (B, T, H)."""
        self._check(tokens, state)
        N, text = self.config.n_context, torch.cat([state[0], tokens], dim=1)
        windows = text.unfold(1, N, 1)  # (B, T, N)
        e = F.embedding(windows, self.E).flatten(2)  # (B, T, N·d); unlike E[windows], repeatable with several threads
        return torch.tanh(e @ self.W.T + self.b_h), [text[:, text.shape[1] - N + 1 :]]

    def output(self, h: Tensor) -> Tensor:
        """z = U h + b_y, (…, H) → (…, V)."""
        check_tensor(h, "h", "… H", like=self.U, H=self.config.d_hidden)
        return h @ self.U.T + self.b_y
