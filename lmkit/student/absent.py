"""Imports of what is not there when homework is graded: the line is left out, and the rest of the cell runs.

A student's own machine has pandas, Colab has google.colab. An import at the top of a right answer that nothing needs must
not cost the answer; where it is needed, what fails says what was missing.
"""

import ast
import builtins
import importlib.util
import sys
from typing import Any, NoReturn

from lmkit.student.offered import OnlyOffered, refusal

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


def left_out(line: int, error: Exception) -> Absent:
    """Says that a line was left out."""
    said = f"{type(error).__name__}: {error}"
    print(f"{said}. Line {line} was left out.")
    return Absent(error if isinstance(error, ImportError) else ImportError(said))


# drive.mount("/content/drive"), table = pd.DataFrame(), pd.options.display.precision = 3
SIMPLE = ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Assert | ast.Delete
DEFINITION = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class LeaveOut(ast.NodeTransformer):
    """Rewrites the imports of a cell and what uses them; those inside ``try`` or a function know themselves what to do."""

    def __init__(self) -> None:
        setattr(builtins, NAME, left_out)
        # Names of imports that are not there (True) or of which only trying tells (False), and of what is made with them.
        self.missing: dict[str, bool] = {}

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Each name that is imported in a ``try`` of its own."""
        node.body = self._all_guarded(node.body)
        return ast.fix_missing_locations(node)

    def _all_guarded(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for old in body for new in self._guarded(old)]

    def _guarded(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            return self._imported(node)
        before = self._without(node) if isinstance(node, SIMPLE | DEFINITION) else []
        if isinstance(node, SIMPLE):
            one = isinstance(node, ast.AnnAssign | ast.AugAssign)
            targets = [node.target] if one else getattr(node, "targets", [])
            parts = [part for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
            bound = [part.id for part in parts if isinstance(part.ctx, ast.Store)]
            read = [ast.Name(name, ast.Load()) for name in bound if isinstance(node, ast.AugAssign)]  # n += 1
            return [self._left_out(node, [node, *read], bound)]
        match node:
            case ast.FunctionDef(args=head) | ast.AsyncFunctionDef(args=head):
                return [*before, self._left_out(node, [head], [node.name])]
            case ast.ClassDef():
                outside, self.missing = self.missing, dict(self.missing)  # what the body binds is its own
                node.body, self.missing = self._all_guarded(node.body), outside
                return [*before, self._left_out(node, [*node.bases, *node.keywords], [node.name])]
            case ast.If(test=head) | ast.While(test=head) | ast.For(iter=head):
                node.body, node.orelse = self._all_guarded(node.body), self._all_guarded(node.orelse)
                return [self._left_out(node, [head], [])]
            case ast.With():
                node.body = self._all_guarded(node.body)
                return [self._left_out(node, node.items, [])]
        return [node]

    def _imported(self, node: ast.Import | ast.ImportFrom) -> list[ast.stmt]:
        if getattr(node, "module", "") == "__future__":
            return [node]
        found = []
        for alias in node.names:
            bound = alias.asname or alias.name.split(".")[0]
            if isinstance(node, ast.Import):
                one, there = ast.Import([alias]), _is_there(alias.name)
                if bound not in (alias.name, alias.asname) and _is_there(bound) is not False:
                    bound = "*"  # nothing: if torch.utils has no such part, torch itself stays what it is
            else:
                one, there = ast.ImportFrom(node.module, [alias], node.level), _is_there(node.module or "", alias.name)
            if there:
                self.missing.pop(bound, None)
            elif bound != "*":
                self.missing[bound] = there is False
            found.append(_guard(one, node, f"{bound} = " if bound != "*" else ""))
        return found

    def _missing(self, nodes: list[ast.AST]) -> bool | None:
        """Whether one of them reads a name that is not there; None if none does, False if only trying tells."""
        names = (part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name))
        read = [name.id for name in names if not isinstance(name.ctx, ast.Store)]
        return max((self.missing[name] for name in read if name in self.missing), default=None)

    def _left_out(self, node: ast.stmt, asked: list[ast.AST], bound: list[str]) -> ast.stmt:
        """The statement, guarded if what is ``asked`` of it needs what is not there; so does what needs its names."""
        missing = self._missing(asked)
        for name in bound:
            self.missing.pop(name, None)
        if missing is None:
            return node
        self.missing.update(dict.fromkeys(bound, missing))
        # What gets something in the place of an import may raise anything: os.environ["KEY"] = key
        anything = missing and isinstance(node, SIMPLE)
        target = "".join(f"{name} = " for name in bound)
        return _guard(node, node, target, "Exception" if anything else "ImportError")

    def _without(self, node: ast.stmt) -> list[ast.stmt]:
        """Takes types and decorators that are not there from a statement; what says so in their place."""
        said = []
        for part in ast.walk(node):
            for place in ("annotation", "returns"):
                kind = getattr(part, place, None)
                if kind is not None and self._missing([kind]):
                    setattr(part, place, ast.Constant(ast.unparse(kind)))  # def table(rows: pd.DataFrame)
            for decorator in list(getattr(part, "decorator_list", ())):
                if self._missing([decorator]):  # @njit
                    part.decorator_list.remove(decorator)
                    said.append(_guard(ast.Expr(decorator), decorator, ""))
        return said


def _guard(body: ast.stmt, place: ast.stmt, target: str, errors: str = "ImportError") -> ast.stmt:
    guard = ast.parse(f"try: pass\nexcept {errors} as _error: {target}{NAME}({place.lineno}, _error)").body[0]
    for part in ast.walk(guard):
        ast.copy_location(part, place)
    guard.body = [body]  # which keeps its own lines
    return guard


def _is_there(module: str, name: str = "") -> bool | None:
    """Whether an import of a module, or of a name from it, works; None if only trying tells."""
    wanted = f"{module}.{name}" if module == "lmkit" and name else module
    if any(isinstance(f, OnlyOffered) and refusal(wanted, f.modules, f.tops) for f in sys.meta_path):
        return False
    try:
        if importlib.util.find_spec(module.split(".")[0]) is None:
            return False
    except (ImportError, ValueError, AttributeError):
        return False
    return True if module in sys.modules and (not name or hasattr(sys.modules[module], name)) else None
