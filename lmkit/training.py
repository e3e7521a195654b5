"""The one function that trains every neural model, with its schedule, its log and its checkpoints."""

import atexit
import math
import os
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from torch import nn

from lmkit.batches import Batch, Batches, at_least_one
from lmkit.neural import IGNORE
from lmkit.optimisation import AdamW, Optimiser, clip_gradients


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
        at_least_one(steps=self.steps, validate_every=self.validate_every, checkpoint_every=self.checkpoint_every)
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
    rank, world = _join_processes()
    with torch.random.fork_rng([device] if device.type == "cuda" else []):
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


def _join_processes() -> tuple[int, int]:
    """(rank, number of processes), once those that ``torchrun`` started have found each other."""
    if dist.is_available() and dist.is_torchelastic_launched() and not dist.is_initialized():
        dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        # Not at the end of a training: a second one would have to find the others anew, and can miss them.
        atexit.register(dist.destroy_process_group)
    parallel = dist.is_available() and dist.is_initialized()
    return (dist.get_rank(), dist.get_world_size()) if parallel else (0, 1)


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
