"""From what a learning platform exports to ``submitted/``: one folder or zip in, one notebook per student out.

Everybody in the export is accounted for: who handed in no notebook gets a folder that says what it was instead, so that
grading records it. Nobody's file is replaced by somebody else's or by an older one.
"""

import os
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from lmkit.grading import COURSE, audit
from lmkit.grading.archives import CANVAS, TIMESTAMP, Export, Member
from lmkit.grading.identities import RECORD, identified, records
from lmkit.grading.notebook_files import HANDED_IN, check_student_id, hash_of
from lmkit.grading.platforms import Attempt, attempts_of
from lmkit.grading.release import read_notebook, released_path


@dataclass
class Intake:
    """What an intake did.

    Attributes:
        taken: the attempt taken from each student.
        without: of each student who handed in no notebook, the files that there were.
        attempts: how many notebooks each student handed in.
        changed: students whose file is new or another one than before.
        kept: who keeps the id of an earlier intake, and in brackets the one that the list gives now.
        warnings: what somebody should look at.
    """

    taken: list[Attempt] = field(default_factory=list)
    without: dict[str, list[Attempt]] = field(default_factory=dict)
    attempts: Counter = field(default_factory=Counter)
    changed: set[str] = field(default_factory=set)
    kept: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def take_in(
    source: Path,
    homework: str,
    course: Path = COURSE,
    lms: str = "auto",
    roster: Path | None = None,
    dry_run: bool = False,
) -> Intake:
    """Puts the last attempt of every student in an export at ``submitted/<student>/<homework>/<homework>.ipynb``.

    Raises:
        ValueError: if the source is no export, or holds nothing that could be this homework.
    """
    release = released_path(homework, course)
    for own in (release, course / "solutions" / homework):
        if own.resolve().is_relative_to(source.resolve()):
            raise ValueError(
                f"source: got {str(source)!r}, which holds the course's {own}; expected what students handed in"
            )
    export = Export(source)
    marks = [
        cell["metadata"]["nbgrader"]["grade_id"]
        for cell in read_notebook(release).cells
        if "nbgrader" in cell["metadata"]
    ]
    members = [_without_content(member, i, homework, marks) for i, member in enumerate(export)]
    others = {path.stem for path in release.parents[1].glob("*/*.ipynb") if path.stem == path.parent.name} - {homework}
    others -= set.intersection(*(set(member.parts) for member in members)) if members else set()
    members = [_of_another_homework(member, others) for member in members]
    intake = Intake(warnings=export.warnings)
    attempts = attempts_of(members, homework, lms, intake.warnings)
    if not any(attempt.is_notebook or attempt.lms != "folders" for attempt in attempts):
        loose = [member.where for member in members if member.is_notebook]
        if not loose:
            raise ValueError(f"source: no notebook in {str(source)!r}, expected the submissions of {homework}")
        more = f" and {len(loose) - 1} other notebook{'s' * (len(loose) > 2)}" if len(loose) > 1 else ""
        expected = "canvas, moodle or gradescope" if lms in ("auto", "folders") else lms
        raise ValueError(
            f"source: got {loose[0]!r}{more} in {str(source)!r}, whose names do not say whose they are; "
            f"expected files as {expected} names them" + (", or a folder for each student" if expected != lms else "")
        )
    attempts, intake.kept = identified(attempts, homework, course, roster, intake.warnings)
    known = records(course, homework)
    before = {record["student"]: record for record in known}
    of_platform = {(record["student"], record["lms"]): record for record in known}
    by_student: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_student.setdefault(attempt.student, []).append(attempt)
    for student, group in sorted(by_student.items()):
        try:
            check_student_id(student)
        except ValueError as error:
            intake.warnings.append(f"left out, {error}")
            continue
        same_way = of_platform.get((student, group[0].lms))
        _choose(student, group, homework, course, before.get(student), same_way, intake)
    if dry_run:
        return intake
    chosen: dict[int, list[Attempt]] = {}
    for attempt in intake.taken:
        chosen.setdefault(attempt.index, []).append(attempt)
    for i, member in enumerate(Export(source)):  # again, so that one file at a time is in memory
        for attempt in chosen.get(i, []):
            if _write(attempt, member.content, homework, course, before.get(attempt.student)):
                intake.changed.add(attempt.student)
    for student, group in intake.without.items():
        if _write_without(group, homework, course, before.get(student)):
            intake.changed.add(student)
    for student in by_student.keys() - set(intake.attempts) - intake.without.keys():
        last = max(by_student[student], key=lambda attempt: attempt.order)
        record = of_platform.get((student, last.lms))
        if record and last.name != record["name"]:  # nothing new is taken, but the next intake compares names
            audit.add(course / RECORD, record | {"name": last.name})
    return intake


def _choose(
    student: str,
    group: list[Attempt],
    homework: str,
    course: Path,
    before: dict | None,
    same_way: dict | None,
    intake: Intake,
) -> None:
    """Decides which of a student's files is taken, if any.

    Args:
        before: what was noted last of this student.
        same_way: and what of this student's last file that came in the way in which these came.
    """
    say = intake.warnings.append
    notebooks = [attempt for attempt in group if attempt.is_notebook]
    best = max(notebooks or group, key=lambda attempt: (attempt.likeness, *attempt.order))
    path = course / "submitted" / student / homework / f"{homework}.ipynb"
    there = path.is_file() and not path.is_symlink()
    old = hash_of(path.read_bytes()) if notebooks and there else ""
    older = same_way and best.order < tuple(same_way.get("order", ()))
    another_way = old not in ("", best.content_hash) and before and before["lms"] != best.lms
    mended = bool(old and before and before["notebook_hash"]) and old not in (
        before["notebook_hash"],
        best.content_hash,
    )
    if mended and best.content_hash == before["notebook_hash"]:
        say(f"{student}: the notebook in submitted/ was changed after it was taken in, and stays")
    elif another_way and same_way and best.content_hash == same_way.get("notebook_hash"):
        if best.lms == "folders":  # made by hand; a platform's download comes again and again
            later = f"{before['where']!r} of {before['lms']}"
            say(f"{student}: {best.where!r} is the one that was taken before; {later} came after it, and stays")
    elif notebooks and there and older and best.content_hash != old:
        say(f"{student}: {best.where!r} is older than {same_way['where']!r}, which was taken before")
    elif notebooks:
        if not best.likeness:
            say(f"{student}: {best.where!r} does not look like {homework}; taken all the same")
        if there and before and before["time"] and not best.time and best.content_hash != old:
            say(f"{student}: {best.where!r} says no time of handing in; the gradebook keeps the last one")
        if mended:
            say(f"{student}: the notebook in submitted/ was changed after it was taken in; {best.where!r} replaces it")
        if another_way:
            say(f"{student}: {best.where!r} replaces {before['where']!r} of {before['lms']}; which one is newer?")
        if there and not (before and before["notebook_hash"]):
            say(f"{student}: a notebook that no intake took in was in submitted/; replaced if it is another one")
        intake.taken.append(best)
        intake.attempts[student] = len(notebooks)
    elif there:
        say(f"{student}: no notebook in this export, only {_names(group)}; the one from before stays")
    else:
        say(f"{student}: handed in no notebook, only {_names(group)}; grading records that")
        intake.without[student] = group


def _names(group: list[Attempt]) -> str:
    bad = {attempt.where for attempt in group if attempt.problem}  # a zip that cannot be read is there twice
    told = sorted(group, key=lambda attempt: not attempt.problem)  # those that somebody could put right first
    names = [_name(attempt) for attempt in told if attempt.problem or attempt.where not in bad]
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def _name(attempt: Attempt) -> str:
    """What a file is called, without the platform's part of it."""
    name = PurePosixPath(attempt.where).name
    match = CANVAS.fullmatch(name) if attempt.lms == "canvas" else None
    words = (match["file"] if match else "") or name
    return "".join(c if c.isprintable() else "�" for c in words)[:80] + (
        f" ({attempt.problem})" if attempt.problem else ""
    )


def _without_content(member: Member, index: int, homework: str, marks: list[str]) -> Member:
    """The member with its place and its likeness to the homework, which is all that choosing needs."""
    if not member.is_notebook:
        return replace(member, index=index)
    likeness = int(homework.lower() in member.parts[-1].lower())
    if sum(f'"{mark}"'.encode() in member.content for mark in marks) > len(marks) / 4:
        likeness = 2
    return replace(member, content=b"", index=index, likeness=likeness, content_hash=hash_of(member.content))


def _of_another_homework(member: Member, others: set[str]) -> Member:
    """The member as what it is if it lies in a folder of another homework of the course, and does not look like this one."""
    found = others & set(member.parts[:-1]) if member.is_notebook and not member.likeness else set()
    return replace(member, problem=f"in a folder of {min(found)}") if found else member


def _write(attempt: Attempt, content: bytes, homework: str, course: Path, before: dict | None) -> bool:
    """Writes one submission and its record; False if it is there already."""
    folder = course / "submitted" / attempt.student / homework
    path = folder / f"{homework}.ipynb"
    changed = not (path.is_file() and not path.is_symlink() and path.read_bytes() == content)
    moved = False
    if not changed and before is not None:
        attempt = replace(attempt, time=attempt.time or before["time"])
        if before["lms"] == attempt.lms and attempt.order < tuple(before.get("order", ())):
            # A copy: clocks of zips count in steps of two seconds.
            attempt = replace(attempt, order=tuple(before["order"]))
        about = (list(attempt.order), attempt.time, attempt.late, attempt.name)
        if (before.get("order"), before["time"], before.get("late"), before["name"]) == about:
            return False
        moved = before["time"] != attempt.time  # which may cost a penalty, or take one back
    folder.mkdir(parents=True, exist_ok=True)
    if changed:
        _replace(path, content)
    (folder / HANDED_IN).unlink(missing_ok=True)
    _note(attempt, folder, homework, course, hash_of(content), changed)
    return changed or moved


def _write_without(group: list[Attempt], homework: str, course: Path, before: dict | None) -> bool:
    """Writes what somebody handed in who handed in no notebook; False if that is known already."""
    last = max(group, key=lambda attempt: attempt.order)
    folder = course / "submitted" / last.student / homework
    content = "".join(f"{_name(attempt)}\n" for attempt in group).encode("utf-8", "replace")
    path = folder / HANDED_IN
    changed = not (path.is_file() and not path.is_symlink() and path.read_bytes() == content)
    if not changed and before is not None and before["name"] == last.name:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    _replace(path, content)
    _note(last, folder, homework, course, "")
    return changed


def _note(
    attempt: Attempt, folder: Path, homework: str, course: Path, notebook_hash: str, changed: bool = True
) -> None:
    """Writes the time of a submission, if it is known, and the intake's record; a time written by hand stays with its file."""
    if changed or attempt.time:
        (folder / TIMESTAMP).unlink(missing_ok=True)
    if attempt.time:
        _replace(folder / TIMESTAMP, attempt.time.encode())
    record = {"homework": homework, "student": attempt.student, "name": attempt.name, "lms": attempt.lms}
    record |= {"lms_id": attempt.lms_id, "where": attempt.where, "time": attempt.time, "late": attempt.late}
    audit.add(course / RECORD, record | {"order": attempt.order, "notebook_hash": notebook_hash})


def _replace(path: Path, content: bytes) -> None:
    """Writes a file in one step: a reader, or a crash, meets the old one or the new one."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", delete=False) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
