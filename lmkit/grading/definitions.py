"""What the cells of a submission define, read from their source; nothing of it runs here."""

import ast
import re

LONGEST_PARSED = 50_000  # characters of a cell; Python's parser takes seconds for the largest ones
MOST_PARSED = 300_000  # characters of all cells together
# What stands for a value without computing one, in a default or an annotation: ``np.inf``, ``-1``, ``dict[str, int] | None``.
_PLAIN = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.USub)
_PLAIN += (ast.BinOp, ast.BitOr, ast.Load)


def defines(source: str) -> set[str]:
    """Names of the functions and classes that a cell defines, whatever else is in it."""
    return _read(source)[0]


def _read(source: str) -> tuple[set[str], bool]:
    """The names; and whether the cell, when it runs, does nothing but define: it calls nothing and imports nothing."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _at_line_starts(source), False
    names = {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return names, all(map(_is_definition, body))


def _at_line_starts(source: str) -> set[str]:
    return set(re.findall(r"^(?:def|class)[ \t]+(\w+)", source, re.MULTILINE))


def _is_definition(node: ast.stmt) -> bool:
    match node:
        case ast.FunctionDef(decorator_list=[], args=args, returns=returns):
            given = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
            notes = [arg.annotation for arg in given if arg]
            return _are_plain(*args.defaults, *args.kw_defaults, *notes, returns)
        case ast.ClassDef(decorator_list=[], keywords=[], bases=bases, body=body):
            return _are_plain(*bases) and all(map(_is_definition, body))
        case ast.Assign(targets=targets, value=value):
            return all(isinstance(target, ast.Name) for target in targets) and _are_plain(value)
        case ast.AnnAssign(target=ast.Name(), annotation=annotation, value=value):
            return _are_plain(annotation, value)
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return True
    return False


def _are_plain(*values: ast.expr | None) -> bool:
    return all(isinstance(part, _PLAIN) for value in values if value for part in ast.walk(value))


class Definitions:
    """What the cells of one submission define. Each is parsed once, and not all of them where they are very long:

    the gate and the second chances ask for every cell and every answer, on the side of the grader, which has no limits.
    """

    def __init__(self) -> None:
        self.known: dict[str, tuple[set[str], bool]] = {}
        self.left = MOST_PARSED

    def of(self, source: str) -> set[str]:
        """Names of the functions and classes that a cell defines; of a very long one those at the start of a line."""
        return self._read(source)[0]

    def only(self, source: str) -> bool:
        """Whether a cell does nothing but give names to functions, classes and plain values; a very long one is not read."""
        return self._read(source)[1]

    def _read(self, source: str) -> tuple[set[str], bool]:
        if source not in self.known:
            fits = len(source) <= min(LONGEST_PARSED, self.left)
            self.left -= len(source) if fits else 0
            self.known[source] = _read(source) if fits else (_at_line_starts(source), False)
        return self.known[source]
