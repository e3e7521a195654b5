"""The one function that trains every neural model, with its schedule, its log and its checkpoints."""

import hashlib
import inspect
import math
import os
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from tqdm.auto import tqdm

from lmkit.batches import IGNORE, Batch, Batches
from lmkit.checkpoint import load_checkpoint, save_checkpoint
from lmkit.checks import check_fields, check_flag, check_instance, check_integer
from lmkit.data_parallel import join_processes, shared
from lmkit.neural import evaluating
from lmkit.optimisation import AdamW, Optimiser, clip_gradients

DECAYS: dict[str, Callable[[float], float]] = {  # how much of the peak is left when so much of the time is over
    "cosine": lambda done: (1 + math.cos(math.pi * done)) / 2,
    "linear": lambda done: 1 - done,
    "constant": lambda done: 1.0,
}


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
        sizes, naturals = "steps validate_every checkpoint_every", "warmup_steps seed"
        check_fields(self, sizes, "", {"decay": DECAYS}, naturals, learning_rate={"above": 0})
        above, final = {"above": 0, "infinite": True}, {"low": 0, "high": self.learning_rate}
        check_fields(self, clip_norm=above, final_learning_rate=final)
        check_integer(self.warmup_steps, "warmup_steps", low=0, high=self.steps)


def scheduled_learning_rate(step: int, config: TrainingConfig) -> float:
    """The learning rate of step 0 … steps−1: linear warm-up to the peak, then the decay (Loshchilov & Hutter 2017).

    From step ``steps`` on it stays where the decay has ended.
    """
    step = check_integer(step, "step", low=0)
    check_instance(config, "config", TrainingConfig)
    if step < config.warmup_steps:
        return config.learning_rate * (step + 1) / config.warmup_steps
    done = (step - config.warmup_steps) / (config.steps - config.warmup_steps) if step < config.steps else 1.0
    return config.final_learning_rate + (config.learning_rate - config.final_learning_rate) * DECAYS[config.decay](done)


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


def evaluate_loss(model: nn.Module, batches: Iterable[Batch]) -> float:
    """Mean negative log-likelihood in nats per target over all batches: every token counts the same.

    It is the loss of training, in which ``<bos>`` may come next; ``lmkit.evaluation.evaluate`` excludes that.
    """
    return _evaluate_loss(model, _batch_list(batches, "batches"), "batches")


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
    share each batch (``data_parallel``; a model with GPUs: put it on ``LOCAL_RANK``'s first).

    Args:
        batches: ``batches(step)`` is the batch of step 0, 1, …: ``stream_batches``, ``packed_batches`` or a function.
        validation: held-out batches, for ``evaluate_loss``, which all have to pass once before the first step.
        checkpoint: a file to save to, which is tried at once; if it is there already, training goes on from it, with
            the same numbers. The model's weights give way to the file's, so models of several seeds need a file each.
            Several processes need one that all of them see.
        optimiser: over the model's parameters; ``AdamW(model.parameters())`` if None.
        quiet: no progress bar on stderr.

    Raises:
        FloatingPointError: when the loss or the gradient is infinite or NaN; names the step. The model keeps the
            parameters of the step before.
        ValueError: also for an optimiser over other parameters than the model's, and a checkpoint that is damaged or of another
            model, optimiser, configuration or first batch.
    """
    device = _device(model)
    try:
        inspect.signature(batches).bind(0)
    except TypeError:
        raise ValueError(f"batches must be a function of the step, got {batches!r:.200}") from None
    except ValueError:
        pass  # a builtin, whose signature Python does not know
    check_instance(config, "config", TrainingConfig)
    optimiser = AdamW(model.parameters()) if optimiser is None else _checked_optimiser(optimiser, model)
    validation = None if validation is None else _batch_list(validation, "validation")
    log = TrainingLog()
    rank, world = join_processes(model)  # none still saves what the others are about to read
    quiet = check_flag(quiet, "quiet") or rank > 0
    if checkpoint is not None:
        settings = _settings(model, optimiser, config, _checked_batch(batches(0), "batches(0)"))
        # "m.pt/." and "nowhere/../m.pt" are other names of the file that will be written. Unlike Path.exists, of any length.
        if there := "\0" not in str(checkpoint) and os.path.exists(os.path.realpath(str(checkpoint))):
            saved = load_checkpoint(os.path.realpath(checkpoint), settings, device)
            model.load_state_dict(saved["model"])
            optimiser.state, log = saved["optimiser"], TrainingLog(**saved["log"])
        join_processes(model, len(log.losses))  # all have read, and as far, before the first one writes
    before, first, start = log.seconds, len(log.losses), time.monotonic()

    def save() -> None:
        if checkpoint is not None and rank == 0:
            content = {"model": model.state_dict(), "optimiser": optimiser.state, "log": asdict(log)}
            save_checkpoint(checkpoint, content, settings)

    save()  # a path that cannot be written is told now, not after hours …
    if checkpoint is not None and rank == 0 and not there:
        Path(checkpoint).resolve().unlink()  # … but nothing is worth keeping yet, and settings may still change
    compute = _gradients if world == 1 else shared(_gradients, rank, world)
    progress = tqdm(range(first, config.steps), initial=first, total=config.steps, disable=quiet, unit="step")
    seed = torch.default_generator.manual_seed if device.type == "cpu" else torch.manual_seed  # 0.1 ms faster
    model.train()
    try:
        with progress, torch.random.fork_rng([device] if device.type == "cuda" else []):
            if validation is not None and first < config.steps:
                _evaluate_loss(model, validation, "validation")  # a text that does not fit is told now, too
            progress.unpause()  # that was no step
            for updates, step in enumerate(progress, first + 1):
                # Dropout depends on the step alone, so a resumed run draws what an uninterrupted one would.
                seed(int(np.random.SeedSequence([config.seed, step, rank]).generate_state(1)[0]))
                learning_rate = scheduled_learning_rate(step, config)
                loss = compute(model, _checked_batch(batches(step), f"batches({step})"))
                norm = clip_gradients(optimiser.parameters, config.clip_norm)
                if not math.isfinite(loss) or not math.isfinite(norm):
                    got = f"the loss is {loss} and the norm of the gradient {norm} at learning rate {learning_rate:.3g}"
                    raise FloatingPointError(f"step {step}: {got}; try a lower one, a longer warm-up, another batch")
                optimiser.step(learning_rate)
                log.losses.append(loss)
                log.gradient_norms.append(norm)
                if validation is not None and (updates % config.validate_every == 0 or updates == config.steps):
                    log.validation.append((updates, _evaluate_loss(model, validation, "validation")))
                log.seconds = before + time.monotonic() - start
                if updates % config.checkpoint_every == 0 or updates == config.steps:
                    save()
                held_out = {"held out": f"{log.validation[-1][1]:.3f}"} if log.validation else {}
                progress.set_postfix({"loss": f"{np.mean(log.losses[-20:]):.3f}", **held_out}, refresh=False)
    finally:
        model.eval()
    return log


def _gradients(model: nn.Module, batch: Batch) -> float:
    """Put the gradients of a batch's mean loss into the parameters; the loss."""
    model.zero_grad(set_to_none=True)
    loss = _mean_loss(model, batch, "batches")
    if not loss.requires_grad:
        raise ValueError("model must give a mean loss that depends on its parameters, got one without a graph")
    loss.backward()
    return loss.item()


@torch.no_grad()
def _evaluate_loss(model: nn.Module, batches: list[Batch], name: str) -> float:
    counts = [int((batch[-1] != IGNORE).sum()) for batch in batches]
    with evaluating(model):
        losses = [_mean_loss(model, batch, f"{name}[{i}]").item() for i, batch in enumerate(batches)]
    return float(np.average(losses, weights=counts))


def _mean_loss(model: nn.Module, batch: Batch, name: str) -> Tensor:
    device = _device(model)
    try:
        result = model(*(x.to(device) for x in batch))
    except (ValueError, IndexError, TypeError) as error:  # the last for too many or too few tensors
        raise ValueError(f"{name} does not fit the model: {error}") from error
    loss = result[1] if isinstance(result, tuple) and len(result) == 2 else None
    if not isinstance(loss, Tensor) or loss.ndim or not loss.is_floating_point():
        raise ValueError(f"model must give (logits, mean loss) for a batch, got {type(result).__name__}, loss {loss!r}")
    return loss


def _device(model: nn.Module) -> torch.device:
    parameter = next(check_instance(model, "model", nn.Module).parameters(), None)
    if parameter is None:
        raise ValueError(f"model has no parameters to train, got {type(model).__name__}")
    return parameter.device


def _checked_batch(batch: Batch, name: str) -> Batch:
    many = isinstance(batch, tuple | list) and len(batch) > 1 and all(isinstance(x, Tensor) and x.ndim for x in batch)
    if not many or any(x.layout != torch.strided or x.is_meta or x.is_nested or len(x) != len(batch[0]) for x in batch):
        raise ValueError(f"{name} must be dense tensors of as many rows each, the targets last, got {batch!r:.200}")
    if (batch[-1] == IGNORE).all():
        raise ValueError(f"{name} holds no target to predict, expected at least one that is not IGNORE")
    return batch


def _batch_list(batches: Iterable[Batch], name: str) -> list[Batch]:
    listed = isinstance(batches, Iterable) and not isinstance(batches, Tensor | np.ndarray | str | dict)
    if not listed or not (batches := list(batches)):
        raise ValueError(f"{name} must be a list of batches such as held_out_sentences gives, with at least one in it")
    return [_checked_batch(batch, f"{name}[{i}]") for i, batch in enumerate(batches)]


def _checked_optimiser(optimiser: Optimiser, model: nn.Module) -> Optimiser:
    """The optimiser, if it updates all parameters of this model that require a gradient, and no others."""
    updated = {id(p) for p in check_instance(optimiser, "optimiser", Optimiser).parameters}
    own = {id(p) for p in model.parameters() if p.requires_grad}
    if updated != own:
        got = f"{len(updated - own)} others and {len(own - updated)} left out; make it from model.parameters()"
        raise ValueError(f"optimiser must update the model's {len(own)} parameters that require a gradient, got {got}")
    return optimiser


def _words(layer: nn.Module) -> str:
    """What ``repr`` says of a layer, without the layers in it."""
    own = not getattr(type(layer).__repr__, "__module__", "").startswith("torch.")
    return repr(layer) if own else f"{type(layer).__name__}({layer.extra_repr()})"


def _settings(model: nn.Module, optimiser: Optimiser, config: TrainingConfig, batch: Batch) -> dict:
    """What decides about the numbers of a training, by name: "model.n_heads", "optimiser.betas", "training.steps", …

    Of a model its ``config`` counts, if it has one, and what ``repr`` says of each part. The first batch tells texts and
    orders apart. What there is most of comes last: a message names the first five differences.
    """
    names = {id(p): name for name, p in model.named_parameters()}
    design, lists = getattr(model, "config", None), {k: v for k, v in vars(optimiser).items() if isinstance(v, list)}
    parts = {
        "model": {"kind": type(model).__name__, **(asdict(design) if is_dataclass(design) else {})},
        "optimiser": {"kind": type(optimiser).__name__, **optimiser.settings},
        "training": asdict(config),
        "batches": {"first": hashlib.sha256(repr([(x.dtype, x.tolist()) for x in batch]).encode()).hexdigest()},
        "layers": {name or "whole": _words(x) for name, x in model.named_modules()},
        "state": {name: (*x.shape, x.dtype) for name, x in model.state_dict().items() if isinstance(x, Tensor)},
        "updated": {f"{k}[{i}]": names.get(id(p), type(p).__name__) for k, v in lists.items() for i, p in enumerate(v)},
    }
    told = {f"{part}.{name}": repr(value) for part, values in parts.items() for name, value in values.items()}
    return {name: re.sub(r" at 0x[0-9a-f]+", "", words) for name, words in told.items()}  # another in each process
