"""The reading half of the codec: believes nothing that it is told."""

import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from lmkit.grading import arrays
from lmkit.grading.arrays import NotData, typed
from lmkit.grading.tags import (
    ARRAY,
    BYTEARRAY,
    CALLBACK,
    COMPLEX,
    COUNTER,
    DECIMAL,
    DEEPEST,
    DEFAULTDICT,
    DEQUE,
    DICT,
    FACTORIES,
    FRACTION,
    FROZENSET,
    GENERATOR,
    HANDLE,
    INTEGER,
    KEEP,
    KEYS,
    LIST,
    LISTS,
    LONGEST_INTEGER,
    LONGEST_RANGE,
    NAME,
    OBJECTS,
    PAIRS,
    PLAIN,
    RANGE,
    SAME,
    SCALAR,
    SET,
    SLICE,
    TENSOR,
    TEXT,
    TUPLE,
    TUPLES,
)


class Handle(NamedTuple):
    """An object that stays on the other side: its number there, its type's name and what can be done with it."""

    number: int
    type_name: str
    abilities: str


class Unpacker:
    """Turns what MessagePack said back into values, and believes nothing.

    Args:
        held: what to make of a handle; without it a handle is an error.
        generators: the generators of the message, in order.
        trusted: what to make of a name or a callback. Given on the student's side only: there everything comes from the
            tests, which may also write what later references mean. Texts are interned there, so that a word is the same
            object as an equal one of the notebook, as it would be if the test ran there: ``word is EOS``.
        kept: what references mean, in order.

    Attributes:
        loose: whether something was read that can change and is not kept: a bytearray, an ``OrderedDict`` as a dict.
    """

    def __init__(
        self,
        held: Callable[[Handle], Any] | None = None,
        generators: Iterable[Any] = (),
        trusted: Callable[..., Any] | None = None,
        kept: Iterable[Any] = (),
    ) -> None:
        self.held, self.generators, self.trusted, self.kept = held, list(generators), trusted, list(kept)
        self.loose = False
        self._readers = _READERS if trusted is None else _THEIR_READERS

    def unpack(self, packed: Any, depth: int = 0) -> Any:
        """The value; ``NotData`` for anything that ``Packer`` would not have written."""
        if type(packed) is not list:
            if type(packed) in PLAIN:
                return packed if type(packed) is not str or self.trusted is None else sys.intern(packed)
            raise NotData(f"a bare {type(packed).__name__}")
        if depth >= 2 * DEEPEST:  # KEEP counts, too
            raise NotData(f"a value nested more than {DEEPEST} deep")
        try:
            return self._readers[packed[0]](self, depth + 1, *packed[1:])
        except NotData:
            raise
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RuntimeError) as error:
            raise NotData(f"a value that cannot be read ({type(error).__name__})") from None

    def items(self, packed: list, depth: int) -> list:
        """Each of the values."""
        return [self.unpack(part, depth) for part in typed(packed, list)]


def _interned(values: Iterable) -> list:
    return [sys.intern(value) if type(value) is str else value for value in values]


def _read_flat(unpacker: Unpacker, depth: int, values: list) -> list:
    kinds = set(map(type, typed(values, list)))
    if not kinds <= PLAIN:
        raise NotData("a container in a list of plain values")
    if unpacker.trusted is None or str not in kinds:
        return values
    return list(map(sys.intern, values)) if len(kinds) == 1 else _interned(values)


def _read_dict(unpacker: Unpacker, depth: int, pairs: dict) -> dict:
    if not (set(map(type, typed(pairs, dict))) <= KEYS and set(map(type, pairs.values())) <= PLAIN):
        raise NotData("a container in a dictionary of plain values")
    return pairs if unpacker.trusted is None else dict(zip(*map(_interned, (pairs, pairs.values())), strict=True))


def _read_pairs(unpacker: Unpacker, depth: int, parts: list) -> dict:
    values = unpacker.items(parts, depth)
    return dict(zip(values[::2], values[1::2], strict=True))


def _any_dict(unpacker: Unpacker, depth: int, packed: list) -> dict:
    if typed(packed, list)[0] not in (DICT, PAIRS):
        raise NotData("no dictionary where one is due")
    return _READERS[packed[0]](unpacker, depth, *packed[1:])


def _read_defaultdict(unpacker: Unpacker, depth: int, factory: str, packed: list) -> defaultdict:
    made = defaultdict(None if factory == "None" else FACTORIES[factory])
    made.update(_any_dict(unpacker, depth, packed))
    return made


def _read_counter(unpacker: Unpacker, depth: int, packed: list) -> Counter:
    counter = Counter()
    dict.update(counter, _any_dict(unpacker, depth, packed))
    return counter


def _read_integer(unpacker: Unpacker, depth: int, data: bytes) -> int:
    if len(typed(data, bytes)) > LONGEST_INTEGER // 8 + 1:
        raise NotData("an integer that is too long")
    return int.from_bytes(data, "little", signed=True)


def _read_range(unpacker: Unpacker, depth: int, *parts: Any) -> range:
    found = range(*(typed(unpacker.unpack(part, depth), int) for part in parts))
    if abs((found.stop - found.start) // found.step) > LONGEST_RANGE:
        raise NotData("a range that is too long")
    return found


def _read_objects(unpacker: Unpacker, depth: int, shape: list, values: list) -> np.ndarray:
    array = np.empty(len(typed(values, list)), dtype=object)
    for i, part in enumerate(values):
        array[i] = unpacker.unpack(part, depth)
    return array.reshape(arrays.read_shape(shape))


def _read_decimal(unpacker: Unpacker, depth: int, text: str) -> Decimal:
    if len(typed(text, str)) > 1000:
        raise NotData("a decimal that is too long")
    return Decimal(text)


def _read_handle(unpacker: Unpacker, depth: int, number: int, *names: str) -> Any:
    if unpacker.held is None:
        raise NotData("an object that is not data")
    type_name, abilities = (typed(name, str) for name in names)
    return unpacker.held(Handle(typed(number, int), type_name[:80], abilities[:16]))


_NOT_THEIRS = "what only the tests may write"
_HOLD_THEMSELVES: dict[int, Callable[[], Any]] = {LISTS: list, PAIRS: dict, DEQUE: deque}  # or may


def _read_same(unpacker: Unpacker, depth: int, place: int) -> Any:
    if not 0 <= typed(place, int) < len(unpacker.kept) or unpacker.kept[place] is None:
        raise NotData("a container of this kind that holds itself, or none that was sent")
    return unpacker.kept[place]


def _read_keep(unpacker: Unpacker, depth: int, packed: list) -> Any:
    if unpacker.trusted is None:
        raise NotData(_NOT_THEIRS)
    kept, place = unpacker.kept, len(unpacker.kept)
    make = _HOLD_THEMSELVES.get(packed[0])
    empty = make and make()
    kept.append(empty)  # what refers to it is read before it is full
    value = _READERS[packed[0]](unpacker, depth + 1, *packed[1:])
    if make is None:
        kept[place] = value
        return value
    (empty.update if make is dict else empty.extend)(value)
    return empty


def _read_trusted(tag: int) -> Callable[..., Any]:
    def read(unpacker: Unpacker, depth: int, *parts: Any) -> Any:
        if unpacker.trusted is None:
            raise NotData(_NOT_THEIRS)
        return unpacker.trusted(tag, *parts)

    return read


_READERS: dict[int, Callable[..., Any]] = {
    LIST: _read_flat,
    LISTS: lambda u, d, values: u.items(values, d),
    TUPLE: lambda u, d, values: tuple(_read_flat(u, d, values)),
    TUPLES: lambda u, d, values: tuple(u.items(values, d)),
    DICT: _read_dict,
    PAIRS: _read_pairs,
    SET: lambda u, d, values: set(u.items(values, d)),
    FROZENSET: lambda u, d, values: frozenset(u.items(values, d)),
    DEQUE: lambda u, d, values: deque(u.items(values, d)),
    COUNTER: _read_counter,
    DEFAULTDICT: _read_defaultdict,
    INTEGER: _read_integer,
    COMPLEX: lambda u, d, real, imaginary: complex(typed(real, float), typed(imaginary, float)),
    FRACTION: lambda u, d, *parts: Fraction(*(typed(u.unpack(part, d), int) for part in parts)),
    DECIMAL: _read_decimal,
    RANGE: _read_range,
    SLICE: lambda u, d, *parts: slice(*u.items(list(parts), d)),
    BYTEARRAY: lambda u, d, data: bytearray(typed(data, bytes)),
    TEXT: lambda u, d, data: u.unpack(typed(data, bytes).decode("utf-8", "surrogatepass")),
    SCALAR: lambda u, d, *parts: arrays.read_scalar(*parts),
    ARRAY: lambda u, d, *parts: arrays.read_array(*parts),
    OBJECTS: _read_objects,
    TENSOR: lambda u, d, *parts: arrays.read_tensor(*parts),
    GENERATOR: lambda u, d, place: u.generators[typed(place, int)],
    HANDLE: _read_handle,
    SAME: _read_same,
    KEEP: _read_keep,
} | {tag: _read_trusted(tag) for tag in (NAME, CALLBACK)}


def _loosely(reader: Callable[..., Any]) -> Callable[..., Any]:
    def read(unpacker: Unpacker, *parts: Any) -> Any:
        unpacker.loose = True
        return reader(unpacker, *parts)

    return read


_CHANGE = (LIST, LISTS, DICT, PAIRS, SET, COUNTER, DEFAULTDICT, DEQUE, BYTEARRAY, ARRAY, OBJECTS, TENSOR)
_THEIR_READERS = _READERS | {tag: _loosely(_READERS[tag]) for tag in _CHANGE}  # what is kept asks ``_READERS``
