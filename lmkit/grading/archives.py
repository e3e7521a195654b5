"""Reads an export, folder or zip, zips in zips included, without unpacking anything to the disk.

Only notebooks are read whole; of anything else the name shows who handed in something.
"""

import contextlib
import io
import itertools
import lzma
import os
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from lmkit.grading.notebook_files import LARGEST_FILE, LARGEST_READ, NOTEBOOK, readable, slimmed

MOST_MEMBERS = 1_000_000  # files in one export that are noted
MOST_BYTES = 3 * LARGEST_READ  # notebooks of one submission; what follows is left out, nobody else's is
MOST_NOTEBOOKS = 200  # of one submission, with METADATA and TIMESTAMP; and so many zips
MOST_OTHERS = 20  # files of one submission that are no notebooks, and are noted; and so many that cannot be read
DEEPEST_ZIP = 2  # a student's zip in the export's zip, and one in that
METADATA = "submission_metadata.yml"  # Gradescope's
TIMESTAMP = "timestamp.txt"  # nbgrader's: when it was handed in
CANVAS = re.compile(  # a file, or what was typed in Canvas itself
    r"(?P<name>[^_/]+)(?P<late>_LATE)?_(?P<id>\d+)_(?:(?P<upload>\d+)_(?P<file>.+)|(?:text|link)\.html)"
)
# A file's first number is Moodle's, for what stands behind ``_assignsubmission_file_`` is the student's own; a folder's
# last one is, for what stands before it may be, too.
MOODLE_FOLDER = re.compile(r"(?P<name>[^/]+)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?")
MOODLE = re.compile(r"(?P<name>[^/]+?)_(?P<id>\d+)_assignsubmission_(?:file|onlinetext)_?(?P<file>[^/]*)")
GRADESCOPE = re.compile(r"submission_\d+")
# What ``zipfile`` may raise over a file that is damaged, or made to be.
UNREADABLE = (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, RuntimeError, OSError, EOFError)
UNREADABLE += (ValueError, LookupError, OverflowError, struct.error)


@dataclass(frozen=True)
class Member:
    """One file of an export.

    Attributes:
        where: its path there.
        content: what it holds; empty for what is neither a notebook nor about one: it only shows who handed in something.
        time: when it was last changed, in seconds since 1970; 0 if unknown.
        index: its place in the order of reading.
        likeness: how much it looks like the homework wanted; see ``platforms.Attempt``.
        content_hash: of a notebook's bytes, once they have been read.
        problem: why a notebook could not be read, in words.
    """

    where: str
    content: bytes = field(repr=False)
    time: float
    index: int = 0
    likeness: int = 0
    content_hash: str = ""
    problem: str = ""

    @property
    def is_notebook(self) -> bool:
        """Whether it could be handed in as a notebook."""
        return bool(NOTEBOOK.fullmatch(self.parts[-1])) and not self.problem

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The path, component by component."""
        return PurePosixPath(self.where).parts


class Export:
    """An export; iterate over it for its files. ``warnings`` says what was left out.

    Raises:
        ValueError: if the source is neither folder nor zip, or holds far more files than a class can have.
    """

    def __init__(self, source: Path) -> None:
        self.source = source
        self.warnings: list[str] = []
        self._members = 0
        self._bytes: Counter = Counter()  # by submission
        self._files: Counter = Counter()  # by submission and kind

    def __iter__(self) -> Iterator[Member]:
        for member in self._everything():
            kind, most = "notebook", MOST_NOTEBOOKS
            if member.problem:
                kind, most = "unreadable", MOST_OTHERS
            elif member.where.lower().endswith(".zip"):
                kind = "zip"
            elif not member.is_notebook and member.parts[-1] not in (METADATA, TIMESTAMP):
                kind, most = "other file", MOST_OTHERS
            whose = _submission(member.where), kind
            self._files[whose] += 1
            if self._files[whose] > most:
                if kind in ("notebook", "unreadable") and self._files[whose] == most + 1:
                    what = "files to read" if kind == "notebook" else "files that cannot be read"
                    self.warnings.append(f"left out, more than {most} {what}: {member.where!r} and what follows")
                continue
            self._members += 1
            if self._members > MOST_MEMBERS:
                raise ValueError(
                    f"source: more than {MOST_MEMBERS} files in {str(self.source)!r}: expected the submissions of one homework"
                )
            if member.problem:
                self.warnings.append(f"left out, {member.problem}: {member.where!r}")
            yield member

    def _everything(self) -> Iterator[Member]:
        if self.source.is_dir():
            yield from self._folder()
        elif self.source.is_file():
            with open(self.source, "rb") as file:
                yield from self._zip(file, "", 0)
        else:
            raise ValueError(
                f"source: got {str(self.source)!r}, expected a folder or a zip that a learning platform exported"
            )

    def _folder(self) -> Iterator[Member]:
        for folder, subfolders, names in os.walk(self.source, followlinks=False):
            subfolders.sort()
            here = Path(readable(str(Path(folder).relative_to(self.source))))
            # Who handed in only hidden files, ``.ipynb_checkpoints`` say, handed in nothing, and is somebody all the same.
            if here.parts and _wanted(here.as_posix()) and not any(map(_wanted, (*subfolders, *names))):
                yield Member((here / "(nothing)").as_posix(), b"", 0.0)
            for name in sorted(names):
                path, where = Path(folder) / name, (here / readable(name)).as_posix()
                if not _wanted(where):
                    continue
                if path.is_symlink() or not path.is_file():
                    yield _left_out(where, "a link or no ordinary file")
                    continue
                try:
                    with open(path, "rb") as file:
                        if where.lower().endswith(".zip"):
                            yield Member(where, b"", _file_time(path))
                            yield from self._zip(file, where, 1)
                        else:
                            yield self._file(where, file, _file_time(path))
                except OSError as error:
                    yield _left_out(where, f"cannot be read ({error.strerror or error})")

    def _zip(self, file: BinaryIO, inside: str, depth: int) -> Iterator[Member]:
        try:
            archive = zipfile.ZipFile(file)
        except UNREADABLE:
            if depth == 0:
                raise ValueError(f"source: got {str(self.source)!r}, which is no zip that can be read") from None
            yield _left_out(inside, "no zip that can be read")
            return
        with archive:
            yield from self._empty(archive, inside)
            for member in archive.infolist():
                name = _name(member)
                where = f"{inside}/{name}" if inside else name
                if member.is_dir() or not _wanted(where):
                    continue
                linked = (member.external_attr >> 16) & 0o170000 == 0o120000
                if linked or name.startswith("/") or ":" in name[:2] or ".." in PurePosixPath(name).parts:
                    if inside:
                        yield _left_out(inside, f"{name[:80]!r} in it leads elsewhere")
                    else:
                        self.warnings.append(f"left out, its name leads elsewhere: {name!r}")
                    continue
                if member.flag_bits & 1:
                    yield _left_out(where, "it asks for a password")
                    continue
                try:
                    with archive.open(member) as stream:
                        if not where.lower().endswith(".zip"):
                            yield self._file(where, stream, _zip_time(member))
                        elif depth < DEEPEST_ZIP:
                            yield Member(where, b"", _zip_time(member))
                            content = self._read(where, stream)
                            if len(content) > LARGEST_READ:
                                yield _left_out(
                                    where,
                                    f"a zip in a zip, larger than {LARGEST_READ // 10**6} MB: unpack the outer one",
                                )
                                continue
                            yield from self._zip(io.BytesIO(content), where, depth + 1)
                        else:
                            yield _left_out(where, "a zip too deep inside others")
                except UNREADABLE as error:
                    yield _left_out(where, f"cannot be read ({str(error)[:80] or type(error).__name__})")

    def _empty(self, archive: zipfile.ZipFile, inside: str) -> Iterator[Member]:
        """Folders of a zip with nothing in them, or only hidden files: whose they are is somebody all the same."""
        full, empty = set(), set()
        for member in archive.infolist():
            parts = PurePosixPath(_name(member)).parts[:10]
            visible = tuple(itertools.takewhile(_wanted, parts))
            hidden = len(visible) < len(parts)
            above = visible if member.is_dir() or hidden else visible[:-1]
            if hidden or member.is_dir():
                empty.add(above)
                above = above[:-1]
            full.update(above[:i] for i in range(1, len(above) + 1))
        for parts in sorted(empty - full - {()}):
            if ".." not in parts and parts[0] != "/" and ":" not in parts[0][:2]:
                yield Member("/".join((*filter(None, [inside]), *parts, "(nothing)")), b"", 0.0)

    def _read(self, where: str, stream: BinaryIO) -> bytes:
        """A file's bytes, as long as the submission that it belongs to has not had too many."""
        whose = _submission(where)
        if self._bytes[whose] > MOST_BYTES:
            raise OSError(f"more than {MOST_BYTES // 10**6} MB handed in")
        content = stream.read(LARGEST_READ + 1)
        self._bytes[whose] += len(content)
        return content

    def _file(self, where: str, stream: BinaryIO, time: float) -> Member:
        name = PurePosixPath(where).name
        if not NOTEBOOK.fullmatch(name) and name not in (METADATA, TIMESTAMP):
            return Member(where, b"", time)
        content = self._read(where, stream)
        if len(slimmed(content)) > LARGEST_FILE:
            return _left_out(where, f"larger than {LARGEST_FILE // 10**6} MB")
        return Member(where, content, time)


def _left_out(where: str, why: str) -> Member:
    """What is not taken; who handed it in is known all the same."""
    return Member(where, b"", 0.0, problem=why)


def is_students(name: str) -> bool:
    """Whether a platform has named a folder or zip after a student; Canvas makes no folders."""
    return bool(MOODLE.fullmatch(name) or (CANVAS.fullmatch(name) and name.lower().endswith(".zip")))


def _submission(where: str) -> str:
    """Whose file it is, as far as a path can tell: folders above the outermost name of a platform hold the whole class."""
    parts = PurePosixPath(where).parts
    named = (
        i
        for i, part in enumerate(parts, 1)
        if is_students(part) or GRADESCOPE.fullmatch(part) or (i == len(parts) and CANVAS.fullmatch(part))
    )
    return "/".join(parts[: next(named, 9)])


def _wanted(where: str) -> bool:
    """Whether it is something that a student handed in, not what an editor or a Mac left beside it."""
    parts = PurePosixPath(where).parts
    hidden = (
        part.startswith(".") and part != ".." and not is_students(part) for part in parts
    )  # a student's may begin with a dot
    return not any(hidden) and "__MACOSX" not in parts


def _name(member: zipfile.ZipInfo) -> str:
    """A file's path in a zip; a Mac writes UTF-8 and does not say so."""
    name = member.filename
    if not member.flag_bits & 0x800:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode()
    return name.replace("\\", "/")


def _zip_time(member: zipfile.ZipInfo) -> float:
    try:
        return datetime(*member.date_time, tzinfo=UTC).timestamp()
    except ValueError:
        return 0.0


def _file_time(path: Path) -> float:
    """What a zip made here would say: the local time in steps of two seconds, as if it were UTC."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime // 2 * 2).replace(tzinfo=UTC).timestamp()
    except (ValueError, OverflowError):
        return 0.0
