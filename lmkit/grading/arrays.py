"""Arrays, tensors and random generators as bytes: the part of the codec that knows numpy and torch.

Reading takes whitelisted types, checks that shape and data agree, and always makes a copy of its own. torch is used where
it is already imported, and never imported.
"""

import math
import random
import sys
import zlib
from typing import Any

import numpy as np

MOST_DIMENSIONS = 32
DTYPE_KINDS = "biufcSU"  # numbers and texts; no objects, no records, no memory of others
TORCH_DTYPES = frozenset(
    "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64 complex128".split()
)
BIT_GENERATORS = frozenset({"PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"})


class NotData(ValueError):
    """What came is not written as values are, or is too large, too deep or of a type that may not cross."""


class TooLong(NotData):
    """A message is longer than may be."""


def typed(value: Any, kind: type) -> Any:
    """The value, if it is exactly of this type; otherwise ``NotData``."""
    if type(value) is not kind:
        raise NotData(f"a {type(value).__name__} where a {kind.__name__} is due")
    return value


def write_array(value: np.ndarray) -> list:
    """An array of numbers or texts: type, shape, bytes."""
    if value.dtype.kind not in DTYPE_KINDS:
        raise NotData(f"an array of type {value.dtype}")
    return [value.dtype.str, list(value.shape), value.tobytes()]


def read_array(dtype: str, shape: list, data: bytes) -> np.ndarray:
    """The array that ``write_array`` wrote, writeable."""
    kind, shape = read_dtype(dtype), read_shape(shape)
    if math.prod(shape) * kind.itemsize != len(typed(data, bytes)):
        raise NotData("an array whose shape and data differ")
    return np.ndarray(shape, kind, bytearray(data)) if data else np.zeros(shape, kind)


def write_scalar(value: np.generic) -> list:
    """One number of numpy's: type and bytes."""
    if value.dtype.kind not in DTYPE_KINDS:
        raise NotData(f"a number of type {value.dtype}")
    return [value.dtype.str, value.tobytes()[: value.dtype.itemsize]]  # of an empty text four zeros come


def read_scalar(dtype: str, data: bytes) -> np.generic:
    """The number that ``write_scalar`` wrote."""
    kind = read_dtype(dtype)
    if len(typed(data, bytes)) != kind.itemsize:
        raise NotData("a number of the wrong size")
    return np.frombuffer(data, kind, 1)[0] if data else kind.type()


def read_dtype(name: str) -> np.dtype:
    """A whitelisted numpy type."""
    found = np.dtype(name) if len(typed(name, str)) <= 12 and name[:1] in ("<", ">", "|", "=") else None
    if found is None or found.kind not in DTYPE_KINDS or found.shape or found.str != name:
        raise NotData("an array of a type that may not cross")
    return found


def read_shape(shape: list) -> tuple[int, ...]:
    """A shape: a few non-negative numbers."""
    if len(typed(shape, list)) > MOST_DIMENSIONS or any(type(n) is not int or not 0 <= n < 1 << 31 for n in shape):
        raise NotData("an array without a proper shape")
    return tuple(shape)


def is_tensor(value: Any) -> bool:
    """Whether it is a torch tensor; False while nobody has imported torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def write_tensor(value: Any) -> list:
    """A tensor without its graph: type, shape, bytes, whether it asks for a gradient, and the gradient of a leaf."""
    torch = sys.modules["torch"]
    name = str(value.dtype).removeprefix("torch.")
    if name not in TORCH_DTYPES or value.layout is not torch.strided or value.device.type != "cpu":
        raise NotData(f"a tensor of type {name} on {value.device.type}")
    flat = value.detach().resolve_conj().resolve_neg().contiguous().reshape(-1)
    data = flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""
    asks = bool(value.is_leaf and value.requires_grad)
    gradient = write_tensor(value.grad) if asks and value.grad is not None else None
    return [name, list(value.shape), data, asks, gradient]


def read_tensor(name: str, shape: list, data: bytes, asks: bool, gradient: list | None) -> Any:
    """The tensor that ``write_tensor`` wrote; where torch is not in use, an array of the same numbers."""
    if typed(name, str) not in TORCH_DTYPES:
        raise NotData("a tensor of a type that may not cross")
    torch, sizes = sys.modules.get("torch"), read_shape(shape)
    if torch is None:
        return read_array(np.dtype("uint16" if name == "bfloat16" else name).str, shape, data)
    dtype = getattr(torch, name)
    if math.prod(sizes) * dtype.itemsize != len(typed(data, bytes)):
        raise NotData("a tensor whose shape and data differ")
    found = torch.frombuffer(bytearray(data), dtype=dtype).reshape(sizes) if data else torch.zeros(sizes, dtype=dtype)
    if typed(asks, bool) and (dtype.is_floating_point or dtype.is_complex):
        found.requires_grad_()
        if gradient is not None:
            found.grad = read_tensor(*typed(gradient, list)[:3], False, None)
    return found


def is_generator(value: Any) -> bool:
    """Whether it is a random generator of numpy, of Python or of torch."""
    torch = sys.modules.get("torch")
    return isinstance(value, np.random.Generator | random.Random) or (
        torch is not None and isinstance(value, torch.Generator)
    )


def generator_state(generator: Any) -> list:
    """The state of a random generator, as plain values."""
    if isinstance(generator, np.random.Generator):
        state = generator.bit_generator.state
        if state["bit_generator"] in ("PCG64", "PCG64DXSM"):
            inner = state["state"]
            numbers = inner["state"].to_bytes(16, "little") + inner["inc"].to_bytes(16, "little")
            return [state["bit_generator"], numbers, state["has_uint32"], state["uinteger"]]
        parts = {key: _plain_state(part) for key, part in state.items() if isinstance(part, dict)}
        rest = {key: _plain_state(part) for key, part in state.items() if not isinstance(part, dict)}
        return [state["bit_generator"], {key: part for part in parts.values() for key, part in part.items()}, rest]
    if isinstance(generator, random.Random):
        version, numbers, gauss = generator.getstate()
        return ["random.Random", version, list(numbers), gauss]
    return ["torch.Generator", generator.get_state().numpy().tobytes()]


def _plain_state(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: _plain_state(value) for key, value in part.items()}
    return [part.dtype.str, part.tobytes()] if isinstance(part, np.ndarray) else part


def set_state(generator: Any, written: list) -> None:
    """Puts a generator of the same kind into the state that ``generator_state`` wrote."""
    name = typed(written, list)[0]
    if isinstance(generator, np.random.Generator):
        generator.bit_generator.state = _numpy_state(written)  # refuses the state of another kind
    elif isinstance(generator, random.Random) and name == "random.Random":
        generator.setstate((written[1], tuple(typed(written[2], list)), written[3]))
    elif name == "torch.Generator":
        generator.set_state(sys.modules["torch"].frombuffer(bytearray(written[1]), dtype=sys.modules["torch"].uint8))
    else:
        raise NotData("the state of another generator")


def _numpy_state(written: list) -> dict:
    name = written[0]
    if name in ("PCG64", "PCG64DXSM"):
        _, numbers, has_uint32, uinteger = written
        if len(typed(numbers, bytes)) != 32 or has_uint32 not in (0, 1) or not 0 <= typed(uinteger, int) < 1 << 32:
            raise NotData("not the state of a generator")
        inner = {"state": int.from_bytes(numbers[:16], "little"), "inc": int.from_bytes(numbers[16:], "little") | 1}
        return {"bit_generator": name, "state": inner, "has_uint32": has_uint32, "uinteger": uinteger}
    if name not in BIT_GENERATORS:
        raise NotData("the state of an unknown generator")
    _, inner, rest = written
    return {**_array_state(typed(rest, dict)), "state": _array_state(typed(inner, dict)), "bit_generator": name}


def _array_state(part: dict) -> dict:
    def restored(value: Any) -> Any:
        return np.frombuffer(typed(value[1], bytes), read_dtype(value[0])).copy() if type(value) is list else value

    return {key: restored(value) for key, value in part.items()}


def new_generator(written: list) -> Any:
    """A generator of its own in a written state."""
    name = typed(written, list)[0]
    if name == "random.Random":
        made: Any = random.Random()
    elif name == "torch.Generator":
        made = sys.modules["torch"].Generator()
    elif name in BIT_GENERATORS:
        # What spawns from it hangs on its seed, not on its state: another one for each state.
        made = np.random.Generator(getattr(np.random, name)(zlib.crc32(repr(written).encode())))
    else:
        raise NotData("an unknown generator")
    set_state(made, written)
    return made
