"""Writes homeworks/ from solutions/ with nbgrader: ``python -m lmkit.grading.release [--check]``.

The gradebook is not touched. Before the first grading, ``nbgrader generate_assignment <homework> --force`` records the
homework in the gradebook; it writes the same files.
"""

import argparse
import filecmp
import logging
import os
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

import nbformat
from nbformat import NotebookNode, ValidationError
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import is_grade
from traitlets.config import Config, PyFileConfigLoader

from lmkit.grading import COURSE

SECRET_MARKS = ("BEGIN SOLUTION", "END SOLUTION", "BEGIN HIDDEN TESTS", "END HIDDEN TESTS")
# What c.CourseDirectory may not call otherwise.
ROOMS = {
    "source_directory": "solutions",
    "release_directory": "homeworks",
    "submitted_directory": "submitted",
    "directory_structure": CourseDirectory.directory_structure.default_value,
}


def config_of(course: Path) -> Path:
    """A course directory's ``nbgrader_config.py``.

    Raises:
        ValueError: if there is no such file.
    """
    path = course / "nbgrader_config.py"
    if not path.is_file():
        raise ValueError(f"course: got {course}, which has no nbgrader_config.py; expected a course's directory")
    return path


def load_config(course: Path = COURSE) -> Config:
    """The configuration in a course directory's ``nbgrader_config.py``.

    Raises:
        ValueError: if there is no such file, Python cannot run it, or it moves a directory that must lie in the course's.
    """
    path = config_of(course)
    try:
        config = PyFileConfigLoader(path.name, path=str(course)).load_config()
    except (Exception, SystemExit) as error:
        places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        if isinstance(error, SyntaxError):
            places.append((error.filename or "", error.lineno))
        where = [f"{file}, line {line}" for file, line in places if _is_ours(Path(file), course)]
        said = f"{type(error).__name__}: {getattr(error, 'msg', error)}"
        raise ValueError(f"course: got {[str(path), *where][-1]}, which Python cannot run: {said}") from None
    rooms = config.CourseDirectory
    rooms.setdefault("root", str(course))  # nbgrader would take the directory that a command is started in
    if "\0" in str(rooms.root) or Path(str(rooms.root)).resolve() != course.resolve():
        raise ValueError(f"c.CourseDirectory.root: got {rooms.root!r}, expected the directory of {path}")
    for name, room in ROOMS.items():
        if rooms.setdefault(name, room) != room:
            raise ValueError(
                f"c.CourseDirectory.{name}: got {rooms[name]!r}, expected {room!r}, where lmkit reads and writes"
            )
    return config


def _is_ours(file: Path, course: Path) -> bool:
    """Whether a file is the course's own; an environment that lies in its directory is not."""
    file = file.resolve()
    return file.is_file() and file.is_relative_to(course.resolve()) and not file.is_relative_to(sys.prefix)


def find_alembic() -> None:
    """Makes sure that nbgrader can make a gradebook."""
    # nbgrader starts ``alembic`` by name; it lies beside the interpreter, whether or not that is on the PATH.
    beside = str(Path(sys.executable).parent)
    if beside not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = beside + os.pathsep + os.environ.get("PATH", "")


def nbgrader_api(config: Config) -> NbGraderAPI:
    """nbgrader's own Python interface under a configuration, telling only of errors."""
    find_alembic()
    config.NbGraderAPI.log_level = logging.ERROR
    return NbGraderAPI(CourseDirectory(config=config), config=config)


def homeworks(course: Path = COURSE) -> list[str]:
    """Names of all homeworks that have a source notebook."""
    return sorted(
        path.parent.name for path in (course / "solutions").glob("*/*.ipynb") if path.stem == path.parent.name
    )


def check_homework(name: str, course: Path) -> None:
    """That a course has a homework of this name, as a source or released.

    Raises:
        ValueError: if it has others only.
    """
    there = {path.stem for path in (course / "homeworks").glob("*/*.ipynb") if path.stem == path.parent.name}
    there = sorted(there.union(homeworks(course)))
    if there and name not in there:
        raise ValueError(f"homework: got {name!r}, expected one of {', '.join(there)}")


def released_path(name: str, course: Path) -> Path:
    """The notebook that students got.

    Raises:
        ValueError: if the course has no such homework, or has not released it, or is none.
    """
    check_homework(name, course)
    path = course / "homeworks" / name / f"{name}.ipynb"
    if not path.is_file():
        config_of(course)
        raise ValueError(f"homework: got {name!r}, but there is no {path}; `make release` writes homeworks/")
    return path


def read_notebook(path: Path) -> NotebookNode:
    """A notebook of the course's own.

    Raises:
        ValueError: if it is none, or damaged (what a merge leaves in a file, for example), or grades nothing.
    """
    try:
        notebook = nbformat.read(path, as_version=4)
        cells = list(enumerate(notebook.cells, start=1))
        nameless = [
            i for i, cell in cells if "nbgrader" in cell.metadata and not cell.metadata.nbgrader.get("grade_id")
        ]
        graded = [i for i, cell in cells if isinstance(cell.source, str) and is_grade(cell)]
    except (ValueError, ValidationError, AttributeError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(
            f"homework: got {path}, which is no notebook that can be read ({type(error).__name__})"
        ) from None
    if nameless:
        raise ValueError(
            f"homework: got {path}, whose cell {nameless[0]} has no grade_id among what nbgrader notes of it"
        )
    if not graded:
        raise ValueError(f"homework: got {path}, in which no cell gives points")
    return notebook


def nothing_graded(homework: str) -> ValueError:
    """What is raised where grades are asked for and there are none."""
    return ValueError(f"homework: got {homework!r}, of which nothing is graded; `lmkit grade {homework}` does that")


def generate(homework: str, destination: Path, course: Path = COURSE) -> Path:
    """Lets nbgrader write the student version of one homework under ``destination``; returns its directory.

    Raises:
        RuntimeError: if nbgrader fails, or if the result holds a solution, a hidden test or an output.
    """
    config = load_config(course)
    destination.mkdir(parents=True, exist_ok=True)
    config.CourseDirectory.release_directory = str(destination)
    config.CourseDirectory.db_url = f"sqlite:///{destination / 'throwaway.db'}"
    result = nbgrader_api(config).generate_assignment(homework)
    if not result["success"]:
        raise RuntimeError(f"nbgrader could not generate {homework}:\n{result.get('error') or result.get('log')}")
    found = leaks(course / "solutions" / homework, destination / homework)
    if found:
        raise RuntimeError(f"the release of {homework} would give away:\n  " + "\n  ".join(found))
    return destination / homework


def leaks(source: Path, released: Path) -> list[str]:
    """What the notebooks of a release show of the solutions, hidden tests and outputs of their sources, in words."""
    expected = {f"{source.name}.ipynb"}
    found = [f"the file {p.name}" for p in sorted(released.rglob("*")) if p.is_file() and p.name not in expected]
    for path in sorted(released.glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(cell.source for cell in cells)
        lines = {line.strip() for line in text.splitlines()}
        found += [f"{path.name}: the mark {mark!r}" for mark in SECRET_MARKS if mark in text]
        found += [f"{path.name}: outputs of cell {cell.id}" for cell in cells if cell.get("outputs")]
        secret, public = secret_lines(source / path.name)
        found += [f"{path.name}: {line!r}" for line in sorted((secret - public) & lines)]
    return found


def secret_lines(path: Path) -> tuple[set[str], set[str]]:
    """Lines that stand in a source between the marks, or in written answers, and those that stand elsewhere in it."""
    secret, public = set(), set()
    for cell in nbformat.read(path, as_version=4).cells:
        hidden = cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("solution", False)
        for line in map(str.strip, cell.source.splitlines()):
            if any(mark in line for mark in SECRET_MARKS):
                hidden = "BEGIN" in line
            elif line:
                (secret if hidden else public).add(line)
    return secret, public


def _differences(fresh: Path, committed: Path) -> list[str]:
    if not committed.is_dir():
        return [f"{committed.name} was never released"]
    names = {p.relative_to(root) for root in (fresh, committed) for p in root.rglob("*") if p.is_file()}
    return [
        str(Path(committed.name) / name)
        for name in sorted(names)
        if not ((fresh / name).is_file() and (committed / name).is_file())
        or not filecmp.cmp(fresh / name, committed / name, shallow=False)
    ]


def release(check: bool = False, course: Path = COURSE) -> list[str]:
    """Brings homeworks/ up to date and returns what was stale; with ``check`` changes nothing.

    Each homework's directory is written elsewhere and then put in place, so that it is never half-written.
    """
    stale, target = [], course / "homeworks"
    target.mkdir(exist_ok=True)
    names = homeworks(course)
    build = course / "_build"  # on the same disk, so that a directory can be renamed, and never committed
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build, prefix="release-") as temporary:
        for i, homework in enumerate(names, start=1):
            print(f"[{i}/{len(names)}] {homework} … ", end="", flush=True)
            fresh = generate(homework, Path(temporary) / "new", course)
            changed = _differences(fresh, target / homework)
            stale += changed
            if changed and not check:
                if (target / homework).exists():
                    shutil.move(target / homework, Path(temporary) / f"old-{homework}")
                fresh.rename(target / homework)
            state = ("stale: " if check else "wrote ") + ", ".join(changed) if changed else "up to date"
            print(state)
    for gone in sorted(p for p in target.iterdir() if p.is_dir() and p.name not in names):
        stale.append(f"{gone.name} has no source")
        if not check:
            shutil.rmtree(gone)
    return stale


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Write homeworks/ from solutions/.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if homeworks/ is not up to date")
    check = parser.parse_args().check
    stale = release(check)
    if check and stale:
        print("homeworks/ is stale (" + "; ".join(stale) + "): run `make release`", file=sys.stderr)
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
