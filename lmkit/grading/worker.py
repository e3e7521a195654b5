"""The student's side of the border, inside the sandbox: runs the cells of a notebook and answers calls of its functions.

Nothing here is trusted: the student's code shares this process and can change all of it. What it can gain is to give
other answers. No test, expected value or message of a test ever comes here.
"""

import contextlib
import gc
import io
import os
import re
import resource
import signal
import socket
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from lmkit.grading import codec, namespaces, tags
from lmkit.grading.calls import Calls
from lmkit.grading.channel import LARGEST_REQUEST, Channel
from lmkit.grading.forks import freeze, load, own_channel, reap, serve, stay_on
from lmkit.student.offered import OnlyOffered
from lmkit.student.shell import make_shell, place_of, plain

LONGEST_OUTPUT = 20_000  # characters that a cell may show
LONGEST_TEXT = 2000  # characters of an exception's
PYTHON = f"graded with Python {sys.version_info.major}.{sys.version_info.minor}"
# What newer versions of Python added to the grammar, as it looks in an older one's message and line.
GRAMMAR = {
    (3, 12): r"""[fF][rR]?(["']).*\{[^{}]*\1.*\}|[fF][rR]?["'][^"']*\{[^}"']*$|f-string expression part cannot"""
    r"|\b(def|class)\s+\w+\s*\[|^\s*type\s+\w+[^=]*=",
    (3, 14): r"""exception types must be parenthesized\n(?!.*\bas\b)|(?<![\w'"])([tT][rR]?|[rR][tT])["']""",
    (3, 15): r"unpacking cannot be used in|^\s*lazy\s+(import|from)\b",
}
LARGEST_ARGUMENTS = 1_000_000  # bytes of them
MOST_FIGURES = 4
LARGEST_FIGURE = 1_000_000  # bytes


class OutOfTime(BaseException):
    """The time for a cell or a test is over."""


def _out_of_time(*_: Any) -> None:
    raise OutOfTime


def set_time(seconds: int, longest: int = 0) -> None:
    """From now on: ``OutOfTime`` after so many seconds of computing, and the end of the process three seconds later.

    The end cannot be put off again, by later cells neither: it is that of the ``longest`` time that one of them has. It comes
    as a signal of its own, SIGXCPU, by which the grader knows it; who ignores that one is killed a second later.
    """
    signal.signal(signal.SIGPROF, _out_of_time)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    end = max(seconds, longest) + 3
    hard = end + 1 if most == resource.RLIM_INFINITY else min(end + 1, most)
    resource.setrlimit(resource.RLIMIT_CPU, (min(end, hard), hard))


class Screen(io.TextIOBase):
    """Where a cell prints: keeps the beginning. What is asked of a notebook's screen has an answer."""

    encoding = "UTF-8"

    def __init__(self, longest: int) -> None:
        self.longest, self.length, self.parts, self.full = longest, 0, [], False

    def write(self, text: str) -> int:
        """Keeps the text while there is room."""
        kept = str(text)[: self.longest - self.length]
        self.full |= len(kept) < len(text)
        self.length += len(kept)
        self.parts.append(kept)
        return len(text)

    def writable(self) -> bool:
        """Yes."""
        return True

    def fileno(self) -> int:
        """The process's own output, which leads nowhere: ``faulthandler.enable()`` wants one."""
        return 1

    def text(self) -> str:
        """What was printed."""
        return "".join(self.parts) + (f"\n… (only the first {self.longest} characters are kept)" if self.full else "")


class Student:
    """The notebook's own interpreter: IPython without a kernel."""

    def __init__(self) -> None:
        self.cell = ""
        self.shell = make_shell(lambda: self.cell)
        self.names = self.shell.user_ns

    def run(self, source: str, cell: str, seconds: int, longest: int = 0) -> list:
        """Runs a cell; returns what it showed, the error in words, figures, and how it ended."""
        self.cell = cell
        screen, kind, error = Screen(LONGEST_OUTPUT), "ok", ""
        sys.stdout = sys.stderr = screen
        try:
            set_time(seconds, longest)
            self.shell.begin()
            result = self.shell.run_cell(source, store_history=False)
            raised = result.error_before_exec or result.error_in_exec
        except BaseException as unexpected:
            raised = unexpected
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if raised is not None:
            kind = "time" if type(raised) is OutOfTime else "memory" if type(raised) is MemoryError else "error"
            described = describe(raised)
            error = f"{described[2]}: {described[3]}" if described[3] else described[2]
            error += f" (line {described[4][1]})" if described[4] and described[4][0] == cell else ""
        return [screen.text(), error[:2000], self._figures(), kind]

    def _figures(self) -> list[bytes]:
        pyplot, found = sys.modules.get("matplotlib.pyplot"), []
        try:
            for number in pyplot.get_fignums()[:MOST_FIGURES] if pyplot else ():
                file = io.BytesIO()
                pyplot.figure(number).savefig(file, format="png", dpi=72)
                if file.tell() <= LARGEST_FIGURE:
                    found.append(file.getvalue())
            if pyplot:
                pyplot.close("all")
        except BaseException:  # a figure that cannot be drawn is not shown
            pass
        return found


def describe(error: BaseException) -> list:
    """An exception as data: nearest built-in type, arguments, its own type, text, place in the student's cells.

    What an odd class makes of any of them is not there, or another one; nothing is raised but ``OutOfTime``.
    """
    near, name, text = "RuntimeError", "an error", ""
    with _but_for_time():
        name = plain(type(error).__name__)[:LONGEST_TEXT]
    with _but_for_time():
        kinds = (k for k in type(error).__mro__ if k.__module__ == "builtins" and issubclass(k, Exception))
        near = plain(next(kinds, RuntimeError).__name__)[:LONGEST_TEXT]
    with _but_for_time():
        text = plain(str.__getitem__(str(error), slice(LONGEST_TEXT)))
    arguments = codec.Packer().pack([text])
    with _but_for_time():  # arguments that are none, or an integer of very many digits
        if error.args and set(map(type, error.args)) <= tags.PLAIN:
            given = codec.Packer().pack(list(error.args))
            arguments = given if len(codec.encode(given)) <= LARGEST_ARGUMENTS else arguments
    with _but_for_time():
        text += f" ({PYTHON})" if _may_be_newer(error) else ""
    return [near, arguments, name, text, place_of(error)]


@contextlib.contextmanager
def _but_for_time() -> Iterator[None]:
    """Goes on after whatever is raised, unless the time is over."""
    try:
        yield
    except OutOfTime:
        raise
    except BaseException:
        pass


def _may_be_newer(error: BaseException) -> bool:
    """Whether a newer Python may know what this one does not: its grammar, or a name in its own library."""
    if type(error) is SyntaxError:
        said = f"{error.msg}\n{error.text}"[:600]
        return any(re.search(new, said, re.MULTILINE) for since, new in GRAMMAR.items() if sys.version_info < since)
    module = error.obj.__name__ if type(error) is AttributeError and type(error.obj) is types.ModuleType else ""
    return (error.name if isinstance(error, ImportError) else module) in sys.stdlib_module_names


def rehearse(sources: list[str]) -> None:
    """Runs the homework's own cells once, as far as they go without answers: what libraries keep is kept for everybody."""
    names, screen = {"__name__": "__main__"}, sys.stdout
    sys.stdout = sys.stderr = Screen(0)
    for source in sources:
        try:
            exec(compile(source, "<rehearsal>", "exec"), names)
        except BaseException:  # it needs an answer
            pass
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")
    sys.stdout, sys.stderr = screen, sys.__stderr__


def main() -> None:
    """The process that the sandbox starts: gets ready, then serves."""
    load(sys.argv[1:])
    del sys.argv[1:]  # a notebook has none
    student: list[Student] = []

    def prepare(core: int | None, offered: list[str] | None, tops: list[str], locked: list[str]) -> None:
        stay_on(core)
        if torch := sys.modules.get("torch"):
            torch.set_num_threads(1)
            with contextlib.suppress(RuntimeError):
                torch.ones(1, 1).half().mm(torch.ones(1, 1).half())  # asks /proc for the processor, while there is one
        rehearse(locked)
        student.append(Student())
        student[0].cell = "warm"
        student[0].shell.run_cell("0", store_history=False)  # not run(): its limit would hold for every later cell
        if offered is not None:
            own = {name for name in sys.modules if name.startswith("lmkit.") and name not in offered}
            for name in own:
                sys.modules.pop(name)
                vars(sys.modules["lmkit"]).pop(name.split(".")[1], None)
        sys.meta_path.insert(0, OnlyOffered(offered, tops))
        gc.set_threshold(10_000, 20, 20)  # what cells leave behind is looked through less often than Python would
        freeze()

    def session(files: list[int], limits: dict) -> Channel:
        if limits["namespaces"]:
            drop = namespaces.enter(limits["outside"], limits["disk"])
            child = os.fork()
            if child:  # outside of the student's namespaces: when this process is killed, they end
                os.close(files[0])
                os._exit(min(abs(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])), 255))
            drop()
        else:
            os.chdir(limits["directory"])
            # Without walls it stays in the group of those that end with this process.
            if limits["outside"] is not None:
                os.setsid()
                namespaces.become_ordinary(limits["outside"])
        namespaces.limit(limits["memory"], limits["processes"], limits["disk"])
        import random

        random.seed(0)  # the same notebook gets the same numbers every time it is graded
        np.random.seed(0)  # noqa: NPY002  what students' code may draw from
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(0)
        return _channel(files)

    def define(source: str, name: str, seconds: int, longest: int = 0) -> list:
        me = os.getpid()
        answer = student[0].run(source, name, seconds, longest)
        if os.getpid() != me:  # the cell forked; the copy is not the notebook
            os._exit(0)
        return answer

    def cell(files: list[int], source: str, name: str, seconds: int, longest: int = 0) -> Channel:
        channel = _channel(files)
        channel.send(define(source, name, seconds, longest))
        return channel

    def cells(files: list[int], sources: list[list[str]], seconds: int, longest: int) -> Channel:
        channel = _channel(files)
        for name, source in sources:
            define(source, name, seconds, longest)
        channel.send(True)
        return channel

    def calls(files: list[int], seconds: int) -> None:
        sys.stdout = sys.stderr = Screen(0)
        set_time(seconds)
        Calls(Channel(socket.socket(fileno=files[0]), LARGEST_REQUEST), student[0].names, describe, OutOfTime).serve()

    jobs = {"session": session, "cell": cell, "cells": cells, "calls": calls}
    serve(own_channel(), jobs, {"prepare": prepare, "reap": reap, "define": define})


def _channel(files: list[int]) -> Channel:
    return Channel(socket.socket(fileno=files[0]), LARGEST_REQUEST)


if __name__ == "__main__":
    main()
