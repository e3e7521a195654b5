"""Notebooks as students hand them in and as the course released them, read without nbgrader: cells as plain records."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lmkit.student.pasted import attached, not_shown

KIT = Path(__file__).parent / "released"  # in the student's kit
REPOSITORY = Path(__file__).parents[2] / "homeworks"  # in the course's repository
LARGEST_FILE = 20_000_000  # bytes without outputs; pasted photographs of a derivation fit
LARGEST_READ = 100_000_000  # bytes with outputs: a training that printed every step
MOST_CELLS = 1000
KEPT = ("cell_type", "id", "metadata", "source", "attachments")  # of a cell, where outputs are left out


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        name: nbgrader's id of the cell; empty for a cell of the statement or of the student's own.
        kind: ``test``, ``answer``, ``written`` (an answer in words), ``given`` (locked) or ``own``.
        source: its text.
        code: whether it is a code cell.
        points: of a test or of an answer in words.
        id: the notebook's own id of it.
        not_shown: pictures in its text that a grader will not see, each with the reason.
    """

    name: str
    kind: str
    source: str
    code: bool
    points: float = 0.0
    id: str = ""
    not_shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Released:
    """A homework as students get it.

    Attributes:
        homework: its name.
        cells: its cells in order.
        may_import, may_not_import: what answers may import, as ``offered`` explains.
        titles: for each test and written answer the heading that it stands under.
    """

    homework: str
    cells: tuple[Cell, ...]
    may_import: tuple[str, ...] | None
    may_not_import: tuple[str, ...] = ()
    titles: dict[str, str] = field(default_factory=dict)


def read(path: Path) -> tuple[list[Cell], dict[str, Any]]:
    """The cells of a notebook file and its metadata.

    Raises:
        ValueError: if there is no such file, it is no notebook, or larger than the grader reads; the text is a sentence for
            the student.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        near = sorted(p.name for p in path.parent.glob("*.ipynb")) if path.parent.is_dir() else []
        there = f"this folder has {', '.join(near)}" if near else "no notebook is in that folder; is it another one?"
        raise ValueError(f"{path}: there is no such file; {there}") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror}); expected a notebook, a file .ipynb") from None
    if len(content) > LARGEST_READ:
        raise ValueError(f"{path}: {_too_large(len(content), LARGEST_READ)}")
    encoding = json.detect_encoding(content)  # a shell of Windows redirects in UTF-16
    # NaN and the like, which are no JSON: the grader cannot leave out the outputs that hold one.
    odd = [encoding] * (not encoding.startswith("utf-8"))
    try:
        notebook = json.loads(content.decode(encoding).removeprefix("\ufeff"), parse_constant=odd.append)
    except (ValueError, RecursionError):
        raise ValueError(
            f"{path}: is no Jupyter notebook, or was cut off when it was saved: open it in Jupyter and save it again"
        ) from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError(f"{path}: has no list of cells: save it as a Jupyter notebook (format 4) again")
    if why := _not_read(content, notebook, bool(odd)):
        raise ValueError(f"{path}: {why}")
    metadata = notebook.get("metadata")
    return [_cell(cell) for cell in cells if isinstance(cell, dict)], metadata if isinstance(metadata, dict) else {}


def _not_read(content: bytes, notebook: dict[str, Any], odd: bool) -> str:
    """Why the grader does not read a notebook, which it measures without its outputs if it is large; empty if it does."""
    cells = notebook["cells"]
    if len(cells) > MOST_CELLS:
        return f"has {len(cells)} cells, and the grader reads at most {MOST_CELLS}"
    if len(content) <= LARGEST_FILE:
        return ""
    kept = [{key: cell[key] for key in KEPT if key in cell} for cell in cells if isinstance(cell, dict)]
    try:
        json.dumps(notebook, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:  # half of a character
        odd = True
    if odd or len(kept) < len(cells):
        return _too_large(len(content), LARGEST_FILE)
    size = len(json.dumps(kept, indent=1, ensure_ascii=content.isascii()).encode("utf-8"))  # é is escaped or it is not
    if size > LARGEST_FILE:
        most = f"the grader reads at most {LARGEST_FILE // 10**6}: make its pictures smaller"
        return f"has {size / 1e6:.2f} MB without its outputs, and {most}"
    return ""


def _too_large(size: int, most: int) -> str:
    return f"has {size / 1e6:.1f} MB, and the grader reads at most {most // 10**6}: clear its outputs, save it again"


def _cell(cell: dict) -> Cell:
    source, about = cell.get("source", ""), cell.get("metadata")
    text = "".join(line for line in source if isinstance(line, str)) if isinstance(source, list) else str(source)
    about = about.get("nbgrader") if isinstance(about, dict) else None
    about = about if isinstance(about, dict) else {}
    code, name = cell.get("cell_type") == "code", about.get("grade_id")
    kind = "own"
    if about.get("solution"):
        kind = "answer" if code else "written"
    elif about.get("grade"):
        kind = "test" if code else "given"
    elif about.get("locked"):
        kind = "given"
    points = about.get("points") if isinstance(about.get("points"), int | float) else 0
    text = text.replace("\r\n", "\n")
    unseen = () if code else tuple(not_shown(*attached(text, cell.get("attachments"))))
    name = name if isinstance(name, str) else ""
    return Cell(name, kind, text, code, float(points), str(cell.get("id", "")), unseen)


def released(folder: Path | None = None) -> dict[str, Released]:
    """The homeworks that the course has released: those of the kit, or of the repository; by name."""
    folder = folder or (KIT if KIT.is_dir() else REPOSITORY)
    found = {}
    for path in sorted(folder.glob("*.ipynb") if folder == KIT else folder.glob("*/*.ipynb")):
        cells, metadata = read(path)
        rules = metadata.get("lmkit", {})
        may = rules.get("may_import")
        may, may_not = None if may is None else tuple(may), tuple(rules.get("may_not_import", ()))
        found[path.stem] = Released(path.stem, tuple(cells), may, may_not, _titles(cells))
    return found


def _titles(cells: list[Cell]) -> dict[str, str]:
    titles, heading = {}, ""
    for cell in cells:
        if cell.kind == "own" and not cell.code:
            for line in re.findall(r"^#+ +(.+)$", re.sub(r"^```.*?^```", "", cell.source, flags=re.M | re.S), re.M):
                heading = re.sub(r"\s*\([^()]*\bpoints?\b[^()]*\)\s*$", "", line).removeprefix("Part ").strip()
        elif cell.kind in ("test", "written"):
            titles[cell.name] = heading
    return titles


def homework_of(cells: list[Cell], known: dict[str, Released], path: Path) -> Released:
    """The homework that a notebook is an answer to: the one with which it shares most cells.

    Raises:
        ValueError: if it shares none.
    """
    names = {cell.name for cell in cells} - {""}
    shared = {name: len(names & {cell.name for cell in one.cells}) for name, one in known.items()}
    # A notebook that was copied cell by cell has lost the names; its file may still have the homework's.
    best = max(shared, key=lambda name: (shared[name], path.stem.startswith(name)), default="")
    if not best or not (shared[best] or path.stem.startswith(best)):
        raise ValueError(f"{path}: is none of the homeworks that are here; expected {', '.join(known) or 'a homework'}")
    return known[best]
