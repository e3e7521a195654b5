"""The tables that the commands print."""

import re
from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lmkit.grading.batch import Batch
from lmkit.grading.doctor import Item
from lmkit.grading.intake import Intake
from lmkit.grading.layouts import first_few
from lmkit.grading.outcome import Kind, Outcome, unturned
from lmkit.grading.report import Report
from lmkit.grading.similarity import Pair, rings

MOST_LISTED = 25
COLOURS = {"good": "green", "look": "yellow", "missing": "red"}


def _table(*columns: str, title: str | None = None) -> Table:
    """A plain table; columns whose name begins with ``>`` are numbers."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        right = column.startswith(">")
        table.add_column(column.removeprefix(">"), justify="right" if right else "left", no_wrap=right)
    return table


def intake(found: Intake, homework: str, dry_run: bool) -> RenderableType:
    """What an intake took."""
    more = [a for a in found.taken if found.attempts[a.student] > 1 or a.late]
    verb = "would be taken" if dry_run else f"taken, {len(found.changed - set(found.without))} of them new or changed"
    lines: list[RenderableType] = [f"{len(found.taken)} submission{'s' * (len(found.taken) != 1)} of {homework} {verb}"]
    if found.without:
        lines.append(f"{len(found.without)} handed in no notebook: {', '.join(sorted(found.without)[:MOST_LISTED])}")
    if found.kept:
        lines.append(
            f"{len(found.kept)} keep the id of an earlier intake (the list's in brackets): {first_few(found.kept)}"
        )
    if more:
        table = _table("student", ">attempts", "taken", "late")
        for attempt in more[:MOST_LISTED]:
            late = "marked late, no time given" if attempt.late else ""
            table.add_row(attempt.student, str(found.attempts[attempt.student]), Text(attempt.where), late)
        lines.append(table)
        lines += [f"… and {len(more) - MOST_LISTED} more"] if len(more) > MOST_LISTED else []
    return Group(*lines)


def report(made: Report, latest: dict[str, Outcome], homework: str, batch: Batch | None) -> Iterator[RenderableType]:
    """The tables at the end of a batch."""
    if batch is not None:
        words = f"{len(batch.outcomes)} graded" + (
            f", {len(batch.skipped)} were graded already" if batch.skipped else ""
        )
        yield f"[bold]{homework}[/]: {words}"
        if not latest:  # it stopped
            return
    kinds = _table("outcome", ">submissions")
    for kind, count in made.kinds.items():
        kinds.add_row(kind.replace("_", " "), str(count))
    yield kinds
    summary = made.summary()
    if summary:
        words = ", ".join(f"{name} {value:.4g}" for name, value in summary.items())
        nothing = sum(made.kinds.get(kind, 0) for kind in (Kind.MALFORMED, Kind.REFUSED))
        zeros = f" (with {nothing} of whom nothing ran, as zeros; below they do not count)" if nothing else ""
        yield f"\npoints in the tests, of {made.max_points:g}: {words}{zeros}"
    questions = _table("question", ">of", ">mean", ">full points", "0 … all", "separates")
    for q in made.questions:
        remark = (
            "[red]nobody passes[/]"
            if q.name in made.nobody
            else "[yellow]nobody apart[/]"
            if q.name in made.flat
            else ""
        )
        separates = remark or ("" if q.separates is None else f"{q.separates:.2f}")
        questions.add_row(
            q.name, f"{q.max_points:g}", f"{q.mean:.2f}", f"{q.full:.0%}", f"[cyan]{q.bars}[/]", separates
        )
    yield questions
    yield from _to_look_at(latest)
    if batch is not None and batch.changes:
        yield "\n[bold]changed by regrading[/]"
        for student, words in sorted(batch.changes.items()):
            yield f"  {escape(student)}: {escape(words)}"
    if batch is not None and batch.notes:
        yield "\n[bold]at the gate[/] (left out or mended; nobody loses points by it)"
        alike: dict[str, list[str]] = {}
        for student, notes in sorted(batch.notes.items()):
            alike.setdefault("; ".join(notes), []).append(student)
        for words, students in list(alike.items())[:MOST_LISTED]:
            yield f"  {escape(first_few(students))}: {escape(words if len(words) <= 300 else words[:300] + ' …')}"
        if len(alike) > MOST_LISTED:
            yield f"  … and {len(alike) - MOST_LISTED} more (--json has all)"
    if made.unsafe:
        yield "\n[bold red]Some submissions were graded without a sandbox (--unsafe-no-sandbox).[/]"


def some(latest: dict[str, Outcome], batch: Batch) -> Iterator[RenderableType]:
    """A few students, graded by name: what each has, what was lost, what changed."""
    if not latest:  # it stopped
        yield "0 graded"
    for student, outcome in sorted(latest.items()):
        points = f"{outcome.points:g} of {outcome.max_points:g} points in the tests"
        yield f"[bold]{escape(student)}[/]: {points}. {escape(outcome.sentence)}"
        for test in outcome.tests:
            if not test.passed and test.error != outcome.sentence:  # where nothing ran each test says the same
                yield f"  {test.name}, {test.points:g} of {test.max_points:g}: {escape(test.error)}"
        for words in (batch.changes.get(student), "; ".join(batch.notes.get(student, ()))):
            if words:
                yield f"  {escape(words)}"


def _to_look_at(latest: dict[str, Outcome]) -> Iterator[RenderableType]:
    odd = [outcome for _, outcome in sorted(latest.items()) if outcome.kind is not Kind.GRADED]
    if odd:
        table = _table("student", "outcome", ">points", "sentence", title="\n[bold]not graded to the end[/]")
        for outcome in odd[:MOST_LISTED]:
            table.add_row(
                escape(outcome.student), outcome.kind.replace("_", " "), f"{outcome.points:g}", escape(outcome.sentence)
            )
        yield table
        if len(odd) > MOST_LISTED:
            yield f"… and {len(odd) - MOST_LISTED} more (--json has all)"


def similar(pairs: list[Pair], compared: int) -> RenderableType:
    """Alike submissions."""
    if not pairs:
        return f"{compared} submissions compared, none suspiciously alike"
    lines: list[RenderableType] = [f"{compared} submissions compared; {len(pairs)} pairs to read side by side"]
    inside = rings(pairs)
    lines += [f"{len(group)} students have the same code: {escape(', '.join(group))}" for group in inside]
    table = _table(">share", ">runs", "students", "both have")
    told = [set(group) for group in inside]
    listed = [pair for pair in pairs if not any({pair.first, pair.second} <= group for group in told)]
    for pair in listed[: 2 * MOST_LISTED]:
        lines_of_both = Text(re.sub("[\x80-\x9f]", "�", unturned("\n".join(pair.lines))))  # \x9b begins a command
        table.add_row(f"{pair.share:.0%}", str(pair.runs), escape(f"{pair.first}, {pair.second}"), lines_of_both)
    return Group(*lines, *([table] if listed else []))


def doctor(items: list[Item]) -> RenderableType:
    """What the doctor found."""
    table = _table("", "", "")
    table.show_header = False
    for item in items:
        table.add_row(f"[{COLOURS[item.state]}]{item.state}[/]", item.name, Text(item.words))
    return table
