"""Which names a piece of code reads, and which it binds; read from its source, nothing runs."""

import ast

SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
OWN = ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp  # what these bind is gone with them


def _tree(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a magic; such cells declare nothing
        return ast.Module([], [])


def loaded(source: str) -> set[str]:
    """Names that a piece of code reads."""
    nodes = ast.walk(_tree(source))
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def defined(source: str) -> set[str]:
    """Names that a piece of code binds for the cells after it."""
    found, todo = set(), list(_tree(source).body)
    while todo:
        node = todo.pop()
        found |= _bound(node)
        if isinstance(node, SCOPES):  # what is inside is its own
            found.update(name for part in ast.walk(node) if isinstance(part, ast.Global) for name in part.names)
        elif not isinstance(node, OWN):
            todo.extend(ast.iter_child_nodes(node))
    return found


def assigned(source: str) -> set[str]:
    """Names that a piece of code binds anywhere: variables, functions, classes, imports, arguments."""
    return set().union(*map(_bound, ast.walk(_tree(source))))


def imported(source: str) -> set[str]:
    """Names that the imports of a piece of code bind."""
    return set().union(*(_bound(node) for node in ast.walk(_tree(source)) if isinstance(node, ast.alias)))


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
