"""What the answers to a homework may import: one rule, and the same words, at home, in ``lmkit check`` and in grading.

The released notebook's metadata declare it: ``{"lmkit": {"may_import": ["lmkit.corpora"], "may_not_import": ["torch"]}}``.
Parts of ``lmkit`` that are not on the first list are refused to the notebook's own code (what is on it may use them). Packages
are Python's own, those that the course itself uses and those on the first list, with what these need, less those on the second
list. In grading what is refused is not even there.
"""

import builtins
import csv
import importlib.metadata
import sys
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any

DEFAULT = ("numpy", "matplotlib", "torch", "tqdm", "regex")  # what the course itself uses
NEEDED = ("numpy", "msgspec", "ipython")  # what the worker itself runs on, and so always there
NOTEBOOK = "__main__"  # the module that a notebook's cells are


@cache
def installed(names: tuple[str, ...]) -> dict[str, Path]:
    """The top-level files and folders of installed packages and of everything that they need, by name."""
    from packaging.requirements import InvalidRequirement, Requirement

    found: dict[str, Path] = {}
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        try:
            package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        for top in _tops(package) - {"..", ".", "/", "", "__pycache__"}:
            found[top] = Path(str(package.locate_file(top)))
        for line in package.requires or ():
            try:
                needed = Requirement(line)
            except InvalidRequirement:
                continue
            if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                waiting.append(needed.name)
    return {top: path for top, path in found.items() if path.exists()}


def _tops(package: importlib.metadata.Distribution) -> set[str]:
    """The names of what a package has put beside others'; its list is read as text, for torch's has 14 000 lines."""
    record = package.read_text("RECORD")
    if record is None:  # installed by something else than pip
        return {file.parts[0] for file in package.files or ()}
    return {line[0].removeprefix("./").split("/")[0] for line in csv.reader(record.splitlines()) if line}


def on_offer(may_import: Iterable[str] | None, may_not_import: Iterable[str] = ()) -> tuple[str, ...]:
    """The packages on offer: what the course uses and what the homework adds, less what it refuses."""
    names = dict.fromkeys((*DEFAULT, *(name for name in may_import or () if name.split(".")[0] != "lmkit")))
    return tuple(name for name in names if name not in may_not_import)


def packages(may_import: Iterable[str] | None, may_not_import: Iterable[str] = ()) -> set[str]:
    """Names of the top-level modules, beside Python's own and ``lmkit``, that a homework offers."""
    found = {top.split(".")[0] for top in installed((*NEEDED, *on_offer(may_import, may_not_import)))}
    return found - set(may_not_import)


def refusal(name: str, modules: Collection[str] | None, tops: Collection[str] | None) -> str:
    """Why a notebook's own code may not import a module, in a sentence; empty if it may.

    Args:
        name: the module, such as ``"lmkit.ngram"``.
        modules: parts of ``lmkit`` on offer; None for all of them but ``lmkit.grading``.
        tops: as ``packages`` gives them; None for every package.
    """
    top, _, rest = name.partition(".")
    if top == "lmkit":
        offered = not rest or (name.split(".")[1] != "grading" if modules is None else name in modules)
        return "" if offered else f"{name}: this homework does not offer it; what it asks for you write yourself"
    if tops is None or top in tops or top in sys.stdlib_module_names or top == NOTEBOOK:
        return ""
    return f"{top}: answers to this homework may not import it, and it will not be there when yours is graded"


def _refused(said: str, name: str) -> ImportError:
    """What Python raises for a package that is not there; of a part of one, ``from lmkit import …`` would lose the text."""
    return (ImportError if name.startswith("lmkit.") else ModuleNotFoundError)(said, name=name)


class OnlyOffered:
    """Refuses what the homework does not offer, with a sentence: other parts of ``lmkit`` and other packages."""

    def __init__(self, modules: Collection[str] | None, tops: Collection[str] | None) -> None:
        self.modules, self.tops = modules, tops

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Raises for what is not offered; says nothing about anything else."""
        asks = self._who_asks()
        if asks not in (None, "lmkit") if name.startswith("lmkit.") else asks == NOTEBOOK:
            said = refusal(name, self.modules, self.tops)
            if said:
                raise _refused(said, name)

    @staticmethod
    def _who_asks() -> str | None:
        frame = sys._getframe(2)
        while frame is not None and "importlib" in frame.f_code.co_filename:
            if frame.f_globals.get("__name__") == "importlib.util":  # who asks whether it is there imports nothing
                return None
            frame = frame.f_back
        return "" if frame is None else str(frame.f_globals.get("__name__", "")).split(".")[0]


def guard(modules: Collection[str] | None, tops: Collection[str] | None) -> None:
    """From now on every ``import`` in the notebook's own code keeps to the rule; at home, where everything is installed.

    Raises (later, in the notebook):
        ImportError: with the ``refusal`` as its text; a ModuleNotFoundError for another package.
    """
    sys.meta_path.insert(0, OnlyOffered(modules, tops))
    ordinary = builtins.__import__  # what something else has loaded already is not looked for any more

    def guarded(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if not level and (globals or {}).get("__name__") == NOTEBOOK:
            known = vars(sys.modules["lmkit"]) if "lmkit" in sys.modules else {}
            parts = [p for p in fromlist or () if p != "*" and (f"lmkit.{p}" in sys.modules or p not in known)]
            for module in (name, *(f"lmkit.{part}" for part in parts if name == "lmkit")):
                said = refusal(module, modules, tops)
                if said:
                    raise _refused(said, module)
        return ordinary(name, globals, locals, fromlist, level)

    builtins.__import__ = guarded
