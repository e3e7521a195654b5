"""Which names a piece of code reads, and which it binds; read from its source, nothing runs."""

import ast
import builtins
import re
import warnings
from collections.abc import Collection

SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
OWN = ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp  # what these bind is gone with them

# What IPython reads and Python does not: magics, a shell's commands, questions.
MAGIC = re.compile(
    r"(?m)^([ \t]*)(?:[!?]|%%?[A-Za-z]|(?:pip|conda) install\b|[\w.*()\[\]]+\?\??[ \t]*$|"
    r"(?:\w[\w., \[\]\"']*|\([\w., ]*\)[ \t]*)=[ \t]*[!%])(?:.*\\\n)*.*$"
)
# For a dotted name of n parts Python's parser needs n² characters.
LONG_NAME = re.compile(r"(?:\.[ \t\f\\\r\n]*+[^\W\d]\w*+[ \t\f\\\r\n]*+){200}")
DEFINITION = re.compile(r"(?m)^(?:def|class)[ \t]+(\w+)")  # of a cell that Python cannot read
MOST_CELLS = 50  # that are made of what was added to one


def tree(source: str) -> ast.Module | None:
    """A cell's syntax tree with ``...`` for IPython's own lines; None if Python cannot read the rest, or not in a short time.

    What looks like such a line may stand in a text, so the one that Python stumbles over goes, and only after five of them all.
    """
    for goes in (1, 1, 1, 1, 1, 0, None):
        try:
            return parsed(source)
        except SyntaxError as error:
            if goes is None or not MAGIC.search(source):
                break
            lines = source.split("\n")[: (error.lineno or 1) - 1] if goes else []
            at = sum(len(line) + 1 for line in lines)
            source = source[:at] + MAGIC.sub(_left_open, source[at:], goes)
        except (ValueError, RecursionError, MemoryError):
            break
    return None


def statements(source: str) -> list[ast.stmt]:
    """Those of a cell; none if Python cannot read it."""
    return getattr(tree(source), "body", [])


def parsed(source: str) -> ast.Module:
    """A cell's syntax tree as Python reads it.

    Raises:
        SyntaxError, RecursionError, MemoryError: as ``ast.parse``.
        ValueError: also for a dotted name of more than 200 parts.
    """
    if LONG_NAME.search(source):
        raise ValueError("source must have no dotted name of more than 200 parts")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # of a backslash in a text, say: the student's own business
        return ast.parse(source)


def _left_open(line: re.Match) -> str:
    return f"{line[1]}..." + "\n" * line[0].count("\n")


def loaded(source: str) -> set[str]:
    """Names that a piece of code reads."""
    return set().union(*map(read_by, statements(source)))


def read_by(node: ast.AST) -> set[str]:
    """Names that a part of a syntax tree reads, or deletes."""
    names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return {name.id for name in names if not isinstance(name.ctx, ast.Store)}


def defined(source: str) -> set[str]:
    """Names that a piece of code binds for the cells after it."""
    return bound_by(statements(source))


def bound_by(body: list[ast.stmt]) -> set[str]:
    """Names that statements bind for the cells after them."""
    found, waiting = set(), list(body)
    while waiting:
        node = waiting.pop()
        found |= _bound(node)
        if isinstance(node, SCOPES):  # what is inside is its own
            found.update(name for part in ast.walk(node) if isinstance(part, ast.Global) for name in part.names)
        elif not isinstance(node, OWN):
            waiting.extend(ast.iter_child_nodes(node))
        elif not isinstance(node, ast.Lambda):  # any((found := x) > 1 for x in xs)
            waiting.extend(part for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
    return found


def changed(node: ast.AST) -> set[str]:
    """Names that a statement binds, or whose objects it may change: by ``x[…] =``, ``x.a =`` or a method."""
    found = bound_by([node])
    for part in ast.walk(node):
        inner = part.func.value if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) else part
        if inner is not part or isinstance(getattr(part, "ctx", None), ast.Store | ast.Del):
            while isinstance(inner, ast.Attribute | ast.Subscript):
                inner = inner.value
            found |= {inner.id} if isinstance(inner, ast.Name) else set()
    return found


def functions(source: str) -> set[str]:
    """Names of the functions and classes that a cell defines; of one that Python cannot read those at the start of a line."""
    found = tree(source)
    if found is None:
        return set(DEFINITION.findall(source))
    return {node.name for node in found.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def assigned(source: str) -> set[str]:
    """Names that a piece of code binds anywhere: variables, functions, classes, imports, arguments."""
    return set().union(*(_bound(part) for node in statements(source) for part in ast.walk(node)))


def imported(source: str) -> set[str]:
    """Names that the imports of a piece of code bind."""
    parts = (part for node in statements(source) for part in ast.walk(node))
    return set().union(*(_bound(part) for part in parts if isinstance(part, ast.alias)))


def text_of(node: ast.AST) -> str:
    """A node as text; empty if Python cannot write it."""
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):
        return ""


def is_constant(value: ast.expr | None) -> bool:
    """Whether a value is a constant, made of constants, or not there."""
    match value:
        case ast.Constant(value=value):
            return value is not ...  # in whose place something of IPython's may have stood
        case None | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() | complex())):
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(map(is_constant, parts))
        case ast.Dict(keys=keys, values=values):
            return all(isinstance(key, ast.Constant) for key in keys) and all(map(is_constant, values))
    return False


def added(given: str, source: str, test: bool, taken: Collection[str] = ()) -> list[str]:
    """What a student's version of a given cell has beyond it, to be run as cells of their own: but for the last, each ends with
    what may fail.

    Statements that bind names which are not the given cell's, those that use these names and are not seen to change what is
    given, and imports. Of a test's cell only definitions, constants and imports, of names that are not ``taken`` by the cells
    above: what else stands there was made to run after the test.
    """
    body, there = statements(source), statements(given)
    known, theirs, mine = set(map(text_of, there)), bound_by(there) - imported(given), set()
    if test:
        theirs |= {*taken, *dir(builtins), "*"}
    cells: list[list[str]] = [[]]
    for node in body:
        text, binds = text_of(node), bound_by([node])
        if len(text) > 10 * len(source):  # many levels of blocks in few characters
            return []
        safe = bool(binds) and _is_safe(node)
        kept = (
            safe
            or isinstance(node, SCOPES)
            or (not test and (bool(binds) or bool(read_by(node) & mine and not changed(node) & theirs)))
        )
        if kept and text and text not in known and not binds & theirs:
            cells[-1].append(text)
            cells += [[]] * (not safe and len(cells) < MOST_CELLS)
            mine |= binds if not isinstance(node, ast.Import | ast.ImportFrom) else set()
    return ["\n".join(cell) for cell in cells if cell]


def _is_safe(node: ast.stmt) -> bool:
    """Whether a statement binds names and can hardly fail."""
    match node:
        case ast.FunctionDef(decorator_list=[]) | ast.AsyncFunctionDef(decorator_list=[]):
            types = [node.returns, *(part.annotation for part in ast.walk(node.args) if isinstance(part, ast.arg))]
            return all(map(_is_own, types)) and all(map(is_constant, [*node.args.defaults, *node.args.kw_defaults]))
        case ast.Assign(targets=targets, value=value):
            return all(isinstance(target, ast.Name) for target in targets) and is_constant(value)
        case ast.AnnAssign(target=ast.Name(), annotation=kind, value=value):
            return _is_own(kind) and is_constant(value)
    return isinstance(node, ast.Import | ast.ImportFrom)


def _is_own(kind: ast.expr | None) -> bool:
    """Whether a type is one of Python's own, or not there."""
    return kind is None or isinstance(kind, ast.Constant) or (isinstance(kind, ast.Name) and hasattr(builtins, kind.id))


def _bound(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            return {name}
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.alias(name=name, asname=short):
            return {(short or name).split(".")[0]}
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return {name}
    return set()
