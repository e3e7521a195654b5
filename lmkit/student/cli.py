"""``lmkit check``: all of the ``lmkit`` command in the student's kit, with nothing but Python's own library.

Exit codes: 0 every visible test passed; 1 not yet; 2 the file cannot be checked; 130 stopped by Ctrl-C.
"""

import argparse
import json
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from lmkit.student.check import FAILED, NOT_REACHED, PART, PASSED, Report, check

EXAMPLE = "example: lmkit check hw1_ngram.ipynb"


def table(report: Report) -> Iterator[str]:
    """The lines that ``lmkit check`` prints about a notebook; messages are whole, however long."""
    width = max(60, min(shutil.get_terminal_size((100, 24)).columns, 120))
    rows = [(test.place, test.title or test.name, test.points, test.state) for test in report.tests]
    for text in report.written:
        words = f"{text.words} words" if text.words else "nothing written"
        rows.append((text.place, text.title or text.name, text.points, words))
    longest = max((len(title) for _, title, _, _ in rows), default=4)
    yield f"{report.notebook}: {report.homework}, the tests that you can see"
    yield ""
    yield f"{'task':<{longest}}  points  state"
    for _, title, points, state in sorted(rows):
        yield f"{title:<{longest}}  {points:>6g}  {state}"
    for test in report.tests:
        if test.message:
            where = (
                f" (line {test.line} of your cell)" if test.line and f"(line {test.line} " not in test.message else ""
            )
            yield ""
            yield f"{test.title or test.name}: {test.state}"
            for line in (test.message + where).splitlines():
                yield textwrap.indent(textwrap.fill(line, width - 4, break_long_words=False), "    ")
    for remark in report.remarks:
        yield ""
        yield textwrap.fill(f"note: {remark}", width, break_long_words=False)
    yield ""
    yield textwrap.fill(_summary(report), width)


def _summary(report: Report) -> str:
    passed = [test.points for test in report.tests if test.state == PASSED]
    most = sum(test.points for test in report.tests)
    said = f"{len(passed)} of {len(report.tests)} visible tests passed; they stand for {sum(passed):g} of {most:g} points. "
    said += (
        "Hidden tests, with other inputs, decide whether you get them: read what stands under “Tested” in each task. "
    )
    if sum(test.state in (FAILED, NOT_REACHED, PART) for test in report.tests) > 1:
        said += "A task that fails only because an earlier one is wrong loses nothing in grading. "
    if report.written:
        points = sum(text.points for text in report.written)
        said += f"{points:g} points are for answers in words, which a human reads"
        empty = [text.title or text.name for text in report.written if not text.words]
        said += f"; nothing is written yet under: {'; '.join(empty)}." if empty else "; say why, not only what."
    return said.strip()


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="lmkit", description="Check a homework before you hand it in.", epilog=EXAMPLE
    )
    commands = parser.add_subparsers(dest="command", required=True)
    words = "Run the tests that you can see in a fresh Python, as the grader does, and say what they say."
    one = commands.add_parser("check", help=words, description=words, epilog=EXAMPLE)
    one.add_argument("notebook", nargs="+", type=Path, help="your notebook, such as hw1_ngram.ipynb")
    one.add_argument("--seconds", type=float, default=60, help="the longest that a cell or a test may take (60)")
    one.add_argument("--json", action="store_true", help="print one JSON object for each notebook instead of tables")
    said = parser.parse_args(arguments)
    if not said.seconds > 0:
        parser.error(f"--seconds: got {said.seconds:g}, expected a positive number")
    return max(_check(path, said.seconds, said.json) for path in said.notebook)


def _check(path: Path, seconds: float, as_json: bool) -> int:
    live = sys.stderr.isatty() and not as_json

    def told(words: str) -> None:
        if live:
            print(f"\r\033[K{words}", end="", file=sys.stderr, flush=True)

    try:
        report = check(path, seconds, lambda name: told(f"running {name}"))
    except ValueError as error:
        told("")
        if as_json:
            print(json.dumps({"error": str(error)}, ensure_ascii=False))
        else:
            print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
    told("")
    print(json.dumps(asdict(report) | {"passed": report.passed}) if as_json else "\n".join(table(report)))
    return int(not report.passed)
