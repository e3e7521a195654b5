"""Attack by attack, stock nbgrader and this grader: ``python -m tests.attacks`` writes a table to _build/attacks.md.

The attacks are those of ``hostile.py``. Each family hands in as one class, with an honest student at its end. Stock nbgrader
runs in a bubblewrap of its own, without a network and with a limit of memory; what could take the machine down all the same is
left out there. All of it takes about twenty minutes on an idle machine: ``--family files``, ``--first 3`` take a part.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).parent))

from hostile import HIDDEN, SECRET, Attack, attacks, homework
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

from lmkit.grading import COURSE
from lmkit.grading.gate import admit
from lmkit.grading.grader import grade_notebook
from lmkit.grading.marking import annotate
from lmkit.grading.master import Master
from lmkit.grading.notebook_files import NotLetIn
from lmkit.grading.pair import Pair
from lmkit.grading.release import load_config, nbgrader_api
from lmkit.grading.sandbox import Limits

BUILD = COURSE / "_build"
TABLE = BUILD / "attacks.md"
LIMITS = Limits(cell_seconds=2, test_seconds=2, total_seconds=25, memory=2 << 30, processes=48, disk=16 << 20)
# As root no limit of processes counts, and these would reach it.
TOO_DANGEROUS = ("fork bomb", "a thousand threads", "all memory in many processes")
STALLED = 90  # seconds without another notebook; its own limit is 5 for a cell
CONFIG = """\
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "homeworks"
c.CourseDirectory.db_url = "sqlite:///{root}/gradebook.db"
c.Execute.timeout = 5
"""
HONEST, ZOE = Attack("", "honest", "def double(x):\n    return 2 * x"), "zoe"


def verdict(points: float | None, gained: bool, shown: str) -> str:
    """What an attack came to, in words."""
    said = ["**undeserved points**"] if gained else []
    if [mark for mark in (*HIDDEN, "FOUND") if mark in shown]:
        said.append("**shows what is hidden**")
    return ", ".join(said) or ("not graded" if points is None else f"nothing gained ({points:g} points)")


def stock(family: list[Attack]) -> Iterator[tuple[str, str]]:
    """What stock nbgrader makes of a family's attacks."""
    root = BUILD / "attacks"
    shutil.rmtree(root, ignore_errors=True)
    (root / "solutions" / "small").mkdir(parents=True)
    nbformat.write(homework(), root / "solutions" / "small" / "small.ipynb")
    (root / "nbgrader_config.py").write_text(CONFIG.format(root=str(root)))
    made = nbgrader_api(load_config(root)).generate_assignment("small")
    if not made["success"]:
        raise RuntimeError(made.get("error"))
    tried = {f"m{i:03}": attack for i, attack in enumerate(family) if attack.name not in TOO_DANGEROUS}
    for student, attack in {**tried, ZOE: HONEST}.items():
        folder = root / "submitted" / student / "small"
        folder.mkdir(parents=True)
        (folder / "small.ipynb").write_bytes(attack.file())
    stopped: set[str] = set()
    while True:
        before = set(graded(root))
        command = [
            "bwrap",
            "--unshare-all",
            "--die-with-parent",
            "--new-session",
            "--ro-bind",
            "/",
            "/",
            "--dev",
            "/dev",
        ]
        command += ["--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/dev/shm", "--bind", str(root), str(root)]
        command += ["--setenv", "HOME", "/tmp", "--chdir", str(root), "prlimit", f"--as={4 << 30}", sys.executable]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process, done, waited = subprocess.Popen([*command, "-m", "nbgrader", "autograde", "small"], **quiet), before, 0
        while process.poll() is None and waited < STALLED:  # some let it hang for ever
            time.sleep(1)
            waited = waited + 1 if done == (done := set(graded(root))) else 0
        process.kill()
        process.wait()
        left = [student for student in sorted({*tried} - stopped) if student not in graded(root)]
        if ZOE in graded(root) or not left:
            break
        # It ended, or hangs, before the last student: whoever comes after those that were done has stopped it.
        done = sorted(set(graded(root)) - {ZOE})
        culprit = next((s for s in left if not done or s > done[-1]), left[0])
        stopped.add(culprit)
        shutil.rmtree(root / "submitted" / culprit)
        if before == set(graded(root)) and len(stopped) > len(tried):
            break
    with Gradebook(f"sqlite:///{root}/gradebook.db") as book:
        for student, attack in tried.items():
            try:
                found = book.find_submission_notebook("small", "small", student)
                points = {grade.name: grade.auto_score or 0.0 for grade in found.grades}
            except MissingEntry:
                points = None
            if student in stopped:
                yield attack.name, "**stops the batch**"
            elif student not in graded(root):
                yield attack.name, "not graded"
            else:
                cells = nbformat.read(graded(root)[student], as_version=4).cells
                gained = bool(points) and (points.get("test_double", 0) > 0 or sum(points.values()) > 5)
                yield attack.name, verdict(sum((points or {}).values()), gained, shown(cells))
    yield from ((attack.name, "not tried: too dangerous") for attack in family if attack.name in TOO_DANGEROUS)


def graded(root: Path) -> dict[str, Path]:
    """The notebooks that came out, by student."""
    return {path.parts[-3]: path for path in (root / "autograded").glob("*/small/small.ipynb")}


def shown(cells: list) -> str:
    """All that a student would see of the cells' outputs."""
    return json.dumps([cell.get("outputs") for cell in cells])


def ours(family: list[Attack], pair: Pair) -> Iterator[tuple[str, str]]:
    """What this grader makes of them."""
    release, _ = ClearSolutions().preprocess(homework(), {"language": "python"})
    release = ClearHiddenTests().preprocess(release, {"language": "python"})[0]

    def grade(attack: Attack) -> tuple:
        notebook = admit(attack.file(), release).notebook
        outcome = grade_notebook(notebook, pair, "mallory")
        return outcome, annotate(notebook, pair.master, outcome)

    for attack in family:
        try:
            outcome, notebook = grade(attack)
        except NotLetIn as refused:
            yield attack.name, f"{refused.kind}: nothing ran"
            continue
        said = verdict(outcome.points, outcome.tests[0].points > 0 or outcome.points > 5, shown(notebook.cells))
        if grade(HONEST)[0].points != 10:
            said += ", **the next student loses points**"
        yield attack.name, f"{said}, {outcome.kind}".replace("_", " ")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__.split("\n")[0])
    parser.add_argument("--family", help="this family only")
    parser.add_argument("--first", type=int, help="only so many attacks of each family")
    arguments = parser.parse_args()
    families: dict[str, list[Attack]] = {}
    for attack in attacks():
        families.setdefault(attack.family, []).append(attack)
    if arguments.family not in (None, *families):
        parser.error(f"no family {arguments.family!r}; there are: {', '.join(families)}")
    lines = ["| family | attack | stock `nbgrader autograde` | this grader |", "|---|---|---|---|"]
    with Pair(Master.from_notebook("small", homework()), SECRET, LIMITS) as pair:
        for name, family in families.items():
            if arguments.family in (None, name):
                family = family[: arguments.first]
                theirs, mine = dict(stock(family)), dict(ours(family, pair))
                lines += [f"| {name} | {a.name} | {theirs[a.name]} | {mine[a.name]} |" for a in family]
                print(f"{name}: {len(family)} attacks", file=sys.stderr, flush=True)
                print(write_table(lines), f"The table is in {TABLE.relative_to(COURSE)}.")


def write_table(lines: list[str]) -> str:
    """Writes the table as far as it has come; returns the sum."""
    rows = [line.split(" | ") for line in lines[2:]]
    theirs, mine = (sum("**" in row[column] for row in rows) for column in (2, 3))
    said = f"{len(rows)} attacks: {theirs} harm stock nbgrader, {mine} harm this grader."
    TABLE.write_text("\n".join([*lines, "", said]) + "\n", encoding="utf-8")
    return said


if __name__ == "__main__":
    main()
