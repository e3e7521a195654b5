"""Who is who: one id for each student, over intakes, homeworks and platforms, with a platform's list or without.

What tells people apart is a platform's number. Moodle numbers each assignment anew, and groups as well as students, so there
names are compared too. What cannot be known is asked: a warning names both sides.
"""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from lmkit.grading import audit
from lmkit.grading.layouts import first_few
from lmkit.grading.names import agree, alike
from lmkit.grading.notebook_files import hash_of
from lmkit.grading.platforms import Attempt, safe_id
from lmkit.grading.rosters import Roster, read_roster, same

RECORD = "intake.jsonl"  # beside gradebook.db; ``lmkit export`` finds each platform's own number there
NEEDED = ("homework", "student", "lms", "lms_id", "name")  # a record without one of them is nobody's
NUMBERED_ONCE = ("canvas", "gradescope")  # who somebody is to these does not change from one homework to the next

Number = tuple[str, str]  # a platform, and who somebody is to it


class Listed(NamedTuple):
    """What a platform's list says."""

    ids: dict[Number, str]  # of each number of this export that is in it the id, which may be empty
    missing: dict[Number, str]  # of each other one why, in words; empty if it simply is not there

    def refuses(self, number: Number) -> bool:
        """Whether the number stands in it, and is somebody else's."""
        return bool(self.missing.get(number))


def records(course: Path, homework: str | None = None) -> list[dict]:
    """What intakes noted last about each student from each platform, in a homework or in all, the newest last."""
    found: dict[tuple, dict] = {}
    for record in audit.lines(course / RECORD, homework):
        if all(isinstance(record.get(name), str) for name in NEEDED):
            key = record["homework"], record["student"], record["lms"]
            found.pop(key, None)
            found[key] = record
    return list(found.values())


def noted(course: Path, homework: str) -> dict[str, dict]:
    """The last record of each student in a homework; a platform's, where there is one, rather than a folder's."""
    found: dict[str, dict] = {}
    for record in sorted(records(course, homework), key=lambda record: record["lms"] != "folders"):
        found.pop(record["student"], None)
        found[record["student"]] = record
    return found


def identified(
    attempts: list[Attempt], homework: str, course: Path, roster: Path | None, warnings: list[str]
) -> tuple[list[Attempt], list[str]]:
    """The attempts with an id for each student; and who keeps another one than the list gives.

    Args:
        attempts: as the export has them.
        homework: its name.
        course: the directory of ``nbgrader_config.py``.
        roster: the platform's list of students, if there is one.
        warnings: gets what somebody should look at.

    Raises:
        ValueError: for a list of another platform than the submissions are of.
    """
    everything = records(course)
    there = {id(r) for r in everything if (course / "submitted" / r["student"] / r["homework"]).is_dir()}
    before = [r for r in everything if r["homework"] == homework]
    if not any(id(r) in there for r in before):
        before = []  # all that was taken in is deleted: somebody begins again
    elsewhere = [r for r in everything if r["homework"] != homework and id(r) in there]
    attempts = _one_name_each(attempts, warnings)
    listed = None
    if roster:
        ids_given = {record["student"] for record in [*elsewhere, *before]}
        attempts, listed = _with_roster(attempts, read_roster(roster), roster.name, before, ids_given, warnings)
    plain = [replace(a, student=safe_id(a.student)) for a in attempts]  # as nbgrader, a shell and a file system read it
    odd = {b.student: a.student for a, b in zip(attempts, plain, strict=True) if a.student != b.student}
    fitting = _fitting(before, plain)
    strangers = _strangers(plain, fitting, listed, warnings)
    sure = _sure(elsewhere, listed)
    numbers = {_number(a) for a in plain}
    gone = [] if roster else [r for r in fitting if id(r) not in there]
    present = [r for r in fitting if id(r) in there and _number_in(r) in numbers]
    ids = _ids_before([*gone, *sure], present, strangers, warnings)
    attempts, kept = _one_each(plain, ids, listed)
    attempts, moved = _apart(attempts, sure + before, listed, "" if roster else "; --roster gives steady ids", warnings)
    here = {attempt.student for attempt in attempts}
    if listed:
        warnings += _unlisted(attempts, fitting, strangers, listed, roster.name)
    of_before = {record["student"] for record in before}
    warnings += [f"{odd[s]!r} is called {s!r} here" for s in sorted(odd.keys() & here - of_before)]
    if listed or not roster:
        asked = [] if before else _twice(elsewhere, attempts, homework, roster)
        warnings += asked or _namesakes(attempts, [*elsewhere, *before], moved)
    return attempts, kept


def _one_name_each(attempts: list[Attempt], warnings: list[str]) -> list[Attempt]:
    """Moodle gives a number one name in a download: where it has two, these are two downloads, and two people."""
    names: dict[str, str] = {}
    found, twice = [], {}
    for attempt in attempts:
        first = names.setdefault(attempt.lms_id, attempt.name) if attempt.lms == "moodle" else attempt.name
        if agree(first, attempt.name) is False:
            twice[f"number {attempt.lms_id}, {first!r} and {attempt.name!r}"] = None
            attempt = replace(attempt, lms_id=f"{attempt.lms_id} ({attempt.name})")
        found.append(attempt)
    if twice:
        warnings.append(f"told apart by name: {first_few(list(twice))}; are there two downloads in one?")
    return found


def _with_roster(
    attempts: list[Attempt], roster: Roster, file: str, before: list[dict], ids_given: set[str], warnings: list[str]
) -> tuple[list[Attempt], Listed | None]:
    """The attempts with the ids of a platform's list, and what it says; None if it is the list of others.

    A folder that is named by an id that somebody has is that student's, whatever the list gives now; but where the name is
    one student's number and another one's id in the list, the column decides that most of the folders are named from.
    """
    others = sorted({a.lms for a in attempts} & {"canvas", "moodle"} - {roster.lms})  # their numbers are no names
    if others:
        raise ValueError(
            f"roster: got a list of {roster.lms} for submissions of {others[0]}, expected one of {others[0]}"
        )
    people = {_number(a): a for a in attempts}
    numbers = {key: key[1] for key in people if key[0] == roster.lms}
    called = {key: people[key].name for key in numbers}
    found, why, named = roster.lines_of(numbers, {key: key[1] for key in people if key not in numbers}, called)
    if len(people) > 1 and not found and not any(why.values()):
        warnings.append(
            f"nobody of this export is in {file}: is it the list of this assignment, and are these students?"
        )
        return attempts, None
    ids = {key: next(iter(roster.ids(roster.rows[places[0]])), "") for key, places in found.items()}
    twice = sorted(roster.ids_of_several() & set(ids.values()))
    ids = {key: "" if own in twice else own for key, own in ids.items()}
    warnings += [f"{own!r} stands at more than one student in {file}, and is nobody's id" for own in twice]
    said = {(_number_in(record), record["name"]) for record in before}
    warnings += [
        f"{ids[key] or people[key].student}: number {key[1]} is {name!r} in the list, {called[key]!r} in the download: "
        "one student?"
        for key, name in sorted(named.items())
        if (key, called[key]) not in said
    ]
    given = {same(one): one for one in sorted(ids_given)}
    first: dict[str, set[int]] = {}  # where each id stands in the list
    other: dict[str, set[int]] = {}  # and as second best, which counts if it is nobody's first
    for place, row in enumerate(roster.rows):
        for i, own in enumerate(roster.ids(row)):
            (other if i else first).setdefault(same(safe_id(own)), set()).add(place)
    lines = other | first
    as_before = {key: own for key in found if key[0] == "folders" and (own := same(safe_id(key[1]))) in given}
    stay, changed = {}, []
    for key, own in as_before.items():
        if not lines.get(own, set(found[key])).isdisjoint(found[key]):
            stay[key] = given[own]
        elif ids[key]:
            changed.append(f"the folder {given[own]!r} is that of {ids[key]!r}")
        elif own in first:  # without an id its name stays its id, and is silent only where nobody else should have it
            changed.append(f"the folder {given[own]!r} is that of a student without an id")
    if changed:
        warnings.append(
            f"by {file} {first_few(sorted(changed))}; that name was somebody's id before: the same student?"
        )
    warnings += [
        f"{one!r} has an id, and so has {ids[key]!r}, which {file} gives: are they one student, who stays {one!r}?"
        for key, one in sorted(stay.items())
        if given.get(same(safe_id(ids[key])), one) != one
    ]
    ids |= stay
    listed = Listed(ids, {key: why.get(key, "") for key in people if key not in found})
    return [replace(a, student=ids.get(_number(a)) or a.student) for a in attempts], listed


def _fitting(before: list[dict], attempts: list[Attempt]) -> list[dict]:
    """The earlier records; where two have one number of this export, a group and a student, only the one with its name."""
    called = {_number(a): a.name for a in attempts if a.lms == "moodle" and a.name}
    fits, best = [], Counter()  # how well a record's name is that of its number; the best of each number
    for record in before:
        number = _number_in(record)
        name = called.get(number, record["name"])
        verdict = agree(record["name"], name)
        fits.append(3 if verdict is None or alike(record["name"], name) else 1 + verdict)
        best[number] = max(best[number], fits[-1])
    return [record for record, fit in zip(before, fits, strict=True) if fit == best[_number_in(record)]]


def _strangers(attempts: list[Attempt], before: list[dict], listed: Listed | None, warnings: list[str]) -> set[Number]:
    """The numbers of Moodle that are not whose they were at an earlier intake: groups are numbered from 1 on, as students are.

    So it is where a name is another than then and the list has not this number, or has it for another name; and where most
    names are others than then. Fewer are new names, which is said.
    """
    here = {_number(a): a for a in attempts if a.lms == "moodle" and a.name}
    called = {number: attempt.name for number, attempt in here.items()}
    then = {_number_in(r): r["name"] for r in before if r["lms"] == "moodle" and r["name"]}
    students = {_number_in(record): record["student"] for record in before}
    # Whom the list gives the id of then is the same one.
    known = {n for n, own in (listed.ids if listed else {}).items() if n in here and here[n].student == students.get(n)}
    both = called.keys() & then.keys() - known
    # A name that several have at a time is hidden, or two people's, and may be anybody's.
    hidden = {name for names in (called, then) for name, uses in Counter(names.values()).items() if uses > 1}
    others = {n for n in both if agree(then[n], called[n]) is False}
    asked = {n for n in both - others if agree(then[n], called[n]) and not alike(then[n], called[n])}
    refused = set()
    if listed is not None:  # it says whose a number is now, and whose it is not; not whose it was
        refused = {n for n in others | asked if listed.refuses(n)}
        refused |= {n for n in others if n not in listed.ids and then[n] not in hidden}
    others, asked = ({n for n in some - refused if not {then[n], called[n]} & hidden} for some in (others, asked))
    many = 1 < len(others) > len((called.keys() & then.keys()) - refused) / 2
    what = "two, a student and a group" if many else "one student, whose newest file counts"
    taken_for = dict.fromkeys(others, what) | dict.fromkeys(asked, "one student, whose newest file counts")
    warnings += [
        f"number {n[1]} was {then[n]!r} at an earlier intake and is {called[n]!r}: taken for {words}; is that so?"
        for n, words in sorted(taken_for.items())
    ]
    return refused | (others if many else set())


def _sure(elsewhere: list[dict], listed: Listed | None) -> list[dict]:
    """Records of other homeworks whose number says who somebody is here as well."""
    now: dict[str, set] = {}  # whose an id is, as the list has it: an address may have become somebody else's
    for number, own in (listed.ids if listed else {}).items():
        now.setdefault(safe_id(own), set()).add(number)
    return [
        record
        for record in elsewhere
        if record["lms"] in NUMBERED_ONCE
        and (record["student"] not in now or _number_in(record) in now[record["student"]])
    ]


def _ids_before(others: list[dict], here: list[dict], strangers: set[Number], warnings: list[str]) -> dict[Number, str]:
    """For each number the id that it had at an earlier intake; of two the newer one, and sooner one of what is ``here``."""
    ids = {number: r["student"] for r in others if (number := _number_in(r)) not in strangers}
    there: dict[Number, dict] = {}
    for record in here:
        number, student = _number_in(record), record["student"]
        if number in strangers:
            continue
        if number in there:
            old, homework = there[number]["student"], record["homework"]
            warnings.append(
                f"{old!r} and {student!r} are one student, number {number[1]}, who stays {student!r}: "
                f"is submitted/{old}/{homework} still wanted?"
            )
        there[number] = record
    return ids | {number: record["student"] for number, record in there.items()}


def _one_each(
    attempts: list[Attempt], ids: dict[Number, str], listed: Listed | None
) -> tuple[list[Attempt], list[str]]:
    """One id for each number: the one from an earlier intake, or the first of those that this export gives; who keeps one."""
    given: dict[Number, str] = {}
    for attempt in attempts:
        given.setdefault(_number(attempt), attempt.student)
    own = listed.ids if listed else {}
    kept = sorted(f"{ids[n]} ({s})" for n, s in given.items() if own.get(n) and n in ids and ids[n] != s)
    return [replace(a, student=ids.get(_number(a), given[_number(a)])) for a in attempts], kept


def _apart(
    attempts: list[Attempt], known: list[dict], listed: Listed | None, advice: str, warnings: list[str]
) -> tuple[list[Attempt], set[str]]:
    """Tells students of one name apart by the platform's number, also from those of earlier intakes; and the new ids."""
    platforms = {attempt.lms for attempt in attempts}
    then: dict[str, dict[Number, str]] = {}
    for record in known:
        if record["lms"] in platforms:
            then.setdefault(record["student"], {})[_number_in(record)] = record["name"]
    here: dict[str, dict[Number, str]] = {}
    for attempt in attempts:
        here.setdefault(attempt.student, {})[_number(attempt)] = attempt.name
    own = {n: safe_id(i) for n, i in listed.ids.items() if i} if listed else {}

    def has(student: str, number: Number) -> bool:
        """Whether it is the student's own number: as before, as the list says, or because it is the id itself."""
        names = then.get(student)
        if not names:
            return number[1] == student
        listed_so = own.get(number) == student and all(
            agree(n, here[student][number]) is not False for n in names.values()
        )
        return number in names or listed_so

    moved: dict[tuple[str, Number], str] = {}
    for student, numbers in sorted(here.items()):
        others = [n for n in sorted(numbers) if not has(student, n)] if len(numbers) > 1 or student in then else []
        for number in others:
            new = _with(student, number[1])
            moved[student, number] = _with(student, " ".join(number)) if new in then.keys() | here.keys() else new
        if others and len(numbers) > 1:
            warnings.append(f"several students are called {student!r}: told apart by number{advice}")
        elif others:
            new = moved[student, others[0]]
            warnings.append(f"{student!r} is another student, taken in before: this one becomes {new!r}{advice}")
    return [replace(a, student=moved.get((a.student, _number(a)), a.student)) for a in attempts], set(moved.values())


def _unlisted(
    attempts: list[Attempt], before: list[dict], strangers: set[Number], listed: Listed, file: str
) -> list[str]:
    """Who is not in the list, and why, if that is known."""
    then = {_number_in(record): record["student"] for record in before}
    said = set()
    for attempt in attempts:
        number = _number(attempt)
        if number in listed.missing:
            words = listed.missing[number]
            if not words and number in strangers:
                words = f"not the {then[number]!r} of an earlier intake, who had its number"
            said.add(f"not in {file}: {attempt.student}" + (f" ({words})" if words else ""))
    return sorted(said)


def _twice(elsewhere: list[dict], attempts: list[Attempt], homework: str, roster: Path | None) -> list[str]:
    """What is said at the first intake of a homework if most ids are new to the course, where numbers say nothing."""
    here = {a.lms_id: a.name for a in attempts if a.lms == "moodle"}
    there = {r["lms_id"]: r["name"] for r in elsewhere if r["lms"] == "moodle"}
    if here and there and (_hidden(here) or _hidden(there)):
        return [
            "Moodle hides who is who, and numbers each homework anew: in the gradebook one student is another one in each. "
            "Exports and feedback of this homework are right all the same"
        ]
    platforms, ids = {attempt.lms for attempt in attempts}, {attempt.student for attempt in attempts}
    known = {r["student"] for r in elsewhere if r["lms"] not in NUMBERED_ONCE or r["lms"] not in platforms}
    if not known or 2 * len(known & ids) >= min(len(known), len(ids)):
        return []
    how, again = (f"without {roster.name}", "without it") if roster else ("with a list", "with --roster")
    return [
        f"most ids are new to the course, which knows {first_few(sorted(known - ids))}: were earlier homeworks taken in {how}? "
        f"If so, the gradebook will have everybody twice: delete submitted/*/{homework} and take it in again {again}"
    ]


def _hidden(names: dict[str, str]) -> bool:
    """Whether all of several numbers have one name, "Participant", or "Participant 4" and so on."""
    return len(names) > 1 and len({name.removesuffix(number).strip() for number, name in names.items()}) == 1


def _namesakes(attempts: list[Attempt], known: list[dict], moved: set[str]) -> list[str]:
    """Who is new, and has the name of somebody who is not in this export: one student, of another address perhaps."""
    here = {attempt.student: attempt.name for attempt in attempts}
    then = {record["student"]: record["name"] for record in known}
    hidden = {
        name for names in (here, then) for name, n in Counter(names.values()).items() if n > max(1, len(names) / 2)
    }
    found = []
    for student in sorted(here.keys() - then.keys() - moved):
        name = here[student]
        others = sorted(repr(s) for s in then.keys() - here.keys() if then[s] and alike(then[s], name))
        if name and name not in hidden and others:
            found.append(f"{student!r} and {' or '.join(others)}")
    return [f"of one name, but not of one number: {', '.join(found)}; is that one student?"] if found else []


def _number(attempt: Attempt) -> Number:
    """Who a file's sender is to its platform, in whichever way an e-mail address is written."""
    return attempt.lms, same(attempt.lms_id)


def _number_in(record: dict) -> Number:
    """Who a file's sender was to its platform at an earlier intake."""
    return record["lms"], same(record["lms_id"])


def _with(student: str, number: str) -> str:
    """An id that only this student has."""
    plain = number if number.isascii() and number.isdigit() else hash_of(number.encode())[:8]
    return safe_id(f"{student}-{plain}")
