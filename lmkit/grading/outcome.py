"""What became of a submission: one record each, whatever happened, and the same record as JSON.

Everything that grades returns these and everything that reports reads them; nothing here knows how grading works.
"""

import json
import math
import re
from dataclasses import asdict, dataclass, field
from enum import StrEnum

# Said of a cell or test for which the system gave no process: who took them all, the grader cannot know.
NOT_STARTED = "could not be started: there was no room for another process. Your instructor has been told."
LONGEST_SENTENCE = 4000  # characters of a message; a student's repr may stand in it


class Kind(StrEnum):
    """The ways in which grading a submission can end. Every submission has exactly one."""

    GRADED = "graded"  # every test ran to its end
    CRASHED = "crashed"  # the process of the student's code ended by itself
    TIMED_OUT = "timed_out"  # a cell, a test or the whole submission took too long
    OUT_OF_MEMORY = "out_of_memory"
    MALFORMED = "malformed"  # no notebook that can be read; nothing ran
    REFUSED = "refused"  # the intake gate or the sandbox did not let it in; nothing ran


@dataclass(frozen=True)
class TestResult:
    """How one test cell ended.

    Attributes:
        name: the test's grade id.
        points: what it earned, a finite number from 0 to ``max_points``.
        max_points: what it can earn.
        error: the sentence for the student; empty if the test passed.
        cell: id of the student's own cell that the test is about (the last one to fill in above the test); may be empty.
        kind: ``graded`` if the test ran to its end, passed or not; otherwise what stopped it.
        helped: the test passed only with the reference in the place of the student's other answers: the mistake that
            made it fail is paid for elsewhere. ``error`` then still says what happened the first time.
        line: the line of the cell in which the student's code raised an error; 0 if it did not.
    """

    name: str
    points: float
    max_points: float
    error: str = ""
    cell: str = ""
    kind: Kind = Kind.GRADED
    helped: bool = False
    line: int = 0
    __test__ = False  # pytest: this is no class of tests

    def __post_init__(self) -> None:
        if not (math.isfinite(self.points) and 0 <= self.points <= self.max_points):
            raise ValueError(f"points of {self.name}: got {self.points!r}, expected a number 0 to {self.max_points!r}")

    @property
    def passed(self) -> bool:
        """Whether nothing was lost."""
        return self.points == self.max_points


@dataclass(frozen=True)
class CellRun:
    """What one of the student's cells showed when it ran: plain text, cleaned and cut; figures as base64 PNG."""

    text: str = ""
    error: str = ""
    images: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """One grading of one submission.

    Attributes:
        student: the student's id.
        homework: the homework's name.
        kind: how it ended.
        sentence: what happened, in words that the student understands.
        tests: one result per test cell of the master, in its order; a submission that was not run has them all with 0.
        cells: what the student's own cells showed, by cell id.
        seconds: wall clock that the grading took.
        notebook_hash: SHA-256 of the submitted file's bytes (or of the notebook, where there was no file).
        tests_hash: SHA-256 of the tests, the setup and the course secret's own hash.
        version: ``lmkit``'s version.
        sandbox: ``"bubblewrap"``, or ``"none"`` where somebody asked for that; reports repeat it.
        limits: what it might use, by the names of ``sandbox.Limits``; empty where nothing ran.
    """

    student: str
    homework: str
    kind: Kind
    sentence: str
    tests: tuple[TestResult, ...] = ()
    cells: dict[str, CellRun] = field(default_factory=dict)
    seconds: float = 0.0
    notebook_hash: str = ""
    tests_hash: str = ""
    version: str = ""
    sandbox: str = "bubblewrap"
    limits: dict[str, int] = field(default_factory=dict)

    @property
    def points(self) -> float:
        """Points of all tests."""
        return math.fsum(test.points for test in self.tests)

    @property
    def max_points(self) -> float:
        """Points that the tests can give."""
        return math.fsum(test.max_points for test in self.tests)

    def to_json(self) -> str:
        """The outcome as one line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=True, allow_nan=False)

    @classmethod
    def from_json(cls, line: str) -> "Outcome":
        """The outcome that ``to_json`` wrote.

        Raises:
            ValueError: if the line is not such a record.
        """
        try:
            record = json.loads(line)
            record["kind"] = Kind(record["kind"])
            record["tests"] = tuple(TestResult(**{**test, "kind": Kind(test["kind"])}) for test in record["tests"])
            cells = record.get("cells", {}).items()
            record["cells"] = {name: CellRun(**{**run, "images": tuple(run["images"])}) for name, run in cells}
            return cls(**record)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ValueError(f"line: got {line[:80]!r}, expected an outcome as to_json writes it ({error})") from None


def clean_text(text: str, longest: int = LONGEST_SENTENCE) -> str:
    """Text that can do no harm where it is shown or stored: valid Unicode without control or direction characters.

    Line ends and tabs stay; what is longer than ``longest`` is cut, with a note.
    """
    text = str.__str__(text)[: 4 * longest]
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = "".join(c if c in "\n\t" or c.isprintable() else "�" for c in text)
    text = text.encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= longest else text[:longest] + " … (cut)"


def unturned(text: str) -> str:
    """Text without the characters that turn the text after them around.

    Isolates stay in a line that closes all that it opens, as Hebrew and Arabic have them around foreign words.
    """
    text = re.sub("[\u202a-\u202e]", "�", text)
    return "\n".join(map(_closed, text.split("\n")))


def _closed(line: str) -> str:
    depth = 0
    for character in re.findall("[\u2066-\u2069]", line):
        depth += -1 if character == "\u2069" else 1
        if depth < 0:
            break
    return re.sub("[\u2066-\u2069]", "�", line) if depth else line
