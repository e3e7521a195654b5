"""lmkit.grading.definitions: which cells only give names to functions, classes and constants."""

import sys

import pytest

from lmkit.grading.definitions import LONGEST_PARSED, MOST_PARSED, Definitions, cost
from lmkit.student import bindings
from lmkit.student.bindings import functions

ONLY = {
    "functions": "def f(x, *rest, y=np, z: 'int | None' = -1, **more) -> dict[str, int] | None:\n    return g(x)",
    "another beside it": "def f(x):\n    return g(x)\n\ndef g(x):\n    pass",
    "a class": 'class Model(nn.Module):\n    """Words."""\n    size: int = 3\n    def forward(self, x):\n        return print(x)',
    "constants": "UNK = EOS = '<unk>'\nSIZES = {'a': [1, 2.5]}",
    "words": '"""Only words."""\n# and more\npass',
    "words that look like a magic": 'def f():\n    """\n    Why?\n!important\n    """',
    "nothing": "",
}
MORE = {
    "a call": "f(1)",
    "a call in a default": "def f(x=print(1)):\n    pass",
    "a call in a default of a keyword": "def f(*, x=print(1)):\n    pass",
    "a call in an annotation": "def f(x: print(1)):\n    pass",
    "a call in what comes back": "def f(x) -> print(1):\n    pass",
    "a call in the annotation of the rest": "def f(*x: print(1)):\n    pass",
    "a call in the annotation of the other keywords": "def f(**x: print(1)):\n    pass",
    "a decorator": "@print\ndef f(x):\n    pass",
    "a decorated class": "@print\nclass A:\n    pass",
    "a call in a class": "class A:\n    x = print(1)",
    "a loop in a class": "class A:\n    for x in range(3):\n        pass",
    "a class made by a call": "class A(print(1)):\n    pass",
    "a class with a metaclass": "class A(metaclass=print):\n    pass",
    "a value that is computed": "x = 10 ** 10 ** 10",
    "a comprehension": "x = [i for i in y]",
    "a formatted text": "x = f'{y}'",
    "an annotated value that is computed": "x: int = f(1)",
    "a place in something": "x[0] = 1",
    "an attribute": "x.y = 1",
    "several targets": "x, y = z",
    "an import": "import math",
    "a loop": "while True: pass",
    "a name that shows something": "x",
    "a deletion": "del x",
    "an item": "x = y[0]",
    "an attribute that is read": "x = y.z",
    "a sum of sets": "x = y | z",
    "the negative of something": "x = -y",
    "what another dictionary has": "x = {**y}",
    "a key that has to be hashed": "x = {y: 1}",
    "an item in a list": "x = [y[0]]",
    "an item as a default": "def f(x=y[0]):\n    pass",
    "an attribute as a default": "def f(x=y.z):\n    pass",
    "a call for an argument by place": "def f(x: print(1), /):\n    pass",
    "a call for an argument by name": "def f(*, x: print(1)):\n    pass",
    "a call for the type of a value": "x: print(1) = 1",
    "a type that is an item of an item": "x: y[0] = f(1)",
    "a class of the student's own": "class A(Base):\n    pass",
    "an enumeration, which calls for every member": "class A(enum.Enum):\n    x = 1",
    "a class in a class of the student's own": "class A(Outer.Inner):\n    pass",
    "a field that is told its name": "class A:\n    x = y",
    "another name": "x = y",
    "a class of an item": "class A(Base[0]):\n    pass",
    "a class of a class that is called": "class A(y().z):\n    pass",
    "an unpacked value": "x = [*y]",
    "a magic": "%time def f(): pass",
    "no Python": "def f(:",
    "deeply nested": "x = " + "-" * 5000 + "1",
}


@pytest.mark.parametrize("source", ONLY.values(), ids=ONLY)
def test_what_only_defines(source):
    assert Definitions().only(source)


@pytest.mark.parametrize("source", MORE.values(), ids=MORE)
def test_what_does_more(source):
    assert not Definitions().only(source) and not Definitions().only(f"def g(): pass\n{source}")


def test_what_is_said_to_only_define_calls_nothing():
    """Run under a profiler, which would see a call."""
    for name, source in ONLY.items():
        called = []
        names = {"np": type("np", (), {"inf": 1.0}), "nn": type("nn", (), {"Module": object})}
        code = compile(source, "<cell>", "exec")
        sys.setprofile(lambda frame, event, _, called=called: called.append((event, frame.f_code.co_name)))
        try:
            exec(code, names)
        finally:
            sys.setprofile(None)
        assert {what for event, what in called if event == "call"} <= {"<module>", "Model"}, name


def test_names_are_found_whatever_else_is_there():
    known = Definitions()
    assert known.of("x = 1\ndef f(): pass\nclass A:\n    def g(self): pass") == {"f", "A"}
    assert known.of("def f(:\n  pass\nclass A") == functions("def f(:\n  pass\nclass A") == {"f", "A"}


def test_long_cells_are_not_parsed():
    long = "def f(): pass\n" + "# more\n" * LONGEST_PARSED
    known = Definitions()
    assert known.of(long) == {"f"} and not known.only(long)
    for i in range(MOST_PARSED // 40_000):
        assert known.only(f"def f{i}(): pass\n" + "#" * 40_000)
    assert not known.only("def g(): pass\n" + "#" * 40_000)


def test_a_cell_with_lines_of_ipython_s_is_read_and_does_not_only_define():
    for line in ("%matplotlib inline", "!pip install a", "files = !ls", "f?"):
        cell = Definitions()
        assert cell.of(f"{line}\ndef f():\n    K = 1\nL: int = 2") == {"f"} and cell.bound(f"{line}\nL: int = 2") == {
            "L"
        }
        assert not cell.only(f"{line}\ndef f():\n    pass")


def test_what_python_cannot_read_is_read_once_if_ipython_could_not_either(monkeypatch):
    parsed, real = [], bindings.ast.parse
    monkeypatch.setattr(bindings.ast, "parse", lambda source: parsed.append(source) or real(source))
    assert Definitions().bound("x = 1\ny = (") == {"x", "y"} and len(parsed) == 1
    assert Definitions().bound("%time\n%time\nx = 1\ny = (") == {"x", "y"} and 3 < len(parsed) < 9


def test_long_lines_take_no_longer_than_their_length():
    """A pattern that goes back and forth would take an hour here."""
    for line in (" " * 300_000 + "x", "a, " * 100_000 + "!", "a." * 150_000 + "!", "!a \\\n" * 60_000 + "("):
        Definitions().bound(line)
        assert cost(line) >= len(line)
