"""Answers the tests' requests in the student's process: calls of functions, loops of calls, attributes, items.

A request is ``[number, what, target, arguments, generators, errors]``, the last as ``np.geterr`` gives it or None; an answer is
``[number, "value", value, changes, states]`` or ``[number, "error", exception, changes, states]``. The changes are None, or
what each container of the arguments holds now, in the order of the request; one that stands in another is written there as a
reference. While a function of the test's own is called, ``[number, "callback", which, arguments]`` goes the other way; its
answer has no number, ``["value", value]`` or ``["error", type]``, and what comes before it are requests of that function,
answered in between: the last one asked comes first.
"""

import builtins
import contextlib
import gc
import importlib
import operator
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import numpy as np

from lmkit.grading import arrays, codec, tags
from lmkit.grading.channel import Channel, Closed
from lmkit.grading.codec import Packer, Unpacker
from lmkit.student.absent import Absent


class Calls:
    """Serves one test.

    Args:
        channel: to the test.
        names: the notebook's names.
        describe: writes an exception as data.
        out_of_time: the exception that ends the test's time.
    """

    def __init__(self, channel: Channel, names: dict, describe: Callable, out_of_time: type[BaseException]) -> None:
        self.channel, self.names, self.describe, self.out_of_time = channel, names, describe, out_of_time
        self.held: dict[int, Any] = {}
        self.generators: dict[int, Any] = {}
        self.tests_own: dict[int, Callable] = {}  # a function of the test's is the same one in every request
        self.number = 0
        # Threads of the student's take turns; one that a nested call waits for must not call back.
        self.calling_back = threading.RLock()

    def serve(self) -> None:
        """Answers until the test ends."""
        for value in list(self.names.values()):
            if type(value) is str:
                sys.intern(value)  # so that the tests' equal words are this object
        while True:
            try:
                request = self.channel.receive()
            except Closed:
                return
            self.channel.send(self._answer(*request))

    def _answer(self, number: int, what: str, target: Any, data: bytes, states: list, errors: dict | None) -> list:
        self.number = number
        generators = [self._generator(number, state) for number, state in states]
        origins: dict[int, list] = {}
        unpacker = Unpacker(self._own(origins), generators, lambda *parts: self._trusted(origins, *parts))
        arguments, before = None, []
        gc.disable()  # thousands of small containers are made at once, and none of them is garbage
        try:
            arguments = unpacker.unpack(codec.decode(data))
            before = [None if unpacker.loose else _parts(container) for container in unpacker.kept]
            gc.enable()
            with np.errstate(**errors) if errors else contextlib.nullcontext():
                value = getattr(self, f"_{what}")(self._find(target), *arguments)
            gc.disable()
            packed = Packer(self._hold, False, generators).pack(value)
            written = self._changed(data, arguments, unpacker, origins, before)
            return [number, "value", packed, written, [arrays.generator_state(g) for g in generators]]
        except self.out_of_time:
            return [number, "time"]
        except MemoryError:
            return [number, "memory"]
        except BaseException as error:
            gc.disable()
            try:
                described, written = self.describe(error), None
                with contextlib.suppress(Exception):  # what became of the arguments may be no data
                    written = self._changed(data, arguments, unpacker, origins, before)
            except self.out_of_time:
                return [number, "time"]
            return [number, "error", described, written, [arrays.generator_state(g) for g in generators]]
        finally:
            gc.enable()

    def _generator(self, number: int, state: list | None) -> Any:
        if number not in self.generators:
            self.generators[number] = arrays.new_generator(state)
        elif state is not None:
            arrays.set_state(self.generators[number], state)
        return self.generators[number]

    def _changed(
        self, data: bytes, arguments: tuple | None, unpacker: Unpacker, origins: dict, before: list[list | None]
    ) -> list | None:
        """What the containers of the arguments hold, if the student's code has changed one of them."""
        if arguments is None or all(map(_untouched, unpacker.kept, before)):
            return None
        now = Packer(lambda value: origins.get(id(value)) or self._hold(value), True, unpacker.generators)
        if codec.encode(now.pack(arguments)) == data:
            return None
        after = Packer(self._hold, False, unpacker.generators, unpacker.kept)
        return [after.write(value) for value in unpacker.kept]

    def _find(self, target: Any) -> Any:
        if type(target) is int:
            return self.held[target]
        if target not in self.names:
            raise NameError(f"name {target!r} is not defined")
        value = self.names[target]
        if type(value) is Absent:
            value()  # raises the error of its import
        return value

    def _hold(self, value: Any) -> list:
        """Keeps an object here and writes its number, its type's name and what can be done with it."""
        kind = type(value)
        number = len(self.held) + 1
        self.held[number] = value
        torch = sys.modules.get("torch")
        abilities = "".join(
            letter
            for letter, present in (
                ("c", callable(value)),
                ("i", hasattr(kind, "__iter__")),
                ("n", hasattr(kind, "__next__")),
                ("g", hasattr(kind, "__getitem__")),
                ("l", hasattr(kind, "__len__")),
                ("m", torch is not None and isinstance(value, torch.nn.Module)),
            )
            if present
        )
        return [tags.HANDLE, number, kind.__name__, abilities]

    def _own(self, origins: dict) -> Callable:
        """Finds the object that a handle of the test's stands for."""

        def find(handle: codec.Handle) -> Any:
            found = self.held[handle.number]
            origins[id(found)] = [tags.HANDLE, *handle]
            return found

        return find

    def _trusted(self, origins: dict, tag: int, *parts: Any) -> Any:
        """What only the tests write: a name of the notebook or of a library, an object held here, their own function."""
        if tag == tags.NAME and not parts[0]:
            found = self._find(parts[1])
        elif tag == tags.NAME:
            found = importlib.import_module(parts[0])
            for name in parts[1].split("."):
                found = getattr(found, name)
        else:
            number = parts[0]

            def call_back(*arguments: Any, **named: Any) -> Any:
                return self._call_back(number, arguments, named)

            found = self.tests_own.setdefault(number, call_back)
        origins[id(found)] = [tag, *parts]
        return found

    def _call_back(self, which: int, arguments: tuple, named: dict) -> Any:
        """Calls a function of the test's from the student's code."""
        with self.calling_back:
            number = self.number
            self.channel.send([number, "callback", which, Packer(self._hold).pack((arguments, named))])
            while type((answer := self.channel.receive())[0]) is int:
                self.channel.send(self._answer(*answer))
            self.number = number
        if answer[0] == "error":
            kind = getattr(builtins, answer[1], RuntimeError)
            raise _near(kind, f"the function that was passed in raised {answer[1]}")
        return Unpacker(self._own({}), trusted=lambda *parts: self._trusted({}, *parts)).unpack(answer[1])

    # What can be asked for; the first argument is the target.

    def _call(self, function: Callable, arguments: tuple, named: dict | None = None) -> Any:
        return function(*arguments, **(named or {}))

    def _repeat(self, function: Callable, times: int, arguments: tuple) -> list:
        return [function(*arguments) for _ in range(times)]

    def _each(self, function: Callable, calls: list) -> list:
        return [function(*arguments) for arguments in calls]

    def _value(self, value: Any) -> Any:
        return value

    def _get(self, value: Any, name: str) -> Any:
        return getattr(value, name)

    def _set(self, value: Any, name: str, new: Any) -> None:
        setattr(value, name, new)

    def _item(self, value: Any, key: Any) -> Any:
        return value[key]

    def _set_item(self, value: Any, key: Any, new: Any) -> None:
        value[key] = new

    def _len(self, value: Any) -> int:
        return len(value)

    def _contains(self, value: Any, item: Any) -> bool:
        return bool(item in value)

    def _iter(self, value: Any) -> Any:
        return Opaque(iter(value))

    def _next(self, value: Any) -> list:
        value = value.value if isinstance(value, Opaque) else value
        for item in value:
            return [item]
        return []


def _near(kind: type[Exception], text: str) -> Exception:
    """An exception of the type, or of the nearest above it that needs no more than a text."""
    try:
        return kind(text)
    except TypeError:
        return _near(kind.__bases__[-1], text)


def _parts(container: Any) -> list | None:
    """The very objects that a container holds, in order; None for one that is more than they."""
    if type(container) in (dict, Counter):
        return [*container, *container.values()]
    return list(container) if type(container) in (list, set, deque) else None


def _untouched(container: Any, before: list | None) -> bool:
    """Whether it surely holds what it held: told in a third of the time that writing all again takes."""
    now = _parts(container)
    return now is not None and before is not None and len(now) == len(before) and all(map(operator.is_, now, before))


class Opaque:
    """Wraps an iterator so that it stays here, whatever it is."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __next__(self) -> Any:
        return next(self.value)
