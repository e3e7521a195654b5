"""Whose file is it? Canvas, Moodle and Gradescope say it in the outermost name, each in its own way.

A folder per student, as nbgrader has it, is understood, too. What a student may name is never trusted with that.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import yaml
from nbgrader.utils import parse_utc

from lmkit.grading.archives import CANVAS, METADATA, MOODLE, MOODLE_FOLDER, TIMESTAMP, Member
from lmkit.grading.layouts import NOTHING, Section, first_few, sections_of
from lmkit.grading.notebook_files import STUDENT_ID, hash_of


@dataclass(frozen=True)
class Attempt:
    """One file of one student.

    Attributes:
        student: the id it gets here.
        name: the student's name as the platform writes it; may be empty.
        lms: ``canvas``, ``moodle``, ``gradescope`` or ``folders``.
        lms_id: the platform's own number or name for the student.
        where: the path inside the export.
        order: tells later from earlier: the platform's time or counter, the browser's ``(1)``, the file's time.
        time: when it was handed in, ISO 8601, if the export says so.
        late: whether the platform marks it as late.
        index: its place among the files of the export.
        likeness: 2 if the file holds the homework's cells, 1 if only its name says so, else 0.
        content_hash: of a notebook's bytes.
        is_notebook: whether it is one that can be read.
        problem: why it is none, in words; empty for what does not pretend to be one.
    """

    student: str
    name: str
    lms: str
    lms_id: str
    where: str
    order: tuple
    time: str = ""
    late: bool = False
    index: int = 0
    likeness: int = 0
    content_hash: str = ""
    is_notebook: bool = True
    problem: str = ""


def attempts_of(members: list[Member], homework: str, lms: str, warnings: list[str]) -> list[Attempt]:
    """Every file of an export with its student, notebooks and others; ``warnings`` gets what is nobody's.

    Args:
        members: the files of the export.
        homework: which one is wanted.
        lms: the platform; ``auto`` to find out.
        warnings: what somebody should look at is added to it.
    """
    found: list[Attempt] = []
    places, done = defaultdict(set), 0
    for section in sections_of(members, homework, lms, warnings):
        depth = len(section.where)
        inside = [m for m in members if m.parts[:depth] == section.where and len(m.parts) > depth]
        found += _attempts_in(section, inside, homework, warnings)
        for attempt in found[done:]:
            # Names of folders need not mean the same student in two sections, nor Moodle's numbers where names are hidden.
            if attempt.lms in ("folders", "moodle"):
                places[attempt.name, attempt.lms_id].add("/".join(section.where))
        done = len(found)
    uses = Counter(name for name, _ in places)
    twice = sorted(
        repr(f"{name} {number}".strip())
        for (name, number), where in places.items()
        if len(where) > 1 and (not name or uses[name] > 1)
    )
    if twice:
        warnings.append(f"in more than one section, taken for one student each: {first_few(twice)}; is that so?")
    return found


def _attempts_in(section: Section, members: list[Member], homework: str, warnings: list[str]) -> list[Attempt]:
    """The files of one section with their students."""
    root, lms = len(section.where), section.lms
    metadata = next((m for m in members if m.parts[root:] == (METADATA,)), None)
    people = _gradescope_people(metadata) if metadata and lms == "gradescope" else {}
    by_name = Counter(who["name"] for group in people.values() for who in group if not who["id"])
    if again := [repr(name) for name, uses in sorted(by_name.items()) if uses > 1]:
        warnings.append(
            f"more than one submission, no address, taken for one student each: {first_few(again)}; is that so?"
        )
    tops = {member.parts[root] for member in members}
    empty = {name for name in people if name not in tops}
    if lms == "folders":  # who handed in nothing but the time of it
        empty |= tops - {m.parts[root] for m in members if m.parts[-1] != TIMESTAMP} - {TIMESTAMP}
    members += [Member("/".join((*section.where, name, NOTHING)), b"", 0.0) for name in sorted(empty)]
    times = _timestamps(members, root, warnings) if lms == "folders" else {}
    zips = {m.parts: m.time for m in members if m.parts[-1].lower().endswith(".zip") and m.time}
    found: list[Attempt] = []
    nobodys = set()
    for member in members:
        if member.parts[-1] == METADATA or (lms == "folders" and member.parts[-1] == TIMESTAMP):
            continue
        parts = member.parts[root:]
        above = (member.parts[:i] for i in range(root + 1, len(member.parts)))
        # What is in a student's zip was handed in when the zip was, whenever it was saved.
        came = next((zips[path] for path in above if path in zips), member.time)
        if lms == "gradescope":
            made = _from_gradescope(member, parts, people)
        else:
            made = {"canvas": _from_canvas, "moodle": _from_moodle, "folders": _from_folder}[lms](member, parts, came)
        if not made and parts[-1] != NOTHING:
            nobodys.add(member.where if member.is_notebook else "/".join(member.parts[: root + 1]))
        about = {"index": member.index, "likeness": member.likeness, "problem": member.problem}
        about |= {"is_notebook": member.is_notebook, "content_hash": member.content_hash}
        folders = [member.parts[:i] for i in range(root + 1, len(member.parts))]
        folders.sort(key=lambda folder: folder[root + 1 :] != (homework,))  # nbgrader's own, else the outermost
        when = next((times[folder] for folder in folders if folder in times), "")
        found += [replace(attempt, **about, time=attempt.time or when) for attempt in made]
    warnings += [f"left out, no student of {lms} in its name: {where!r}" for where in sorted(nobodys)]
    return found


def _timestamps(members: list[Member], root: int, warnings: list[str]) -> dict[tuple[str, ...], str]:
    """What nbgrader's ``timestamp.txt`` say, by folder: empty for one that says no time."""
    found, in_zips = {}, []
    for member in members:
        if member.parts[-1] != TIMESTAMP:
            continue
        # Whoever made the zip may have written it.
        if any(part.lower().endswith(".zip") for part in member.parts[root:]):
            in_zips.append(member.where)
            continue
        text = member.content[:200].decode("utf-8-sig", "replace").strip()
        try:
            parse_utc(text)
        except (ValueError, OverflowError):
            warnings.append(f"no time that can be read: {member.where!r}")
            text = ""
        found[member.parts[:-1]] = text
    if in_zips:
        more = f" and {len(in_zips) - 1} more" if len(in_zips) > 1 else ""
        warnings.append(f"a time in a student's own zip is not taken for the hand-in's: {in_zips[0]!r}{more}")
    return found


def _from_canvas(member: Member, parts: tuple[str, ...], came: float) -> list[Attempt]:
    match = CANVAS.fullmatch(parts[0])
    if not match:
        return []
    again = re.search(r"-(\d{1,3})(?:\.\w+)?$", match["file"] or "")
    # Canvas numbers uploads; what stands behind the file's name it, or the student's own machine, may have written.
    order = (int(match["upload"] or 0), int(again[1]) if again else 0, _copy_number(parts[-1]), member.time)
    student = f"{slug(match['name']) or 'student'}-{match['id']}"
    return [Attempt(student, match["name"], "canvas", match["id"], member.where, order, late=bool(match["late"]))]


def _from_moodle(member: Member, parts: tuple[str, ...], came: float) -> list[Attempt]:
    match = (MOODLE_FOLDER.fullmatch(parts[0]) if len(parts) > 1 else None) or MOODLE.fullmatch(parts[0])
    if not match:
        return []
    student = id_of(match["name"]) or f"participant-{match['id']}"
    order = (came, member.time, _copy_number(parts[-1]))
    return [Attempt(student, match["name"], "moodle", match["id"], member.where, order)]


def _from_folder(member: Member, parts: tuple[str, ...], came: float) -> list[Attempt]:
    zipped = parts[0].lower().endswith(".zip")
    if len(parts) == 1 and not zipped:
        return []
    student = parts[0][: -len(".zip")] if zipped else parts[0]
    order = (came, member.time, _copy_number(parts[-1]))
    return [Attempt(student, "", "folders", student, member.where, order)]


def _from_gradescope(member: Member, parts: tuple[str, ...], people: dict[str, list[dict]]) -> list[Attempt]:
    return [
        Attempt(
            who["id"] or id_of(who["name"]) or parts[0],
            who["name"],
            "gradescope",
            who["id"] or who["name"] or parts[0],
            member.where,
            (who["time"], member.time, _copy_number(parts[-1])),
            who["time"],
        )
        for who in people.get(parts[0], [])  # a group's work is each member's
    ]


def _gradescope_people(metadata: Member) -> dict[str, list[dict]]:
    """Submitters and time of every submission, by its folder."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        read = yaml.load(metadata.content.decode("utf-8"), Loader=loader)
        people = {}
        for folder, about in read.items():
            time = about.get(":created_at", "")
            time = time.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if isinstance(time, datetime) else str(time)
            people[folder] = [
                # Not the submission's folder, which a group shares and which is another each time.
                {"id": str(p.get(":email") or p.get(":sid") or ""), "name": str(p.get(":name") or ""), "time": time}
                for p in about[":submitters"]
            ]
        return people
    except (UnicodeDecodeError, yaml.YAMLError, AttributeError, KeyError, TypeError, RecursionError):
        raise ValueError(f"source: {metadata.where!r} is not as Gradescope writes it") from None


def slug(name: str) -> str:
    """A name as part of a student id: ``"José Núñez"`` becomes ``"jose-nunez"``; empty if it has no Latin letter or digit."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60]


def id_of(name: str) -> str:
    """A name as an id, the same in every homework: its ``slug``; ``"student-1f0c8a52"`` where letters would be missing."""
    letters = unicodedata.normalize("NFKD", name)
    if not any(unicodedata.category(c).startswith("L") and not c.isascii() for c in letters):
        return slug(name)
    return f"{slug(name) or 'student'}-{hash_of(letters.encode())[:8]}"


def safe_id(name: str) -> str:
    """A name, or an e-mail address, as an id of its own that nbgrader takes: ``"Ann O'Neil"`` becomes ``"Ann-O-Neil"``.

    What is one already stays as it is.
    """
    if STUDENT_ID.fullmatch(name) and ".." not in name:
        return name
    mark = hash_of(name.encode("utf-8", "surrogateescape"))[:8]  # where too little of the name is left
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"\.\.+", ".", re.sub(r"[^A-Za-z0-9._@+-]+", "-", plain)).strip("-._@+")
    return plain if 0 < len(plain) <= 80 else f"{plain[:80] or 'student'}-{mark}"


def _copy_number(name: str) -> int:
    """The 2 of ``hw1 (2).ipynb``, as browsers number downloads."""
    number = re.search(r"\((\d{1,4})\)", name)
    return int(number[1]) if number else 0
