"""Who is who: one id for each student, over intakes, homeworks and platforms, with a platform's list or without.

What tells people apart is a platform's number. Moodle numbers each assignment anew, and groups as well as students, so there
names are compared too.
"""

from collections import Counter
from collections.abc import Container
from dataclasses import replace
from pathlib import Path

from lmkit.grading import audit
from lmkit.grading.layouts import first_few
from lmkit.grading.names import agree
from lmkit.grading.notebook_files import hash_of
from lmkit.grading.platforms import Attempt, safe_id
from lmkit.grading.rosters import read_roster, same

RECORD = "intake.jsonl"  # beside gradebook.db; ``lmkit export`` finds each platform's own number there
NEEDED = {"homework", "student", "lms", "lms_id", "name"}  # a record without one of them is nobody's
NUMBERED_ONCE = ("canvas", "gradescope")  # who somebody is to these does not change from one homework to the next


def noted(course: Path, homework: str) -> dict[str, dict]:
    """What intakes noted last about each student's file of this homework, the newest last."""
    found: dict[str, dict] = {}
    for record in audit.lines(course / RECORD, homework):
        if NEEDED <= record.keys():
            found.pop(record["student"], None)
            found[record["student"]] = record
    return found


def identified(
    attempts: list[Attempt],
    before: dict[str, dict],
    homework: str,
    course: Path,
    roster: Path | None,
    warnings: list[str],
) -> tuple[list[Attempt], list[str]]:
    """The attempts with an id for each student; and who keeps another one than the list gives.

    Args:
        attempts: as the export has them.
        before: what was ``noted`` of this homework.
        homework: its name.
        course: the directory of ``nbgrader_config.py``.
        roster: the platform's list of students, if there is one.
        warnings: gets what somebody should look at.

    Raises:
        ValueError: for a list of another platform than the submissions are of.
    """
    listed: dict[tuple[str, str], str | None] | None = None
    missing: dict[tuple[str, str], str] = {}
    if roster:
        attempts, listed, missing = _with_roster(attempts, roster, before, warnings)
    attempts, odd = _plain_ids(attempts)
    fitting = _fitting(before, attempts)
    strangers = _strangers(attempts, fitting, listed, warnings)
    elsewhere = _noted_elsewhere(course, homework)
    sure = _sure(elsewhere, before, listed or {}, course, homework)
    known = sure | {student: record for student, record in fitting.items() if student not in sure}
    there = {s for s in known if (course / "submitted" / s / known[s]["homework"]).is_dir()}
    ids = _ids_before(known, there, strangers, homework, warnings, only_there=bool(roster))
    attempts, kept = _one_each(attempts, ids, known, strangers, listed or {})
    attempts = _apart(attempts, sure | before, "" if roster else "; --roster gives steady ids", warnings)
    then = {_number_in(record): student for student, record in fitting.items()}
    missing |= {
        n: f"not the {then[n]!r} of an earlier intake, who had its number"
        for n in missing.keys() & strangers
        if not missing[n]
    }
    unlisted = {(a.student, missing[n]) for a in attempts if (n := _number(a)) in missing}
    warnings += [f"not in {roster.name}: {s}" + (f" ({words})" if words else "") for s, words in sorted(unlisted)]
    here = {attempt.student for attempt in attempts}
    warnings += [
        f"{name!r} is called {student!r} here"
        for name, student in sorted(odd.items())
        if student in here - before.keys()
    ]
    if not before and not (roster and listed is None):
        warnings += _twice(elsewhere, attempts, homework, roster)
    return attempts, kept


def _with_roster(
    attempts: list[Attempt], path: Path, before: dict[str, dict], warnings: list[str]
) -> tuple[list[Attempt], dict[tuple[str, str], str | None] | None, dict[tuple[str, str], str]]:
    """The ids that a platform's list gives; for each number in it this id, which may be empty, or None if it is not theirs;
    and of each that is not in it, why, in words.

    None and nothing if it is the list of others.
    """
    roster = read_roster(path)
    others = sorted({a.lms for a in attempts} & {"canvas", "moodle"} - {roster.lms})  # their numbers are no names
    if others:
        raise ValueError(
            f"roster: got a list of {roster.lms} for submissions of {others[0]}, expected one of {others[0]}"
        )
    keys = {_number(a): a for a in attempts if a.lms_id}
    numbers = {key: key[1] for key in keys if key[0] == roster.lms}
    called = {key: keys[key].name for key in numbers}
    found, why, named = roster.lines_of(numbers, {key: key[1] for key in keys if key not in numbers}, called)
    if len(keys) > 1 and not found and not any(why.values()):
        warnings.append(
            f"nobody of this export is in {path.name}: is it the list of this assignment, and are these students?"
        )
        return attempts, None, {}
    ids = {key: next(iter(roster.ids(roster.rows[places[0]])), "") for key, places in found.items()}
    said = {(_number_in(record), record["name"]) for record in before.values()}
    warnings += [
        f"{ids[key] or keys[key].student}: number {key[1]} is {name!r} in the list, {called[key]!r} in the download: one student?"
        for key, name in sorted(named.items())
        if (key, called[key]) not in said
    ]
    listed = ids | {key: None for key, words in why.items() if words}
    missing = {key: why.get(key, "") for a in attempts if (key := _number(a)) not in found}
    return [replace(a, student=ids.get(_number(a)) or a.student) for a in attempts], listed, missing


def _plain_ids(attempts: list[Attempt]) -> tuple[list[Attempt], dict[str, str]]:
    """Ids that nbgrader, a shell and a file system read as one plain name; and what became another one."""
    plain = [replace(a, student=safe_id(a.student)) for a in attempts]
    return plain, {a.student: b.student for a, b in zip(attempts, plain, strict=True) if a.student != b.student}


def _fitting(before: dict[str, dict], attempts: list[Attempt]) -> dict[str, dict]:
    """The earlier records; where two have one number of this export, a group and a student, only the one with its name."""
    called = {_number(a): a.name for a in attempts if a.lms == "moodle" and a.name}
    numbers = {student: _number_in(record) for student, record in before.items()}
    agreed = {s: agree(before[s]["name"], called[number]) for s, number in numbers.items() if number in called}
    taken = {numbers[student] for student, yes in agreed.items() if yes}
    return {s: record for s, record in before.items() if agreed.get(s) is not False or numbers[s] not in taken}


def _strangers(
    attempts: list[Attempt],
    records: dict[str, dict],
    listed: dict[tuple[str, str], str | None] | None,
    warnings: list[str],
) -> set[tuple[str, str]]:
    """The numbers of Moodle that are not whose they were at an earlier intake: groups are numbered from 1 on, as students are.

    So it is where a name is another than then and the list has not this number, or has it for another name; and where most
    names are others than then. Fewer are new names, which is said.
    """
    here = {_number(a): a for a in attempts if a.lms == "moodle" and a.name}
    called = {number: attempt.name for number, attempt in here.items()}
    then = {_number_in(r): r["name"] for r in records.values() if r["lms"] == "moodle" and r["name"]}
    ids = {_number_in(record): student for student, record in records.items()}
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


def _noted_elsewhere(course: Path, homework: str) -> dict[str, dict]:
    """What intakes noted last about each student in the other homeworks of the course, as far as their files are there."""
    records = (r for r in audit.lines(course / RECORD) if NEEDED <= r.keys() and r["homework"] != homework)
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
        and (student not in now or _number_in(record) in now[student])
    }


def _ids_before(
    records: dict[str, dict],
    there: set[str],
    strangers: set[tuple[str, str]],
    homework: str,
    warnings: list[str],
    only_there: bool,
) -> dict[tuple[str, str], str]:
    """For each number the id that it had at an earlier intake; of two the newer one, if it is ``there``."""
    ids: dict[tuple[str, str], str] = {}
    for student in sorted(records, key=there.__contains__):  # the newest last, and first what is gone
        number = _number_in(records[student])
        if not number[1] or number in strangers or (only_there and student not in there):
            continue
        if ids.get(number) in there and records[ids[number]]["homework"] == homework:
            warnings.append(
                f"{ids[number]!r} and {student!r} are one student, number {number[1]}, who stays {student!r}: "
                f"is submitted/{ids[number]}/{homework} still wanted?"
            )
        ids[number] = student
    return ids


def _one_each(
    attempts: list[Attempt],
    ids: dict[tuple[str, str], str],
    in_use: Container[str],
    strangers: set[tuple[str, str]],
    listed: dict[tuple[str, str], str | None],
) -> tuple[list[Attempt], list[str]]:
    """One id for each student: the one from an earlier intake, or the first of those that this export gives; who keeps one."""
    numbers = [(a.lms, same(a.lms_id or a.student)) for a in attempts]
    given: dict[tuple[str, str], str] = {}
    for number, attempt in zip(numbers, attempts, strict=True):
        # Somebody has this id already: ``participant-5``, where no letter is Latin.
        taken = number in strangers and listed.get(number) is None and attempt.student in in_use
        given.setdefault(number, _with(attempt.student, attempt.name) if taken else attempt.student)
    kept = sorted(f"{ids[n]} ({s})" for n, s in given.items() if listed.get(n) and n in ids and ids[n] != s)
    return [replace(a, student=ids.get(n, given[n])) for a, n in zip(attempts, numbers, strict=True)], kept


def _apart(attempts: list[Attempt], records: dict[str, dict], advice: str, warnings: list[str]) -> list[Attempt]:
    """Tells students of one name apart by the platform's number, also from those of earlier intakes."""
    platforms = {attempt.lms for attempt in attempts}
    then = {s: _number_in(r) for s, r in records.items() if r["lms"] in platforms}
    here: dict[str, set] = {}
    for attempt in attempts:
        here.setdefault(attempt.student, set()).add(_number(attempt))
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
    owners = {a.student: _number(a) for a in attempts if a.lms_id == a.student} | then
    return [
        replace(a, student=_with(a.student, a.lms_id))
        if a.student in shared and owners.get(a.student) != _number(a)
        else a
        for a in attempts
    ]


def _twice(elsewhere: dict[str, dict], attempts: list[Attempt], homework: str, roster: Path | None) -> list[str]:
    """What is said at the first intake of a homework if most ids are new to the course, where numbers say nothing."""
    called = {a.lms_id: a.name.removesuffix(a.lms_id).strip() for a in attempts if a.lms == "moodle"}
    hidden = (
        len(called) > 1 and len(set(called.values())) == 1
    )  # all of them "Participant", or "Participant 4" and so on
    if hidden and any(record["lms"] == "moodle" for record in elsewhere.values()):
        return [
            "Moodle hides who is who, and numbers each homework anew: in the gradebook one student is another one in each. "
            "Exports and feedback of this homework are right all the same"
        ]
    platforms, ids = {attempt.lms for attempt in attempts}, {attempt.student for attempt in attempts}
    known = {s for s, r in elsewhere.items() if r["lms"] not in NUMBERED_ONCE or r["lms"] not in platforms}
    if not known or 2 * len(known & ids) >= min(len(known), len(ids)):
        return []
    how, again = (f"without {roster.name}", "without it") if roster else ("with a list", "with --roster")
    return [
        f"most ids are new to the course, which knows {first_few(sorted(known - ids))}: were earlier homeworks taken in {how}? "
        f"If so, the gradebook will have everybody twice: delete submitted/*/{homework} and take it in again {again}"
    ]


def _number(attempt: Attempt) -> tuple[str, str]:
    """Whose a file is to its platform, in whichever way an e-mail address is written."""
    return attempt.lms, same(attempt.lms_id)


def _number_in(record: dict) -> tuple[str, str]:
    """Whose a file was to its platform at an earlier intake."""
    return record["lms"], same(str(record["lms_id"]))


def _with(student: str, number: str) -> str:
    """An id that only this student has."""
    plain = number if number.isascii() and number.isdigit() else hash_of(number.encode())[:8]
    return safe_id(f"{student}-{plain}")
