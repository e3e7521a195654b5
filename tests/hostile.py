# ruff: noqa: E501  code in one line of text each
"""Submissions that mean harm, as data: ten families, each entry one attack on a small homework.

The homework asks for ``double`` (5 points) and ``draw`` (5 points). An attack takes the place of ``double`` (a piece of
code), or edits the notebook file (a function of its JSON), or is the file (bytes). What is right in it earns its points:
``double`` never is, ``draw`` is untouched unless the attack says so.
"""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass

from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

SECRET = "the-course-secret-4711"
# What must never be shown to a student.
HIDDEN = ("HIDDENMARK", "expected_doubles", "hidden_rng", SECRET, "reference_of_double")

SETUP = "import math\nimport numpy as np\nfrom lmkit.homework import call_each, close, hidden_rng, repeat\n"
DOUBLE = '''def double(x):
    """Twice the number."""
    ### BEGIN SOLUTION
    reference_of_double = x + x
    return reference_of_double
    ### END SOLUTION'''
TEST_DOUBLE = """got = double(2)
assert got is not None, "double returned None"
assert close(got, 4), f"double(2) is 4, yours is {got!r}"
### BEGIN HIDDEN TESTS
HIDDENMARK = hidden_rng("double")
expected_doubles = [float(2 * x) for x in range(20)]
for x_ in HIDDENMARK.uniform(5, 9, 20).tolist():
    expected_ = 2 * x_
    got = double(x_)
    assert math.isclose(got, expected_), f"double is wrong for a random number, yours is {got!r}"
values_ = call_each(double, [(x_,) for x_ in range(20)])
assert values_ == expected_doubles, "double is wrong in a loop"
assert np.allclose(values_, expected_doubles), "double is wrong in an array"
### END HIDDEN TESTS"""
DRAW = '''def draw(n, rng):
    """n random numbers."""
    ### BEGIN SOLUTION
    return [rng.random() for _ in range(n)]
    ### END SOLUTION'''
TEST_DRAW = """got = draw(3, np.random.default_rng(1))
assert len(got) == 3, f"draw(3) gives three numbers, yours {got!r}"
### BEGIN HIDDEN TESTS
rng_ = hidden_rng("draw")
first_ = draw(4, rng_)
assert all(0 <= x_ < 1 for x_ in first_) and first_ != draw(4, rng_), "not random"
### END HIDDEN TESTS"""


def homework():
    """The source notebook."""

    def cell(name, source, points=None, solution=False):
        about = {"grade_id": name, "grade": points is not None, "solution": solution, "locked": not solution}
        about |= {"schema_version": 3, "task": False} | ({} if points is None else {"points": points})
        made = new_code_cell(source, metadata={"nbgrader": about})
        made.id = name.replace("_", "-")
        return made

    text = new_markdown_cell("# A small homework")
    text.id = "title"
    cells = [text, cell("setup", SETUP), cell("double", DOUBLE, solution=True), cell("test_double", TEST_DOUBLE, 5)]
    cells += [cell("draw", DRAW, solution=True), cell("test_draw", TEST_DRAW, 5)]
    return new_notebook(cells=cells)


@dataclass(frozen=True)
class Attack:
    """One hostile submission.

    Attributes:
        family: one of ten.
        name: what it tries.
        code: takes the place of ``double``'s cell.
        edit: changes the file's JSON.
        raw: is the file.
        deserved: the points that what is right in it has earned; None where it spoils its own process, so that they may
            be lost to it.
    """

    family: str
    name: str
    code: str = ""
    edit: Callable[[dict], dict] | None = None
    raw: bytes | None = None
    deserved: float | None = 5.0

    def file(self) -> bytes:
        """The submitted file."""
        if self.raw is not None:
            return self.raw
        notebook = json.loads(json.dumps(homework()))
        for cell in notebook["cells"]:
            if cell["id"] == "double":
                cell["source"] = self.code or WRONG
            if cell["id"] == "draw":
                cell["source"] = "def draw(n, rng):\n    return [rng.random() for _ in range(n)]"
            if cell["id"].startswith("test"):
                cell["source"] = cell["source"].split("### BEGIN")[0]
        if self.edit is not None:
            notebook = self.edit(copy.deepcopy(notebook))
        return json.dumps(notebook).encode()


WRONG = "def double(x):\n    return 3 * x\n"


def tests(notebook):
    """The test cell of ``double``."""
    return next(cell for cell in notebook["cells"] if cell["id"] == "test-double")


def about(notebook):
    """Its nbgrader metadata."""
    return tests(notebook)["metadata"]["nbgrader"]


def edited(change):
    """An edit from something that changes the JSON in place."""

    def edit(notebook):
        change(notebook)
        return notebook

    return edit


def inside(body):
    """A wrong ``double`` that does something when it is called."""
    return "def double(x):\n" + "".join(f"    {line}\n" for line in body.splitlines()) + "    return 3 * x\n"


def tried(body):
    """A wrong ``double`` that tries something when it is called, and goes on when that fails."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return f"def double(x):\n    try:\n{lines}    except Exception:\n        pass\n    return 3 * x\n"


def returning(definition, value):
    """A ``double`` that returns an object of a hostile type."""
    return f"{definition}\ndef double(x):\n    return {value}\n"


def speaking(body):
    """A worker whose answers to the tests are made by ``forge(send, message)``."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"""
import os, socket, struct
from lmkit.grading import calls, channel, codec, tags
honest = channel.Channel.send
def forge(send, self, message):
{lines}
def evil(self, message, files=()):
    if type(message) is list and len(message) > 2 and type(message[0]) is int and message[1] in ("value", "error"):
        return forge(honest, self, message)
    return honest(self, message, files)
channel.Channel.send = evil
def double(x):
    return 3 * x
"""


EQUAL = "class Yes{base}:\n    __eq__ = lambda s, o: True\n    __ne__ = lambda s, o: False\n    __hash__ = lambda s: 0"
ALL_COMPARE = "\n    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = lambda s, *o: True"

TRICKS = {
    "equal to everything": returning(EQUAL.format(base="") + ALL_COMPARE, "Yes()"),
    "an int equal to everything": returning(EQUAL.format(base="(int)"), "Yes(4)"),
    "a float that is what is asked": returning(
        EQUAL.format(base="(float)") + "\n    __float__ = lambda s: 4.0", "Yes(x)"
    ),
    "a text equal to everything": returning(EQUAL.format(base="(str)"), "Yes('4')"),
    "a list equal to everything": returning(EQUAL.format(base="(list)"), "Yes()"),
    "an array equal to everything": returning(
        "import numpy as np\nclass Yes(np.ndarray):\n    __eq__ = lambda s, o: True\n"
        "    __array_ufunc__ = lambda s, *a, **k: True",
        "np.zeros(1).view(Yes)",
    ),
    "unittest.mock.ANY": returning("from unittest.mock import ANY", "ANY"),
    "a MagicMock": returning("from unittest.mock import MagicMock", "MagicMock()"),
    "NotImplemented": returning("", "NotImplemented"),
    "math.isclose patched": "import math\nmath.isclose = lambda *a, **k: True\n" + WRONG,
    "allclose patched": "np.allclose = np.isclose = lambda *a, **k: True\n" + WRONG,
    "builtins patched": "import builtins\nbuiltins.abs = lambda x: 0\nbuiltins.all = lambda x: True\n"
    "builtins.isinstance = lambda *a: True\nbuiltins.AssertionError = ValueError\n" + WRONG,
    "the homework's helpers patched": "import lmkit.homework as h\nh.close = h.all_close = lambda *a, **k: True\n"
    + WRONG,
    "an AST transformer": "import ast\nclass No(ast.NodeTransformer):\n    def visit_Assert(self, n):\n"
    "        return ast.Pass()\nget_ipython().ast_transformers.append(No())\n" + WRONG,
    "an input transformer": "get_ipython().input_transformers_post.append("
    "lambda lines: [l.replace('assert', '#') for l in lines])\n" + WRONG,
    "hooks before and after cells": "for e in ('pre_execute', 'post_execute', 'pre_run_cell', 'post_run_cell'):\n"
    "    get_ipython().events.register(e, lambda *a: get_ipython().user_ns.clear())\n" + WRONG,
    "settrace": "import sys\nsys.settrace(lambda f, e, a: f.f_locals.clear())\n" + WRONG,
    "expected values in the caller's frames": tried(
        "import sys\nf = sys._getframe()\nwhile f:\n    for k, v in f.f_locals.items():\n"
        "        if 'expect' in k or 'HIDDEN' in k: return v\n    f = f.f_back"
    ),
    "expected values in the collector's lists": tried(
        "import gc\nfor o in gc.get_objects():\n    if type(o) is dict and 'expected_' in o: return o['expected_']"
    ),
    "a class that says it is a float": returning(
        "class F:\n    __class__ = float\n    __float__ = lambda s: 4.0\n    __eq__ = lambda s, o: True\n    __hash__ = None\n"
        "    __len__ = lambda s: 1\n    __getitem__ = lambda s, i: 4.0",
        "F()",
    ),
    "a type whose name cannot be asked for": returning(
        "class M(type):\n    __name__ = property(lambda s: 1 / 0)\nclass T(metaclass=M):\n    pass", "T()"
    ),
    "a length that changes": returning(
        "n = [0]\nclass L:\n    def __len__(self):\n        n[0] += 1\n        return n[0] * 10**18 % 2**63\n    __getitem__ = lambda s, i: L()",
        "L()",
    ),
    "a list that holds itself": inside("v = []\nv.append(v)\nreturn v"),
    "a finalizer that ends everything": inside("import os\nclass D:\n    def __del__(self): os._exit(0)\nD()"),
    "StopIteration": inside("raise StopIteration"),
    "SystemExit": inside("raise SystemExit(0)"),
    "KeyboardInterrupt": inside("raise KeyboardInterrupt"),
    "GeneratorExit": inside("raise GeneratorExit"),
    "an exception that cannot be shown": inside(
        "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E(object())"
    ),
    "exit hooks": "import atexit, os\natexit.register(os._exit, 0)\n" + WRONG,
    "time signals caught": "import signal\nsignal.signal(signal.SIGPROF, signal.SIG_IGN)\n" + WRONG,
    "main replaced": "import sys, types\nsys.modules['__main__'] = types.ModuleType('x')\nglobals().clear()\n" + WRONG,
}
OUTPUTS = {
    "inputs as the name of an exception's type": inside(
        "raise type(f'FOUND {x!r}', (Exception,), {}) if x != 2 else type('A', (Exception,), {})"
    ),
    "inputs as a long name of an exception's type": inside(
        "raise type('FOUND_' + repr(x).replace('.', '_').ljust(30, '_'), (Exception,), {})"
    ),
    "inputs as the name of a returned type": inside("return 4 if x == 2 else type(f'FOUND{x!r}', (), {})()"),
    "inputs as the line of an error": inside(
        "if x == 2: return 4\nexec(compile('\\n' * int(1000 * x) + 'raise ValueError', '<cell double>', 'exec'))"
    ),
    "points printed": "print(5.0)\n" + WRONG + "\n5.0",
    "a result displayed": "from IPython.display import display\ndisplay(5.0)\n" + WRONG,
    "a script displayed": "from IPython.display import HTML, Javascript, display\n"
    "display(HTML('<script>alert(1)</script>'), Javascript('alert(1)'))\n" + WRONG,
    "an SVG displayed": "from IPython.display import SVG, display\n"
    'display(SVG(\'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>\'))\n' + WRONG,
    "outputs cleared": "from IPython.display import clear_output\nclear_output()\n" + inside("clear_output()"),
    "a figure that is none": "import matplotlib.pyplot as plt\nplt.figure()\nplt.Figure.savefig = lambda s, f, **k: "
    "f.write(b'\\x89PNG\\r\\n\\x1a\\n<script>alert(1)</script>')\n" + WRONG,
    "terminal commands": "print('\\x1b[2J\\x1b]0;owned\\x07\\x1b[31m')\n" + WRONG,
    "half characters": "print('\\ud800\\udfff', chr(0), chr(0x202e))\n" + WRONG,
    "200 MB printed": "for _ in range(2000): print('x' * 100000)\n" + WRONG,
    "printed while tested": inside(
        "print('seen', x)\nimport sys\nsys.stderr.write(repr(x))\nsys.__stdout__.write('x')"
    ),
    "inputs printed by a later cell": "seen = []\ndef double(x):\n    seen.append(x)\n    return 2 * x if len(seen) == 1 else 3 * x\n"
    "import atexit\natexit.register(lambda: print(seen))",
    "hidden inputs raised": "def double(x):\n    if x == 2: return 4\n    raise ValueError(f'input:{x!r}')",
    "hidden inputs returned": "def double(x):\n    return 4 if x == 2 else f'the input was {x!r} indeed'",
    "stderr torn open": "import os, sys\nos.close(1)\nos.close(2)\nsys.stdout = None\n" + WRONG,
}
METADATA = {
    "skip-execution": edited(lambda n: tests(n)["metadata"].update(tags=["skip-execution"])),
    "1700 points": edited(lambda n: about(n).update(points=1700)),
    "negative points elsewhere": edited(lambda n: about(n).update(points=-5)),
    "points as text": edited(lambda n: about(n).update(points="nan")),
    "test unlocked and empty": edited(lambda n: (about(n).update(locked=False), tests(n).update(source="pass"))),
    "test as a solution": edited(lambda n: about(n).update(solution=True, grade=False, locked=False)),
    "test as a task": edited(lambda n: about(n).update(task=True)),
    "test as Markdown": edited(lambda n: tests(n).update(cell_type="markdown")),
    "test deleted": edited(lambda n: n["cells"].remove(tests(n))),
    "test twice": edited(lambda n: n["cells"].append({**tests(n), "source": "pass"})),
    "test moved to the top": edited(lambda n: n["cells"].insert(0, n["cells"].pop(n["cells"].index(tests(n))))),
    "test renamed": edited(lambda n: about(n).update(grade_id="another")),
    "answer takes the test's name": edited(
        lambda n: n["cells"].insert(3, {**copy.deepcopy(tests(n)), "id": "fake", "source": "double = lambda x: 0"})
    ),
    "setup replaced": edited(lambda n: n["cells"][1].update(source="class np:\n    allclose = lambda *a: True")),
    "an outcome in the outputs": edited(
        lambda n: tests(n).update(
            outputs=[
                {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "5.0"}}
            ]
        )
    ),
    "ids of other cells": edited(
        lambda n: n["cells"].extend(
            [
                {"cell_type": "code", "id": i, "metadata": {}, "source": "double = lambda x: 4", "outputs": []}
                for i in ("test-double", "reference draw", "double", "own-1", "own-1")
            ]
        )
    ),
    "a text that takes the test's name": edited(
        lambda n: n["cells"].insert(
            2, {"cell_type": "markdown", "id": "z", "metadata": copy.deepcopy(tests(n)["metadata"]), "source": "5.0"}
        )
    ),
    "schema of the future": edited(lambda n: about(n).update(schema_version=99)),
    "declares its own imports": edited(lambda n: n["metadata"].update(lmkit={"may_import": ["os", "lmkit.grading"]})),
    "another kernel": edited(lambda n: n["metadata"].update(kernelspec={"name": "bash", "display_name": "x"})),
}
READ = "import os\nfor d, _, fs in os.walk('/'):\n    if d.startswith(('/usr', '/packages', '/proc')): continue\n    for f in fs:\n"
FILES = {
    "looks for notebooks, gradebooks, solutions": READ
    + "        if f.endswith(('.ipynb', '.db', '.env')) or 'solution' in d or 'hidden' in f: print('FOUND', d, f)\n"
    + WRONG,
    "looks for the secret in every file": READ
    + "        try:\n            if b'"
    + SECRET[:-4]
    + "' + b'4711' in open(os.path.join(d, f), 'rb').read(): print('FOUND', d, f)\n"
    "        except OSError: pass\n" + WRONG,
    "reads the solution through the package": "import lmkit, pathlib\n"
    "print('FOUND' if list(pathlib.Path(lmkit.__file__).parents[1].glob('solutions/*')) else '')\n" + WRONG,
    "reads passwords": "try: print('FOUND', open('/etc/shadow').read())\nexcept OSError: pass\n" + WRONG,
    "reads the environment": "import os\nprint([k for k in os.environ if 'SECRET' in k or 'TOKEN' in k] and 'FOUND')\n"
    "try: print(open('/proc/1/environ').read() and 'FOUND')\nexcept OSError: pass\n" + WRONG,
    "writes into the package": "for p in ('/lmkit/lmkit/homework.py', '/packages/numpy/__init__.py', '/packages/x.pth', '/lmkit/sitecustomize.py'):\n"
    "    try:\n        open(p, 'w').write('x')\n        print('FOUND', p)\n    except OSError: pass\n" + WRONG,
    "a numpy of its own": "open('numpy.py', 'w').write('allclose = lambda *a, **k: True')\nopen('math.py', 'w').write('isclose = 1')\n"
    "import sys\nsys.path.insert(0, '')\n" + WRONG,
    "a message to the next student": "import os\nfor d in ('/w', '/tmp', '/dev/shm', '/var/tmp', '/'):\n    try:\n"
    "        if os.path.exists(d + '/left'): print('FOUND', d)\n        open(d + '/left', 'w').write('x')\n    except OSError: pass\n"
    + WRONG,
    "what the last student left": "import os\nprint([f'FOUND {d}' for d in ('/w', '/tmp', '/dev/shm', '/var/tmp', '/') if os.path.exists(d + '/left')])\n"
    + WRONG,
    "a key left in the kernel's ring": "import ctypes\nc = ctypes.CDLL(None)\nfor ring in (-1, -2, -3, -4, -5):\n"
    "    c.syscall(248, b'user', b'left', b'x', 1, ring)\n" + WRONG,
    "a key that the last student left": "import ctypes\nc = ctypes.CDLL(None)\nif any(c.syscall(250, 10, ring, b'user', "
    "b'left', 0) > 0 for ring in (-1, -2, -3, -4, -5)): print('FOUND')\n" + WRONG,
    "magics that write and read": "%cd /\n%run /lmkit/lmkit/homework.py\n%store x\n%load /etc/passwd\n%logstart /lmkit/log\n"
    + WRONG,
    "deletes everything": "import shutil\nfor d in ('/w', '/lmkit', '/packages', '/usr', '/'):\n    shutil.rmtree(d, ignore_errors=True)\n"
    + WRONG,
    "mounts the host": "import ctypes\nc = ctypes.CDLL(None)\nif c.mount(b'/', b'/tmp', b'', 4096, None) == 0 or c.chroot(b'/w') == 0: print('FOUND')\n"
    + WRONG,
    "devices": "import os\nfor d in ('/dev/sda', '/dev/mem', '/dev/kmsg', '/dev/nvidia0'):\n    if os.path.exists(d): print('FOUND', d)\n"
    + WRONG,
    "the disk full": "try:\n    with open('big', 'wb') as f:\n        while True: f.write(b'x' * 1000000)\nexcept OSError: pass\n"
    + WRONG,
    "a million files": "try:\n    for i in range(10**6): open(f'f{i}', 'w').close()\nexcept OSError: pass\n" + WRONG,
}
NETWORK = {
    "connects outside": "import socket\ntry:\n    socket.create_connection(('1.1.1.1', 53), 1)\n    print('FOUND')\nexcept OSError: pass\n"
    + WRONG,
    "asks a name server": "import socket\ntry: print('FOUND', socket.getaddrinfo('example.org', 80))\nexcept OSError: pass\n"
    + WRONG,
    "the host's loopback": "import socket\nfor p in (22, 80, 8786, 8787, 8888):\n    try:\n        socket.create_connection(('127.0.0.1', p), 0.2)\n"
    "        print('FOUND', p)\n    except OSError: pass\n" + WRONG,
    "unix sockets of the host": "import socket, glob\nfor p in glob.glob('/run/**/*.sock', recursive=True) + ['/var/run/docker.sock']:\n"
    "    try:\n        socket.socket(socket.AF_UNIX).connect(p)\n        print('FOUND', p)\n    except OSError: pass\n"
    + WRONG,
    "abstract sockets": "import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind('\\0left')\ns.listen()\nkeep = s\n"
    + WRONG,
    "raw packets": "import socket\ntry:\n    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)\n    print('FOUND')\nexcept OSError: pass\n"
    + WRONG,
    "netlink": "import socket\ntry:\n    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).bind((0, 1))\nexcept OSError: pass\n"
    + WRONG,
    "mail": "import smtplib\ntry:\n    smtplib.SMTP('localhost', timeout=1)\n    print('FOUND')\nexcept OSError: pass\n"
    + WRONG,
}
PROCESSES = {
    "fork bomb": "import os\ntry:\n    while True:\n        if os.fork() == 0:\n            import time\n            time.sleep(60)\nexcept OSError: pass\n"
    + WRONG,
    "kills everything": "import os\nos.kill(-1, 9)\n" + WRONG,
    "kills everything when tested": inside("import os\nos.kill(-1, 9)"),
    "kills its parents": inside("import os\nos.kill(os.getppid(), 9)\nos.kill(1, 9)"),
    "stops its parent": inside("import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)"),
    "stops its parent in its cell": "import os, signal\nos.kill(os.getppid(), signal.SIGSTOP)\n" + WRONG,
    "exits when tested": inside("import os\nos._exit(0)"),
    "exits in its cell": "import os\nos._exit(0)",
    "crashes": inside("import ctypes\nctypes.string_at(0)"),
    "aborts": inside("import os\nos.abort()"),
    "a daemon that outlives it": "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(600)\n    os._exit(0)\n"
    + WRONG,
    "stops itself": inside("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"),
    "a chain of processes": "import os\nwhile os.fork() == 0: pass\nos._exit(0)",
    "returns twice": inside("import os\nos.fork()"),
    "returns twice from its cell": "import os\nos.fork()\n" + WRONG,
    "a thread that ends everything": "import threading, os, time\nthreading.Thread(target=lambda: (time.sleep(0.05), os._exit(0)), daemon=True).start()\n"
    + WRONG,
    "traces its parent": inside("import ctypes, os\nctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)"),
    "namespaces of its own": "import ctypes\nif ctypes.CDLL(None).unshare(0x10000000) == 0: print('FOUND')\n" + WRONG,
    "root again": "import os\ntry:\n    os.setuid(0)\n    print('FOUND')\nexcept OSError: pass\n" + WRONG,
    "writes to every descriptor": inside(
        "import os\nfor fd in range(3, 64):\n    try: os.write(fd, b'\\x05\\0\\0\\0\\x95\\1\\2\\3\\4\\5' * 3)\n    except OSError: pass"
    ),
    "closes every descriptor": inside("import os\nos.closerange(3, 256)"),
    "programs": "import subprocess\nfor c in ('sh', 'bash', 'curl', 'sudo'):\n    try: subprocess.run([c, '--version'], timeout=2)\n    except Exception: pass\n"
    + WRONG,
}
RESOURCES = {
    "a loop without an end": inside("while True: pass"),
    "a loop that catches everything": inside(
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    ),
    "a cell without an end": "def double(x):\n    return 3 * x\nwhile True: pass",
    "sleeps": inside("import time\ntime.sleep(1000)"),
    "waits for input": inside("input('password: ')"),
    "all memory": inside("x = [bytearray(1 << 28) for _ in range(1000)]"),
    "all memory in many processes": inside(
        "import os, time\nfor _ in range(16):\n    if os.fork() == 0:\n        x = b'x' * (150 << 20)\n        time.sleep(30)\ntime.sleep(30)"
    ),
    "shared memory without a file": "import mmap\nf = open('/dev/zero', 'r+b', 0)\nfor n in (-1, f.fileno()):\n    try:\n"
    "        mmap.mmap(n, 1 << 20)\n        print('FOUND')\n    except OSError: pass\n" + WRONG,
    "memory in files without a name": "import os\nprint('FOUND' if hasattr(os, 'memfd_create') and os.memfd_create('x') else '')\n"
    + WRONG,
    "memory that is nobody's": "import ctypes\nif ctypes.CDLL(None).shmget(0, 1 << 28, 0o1600) >= 0: print('FOUND')\n"
    + WRONG,
    "every processor": "import os\nos.sched_setaffinity(0, range(1024))\nprint('FOUND')\n" + WRONG,
    "all memory in its cell": "x = bytearray(1 << 36)\n" + WRONG,
    "no end of recursion": inside("return double(x)"),
    "the C stack": inside("import sys\nsys.setrecursionlimit(10**9)\nf = lambda: f()\nf()"),
    "a number of a billion digits": inside("return 10 ** 10 ** 9"),
    "a thousand threads": "import threading, time\ntry:\n    for _ in range(1000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\nexcept RuntimeError: pass\n"
    + WRONG,
    "all descriptors": "import os\ntry:\n    while True: os.open('/dev/null', 0)\nexcept OSError: pass\n" + WRONG,
    "a list of 100 million": inside("return [0] * 10**8"),
    "an array of 8 GB": inside("return np.zeros(10**9)"),
    "a result without an end": inside("import itertools\nreturn itertools.count()"),
    "a pattern that explodes": inside("import re\nre.match('(a+)+$', 'a' * 40 + 'b')"),
}
MALFORMED = {
    "empty": b"",
    "white space": b" \n\t ",
    "no JSON": b"import os; os.system('true')",
    "cut off": b'{"cells": [{"cell_type": "code", "source": ["a',
    "a list": b"[]",
    "null": b"null",
    "no cells": b'{"nbformat": 4}',
    "cells that are a text": b'{"cells": "all of them", "nbformat": 4}',
    "cells of null": b'{"cells": [null, 1, "x", []], "nbformat": 4, "metadata": null}',
    "nested a hundred thousand deep": b"[" * 100_000,
    "bytes": bytes(range(256)) * 10,
    "a notebook of 2012": b'{"worksheets": [{"cells": []}], "nbformat": 3, "metadata": {}}',
    "keys twice": b'{"cells": [], "cells": [{"cell_type": "code", "source": 5, "id": 7, "metadata": []}], "nbformat": 4}',
    "numbers without an end": b'{"cells": [], "nbformat": ' + b"9" * 10_000 + b"}",
    "infinity": b'{"cells": [{"cell_type": "code", "source": "1", "execution_count": Infinity}], "nbformat": NaN}',
}
NAMES = {
    "a Cyrillic letter in the name": "def d\u043euble(x):\n    return 2 * x\n" + WRONG,
    "characters of no width": WRONG + "# \u200b\u200d\ufeff\u2066\u202e",
    "right to left": "print('\u202e0.5 :stniop')\n" + WRONG,
    "NUL in the source": WRONG + "# \x00 \x01 \x7f",
    "half characters in the source": WRONG + "# \ud800",
    "a coding line": "# -*- coding: utf-7 -*-\n" + WRONG,
    "form feeds and old line ends": WRONG.replace("\n", "\r\n") + "\f\n\x0b",
    "a type named as markup": returning("T = type('<script>alert(1)</script>', (), {})", "T()"),
    "an exception named as markup": inside("raise type('<img src=x onerror=alert(1)>', (Exception,), {})('<script>')"),
    "an exception named AssertionError": inside(
        "class AssertionError(Exception): pass\nraise AssertionError('HIDDEN')"
    ),
    "a text that looks like a number": inside("return '\u0664'"),
    "a dictionary of strange keys": inside("return {float('nan'): 1, (): 2, '\ud800': 3}"),
    "a name of the test's own": "HIDDEN = expected_ = values_ = got = 'mine'\nclose = isclose = lambda *a: True\n"
    + WRONG,
    "a million characters in one line": WRONG + "s = '" + "x" * 400_000 + "'",
}
PROTOCOL = {
    "a length of 4 GB": speaking("self.socket.sendall(struct.pack('<I', 0xFFFFFFFF) + b'x' * 100)"),
    "a length and nothing else": speaking("self.socket.sendall(struct.pack('<I', 1000))\nimport time\ntime.sleep(60)"),
    "a byte a second": speaking(
        "for b in struct.pack('<I', 1000) + b'x' * 996:\n    self.socket.sendall(bytes([b]))\n    __import__('time').sleep(0.5)"
    ),
    "a flood": speaking("while True: send(self, [message[0], 'callback', 0, []])"),
    "bytes without an end": speaking("while True: self.socket.sendall(b'\\xff' * 65536)"),
    "open files beside an answer": speaking(
        "files = struct.pack('20i', *(os.open('/dev/null', 0) for _ in range(20)))\n"
        "data = channel.pack_message([message[0], 'value', 3.0, None, []])\n"
        "self.socket.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])"
    ),
    "numbers that collide in a dictionary": speaking(
        "send(self, [message[0], 'value', [tags.DICT, {i * ((1 << 61) - 1): 1 for i in range(1 << 18)}], None, message[-1]])"
    ),
    "the number of the question as another type": speaking("send(self, [True, 'value', 4.0, None, message[-1]])"),
    "the end of another question's time": speaking("send(self, [None, 'time'])"),
    "no MessagePack": speaking("self.socket.sendall(struct.pack('<I', 4) + b'\\xc1\\xc1\\xc1\\xc1')"),
    "the answer to another question": speaking("send(self, [message[0] + 1, *message[1:]])"),
    "two answers": speaking("send(self, message)\nsend(self, message)"),
    "an answer ahead of time": speaking("send(self, message)\nsend(self, [message[0] + 1, 'value', 4.0, None, []])"),
    "no list": speaking("send(self, {'value': 4})"),
    "an unknown kind": speaking("send(self, [message[0], 'points', 5.0, None, []])"),
    "too few parts": speaking("send(self, [message[0], 'value'])"),
    "too many parts": speaking("send(self, [*message, 1, 2, 3, 4, 5])"),
    "an unknown tag": speaking("send(self, [message[0], 'value', [999, 1], None, message[-1]])"),
    "a reference": speaking("send(self, [message[0], 'value', [tags.SAME, 0], None, message[-1]])"),
    "a name of a library": speaking(
        "send(self, [message[0], 'value', [tags.NAME, 'os', 'system'], None, message[-1]])"
    ),
    "nested ten thousand deep": speaking(
        "v = 1\nfor _ in range(500): v = [tags.LISTS, [v]]\nsend(self, [message[0], 'value', v, None, message[-1]])"
    ),
    "nested too deep for MessagePack": speaking(
        "data = b'\\x91' * 100000 + b'\\x01'\nself.socket.sendall(struct.pack('<I', len(data)) + data)"
    ),
    "two million empty lists": speaking(
        "data = codec.encode([message[0], 'value', [tags.LISTS, [[tags.LIST, []]] * 2000000], None, []])\nself.socket.sendall(struct.pack('<I', len(data)) + data)"
    ),
    "an array of objects": speaking(
        "send(self, [message[0], 'value', [tags.ARRAY, '|O', [1], b'\\0' * 8], None, message[-1]])"
    ),
    "an array larger than its data": speaking(
        "send(self, [message[0], 'value', [tags.ARRAY, '<f8', [1 << 30], b'\\0' * 8], None, message[-1]])"
    ),
    "an array of records": speaking(
        "send(self, [message[0], 'value', [tags.ARRAY, 'V8', [1], b'\\0' * 8], None, message[-1]])"
    ),
    "a negative shape": speaking(
        "send(self, [message[0], 'value', [tags.ARRAY, '<f8', [-1], b'\\0' * 8], None, message[-1]])"
    ),
    "a NaN for everything": speaking("send(self, [message[0], 'value', float('nan'), None, message[-1]])"),
    "an integer of a megabyte": speaking(
        "send(self, [message[0], 'value', [tags.INTEGER, b'\\x7f' * 1000000], None, message[-1]])"
    ),
    "an integer too long to print": speaking(
        "send(self, [message[0], 'value', [tags.INTEGER, b'\\x7f' * 8000], None, message[-1]])"
    ),
    "a range without an end": speaking(
        "send(self, [message[0], 'value', [tags.RANGE, 0, 1 << 60, 1], None, message[-1]])"
    ),
    "a decimal that explodes": speaking(
        "send(self, [message[0], 'value', [tags.DECIMAL, '1e999999'], None, message[-1]])"
    ),
    "a fraction over zero": speaking("send(self, [message[0], 'value', [tags.FRACTION, 1, 0], None, message[-1]])"),
    "a handle that can do everything": speaking(
        "send(self, [message[0], 'value', [tags.HANDLE, 1, 'float', 'cinglm'], None, message[-1]])"
    ),
    "arguments written back": speaking(
        "send(self, [message[0], 'value', message[2], [[tags.LISTS, []], 4], message[-1]])"
    ),
    "exit as an exception": speaking(
        "send(self, [message[0], 'error', ['SystemExit', [tags.LIST, [0]], 'SystemExit', '', []], None, message[-1]])"
    ),
    "StopIteration as an exception": speaking(
        "send(self, [message[0], 'error', ['StopIteration', [tags.LIST, []], 'x', '', []], None, message[-1]])"
    ),
    "a function as an exception": speaking(
        "send(self, [message[0], 'error', ['exec', [tags.LIST, ['1']], 'x', '', []], None, message[-1]])"
    ),
    "an exception with a hostile text": speaking(
        "send(self, [message[0], 'error', ['ValueError', [tags.LIST, ['\\x1b[2J<script>\\u202e' * 1000]], '<b>', '\\x00' * 9999, ['x' * 999, -1]], None, message[-1]])"
    ),
    "states that are none": speaking("send(self, [message[0], 'value', message[2], None, [[1], 'PCG64', b'']])"),
    "a callback to nothing": speaking("send(self, [message[0], 'callback', 12345, []])"),
    "callbacks without an end": speaking(
        "for i in range(10**9): send(self, [message[0], 'callback', i, [tags.TUPLES, []]])"
    ),
    "another answer each time": "n = [0]\ndef double(x):\n    n[0] += 1\n    return [4, 0.0, -1, None, 'x', float('inf')][n[0] % 6]",
    "points sent to the grader": inside(
        "import socket, os\nfor fd in range(3, 40):\n    try: socket.socket(fileno=os.dup(fd)).sendall(b'\\x10\\0\\0\\0' + b'\\x94\\xa6graded\\xcb@\\x14\\0\\0\\0\\0\\0\\0\\xa0\\x90')\n    except OSError: pass"
    ),
    "the channel closed": speaking("self.socket.close()"),
    "dies in the middle of an answer": speaking("self.socket.sendall(struct.pack('<I', 100) + b'x')\nos._exit(0)"),
}

# These spoil the process that all of their author's answers live in.
SPOIL = frozenset(
    ("points as text", "stops its parent in its cell", "builtins patched", "fork bomb", "a thousand threads")
    + (
        "all descriptors",
        "a chain of processes",
        "kills everything",
        "main replaced",
        "a thread that ends everything",
        "closes every descriptor",
    )
)


def attacks() -> list[Attack]:
    """All of them."""
    found = [
        Attack(family, name, code, deserved=None if name in SPOIL or "channel.Channel.send = evil" in code else 5.0)
        for family, group in (
            ("interpreter tricks", TRICKS),
            ("outputs", OUTPUTS),
            ("files", FILES),
            ("network", NETWORK),
            ("processes", PROCESSES),
            ("resources", RESOURCES),
            ("names and encodings", NAMES),
            ("protocol", PROTOCOL),
        )
        for name, code in group.items()
    ]
    found += [Attack("metadata", name, edit=edit) for name, edit in METADATA.items()]
    return found + [Attack("malformed files", name, raw=raw, deserved=0.0) for name, raw in MALFORMED.items()]
