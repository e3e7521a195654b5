"""A process that forks: one for the student's code, one for the tests, both made once and used for many submissions.

Such a process takes one request at a time from its channel. Most requests are jobs: it forks, the child does the job, the
process itself stays what it was, ready for the next one. So a job can crash, hang or spoil its memory as it likes. A job
may return a channel of its own; its process then takes requests from there: that is how the state after every cell of a
notebook stays at hand, and how a test starts from the state after exactly the cells above it.
"""

import contextlib
import gc
import importlib
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from lmkit.grading.channel import LARGEST_REQUEST, Channel, Closed
from lmkit.grading.codec import NotData

Job = Callable[..., Channel | None]
NOT_FORKED = -1000  # how a job ended for which the system gave no process


def serve(channel: Channel, jobs: dict[str, Job], here: dict[str, Callable[..., Any]]) -> NoReturn:
    """Takes requests until the channel closes, then ends the process.

    ``["end", s]`` ends the last job, which may take ``s`` seconds to end by itself, and answers how it ended: 0, an exit
    status, minus a signal's number, or ``NOT_FORKED``.

    Args:
        channel: where requests come from.
        jobs: what a child does; called with the files that came with the request and its arguments.
        here: what this process does itself; the result is the answer.
    """
    running = 0
    while True:
        try:
            (what, *arguments), files = channel.receive_with_files()
            if what == "end":
                channel.send(_end(running, *arguments))
                running = 0
            elif what in here:
                channel.send(here[what](*arguments))
            else:
                running = _fork(jobs[what], channel, files, arguments)
                if running == 0:
                    channel, files = _child_channel, []
            for file in files:
                os.close(file)
        except (Closed, NotData):
            os._exit(0)
        except BaseException:
            traceback.print_exc(file=sys.__stderr__)  # to nowhere, unless somebody debugs the grader
            os._exit(70)


_child_channel: Channel  # the channel that a job returned, in the child


def _fork(job: Job, channel: Channel, files: list[int], arguments: list) -> int:
    global _child_channel
    state = random.getstate()  # Python gives a forked process new random numbers; a notebook that set a seed keeps it
    try:
        child = os.fork()
    except OSError:  # no more processes are allowed; whoever waits for the job sees its files close
        return -1
    if child:
        return child
    try:
        random.setstate(state)
        channel.close()
        found = job(files, *arguments)
        if found is None:
            os._exit(0)
        _child_channel = found
        return 0
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
        os._exit(70)


def _end(child: int, seconds: float) -> int:
    if child <= 0:
        return NOT_FORKED if child < 0 else 0
    patience = time.monotonic() + seconds
    while True:
        try:
            found, status = os.waitpid(child, os.WNOHANG)
        except ChildProcessError:  # the student's code has waited for it
            return 0
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() >= patience:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -signal.SIGKILL
        time.sleep(0.002)


def reap() -> bool:
    """Forgets the children that have ended, as process 1 of a namespace must: each counts as a process until then."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:  # there is none
        pass
    return True


def load(names: Iterable[str]) -> None:
    """Imports modules, so that nobody has to wait for them later."""
    for name in names:
        # A name in a module, not there, or broken: the cell that imports it is told.
        with contextlib.suppress(BaseException):
            importlib.import_module(name)


def stay_on(core: int | None) -> None:
    """Stays on one processor: the two sides take turns, and are fastest on the same one."""
    if core is not None and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {core})


def leave(core: int | None) -> None:
    """Goes to any other processor that the process may be on by whoever forked it; stays, if there is none."""
    if core is not None and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, os.sched_getaffinity(os.getppid()) - {core})


def freeze() -> None:
    """Takes everything that exists out of the garbage collector's sight, so that forks go on sharing it."""
    gc.collect()
    gc.freeze()


def own_channel() -> Channel:
    """The channel that whoever started this process gave it: its standard input."""
    import socket

    end = socket.socket(fileno=os.dup(0))
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.close(null)
    return Channel(end, LARGEST_REQUEST)
