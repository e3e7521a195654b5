"""From what a learning platform exports to ``submitted/``: one folder or zip in, one notebook per student out.

Everybody in the export is accounted for: who handed in no notebook gets a folder that says what it was instead, so that
grading records it. Nobody's file is replaced by somebody else's or by an older one.
"""

import json
import os
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from lmkit.grading import COURSE, audit
from lmkit.grading.archives import CANVAS, TIMESTAMP, Export, Member
from lmkit.grading.gate import HANDED_IN, check_student_id, hash_of
from lmkit.grading.layouts import first_few
from lmkit.grading.names import agree
from lmkit.grading.platforms import Attempt, attempts_of, safe_id
from lmkit.grading.rosters import read_roster, same

RECORD = "intake.jsonl"  # beside gradebook.db; ``lmkit export`` finds each platform's own number there
NUMBERED_ONCE = ("canvas", "gradescope")  # who somebody is to these does not change from one homework to the next


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
    release = course / "homeworks" / homework / f"{homework}.ipynb"
    if not release.is_file():
        raise ValueError(
            f"homework: got {homework!r}, expected one of {[p.name for p in release.parents[1].glob('*/')]}"
        )
    export = Export(source)
    marks = [cell["metadata"]["nbgrader"]["grade_id"] for cell in _cells(release) if "nbgrader" in cell["metadata"]]
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
    before = noted(course, homework)
    listed: dict[tuple[str, str], str | None] | None = None
    if roster:
        attempts, listed = _with_roster(attempts, roster, before, intake.warnings)
    attempts, odd = _mended(attempts)
    fitting = _fitting(before, attempts)
    strangers = _strangers(attempts, fitting, listed, intake.warnings)
    elsewhere = _noted_elsewhere(course, homework)
    sure = _sure(elsewhere, before, listed or {}, course, homework)
    known = sure | {student: record for student, record in fitting.items() if student not in sure}
    attempts = _one_each(attempts, known, course, homework, roster, strangers, listed or {}, intake)
    attempts = _apart(attempts, sure | before, "" if roster else "; --roster gives steady ids", intake.warnings)
    ids = {attempt.student for attempt in attempts}
    intake.warnings += [
        f"{name!r} is called {student!r} here"
        for name, student in sorted(odd.items())
        if student in ids - before.keys()
    ]
    if not before and not (roster and listed is None):
        intake.warnings += _twice(elsewhere, attempts, homework, roster)
    by_student: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_student.setdefault(attempt.student, []).append(attempt)
    for student, group in sorted(by_student.items()):
        try:
            check_student_id(student)
        except ValueError as error:
            intake.warnings.append(f"left out, {error}")
            continue
        _choose(student, group, homework, course, before.get(student), intake)
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
    for student in by_student.keys() & before.keys() - set(intake.attempts) - intake.without.keys():
        name = max(by_student[student], key=lambda attempt: attempt.order).name
        if name != before[student]["name"]:  # nothing new is taken, but the next intake compares names
            audit.add(course / RECORD, before[student] | {"name": name})
    return intake


def _choose(
    student: str, group: list[Attempt], homework: str, course: Path, before: dict | None, intake: Intake
) -> None:
    """Decides which of a student's files is taken, if any."""
    say = intake.warnings.append
    notebooks = [attempt for attempt in group if attempt.is_notebook]
    best = max(notebooks or group, key=lambda attempt: (attempt.likeness, *attempt.order))
    path = course / "submitted" / student / homework / f"{homework}.ipynb"
    there = path.is_file() and not path.is_symlink()
    old = hash_of(path.read_bytes()) if notebooks and there else ""
    older = before and before["lms"] == best.lms and best.order < tuple(before.get("order", ()))
    mended = bool(old and before and before["notebook_hash"]) and old not in (
        before["notebook_hash"],
        best.content_hash,
    )
    if mended and best.content_hash == before["notebook_hash"]:
        say(f"{student}: the notebook in submitted/ was changed after it was taken in, and stays")
    elif notebooks and there and older and best.content_hash != old:
        say(f"{student}: {best.where!r} is older than {before['where']!r}, which was taken before and stays")
    elif notebooks:
        if not best.likeness:
            say(f"{student}: {best.where!r} does not look like {homework}; taken all the same")
        if there and before and before["time"] and not best.time and best.content_hash != old:
            say(f"{student}: {best.where!r} says no time of handing in; the gradebook keeps the last one")
        if mended:
            say(f"{student}: the notebook in submitted/ was changed after it was taken in; {best.where!r} replaces it")
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


def noted(course: Path, homework: str) -> dict[str, dict]:
    """What intakes noted last about each student's file of this homework, the newest last."""
    found: dict[str, dict] = {}
    for record in audit.lines(course / RECORD, homework):
        if "student" in record:
            found.pop(record["student"], None)
            found[record["student"]] = record
    return found


def _noted_elsewhere(course: Path, homework: str) -> dict[str, dict]:
    """What intakes noted last about each student in the other homeworks of the course, as far as their files are there."""
    needed = {"homework", "student", "lms", "lms_id", "name"}
    records = (r for r in audit.lines(course / RECORD) if needed <= r.keys() and r["homework"] != homework)
    last = {(str(record["student"]), str(record["homework"])): record for record in records}
    return {s: record for (s, other), record in last.items() if (course / "submitted" / s / other).is_dir()}


def _sure(
    elsewhere: dict[str, dict],
    before: dict[str, dict],
    listed: dict[tuple[str, str], str | None],
    course: Path,
    homework: str,
) -> dict[str, dict]:
    """Records of other homeworks whose number says who somebody is here as well, and of whom none of this one is there."""
    now: dict[str, set] = {}  # whose an id is, as the list has it: an address may have become somebody else's
    for number, own in listed.items():
        now.setdefault(safe_id(own or ""), set()).add(number)
    return {
        student: record
        for student, record in elsewhere.items()
        if record["lms"] in NUMBERED_ONCE
        and not (student in before and (course / "submitted" / student / homework).is_dir())
        and (student not in now or _number(record["lms"], record["lms_id"]) in now[student])
    }


def _twice(elsewhere: dict[str, dict], attempts: list[Attempt], homework: str, roster: Path | None) -> list[str]:
    """What is said at the first intake of a homework if most ids are new to the course, where numbers say nothing."""
    platforms, ids = {attempt.lms for attempt in attempts}, {attempt.student for attempt in attempts}
    known = {s for s, r in elsewhere.items() if r["lms"] not in NUMBERED_ONCE or r["lms"] not in platforms}
    if not known or 2 * len(known & ids) >= min(len(known), len(ids)):
        return []
    how, again = (f"without {roster.name}", "without it") if roster else ("with a list", "with --roster")
    return [
        f"most ids are new to the course, which knows {first_few(sorted(known - ids))}: were earlier homeworks taken in {how}? "
        f"If so, the gradebook will have everybody twice: delete submitted/*/{homework} and take it in again {again}"
    ]


def _cells(notebook: Path) -> list[dict]:
    return json.loads(notebook.read_text(encoding="utf-8"))["cells"]


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


def _number(lms: str, lms_id: str) -> tuple[str, str]:
    """Who somebody is to a platform, in whichever way an e-mail address is written."""
    return lms, same(str(lms_id))


def _mended(attempts: list[Attempt]) -> tuple[list[Attempt], dict[str, str]]:
    """Ids that nbgrader, a shell and a file system read as one plain name; and what became another one."""
    mended = [replace(a, student=safe_id(a.student)) for a in attempts]
    return mended, {a.student: b.student for a, b in zip(attempts, mended, strict=True) if a.student != b.student}


def _fitting(before: dict[str, dict], attempts: list[Attempt]) -> dict[str, dict]:
    """The earlier records; where two have one number of this export, a group and a student, only the one with its name."""
    called = {_number(a.lms, a.lms_id): a.name for a in attempts if a.lms == "moodle" and a.name}
    same_one = {
        student: agree(record["name"], called[number])
        for student, record in before.items()
        if (number := _number(record["lms"], record["lms_id"])) in called
    }
    sure = {_number(before[student]["lms"], before[student]["lms_id"]) for student in same_one if same_one[student]}
    return {
        student: record
        for student, record in before.items()
        if same_one.get(student, True) is not False or _number(record["lms"], record["lms_id"]) not in sure
    }


def _strangers(
    attempts: list[Attempt],
    before: dict[str, dict],
    listed: dict[tuple[str, str], str | None] | None,
    warnings: list[str],
) -> set[tuple[str, str]]:
    """The numbers of Moodle that are not whose they were at an earlier intake: groups are numbered from 1 on, as students are.

    So it is where a name is another than then and the list has not this number, or has it for another name; and where most
    names are others than then. Fewer are new names, which is said.
    """
    here = {_number(a.lms, a.lms_id): a for a in attempts if a.lms == "moodle" and a.name}
    called = {number: attempt.name for number, attempt in here.items()}
    then = {_number(r["lms"], r["lms_id"]): r["name"] for r in before.values() if r["lms"] == "moodle" and r["name"]}
    ids = {_number(record["lms"], record["lms_id"]): student for student, record in before.items()}
    # Whom the list gives the id of then is the same one.
    known = {n for n, own in (listed or {}).items() if own is not None and n in here and here[n].student == ids.get(n)}
    # A name that several have at a time is hidden, or two people's, and may be anybody's.
    hidden = {name for names in (called, then) for name, uses in Counter(names.values()).items() if uses > 1}
    others = {n for n in called.keys() & then.keys() - known if agree(then[n], called[n]) is False}
    refused = set()
    if listed is not None:  # it says whose a number is now, and whose it is not; not whose it was
        refused = {n for n in others if (listed[n] is None if n in listed else then[n] not in hidden)}
    others = {n for n in others - refused if not {then[n], called[n]} & hidden}
    many = 1 < len(others) > len((called.keys() & then.keys()) - refused) / 2
    what = "two, a student and a group" if many else "one student"
    warnings += [
        f"number {n[1]} was {then[n]!r} at an earlier intake and is {called[n]!r}: taken for {what}; is that so?"
        for n in sorted(others)
    ]
    return refused | (others if many else set())


def _one_each(
    attempts: list[Attempt],
    before: dict[str, dict],
    course: Path,
    homework: str,
    roster: Path | None,
    strangers: set[tuple[str, str]],
    listed: dict[tuple[str, str], str | None],
    intake: Intake,
) -> list[Attempt]:
    """One id for each student: the one from an earlier intake, or the first of those that this export gives."""
    there = {s for s in before if (course / "submitted" / s / before[s]["homework"]).is_dir()}
    known: dict[tuple[str, str], str] = {}
    for student in sorted(before, key=there.__contains__):  # the newest last, and first what is gone
        number = _number(before[student]["lms"], before[student]["lms_id"])
        if not number[1] or number in strangers or (roster and student not in there):
            continue
        if known.get(number) in there and before[known[number]]["homework"] == homework:
            intake.warnings.append(
                f"{known[number]!r} and {student!r} are one student, number {number[1]}, who stays {student!r}: "
                f"is submitted/{known[number]}/{homework} still wanted?"
            )
        known[number] = student
    given: dict[tuple[str, str], str] = {}
    for attempt in attempts:
        number = _number(attempt.lms, attempt.lms_id or attempt.student)
        # Somebody has this id already: ``participant-5``, where no letter is Latin.
        in_use = number in strangers and listed.get(number) is None and attempt.student in before
        given.setdefault(number, _with(attempt.student, attempt.name) if in_use else attempt.student)
    intake.kept = sorted(
        f"{known[n]} ({s})" for n, s in given.items() if listed.get(n) and n in known and known[n] != s
    )
    numbers = [_number(a.lms, a.lms_id or a.student) for a in attempts]
    return [replace(a, student=known.get(n, given[n])) for a, n in zip(attempts, numbers, strict=True)]


def _apart(attempts: list[Attempt], before: dict[str, dict], advice: str, warnings: list[str]) -> list[Attempt]:
    """Tells students of one name apart by the platform's number, also from those of earlier intakes."""
    platforms = {attempt.lms for attempt in attempts}
    then = {s: _number(r["lms"], r["lms_id"]) for s, r in before.items() if r["lms"] in platforms}
    here: dict[str, set] = {}
    for attempt in attempts:
        here.setdefault(attempt.student, set()).add(_number(attempt.lms, attempt.lms_id))
    shared = {s for s, numbers in here.items() if len(numbers | ({then[s]} if s in then else set())) > 1}
    for student in sorted(shared):
        if len(here[student]) > 1:
            warnings.append(f"several students are called {student!r}: told apart by number{advice}")
        else:
            ((_, number),) = here[student]
            warnings.append(
                f"{student!r} is another student, taken in before: this one becomes '{_with(student, number)}'{advice}"
            )
    # Whose own name it is keeps it, unless somebody else has it already.
    owners = {a.student: _number(a.lms, a.lms_id) for a in attempts if a.lms_id == a.student} | then
    return [
        replace(a, student=_with(a.student, a.lms_id))
        if a.student in shared and owners.get(a.student) != _number(a.lms, a.lms_id)
        else a
        for a in attempts
    ]


def _with(student: str, number: str) -> str:
    """An id that only this student has."""
    plain = number if number.isascii() and number.isdigit() else hash_of(number.encode())[:8]
    return safe_id(f"{student}-{plain}")


def _with_roster(
    attempts: list[Attempt], path: Path, before: dict[str, dict], warnings: list[str]
) -> tuple[list[Attempt], dict[tuple[str, str], str | None] | None]:
    """The ids that a platform's list gives; and for each number in it this id, which may be empty, or None if it is not theirs.

    Nothing of the latter if it is the list of others.
    """
    roster = read_roster(path)
    for other in sorted({a.lms for a in attempts} & {"canvas", "moodle"} - {roster.lms}):  # their numbers are no names
        raise ValueError(f"roster: got a list of {roster.lms} for submissions of {other}, expected one of {other}")
    keys = {same(a.lms_id): a for a in attempts if a.lms_id}
    numbers = {key: key for key, a in keys.items() if a.lms == roster.lms}
    called = {key: keys[key].name for key in numbers}
    found, why, others = roster.lines_of(numbers, {key: key for key in keys if key not in numbers}, called)
    if len(keys) > 1 and not found and not any(why.values()):
        warnings.append(
            f"nobody of this export is in {path.name}: is it the list of this assignment, and are these students?"
        )
        return attempts, None
    unknown = sorted({(a.student, why.get(same(a.lms_id), "")) for a in attempts if same(a.lms_id) not in found})
    warnings += [f"not in {path.name}: {student}" + (f" ({words})" if words else "") for student, words in unknown]
    ids = {key: next(iter(roster.ids(roster.rows[places[0]])), "") for key, places in found.items()}
    said = {(same(record["lms_id"]), record["name"]) for record in before.values()}
    warnings += [
        f"{ids[key] or keys[key].student}: number {key} is {name!r} in the list, {called[key]!r} in the download: one student?"
        for key, name in sorted(others.items())
        if (key, called[key]) not in said
    ]
    says = ids | {key: None for key, words in why.items() if words}
    listed = {_number(a.lms, a.lms_id): says[same(a.lms_id)] for a in attempts if same(a.lms_id) in says}
    return [replace(a, student=ids.get(same(a.lms_id)) or a.student) for a in attempts], listed


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
    _note(attempt, folder, homework, course, hash_of(content))
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


def _note(attempt: Attempt, folder: Path, homework: str, course: Path, notebook_hash: str) -> None:
    """Writes the time of a submission, if it is known, and the intake's record."""
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
