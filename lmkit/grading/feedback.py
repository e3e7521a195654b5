"""One page for each student: what was lost and why first, everything else folded. It needs no network and runs nothing.

The page is made from what nbgrader keeps (``autograded/`` and the gradebook), so that manual scores and comments are in it;
``nbgrader generate_feedback`` and ``lmkit feedback`` write the same page.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup
from nbconvert.exporters import Exporter
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.utils import is_grade, is_solution

from lmkit.grading import audit
from lmkit.grading.drawing import python, render
from lmkit.grading.gradebook import SAME, Records, whole
from lmkit.grading.marking import plain
from lmkit.grading.markup import LEFT_OUT, LONGEST_PAGE, on_page, to_html
from lmkit.grading.master import is_test
from lmkit.grading.outcome import Kind, Outcome, clean_text
from lmkit.grading.release import nothing_graded, read_notebook


@dataclass(frozen=True)
class Mark:
    """What the gradebook says about one graded cell."""

    points: float
    max_points: float
    waiting: bool = False
    comment: str = ""


@dataclass
class Item:
    """One graded cell on the page."""

    title: str
    points: float
    max_points: float
    waiting: float = 0.0
    sentence: str = ""
    comment: str = ""
    answer: str = ""
    html: str = ""
    outputs: list[NotebookNode] = field(default_factory=list)


@dataclass
class Part:
    """The points of one part of the homework; ``max_points`` is without what is ``waiting`` for a human."""

    title: str
    points: float = 0.0
    max_points: float = 0.0
    waiting: float = 0.0


@dataclass
class Page:
    """All that the template shows."""

    student: str
    title: str
    handed_in: str = ""
    penalty: float = 0.0
    sentence: str = ""
    unsafe: bool = False
    parts: list[Part] = field(default_factory=list)
    failed: list[Item] = field(default_factory=list)
    open: list[Item] = field(default_factory=list)
    written: list[Item] = field(default_factory=list)
    passed: list[Item] = field(default_factory=list)
    cells: list[dict] = field(default_factory=list)
    length: int = 0  # characters of Markdown in cells
    code: int = 0  # characters of code in them

    @property
    def points(self) -> float:
        """The sum of what has been marked."""
        return max(0.0, sum(part.points for part in self.parts) - self.penalty)

    @property
    def max_points(self) -> float:
        """The sum of what could be had in what has been marked."""
        return sum(part.max_points for part in self.parts)

    @property
    def waiting(self) -> float:
        """Points of answers that nobody has read yet."""
        return sum(part.waiting for part in self.parts)


def make_page(notebook: NotebookNode, marks: dict[str, Mark], student: str, outcome: Outcome | None = None) -> Page:
    """Sorts a graded notebook into what was lost, what is written, what works, and the rest."""
    given = (c for c in notebook.cells if c.cell_type == "markdown" and not c.get("id", "").startswith("own-"))
    first = next((c.source for c in given), "")
    title = re.search(r"^#\s+(.+)$", first, re.MULTILINE)
    page = Page(student, title[1].strip() if title else "Homework")
    if outcome and outcome.kind is not Kind.GRADED:
        page.sentence = outcome.sentence
    page.unsafe = bool(outcome and outcome.sandbox == "none")
    helped = {test.name for test in outcome.tests if test.helped} if outcome else set()
    part, task, answer = Part("Other"), "", None
    for cell in notebook.cells:
        own = cell.get("id", "").startswith("own-")
        if cell.cell_type == "markdown" and not is_grade(cell) and not own:
            for level, words in re.findall(r"^(##|###)\s+(.+)$", cell.source, re.MULTILINE):
                if level == "##":
                    part = Part(plain(words))
                    page.parts.append(part)
                task = plain(words)
        if cell.cell_type == "code" and is_solution(cell):
            answer = cell
        if is_grade(cell):
            _add(page, part, task, cell, answer, marks)
            if is_test(cell) and page.passed and cell.metadata.nbgrader["grade_id"] in helped:
                page.passed[-1].sentence = "the mistake is in another part; here it costs nothing"
        _add_to_rest(page, cell)
    if part.title == "Other":
        page.parts.append(part)
    return page


def _add(
    page: Page, part: Part, task: str, cell: NotebookNode, answer: NotebookNode | None, marks: dict[str, Mark]
) -> None:
    mark = marks[cell.metadata.nbgrader["grade_id"]]
    item = Item(task or cell.metadata.nbgrader["grade_id"], mark.points, mark.max_points, comment=mark.comment)
    item.waiting = mark.max_points if mark.waiting else 0.0
    part.points += mark.points
    part.max_points += mark.max_points - item.waiting
    part.waiting += item.waiting
    if not is_test(cell):
        item.html = _written(cell)
        page.written.append(item)
    elif mark.points < mark.max_points:
        item.sentence = _sentence(cell)
        if answer is not None:
            item.answer, item.outputs = answer.source, answer.outputs
            item.comment = item.comment or getattr(marks.get(answer.metadata.nbgrader["grade_id"]), "comment", "")
        (page.open if item.comment == "No response." else page.failed).append(item)
    else:
        page.passed.append(item)


def _written(cell: NotebookNode) -> Markup:
    if cell.cell_type == "markdown":
        return Markup(to_html(cell.source, cell.get("attachments")))
    return python(cell.source)


def _sentence(test: NotebookNode) -> str:
    """What the failed test says; the name of the exception only where it helps."""
    for output in test.outputs:
        if output.output_type == "error":
            words = clean_text(strip_ansi(str(output.evalue))).strip()
            return (
                words
                if output.ename in ("AssertionError", "Failed") and words
                else f"{output.ename}: {words}".strip(": ")
            )
    return "This test gave part of the points." if test.outputs else "This test was not run."


def _add_to_rest(page: Page, cell: NotebookNode) -> None:
    if is_test(cell):
        return  # its sentence stands above; its code holds hidden tests
    if cell.cell_type == "code":
        page.code += len(cell.source)
        source = cell.source if page.code <= LONGEST_PAGE else f"# {LEFT_OUT}"
        page.cells.append({"source": source, "outputs": cell.outputs})
    elif cell.source.strip():
        page.length += len(cell.source)
        page.cells.append({"html": Markup(on_page(cell.source, cell.get("attachments"), page.length))})


@lru_cache(maxsize=1)
def _latest(course: Path, homework: str, changed: int) -> dict[str, Outcome]:
    return audit.latest(course, homework)


def student_page(book: Gradebook, homework: str, student: str, notebook: NotebookNode, course: Path) -> str:
    """One student's page, from the gradebook, the graded notebook and the last line about it in the audit log."""
    log = course / audit.LOG
    changed = log.stat().st_mtime_ns if log.exists() else 0
    outcome = _latest(course, homework, changed).get(student)
    return render(_fill(book, homework, student, notebook, outcome))


def _fill(book: Gradebook, homework: str, student: str, notebook: NotebookNode, outcome: Outcome | None) -> Page:
    submitted = book.find_submission_notebook(homework, homework, student)
    comments = {comment.cell.name: comment.comment or "" for comment in submitted.comments}
    marks = {name: Mark(0, 0, comment=words) for name, words in comments.items()}
    for grade in submitted.grades:
        waiting = bool(grade.needs_manual_grade) and grade.auto_score is None and grade.manual_score is None
        marks[grade.cell.name] = Mark(grade.score, grade.max_score, waiting, comments.get(grade.cell.name, ""))
    page = make_page(notebook, marks, student, outcome)
    page.penalty = submitted.late_submission_penalty or 0.0
    stamp = submitted.assignment.timestamp
    page.handed_in = f"{stamp:%Y-%m-%d %H:%M} UTC" if stamp else ""
    return page


def write_feedback(
    book: Gradebook, homework: str, student: str, notebook: NotebookNode, target: Path, outcome: Outcome | None
) -> None:
    """Writes one student's page to ``target``."""
    page = render(_fill(book, homework, student, notebook, outcome))
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole(target) as file:
        file.write(page)


def write_class(
    records: Records,
    latest: dict[str, Outcome],
    only: Iterable[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[dict[str, Path], list[str]]:
    """Writes the page of every graded student; returns the pages, and what is missing or doubtful, in words.

    Raises:
        ValueError: if nothing is graded, or nothing of somebody whom ``only`` names.
    """
    homework, only = records.homework, set(only)
    students = sorted(s.student.id for s in records.book.assignment_submissions(homework))
    if only - set(students):
        raise ValueError(f"only: got {min(only - set(students))!r}, of whom nothing is graded")
    if not students:
        raise nothing_graded(homework)
    students = [student for student in students if not only or student in only]
    pages, missing, points = {}, [], records.auto_points()
    for done, student in enumerate(students):
        progress(done, len(students))
        path = records.folder("autograded", student) / f"{homework}.ipynb"
        try:
            notebook = read_notebook(path)
        except (OSError, ValueError) as damaged:
            said = f"no {path}" if isinstance(damaged, FileNotFoundError) else damaged
            missing.append(f"{student}: {said}; grade again")
        else:
            pages[student] = records.folder("feedback", student) / f"{homework}.html"
            write_feedback(records.book, homework, student, notebook, pages[student], latest.get(student))
            if student not in latest or abs(latest[student].points - points.get(student, 0.0)) > SAME:
                missing.append(
                    f"{student}: {audit.LOG} does not tell of the grade that the gradebook holds; grade again"
                )
        records.book.db.expunge_all()
    return pages, missing


class FeedbackExporter(Exporter):
    """Lets ``nbgrader generate_feedback`` write these pages: ``c.GenerateFeedback.exporter_class``."""

    file_extension = ".html"
    output_mimetype = "text/html"
    export_from_notebook = "HTML"

    def from_notebook_node(
        self, nb: NotebookNode, resources: ResourcesDict | None = None, **kwargs: object
    ) -> tuple[str, ResourcesDict]:
        """The page of the student that nbgrader names in ``resources``."""
        nb, resources = super().from_notebook_node(nb, resources, **kwargs)
        about = resources["nbgrader"]
        resources["output_extension"] = ".html"
        course = Path(self.parent.coursedir.root)
        with Gradebook(about["db_url"]) as book:
            return student_page(book, about["assignment"], about["student"], nb, course), resources
