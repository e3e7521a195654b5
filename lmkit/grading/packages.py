"""What a submission may import, as the few files and folders that the sandbox shows it."""

import ast
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lmkit.student.offered import DEFAULT

DECLARED = ("may_import", "may_not_import", "look_for")  # in a homework's metadata, see ``Master``
LMKIT = Path(__file__).resolve().parents[1]
STUDENT = tuple(LMKIT / "student" / f"{name}.py" for name in ("__init__", "absent", "bindings", "offered", "shell"))
STUDENT_SIDE = ("__init__", "arrays", "calls", "channel", "codec", "forks", "namespaces", "tags", "unpacking", "worker")
TEST_SIDE = (*STUDENT_SIDE, "changes", "outcome", "proxies", "tester")


@dataclass(frozen=True)
class Needs:
    """What a homework's two processes are started with, before they are told anything of its tests.

    Attributes:
        may_import: as declared in the notebook's metadata, see ``Master``.
        may_not_import: likewise.
        names: worth importing before the first submission comes: what the homework's own cells import, modules or not.
    """

    may_import: tuple[str, ...] | None
    may_not_import: tuple[str, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, sources: Iterable[str], may_import: tuple[str, ...] | None, may_not_import: tuple[str, ...]) -> "Needs":
        """Those of a homework whose own cells are these."""
        return cls(may_import, may_not_import, tuple(to_load(sources, may_import)))

    @classmethod
    def of_file(cls, released: Path) -> "Needs":
        """Those of a homework as students get it.

        Raises:
            OSError, ValueError, AttributeError, KeyError, TypeError: if the file is not there, or no notebook.
        """
        if not released.is_file():  # to open a pipe would wait for whoever writes into it
            raise FileNotFoundError(released)
        notebook = json.loads(released.read_bytes())
        names, sources = declared(notebook["metadata"]), []
        for cell in notebook["cells"]:
            about = cell["metadata"].get("nbgrader", {})
            if cell["cell_type"] == "code" and (about.get("solution") or not about.get("grade")):
                sources.append("".join(cell["source"]))  # a text or its lines
        return cls.of(sources, names.get("may_import"), names.get("may_not_import", ()))


def declared(metadata: dict) -> dict[str, tuple[str, ...]]:
    """What a notebook's metadata declare for the grader under ``lmkit``: lists of names.

    Raises:
        ValueError: if they declare anything else.
    """
    found = metadata.get("lmkit", {})
    if not isinstance(found, dict) or not set(found) <= set(DECLARED):
        raise ValueError(f"metadata lmkit: got {found!r:.80}, expected lists of names under {', '.join(DECLARED)}")
    for key, names in found.items():
        if not (isinstance(names, list) and all(isinstance(name, str) and name for name in names)):
            raise ValueError(f"metadata lmkit.{key}: got {names!r:.60}, expected a list of names")
    return {key: tuple(names) for key, names in found.items()}


@cache
def lmkit_files(offered: tuple[str, ...] | None) -> tuple[Path, ...]:
    """The files of the course package behind the modules on offer, and of what those import; all of them for None.

    ``lmkit.grading`` is never among them.
    """
    everything = {f"lmkit.{path.stem}": path for path in LMKIT.glob("*.py") if path.stem != "__init__"}
    found: set[Path] = {LMKIT / "__init__.py"}
    if offered is None:
        return tuple(sorted(found | set(everything.values())))
    waiting = [name for name in offered if name in everything]
    while waiting:
        path = everything[waiting.pop()]
        if path not in found:
            found.add(path)
            waiting += [name for name in imported(path.read_text(encoding="utf-8")) if name in everything]
    return tuple(sorted(found))


def imported(source: str) -> set[str]:
    """Names of the modules that a piece of code may import; empty if it is no Python."""
    try:
        tree = ast.parse("\n".join(line for line in source.splitlines() if not line.lstrip().startswith(("%", "!"))))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def to_load(sources: Iterable[str], offered: tuple[str, ...] | None) -> list[str]:
    """What cells import of what is there for them, modules or names in modules."""
    names = set().union(*map(imported, sources))
    standard = set(sys.stdlib_module_names)
    files = {f"lmkit.{path.stem}" for path in lmkit_files(offered)}
    return sorted(
        n for n in names if n.split(".")[0] in (*DEFAULT, *standard) or n in files and (not offered or n in offered)
    )
