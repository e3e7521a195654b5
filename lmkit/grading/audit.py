"""The log of all gradings, ``grading.jsonl`` beside the gradebook: one line each, only ever appended.

A line is written after the gradebook holds the grade, so what has a line is graded: ``lmkit grade --resume`` goes by that. A
line that a crash cut off is skipped by readers, and its submission is graded again.
"""

import json
import os
from collections.abc import Collection, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from lmkit.grading.outcome import Kind, Outcome, TestResult

LOG = "grading.jsonl"
NO_CAUSE = "though notebook, tests and lmkit are the same: look at it"
KEPT = ("student", "homework", "sentence", "seconds", "notebook_hash", "tests_hash", "version", "sandbox")


def append(course: Path, outcome: Outcome) -> None:
    """Adds one grading; returns when it is on the disk.

    Raises:
        OSError: if it cannot be written, for example because the disk is full.
    """
    record = {"when": datetime.now(UTC).isoformat(timespec="seconds"), "kind": outcome.kind.value}
    record |= {name: getattr(outcome, name) for name in (*KEPT, "limits")}
    record |= {"points": outcome.points, "max_points": outcome.max_points}
    record["tests"] = [asdict(test) for test in outcome.tests]
    add(course / LOG, record)


def add(path: Path, record: dict) -> None:
    """Adds a line to a log, on one of its own even where a crash has cut off the last one.

    Raises:
        OSError: if it cannot be written.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        size = os.fstat(descriptor).st_size
        torn = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
        line = ("\n" if torn else "") + json.dumps(record) + "\n"
        written = os.write(descriptor, line.encode())
        if written != len(line):
            raise OSError(f"{path}: the disk is full")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def lines(path: Path, homework: str | None = None) -> Iterator[dict]:
    """The records of a log, of one homework or of all; what a crash cut off is left out."""
    if not path.is_file():
        return
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and homework in (None, record.get("homework")):
                yield record


def read(course: Path, homework: str | None = None) -> Iterator[tuple[str, Outcome]]:
    """All gradings in order: when, and the outcome (without what the cells showed)."""
    for record in lines(course / LOG, homework):
        try:
            tests = tuple(TestResult(**{**test, "kind": Kind(test["kind"])}) for test in record["tests"])
            kept = {name: record[name] for name in KEPT}
            limits = dict(record.get("limits", {}))  # older lines lack them
            yield record["when"], Outcome(kind=Kind(record["kind"]), tests=tests, limits=limits, **kept)
        except (ValueError, KeyError, TypeError, IndexError):
            continue


def latest(course: Path, homework: str) -> dict[str, Outcome]:
    """The last grading of every student."""
    return {outcome.student: outcome for _, outcome in read(course, homework)}


def by_other_tests(course: Path, homework: str, among: Collection[str], today: str = "") -> list[str]:
    """Those of some students whose grade is by other tests than the newest: a changed test counts for everybody.

    The newest are those whose hash is ``today``; where it is empty, those of the newest grade.
    """
    now: dict[str, Outcome] = {}  # the newest last
    for _, outcome in read(course, homework):
        now.pop(outcome.student, None)
        now[outcome.student] = outcome
    ran = [o for o in now.values() if o.student in among and o.kind not in (Kind.MALFORMED, Kind.REFUSED)]
    return sorted(o.student for o in ran if o.tests_hash != (today or ran[-1].tests_hash))


def change(before: Outcome, after: Outcome) -> str:
    """What a regrading changed and why, in words; empty if nothing did."""
    old, new = ({test.name: test.points for test in outcome.tests} for outcome in (before, after))
    moved = [f"{n} {old.get(n, 0):g} → {new.get(n, 0):g}" for n in {**old, **new} if old.get(n, 0) != new.get(n, 0)]
    if not moved and before.kind == after.kind:
        return ""
    names = {"notebook_hash": "another notebook", "tests_hash": "other tests", "sandbox": "another sandbox"}
    why = [words for name, words in names.items() if getattr(before, name) != getattr(after, name)]
    limits = ((name, before.limits.get(name, value), value) for name, value in after.limits.items())
    why += [f"{name} {old} → {new}" for name, old, new in limits if old != new]
    if before.version != after.version:
        why.append(f"lmkit {before.version} → {after.version}")
    kind = f", {before.kind} → {after.kind}" if before.kind != after.kind else ""
    because = "because of " + " and ".join(why) if why else NO_CAUSE
    tests = f" ({', '.join(moved)})" if moved else ""
    return f"{before.points:g} → {after.points:g} points{tests}{kind}, {because}"
