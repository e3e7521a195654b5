"""Imports of what is not there when homework is graded: the line is left out, and the rest of the cell runs.

A student's own machine has pandas, Colab has google.colab. An import at the top of a right answer that nothing needs must
not cost the answer; where it is needed, what fails says what was missing.
"""

import ast
import builtins
import importlib.util
import sys
from collections.abc import Collection
from typing import Any, NoReturn

from lmkit.student.bindings import SCOPES, bound_by, changed, read_by, text_of
from lmkit.student.offered import OnlyOffered, refusal

LEFT_OUT, DECORATOR, ERROR = "__left_out__", "__decorator__", "__error__"


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


class Bare:
    """In the place of a decorator that is not there: gives back what it decorates."""

    def __getattr__(self, name: str) -> "Bare":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments: Any, **_: Any) -> Any:
        """The first argument if it can be what is decorated; else, called with settings, itself."""
        first = arguments[0] if arguments else None
        setting = isinstance(first, type) and first.__module__ != "__main__"  # @retry(ValueError), @dispatch(int)
        decorated = (callable(first) and not setting) or isinstance(first, property | classmethod)
        return first if decorated else self


# drive.mount("/content/drive"), table = pd.DataFrame(), pd.options.display.precision = 3
SIMPLE = ast.Expr | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Assert | ast.Delete


class LeaveOut(ast.NodeTransformer):
    """Rewrites the imports of a cell and what uses them.

    Inside a function, ``try``, ``match`` or ``suppress`` they stay: it knows what to do; and in a loop that might not end.
    """

    def __init__(self) -> None:
        setattr(builtins, LEFT_OUT, self.left_out)
        setattr(builtins, DECORATOR, self.decorator)
        # Names of imports that are not there (True) or of which only trying tells (False), and of what is made with them.
        self.missing: dict[str, bool] = {}
        self.said: set[int] = set()  # lines of this cell

    def left_out(self, line: int, error: Exception, known: dict | None = None, names: Collection[str] = ()) -> Absent:
        """Says that a line was left out; what stands for it, also under those of the names that are not known."""
        said = f"{type(error).__name__}: {error}"
        if line not in self.said:
            self.said.add(line)
            print(f"{said}. Line {line} was left out.")
        absent = Absent(error if isinstance(error, ImportError) else ImportError(said))
        for name in names:
            known.setdefault(name, absent)
        return absent

    def decorator(self, line: int, value: Any) -> Any:
        """What stands in a decorator under a name that may be missing."""
        if type(value) is not Absent:
            return value
        self.left_out(line, object.__getattribute__(value, "_error"))
        return Bare()

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Each name that is imported in a ``try`` of its own."""
        self.said = set()
        body, last = self._all_guarded(node.body[:-1]), node.body[-1:]
        shown = last and isinstance(last[0], ast.Expr) and self._missing(last) is False
        node.body = body + (last if shown else self._all_guarded(last))  # in a ``try`` its value would not be shown
        return ast.fix_missing_locations(node)

    def _all_guarded(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for old in body for new in self._guarded(old)]

    def _guarded(self, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.Import() | ast.ImportFrom():
                return self._imported(node)
            case ast.FunctionDef(args=head) | ast.AsyncFunctionDef(args=head):
                self._without_types(node)
                return [self._left_out(node, [head], [node.name])]
            case ast.ClassDef():
                self._without_types(node)
                outside, self.missing = self.missing, dict(self.missing)  # what the body binds is its own
                node.body, self.missing = self._all_guarded(node.body), outside
                return [self._left_out(node, [*node.bases, *node.keywords], [node.name])]
            case ast.Try() | ast.TryStar() | ast.Match():
                return [self._left_out(node, [node])]
            case ast.While() | ast.For() | ast.AsyncFor() if self._may_not_end(node):
                return [self._left_out(node, [node])]
            case ast.With(items=[ast.withitem(ast.Call(ast.Name("suppress") | ast.Attribute(attr="suppress")))]):
                return [self._left_out(node, [node])]  # knows what to do, as a ``try``
            case ast.If(test=head) | ast.While(test=head) | ast.For(iter=head) | ast.AsyncFor(iter=head):
                for name in _stored([getattr(node, "target", None)]):
                    self.missing.pop(name, None)
                known, node.body = dict(self.missing), self._all_guarded(node.body)
                self.missing = dict.fromkeys(known, False) | self.missing
                known, node.orelse = dict(self.missing), self._all_guarded(node.orelse)
                self.missing = dict.fromkeys(known, False) | self.missing  # what one branch binds the other may not
                return [self._left_out(node, [head])]
            case ast.With() | ast.AsyncWith():
                for name in _stored([item.optional_vars for item in node.items]):
                    self.missing.pop(name, None)
                node.body = self._all_guarded(node.body)
                return [self._left_out(node, [item.context_expr for item in node.items])]
        if not isinstance(node, SIMPLE):
            return [node]
        self._without_types(node)
        bound = sorted(bound_by([node]))
        read = [ast.Name(name, ast.Load()) for name in bound if isinstance(node, ast.AugAssign)]  # n += 1
        return [self._left_out(node, [node, *read], bound)]

    def _imported(self, node: ast.Import | ast.ImportFrom) -> list[ast.stmt]:
        if getattr(node, "module", "") == "__future__":
            return [node]
        found = []
        for alias in node.names:
            bound = alias.asname or alias.name.split(".")[0]
            if isinstance(node, ast.Import):
                one, there = ast.Import([alias]), _is_there(alias.name)
                if bound not in (alias.name, alias.asname) and _is_there(bound) is not False:
                    found.append(ast.copy_location(ast.Import([ast.alias(bound)]), node))
                    bound = "*"  # nothing else: if torch.utils has no such part, torch itself stays what it is
            else:
                one, there = ast.ImportFrom(node.module, [alias], node.level), _is_there(node.module or "", alias.name)
            if not there and hasattr(builtins, bound):
                bound = "*"  # from rich import print: Python's own stays
            if there:
                self.missing.pop(bound, None)
            elif bound != "*":
                self.missing[bound] = there is False
            found.append(_guard(one, node, [bound] if bound != "*" else []))
        return found

    def _may_not_end(self, loop: ast.While | ast.For | ast.AsyncFor) -> bool:
        """Whether what ends a loop, its test or a ``break`` of its own, hangs on what is not there."""
        ends, found = [loop.test] if isinstance(loop, ast.While) else [], set(self.missing)
        waiting: list[ast.AST] = list(loop.body)
        while waiting:
            part = waiting.pop()
            if isinstance(part, SCOPES | ast.While | ast.For | ast.AsyncFor):
                continue  # what breaks there does not end this loop
            waiting.extend(ast.iter_child_nodes(part))
            if isinstance(part, ast.stmt) and any(isinstance(inner, ast.Break) for inner in ast.walk(part)):
                ends += (
                    [part.test] if isinstance(part, ast.If) else [*part.items] if isinstance(part, ast.With) else [part]
                )
        for _ in range(3):  # what is made of the missing, and of that
            for part in ast.walk(loop):
                if isinstance(part, SIMPLE | ast.Import | ast.ImportFrom) and not found.isdisjoint(read_by(part)):
                    found |= changed(part)
        return not found.isdisjoint(set().union(*map(read_by, ends)))

    def _missing(self, nodes: list[ast.AST]) -> bool | None:
        """Whether one of them reads a name that is not there; None if none does, False if only trying tells."""
        read = set().union(*map(read_by, nodes))
        return max((self.missing[name] for name in read if name in self.missing), default=None)

    def _left_out(self, node: ast.stmt, asked: list[ast.AST], bound: list[str] | None = None) -> ast.stmt:
        """The statement, guarded if what is ``asked`` of it needs what is not there; so does what needs its names.

        Of a block ``bound`` is None: what it binds may have been something else before, and then stays that.
        """
        missing = self._missing(asked)
        for name in bound or ():
            self.missing.pop(name, None)
        if missing is None:
            return node
        if bound is None:
            names = sorted(bound_by([node]) - {ERROR})
            self.missing.update(dict.fromkeys(names, missing))
            return _guard(node, node, [], unbound=names)
        self.missing.update(dict.fromkeys(bound, missing))
        # What gets something in the place of an import may raise anything: os.environ["KEY"] = key
        return _guard(node, node, bound, "Exception" if missing else "ImportError")

    def _without_types(self, node: ast.stmt) -> None:
        """Makes texts of the types that are not there; asks at each decorator whether it is."""
        for part in ast.walk(node):
            for place in ("annotation", "returns"):
                kind = getattr(part, place, None)
                if kind is not None and self._missing([kind]):
                    setattr(part, place, ast.Constant(text_of(kind)))  # def table(rows: pd.DataFrame)
            if hasattr(part, "decorator_list"):  # @njit, @partial(jax.jit, static_argnums=0)
                part.decorator_list = [_Asks(self.missing).visit(decorator) for decorator in part.decorator_list]


class _Asks(ast.NodeTransformer):
    def __init__(self, names: Collection[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names or not isinstance(node.ctx, ast.Load):
            return node
        asked = ast.Call(ast.Name(DECORATOR, ast.Load()), [ast.Constant(node.lineno), node], [])
        return ast.copy_location(asked, node)


def _stored(targets: list[ast.expr | None]) -> list[str]:
    parts = (part for target in targets if target is not None for part in ast.walk(target))
    return [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]


def _guard(
    body: ast.stmt, place: ast.stmt, bound: list[str], errors: str = "ImportError", unbound: Collection[str] = ()
) -> ast.stmt:
    names = f", locals(), {unbound!r}" if unbound else ""
    handler = f"{' = '.join([*bound, ''])}{LEFT_OUT}({place.lineno}, {ERROR}{names})"
    guard = ast.parse(f"try: pass\nexcept {errors} as {ERROR}: {handler}").body[0]
    for part in ast.walk(guard):
        ast.copy_location(part, place)
    guard.body = [body]  # which keeps its own lines
    return guard


def _is_there(module: str, name: str = "") -> bool | None:
    """Whether an import of a module, or of a name from it, works; None if only trying tells."""
    wanted = f"{module}.{name}" if module == "lmkit" and name else module
    if any(isinstance(f, OnlyOffered) and refusal(wanted, f.modules, f.tops) for f in sys.meta_path):
        return False
    if module in sys.modules and (not name or hasattr(sys.modules[module], name)):
        return True
    try:
        if importlib.util.find_spec(module.split(".")[0]) is None:
            return False
    except (ImportError, ValueError, AttributeError):
        return False
    return None
