"""One submission while it is graded: its cells in one sandboxed process, and the tests against forks of it.

All cells of the student's run first; what they show is collected before any test asks anything, so that no output can
carry a test's inputs. Every test then starts from a fork of the state after the cells above it.

A fork for each cell would take longer than most cells. So cells that only define something share one. For tests between
them another fork of the process before them runs the same cells again, each when the first test below it is due; what that
shows is thrown away, for it comes after tests. Where the second time is not like the first, no cells may share a process.
"""

import contextlib
import hashlib
import signal
import socket
import time
from dataclasses import dataclass
from typing import NamedTuple

from lmkit.grading.arrays import NotData, typed
from lmkit.grading.channel import Channel, Closed, Late
from lmkit.grading.definitions import Definitions
from lmkit.grading.forks import NOT_FORKED
from lmkit.grading.master import LOCKED, TEST, MasterCell
from lmkit.grading.outcome import NOT_STARTED, CellRun, Kind, clean_text
from lmkit.grading.pair import LARGEST_CELL_ANSWER, Pair, ask
from lmkit.grading.pictures import clean_png
from lmkit.grading.sandbox import send

PATIENCE = 4  # wall clock of a cell or test, in its computing times: other work may share the machine
# All cells that a second chance runs again have the time of so many, and each its own; none has run out of that before.
TOGETHER = 2
LESS = 3  # a submission with two tests that had to be stopped gets this part of the time for the next one, and so on
MOST_PICTURES = 8_000_000  # characters of base64 that the figures of one notebook may have together
MOST_TEXT = 1_000_000  # characters that its cells may print together
WAITING = 10  # seconds of wall clock for the definitions above a test, which have run before in no time
SHOWN_ONLY = 3  # a locked cell that only shows something gets this part of a cell's time
_KINDS = {"ok": Kind.GRADED, "error": Kind.GRADED, "time": Kind.TIMED_OUT, "memory": Kind.OUT_OF_MEMORY}


class NotAgain(Exception):
    """Definitions that shared a process did not end as before when they ran again; its argument is the submission."""


class Definition(NamedTuple):
    """A cell that ran in a process with others."""

    cell_id: str
    source: str
    failed: bool  # it ended with an error


@dataclass(frozen=True)
class Start:
    """Where a test starts from.

    Attributes:
        base: a process.
        cells: what a fork of it has to run, to be in the state after the cells above the test.
    """

    base: Channel
    cells: list[Definition]


class Submission:
    """One submission while it is graded: its cells in order, and the process after each of them.

    Args:
        pair: the two processes.
        cells: cell id, kind, the master's cell and source, as ``grader.in_order`` gives them.
        deadline: when its time is over, by ``time.monotonic``.
        shared: whether cells that only define something may share a process; then ``run_cells`` and ``test`` may raise
            ``NotAgain``.
    """

    def __init__(
        self, pair: Pair, cells: list[tuple[str, str, MasterCell | None, str]], deadline: float, shared: bool = True
    ) -> None:
        self.pair, self.cells, self.deadline, self.shared = pair, cells, deadline, shared
        self.drawn_by = hash_of_answers(cells)
        self.known = Definitions()
        self.runs: dict[str, CellRun] = {}
        self.died: dict[str, tuple[Kind, str]] = {}
        self.after: dict[str, Start] = {}  # by a test's name
        self.last = self.base = pair.session()
        self.defined: list[Definition] = []  # what ``last`` has run since it was forked from ``base``
        self.groups: dict[Channel, tuple[Channel, list[Definition]]] = {}  # by base: who ran them, and all of them
        self.again: tuple[Channel, Channel, list[Definition]] | None = None  # base, who ran some again, and these
        self.open = [self.last]  # a process whose channel closes ends, and the ones forked from it with it
        self.idle: list[Channel] = []  # processes from which no test starts, the oldest first
        self.stopped = 0  # tests that had to be stopped
        self.tested = False  # whether a test has begun: all cells have run before
        self.pictures_left, self.text_left = MOST_PICTURES, MOST_TEXT

    def run_cells(self) -> None:
        """Runs the student's cells; a cell that ends its process costs that cell, and nothing before it."""
        setup = self.pair.master.setup()
        for cell_id, kind, master, source in self.cells:
            if kind == TEST:
                self.after[master.name] = Start(self.base, list(self.defined))
            elif not (self.shared and self.known.only(source) and self._define(cell_id, source)):
                self.run_cell(cell_id, source, SHOWN_ONLY if kind == LOCKED and source not in setup else 1)

    def _define(self, cell_id: str, source: str) -> bool:
        """Runs a cell that only defines something, with others of its kind; False if ``run_cell`` must deal with it."""
        if not source.strip():
            return False
        base, seconds = self.base, self.pair.limits.cell_seconds
        if not self.defined:
            if self.run_cell(cell_id, source):
                self.base, self.defined = base, [Definition(cell_id, source, bool(self.runs[cell_id].error))]
                self.groups[base] = self.last, self.defined
            return True
        try:
            wait = min(PATIENCE * seconds, self.deadline - time.monotonic())
            if self._keep(cell_id, ask(self.last, ["define", source, cell_id, seconds], wait)) is not Kind.GRADED:
                raise ValueError("it has no end")
        except (Closed, NotData, ValueError, TypeError, LookupError):
            # What an earlier cell left behind, a hook of IPython perhaps, does not let it end.
            return self._unlike_before()
        self.defined.append(Definition(cell_id, source, bool(self.runs[cell_id].error)))
        return True

    def _unlike_before(self) -> bool:
        """Raises ``NotAgain``, unless the submission's time is over; then False."""
        if time.monotonic() < self.deadline:
            raise NotAgain(self)
        return False

    def _fork(self, base: Channel, request: list, seconds: float) -> Channel:
        """A fork of a process that does what is asked; its answer must come within so much wall clock."""
        ours, theirs = socket.socketpair()
        fork = Channel(ours, LARGEST_CELL_ANSWER)
        send(base, request, theirs)
        fork.deadline = min(time.monotonic() + seconds, self.deadline)
        return fork

    def run_cell(self, cell_id: str, source: str, part: int = 1) -> bool:
        """Runs one cell in a fork, which then is the notebook's process; False if it died or ran out of time."""
        if not source.strip():
            return True
        if time.monotonic() > self.deadline:
            self.died[cell_id] = (Kind.TIMED_OUT, "was not run: the time for the whole submission was over")
            return False
        seconds = max(1, self.pair.limits.cell_seconds // part)
        request = ["cell", source, cell_id, seconds, self.pair.limits.cell_seconds]
        next_one = self._fork(self.last, request, PATIENCE * seconds)
        try:
            kind = self._keep(cell_id, next_one.receive())
            self._let_go(self.last)
            self.last = self.base = next_one
            self.defined = []
            self.open.append(next_one)
        except Late:
            kind = Kind.TIMED_OUT
        except (Closed, NotData, ValueError, TypeError, LookupError):
            kind = Kind.CRASHED
        ended = 0
        if self.last is not next_one:
            next_one.close()
            ended = self._end(1)
            if ended == -signal.SIGXCPU:
                kind = Kind.TIMED_OUT
        if kind is not Kind.GRADED:
            said = {
                Kind.TIMED_OUT: f"did not finish within {seconds} seconds and was stopped: is there a loop without an end?",
                Kind.OUT_OF_MEMORY: f"needed more than {self.pair.limits.memory >> 20} MB of memory",
            }.get(kind, "ended the process: does it call exit, or recurse without an end?")
            said = NOT_STARTED if ended == NOT_FORKED else said
            self.died[cell_id] = (kind, said)
            before = self.runs.get(cell_id, CellRun())
            self.runs[cell_id] = CellRun(before.text, f"this cell {said}", before.images)
        return kind is Kind.GRADED

    def _keep(self, cell_id: str, answer: object) -> Kind:
        """Notes what a cell showed; returns how it ended."""
        text, error, images, kind = typed(answer, list)
        kind = _KINDS[kind]
        pictures = [png for image in typed(images, list)[:4] if (png := clean_png(typed(image, bytes)))]
        shown = clean_text(typed(text, str), 22_000), clean_text(typed(error, str))
        self.runs[cell_id] = self._fitting(*shown, pictures)
        return kind

    def _fitting(self, text: str, error: str, pictures: list[str]) -> CellRun:
        """What a cell showed, as far as the notebook has room for it: all that is kept goes through one process."""
        if len(text) > self.text_left:
            text = f"{text[: self.text_left]}\n… (the rest is left out: this notebook prints more than can be kept)\n"
        error = error[: max(self.text_left, 200)]
        self.text_left = max(self.text_left - len(text) - len(error), 0)
        kept = []
        for picture in pictures:
            if len(picture) <= self.pictures_left:
                self.pictures_left -= len(picture)
                kept.append(picture)
        if len(kept) < len(pictures):
            most = f"{MOST_PICTURES / 10**6:g} MB"
            text += f"\n(figures are left out here: those of this notebook are larger than {most} together)\n"
        return CellRun(text, error, tuple(kept))

    def _let_go(self, base: Channel) -> None:
        """Ends the oldest processes that nothing starts from any more, so that a long notebook has room for its cells.

        The last ones stay, half of what there may be: what a cell started in its process goes on for the cells below.
        """
        if base is not self.open[0] and base not in self.idle:
            self.idle.append(base)
        bases = {start.base for start in self.after.values()}
        needed = {self.base, *bases, *(self.groups[one][0] for one in bases & self.groups.keys())}
        idle = [process for process in self.idle if process not in needed]
        if len(idle) > self.pair.limits.processes // 2:
            oldest = idle[0]
            oldest.close()
            self.idle.remove(oldest)
            self.open.remove(oldest)
            with contextlib.suppress(Closed, NotData):
                ask(self.open[0], ["reap"], 5)

    def run_together(self, sources: list[tuple[str, str]]) -> bool:
        """Runs (name, source) of many cells in one fork, without looking at what they show; False if that process died."""
        seconds = self.pair.limits.cell_seconds
        next_one = self._fork(self.last, ["cells", sources, seconds, TOGETHER * seconds], PATIENCE * TOGETHER * seconds)
        self.open.append(next_one)
        try:
            next_one.receive()
        except (Closed, NotData):
            return False
        self.last = next_one
        return True

    def _end(self, seconds: float, base: Channel | None = None) -> int:
        try:
            return typed(ask(base or self.last, ["end", seconds], seconds + 3), int)
        except (Closed, NotData):
            return 0

    def test(self, test: MasterCell) -> tuple[Kind, float, str, list]:
        """Runs a test against a fork of the process after the cells above it."""
        seconds = max(1, self.pair.limits.test_seconds // LESS ** max(0, self.stopped - 1))
        self.tested = True
        base = self._start_of(test.name)
        left = self.deadline - time.monotonic()
        if left <= 0:
            return Kind.TIMED_OUT, 0.0, "the time for the whole submission was over before this test", []
        tests_end, students_end = socket.socketpair()
        ours, results = socket.socketpair()
        wall = min(PATIENCE * seconds, left)
        send(base, ["calls", seconds], students_end)
        wanted = self.pair.wanted[test.name]
        send(
            self.pair.tests.channel, ["test", test.source, wanted, test.points, wall, self.drawn_by], tests_end, results
        )
        answer = Channel(ours, LARGEST_CELL_ANSWER)
        answer.deadline = time.monotonic() + wall + 5
        try:
            kind, points, sentence, place = answer.receive()
            found = Kind(kind), float(points), sentence, place
        except Late:
            found = Kind.TIMED_OUT, 0.0, "the test was not over in time", []
        except (Closed, NotData, ValueError, TypeError):
            found = Kind.CRASHED, 0.0, "the test could not go on with what it was given", []
        answer.close()
        # The process of a test that came to its end has ended too, or is about to: the next test need not wait for that.
        ours = 0 if found[0] is Kind.GRADED else ask(self.pair.tests.channel, ["end", 0], 10)
        ended = self._end(0.3 if found[0] is Kind.CRASHED else 0, base)
        ended = NOT_FORKED if ours == NOT_FORKED else ended
        if found[0] is Kind.CRASHED and ended == -signal.SIGXCPU:
            found = Kind.TIMED_OUT, 0.0, "your code did not finish in time: is there a loop without an end?", []
        elif found[0] is Kind.CRASHED and ended == NOT_FORKED:
            found = Kind.CRASHED, 0.0, f"this test {NOT_STARTED}", []
        self.stopped += found[0] is not Kind.GRADED
        return found

    def _start_of(self, test: str) -> Channel:
        """The process after the cells above a test."""
        start = self.after.get(test) or Start(self.last, [])
        if not start.cells:
            return start.base
        process, cells = self.groups[start.base]
        return process if start.cells == cells else self._run_again(start)

    def _run_again(self, start: Start) -> Channel:
        """A fork of a test's base that has run the definitions above the test, and no others."""
        base, process, done = self.again or (None, None, [])
        if process and (base, done) != (start.base, start.cells[: len(done)]):
            self._end(0, base)
            process.close()
            self.open.remove(process)
            process, done = None, []
        seconds = self.pair.limits.cell_seconds
        until = time.monotonic() + WAITING
        try:
            for definition in start.cells[len(done) :]:
                cell_id, source, failed = definition
                if process is None:
                    process = self._fork(start.base, ["cell", source, cell_id, seconds, seconds], WAITING)
                    self.open.append(process)
                    answer = process.receive()
                else:
                    wait = min(until, self.deadline) - time.monotonic()
                    answer = ask(process, ["define", source, cell_id, seconds], wait)
                *_, kind = typed(answer, list)
                if kind != ("error" if failed else "ok"):
                    raise ValueError("it ended otherwise than the first time")
                done.append(definition)
        except (Closed, NotData, ValueError, TypeError):  # or an earlier test has ended it
            self._unlike_before()
        self.again = start.base, process, done
        return process

    def close(self) -> None:
        """Ends the submission's processes."""
        self.pair.end_session()
        while self.open:
            self.open.pop().close()


def hash_of_answers(cells: list[tuple[str, str, MasterCell | None, str]]) -> str:
    """What hidden tests draw from, beside the course's secret: all code of the student's own.

    The same notebook meets the same inputs whenever it is graded; a changed one meets new ones, so that nothing can be
    learned from the feedback on the last one but what is wrong.
    """
    own = [source.strip() for _, kind, _, source in cells if kind not in (TEST, LOCKED)]
    return hashlib.sha256("\0".join(own).encode("utf-8", "replace")).hexdigest()
