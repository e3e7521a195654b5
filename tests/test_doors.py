"""Every public door of ``lmkit`` refuses what it cannot use, with a ``ValueError`` that names the argument."""

import dataclasses
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest

import lmkit
from tests.doors import Door, complaints

MODULES = sorted(m.name for m in pkgutil.iter_modules(lmkit.__path__) if m.name not in ("grading", "__main__"))

# Called by torch or by the package itself, never by a user; each says why.
NOT_A_DOOR: dict[str, str] = dict.fromkeys(
    (f"homework.{name}" for name in ("close", "all_close", "shape_of", "repeat", "call_each", "hidden_rng")),
    "called by the test cells of homeworks; what a student returned must never raise there",
)


def doors() -> list[Door]:
    """The doors that the test modules list."""
    found = []
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        if path.stem != "test_doors" and "\nDOORS" in path.read_text(encoding="utf-8"):
            found += importlib.import_module(f"tests.{path.stem}").DOORS
    return found


def public_callables():
    """The names, "module.function" and "module.Class.method", of everything that a user may call with arguments."""
    for module_name in MODULES:
        module = importlib.import_module(f"lmkit.{module_name}")
        for name, item in vars(module).items():
            if name.startswith("_") or getattr(item, "__module__", None) != module.__name__:
                continue
            if inspect.isclass(item):
                yield from public_parts(f"{module_name}.{name}", item)
            elif inspect.isroutine(item) or hasattr(item, "__wrapped__"):  # a cached function is no function
                if inspect.signature(item).parameters:
                    yield f"{module_name}.{name}"


def public_parts(path: str, item: type):
    """The class itself, unless nobody makes one by hand, and its own public methods with arguments."""
    if issubclass(item, BaseException):
        return
    if any(base.__name__ == "Function" and base.__module__.startswith("torch") for base in item.__mro__):
        yield path  # an autograd.Function: its door is ``apply``; torch calls the rest
        return
    if not is_plain_record(item) and not inspect.isabstract(item):
        yield path
    for method, function in vars(item).items():
        plain = getattr(function, "__func__", function)  # of a class method or a static one
        if not method.startswith("_") and (inspect.isfunction(plain) or hasattr(plain, "__wrapped__")):
            arguments = len(inspect.signature(plain).parameters) - (not isinstance(function, staticmethod))
            if arguments and not getattr(plain, "__isabstractmethod__", False):  # an abstract one does nothing
                yield f"{path}.{method}"


def is_plain_record(item: type) -> bool:
    """A result that the package makes and a user reads: a named tuple, or a dataclass that checks nothing."""
    return (issubclass(item, tuple) and hasattr(item, "_fields")) or (
        dataclasses.is_dataclass(item) and not hasattr(item, "__post_init__")
    )


@pytest.mark.parametrize("door", doors(), ids=lambda door: door.path)
def test_bad_input_gets_a_clear_error(door):
    found = complaints(door)
    assert not found, "\n".join(found)


def test_every_public_callable_is_listed():
    listed = {door.path for door in doors()} | set(NOT_A_DOOR)
    missing = [path for path in public_callables() if path not in listed]
    assert not missing, f"not in any DOORS: {', '.join(missing)}"


# --- The walk itself --------------------------------------------------------------------------------------------------


def careless(count):
    return [0] * (count if isinstance(count, int) else 1)


def from_the_depths(count):
    return [0] * count


def nameless(count):
    if count != 3:
        raise ValueError("this is not a good value")


def endless(count):
    while count != 3:
        pass


def strict(count):
    if type(count) is not int or count != 3:
        raise ValueError(f"count must be 3, got {count!r}")


@pytest.mark.parametrize(
    ("call", "found"),
    [
        (careless, "accepted"),
        (from_the_depths, "TypeError"),
        (nameless, "does not name"),
        (endless, "no answer"),
        (strict, "but it is good"),
    ],
)
def test_the_walk_finds_what_is_wrong(call, found):
    assert any(found in line for line in complaints(Door(call, lambda: {"count": 3}, {"count": "count"}), limit=0.02))


def test_the_walk_asks_for_every_argument():
    assert "do not name count" in complaints(Door(careless, lambda: {"count": 3}))[0]


def test_the_walk_tries_what_does_not_belong_together():
    def pair(first, second):
        return first, second

    door = Door(pair, lambda: {"first": 1, "second": 2}, {"first": "any", "second": "any"})
    assert not complaints(door)
    door.clashes["second"] = [lambda good: good["first"] + 8]
    assert "pair(second=9): accepted" in complaints(door)[0]
