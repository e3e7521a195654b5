"""What a machine offers for grading, and what to install."""

import os
import platform
import shutil
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from nbgrader.coursedir import CourseDirectory

import lmkit
from lmkit.grading.gradebook import CannotWrite, in_words, open_gradebook
from lmkit.grading.release import homeworks, load_config
from lmkit.grading.sandbox import INSTALL, Limits, why_not
from lmkit.grading.settings import VARIABLE, is_secret, limits
from lmkit.grading.starting import cores

PACKAGES = ("nbgrader", "nbconvert", "distributed", "typer", "rich", "msgspec", "latex2mathml")


@dataclass(frozen=True)
class Item:
    """One thing looked at: ``state`` is ``"good"``, ``"look"`` or ``"missing"``; grading needs what is missing."""

    name: str
    state: str
    words: str


def examine(course: Path) -> list[Item]:
    """Everything that grading depends on."""
    why = why_not()
    items = [
        Item(
            "lmkit",
            "good",
            f"{lmkit.__version__}, Python {platform.python_version()}, {platform.system()} {platform.release()}",
        ),
        Item("sandbox", "missing" if why else "good", _sandbox(why)),
        _cores(),
        _memory(),
        _disk(course),
        *_packages(),
    ]
    if not (course / "nbgrader_config.py").is_file():
        return [*items, Item("course", "missing", f"{course} has no nbgrader_config.py; --course says where it is")]
    return [*items, *_course(course)]


def _sandbox(why: str) -> str:
    if not why:
        return "bubblewrap works: students' code sees neither your files nor the network"
    return INSTALL.format(why=why)


def _cores() -> Item:
    count = len(cores())
    return Item(
        "processors", "good", f"{count}: `lmkit grade` uses {count} grading processes unless --jobs says otherwise"
    )


def _memory() -> Item:
    try:
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return Item("memory", "look", "unknown on this system")
    need = len(cores()) * 2
    state = "good" if pages >> 30 >= need else "look"
    return Item("memory", state, f"{pages / 2**30:.0f} GB; about 2 GB a grading process, {need} GB for all processors")


def _disk(course: Path) -> Item:
    free = shutil.disk_usage(course if course.exists() else Path.cwd()).free
    return Item(
        "disk", "good" if free > 2 << 30 else "look", f"{free / 2**30:.0f} GB free; a class of 500 takes about 0.2 GB"
    )


def _packages() -> list[Item]:
    found, missing = [], []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    items = [Item("packages", "good", ", ".join(found))]
    if missing:
        items.append(
            Item("packages", "missing", f"{', '.join(missing)}: `{sys.executable} -m pip install 'lmkit[grading]'`")
        )
    return items


def _course(course: Path) -> list[Item]:
    config = load_config(course)
    items = []
    try:
        if is_secret(config):
            items.append(Item("course secret", "good", "hidden tests draw from a secret of this course's own"))
        else:
            words = f"the demo's, which everybody knows: set c.Grading.secret in nbgrader_config.py, or {VARIABLE}"
            items.append(Item("course secret", "look", words))
    except ValueError as error:
        items.append(Item("course secret", "missing", str(error)))
    try:
        chosen = limits(config)
        words = f"{chosen.cell_seconds} s a cell, {chosen.test_seconds} s a test, {chosen.total_seconds} s in all"
        words += f", {chosen.memory >> 20} MB"
        items.append(
            Item("limits", "good", words + ("" if chosen != Limits() else " (the defaults; c.Grading.… changes them)"))
        )
    except ValueError as error:
        items.append(Item("limits", "missing", str(error)))
    directory = CourseDirectory(config=config)
    if directory.db_url.startswith("sqlite") and "timeout=" not in directory.db_url:
        items.append(
            Item(
                "gradebook",
                "look",
                "a lock held for 5 s stops nbgrader's own commands: add ?timeout=60 to c.CourseDirectory.db_url",
            )
        )
    items.append(_recorded(course, directory))
    return items


def _recorded(course: Path, directory: CourseDirectory) -> Item:
    names = homeworks(course)
    known: list[str] = []
    try:
        with in_words(), open_gradebook(directory) or nullcontext() as book:
            known = [assignment.name for assignment in book.assignments] if book else []
    except CannotWrite as error:
        return Item("gradebook", "missing", str(error))
    unknown = [name for name in names if name not in known]
    if unknown:
        command = f"`nbgrader generate_assignment {unknown[0]} --force`"
        return Item("gradebook", "look", f"does not know {', '.join(unknown)} yet: before one is graded, {command}")
    if not known:
        return Item("homeworks", "look", f"there are none in {course / 'solutions'}: `lmkit new-homework` begins one")
    return Item("gradebook", "good", f"knows {', '.join(known)}")
