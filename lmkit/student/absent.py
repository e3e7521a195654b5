"""Imports of what is not there when homework is graded: the line is left out, and the rest of the cell runs.

A student's own machine has pandas, Colab has google.colab. An import at the top of a right answer that nothing needs must
not cost the answer; where it is needed, what fails says what was missing.
"""

import ast
import builtins
import contextlib
import importlib.util
import math
import signal
import sys
import time
from collections import Counter
from collections.abc import Collection
from typing import Any, NoReturn

from lmkit.student.bindings import bound_by, read_by, text_of
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

    def __get__(self, *_: Any) -> "Absent":
        """Itself; for this method an enum takes it for no member, and neither compares it with the others nor adds one to it."""
        return self

    def _raise(self, *_: Any, **__: Any) -> NoReturn:
        error = object.__getattribute__(self, "_error")
        anew = type(error)(str(error))
        anew.name = error.name
        raise anew from None

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
LOOPS = ast.While | ast.For | ast.AsyncFor
# When a loop that may have no end is ended: after so many times that a line of it was left out, more than any training has
# steps; after this part of the computing time that its cell had left at the first time; and after so many seconds by the clock,
# if it merely waits.
MOST_TIMES, MOST_OF_THE_REST, MOST_WAITING = 1_000_000, 0.8, 30.0
CELL_SECONDS = 60.0  # that a loop may have of a cell that no timer stops
ENDLESS = ("count", "cycle", "repeat", "iter")  # what a ``for`` goes over without an end: itertools.count(), iter(f, 0)


class Endless(ImportError):
    """Ends the loop that seems to have no end."""


class LeaveOut(ast.NodeTransformer):
    """Rewrites the imports of a cell and what uses them.

    Inside a function, and where their error may be caught, they stay: it knows what to do. A ``while``, or a ``for`` over
    ``itertools.count()`` and the like, may be endless without them; one that seems to be is ended before its cell is stopped,
    so that what stands below is not lost.
    """

    def __init__(self) -> None:
        setattr(builtins, LEFT_OUT, self.left_out)
        setattr(builtins, DECORATOR, self.decorator)
        # Names of imports that are not there (True) or of which only trying tells (False), and of what is made with them.
        self.missing: dict[str, bool] = {}
        self.times: Counter[int] = Counter()  # that lines of this cell were left out
        # Of lines: clock and computing time when they were left out first, and how much more computing time may pass.
        self.first: dict[int, tuple[float, float, float]] = {}
        self.end = math.inf  # of this cell, in computing time; nobody knows without a timer

    def begin(self) -> None:
        """A cell of the notebook begins; not one that a cell runs."""
        self.times, self.first, self.end = Counter(), {}, _computing() + _seconds_left()

    def left_out(
        self,
        line: int,
        error: Exception,
        endless: bool = False,
        known: dict | None = None,
        names: Collection[str] = (),
        block: bool = False,
    ) -> Absent:
        """Says that a line was left out; what stands for it, also under those of the names that have no value.

        ``None`` is a value in a block, which may not have come to the name, and none where a line binds the name anew.

        Raises:
            Endless: up to the outermost loop.
        """
        said, ended = f"{type(error).__name__}: {error}", isinstance(error, Endless)
        if ended and endless:
            raise error
        self.times[line] += 1
        if ended or self.times[line] == 1:
            print(f"The loop of line {line} was ended: {error}." if ended else f"{said}. Line {line} was left out.")
        if endless and (self.times[line] > MOST_TIMES or self._takes_too_long(line)):
            raise Endless(f"line {line} was left out {self.times[line]} times, and the loop seems to have no end")
        absent = Absent(error if isinstance(error, ImportError) and not ended else ImportError(said))
        for name in names:
            if name not in known or (known[name] is None and not block):
                known[name] = absent
        return absent

    def _takes_too_long(self, line: int) -> bool:
        clock, computing = time.monotonic(), _computing()
        if line not in self.first:
            left = self.end - computing if self.end < math.inf else CELL_SECONDS
            self.first[line] = clock, computing, MOST_OF_THE_REST * left
        since, before, most = self.first[line]
        waited, computed = clock - since, computing - before
        return computed > most or (waited > MOST_WAITING and computed < waited / 5)

    def decorator(self, line: int, value: Any) -> Any:
        """What stands in a decorator under a name that may be missing."""
        if type(value) is not Absent:
            return value
        self.left_out(line, object.__getattribute__(value, "_error"))
        return Bare()

    def visit_Module(self, node: ast.Module) -> ast.Module:
        """Each name that is imported in a ``try`` of its own."""
        self.parts: dict[ast.stmt, tuple[set[str], set[str]]] = {}  # what statements of this cell read and bind
        body, last = self._all_looked_into(node.body[:-1]), node.body[-1:]
        shown = last and isinstance(last[0], ast.Expr) and self._missing(last) is False
        node.body = body + (last if shown else self._all_looked_into(last))  # in a ``try`` its value would not be shown
        return node

    def _all_looked_into(self, body: list[ast.stmt]) -> list[ast.stmt]:
        found = []
        for statement in body:
            outside = dict(self.missing)
            self.in_loop = self.endless = False  # what is visited stands in a loop; in one that may be endless
            try:
                new = self._guarded(statement)
            except RecursionError:  # nested too deep: what was not looked into runs as it stands
                new, self.missing = [statement], outside | dict.fromkeys(bound_by([statement]), False)
            for one in new:
                with contextlib.suppress(RecursionError):
                    ast.fix_missing_locations(one)
            found += new
        return found

    def _all_guarded(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for old in body for new in self._guarded(old)]

    def _guarded(self, node: ast.stmt) -> list[ast.stmt]:
        match node:
            case ast.Import() | ast.ImportFrom():
                return self._imported(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._without_types(node)
                if isinstance(node, ast.ClassDef):
                    outside, self.missing = self.missing, dict(self.missing)  # what the body binds is its own
                    node.body, self.missing = self._all_guarded(node.body), outside
                whole = self._left_out(node, _asked(node), [node.name])
                if whole is node and (_not_there(node) or self._missing(node.body) is not None):
                    self.missing[node.name] = False  # a call of it may need what is not there
                return [whole]
            case ast.While() | ast.For() | ast.AsyncFor():
                return [self._loop(node)]
            case ast.If() | ast.Match() | ast.With() | ast.AsyncWith() if _asked(node) != [node]:
                self._stored([item.optional_vars for item in getattr(node, "items", [])])
                self._branches(*(block.body for block in getattr(node, "cases", [node])), getattr(node, "orelse", []))
                return [self._left_out(node, _asked(node))]
            case ast.Try() | ast.TryStar() if not any(_catches(handler.type) for handler in node.handlers):
                self._branches(node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody)
                return [node]
            case ast.With() | ast.AsyncWith() | ast.Try() | ast.TryStar():
                whole = self._left_out(node, [node])
                self.missing |= dict.fromkeys(bound_by([node]) & self.missing.keys(), False)  # it knew what to do
                return [whole]
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
            found.append(self._guard(one, node, [bound] if bound != "*" else []))
        return found

    def _loop(self, node: LOOPS) -> ast.stmt:
        outside = self.in_loop, self.endless
        self.in_loop, self.endless = True, self.endless or _is_endless(node)
        self.missing = dict.fromkeys(self._made(node), False) | self.missing  # the next round finds what this one makes
        self._stored([getattr(node, "target", None)])
        self._branches(node.body)
        self.in_loop, self.endless = outside
        self._branches(node.orelse)
        ends = not self.in_loop and LEFT_OUT in _read([node])  # what ends a loop without an end ends here
        return self._left_out(node, _asked(node), may_need=ends)

    def _branches(self, *bodies: list[ast.stmt]) -> None:
        for body in bodies:
            known, body[:] = dict(self.missing), self._all_guarded(body)
            self.missing = dict.fromkeys(known, False) | self.missing  # what one branch binds the other may not

    def _stored(self, targets: list[ast.expr | None]) -> None:
        for name in bound_by(list(filter(None, targets))):
            self.missing.pop(name, None)

    def _made(self, loop: LOOPS) -> set[str]:
        """Names of what is not there, and of what a loop makes of it, and so on."""
        found = self.missing.keys() | _not_there(loop)
        inside = [part for part in ast.walk(loop) if isinstance(part, ast.stmt) and part is not loop]
        for _ in range(3):
            for part in inside:
                if part not in self.parts:
                    self.parts[part] = _read(_asked(part)), bound_by([part])
                read, bound = self.parts[part]
                if not found.isdisjoint(read):
                    found |= bound
        return found

    def _missing(self, nodes: list[ast.AST]) -> bool | None:
        """Whether one of them reads a name that is not there; None if none does, False if only trying tells."""
        return max((self.missing[name] for name in _read(nodes) if name in self.missing), default=None)

    def _left_out(
        self, node: ast.stmt, asked: list[ast.AST], bound: list[str] | None = None, may_need: bool = False
    ) -> ast.stmt:
        """The statement, guarded if what is ``asked`` of it needs what is not there; so does what needs its names.

        Of a block ``bound`` is None: what it binds may have been something else before, and then stays that. One that
        ``may_need`` a guard for what is inside gets it in any case.
        """
        missing, block = self._missing(asked), bound is None
        for name in bound or ():
            self.missing.pop(name, None)
        if missing is None and not may_need:
            return node
        bound = sorted(bound_by([node]) - {ERROR}) if block else bound
        if missing is None:
            self.missing = dict.fromkeys(bound, False) | self.missing
        else:
            self.missing.update(dict.fromkeys(bound, missing))
        if missing and not block:
            # What gets something in the place of an import may raise anything: os.environ["KEY"] = key
            return self._guard(node, node, bound, "Exception")
        # A function that needs it was called, perhaps: a name keeps the value that it had.
        return self._guard(node, node, [], unbound=bound, block=block)

    def _guard(
        self,
        body: ast.stmt,
        place: ast.stmt,
        bound: list[str],
        errors: str = "ImportError",
        unbound: list[str] | None = None,
        block: bool = False,
    ) -> ast.stmt:
        names = "" if unbound is None else f", locals(), {unbound!r}, {block}"
        handler = f"{' = '.join([*bound, ''])}{LEFT_OUT}({place.lineno}, {ERROR}, {self.endless}{names})"
        guard = ast.parse(f"try: pass\nexcept {errors} as {ERROR}: {handler}").body[0]
        for part in ast.walk(guard):
            ast.copy_location(part, place)
        guard.body = [body]  # which keeps its own lines
        return guard

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


def _read(nodes: list[ast.AST]) -> set[str]:
    return set().union(*map(read_by, nodes))


def _not_there(node: ast.AST) -> set[str]:
    """Names that imports inside bind of what is not there."""
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Import):
            found |= {one.asname or one.name.split(".")[0] for one in part.names if _is_there(one.name) is False}
        if isinstance(part, ast.ImportFrom):
            found |= {one.asname or one.name for one in part.names if _is_there(part.module or "", one.name) is False}
    return found


def _asked(node: ast.stmt) -> list[ast.AST]:
    """The parts without which a statement is left out as a whole; all of one that knows what to do."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [node.args]
        case ast.ClassDef():
            return [*node.bases, *node.keywords]
        case ast.If() | ast.While():
            return [node.test]
        case ast.For() | ast.AsyncFor():
            return [node.iter]
        case ast.With(
            items=[ast.withitem(ast.Call(ast.Name("suppress") | ast.Attribute(attr="suppress"), caught))]
        ) if any(map(_catches, caught)):
            return [node]
        case ast.With() | ast.AsyncWith():
            return [item.context_expr for item in node.items]
        case ast.Match():
            return [node.subject, *(part for case in node.cases for part in (case.pattern, case.guard) if part)]
    return [node]


def _computing() -> float:
    """Computing time by the clock of the timer that stops a cell: on a busy virtual machine others are far behind it."""
    try:
        return time.clock_gettime(-8)  # Linux: CPUCLOCK_PROF of this process
    except (AttributeError, OSError):
        return time.process_time()


def _seconds_left() -> float:
    """Computing time of the cell that begins, if a timer says so; one that repeats is the student's own and tells nothing."""
    left, again = signal.getitimer(signal.ITIMER_PROF) if hasattr(signal, "getitimer") else (0.0, 0.0)
    return left if left and not again else math.inf


def _is_endless(loop: LOOPS) -> bool:
    """Whether a loop may have no end."""
    if isinstance(loop, ast.While):
        return True
    called = [text_of(part.func) for part in ast.walk(loop.iter) if isinstance(part, ast.Call)]
    return any(name.removeprefix("itertools.") in ENDLESS for name in called)


def _catches(kind: ast.expr | None) -> bool:
    """Whether ``except`` with that, or ``suppress``, may catch the error of an import."""
    for one in kind.elts if isinstance(kind, ast.Tuple) else [kind]:
        error = getattr(builtins, one.id, None) if isinstance(one, ast.Name) else None
        if not isinstance(error, type) or issubclass(ImportError, error) or issubclass(error, ImportError):
            return True
    return False


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
