"""The graders graded: what the tests of every homework notice (all of it: ``make grade-the-graders``)."""

import hashlib

import nbformat
import pytest

from lmkit.grading.answers import defined_in, notebook_path
from lmkit.grading.mutants import equivalent, is_noticed, mutants
from lmkit.grading.release import homeworks


def all_mutants(notebook):
    return [m for cell in notebook.cells if cell.cell_type == "code" and defined_in(cell) for m in mutants(cell)]


def test_a_mutant_differs_from_its_source_in_one_place():
    cell = nbformat.v4.new_code_cell(
        "def f(x, y=1):\n    if x > 0 and not y:\n        x -= 2\n    return -max(x, y)\n", id="f"
    )
    found = list(mutants(cell))
    assert len({m.source for m in found}) == len(found) and all(m.cell == "f" for m in found)
    expected = {
        "return max(x, y)",
        "x += 2",
        "x >= 0",
        "x < 0",
        "x > 1",
        "or not y",
        "bool(y)",
        "-min(x, y)",
        "-max(y, x)",
        "y=2",
    }
    for part in expected - {"return max(x, y)"}:
        assert any(part in m.source for m in found), part


@pytest.mark.slow
@pytest.mark.parametrize("homework", homeworks())
def test_a_tenth_of_the_mutants_is_noticed(homework, capsys):
    notebook = nbformat.read(notebook_path(homework), as_version=4)
    argued = equivalent(homework)
    found = all_mutants(notebook)
    assert argued.keys() <= {m.description for m in found}, "equivalent_mutants.txt names mutants that do not exist"
    tenth = [
        m for m in found if hashlib.sha256(m.source.encode()).digest()[0] % 10 == 0 and m.description not in argued
    ]
    assert len(tenth) >= len(found) / 30
    assert not [m.description for m in tenth if not is_noticed(notebook, m)]
