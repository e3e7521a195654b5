"""What the neural language models share: the loss, scoring in bounded memory, and reading on from a state."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import ArrayLike
from torch import Tensor, nn

from lmkit.batches import IGNORE, shifted
from lmkit.checks import check_id_tensor, check_instance, check_integer, check_sequences, check_token_ids
from lmkit.language_model import LanguageModel, Reader

# φ: what a network does to each of its numbers.
NONLINEARITIES: dict[str, Callable[[Tensor], Tensor]] = {
    "linear": lambda a: a,
    "tanh": torch.tanh,
    "relu": F.relu,
    "squared_relu": lambda a: F.relu(a).square(),
    "gelu": lambda a: F.gelu(a, approximate="tanh"),  # the approximation that GPT-2 was trained with
    "silu": F.silu,
}

TOKENS_AT_ONCE = 4096  # scoring: how many positions have their hidden states in memory,
SCORES_AT_ONCE = 2**22  # and how many (position, candidate) pairs their log-probabilities


class NeuralLM(nn.Module, LanguageModel):
    """A language model whose logits are a differentiable function of the tokens before.

    A subclass sets ``vocab_size``, ``bos_id`` and ``context_length`` and defines ``hidden``, ``output`` and, to read on
    from a state, ``initial_state``, ``step`` and ``select``.

    Attributes:
        context_length: the longest input, ``<bos>`` included; None if there is no limit.
        output: hidden states (…, d) → logits (…, V), unnormalised log-probabilities of the token after each position.
    """

    context_length: int | None = None
    output: Callable[[Tensor], Tensor]

    @abstractmethod
    def hidden(self, tokens: Tensor) -> Tensor:
        """The last hidden states, from which ``output`` predicts the token after each position: (B, T) → (B, T, d)."""

    @abstractmethod
    def initial_state(self, batch_size: int = 1) -> Any:
        """The state before the first token of ``batch_size`` texts; ``step`` should be given ``<bos>``."""

    @abstractmethod
    def step(self, tokens: Tensor, state: Any) -> tuple[Tensor, Any]:
        """Read (B, T) tokens that follow those which led to ``state``: logits (B, V) of what comes next, and the state after.

        Without gradients, and nothing can be trained from the state: its tensors are made in inference mode. The state
        that was given is used up.
        """

    @abstractmethod
    def select(self, state: Any, rows: ArrayLike) -> Any:
        """The state of these of the B texts, by number, in this order; what is named twice goes on twice."""

    def logits(self, tokens: Tensor) -> Tensor:
        """Unnormalised log-probabilities of the token after each position: (B, T) int64 → (B, T, V)."""
        return self.output(self.hidden(tokens))

    def forward(self, tokens: Tensor, targets: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """Logits (B, T, V) and, given targets (B, T), the mean negative log-likelihood in nats over targets ≠ IGNORE.

        ``targets[b, t]`` is the token that follows ``tokens[b, :t+1]``.
        """
        logits = self.logits(tokens)  # (B, T, V)
        if targets is None:
            return logits, None
        check_id_tensor(targets, "targets", self.vocab_size, lowest=IGNORE, B=tokens.shape[0], T=tokens.shape[1])
        if (targets == IGNORE).all():
            raise ValueError(f"targets are all {IGNORE}, expected at least one token to predict")
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORE)

    @torch.no_grad()
    def log_probs_many(self, sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
        """Log-probabilities in nats of the tokens of each sequence, (T,), as ``next_log_probs`` gives them.

        Sequences of similar length go together. What is in memory at a time is bounded by ``TOKENS_AT_ONCE`` positions and
        ``SCORES_AT_ONCE`` log-probabilities, however long and however many the sequences are.
        """
        ids = check_sequences(sequences, "sequences", self.vocab_size)
        scored = [np.zeros(len(row)) for row in ids]
        waiting = [i for i in sorted(range(len(ids)), key=lambda i: len(ids[i])) if len(ids[i])]
        with evaluating(self):
            while waiting:
                longest = min(len(ids[waiting[-1]]), self.context_length or TOKENS_AT_ONCE)
                count = max(1, TOKENS_AT_ONCE // longest)
                waiting, group = waiting[:-count], waiting[-count:]
                inputs, targets = (x.to(self.device) for x in shifted([ids[i] for i in group], self.bos_id))
                for start, h in self._pieces(inputs):
                    these = targets[:, start : start + h.shape[1]]  # (B, n)
                    log_p = self._target_log_probs(h[these != IGNORE], these[these != IGNORE])
                    ends = (these != IGNORE).sum(dim=1).cumsum(dim=0).tolist()
                    for i, row in zip(group, np.split(log_p, ends[:-1]), strict=True):
                        scored[i][start : start + len(row)] = row
        return scored

    def log_probs(self, tokens: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.log_probs``."""
        return self.log_probs_many([check_token_ids(tokens, "tokens", self.vocab_size)])[0]

    def next_log_probs(self, prefix: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.next_log_probs``."""
        return self.reader(prefix).log_probs[0]

    def reader(self, prefix: ArrayLike = ()) -> "StateReader":
        """See ``LanguageModel.reader``: every token is read once, the prefix in one go."""
        return StateReader(self, prefix)

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return next(self.parameters()).device

    def _log_softmax(self, logits: Tensor) -> Tensor:
        """Log-probabilities of logits (…, V), float64. ``<bos>`` is never predicted: its probability is 0, as in all models."""
        bos = torch.tensor(self.bos_id, device=logits.device)
        return F.log_softmax(logits.double().index_fill(-1, bos, -torch.inf), dim=-1)

    @abstractmethod
    def _pieces(self, inputs: Tensor) -> Iterator[tuple[int, Tensor]]:
        """``hidden`` of inputs (B, T) of any length in pieces: where each begins, and its hidden states (B, n, d)."""

    def _target_log_probs(self, h: Tensor, targets: Tensor) -> np.ndarray:
        """Log-probabilities (N,) of the targets (N,) after the hidden states h (N, d), some rows at a time."""
        rows = max(1, SCORES_AT_ONCE // self.vocab_size)
        # One tensor for all results: small ones made in between would lie in the way of the next large one.
        log_p = torch.empty(len(targets), dtype=torch.float64, device=h.device)
        for part, h_part, target in zip(log_p.split(rows), h.split(rows), targets.split(rows), strict=True):
            part.copy_(self._log_softmax(self.output(h_part)).gather(1, target[:, None])[:, 0])
        return _not_nan(log_p)

    def _check_tokens(self, tokens: Tensor) -> None:
        check_id_tensor(tokens, "tokens", self.vocab_size)
        if self.context_length is not None and tokens.shape[1] > self.context_length:
            raise ValueError(f"tokens has length {tokens.shape[1]}, longer than the context of {self.context_length}")


class RecurrentStateLM(NeuralLM):
    """A neural language model that keeps a state of fixed size instead of the prefix.

    A subclass defines ``initial_state``, ``run`` and ``output``.
    """

    @abstractmethod
    def initial_state(self, batch_size: int = 1) -> list:
        """The state before the first token: a list with an entry for each layer, a tensor (B, …) or a tuple of such."""

    @abstractmethod
    def run(self, tokens: Tensor, state: list) -> tuple[Tensor, list]:
        """Read (B, T) tokens that follow those which led to ``state``: the hidden states (B, T, d) and the state after.

        Training window after window with the state detached in between is truncated back-propagation. Set it to zeros
        now and then: a network that never meets the initial state in training may fail from there.
        """

    def hidden(self, tokens: Tensor) -> Tensor:
        """See ``NeuralLM.hidden``."""
        self._check_tokens(tokens)
        return self.run(tokens, self.initial_state(len(tokens)))[0]

    @torch.inference_mode()
    def step(self, tokens: Tensor, state: list) -> tuple[Tensor, list]:
        """See ``NeuralLM.step``."""
        h, state = self.run(tokens, state)
        return self.output(h[:, -1]), state

    def select(self, state: list, rows: ArrayLike) -> list:
        """See ``NeuralLM.select``."""
        count = max((x.shape[0] for x in _tensors(state) if x.ndim), default=1)
        self._check_state(state, count)
        at = torch.from_numpy(check_token_ids(rows, "rows", count, empty=False)).to(self.device)
        return [part[at] if isinstance(part, Tensor) else tuple(x[at] for x in part) for part in state]

    def _pieces(self, inputs: Tensor) -> Iterator[tuple[int, Tensor]]:
        state, size = self.initial_state(len(inputs)), max(1, TOKENS_AT_ONCE // len(inputs))
        for start, piece in enumerate(inputs.split(size, dim=1)):
            h, state = self.run(piece, state)
            yield size * start, h

    def _check(self, tokens: Tensor, state: list) -> None:
        self._check_tokens(tokens)
        self._check_state(state, len(tokens))

    def _check_state(self, state: list, batch_size: int) -> None:
        wanted = self.initial_state(batch_size)
        expected, got = ([(tuple(x.shape), x.dtype, x.device) for x in _tensors(part)] for part in (wanted, state))
        if got != expected:
            raise ValueError(f"state must be like initial_state({batch_size}), {expected}, got {got}")


class StateReader(Reader):
    """Reads with ``initial_state`` and ``step``: a new token costs one step, whatever was read before."""

    def __init__(self, model: NeuralLM, prefix: ArrayLike = ()) -> None:
        self.model = check_instance(model, "model", NeuralLM)
        self.state = model.initial_state()
        self._step(np.append(model.bos_id, check_token_ids(prefix, "prefix", model.vocab_size))[None])

    def read(self, tokens: ArrayLike) -> None:
        """See ``Reader.read``."""
        self._step(self._checked(tokens)[:, None])

    def keep(self, rows: ArrayLike) -> None:
        """See ``Reader.keep``."""
        rows = self._rows(rows)
        self.state, self.log_probs = self.model.select(self.state, rows), self.log_probs[rows]

    def _step(self, tokens: np.ndarray) -> None:
        with evaluating(self.model):
            logits, state = self.model.step(torch.from_numpy(tokens).to(self.model.device), self.state)
        self.log_probs, self.state = _not_nan(self.model._log_softmax(logits)), state


@contextmanager
def evaluating(model: nn.Module) -> Iterator[None]:
    """Within, a model and all its parts are in evaluation mode (no dropout); then they are as they were."""
    parts = [m for m in check_instance(model, "model", nn.Module).modules() if m.training]
    if parts:
        model.eval()
    try:
        yield
    finally:
        for part in parts:
            part.training = True


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Within, torch draws on the CPU what this seed gives; then what it would have drawn without."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(check_integer(seed, "seed", 0, 2**64 - 1))
        yield


def _not_nan(log_probs: Tensor) -> np.ndarray:
    """Log-probabilities as an array; NaN would win every comparison from there on, unseen."""
    array = log_probs.cpu().numpy()
    if np.isnan(array).any():
        raise ValueError("model gives NaN for a log-probability, expected numbers: are all its parameters finite?")
    return array


def _tensors(state: Any) -> list[Tensor]:
    """All tensors of a state, in order."""
    if isinstance(state, list | tuple):
        return [x for part in state for x in _tensors(part)]
    return [check_instance(state, "state", Tensor)]
