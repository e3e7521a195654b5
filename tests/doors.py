"""Bad values for every kind of argument, and the walk that tries them on every public function and class.

A test module lists its functions in ``DOORS``: a call that works, and the kind of each argument. ``tests/test_doors.py`` puts
a bad value of that kind into one argument after the other. What must come is a ``ValueError`` that names the argument.
"""

import importlib
import inspect
import math
import re
import signal
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

NAN, INF = float("nan"), float("inf")
NOTHING = object()


# --- Values -----------------------------------------------------------------------------------------------------------


def bad_values(kind: str, good: object) -> list:
    """Values that an argument of this kind must refuse; ``good`` is the one that it accepts.

    Behind the kind may stand an option: of ids their number, of tensors and arrays the axes whose size is fixed. An
    "optional" kind is the one behind it with None allowed.
    """
    kind, _, option = kind.partition(" ")
    if kind == "optional":
        return [value for value in bad_values(option, good) if value is not None]
    if kind in SIMPLE:
        return SIMPLE[kind]()
    return OF_THE_GOOD[kind](good, option)


def _not_numbers() -> list:
    return [None, "3", [3], {}, 1j, np.array([3, 4]), Decimal(3), _generator(), NOTHING]


SIMPLE: dict[str, Callable[[], list]] = {
    "count": lambda: [*_not_numbers(), True, 2.5, 2.0, 0, -1, NAN, INF],  # an integer ≥ 1
    "index": lambda: [*_not_numbers(), True, 2.5, 2.0, -1, NAN, INF],  # an integer ≥ 0
    "seed": lambda: [*_not_numbers(), True, 2.5, -1, NAN],
    "number": lambda: [*_not_numbers(), True, NAN],
    "positive": lambda: [*_not_numbers(), True, NAN, 0, -1.0],  # infinite: where it has a meaning
    "nonnegative": lambda: [*_not_numbers(), True, NAN, -1.0],
    "probability": lambda: [*_not_numbers(), True, NAN, -0.1, 1.1, INF],
    "distribution": lambda: [None, "x", 1.0, [0.5, 0.6], [-0.5, 1.5], [NAN, 1.0], [[1.0]], ["a"], [], _generator()],
    "log_probs": lambda: [None, "x", -1.0, [0.5], [NAN], [[-1.0]], ["a"], [], [True], [-1j], _generator()],
    "flag": lambda: [None, "no", 2, [], NOTHING],
    "choice": lambda: [None, "no such choice", "", 3, ["x"], NOTHING],
    "text": lambda: [None, 3, b"x", ["x"], NOTHING],
    "words": lambda: [None, "the cat", 3, [1, 2], [["the"]], NOTHING],  # a list of words
    "sentences": lambda: [None, "the cat", 3, ["the cat"], [1], [[1]], NOTHING],  # a list of lists of words
    "object": lambda: [None, 3, "x", {}, object, NOTHING],  # a model, a config, an optimiser …
    "callable": lambda: [None, 3, "x", NOTHING],
    "rng": lambda: [None, 3, "x", NOTHING],
    "path": lambda: [None, 3, [], NOTHING],
}


class Endless:
    """Has a length and numbers one after the other, but no last one."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, i: int) -> int:
        return 0


def _generator() -> Iterator:
    yield from ([1, 2],)


def _bad_ids(good: object, option: str) -> list:
    """For ids (T,)."""
    high = int(option) if option else 10**6
    return [None, "text", 3, 2.5, [-1], [high], [0.5], [[0, 1]], [True, False], ["a"], [None], _generator(), {0: 1}, {0},
            [NAN], [1j], [[0], [0, 1]], np.array([0.0]), np.array([[0]]), deque([True, False]), Endless(),
            [Endless()]]  # fmt: skip


def _bad_sequences(good: object, option: str) -> list:
    """For a list of ids (T,)."""
    high = int(option) if option else 10**6
    return [None, "text", 3, [0, 1], np.array([0, 1]), ["a"], [[-1]], [[high]], [[0.5]], [[[0]]], [None], {0: [1]},
            [[True]], [[0], 1], [deque([True])], Endless(), [Endless()], [[Endless()]], _generator()]  # fmt: skip


def _bad_arrays(good: object, option: str) -> list:
    """For an array of numbers."""
    good = np.asarray(good, dtype=float)
    values = [None, "x", ["a"] * max(1, good.size), [[1.0], [1.0, 2.0]], _generator(), good[None, None], good + 1j,
              good.astype(object), good.astype(str), Endless(), [Endless()]]  # fmt: skip
    if good.size:
        values += [np.full_like(good, NAN), np.ones(good.shape, dtype=bool)]
    for axis in _axes(option, good.ndim):
        values.append(np.concatenate([good, good], axis=axis))
        if good.shape[axis] > 1:
            values.append(np.take(good, [0], axis=axis))  # of size 1: it would broadcast
    return values


def _bad_free_arrays(good: object, option: str) -> list:
    """For an array of numbers whose shape decides the others'."""
    good = np.asarray(good, dtype=float)
    return [None, "x", ["a"], [[1.0], [1.0, 2.0]], _generator(), good + 1j, good.astype(object), good.astype(str),
            np.full_like(good, NAN), np.ones(good.shape, dtype=bool)]  # fmt: skip


def _bad_tensors(good, option: str) -> list:
    """For a floating-point tensor."""
    import torch

    other = torch.float32 if good.dtype == torch.float64 else torch.float64  # than the weights or the other tensors
    values = [*_bad_free_tensors(good, option), 3.0, good[None, None], good.flatten()[0], good.to(other)]
    for axis in _axes(option, good.ndim):
        values.append(torch.cat([good, good], dim=axis))
        if good.shape[axis] > 1:
            values.append(good.narrow(axis, 0, 1))  # of size 1: it would broadcast
    return values


def _bad_free_tensors(good, option: str) -> list:
    """For a floating-point tensor of any shape."""
    import torch

    return [None, "x", good.tolist(), good.detach().numpy(), good.long(), good.bool(), good.to(torch.complex64),
            good.detach().to_sparse(), good.to("meta")]  # fmt: skip


def _bad_id_tensors(good, option: str) -> list:
    """For an int64 tensor (B, T)."""
    import torch

    high = int(option) if option else 10**6
    return [None, "x", 3, good.tolist(), good.numpy(), good.double(), good.int(), good.bool(), good[0], good[None],
            good[..., :0], good[:0], torch.full_like(good, -7), torch.full_like(good, high), good.to("meta")]  # fmt: skip


def _axes(option: str, ndim: int) -> list[int]:
    """The axes whose size is fixed: those of the option, or the last."""
    return [int(axis) for axis in option.split()] if option else [ndim - 1] if ndim else []


OF_THE_GOOD: dict[str, Callable[[object, str], list]] = {
    "ids": _bad_ids,
    "sequences": _bad_sequences,
    "array": _bad_arrays,
    "free_array": _bad_free_arrays,
    "tensor": _bad_tensors,
    "free_tensor": _bad_free_tensors,
    "id_tensor": _bad_id_tensors,
}


def other_forms(kind: str, good: object) -> list:
    """The good value in types that mean the same and must be accepted: numpy's numbers, an array for a list of ids."""
    kind = kind.removeprefix("optional ").partition(" ")[0]
    if kind in ("count", "index", "seed") and good is not None:
        return [np.int64(good), *([np.uint8(good)] if good < 256 else [])]  # a product of the latter wraps around
    if kind in ("number", "positive", "nonnegative", "probability") and good is not None and math.isfinite(good):
        return [np.float64(good)]
    if kind == "ids" and good is not None:
        return [np.asarray(good, dtype=np.int32), list(good), tuple(good)]
    return []


# --- Doors ------------------------------------------------------------------------------------------------------------


@dataclass
class Door:
    """A function or class, a call that works, and what each argument is.

    Attributes:
        call: what is tried.
        good: a function that gives arguments with which it works, made anew for each try.
        kinds: for each argument its kind (see ``bad_values``), or a list of bad values of its own; "any" refuses nothing.
        name: where the call is a lambda, which public function it stands for, as "module.Class.method".
        clashes: things that do not belong together: for an argument, functions that give it another value, good in itself,
            which the other arguments do not fit. They get the good arguments.
    """

    call: Callable
    good: Callable[[], dict]
    kinds: dict[str, str | list] = field(default_factory=dict)
    name: str = ""
    clashes: dict[str, list[Callable[[dict], object]]] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The public name, without the package's."""
        return self.name or f"{self.call.__module__}.{self.call.__qualname__}".removeprefix("lmkit.")

    def tries(self) -> Iterator[tuple[str, Callable[[dict], object]]]:
        """Every argument with every value that it must refuse, as a function of the good arguments."""
        for argument, kind in self.kinds.items():
            if kind == "any":
                continue
            for bad in kind if isinstance(kind, list) else bad_values(kind, self.good().get(argument)):
                yield argument, lambda good, bad=bad: bad
        for argument, makers in self.clashes.items():
            for make in makers:
                yield argument, make


def public(path: str) -> Callable:
    """The function or class of a path such as "module.Class.method"."""
    module, *names = path.split(".")
    item = importlib.import_module(f"lmkit.{module}")
    for name in names:
        item = getattr(item, name)
    return item


def parameters(path: str) -> set[str]:
    """The names of the arguments that a user may give."""
    found = inspect.signature(public(path)).parameters
    return {name for name, p in found.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)} - {
        "self",
        "cls",
        "ctx",
    }


class Hang(BaseException):
    """The call did not come back."""


@contextmanager
def time_limit(seconds: float):
    """Raise ``Hang`` if what is inside takes longer."""

    def stop(*_):
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def names(argument: str, message: str) -> bool:
    """Whether a message names the argument: as a word, and one of a single letter (an article?) at the beginning."""
    find = re.match if len(argument) == 1 else re.search
    return find(rf"(?<!\w){re.escape(argument)}(?![a-zA-Z0-9])", message) is not None


def complaints(door: Door, limit: float = 10) -> list[str]:
    """What is wrong with a door: every bad value that it accepts, hangs on, or fails at without a clear word."""
    missing = (parameters(door.path) if door.name else set(inspect.signature(door.call).parameters)) - set(door.kinds)
    if missing - {"args", "kwargs"}:
        return [f"{door.path}: kinds do not name {', '.join(sorted(missing))}"]
    with time_limit(6 * limit):
        door.call(**door.good())
    wrong = []
    for argument, make in door.tries():
        good = door.good()
        value = make(good)
        shown = f"{door.path}({argument}={value!r:.60})"
        try:
            with time_limit(limit):
                door.call(**{**good, argument: value})
        except ValueError as error:
            if not names(argument, str(error)):
                wrong.append(f"{shown}: the message does not name the argument: {error}")
        except Hang:
            wrong.append(f"{shown}: no answer within {limit:g} s")
        except Exception as error:
            wrong.append(f"{shown}: {type(error).__name__}: {error}")
        else:
            wrong.append(f"{shown}: accepted")
    return wrong + _refused_forms(door, limit)


def _refused_forms(door: Door, limit: float) -> list[str]:
    """What a door refuses although it means the same as what it accepts."""
    wrong = []
    for argument, kind in door.kinds.items():
        for value in other_forms(kind, door.good().get(argument)) if isinstance(kind, str) else ():
            try:
                with time_limit(6 * limit):
                    door.call(**{**door.good(), argument: value})
            except (Exception, Hang) as error:
                wrong.append(
                    f"{door.path}({argument}={value!r:.60}) of {type(value).__name__}: {error!r}, but it is good"
                )
    return wrong
