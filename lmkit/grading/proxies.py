"""The tests' side of the border: the student's names as objects that ask the student's process, one request at a time.

Whatever comes back is data of known types, or an object of this module that stands for one over there. Nothing that the
student's side sends can raise, call or compare anything here on its own.
"""

import builtins
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import numpy as np

from lmkit.grading import arrays, codec, tags
from lmkit.grading.arrays import NotData, TooLong, typed
from lmkit.grading.changes import write_back
from lmkit.grading.channel import Channel, Closed
from lmkit.grading.codec import Packer, Unpacker
from lmkit.grading.outcome import Kind

MOST_CALLBACKS = 100_000  # in one request
LONGEST_NAME = 30  # of a type of the student's, which stands in messages: no room for a hidden input
USUAL_ERRORS = np.geterr()
MOST_NESTED = 50  # requests within callbacks within requests
_OVER = (["time"], ["memory"])  # what a process says last
LIBRARIES = ("builtins", "math", "cmath", "operator", "numpy", "torch", "collections", "fractions")  # known by name
# Raised here, these would steer Python itself: they end loops and programs.
_NEVER_RAISED = (StopIteration, StopAsyncIteration)


class Gone(BaseException):
    """The student's process cannot go on with this test: it ended, ran out of time or broke the rules of the border.

    No ``Exception``, so that a test's ``except Exception`` does not take it for an ordinary error.
    """

    def __init__(self, kind: Kind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind, self.sentence = kind, sentence


class Border:
    """Asks the student's process.

    Attributes:
        gone: why no more questions can be asked; None while they can.
        raised: the last exception of the student's code, and what is known about it: its own type's name, its text, and
            the cell and line that it came from.
        doing: what the test is asking for, as the student knows it.
        names: what the student calls the objects that the test asks for by name.
        answers: the last values that came back, as they were written.
        missing: names that the test asks for and the student's notebook does not know.
    """

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.gone: Gone | None = None
        self.raised: tuple[BaseException, str, str, list] | None = None
        self.own: dict[int, Callable] = {}  # functions of the test's that the student's code may call
        self.generators: dict[int, list] = {}  # by id: number over there, the generator itself, its last state
        self.number = self.nested = 0
        self.doing = "your code"
        self.names: dict[int, str] = {}
        self.missing: set[str] = set()
        self.answers: deque = deque(maxlen=100)

    def ask(self, what: str, target: int | str, *arguments: Any) -> Any:
        """One question, one answer.

        Raises:
            Gone: if there is none.
            Exception: a built-in exception, if the student's code raised one like it.
        """
        if self.gone is not None:
            raise self.gone
        if self.nested >= MOST_NESTED:
            self._stop(Kind.CRASHED, f"{self.doing} and the test call each other without an end")
        self.number += 1
        number = self.number
        packer = Packer(self._hold, share=True)
        data = codec.encode(packer.pack(arguments))
        states = [self._state(generator) for generator in packer.generators] if packer.generators else []
        if target in self.names:
            self.doing = f"`{self.names[target]}`"
        try:
            self.channel.send([number, what, target, data, states, self._errors()])
            value, error = self._answer(number, packer)
        except Closed:
            self._stop(Kind.CRASHED, f"the process ended in the middle of {self.doing}")
        except TooLong:
            much = f"over {self.channel.longest // 1_000_000} MB at once"
            self._stop(Kind.CRASHED, f"{self.doing} gave back, or handed to a function of the test, {much}")
        except (NotData, LookupError, TypeError, ValueError, MemoryError, RecursionError) as error:
            said = f": {error}" if isinstance(error, NotData) else ""
            self._stop(Kind.CRASHED, f"{self.doing} gave back something that is not data{said}")
        if error is not None:
            raise error
        return value

    @staticmethod
    def _errors() -> dict[str, str] | None:
        """What numpy shall do about overflow and the like, if the test has said so: ``with np.errstate(...)``."""
        errors = np.geterr()
        return None if errors == USUAL_ERRORS else errors

    def _answer(self, number: int, asked: Packer) -> tuple[Any, BaseException | None]:
        """Waits for the answer, serving the callbacks before it; the value, or the exception to raise."""
        for _ in range(MOST_CALLBACKS):
            answer = typed(self.channel.receive(), list)
            known = answer[0] == number
            if self.channel.waiting and answer[1:] not in _OVER:  # time may run out just after an answer
                answer, known = typed(self.channel.receive(), list), False
            if answer[1:] in _OVER:  # of any request under way: the test is over
                self._take(asked, answer[1])
            if not known:
                raise NotData("an answer to no question")
            if answer[1] != "callback":
                return self._take(asked, *answer[1:])
            self._call_own(answer[2], answer[3])
        self._stop(Kind.TIMED_OUT, f"{self.doing} called the function that it was given {MOST_CALLBACKS} times")

    def _stop(self, kind: Kind, sentence: str) -> NoReturn:
        self.gone = Gone(kind, sentence)
        raise self.gone from None

    def _take(self, asked: Packer, how: str, *rest: Any) -> tuple[Any, BaseException | None]:
        if how == "time":
            self._stop(Kind.TIMED_OUT, f"{self.doing} did not finish in time: is there a loop without an end?")
        if how == "memory":
            self._stop(Kind.OUT_OF_MEMORY, f"{self.doing} needed more memory than there is")
        if how not in ("value", "error"):
            raise NotData("an unknown kind of answer")
        said, changes, states = rest
        generators = asked.generators
        if len(typed(states, list)) != len(generators):
            raise NotData("not one state for each random generator")
        for generator, state in zip(generators, states, strict=True):
            known = self.generators[id(generator)]
            if state != known[2]:
                self._set_state(generator, state)
                known[2] = state
        if changes is not None:
            kept = [value for _, value in asked.kept.values()]
            now = Unpacker(self._held, generators, kept=kept).items(changes, 0)
            for old, new in zip(kept, now, strict=True):
                write_back(old, new)
        if how == "error":
            return None, self._exception(*typed(said, list))
        self.answers.append(said)
        return Unpacker(self._held, generators).unpack(said), None

    def _state(self, generator: Any) -> list:
        """A generator's number over there, and its state unless that side knows it."""
        state = arrays.generator_state(generator)
        known = self.generators.get(id(generator))
        if known is None:
            known = self.generators[id(generator)] = [len(self.generators), generator, state]
        elif known[2] == state:
            return [known[0], None]
        known[2] = state
        return [known[0], state]

    @staticmethod
    def _set_state(generator: Any, state: list) -> None:
        try:
            arrays.set_state(generator, state)
        except (LookupError, TypeError, ValueError, OverflowError, RuntimeError) as error:
            raise NotData(f"no state of a random generator ({type(error).__name__})") from None

    def _exception(self, name: str, arguments: list, type_name: str, text: str, place: list) -> BaseException:
        kind = getattr(builtins, typed(name, str), None)
        if not (isinstance(kind, type) and issubclass(kind, Exception)) or issubclass(kind, _NEVER_RAISED):
            kind = RuntimeError
        given = Unpacker(self._held).unpack(arguments)
        try:
            error = kind(*given)
        except Exception:  # some want arguments of certain types
            error = RuntimeError(typed(text, str))
        if place and not (len(place) == 2 and type(place[0]) is str and type(place[1]) is int):
            place = []
        type_name = typed(type_name, str)
        if not (type_name.isidentifier() and len(type_name) <= LONGEST_NAME):
            type_name = kind.__name__
        self.raised = (error, type_name, typed(text, str), typed(place, list))
        return error

    def _held(self, handle: codec.Handle) -> "Remote":
        return remote(self, handle.number, handle.type_name, handle.abilities)

    def _hold(self, value: Any) -> list:
        """How what is not data goes over: the student's own objects, functions of libraries by name, the test's own."""
        if isinstance(value, Remote):
            return [tags.HANDLE, *object.__getattribute__(value, "_there"), ""]
        names = [
            getattr(value, kind, "") for kind in ("__qualname__", "__name__")
        ]  # torch.tanh has another place in torch
        if type(value).__name__ == "dtype" and type(value).__module__ == "torch":
            module, names = "torch", [str(value).removeprefix("torch.")]
        else:
            module = "numpy" if isinstance(value, np.ufunc) else getattr(value, "__module__", "") or ""
        for name in names if module.split(".")[0] in LIBRARIES else ():
            if _named(module, name) is value:
                return [tags.NAME, module, name]
        if not callable(value):
            raise NotData(f"a test cannot pass a {type(value).__name__} to a student's function")
        self.own[id(value)] = value
        return [tags.CALLBACK, id(value)]

    def _call_own(self, which: int, arguments: list) -> None:
        """Lets the student's code call a function that the test passed in."""
        function = self.own[typed(which, int)]
        positional, named = Unpacker(self._held).unpack(arguments)
        self.nested, doing = self.nested + 1, self.doing
        try:
            value = function(*typed(positional, tuple), **typed(named, dict))
            answer = ["value", Packer(self._hold).pack(value)]
        except Exception as error:  # its text may say what the test knows
            kinds = (k for k in type(error).__mro__ if k.__module__ == "builtins")
            answer = ["error", next(kinds).__name__]
        finally:
            self.nested -= 1
        self.doing = doing
        self.channel.send(answer)


def _named(module: str, name: str) -> Any:
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


class Remote:
    """An object in the student's process. Equal to itself only; shown as the name of its type."""

    __slots__ = ("_border", "_there")

    def __init__(self, border: Border, number: int, type_name: str) -> None:
        object.__setattr__(self, "_border", border)
        object.__setattr__(self, "_there", (number, type_name))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{name!r} of a student's object cannot be asked for")
        return _ask(self, "get", name)

    def __setattr__(self, name: str, value: Any) -> None:
        _ask(self, "set", name, value)

    def __repr__(self) -> str:
        return f"<your {type(self).__name__}>"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a student's object cannot be copied or pickled")


def _ask(there: Remote, what: str, *arguments: Any) -> Any:
    border = object.__getattribute__(there, "_border")
    return border.ask(what, object.__getattribute__(there, "_there")[0], *arguments)


def _call(self: Remote, *arguments: Any, **named: Any) -> Any:
    return _ask(self, "call", arguments, named) if named else _ask(self, "call", arguments)


def _repeat(self: Remote, times: int, *arguments: Any) -> list:
    return _results(_ask(self, "repeat", times, arguments), times)


def _call_each(self: Remote, calls: Iterable[tuple]) -> list:
    calls = list(calls)
    return _results(_ask(self, "each", calls), len(calls))


def _results(results: Any, number: int) -> list:
    if type(results) is not list or len(results) != number:
        raise RuntimeError("the loop of calls did not give one result for each call")
    return results


def _next(self: Remote) -> Any:
    for item in typed(_ask(self, "next"), list)[:1]:
        return item
    raise StopIteration


def _len(self: Remote) -> int:
    length = _ask(self, "len")
    if type(length) is not int or not 0 <= length < sys.maxsize:
        raise TypeError("its length is no length")
    return length


def _iterator(self: Remote) -> Iterator:
    found = _ask(self, "iter")
    if not isinstance(found, Remote):
        raise TypeError("it cannot be iterated")
    while True:
        try:
            yield _next(found)
        except StopIteration:
            return


_ABILITIES: dict[str, dict[str, Any]] = {
    "c": {"__call__": _call, "_repeat": _repeat, "_call_each": _call_each},
    "i": {"__iter__": _iterator},
    "n": {"__next__": _next},
    "g": {
        "__getitem__": lambda self, key: _ask(self, "item", key),
        "__setitem__": lambda self, key, value: _ask(self, "set_item", key, value),
        "__contains__": lambda self, item: _ask(self, "contains", item) is True,
    },
    "l": {"__len__": _len},
    "m": {"__class__": property(lambda self: sys.modules["torch"].nn.Module)},
}
_classes: dict[tuple[str, str], type] = {}


def remote(border: Border, number: int, type_name: str, abilities: str) -> Remote:
    """A proxy that can do what the object can, of a type with the same name, so that messages read right."""
    fits = type_name.isidentifier() and len(type_name) <= LONGEST_NAME
    name = type_name if fits else "object"
    known = "".join(a for a in abilities if a in _ABILITIES and (a != "m" or "torch" in sys.modules))
    if "n" in known:  # an iterator is its own
        known = known.replace("i", "")
    if (name, known) not in _classes:
        methods = {key: method for a in known for key, method in _ABILITIES[a].items()}
        methods |= {"__iter__": lambda self: self} if "n" in known else {}
        _classes[name, known] = type(name, (Remote,), {"__slots__": (), **methods})
    return _classes[name, known](border, number, type_name)
