"""Grades one notebook: its cells and the master's tests in their order, second chances, and one outcome in words."""

import hashlib
import re
import time
from dataclasses import asdict

from nbformat import NotebookNode

import lmkit
from lmkit.grading.definitions import LONGEST_PARSED, MOST_PARSED, Definitions, cost
from lmkit.grading.marking import titles
from lmkit.grading.master import LOCKED, OTHER, SOLUTION, TEST, Master, MasterCell, name_of
from lmkit.grading.outcome import CellRun, Kind, Outcome, TestResult, clean_text
from lmkit.grading.pair import Pair
from lmkit.grading.sandbox import SAFE, UNSAFE
from lmkit.grading.submission import NotAgain, Submission
from lmkit.grading.watch import Watch
from lmkit.student.bindings import defined
from lmkit.student.shell import defines_nothing


def in_order(notebook: NotebookNode, master: Master) -> list[tuple[str, str, MasterCell | None, str]]:
    """What is run, in the notebook's order: (cell id, kind, the master's cell, source).

    Tests and locked cells are the master's, whatever the notebook has in their places; tests that it lacks come last.
    """
    known = {cell.name: cell for cell in master.cells if cell.kind in (TEST, LOCKED, SOLUTION)}
    found, seen = [], set()
    for i, cell in enumerate(notebook.cells):
        mine = known.get(name_of(cell))
        if cell.cell_type != "code" or (mine is not None and mine.kind == TEST and mine.name in seen):
            continue
        kind = mine.kind if mine is not None else OTHER
        seen.add(mine.name if mine is not None else "")
        source = mine.source if kind in (TEST, LOCKED) else cell.source
        found.append((cell.get("id") or f"cell-{i}", kind, mine, source))
    return found + [(cell.name, TEST, cell, cell.source) for cell in master.of_kind(TEST) if cell.name not in seen]


def grade_notebook(
    notebook: NotebookNode,
    pair: Pair,
    student: str,
    notebook_hash: str = "",
) -> Outcome:
    """Grades one submission, which the gate has let in.

    Never raises for anything that the submission does; what happened stands in the outcome.
    """
    began, master = time.monotonic(), pair.master
    cells = in_order(notebook, master)
    with Watch(lambda: pair.student.process.pid, pair.limits.memory) as watch:
        try:
            submission, results = _run(pair, cells, shared=True)
        except NotAgain as again:  # with all of its time: who can tell whose fault it is
            watch.tripped = False
            submission, results = _run(pair, cells, shared=False)
            (before,) = again.args
            if before.tested:  # what its cells show now comes after tests, and the clock alone could carry their inputs
                submission.runs = before.runs  # not which died: it explains the marks, and says less than a test's line
        helped = second_chances(pair, cells, results, submission)
    if watch.tripped:
        too_much = f"needed more than {pair.limits.memory >> 20} MB of memory"
        for cell_id, (kind, _) in submission.died.items():
            if kind is Kind.CRASHED:
                submission.died[cell_id] = (Kind.OUT_OF_MEMORY, too_much)
        for name, (kind, points, _, place) in results.items():
            if kind is Kind.CRASHED:
                results[name] = (Kind.OUT_OF_MEMORY, points, f"your code {too_much}", place)
    for name, (kind, points, sentence, place) in results.items():
        if len(place) == 1:
            results[name] = (kind, points, _why_missing(place[0], name, cells, submission) or sentence, [])
    about = _about(cells)
    lengths = {cell_id: source.count("\n") + 1 for cell_id, _, _, source in cells}
    tests = tuple(
        _result(test, results[test.name], test.name in helped, about, lengths) for test in master.of_kind(TEST)
    )
    kind, sentence = _in_words(cells, titles(notebook), submission, tests)
    content = "\n".join(source for _, _, _, source in cells).encode("utf-8", "replace")
    return Outcome(
        student,
        master.homework,
        kind,
        sentence,
        tests,
        submission.runs,
        round(time.monotonic() - began, 3),
        notebook_hash or hashlib.sha256(content).hexdigest(),
        master.tests_hash(pair.secret),
        lmkit.__version__,
        UNSAFE if pair.unsafe else SAFE,
        asdict(pair.limits),
    )


def _run(pair: Pair, cells: list, shared: bool) -> tuple[Submission, dict[str, tuple[Kind, float, str, list]]]:
    """Runs all cells and then all tests; the submission, whose processes have ended, and the results by the tests' names."""
    submission = Submission(pair, cells, time.monotonic() + pair.limits.total_seconds, shared)
    try:
        submission.run_cells()
        return submission, {test.name: submission.test(test) for _, kind, test, _ in cells if kind == TEST}
    finally:
        submission.close()


def second_chances(pair: Pair, cells: list, results: dict, first: Submission) -> set[str]:
    """Names of failed tests that pass when all answers above are right: the mistake is another's, and its own test's to find.

    A test ``test_X`` is about the answer ``X``. For it the notebook runs once more, in a process of its own, with the
    reference after every other answer above the test, and the student's ``X`` again at the end. Each time everything is new: a
    reference that the student's code gets hold of goes nowhere. Only whether the test passes comes out.
    """
    failed = [name for name, result in results.items() if result[1] < _points(pair, name)]
    helped = set()
    for name in failed:  # a single one, too: else a second mistake could raise the mark
        if time.monotonic() > first.deadline:
            break  # nothing would run any more
        about = name.removeprefix("test_")
        test = next(cell for cell in pair.master.of_kind(TEST) if cell.name == name)
        above = cells[: next(i for i, c in enumerate(cells) if c[2] is test)]
        own = answer_to(about, above, first.known)
        if own is None:
            continue  # nothing was handed in for it
        also = first.known.of(own[1])  # two answers in one cell: of the other one the reference counts
        again = Submission(pair, [], first.deadline)
        again.drawn_by = first.drawn_by
        try:
            sources = []
            for cell_id, kind, master, source in above:
                if kind != TEST and cell_id not in first.died and source.strip():
                    sources.append((cell_id, source))
                if kind == SOLUTION and master.name != about and master.reference:
                    sources.append((f"reference {master.name}", master.reference))
            sources.append(own)
            for _, kind, master, _ in above:  # the gate has put them in order; one below could be all that this one is
                if kind == SOLUTION and master.name != about and also & defined(master.source):
                    sources.append((f"reference {master.name}", master.reference))
            if again.run_together(sources) and again.test(test)[1] == test.points:
                helped.add(name)
        finally:
            again.close()
    return helped


def answer_to(about: str, above: list, known: Definitions) -> tuple[str, str] | None:
    """Id and source of the cell that answers a task: its own, or the last one that defines what it asks for."""
    own = [
        (cell_id, source, master) for cell_id, _, master, source in above if master is not None and master.name == about
    ]
    if not own:
        return None
    stub = own[-1][2].source
    filled = [(cell_id, source) for cell_id, source, _ in own if source.strip() not in ("", stub.strip())]
    theirs = [
        (cell_id, source)
        for cell_id, kind, master, source in above
        if kind in (SOLUTION, OTHER) and (master is None or source.strip() != stub.strip())
    ]
    found = [one for one in theirs if known.of(stub) & known.of(one[1])]
    return (found or filled or [one for one in theirs if known.of(stub) & known.bound(one[1])] or [None])[-1]


def worth_a_look(cells: list, pair: Pair) -> str:
    """Why a human should read the cells of the student's own, in words; empty for most notebooks.

    They bind what the homework gives and tests ask the notebook for, or what that uses, or have a word that the homework looks
    for. Such a notebook may keep something from a test; not all ways to do that are found.
    """
    own = [source for _, kind, _, source in cells if kind in (SOLUTION, OTHER)]
    everything = "\n".join(own)
    given = {name for name in pair.given if name in everything}
    anew = {name for name in given if re.search(rf"(?m)^(?:(?:def|class)\s+{name}\b|{name}\s*=(?!=))", everything)}
    if given - anew and sum(map(cost, own)) <= MOST_PARSED:
        anew |= given & set().union(*(defined(source) for source in own if len(source) <= LONGEST_PARSED))
    # At the beginning or the end of a word: not ``_thread`` in ``set_num_threads``, which many write.
    patterns = {w: rf"(?<![A-Za-z0-9]){re.escape(w)}|{re.escape(w)}(?![A-Za-z0-9])" for w in pair.master.look_for}
    found = [word for word, pattern in patterns.items() if re.search(pattern, everything)]
    said = [f"defines {', '.join(sorted(anew))} anew, which the homework's own code uses"] * bool(anew)
    said += [f"has {', '.join(found)}, which the homework looks for"] * bool(found)
    return f"{'; '.join(said)}: do its tests still see all?" if said else ""


def _points(pair: Pair, name: str) -> float:
    return next(cell.points for cell in pair.master.of_kind(TEST) if cell.name == name)


def _about(cells: list) -> dict[str, str]:
    """For each test the id of the student's cell that it is about: by its name, else the last answer above it."""
    ids = {master.name: cell_id for cell_id, kind, master, _ in cells if kind == SOLUTION}
    about, last = {}, ""
    for cell_id, kind, master, _ in cells:
        if kind == SOLUTION:
            last = cell_id
        elif kind == TEST:
            about[master.name] = ids.get(master.name.removeprefix("test_"), last)
    return about


def _why_missing(name: str, test: str, cells: list, submission: Submission) -> str:
    """Why a test found nothing of this name: the cause, which is not in the test."""
    wanted = (
        (cell_id, source)
        for cell_id, kind, master, source in cells
        if kind == SOLUTION and name in defined(master.source) | defined(master.reference)
    )
    cell_id, source = next(wanted, ("", ""))
    if magic := defines_nothing(source):
        return f"there is no `{name}`: your cell begins with {magic}, which defines nothing; take that line away"
    if cell_id in submission.died:
        return f"there is no `{name}`: your cell {submission.died[cell_id][1]}"
    stopped = re.fullmatch(r"(.+?)(?: \(line (\d+)\))?", submission.runs.get(cell_id, CellRun()).error, re.DOTALL)
    if stopped:
        line = f" at line {stopped[2]}" if stopped[2] else ""
        return f"your cell stopped{line}, so there is no `{name}`: {stopped[1]}"
    theirs = sorted(submission.known.of(source))
    if theirs and name not in theirs:
        return f"there is no `{name}`: your cell defines {', '.join(f'`{other}`' for other in theirs[:5])}"
    below = cells[next(i for i, cell in enumerate(cells) if cell[2] is not None and cell[2].name == test) :]
    if name in theirs and cell_id in (cell[0] for cell in below):
        return f"there is no `{name}` when the test begins: your cell that defines it stands below the test"
    if name in theirs:  # and deletes it, or ended otherwise when the submission was graded once more
        return f"there is no `{name}` when the test begins, though your cell defines it"
    return f"there is no `{name}`: no cell above the test defines it" if cell_id else ""


def _result(test: MasterCell, found: tuple, helped: bool, about: dict[str, str], lengths: dict[str, int]) -> TestResult:
    kind, points, sentence, place = found
    known = len(place) == 2 and place[0] == about.get(test.name)
    line = place[1] if known and 0 < place[1] <= lengths.get(place[0], 0) else 0  # a larger one would carry a message
    if line:
        sentence += f" (line {line} of your cell)"
    points = test.points if helped else min(max(points, 0.0), test.points)
    return TestResult(
        test.name, points, test.points, clean_text(sentence), about.get(test.name, ""), kind, helped, line
    )


def _in_words(
    cells: list, titles: dict[str, str], submission: Submission, tests: tuple[TestResult, ...]
) -> tuple[Kind, str]:
    """How it ended and a sentence about it: the first answer that could not be graded to the end names the kind.

    A locked cell that only shows something and had to be stopped costs nothing; its place says what happened.
    """
    stopped = {test.name: test for test in tests if test.kind is not Kind.GRADED and not test.helped}
    for cell_id, kind, master, _ in cells:
        place = titles.get(cell_id) or f"the cell {cell_id}"
        if cell_id in submission.died and kind != LOCKED:
            ended, said = submission.died[cell_id]
            return ended, f"In {place}: your cell {_sentence(said)} Everything else was graded."
        if kind == TEST and master.name in stopped:
            test = stopped[master.name]
            return test.kind, f"In {place}: {_sentence(test.error)} Everything else was graded."
    passed = sum(test.passed for test in tests)
    return Kind.GRADED, f"All {len(tests)} tests ran; {passed} of them gave full points."


def _sentence(words: str) -> str:
    return words if words.endswith((".", "?", "!")) else f"{words}."
