"""The two processes that grade, and the walls around them.

Both run under bubblewrap: no network, nothing of the disk but the interpreter and the packages that the homework may import,
nothing writeable but a small disk in memory. Each submission gets namespaces of its own inside (``namespaces.py``), or, where
the kernel does not allow that, a bubblewrap of its own. Without bubblewrap nothing starts, unless somebody says so.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lmkit.grading.channel import LARGEST_REQUEST, Channel, Closed
from lmkit.grading.packages import LMKIT, STUDENT, STUDENT_SIDE, TEST_SIDE, Needs, lmkit_files
from lmkit.student.offered import NEEDED, installed, on_offer

SENDING = 10  # seconds until a process that reads no requests any more is given up
STARTING = 120  # seconds that a process may take to import what a homework needs
UNSAFE = "none"
SAFE = "bubblewrap"
INSTALL = (
    "bubblewrap is needed to run students' code safely and is not usable here ({why}). On Debian or Ubuntu: "
    "`sudo apt install bubblewrap`; on Fedora: `sudo dnf install bubblewrap`. On macOS and Windows grade in a Linux container "
    "or virtual machine. With --unsafe-no-sandbox students' code runs with your rights: it can read and delete your files."
)


class NoSandbox(RuntimeError):
    """There is no sandbox, and nobody has said that it is not wanted."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Attributes:
        cell_seconds: computing time of one of its cells.
        test_seconds: computing time of one test.
        total_seconds: wall clock of everything together; a submission that is graded once more, because its definitions do
            not run twice alike (``submission.NotAgain``), has it once more.
        memory: bytes of address space of one process (importing torch takes about one GB), and bytes in use of all together.
        processes: how many there may be at a time, those of the worker (two for each test, and up to half for cells) among
            them.
        disk: bytes of its working directory, and of the largest file.
    """

    cell_seconds: int = 60
    test_seconds: int = 30
    total_seconds: int = 600
    memory: int = 4 << 30
    processes: int = 128
    disk: int = 64 << 20


@cache
def why_not() -> str:
    """Why there is no sandbox on this machine; empty if there is one."""
    if not sys.platform.startswith("linux"):
        return "it works on Linux only"
    if shutil.which("bwrap") is None:
        return "there is no program `bwrap`"
    command = ["bwrap", *_walls(), "--ro-bind", "/", "/", "--proc", "/proc", "true"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30)
    return "" if ended.returncode == 0 else f"`bwrap` says: {ended.stderr.strip()[:200]}"


def _walls() -> list[str]:
    """What bubblewrap shuts. As root the rights to become an ordinary user stay until the submission begins."""
    if os.geteuid() == 0:
        shut = ["--unshare-pid", "--unshare-ipc", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        shut += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_KILL"]
    else:
        shut = ["--unshare-all"]
    return [*shut, "--hostname", "sandbox", "--new-session", "--die-with-parent", "--clearenv"]


def _interpreter() -> tuple[str, list[str]]:
    """The Python to run, and the arguments that show it to the sandbox."""
    python, base = os.path.realpath(sys.executable), os.path.realpath(sys.base_prefix)
    shown = []
    for path in ("/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime"):
        shown += ["--ro-bind-try", path, path]
    for path in ("/lib", "/lib64"):
        shown += ["--symlink", f"usr{path}", path] if os.path.islink(path) else ["--ro-bind-try", path, path]
    if base == "/usr":
        return python, [*shown, "--ro-bind", python, python]
    packages = Path(base, "lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages")
    hidden = ["--tmpfs", str(packages)] if packages.is_dir() else []
    return python, [*shown, "--ro-bind", base, base, *hidden]


def command(
    module: str, packages: tuple[str, ...], lmkit: Iterable[Path], own: Iterable[str], names: Iterable[str]
) -> list[str]:
    """The command line of a sandboxed process that runs ``main`` of a module of ``lmkit.grading`` on ``names``."""
    python, shown = _interpreter()
    arguments = []
    for folder in (
        "/packages",
        "/lmkit/lmkit/grading",
        "/lmkit/lmkit/student",
        "/usr",
        "/etc",
        os.path.realpath(sys.base_prefix),
    ):
        for place in (
            *reversed(Path(folder).parents[:-1]),
            folder,
        ):  # as root, bubblewrap would make them for root alone
            arguments += ["--perms", "0755", "--dir", str(place)]
    arguments += shown
    for top, path in installed((*NEEDED, *packages)).items():
        arguments += ["--ro-bind", str(path), f"/packages/{top}"]
    for path in (*lmkit, LMKIT / "data", *STUDENT, *(LMKIT / "grading" / f"{name}.py" for name in own)):
        arguments += ["--ro-bind", str(path), f"/lmkit/{path.relative_to(LMKIT.parent)}"]
    hosts = str(LMKIT / "grading" / "templates" / "hosts.txt")  # localhost is this machine
    arguments += ["--ro-bind", hosts, "/etc/hosts", "--proc", "/proc", "--dev", "/dev"]
    arguments += ["--dev-bind", "/dev/null", "/dev/zero"]  # a mapping of it is memory that no process is charged with
    for path in ("/w", "/tmp", "/dev/shm"):
        arguments += ["--perms", "1777", "--size", str(64 << 20), "--tmpfs", path]
    arguments += ["--remount-ro", "/", "--remount-ro", "/dev", "--chdir", "/w"]
    for name, value in environment("/w").items():
        arguments += ["--setenv", name, value]
    start = f"import sys; sys.path += ['/packages', '/lmkit']; from lmkit.grading.{module} import main; main()"
    return ["bwrap", *_walls(), *arguments, python, "-S", "-s", "-P", "-B", "-c", start, *names]


def environment(home: str) -> dict[str, str]:
    """All of the environment that the processes see; the same text hashes the same way in every run."""
    own = dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR"), home) | {
        "IPYTHONDIR": f"{home}/.ipython",
        "USER": "student",
    }
    # The last also for who asks for more: threads that wait for each other on one processor take a hundred times as long.
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_THREAD_LIMIT")
    one_thread = dict.fromkeys(threads, "1")
    no_compiler = {"TORCHDYNAMO_DISABLE": "1"}  # torch.compile(f) is f
    same = {"PYTHONHASHSEED": "0", "LANG": "C.UTF-8", "PATH": "/usr/bin", "MPLBACKEND": "Agg"}
    return own | one_thread | no_compiler | same


class Room:
    """One of the two processes, which is about to import what the homework needs, and then ready to fork.

    Args:
        module: ``"worker"`` for the student's side, ``"tester"`` for the tests'.
        needs: the homework's.
        unsafe: runs it without walls.

    Raises:
        NoSandbox: if there are no walls and ``unsafe`` is not set.
    """

    def __init__(self, module: str, needs: Needs, unsafe: bool) -> None:
        if not unsafe and why_not():
            raise NoSandbox(INSTALL.format(why=why_not()))
        self.directory = tempfile.mkdtemp(prefix="lmkit-") if unsafe else ""
        if unsafe:
            # Packages are those of this process, which may have them from PYTHONPATH or a user's own folder.
            here = [str(LMKIT.parent), *(path for path in sys.path if os.path.isabs(path))]
            paths = f"sys.path[:] = dict.fromkeys({here!r} + sys.path)"
            start = f"import sys; {paths}; from lmkit.grading.{module} import main; main()"
            line = [sys.executable, "-s", "-P", "-B", "-c", start, *needs.names]
            surroundings = environment(self.directory)
        else:
            others, offered = on_offer(needs.may_import, needs.may_not_import), needs.may_import
            own, lmkit = (STUDENT_SIDE, lmkit_files(offered)) if module == "worker" else (TEST_SIDE, lmkit_files(None))
            line = command(module, others, lmkit, own, needs.names)
            surroundings = {"PATH": os.environ.get("PATH", "")}
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                line,
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if not os.environ.get("LMKIT_GRADING_DEBUG") else None,
                env=surroundings,
                cwd=self.directory or "/",
                start_new_session=True,
            )
        self.channel = Channel(ours, LARGEST_REQUEST)

    def close(self) -> None:
        """Ends the process and everything in it."""
        self.channel.close()
        try:
            self.process.wait(0.5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if self.directory:  # no namespace ends what the process has begun
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
            shutil.rmtree(self.directory, ignore_errors=True)


def send(channel: Channel, message: list, *ends: socket.socket) -> None:
    """A request with ends of socket pairs, which are closed here; one that cannot be sent shows at the other ends."""
    try:
        with channel.within(SENDING):
            channel.send(message, tuple(end.fileno() for end in ends))
    except Closed:
        pass
    finally:
        for end in ends:
            end.close()
