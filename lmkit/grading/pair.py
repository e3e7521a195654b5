"""The two warm processes of a homework, the student's side and the tests' side; made once, used for many submissions."""

import os
import socket
import time
from typing import Any

from lmkit.grading.arrays import NotData
from lmkit.grading.channel import Channel, Closed
from lmkit.grading.master import LOCKED, TEST, Master
from lmkit.grading.packages import Needs, to_load
from lmkit.grading.sandbox import STARTING, Limits, Room, send
from lmkit.student.offered import packages

LARGEST_CELL_ANSWER = 8_000_000  # bytes


class Pair:
    """The two warm processes for one homework; grades any number of submissions, one at a time.

    Args:
        master: the homework.
        secret: the course secret, from which hidden tests draw.
        limits: of each submission.
        unsafe_no_sandbox: runs students' code with the rights of the caller.
        core: the processor to stay on; by default one that depends on this process's id.
        rooms: the two processes, the tests' first, if they have been started for this homework's needs already.
        warm: forks the student's process for every submission; otherwise, and where the kernel does not allow the
            namespaces that this needs, every submission gets a bubblewrap and an interpreter of its own.

    Raises:
        NoSandbox: if there is no sandbox.
        RuntimeError: if the homework's own setup fails.
    """

    def __init__(
        self,
        master: Master,
        secret: str = "",
        limits: Limits | None = None,
        unsafe_no_sandbox: bool = False,
        core: int | None = None,
        rooms: tuple[Room, Room] | None = None,
        warm: bool = True,
    ) -> None:
        self.master, self.secret, self.limits, self.unsafe = master, secret, limits or Limits(), unsafe_no_sandbox
        if core is None and hasattr(os, "sched_getaffinity"):
            cores = sorted(os.sched_getaffinity(0))
            core = cores[os.getpid() % len(cores)]
        self.core, self.namespaces, self.used = core, warm and not unsafe_no_sandbox, False
        self.needs = master.needs()
        self.tests, self.student = rooms or start_rooms(self.needs, unsafe_no_sandbox)
        self.wanted = master.wanted()
        self.given = master.given()
        self._prepare_student()
        tests = [test.source for test in master.of_kind(TEST)]
        tested = to_load([cell.source for cell in master.cells], None)
        failed = ask(self.tests.channel, ["prepare", core, tested, master.setup(), tests, secret], STARTING)
        if failed:
            raise RuntimeError(f"the setup cells of {master.homework} fail on the tests' side: {failed}")
        self.namespaces = self.namespaces and self._can_fork_namespaces()

    def _new_student(self) -> None:
        self.student.close()
        self.student = Room("worker", self.needs, self.unsafe)
        self._prepare_student()

    def _prepare_student(self) -> None:
        offered, refused = self.needs.may_import, self.needs.may_not_import
        tops, locked = sorted(packages(offered, refused)), [cell.source for cell in self.master.of_kind(LOCKED)]
        own = None if offered is None else list(offered)
        ask(self.student.channel, ["prepare", self.core, own, tops, locked], STARTING)

    def _can_fork_namespaces(self) -> bool:
        session, (ours, theirs) = self.session(), socket.socketpair()
        send(session, ["cell", "0", "warm", 10], theirs)
        answer = Channel(ours, LARGEST_CELL_ANSWER)
        answer.deadline = time.monotonic() + STARTING
        try:
            return bool(answer.receive())
        except (Closed, NotData):
            return False
        finally:
            self.end_session()
            session.close()
            answer.close()

    def session(self) -> Channel:
        """A fresh process for one submission; everything that it starts ends with ``end_session``."""
        if self.used and not self.namespaces and not self.unsafe:
            self._new_student()
        self.used = True
        ask(self.tests.channel, ["reap"], 10)  # the tests of the submission before
        limits, outside = self.limits, 1_000_000_000 + self.student.process.pid if os.geteuid() == 0 else 0
        walls = {"namespaces": self.namespaces, "outside": None if self.unsafe else outside, "disk": limits.disk}
        ours, theirs = socket.socketpair()
        walls |= {"directory": self.student.directory or "/w", "memory": limits.memory, "processes": limits.processes}
        if self.unsafe:
            walls["processes"] = 0  # it would count everything that the instructor has running
        send(self.student.channel, ["session", walls], theirs)
        return Channel(ours, LARGEST_CELL_ANSWER)

    def end_session(self) -> None:
        """Ends the student's process and all its children; if that cannot be done, the whole sandbox."""
        try:
            ask(self.student.channel, ["end", 0], 10)
        except (Closed, NotData):
            self._new_student()

    def close(self) -> None:
        """Ends both processes."""
        self.student.close()
        self.tests.close()

    def __enter__(self) -> "Pair":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def start_rooms(needs: Needs, unsafe_no_sandbox: bool) -> tuple[Room, Room]:
    """The tests' process and the student's, importing what a homework needs."""
    return Room("tester", needs, unsafe_no_sandbox), Room("worker", needs, unsafe_no_sandbox)


def ask(channel: Channel, message: list, seconds: float) -> Any:
    """A request and its answer, which must come within so many seconds."""
    with channel.within(seconds):
        channel.send(message)
        return channel.receive()
