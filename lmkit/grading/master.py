"""The instructor's copy of a homework, as the grader needs it: plain data, made once and sent anywhere."""

import builtins
import hashlib
import json
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from lmkit.grading.cells import is_grade, is_locked, is_solution
from lmkit.grading.packages import Needs, declared
from lmkit.student.bindings import assigned, bound_by, defined, imported, loaded, statements, text_of

TEST, SOLUTION, LOCKED, OTHER = "test", "solution", "locked", "other"


@dataclass(frozen=True)
class MasterCell:
    """A code cell of the homework.

    Attributes:
        name: nbgrader's id of the cell, or the notebook's own where nbgrader has none.
        kind: ``test``, ``solution`` (what students fill in), ``locked`` or ``other``.
        source: as released; a test's with its hidden part.
        points: of a test.
        reference: the solution, where there is one.
    """

    name: str
    kind: str
    source: str
    points: float = 0.0
    reference: str = ""


@dataclass(frozen=True)
class Master:
    """A homework.

    Attributes:
        homework: its name.
        cells: its code cells, in order.
        may_import: the parts of ``lmkit`` that submissions may import, and packages besides those that are always there
            (``packages.DEFAULT``), as declared in the notebook's metadata; None for all of ``lmkit``.
        may_not_import: packages that are not there although they are elsewhere.
        look_for: words; a notebook whose own code has one is for a human to look at.
    """

    homework: str
    cells: tuple[MasterCell, ...]
    may_import: tuple[str, ...] | None = None
    may_not_import: tuple[str, ...] = ()
    look_for: tuple[str, ...] = ()

    @classmethod
    def from_notebook(cls, homework: str, notebook: NotebookNode, gradebook: Any = None) -> "Master":
        """The homework of a source notebook.

        Args:
            homework: its name.
            notebook: the source, with solutions and hidden tests.
            gradebook: nbgrader's record of the notebook, if tests and points shall come from there.

        Raises:
            ValueError: if ``lmkit`` in the notebook's metadata does not declare lists of names.
        """
        recorded = {cell.name: cell.source for cell in gradebook.source_cells} if gradebook is not None else {}
        worth = {cell.name: float(cell.max_score) for cell in gradebook.grade_cells} if gradebook is not None else {}
        cells = []
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            name, source, points, reference = name_of(cell), cell.source, 0.0, ""
            if is_solution(cell):
                kind, reference = SOLUTION, cell.source
                source = recorded.get(name) or _stub(cell)
            elif is_grade(cell):
                kind, source = TEST, recorded.get(name, source)
                points = worth.get(name, float(cell.metadata.nbgrader.get("points", 0)))
            else:
                kind = LOCKED if is_locked(cell) else OTHER
                source = recorded.get(name, source)
            cells.append(MasterCell(name, kind, source, points, reference))
        return cls(homework, tuple(cells), **declared(notebook.metadata))

    def of_kind(self, kind: str) -> list[MasterCell]:
        """The cells of a kind."""
        return [cell for cell in self.cells if cell.kind == kind]

    def needs(self) -> Needs:
        """What its processes are started with."""
        sources = [cell.source for cell in self.cells if cell.kind != TEST]
        return Needs.of(sources, self.may_import, self.may_not_import)

    def setup(self) -> list[str]:
        """Sources of the locked cells that use nothing of the student's: they run on both sides."""
        theirs: set[str] = set()
        for cell in self.of_kind(SOLUTION):
            theirs |= defined(cell.source) | defined(cell.reference)
        found = []
        for cell in self.of_kind(LOCKED):
            if loaded(cell.source) & theirs:
                theirs |= defined(cell.source)
            else:
                found.append(cell.source)
        return found

    def wanted(self) -> dict[str, list[str]]:
        """For each test, by its name, the names that it reads and the student's notebook has to know."""
        asked = set().union(*(defined(cell.source) for cell in self.of_kind(SOLUTION)))
        known = {*dir(builtins), "__name__", "__builtins__"}.union(*map(defined, self.setup()))
        used = {test.name: loaded(test.source) for test in self.of_kind(TEST)}
        mine = {test.name: known | assigned(test.source) for test in self.of_kind(TEST)}
        return {name: sorted((read & asked) | (read - mine[name])) for name, read in used.items()}

    def given(self) -> list[str]:
        """What tests ask the notebook for although the homework gives it, and the given names and Python's own that this uses.

        Such code runs where the student's code is and can bind the names anew. Names of imports are not among them: students
        import for themselves.
        """
        body = [node for cell in self.of_kind(LOCKED) for node in statements(cell.source)]
        there = {name: node for node in body for name in bound_by([node])}
        waiting, found = there.keys() & set().union(*self.wanted().values()), set()
        while waiting:
            name = waiting.pop()
            found.add(name)
            inside = text_of(there[name]) if name in there else ""
            waiting |= loaded(inside) - assigned(inside) - found
        imports = set().union(*(imported(cell.source) for cell in self.of_kind(LOCKED)))
        return sorted(found & {*there, *dir(builtins)} - imports)

    def tests_hash(self, secret: str) -> str:
        """SHA-256 of all that decides points: tests, setup, points, references and the secret's own hash."""
        hidden = hashlib.sha256(secret.encode()).hexdigest()
        cells = [[c.name, c.kind, c.source, c.points, c.reference] for c in self.cells]
        return hashlib.sha256(json.dumps([cells, self.may_import, self.may_not_import, hidden]).encode()).hexdigest()


def changed_since(notebook: NotebookNode, gradebook: Any) -> list[str]:
    """Names of the cells of a source notebook that are other than nbgrader's record of it, which is what grades."""
    recorded = {cell.name: cell.source.strip() for cell in gradebook.source_cells}
    worth = {cell.name: float(cell.max_score) for cell in gradebook.grade_cells}
    here, points = {}, {}
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if not about.get("grade_id"):
            continue
        name = about["grade_id"]
        if cell.cell_type == "code":
            here[name] = (_stub(cell) if is_solution(cell) else cell.source).strip()
        else:
            here[name] = recorded.get(name, "")  # a written answer and its statement are not run
        if is_grade(cell):
            points[name] = float(about.get("points", 0))
    names = dict.fromkeys([*here, *recorded])
    return [n for n in names if here.get(n) != recorded.get(n) or points.get(n) != worth.get(n)]


def is_test(cell: NotebookNode) -> bool:
    """Whether the cell is graded by running it."""
    return cell.cell_type == "code" and is_grade(cell) and not is_solution(cell)


def name_of(cell: NotebookNode) -> str:
    """nbgrader's id of a cell, or the notebook's own."""
    return cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", "")


def _stub(cell: NotebookNode) -> str:
    from nbgrader.preprocessors import ClearSolutions

    clean, _ = ClearSolutions().preprocess_cell(NotebookNode(json.loads(json.dumps(cell))), {"language": "python"}, 0)
    return clean.source
