"""Runs the cells of a notebook one by one in a process of its own, and says how each ended; ``check`` starts it.

Reads lines of JSON from standard input, each ``{"id", "source", "test"}``, and answers each with ``{"error", "value"}``. Both
channels are kept apart from what the notebook prints and reads.
"""

import contextlib
import json
import os
from typing import Any, TextIO

from lmkit.student.offered import guard, packages
from lmkit.student.shell import make_shell, place_of, plain

LONGEST = 20_000  # characters of a message


class Shell:
    """The notebook's interpreter."""

    def __init__(self) -> None:
        self.cell = ""
        self.shell = make_shell(lambda: self.cell)

    def run(self, cell: str, source: str, test: bool) -> dict[str, Any]:
        """Runs a cell: its error, None if there is none, and of a test its last expression's value if that is a number.

        Of a test no line is left out for an import that is missing: what it asks for may be just that.
        """
        self.cell, transformers = cell, self.shell.ast_transformers
        try:
            self.shell.ast_transformers = [] if test else transformers
            self.shell.begin()
            ran = self.shell.run_cell(source, store_history=False)
            error, value = ran.error_before_exec or ran.error_in_exec, ran.result
        except BaseException as raised:
            error, value = raised, None
        finally:
            self.shell.ast_transformers = transformers
        number = test and type(value) in (int, float) and abs(value) < 1e9  # what could be points
        return {"error": None if error is None else describe(error), "value": value if number else None}


def describe(error: BaseException) -> dict[str, Any]:
    """An error as data: its kind, its text, and the last line of a notebook's cell that it came from, as [cell id, line]."""
    kind, text = "an error", ""
    with contextlib.suppress(BaseException):  # its class may be odd, or what it says of itself
        kind = plain(type(error).__name__)
    with contextlib.suppress(BaseException):
        text = plain(str(error))
        if isinstance(error, SyntaxError):
            text = plain(error.msg + (f"\n    {error.text.rstrip()}" if error.text else ""))
    text = text if len(text) <= LONGEST else text[:LONGEST] + f" … ({len(text) - LONGEST} characters more)"
    return {"kind": kind, "text": text, "place": place_of(error) or None}


def own_channels() -> tuple[TextIO, TextIO]:
    """Standard input and output for this module alone; whatever else reads or prints finds nothing."""
    asks = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return asks, answers


def main() -> None:
    """The process: the first line says what the homework offers, the others are cells."""
    asks, answers = own_channels()
    may_import, may_not_import = json.loads(asks.readline())
    shell = Shell()
    import random

    import numpy as np

    random.seed(0)  # as in grading
    np.random.seed(0)  # noqa: NPY002  what students' code may draw from
    modules = None if may_import is None else {name for name in may_import if name.startswith("lmkit.")}
    guard(modules, packages(may_import, may_not_import))
    print("{}", file=answers, flush=True)  # ready
    os.dup2(1, 2)  # errors until now were the installation's
    me = os.getpid()
    for line in asks:
        ask = json.loads(line)
        answer = shell.run(ask["id"], ask["source"], ask["test"])
        if os.getpid() != me:  # the cell forked; the copy is not the notebook
            os._exit(0)
        print(json.dumps(answer), file=answers, flush=True)
