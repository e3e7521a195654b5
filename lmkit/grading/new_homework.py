"""Begins a homework: a copy of the template, which at once releases, grades, and keeps to the contract with the grader."""

import re
import shutil
from pathlib import Path

from lmkit.grading import COURSE
from lmkit.grading.release import config_of

TEMPLATE = Path(__file__).parent / "templates" / "new_homework"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
LONGEST = 40


def begin(name: str, course: Path = COURSE) -> Path:
    """Copies the template to ``solutions/<name>/`` and returns that folder.

    Raises:
        ValueError: if the name is not one that files, nbgrader and a shell all take, or if there is such a homework.
    """
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise ValueError(
            f"name: got {name!r}, expected small letters, digits and single _ between them, beginning with a letter, "
            f"at most {LONGEST} characters, such as hw7_mixtures"
        )
    config_of(course)
    for room in ("solutions", "homeworks"):
        if (course / room / name).exists():
            raise ValueError(f"name: got {name!r}, but there is {room}/{name} already; expected a new one")
    folder = course / "solutions" / name
    shutil.copytree(TEMPLATE, folder, ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"))
    (folder / "NAME.ipynb").rename(folder / f"{name}.ipynb")
    for path in (folder / f"{name}.ipynb", folder / "rubric.md"):
        path.write_text(path.read_text(encoding="utf-8").replace("NAME", name), encoding="utf-8")
    return folder
