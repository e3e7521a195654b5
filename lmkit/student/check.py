"""``lmkit check``: runs the tests that a student can see in a fresh process and says what became of each.

As in grading, tests and locked cells are the released ones, whatever the notebook has in their places, and answers may import
what the homework offers. Other than in grading, the tests' hidden parts are not there, and nothing is walled in.
"""

import builtins
import json
import os
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lmkit.student.bindings import added, defined, functions, imported, loaded
from lmkit.student.newer import remarks_on
from lmkit.student.notebooks import Cell, Released, homework_of, read, released
from lmkit.student.shell import defines_nothing

STARTING = 120  # seconds that a process may take to start
MOST_PICTURES = 3  # of a cell, that are named
AFTER_A_TIMEOUT = 3  # once something has run out of time, each further cell gets this part of it
PASSED, FAILED, NOT_REACHED, TO_DO, PART = "passed", "failed", "not reached", "to do", "in part"
START = "from lmkit.student.runner import main; main()"


@dataclass(frozen=True)
class TestResult:
    """How the visible part of one test ended.

    Attributes:
        name: the test's id.
        title: the heading that it stands under.
        points: what it can give.
        state: ``passed``, ``in part``, ``failed``, ``not reached`` (the answer's own cell did not run to its end) or ``to do``.
        message: what the test says, whole; empty if it passed.
        line: the line of the answer's cell in which an error arose; 0 if none did.
        place: of its cell in the notebook, from 1.
    """

    name: str
    title: str
    points: float
    state: str
    message: str = ""
    line: int = 0
    place: int = 0
    __test__ = False  # pytest: this is no class of tests


@dataclass(frozen=True)
class Written:
    """An answer in words, which a human reads: its id, heading, points, and how many words stand there, its cell's place."""

    name: str
    title: str
    points: float
    words: int
    place: int


@dataclass
class Report:
    """What ``check`` found: the results in the notebook's order, and remarks about its cells."""

    notebook: str
    homework: str
    tests: list[TestResult] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether every visible test passed."""
        return all(test.state == PASSED for test in self.tests)


class Ended(Exception):
    """The process came to an end in a cell; the text says how."""


class Process:
    """The process that runs the notebook's cells, in the notebook's folder."""

    def __init__(self, homework: Released, folder: Path) -> None:
        surroundings = os.environ | {"MPLBACKEND": "Agg", "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"}
        surroundings.pop("JPY_SESSION_NAME", None)  # of the notebook that this was started from
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-W", "ignore", "-c", START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=surroundings,
            encoding="utf-8",
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self._ask([homework.may_import, homework.may_not_import], STARTING)
        except Ended:
            said = self.process.stderr.read().strip().splitlines() if self.process.poll() is not None else []
            raise ValueError(
                f"Python could not start ({said[-1] if said else 'no answer'}): `pip install -r requirements.txt` installs "
                "what the homework needs"
            ) from None

    def _listen(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def _ask(self, message: Any, seconds: float) -> dict[str, Any]:
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            self.close()
            raise Ended(
                f"did not finish within {round(seconds, 1):g} seconds: is there a loop without an end? "
                "(`--seconds 300` waits longer; the grader gives a cell a minute, a test half a minute)"
            ) from None
        except OSError:
            line = ""
        if not line:
            self.close()
            raise Ended("ended the process: does it call exit, recurse without an end, or need too much memory?")
        return json.loads(line)

    def run(self, cell: str, source: str, seconds: float, test: bool = False) -> dict[str, Any]:
        """Runs a cell; raises ``Ended`` if the process does not survive it."""
        return self._ask({"id": cell, "source": source, "test": test}, seconds)

    def close(self) -> None:
        """Ends it."""
        self.process.kill()
        self.process.wait()


class Notebook:
    """The student's notebook while it is checked: a process that has run the cells so far."""

    def __init__(self, homework: Released, folder: Path, seconds: float) -> None:
        self.homework, self.folder, self.seconds = homework, folder, seconds
        self.ran: list[tuple[str, str]] = []  # what to run again if the process ends
        self.process: Process | None = None

    def run(self, cell: str, source: str, test: bool = False) -> dict[str, Any]:
        """Runs a cell; if it ends the process, a new one is made in which it never ran."""
        if self.process is None:
            self.process = Process(self.homework, self.folder)
            for one in self.ran:
                self.process.run(*one, self.seconds * AFTER_A_TIMEOUT)
        try:
            answer = self.process.run(cell, source, self.seconds, test)
        except Ended as ended:
            self.process = None
            if "seconds" in str(ended):
                self.seconds = max(1.0, self.seconds / AFTER_A_TIMEOUT)
            return {"ended": str(ended)}
        if not test:
            self.ran.append((cell, source))
        return answer

    def close(self) -> None:
        """Ends the process."""
        if self.process is not None:
            self.process.close()


def check(
    path: Path,
    seconds: float = 60,
    told: Callable[[str], None] = lambda words: None,
    known: dict[str, Released] | None = None,
) -> Report:
    """Runs the visible tests of a homework on a student's notebook.

    Args:
        path: the notebook.
        seconds: wall clock for each of its cells and for each test.
        told: is called with the name of every cell that is about to run.
        known: the released homeworks, by name; by default those of the kit or of this repository.

    Raises:
        ValueError: if the file cannot be checked at all; the text is a sentence for the student.
    """
    cells, _ = read(path)
    homework = homework_of(cells, released() if known is None else known, path)
    cells, remarks = arrange(cells, homework)
    report = Report(str(path), homework.homework, remarks=remarks)
    given = {cell.name: cell.source.strip() for cell in homework.cells}
    failed: dict[str, str] = {}  # answers whose own cell did not run to its end, and why
    wrong: dict[str, str] = {}  # functions whose own test has failed, and the heading that they stand under
    remarks += _bound_anew(cells) + remarks_on(cells)
    for number, cell in enumerate(cells, start=1):
        where = cell.name or f"a cell of your own (number {number})"
        remarks += [
            f"{where}: whoever reads it will not see the picture {why}" for why in cell.not_shown[:MOST_PICTURES]
        ]
    notebook, last = Notebook(homework, path.resolve().parent, seconds), Cell("", "answer", "", True)
    try:
        for number, cell in enumerate(cells, start=1):
            if cell.kind == "written":
                words = 0 if cell.source.strip() == given[cell.name] else len(cell.source.split())
                report.written.append(Written(cell.name, homework.titles[cell.name], cell.points, words, number))
            if not cell.code or not cell.source.strip():
                continue
            name = cell.name or f"cell {number}"
            told(name)
            answer = notebook.run(name, cell.source, cell.kind == "test")
            said = _said(answer)
            if cell.kind == "test":
                about = next((c for c in cells if c.name and f"test_{c.name}" == cell.name), last)
                magic = defines_nothing(about.source)
                if magic and _missing(answer) in defined(given.get(about.name, "")):
                    failed[about.name] = f"its cell begins with {magic}, which defines nothing; take that line away"
                state = _state(answer, failed.get(about.name, ""), about.source.strip() == given.get(about.name))
                message = failed[about.name] if state == NOT_REACHED else "" if state in (PASSED, TO_DO) else said
                place = (answer.get("error") or {}).get("place") or ["", 0]
                line = place[1] if place[0] == about.name else 0
                if state == PART:
                    message = f"{answer['value']:g} of {cell.points:g} points"
                if state == FAILED:
                    used = sorted(wrong.keys() & loaded(about.source) - defined(about.source))
                    message += "".join(f"\n(First see {wrong[f]}: yours uses {f}, which failed there.)" for f in used)
                    wrong |= dict.fromkeys(functions(about.source) - wrong.keys(), homework.titles[cell.name])
                report.tests.append(
                    TestResult(cell.name, homework.titles[cell.name], cell.points, state, message, line, number)
                )
            elif cell.kind == "answer":
                last = cell
                if said:
                    failed[cell.name] = f"its cell did not run to its end: {said}"
            elif said:
                whose = f"the given cell {name}" if cell.kind == "given" else f"a cell of your own (number {number})"
                remarks.append(f"{whose} did not run to its end: {said}")
    finally:
        notebook.close()
    return report


def _bound_anew(cells: list[Cell]) -> list[str]:
    """Remarks about names that tests or given cells below count on, and that a cell of the student's binds to something else."""
    remarks: list[str] = []
    given = set().union(*(defined(cell.source) for cell in cells if cell.kind == "given"))
    below: set[str] = set()  # what tests and given cells below read
    for number, cell in reversed(list(enumerate(cells, start=1))):
        if cell.code and cell.kind in ("test", "given"):
            below |= loaded(cell.source)
        elif cell.code and cell.kind in ("answer", "own"):
            whose = cell.name or f"a cell of your own (number {number})"
            for name in sorted((defined(cell.source) - imported(cell.source)) & below & (given | set(dir(builtins)))):
                of = "the given cells" if name in given else "Python itself"
                remarks.insert(
                    0, f"{whose} binds {name}, a name of {of}: tests may count on theirs; choose another name"
                )
    return remarks


def _said(answer: dict[str, Any]) -> str:
    """What went wrong in a cell, in words; empty if nothing did."""
    if "ended" in answer:
        return answer["ended"]
    error = answer["error"]
    if error is None:
        return ""
    if error["kind"] == "AssertionError":
        return error["text"] or "a check without a message failed"
    said = f"{error['kind']}: {error['text']}" if error["text"] else error["kind"]
    return said + (f" (line {error['place'][1]} of {error['place'][0]})" if error["place"] else "")


def _missing(answer: dict[str, Any]) -> str:
    """The name that a test did not find; empty if it ended otherwise."""
    error = answer.get("error") or {"kind": "", "text": ""}
    found = re.fullmatch(r"name '(\w+)' is not defined", error["text"]) if error["kind"] == "NameError" else None
    return found[1] if found else ""


def _state(answer: dict[str, Any], failed: str, untouched: bool) -> str:
    error = answer.get("error")
    if "ended" not in answer and error is None:
        part = answer["value"]
        return PASSED if part is None else PART
    kind = error["kind"] if error else ""
    if untouched or kind == "NotImplementedError":
        return TO_DO
    return NOT_REACHED if failed and kind != "AssertionError" else FAILED


def arrange(cells: list[Cell], homework: Released) -> tuple[list[Cell], list[str]]:
    """The cells that are run, as the grader would have them, and remarks about what was changed, copied or lost.

    Tests and given cells are the released ones; what is missing is put back as it was released. Of several copies of an answer
    the last that was filled in counts.
    """
    known = {cell.name or cell.id: cell for cell in homework.cells}
    place = {name: i for i, name in enumerate(known)}
    names, remarks = _names(cells, known)
    chosen: dict[str, int] = {}
    for i, name in enumerate(names):
        if name:
            filled = known[name].kind in ("answer", "written") and cells[i].source.strip() != known[name].source.strip()
            chosen[name] = i if filled else chosen.get(name, i)
    # Each with its place: that of the released cell that it is, or half a place behind the one that it follows.
    found = [(place[cell.id], cell) for cell in homework.cells if cell.kind == "own" and cell.code]
    taken = set().union(*(defined(c.source) for c in homework.cells if c.kind == "given" and c.code))
    behind = -1
    for i, (cell, name) in enumerate(zip(cells, names, strict=True)):
        mine, own = known.get(name), replace(cell, name="", kind="own")
        counts, differs = bool(name) and chosen[name] == i, not mine or cell.source.strip() != mine.source.strip()
        behind = place[name] if counts else behind
        if mine is None or mine.kind == "own":
            found += [(behind + 0.5, own)] * differs
        elif mine.kind in ("answer", "written"):
            if counts:
                found.append((behind, replace(mine, source=cell.source, not_shown=cell.not_shown)))
            elif differs:  # an empty copy would undo the answer
                found.append((place[name] - 0.5, own))
            if mine.kind == "answer" and not counts:
                remarks.append(f"{name} stands in the notebook more than once; the last one that is filled in counts")
        else:
            more = added(mine.source, cell.source, mine.kind == "test", taken) if mine.code and cell.code else []
            # Where a test was the answer runs before it; where something is given what was added may need it.
            at = behind - 0.5 if counts and mine.kind == "test" else behind + 0.5
            found += [(at, replace(own, source=one)) for one in more]
            if counts:
                found.append((behind, mine))
                if cell.source.rstrip() != mine.source.rstrip():
                    what = "the test" if mine.kind == "test" else "the given cell"
                    remarks.append(f"{what} {name} is not as it was released; the released one was run, as in grading")
        if cell.code and (not name or (mine.kind == "answer" and differs)):
            taken |= defined(cell.source)
    theirs = set().union(*(functions(cell.source) for _, cell in found if cell.kind in ("own", "answer") and cell.code))
    for name in (name for name in known if name not in chosen and known[name].kind != "own"):
        asked = functions(known[name].source) if known[name].kind == "answer" else set()
        answered = bool(asked) and asked <= theirs  # two answers in one cell: the stub would undo the second
        found.append((place[name], replace(known[name], source="") if answered else known[name]))
        remarks.append(
            f"{name} is missing; {'another cell answers it' if answered else 'it was put back as it was released'}"
        )
    return [cell for _, cell in sorted(found, key=lambda one: one[0])], remarks


def _names(cells: list[Cell], known: dict[str, Cell]) -> tuple[list[str], list[str]]:
    """Which released cell each of the student's is, "" for their own; and remarks about answers that have lost their names."""
    by_id = {cell.id: name for name, cell in known.items() if cell.id}
    named = [cell.name if cell.name in known else by_id.get(cell.id, "") for cell in cells]
    names = [name if name and known[name].code == c.code else "" for name, c in zip(named, cells, strict=True)]
    remarks, above = [], ["", *(cell.source.strip() for cell in known.values())]
    for place, (name, mine) in enumerate(known.items()):
        if mine.kind not in ("answer", "written") or name in names:
            continue
        asked = functions(mine.source) if mine.code else set()
        for i, cell in enumerate(cells):
            answers = asked and cell.code and asked <= functions(cell.source)
            follows = not asked and i > 0 and above[place] and cells[i - 1].source.strip() == above[place]
            if not names[i] and (answers or follows):
                names[i] = name
                remarks.append(f"{name} was found in a cell that has lost its name; the grader finds it, too")
                break
    absent = {*named} - {*names, ""}  # an old attempt turned into text counts only where nothing else is there
    return [name if name in absent else one for name, one in zip(named, names, strict=True)], remarks
