"""The rows of ``tests.bench`` about grading: this grader against stock ``nbgrader autograde`` on the same submissions.

Stock is nbgrader's own configuration: its preprocessors, a Jupyter kernel for every submission. Both are run as commands, one
after the other, each in a course of its own with the same class in it; what a command takes to start is in its seconds.
"""

import functools
import itertools
import json
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from lmkit.grading import COURSE, demo
from lmkit.grading.answers import notebook_path, write_notebook
from lmkit.grading.release import load_config, nbgrader_api

BUILD = COURSE / "_build" / "bench-grading"
# A class that is worth a crowd of workers; of the real homeworks fewer, for stock takes some seconds for each.
STUDENTS = {"torch": 100, "numpy": 100, "hw1_ngram": 24, "hw2_backprop": 24}
# As many at a time as there are cores for, of what was promised: three times stock with one, five with two, eight with four.
CROWD, CROWD_GOAL = ("4", 8.0) if (os.cpu_count() or 1) >= 4 else ("2", 5.0)
BORDER = 0.3  # seconds that the border may add to homework 1's tests
CONFIG = """\
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "bench"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "homeworks"
c.CourseDirectory.db_url = "sqlite:///{root}/gradebook.db?timeout=60"
c.CourseDirectory.ignore = ["*.pyc", "__pycache__", "wrong_answers", "right_answers", "rubric.md", "equivalent_mutants.txt"]
"""
# Prints when the first submission and the last were done, in seconds, and the most memory of the grader with its processes.
WATCHED = """\
import json, os, pathlib, resource, sys, time
import psutil
from lmkit.grading.batch import run
began, me, done_at, memory = time.perf_counter(), psutil.Process(), [], []
def memory_of_station(process):
    try:
        return process.memory_info().rss if "lmkit.grading.station" in " ".join(process.cmdline()) else 0
    except psutil.Error:  # it has ended in the meantime
        return 0
def progress(done, total):
    done_at.append(time.perf_counter() - began)
    memory.append(me.memory_info().rss + sum(map(memory_of_station, me.children())))  # at the end some have ended
run(sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), progress=progress)
print(json.dumps([done_at[1], done_at[-1], max(memory)]))
"""


def made_up(imports: str, answers: dict[str, tuple[str, str]]) -> nbformat.NotebookNode:
    """The source of a small homework: for each answer its code and its test, worth a point."""

    def cell(name: str, source: str, solution: bool, points: int | None = None) -> nbformat.NotebookNode:
        about = {"grade_id": name, "grade": points is not None, "solution": solution, "locked": not solution}
        about |= {"task": False, "schema_version": 3} | ({} if points is None else {"points": points})
        return new_code_cell(source, metadata={"nbgrader": about}, id=name.replace("_", "-"))

    cells = [cell("setup", imports, False)]
    for name, (code, test) in answers.items():
        head, body = code.split("\n", 1)
        marked = f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"
        cells += [cell(name, marked, True), cell(f"test_{name}", test, False, 1)]
    return new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})


TORCH = made_up(
    "import torch\nfrom torch import nn",
    {
        "softmax": (
            "def softmax(z):\n    e = (z - z.max(-1, keepdim=True).values).exp()\n    return e / e.sum(-1, keepdim=True)",
            "z = torch.randn(5, 7)\nassert torch.allclose(softmax(z), z.softmax(-1), atol=1e-6)",
        ),
        "model": (
            "def model(d, V):\n    return nn.Sequential(nn.Linear(d, 32), nn.Tanh(), nn.Linear(32, V))",
            "assert model(8, 5)(torch.randn(3, 8)).shape == (3, 5)",
        ),
        "step": (
            "def step(w, x, y):\n    loss = ((x @ w - y) ** 2).mean()\n    loss.backward()\n    return w.detach() - 0.1 * w.grad",
            "w = torch.zeros(3, requires_grad=True)\nassert step(w, torch.eye(3), torch.ones(3)).shape == (3,)",
        ),
    },
)
NUMPY = made_up(
    "import numpy as np",
    {
        "softmax": (
            "def softmax(z):\n    e = np.exp(z - z.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)",
            "p = softmax(np.arange(12.0).reshape(3, 4))\nassert np.allclose(p.sum(-1), 1) and (p > 0).all()",
        ),
        "one_hot": (
            "def one_hot(ids, V):\n    return np.eye(V)[ids]",
            "assert one_hot(np.array([2, 0]), 3).tolist() == [[0, 0, 1], [1, 0, 0]]",
        ),
        "nll": (
            "def nll(p, targets):\n    return -np.log(p[np.arange(len(targets)), targets]).mean()",
            "assert np.isclose(nll(np.full((5, 4), 0.25), np.zeros(5, dtype=int)), np.log(4))",
        ),
    },
)
TINY = made_up(
    "import math",
    {
        "add": ("def add(a, b):\n    return a + b", "assert add(2, 1) == 3"),
        "root": ("def root(x):\n    return math.sqrt(x)", "assert root(9.0) == 3"),
    },
)
MADE_UP = {"torch": TORCH, "numpy": NUMPY, "tiny": TINY}


def class_of(homework: str, students: int) -> Iterator[tuple[str, nbformat.NotebookNode]]:
    """Student ids and submissions: of a real homework the demo's class without those that end nothing, else all the same."""
    if homework.startswith("hw"):
        everybody = demo.students(homework)
        for broken in ("endless-loop", "kills-kernel"):  # stock leaves these ungraded
            del everybody[broken]
        work = [everybody[name] for name in sorted(everybody)]
        work = work[:: max(1, len(work) // students)]
    else:
        source = nbformat.from_dict(MADE_UP[homework])
        for cell in source.cells:
            cell.source = "\n".join(line for line in cell.source.splitlines() if "###" not in line)
        work = [source]
    for i, notebook in zip(range(students), itertools.cycle(work), strict=False):
        yield f"s{i:04}", notebook


def course(name: str, homework: str, students: int) -> Path:
    """A fresh course with the released homework and a class that has handed it in."""
    root = BUILD / name
    shutil.rmtree(root, ignore_errors=True)
    if homework.startswith("hw"):
        shutil.copytree(COURSE / "solutions" / homework, root / "solutions" / homework)
    else:
        write_notebook(MADE_UP[homework], root / "solutions" / homework / f"{homework}.ipynb")
    (root / "nbgrader_config.py").write_text(CONFIG.format(root=str(root)), encoding="utf-8")
    for student, notebook in class_of(homework, students):
        write_notebook(notebook, root / "submitted" / student / homework / f"{homework}.ipynb")
    made = nbgrader_api(load_config(root)).generate_assignment(homework)
    if not made["success"]:
        raise RuntimeError(made.get("error"))
    return root


def command(root: Path, *arguments: str) -> tuple[float, float]:
    """Seconds and computing time that a command takes in a course; NaN for the latter without ``perf``.

    What ends with a process namespace is in nobody's ``getrusage``, so the kernel's own counter is asked.
    """
    counted = root / "perf.csv"
    perf = ["perf", "stat", "-x,", "-e", "task-clock", "-o", str(counted)] if shutil.which("perf") else []
    began = time.perf_counter()
    done = subprocess.run([*perf, sys.executable, *arguments], cwd=root, capture_output=True, text=True, check=False)
    wall = time.perf_counter() - began
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed:\n{done.stderr[-2000:]}")
    said = counted.read_text().splitlines() if perf else []
    return wall, next((float(line.split(",")[0]) / 1000 for line in said if "task-clock" in line), math.nan)


@functools.cache
def race(homework: str) -> dict[str, tuple[float, float]]:
    """Seconds and computing time of stock, of this grader with one worker and with several, on the same class."""
    took = {"stock": command(course("stock", homework, STUDENTS[homework]), "-m", "nbgrader", "autograde", homework)}
    for jobs in ("1", CROWD):
        root = course(f"jobs-{jobs}", homework, STUDENTS[homework])
        grade = ("-m", "lmkit.grading.cli", "grade", homework, "--course", str(root), "--jobs", jobs, "--quiet")
        took[jobs] = command(root, *grade)
    return took


def border_seconds() -> tuple[float, float]:
    """What two processes add to homework 1's tests, the least of five: forks, calls, values; and what it may be."""
    from lmkit.grading.master import TEST, Master
    from lmkit.grading.pair import Pair
    from lmkit.grading.submission import Submission

    notebook = nbformat.read(notebook_path("hw1_ngram", COURSE), as_version=4)
    master = Master.from_notebook("hw1_ngram", notebook)
    cells = [(cell.name, cell.kind, cell, cell.reference or cell.source) for cell in master.cells]
    cells = [cell for cell in cells if cell[0] != "comparison"]
    names: dict = {"__name__": "__main__"}
    for _, kind, _, source in cells:
        if kind != TEST:
            exec(source, names)

    def together() -> None:
        for test in master.of_kind(TEST):
            exec(test.source, names)

    def apart(submission: Submission) -> None:
        for test in master.of_kind(TEST):
            _, points, sentence, _ = submission.test(test)
            if points != test.points:
                raise RuntimeError(f"{test.name}: {sentence}")

    added = []
    with Pair(master, "") as pair:
        for _ in range(5):
            submission = Submission(pair, cells, time.monotonic() + 600)
            submission.run_cells()
            began = time.perf_counter()
            apart(submission)
            between = time.perf_counter()
            together()
            added.append((between - began) - (time.perf_counter() - between))
            submission.close()
    return min(added), BORDER


@functools.cache
def batch_of(students: int) -> tuple[float, float]:
    """Seconds for each submission after the first, and the most bytes of the grader and its grading processes."""
    root = course(f"batch-{students}", "tiny", students)
    done = subprocess.run([sys.executable, "-c", WATCHED, "tiny", str(root), "2"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    first, last, memory = json.loads(done.stdout.splitlines()[-1])
    return (last - first) / (students - 1), memory


def against_stock(homework: str, jobs: str, what: int) -> tuple[float, float]:
    """Seconds (0) or computing time (1) of a submission, ours and stock's."""
    students = STUDENTS[homework]
    return race(homework)[jobs][what] / students, race(homework)["stock"][what] / students


def flat(part: int, few: int, many: int) -> tuple[float, float]:
    """Time (0) or memory (1) of a submission in a large batch and in a small one."""
    return batch_of(many)[part], batch_of(few)[part]


HOMEWORKS = (
    ("hw1_ngram", "homework 1"),
    ("hw2_backprop", "homework 2"),
    ("torch", "a torch notebook"),
    ("numpy", "a numpy notebook"),
)
# name, unit, goal for the ratio, function, its arguments, whether it takes over a minute; "computing" needs perf
ROWS = [
    *(
        (f"grading {name}, {how}, against nbgrader autograde", "s", goal, against_stock, (homework, jobs, what), True)
        for homework, name in HOMEWORKS
        for how, jobs, what, goal in (
            ("1 at a time", "1", 0, 3.0),
            ("computing time", "1", 1, 3.0),
            (f"{CROWD} at a time", CROWD, 0, CROWD_GOAL),
        )
    ),
    ("what the border adds to homework 1's tests, against 0.3 s", "s", 1.0, border_seconds, (), False),
    ("grading, a submission of 100 against one of 10", "s", 0.9, flat, (0, 10, 100), False),
    ("grading, memory with 100 submissions against 10", "bytes", 0.95, flat, (1, 10, 100), False),
    ("grading, a submission of 1000 against one of 100", "s", 0.9, flat, (0, 100, 1000), True),
    ("grading, memory with 1000 submissions against 100", "bytes", 0.95, flat, (1, 100, 1000), True),
]
