# ruff: noqa: E501  code in one line of text each
"""Tests and answers in two processes: honest work of every style passes, and messages say what happened."""

import contextlib
import json
import sys
import time

import nbformat
import psutil
import pytest
from honest import HONEST
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lmkit.grading import definitions, grader, worker
from lmkit.grading.answers import notebook_path
from lmkit.grading.grader import grade_notebook, in_order, second_chances, worth_a_look
from lmkit.grading.marking import plain
from lmkit.grading.master import LOCKED, OTHER, SOLUTION, TEST, Master, MasterCell
from lmkit.grading.outcome import NOT_STARTED, Kind
from lmkit.grading.pair import Pair
from lmkit.grading.sandbox import Limits, send, why_not
from lmkit.grading.station import Job, Material
from lmkit.grading.station import grade as grade_submission
from lmkit.grading.submission import NotAgain, Submission

SETUP = "import math\nfrom collections import Counter\nimport numpy as np\nimport torch\nfrom lmkit.homework import call_each, close, hidden_rng, repeat"
HW1 = nbformat.read(notebook_path("hw1_ngram"), as_version=4).metadata.lmkit
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("border"),
    pytest.mark.skipif(bool(why_not()), reason=f"no sandbox here: {why_not()}"),
]


@pytest.fixture(scope="module")
def pair():
    master = Master("border", (MasterCell("setup", LOCKED, SETUP),))
    with Pair(master, "secret", Limits(cell_seconds=20, test_seconds=3, total_seconds=60)) as made:
        yield made


@pytest.fixture(scope="module")
def first_homework():
    """What homework 1 offers; its setup imports no torch."""
    master = Master(
        "border", (MasterCell("setup", LOCKED, SETUP.replace("import torch\n", "")),), tuple(HW1.may_import)
    )
    with Pair(master, "secret", Limits(cell_seconds=20, test_seconds=3, total_seconds=60)) as made:
        yield made


@contextlib.contextmanager
def graded(pair, cells, test):
    """Runs cells, then a test; gives its kind, points, sentence and place, and the runs of the cells."""
    submission = Submission(pair, [], time.monotonic() + 180)  # a machine may have much else to do
    for i, source in enumerate([pair.master.cells[0].source, *cells]):
        submission.run_cell(f"cell{i}", source)
    cell = MasterCell("t", TEST, test, 4.0)
    pair.wanted["t"] = Master("border", (*pair.master.cells, cell)).wanted()["t"]
    yield *submission.test(cell), submission.runs
    submission.close()


@pytest.fixture
def grade(pair):
    with contextlib.ExitStack() as stack:
        yield lambda cells, test: stack.enter_context(graded(pair, cells, test))


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_loses_nothing(name, grade):
    cells, test = HONEST[name]
    kind, points, sentence, _, runs = grade(cells, test)
    assert (kind, points, sentence) == (Kind.GRADED, 4.0, ""), (sentence, runs)


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_loses_nothing_in_a_homework_that_offers_less(name, first_homework):
    cells, test = HONEST[name]
    test = f"import torch\n{test}" if "torch" in test else test
    with graded(first_homework, cells, test) as (kind, points, sentence, _, runs):
        assert (kind, points, sentence) == (Kind.GRADED, 4.0, ""), (sentence, runs)


@pytest.mark.parametrize(
    ("cell", "test"),
    [
        (
            "def f(p):\n    (p['E'] * p['U']).sum().backward()",
            "a = torch.ones(3, requires_grad=True)\nf({'E': a, 'U': a})\nassert a.grad.tolist() == [2, 2, 2]",
        ),
        ("def f(a, b):\n    a[0] = 9\n    return float(b[0])", "a = torch.zeros(3)\nassert f(a, a) == 9 and a[0] == 9"),
        ("def f(xs):\n    xs[0].add_(1)", "a = torch.zeros(3)\nf([a, a])\nassert a.tolist() == [1, 1, 1]"),
        (
            "def f(a, b):\n    a.unsqueeze_(0)\n    return b.shape",
            "a = torch.zeros(3)\nassert f(a, a) == (1, 3) == a.shape",
        ),
        (
            "def f(a, b):\n    a[0] = 9",
            "a, b = torch.zeros(3), torch.zeros(3)\nf(a, b)\nassert a[0] == 9 and b[0] == 0",
        ),
        (
            "def f(ps, lr):\n    with torch.no_grad():\n        for p in ps:\n            p -= lr * p.grad",
            "m = torch.nn.Linear(2, 1)\nm(torch.ones(1, 2)).sum().backward()\nbefore = m.weight.detach().clone()\n"
            "f(list(m.parameters()), 0.5)\nassert torch.equal(m.weight, before - 0.5), m.weight",
        ),
        (
            "def f(p):\n    (p * p).sum().backward()\n    p.data -= 1",
            "p = torch.nn.Parameter(torch.ones(3))\nf(p)\n"
            "assert (p.grad.tolist(), p.tolist(), type(p)) == ([2, 2, 2], [0, 0, 0], torch.nn.Parameter)",
        ),
        (
            "def f(x, w):\n    (x @ w).sum().backward()",
            "w = torch.ones(3, requires_grad=True)\nf(torch.ones(1).expand(4, 3), w)\nassert w.grad.tolist() == [4, 4, 4]",
        ),
        (
            "def f(g, w):\n    g(w).sum().backward()",
            "for g in (torch.tanh, torch.relu, torch.square, torch.nn.functional.gelu):\n"
            "    w = torch.ones(2, requires_grad=True)\n    f(g, w)\n    assert w.grad is not None",
        ),
        ("import numpy as np\ndef f(i):\n    return np.array(['a', ''])[i]", "assert (f(0), f(1)) == ('a', '')"),
        (
            "def f(d):\n    d['x'] = [9]",
            "row = [1]\nd = {'x': row, 'y': row}\nf(d)\nassert d == {'x': [9], 'y': [1]} and d['y'] is row",
        ),
        (
            "def f(a, b, pair):\n    a[0], a[1] = a[1], a[0]\n    b.append(pair)\n    pair[1][0] = 7",
            "x, y, b = [1], {0: 2}, []\na = [x, y]\nf(a, b, (x, y))\n"
            "assert a[0] is y is b[0][1] and a[1] is x is b[0][0] and (x, y) == ([1], {0: 7})",
        ),
        (
            "def f(rows, x, w):\n    x += 1\n    rows[0] = rows[0] * 2\n    w['a'] = w['a'] + 1\n    w['b'].add_(3)",
            "import numpy as np\nx, t = np.ones(2), torch.zeros(2)\nrows, w = [x, x], {'a': t, 'b': t}\nf(rows, x, w)\n"
            "assert rows[1] is x and (x.tolist(), rows[0].tolist()) == ([2, 2], [4, 4])\n"
            "assert w['b'] is t and (t.tolist(), w['a'].tolist()) == ([3, 3], [1, 1])",
        ),
        *(  # what is equal, and not the same
            (f"def f(x):\n    {does}", f"from collections import OrderedDict, deque\nx = {given}\nf(x)\nassert {now}")
            for given, does, now in (
                ("[1]", "x[0] = True", "x[0] is True"),
                ("{'a': 1, 'b': 2}", "x['a'] = x.pop('a')", "list(x) == ['b', 'a']"),
                ("{'a': 0}", "x['a'] = 0.0", "type(x['a']) is float"),
                ("{1}", "x.clear(); x.add(1.0)", "type(*x) is float"),
                ("Counter(a=1)", "x['b'] = 0", "dict(x) == {'a': 1, 'b': 0}"),
                ("deque([0, False])", "x.rotate()", "x[0] is False"),
                ("[[3], [3], {}]", "x[0], x[1] = x[1], x[0]\n    x[0][0] = 4", "x[:2] == [[4], [3]]"),
                ("([3], (0, [3]))", "x[1][1][0] = 3.0", "type(x[1][1][0]) is float"),
                ("[bytearray(b'a')]", "x[0].append(98)", "x == [b'ab']"),  # the list holds what it held
                ("{'a': (OrderedDict(b=1),)}", "x['a'][0]['b'] = 2", "x == {'a': ({'b': 2},)}"),
            )
        ),
        (
            "def f(rows):\n    rows[-1]['c'] = rows[-1].pop('c')\n    return rows",
            "rows = [{'c': i} for i in range(3)]\nlast, got = rows[2], f(rows)\nassert got == rows and last == {'c': 2}",
        ),
        (
            "def f(a):\n    a.append(a)\n    raise ValueError('no')",
            "a = [1]\ntry:\n    f(a)\nexcept ValueError as error:\n    assert error.args == ('no',)\n"
            "assert len(a) == 2 and a[0] == 1 and a[1] is a",
        ),
        (
            "def f(a, d):\n    a.append(a)\n    d['me'] = d\ndef g(a, d):\n"
            "    return a[1] is a and d['me'] is d and len(a[1][1])",
            "a, d = [1], {}\nf(a, d)\nassert g(a, d) == 2 and a[1] is a and d['me'] is d",
        ),
        (
            "def f(a):\n    a.append(1 << 70_000)\n    raise KeyError('no')",
            "a = [1]\ntry:\n    f(a)\nexcept KeyError as error:\n    assert error.args == ('no',)",
        ),
    ],
)
def test_what_crosses_is_what_it_would_be_without_a_border(grade, cell, test):
    exec(f"import torch\nfrom collections import Counter\n{cell}\n{test}", {})
    _, points, said, *_ = grade([f"import torch\n{cell}"], test)
    assert (points, said) == (4, "")


@pytest.mark.parametrize(
    ("does", "given"),
    [
        ("x.unsqueeze_(0)", "torch.arange(6)"),
        ("x.resize_(0)", "torch.ones(2, 3)"),
        ("x.data = x.data.T", "torch.ones(2, 3, requires_grad=True)"),
        ("x.data = x.data.float()", "torch.zeros(2, dtype=torch.float64)"),
        ("x.shape = 3, 2", "np.arange(6.0)"),
        ("x.shape = ()", "np.array([1.5])"),
        ("x.dtype = np.int32", "np.arange(6.0).reshape(2, 3)"),
    ],
)
def test_a_shape_or_type_set_in_place_is_seen(grade, does, given):
    """Of the object that was passed, by itself and in a tuple; of one in a list where the list has it."""
    test = f"""
def seen(x):
    return type(x), x.shape, x.dtype, x.tolist()
def here(x):
    {does}
want, alone, one, many = ({given} for _ in range(4))
here(want)
pair, row = (1, one), [2, many]
f(alone), f(pair), f(row)
assert [seen(x) for x in (alone, one, row[1])] == [seen(want)] * 3, [seen(x) for x in (alone, one, row[1])]
"""
    cell = f"def f(x):\n    x = x[1] if isinstance(x, (tuple, list)) else x\n    {does}"
    _, points, said, *_ = grade([f"import torch\n{cell}"], test)
    assert (points, said) == (4, "")


@pytest.mark.parametrize(
    "used",
    [
        "(x.half() @ x.half()).float()",
        "torch.nn.Linear(3, 3).half()(x.half()).float() * 0 + 3",
        "torch.compile(lambda x: x @ x)(x)",
    ],
)
def test_half_precision_and_compiling_work_in_the_sandbox(grade, used):
    _, points, said, *_ = grade(
        [f"def f(x):\n    return {used}"], "assert f(torch.ones(3, 3)).tolist() == [[3, 3, 3]] * 3"
    )
    assert (points, said) == (4, "")


@pytest.mark.parametrize("does", ["return np.zeros(2_000_000)", "return float(g(np.zeros(2_000_000)).sum())"])
def test_too_much_at_once_is_said(grade, does):
    _, points, said, *_ = grade([f"def f(g):\n    {does}"], "f(lambda x: x)")
    assert points == 0 and said == "`f` gave back, or handed to a function of the test, over 8 MB at once"


@pytest.mark.parametrize(
    ("does", "raised"),
    [
        ("raise ValueError('x' * 9_000_000)", "ValueError: xxx"),
        ("(b'\\xff' * 9_000_000).decode()", "UnicodeDecodeError"),
    ],
)
def test_a_long_text_of_an_error_is_cut(grade, does, raised):
    _, points, said, *_ = grade([f"def f():\n    {does}"], "f()")
    assert points == 0 and said.startswith(f"`f` raised {raised}") and len(said) < 3000


@pytest.mark.parametrize(
    ("raises", "caught"),
    [
        ("raise ValueError('bad \\udcff')", "ValueError"),
        ("raise ValueError(10**30_000)", "ValueError"),
        ("raise ValueError(*['x' * 2000] * 5000)", "ValueError"),
        ("(b'\\xff' * 3000).decode()", "UnicodeDecodeError"),
        ("return {}[3**50_000]", "KeyError"),
        ("raise type('E', (ValueError,), {'args': None})", "ValueError"),
        ("raise type('E', (ValueError,), {'args': property(lambda e: 1 / 0)})", "ValueError"),
        (
            "raise type('E', (ValueError,), {'args': property(lambda e: (_ for _ in ()).throw(SystemExit))})",
            "ValueError",
        ),
        ("raise type('E', (ValueError,), {'__str__': lambda e: (_ for _ in ()).throw(SystemExit)})", "ValueError"),
        ("raise type('E', (ValueError,), {'__traceback__': property(lambda e: 1 / 0)})", "ValueError"),
        ("raise type('E', (ValueError,), {'__traceback__': property(lambda e: e), 'tb_frame': None})", "ValueError"),
        (
            "raise type('E', (SyntaxError,), {'__traceback__': None})('x', ('<cell a>', object(), 1, 'x'))",
            "SyntaxError",
        ),
        ("raise SyntaxError('x', (type('O', (), {'__str__': lambda o: sys.exit()})(), 1, 1, 'x'))", "SyntaxError"),
        ("e = SyntaxError('x', ('<cell a>', 1, 1, 'x')); e.lineno = 10**100; raise e", "SyntaxError"),
        (
            "name = type('S', (str,), {'startswith': lambda *_: sys.exit()})('<cell a>'); g = lambda: 1 / 0; "
            "g.__code__ = g.__code__.replace(co_filename=name); g()",
            "ZeroDivisionError",
        ),
        ("raise type('M', (type,), {'__name__': property(lambda k: sys.exit())})('E', (ValueError,), {})", "Exception"),
        ("raise type('M', (type,), {'__name__': '\\udcff'})('E', (ValueError,), {})", "ValueError"),
        ("raise type('M', (type,), {'__hash__': lambda k: sys.exit()})('E', (ValueError,), {})", "ValueError"),
        (
            "raise type('E', (ValueError,), {'__module__': type('Q', (), {'__eq__': lambda *_: sys.exit()})()})",
            "Exception",
        ),
    ],
)
@pytest.mark.parametrize("file", ["<cell cell1>", "m.py"])
def test_an_error_of_any_kind_can_be_caught_and_costs_no_cell(grade, raises, caught, file):
    source = f"import sys\ndef f():\n    {raises}"
    cells = [f"exec(compile({source!r}, {file!r}, 'exec'))", "def g():\n    return 1\nf()"]
    test = f"try:\n    f()\nexcept {caught}:\n    assert g() == 1\nelse:\n    assert False"
    _, points, said, _, runs = grade(cells, test)
    assert (points, said) == (4, "") and runs["cell2"].error


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["lazy from itertools import no_such\ndef f(d):\n    return no_such(d)"], "graded with"),
        (["def f(d):\n    return d ? 1"], None),
        (
            ["import math\ndef f(d):\n    return math.no_such(d)"],
            "AttributeError: module 'math' has no attribute 'no_such' ",
        ),
        (
            ["from itertools import no_such\ndef f(d):\n    return no_such(d)"],
            "ImportError: cannot import name 'no_such' ",
        ),
        (["def f(d):\n    from itertools import no_such"], "ImportError: cannot import name 'no_such' "),
        (["import no_such\ndef f(d):\n    return no_such.f(d)"], None),
        (["def f(d):\n    return d.no_such"], None),
    ],
)
def test_what_a_newer_python_may_know_is_told_which_one_graded(grade, cells, said):
    _, points, sentence, _, runs = grade(cells, "assert f({'a': 1}) == 1")
    told = runs["cell1"].error or sentence
    version = f"(graded with Python {sys.version_info.major}.{sys.version_info.minor})"
    assert points == 0 and (version in told and said in told if said else version not in told), told


@pytest.mark.parametrize(
    "source",
    [
        'f"{d["a"]}"',
        'print(f"{", ".join(d)} b")',
        'f"{d\n}"',
        'f"""{"\\n".join(d)}"""',
        "class A[T]:\n    pass",
        "type Point[T] = tuple[T, T]",
        "try:\n    1\nexcept OSError, ValueError:\n    2",
        "x = t'{d}'",
        "[*row for row in d]",
        "lazy import math",
    ],
)
def test_what_newer_versions_added_to_the_grammar_is_known(source):
    try:
        compile(source, "cell", "exec")
    except SyntaxError as error:  # in a new version none
        assert worker._may_be_newer(error)


@pytest.mark.parametrize(
    "source",
    [
        "x = = 1",
        "print 'a'",
        "print('I can't' x)",
        "def f(x)\n    pass",
        "class A(list[int])\n    pass",
        'f"{x"',
        'f"{a b}"',
        "print(f\"{d['a']} of {x}\" y)",
        "type = 3 4",
        "try:\n    1\nexcept OSError, ValueError as e:\n    2",
        "return 1",
    ],
)
def test_a_typing_error_blames_no_version_of_python(source):
    with pytest.raises(SyntaxError) as found:
        compile(source, "cell", "exec")
    assert not worker._may_be_newer(found.value)


@pytest.mark.parametrize("prefix", ["", "<cell "])
def test_the_name_of_a_code_of_any_length_hides_no_error(grade, prefix):
    cell = f"def f():\n    g.__code__ = g.__code__.replace(co_filename={prefix!r} + 'x' * 60_000_000)\n    g()\ndef g():\n    1 / 0"
    _, points, said, *_ = grade([cell], "f()")
    assert points == 0 and said == "`f` raised ZeroDivisionError: division by zero"


def test_an_error_that_takes_all_the_time_to_tell_is_out_of_time(grade):
    cell = "def endless(kind):\n    while True:\n        pass\nclass M(type):\n    __name__ = property(endless)\n"
    kind, _, said, *_ = grade([cell + "def f():\n    raise M('E', (ValueError,), {})"], "f()")
    assert kind is Kind.TIMED_OUT and "`f` did not finish in time" in said


def test_nobody_types(grade):
    _, points, said, *_ = grade(["def f():\n    return input('a number: ')"], "f()")
    assert points == 0 and "input() waits for somebody who types" in said


def test_the_text_of_an_error_is_read_from_a_text_of_any_kind(grade):
    text = "type('S', (str,), {'__str__': lambda s: s, '__getitem__': lambda s, i: 1})('odd')"
    test = "try:\n    f()\nexcept ValueError as error:\n    assert str(error) == 'odd'\nelse:\n    assert False"
    _, points, said, *_ = grade([f"def f():\n    raise ValueError({text})"], test)
    assert (points, said) == (4, "")


def test_an_endless_loop_is_ended_and_said_once(grade):
    cell = "import wandb\nn = m = 0\nfor e in range(3):\n    n += 1\n    while True:\n        wandb.log(n)\nwhile m < 5:\n    m += 1\n    wandb.log(m)\nelse:\n    n += 10"
    _, points, said, _, runs = grade([cell, "def f():\n    return n, m"], "assert f() == (11, 5)")
    assert (points, said) == (4, "")
    assert [line.split(". ")[-1] for line in runs["cell1"].text.splitlines()] == [
        "Line 1 was left out.",
        "Line 6 was left out.",
        "The loop of line 3 was ended: line 6 was left out 1000001 times, and the loop seems to have no end.",
        "Line 9 was left out.",
    ]


@pytest.mark.parametrize(
    "loop",
    [
        "while True: wandb.log(1)",
        "for n in itertools.count(): wandb.log(n)",
        "for n in iter(int, 1):\n    wandb.log(n)",
        "while True:\n    get_ipython().run_line_magic('time', 'pass')\n    sum(range(3_000_000))\n    wandb.log(1)",
        "while True:\n    get_ipython().run_cell('pass')\n    sum(range(300_000))\n    wandb.log(1)",
        "while True:\n    await asyncio.sleep(0)\n    sum(range(300_000))\n    wandb.log(1)",
        "while True:\n    signal.setitimer(signal.ITIMER_PROF, 9, 9)\n    sum(range(300_000))\n    wandb.log(1)",
    ],
)
def test_a_loop_that_takes_all_the_time_is_ended_before_the_cell_is(grade, pair, monkeypatch, loop):
    monkeypatch.setattr(pair, "limits", Limits(cell_seconds=3))
    cell = f"import asyncio, itertools, signal, wandb\n{loop}\ndef f():\n    return 1"
    _, points, said, _, runs = grade([cell], "assert f() == 1")
    lines = [line for line in runs["cell1"].text.splitlines() if "Line" in line or "line" in line]
    assert (points, said) == (4, "")
    assert len(lines) == 3 and lines[-1].startswith("The loop of line 2 was ended: line ")


@pytest.mark.parametrize("before", ["while now() < begun + 2.7: pass", "while True: wandb.log(1); sum(range(10**6))"])
def test_a_loop_that_begins_late_has_its_time(grade, pair, monkeypatch, before):
    monkeypatch.setattr(pair, "limits", Limits(cell_seconds=3))
    cell = (
        "import time, wandb\nnow = lambda: time.clock_gettime(-8)  # of the timer that stops a cell\nbegun, n = now(), 0\n"
        f"{before}\nwhile n < 50:\n    wandb.log(n)\n    n += 1"
    )
    _, points, said, *_ = grade([cell], "assert n == 50")
    assert (points, said) == (4, "")


def test_a_line_is_said_again_of_another_cell(grade):
    *_, runs = grade(["import wandb\nwandb.log(1)", "n = 1\nwandb.log(n)\nn = 2"], "pass")
    assert "Line 2 was left out." in runs["cell2"].text


def test_a_loop_that_ends_in_time_is_not_ended(grade, pair, monkeypatch):
    monkeypatch.setattr(pair, "limits", Limits(cell_seconds=6))
    cell = (
        "import wandb, time\nrounds, begun = 0, time.process_time()\nwhile time.process_time() < begun + 2.4:\n"
        "    wandb.log(rounds)\n    rounds += sum(range(2000))\nelse:\n    rounds = -1"  # not a million rounds on any machine
    )
    _, points, *_, runs = grade([cell], "assert rounds == -1")
    assert points == 4 and "ended" not in runs["cell1"].text


def branches(indent: str = "") -> str:
    """An ``if`` of very many branches on x, of which none is taken."""
    return f"{indent}if x == 0: y = 0\n" + "".join(f"{indent}elif x == {n}: y = {n}\n" for n in range(1, 400))


def test_a_cell_that_is_nested_too_deep_to_look_into_costs_no_other(grade):
    cells = [
        f"import pandas as pd\nx = 7\n{branches()}frame = pd.DataFrame()",
        "import seaborn\nseaborn.set()\ndef f():\n    return y",
    ]
    _, points, said, _, runs = grade(cells, "assert f() == 7")
    assert (points, said) == (4, "")
    assert [line.split(". ")[-1] for name in ("cell1", "cell2") for line in runs[name].text.splitlines()] == [
        f"Line {n} was left out." for n in (1, 403, 1, 2)
    ]


@pytest.mark.parametrize(
    ("deep", "below"),
    [
        (f"class A:\n    pd = 3\n{branches('    ')}", "pd.DataFrame()"),
        (f"for pd in []:\n{branches('    ')}", "pd.DataFrame()"),
        (f"while x:\n    x = 0\n{branches('    ')}", "while True: pd.DataFrame()"),
        (f"if x == 1:\n    pd = 3\n{branches('    ')}", "pd.DataFrame()"),
        (f"if x:\n    t = pd\n{branches('    ')}", "t.head()"),
        (branches(), ""),  # the last one
        (f"def g():\n    return {' + '.join(['x'] * 300)}\n{branches()}", "pd.DataFrame()"),
    ],
)
def test_a_statement_that_is_nested_too_deep_costs_nothing_above_or_below(grade, deep, below):
    cell = f"import pandas as pd\nx = 1000\ndef f():\n    return 1\npd.options.mode = 1\n{deep}{below}"
    _, points, said, *_ = grade([cell + "\nn = 1" * bool(below)], "assert f() == 1" + " == n" * bool(below))
    assert (points, said) == (4, "")


@pytest.mark.parametrize("deep", [f"s = {' + '.join(['1'] * 1500)}", f"s = 'a'{'.strip()' * 800}"])
def test_what_stands_above_a_statement_that_python_cannot_compile_runs(grade, deep):
    _, points, said, _, runs = grade([f"def f():\n    return 1\nprint('here')\n{deep}"], "assert f() == 1")
    assert (points, said) == (4, "") and runs["cell1"].text == "here\n"


def test_what_was_left_out_is_said(grade):
    cell = "import no_such_package as p, math\ndef f():\n    return p.x\n!ls"
    _, points, said, _, runs = grade([cell], "f()")
    assert points == 0 and said.startswith(
        "`f` raised ModuleNotFoundError: no_such_package: answers to this homework may not import it"
    )
    assert runs["cell1"].text.splitlines() == [
        "ModuleNotFoundError: no_such_package: answers to this homework may not import it, and it will not be there when yours is "
        "graded. Line 1 was left out.",
        "!ls: not run, there is no shell here",
    ]


def test_what_needs_a_missing_import_keeps_its_lines(grade):
    cell = "import no_such_package as p\nif True:\n    print(p.x)\n    @p.jit\n    def f(x: p.T):\n        return 1 / x"
    _, points, _, place, runs = grade([cell], "f(0)")
    said = [line.split(". ")[-1] for line in runs["cell1"].text.splitlines()]
    assert points == 0 and place == ["cell1", 6]
    assert said == [f"Line {n} was left out." for n in (1, 3, 4)]


def test_what_is_left_out_hides_nothing_else(grade):
    cells = ["import no_such_package as p\nfor i in range(9000):\n    p.log(i)\nprint('said')\nrow = p.Row()"]
    cells += ["import statistics\nstatistics.mean([1, 3])", "for row in [1, 0]:\n    print(1 / row)"]
    *_, runs = grade(cells, "pass")
    assert [line.split(". ")[-1] for line in runs["cell1"].text.splitlines()] == [
        "Line 1 was left out.",
        "Line 3 was left out.",
        "said",
        "Line 5 was left out.",
    ]
    assert runs["cell2"].text.strip() == "2" and runs["cell3"].error.startswith("ZeroDivisionError")


def test_an_answer_made_of_what_is_not_there_says_so(grade):
    _, points, said, place, _ = grade(["import no_such_package as p\nv = p.Series([1, 2])"], "assert v[0] == 1")
    assert points == 0 and place == []
    assert said.startswith(
        "`v` needs what is not there when yours is graded: no_such_package: answers to this homework"
    )


@pytest.mark.parametrize(
    ("code", "test", "sentence"),
    [
        ("def f(x):\n    return 3", "assert f(1) == 2, f'f(1) is 2, yours is {f(1)!r}'", "f(1) is 2, yours is 3"),
        ("def f(x):\n    return 3", "assert f(1) == 2", "this check failed: assert f(1) == 2"),
        ("def f(x):\n    y = 1\n    return y / 0", "f(1)", "`f` raised ZeroDivisionError: division by zero"),
        (
            "def f(x):\n    yield 1",
            "assert f(1) == 2, f'yours returns {type(f(1)).__name__}'",
            "yours returns generator",
        ),
        ("x = 1", "f(1)", "there is no `f`"),
        ("f = 3", "f(1)", "'int' object is not callable"),
        ("def f(x):\n    return 'a'", "assert math.isclose(f(1), 2)", "must be real number, not str"),
        ("def f(x):\n    while True: pass", "f(1)", "`f` did not finish in time: is there a loop without an end?"),
        ("def f(x):\n    import os\n    os._exit(3)", "f(1)", "the process ended in the middle of `f`"),
        ("def f(x):\n    return bytearray(1 << 40)", "f(1)", "`f` needed more memory than there is"),
        ("def f(x):\n    return f", "assert f(1) == 2, f'yours: {f(1)!r}'", "yours: <your function>"),
    ],
)
def test_the_sentence_says_what_happened(code, test, sentence, grade):
    _, points, said, _, _ = grade([code], test)
    assert points == 0 and sentence in said, said


def test_the_line_in_the_students_cell(grade):
    *_, place, _ = grade(["def g(x):\n    return 1 / x", "def f(x):\n    y = x\n    return g(y)"], "f(0)")
    assert place == ["cell1", 2]


HIDDEN = "assert f(1) == 2, 'visible'\n### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


@pytest.mark.parametrize(
    ("code", "test", "said", "unsaid"),
    [
        ("def f(x):\n    return x + 1 if x < 5 else 0", "assert f(77) == 78, 'a hint'", "a hint", "77"),
        ("def f(x):\n    return x + 1 if x < 5 else 0", "assert f(77) == 78", "a hidden check failed", "77"),
        ("def f(x):\n    assert x < 5, x\n    return x + 1", "assert f(77) == 78", "AssertionError in a hidden test", "77"),
        ("def f(x):\n    return x + 1 if x < 5 else f'input {x} here'", "got = f(77)\nassert got == 78, f'yours {got}'", "yours …", "77"),
        ("def f(x):\n    return x + 1 if x < 5 else {}", "f(77)[('secret', 'key')]", "KeyError", "secret"),
        ("def f(x):\n    raise KeyError(x) if x > 5 else 0\ng = f\nf = lambda x: x + 1 if x < 5 else g(x)", "f(77)", "KeyError in a hidden test", "77"),
    ],
)  # fmt: skip
def test_hidden_tests_stay_hidden(code, test, said, unsaid, grade):
    _, points, sentence, _, _ = grade([code], HIDDEN.format(test))
    assert points == 0 and said in sentence and unsaid not in sentence, sentence


CALLS_BACK = "def inner(x):\n    return x\ndef f(g, x):\n    return g(x)"
NESTED = "assert f(lambda v: inner(v) + 1, 1) == 2"
SPEAKS = """
from lmkit.grading import channel
honest, outer, kept = channel.Channel.send, [], []
def evil(self, message, files=()):
    if type(message[0]) is not int:
        return honest(self, message, files)
    if message[1] == "callback":
        outer.append(message)
        return honest(self, message)
    if not outer:
        return honest(self, message)
    first = outer[-1][0]
    {}
channel.Channel.send = evil
"""


@pytest.mark.parametrize(
    ("code", "test", "kind", "sentence"),
    [
        ("", "def g(x):\n    return f(g, x)\nf(g, 1)", Kind.CRASHED, "`f` and the test call each other without an end"),
        ("", "def g(x):\n    try:\n        return f(g, x)\n    except BaseException:\n        return f(g, x)\nassert f(g, 1) is None", Kind.CRASHED, "without an end"),
        ("def inner(x):\n    while True: pass", NESTED, Kind.TIMED_OUT, "`inner` did not finish in time"),
        ("import time\ndef f(g, x):\n    while True: time.sleep(.001); g(x)", NESTED, Kind.TIMED_OUT, "did not finish in time"),
        ("def inner(x):\n    import os\n    os._exit(0)", NESTED, Kind.CRASHED, "the process ended in the middle of `inner`"),
        ("def inner(x):\n    return bytearray(1 << 40)", NESTED, Kind.OUT_OF_MEMORY, "`inner` needed more memory"),
        ("def inner(x):\n    raise KeyError(x)", NESTED, Kind.GRADED, "`f` raised KeyError: 'the function that was passed in raised KeyError'"),
        # The answer to the outer request where the inner one is due; both; the inner one twice; an old and a future number.
        (SPEAKS.format("return honest(self, [first, *message[1:]])"), NESTED, Kind.CRASHED, "an answer to no question"),
        (SPEAKS.format("honest(self, [first, 'value', 2, None, []]); return honest(self, message)"), NESTED, Kind.CRASHED, "an answer to no question"),
        (SPEAKS.format("honest(self, message); return honest(self, message)"), NESTED, Kind.CRASHED, "an answer to no question"),
        (SPEAKS.format("return honest(self, [1, *message[1:]])"), NESTED, Kind.CRASHED, "an answer to no question"),
        (SPEAKS.format("return honest(self, [message[0] + 1, *message[1:]])"), NESTED, Kind.CRASHED, "an answer to no question"),
        # The function is called for the outer request while the inner one is open, and without an end for the inner one.
        (SPEAKS.format("return honest(self, outer[-1])"), NESTED, Kind.CRASHED, "an answer to no question"),
        (SPEAKS.format("return honest(self, [message[0], *outer[-1][1:]])"), NESTED, Kind.CRASHED, "`inner` and the test call each other without an end"),
        (SPEAKS.format("return honest(self, [message[0], 'callback', True, outer[-1][3]])"), NESTED, Kind.CRASHED, "is not data"),
        # The answer to the function's call never comes, or comes to the request above.
        (SPEAKS.format("return honest(self, [first, 'time'])"), NESTED, Kind.TIMED_OUT, "did not finish in time"),
        # Time runs out just after an answer.
        (SPEAKS.format("honest(self, message); return honest(self, [first, 'time'])"), NESTED, Kind.TIMED_OUT, "did not finish in time"),
    ],
)  # fmt: skip
def test_a_function_of_the_tests_may_ask_the_student_again(code, test, kind, sentence, grade):
    found, points, said, *_ = grade([CALLS_BACK, code], test)
    assert (found, points) == (kind, 0) and sentence in said, (found, said)


@pytest.mark.parametrize("kind", ["KeyError", "UnicodeDecodeError", "ExceptionGroup"])
def test_an_error_of_the_tests_own_function_is_the_nearest_type_without_its_text(kind, grade):
    near = {"KeyError": "LookupError", "UnicodeDecodeError": "UnicodeError", "ExceptionGroup": "Exception"}[kind]
    error = {
        "KeyError": "KeyError(7)",
        "UnicodeDecodeError": "b'\\xff'.decode()",
        "ExceptionGroup": "ExceptionGroup('7', [ValueError()])",
    }[kind]
    raised = "KeyError" if kind == "KeyError" else near
    code = f"def f(g):\n    try:\n        g()\n    except {near} as error:\n        return type(error).__name__, str(error)"
    test = f"def g():\n    raise {error}\nname, said = f(g)\nassert (name, said.strip(chr(39))) == ({raised!r}, 'the function that was passed in raised {kind}'), (name, said)"
    assert grade([code], test)[:3] == (Kind.GRADED, 4, "")


@pytest.mark.parametrize(
    ("last", "points"),
    [("1.5", 1.5), ("np.int64(3)", 3), ("0", 0), ("4", 4), ("None", 4), ("torch.tensor(2.5)", 2.5)]
    + [(bad, 0) for bad in ("math.nan", "math.inf", "-1", "5", "True", "'4'", "f", "[4]", "f(0)")],
)
def test_partial_points(last, points, grade):
    assert grade(["def f(x):\n    return 9"], f"x = 1\n{last}")[1] == points


def test_what_catches_everything_does_not_pass(grade):
    _, points, sentence, *_ = grade(["def f():\n    import os\n    os._exit(0)"], "try:\n    f()\nexcept:\n    pass")
    assert points == 0 and "the process ended" in sentence


def test_each_test_starts_from_the_cells_above_it(pair, grade):
    grade(["n = [0]\ndef f():\n    n[0] += 1\n    return n[0]"], "assert f() == 1")
    submission = Submission(pair, [], time.monotonic() + 60)
    submission.run_cell("a", "n = [0]\ndef f():\n    n[0] += 1\n    return n[0]")
    cell = MasterCell("t", TEST, "assert [f(), f()] == [1, 2]", 4.0)
    pair.wanted["t"] = ["f"]
    assert [submission.test(cell)[1] for _ in range(3)] == [4.0] * 3
    submission.close()


def test_no_test_knows_what_another_one_left(grade):
    setup_changed = "np.allclose = lambda *a: True\nCounter.x = 1\nmath.pi = 3"
    grade(["def f():\n    return 1"], setup_changed)
    kind, points, sentence, *_ = grade(["def f():\n    return 1"], "assert math.pi > 3.1 and not hasattr(Counter, 'x')")
    assert points == 4, sentence


def test_what_a_cell_shows(grade):
    cells = [
        "print('a')\n2 + 2",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2]);",
        "1 / 0",
        "print('\\x1b[31mred\\ud800')",
    ]
    *_, runs = grade([*cells, "def f():\n    print('hidden inputs')\n    return 1"], "f()\nf()")
    assert runs["cell1"].text == "a\n4\n" and runs["cell3"].error == "ZeroDivisionError: division by zero (line 1)"
    assert len(runs["cell2"].images) == 1 and runs["cell2"].images[0].startswith("iVBOR")
    assert "\x1b" not in runs["cell4"].text and runs["cell4"].text.isprintable() or "\n" in runs["cell4"].text
    assert "hidden inputs" not in json.dumps([run.text for run in runs.values()])


def test_the_secret_changes_the_inputs(pair, grade):
    def inputs():
        return grade(["def f(x):\n    return x"], "x = f(float(hidden_rng('f').random()))\nassert 0, f'{x:.12f}'")[2]

    assert inputs() == inputs()
    other = Pair(pair.master, "another secret", pair.limits)
    with other:
        submission = Submission(other, [], time.monotonic() + 60)
        submission.run_cell("a", "def f(x):\n    return x")
        other.wanted["t"] = ["f"]
        test = MasterCell("t", TEST, "x = f(float(hidden_rng('f').random()))\nassert 0, f'{x:.12f}'", 4.0)
        assert submission.test(test)[2] != inputs()


CHAIN = (
    MasterCell("setup", LOCKED, "from lmkit.corpora import course_grammar\nkept = course_grammar().sample(5, seed=1)"),
    MasterCell("one", SOLUTION, "def one():\n    raise NotImplementedError", reference="def one():\n    return 1"),
    MasterCell("test_one", TEST, "assert one() == 1, 'no one'", 1.0),
    MasterCell(
        "two", SOLUTION, "def two():\n    raise NotImplementedError", reference="def two():\n    return one() + 1"
    ),
    MasterCell("test_two", TEST, "assert two() == 2, 'no two'", 2.0),
    MasterCell("three", SOLUTION, "def three():\n    pass", reference="def three():\n    return two() + one()"),
    MasterCell("test_three", TEST, "assert three() == 3, 'no three'", 4.0),
    MasterCell("shown", LOCKED, "table = [one() for _ in range(3)]\nprint(table)"),
)


@pytest.mark.parametrize(
    ("answers", "points", "helped"),
    [
        (("return 0", "return one() + 1", "return two() + one()"), (0, 2, 4), {"test_two", "test_three"}),
        (("return 0", "return one() + 1", "return two() - one()"), (0, 2, 0), {"test_two"}),
        (("return 0", "import os; os._exit(one() - 1)", "return two() + one()"), (0, 0, 4), {"test_three"}),
        (("return 1", "return 2", "return two() + one()"), (1, 2, 4), set()),
        # Only where another answer calls it, so that its own test does not notice.
        (
            ("import sys; return 1 + (sys._getframe(1).f_code.co_name == 'two')", "return one() + 1", "return 3"),
            (1, 2, 4),
            {"test_two"},
        ),
    ],
)
def test_a_mistake_is_paid_for_once(answers, points, helped):
    """Also where the cells before leave something behind, or end their process when they run a second time."""
    names = iter(answers)
    cells = [new_code_cell(cell.source, metadata={"nbgrader": {"grade_id": cell.name}}) for cell in CHAIN]
    for cell, master in zip(cells, CHAIN, strict=True):
        if master.kind == SOLUTION:
            cell.source = f"def {master.name}():\n    {next(names)}"
    with Pair(Master("chain", CHAIN), "", Limits(cell_seconds=5, test_seconds=3, total_seconds=60)) as pair:
        outcome = grade_notebook(new_notebook(cells=cells), pair, "ada")
        assert tuple(test.points for test in outcome.tests) == points, outcome
        assert {test.name for test in outcome.tests if test.helped} == helped


def test_a_second_chance_lends_no_answer_that_stands_below():
    """Else a line that names a later answer would be worth its reference, and so this one."""
    chain = []
    for name in ("one", "uno"):
        chain.append(MasterCell(name, SOLUTION, f"def {name}():\n    pass", reference=f"def {name}():\n    return 1"))
        chain.append(MasterCell(f"test_{name}", TEST, f"assert {name}() == 1", 1.0))
    cells = [new_code_cell(cell.source, metadata={"nbgrader": {"grade_id": cell.name}}) for cell in chain]
    cells[0].source = "def uno():\n    pass\n\n\ndef one():\n    return uno()"
    cells[2].source = "def uno():\n    return one()"
    with Pair(Master("chain", tuple(chain)), "", Limits(cell_seconds=5, test_seconds=3, total_seconds=60)) as pair:
        outcome = grade_notebook(new_notebook(cells=cells), pair, "ada")
    assert [(test.points, test.helped) for test in outcome.tests] == [(0, False), (1, True)], outcome


@pytest.mark.parametrize(
    ("extra", "anew"),
    [
        ("doubled_before = doubled\ndef doubled():\n    return 2", True),
        ("doubled = lambda: 2", True),
        ("if True:\n    def doubled(): return 2", True),
        ("for one, doubled in [(1, lambda: 2)]: pass", True),
        ("from operator import neg as doubled", True),
        ("def f():\n    global doubled\n    doubled = 2", True),
        ("!ls\ndoubled = 1", True),
        ("def f(doubled=1):\n    doubled = 3\n    return doubled == 3", False),
        ("assert doubled() == 2\n(" * 60 + ")" * 60, False),
        ("(" * 300, False),
        ("x = '\0'; doubled()", False),
    ],
)
def test_what_the_homework_gives_and_a_cell_defines_anew_is_for_a_human_to_look_at(extra, anew):
    master = Master(
        "given",
        (
            MasterCell("one", SOLUTION, "def one():\n    pass", reference="def one():\n    return 1"),
            MasterCell("doubled", LOCKED, "def doubled():\n    return 2 * one()"),
            MasterCell("test_one", TEST, "assert doubled() == 2", 1.0),
        ),
    )
    cells = [new_code_cell(cell.source, metadata={"nbgrader": {"grade_id": cell.name}}) for cell in master.cells]
    cells.insert(2, new_code_cell(extra))
    with Pair(master) as pair:
        release = nbformat.writes(new_notebook(cells=cells[:2]))
        material = Material("given", release, {}, "", master, master.needs(), "", Limits())
        graded = grade_submission(
            Job.of("ada", nbformat.writes(new_notebook(cells=cells)).encode(), []), material, pair
        )
    assert (graded.look[:21] == "defines doubled anew,") is anew and (graded.look == "") is not anew


@pytest.mark.parametrize(
    "declared",
    [
        *[None, [], "numpy", {"mayimport": ["numpy"]}],
        *[{"may_import": names} for names in ("numpy", [3], ["numpy", ""], None)],
        *[{"look_for": 3}, {"may_not_import": {}}],
    ],
)
def test_what_a_homework_declares_are_lists_of_names(declared):
    with pytest.raises(
        ValueError, match=r"metadata lmkit(\.\w+: got .*, expected a list|: got .*, expected lists) of names"
    ):
        Master.from_notebook("odd", new_notebook(metadata={"lmkit": declared}))


@pytest.mark.parametrize(
    ("extra", "anew"),
    [
        ("def watched(f):\n    return f()", "watched"),
        ("class Watch:\n    seen = ()", "Watch"),
        ("for sorted in [list]: pass", "sorted"),
        ("import math\nfound = given = 3\nlen = math.inf\nprint(found)", ""),
    ],
)
def test_what_given_code_uses_beside_an_answer_is_for_a_human_to_look_at_too(extra, anew):
    setup = "import math\nclass Watch:\n    seen = set()\ndef watched(f):\n    found = f(), sorted(Watch.seen)\n    return found"
    master = Master(
        "given",
        (
            MasterCell("setup", LOCKED, f"{setup}\ndef unused(x):\n    return len(x)"),
            MasterCell("one", SOLUTION, "def one():\n    pass", reference="def one():\n    return 1"),
            MasterCell("check", LOCKED, "def check():\n    return watched(one), math.pi"),
            MasterCell("test_one", TEST, "assert check()[0] == (1, [])\nassert unused('') == 0", 1.0),
        ),
    )
    assert master.given() == ["Watch", "check", "set", "sorted", "watched"]
    with Pair(master) as pair:
        look = worth_a_look([("a", OTHER, None, extra)], pair)
    assert look.startswith(f"defines {anew} anew, which") if anew else look == ""


def test_words_that_a_homework_looks_for_are_for_a_human_to_look_at():
    source = new_notebook(metadata={"lmkit": {"look_for": ["shortcut", "torch.ops", "_thread"]}})
    source.cells = [new_code_cell("def one():\n    pass", metadata={"nbgrader": {"grade_id": "one", "solution": True}})]
    master = Master.from_notebook("words", source)
    assert master.look_for == ("shortcut", "torch.ops", "_thread")
    with Pair(master) as pair:
        for code, said in (
            ("a = torch.ops.x\nb = shortcut", "has shortcut, torch.ops, which"),
            ("import _thread\n__shortcut__ = 1", "has shortcut, _thread, which"),
            ("asyncio.to_thread(f)", "has _thread, which"),
            ("a = torch.op\ntorch.set_num_threads(2)", ""),
        ):
            look = worth_a_look([("a", SOLUTION, master.cells[0], code), ("b", TEST, None, "shortcut")], pair)
            assert look.startswith(said) and bool(look) is bool(said), look


def test_what_libraries_keep_of_the_homeworks_own_cells_is_there_for_everybody():
    """The setup has run once before the first submission; the names that it binds are not there until it runs again."""
    with Pair(Master("chain", CHAIN)) as pair:
        submission = Submission(pair, [], time.monotonic() + 60)
        submission.run_cell("a", "print(sorted({'kept', 'course_grammar', 'table'} & {*globals()}))")
        submission.run_cell("b", "from lmkit.corpora import course_grammar\nprint(len(course_grammar()._known) > 0)")
        submission.close()
    assert [submission.runs[name].text for name in "ab"] == ["[]\n", "True\n"]


def test_names_that_a_test_asks_for():
    cells = (
        MasterCell("setup", LOCKED, SETUP),
        MasterCell("f", "solution", "def f(x):\n    y = 1", reference="def f(x):\n    z = x\nW = 3"),
        MasterCell("use", LOCKED, "table = f(3)"),
        MasterCell("data", LOCKED, "data = [1]"),
    )
    test = MasterCell("test_f", TEST, "got = f(data)\nfor y in W:\n    assert close(got, y) and helper(table)", 1.0)
    master = Master("h", (*cells, test))
    assert master.wanted() == {"test_f": ["W", "f", "helper", "table"]}
    assert master.setup() == [SETUP, "data = [1]"]


def test_a_homework_is_read_from_its_notebook():
    def cell(name, source, **about):
        metadata = {"grade_id": name, "schema_version": 3, "grade": False, "solution": False, "locked": True} | about
        return new_code_cell(source, metadata={"nbgrader": metadata})

    notebook = new_notebook(
        cells=[
            cell("setup", "import math"),
            cell(
                "f", "def f():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION", solution=True, locked=False
            ),
            cell("test_f", "assert f() == 1", grade=True, points=2),
        ],
        metadata={"lmkit": {"may_import": ["numpy"]}},
    )
    master = Master.from_notebook("h", notebook)
    assert [(c.name, c.kind, c.points) for c in master.cells] == [
        ("setup", "locked", 0),
        ("f", "solution", 0),
        ("test_f", "test", 2),
    ]
    assert "return 1" in master.cells[1].reference and "return 1" not in master.cells[1].source
    assert master.may_import == ("numpy",) and master.tests_hash("a") != master.tests_hash("b")


def small(**answers):
    """A homework of two answers, the second built on the first, and a notebook with these answers."""
    stubs = {name: f"def {name}(x):\n    # YOUR CODE HERE\n    raise NotImplementedError()" for name in ("one", "two")}
    right = {"one": "def one(x):\n    return x + 1", "two": "def two(x):\n    return one(one(x))"}
    cells = [MasterCell("setup", LOCKED, "import math")]
    notebook = new_notebook(cells=[new_markdown_cell("## Part 1"), new_code_cell("import math", id="setup")])
    for i, (name, stub) in enumerate(stubs.items(), start=1):
        test = f"def _test_{name}():\n    assert {name}(5) == {5 + i}, 'wrong'\n_test_{name}()"
        cells += [MasterCell(name, SOLUTION, stub, 0, right[name]), MasterCell(f"test_{name}", TEST, test, i)]
        notebook.cells += [
            new_markdown_cell(f"### 1.{i} Number {name} ({i} points)"),
            *(new_code_cell(source, id=f"own-{name}") for source in [answers.get(f"own_{name}")] if source),
            new_code_cell(answers.get(name, right[name]), id=name),
            *(new_code_cell(source, id=f"below-{name}") for source in [answers.get(f"below_{name}")] if source),
            new_code_cell(test, id=f"test_{name}"),
        ]
    cells.append(MasterCell("show", LOCKED, "table = [two(x) for x in range(3)]"))
    notebook.cells.append(new_code_cell(cells[-1].source, id="show"))
    return Master("small", tuple(cells)), notebook, stubs


@pytest.fixture(scope="module")
def small_pair():
    limits = Limits(cell_seconds=3, test_seconds=3, total_seconds=120, memory=2 << 30)
    with Pair(small()[0], "secret", limits) as made:
        yield made


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("import math\nx = nothing\ndef one(x): pass", "your cell stopped at line 2, so there is no `one`: NameError: name 'nothing' is not defined"),
        ("def one(x)\n    return 1", "your cell stopped at line 1, so there is no `one`: SyntaxError: "),
        ("def uno(x):\n    return x + 1\nclass Helper: pass", "there is no `one`: your cell defines `Helper`, `uno`"),
        ("import os\nos._exit(1)", "there is no `one`: your cell ended the process: does it call exit, or recurse without an end?"),
        ("x = 1", "there is no `one`: no cell above the test defines it"),
        ("%%timeit\ndef one(x):\n    return x", "there is no `one`: your cell begins with %%timeit, which defines nothing; take that line away"),
        ("%%writefile a.py\ndef one(x):\n    return x", "there is no `one`: your cell begins with %%writefile, which defines nothing"),
        ("%%! \ndef one(x):\n    return x", "there is no `one`: your cell begins with %%!, which defines nothing"),
        ("%%python3\ndef one(x):\n    return x", "there is no `one`: your cell begins with %%python3, which defines nothing"),
        ("%%skip\ndef one(x):\n    return x", "there is no `one`: your cell begins with %%skip, which defines nothing; take that line away"),
        ("%%skip too slow\ndef one(x):\n    return x", "there is no `one`: your cell begins with %%skip, which defines nothing"),
        ("%%Skip\ndef uno(x):\n    return x", "there is no `one`: your cell defines `uno`"),
        ("%%skip False\nx = nothing\ndef one(x): pass", "your cell stopped at line 2, so there is no `one`: NameError"),
        ("%%capture\ndef one(x):\n    return x\ndel one", "there is no `one` when the test begins, though your cell defines it"),
        ("%%prun\nx = 1 / 0\ndef one(x):\n    return x", "your cell stopped at line "),
        ("%%time\ndef one(x):\n    return x\ndel one", "there is no `one` when the test begins, though your cell defines it"),
    ],
)  # fmt: skip
def test_the_sentence_names_the_cause(code, sentence, small_pair):
    _, notebook, _ = small(one=code)
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert outcome.tests[0].error.startswith(sentence), outcome.tests[0].error
    assert [test.points for test in outcome.tests] == [0, 2]


LOOP = "def one(x):\n    while True: pass"


@pytest.mark.parametrize(
    ("answers", "kind", "sentence", "points"),
    [
        ({"one": LOOP}, Kind.TIMED_OUT, "In 1.1 Number one: `one` did not finish in time: is there a loop without an end? Everything else was graded.", [0, 2]),
        ({"one": "def one(x):\n    return x + 1\nwhile True: pass"}, Kind.TIMED_OUT, "In 1.1 Number one: your cell did not finish within 3 seconds and was stopped: is there a loop without an end? Everything else was graded.", [1, 2]),
        ({"two": "def two(x):\n    while x < 3: pass\n    return one(one(x))"}, Kind.GRADED, "All 2 tests ran; 2 of them gave full points.", [1, 2]),
        ({"one": "def one(x):\n    return bytearray(1 << 40)", "two": LOOP.replace("one", "two")}, Kind.OUT_OF_MEMORY, "In 1.1 Number one: `one` needed more memory than there is. Everything else was graded.", [0, 0]),
    ],
)  # fmt: skip
def test_what_cannot_be_graded_is_named_as_the_student_knows_it(answers, kind, sentence, points, small_pair):
    """The locked cell at the end, which never ends either, is not blamed, and gets less time."""
    _, notebook, _ = small(**answers)
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert (outcome.kind, outcome.sentence) == (kind, sentence)
    assert [test.points for test in outcome.tests] == points
    if "two" in answers:
        assert outcome.cells["show"].error.startswith(("this cell did not finish within 1 seconds", "MemoryError"))


@pytest.mark.parametrize("two", ["max(iter(int, 1))", "def two(x):\n    return max(iter(int, 1))"])
def test_a_loop_that_no_signal_reaches_is_a_loop(small_pair, two):
    """One in C: the cell, or the test, has to be ended with its process, and that is said to be for the time."""
    outcome = grade_notebook(small(two=two)[1], small_pair, "alice")
    assert [test.points for test in outcome.tests] == [1, 0] and outcome.kind is Kind.TIMED_OUT
    assert "is there a loop without an end?" in outcome.tests[1].error


@pytest.mark.parametrize("seconds", [3, 100])
def test_a_locked_cell_with_less_time_leaves_the_next_ones_theirs(small_pair, monkeypatch, seconds):
    _, notebook, _ = small()
    asks = "import resource\nprint(resource.getrlimit(resource.RLIMIT_CPU))"
    notebook.cells += [new_code_cell(asks, id="asks")]
    monkeypatch.setattr(small_pair, "limits", Limits(cell_seconds=seconds, test_seconds=3, total_seconds=120))
    outcome = grade_notebook(notebook, small_pair, "alice")
    end = seconds + 3  # its time, and three seconds until nothing helps
    assert outcome.cells["asks"].text == f"({end}, {end + 1})\n"


def test_each_test_but_the_first_that_has_to_be_stopped_leaves_less_time_to_the_next(small_pair, monkeypatch):
    given = []
    monkeypatch.setattr(small_pair, "limits", Limits(cell_seconds=3, test_seconds=9, total_seconds=120))
    submission = Submission(small_pair, [], time.monotonic() + 100)
    monkeypatch.setattr("lmkit.grading.submission.send", lambda channel, message, *_: given.append(message))
    monkeypatch.setattr(Submission, "_end", lambda *_: 0)
    monkeypatch.setattr("lmkit.grading.submission.ask", lambda *_: 0)
    for _ in range(4):  # nobody answers
        submission.deadline = time.monotonic() + 0.01
        submission.test(small_pair.master.of_kind(TEST)[0])
    assert [message[1] for message in given if message[0] == "calls"] == [9, 9, 3, 1]
    submission.close()


def test_what_another_test_has_run_out_of_is_not_taken_from_a_right_answer(small_pair, monkeypatch):
    """Time: the next test has all of it, and so has each second chance."""
    given = []
    monkeypatch.setattr("lmkit.grading.submission.send", lambda *sent: (given.append(sent[1]), send(*sent)))
    outcome = grade_notebook(small(one="def one(x):\n    while True: pass")[1], small_pair, "alice")
    assert [test.points for test in outcome.tests] == [0, 2] and outcome.kind is Kind.TIMED_OUT
    assert [message[1] for message in given if message[0] == "calls"] == [3, 3, 3, 3]


def test_answers_in_other_cells_than_their_own(small_pair):
    """Both in one cell and the other cell deleted; in a cell of one's own under the stub; each with the first one wrong."""
    right, stubs = small()[1], small()[2]
    one, two = (cell.source for cell in right.cells if cell.id in ("one", "two"))
    wrong = "def one(x):\n    return x"
    merged = small(one=f"{one}\n\n{two}", two="")[1]
    merged_wrong = small(one=f"{wrong}\n\n{two}", two="")[1]
    below_wrong = small(one=wrong, two=stubs["two"], below_two=two)[1]
    assigned = small(one=f"{wrong}\n\ntwo = lambda x: one(one(x))", two="")[1]
    below_missing = small(one=stubs["one"], two=stubs["two"], below_two=two)[1]
    untouched = small(one=stubs["one"], two=stubs["two"])[1]
    got = [
        [test.points for test in grade_notebook(notebook, small_pair, "alice").tests]
        for notebook in (merged, merged_wrong, assigned, below_wrong, below_missing, untouched)
    ]
    assert got == [[1, 2], [0, 2], [0, 2], [0, 2], [0, 2], [0, 0]]


@pytest.mark.parametrize("above", ["one", "test_one", "two"])
def test_a_notebook_of_more_cells_than_processes_loses_nothing(small_pair, above):
    """More own cells than there may be processes: between a helper and its user, an answer and its test, two answers."""
    _, notebook, _ = small(own_one="def helper(x):\n    return x + 1", one="def one(x):\n    return helper(x)")
    own = [new_code_cell(f"scratch_{i} = {i}\nprint({i})", id=f"many-{i}") for i in range(160)]
    place = next(i for i, cell in enumerate(notebook.cells) if cell.id == above)
    notebook.cells[place:place] = own
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert [(test.points, test.helped) for test in outcome.tests] == [(1, False), (2, False)], outcome.sentence
    assert [outcome.cells[f"many-{i}"].text for i in range(160)] == [f"{i}\n" for i in range(160)]


def test_each_test_sees_the_cells_above_it_and_no_other(small_pair):
    """A helper that is defined again further down; in the released order, and with the second task handed in first."""
    helpers = {"one": "def helper(x):\n    return x + 1", "two": "def helper(x):\n    return x - 1"}
    _, notebook, _ = small(
        own_one=helpers["one"],
        one="def one(x):\n    return helper(x)",
        own_two=helpers["two"],
        two="def two(x):\n    return helper(x) + 3",
    )
    head, first, second, end = (notebook.cells[start:stop] for start, stop in ((0, 2), (2, 6), (6, 10), (10, None)))
    for order in (first + second, second + first):
        notebook.cells = head + order + end
        outcome = grade_notebook(notebook, small_pair, "alice")
        assert [(test.points, test.helped) for test in outcome.tests] == [(1, False), (2, False)], outcome


def test_cells_that_only_define_share_a_process(small_pair):
    master, notebook, _ = small(own_one="\n", below_one="y: int = 3", own_two="class Helper:\n    y = 3", below_two=" ")
    submission = Submission(small_pair, in_order(notebook, master), time.monotonic() + 60)
    submission.run_cells()
    assert len(submission.open) == 4  # before all cells, after the setup, after the definitions, after the table
    for test in master.of_kind(TEST):
        kind, points, sentence, _ = submission.test(test)
        assert (kind, points) == (Kind.GRADED, test.points), sentence
    submission.close()


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ("__import__('os')._exit(1)", "your cell ended the process"),
        ("max(iter(int, 1))", "your cell did not finish within 3 seconds"),
        ("exec('while True: pass')", "your cell did not finish within 3 seconds"),
    ],
)
def test_a_hook_that_ends_a_cell_which_only_defines_costs_that_cell(small_pair, ends, said):
    """The cells above it, in the same process, are run again; the test of the first one has its points."""
    hook = f"def hook(info):\n    if 'two' in info.raw_cell:\n        {ends}\nget_ipython().events.register('pre_run_cell', hook)"
    _, notebook, _ = small(own_one=hook, below_one="def more(x):\n    return x", below_two="print(one(1), more(2))")
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert [test.points for test in outcome.tests] == [1, 0], outcome
    assert said in outcome.tests[1].error and outcome.cells["below-two"].text == "2 2\n"


def test_a_cell_that_only_defines_and_hangs_ends_with_the_submissions_time(small_pair, monkeypatch):
    """Long before it would have had its own time; the answer above it keeps its points."""
    monkeypatch.setattr(small_pair, "limits", Limits(cell_seconds=20, test_seconds=2, total_seconds=8))
    hook = "import time\ndef hook(info):\n    time.sleep(60 * ('two' in info.raw_cell))\nget_ipython().events.register('pre_run_cell', hook)"
    _, notebook, _ = small(own_one=hook, own_two="y = 3")
    began = time.monotonic()
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert time.monotonic() - began < 20 and outcome.kind is Kind.TIMED_OUT, outcome
    assert "the time for the whole submission was over" in outcome.tests[1].error


LIES = """import os, sys, time
def hook(info):
    if 'lies' not in info.raw_cell:
        return
    frame = sys._getframe()
    while frame:
        channel = frame.f_locals.get('channel')
        if type(channel).__name__ == 'Channel':
            for _ in range(30):
                channel.send(['', '', [], 'ok'])
            time.sleep(1000)
        frame = frame.f_back
get_ipython().events.register('pre_run_cell', hook)"""


def test_a_process_that_answers_in_advance_and_reads_nothing_stops_nobody(small_pair, monkeypatch):
    """Its channel fills up; the submission ends when its time is over."""
    monkeypatch.setattr(small_pair, "limits", Limits(cell_seconds=1, test_seconds=1, total_seconds=8))
    _, notebook, _ = small(own_one=LIES, below_one="lies = 1")
    large = f"def more(x):\n    return x\n#{'𝔘' * 40_000}"
    notebook.cells[-1:-1] = [new_code_cell(large, id=f"large-{i}") for i in range(6)]
    began = time.monotonic()
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert time.monotonic() - began < 60 and outcome.kind in (Kind.TIMED_OUT, Kind.CRASHED)


SECOND_TIME = """import os, time
n = 1
def hook(info):
    seen = f"seen-{len(info.raw_cell)}"
    if os.path.exists(seen):
        WHAT
    open(seen, "w").close()
get_ipython().events.register("pre_run_cell", hook)"""


@pytest.mark.parametrize(
    "what",
    [
        "time.sleep(60)",
        "time.sleep(60 * ('x1' in info.raw_cell))",
        "os._exit(1)",
        "info.raw_cell = 1 / 0",
        "globals().pop('n', 0)",
    ],
)
def test_definitions_that_do_not_run_again_cost_no_test(small_pair, monkeypatch, what):
    """Where a hook waits, ends the process or lets them fail when they run again, each cell has a process.

    A hook that itself fails changes nothing.
    """
    monkeypatch.setattr("lmkit.grading.submission.WAITING", 3)
    one = "def one(x, by=n):\n    return x + by"
    _, notebook, _ = small(own_one=SECOND_TIME.replace("WHAT", what), one=one, below_one="x1 = 1\nx2 = 2")
    began = time.monotonic()
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert [(test.points, test.helped) for test in outcome.tests] == [(1, False), (2, False)], outcome
    assert time.monotonic() - began < 50


def many_groups(groups):
    """A homework of many tests, three in each group of definitions, each of which sees another helper."""
    cells = [MasterCell("setup", LOCKED, "import math")]
    for i in range(1, groups + 1):
        cells.append(MasterCell(f"cell_{i}", LOCKED, f"print({i})"))
        for when, expected in (("early", i), ("middle", 100 + i), ("late", -i)):
            answer = f"def helper():\n    return {expected}\ndef {when}_{i}():\n    return helper()"
            cells += [
                MasterCell(f"{when}_{i}", SOLUTION, answer, 0, answer),
                MasterCell(f"test_{when}_{i}", TEST, f"assert {when}_{i}() == {expected}", 1),
            ]
    return Master("many", tuple(cells))


def test_tests_come_in_any_order_and_need_few_processes():
    """What ran again for one group is not there for the next one, and has ended."""
    master = many_groups(16)
    cells = [(cell.name, cell.kind, cell, cell.source) for cell in master.cells]
    tests = master.of_kind(TEST)
    with Pair(master, "secret", Limits(processes=44)) as pair:
        for order in (tests, tests[::-1]):
            submission = Submission(pair, cells, time.monotonic() + 300)
            submission.run_cells()
            found = {test.name: submission.test(test) for test in order}
            submission.close()
            assert [result for result in found.values() if result[1] != 1] == []


ALARM = "import signal\nsignal.alarm(1)\nprint(1)"
THREAD = """import threading, time
n = 0
def count():
    global n
    while True:
        n += 1
        time.sleep(0.001)
threading.Thread(target=count, daemon=True).start()"""
ENDS_WHERE_IT_BEGAN = """import os
me = os.getpid()
def hook(info):
    if os.getpid() == me:
        os._exit(1)
get_ipython().events.register("pre_run_cell", hook)"""


@pytest.mark.parametrize("own", [ALARM, THREAD, ENDS_WHERE_IT_BEGAN])
@pytest.mark.parametrize(
    ("one", "points"), [("def one(x):\n    return helper(x) + n", 1), ("def one(x):\n    return 0", 0)]
)
def test_no_test_starts_from_a_later_state(small_pair, own, one, points):
    """Whatever becomes of the process before the definitions: the first test knows nothing of those below it."""
    _, notebook, _ = small(
        own_one=own,
        one=f"n = 0\ndef helper(x):\n    return x + 1\n{one}",
        own_two="def helper(x):\n    return x - 1\ndef one(x):\n    return x + 1\nn = -1",
        two="def two(x):\n    return helper(x) + 3",
        below_two="import time\ntime.sleep(2)",
    )
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert [test.points for test in outcome.tests] == [points, 2], outcome


def test_no_test_starts_after_the_submissions_time(small_pair, monkeypatch):
    """Also if it is the definitions above it that take the rest."""
    monkeypatch.setattr(small_pair, "limits", Limits(cell_seconds=2, test_seconds=2, total_seconds=12))
    hook = SECOND_TIME.replace("WHAT", "time.sleep(60)")
    master, notebook, _ = small(own_one=hook, below_one="x = 1")
    submission = Submission(small_pair, in_order(notebook, master), time.monotonic() + 100)
    submission.run_cells()
    submission.deadline = time.monotonic() + 1
    assert submission.test(master.of_kind(TEST)[0])[:2] == (Kind.TIMED_OUT, 0.0)
    assert time.monotonic() < submission.deadline + 3
    submission.close()


ONCE = """import os
class Once:
    def __getitem__(self, name):
        if os.path.exists(name):
            raise ValueError
        open(name, "w").close()
once = Once()"""
FORKS = """import os
class Forks:
    def __getitem__(self, name):
        os.fork()
forks = Forks()"""


def test_a_module_of_the_homework_that_breaks_when_it_is_imported_is_named():
    setup = MasterCell("setup", LOCKED, "import unittest.__main__")  # a program: it exits
    answer = MasterCell("one", SOLUTION, "def one():\n    pass", reference="def one():\n    return 1")
    with pytest.raises(RuntimeError, match="the setup cells of broken fail on the tests' side: SystemExit"):
        Pair(Master("broken", (setup, answer, MasterCell("test_one", TEST, "assert one() == 1", 1.0))))


@pytest.mark.parametrize(("own", "kind"), [(ONCE, "once['seen']"), (FORKS, "forks[0]")])
def test_a_definition_that_does_something_is_what_it_was(small_pair, own, kind):
    """What stands for a type fails the second time, or forks; then each cell has a process, or one of both goes on."""
    _, notebook, _ = small(
        own_one=own,
        one="def one(x):\n    return x + 1",
        own_two=f"def other(x: {kind}):\n    return x + 2",
        two="def two(x):\n    return other(x) + sum(more() for more in (more_0, more_1, more_2, more_3))",
    )
    place = next(i for i, cell in enumerate(notebook.cells) if cell.id == "two")
    more = [new_code_cell(f"def more_{i}():\n    return 0", id=f"more-{i}") for i in range(4)]
    notebook.cells[place:place] = more  # of two processes that listen, each would get some of them
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert [(test.points, test.helped) for test in outcome.tests] == [(1, False), (2, False)], outcome


def test_a_long_cell_leaves_the_definitions_below_it_their_time(small_pair, monkeypatch):
    """More computing time than a test has, in the process in which they run again; a helper below is another one."""
    monkeypatch.setattr(small_pair, "limits", Limits(cell_seconds=20, test_seconds=1, total_seconds=120))
    busy = "import time\nwhile time.process_time() < 5:\n    pass"
    many = "\n".join(f"class C{i}:\n    def f(self):\n        return {i}" for i in range(300))
    _, notebook, _ = small(
        own_one=busy,
        one=f"{many}\ndef helper(x):\n    return x + 1\ndef one(x):\n    return helper(x)",
        own_two="def helper(x):\n    return x - 1",
        two="def two(x):\n    return helper(x) + 3",
    )
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert [(test.points, test.helped) for test in outcome.tests] == [(1, False), (2, False)], outcome


def test_nothing_of_a_submission_stays(small_pair):
    """No process and no open file, whether it is graded once, once more, or with second chances."""
    grader = psutil.Process()
    works = [{}, {"own_one": SECOND_TIME.replace("WHAT", "os._exit(1)"), "below_one": "x = 1"}, {"one": "x = 1"}]

    def runs(process):
        try:
            return process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:  # it has gone since it was listed
            return False

    def left():
        return sum(map(runs, grader.children(recursive=True))), grader.num_fds()

    before = None
    while before != (before := left()):
        time.sleep(0.5)  # what is killed takes a moment to go
    for work in works:
        grade_notebook(small(**work)[1], small_pair, "alice")
        until = time.monotonic() + 20
        while left() != before and time.monotonic() < until:
            time.sleep(0.05)
        assert left() == before, work


def test_what_is_shown_comes_before_all_tests_also_when_it_is_graded_once_more(small_pair, monkeypatch):
    """The second time begins when the code under test lets it: the clock would carry an input."""
    ends = "def one(x):\n    os.kill(os.getppid(), 9)\n    return x + 1"
    _, notebook, _ = small(own_one="import os, time\nprint(time.time())", one=ends, two="def two(x):\n    return x + 2")
    notebook.cells.insert(-1, new_code_cell("z = 1", id="more"))
    shown, real = [], Submission.run_cells

    def run_cells(self):
        real(self)
        shown.append(self.runs["own-one"].text)

    monkeypatch.setattr(Submission, "run_cells", run_cells)
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert len(shown) == 2 and outcome.cells["own-one"].text == shown[0] != shown[1]


def test_lack_of_memory_the_first_time_is_no_cause_of_what_crashes_the_second_time(small_pair, monkeypatch):
    real = grader._run

    class Full(grader.Watch):
        def __enter__(self):
            self.tripped = True
            return super().__enter__()

    def run(pair, cells, shared):
        found = real(pair, cells, shared)
        if shared:
            raise NotAgain(found[0])
        return found

    monkeypatch.setattr(grader, "Watch", Full)
    monkeypatch.setattr(grader, "_run", run)
    _, notebook, _ = small(one="def one(x):\n    import os\n    os._exit(1)", two="def two(x):\n    return x + 2")
    assert grade_notebook(notebook, small_pair, "alice").tests[0].kind is Kind.CRASHED


@pytest.mark.parametrize("dies_first", [False, True])
def test_what_died_the_time_that_counts_is_the_cause_when_it_is_graded_once_more(small_pair, monkeypatch, dies_first):
    real = grader._run

    def run(pair, cells, shared):
        if shared is dies_first:
            cells = [(i, kind, m, "while True: pass" if m and m.name == "one" else s) for i, kind, m, s in cells]
        found = real(pair, cells, shared)
        if shared:
            raise NotAgain(found[0])
        return found

    monkeypatch.setattr(grader, "_run", run)
    outcome = grade_notebook(small()[1], small_pair, "alice")
    if dies_first:
        assert outcome.kind is Kind.GRADED and [test.points for test in outcome.tests] == [1, 2]
    else:
        assert outcome.kind is Kind.TIMED_OUT and "your cell did not finish" in outcome.tests[0].error


def test_an_answer_that_was_moved_below_its_test_is_said_to_be_there(small_pair):
    _, notebook, _ = small()
    answer, test = (next(i for i, cell in enumerate(notebook.cells) if cell.id == name) for name in ("one", "test_one"))
    notebook.cells[answer], notebook.cells[test] = notebook.cells[test], notebook.cells[answer]
    said = grade_notebook(notebook, small_pair, "alice").tests[0].error
    assert "your cell that defines it stands below the test" in said


def test_a_test_that_ends_the_process_it_starts_from_costs_no_other(small_pair):
    _, notebook, _ = small(
        one="def one(x):\n    import os\n    os.kill(os.getppid(), 9)\n    return x",
        two="def two(x):\n    return x + 2",
    )
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert [(test.points, test.helped) for test in outcome.tests] == [(0, False), (2, False)], outcome


def test_no_room_for_another_process_is_not_said_to_be_the_cells_fault(small_pair):
    """Threads that stay take it all: the cells below and their tests cannot begin, and the instructor is told."""
    many = "import threading, time\nfor _ in range(500):\n    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    _, notebook, _ = small(one=f"def one(x):\n    return x + 1\n{many}")
    outcome = grade_notebook(notebook, small_pair, "alice")
    assert "two" in [name for name, run in outcome.cells.items() if NOT_STARTED in run.error]
    assert NOT_STARTED in outcome.tests[0].error, outcome.tests
    assert NOT_STARTED in outcome.sentence and "exit" not in outcome.sentence, outcome.sentence


PICTURES = """\
import random, struct, zlib
import matplotlib.pyplot as plt
def part(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
def savefig(self, file, **_):
    head = struct.pack(">IIBBBBB", 100, 100, 8, 2, 0, 0, 0)
    file.write(bytes([137]) + b"PNG\\r\\n" + bytes([26, 10]) + part(b"IHDR", head) + part(b"IDAT", random.randbytes(700_000)) + part(b"IEND", b""))
plt.Figure.savefig = savefig
"""


def test_what_a_notebook_shows_has_an_end(small_pair, monkeypatch):
    """Everything that is kept goes through one process, which grades the whole class."""
    monkeypatch.setattr("lmkit.grading.submission.MOST_TEXT", 30_000)
    _, notebook, _ = small(own_one=PICTURES)
    shows = "for _ in range(4):\n    plt.figure()\nprint('x' * 15_000)"
    notebook.cells[4:4] = [new_code_cell(shows, id=f"shows-{i}") for i in range(4)]
    outcome = grade_notebook(notebook, small_pair, "alice")
    pictures = [len(outcome.cells[f"shows-{i}"].images) for i in range(4)]
    assert pictures == [4, 4, 0, 0] and "left out" not in outcome.cells["shows-0"].text
    assert "figures are left out here: those of this notebook are larger than 8 MB" in outcome.cells["shows-2"].text
    assert "this notebook prints more than can be kept" in outcome.cells["shows-2"].text
    assert len(outcome.to_json()) < 9_000_000 and outcome.points == 3


def test_second_chances_parse_no_cell_twice_and_end_with_the_submissions_time(small_pair, monkeypatch):
    parsed = []
    real = definitions.ast.parse
    monkeypatch.setattr(definitions.ast, "parse", lambda source, *rest: parsed.append(source) or real(source, *rest))
    wrong = {name: f"def {name}(x):\n    return 0" for name in ("one", "two")}
    _, notebook, _ = small(**wrong, own_one="a = 1", own_two="a<b\n" * definitions.LONGEST_PARSED)
    assert grade_notebook(notebook, small_pair, "alice").points == 0
    assert parsed.count("a = 1") == 1 and max(map(len, parsed)) < definitions.LONGEST_PARSED
    assert all(parsed.count(source) == 1 for source in wrong.values())
    submission = Submission(small_pair, [], time.monotonic() - 1)
    monkeypatch.setattr("lmkit.grading.grader.answer_to", lambda *_: pytest.fail("the time was over"))
    assert second_chances(small_pair, [], {"test_one": (Kind.GRADED, 0.0, "wrong", [])}, submission) == set()
    submission.close()


def test_a_second_chance_is_at_the_same_inputs(small_pair, monkeypatch):
    """What hidden tests draw from is the notebook's own, with and without the reference beside an answer."""
    drawn_by, real = [], Submission.test
    monkeypatch.setattr(Submission, "test", lambda self, cell: drawn_by.append(self.drawn_by) or real(self, cell))
    outcome = grade_notebook(small(one="def one(x):\n    return 0")[1], small_pair, "alice")
    assert [(test.points, test.helped) for test in outcome.tests] == [(0, False), (2, True)]
    assert len(drawn_by) == 4 and len(set(drawn_by)) == 1


def test_a_heading_of_many_spaces_costs_no_time():
    assert plain("Sums " + " " * 400_000 + "x").startswith("Sums")
    assert plain("**Sums** of `x` (3 points)") == "Sums of x"


@pytest.mark.parametrize(
    "shape",
    [
        "tuple(int.from_bytes(said[i : i + 9].encode(), 'big') for i in range(0, len(said), 9))",
        "[said[i : i + 8] for i in range(0, len(said), 8)]",
        "{said[i : i + 8]: ord(said[i]) for i in range(0, len(said), 8)}",
        "np.array([ord(c) for c in said])",
        "[[bool(ord(c) >> k & 1) for k in range(8)] for c in said]",
        "[float(ord(c)) for c in said]",
    ],
)
@pytest.mark.parametrize("how", ["{got!r}", "{', '.join(str(v) for v in got)}"])
def test_a_hidden_message_has_little_room_for_what_the_answer_gives_back(shape, how, grade):
    """Whatever it is written as, all hidden inputs together do not fit; an ordinary answer is shown as it is."""
    code = f"seen = []\ndef f(x):\n    seen.append(x)\n    said = repr(seen)\n    return {shape} if len(seen) > 9 else x + 1"
    wrong = f'f"""wrong for number {{x}} of the list: {how}"""'
    test = f"for x in range(12):\n    got = f(x + 0.1234)\n    assert isinstance(got, float), {wrong}"
    _, points, said, _, _ = grade([code], HIDDEN.format(test))
    assert points == 0 and said.startswith("wrong for number 8 of the list: "), said
    assert len(said) < 100, said
    code = "def f(x):\n    return x + 1 if x == 1 else [0.25, 'ab', x]"
    test = "got = f(5)\nassert got == [0.25, 'ab', 6], f'the word ab and a number: {got}'"
    said = grade([code], HIDDEN.format(test))[2]
    assert said == "the word ab and a number: [0.25, 'ab', 5]"


def test_hidden_words_that_an_answer_gives_back_are_not_the_authors_own(grade):
    code = "def f(x):\n    return 2 if x == 1 else x.split('|')"
    test = "got = f('hidden inputs are words too|as these')\nassert got == [], f'yours has {len(got)} words: {got}'"
    said = grade([code], HIDDEN.format(test))[2]
    assert said.startswith("yours has 2 words: ") and "hidden" not in said and "these" not in said, said


PORT = """import socket
where = ("127.0.0.1", 23456)
try:
    with socket.socket() as listens:
        listens.bind(where)
        listens.listen()
        asks = socket.create_connection(where, 1)
        listens.accept()[0].close()
        asks.close()
    print("reached")
except OSError as error:
    print(error)"""


def test_a_port_that_one_notebook_used_tells_the_next_one_nothing(small_pair):
    """The system keeps it for a minute, longer than any process: a hidden input is some ports that are taken."""
    shown = [grade_notebook(small(own_one=PORT)[1], small_pair, "alice").cells["own-one"].text for _ in range(2)]
    assert shown == ["reached\n"] * 2


DEVICES = """import os
for path in ["/dev", "/dev/pts", *(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty"))]:
    try:
        os.utime(path)
        print(path)
    except OSError:
        pass
open("/dev/null", "w").write("as ever")
print(len(open("/dev/urandom", "rb").read(2)))"""


def test_the_time_of_a_device_tells_the_next_notebook_nothing(small_pair):
    """It is the machine's own, and anybody who may write to a device may set it: to the fraction of a second that is an input."""
    if small_pair.namespaces:
        outcome = grade_notebook(small(own_one=DEVICES)[1], small_pair, "alice")
        assert outcome.cells["own-one"].text == "2\n", outcome.cells["own-one"]


TERMINAL = """import os, pty, time
time.sleep(1.1)
above, below = pty.openpty()
os.write(above, b"x\\n")
print(os.read(below, 9), os.ttyname(below), os.stat("/dev/ptmx").st_mtime)"""


def test_the_time_of_a_terminal_tells_the_next_notebook_nothing(small_pair):
    """Writing to one sets the time of ``ptmx``, to eight seconds, although that is mounted read-only: each has its own."""
    if small_pair.namespaces:
        shown = [grade_notebook(small(own_one=TERMINAL)[1], small_pair, "alice").cells["own-one"].text for _ in "12"]
        assert all(text.startswith("b'x\\n' /dev/pts/0 ") for text in shown) and shown[0] != shown[1], shown
