"""A learning platform's own list of students, as it exports it and takes it back: CSV, one row per student."""

import csv
import io
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lmkit.grading.names import agree, is_hidden

# The columns of each platform's list: its number for a student, a name, what makes a good id (best first), the grade, a remark.
# Moodle's are written in the language of whoever exports them; each is in the order in which names are looked for.
NUMBER = {"canvas": ("ID",), "moodle": ("Identifier", "ID"), "gradescope": ("Email",)}
NAME = {"moodle": ("Full name", "Vollständiger Name")}
IDS = {
    "canvas": ("SIS Login ID", "SIS User ID"),
    "moodle": ("Email address", "E-Mail-Adresse", "E-Mail", "ID number", "ID-Nummer", "Username", "Anmeldename"),
    "gradescope": ("SID",),
}
GRADE = {"moodle": ("Grade", "Bewertung"), "gradescope": ("Total Score",)}
REMARK = {"moodle": ("Feedback comments", "Feedback als Kommentar"), "gradescope": ("Remark",)}
KNOWN_BY = {  # columns that tell the lists apart
    "canvas": ({"Student", "ID"}, {"LastName", "FirstName", "ID"}),
    "moodle": ({"Identifier"}, {"ID", "Bewertung"}, {"ID", "E-Mail-Adresse"}),
    "gradescope": ({"Email"},),
}


@dataclass(frozen=True)
class Roster:
    """A list of students.

    Attributes:
        lms: ``canvas``, ``moodle`` or ``gradescope``.
        columns: their names, in order.
        rows: one dictionary per line.
        cells: the lines as they stand in the file, with what lies beyond the header or below two columns of one name.
        delimiter: ``,`` or ``;``, which German Moodle and Excel write.
    """

    lms: str
    columns: list[str]
    rows: list[dict[str, str]]
    cells: list[list[str]]
    delimiter: str = ","

    def number(self, row: dict[str, str]) -> str:
        """The platform's number of the student in a row; Moodle writes ``Participant 123`` or ``Teilnehmer/in123``."""
        cell = (row.get(self.column(NUMBER)) or "").strip()
        return re.sub(r"^\D+", "", cell) if self.lms == "moodle" else cell

    def ids(self, row: dict[str, str]) -> list[str]:
        """What makes a good id for the student in a row, best first; empty if the platform gives only its number."""
        return [row[name] for name in IDS[self.lms] if (row.get(name) or "").strip()]

    def ids_of_several(self) -> set[str]:
        """What would be the id of more than one student: a couple's address, a slip."""
        numbers: dict[str, set[str]] = {}
        for row in self.rows:
            for own in self.ids(row)[:1]:
                numbers.setdefault(own, set()).add(same(self.number(row)))
        return {own for own, of in numbers.items() if len(of) > 1}

    def lines_of(
        self, numbers: dict[str, str], names: dict[str, str], called: dict[str, str]
    ) -> tuple[dict[str, list[int]], dict[str, str], dict[str, str]]:
        """Whose line is which: each student's places in ``rows``; in words why somebody has none; whose name is another.

        The last are students whose number is in the list beside another name, which is given, while most names agree.

        Args:
            numbers: the platform's own number of each student of whom it is known.
            names: of each other student a name that may be from any column of numbers or ids, as folders have it.
            called: how the platform wrote the name of each student whose number is known; may be empty.
        """
        found, why, others = self._by_number(numbers, called)
        self._by_name(names, found, why)
        return found, why, others

    def _by_number(
        self, numbers: dict[str, str], called: dict[str, str]
    ) -> tuple[dict[str, list[int]], dict[str, str], dict[str, str]]:
        """Whose number is in the list: places; why not; whose name is another there."""
        by_number = self._places(self.number)
        found = {student: by_number[same(n)] for student, n in numbers.items() if same(n) in by_number}
        why = {student: "" for student in numbers if student not in found}
        compared = {student: self._other_name(found[student], called[student]) for student in found}
        others = {student: other for student, other in compared.items() if other}
        names = {called[student] for student in found}
        if len(names) == 1 < len(found) and " " not in "".join(names):  # one word for all: hidden, in another language
            return found, why, {}
        if others and 2 * len(others) >= sum(other is not None for other in compared.values()):
            # Moodle numbers groups as well, each kind from 1 on: where not most names agree, these are not students'.
            why |= dict.fromkeys(found, "its number is a group's, as others' are")
            why |= {
                student: f"number {numbers[student]} is {other!r} in the list, {called[student]!r} in the download"
                for student, other in others.items()
            }
            return {}, why, {}
        return found, why, others

    def _by_name(self, names: dict[str, str], found: dict[str, list[int]], why: dict[str, str]) -> None:
        """Adds whose name is in a column of numbers or ids, and why others' are not."""
        columns = [self._places(self.number)]
        columns += [self._places(lambda row, name=name: row.get(name, "")) for name in IDS[self.lms]]
        hits = [sum(same(name) in column for name in names.values()) for column in columns]
        # Folders are named from one column, as a rule; a name that is in others, too, means nobody there.
        likely = [column for column, hit in zip(columns, hits, strict=True) if hit == max(hits)]
        claims: dict[int, list[str]] = {}
        for chosen in (likely, columns):  # a second choice takes no line that a first one, or a number, has
            taken = {place for places in found.values() for place in places} | set(claims)
            for student, name in names.items():
                places = sorted({place for column in chosen for place in column.get(same(name), ())})
                if student in found or student in why or not places:
                    continue
                if chosen is columns and same(name).isdigit():  # a number of one kind is another student's of another
                    why[student] = f"{name!r} stands in another column than the other students' names"
                elif len({self.number(self.rows[place]) or place for place in places}) > 1:
                    why[student] = f"{name!r} fits the lines of more than one student"
                elif taken & set(places):
                    why[student] = f"the line that {name!r} fits is another student's"
                else:
                    found[student] = places
                    for place in places:
                        claims.setdefault(place, []).append(student)
        for student in {one for rivals in claims.values() if len(rivals) > 1 for one in rivals}:
            del found[student]
            why[student] = f"the line that {names[student]!r} fits is as well another student's"
        why |= {student: "" for student in names if student not in found and student not in why}

    def other_names(self, people: dict[str, tuple[str, str]]) -> dict[str, str]:
        """Of each whose number, given with a name, the list has beside another name: that one."""
        places = self._places(self.number)
        found = {one: self._other_name(places.get(same(number), []), name) for one, (number, name) in people.items()}
        return {one: other for one, other in found.items() if other}

    def hides(self, name: str) -> bool:
        """Whether a name is the word that the platform writes for all of them, ``Participant``."""
        return any(is_hidden(name, row.get(self.column(NUMBER), "")) for row in self.rows[:1])

    def _other_name(self, places: list[int], name: str) -> str | None:
        """The name in these lines, if it is another one; empty if it is the same; None where there is nothing to compare.

        A name that is hidden, as ``Participant``, may be anybody's.
        """
        known = None
        for row in (self.rows[place] for place in places if self.lms in NAME):
            listed = row.get(self.column(NAME), "")
            same_one = is_hidden(name, row.get(self.column(NUMBER), "")) or agree(listed, name)
            if same_one:
                return ""
            if same_one is not None:
                known = listed
        return known

    def _places(self, value: Callable[[dict[str, str]], str]) -> dict[str, list[int]]:
        """Where each value of a column stands."""
        found: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            if value(row).strip():
                found.setdefault(same(value(row)), []).append(place)
        return found

    def column(self, names: dict[str, tuple[str, ...]]) -> str:
        """Which of a platform's names for a column this list has; the first one if it has none."""
        wanted = names.get(self.lms, ("",))
        return next((name for name in wanted if name in self.columns), wanted[0])


def same(name: str) -> str:
    """What two spellings of one number or address have in common: e-mail addresses are the same in capitals."""
    name = unicodedata.normalize("NFC", name.strip())  # a Mac writes two characters for one letter
    return name.casefold() if "@" in name else name


def read_roster(path: Path) -> Roster:
    """A list of students as a platform wrote it.

    Raises:
        ValueError: if it is no text, or no platform's columns are there.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")  # line ends inside of cells stay as they are
    except UnicodeDecodeError:
        raise ValueError(
            f"roster: {path.name} is no CSV in UTF-8; expected the platform's own export, unchanged"
        ) from None
    csv.field_size_limit(2**31 - 1)  # students paste whole notebooks where Moodle asks for text, and its list has that
    first = re.split(r"[\r\n]", text, maxsplit=1)[0]
    delimiter = max(",;\t", key=first.count)
    columns, *cells = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if line] or [[]]
    rows = [dict(zip(columns, line, strict=False)) for line in cells]
    for lms, marks in KNOWN_BY.items():
        if any(mark <= set(columns) for mark in marks):
            return Roster(lms, columns, rows, cells, delimiter)
    raise ValueError(
        f"roster: got the columns {columns}, expected those of Canvas (Student, ID), Moodle (Identifier) or Gradescope (Email)"
    )
