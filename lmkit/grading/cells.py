"""What nbgrader's metadata say about a cell, without nbgrader: importing that takes longer than grading a submission."""

from dataclasses import dataclass

from nbformat import NotebookNode


@dataclass(frozen=True)
class SourceCell:
    """One cell of a homework as the gradebook holds it, hidden tests included."""

    name: str
    cell_type: str
    locked: bool
    source: str
    checksum: str


def _said(cell: NotebookNode, name: str) -> bool:
    return bool(cell.metadata.get("nbgrader", {}).get(name, False))


def is_grade(cell: NotebookNode) -> bool:
    """Whether the cell earns points."""
    return _said(cell, "grade")


def is_solution(cell: NotebookNode) -> bool:
    """Whether students fill the cell in."""
    return _said(cell, "solution")


def is_locked(cell: NotebookNode) -> bool:
    """Whether the cell is the homework's own, whatever a submission has in its place."""
    return not is_solution(cell) and (is_grade(cell) or _said(cell, "locked"))
