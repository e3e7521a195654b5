"""A whole class: many grading processes, one writer, and nothing lost whatever dies in between.

Grading processes hold nothing: what they return is written here, by one process, in this order: ``autograded/``, the gradebook,
the audit log. What has a line in the log is done, and ``resume`` leaves it alone.
"""

import fcntl
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import nbformat

from lmkit.grading import COURSE, audit
from lmkit.grading.gradebook import SAME, CannotWrite, Records, Stale
from lmkit.grading.master import Master, changed_since
from lmkit.grading.notebook_files import NotLetIn, check_student_id, find_notebook, hash_of, read_file, readable
from lmkit.grading.outcome import NOT_STARTED, Kind, Outcome
from lmkit.grading.release import load_config, read_notebook
from lmkit.grading.sandbox import Limits
from lmkit.grading.settings import course_secret, is_secret, limits
from lmkit.grading.starting import Started, cores
from lmkit.grading.station import GAVE_UP, Graded, Job, Material, Station

STOPPED = (Kind.CRASHED, Kind.TIMED_OUT, Kind.OUT_OF_MEMORY)
ENDING = 5  # seconds that a grading process has to end in, before it is killed
MANY_STOPPED = 0.25  # of a class: more can hardly be the students' own mistakes


@dataclass
class Batch:
    """What a batch did.

    Attributes:
        outcomes: of the submissions graded now, by student, without what their cells showed.
        skipped: students whose grade was there already (``resume``).
        changes: what a regrading changed and why, by student.
        notes: what the gate left out or mended, by student.
        look: what an instructor should look at, in words.
        stopped: why the batch ended early; empty if it did not.
    """

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    changes: dict[str, str] = field(default_factory=dict)
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    look: list[str] = field(default_factory=list)
    stopped: str = ""


def run(
    homework: str,
    course: Path = COURSE,
    jobs: int | None = None,
    scheduler: str | None = None,
    resume: bool = False,
    only: Iterable[str] = (),
    unsafe_no_sandbox: bool = False,
    progress: Callable[[int, int], None] = lambda done, total: None,
    ahead: Sequence[Started] = (),
) -> Batch:
    """Grades everybody's submission of a homework; each ends with one recorded outcome.

    Args:
        homework: its name.
        course: the directory of ``nbgrader_config.py``.
        jobs: how many submissions at a time; None for one per processor.
        scheduler: address of a ``dask.distributed`` scheduler whose workers grade instead.
        resume: leave alone what is graded already with the same notebook, tests, version and penalty for lateness.
        only: these students and nobody else.
        unsafe_no_sandbox: run students' code with the caller's rights.
        progress: is called with how many are done, of how many.
        ahead: grading processes that have been started already, see ``starting``.

    Raises:
        ValueError: for a homework or student that is not there, or another batch that is running.
        CannotGrade: if no grading process can work here.
        Stale: if ``solutions/`` has changed since the gradebook was told.
    """
    config = load_config(course)
    batch = Batch()
    with _alone(course):
        records = Records(config, homework)
        try:
            students = _students(records, only)
            material = make_material(records, course, course_secret(config), limits(config), unsafe_no_sandbox)
            before = audit.latest(course, homework)
            points = records.auto_points() if resume else {}
            ungraded = [s for s in students if not (resume and _is_done(s, before.get(s), records, material, points))]
            batch.skipped = sorted(set(students) - set(ungraded))
            waiting = (read_job(records, student) for student in ungraded)
            say = batch.look.append
            if scheduler:
                from lmkit.grading.cluster import remote  # importing dask takes a second

                results = remote(material, waiting, scheduler, say)
            else:
                results = local(material, waiting, min(jobs or len(cores()), max(1, len(ungraded))), say, ahead)
            progress(0, len(ungraded))
            try:
                for graded in results:
                    _write(batch, records, course, graded, before)
                    progress(len(batch.outcomes), len(ungraded))
            except CannotWrite as error:
                batch.stopped = (
                    f"{error}. What was graded is safe; once that is put right, the same with --resume goes on"
                )
            finally:
                results.close()
        finally:
            records.close()
    known = {student: before[student] for student in batch.skipped} | batch.outcomes
    nothing = [s for s, outcome in sorted(known.items()) if outcome.kind in (Kind.MALFORMED, Kind.REFUSED)]
    if nothing:
        names = ", ".join(map(repr, nothing[:5])) + (", …" if len(nothing) > 5 else "")
        said = f"nothing that could be graded came from {len(nothing)} of {len(known)}: {names}"
        batch.look.append(f"{said}; the report says why")
    ended = [s for s, outcome in sorted(known.items()) if outcome.kind in STOPPED]
    if not only and len(ended) > 1 and len(ended) > MANY_STOPPED * len(known):
        names = ", ".join(map(repr, ended[:5])) + (", …" if len(ended) > 5 else "")
        said = f"{len(ended)} of {len(known)} crashed or ran out of time or memory: {names}"
        batch.look.append(f"{said}; is it the homework, its limits or this machine?")
    return batch


def make_material(records: Records, course: Path, secret: str, limits: Limits, unsafe: bool) -> Material:
    """All that a grading process must know about the homework of ``records``."""
    homework = records.homework
    release = (
        Path(records.directory.format_path(records.directory.release_directory, ".", homework)) / f"{homework}.ipynb"
    )
    source = (
        Path(records.directory.format_path(records.directory.source_directory, ".", homework)) / f"{homework}.ipynb"
    )
    for path, from_where in ((source, ""), (release, "; `make release` writes it")):
        if not path.is_file():
            raise ValueError(f"homework: got {homework!r}, but there is no {path}{from_where}")
    notebook = read_notebook(source)
    read_notebook(release)  # grading processes read it; here it can be said that they could not
    recorded = records.book.find_notebook(homework, homework)
    changed = changed_since(notebook, recorded)
    if changed:
        names = ", ".join(changed[:5]) + (" …" if len(changed) > 5 else "")
        raise Stale(
            f"{names} changed in {source} since the gradebook was told, and nothing was graded: "
            f"`nbgrader generate_assignment {homework} --force` tells it, `lmkit grade {homework} --resume` then grades "
            "everybody again"
        )
    master = Master.from_notebook(homework, notebook, recorded)
    records.book.db.rollback()
    # Its needs are asked here, once: where two threads parse at a time, Python 3.11 ends in SystemError now and then.
    text, kernelspec, needs = release.read_text(encoding="utf-8"), records.kernelspec or "", master.needs()
    return Material(homework, text, records.cells, kernelspec, master, needs, secret, limits, unsafe)


def tests_of_today(records: Records, course: Path) -> str:
    """The hash of the tests that would grade now; ``"changed"`` if the gradebook must be told first, empty if it is not known.

    Without a secret it is not: the one that graded may be set elsewhere.
    """
    try:
        config = load_config(course)
        material = make_material(records, course, course_secret(config), limits(config), False)
        return material.tests_hash if is_secret(config) else ""
    except Stale:
        return "changed"
    except (ValueError, SyntaxError, OSError):  # grading says why; the grades that are there are still grades
        return ""


@contextmanager
def _alone(course: Path) -> Iterator[None]:
    """One batch at a time: two writers would each undo the other's work."""
    with open(course / ".grading.lock", "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"course: another `lmkit grade` is at work in {course}; wait until it has ended") from None
        yield


def _students(records: Records, only: Iterable[str]) -> list[str]:
    everybody, only = records.submitted(), list(only)
    unknown = sorted(set(only) - set(everybody))
    if unknown:
        raise ValueError(f"only: got {unknown[0]!r}, who has not handed in {records.homework}")
    if not everybody:
        raise ValueError(
            f"homework: got {records.homework!r}, which nobody has handed in: "
            f"expected submitted/<student>/{records.homework}/; `lmkit intake` fills it"
        )
    return [student for student in everybody if not only or student in only]


def read_job(records: Records, student: str) -> Job:
    """A student's file, or why it is not let in."""
    try:
        check_student_id(student)
        path, notes = find_notebook(records.folder("submitted", student), records.homework)
        return Job.of(student, read_file(path), notes + records.timestamp_notes(student))
    except NotLetIn as refused:
        return Job(student, refusal=(refused.kind, str(refused)))
    except ValueError as error:
        return Job(readable(student), refusal=("refused", f"The folder's name is no student id: {error}."))
    except OSError as error:  # whatever a file system may say costs this submission, and stops nobody
        return Job(student, refusal=("refused", f"The submission cannot be read: {error.strerror or error}."))


def _is_done(
    student: str, last: Outcome | None, records: Records, material: Material, points: dict[str, float]
) -> bool:
    """Whether the grade of this very file, by these tests, is everywhere where it has to be."""
    if last is None or (last.tests_hash, last.version) != (material.tests_hash, material.version):
        return False
    said = [last.sentence, *(test.error for test in last.tests)]
    if GAVE_UP in said or any(NOT_STARTED in words for words in said):  # that was the grader's fault, or the machine's
        return False
    if (last.sandbox == "none") != material.unsafe_no_sandbox:
        return False
    try:
        path, _ = find_notebook(records.folder("submitted", student), records.homework)
        content = read_file(path)
    except (NotLetIn, OSError):
        content = b""
    try:
        read_notebook(records.folder("autograded", student) / f"{records.homework}.ipynb")
    except (OSError, ValueError):  # not there, or damaged since
        return False
    same = abs(points.get(student, -1.0) - last.points) < SAME
    on_time = records.timestamp(student) == records.timestamp(student, "autograded")  # another time, another penalty
    return last.notebook_hash == hash_of(content) and same and on_time and records.penalty_stands(student)


def _write(batch: Batch, records: Records, course: Path, graded: Graded, before: dict[str, Outcome]) -> None:
    outcome = Outcome.from_json(graded.outcome)
    student = outcome.student
    try:
        check_student_id(student)
    except ValueError:
        batch.look.append(f"{student!r} is no student id: in the log, not in the gradebook")
    else:
        notebook = nbformat.reads(graded.notebook, as_version=4)
        batch.look += [f"{student}: {words}" for words in records.read_before(student, notebook)]
        records.record(outcome, notebook)
    try:
        audit.append(course, outcome)
    except OSError as error:
        raise CannotWrite(f"cannot write {audit.LOG}: {error.strerror or error}") from None
    batch.outcomes[student] = replace(outcome, cells={})
    if graded.notes:
        batch.notes[student] = graded.notes
    said = [outcome.sentence, *(test.error for test in outcome.tests), *(run.error for run in outcome.cells.values())]
    if any(NOT_STARTED in words for words in said):
        batch.look.append(
            f"{student}: there was no room for another process: does its notebook start many? If not, grade it again"
        )
    if graded.look:
        batch.look.append(f"{student}: {graded.look}")
    changed = audit.change(before[student], outcome) if student in before else ""
    if changed:
        batch.changes[student] = changed
    if changed.endswith(audit.NO_CAUSE):
        batch.look.append(f"{student}: {changed}")


def local(
    material: Material, waiting: Iterator[Job], count: int, say: Callable[[str], None], ahead: Sequence[Started] = ()
) -> Iterator[Graded]:
    """Grades with ``count`` processes on this machine; results come as they are ready.

    Never more than a few submissions are in memory: jobs are read when a process is free for them.
    """
    results: queue.Queue = queue.Queue(2 * count)
    lock, stop = threading.Lock(), threading.Event()
    places = cores()
    for spare in ahead[count:]:
        spare.process.stdin.close()
    stations = [
        Station(material, places[i % len(places)], say, ahead[i] if i < len(ahead) else None) for i in range(count)
    ]

    def work(station: Station) -> None:
        try:
            while not stop.is_set():
                with lock:
                    job = next(waiting, None)
                if job is None:
                    break
                results.put(station.grade(job))
            last = None
        except BaseException as error:  # is raised again where the results are read
            last = error
        station.close()
        results.put(last)

    threads = [threading.Thread(target=work, args=(station,), daemon=True) for station in stations]
    for thread in threads:
        thread.start()
    try:
        running = count
        while running:
            result = results.get()
            if isinstance(result, BaseException):
                raise result
            if result is None:
                running -= 1
            else:
                yield result
    finally:
        stop.set()
        until = time.monotonic() + ENDING
        while any(thread.is_alive() for thread in threads):
            for station in stations:
                station.abandon(kill=time.monotonic() > until)
            try:
                results.get(timeout=0.1)
            except queue.Empty:
                pass
