"""Every hostile submission of ``hostile.py`` against the grader: it gains nothing, shows nothing, harms nobody."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from hostile import HIDDEN, SECRET, Attack, attacks, homework
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions

from lmkit.grading import COURSE
from lmkit.grading.gate import admit
from lmkit.grading.grader import grade_notebook
from lmkit.grading.marking import annotate
from lmkit.grading.master import Master
from lmkit.grading.notebook_files import NotLetIn
from lmkit.grading.outcome import Kind, Outcome
from lmkit.grading.pair import Pair
from lmkit.grading.sandbox import Limits, why_not

ATTACKS = attacks()
LIMITS = Limits(cell_seconds=2, test_seconds=2, total_seconds=25, memory=1 << 30, processes=48, disk=16 << 20)
needs_sandbox = pytest.mark.skipif(bool(why_not()), reason=f"no sandbox here: {why_not()}")


def release():
    """What students get."""
    notebook, _ = ClearSolutions().preprocess(homework(), {"language": "python"})
    return ClearHiddenTests().preprocess(notebook, {"language": "python"})[0]


@pytest.fixture(scope="module")
def pair():
    with Pair(Master.from_notebook("small", homework()), SECRET, LIMITS) as made:
        yield made


def graded(attack: Attack, pair: Pair) -> tuple[Outcome | None, nbformat.NotebookNode | None]:
    try:
        notebook = admit(attack.file(), release()).notebook
    except NotLetIn:
        return None, None
    outcome = grade_notebook(notebook, pair, "mallory")
    return outcome, annotate(notebook, pair.master, outcome)


def fingerprint() -> str:
    """What must not change: the course's own files."""
    files = [path for path in sorted(Path(COURSE, "solutions").rglob("*")) if path.is_file()]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def test_at_least_ninety_attacks_in_ten_families():
    families = Counter(attack.family for attack in ATTACKS)
    assert len(families) == 10 and sum(families.values()) >= 90 and min(families.values()) >= 8
    assert len({(attack.family, attack.name) for attack in ATTACKS}) == len(ATTACKS)


@needs_sandbox
@pytest.mark.slow
@pytest.mark.xdist_group("hostile")
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack.family}: {attack.name}")
def test_it_gains_nothing(attack, pair):
    before = fingerprint()
    outcome, notebook = graded(attack, pair)
    if outcome is not None:
        assert outcome.tests[0].points == 0 and outcome.points <= 5, outcome
        if attack.deserved is not None:
            assert outcome.points == attack.deserved, outcome
        assert [test.name for test in outcome.tests] == ["test_double", "test_draw"] and outcome.max_points == 10
        if attack.name == "all memory in many processes":  # none of them has too much by itself
            assert outcome.tests[0].kind is Kind.OUT_OF_MEMORY, outcome
        assert outcome.seconds < LIMITS.total_seconds + 15  # what is under way may come to its own end
        assert Outcome.from_json(outcome.to_json()) == outcome
        shown = json.dumps([[test.error for test in outcome.tests], outcome.sentence])
        shown += json.dumps([[run.text, run.error] for name, run in outcome.cells.items()])
        assert not [mark for mark in HIDDEN if mark in shown], shown
        assert "FOUND" not in shown, shown
        outputs = json.dumps([cell.get("outputs") for cell in notebook.cells])
        assert not [mark for mark in HIDDEN if mark in outputs]
        assert len(outputs) < 100_000 and "\\u001b" not in outputs and "text/html" not in outputs
        nbformat.validate(notebook)
    honest, _ = graded(Attack("", "honest", "def double(x):\n    return 2 * x"), pair)
    assert honest.points == 10 and honest.kind is Kind.GRADED, honest
    assert fingerprint() == before


@needs_sandbox
@pytest.mark.slow
@pytest.mark.xdist_group("hostile")
def test_what_feedback_says_is_of_no_use_to_the_next_notebook(pair):
    """A script that hands in a table of all that it has read so far meets other inputs each time."""
    learnt = {}
    for _ in range(5):
        code = f"T = {learnt}\ndef double(x):\n    return 4 if x == 2 else T.get(x, x)"
        outcome, again = (graded(Attack("", "", code), pair)[0] for _ in range(2))
        assert outcome.tests == again.tests  # the same notebook, the same inputs
        said = outcome.tests[0].error
        number = float(said.removeprefix("double is wrong for a random number, yours is "))
        assert number not in learnt and 5 < number < 9
        learnt[number] = 2 * number
    plain = "def double(x):\n    return 4 if x == 2 else x"
    same = [graded(Attack("", "", code), pair)[0].tests[0].error for code in (plain, f"{plain}\n\n", f"{plain}  # x")]
    assert same[0] == same[1] != same[2]


@needs_sandbox
@pytest.mark.slow
@pytest.mark.xdist_group("hostile")
def test_a_line_that_is_not_in_the_cell_is_not_named(pair):
    (attack,) = [attack for attack in ATTACKS if attack.name == "inputs as the line of an error"]
    test = graded(attack, pair)[0].tests[0]
    assert "ValueError in a hidden test" in test.error and test.line == 0 and "(line" not in test.error
