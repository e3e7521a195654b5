"""Recurrent networks that read tokens: an embedding, layers of any kind and direction, and a softmax on top for a language model.

h_t has read the tokens up to and including w_t, and predicts w_{t+1}.

Sources: Mikolov et al. (2010) for the language model; Schuster & Paliwal (1997) for reading in both directions; Zaremba,
Sutskever & Vinyals (2014) for dropout; Press & Wolf (2017) for tied embeddings.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmkit.batches import row_lengths
from lmkit.checks import check_fields, check_instance, check_tensor
from lmkit.lstm import LSTM
from lmkit.neural import NONLINEARITIES, RecurrentStateLM, seeded
from lmkit.recurrent_layers import GRU, RNN, State

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
        nonlinearity: of the cell "rnn": one of ``neural.NONLINEARITIES``; the others have their own.
        bidirectional: each layer also reads from right to left; for tagging, since a language model must not look ahead.
        dropout: in training, the share of the numbers dropped from the embeddings and from the outputs of every layer, never
            from what a layer hands on to itself (Zaremba, Sutskever & Vinyals 2014).
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
    dropout: float = 0.0
    tied: bool = False
    bos_id: int = 0

    def __post_init__(self) -> None:
        choices = {"cell": CELLS, "nonlinearity": NONLINEARITIES if self.cell == "rnn" else ("tanh",)}
        sizes = "vocab_size d_embedding d_hidden n_layers"
        check_fields(self, sizes, "bidirectional tied", choices, dropout={"low": 0, "below": 1})
        if self.tied and self.d_embedding != self.d_hidden:
            raise ValueError(f"tied needs d_embedding = d_hidden, got {self.d_embedding} and {self.d_hidden}")


class RecurrentEncoder(nn.Module):
    """Tokens to hidden states: an embedding and a stack of recurrent layers."""

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        c = self.config = check_instance(config, "config", RecurrentConfig)
        self.embedding = nn.Embedding(c.vocab_size, c.d_embedding)
        if c.tied:  # as an output matrix it must not make large scores
            nn.init.normal_(self.embedding.weight, std=c.d_embedding**-0.5)
        directions = 1 + c.bidirectional
        self.d_output = directions * c.d_hidden
        options = {"nonlinearity": c.nonlinearity} if c.cell == "rnn" else {}
        self.layers = nn.ModuleList(  # of one layer, or of two that read in opposite directions
            nn.ModuleList(CELLS[c.cell](d, c.d_hidden, **options) for _ in range(directions))
            for d in [c.d_embedding] + [self.d_output] * (c.n_layers - 1)
        )

    def initial_state(self, batch_size: int = 1) -> list[State]:
        """Of every layer and direction, zeros."""
        return [layer.initial_state(batch_size) for pair in self.layers for layer in pair]

    def forward(self, tokens: Tensor, state: list[State] | None = None) -> tuple[Tensor, list[State] | None]:
        """Tokens (B, T) → outputs (B, T, d_output) and the state after T steps.

        To the right of short sequences stands IGNORE. Then there is no such state: it is None, and ``last`` gives the outputs
        of layers that have read each sequence to its end.
        """
        lengths = row_lengths(tokens, "tokens", self.config.vocab_size)
        state = self.initial_state(len(tokens)) if state is None else state
        layers = [layer for pair in self.layers for layer in pair]
        if not isinstance(state, list) or len(state) != len(layers):
            raise ValueError(f"state must be a list with an entry for each of {len(layers)} layers, got {state!r:.60}")
        ids, E = tokens.T.clamp(min=0), self.embedding.weight  # (T, B): the layers want time first; (V, d)
        # Without dropout, a word's contribution W_x e + b is always the same: a table of V rows, if there are fewer words
        # than tokens.
        table = len(E) <= ids.numel() and not (self.training and self.config.dropout)
        x = None if table else self._drop(F.embedding(ids, E))
        before, after = iter(state), []
        for pair in self.layers:
            outputs = []
            for layer, backwards in zip(pair, (False, True), strict=False):
                a = F.embedding(ids, layer.project(E)) if x is None else layer.project(x)  # (T, B, n_blocks·H)
                y, last = layer.scan(_reverse(a, lengths) if backwards else a, next(before))
                outputs.append(_reverse(y, lengths) if backwards else y)
                after.append(last)
            x = self._drop(torch.cat(outputs, dim=-1))  # (T, B, d_output)
        return x.transpose(0, 1), after if lengths.min().item() == len(ids) else None

    def last(self, outputs: Tensor, tokens: Tensor) -> Tensor:
        """Of the outputs (B, T, d_output) for tokens (B, T) those of layers that have read everything: (B, d_output).

        Forwards that is at the last token; backwards at the first, for that layer comes from the right.
        """
        lengths, H = row_lengths(tokens, "tokens", self.config.vocab_size), self.config.d_hidden
        check_tensor(outputs, "outputs", (*tokens.shape, self.d_output), like=self.embedding.weight)
        rows = torch.arange(len(outputs), device=outputs.device)
        return torch.cat([outputs[rows, lengths - 1, :H], outputs[:, 0, H:]], dim=-1)

    def _drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.config.dropout, self.training)


def _reverse(x: Tensor, lengths: Tensor) -> Tensor:
    """Each sequence of x (T, B, …) from its own last position to its first; then anything."""
    t = torch.arange(len(x), device=x.device)[:, None]  # (T, 1)
    source = (lengths - 1 - t).clamp(min=0)  # (T, B)
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
        super().__init__()
        if check_instance(config, "config", RecurrentConfig).bidirectional:
            raise ValueError("config must not be bidirectional: a language model would read the word it is to predict")
        self.config = config
        self.vocab_size, self.bos_id = config.vocab_size, config.bos_id
        with seeded(seed):
            self.encoder = RecurrentEncoder(config)
            self.output = nn.Linear(config.d_hidden, config.vocab_size)
        if config.tied:
            self.output.weight = self.encoder.embedding.weight

    def initial_state(self, batch_size: int = 1) -> list[State]:
        """See ``RecurrentStateLM.initial_state``."""
        return self.encoder.initial_state(batch_size)

    def run(self, tokens: Tensor, state: list[State]) -> tuple[Tensor, list[State]]:
        """See ``RecurrentStateLM.run``."""
        self._check(tokens, state)
        return self.encoder(tokens, state)
