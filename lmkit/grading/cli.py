"""``lmkit``: the instructor's commands. Results go to standard output, progress and remarks to standard error.

Exit codes: 0 done; 1 done, but somebody should look; 2 the command was not understood; 3 stopped before the end;
130 stopped by Ctrl-C.
"""

import errno
import json
import os
import platform
import re
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

import lmkit
from lmkit.grading import COURSE, audit

LOOK, STOPPED = 1, 3
MOST_NAMED = 10  # students in one remark
PLATFORMS = ("auto", "canvas", "moodle", "gradescope", "folders")
NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)  # what an output ends with
NOT_THERE = (FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError)

app = typer.Typer(
    name="lmkit",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Take in, grade and give back homework. Every command has --help with an example.",
    epilog="First time? [bold]lmkit doctor[/], then [bold]lmkit intake EXPORT.zip hw1_ngram[/], [bold]lmkit grade hw1_ngram[/], "
    "[bold]lmkit feedback hw1_ngram[/], [bold]lmkit export hw1_ngram --to canvas[/].",
)
# What the caller has closed (`lmkit … >&-`) leads nowhere, in the processes that are started, too: its number would be that of
# the next file opened, a gradebook perhaps.
for _name, _mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
    if getattr(sys, _name) is None:
        setattr(sys, _name, open(os.open(os.devnull, os.O_RDWR), _mode))
        os.set_inheritable(getattr(sys, _name).fileno(), True)
# Piped into a file or another program, lines are as long as they are.
WIDE = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 10_000
out, err = Console(highlight=False, width=WIDE), Console(stderr=True, highlight=False)


def _here() -> Path:
    """The course that one is in; below its folders of submissions, where a student's configuration would run, the one around."""
    try:
        here, typed = Path.cwd(), Path(os.environ.get("PWD", ""))
        places = [*here.parents, *(typed.parents if os.path.realpath(typed) == str(here) else ())]
        around = [p for p in places if (p / "nbgrader_config.py").is_file() and _holds(p, here)]
        if around:  # a student may have handed in a course, too
            return next((p for p in around if not any(_holds(other, p) for other in around)), COURSE)
        return here if (here / "nbgrader_config.py").is_file() else COURSE
    except OSError:  # that folder is gone, or may not be read
        return COURSE


def _holds(course: Path, place: Path) -> bool:
    """Whether a place lies where nbgrader keeps what was handed in, of which it makes copies."""
    rooms = map(course.joinpath, ("submitted", "autograded", "feedback", "downloaded"))  # links, perhaps
    return any(Path(os.path.realpath(place)).is_relative_to(os.path.realpath(room)) for room in rooms)


Homework = Annotated[
    str,
    typer.Argument(
        help="The homework's name, such as hw1_ngram.",
        callback=lambda name: name.rstrip("/"),  # which a shell completes
    ),
]
Course = Annotated[
    Path,
    typer.Option(
        "--course",
        default_factory=_here,
        help="The directory of nbgrader_config.py.",
        show_default="the one that you are in, as for nbgrader, also below its submitted/; else lmkit's own",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress; only what somebody should look at.")]


@contextmanager
def _explained(as_json: bool = False) -> Iterator[None]:
    """What a user can cause is one sentence, not a traceback; with ``as_json`` an object on standard output, too."""
    from nbgrader.api import MissingEntry
    from traitlets import TraitError

    from lmkit.grading.gradebook import CannotWrite, Stale, in_words
    from lmkit.grading.sandbox import NoSandbox
    from lmkit.grading.station import CannotGrade

    try:
        with in_words():
            yield
            return
    except (ValueError, MissingEntry, TraitError) as error:  # the last: a configuration with a value of another type
        word, said = "error", str(error)
    except NOT_THERE as error:  # a path that was typed, above all
        word, said = "error", f"{error.filename or 'a file'}: {error.strerror or error}"
    except (CannotGrade, CannotWrite, NoSandbox, OSError, Stale) as error:
        word, said = "stopped", str(error)
    err.print(f"[bold red]{word}:[/] {escape(said)}", soft_wrap=True)
    if as_json:
        _print_json({word: said})
    raise typer.Exit(2 if word == "error" else STOPPED)


def _check_roster(roster: Path | None) -> None:
    if roster is not None and not roster.is_file():
        raise ValueError(f"roster: got {str(roster)!r}, expected a file, the platform's list of students as CSV")


def _remarks(words: list[str]) -> None:
    for remark in words:
        err.print(f"[yellow]look:[/] {escape(remark)}", soft_wrap=True)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _mixed(records: Any, course: Path, students: Collection[str]) -> list[str]:
    """Those of the students who are still there and have a grade by other tests than the newest."""
    from lmkit.grading.batch import tests_of_today
    from lmkit.grading.report import still_there

    homework = records.homework
    here, _ = still_there(audit.latest(course, homework), course, homework)
    others = audit.by_other_tests(course, homework, here, tests_of_today(records, course))
    return [student for student in others if student in students]


def _as_remark(mixed: list[str], homework: str) -> list[str]:
    said = f"graded by other tests than the newest: {_names(mixed)}; a changed test counts for everybody"
    return [f"{said}: first `lmkit grade {homework} --resume`"] * bool(mixed)


def _other_penalty(records: Any, students: Collection[str]) -> list[str]:
    """Those of the students who are still there and of whom another number of points is taken off for lateness now."""
    from lmkit.grading.gradebook import CannotWrite

    def stands(student: str) -> bool:
        try:
            return records.penalty_stands(student)
        except CannotWrite:  # the plugin raises; grading says how
            return False

    return [student for student in records.submitted() if student in students and not stands(student)]


def _penalty_remark(students: list[str], homework: str) -> list[str]:
    said = f"taken off for lateness by other points, another time, due date or plugin than now: {_names(students)}"
    return [f"{said}; first `lmkit grade {homework} --resume`"] * bool(students)


def _names(students: list[str]) -> str:
    more = len(students) - MOST_NAMED
    return ", ".join(students[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _print_json(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=sys.stdout.encoding.lower() != "utf-8")
    # To a terminal these are the beginnings of commands; as JSON writes them they are the same characters.
    sys.stdout.write(re.sub("[\x7f-\x9f]", lambda one: f"\\u{ord(one[0]):04x}", text) + "\n")


@contextmanager
def _progress(words: str, shown: bool) -> Iterator[Callable[[int, int], None]]:
    columns = (
        SpinnerColumn(),
        TextColumn(words),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not (shown and err.is_terminal)) as bar:
        task = bar.add_task(words, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _version(asked: bool) -> None:
    if asked:
        out.print(f"lmkit {lmkit.__version__}, Python {platform.python_version()}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """What stands before a command."""


@app.command(epilog="Example: [bold]lmkit intake ~/Downloads/submissions.zip hw1_ngram[/]")
def intake(
    source: Annotated[Path, typer.Argument(help="The folder or zip that Canvas, Moodle or Gradescope exported.")],
    homework: Homework,
    course: Course,
    lms: Annotated[str, typer.Option(help="canvas, moodle, gradescope or folders.")] = "auto",
    roster: Annotated[
        Path | None,
        typer.Option(
            help="The platform's list of students (CSV; Moodle: this assignment's grading worksheet): gives steady ids. "
            "Best from the first intake on."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be taken.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Put an export's notebooks into submitted/, the last attempt of every student."""
    from lmkit.grading import show
    from lmkit.grading.intake import take_in

    with _explained(as_json):
        if lms not in PLATFORMS:
            raise ValueError(f"lms: got {lms!r}, expected one of {', '.join(PLATFORMS)}")
        _check_roster(roster)
        found = take_in(source, homework, course, lms, roster, dry_run)
    if as_json:
        _print_json(
            {
                "students": {a.student: {**asdict(a), "attempts": found.attempts[a.student]} for a in found.taken},
                "without_notebook": {s: [a.where for a in group] for s, group in found.without.items()},
                "changed": sorted(found.changed),
                "kept": found.kept,
                "warnings": found.warnings,
            }
        )
    else:
        if not quiet:
            out.print(show.intake(found, homework, dry_run))
        _remarks(found.warnings)
    raise typer.Exit(LOOK if found.warnings else 0)


@app.command(epilog="Example: [bold]lmkit grade hw1_ngram --jobs 4 --resume[/]")
def grade(
    homework: Homework,
    course: Course,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Submissions at a time.", show_default="one a core")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(help="Grade on a dask cluster: tls://host:port or tcp:// here.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Leave alone what is graded already, notebook and tests unchanged.")
    ] = False,
    only: Annotated[list[str] | None, typer.Option(help="This student only; may be repeated.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the distributions into this file (.svg, .png, .pdf).")] = None,
    unsafe_no_sandbox: Annotated[
        bool, typer.Option("--unsafe-no-sandbox", help="Run students' code with your rights.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Grade everybody's submission, several at a time; nbgrader's gradebook ends up as its autograde would leave it.

    But an answer that a human has read stays read, unless its text or a picture in it has changed since.
    """
    from lmkit.grading.starting import start_ahead

    for stop in (signal.SIGHUP, signal.SIGTERM):  # as Ctrl-C: what grades is in sessions of its own, and is ended here
        if signal.getsignal(stop) is signal.SIG_DFL:
            signal.signal(stop, signal.default_int_handler)
    ahead = [] if scheduler or resume else start_ahead(homework, course, jobs, only or (), unsafe_no_sandbox)
    from lmkit.grading.batch import run
    from lmkit.grading.report import check_plot

    with _explained(as_json), _progress(f"grading {homework}", not (quiet or as_json)) as told:
        check_plot(plot)  # hours before it is drawn
        batch = run(homework, course, jobs, scheduler, resume, only or (), unsafe_no_sandbox, told, ahead)
    _reported(homework, course, plot, as_json, quiet, batch, only or ())
    if batch.stopped:
        err.print(f"[bold red]stopped:[/] {escape(batch.stopped)}", soft_wrap=True)
        raise typer.Exit(STOPPED)
    raise typer.Exit(LOOK if batch.look else 0)


@app.command(epilog="Example: [bold]lmkit report hw1_ngram --plot points.svg[/]")
def report(
    homework: Homework,
    course: Course,
    plot: Annotated[Path | None, typer.Option(help="Draw the distributions into this file (.svg, .png, .pdf).")] = None,
    as_json: AsJson = False,
) -> None:
    """How the class did: outcomes, points, and questions that tell nothing.

    "0 … all" draws how many have none of a question's points, up to 20, 40, 60, 80, below 100 %, and all of them.

    "separates" is how the points there go with all the others', from -1 to 1: near 0, good and bad submissions fare alike.
    """
    from lmkit.grading.report import check_plot

    with _explained(as_json):
        check_plot(plot)
    _reported(homework, course, plot, as_json, False, None)


def _reported(
    homework: str,
    course: Path,
    plot: Path | None,
    as_json: bool,
    quiet: bool,
    batch: Any,
    only: Collection[str] = (),
) -> None:
    from lmkit.grading import show
    from lmkit.grading.release import check_homework, load_config, nothing_graded
    from lmkit.grading.report import make_report, still_there
    from lmkit.grading.report import plot as draw

    with _explained(as_json):
        latest, gone = still_there(audit.latest(course, homework), course, homework)
        if only:
            latest, gone = {student: latest[student] for student in only if student in latest}, []
        if batch and batch.stopped:  # the grades of all others are those of before
            latest = {s: latest[s] for s in latest if s in batch.outcomes or s in batch.skipped}
        if not latest and not (batch and batch.stopped):
            load_config(course)
            check_homework(homework, course)
            raise nothing_graded(homework)
    made = make_report(latest.values())
    if as_json:
        graded = {s: {"points": o.points, "kind": o.kind, "sentence": o.sentence} for s, o in sorted(latest.items())}
        _print_json(
            {"report": asdict(made), "students": graded}
            | (
                {name: getattr(batch, name) for name in ("skipped", "changes", "notes", "look", "stopped")}
                if batch
                else {}
            )
        )
    elif not quiet:
        for part in show.some(latest, batch) if only else show.report(made, latest, homework, batch):
            out.print(part)
        if gone:
            out.print(f"\ngraded before, not in submitted/ any more, and not in this report: {escape(', '.join(gone))}")
    if batch and not as_json:
        _remarks(batch.look)
    if plot and latest:
        with _explained():
            draw(made, plot, homework)


@app.command(
    epilog="Example: [bold]lmkit feedback hw1_ngram[/]; the pages are feedback/<student>/hw1_ngram/hw1_ngram.html"
)
def feedback(
    homework: Homework,
    course: Course,
    only: Annotated[list[str] | None, typer.Option(help="This student only; may be repeated.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write one self-contained page for every graded student."""
    from lmkit.grading.feedback import write_class
    from lmkit.grading.gradebook import Records
    from lmkit.grading.release import load_config

    with _explained(as_json), _progress(f"feedback {homework}", not (quiet or as_json)) as told:
        with closing(Records(load_config(course), homework)) as records:
            written, missing = write_class(records, audit.latest(course, homework), only or (), told)
            missing += _as_remark(_mixed(records, course, written), homework)
            missing += _penalty_remark(_other_penalty(records, written), homework)
    if as_json:
        _print_json({"pages": {student: str(page) for student, page in written.items()}, "missing": missing})
    elif not quiet:
        out.print(f"{_counted(len(written), 'page')}: feedback/<student>/{homework}/{homework}.html")
    _remarks([] if as_json else missing)
    raise typer.Exit(LOOK if missing else 0)


@app.command(epilog="Example: [bold]lmkit export hw1_ngram --to canvas --roster canvas-gradebook.csv[/]")
def export(
    homework: Homework,
    course: Course,
    to: Annotated[str, typer.Option(help="canvas, moodle, gradescope or plain.")] = "plain",
    roster: Annotated[
        Path | None,
        typer.Option(
            help="The platform's own CSV; it is filled in, which is the surest way: a Moodle group's number is not a student's."
        ),
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", "-o", help="Where to write.", show_default="grades-HOMEWORK-TO.csv")
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(
            help="Canvas: what the assignment is called there, without its number in brackets.",
            show_default="the homework's name",
        ),
    ] = None,
    provisional: Annotated[
        bool, typer.Option("--provisional", help="Give points so far where answers are unread.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write the grades as a learning platform reads them; an answer that nobody has read is not a zero."""
    from lmkit.grading.export import grades, new_columns, write_csv
    from lmkit.grading.gradebook import Records
    from lmkit.grading.release import load_config
    from lmkit.grading.report import not_yet

    target = file or course / f"grades-{homework}-{to}.csv"
    with _explained(as_json):
        config = load_config(course)
        _check_roster(roster)
        if column and to != "canvas":
            raise ValueError(f"column: got {column!r}, expected none for {to}: only Canvas has one for each assignment")
        if file and (not target.parent.is_dir() or target.is_dir()):
            raise ValueError(f"file: got {str(target)!r}, expected a file in a folder that is there")
    with _explained(as_json), closing(Records(config, homework)) as records:
        rows = grades(records.book, homework, course)
        new = new_columns(roster, column or homework) if roster else []
        unknown = write_csv(rows, target, to, column or homework, roster, provisional)
        late = not_yet(audit.latest(course, homework), (row.student for row in rows), course, homework)
        mixed = _mixed(records, course, [row.student for row in rows])
        final = {row.student for row in rows if row.is_final or provisional}  # of the others no total is written
        penalties = _other_penalty(records, final.difference(late))
    waiting = [row for row in rows if row.waiting]
    nothing = [row for row in rows if row.nothing]
    if as_json:
        _print_json(
            {"file": str(target), "students": [asdict(row) | {"total": row.total} for row in rows], "unknown": unknown}
            | {"new_columns": new, "not_yet_graded": late, "by_other_tests": mixed, "other_penalty": penalties}
        )
    elif not quiet:
        out.print(f"{_counted(len(rows) - len(unknown), 'grade')}: {target}")
        if waiting and not provisional:
            students = _counted(len(waiting), "student")
            out.print(f"answers that nobody has read: {students}, total left empty (--provisional fills it)")
    look = [f"nothing written into {roster} for {student}: {why}" for student, why in unknown.items() if why]
    if absent := [student for student, why in unknown.items() if not why]:
        doubt = "; is it the list of this class?" if len(absent) == len(rows) else ""
        look.append(f"nothing written into {roster} for {_names(absent)}: it has no such line{doubt}")
    look += [
        f"no column {name!r} in {roster}: it is new, at the end; one that is there is filled in if it has that name"
        + " before its number in brackets (--column says another); Canvas takes a new one for an assignment that counts"
        * (to == "canvas")
        for name in new
    ]
    if late:
        look.append(f"handed in, but not graded yet: {_names(late)}; first `lmkit grade {homework} --resume`")
    look += _as_remark(mixed, homework) + _penalty_remark(penalties, homework)
    if again := [row.student for row in rows if row.reread]:
        look.append(
            f"points that somebody gave are from before the last grading: {_names(again)}; formgrader asks for them"
        )
    look += [f"{row.student}: total left empty, {row.remark}" for row in nothing if not provisional]
    _remarks([] if as_json else look)
    raise typer.Exit(LOOK if look else 0)


@app.command(epilog="Example: [bold]lmkit similar hw1_ngram --least 0.6[/]")
def similar(
    homework: Homework,
    course: Course,
    least: Annotated[float, typer.Option(min=0, max=1, help="The smallest share of common code that is listed.")] = 0.5,
    as_json: AsJson = False,
) -> None:
    """List pairs of submissions whose code is more alike than chance; a reason to look, not a verdict."""
    from lmkit.grading import show
    from lmkit.grading.similarity import compare, read_class, rings

    with _explained(as_json):
        sources, stub = read_class(homework, course)
    pairs = compare(sources, stub, least)
    if as_json:
        _print_json({"compared": len(sources), "same": rings(pairs), "pairs": [asdict(pair) for pair in pairs]})
    else:
        out.print(show.similar(pairs, len(sources)))


@app.command(epilog="Example: [bold]lmkit doctor[/]")
def doctor(course: Course, as_json: AsJson = False) -> None:
    """Say what this machine offers for grading and what to install; exit code 1 where something is missing."""
    from lmkit.grading import show
    from lmkit.grading.doctor import examine

    with _explained(as_json):
        found = examine(course)
    if as_json:
        _print_json({"items": [asdict(item) for item in found]})
    else:
        out.print(show.doctor(found))
    raise typer.Exit(LOOK if any(item.state == "missing" for item in found) else 0)


@app.command(
    context_settings={"ignore_unknown_options": True, "help_option_names": []},
    epilog="Example: [bold]lmkit check my_hw1/hw1_ngram.ipynb[/]",
)
def check(
    arguments: Annotated[
        list[str] | None, typer.Argument(help="A student's notebook, and --seconds or --json.")
    ] = None,
) -> None:
    """Run the visible tests on a student's notebook, as the student's kit does."""
    from lmkit.student.cli import main as students

    raise typer.Exit(students(["check", *(arguments or ["--help"])]))


@app.command("new-homework", epilog="Example: [bold]lmkit new-homework hw7_mixtures[/]")
def new_homework(
    name: Annotated[str, typer.Argument(help="Its name: small letters, digits and _, such as hw7_mixtures.")],
    course: Course,
    as_json: AsJson = False,
) -> None:
    """Begin a homework from the template: a task with its tests, a written part, a rubric, right and wrong answers."""
    from lmkit.grading.new_homework import begin

    with _explained(as_json):
        folder = begin(name, course)
    files = sorted(p.name for p in folder.iterdir())
    if as_json:
        _print_json({"folder": str(folder), "files": files})
        return
    out.print(f"{folder}: {', '.join(files)}", soft_wrap=True)
    out.print("It releases and grades as it is; CONTRIBUTING.md, “A homework”, says how to go on.", soft_wrap=True)


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # characters that a terminal does not know
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        with suppress(OSError):  # what is left of the output would be tried once more
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        with suppress(OSError):  # the messages may go to the same full disk
            if not isinstance(error, BrokenPipeError):
                output = "cannot write the output" if error.errno in NOT_WRITTEN else None
                said = ": ".join(str(part) for part in (error.filename or output, error.strerror or error) if part)
                err.print(f"[bold red]stopped:[/] {escape(said)}", soft_wrap=True)
        sys.exit(STOPPED)


if __name__ == "__main__":
    main()
