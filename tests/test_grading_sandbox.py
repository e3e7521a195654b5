# ruff: noqa: E501  code in one line of text each
"""The walls: what a cell can reach, what it may import, and that nothing starts without them."""

import mmap
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lmkit.grading import COURSE, packages, sandbox
from lmkit.grading.channel import Channel
from lmkit.grading.master import LOCKED, TEST, Master, MasterCell
from lmkit.grading.pair import Pair
from lmkit.grading.sandbox import Limits, NoSandbox, why_not
from lmkit.grading.submission import Submission
from lmkit.grading.watch import Watch, descendants, memory
from lmkit.student import offered

SETUP = (MasterCell("setup", LOCKED, "import numpy as np"),)
MASTER = Master("h", SETUP, ("lmkit.ngram", "lmkit.homework"), ("torch",))
needs_sandbox = pytest.mark.skipif(bool(why_not()), reason=f"no sandbox here: {why_not()}")
slow = pytest.mark.slow


@pytest.fixture(scope="module", params=[True, False], ids=["warm", "cold"])
def pair(request):
    with Pair(MASTER, "", Limits(cell_seconds=20, disk=1 << 20, processes=20), warm=request.param) as made:
        assert made.namespaces is request.param
        yield made


def shown(pair, source):
    """What a cell prints in a fresh session."""
    submission = Submission(pair, [], time.monotonic() + 60)
    submission.run_cell("a", source)
    submission.close()
    return submission.runs["a"].text.strip() + submission.runs["a"].error


@needs_sandbox
@slow
@pytest.mark.xdist_group("sandbox")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import os\nprint(os.getuid() != 0, os.getcwd())", "True /w"),
        ("import os\nprint(sorted(os.environ)[:3])", "['HOME', 'IPYTHONDIR', 'LANG']"),
        (f"import os\nprint(os.path.exists({str(COURSE / 'solutions')!r}))", "False"),
        (f"import os\nprint(os.path.exists({str(COURSE / 'nbgrader_config.py')!r}))", "False"),
        ("import lmkit, os\nprint({'evaluation.py', 'transformer.py', 'decoding.py'} & {*os.listdir(os.path.dirname(lmkit.__file__))})", "set()"),
        ("import socket\nprint([name for _, name in socket.if_nameindex()])", "['lo']"),
        ("import os\nos.preadv(os.open(os.__file__, 0), [bytearray(1)], 0, os.RWF_NOWAIT)", "PermissionError"),
        ("import os\nprint(os.preadv(os.open(os.__file__, 0), [bytearray(3)], 0))", "3"),
        ("import ctypes, os\nnumber = 206 if os.uname().machine == 'x86_64' else 0\nprint(ctypes.CDLL(None).syscall(number, 1, ctypes.byref(ctypes.c_ulong(0))))", "-1"),
        ("import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nc.mincore(None, 0, None)\nprint('error', ctypes.get_errno())", "error 1"),
        ("import ctypes\nc = ctypes.CDLL(None, use_errno=True)\nc.syscall(451, -1, 0, 0, 0)  # cachestat\nprint('error', ctypes.get_errno())", "error 1"),
        ("import socket\nprint(socket.socket(socket.AF_VSOCK))", "PermissionError"),  # leads to the host of a virtual machine
        ("import socket\nprint(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4))", "PermissionError"),  # tells SO_COOKIE
        ("import socket\nfor family in (1, 2, 10, 16): socket.socket(family, socket.SOCK_DGRAM).close()\nprint('ok')", "ok"),
        ("import socket\nsocket.socket().getsockopt(1, 57, 8)", "PermissionError"),  # one counter for everybody
        ("import socket\nsocket.socket().getsockopt(1, 71, 8)", "PermissionError"),
        ("import socket\nprint(socket.socket().getsockopt(1, 3), socket.socket().getsockopt(6, 71 - 70))", "1 0"),
        ("import socket\nfor name in ('localhost', socket.gethostname()): print(socket.create_server((name, 0)).getsockname()[0])", "127.0.0.1\n127.0.0.1"),
        ("open('x', 'w').write('y')\nprint(open('x').read())", "y"),
        ("open('big', 'w').write('x' * 2_000_000)", "File too large"),
        ("open('/lmkit/x', 'w')", "OSError"),
        ("open('/usr/lib/x', 'w')", "OSError"),
        ("import os\ntry:\n    for i in range(50): os.fork() or __import__('time').sleep(5)\nexcept OSError as e: print(e)", "Resource temporarily unavailable"),
        ("import ctypes\nprint(ctypes.CDLL(None).mount(b'none', b'/tmp', b'tmpfs', 0, None))", "-1"),
        ("import os\nos.memfd_create('x')", "Operation not permitted"),  # nobody would be charged for its memory
        ("import ctypes\nprint(ctypes.CDLL(None).shmget(0, 4096, 0o1600))", "-1"),
        ("import mmap\nmmap.mmap(-1, 4096)", "Operation not permitted"),  # as shared memory without a name
        ("import mmap\nf = open('/dev/zero', 'r+b', 0)\nmmap.mmap(f.fileno(), 4096)", "No such device"),
        ("import mmap\nm = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\nm[:1] = b'x'\nprint(m[0])", "120"),
        ("import mmap\nopen('/dev/shm/x', 'wb').write(b'x' * 4096)\nf = open('/dev/shm/x', 'r+b')\nm = mmap.mmap(f.fileno(), 0)\nprint(m[0])", "120"),
        ("import multiprocessing as m, threading\nt = threading.Thread(target=print, args=(1,))\nt.start(); t.join()\nc = m.get_context('fork')\nv, q = c.Value('i', 1), c.Queue()\np = c.Process(target=lambda: (q.put(2), setattr(v, 'value', 3)))\np.start()\nprint(q.get()); p.join()\nprint(v.value, c.Pool(2).map(abs, [-4])[0])", "1\n2\n3 4"),
        ("import os\nos.sched_setaffinity(0, {0})", "Operation not permitted"),
        ("import lmkit.ngram\nprint(lmkit.ngram.__name__)", "lmkit.ngram"),
        ("import lmkit, os\nprint(sorted(os.listdir(lmkit.__path__[0] + '/data'))[:2])", "['bat.txt', 'course.mplstyle']"),
        ("from lmkit import evaluation", "this homework does not offer it; what it asks for you write yourself"),
        ("import lmkit.transformer", "this homework does not offer it; what it asks for you write yourself"),
        ("import torch", "torch: answers to this homework may not import it, and it will not be there"),
        ("import torch.nn as nn\nnn.Linear", "ModuleNotFoundError: torch: answers to this homework may not import it"),
        ("import regex, tqdm, matplotlib.pyplot\nprint(regex.fullmatch('a', 'a').group(), tqdm.tqdm.__name__)", "a tqdm"),
        ("import nbgrader", "nbgrader: answers to this homework may not import it"),
        ("import lmkit.grading.proxies", "ImportError"),
        ("import lmkit.grading.answers", "ImportError"),
    ],
)  # fmt: skip
def test_what_a_cell_can_reach(pair, source, expected):
    assert expected in shown(pair, source)


@needs_sandbox
@slow
@pytest.mark.xdist_group("sandbox")
def test_a_cell_does_not_reach_what_listens_on_this_machine(pair):
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), 1).close()  # from here it can be reached
        said = shown(pair, f"import socket\nsocket.create_connection({server.getsockname()}, 1)")
    assert "ConnectionRefusedError" in said


@needs_sandbox
@slow
@pytest.mark.xdist_group("sandbox")
def test_nothing_passes_from_one_submission_to_the_next(pair):
    leave = "import os\nfor d in ('/w', '/tmp', '/dev/shm'):\n    open(d + '/left', 'w').write('x')\nimport builtins\nbuiltins.left = 1"
    assert shown(pair, leave) == ""
    assert (
        shown(pair, "import os\nprint([d for d in ('/w', '/tmp', '/dev/shm') if os.path.exists(d + '/left')])") == "[]"
    )
    assert shown(pair, "left").startswith("NameError")


@needs_sandbox
@slow
@pytest.mark.xdist_group("sandbox")
def test_no_process_outlives_its_submission(pair):
    before = len(descendants(pair.student.process.pid))
    daemon = "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(600)"
    submission = Submission(pair, [], time.monotonic() + 60)
    submission.run_cell("a", daemon)
    submission.close()
    shown(pair, "1")  # in a sandbox of its own per submission, the old one goes when the next one comes
    patience = time.monotonic() + 10
    while len(descendants(pair.student.process.pid)) > before and time.monotonic() < patience:
        time.sleep(0.05)
    assert len(descendants(pair.student.process.pid)) <= before


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says what is whose")
def test_shared_memory_is_counted_too():
    before = memory([os.getpid()], 1 << 60)
    mine, ours = mmap.mmap(-1, 32 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), mmap.mmap(-1, 32 << 20)
    for block in (mine, ours):
        block.write(b"x" * len(block))
    assert memory([os.getpid()], 1 << 60) - before > 60 << 20


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux says what is whose")
@pytest.mark.parametrize(("most", "ends"), [(140 << 20, signal.SIGKILL), (1 << 40, 0)], ids=["too much", "enough"])
def test_processes_that_have_too_much_together_are_ended(most, ends):
    """Three of 50 MB each, of which none is too large by itself."""
    one = "import time; x = b'x' * (50 << 20); time.sleep(2)"
    three = f"from subprocess import *\nfor p in [Popen([{sys.executable!r}, '-c', {one!r}]) for _ in range(3)]: print(-p.wait())"
    with subprocess.Popen([sys.executable, "-c", three], stdout=subprocess.PIPE, text=True) as root:
        with Watch(lambda: root.pid, most) as watch:
            said, _ = root.communicate()
    assert said.split() == 3 * [str(int(ends))] and watch.tripped is bool(ends)


def test_without_bubblewrap_nothing_starts(monkeypatch):
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    sandbox.why_not.cache_clear()
    try:
        with pytest.raises(NoSandbox, match="sudo apt install bubblewrap.*--unsafe-no-sandbox"):
            Pair(MASTER)
    finally:
        sandbox.why_not.cache_clear()


@slow
def test_unless_somebody_says_so():
    with Pair(MASTER, unsafe_no_sandbox=True) as pair:
        submission = Submission(pair, [], time.monotonic() + 60)
        assert submission.run_cell("a", "def f(x):\n    return x + 1")
        pair.wanted["t"] = ["f"]
        assert submission.test(MasterCell("t", TEST, "assert f(1) == 2", 1.0))[1] == 1.0
        submission.close()
        assert pair.unsafe and not pair.namespaces


@slow
def test_without_walls_packages_are_where_the_grader_finds_them(tmp_path):
    """Also where they come from PYTHONPATH."""
    base = getattr(sys, "_base_executable", sys.executable)
    code = (
        "from lmkit.grading.master import Master\nfrom lmkit.grading.pair import Pair\n"
        "from lmkit.grading.submission import Submission\nimport time\npair = Pair(Master('h', ()), unsafe_no_sandbox=True)\n"
        "s = Submission(pair, [], time.monotonic() + 60)\ns.run_cell('a', 'import numpy\\nprint(numpy.__file__)')\n"
        "print(s.runs['a'].text)\ns.close()\npair.close()"
    )
    site = str(Path(pytest.__file__).parents[1])
    surroundings = {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{COURSE}:{site}", "HOME": str(tmp_path)}
    ran = subprocess.run([base, "-P", "-c", code], capture_output=True, text=True, env=surroundings, cwd=tmp_path)
    assert ran.stdout.startswith(site), ran.stderr


@needs_sandbox
@slow
@pytest.mark.skipif(
    os.geteuid() != 0 or not Path("/usr/bin/setpriv").exists(), reason="only root can become somebody else"
)
def test_an_ordinary_user_has_the_same_walls(tmp_path):
    """Skipped where no Python is readable for everybody."""
    python = f"/usr/bin/python3.{sys.version_info[1]}"
    site = str(Path(pytest.__file__).parents[1])
    if not Path(python).exists() or not os.stat(site).st_mode & 1:
        pytest.skip("no Python that everybody can read")
    code = (
        "from lmkit.grading.master import LOCKED, Master, MasterCell\nfrom lmkit.grading.pair import Pair\n"
        "from lmkit.grading.submission import Submission\nimport time\npair = Pair(Master('h', (MasterCell('setup', LOCKED, 'import numpy as np'),)))\n"
        "s = Submission(pair, [], time.monotonic() + 60)\ns.run_cell('a', 'import os, ctypes\\nprint(os.getuid(), os.listdir(\"/proc\"), "
        "ctypes.CDLL(None).unshare(0x10000000))')\nprint(pair.namespaces, s.runs['a'].text)\ns.close()\npair.close()"
    )
    surroundings = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": f"{COURSE}:{site}",
        "HOME": "/tmp",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = ["setpriv", "--reuid", "12345", "--regid", "12345", "--clear-groups", python, "-c", code]
    ended = subprocess.run(command, env=surroundings, cwd="/", capture_output=True, text=True, timeout=120)
    assert ended.stdout.split() == ["True", "65534", "[]", "-1"], ended.stderr


def test_the_command_line_shows_only_what_is_declared():
    line = sandbox.command("worker", ("numpy",), packages.lmkit_files(("lmkit.ngram",)), packages.STUDENT_SIDE, ())
    text = " ".join(line)
    assert "--unshare-net" in line or "--unshare-all" in line
    assert (
        "solutions" not in text
        and "/torch" not in text.replace(sys.prefix, "")
        and "nbgrader" not in text
        and "gradebook" not in text
    )
    assert "lmkit/ngram.py" in text and "lmkit/transformer.py" not in text
    assert "grading/proxies.py" not in text and "grading/tester.py" not in text and "--ro-bind / /" not in text
    assert not [a for a in line if a == "--bind"]


def test_a_process_that_reads_no_requests_is_given_up(monkeypatch):
    monkeypatch.setattr(sandbox, "SENDING", 0.2)
    ours, theirs = socket.socketpair()
    large = ["cell", "x" * 10_000_000]
    sending = threading.Thread(target=sandbox.send, args=(Channel(ours, 1000), large), daemon=True)
    sending.start()
    sending.join(20)
    assert not sending.is_alive() and ours.gettimeout() is None
    theirs.close()


def test_what_homeworks_may_import(tmp_path, monkeypatch):
    assert {"numpy", "numpy.libs"} <= set(offered.installed(("numpy",)))
    assert "torch" not in offered.installed(("numpy", "msgspec", "ipython"))
    said = './one.py,,\n__pycache__/one.cpython-311.pyc,,\n"two/a,b.py",,\n../../bin/two,,\n\n'
    for name in ("one.py", "two", "__pycache__"):
        (tmp_path / name).mkdir()
    (tmp_path / "made_up-1.dist-info").mkdir()
    (tmp_path / "made_up-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: made-up\nVersion: 1\n")
    (tmp_path / "made_up-1.dist-info" / "RECORD").write_text(said)
    monkeypatch.syspath_prepend(tmp_path)
    assert set(offered.installed(("made-up",))) == {"one.py", "two"}
    everything = {path.name for path in packages.lmkit_files(None)}
    assert {"ngram.py", "transformer.py", "__init__.py"} <= everything
    assert {path.parent for path in packages.lmkit_files(None)} == {packages.LMKIT}
    assert packages.imported("import a.b\nfrom c import d\n%magic\nfrom . import e") == {"a.b", "c", "c.d"}
