# ruff: noqa: E501  code in one line of text each
"""Honest work in every style that a test must take, as data: name, the student's cells, the test that they pass."""

TORCH = "import torch\n"

HONEST = {
    "a plain function": (["def f(x):\n    return x + 1"], "assert f(1) == 2"),
    "numpy numbers": (
        ["def f(x):\n    return np.float64(x) / 3"],
        "assert math.isclose(f(1), 1 / 3)\nassert f(3) == 1",
    ),
    "float32": (["def f(x):\n    return np.float32(x)"], "assert math.isclose(f(0.1), 0.1, rel_tol=1e-6)"),
    "numpy truth": (["def f(x):\n    return np.bool_(x > 0)"], "assert f(1)\nassert not f(-1)"),
    "an array": (
        ["def f(n):\n    return np.arange(n) * 2.0"],
        "assert f(3).tolist() == [0, 2, 4] and f(3).shape == (3,)",
    ),
    "an array of nothing": (["def f(n):\n    return np.zeros((0, n))"], "assert f(3).shape == (0, 3)"),
    "a view": (["a = np.arange(10)\ndef f():\n    return a[::-2]"], "assert f().tolist() == [9, 7, 5, 3, 1]"),
    "Fractions": (
        ["from fractions import Fraction\ndef f(a, b):\n    return Fraction(a, b)"],
        "assert f(1, 3) * 3 == 1",
    ),
    "warnings": (
        ["import warnings\ndef f():\n    warnings.warn('mind the gap', stacklevel=2)\n    return 1"],
        "assert f() == 1",
    ),
    "warnings of numpy": (["def f():\n    return np.log(np.array([0.0, 1.0]))"], "assert f()[0] == -np.inf"),
    "stderr": (["import sys\ndef f():\n    print('careful', file=sys.stderr)\n    return 1"], "assert f() == 1"),
    "much printing": (["def f():\n    for i in range(10000): print('step', i)\n    return 1"], "assert f() == 1"),
    "logging": (
        ["import logging\nlogging.basicConfig()\ndef f():\n    logging.error('x')\n    return 1"],
        "assert f() == 1",
    ),
    "slow but legal": (["import time\ndef f():\n    time.sleep(1)\n    return sum(range(10**7))"], "assert f() > 0"),
    "a slow cell": (["import time\ntime.sleep(1)\nx = sum(range(10**7))\ndef f():\n    return x"], "assert f() > 0"),
    "unicode": (["def größe(ä):\n    return 'ß' + ä + '日本 🙂'\nf = größe"], "assert f('é') == 'ßé日本 🙂'"),
    "unicode keys": (["def f(d):\n    return {k.upper(): v for k, v in d.items()}"], "assert f({'ä': 1}) == {'Ä': 1}"),
    "a plot": (
        ["import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\ndef f():\n    plt.figure()\n    return 1"],
        "assert f() == 1",
    ),
    "inline plots": (
        ["%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1])", "def f():\n    return 1"],
        "assert f() == 1",
    ),
    "magics": (
        ["%timeit -n 1 -r 1 1 + 1\n%load_ext autoreload\n%autoreload 2", "def f():\n    return 1"],
        "assert f() == 1",
    ),
    "a shell command that is not there": (["!ls /\n!pip install x", "def f():\n    return 1"], "assert f() == 1"),
    "display": (
        ["from IPython.display import Markdown, display\ndisplay(Markdown('**x**'))\n3", "def f():\n    return 1"],
        "assert f() == 1",
    ),
    "await": (
        [
            "import asyncio\nawait asyncio.sleep(0)",
            "def f():\n    return asyncio.run(g())\nasync def g():\n    return 1",
        ],
        "assert f() == 1",
    ),
    "a broken cell elsewhere": (["1 / 0", "this is no Python", "def f():\n    return 1"], "assert f() == 1"),
    "exit in a cell": (["exit()", "import sys\nsys.exit(1)", "def f():\n    return 1"], "assert f() == 1"),
    "a cell that kills": (
        ["def g():\n    return 1", "import os\nos._exit(1)", "def f():\n    return g()"],
        "assert f() == 1",
    ),
    "a seed of its own": (
        [
            "import random\nrandom.seed(3)",
            "x = [random.random() for _ in range(2)]",
            "def f():\n    random.seed(3)\n    return x == [random.random() for _ in range(2)]",
        ],
        "assert f() is True",
    ),
    "numpy's seed": (
        [
            "np.random.seed(3)",
            "x = np.random.rand()",
            "def f():\n    np.random.seed(3)\n    return x == np.random.rand()",
        ],
        "assert f()",
    ),
    "a generator passed in": (
        ["def f(rng):\n    return rng.random()"],
        "a, b = np.random.default_rng(7), np.random.default_rng(7)\nassert f(a) == b.random()\nassert a.random() == b.random()\nassert [f(a), f(a)] == b.random(2).tolist()\nassert repeat(f, 3, a) == b.random(3).tolist()\nassert a.random() == b.random()",
    ),
    "Python's generator passed in": (
        ["def f(rng):\n    return rng.gauss(0, 1)"],
        "import random\na, b = random.Random(7), random.Random(7)\nassert [f(a), a.gauss(0, 1)] == [b.gauss(0, 1), b.gauss(0, 1)]",
    ),
    "a generator of its own": (
        ["def f(seed):\n    return np.random.default_rng(seed)"],
        "g = f(3)\nassert g.random() == np.random.default_rng(3).random()",
    ),
    "a generator handed back": (
        ["def f(rng):\n    rng.random()\n    return [rng, 1]"],
        "rng = np.random.default_rng(3)\nassert f(rng)[0] is rng",
    ),
    "a generator kept": (
        [
            "def f(rng):\n    class Die:\n        def roll(self):\n            return int(rng.integers(6))\n    return Die()"
        ],
        "die = f(np.random.default_rng(1))\nassert len({die.roll() for _ in range(100)}) == 6",
    ),
    "yield": (
        ["def f(n):\n    for i in range(n):\n        yield i * i"],
        "assert list(f(4)) == [0, 1, 4, 9]\nassert [a + b for a, b in zip(f(3), f(3))] == [0, 2, 8]\nassert next(f(1)) == 0",
    ),
    "yield without an end": (
        ["def f():\n    i = 0\n    while True:\n        yield i\n        i += 1"],
        "g = f()\nassert [next(g) for _ in range(3)] == [0, 1, 2]",
    ),
    "map and zip": (["def f(xs):\n    return map(str, xs)"], "assert list(f([1, 2])) == ['1', '2']"),
    "a class": (
        [
            "class Model:\n    def __init__(self, n):\n        self.n = n\n        self.counts = {('a',): n}\n    def more(self, by=1):\n        self.n += by\n        return self.n"
        ],
        "m = Model(3)\nassert m.n == 3 and m.more() == 4 and m.more(by=2) == 6 and m.n == 6\nassert m.counts['a',] == 3\nm.n = 10\nassert m.more() == 11 and type(m).__name__ == 'Model'",
    ),
    "a callable object": (
        ["class F:\n    def __call__(self, x):\n        return 2 * x\nf = F()"],
        "assert f(4) == 8 and callable(f) and call_each(f, [(1,), (2,)]) == [2, 4]",
    ),
    "a lambda and a partial": (
        ["from functools import partial\nf = lambda x: x + 1\ng = partial(f, 2)"],
        "assert f(1) == 2 and g() == 3",
    ),
    "a cached function": (
        ["from functools import lru_cache\n@lru_cache\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)"],
        "assert f(80) == 23416728348467685",
    ),
    "recursion": (["def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)"], "assert f(800) == 800"),
    "a closure": (
        ["def f():\n    n = [0]\n    def tick():\n        n[0] += 1\n        return n[0]\n    return tick"],
        "tick = f()\nassert [tick(), tick()] == [1, 2]",
    ),
    "a function as an argument": (
        ["def f(g, x):\n    return g(g(x))"],
        "assert f(lambda x: 3 * x, 2) == 18\nassert f(np.sqrt, 16.0) == 2\nassert f(math.sqrt, 16.0) == 2",
    ),
    "its own function as an argument": (
        ["def double(x):\n    return 2 * x\ndef f(g, x):\n    return g(x)"],
        "assert f(double, 4) == 8",
    ),
    "a function that calls other answers": (
        [
            "def square(x):\n    return x * x\ndef f(g, x):\n    return g(x) + 1\nclass Scale:\n    by = 3\n    def times(self, x):\n        return self.by * x"
        ],
        "assert f(lambda v: square(v), 3) == 10 and f(lambda v: f(lambda w: f(square, w), v), 2) == 7\ns = Scale()\nassert f(lambda v: s.times(v) + s.by, 2) == 10 and call_each(f, [(lambda v: square(v), n) for n in range(3)]) == [1, 2, 5]",
    ),
    "a function that calls the answer it was given to": (
        ["def f(g, n):\n    return 0 if n == 0 else 1 + g(n - 1)"],
        "def g(n):\n    return f(g, n)\nassert f(g, 30) == 30",
    ),
    "a function whose errors are caught": (
        [
            "def logarithm(x):\n    if x <= 0:\n        raise ValueError('x: got 0')\n    return math.log(x)\ndef f(g, x):\n    try:\n        return g(x)\n    except ValueError:\n        return -math.inf"
        ],
        "assert f(logarithm, 0) == f(math.log, 0) == f(lambda x: math.log(x), 0) == f(lambda x: logarithm(x), 0) == -math.inf\nassert f(lambda x: logarithm(x), 1) == 0",
    ),
    "a generator passed on": (
        ["def draw(rng):\n    return rng.random()\ndef f(g, rng):\n    return [rng.random(), g(), rng.random()]"],
        "a, b = np.random.default_rng(7), np.random.default_rng(7)\nassert f(lambda: draw(a), a) == b.random(3).tolist() and a.random() == b.random()",
    ),
    "a function called from threads": (
        [
            "from concurrent.futures import ThreadPoolExecutor\ndef square(x):\n    return x * x\ndef f(g, xs):\n    with ThreadPoolExecutor(3) as pool:\n        return list(pool.map(g, xs))"
        ],
        "assert f(lambda x: square(x) + 1, list(range(20))) == [x * x + 1 for x in range(20)]",
    ),
    "a numerical gradient": (
        [
            "def f(loss, w):\n    g = np.zeros_like(w)\n    for i in range(w.size):\n        up, down = w.copy(), w.copy()\n        up[i] += 1e-5\n        down[i] -= 1e-5\n        g[i] = (loss(up) - loss(down)) / 2e-5\n    return g"
        ],
        "w = np.array([1.0, 2.0])\nassert np.allclose(f(lambda v: float((v**2).sum()), w), 2 * w)",
    ),
    "changes a list": (
        ["def f(xs):\n    xs.append(4)\n    xs[0] = 'first'"],
        "xs = [1, [2], 3]\nrow = xs[1]\nassert f(xs) is None and xs == ['first', [2], 3, 4] and xs[1] is row",
    ),
    "changes a dictionary": (
        ["def f(d):\n    d['new'] = [1]\n    d['old']['x'] += 1\n    del d['gone']"],
        "d = {'old': {'x': 1}, 'gone': 0}\ninner = d['old']\nf(d)\nassert d == {'old': {'x': 2}, 'new': [1]} and inner == {'x': 2}",
    ),
    "changes an array": (
        ["def f(a):\n    a *= 2\n    a[0] = -1"],
        "a = np.ones(3)\nb = a\nf(a)\nassert b.tolist() == [-1, 2, 2]",
    ),
    "changes nothing": (["def f(xs):\n    return sorted(xs)"], "xs = [3, 1]\nassert f(xs) == [1, 3] and xs == [3, 1]"),
    "Counters and defaultdicts": (
        [
            "from collections import Counter, defaultdict\ndef f(text):\n    d = defaultdict(Counter)\n    for a, b in zip(text, text[1:]):\n        d[a,][b] += 1\n    return d"
        ],
        "d = f('abab')\nassert d['a',]['b'] == 2 and d['z',] == {} and isinstance(d, dict) and isinstance(d['a',], Counter)",
    ),
    "its own dictionary class": (
        ["class Table(dict):\n    def __missing__(self, key):\n        return 0\ndef f():\n    return Table(a=1)"],
        "assert f() == {'a': 1} and isinstance(f(), dict)",
    ),
    "errors that are asked for": (
        ["def f(unit):\n    if unit != 'bits':\n        raise ValueError(f'unit: got {unit!r}')\n    return 1"],
        "assert f('bits') == 1\ntry:\n    f('nats')\nexcept ValueError as error:\n    assert 'nats' in str(error)\nelse:\n    raise AssertionError('no error')",
    ),
    "errors of its own class": (
        ["class Bad(KeyError):\n    pass\ndef f():\n    raise Bad('k')"],
        "try:\n    f()\n    raise AssertionError('no error')\nexcept KeyError:\n    pass",
    ),
    "errors of numpy": (
        ["def f():\n    return np.linalg.inv(np.zeros((2, 2)))"],
        "try:\n    f()\n    raise AssertionError('no error')\nexcept ValueError:\n    pass",
    ),
    "large numbers": (["def f(n):\n    return math.factorial(n)"], "assert f(200) == math.factorial(200)"),
    "infinities": (
        ["def f():\n    return [math.inf, -math.inf, math.nan]"],
        "a, b, c = f()\nassert a == math.inf and b == -math.inf and c != c",
    ),
    "a tensor": (
        [TORCH + "def f(n):\n    return torch.arange(n, dtype=torch.float32)"],
        "assert torch.equal(f(3), torch.tensor([0.0, 1.0, 2.0])) and f(2).dtype == torch.float32",
    ),
    "a tensor of one number": (
        [TORCH + "def f(x):\n    return torch.tensor(x) * 2"],
        "assert math.isclose(f(0.5), 1.0) and f(1.0).item() == 2",
    ),
    "a tensor changed in place": (
        [TORCH + "def f(w):\n    with torch.no_grad():\n        w -= 0.5"],
        "w = torch.ones(2, requires_grad=True)\nf(w)\nassert w.tolist() == [0.5, 0.5] and w.requires_grad",
    ),
    "a gradient": (
        [TORCH + "def f(w):\n    (w**2).sum().backward()"],
        "w = torch.tensor([1.0, 3.0], requires_grad=True)\nf(w)\nassert w.grad.tolist() == [2.0, 6.0]",
    ),
    "a gradient step": (
        [
            TORCH
            + "def f(params, lr):\n    with torch.no_grad():\n        for p in params:\n            p -= lr * p.grad\n            p.grad = None"
        ],
        "p = torch.ones(2, requires_grad=True)\np.grad = torch.tensor([1.0, 2.0])\nf([p], 0.5)\nassert p.tolist() == [0.5, 0.0] and p.grad is None",
    ),
    "a module": (
        [
            TORCH
            + "class Net(torch.nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.layer = torch.nn.Linear(n, 2, bias=False)\n    def forward(self, x):\n        return self.layer(x)"
        ],
        "net = Net(3)\nassert isinstance(net, torch.nn.Module) and net(torch.ones(5, 3)).shape == (5, 2)\nassert sum(p.numel() for p in net.parameters()) == 6\nassert net.layer.weight.shape == (2, 3)\nnet.load_state_dict({'layer.weight': torch.ones(2, 3)})\nassert net(torch.ones(1, 3)).tolist() == [[3.0, 3.0]]\nassert list(net.state_dict()) == ['layer.weight']\nnet.eval()\nassert net.training is False",
    ),
    "a trained module": (
        [
            TORCH
            + "torch.manual_seed(0)\nnet = torch.nn.Linear(1, 1)\nopt = torch.optim.SGD(net.parameters(), 0.1)\nfor _ in range(200):\n    x = torch.rand(16, 1)\n    loss = ((net(x) - 3 * x) ** 2).mean()\n    opt.zero_grad()\n    loss.backward()\n    opt.step()"
        ],
        "assert abs(net(torch.tensor([[1.0]])).item() - 3) < 0.1",
    ),
    "a torch generator": (
        [TORCH + "def f(g):\n    return torch.rand(2, generator=g)"],
        "a, b = torch.Generator().manual_seed(1), torch.Generator().manual_seed(1)\nassert torch.equal(f(a), torch.rand(2, generator=b)) and torch.equal(f(a), torch.rand(2, generator=b))",
    ),
    "helpers named like the test's variables": (
        [
            "got = 'mine'\nexpected = row = context = words = count = weight = 5\ndef row():\n    return 7\ndef f():\n    return row()"
        ],
        "got = f()\nrow = 1\nexpected = 7\nassert got == expected and f() == 7",
    ),
    "names of the test's helpers": (
        ["def close(a, b):\n    return a - b\ndef repeat():\n    return 3\ndef f():\n    return close(repeat(), 1)"],
        "assert close(f(), 2)",
    ),
    "star imports": (["from math import *\nfrom numpy import *\ndef f(x):\n    return sqrt(x)"], "assert f(4.0) == 2"),
    "a variable": (
        ["answer = {'W': np.eye(2), 'b': [0, 1]}"],
        "assert answer['W'].shape == (2, 2) and answer['b'] == [0, 1]",
    ),
    "files of its own": (
        ["open('notes.txt', 'w').write('x')", "def f():\n    return open('notes.txt').read()"],
        "assert f() == 'x'",
    ),
    "threads": (
        [
            "from concurrent.futures import ThreadPoolExecutor\ndef f(xs):\n    with ThreadPoolExecutor(2) as pool:\n        return list(pool.map(lambda x: x * x, xs))"
        ],
        "assert f([1, 2]) == [1, 4]",
    ),
    "many calls": (
        ["def f(x):\n    return x + 1"],
        "assert call_each(f, [(i,) for i in range(5000)]) == list(range(1, 5001))\nassert repeat(f, 3, 1) == [2, 2, 2]",
    ),
    "a long answer": (["def f(n):\n    return [float(i) for i in range(n)]"], "assert len(f(200_000)) == 200_000"),
    "dataclasses and namedtuples": (
        [
            "from dataclasses import dataclass\nfrom typing import NamedTuple\n@dataclass\nclass D:\n    x: int\nclass N(NamedTuple):\n    x: int\ndef f():\n    return D(3), N(4)"
        ],
        "d, n = f()\nassert d.x == 3 and n[0] == 4",
    ),
    "a decorator that times and prints": (
        [
            "import functools, time\ndef timed(f):\n    @functools.wraps(f)\n    def wrapper(*a, **k):\n        start = time.perf_counter()\n        try:\n            return f(*a, **k)\n        finally:\n            print(f.__name__, time.perf_counter() - start)\n    return wrapper\n@timed\ndef f(x, *, by=2):\n    return by * x"
        ],
        "assert f(3) == 6 and f(3, by=4) == 12 and call_each(f, [(1,), (2,)]) == [2, 4]",
    ),
    "a pool for every call": (
        [
            "from concurrent.futures import ThreadPoolExecutor\ndef pooled(f):\n    def inside(*a):\n        with ThreadPoolExecutor(1) as pool:\n            return pool.submit(f, *a).result()\n    return inside\n@pooled\ndef f(g, x):\n    return g(x) + 1"
        ],
        "assert f(lambda x: 2 * x, 3) == 7 and [f(abs, x) for x in range(20)] == list(range(1, 21))",
    ),
    "a function of the test's, which is the same one when it comes again": (
        [
            "known = {}\ndef f(loss, x):\n    if loss not in known:\n        known[loss] = loss(x)\n    return known[loss]",
        ],
        "def loss(x):\n    return 2 * x\nassert f(loss, 3) == 6 == f(loss, 4) and f(lambda x: x, 5) == 5 and f(loss, 7) == 6",
    ),
    "arrays with steps, read-only, in other orders of bytes": (
        [
            "def f():\n    a = np.arange(10.0)[::2]\n    a.flags.writeable = False\n    return a, np.asfortranarray(np.ones((2, 3))), np.arange(3, dtype='>i4'), np.float16(0.5), np.array(7)"
        ],
        "a, b, c, d, e = f()\nassert a.tolist() == [0, 2, 4, 6, 8] and b.shape == (2, 3) and c.sum() == 3 and d == 0.5 and close(e, 7)",
    ),
    "the answer's name bound a second time": (
        ["def f(x):\n    return x\nf_old = f\nf = lambda x: f_old(x) + 1", "f = f  # see above\nf_old = None"],
        "try:\n    f(1)\n    raise AssertionError('the last cell counts')\nexcept TypeError:\n    pass",
    ),
    "imports of what is not there": (
        [
            "import pandas as pd, no_such_package\nfrom google.colab import drive\nfrom scipy.nowhere import *\nimport numpy as np\ndef f():\n    return np.float64(1)"
        ],
        "assert f() == 1",
    ),
    "a drive that is mounted": (
        [
            "from google.colab import drive\ndrive.mount('/content/drive')\ndef f():\n    return 1",
            "drive.flush_and_unmount()\nimport google.colab.files\ngoogle.colab.files.upload()\ndef g():\n    return f()",
        ],
        "assert g() == 1",
    ),
    "what is made with an import that is not there": (
        [
            "import pandas as pd\nfrom google.colab import files\nprint(pd.__version__)\npd.options.display.precision = 3\nuploaded = files.upload()\na, *rest = [pd.Series(x) for x in range(2)]\ntable: object = pd.DataFrame()\nprint(table.shape, [name for name in uploaded])\nx = 3\ndef f():\n    return x",
            "table['x'] = [1]\nprint(len(table), table + 1, 2 * table, table == 1, f'{table:.2f}')\nassert table.shape\ndel table['x']\nn = 1\nn += pd.read_csv('n.csv').sum()\nknown = False\ntry:\n    known = isinstance(1, n) or True\nexcept ImportError:\n    pass\ntry:\n    with table:\n        known = True\nexcept ImportError:\n    pass\ndef g():\n    return known",
        ],
        "assert f() == 3 and not g()",
    ),
    "types, decorators and blocks with an import that is not there": (
        [
            "import sys\nimport pandas as pd, seaborn as sns\nfrom numba import njit, float64\nif 'x' in sys.modules or True:\n    import pandas\n    sns.set()\n    n = 2\nelse:\n    n = 1\nwith sns.axes_style('white'):\n    sns.lineplot([1])\nfor kind in pd.NA, 1:\n    n = 5\nfor k in range(2):\n    m = pd.NA\n    n += 1\nwhile pd.NA:\n    n = 7\ndef show(table: pd.DataFrame, *rest: sns.Axes, **more: 'x') -> pd.DataFrame:\n    print(table)\n@njit\ndef f(x: float, y: pd.Series | None = None) -> 'int':\n    return x + n",
            "class Table(pd.DataFrame):\n    pass\nclass Rows:\n    kind: pd.Index = 3\n    empty = pd.NA\n    @njit(float64(float64))\n    def first(self, row: pd.Series = None):\n        return row\ndef worse(x, y=pd.NA):\n    return Table\nasync def later(x: pd.NA = 1): return x\nprint(worse(1))\ntotal: pd.Series = f(3)\nassert total.bit_length and Rows().first(4) == 4\ndef g():\n    return total, Rows.kind",
        ],
        "assert f(1) == 5 and g() == (7, 3)",
    ),
    "words compared as objects": (
        [
            "EOS = '<eos>'\nUMLAUT = 'für sich'\ndef f(word, unit='bits', *rest, **named):\n    return word is EOS and unit is UNITS[0], rest, named\nUNITS = ['bits', UMLAUT]\ndef g(words, table):\n    return [w is EOS for w in words], [k is EOS or v is UMLAUT for k, v in table.items()]"
        ],
        "assert f('<eos>', 'bits', 1, x=2)[0] and f('<e' + 'os>', unit='bits')[0] and not f('eos')[0]\nwords = ['a', '<eos>', 3]\nassert g(words, {'<eos>': 1, 'b': 'für sich', 'c': ()}) == ([False, True, False], [True, True, False])\nassert g(tuple(words), {('x', 1): 'für sich', '<eos>': [1]})[1] == [True, True]",
    ),
    "numpy told to raise": (
        [
            "import numpy as np\nnp.seterr(all='raise')\ndef f(x):\n    return np.exp(np.array([x]))[0]\ndef g(x):\n    with np.errstate(under='ignore'):\n        return f(x)",
        ],
        "import numpy as np\nwith np.errstate(all='ignore'):\n    assert f(-1e4) == 0 and f(1e4) == np.inf\nassert g(-1e4) == 0\nfor call in (lambda: f(-1e4), lambda: g(1e4)):\n    try:\n        call()\n        raise AssertionError\n    except FloatingPointError:\n        pass",
    ),
    "asking whether something is there": (
        [
            "try:\n    import google.colab\n    COLAB = True\nexcept ModuleNotFoundError:\n    COLAB = False\nimport importlib.util\nfrom importlib.util import find_spec\nHERE = importlib.util.find_spec('pandas') is not None or find_spec('no_such_package') is not None\ntry:\n    from lmkit import no_such_part\nexcept ModuleNotFoundError as error:\n    raise\nexcept ImportError:\n    pass\ndef f():\n    return COLAB or HERE or find_spec('numpy') is None",
        ],
        "assert not f()",
    ),
    "imports that fail inside what is there": (
        [
            "import numpy, xml\nimport numpy as np\nimport numpy.no_such_part\nimport xml.nothing.at_all\nfrom numpy import trapez, array as made\nfrom xml.nothing import Reader\nfrom lmkit.nothing import no_such_part\ny = trapez([1, 2])\nreader = Reader(y)\nno_such_part.draw(reader)\ndef f():\n    return numpy.ones(3), xml",
            "import os, json, warnings\nfrom sklearn.exceptions import ConvergenceWarning\nwarnings.filterwarnings('ignore', category=ConvergenceWarning)\nfrom google.colab import userdata\nkey = userdata.get('KEY')\nos.environ['KEY'] = key\ntext = json.dumps({'v': key})\npath = os.path.join('a', text)\nkey += path\nmade = made([1])\ndef g():\n    return made",
        ],
        "assert f()[0].sum() == 3 and g().tolist() == [1]",
    ),
    "decorators by the names that are known where they stand": (
        [
            "import sys\nfrom cachetools import cached\nfrom functools import partial\nimport jax\nif sys.version_info >= (3, 9):\n    from functools import cache\nelse:\n    from backports.functools_lru_cache import lru_cache as cache\n@cache\ndef fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)\ndef outer(n):\n    store = {}\n    @cached(cache=store)\n    def go(i): return i\n    return go(n)\n@partial(jax.jit, static_argnums=0)\ndef k(x): return x\nclass T:\n    def cached(f):\n        return lambda self: f(self) + 1\n    @cached\n    def x(self): return 1\n    @jax.custom\n    @staticmethod\n    def y(): return 5\nprint(fib(90), outer(3), T().x())\ndef f():\n    return fib(90), outer(3), T().x(), k(4), T.y()",
        ],
        "assert f() == (2880067194370816120, 3, 2, 4, 5)",
    ),
    "blocks that need what is not there": (
        [
            "import pandas as pd, seaborn as sns\nfrom rich.progress import track\nfrom enum import Enum, auto\nchunks = pd.read_csv('x.csv', chunksize=3)\nwhile True:\n    chunk = chunks.get_chunk()\n    if len(chunk) < 3:\n        break\nwith sns.axes_style('white'):\n    fig = 1\nfig.plot(1)\nfor step in track(range(3)):\n    last = step\nprint(last)\ntry:\n    t = pd.read_csv('a.csv')\nexcept FileNotFoundError:\n    t = None\nprint(t.x)\nclass E(Enum):\n    A = 1\n    B = pd.NA\n    C = auto()\nrows = []\nwhile len(rows) < 3:\n    rows.append(pd.Series([1]))\nimport itertools\nfor step in itertools.count():\n    if sns.log(step) is None:\n        break\nimport wandb\nw, log = 10., []\nfor epoch in range(100):\n    w *= .5; wandb.log({'loss': w}); log.append(w)\n    if w < 1e-3: break\nwhile w < 5:\n    w += 1; wandb.log(w)\nwhile True:\n    w += 1\n    wandb.log(w)\n    for k in range(3):\n        if k == wandb.x: break\n    if w > 9: break\nassert len(log) == 14 and 9 < w < 10.01, (log, w)\nprint(n := pd.Series([1]))\nprint(n)\nfor i in range(9000):\n    sns.set(i)\nprint('said')\nrow = pd.Series()\ndef f():\n    return [e.value for e in E]",
            "import xml, statistics\nimport xml.no_such_part\nxml.a = 1\nstatistics.mean([1, 3])",
            "for row in [1, 0]:\n    print(1 / row)",
        ],
        "assert f() == [1, 2]",
    ),
    "more threads than one in two cells": (
        [
            "import torch\ntorch.set_num_threads(2)\nx = torch.ones(600, 600)\na = (x @ x).exp().log().sum()",
            "for _ in range(200): b = (x @ x).exp().log().sum()",
            "def f():\n    return (x @ x).exp().log().sum()",
        ],
        "assert f() == a == b",
    ),
    "loops that may not end without what is not there": (
        [
            "import heapq, pandas as pd, wandb\nn, q, seen, state = 0, [1, 2], [], {'n': 0}\ndef add(x):\n    seen.append(x)\ndef step(s):\n    s['n'] += 1\n    return s['n']\nwhile state['n'] < 5:\n    wandb.log({'loss': step(state)})\nwhile q: wandb.log({'x': heapq.heappop(q)})\nwhile len(seen) < 3: wandb.log({'l': add(1)})\ngo = True\nwhile go:\n    n += 1\n    if pd.Series([n]).sum() > 3:\n        go = False\ndone = 1",
            "n = 0\nwhile n < 3:\n    if pd.isna(n) is not None:\n        n += 1\nwhile n < 3:\n    with pd.option_context('a', 1):\n        n += 1\nwhile n < 3:\n    try:\n        pd.f(n)\n        n += 1\n    except ValueError: pass\nwhile n < 3:\n    match pd.f(n):\n        case _:\n            n += 1\nwhile n < 3:\n    def inc(d=pd.x):\n        return n + 1\n    n = inc()",
            "while True:\n    for r in [1, 2]:\n        if pd.isna(r) == 5: break\n    else: break\nwhile True:\n    while pd.isna(n) == 7: pass\n    else: break\ndone += 1",
        ],
        "assert done == 2",
    ),
    "trainings without their logger": (
        [
            "import wandb\nstate, n, model, total = {'step': 0}, [0], [1, 2], 0\ndef train_step(state):\n    wandb.log({'loss': 1})\n    state['step'] += 1\nwhile state['step'] < 10:\n    train_step(state)\ndef inc():\n    global total\n    import wandb\n    total += 1\nwhile total < 10: inc()\ndef train(m):\n    wandb.finish()\n    return m\nmodel = train(model)\nfor i in range(400_000):\n    total += i\n    wandb.log(i)\nassert total == 79999800000\nwhile True:\n    import wandb\n    if wandb.x: break",
            "try:\n    import wandb\nexcept ImportError:\n    wandb = None",
            "x = int('q') if wandb is None else 1\nmodel = []",
            "done = len(model) == 2",
        ],
        "assert done",
    ),
    "loops that something else ends": (
        [
            "import heapq, random, time, wandb\nfrom heapq import heappop\nn, m, state, q, p = 0, 0, {'n': 0}, [3, 1, 2], [3, 1, 2]\ndef update(s):\n    s['n'] += 1\ndef bump():\n    global m\n    m += 1\nclass Steps:\n    done = 0\n    def step(self):\n        self.done += 1\nsteps = Steps()\nwhile state['n'] < 5:\n    update(state)\n    wandb.log(state['n'])\nwhile m < 5:\n    bump()\n    wandb.log(m)\nassert m == 5\nwhile n < 0: n += 1\nelse:\n    while True: wandb.log(n)\nwhile steps.done < 5:\n    steps.step()\n    wandb.log(steps.done)\nwhile q:\n    n += heapq.heappop(q)\n    wandb.log(n)\nwhile p:\n    n += heappop(p)\n    wandb.log(n)\ndef enough():\n    return m > 9\nwhile not enough():\n    m += 1\n    wandb.log(m)\nwhile True:\n    m += 1\n    wandb.log(m)\n    if random.random() < .5: break\nend, k = time.time() + .1, 0\nwhile time.time() < end:\n    k += 1\n    wandb.log(k)\nassert (state['n'], steps.done, n) == (5, 5, 12) and m > 10 and k > 1\ndone = 1",
        ],
        "assert done == 1",
    ),
    "loops and blocks that are what they are without their logger": (
        [
            "import contextlib, wandb\nbest, bad = 9., 0\nfor epoch in range(20):\n    val = np.float64(abs(5. - epoch))\n    wandb.log({'val': val.item()})\n    if val < best: best, bad = val.item(), 0\n    else: bad += 1\n    if bad >= 3: break\nit, ti, seen, q, n = iter([1, 2, 3]), iter([4, 5]), [], [6, 7], 0\nwhile True:\n    try: x = next(it)\n    except StopIteration: break\n    seen.append(x)\n    wandb.log(x)\nwhile (x := next(ti, None)) is not None:\n    seen.append(x)\n    wandb.log(x)\nr = q\nwhile q:\n    seen.append(r.pop())\n    wandb.log(seen)\nfor a0 in range(1):\n    for a1 in range(1):\n        for a2 in range(1):\n            for a3 in range(1):\n                for a4 in range(1):\n                    for a5 in range(1):\n                        for a6 in range(1):\n                            for a7 in range(1):\n                                for a8 in range(1):\n                                    for a9 in range(1):\n                                        for a10 in range(1):\n                                            for a11 in range(1):\n                                                for a12 in range(1):\n                                                    for a13 in range(1):\n                                                        for a14 in range(1):\n                                                            for a15 in range(1):\n                                                                for a16 in range(1):\n                                                                    wandb.log(n)\n                                                                    n += 1\ntry:\n    for i in range(5):\n        n += 1\n        wandb.log(n)\nexcept KeyboardInterrupt:\n    print('stopped')\nfinally:\n    wandb.finish()\n    n += 1\nwith contextlib.suppress(KeyboardInterrupt):\n    for i in range(5):\n        n += 1\n        wandb.log(n)\nmatch n:\n    case 12:\n        wandb.log(n)\n        n += 1\ndef init():\n    return wandb.init()\nrun = None\nrun = init()\nrun.log(n)\nassert (epoch, best, seen, n) == (8, 0, [1, 2, 3, 4, 5, 7, 6], 13)\ndone = 1",
            "def f():\n    return done",
        ],
        "assert f() == 1",
    ),
    "loops that go on without what is not there": (
        [
            "import pandas as pd, wandb\ntable, n, m, x = None, 0, 0, []\nwhile n < 3:\n    n += 1\n    if table is not None:\n        print(len(table))\n    table = pd.DataFrame({'n': [n]})\nbest = None\nfor epoch in range(4):\n    if best is not None:\n        best.describe()\n    best = pd.DataFrame([1])\n    m += 1\nwhile len(x) < 3:\n    if m == 5: wandb.log(n)\n    m += 1\n    x.append(n)\nassert (n, m) == (3, 7)\ndone = 1",
            "def report(d):\n    return pd.DataFrame(d)\nclass Run:\n    def show(self):\n        import seaborn\n        return seaborn.x\ndef later():\n    import seaborn as sns\n    sns.set()\nreport({'a': 1})\nfor i in range(3):\n    report(i); m += 1\nRun().show()\nrun = Run()\nx = run.show()\nlater()\nassert m == 10\ndone += 1\nreport(3)",
        ],
        "assert done == 2",
    ),
    "what is there stays what it is": (
        [
            "from rich import print\nimport contextlib, pandas as pd, pytest\nfrom retry import retry\nLOG, COLAB = True, False\nif LOG:\n    import wandb\nelse:\n    wandb = None\nif LOG:\n    wandb.init(project='x')\nif not LOG:\n    import wandb\nelse:\n    wandb = [3]\nwandb.append(4)\nif wandb:\n    ROWS = pd.DataFrame(wandb)\nelse:\n    ROWS = None\nwith contextlib.suppress(ImportError):\n    import google.colab\n    COLAB = True\nrow = pd.Series()\nfor r in row.itertuples():\n    print(f\"{'\u2003'.join(r)}\")\n@retry(ValueError, tries=3)\ndef mean(x): return x\n@pytest.mark.parametrize('row', [row for row in range(3)])\ndef f(x):\n    print('x', x)\n    return mean(x), COLAB, wandb",
            "import seaborn\nimport __main__\nseaborn.set()\ndef g(): return f(2)",
        ],
        "assert g() == (2, False, [3, 4])",
    ),
    "what is not there made at home instead": (
        [
            "from numba import njit, prange, jit",
            "def njit(f):\n    return lambda x: f(x) + 1\njit = njit\nclass Own:\n    prange = 1",
            "@njit\ndef f(x):\n    return x\n@jit\ndef g(x):\n    return x\n@prange\ndef h(x):\n    return x",
        ],
        "assert f(1) == 2 and g(1) == 2 and h(1) == 1",
    ),
    "bars of a notebook": (
        [
            "from tqdm.notebook import tqdm, trange\nimport tqdm.notebook\ndef f(n):\n    return sum(tqdm.notebook.tqdm(range(n), display=False)) + sum(trange(n))"
        ],
        "assert f(4) == 12",
    ),
    "imports that ask first": (
        [
            "try:\n    import google.colab\n    here = True\nexcept ImportError:\n    here = False",
            "try:\n    from numba import njit\nexcept ImportError:\n    njit = lambda f: f\n@njit\ndef f():\n    return not here",
        ],
        "assert f()",
    ),
    "imports of the course's packages": (
        [
            "from __future__ import annotations\nimport regex, matplotlib.pyplot as plt\nfrom tqdm import tqdm\nfrom tqdm.auto import trange\nimport torch.nn.functional as F\ndef f(n: NoSuchName):\n    return sum(tqdm(range(n)))"
        ],
        "assert f(4) == 6",
    ),
    "a shell command in the answer's own cell": (
        [
            "!pip install numpy\n%pip install nltk\n%conda install x\n!nvidia-smi\nfiles = !ls\nmore = %sx ls\ndef f():\n    return list(files)"
        ],
        "assert f() == []",
    ),
    "a magic in the answer's own cell": (
        [
            "%load_ext no_such_extension\n%matplotlib widget\n%cd /content\n%env A=1\ndef f():\n    return 1\n%timeit -n1 -r1 f()\nf?"
        ],
        "assert f() == 1",
    ),
    "magics of Jupyter's kernel and of extensions that are not there": (
        [
            "%autosave 60\n%load_ext tensorboard\n%tensorboard --logdir runs\nlost = %memit 1\ndef f(x):\n    return x + 1\n%lprun -f f f(1)",
            "%%memit -r 1\nimport no_such_package\ndef g():\n    return f(1), lost",
            "%%sql\nSELECT * FROM runs",
            "%%heat\ndone = 3\n1 / 0",
            "%%skip\ndef f(x):\n    return 0",  # an old attempt
            "%%skip\nf = (",
            "%%skip_cell\ndef f(x):\n    return 0",
            "%%skip False  # for now\nmore = 5",
            "%%skip $done == 4\nmore += 1",
        ],
        "assert g() == (2, None) and done == 3 and more == 6",
    ),
    "a screen that is asked what it is": (
        [
            "import faulthandler, sys\nfaulthandler.enable()\nname = sys.stdout.encoding.lower()\nsys.stderr.fileno()\ndef f():\n    return sys.stdout.encoding.lower() == name == 'utf-8'"
        ],
        "assert f()",
    ),
    "a timed cell": (["%%time\nimport no_such_package\ndef f():\n    return 1", "%%bash\nls"], "assert f() == 1"),
    "two cells for a shell, and one that is skipped": (  # IPython's own thread for them is lost between two cells
        [
            "def f():\n    return 1",
            "%%bash\nls",
            "%%sh\nls",
            "%%script false --no-raise-error\ndef f():\n    return 0",
            "%alias_magic --cell other sh",
            "%%other\nls",
            "%%shell\ndef f():\n    return 0",
            "%%cmd\ndir /q",
        ],
        "assert f() == 1",
    ),
}
