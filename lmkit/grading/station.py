"""One grading process of a batch: reads submissions from its standard input, writes what became of them to its output.

``python -m lmkit.grading.station`` is started by ``Station`` or ``starting``, one for each core, here or elsewhere. What passes
between the two are lines of JSON: what the homework needs, the homework, then a submission and its result, again and again.
"""

import base64
import contextlib
import os
import platform
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO

import msgspec
import nbformat
from nbformat import NotebookNode

import lmkit
from lmkit.grading.cells import SourceCell, is_locked
from lmkit.grading.channel import Closed
from lmkit.grading.forks import stay_on
from lmkit.grading.gate import admit
from lmkit.grading.grader import grade_notebook, in_order, worth_a_look
from lmkit.grading.marking import annotate, not_run
from lmkit.grading.master import Master
from lmkit.grading.notebook_files import NotLetIn, hash_of
from lmkit.grading.outcome import Kind, Outcome
from lmkit.grading.packages import Needs
from lmkit.grading.pair import Pair, start_rooms
from lmkit.grading.sandbox import Limits, NoSandbox
from lmkit.grading.starting import Started, first_line, start, write

DEATHS = 3  # of the process, over one submission, before that is what became of it
GAVE_UP = "The grader itself could not finish with this notebook. Your instructor has been told and will look at it."
SLACK = 120  # seconds that a submission gets on top of its limits, until its process is taken for dead


@dataclass(frozen=True)
class Material:
    """All that a grading process must know about a homework; made once, sent anywhere.

    Attributes:
        homework: its name.
        release: the notebook that students got, as JSON.
        cells: the gradebook's cells, by name, hidden tests included.
        kernelspec: of the released notebook, as JSON; may be empty.
        master: what the grader runs.
        needs: what processes for it are started with.
        secret: the course secret.
        limits: of each submission.
        unsafe_no_sandbox: whether there shall be no sandbox.
        version: of ``lmkit``; a machine with another one refuses.
    """

    homework: str
    release: str
    cells: dict[str, SourceCell]
    kernelspec: str
    master: Master
    needs: Needs
    secret: str
    limits: Limits
    unsafe_no_sandbox: bool = False
    version: str = lmkit.__version__

    @property
    def tests_hash(self) -> str:
        """The hash of all that decides points."""
        return self.master.tests_hash(self.secret)


@dataclass(frozen=True)
class Job:
    """One submission: the file, or why it has none that can be read (``kind``, ``sentence``)."""

    student: str
    content: str = ""  # base64
    refusal: tuple[str, str] | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, student: str, content: bytes, notes: list[str]) -> "Job":
        """The job of a file's bytes."""
        return cls(student, base64.b64encode(content).decode(), notes=tuple(notes))


@dataclass(frozen=True)
class Graded:
    """What a job became.

    Attributes:
        outcome: the record, as ``Outcome.to_json`` writes it.
        notebook: for ``autograded/``, as JSON.
        notes: what the gate left out or mended.
        look: why an instructor should look at it; empty for an ordinary one.
    """

    outcome: str
    notebook: str
    notes: tuple[str, ...] = ()
    look: str = ""


def prepared(notebook: NotebookNode, material: Material) -> NotebookNode:
    """The notebook as nbgrader's sanitizing leaves it: locked cells from the gradebook, checksums, the kernel's name."""
    if material.kernelspec:
        notebook.metadata["kernelspec"] = NotebookNode(msgspec.json.decode(material.kernelspec))
    for cell in notebook.cells:
        source = material.cells.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
        if source is not None:
            cell.metadata.nbgrader["checksum"] = source.checksum
            if source.locked and is_locked(cell):
                cell.source = source.source
    return notebook


def _blank(material: Material, student: str, kind: Kind, sentence: str, content: bytes) -> tuple[Outcome, NotebookNode]:
    """The outcome and the empty notebook of a submission of which nothing ran."""
    unsafe = material.unsafe_no_sandbox
    outcome = not_run(material.master, student, kind, sentence, hash_of(content), material.secret, unsafe)
    notebook = prepared(nbformat.reads(material.release, as_version=4), material)
    return outcome, annotate(notebook, material.master, outcome)


def grade(job: Job, material: Material, pair: Pair) -> Graded:
    """One submission, through the gate and the tests."""
    content, notes, look = base64.b64decode(job.content), list(job.notes), ""
    try:
        if job.refusal is not None:
            raise NotLetIn(*job.refusal)
        admitted = admit(content, nbformat.reads(material.release, as_version=4))
        notes += admitted.notes
        notebook = prepared(admitted.notebook, material)
        outcome = grade_notebook(notebook, pair, job.student, hash_of(content))
        look = worth_a_look(in_order(notebook, material.master), pair)
        notebook = annotate(notebook, material.master, outcome)
    except NotLetIn as refused:
        outcome, notebook = _blank(material, job.student, Kind(refused.kind), str(refused), content)
    return Graded(outcome.to_json(), nbformat.writes(notebook), tuple(notes), look)


def serve(lines: BinaryIO, answers: BinaryIO) -> None:
    """Grades what comes in until nothing more comes.

    Raises:
        Closed: if one of its two processes ends.
    """
    line = lines.readline()
    if not line:
        return
    core, needs, unsafe = msgspec.json.decode(line, type=tuple[int | None, Needs, bool])
    with contextlib.ExitStack() as at_the_end:
        try:
            rooms = start_rooms(needs, unsafe)
            for room in rooms:
                at_the_end.callback(room.close)
            line = lines.readline()
            if not line:  # the batch ended before it began
                return
            material = msgspec.json.decode(line, type=Material)
            if material.version != lmkit.__version__:
                _answer(answers, {"cannot": f"it has lmkit {lmkit.__version__} and the batch is of {material.version}"})
                return
            stay_on(core)
            pair = Pair(material.master, material.secret, material.limits, unsafe, core, rooms)
        except (NoSandbox, RuntimeError) as error:  # the machine's fault, or the homework's: nobody's notebook
            _answer(answers, {"cannot": str(error)})
            return
        at_the_end.enter_context(pair)
        _answer(answers, {"cannot": ""})
        for line in lines:
            _answer(answers, grade(msgspec.json.decode(line, type=Job), material, pair))


def _answer(answers: BinaryIO, message: object) -> None:
    answers.write(msgspec.json.encode(message) + b"\n")
    answers.flush()


def _ended(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once: two processes are to be ended, and their folders removed
    sys.exit(1)


class CannotGrade(RuntimeError):
    """A grading process cannot do its work on this machine: no sandbox, or a homework whose setup fails."""


@dataclass
class Station:
    """The other end of such a process; starts a new one where it dies.

    Attributes:
        material: the homework.
        core: the processor to stay on.
        say: is told, in words, when a process died.
        ahead: a process that has been started for it already; not used if it was told something else.
    """

    material: Material
    core: int | None = None
    say: Callable[[str], None] = lambda words: None
    ahead: Started | None = field(default=None, repr=False)
    process: subprocess.Popen | None = field(default=None, repr=False)
    abandoned: bool = False

    def _start(self) -> None:
        told = first_line(self.core, self.material.needs, self.material.unsafe_no_sandbox)
        for _ in range(DEATHS):
            if self.abandoned:
                break
            if self.ahead is not None and self.ahead.told != told:
                self.close()
            self.process, self.ahead = (self.ahead or start(told)).process, None
            write(self.process, msgspec.json.encode(self.material) + b"\n")
            greeting = self.process.stdout.readline()
            if greeting.endswith(b"\n"):
                cannot = msgspec.json.decode(greeting)["cannot"]
                if not cannot:
                    return
                self.close()
                raise CannotGrade(f"a grading process on {platform.node()} cannot work: {cannot}")
            self.close()  # killed from outside while it started
        raise CannotGrade(
            f"a grading process on {platform.node()} ended {DEATHS} times while it started; "
            "with LMKIT_GRADING_DEBUG=1 in the environment it says why"
        )

    def grade(self, job: Job) -> Graded:
        """What became of a submission, whatever it does to the process.

        Raises:
            CannotGrade: if no process can be started.
        """
        seconds = 3 * self.material.limits.total_seconds + SLACK  # the limit is the submission's, this is the process's
        for _ in range(DEATHS):
            if self.process is None or self.abandoned:
                self._start()
            watch = threading.Timer(seconds, self.process.kill)
            watch.start()
            try:
                write(self.process, msgspec.json.encode(job) + b"\n")
                line = self.process.stdout.readline()
            finally:
                watch.cancel()
            if line.endswith(b"\n"):
                return msgspec.json.decode(line, type=Graded)
            code = self.process.wait()
            self.close()
            if not self.abandoned:
                self.say(f"{job.student}: the grading process ended ({code}); a new one took over")
        content = base64.b64decode(job.content)
        outcome, notebook = _blank(self.material, job.student, Kind.CRASHED, GAVE_UP, content)
        look = f"the grading process died {DEATHS} times over it"
        return Graded(outcome.to_json(), nbformat.writes(notebook), job.notes, look)

    def abandon(self, kill: bool) -> None:
        """Ends the process, or kills it; from any thread, whatever it is doing. No other is started."""
        self.abandoned = True
        process = self.process
        if process is not None:
            with contextlib.suppress(OSError):
                process.kill() if kill else process.terminate()

    def close(self) -> None:
        """Ends the process."""
        if self.ahead is not None:
            self.process, self.ahead = self.ahead.process, None
        if self.process is not None:
            with contextlib.suppress(BrokenPipeError):  # something was still to be written, and nobody is there
                self.process.stdin.close()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            self.process = None


if __name__ == "__main__":
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints goes to the log, never into the answers
    signal.signal(signal.SIGTERM, _ended)
    try:
        serve(sys.stdin.buffer, output)
    except BrokenPipeError:  # nobody waits for the answer any more
        pass
    except Closed:  # one of the two warm processes was killed from outside; the batch starts another station
        sys.exit(1)
