"""Learning by gradient: SGD, batches, optimisers, and the one function that trains every neural model.

From small to large: the lecture's two algorithms (``sgd``, ``minibatch_sgd``), the two optimisers and the learning-rate
schedule that replace their fixed step, batches cut from text, and ``train``, which puts them together.
"""

import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from numpy.typing import ArrayLike
from torch import Tensor, nn

from lmkit.language_model import as_token_ids
from lmkit.neural import IGNORE

Batch = tuple[Tensor, ...]  # what a model's forward takes: the inputs, and last the targets, each with B rows
Batches = Callable[[int], Batch]  # the batch of step s, the same one whenever it is asked for


# --- The lecture's algorithms -----------------------------------------------------------------------------------


def sgd(
    gradient: Callable,
    theta: np.ndarray | Tensor,
    num_examples: int,
    learning_rate: float,
    epochs: int,
    seed: int,
) -> Iterator:
    """Stochastic gradient descent, one example a step: yields θ⁽⁰⁾, θ⁽¹⁾, … (Robbins & Monro 1951).

    Args:
        gradient: ``gradient(theta, i)`` is ∇J_i(θ), the gradient of the loss on example i of 0 … num_examples−1.
        theta: the parameters θ⁽⁰⁾, an array or tensor; it is not changed.
    """
    rng = np.random.default_rng(seed)
    yield theta
    for _ in range(epochs):
        for i in rng.permutation(num_examples):
            theta = theta - learning_rate * gradient(theta, i)
            yield theta


def minibatch_sgd(
    gradient: Callable,
    theta: np.ndarray | Tensor,
    num_examples: int,
    batch_size: int,
    learning_rate: float,
    epochs: int,
    seed: int,
) -> Iterator:
    """``sgd`` with the mean gradient of a batch: ``gradient(theta, I_b)`` gets the array of indices I_b of a batch."""
    yield theta
    for epoch in range(epochs):
        for batch in shuffled_batches(num_examples, batch_size, seed, epoch):
            theta = theta - learning_rate * gradient(theta, batch)
            yield theta


def shuffled_batches(num_examples: int, batch_size: int, seed: int, epoch: int = 0) -> list[np.ndarray]:
    """The indices 0 … num_examples−1 in random order, cut into pairwise disjoint batches that together hold them all.

    The last batch is smaller if batch_size does not divide num_examples.

    Raises:
        ValueError: if num_examples or batch_size is less than 1.
    """
    _at_least_one(num_examples=num_examples, batch_size=batch_size)
    order = np.random.default_rng([seed, epoch]).permutation(num_examples)
    return np.split(order, range(batch_size, num_examples, batch_size))


# --- Optimisers -------------------------------------------------------------------------------------------------


class Optimiser:
    """Changes parameters along their ``.grad``. A subclass defines ``step`` and keeps what it remembers in ``state``.

    Attributes:
        state: tensors, numbers and lists of them; saved with a checkpoint and restored by assignment.
    """

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        self.parameters = [p for p in parameters if p.requires_grad]
        self.state: dict = {}

    def step(self, learning_rate: float) -> None:
        """Update every parameter once."""
        raise NotImplementedError


class SGD(Optimiser):
    """θ ← θ − η v with v ← momentum · v + g; without momentum the lecture's update (``torch.optim.SGD``)."""

    def __init__(self, parameters: Iterable[nn.Parameter], momentum: float = 0.0) -> None:
        super().__init__(parameters)
        self.momentum = momentum
        self.state = {"velocity": [torch.zeros_like(p) for p in self.parameters]}

    @torch.no_grad()
    def step(self, learning_rate: float) -> None:
        """See ``Optimiser.step``."""
        for p, velocity in zip(self.parameters, self.state["velocity"], strict=True):
            if p.grad is not None:
                velocity.mul_(self.momentum).add_(p.grad)
                p.sub_(velocity, alpha=learning_rate)


class AdamW(Optimiser):
    """Adam with decoupled weight decay (Kingma & Ba 2015; Loshchilov & Hutter 2019).

    Each weight moves by the running mean of its gradient over the root of the running mean of its square. Only
    matrices are decayed: shrinking biases and normalisation gains does not regularise.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        betas: tuple[float, float] = (0.9, 0.99),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(parameters)
        self.betas, self.eps, self.weight_decay = betas, eps, weight_decay
        zeros = [[torch.zeros_like(p) for p in self.parameters] for _ in range(2)]
        self.state = {"updates": 0, "mean": zeros[0], "square": zeros[1]}

    @torch.no_grad()
    def step(self, learning_rate: float) -> None:
        """See ``Optimiser.step``."""
        self.state["updates"] += 1
        beta1, beta2 = self.betas
        # Both running means start at 0; dividing by what they would be for a constant 1 takes the bias out.
        unbias1, unbias2 = (1 - beta ** self.state["updates"] for beta in self.betas)
        for p, mean, square in zip(self.parameters, self.state["mean"], self.state["square"], strict=True):
            if p.grad is None:
                continue
            if p.ndim > 1 and self.weight_decay:
                p.mul_(1 - learning_rate * self.weight_decay)
            mean.lerp_(p.grad, 1 - beta1)
            square.mul_(beta2).addcmul_(p.grad, p.grad, value=1 - beta2)
            p.addcdiv_(mean, (square / unbias2).sqrt_().add_(self.eps), value=-learning_rate / unbias1)


def clip_gradients(parameters: Iterable[nn.Parameter], max_norm: float = math.inf) -> float:
    """Scale all gradients by one factor so that their joint Euclidean norm is at most ``max_norm``.

    Returns the norm before (Pascanu et al. 2013). The direction of the step does not change.
    """
    gradients = [p.grad for p in parameters if p.grad is not None]
    if not gradients:
        return 0.0
    norm = torch.stack([g.norm() for g in gradients]).norm().item()
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    return norm


# --- Batches ----------------------------------------------------------------------------------------------------


def stream_batches(
    ids: ArrayLike, context_length: int, batch_size: int, seed: int, bos_id: int | None = None
) -> Batches:
    """Random windows of one long text: ``batches(step)`` is (inputs, targets), int64, each (B, context_length).

    The target of a position is the token that follows it in the text. With ``bos_id`` every window begins with
    ``<bos>`` and its first token is predicted from nothing, as ``log_probs`` scores it; without, every input is text.

    Raises:
        ValueError: if the text is shorter than one window, or a size is less than 1.
    """
    text, length = _text_and_row_length(ids, context_length, batch_size, bos_id)
    offsets = np.arange(length)

    def batch(step: int) -> Batch:
        starts = np.random.default_rng([seed, step]).integers(len(text) - length + 1, size=batch_size)
        return _pad(text[starts[:, None] + offsets], bos_id)

    return batch


def held_out_stream(ids: ArrayLike, context_length: int, batch_size: int, bos_id: int | None = None) -> list[Batch]:
    """One long text as batches of consecutive windows that predict every token once (without ``bos_id`` all but the first)."""
    text, length = _text_and_row_length(ids, context_length, batch_size, bos_id)
    overlap = int(bos_id is None)  # a window's last target is the next one's first input
    rows = [text[i : i + length] for i in range(0, len(text) - overlap, length - overlap)]
    return [_pad(rows[i : i + batch_size], bos_id) for i in range(0, len(rows), batch_size)]


def sentence_batches(sequences: Sequence[ArrayLike], batch_size: int, bos_id: int, seed: int) -> Batches:
    """Random sentences, each once per epoch: ``batches(step)`` is (inputs, targets), int64, each (B, longest sentence).

    A sentence w_1 … w_T gives the inputs <bos> w_1 … w_{T−1}. Shorter ones are padded; those targets are IGNORE.

    Raises:
        ValueError: if there are no sequences, one is empty or not token ids, or batch_size is less than 1.
    """
    rows = _rows(sequences)
    per_epoch = len(shuffled_batches(len(rows), batch_size, seed))
    epoch_batches = lru_cache(maxsize=1)(lambda epoch: shuffled_batches(len(rows), batch_size, seed, epoch))

    def batch(step: int) -> Batch:
        epoch, b = divmod(step, per_epoch)
        return _pad([rows[i] for i in epoch_batches(epoch)[b]], bos_id)

    return batch


def held_out_sentences(sequences: Sequence[ArrayLike], batch_size: int, bos_id: int) -> list[Batch]:
    """All sentences once as padded batches of similar length (see ``sentence_batches``)."""
    _at_least_one(batch_size=batch_size)
    rows = sorted(_rows(sequences), key=len)
    return [_pad(rows[i : i + batch_size], bos_id) for i in range(0, len(rows), batch_size)]


def _text_and_row_length(
    ids: ArrayLike, context_length: int, batch_size: int, bos_id: int | None
) -> tuple[np.ndarray, int]:
    _at_least_one(context_length=context_length, batch_size=batch_size)
    text = as_token_ids(ids, np.iinfo(np.int64).max, "ids")
    length = context_length + int(bos_id is None)
    if len(text) < length:
        raise ValueError(f"ids has {len(text)} tokens, expected at least {length} for a window of {context_length}")
    return text, length


def _rows(sequences: Sequence[ArrayLike]) -> list[np.ndarray]:
    rows = [as_token_ids(s, np.iinfo(np.int64).max, f"sequences[{i}]") for i, s in enumerate(sequences)]
    empty = next((i for i, row in enumerate(rows) if not len(row)), None)
    if empty is not None or not rows:
        raise ValueError(f"sequences{'' if empty is None else f'[{empty}]'} is empty, expected tokens to predict")
    return rows


def _pad(rows: Sequence[np.ndarray] | np.ndarray, bos_id: int | None) -> Batch:
    """Rows of token ids as (inputs, targets): each row's inputs are its tokens, shifted by one or after <bos>."""
    first = int(bos_id is None)  # without <bos> the first token has nothing before it: only an input
    longest = max(len(row) for row in rows) - first
    inputs = torch.full((len(rows), longest), bos_id or 0)  # (B, T)
    targets = torch.full((len(rows), longest), IGNORE)  # (B, T)
    for b, row in enumerate(rows):
        tokens = torch.from_numpy(row)
        targets[b, : len(row) - first] = tokens[first:]
        inputs[b, 1 - first : len(row) - first] = tokens[:-1]
    return inputs, targets


def _at_least_one(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")


# --- Training ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrainingConfig:
    """How to train; what is not here belongs to the model, the batches or the optimiser.

    Attributes:
        steps: number of updates.
        learning_rate: its peak, reached after ``warmup_steps`` of linear growth.
        decay: what follows the warm-up: "cosine" or "linear" down to ``final_learning_rate``, or "constant".
        clip_norm: longest gradient (see ``clip_gradients``); ``math.inf`` leaves all as they are.
        validate_every: steps between two losses on held-out text; there is always one at the end.
        checkpoint_every: steps between two checkpoints; there is always one at the end.
        seed: of dropout. Batches have their own seed, and so has the model's initialisation.
    """

    steps: int
    learning_rate: float = 1e-3
    warmup_steps: int = 0
    decay: str = "cosine"
    final_learning_rate: float = 0.0
    clip_norm: float = 1.0
    validate_every: int = 100
    checkpoint_every: int = 500
    seed: int = 0

    def __post_init__(self) -> None:
        _at_least_one(steps=self.steps, validate_every=self.validate_every, checkpoint_every=self.checkpoint_every)
        if not 0 <= self.warmup_steps <= self.steps:
            raise ValueError(f"warmup_steps must be 0 … steps = {self.steps}, got {self.warmup_steps}")
        if self.decay not in ("cosine", "linear", "constant"):
            raise ValueError(f'decay must be "cosine", "linear" or "constant", got {self.decay!r}')
        if not self.learning_rate > 0 or not self.clip_norm > 0:
            raise ValueError(
                f"learning_rate and clip_norm must be positive, got {self.learning_rate} and {self.clip_norm}"
            )


def scheduled_learning_rate(step: int, config: TrainingConfig) -> float:
    """The learning rate of step 0 … steps−1: linear warm-up to the peak, then the decay (Loshchilov & Hutter 2017)."""
    if step < config.warmup_steps:
        return config.learning_rate * (step + 1) / config.warmup_steps
    done = (step - config.warmup_steps) / max(1, config.steps - config.warmup_steps)  # 0 … 1
    left = {"cosine": (1 + math.cos(math.pi * done)) / 2, "linear": 1 - done, "constant": 1.0}[config.decay]
    return config.final_learning_rate + (config.learning_rate - config.final_learning_rate) * left


@dataclass
class TrainingLog:
    """What happened. Losses are means in nats per target.

    Attributes:
        losses: of the batch of each step, before its update.
        gradient_norms: of each step, before clipping.
        validation: pairs (number of updates so far, loss on held-out text).
        seconds: time spent, validation included; over all runs if the training was resumed.
    """

    losses: list[float] = field(default_factory=list)
    gradient_norms: list[float] = field(default_factory=list)
    validation: list[tuple[int, float]] = field(default_factory=list)
    seconds: float = field(default=0.0, compare=False)


@torch.no_grad()
def evaluate_loss(model: nn.Module, batches: Iterable[Batch]) -> float:
    """Mean negative log-likelihood in nats per target over all batches: every token counts the same.

    Raises:
        ValueError: if there is nothing to predict.
    """
    device, was_training = next(model.parameters()).device, model.training
    model.eval()
    total, count = 0.0, 0
    for batch in batches:
        n = int((batch[-1] != IGNORE).sum())
        if n:
            total += n * model(*(x.to(device) for x in batch))[1].item()
            count += n
    model.train(was_training)
    if not count:
        raise ValueError("batches hold no target to predict, expected at least one that is not IGNORE")
    return total / count


def train(
    model: nn.Module,
    batches: Batches,
    config: TrainingConfig,
    *,
    validation: Iterable[Batch] | None = None,
    checkpoint: str | Path | None = None,
    optimiser: Optimiser | None = None,
    quiet: bool = False,
) -> TrainingLog:
    """Train a model whose ``model(*batch)`` is (logits, mean loss), as every ``NeuralLM`` is, on the device it is on.

    The same model, batches and seed give the same numbers, to the last bit. Started by ``torchrun``, the processes
    share each batch and take the same steps as one process would (a model with GPUs: put it on ``LOCAL_RANK``'s first).

    Args:
        batches: ``batches(step)`` is the batch of step 0, 1, …: ``stream_batches``, ``sentence_batches`` or a function.
        validation: held-out batches, for ``evaluate_loss``.
        checkpoint: a file to save to; if it is there already, training goes on from it, with the same numbers.
        optimiser: ``AdamW(model.parameters())`` if None.
        quiet: no progress line on stderr.

    Raises:
        FloatingPointError: when the loss or the gradient is infinite or NaN; names the step. The model keeps the
            parameters of the step before.
        ValueError: for a checkpoint that is damaged or of another model, optimiser or configuration.
    """
    device = next(model.parameters()).device
    optimiser = AdamW(model.parameters()) if optimiser is None else optimiser
    validation = None if validation is None else list(validation)
    log = TrainingLog()
    if checkpoint is not None and Path(checkpoint).exists():
        log = _load_checkpoint(Path(checkpoint), model, optimiser, config, device)
    before = log.seconds
    with _processes() as (rank, world), torch.random.fork_rng([device] if device.type == "cuda" else []):
        forward = nn.parallel.DistributedDataParallel(model) if world > 1 else model
        progress = _Progress(config.steps, len(log.losses), quiet or rank > 0)
        start = time.monotonic()
        model.train()
        for step in range(len(log.losses), config.steps):
            # Dropout depends on the step alone, so a resumed run draws what an uninterrupted one would.
            torch.manual_seed(int(np.random.SeedSequence([config.seed, step, rank]).generate_state(1)[0]))
            learning_rate = scheduled_learning_rate(step, config)
            loss = _backward(forward, batches(step), rank, world, device)
            norm = clip_gradients(optimiser.parameters, config.clip_norm)
            if not math.isfinite(loss) or not math.isfinite(norm):
                raise FloatingPointError(
                    f"step {step}: the loss is {loss} and the norm of the gradient {norm} at learning rate "
                    f"{learning_rate:.3g}; try a lower one or a longer warm-up, or look at batches({step})"
                )
            optimiser.step(learning_rate)
            log.losses.append(loss)
            log.gradient_norms.append(norm)
            updates = step + 1
            if validation is not None and (updates % config.validate_every == 0 or updates == config.steps):
                log.validation.append((updates, evaluate_loss(model, validation)))
            log.seconds = before + time.monotonic() - start
            if checkpoint is not None and (updates % config.checkpoint_every == 0 or updates == config.steps):
                if rank == 0:
                    _save_checkpoint(Path(checkpoint), model, optimiser, config, log)
            progress.show(log)
    model.eval()
    return log


def _backward(forward: nn.Module, batch: Batch, rank: int, world: int, device: torch.device) -> float:
    """Gradients of this batch's mean loss, of which each process computes its share of the rows; the loss."""
    # A process left without a row takes the first one at weight 0, for all must take part in every step.
    share = tuple((x.tensor_split(world)[rank] if rank < len(x) else x[:1]).to(device) for x in batch)
    targets = [int((x != IGNORE).sum()) for x in (share[-1], batch[-1])]
    weight = targets[0] / targets[1] if rank < len(batch[-1]) else 0.0
    _, loss = forward(*share)
    loss = loss * weight  # summed over processes: the mean over all targets, wherever the padding lies
    forward.zero_grad(set_to_none=True)
    (loss * world).backward()  # times world, for DistributedDataParallel averages the gradients
    if world > 1:
        dist.all_reduce(loss := loss.detach())
    return loss.item()


@contextmanager
def _processes() -> Iterator[tuple[int, int]]:
    """(rank, number of processes); those that ``torchrun`` started are joined for the time of the training."""
    joins = dist.is_available() and dist.is_torchelastic_launched() and not dist.is_initialized()
    if joins:
        dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    try:
        parallel = dist.is_available() and dist.is_initialized()
        yield (dist.get_rank(), dist.get_world_size()) if parallel else (0, 1)
    finally:
        if joins:
            dist.destroy_process_group()


def _save_checkpoint(
    path: Path, model: nn.Module, optimiser: Optimiser, config: TrainingConfig, log: TrainingLog
) -> None:
    """Write beside the old checkpoint, then take its place in one move: a crash leaves one of them whole."""
    content = {
        "model": model.state_dict(),
        "optimiser": {"kind": type(optimiser).__name__, "state": optimiser.state},
        "config": asdict(config),
        "log": asdict(log),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".part")
    with open(temporary, "wb") as file:
        torch.save(content, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def _load_checkpoint(
    path: Path, model: nn.Module, optimiser: Optimiser, config: TrainingConfig, device: torch.device
) -> TrainingLog:
    """Put a checkpoint's numbers into the model and the optimiser and return its log."""
    try:
        saved = torch.load(path, map_location=device, weights_only=True)
        log = TrainingLog(**saved["log"])
        kind, state = saved["optimiser"]["kind"], saved["optimiser"]["state"]
        changed = {k: v for k, v in saved["config"].items() if v != asdict(config)[k]}
    except Exception as error:
        raise ValueError(f"checkpoint {path} is damaged or not a checkpoint; delete it to start anew") from error
    if changed:
        now = {name: asdict(config)[name] for name in changed}
        raise ValueError(f"checkpoint {path} was made with {changed}, the config has {now}; use another file")
    if kind != type(optimiser).__name__:
        raise ValueError(f"checkpoint {path} was made with {kind}, the optimiser is {type(optimiser).__name__}")
    try:
        model.load_state_dict(saved["model"])
    except RuntimeError as error:
        raise ValueError(f"checkpoint {path} is of another model: {error}") from None
    optimiser.state = state
    return log


class _Progress:
    """One line on stderr that is written over: step, loss, time left."""

    def __init__(self, steps: int, done: int, quiet: bool) -> None:
        self.steps, self.done_before, self.quiet = steps, done, quiet
        self.start = self.shown = time.monotonic()

    def show(self, log: TrainingLog) -> None:
        now, done = time.monotonic(), len(log.losses)
        if self.quiet or (now - self.shown < 0.5 and done < self.steps):
            return
        self.shown = now
        bar = "━" * (20 * done // self.steps)
        left = (now - self.start) / (done - self.done_before) * (self.steps - done)
        held_out = f" · held out {log.validation[-1][1]:.3f}" if log.validation else ""
        loss = np.mean(log.losses[-20:])
        line = f"{bar:<20} step {done}/{self.steps} · loss {loss:.3f}{held_out} · {left:.0f} s left"
        sys.stderr.write(f"\r{line:<90}" + "\n" * (done == self.steps))
        sys.stderr.flush()
