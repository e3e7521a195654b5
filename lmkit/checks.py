"""The checks that guard every public door.

Each takes a value and the name of the argument that it came in, and gives the value back in the type that the code behind
the door works with, or raises a ``ValueError`` that names the argument, what came and what was expected. A wrong type is a
``ValueError`` too: whoever calls need not know which of the two it is. Shapes are written as the docstrings write them: "B T d".
"""

import math
import numbers
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from torch import Tensor

Shape = str | tuple[int | str, ...]  # names of axes, as "B T d", or sizes and names
NO_ARRAYS = type(None), str, bytes, bytearray, memoryview, dict, set, np.ma.MaskedArray  # whose mask would be lost
NO_NUMBERS = bool, np.bool_, np.timedelta64  # though Python or numpy count them among the integers


def check_integer(value: int, name: str, low: int, high: int | None = None) -> int:
    """``value`` as an int within low … high; neither True nor 2.0 is an integer."""
    # The type that most values have is asked first, here and below: to ask an abstract class takes five times as long.
    whole = type(value) is int or (isinstance(value, numbers.Integral) and not isinstance(value, NO_NUMBERS))
    if not whole or value < low or (high is not None and value > high):
        expected = f"an integer ≥ {low}" if high is None else f"an integer {low} … {high}"
        raise ValueError(f"{name} must be {expected}, got {value if whole else _show(value)}")
    return int(value)


def check_sizes(**sizes: int) -> list[int]:
    """The named values, each an int ≥ 1."""
    return [check_integer(size, name, low=1) for name, size in sizes.items()]


def check_number(
    value: float,
    name: str,
    low: float | None = None,
    high: float | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
    infinite: bool = False,
) -> float:
    """``value`` as a float with low ≤ value ≤ high and above < value < below; never NaN, infinite only if that is allowed."""
    limits = [("≥", ge, low), (">", gt, above), ("≤", le, high), ("<", lt, below)]
    given = [(sign, holds, limit) for sign, holds, limit in limits if limit is not None]
    expected = " ".join(["a number", " and ".join(f"{sign} {limit:g}" for sign, _, limit in given)]).strip()
    if isinstance(value, NO_NUMBERS) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError(f"{name} must be {expected}, got {_show(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name} must be {expected}, got one that is too large for a float") from None
    allowed = math.isfinite(number) or (infinite and not math.isnan(number))
    if not allowed or not all(holds(number, limit) for _, holds, limit in given):
        raise ValueError(f"{name} must be {expected}, got {value}")
    return number


def check_flag(value: bool, name: str) -> bool:
    """``value`` as a bool: True or False, and nothing that merely counts as one."""
    if type(value) is not bool and not isinstance(value, np.bool_):
        raise ValueError(f"{name} must be True or False, got {_show(value)}")
    return bool(value)


def check_choice(value: str, name: str, choices: Collection[str]) -> str:
    """``value`` if it is one of ``choices``."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {_show(value)}")
    return value


def check_texts(value: str | Iterable, name: str) -> Iterable:
    """``value`` as several texts; a str is one, the keys of a dict or of counts are none."""
    if isinstance(value, Mapping | bytes) or not isinstance(value, Iterable) or getattr(value, "ndim", 1) == 0:
        raise ValueError(f"{name} must be a text or several, got {_show(value)}")
    return [value] if isinstance(value, str) else value


def check_fields(
    config: Any, sizes: str = "", flags: str = "", choices: Mapping | None = None, naturals: str = "", **limits: dict
) -> None:
    """The named fields of a configuration: ``sizes`` integers ≥ 1, ``naturals`` ≥ 0, flags, each choice one of its own.

    Each number named in ``limits`` is within its own, as ``check_number`` takes them. If there is a ``bos_id``, that is one
    of the ids 0 … vocab_size−1. Integers, numbers and flags are stored as Python's own.
    """
    wanted = [(name, 1, None) for name in sizes.split()] + [(name, 0, None) for name in naturals.split()]
    if hasattr(config, "bos_id"):
        wanted.append(("bos_id", 0, check_integer(config.vocab_size, "vocab_size", low=1) - 1))
    for name, low, high in wanted:  # stored, since a product of numpy's small integers wraps around
        object.__setattr__(config, name, check_integer(getattr(config, name), name, low, high))
    for name in flags.split():
        object.__setattr__(config, name, check_flag(getattr(config, name), name))
    for name, within in limits.items():
        object.__setattr__(config, name, check_number(getattr(config, name), name, **within))
    for name, allowed in (choices or {}).items():
        check_choice(getattr(config, name), name, allowed)


def check_instance(value: Any, name: str, kind: type | tuple[type, ...]) -> Any:
    """``value`` if it is an instance of ``kind``."""
    if not isinstance(value, kind):
        kinds = kind if isinstance(kind, tuple) else (kind,)
        raise ValueError(f"{name} must be a {' or a '.join(k.__name__ for k in kinds)}, got {_show(value)}")
    return value


def check_list(value: Sequence | np.ndarray, name: str, expected: str = "a list") -> Sequence | np.ndarray:
    """``value`` if it is a list, a tuple or an array that has a length; ``expected`` says of what."""
    listed = type(value) in (list, tuple) or (isinstance(value, Sequence) and not isinstance(value, str | bytes))
    if not listed and not (isinstance(value, np.ndarray) and value.ndim):
        raise ValueError(f"{name} must be {expected}, got {_show(value)}")
    return value


def check_words(value: Sequence[str], name: str) -> list[str]:
    """``value`` as a list of words; a text is none, it must be split first."""
    for i, word in enumerate(check_list(value, name, "a list of words")):
        if not isinstance(word, str):
            raise ValueError(f"{name} must be a list of words, got {_show(word)} at {i}")
    return list(value)


def check_token_ids(tokens: ArrayLike, name: str, vocab_size: int, *, empty: bool = True) -> np.ndarray:
    """``tokens`` as a one-dimensional int64 array of ids 0 … vocab_size−1; it may be empty, unless ``empty`` is False."""
    ids = _as_array(tokens, name, "token ids of shape (T,)")
    if ids.ndim != 1:
        raise ValueError(f"{name} must have shape (T,), got {ids.shape}")
    if not empty and not len(ids):
        raise ValueError(f"{name} must not be empty")
    ids = ids if len(ids) else np.zeros(0, dtype=np.int64)  # of any type
    if ids.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integer token ids, got dtype {ids.dtype}; encode text with a tokenizer first")
    outside = (ids < 0) | (ids >= vocab_size)
    if outside.any():
        at = int(outside.argmax())
        raise ValueError(f"{name}[{at}] is {ids[at]}, outside the vocabulary of ids 0 … {vocab_size - 1}")
    return ids.astype(np.int64)


def check_sequences(
    sequences: Sequence[ArrayLike], name: str, vocab_size: int, *, empty: bool = True
) -> list[np.ndarray]:
    """``sequences`` as a list of id arrays, each as ``check_token_ids`` gives it; nothing is empty if ``empty`` is False."""
    expected = "a list of id sequences"
    for i, sequence in enumerate(check_list(sequences, name, expected)):
        if isinstance(sequence, numbers.Number):
            raise ValueError(f"{name} must be {expected}, got a number at {i}; put one sequence into a list")
    if not empty and not len(sequences):
        raise ValueError(f"{name} must not be empty")
    return [check_token_ids(ids, f"{name}[{i}]", vocab_size, empty=empty) for i, ids in enumerate(sequences)]


def check_array(value: ArrayLike, name: str, shape: Shape, *, finite: bool = True, **sizes: int) -> np.ndarray:
    """``value`` as a float64 array of a shape such as "T d" (see ``check_shape``), without NaN and, if ``finite``, infinities."""
    array = _as_array(value, name, "an array of numbers")
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must be an array of numbers, got dtype {array.dtype}")
    check_shape(array.shape, name, shape, **sizes)
    array = array.astype(np.float64)
    wrong = ~np.isfinite(array) if finite else np.isnan(array)
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0].tolist())
        raise ValueError(f"{name}{list(at) or ''} is {array[at]}, expected a {'finite ' if finite else ''}number")
    return array


def check_distribution(p: ArrayLike, name: str) -> np.ndarray:
    """``p`` as a float64 array (K,) of numbers ≥ 0 that sum to 1."""
    p = check_array(p, name, "K")
    if not (p >= 0).all() or not abs(p.sum() - 1) < 1e-6:
        raise ValueError(f"{name} must be numbers ≥ 0 that sum to 1, got least {p.min(initial=0):g}, sum {p.sum():g}")
    return p


def check_tensor(
    x: "Tensor", name: str, shape: Shape, dtype: str = "floating", *, like: "Tensor | None" = None, **sizes: int
) -> "Tensor":
    """``x`` if it is a tensor of a shape such as "B T d" (see ``check_shape``) and a dtype "floating", "int64" or "bool".

    With ``like`` its dtype and device are that tensor's.
    """
    import torch

    if not isinstance(x, torch.Tensor):
        raise ValueError(f"{name} must be a tensor, got {_show(x)}")
    fits = x.is_floating_point() if dtype == "floating" else str(x.dtype) == f"torch.{dtype}"
    if not fits:
        raise ValueError(f"{name} must be of dtype {dtype}, got {str(x.dtype).removeprefix('torch.')}")
    if like is not None and (x.dtype != like.dtype or x.device != like.device):
        raise ValueError(f"{name} must be {like.dtype} on {like.device}, got {x.dtype} on {x.device}")
    if x.layout != torch.strided or x.is_meta or x.is_nested:  # neither is made for what is computed here
        raise ValueError(f"{name} must be a dense tensor, got {'nested ' * x.is_nested}{x.layout} on {x.device}")
    check_shape(x.shape, name, shape, **sizes)
    return x


def check_finite(x: "Tensor", name: str) -> "Tensor":
    """``x`` if it is a floating-point tensor without NaN and infinities."""
    if not check_tensor(x, name, "…").isfinite().all():
        raise ValueError(f"{name} must hold finite numbers, got NaN or infinity")
    return x


def check_id_tensor(
    x: "Tensor", name: str, vocab_size: int, *, lowest: int = 0, shape: Shape = "B T", **sizes: int
) -> "Tensor":
    """``x`` if it is an int64 tensor, not empty, of ids lowest … vocab_size−1 (``lowest=IGNORE`` lets padding pass)."""
    check_tensor(x, name, shape, "int64", empty=False, **sizes)
    low, high = (int(i) for i in x.aminmax())
    if low < lowest or high >= vocab_size:
        raise ValueError(f"{name} holds {low} … {high}, expected {lowest} … {vocab_size - 1}")
    return x


@lru_cache(maxsize=1024)  # a training run asks the same at every step
def check_shape(got: tuple[int, ...], name: str, shape: Shape, *, empty: bool = True, **sizes: int) -> None:
    """Raise unless ``got`` is ``shape``: names of axes, of which ``sizes`` may fix some; "… T d" leaves the first ones free.

    An axis without a size may have any, also 0 unless ``empty`` is False; a number stands for itself.
    """
    axes = shape.split() if isinstance(shape, str) else [str(axis) for axis in shape]
    wanted = [int(axis) if axis.isdigit() else sizes.get(axis) for axis in axes]
    if axes[:1] == ["…"]:
        wanted = [None] * (len(got) - len(axes) + 1) + wanted[1:]
    if len(got) != len(wanted) or any(w not in (None, g) for w, g in zip(wanted, got, strict=True)):
        text = ", ".join(axis if sizes.get(axis) is None else f"{axis}={sizes[axis]}" for axis in axes)
        raise ValueError(f"{name} must have shape ({text}{',' * (len(axes) == 1)}), got {tuple(got)}")
    if not empty and 0 in got:
        raise ValueError(f"{name} must not be empty, got shape {tuple(got)}")


def _as_array(value: ArrayLike, name: str, expected: str) -> np.ndarray:
    if type(value) is np.ndarray:  # most are, and quickly told
        return value
    if isinstance(value, NO_ARRAYS) or _unfit(value):
        raise ValueError(f"{name} must be {expected} without True or False, got {_show(value)}")
    try:
        return np.asarray(value)
    except (ValueError, TypeError, RuntimeError) as error:
        reason = "its parts differ in shape" if "inhomogeneous" in str(error) else error
        raise ValueError(f"{name} must be {expected}, got {_show(value)}: {reason}") from None


def _unfit(value: ArrayLike) -> bool:
    """Whether it is or holds flags or other things that numpy would take for numbers, or what it would never read to the end."""
    odd = isinstance(value, bytearray | memoryview | np.ma.MaskedArray) or "bool" in str(getattr(value, "dtype", ""))
    if odd or not isinstance(value, Sequence) or isinstance(value, str | range):
        return odd or hasattr(value, "__len__") != hasattr(value, "__iter__")
    kinds = set(map(type, value))
    return not kinds.isdisjoint(NO_NUMBERS) or (any(hasattr(k, "__len__") for k in kinds) and any(map(_unfit, value)))


def _show(value: object) -> str:
    """The value, short, with its type where the value alone might mislead."""
    text = repr(value)
    text = text if len(text) <= 60 else text[:57] + "…"
    return "None" if value is None else f"{text} ({type(value).__name__})"
