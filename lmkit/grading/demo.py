"""Grades a class of made-up students as ``lmkit grade`` does: ``python -m lmkit.grading.demo``.

The class sits in ``_build/demo``, a complete nbgrader course with submissions, gradebook, feedback and grades.csv: look
around, or start formgrader there. One submission never ends, one kills its process: both are graded all the same.
"""

import copy
import csv
import shutil
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.plugins import CsvExportPlugin
from nbgrader.utils import is_solution

from lmkit.grading import COURSE, batch
from lmkit.grading.answers import Answer, notebook_path, read_answers, with_answer, write_notebook
from lmkit.grading.feedback import write_class
from lmkit.grading.gradebook import Records
from lmkit.grading.outcome import Kind, Outcome
from lmkit.grading.release import load_config, nbgrader_api

HOMEWORK = "hw1_ngram"
TIMEOUT = 10  # seconds for one cell; the class has an endless loop in it

CONFIG = """\
# A made-up class. Everything but its place and its patience is as in the course's own configuration.
load_subconfig("nbgrader_config.py", path={course!r})
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.db_url = "sqlite:///{root}/gradebook.db?timeout=60"
c.Grading.cell_seconds = c.Grading.test_seconds = {timeout}
"""


@dataclass(frozen=True)
class Result:
    """What became of one submission.

    Attributes:
        student: the student's id.
        points: of the tests.
        manual: points that wait for a human.
        failed: grade ids of the test cells without full points.
        feedback: the student's feedback page.
        reason: why the submission was not graded to the end, in words; empty if it was.
    """

    student: str
    points: float
    manual: float
    failed: tuple[str, ...]
    feedback: Path
    reason: str = ""


def students(homework: str = HOMEWORK, course: Path = COURSE) -> dict[str, NotebookNode]:
    """The class: each student's id and submission."""
    solved = nbformat.read(notebook_path(homework, course), as_version=4)
    empty = nbformat.read(course / "homeworks" / homework / f"{homework}.ipynb", as_version=4)
    blank = {cell.id: cell.source for cell in empty.cells if is_solution(cell)}

    def submission(answer: Answer | None = None, solved_cells: int | None = None) -> NotebookNode:
        notebook = copy.deepcopy(empty)
        answered = with_answer(solved, answer) if answer else solved
        sources = {cell.id: cell.source for cell in answered.cells if is_solution(cell)}
        keep = list(blank)[:solved_cells]
        for cell in notebook.cells:
            if cell.id in keep:
                cell.source = sources[cell.id]
        return notebook

    def tampered(line: str, everywhere: bool = False) -> NotebookNode:
        notebook = submission()
        first = next(cell for cell in notebook.cells if cell.cell_type == "code" and is_solution(cell))
        body = first.source.splitlines()[0]
        first.source = line if everywhere else f"{body}\n    {line}"
        return notebook

    group = {"perfect": submission(), "first-half": submission(solved_cells=len(blank) // 2), "empty": empty}
    group["syntax-error"] = tampered("def joint_probability(factors:\n    return 1", everywhere=True)
    group["endless-loop"] = tampered("while True: pass")
    group["kills-kernel"] = tampered("import os; os._exit(1)")
    for kind in ("right", "wrong"):
        group |= {f"{kind}-{a.name}".replace("_", "-"): submission(a) for a in read_answers(homework, kind, course)}
    return group


def grade_class(root: Path, homework: str, group: dict[str, NotebookNode], course: Path = COURSE) -> list[Result]:
    """Makes a fresh course at ``root`` and grades the class in it, several students at a time."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(course / "solutions" / homework, root / "solutions" / homework)
    config = CONFIG.format(course=str(course), root=str(root), timeout=TIMEOUT)
    (root / "nbgrader_config.py").write_text(config, encoding="utf-8")
    for student, notebook in group.items():
        write_notebook(notebook, root / "submitted" / student / homework / f"{homework}.ipynb")
    api = nbgrader_api(load_config(root))
    made = api.generate_assignment(homework)
    if not made["success"]:
        raise RuntimeError(f"nbgrader could not generate {homework}:\n{made.get('error')}")

    graded = batch.run(homework, root, progress=_progress)
    print(file=sys.stderr)
    with closing(Records(load_config(root), homework)) as records:
        write_class(records, graded.outcomes)
        CsvExportPlugin(to=str(root / "grades.csv")).export(records.book)
        return [_result(records, graded.outcomes[student]) for student in group]


def _progress(done: int, total: int) -> None:
    print(f"\r  graded {done}/{total}", end="", file=sys.stderr, flush=True)


def _result(records: Records, outcome: Outcome) -> Result:
    grades = records.book.find_submission_notebook(records.homework, records.homework, outcome.student).grades
    tests = [grade for grade in grades if grade.cell.cell_type == "code"]
    manual = sum(grade.max_score for grade in grades if grade.needs_manual_grade)
    failed = tuple(grade.name for grade in tests if grade.score < grade.max_score)
    page = records.folder("feedback", outcome.student) / f"{records.homework}.html"
    reason = "" if outcome.kind is Kind.GRADED else outcome.sentence
    return Result(outcome.student, sum(grade.score for grade in tests), manual, failed, page, reason)


def main() -> int:
    """Grades the class and prints its table; fails if a wrong answer was not caught by the test that it names."""
    root = COURSE / "_build" / "demo"
    group = students()
    print(f"{HOMEWORK}: {len(group)} made-up students, graded in {root.relative_to(COURSE)}")
    results = grade_class(root, HOMEWORK, group)
    with open(root / "grades.csv", encoding="utf-8", newline="") as file:
        most = max(float(row["max_score"]) for row in csv.DictReader(file))
    caught_by = {f"wrong-{a.name}".replace("_", "-"): a.caught_by for a in read_answers(HOMEWORK, "wrong")}
    width = max(map(len, group))
    print(f"\n{'student':<{width}}  tests  manual  failed tests")
    for result in results:
        what = ", ".join(result.failed) or "none"
        print(f"{result.student:<{width}}  {result.points:5.0f}  {result.manual:6.0f}  {what}")
    print("\nNot graded to the end:")
    for result in results:
        if result.reason:
            print(f"{result.student}: {result.reason}")
    missed = [r.student for r in results if r.student in caught_by and caught_by[r.student] not in r.failed]
    print(
        f"\nOf {most:.0f} points, those under 'manual' wait for a human (nbgrader formgrader, in {root.relative_to(COURSE)})."
    )
    print(f"Feedback: {root.relative_to(COURSE)}/feedback/<student>/{HOMEWORK}/{HOMEWORK}.html")
    print(f"Grades:   {root.relative_to(COURSE)}/grades.csv")
    print(f"Wrong answers caught by the test meant for them: {len(caught_by) - len(missed)} of {len(caught_by)}")
    for student in missed:
        print(f"NOT CAUGHT: {student}", file=sys.stderr)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
