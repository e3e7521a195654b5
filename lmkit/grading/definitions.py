"""What the cells of a submission define, read from their source; nothing of it runs here."""

import ast
import re

from lmkit.student.bindings import DEFINITION, MAGIC, bound_by, is_constant, tree

LONGEST_PARSED = 50_000  # characters of a cell; Python's parser takes seconds for the largest ones
MOST_PARSED = 300_000  # characters of all cells together
# What an annotation is made of: ``dict[str, int] | None``.
_TYPE = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.BinOp, ast.BitOr, ast.Load)


def cost(source: str) -> int:
    """Characters that the parser reads of a cell: with lines of IPython's in it, it may take seven times."""
    return len(source) * (7 if MAGIC.search(source) else 1)


def _read(source: str) -> tuple[set[str], bool, set[str]]:
    """Three things: the functions and classes that a cell defines; whether, when it runs, it only defines; all names it binds.

    To only define is to import nothing and to call nothing of the student's.
    Not proved: what stands for a type, and the base ``X.Module``, may be objects of the student's own, whose attributes,
    ``[…]``, ``|`` and derivation do something.
    """
    found = tree(source)
    if found is None:
        return _unread(source)
    body = found.body
    names = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return names, all(map(_is_definition, body)), bound_by(body)


def _unread(source: str) -> tuple[set[str], bool, set[str]]:
    """The same of a cell that is not parsed: what stands at the start of a line."""
    names = set(DEFINITION.findall(source))
    return names, False, names | set(re.findall(r"^(\w+)[ \t]*=", source, re.MULTILINE))


def _is_definition(node: ast.stmt) -> bool:
    match node:
        case ast.FunctionDef(decorator_list=[], args=args, returns=returns):
            given = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
            types = [returns, *(arg.annotation for arg in given if arg)]
            defaults = [value for value in (*args.defaults, *args.kw_defaults) if not isinstance(value, ast.Name)]
            return all(map(is_constant, defaults)) and all(map(_is_type, types))
        # Other bases may do anything when they are derived from: a class of the student's own, an enumeration.
        case ast.ClassDef(decorator_list=[], keywords=[], bases=[] | [ast.Attribute(ast.Name(), "Module")], body=body):
            return all(map(_is_definition, body))
        case ast.Assign(targets=targets, value=value):
            return all(isinstance(target, ast.Name) for target in targets) and is_constant(value)
        case ast.AnnAssign(target=ast.Name(), annotation=annotation, value=value):
            return _is_type(annotation) and is_constant(value)
        case ast.Expr(value=ast.Constant(value=value)):
            return value is not ...  # in whose place a line of IPython's may have stood
        case ast.Pass():
            return True
    return False


def _is_type(annotation: ast.expr | None) -> bool:
    return annotation is None or all(isinstance(part, _TYPE) for part in ast.walk(annotation))


class Definitions:
    """What the cells of one submission define. Each is parsed once, and those beyond a certain length not at all.

    The gate, the grader and the second chances ask for every cell, on the side of the grader, which has no limits.
    """

    def __init__(self) -> None:
        self.known: dict[str, tuple[set[str], bool, set[str]]] = {}
        self.left = MOST_PARSED

    def of(self, source: str) -> set[str]:
        """Names of the functions and classes that a cell defines; of a very long one those at the start of a line."""
        return self._read(source)[0]

    def only(self, source: str) -> bool:
        """Whether a cell only gives names to functions, classes and constants; a very long one is not read."""
        return self._read(source)[1]

    def bound(self, source: str) -> set[str]:
        """All names that a cell binds for the cells after it; of a very long one those at the start of a line."""
        return self._read(source)[2]

    def _read(self, source: str) -> tuple[set[str], bool, set[str]]:
        if source not in self.known:
            fits = len(source) <= LONGEST_PARSED and cost(source) <= self.left
            self.left -= cost(source) if fits else 0
            self.known[source] = (_read if fits else _unread)(source)
        return self.known[source]
