"""Imports of what is not there when homework is graded: the line is left out, and the rest of the cell runs.

A student's own machine has pandas, Colab has google.colab. An import at the top of a right answer that nothing needs must
not cost the answer; where it is needed, what fails says what was missing.
"""

import ast
import builtins
import importlib.util
from typing import Any, NoReturn

NAME = "__left_out__"


class Absent:
    """Stands for what could not be imported; any use but to show, copy or keep it raises the error of the import."""

    def __init__(self, error: ImportError) -> None:
        object.__setattr__(self, "_error", error)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in ("__mro_entries__", "__version__"):  # Python itself asks for these
            raise AttributeError(name)
        self._raise()

    def _raise(self, *_: Any, **__: Any) -> NoReturn:
        error = object.__getattribute__(self, "_error")
        raise type(error)(str(error)) from None

    __mro_entries__ = __setattr__ = _raise


for _name in (
    "call getitem setitem delitem delattr iter next len contains bool float int index format array enter exit instancecheck "
    "subclasscheck neg pos abs invert round eq ne lt le gt ge add radd sub rsub mul rmul matmul rmatmul truediv rtruediv "
    "floordiv rfloordiv mod rmod divmod rdivmod pow rpow lshift rlshift rshift rrshift and rand or ror xor rxor"
).split():
    setattr(Absent, f"__{_name}__", Absent._raise)
Absent.__hash__ = object.__hash__


def left_out(line: int, error: ImportError) -> Absent:
    """Says that an import was left out."""
    print(f"{type(error).__name__}: {error}. Line {line} was left out.")
    return Absent(error)


class LeaveOut(ast.NodeTransformer):
    """Rewrites the imports at the top level of a cell; those inside ``try`` or a function know themselves what to do."""

    def __init__(self) -> None:
        setattr(builtins, NAME, left_out)
        self.absent: set[str] = set()  # names that stand for what is not there

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Each name that is imported in a ``try`` of its own."""
        node.body = [new for old in node.body for new in self._guarded(old)]
        return ast.fix_missing_locations(node)

    def _guarded(self, node: ast.stmt) -> list[ast.stmt]:
        # drive.mount("/content/drive"), table = pd.DataFrame(), pd.options.display.precision = 3
        if isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Assert | ast.Delete):
            if self.absent.isdisjoint(part.id for part in ast.walk(node) if isinstance(part, ast.Name)):
                return [node]
            one = isinstance(node, ast.AnnAssign | ast.AugAssign)
            targets = [node.target] if one else getattr(node, "targets", [])
            parts = [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            bound = [part.id for part in parts if isinstance(part.ctx, ast.Store)]
            self.absent.update(bound)  # what needs these is left out as well
            return [_guard(node, node, "".join(f"{name} = " for name in bound))]
        if not isinstance(node, ast.Import | ast.ImportFrom) or getattr(node, "module", "") == "__future__":
            return [node]
        found = []
        for alias in node.names:
            module = getattr(node, "module", None) or alias.name
            bound = (alias.asname or alias.name).split(".")[0]
            (self.absent.discard if _is_there(module) else self.absent.add)(bound)
            one = (
                ast.Import([alias])
                if isinstance(node, ast.Import)
                else ast.ImportFrom(node.module, [alias], node.level)
            )
            found.append(_guard(one, node, f"{bound} = " if bound != "*" else ""))
        return found


def _guard(body: ast.stmt, place: ast.stmt, target: str) -> ast.stmt:
    guard = ast.parse(f"try: pass\nexcept ImportError as _error: {target}{NAME}({place.lineno}, _error)").body[0]
    guard.body = [body]
    for part in ast.walk(guard):
        ast.copy_location(part, place)
    return guard


def _is_there(module: str) -> bool:
    try:
        return importlib.util.find_spec(module.split(".")[0]) is not None
    except (ImportError, ValueError, AttributeError):
        return False
