"""Where in an export the class is: the names that platforms write show it, at any depth; else folders are counted.

What rests on counting is said, and so is everything that is left out: an instructor can tell at a glance what we cannot.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from lmkit.grading.archives import CANVAS, METADATA, MOODLE, Member, is_students

NAMES = {"moodle": MOODLE, "canvas": CANVAS}
SUBMITTED = "submitted"  # nbgrader's: a folder for each student
OF_A_COURSE = {"source", "release", "autograded", "feedback", "homeworks", "solutions"}  # what nbgrader has beside it
DEEPEST = 8  # folders, in which a class is looked for
NOTHING = "(nothing)"  # stands for the files of an empty folder


@dataclass(frozen=True)
class Section:
    """A folder, or zip, in which each student has a place.

    Attributes:
        where: its path, component by component.
        lms: ``canvas``, ``moodle``, ``gradescope`` or ``folders``: who has named what is in it.
        people: about how many students there are.
    """

    where: tuple[str, ...]
    lms: str
    people: int = 0


def sections_of(members: list[Member], homework: str, lms: str, warnings: list[str]) -> list[Section]:
    """The folders that hold students: one, as a rule; none if a platform is wanted of which there is no trace.

    Args:
        members: the files of the export.
        homework: which one is wanted.
        lms: the platform; ``auto`` to find out.
        warnings: what somebody should look at is added to it.
    """
    found = _named(members, 0, homework, lms)
    if not found and lms in ("auto", "folders"):
        found = [Section(_wrapper(members, warnings), "folders")]
    warnings.extend(_outside(members, found))
    small = [s for s in found if s.people < 2] if len(found) > 1 else []
    warnings.extend(f"{'/'.join(s.where)!r} was taken for a section of the class, with one student" for s in small)
    for section in found:
        if lms == "auto" and section.lms == "canvas" and section.people < 2 and section.where and section not in small:
            warnings.append(
                f"{'/'.join(section.where)!r} was taken for Canvas's files of one student; if it is a student's folder: "
                "--lms folders"
            )
        if section.lms == "folders" or (section.lms == "canvas" and section.people < 2):
            warnings.extend(_doubts(members, len(section.where), section.where, homework))
    return found


def _children(members: list[Member], depth: int) -> tuple[dict[str, list[Member]], list[str]]:
    """What lies in a folder by its names, and which of these are folders or zips themselves."""
    here: dict[str, list[Member]] = defaultdict(list)
    for member in members:
        if len(member.parts) > depth:
            here[member.parts[depth]].append(member)
    return here, [name for name, group in here.items() if any(len(m.parts) > depth + 1 for m in group)]


def _notebooks(members: list[Member]) -> bool:
    return any(member.is_notebook for member in members)


def _named(members: list[Member], depth: int, homework: str, lms: str) -> list[Section]:
    """The folders in which a platform, or nbgrader, has named everything after students, from here on downwards."""
    here, folders = _children(members, depth)
    if depth > DEEPEST:
        return []
    where = members[0].parts[:depth] if members else ()
    if section := _by_a_platform(here, folders, where, lms):
        return [section]
    if found := _further_down(here, folders, depth, homework, lms):
        return found
    own = [
        name for name in folders if any(m.is_notebook and m.parts[depth + 1 : -1] == (homework,) for m in here[name])
    ]
    if lms in ("auto", "folders") and (own or where[-1:] == (SUBMITTED,) and any(_notebooks(here[f]) for f in folders)):
        return [Section(where, "folders", len(folders))]
    return []


def _by_a_platform(
    here: dict[str, list[Member]], folders: list[str], where: tuple[str, ...], lms: str
) -> Section | None:
    """This folder as a class, if most of what lies in it has a name that a platform gives."""
    if lms in ("auto", "gradescope") and any(len(m.parts) == len(where) + 1 for m in here.get(METADATA, [])):
        return Section(where, "gradescope", len(here) - 1)
    for platform, pattern in NAMES.items():
        if lms not in ("auto", platform):
            continue
        students = {name: match for name in here if (match := pattern.fullmatch(name))}
        others = [name for name in here if name not in students and _notebooks(here[name])]
        if len(students) <= len(others):
            continue
        # Somebody who calls a file hw1_2026_02_final.ipynb is no class: that has names and numbers.
        # Moodle's folders may all have one name, where it hides who is who; files of one name may be one student's own.
        kinds = ("id",) if platform == "moodle" and students.keys() <= set(folders) else ("name", "id")
        people = min(len({match[kind] for match in students.values()}) for kind in kinds)
        # Canvas makes no folders: ``submissions_2026_11_22`` is the instructor's own, with the class in it.
        if people > 1 or any(name not in folders or is_students(name) for name in students):
            return Section(where, platform, people)
    return None


def _further_down(
    here: dict[str, list[Member]], folders: list[str], depth: int, homework: str, lms: str
) -> list[Section]:
    """The classes in the folders of this one; none if what lies beside them is as likely to be the class."""
    inside = {name: _named(here[name], depth + 1, homework, lms) for name in folders if not is_students(name)}
    classes = {name: found for name, found in inside.items() if found}
    beside = [name for name in folders if name not in classes and _anything(here[name])]
    if SUBMITTED in classes:
        beside = [name for name in folders if name not in {SUBMITTED, *OF_A_COURSE}]
        classes = {SUBMITTED: classes[SUBMITTED]}
    elif (
        # What one student has in a folder must not pass for the class, nor hide what others handed in.
        lms in ("auto", "folders")
        and all(section.people < 2 for found in classes.values() for section in found)
        and len(folders) > 1
    ):
        beside, classes = [*beside, *classes], {}
    found = [section for sections in classes.values() for section in sections]
    if found and lms not in ("auto", "folders"):
        return found
    least = 1 if SUBMITTED in classes or any(section.lms != "folders" for section in found) else 2
    rivals = sum(_notebooks(here[name]) for name in beside)
    if rivals <= len(classes) and sum(section.people for section in found) > least * len(beside):
        return found
    return []


def _anything(members: list[Member]) -> bool:
    return any(member.parts[-1] != NOTHING for member in members)


def _wrapper(members: list[Member], warnings: list[str]) -> tuple[str, ...]:
    """The folder that holds a folder for each student, by counting."""
    depth, best, group = 0, 0, members
    while depth < DEEPEST:
        here, folders = _children(group, depth)
        full = [name for name in folders if _notebooks(here[name])]
        if len(full) != 1 or is_students(full[0]):
            break
        # The only one who handed in a notebook is a student if others are beside, whatever these handed in.
        group = here[full[0]]
        below, within = _children(group, depth + 1)
        loose = any(name not in within and _notebooks(below[name]) for name in below)
        beside = sum(_anything(here[name]) for name in folders) - 1
        kids = sum(_anything(below[name]) for name in within)
        if loose or kids <= 3 * beside:
            break
        depth += 1
        best = depth if kids > 1 else best or 1
    where = group[0].parts[:best] if best else ()
    if where:
        students = sorted(_children([m for m in members if m.parts[:best] == where], best)[1])
        who = (
            f"{first_few(map(repr, students))} for students" if len(students) > 1 else f"{students[0]!r} for a student"
        )
        warnings.append(f"{'/'.join(where)!r} was taken for the folder of the class, and {who}; is that so?")
    return where


def _outside(members: list[Member], found: list[Section]) -> list[str]:
    """What lies beside the sections, in words."""
    above = {section.where[:i] for section in found for i in range(len(section.where) + 1)}
    roots = {section.where for section in found}
    depths = {len(root) for root in roots}
    said = set()
    for member in members if found else ():
        parts = member.parts
        if any(parts[:depth] in roots for depth in depths):
            continue
        first = next((i for i in range(1, len(parts) + 1) if parts[:i] not in above), 0)
        if not first:  # a zip with the class in it
            continue
        if first < len(parts):
            said.add(f"left out, beside the folder of the class: {'/'.join(parts[:first])!r}")
        elif parts[-1] not in (METADATA, NOTHING):
            said.add(f"left out, beside the folder of the class: {member.where!r}")
    return sorted(said)


def _doubts(members: list[Member], depth: int, where: tuple[str, ...], homework: str) -> list[str]:
    """Why a folder that was taken for a student's could be a class itself, in words."""
    here, folders = _children([member for member in members if member.parts[:depth] == where], depth)
    said, holders, notebooks, students = [], [], 0, 0
    # Where nobody has a notebook right in a folder, whole classes may be in them: some of these handed in other files.
    shallow = any(member.is_notebook and len(member.parts) == depth + 2 for name in folders for member in here[name])
    below = {name: {m.parts[depth + 1] for m in here[name] if len(m.parts) > depth + 2} for name in folders}
    shared = Counter(folder for own in below.values() for folder in own)  # students' names differ; work, data do not
    for name in sorted(folders):
        own = [member for member in here[name] if member.is_notebook]
        path = "/".join((*where, name))
        parts = {part for m in here[name] for part in m.parts[depth + 1 :]}
        inner = {part for m in here[name] for part in m.parts[depth + 1 : -1]}
        # One such name may be the student's own, a platform's folder hardly.
        several = any(sum(bool(kind.fullmatch(part)) for part in parts) > 1 for kind in NAMES.values())
        named = [member for member in own if member.parts[depth + 1 : -1][:1] == (homework,)]
        alike = shallow or any(shared[folder] > 1 for folder in below[name])
        files = own if alike else [member for member in here[name] if own and _anything([member])]
        folders_in = [member.parts[depth + 1 : -1] for member in files]
        while folders_in and all(folders_in) and len({inside[0] for inside in folders_in}) == 1:
            folders_in = [inside[1:] for inside in folders_in]
        subfolders = sorted({inside[0] for inside in folders_in if inside})
        if several or any(map(MOODLE.fullmatch, (name, *inner))) or METADATA in parts:
            said.append(
                f"{path!r} was taken for one student's folder, though names in it are as a platform writes them"
            )
        elif len(subfolders) > 1 and not named:
            said.append(
                f"{path!r} was taken for one student's folder, though files are in {first_few(map(repr, subfolders))} of it"
            )
        many = sum(member.likeness > 0 for member in named or own)
        notebooks, students = notebooks + many, students + bool(many)
        holders += [name] * (many > 1)
    said = [f"{words}; if that is a class, give lmkit intake that folder itself" for words in said]
    if notebooks >= 2 * students > 0 and not said:
        of = f"{notebooks} notebooks of only {students} student{'s' * (students > 1)}"
        said = [
            f"{of}, {first_few(map(repr, holders))}: if some of them are other students', these need folders of their own"
        ]
    return said


def first_few(names: Iterable[str]) -> str:
    """The first three names, and how many more there are."""
    names = list(names)
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
