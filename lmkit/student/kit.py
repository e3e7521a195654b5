"""What the student's kit does when a notebook imports ``lmkit``: it refuses there what grading would refuse."""

import os
import sys
from pathlib import Path

from lmkit.student.notebooks import Released, released
from lmkit.student.offered import NOTEBOOK, guard

TOOLS = {"lmkit.__main__", "lmkit.student", "lmkit.student.cli", "lmkit.student.runner"}


def refuse_at_home() -> None:
    """From now on parts of ``lmkit`` that the homework does not offer are refused to the notebook's own code.

    Other packages are not: a cell of one's own may draw what it likes. ``lmkit check`` keeps to the whole rule.
    """
    offered = offered_here(released())
    guard(None if offered is None else offered | TOOLS, None)


def offered_here(known: dict[str, Released]) -> set[str] | None:
    """The modules that this notebook's homework offers; where nobody says which notebook it is, what any of them offers."""
    main = sys.modules.get(NOTEBOOK)
    path = os.environ.get("JPY_SESSION_NAME") or getattr(main, "__vsc_ipynb_file__", "")  # JupyterLab, VS Code
    stem = Path(path).stem
    mine = [one for one in known.values() if stem.startswith(one.homework)] or list(known.values())
    if any(one.may_import is None for one in mine):
        return None
    return {name for one in mine for name in one.may_import}
