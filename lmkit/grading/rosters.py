"""A learning platform's own list of students, as it exports it and takes it back: CSV, one row per student."""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

# The columns of each platform's list: its number for a student, what makes a good id (best first), the grade, a remark.
# Moodle's are written in the language of whoever exports them; each is in the order in which names are looked for.
NUMBER = {"canvas": ("ID",), "moodle": ("Identifier", "ID"), "gradescope": ("Email",)}
IDS = {
    "canvas": ("SIS Login ID", "SIS User ID"),
    "moodle": ("Email address", "E-Mail-Adresse", "E-Mail", "ID number", "ID-Nummer", "Username", "Anmeldename"),
    "gradescope": ("SID",),
}
GRADE = {"moodle": ("Grade", "Bewertung"), "gradescope": ("Total Score",)}
REMARK = {"moodle": ("Feedback comments", "Feedback als Kommentar"), "gradescope": ("Remark",)}
KNOWN_BY = {  # columns that tell the lists apart
    "canvas": ({"Student", "ID"},),
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
        delimiter: ``,`` or ``;``, which German Moodle and Excel write.
    """

    lms: str
    columns: list[str]
    rows: list[dict[str, str]]
    delimiter: str = ","

    def number(self, row: dict[str, str]) -> str:
        """The platform's number of the student in a row; Moodle writes ``Participant 123`` or ``Teilnehmer/in123``."""
        cell = (row.get(self.column(NUMBER)) or "").strip()
        return re.sub(r"^\D+", "", cell) if self.lms == "moodle" else cell

    def ids(self, row: dict[str, str]) -> list[str]:
        """What makes a good id for the student in a row, best first; empty if the platform gives only its number."""
        return [row[name] for name in IDS[self.lms] if row.get(name)]

    def column(self, names: dict[str, tuple[str, ...]]) -> str:
        """Which of a platform's names for a column this list has; the first one if it has none."""
        wanted = names.get(self.lms, ("",))
        return next((name for name in wanted if name in self.columns), wanted[0])


def read_roster(path: Path) -> Roster:
    """A list of students as a platform wrote it.

    Raises:
        ValueError: if it is no text, or no platform's columns are there.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(
            f"roster: {path.name} is no CSV in UTF-8; expected the platform's own export, unchanged"
        ) from None
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns, rows = list(reader.fieldnames or []), list(reader)
    for lms, marks in KNOWN_BY.items():
        if any(mark <= set(columns) for mark in marks):
            return Roster(lms, columns, rows, delimiter)
    raise ValueError(
        f"roster: got the columns {columns}, expected those of Canvas (Student, ID), Moodle (Identifier) or Gradescope (Email)"
    )
