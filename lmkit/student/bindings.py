"""Which names a piece of code reads, and which it binds; read from its source, nothing runs."""

import ast
import builtins
import re
from collections.abc import Collection

SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
OWN = ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp  # what these bind is gone with them

MAGIC = re.compile(r"(?m)^([ \t]*)(?:[!?]|%%?[A-Za-z]|(?:pip|conda) install\b).*$")  # IPython's own


def _tree(source: str) -> ast.Module:
    for text in (source, MAGIC.sub(r"\1pass", source)):  # the latter only where Python cannot read the former
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return ast.Module([], [])


def loaded(source: str) -> set[str]:
    """Names that a piece of code reads."""
    nodes = ast.walk(_tree(source))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def defined(source: str) -> set[str]:
    """Names that a piece of code binds for the cells after it."""
    return bound_by(_tree(source).body)


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
    return found


def assigned(source: str) -> set[str]:
    """Names that a piece of code binds anywhere: variables, functions, classes, imports, arguments."""
    return set().union(*map(_bound, ast.walk(_tree(source))))


def imported(source: str) -> set[str]:
    """Names that the imports of a piece of code bind."""
    return set().union(*(_bound(node) for node in ast.walk(_tree(source)) if isinstance(node, ast.alias)))


def text_of(node: ast.AST) -> str:
    """A node as text; empty if Python cannot write it."""
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError):
        return ""


def added(given: str, source: str, test: bool, above: Collection[str] = ()) -> str:
    """What a student's version of a given cell has beyond it, to be run as a cell of their own.

    Statements that bind names which are not the given cell's, and imports. Of a test's cell only definitions, constants and
    imports: what else stands there was made to run after the test.
    """
    body, there = _tree(source).body, _tree(given).body
    known, names = set(map(text_of, there)), defined(given) - imported(given)
    if test:  # was written after the test: what the answers above it use stays theirs
        names |= {*above, *dir(builtins), "*"}
    found = []
    for node in body:
        text = text_of(node)
        binds = defined(text)
        kept = isinstance(node, SCOPES | ast.Import | ast.ImportFrom) or (
            not test or (isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant))
        )
        if kept and binds and text not in known and not binds & names:
            found.append(text)
    return "\n".join(found)


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
