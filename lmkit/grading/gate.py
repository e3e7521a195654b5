"""The gate: what of a student's file is let in, before nbgrader or the grader sees it.

The notebook that is graded is the released one, cell by cell, with those parts of the student's file that students may
write: the answers, and cells of their own. Locked cells, tests, metadata and outputs of the submission go nowhere.
"""

import copy
from dataclasses import dataclass, field

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from lmkit.grading.cells import is_grade, is_locked, is_solution
from lmkit.grading.definitions import LONGEST_PARSED, MOST_PARSED, Definitions, cost
from lmkit.grading.notebook_files import NotLetIn, parse
from lmkit.student.bindings import added, functions


@dataclass
class Admitted:
    """A submission as it is graded.

    Attributes:
        notebook: the released notebook with the student's parts in it, without outputs.
        notes: what was left out or mended, in words for the instructor; empty for an ordinary file.
    """

    notebook: NotebookNode
    notes: list[str] = field(default_factory=list)


def rebuild(cells: list[dict], release: NotebookNode) -> Admitted:
    """The released notebook with the student's answers and own cells in it.

    A cell of the student's is the released one with the same nbgrader id, else the same cell id, else (copied into a new
    notebook by hand) the answer that defines the functions asked for. Of several copies the last that was filled in counts,
    as it does when the notebook runs from top to bottom; the others stay as cells of the student's own. A cell of another type,
    an old attempt turned into text, counts only where there is no other.
    """
    notebook = copy.deepcopy(release)
    place = {cell.metadata.nbgrader.grade_id: i for i, cell in enumerate(notebook.cells) if "nbgrader" in cell.metadata}
    by_cell_id = {cell.id: i for i, cell in enumerate(notebook.cells)}
    by_id = [place.get(cell["grade_id"], by_cell_id.get(cell["id"])) for cell in cells]
    matched = [
        where if where is not None and release.cells[where].cell_type == cell["type"] else None
        for cell, where in zip(cells, by_id, strict=True)
    ]
    known = Definitions()
    notes = _match_by_content(cells, matched, notebook, known)
    absent = set(by_id).difference(matched, [None])
    matched = [where if where in absent else found for where, found in zip(by_id, matched, strict=True)]
    chosen: dict[int, int] = {}
    for i, where in enumerate(matched):
        if where is not None:
            filled = is_solution(release.cells[where]) and not _untouched(release.cells[where], cells[i])
            chosen[where] = i if filled else chosen.get(where, i)
    extra: dict[int, list[NotebookNode]] = {}
    # What the given cells and, so far, the student's bind.
    taken = set().union(
        *(known.bound(c.source) for c in release.cells if c.cell_type == "code" and is_locked(c) and not is_grade(c))
    )
    anchor, left = -1, MOST_PARSED
    for i, (cell, where) in enumerate(zip(cells, matched, strict=True)):
        if where is not None and chosen[where] == i:
            anchor = where
            notes += _take(notebook.cells[where], cell)
            if _edited_instructions(release.cells[where], cell):
                extra.setdefault(where, []).append(_own(cell, f"own-{i}"))
        elif where is None or is_solution(release.cells[where]) or _edited_instructions(release.cells[where], cell):
            if cell["source"].strip() and cell["type"] != "raw":
                # A copy of an answer that is not the last one runs before it.
                before = where - 1 if where is not None and is_solution(release.cells[where]) else anchor
                extra.setdefault(before, []).append(_own(cell, f"own-{i}"))
        if where is not None and _is_code(release.cells[where], cell) and len(cell["source"]) <= LONGEST_PARSED:
            given, test = release.cells[where].source, is_grade(release.cells[where])
            left -= cost(cell["source"]) + len(given)
            more = added(given, cell["source"], test, taken) if left > 0 else []
            # Where a test was the answer runs before it; where something is given what was added may need it.
            at = anchor if chosen[where] != i else where - 1 if test else where
            extra.setdefault(at, []).extend(_own({**cell, "source": one}, f"own-{i}-{k}") for k, one in enumerate(more))
            name = release.cells[where].metadata.nbgrader.grade_id
            notes += [f"imports or definitions added to {name}: kept in cells of their own"] * bool(more)
        own = where is None or (is_solution(release.cells[where]) and not _untouched(release.cells[where], cell))
        if own and cell["type"] == "code":
            taken |= known.bound(cell["source"])
    runs = [cell for some in extra.values() for cell in some] + [notebook.cells[where] for where in chosen]
    theirs = set().union(*(known.bound(c.source) for c in runs if c.cell_type == "code" and not is_locked(c)))
    for i, cell in enumerate(notebook.cells):
        if _asked(cell) and i not in chosen:
            asked = functions(cell.source) if cell.cell_type == "code" and is_solution(cell) else set()
            if asked and asked <= theirs:  # two answers merged into one cell: the stub would undo the second
                cell.source = ""
                notes.append(f"missing, answered in another cell: {cell.metadata.nbgrader.grade_id}")
            else:
                notes.append(f"missing, put back as released: {cell.metadata.nbgrader.grade_id}")
    unseen = [f"{cell['grade_id'] or 'a cell of their own'}, {why}" for cell in cells for why in cell["not_shown"]]
    more = f"; and {len(unseen) - 3} more" if len(unseen) > 3 else ""
    notes += [f"a picture that is not shown: {'; '.join(unseen[:3])}{more}"] * bool(unseen)
    ordered = list(extra.get(-1, []))
    for i, cell in enumerate(notebook.cells):
        ordered += [cell, *extra.get(i, [])]
    notebook.cells = ordered
    return Admitted(notebook, notes)


def _asked(cell: NotebookNode) -> bool:
    return is_grade(cell) or is_solution(cell)


def _take(released: NotebookNode, cell: dict) -> list[str]:
    """Puts the student's part into a released cell; says what was not taken."""
    if "nbgrader" not in released.metadata or (is_locked(released) and not is_solution(released)):
        if is_locked(released) and cell["source"].rstrip() != released.source.rstrip():
            return [f"differs, taken as released: {released.metadata.nbgrader.grade_id}"]
        return []
    released.source = cell["source"]
    if released.cell_type == "markdown" and cell["attachments"]:
        released.attachments = NotebookNode(cell["attachments"])
    return []


def _is_code(released: NotebookNode, cell: dict) -> bool:
    """Whether it is a locked cell of code, such as the setup, and the student's is one, too."""
    return released.cell_type == "code" and cell["type"] == "code" and is_locked(released)


def _untouched(released: NotebookNode, cell: dict) -> bool:
    return cell["source"].strip() == released.source.strip()


def _edited_instructions(released: NotebookNode, cell: dict) -> bool:
    """Whether a student wrote into a cell of the statement, perhaps an answer: it is kept, below the released text."""
    return "nbgrader" not in released.metadata and cell["source"].strip() != released.source.strip()


def _own(cell: dict, name: str) -> NotebookNode:
    made = new_code_cell(cell["source"]) if cell["type"] == "code" else new_markdown_cell(cell["source"])
    made.id = name
    if cell["type"] == "markdown" and cell["attachments"]:
        made.attachments = NotebookNode(cell["attachments"])
    return made


def _match_by_content(
    cells: list[dict], matched: list[int | None], notebook: NotebookNode, known: Definitions
) -> list[str]:
    """Finds answers that carry no id any more; fills ``matched``."""
    notes = []
    # Variables elsewhere may have the name, too: functions and classes go before them, and of variables those in their place.
    for names in (known.of, known.bound):
        for where, released in enumerate(notebook.cells):
            if where in matched or not is_solution(released):
                continue
            wanted = functions(released.source) if released.cell_type == "code" else set()
            before = notebook.cells[where - 1].source.strip() if where else ""
            free = [i for i, mine in enumerate(matched) if mine is None]
            if wanted:
                found = [i for i in free if cells[i]["type"] == "code" and wanted <= names(cells[i]["source"])]
            else:
                found = [i for i in free if i > 0 and before and cells[i - 1]["source"].strip() == before]
            for i in found:
                if names == known.of or _in_order(matched, i, where):
                    matched[i] = where
                    notes.append(f"found without its id: {released.metadata.nbgrader.grade_id}")
                    break
    return notes


def _in_order(matched: list[int | None], i: int, where: int) -> bool:
    """Whether cell ``i`` stands below what is released above ``where``, and above what is released below."""
    above, below = ([w for w in some if w is not None] for some in (matched[:i], matched[i + 1 :]))
    return max(above, default=-1) < where < min(below, default=where + 1)


def admit(content: bytes, release: NotebookNode) -> Admitted:
    """A submitted file as it is graded: ``parse``, then ``rebuild``.

    Raises:
        NotLetIn: if the file is no notebook, or another homework's.
    """
    cells = parse(content)
    if _is_anothers(cells, release):
        raise NotLetIn("malformed", "This is the notebook of another homework; nothing in it was graded.")
    return rebuild(cells, release)


def _is_anothers(cells: list[dict], release: NotebookNode) -> bool:
    """Whether most nbgrader ids are not this homework's, and less than a quarter of what it asks for is defined anywhere."""
    ours = {cell.metadata.nbgrader.grade_id for cell in release.cells if "nbgrader" in cell.metadata}
    theirs = {cell["grade_id"] for cell in cells} - {""}
    if len(theirs - ours) <= len(theirs & ours):
        return False
    known = Definitions()
    written = set().union(*(known.bound(cell["source"]) for cell in cells if cell["type"] == "code"))
    asked = [functions(cell.source) for cell in release.cells if cell.cell_type == "code" and is_solution(cell)]
    return 4 * sum(bool(names) and names <= written for names in asked) < len(asked)
