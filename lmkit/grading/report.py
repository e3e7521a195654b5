"""What a batch looks like from above: how submissions ended, points per question, questions that tell nothing."""

import math
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median

from lmkit.grading.notebook_files import NotLetIn, find_notebook, hash_of, read_file, readable
from lmkit.grading.outcome import Outcome

FEWEST = 8  # submissions below which "separates nobody" would be noise
BLOCKS = " ▁▂▃▄▅▆▇█"
PLOTS = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Question:
    """One test over the whole class.

    Attributes:
        name: the test's grade id.
        max_points: what it can give.
        mean: points on average.
        full: share of the class with full points.
        histogram: how many have 0 %, up to 20, 40, 60, 80, below 100 %, and 100 % of the points.
        separates: correlation between this question's points and all the others'; 0 if everybody has the same points here,
            None if everybody has the same in all the others.
    """

    name: str
    max_points: float
    mean: float
    full: float
    histogram: tuple[int, ...]
    separates: float | None

    @property
    def bars(self) -> str:
        """The histogram as text."""
        most = max(self.histogram, default=0) or 1
        return "".join(BLOCKS[math.ceil(8 * n / most)] for n in self.histogram)


@dataclass(frozen=True)
class Report:
    """A homework's class.

    Attributes:
        kinds: how many submissions ended in each way.
        points: of every submission, ascending.
        max_points: what the tests can give.
        questions: one per test.
        nobody: tests that nobody passes.
        flat: tests that separate nobody: all have the same points, or good and bad submissions fare alike.
        unsafe: whether any was graded without a sandbox.
    """

    kinds: dict[str, int]
    points: tuple[float, ...]
    max_points: float
    questions: tuple[Question, ...]
    nobody: tuple[str, ...]
    flat: tuple[str, ...]
    unsafe: bool

    def summary(self) -> dict[str, float]:
        """Mean, median, least and most points."""
        if not self.points:
            return {}
        return {"mean": mean(self.points), "median": median(self.points), "min": self.points[0], "max": self.points[-1]}


def make_report(outcomes: Iterable[Outcome]) -> Report:
    """The report of a class; submissions of which nothing ran count in ``kinds`` and ``points`` only."""
    everybody = sorted(outcomes, key=lambda outcome: outcome.student)
    ran = [outcome for outcome in everybody if outcome.kind not in ("malformed", "refused")]
    names = list(dict.fromkeys(test.name for outcome in ran for test in outcome.tests))
    questions = tuple(_question(name, ran) for name in names)
    nobody = tuple(q.name for q in questions if q.full == 0 and len(ran) > 1)
    flat = tuple(q.name for q in questions if len(ran) >= FEWEST and q.separates is not None and q.separates < 0.1)
    return Report(
        dict(Counter(outcome.kind.value for outcome in everybody).most_common()),
        tuple(sorted(outcome.points for outcome in everybody)),
        max((outcome.max_points for outcome in everybody), default=0.0),
        questions,
        nobody,
        flat,
        any(outcome.sandbox == "none" for outcome in everybody),
    )


def still_there(latest: dict[str, Outcome], course: Path, homework: str) -> tuple[dict[str, Outcome], list[str]]:
    """The outcomes of those whose submission still lies in ``submitted/``, and the names of the others."""
    root = course / "submitted"
    here = {readable(folder.parent.name) for folder in root.glob(f"*/{homework}") if folder.is_dir()}
    gone = sorted(student for student in latest if root.is_dir() and student not in here)
    return {student: outcome for student, outcome in latest.items() if student not in gone}, gone


def not_yet(latest: dict[str, Outcome], graded: Iterable[str], course: Path, homework: str) -> list[str]:
    """Students who have handed in what is not graded: nothing of theirs is, or another file was.

    Args:
        latest: the last grading of each student.
        graded: who has a grade; one that the log knows nothing of is believed.
        course: the directory of ``submitted/``.
        homework: its name.
    """
    known, found = set(graded), []
    for folder in sorted((course / "submitted").glob(f"*/{homework}")):
        student = readable(folder.parent.name)
        try:
            content = read_file(find_notebook(folder, homework)[0])
        except (NotLetIn, OSError):
            content = b""
        last = latest.get(student)
        if student not in known or last is not None and last.notebook_hash != hash_of(content):
            found.append(student)
    return found


def _question(name: str, ran: list[Outcome]) -> Question:
    tests = [(test, outcome.points - test.points) for outcome in ran for test in outcome.tests if test.name == name]
    shares = [test.points / test.max_points if test.max_points else 1.0 for test, _ in tests]
    bins = Counter(6 if share == 1 else math.ceil(5 * share) for share in shares)
    most = tests[0][0].max_points
    full = sum(test.passed for test, _ in tests) / len(tests)
    histogram = tuple(bins[i] for i in range(7))
    separates = _correlation([test.points for test, _ in tests], [rest for _, rest in tests])
    return Question(name, most, mean(test.points for test, _ in tests), full, histogram, separates)


def _correlation(x: list[float], y: list[float]) -> float | None:
    """Pearson's correlation; 0 where x does not vary, None where only y does not."""
    mx, my = mean(x), mean(y)
    sxx, syy = math.fsum((a - mx) ** 2 for a in x), math.fsum((b - my) ** 2 for b in y)
    if sxx < 1e-12 or syy < 1e-12:
        return 0.0 if sxx < 1e-12 else None
    return math.fsum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / math.sqrt(sxx * syy)


def check_plot(path: Path | None) -> None:
    """That a plot can be drawn into this file, before the work whose result it shows.

    Raises:
        ValueError: if its ending names no format, or its folder is not there.
    """
    if path is None:
        return
    if path.suffix.lower() not in PLOTS:
        raise ValueError(f"plot: got {str(path)!r}, expected a file that ends in {', '.join(PLOTS)}")
    if not path.parent.is_dir() or path.is_dir() or not os.access(path.parent, os.W_OK):
        raise ValueError(f"plot: got {str(path)!r}, expected a file in a folder that is there and can be written")


def plot(report: Report, path: Path, title: str) -> None:
    """Draws the distribution of all points and of each question's; the file's ending says the format."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # matplotlib takes a second to import
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3 + 0.28 * len(report.questions)), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, height_ratios=[2.4, max(1.0, 0.28 * len(report.questions))])
    above.hist(report.points, bins=20, range=(0, report.max_points or 1), color="#31688e", edgecolor="white")
    above.set(title=title, xlabel=f"points of {report.max_points:g} in the tests", ylabel="submissions")
    names = [f"{q.name.removeprefix('test_')} ({q.max_points:g})" for q in report.questions]
    left = [0.0] * len(names)
    labels = ["none", "to 20 %", "to 40 %", "to 60 %", "to 80 %", "below 100 %", "full points"]
    shades = ["#b3261e", "#d6604d", "#f4a582", "#fddbc7", "#d1e5f0", "#92c5de", "#2166ac"]
    for i, (label, shade) in enumerate(zip(labels, shades, strict=True)):
        widths = [100 * q.histogram[i] / (sum(q.histogram) or 1) for q in report.questions]
        below.barh(names, widths, left=left, color=shade, label=label)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    below.invert_yaxis()
    below.set(xlabel="share of the class (%)", xlim=(0, 100))
    below.legend(ncols=4, fontsize=8, loc="upper center", bbox_to_anchor=(0.4, -0.12))
    figure.savefig(path)
