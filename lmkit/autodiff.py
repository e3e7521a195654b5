"""Automatic differentiation of any formula: numbers that remember how they were computed.

The chain rule of ``lmkit.backprop``, applied by the machine to one number at a time. It is what PyTorch does with tensors.

Sources: Linnainmaa (1970) for the method, the reverse mode; Rumelhart, Hinton & Williams (1986) for its use in neural
networks; Karpathy's micrograd (2020) for the idea of teaching it with single numbers.
"""

import itertools
import math
from collections.abc import Sequence
from math import isfinite
from numbers import Real
from operator import attrgetter, mul

_births = itertools.count()


class Value:
    """A number that remembers what it was computed from, so that ``backward`` finds its derivatives.

    Numbers may stand on either side of + − * / **. As in PyTorch, the gradients of the values that a formula starts
    from add up over several calls of ``backward``, until you set them to 0.

    Attributes:
        data: the number.
        grad: ∂L/∂(this value), after ``L.backward()``.
        parents: the values that it was computed from.
        derivatives: ∂(this value)/∂(parent) for each parent, at the numbers of that moment.

    Raises:
        ValueError: for what is not a finite number, or where a function or its derivative has no value.
    """

    __slots__ = ("data", "grad", "parents", "derivatives", "birth")

    def __init__(self, data: float) -> None:
        self.data = _number(data, "data")
        self.grad = 0.0
        self.parents: Sequence[Value] = ()
        self.derivatives: Sequence[float] = ()
        self.birth = next(_births)

    def __repr__(self) -> str:
        return f"Value({self.data:.6g}, grad={self.grad:.6g})"

    def __add__(self, other: "Value | float") -> "Value":
        if isinstance(other, Value):
            return _result(self.data + other.data, (self, other), (1.0, 1.0))
        return _result(self.data + _number(other), (self,), (1.0,))

    def __sub__(self, other: "Value | float") -> "Value":
        if isinstance(other, Value):
            return _result(self.data - other.data, (self, other), (1.0, -1.0))
        return _result(self.data - _number(other), (self,), (1.0,))

    def __mul__(self, other: "Value | float") -> "Value":
        if isinstance(other, Value):
            return _result(self.data * other.data, (self, other), (other.data, self.data))
        factor = _number(other)
        return _result(self.data * factor, (self,), (factor,))

    def __truediv__(self, other: "Value | float") -> "Value":
        other = other if isinstance(other, Value) else Value(other)
        if other.data == 0:
            raise ValueError(f"cannot divide {self.data} by zero")
        ratio = self.data / other.data
        slopes = _number(1 / other.data, "a derivative"), _number(-ratio / other.data, "a derivative")
        return _result(ratio, (self, other), slopes)

    def __pow__(self, other: "Value | float") -> "Value":
        x, n = self.data, other.data if isinstance(other, Value) else _number(other)
        try:
            power = _number(x**n)  # Python's roots of negative numbers are complex
            by_x = _number(n * x ** (n - 1)) if n else 0.0
            if isinstance(other, Value):
                return _result(power, (self, other), (by_x, _number(power * math.log(x))))
            return _result(power, (self,), (by_x,))
        except (ArithmeticError, ValueError):
            raise ValueError(f"({x}) ** {n} or its derivative is not a finite real number") from None

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: float) -> "Value":
        return _result(_number(other) - self.data, (self,), (-1.0,))

    def __rtruediv__(self, other: float) -> "Value":
        return Value(other) / self

    def __rpow__(self, other: float) -> "Value":
        return Value(other) ** self

    def __neg__(self) -> "Value":
        return 0.0 - self

    def exp(self) -> "Value":
        """e^x."""
        try:
            y = math.exp(self.data)
        except OverflowError:
            raise ValueError(f"exp({self.data}) is too large; in a softmax, first subtract the largest logit") from None
        return _result(y, (self,), (y,))

    def log(self) -> "Value":
        """The natural logarithm of x > 0."""
        if not self.data > 0:
            raise ValueError(f"log needs a number above 0, got {self.data}")
        return _result(math.log(self.data), (self,), (_number(1 / self.data, "a derivative"),))

    def tanh(self) -> "Value":
        """The hyperbolic tangent."""
        y = math.tanh(self.data)
        return _result(y, (self,), (1 - y * y,))

    def relu(self) -> "Value":
        """max(x, 0); its derivative at 0 is taken to be 0."""
        return _result(max(self.data, 0.0), (self,), (float(self.data > 0),))

    def backward(self) -> None:
        """Differentiate this value by everything that it was computed from.

        For every v without parents ∂(this value)/∂v is added to ``v.grad``; for all others ``grad`` is set anew.
        """
        reached, to_visit = {self}, [self]
        while to_visit:  # a loop, for Python's recursion ends at a depth of 1000
            for parent in to_visit.pop().parents:
                if parent not in reached:
                    reached.add(parent)
                    to_visit.append(parent)
        for value in reached:
            if value.parents:
                value.grad = 0.0
        self.grad += 1.0
        # The chain rule: ∂L/∂parent = Σ ∂L/∂child · ∂child/∂parent over its children. They were all born after it, so from
        # the youngest value to the oldest every gradient is complete when it is passed on.
        for value in sorted(reached, key=attrgetter("birth"), reverse=True):
            for parent, derivative in zip(value.parents, value.derivatives, strict=True):
                parent.grad += value.grad * derivative


def dot(a: Sequence[Value | float], b: Sequence[Value | float]) -> Value:
    """Σ_i a_i b_i as one value with many parents: the same derivatives as term by term, many times as fast."""
    a_data, b_data = _numbers(a, "a"), _numbers(b, "b")
    if len(a_data) != len(b_data):
        raise ValueError(f"b must be as long as a, {len(a_data)}, got {len(b_data)}")
    parents, derivatives = [], []
    for vector, factors in ((a, b_data), (b, a_data)):
        for v, factor in zip(vector, factors, strict=True):
            if isinstance(v, Value):
                parents.append(v)
                derivatives.append(factor)
    return _result(sum(map(mul, a_data, b_data)), parents, derivatives)


def _result(data: float, parents: Sequence[Value], derivatives: Sequence[float]) -> Value:
    """The value of a formula."""
    if not isfinite(data):
        raise ValueError(f"the result of a formula must be a finite number, got {data}")
    value = Value.__new__(Value)
    value.data, value.grad, value.parents, value.derivatives = data, 0.0, parents, derivatives
    value.birth = next(_births)
    return value


def _number(x: float, name: str = "a term or factor") -> float:
    if type(x) is not float:
        # numpy's spans of time count among the integers, too. To ask an abstract class takes long, and most are integers.
        if type(x) is not int and (type(x).__name__ in ("bool", "timedelta64") or not isinstance(x, Real)):
            raise ValueError(f"{name} must be a number or a Value, got {x!r}")
        try:
            x = float(x)
        except OverflowError:
            raise ValueError(f"{name} must be a finite number, got an integer too large for a float") from None
    if not isfinite(x):
        raise ValueError(f"{name} must be a finite number, got {x}")
    return x


def _numbers(vector: Sequence[Value | float], name: str) -> list[float]:
    listed = hasattr(vector, "__getitem__") and hasattr(vector, "__len__") and hasattr(vector, "__iter__")
    if not listed or getattr(vector, "ndim", 1) != 1 or isinstance(vector, str | bytes | bytearray | memoryview | dict):
        raise ValueError(f"{name} must be a list of numbers and Values, got {vector!r}")
    return [v.data if isinstance(v, Value) else _number(v, f"{name}[{i}]") for i, v in enumerate(vector)]
