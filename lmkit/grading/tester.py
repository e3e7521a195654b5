"""Runs one test cell on the trusted side, as the instructor wrote it, and says in a sentence how it ended.

The process that does it holds the tests, the course secret and nothing else; it is forked for every test, has limits of
its own, and no more access to the machine than the student's.
"""

import ast
import contextlib
import functools
import gc
import hashlib
import hmac
import importlib
import math
import os
import re
import signal
import socket
import sys
import traceback
from types import CodeType
from typing import Any

from lmkit.grading import namespaces
from lmkit.grading.arrays import NotData
from lmkit.grading.channel import LARGEST_ANSWER, LARGEST_REQUEST, Channel
from lmkit.grading.forks import freeze, leave, load, own_channel, reap, serve, stay_on
from lmkit.grading.outcome import Kind, clean_text
from lmkit.grading.proxies import Border, Gone, Remote

LONGEST_VISIBLE = 1500  # characters of a message
LONGEST_HIDDEN = 400
LONGEST_VALUES = 60  # characters of a hidden test's message that are not the author's own words, all together
LONGEST_TEXTS = 24  # of them in texts that the student's code gave back
MEMORY = 6 << 30
TEST, SETUP = "<test>", "<setup>"


def hidden_lines(source: str) -> set[int]:
    """The lines between the marks of hidden tests, from 1."""
    hidden, inside = set(), False
    for number, line in enumerate(source.splitlines(), start=1):
        if "BEGIN HIDDEN TESTS" in line:
            inside = True
        if inside:
            hidden.add(number)
        if "END HIDDEN TESTS" in line:
            inside = False
    return hidden


def run(source: str, names: dict, border: Border, points: float) -> list:
    """Runs the test; returns its kind, points, sentence, and the place of the student's error.

    The value of a last expression is partial credit, as in nbgrader; without one a test that ends has all points.
    """
    try:
        code, last = _compiled(source)
        exec(code, names)
        score = None if last is None else eval(last, names)
        if border.gone is not None:  # a test that catches everything does not pass for that
            raise border.gone
        return _scored(score, points)
    except BaseException as error:
        return _explained(error, source, border)


@functools.cache
def _compiled(source: str) -> tuple[CodeType, CodeType | None]:
    """A test and its last expression; compiled once for all submissions."""
    tree = ast.parse(source, TEST)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    return compile(tree, TEST, "exec"), last and compile(ast.Expression(last.value), TEST, "eval")


def _scored(score: Any, points: float) -> list:
    if score is None:
        return [Kind.GRADED, points, "", []]
    try:
        earned = math.nan if isinstance(score, bool | str | bytes | Remote) else float(score)
    except Exception:
        earned = math.nan
    if not 0 <= earned <= points:
        return [Kind.GRADED, 0.0, f"the test gave no number from 0 to {points:g} as its score", []]
    return [Kind.GRADED, earned, "" if earned == points else f"{earned:g} of {points:g} points", []]


def _explained(error: BaseException, source: str, border: Border) -> list:
    lines = [f.lineno or 0 for f in traceback.extract_tb(error.__traceback__) if f.filename == TEST]
    hidden = bool(hidden_lines(source) & set(lines))
    if border.gone is not None:
        return [border.gone.kind, 0.0, border.gone.sentence, []]
    if isinstance(error, Gone):  # the alarm
        return [error.kind, 0.0, f"{border.doing} {error.sentence}", []]
    if isinstance(error, NameError) and error.name in border.missing:  # the grader knows why it does not exist
        return [Kind.GRADED, 0.0, f"there is no `{error.name}`", [error.name]]
    kind, place = Kind.OUT_OF_MEMORY if isinstance(error, MemoryError) else Kind.GRADED, []
    if border.raised is not None and error is border.raised[0]:
        _, name, text, place = border.raised
        said = f"{border.doing} raised {name}" + ("" if hidden or not text else f": {text}")
        sentence = said + (" in a hidden test" if hidden else "")
    elif isinstance(error, AssertionError):
        sentence = _message(error)
        if hidden:
            sentence = _without(sentence, border, source)[:LONGEST_HIDDEN] or "a hidden check failed"
        elif not sentence:
            sentence = f"this check failed: {source.splitlines()[lines[-1] - 1].strip()}" if lines else "a check failed"
    elif hidden:  # the text could show what is hidden: the key that was looked up, for example
        sentence = f"a hidden test cannot use what {border.doing} gave: {type(error).__name__}"
    else:
        sentence = f"the test cannot use what {border.doing} gave: {type(error).__name__}: {_message(error)}"
    return [kind, 0.0, clean_text(sentence, LONGEST_VISIBLE), place]


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _without(sentence: str, border: Border, source: str) -> str:
    """The message of a hidden test with little of what the student's code gave back: that could be its inputs.

    Numbers, lists and tables can be written in many ways; so it is what the author did not write that is counted.
    """

    def texts(packed: Any) -> set[str]:
        if type(packed) is str:
            return {packed}
        parts = packed if type(packed) is list else [*packed, *packed.values()] if type(packed) is dict else ()
        return {text for part in parts for text in texts(part)}

    answers = {text for answer in border.answers for text in texts(answer) if len(text) > 1}
    own = _own_words(source, answers)
    said = "\0".join(own)
    given = [text for text in answers if text not in said and (text in sentence or repr(text)[1:-1] in sentence)]
    given.sort(key=len, reverse=True)
    longest = 12 if sum(map(len, given)) <= LONGEST_TEXTS else 1
    for text in given:
        if len(text) > longest:
            sentence = sentence.replace(text, "…").replace(repr(text)[1:-1], "…")
    parts = re.split(f"({'|'.join(map(re.escape, own)) or '(?!)'})", re.sub(r"\d{25,}", "…", sentence))
    left = LONGEST_VALUES
    for i in range(0, len(parts), 2):  # between the author's words
        length = len(parts[i])
        parts[i] = parts[i] if length <= left else f"{parts[i][:left]}…"
        left = max(left - length, 0)
    return "".join(parts)


def _own_words(source: str, answers: set[str]) -> list[str]:
    """The texts of a test that are its author's words, the longest first.

    They stand in a message or in lines that students see; of the others, those that no answer has anything of.
    """
    tree, hidden = ast.parse(source), hidden_lines(source)
    speaking = [node.msg for node in ast.walk(tree) if isinstance(node, ast.Assert) and node.msg]
    speaking += [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    spoken = {node for top in speaking for node in ast.walk(top)}
    texts = {node for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is str}
    own = {
        node.value
        for node in texts
        if node in spoken
        or node.lineno not in hidden
        or not any(node.value in text or (len(text) > 3 and text in node.value) for text in answers)
    }
    return sorted((text for text in own if len(text) > 3), key=len, reverse=True)


def _too_late(*_: Any) -> None:
    # By the clock: a loop that computes runs out of computing time before, unless the machine has much else to do.
    waits = "does it wait for something, or is there a loop without an end?"
    pools = "A thread or pool that an earlier cell started is gone where a test begins"
    raise Gone(Kind.TIMED_OUT, f"did not finish in time: {waits} {pools}")


def main() -> None:
    """The process that the grader starts: gets ready for one homework, then serves."""
    namespaces.limit(MEMORY, 0, 64 << 20)
    load(sys.argv[1:])
    ground: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
    students: int | None = None

    def prepare(core: int | None, modules: list[str], setup: list[str], tests: list[str], secret: str) -> str:
        nonlocal students
        students = core
        homework = importlib.import_module("lmkit.homework")
        homework.secret = secret
        try:
            load(modules)
            for source in setup:
                exec(compile(source, SETUP, "exec"), ground)
        except (Exception, SystemExit) as error:
            return f"{type(error).__name__}: {error}"[:500]
        for source in tests:
            with contextlib.suppress(SyntaxError, ValueError):  # whoever runs it is told
                _compiled(source)
        freeze()
        return ""

    def test(files: list[int], source: str, wanted: list[str], points: float, seconds: float, answers: str) -> None:
        homework = sys.modules["lmkit.homework"]
        homework.secret = hmac.new(homework.secret.encode(), answers.encode(), hashlib.sha256).hexdigest()
        sys.stdout = sys.stderr = open(os.devnull, "w")
        gc.disable()  # the process lives for one test
        border = Border(Channel(socket.socket(fileno=files[0]), LARGEST_ANSWER))
        results = Channel(socket.socket(fileno=files[1]), LARGEST_REQUEST)
        signal.signal(signal.SIGALRM, _too_late)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        names = dict(ground)
        stay_on(students)  # only now: the two forks before it can go on at the same time
        try:
            for name in wanted:
                _fetch(border, name, names)
            result = run(source, names, border, points)
        except Gone as gone:
            result = [gone.kind, 0.0, gone.sentence, []]
        signal.setitimer(signal.ITIMER_REAL, 0)
        leave(students)  # the next test begins there while this process ends
        results.send([str(result[0]), *result[1:]])

    serve(own_channel(), {"test": test}, {"prepare": prepare, "reap": reap})


def _fetch(border: Border, name: str, names: dict) -> None:
    """Puts what the student's notebook knows under a name into the test's names; nothing, if it knows nothing."""
    names.pop(name, None)
    try:
        value = border.ask("value", name)
    except NameError:
        border.missing.add(name)
        return
    except (NotData, ValueError) as error:
        raise Gone(Kind.GRADED, f"`{name}` is nothing that a test can use: {clean_text(str(error), 200)}") from None
    except ImportError as error:  # the cell was run without it
        missing = f"`{name}` needs what is not there when yours is graded: {clean_text(str(error), 200)}"
        raise Gone(Kind.GRADED, missing) from None
    if isinstance(value, Remote):
        border.names[object.__getattribute__(value, "_there")[0]] = name
    names[name] = value


if __name__ == "__main__":
    main()
