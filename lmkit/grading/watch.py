"""Keeps an eye on the memory of a submission's processes together; ``RLIMIT_AS`` knows only each one by itself."""

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

FIRST, EVERY = 0.5, 0.25  # seconds
PROC = Path("/proc")


def descendants(root: int) -> list[int]:
    """Process ids of everything below a process, those in its own process namespaces included."""
    parents: dict[int, list[int]] = {}
    for entry in os.scandir(PROC):
        if entry.name.isdigit():
            try:
                stat = Path(entry.path, "stat").read_bytes()
            except OSError:  # it has ended
                continue
            parents.setdefault(int(stat[stat.rindex(b")") + 2 :].split()[1]), []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        children = parents.get(waiting.pop(), [])
        found += children
        waiting += children
    return found


def memory(processes: list[int], enough: int) -> int:
    """Bytes that the processes have in use together. What they share is counted once, if it matters and can be known."""
    rough = 0
    for process in processes:
        try:
            lines = (PROC / str(process) / "status").read_text().splitlines()
        except OSError:
            continue
        rough += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(("RssAnon:", "RssShmem:")))
    if rough <= enough:
        return rough
    exact = 0
    for process in processes:
        try:
            lines = (PROC / str(process) / "smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        exact += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return exact or rough // len(processes)  # forks of one process: most of it is shared


class Watch:
    """While it is open, kills everything below a process when that has more than its memory together.

    Args:
        root: tells the process, which may be replaced by another one.
        most: bytes.

    Attributes:
        tripped: whether it had to.
    """

    def __init__(self, root: Callable[[], int], most: int) -> None:
        self.root, self.most, self.tripped = root, most, False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self) -> None:
        pause = FIRST
        while not self._over.wait(pause):
            pause = EVERY
            processes = descendants(self.root())
            if memory(processes, self.most) > self.most:
                self.tripped = True
                for process in processes:
                    try:
                        os.kill(process, signal.SIGKILL)
                    except OSError:
                        pass

    def __enter__(self) -> "Watch":
        if PROC.is_dir():
            self._thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
