"""What a submission may import, as the few files and folders that the sandbox shows it."""

import ast
import importlib.util
import sys
from functools import cache
from pathlib import Path

from lmkit.student.offered import DEFAULT

LMKIT = Path(__file__).resolve().parents[1]
STUDENT = tuple(LMKIT / "student" / f"{name}.py" for name in ("__init__", "absent", "bindings", "offered", "shell"))
STUDENT_SIDE = ("__init__", "arrays", "calls", "channel", "codec", "forks", "namespaces", "tags", "unpacking", "worker")
TEST_SIDE = (*STUDENT_SIDE, "changes", "outcome", "proxies", "tester")


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


def to_load(sources: list[str], offered: tuple[str, ...] | None) -> list[str]:
    """Modules worth importing before the first submission comes: those that the homework's own cells import."""
    names = set().union(*map(imported, sources)) if sources else set()
    standard = set(sys.stdlib_module_names)
    files = {f"lmkit.{path.stem}" for path in lmkit_files(offered)}
    wanted = {
        n for n in names if n.split(".")[0] in (*DEFAULT, *standard) or n in files and (not offered or n in offered)
    }
    return sorted(n for n in wanted if _is_module(n))


def _is_module(name: str) -> bool:
    top, _, rest = name.partition(".")
    if not rest or top == "lmkit":
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, AttributeError, ValueError):
        return False
