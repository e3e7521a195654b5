"""Values as data: what may cross the border between trusted tests and a student's code, and how it is written.

MessagePack, written and read by ``msgspec``. Plain numbers, texts, bytes and None stand for themselves; everything else
is an array ``[tag, …]``, so nothing has to be guessed. Reading builds data of known types and nothing else: there is no
pickle, no import and no call of a constructor that the other side could name. Both sides use this module; only the
trusted side relies on it.

A random generator is written as ``[GENERATOR, i]``; the states of all generators of a message travel beside the values
(``Packer.generators``), so that the reply can bring them back. What is not data travels as a handle, a number that the
side owning the object can look up, if that side gives the packer a ``hold``.
"""

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np

from lmkit.grading import arrays
from lmkit.grading.arrays import NotData
from lmkit.grading.tags import (
    ARRAY,
    BYTEARRAY,
    COMPLEX,
    COUNTER,
    DECIMAL,
    DEEPEST,
    DEFAULTDICT,
    DEQUE,
    DICT,
    FACTORY_NAMES,
    FRACTION,
    FROZENSET,
    GENERATOR,
    INTEGER,
    KEEP,
    KEYS,
    LIST,
    LISTS,
    LONGEST_INTEGER,
    OBJECTS,
    PAIRS,
    PLAIN,
    RANGE,
    SAME,
    SCALAR,
    SET,
    SHARED,
    SLICE,
    TENSOR,
    TEXT,
    TUPLE,
    TUPLES,
)
from lmkit.grading.unpacking import Handle, Unpacker

__all__ = ["Handle", "NotData", "Packer", "Unpacker", "decode", "encode"]

_TEXTS = {str}
encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode


def decode(data: bytes) -> Any:
    """MessagePack's own types; ``NotData`` if it is no MessagePack."""
    try:
        return _decode(data)
    except (msgspec.DecodeError, RecursionError, ValueError, TypeError, MemoryError) as error:
        raise NotData(f"bytes that are no message ({type(error).__name__})") from None


class Packer:
    """Turns values into what MessagePack can say.

    Args:
        hold: called with what is not data; returns what to write, or raises. Without it such a value is an error.
        share: writes a container that occurs again as a reference to the first, as the other side shall see it.
        generators: of an earlier message, whose places are kept.
        kept: the containers of an earlier message, in its order; each is written as a reference to that one.
    """

    def __init__(
        self,
        hold: Callable[[Any], list] | None = None,
        share: bool = False,
        generators: Iterable[Any] = (),
        kept: Iterable[Any] = (),
    ) -> None:
        self.hold, self.share = hold, share
        self.generators: list[Any] = list(generators)
        self._places = {id(generator): i for i, generator in enumerate(self.generators)}
        # By id; holds the value too, so that no id is used again.
        self.kept: dict[int, tuple[int, Any]] = {id(value): (i, value) for i, value in enumerate(kept)}

    def place(self, generator: Any) -> int:
        """The generator's place in ``generators``, where it is put if it is not there."""
        if id(generator) not in self._places:
            self._places[id(generator)] = len(self.generators)
            self.generators.append(generator)
        return self._places[id(generator)]

    def knows(self, generator: Any) -> bool:
        """Whether the other side has this generator, too."""
        return id(generator) in self._places

    def pack(self, value: Any, depth: int = 0) -> Any:
        """The value in MessagePack's own types."""
        kind = type(value)
        if kind in PLAIN:
            if kind is int and not -(1 << 63) <= value < 1 << 63:
                return [INTEGER, _integer_bytes(value)]
            return value if kind is not str or value.isascii() else _text(value)
        if id(value) in self.kept:
            return [SAME, self.kept[id(value)][0]]
        if not (self.share and (kind in SHARED or arrays.is_tensor(value))):
            return self.write(value, depth)
        self.kept[id(value)] = (len(self.kept), value)
        return [KEEP, self.write(value, depth)]

    def write(self, value: Any, depth: int = 0) -> Any:
        """What stands in a value that is not plain, whether or not it is kept."""
        if depth >= DEEPEST:
            raise NotData(f"a value nested more than {DEEPEST} deep")
        kind = type(value)
        write = _WRITERS.get(kind) or next((_WRITERS[base] for base in kind.__mro__ if base in _WRITERS), _write_other)
        return write(self, value, depth + 1)

    def items(self, values: Iterable, depth: int) -> list:
        """Each of the values packed."""
        return [self.pack(value, depth) for value in values]


def _integer_bytes(value: int) -> bytes:
    if value.bit_length() > LONGEST_INTEGER:
        raise NotData(f"an integer of {value.bit_length()} bits")
    return value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)


def _text(value: str) -> Any:
    try:
        value.encode()
        return value
    except UnicodeEncodeError:  # half a character: legal in Python, not in MessagePack
        return [TEXT, value.encode("utf-8", "surrogatepass")]


def _flat(values: Iterable) -> bool:
    """Whether the values can be written in one piece: ordinary numbers and plain ASCII texts, the great majority."""
    kinds = set(map(type, values))
    if kinds == _TEXTS:
        return "".join(values).isascii()
    if not kinds <= PLAIN:
        return False
    if int in kinds and not all(-(1 << 63) <= v < 1 << 63 for v in values if type(v) is int):
        return False
    return str not in kinds or all(v.isascii() for v in values if type(v) is str)


def _write_list(packer: Packer, value: list, depth: int) -> list:
    value = list.__getitem__(value, slice(None))
    return [LIST, value] if _flat(value) else [LISTS, packer.items(value, depth)]


def _write_tuple(packer: Packer, value: tuple, depth: int) -> list:
    value = list(tuple.__iter__(value))
    return [TUPLE, value] if _flat(value) else [TUPLES, packer.items(value, depth)]


def _write_dict(packer: Packer, value: dict, depth: int) -> list:
    pairs = dict(dict.items(value))
    if set(map(type, pairs)) <= KEYS and _flat(pairs) and _flat(pairs.values()):
        return [DICT, pairs]
    return [PAIRS, packer.items((part for pair in pairs.items() for part in pair), depth)]


def _write_defaultdict(packer: Packer, value: defaultdict, depth: int) -> list:
    factory = value.default_factory
    name = FACTORY_NAMES.get(factory, "") if factory is not None else "None"
    if not name:  # a function of its own: known by the type of what it makes
        name = FACTORY_NAMES.get(type(factory()), "")
    return [DEFAULTDICT, name, _write_dict(packer, value, depth)] if name else _write_dict(packer, value, depth)


def _write_array(packer: Packer, value: np.ndarray, depth: int) -> list:
    value = np.asarray(value)
    if value.dtype.kind == "O":
        return [OBJECTS, list(value.shape), packer.items(value.ravel().tolist(), depth)]
    return [ARRAY, *arrays.write_array(value)]


def _write_other(packer: Packer, value: Any, depth: int) -> Any:
    if arrays.is_tensor(value):
        return [TENSOR, *arrays.write_tensor(value)]
    if arrays.is_generator(value) and (packer.share or packer.hold is None or packer.knows(value)):
        return [GENERATOR, packer.place(value)]
    if packer.hold is None:
        raise NotData(f"a value of type {type(value).__name__}")
    return packer.hold(value)


def _set_writer(tag: int, kind: type) -> Callable[[Packer, Any, int], list]:
    return lambda packer, value, depth: [tag, packer.items(kind.__iter__(value), depth)]


_WRITERS: dict[type, Callable[[Packer, Any, int], Any]] = {
    list: _write_list,
    tuple: _write_tuple,
    dict: _write_dict,
    OrderedDict: _write_dict,
    MappingProxyType: lambda p, v, d: _write_dict(p, dict(v), d),
    defaultdict: _write_defaultdict,
    Counter: lambda p, v, d: [COUNTER, _write_dict(p, v, d)],
    set: _set_writer(SET, set),
    frozenset: _set_writer(FROZENSET, frozenset),
    deque: _set_writer(DEQUE, deque),
    int: lambda p, v, d: p.pack(int.__index__(v), d),  # from here: also the base types of a student's own classes
    float: lambda p, v, d: float.__float__(v),
    str: lambda p, v, d: _text(str.__str__(v)),
    bytes: lambda p, v, d: bytes.__getitem__(v, slice(None)),
    bytearray: lambda p, v, d: [BYTEARRAY, bytes(v)],
    complex: lambda p, v, d: [COMPLEX, v.real, v.imag],
    Fraction: lambda p, v, d: [FRACTION, p.pack(v.numerator, d), p.pack(v.denominator, d)],
    Decimal: lambda p, v, d: [DECIMAL, str(v)],
    range: lambda p, v, d: [RANGE, *p.items((v.start, v.stop, v.step), d)],
    slice: lambda p, v, d: [SLICE, *p.items((v.start, v.stop, v.step), d)],
    np.ndarray: _write_array,
    np.generic: lambda p, v, d: [SCALAR, *arrays.write_scalar(v)],
}
_WRITERS |= {kind: _WRITERS[np.generic] for kind in (np.float64, np.str_, np.bytes_, np.complex128)}  # also float, …
