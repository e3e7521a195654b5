"""A submitted notebook as a file: found in its folder, read within limits and never through a link, and parsed.

A student wrote it, so everything in it may be other than it should be.
"""

import hashlib
import json
import os
import re
import stat
from itertools import count
from pathlib import Path

import msgspec

from lmkit.student.notebooks import KEPT, LARGEST_FILE, LARGEST_READ, MOST_CELLS
from lmkit.student.pasted import attached, not_shown, why_not

LARGEST_CELL = 500_000  # characters
STUDENT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}")
NOTEBOOK = re.compile(r"(?is).*\.ipynb(\.txt|\.json)?")  # browsers and mail programs add an ending
HANDED_IN = "handed-in.txt"  # written by the intake for those who handed in no notebook: what it was instead


class NotLetIn(ValueError):
    """The file cannot be graded; the text is for the student. ``kind`` is ``"malformed"`` or ``"refused"``."""

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


def check_student_id(student: str) -> str:
    """The id itself, if nbgrader, a shell and a file system all read it as one plain name.

    Raises:
        ValueError: otherwise. nbgrader matches ids as glob patterns: ``[abc]`` would stop a whole batch.
    """
    if not STUDENT_ID.fullmatch(student) or ".." in student:
        raise ValueError(
            f"student: got {student!r}, expected 1 to 100 letters, digits and . _ @ + - that begin with a letter or digit"
        )
    return student


def readable(name: str) -> str:
    """A file's name as text that can be written: what is no UTF-8 in it becomes ``\\xfc`` and the like."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def find_notebook(folder: Path, homework: str) -> tuple[Path, list[str]]:
    """The file in a submission's folder that holds the homework, and notes about the others.

    Raises:
        NotLetIn: if there is none, or no telling which.
    """
    if folder.is_symlink() or folder.parent.is_symlink():
        raise NotLetIn("refused", "The submission is a link to another place, not a folder with a notebook.")
    entries = sorted(folder.iterdir(), key=lambda path: path.name)
    notebooks = [
        p for p in entries if NOTEBOOK.fullmatch(p.name) and p.name[0] != "." and (p.is_symlink() or not p.is_dir())
    ]
    named = [p for p in notebooks if p.name == f"{homework}.ipynb"]
    similar = [p for p in notebooks if p.name.lower().startswith(homework.lower())]
    others = [p for p in entries if p not in notebooks and p.name not in ("timestamp.txt", HANDED_IN)]
    notes = [f"left out: {p.name[:80]!r}" for p in others]
    for choice in (named, similar, notebooks):
        if choice:
            newest = max(choice, key=lambda path: (path.lstat().st_mtime, path.name))
            if newest not in named:
                notes.append(f"graded {newest.name[:80]!r}: there is no {homework}.ipynb")
            beside = [f"{p.name[:80]!r}" for p in notebooks if p != newest]
            more = f" and {len(beside) - 3} more" if len(beside) > 3 else ""
            notes += [f"beside {newest.name[:80]!r} and not graded: {', '.join(beside[:3])}{more}"] * bool(beside)
            if newest.lstat().st_nlink > 1:
                notes.append("the file has a second name on this disk (a hard link): whose is it?")
            return newest, notes
    instead = [f"{p.name[:80]!r}" + ", a folder" * p.is_dir() for p in others]
    instead += [f"{name[:80]!r}" for name in _handed_in(folder / HANDED_IN)]
    words = f", got {', '.join(instead[:5])}" if instead else ""
    raise NotLetIn("malformed", f"No notebook was handed in: expected a file named {homework}.ipynb{words}.")


def _handed_in(path: Path) -> list[str]:
    """What the intake noted of somebody who handed in no notebook."""
    if path.is_symlink() or not path.is_file():
        return []
    return path.read_text(encoding="utf-8", errors="replace")[:2000].splitlines()


def read_file(path: Path) -> bytes:
    """The bytes of a regular file, never through a link, never more than the limit; a large notebook's without its outputs.

    Raises:
        NotLetIn: if it is something else, or too large.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        raise NotLetIn("refused", "The notebook is a link or cannot be opened; hand in the file itself.") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotLetIn("refused", "The notebook is no ordinary file; hand in the file itself.")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(LARGEST_READ + 1)
    except OSError:
        raise NotLetIn("refused", "The notebook cannot be read; hand it in again.") from None
    finally:
        os.close(descriptor)
    content = slimmed(content)
    if len(content) > LARGEST_FILE:
        raise NotLetIn(
            "refused", f"The file is larger than {LARGEST_FILE // 10**6} MB: clear its outputs, save it again."
        )
    return content


def slimmed(content: bytes) -> bytes:
    """A notebook that is too large, without outputs, which are not graded; anything else as it is."""
    if not LARGEST_FILE < len(content) <= LARGEST_READ:
        return content
    seen = count()

    def at_most(_: object) -> None:
        if next(seen) >= MOST_CELLS:  # while they are read: thirty million empty ones would take all memory
            raise ValueError(f"more than {MOST_CELLS} cells")

    # Raw is kept as it stands in the file; of fields that are not named nothing is built.
    fields = [(name, msgspec.Raw, msgspec.Raw()) for name in KEPT]
    cell = msgspec.defstruct("Cell", fields, namespace={"__post_init__": at_most})
    try:
        cells = msgspec.json.decode(
            content.removeprefix(b"\xef\xbb\xbf"), type=msgspec.defstruct("Cells", [("cells", list[cell])])
        ).cells
    except (msgspec.DecodeError, ValueError, RecursionError, MemoryError):
        return content
    return msgspec.json.encode(
        {"cells": [{name: raw for name in KEPT if (raw := getattr(c, name)) != msgspec.Raw()} for c in cells]}
    )


def hash_of(content: bytes) -> str:
    """SHA-256 of a submitted file, by which the audit log knows it."""
    return hashlib.sha256(content).hexdigest()


def parse(content: bytes) -> list[dict]:
    """The cells of a submitted file: dictionaries with ``type``, ``id``, ``grade_id``, ``source``, ``attachments``, and
    ``not_shown``: its pictures that a grader will not see, and why.

    Raises:
        NotLetIn: if the file is no notebook.
    """
    if not content.strip():
        raise NotLetIn("malformed", "The file is empty.")
    try:
        text = content.decode(json.detect_encoding(content)).removeprefix("\ufeff")
        read = json.loads(text, parse_int=lambda digits: int(digits[:18]))
    except (RecursionError, ValueError):  # nested a thousand deep, not text, not JSON
        raise NotLetIn("malformed", "The file is no Jupyter notebook, or was cut off: it is not valid JSON.") from None
    cells = read.get("cells") if isinstance(read, dict) else None
    if not isinstance(cells, list):
        raise NotLetIn("malformed", "The file has no list of cells: save it as a Jupyter notebook (format 4) again.")
    if len(cells) > MOST_CELLS:
        raise NotLetIn("refused", f"The notebook has {len(cells)} cells; at most {MOST_CELLS} are read.")
    return [_plain(cell) for cell in cells if isinstance(cell, dict)]


def _plain(cell: dict) -> dict:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    source = source if isinstance(source, str) else ""
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    kind, pictures = cell.get("cell_type"), {}
    if kind == "markdown":
        source, pictures = attached(source, cell.get("attachments"))
    return {
        "type": kind if kind in ("code", "markdown", "raw") else "raw",
        "id": cell.get("id") if isinstance(cell.get("id"), str) else "",
        "grade_id": grade_id if isinstance(grade_id, str) else "",
        "source": _text(source),
        "attachments": {_text(name)[:800]: picture for name, picture in pictures.items() if not why_not(picture)},
        "not_shown": not_shown(source[:LARGEST_CELL], pictures),
    }


def _text(source: str) -> str:
    """Source that every reader takes: valid Unicode, no control characters but line ends and tabs."""
    source = source[:LARGEST_CELL].replace("\r\n", "\n").replace("\r", "\n").replace("\f", "")
    source = source.encode("utf-8", "replace").decode("utf-8")
    return re.sub(r"[\x00-\x08\x0b\x0e-\x1f\x7f]", "�", source)
