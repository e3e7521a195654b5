"""What the neural language models share: checks, the loss, and the two questions of ``LanguageModel``."""

from collections.abc import Sequence
from copy import copy, deepcopy

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import ArrayLike
from torch import Tensor, nn

from lmkit.language_model import LanguageModel, Reader, as_token_ids

IGNORE = -1  # target id of a padded position: it adds nothing to the loss


class NeuralLM(nn.Module, LanguageModel):
    """A language model whose logits are a differentiable function of the tokens before.

    A subclass sets ``vocab_size``, ``bos_id`` and ``context_length`` and defines ``logits``.

    Attributes:
        context_length: the longest input, ``<bos>`` included; None if there is no limit.
    """

    vocab_size: int
    bos_id: int
    context_length: int | None = None

    def logits(self, tokens: Tensor) -> Tensor:
        """Unnormalised log-probabilities of the token after each position: (B, T) int64 → (B, T, V)."""
        raise NotImplementedError

    def forward(self, tokens: Tensor, targets: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Logits (B, T, V) and, given targets (B, T), the mean negative log-likelihood in nats over targets ≠ IGNORE.

        ``targets[b, t]`` is the token that follows ``tokens[b, :t+1]``.

        Raises:
            ValueError: for a wrong shape or dtype, an id outside the vocabulary, or an input longer than the context.
        """
        self.check(tokens, "tokens")
        logits = self.logits(tokens)  # (B, T, V)
        if targets is None:
            return logits, None
        self.check(targets, "targets", lowest=IGNORE)
        if targets.shape != tokens.shape:
            raise ValueError(
                f"targets must have the shape of tokens, {tuple(tokens.shape)}, got {tuple(targets.shape)}"
            )
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORE)
        return logits, loss

    def check(self, tokens: Tensor, name: str, lowest: int = 0) -> None:
        """Raise a ValueError that says what is wrong with a (B, T) batch of ids, if anything is."""
        if not isinstance(tokens, Tensor) or tokens.dtype != torch.int64:
            kind = tokens.dtype if isinstance(tokens, Tensor) else type(tokens).__name__
            raise ValueError(f"{name} must be an int64 tensor, got {kind}")
        if tokens.ndim != 2 or tokens.numel() == 0:
            raise ValueError(f"{name} must have shape (B, T) with B, T ≥ 1, got {tuple(tokens.shape)}")
        if self.context_length is not None and tokens.shape[1] > self.context_length:
            raise ValueError(f"{name} has length {tokens.shape[1]}, longer than the context of {self.context_length}")
        low, high = (int(i) for i in tokens.aminmax())
        if low < lowest or high >= self.vocab_size:
            raise ValueError(f"{name} has ids {low} … {high}, expected {lowest} … {self.vocab_size - 1}")

    @torch.no_grad()
    def log_probs_many(self, sequences: Sequence[ArrayLike], batch_size: int = 64) -> list[np.ndarray]:
        """Log-probabilities in nats of the tokens of each sequence, scored in padded batches of similar length."""
        ids = [as_token_ids(s, self.vocab_size) for s in sequences]
        device = next(self.parameters()).device
        scored: list[np.ndarray] = [np.zeros(0)] * len(ids)
        by_length = [i for i in sorted(range(len(ids)), key=lambda i: len(ids[i])) if len(ids[i])]
        was_training = self.training
        self.eval()
        for start in range(0, len(by_length), batch_size):
            batch = by_length[start : start + batch_size]
            inputs = torch.full((len(batch), len(ids[batch[-1]])), self.bos_id)  # (B, T)
            for row, i in enumerate(batch):
                inputs[row, 1 : len(ids[i])] = torch.from_numpy(ids[i][:-1])
            self.check(inputs, "tokens")
            log_p = self._log_softmax(self.logits(inputs.to(device)))  # (B, T, V)
            for row, i in enumerate(batch):
                scored[i] = log_p[row, np.arange(len(ids[i])), ids[i]]
        self.train(was_training)
        return scored

    def log_probs(self, tokens: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.log_probs``."""
        return self.log_probs_many([tokens])[0]

    @torch.no_grad()
    def next_log_probs(self, prefix: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.next_log_probs``. A prefix longer than the context keeps its last tokens."""
        ids = np.concatenate([[self.bos_id], as_token_ids(prefix, self.vocab_size, "prefix")])
        if self.context_length is not None:
            ids = ids[-self.context_length :]
        was_training = self.training
        self.eval()
        logits = self.logits(torch.from_numpy(ids)[None].to(next(self.parameters()).device))  # (1, T, V)
        self.train(was_training)
        return self._log_softmax(logits)[0, -1]

    def reader(self, prefix: ArrayLike = ()) -> Reader:
        """See ``LanguageModel.reader``. Models with a ``step`` read every token once, the prefix in one go."""
        return StateReader(self, prefix) if hasattr(self, "step") else Reader(self, prefix)

    def _log_softmax(self, logits: Tensor) -> np.ndarray:
        # <bos> is never predicted: its probability is 0 here as in the n-gram models, so that all models compare.
        logits = logits.double().index_fill(-1, torch.tensor(self.bos_id, device=logits.device), -torch.inf)
        return F.log_softmax(logits, dim=-1).cpu().numpy()


class RecurrentStateLM(NeuralLM):
    """A neural language model that keeps a state of fixed size instead of the prefix.

    A subclass defines ``initial_state`` and ``run``.
    """

    def initial_state(self, batch_size: int = 1) -> list:
        """The state before the first token, zeros, as a list with an entry for each layer; ``step`` should be given ``<bos>``."""
        raise NotImplementedError

    def run(self, tokens: Tensor, state: list) -> tuple[Tensor, list]:
        """Read (B, T) tokens that follow those which led to ``state``: the logits (B, T, V) and the state after.

        Training window after window with the state detached in between is truncated back-propagation. Set it to zeros
        now and then: a network that never meets the initial state in training may fail from there.
        """
        raise NotImplementedError

    def logits(self, tokens: Tensor) -> Tensor:
        """See ``NeuralLM.logits``."""
        return self.run(tokens, self.initial_state(len(tokens)))[0]

    @torch.inference_mode()
    def step(self, tokens: Tensor, state: list) -> tuple[Tensor, list]:
        """Logits (B, V) of what follows, once the next tokens (B,) or (B, T) are read, and the state after."""
        tokens = tokens[:, None] if tokens.ndim == 1 else tokens
        self.check(tokens, "tokens")
        part = state[0]  # of the first layer: a tensor (B, …), or several
        B = len(part if isinstance(part, Tensor) else part[0])
        if len(tokens) != B:
            raise ValueError(f"tokens must be of {B} sequences like the state, got {len(tokens)}")
        logits, state = self.run(tokens, state)
        return logits[:, -1], state


class StateReader(Reader):
    """Reads with ``initial_state`` and ``step``: a new token costs one step, whatever was read before."""

    def __init__(self, model: NeuralLM, prefix: ArrayLike) -> None:
        ids = np.concatenate([[model.bos_id], as_token_ids(prefix, model.vocab_size, "prefix")])
        if model.context_length is not None:
            ids = ids[-model.context_length :]
        self.model, self.state = model, model.initial_state()
        self._step(torch.from_numpy(ids)[None])

    def read(self, token: int) -> None:
        """See ``Reader.read``. Past its context, a Transformer forgets the older half (``TransformerLM.step``)."""
        self._step(torch.from_numpy(as_token_ids([token], self.model.vocab_size, "token"))[None])

    def fork(self) -> "StateReader":
        """See ``Reader.fork``."""
        other = copy(self)
        other.state = deepcopy(self.state)
        return other

    def _step(self, tokens: Tensor) -> None:
        was_training = self.model.training
        if was_training:
            self.model.eval()
        logits, self.state = self.model.step(tokens.to(next(self.model.parameters()).device), self.state)
        if was_training:
            self.model.train()
        self.log_probs = self.model._log_softmax(logits)[0]
