"""What the test cells of a homework share; a student's notebook imports it too, to run the visible tests.

Comparisons that forgive rounding and nothing else, loops that the grader can run where the student's code is, and the random
inputs of hidden tests, which come from the course's own secret and the notebook when the instructor grades.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

# Set by the grader, on its own side only, from the course's secret and the student's own answers.
secret = ""


def close(got: object, expected: float, within: float = 1e-5) -> bool:
    """Whether ``got`` is the number ``expected`` but for rounding: a float, a float32, a Fraction, an array of one number …

    False for what is no number. Infinities are equal to themselves; NaN is equal to nothing.
    """
    numbers, expected = _floats(got), float(np.squeeze(expected))
    if numbers is None or numbers.size != 1:  # a number is an array of one
        return False
    return math.isclose(numbers.item(), expected, rel_tol=within, abs_tol=0 if expected else 1e-15)


def all_close(got: object, expected: ArrayLike, within: float = 1e-5) -> bool:
    """Whether ``got`` has the shape of ``expected`` and is ``close`` to it in every number; False for what is no array."""
    numbers, expected = _floats(got), np.asarray(expected, dtype=float)
    return shape_of(numbers) == expected.shape and np.allclose(numbers, expected, within, np.where(expected, 0, 1e-15))


def shape_of(got: object) -> tuple[int, ...] | str:
    """The shape of an array or a list of numbers; for anything else the words "None" or "no array of numbers"."""
    return "None" if got is None else getattr(_floats(got), "shape", "no array of numbers")


def _floats(got: object) -> np.ndarray | None:
    """``got`` as an array of floats; None for texts, complex numbers, times and whatever else is no real number."""
    try:
        x = np.asarray(got.detach() if hasattr(got, "detach") else got)  # a tensor with a gradient is a number, too
        odd = x.dtype == "O" and any(isinstance(y, str | bytes | np.datetime64 | np.timedelta64) for y in x.flat)
        return x.astype(float) if x.dtype.kind in "biufO" and not odd else None
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return None


def repeat(function: Callable, times: int, *arguments: Any) -> list:
    """The results of ``times`` calls ``function(*arguments)``.

    Where the grader keeps the student's function in another process, the loop runs there: one message instead of many.
    """
    there = getattr(function, "_repeat", None)
    return there(times, *arguments) if there else [function(*arguments) for _ in range(times)]


def call_each(function: Callable, calls: Iterable[tuple]) -> list:
    """The results of ``function(*arguments)`` for each tuple of arguments, as ``repeat`` in one message."""
    calls = [tuple(arguments) for arguments in calls]
    there = getattr(function, "_call_each", None)
    return there(calls) if there else [function(*arguments) for arguments in calls]


def hidden_rng(label: str) -> np.random.Generator:
    """Random numbers for a hidden test: the same whenever the same notebook is graded, others for every other notebook.

    Without a secret, as in a student's own notebook, they hang on the label alone.
    """
    return np.random.default_rng(list(f"{secret}/{label}".encode()))
