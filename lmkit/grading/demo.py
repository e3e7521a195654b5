"""Grades a class of made-up students with the real nbgrader: ``python -m lmkit.grading.demo``.

The class sits in ``_build/demo``, a complete nbgrader course with submissions, gradebook, feedback and grades.csv: look
around, or start formgrader there. One submission never ends, one kills its kernel: the others are graded all the same.
"""

import copy
import csv
import os
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import CsvExportPlugin
from nbgrader.utils import is_solution

from lmkit.grading import COURSE
from lmkit.grading.answers import Answer, notebook_path, read_answers, with_answer, write_notebook
from lmkit.grading.release import load_config, nbgrader_api

HOMEWORK = "hw1_ngram"
TIMEOUT = 10  # seconds for one cell; the class has an endless loop in it

CONFIG = """\
# A made-up class. Everything but its place and its patience is as in the course's own configuration.
load_subconfig("nbgrader_config.py", path={course!r})
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.db_url = "sqlite:///{root}/gradebook.db?timeout=60"
c.Execute.timeout = {timeout}
"""


@dataclass(frozen=True)
class Result:
    """What became of one submission.

    Attributes:
        student: the student's id.
        points: auto-graded points; None if nbgrader could not grade the submission.
        manual: points that wait for a human.
        failed: grade ids of the test cells without full points.
        feedback: the student's feedback page; None if there is none.
        reason: why the submission could not be graded, in words.
    """

    student: str
    points: float | None
    manual: float
    failed: tuple[str, ...]
    feedback: Path | None
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


def grade_student(root: Path, homework: str, student: str) -> str:
    """Autogrades one submission of the course at ``root`` and writes its feedback; returns an error in words, or ''."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    api = nbgrader_api(load_config(root))
    result = api.autograde(homework, student)
    if not result["success"]:
        said = f"{result.get('log') or ''}\n{result.get('error') or ''}"
        if "DeadKernelError" in said:
            return "not graded: a cell killed the kernel"
        lines = said.strip().splitlines() or ["not graded: nbgrader does not say why"]
        return next((line for line in reversed(lines) if "Error" in line), lines[-1]).strip()
    feedback = api.generate_feedback(homework, student)
    return "" if feedback["success"] else "graded, but no feedback could be written"


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

    errors = {}
    with ProcessPoolExecutor(min(4, os.cpu_count() or 1), mp_context=get_context("spawn")) as pool:
        jobs = {pool.submit(grade_student, root, homework, student): student for student in group}
        for done, job in enumerate(as_completed(jobs), start=1):
            errors[jobs[job]] = str(job.exception() or job.result())
            print(f"\r  graded {done}/{len(jobs)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)

    with Gradebook(load_config(root).CourseDirectory.db_url) as gradebook:
        CsvExportPlugin(to=str(root / "grades.csv")).export(gradebook)
        return [_result(gradebook, root, homework, student, errors[student]) for student in group]


def _result(gradebook: Gradebook, root: Path, homework: str, student: str, error: str) -> Result:
    page = root / "feedback" / student / homework / f"{homework}.html"
    try:
        grades = gradebook.find_submission_notebook(homework, homework, student).grades
    except MissingEntry:
        grades = []
    if error or not grades:
        return Result(student, None, 0.0, (), page if page.exists() else None, error or "no submission found")
    tests = [grade for grade in grades if grade.cell.cell_type == "code"]
    manual = sum(grade.max_score for grade in grades if grade.needs_manual_grade)
    failed = tuple(grade.name for grade in tests if grade.score < grade.max_score)
    return Result(student, sum(grade.score for grade in tests), manual, failed, page if page.exists() else None)


def main() -> int:
    """Grades the class and prints its table; fails if a wrong answer was not caught by the test that it names."""
    root = COURSE / "_build" / "demo"
    group = students()
    print(f"{HOMEWORK}: {len(group)} made-up students, graded by nbgrader in {root.relative_to(COURSE)}")
    results = grade_class(root, HOMEWORK, group)
    with open(root / "grades.csv", encoding="utf-8", newline="") as file:
        most = max(float(row["max_score"]) for row in csv.DictReader(file))
    caught_by = {f"wrong-{a.name}".replace("_", "-"): a.caught_by for a in read_answers(HOMEWORK, "wrong")}
    width = max(map(len, group))
    print(f"\n{'student':<{width}}  tests  manual  failed tests")
    for result in results:
        points = "   --" if result.points is None else f"{result.points:5.0f}"
        what = result.reason or ", ".join(result.failed) or "none"
        print(f"{result.student:<{width}}  {points}  {result.manual:6.0f}  {what}")
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
