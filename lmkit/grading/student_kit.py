"""Writes what students get, as a folder and a zip: ``python -m lmkit.grading.student_kit [HOMEWORK …]``, all by default.

Released notebooks, a wheel of the parts of ``lmkit`` that the homeworks offer with ``lmkit check``, pinned requirements and a
README. No solution, hidden test, answer or rubric: ``leaks`` looks for their lines in everything before the kit is put in place.
"""

import ast
import base64
import importlib.metadata
import io
import json
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat

from lmkit.grading import COURSE, wheels
from lmkit.grading.packages import LMKIT, imported, lmkit_files
from lmkit.grading.release import SECRET_MARKS, homeworks, released_path, secret_lines
from lmkit.student.newer import VERSION

FOLDER, ZIP = "student-kit", "student-kit.zip"
TOOLS = ("ipykernel", "jupyterlab")
# The course's: students whose own is newer are told what this one does not know.
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
LEAST = 25  # characters of a line by which a leak into code is told from chance
HOOK = """

from lmkit.student.kit import refuse_at_home as _refuse_at_home

_refuse_at_home()
"""
START = '"""``python -m lmkit check NOTEBOOK``."""\n\nimport sys\n\nfrom lmkit.student.cli import main\n\nsys.exit(main())\n'


def make(names: Iterable[str] = (), course: Path = COURSE, target: Path | None = None) -> Path:
    """Writes the kit's folder and zip under ``target``, ``_build/student-kit`` of the course by default; returns the folder.

    Raises:
        ValueError: if a name is no released homework, or one does not declare what it offers.
        RuntimeError: if the kit would give something away; it is not written then.
    """
    released = {name: released_path(name, course) for name in sorted(set(names)) or homeworks(course)}
    offered = offers(released)
    target = target or course / "_build" / FOLDER
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target, prefix="new-") as temporary:
        fresh = Path(temporary) / FOLDER
        fresh.mkdir()
        for path in released.values():
            shutil.copyfile(path, fresh / path.name)
        needs = requirements(released, offered)
        wheel = write_wheel(fresh, released, offered, needs)
        # without what names a machine's own build, such as torch's "+cpu"
        pins = "".join(f"{name}=={importlib.metadata.version(name).split('+')[0]}\n" for name in (*needs, *TOOLS))
        (fresh / "requirements.txt").write_text(f"./{wheel.name}\n{pins}", encoding="utf-8")
        (fresh / "README.md").write_text(_readme(list(released), _with_torch(released)), encoding="utf-8")
        shutil.copyfile(COURSE / "LICENSE", fresh / "LICENSE")
        _zip(fresh, fresh.parent / ZIP)
        found = leaks(fresh.parent / ZIP, course)
        if found:
            raise RuntimeError("the kit would give away:\n  " + "\n  ".join(found))
        shutil.rmtree(target / FOLDER, ignore_errors=True)
        fresh.rename(target / FOLDER)
        (fresh.parent / ZIP).replace(target / ZIP)
    return target / FOLDER


def offers(released: dict[str, Path]) -> tuple[str, ...]:
    """What the homeworks together let answers import.

    Raises:
        ValueError: if one does not say: then all of ``lmkit`` would go to students, with what homeworks ask for.
    """
    names: set[str] = set()
    for name, path in released.items():
        declared = nbformat.read(path, as_version=4).metadata.get("lmkit", {}).get("may_import")
        if declared is None:
            raise ValueError(
                f"homework: {name} does not declare may_import in its metadata; expected a list of modules"
            )
        names |= set(declared)
    return tuple(sorted(names))


def requirements(released: dict[str, Path], offered: tuple[str, ...]) -> list[str]:
    """The packages beyond Python's own that answers may use, and that the kit's modules and notebooks import as they load."""
    names = {name for name in offered if name.split(".")[0] != "lmkit"} | {"numpy"}
    for path in lmkit_files(offered):
        body = ast.parse(path.read_text(encoding="utf-8")).body  # what a function imports is for readers of the book
        names |= imported("\n".join(ast.unparse(n) for n in body if isinstance(n, ast.Import | ast.ImportFrom)))
    for path in released.values():
        cells = nbformat.read(path, as_version=4).cells
        names |= {name for cell in cells if cell.cell_type == "code" for name in imported(cell.source)}
    return sorted({name.split(".")[0] for name in names} - set(sys.stdlib_module_names) - {"lmkit"})


def write_wheel(folder: Path, released: dict[str, Path], offered: tuple[str, ...], needs: list[str]) -> Path:
    """A wheel of the modules on offer and of what they import, of ``lmkit.student`` and of the released notebooks."""
    files = {f"lmkit/{path.name}": path.read_bytes() for path in lmkit_files(offered)}
    source = b"".join(files.values()).decode()
    named = [path for path in (LMKIT / "data").iterdir() if f'"{path.name}"' in source or f'"{path.stem}"' in source]
    files |= {f"lmkit/data/{path.name}": path.read_bytes() for path in named}  # texts that these modules read
    files |= {f"lmkit/student/{path.name}": path.read_bytes() for path in (LMKIT / "student").glob("*.py")}
    files |= {f"lmkit/student/released/{path.name}": path.read_bytes() for path in released.values()}
    files[f"lmkit/student/released/{VERSION}"] = PYTHON.encode()
    files["lmkit/__init__.py"] += HOOK.encode()
    files["lmkit/__main__.py"] = START.encode()
    return wheels.write_wheel(
        folder,
        "kit",
        "What the course's homeworks offer, and lmkit check",
        files,
        (*needs, "ipython", "packaging"),
        "lmkit = lmkit.student.cli:main\n",
    )


def _zip(folder: Path, target: Path) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.writestr(wheels.entry(f"{FOLDER}/{path.relative_to(folder).as_posix()}"), path.read_bytes())


def _with_torch(released: dict[str, Path]) -> list[str]:
    """The homeworks that cannot do without torch."""
    alone = ({name: path} for name, path in released.items())
    return [name for one in alone for name in one if "torch" in requirements(one, offers(one))]


def _readme(names: list[str], with_torch: list[str]) -> str:
    text = (Path(__file__).parent / "templates" / "student_kit.md").read_text(encoding="utf-8")
    torch = text.index("<!-- torch -->"), text.index("<!-- /torch -->")
    if not with_torch:
        text = text[: torch[0]] + text[torch[1] + len("<!-- /torch -->\n\n") :]
    text = text.replace("<!-- torch -->\n", "").replace("<!-- /torch -->\n", "")
    for word, some in {"TORCH": with_torch, "LIST": names}.items():
        text = text.replace(word, ", ".join(f"`{name}.ipynb`" for name in some))
    return text.replace("VERSION", PYTHON).replace("NOTEBOOK", f"{names[0]}.ipynb")


def leaks(kit: Path, course: Path = COURSE) -> list[str]:
    """What a kit's zip shows of any homework's solutions, hidden tests, answers and rubrics, in words.

    Every text in it is searched, those in wheels and in notebooks' metadata, outputs and attachments too.
    """
    secret: dict[str, str] = {}
    public = {line.strip() for path in LMKIT.glob("*.py") for line in path.read_text(encoding="utf-8").splitlines()}
    for name in homeworks(course):
        folder = course / "solutions" / name
        hidden, shown = secret_lines(folder / f"{name}.ipynb")
        public |= shown
        secret |= dict.fromkeys(hidden, f"{name}: a line of a solution or of a hidden test")
        for path in (p for p in sorted(folder.rglob("*")) if p.suffix in (".py", ".md", ".txt")):
            lines = {line.strip() for line in path.read_text(encoding="utf-8").splitlines()}
            secret |= dict.fromkeys(lines - secret.keys(), f"{name}: a line of {path.relative_to(folder)}")
    told = "\n".join(public)  # a line that is a part of one that everybody may read tells nothing
    pieces = _pieces(told)
    searched: dict[str, list[str]] = {}  # by their beginnings: few of a text's pieces are one
    for line in secret:
        if len(line) >= LEAST and not (line[:LEAST] in pieces and line in told):
            searched.setdefault(line[:LEAST], []).append(line)
    found = []
    for place, text in _texts(kit.name, kit.read_bytes()):
        found += [f"{place}: the mark {mark!r}" for mark in SECRET_MARKS if mark in text]
        lines = (line for piece in sorted(_pieces(text) & searched.keys()) for line in searched[piece])
        found += [f"{place}: {secret[line]}: {line!r}" for line in lines if line in text]
    return found


def _pieces(text: str) -> set[str]:
    """Every part of a text that has the length of the shortest line that is looked for."""
    return {text[i : i + LEAST] for i in range(len(text) - LEAST + 1)}


def _texts(name: str, content: bytes) -> Iterator[tuple[str, str]]:
    """Every text in a file, with the place where it stands; archives are opened, notebooks and base64 are read."""
    yield name, name
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                yield from _texts(f"{name} > {entry.filename}", archive.read(entry))
    elif name.endswith(".ipynb"):
        for text in _strings(json.loads(content)):
            yield name, text
            try:
                yield name, base64.b64decode(text, validate=True).decode("utf-8")
            except ValueError:
                pass
    else:
        yield name, content.decode("utf-8", "replace")


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        if value and all(isinstance(part, str) for part in value):
            yield "".join(value)
        else:
            for part in value:
                yield from _strings(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _strings(part)


def main(names: list[str]) -> int:
    """The command line."""
    try:
        folder = make(names)
    except (ValueError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    size = (folder.parent / ZIP).stat().st_size
    print(
        f"{folder.relative_to(COURSE)}/ and {(folder.parent / ZIP).relative_to(COURSE)} ({size / 1000:.0f} kB): hand out either."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
