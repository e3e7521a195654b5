"""Grades as each learning platform takes them back: CSV, in which what nobody has read or could read is not a zero."""

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook

from lmkit.grading import audit
from lmkit.grading.gradebook import whole
from lmkit.grading.identities import noted
from lmkit.grading.outcome import Kind
from lmkit.grading.platforms import safe_id
from lmkit.grading.release import nothing_graded
from lmkit.grading.rosters import GRADE, REMARK, Roster, read_roster, same

MARK = "autograder: "  # how the remarks begin that are written here: they are replaced, an instructor's are not
FORMATS = ("canvas", "moodle", "gradescope", "plain")


@dataclass(frozen=True)
class Row:
    """One student's grade.

    Attributes:
        student: the id.
        name: as the platform wrote it at intake, or as the gradebook has it; may be empty.
        lms_id: the platform's own number, from the intake; may be empty.
        tests: points of the tests.
        written: points that humans have given.
        waiting: points of written answers that nobody has read yet.
        penalty: points taken off for lateness.
        max_points: what the homework can give.
        nothing: why nothing of the submission ran, in words; empty for one that was graded.
        lms: which platform's number it is; ``folders`` for a folder's name; empty if unknown.
        taken_in: which intake's record it is of: the larger the later.
        reread: what somebody gave points for that are older than the answer's text or a test's grading, or than a grading by
            ``nbgrader autograde``.
    """

    student: str
    name: str
    lms_id: str
    tests: float
    written: float
    waiting: float
    penalty: float
    max_points: float
    nothing: str = ""
    lms: str = field(default="", compare=False)
    taken_in: int = field(default=0, compare=False)
    reread: tuple[str, ...] = ()

    @property
    def total(self) -> float:
        """All points so far, less the penalty."""
        return max(0.0, self.tests + self.written - self.penalty)

    @property
    def is_final(self) -> bool:
        """Whether there is nothing that somebody should look at before this is a grade."""
        return not (self.waiting or self.nothing)

    @property
    def remark(self) -> str:
        """What is missing, in words; empty if nothing is."""
        if self.nothing:
            return f"{MARK}not graded. {self.nothing}"
        return f"{MARK}provisional, {self.waiting:g} of {self.max_points:g} points not yet read" if self.waiting else ""


def grades(book: Gradebook, homework: str, course: Path) -> list[Row]:
    """Every student's grade in a homework, by student.

    Raises:
        ValueError: if nobody has a grade.
    """
    known, latest = noted(course, homework), audit.latest(course, homework)
    order = {student: place for place, student in enumerate(known, 1)}
    rows = []
    for submission in book.assignment_submissions(homework):
        marks = [grade for notebook in submission.notebooks for grade in notebook.grades]
        unread = [g for g in marks if g.needs_manual_grade and g.auto_score is None and g.manual_score is None]
        tests = [grade for grade in marks if grade.cell.cell_type == "code"]
        student = submission.student
        about = known.get(student.id, {})
        outcome = latest.get(student.id)
        nothing = outcome.sentence if outcome and outcome.kind in (Kind.MALFORMED, Kind.REFUSED) else ""
        if any(grade.manual_score is not None for grade in marks):
            nothing = ""  # somebody has decided
        name = about.get("name") or " ".join(filter(None, (student.first_name, student.last_name)))
        rows.append(
            Row(
                student.id,
                name,
                about.get("lms_id", ""),
                sum(grade.score for grade in tests),
                sum(grade.score for grade in marks if grade not in tests),
                sum(grade.max_score for grade in unread),
                submission.late_submission_penalty or 0.0,
                sum(grade.max_score for grade in marks),
                nothing,
                about.get("lms", ""),
                order.get(student.id, 0),
                tuple(g.name for g in marks if g.needs_manual_grade and g.manual_score not in (None, g.auto_score)),
            )
        )
    if not rows:
        raise nothing_graded(homework)
    return sorted(rows, key=lambda row: row.student)


def write_csv(
    rows: list[Row], path: Path, lms: str, homework: str, roster: Path | None = None, provisional: bool = False
) -> dict[str, str]:
    """Writes the grades as a platform reads them; returns for which students nothing was written into its list, and why.

    A grade with unread answers, or of a file of which nothing could be graded, stays empty unless ``provisional``; where a
    list is filled in, what stood there stays.

    The reason is empty where the list simply has no such student.

    Args:
        rows: from ``grades``.
        path: the file to write.
        lms: ``canvas``, ``moodle``, ``gradescope`` or ``plain``.
        homework: its name, and that of the column.
        roster: the platform's own export of its students, which is filled in; the surest way.
        provisional: give the points so far even where answers are unread.

    Raises:
        ValueError: if the platform is unknown, the roster is another platform's or none is filled in for ``plain``, or
            two students are one and no roster is there to be filled in.
    """
    if lms not in FORMATS:
        raise ValueError(f"to: got {lms!r}, expected one of {', '.join(FORMATS)}")
    if roster is not None:
        if lms == "plain":
            raise ValueError(
                f"to: got 'plain' and the roster {str(roster)!r}, expected the platform whose list that is"
            )
        return _fill_in(rows, path, lms, homework, roster, provisional)
    for old, row in _replaced(rows, lms).items():
        raise ValueError(
            f"students: got {old!r} and {row.student!r}, who are one student, number {row.lms_id} of {lms}; "
            "with --roster the one taken in last gets the line"
        )
    columns, make = _COLUMNS[lms]
    columns = [column.replace("HOMEWORK", homework) for column in columns]
    _write(path, columns, [[_cell(value, ",") for value in make(row, _grade(row, provisional))] for row in rows])
    return {}


_COLUMNS = {
    "plain": (
        ["student", "name", "tests", "written", "not yet read", "late penalty", "total", "of", "remark"],
        lambda row, grade: (
            row.student,
            row.name,
            row.tests if not row.nothing else "",
            row.written if row.is_final else "",
            row.waiting or "",
            row.penalty or "",
            grade,
            row.max_points,
            row.remark,
        ),
    ),
    "canvas": (
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "HOMEWORK"],
        lambda row, grade: (
            row.name or row.student,
            row.lms_id if _has_number(row, "canvas") else "",
            "",
            "",
            "",
            grade,
        ),
    ),
    "moodle": (
        ["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)", "Feedback comments"],
        lambda row, grade: (
            f"Participant {row.lms_id}" if _has_number(row, "moodle") else row.student,
            row.name,
            grade,
            row.max_points,
            "",  # Moodle takes no list without this column
            row.remark,
        ),
    ),
    "gradescope": (
        ["Name", "SID", "Email", "Total Score", "Max Points", "Status", "Remark"],
        lambda row, grade: (
            row.name,
            "",
            row.lms_id or row.student,
            grade,
            row.max_points,
            "Graded" if row.is_final else "Ungraded",
            row.remark,
        ),
    ),
}


def _grade(row: Row, provisional: bool) -> float | str:
    return row.total if provisional or row.is_final else ""


def _has_number(row: Row, lms: str) -> bool:
    """Whether a platform's own number is known of a student; the name of a folder may be from any column."""
    return bool(row.lms_id) and (row.lms == lms or not row.lms and row.lms_id != row.student)


def _replaced(rows: list[Row], lms: str) -> dict[str, Row]:
    """Students who are in the gradebook under an older id as well, and the row that stands for them: taken in last."""
    newest: dict[str, Row] = {}
    numbered = [row for row in rows if _has_number(row, lms)]
    for row in sorted(numbered, key=lambda row: row.taken_in):
        newest[same(row.lms_id)] = row
    return {row.student: newest[same(row.lms_id)] for row in numbered if newest[same(row.lms_id)] is not row}


def _fill_in(rows: list[Row], path: Path, lms: str, homework: str, roster: Path, provisional: bool) -> dict[str, str]:
    """Puts the grades into the platform's own table; everything else in it stays."""
    table = read_roster(roster)
    if table.lms != lms:
        raise ValueError(f"roster: got a list of {table.lms}, expected one of {lms}")
    target, extra = _filled(table, homework)
    columns = table.columns + [""] * (max(map(len, table.cells), default=0) - len(table.columns))
    # To Canvas a new column is an assignment that counts: that of the tests is filled in where the list has it.
    extras = [extra] if lms != "canvas" or extra in columns else []
    columns += [column for column in (target, *extras) if column not in columns]
    by_student = {row.student: row for row in rows}
    groups = _groups(rows, lms, table)
    rows = [row for row in rows if row.student not in groups]
    replaced = _replaced(rows, lms)
    numbers = {row.student: row.lms_id for row in rows if _has_number(row, lms) and row.student not in replaced}
    names = {  # folders have any name, and an e-mail address may have lost a sign on its way to an id
        row.student: row.lms_id if row.lms == "folders" or safe_id(row.lms_id) == row.student else row.student
        for row in rows
        if row.student not in numbers and row.student not in replaced
    }
    found, why, _ = table.lines_of(numbers, names, {row.student: row.name for row in rows})
    why |= groups
    why |= {
        old: f"number {row.lms_id} is {row.student!r} as well, taken in later: that grade is the one written"
        for old, row in replaced.items()
    }
    cells = [line + [""] * (len(columns) - len(line)) for line in table.cells]
    for student, places in found.items():
        row = by_student[student]
        lines = [cells[place] for place in places]
        if lms == "canvas" and any(_is_excused(line[columns.index(target)]) for line in lines):
            why[student] = "excused there, which stays"
            continue
        for line in lines:
            if _grade(row, provisional) != "":
                line[columns.index(target)] = _cell(_grade(row, provisional), table.delimiter)
            said = row.remark if lms != "canvas" else row.tests if not row.nothing else ""
            for place in map(columns.index, extras):
                there = line[place]
                if (
                    (lms == "canvas" and said != "" and not _is_excused(there)) or not there or there.startswith(MARK)
                ):  # a comment of the instructor's stays
                    line[place] = _cell(said, table.delimiter)
    _write(path, columns, cells, table.delimiter)
    return dict(sorted(why.items()))


def _groups(rows: list[Row], lms: str, table: Roster) -> dict[str, str]:
    """Rows that are not of the student whose number they have, in words: the list has another name, another row has that one.

    Where there is one such, everybody with another name than the list's is taken for a group.
    """
    numbered = [row for row in rows if _has_number(row, lms)]
    others = table.other_names({row.student: (row.lms_id, row.name) for row in numbered})
    own = {same(row.lms_id) for row in numbered if row.student not in others and not table.hides(row.name)}
    if not any(row.student in others and same(row.lms_id) in own for row in numbered):
        return {}  # no group is there, and another name is a new one
    return {
        row.student: f"number {row.lms_id} is {others[row.student]!r} in the list, {row.name!r} at intake: taken for a "
        "group's; if it is the student's, take in today's download first"
        for row in numbered
        if row.student in others
    }


def _is_excused(cell: str) -> bool:
    """Whether Canvas counts nothing there for this student."""
    return cell.strip().upper() == "EX"


def new_columns(roster: Path, homework: str) -> list[str]:
    """The column of the grade, if a platform's list has none, so that it comes in as another assignment."""
    table = read_roster(roster)
    target, _ = _filled(table, homework)
    return [target] if target not in table.columns else []


def _filled(table: Roster, homework: str) -> tuple[str, str]:
    """The columns that are filled in: the grade, and a remark or, for Canvas, the points of the tests."""
    target = table.column(GRADE) or _numbered(table.columns, homework)
    return target, table.column(REMARK) or _numbered(table.columns, f"{homework} tests")


def _numbered(columns: list[str], name: str) -> str:
    """The column of a name in a list of Canvas, which writes its own number behind it; the name itself if there is none."""
    there = [column for column in columns if re.fullmatch(rf"{re.escape(name)}( \(\d+\))?", column.strip())]
    if len(there) > 1:
        raise ValueError(f"roster: got the columns {there}, expected one for {name!r}: take the others out")
    return there[0] if there else name


def _write(path: Path, columns: list[str], lines: Iterable[Sequence], delimiter: str = ",") -> None:
    with whole(path) as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(columns)
        writer.writerows(lines)


def _cell(value: object, delimiter: str) -> object:
    """A value that no spreadsheet takes for a formula: students choose their names. Lists with ``;`` have decimal commas."""
    if isinstance(value, float):
        return f"{value:g}".replace(".", "," if delimiter == ";" else ".")
    if not isinstance(value, str) or len(value) < 2:
        return value
    other = "," if delimiter == ";" else ";"  # at which a spreadsheet of another country splits the lines
    return re.sub(rf"((?:^|[{other}\t\r\n])[\s\"]*)(?=[=+\-@\t\r＝＋－＠])", r"\1'", value)
