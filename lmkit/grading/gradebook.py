"""What nbgrader's own ``autograde`` would leave behind, written in one transaction: the gradebook, and ``autograded/``.

nbgrader commits after every cell; a crash in between leaves half a submission. Here a submission is in the gradebook
whole or not at all.
"""

import errno
import math
import os
import re
import shutil
import sqlite3
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from itertools import takewhile
from pathlib import Path
from stat import S_IMODE
from typing import TextIO

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Assignment, Grade, Gradebook, MissingEntry, SubmittedAssignment, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties
from nbgrader.utils import compute_checksum, determine_grade, find_all_files, is_grade, is_solution, is_task, parse_utc
from sqlalchemy import func, make_url, select, text
from sqlalchemy.exc import ArgumentError, DatabaseError, ProgrammingError, SAWarning, SQLAlchemyError
from traitlets.config import Config

from lmkit.grading.cells import SourceCell
from lmkit.grading.outcome import Outcome
from lmkit.grading.release import check_homework, find_alembic, read_notebook

# nbgrader's own queries, three remarks for every student.
warnings.filterwarnings("ignore", "Object of type <Submitted", SAWarning)


PATIENCE = 60  # seconds to wait for who else has the gradebook locked, if its address says nothing else
SAME = 1e-3  # points; MySQL keeps six digits of a number


class CannotWrite(RuntimeError):
    """The disk is full, the gradebook locked or a plugin broken: grading stops, ``--resume`` goes on. The text says which."""


class Stale(RuntimeError):
    """The homework in ``solutions/`` is not the one that the gradebook grades by; the text says what to do."""


@contextmanager
def in_words(place: Path | None = None) -> Iterator[None]:
    """A full disk or a locked gradebook as ``CannotWrite``; ``place`` is what is written, where the system does not say."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS):
            raise CannotWrite(f"cannot write {error.filename or place or 'files'}: {error.strerror}") from None
        raise
    except (ProgrammingError, sqlite3.ProgrammingError):  # the grader's own
        raise
    except (ArgumentError, DatabaseError, sqlite3.DatabaseError) as error:
        raise CannotWrite(f"cannot use the gradebook: {getattr(error, 'orig', error)}") from None


def open_gradebook(directory: CourseDirectory) -> Gradebook | None:
    """The gradebook of a course; None for a file that is not there: nbgrader would make one that knows nothing.

    Raises:
        CannotWrite: if it is locked, damaged or of a kind that cannot be used here.
    """
    find_alembic()
    with in_words():
        url = make_url(directory.db_url)
        if (
            url.get_backend_name() == "sqlite"
            and url.database
            and not Path(url.database.removeprefix("file:")).exists()
        ):
            return None
        if url.get_backend_name() == "sqlite" and "timeout" not in url.query:
            url = url.update_query_dict({"timeout": str(PATIENCE)})
        try:
            return Gradebook(url.render_as_string(hide_password=False), directory.course_id)
        except ModuleNotFoundError as error:
            raise CannotWrite(
                f"cannot use the gradebook: got {url.drivername!r} in c.CourseDirectory.db_url, which needs the package "
                f"{error.name}"
            ) from None


class Records:
    """The gradebook of a course and the files beside it, for one homework and one writer.

    Raises:
        ValueError: if the gradebook does not know the homework.
        CannotWrite: if the gradebook is locked or damaged.
    """

    def __init__(self, config: Config, homework: str) -> None:
        self.homework = homework
        self.directory = CourseDirectory(config=config)
        self.late = AssignLatePenalties(config=config)
        self.late.init_plugin()
        book = open_gradebook(self.directory)
        if book is None:
            raise self._unknown()
        self.book = book
        with in_words():
            self._load()

    def _load(self) -> None:
        try:
            notebook = self.book.find_notebook(self.homework, self.homework)
        except MissingEntry:
            self.close()
            raise self._unknown() from None
        self.cells = {
            cell.name: SourceCell(cell.name, cell.cell_type, cell.locked, cell.source, cell.checksum)
            for cell in notebook.source_cells
        }
        self.kernelspec = notebook.kernelspec
        self.book.db.rollback()  # no read lock is left behind

    def _unknown(self) -> ValueError:
        check_homework(self.homework, Path(self.directory.root))
        return ValueError(
            f"homework: got {self.homework!r}, which the gradebook does not know; "
            f"`nbgrader generate_assignment {self.homework} --force` records it there"
        )

    def close(self) -> None:
        """Closes the gradebook."""
        self.book.close()

    def folder(self, step: str, student: str) -> Path:
        """A student's folder of one of nbgrader's steps, such as ``"submitted"``."""
        return Path(self.directory.format_path(getattr(self.directory, f"{step}_directory"), student, self.homework))

    def submitted(self) -> list[str]:
        """Everybody who handed in this homework, in order."""
        root = Path(self.directory.format_path(self.directory.submitted_directory, "x", self.homework)).parents[1]
        return sorted(p.name for p in root.glob("*") if (p / self.homework).is_dir()) if root.is_dir() else []

    def record(self, outcome: Outcome, notebook: NotebookNode) -> None:
        """Writes one graded submission: ``autograded/`` first, then the gradebook, whole or not at all.

        nbgrader asks a human to read every answer again that has points already; here only one that has another text now.

        Raises:
            CannotWrite: if the disk is full, the gradebook stays locked or the plugin for lateness raises.
        """
        with in_words(self.folder("autograded", outcome.student)):
            self._ask_again(outcome.student, notebook)  # before the old text is gone: a crash forgets nobody
            self._forget_time(outcome.student)  # likewise
            self._write_files(outcome.student, notebook)
            with self._transaction():
                self._write_grades(outcome.student, notebook)

    def read_before(self, student: str, notebook: NotebookNode) -> list[str]:
        """Where a human has given points for what now has another text, in words; the points stay.

        Raises:
            CannotWrite: if the gradebook stays locked.
        """
        with in_words():
            return self._read_before(student, notebook)

    def _read_before(self, student: str, notebook: NotebookNode) -> list[str]:
        try:
            old, new = self._graded_text(student), _sources(notebook)
            given = {grade.name: grade.manual_score for grade in self._marks(student) if grade.manual_score is not None}
        finally:
            self.book.db.rollback()
        found = []
        for name, points in given.items():
            answer = name if name in new else name.removeprefix("test_")
            if old and old.get(answer) != new.get(answer):
                found.append(
                    f"somebody gave {points:g} points for {name}, whose answer is another one now; they stay: read it again"
                )
        return found

    def _marks(self, student: str) -> list[Grade]:
        try:
            return list(self.book.find_submission_notebook(self.homework, self.homework, student).grades)
        except MissingEntry:  # graded for the first time
            return []

    def _graded_text(self, student: str) -> dict[str, list]:
        """What a student had written when it was graded last, by cell; nothing if that is not known."""
        try:
            return _sources(read_notebook(self.folder("autograded", student) / f"{self.homework}.ipynb"))
        except (OSError, ValueError):  # not there; or a file that a crash spoilt
            return {}

    def _ask_again(self, student: str, notebook: NotebookNode) -> None:
        """Marks what a human has read as not yet read where its text is another one now."""
        try:
            read = [g for g in self._marks(student) if g.manual_score is not None and not g.needs_manual_grade]
            old, new = self._graded_text(student) if read else {}, _sources(notebook)
            changed = [g for g in read if g.name not in old or old[g.name] != new.get(g.name)]
            for grade in changed:
                grade.needs_manual_grade = True
            if changed:
                self.book.db.commit()
        finally:
            self.book.db.rollback()

    def _write_files(self, student: str, notebook: NotebookNode) -> None:
        final = self.folder("autograded", student)
        final.parent.mkdir(parents=True, exist_ok=True)
        for left in final.parent.glob(f".{self.homework}-*"):  # by a crash
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=final.parent, prefix=f".{self.homework}-") as temporary:
            fresh = Path(temporary) / "new"
            fresh.mkdir()
            source = self.folder("source", ".")
            for path in map(Path, find_all_files(str(source), [*self.directory.ignore, "*.ipynb"])):
                (fresh / path.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, fresh / path.relative_to(source))
            stamp = self.folder("submitted", student) / "timestamp.txt"
            if stamp.is_file() and not stamp.is_symlink():
                shutil.copy(stamp, fresh / "timestamp.txt")
            path = fresh / f"{self.homework}.ipynb"
            nbformat.write(notebook, path)
            sync(path)
            for file in fresh.rglob("*"):
                if file.is_file():
                    file.chmod(0o444)
            if final.exists():
                final.rename(Path(temporary) / "old")
            fresh.rename(final)
        sync(final.parent)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """nbgrader's own functions commit as they go; inside this they only flush, and all is committed at the end.

        What the disk or a lock refuses is said here: nbgrader would print a traceback and call it a wrong entry.
        """
        session = self.book.db
        commit = session.commit

        def flush() -> None:
            with in_words():
                session.flush()

        try:
            if session.get_bind().dialect.name == "sqlite":
                session.execute(text("begin immediate"))  # waits for the lock of who else writes
            session.commit = flush
            yield
            commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.commit = commit
            session.expunge_all()  # what a class leaves in memory does not grow

    def _write_grades(self, student: str, notebook: NotebookNode) -> None:
        """As nbgrader's ``Autograde``, ``SaveAutoGrades`` and ``AssignLatePenalties`` do."""
        book = self.book
        book.update_or_create_student(student)
        stamp = self.timestamp(student)
        extra = {"timestamp": stamp} if stamp else {}
        submission = book.update_or_create_submission(self.homework, student, **extra)
        submitted = book.find_submission_notebook(self.homework, self.homework, student)
        grades = {grade.cell.name: grade for grade in submitted.grades}
        comments = {comment.cell.name: comment for comment in submitted.comments}
        for cell in notebook.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            if is_grade(cell):
                auto_score, _ = determine_grade(cell)
                grades[name].auto_score = auto_score
                read = grades[name].manual_score is not None
                if not (read and is_solution(cell)):  # else it is asked for where its text has changed
                    grades[name].needs_manual_grade = read or auto_score is None
            if is_solution(cell) or is_task(cell):
                untouched = cell.metadata.nbgrader.get("checksum") == compute_checksum(cell) and not is_task(cell)
                comments[name].auto_comment = "No response." if untouched else None
        book.db.flush()
        book.db.refresh(submitted)
        submitted.late_submission_penalty = self._penalty(student, submission, submitted)

    def timestamp(self, student: str, step: str = "submitted") -> datetime | None:
        """When a submission was handed in, UTC; None if its ``timestamp.txt`` does not say."""
        path = self.folder(step, student) / "timestamp.txt"
        if path.is_symlink() or not path.is_file() or path.stat().st_size > 200:
            return None
        try:
            # nbgrader would take +0100 for a hundred seconds.
            return parse_utc(re.sub(r" +(?=[+-]\d\d(:?\d\d)?$)", "", path.read_text(encoding="utf-8").strip()))
        except (ValueError, OverflowError):
            return None

    def timestamp_notes(self, student: str) -> list[str]:
        """In words for the instructor, if there is a ``timestamp.txt`` that says no time: nothing counts as late then."""
        unreadable = (self.folder("submitted", student) / "timestamp.txt").exists() and self.timestamp(student) is None
        return ["timestamp.txt says no time, so nothing is late: expected such as 2026-01-31 23:59:00 UTC"] * unreadable

    def _is_taken_out(self, student: str) -> bool:
        """Whether ``timestamp.txt`` said a time when the submission was graded, and says none now."""
        return self.timestamp(student) is None and self.timestamp(student, "autograded") is not None

    def _forget_time(self, student: str) -> None:
        """Takes a time out of the gradebook that is taken out; ``autograded/`` tells of it until its files are written again."""
        try:
            if self._is_taken_out(student):
                self.book.find_submission(self.homework, student).timestamp = None
                self.book.db.commit()
        except MissingEntry:
            pass
        finally:
            self.book.db.rollback()

    def auto_points(self) -> dict[str, float]:
        """What the tests gave each student, by the gradebook."""
        query = (
            select(SubmittedAssignment.student_id, func.sum(Grade.auto_score))
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
            .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            .where(Assignment.name == self.homework)
            .group_by(SubmittedAssignment.student_id)
        )
        found = {student: points or 0.0 for student, points in self.book.db.execute(query)}
        self.book.db.rollback()
        return found

    def penalty_stands(self, student: str) -> bool:
        """Whether what is taken off for lateness fits the time of the submission, the due date, the plugin and all points of now.

        Raises:
            CannotWrite: if the plugin raises.
        """
        try:
            submission = self.book.find_submission(self.homework, student)
            submitted = self.book.find_submission_notebook(self.homework, self.homework, student)
            now = self._penalty(student, submission, submitted)
            return abs((now or 0) - (submitted.late_submission_penalty or 0)) < SAME
        except MissingEntry:
            return False
        finally:
            self.book.db.rollback()

    def _penalty(self, student: str, submission: SubmittedAssignment, submitted: SubmittedNotebook) -> float | None:
        late = self._seconds_late(student, submission)
        if not late > 0:
            return None
        plugin = self.late.plugin_inst
        try:
            penalty = plugin.late_submission_penalty(student, submitted.score, late)
            if penalty is None:
                return None
            # A plugin may count in Decimal.
            taken_off = float(min(max(penalty, 0), submitted.score))
            if math.isnan(taken_off):
                raise ValueError(f"it gave {penalty}")
            return taken_off
        except SQLAlchemyError:
            raise
        except (Exception, SystemExit) as error:
            raise CannotWrite(
                f"cannot count what is taken off for lateness of {student}: {type(plugin).__name__} ended in "
                f"{type(error).__name__}: {error}"
            ) from error

    def _seconds_late(self, student: str, submission: SubmittedAssignment) -> float:
        """As nbgrader counts them, by the time that ``timestamp.txt`` has now; 0 without a due date, also for an extension."""
        known = None if self._is_taken_out(student) else submission.timestamp
        submitted, due = self.timestamp(student) or known, submission.assignment.duedate
        if submitted is None or due is None:
            return 0
        return (submitted - due - (submission.extension or timedelta())).total_seconds()


def _sources(notebook: NotebookNode) -> dict[str, list]:
    """What students wrote, by cell: the text, its pictures, of which another may have the same name, and Markdown beside it."""
    found = {}
    for i, cell in enumerate(notebook.cells):
        if is_solution(cell):
            beside = [*takewhile(_is_own, notebook.cells[i + 1 :]), *takewhile(_is_own, notebook.cells[:i][::-1])]
            texts = [cell, *(c for c in beside if c.cell_type == "markdown" and cell.cell_type == "markdown")]
            found[cell.metadata.nbgrader["grade_id"]] = [(c.source, c.get("attachments", {})) for c in texts]
    return found


def _is_own(cell: NotebookNode) -> bool:
    """Whether a student has added it."""
    return cell.get("id", "").startswith("own-")


@contextmanager
def whole(path: Path) -> Iterator[TextIO]:
    """A file that takes a path's place once all is written; where it cannot be written, what was there stays, alone.

    Raises:
        CannotWrite: if the disk is full.
    """
    fresh = path.with_name(f".{path.name}.new")
    try:
        with in_words(path), _opened(fresh, path) as file:
            with suppress(OSError):  # not there yet
                fresh.chmod(S_IMODE(path.stat().st_mode))  # grades that nobody else may read
            yield file
        fresh.replace(path)
    finally:
        with suppress(OSError):  # not there; or the disk is read-only, which has been said
            fresh.unlink()


def _opened(fresh: Path, path: Path) -> TextIO:
    try:
        return open(fresh, "w", encoding="utf-8", newline="")
    except OSError as error:
        error.filename = str(path)  # the name that the user knows
        raise


def sync(path: Path) -> None:
    """Waits until a file or folder is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
