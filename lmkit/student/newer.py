"""What a student's Python knows and the grader's, an older one, does not: there the cell would not even begin."""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator

from lmkit.student.bindings import tree
from lmkit.student.notebooks import KIT, Cell

VERSION = "python.txt"  # in the kit, beside the released notebooks: the version that made it
MOST = 3  # things that are named of one cell
# Names of Python's own library that homework may want, and the version that brought them.
SINCE = {
    "itertools.batched": (3, 12),
    "math.sumprod": (3, 12),
    "random.binomialvariate": (3, 12),
    "typing.override": (3, 12),
    "math.fma": (3, 13),
    "statistics.kde": (3, 13),
    "statistics.kde_random": (3, 13),
    "warnings.deprecated": (3, 13),
    "functools.Placeholder": (3, 14),
    "heapq.heapify_max": (3, 14),
    "heapq.heappop_max": (3, 14),
    "heapq.heappush_max": (3, 14),
}


def graded_with() -> tuple[int, int]:
    """The Python of the course: the one that made the kit; outside of a kit this one."""
    try:
        major, minor = (KIT / VERSION).read_text(encoding="utf-8").split(".")
        return int(major), int(minor)
    except (OSError, ValueError):
        return sys.version_info[:2]


def remarks_on(cells: list[Cell]) -> list[str]:
    """A remark about each cell of the student's that the grader's Python, an older one than this, does not know."""
    version, remarks = graded_with(), []
    for number, cell in enumerate(cells, start=1):
        found = newer(cell.source, version) if cell.code and cell.kind in ("answer", "own") else []
        if found:
            whose = cell.name or f"a cell of your own (number {number})"
            what = "; ".join(f"{what} (line {line})" for line, what in found[:MOST])
            remarks.append(
                f"{whose} has {what}: homework is graded with Python {version[0]}.{version[1]}, which does not know that yet, "
                "and the cell would fail there; write it in another way"
            )
    return remarks


def newer(source: str, version: tuple[int, int]) -> list[tuple[int, str]]:
    """What a cell, read by this Python, has that ``version`` does not know: lines, and what it is in words."""
    if version >= sys.version_info[:2] or (body := tree(source)) is None:
        return []
    return sorted({(line, what) for since, line, what in _found(body, source) if version < since})


def _found(body: ast.Module, source: str) -> Iterator[tuple[tuple[int, int], int, str]]:
    template, alias = getattr(ast, "TemplateStr", ()), getattr(ast, "TypeAlias", ())
    formatted = ast.JoinedStr if hasattr(tokenize, "FSTRING_START") else ()  # without it Python refuses these itself
    careful = [part for part in ast.walk(body) if isinstance(part, ast.Try | ast.If)]  # these may know what to do
    guarded = {inner for part in careful for inner in ast.walk(part)}
    for node in ast.walk(body):
        if getattr(node, "type_params", None) or isinstance(node, alias):
            yield (3, 12), node.lineno, "types in brackets, or `type`"
        elif isinstance(node, template):
            yield (3, 14), node.lineno, "a template string"
        elif isinstance(node, formatted) and not _is_old(ast.get_source_segment(source, node) or ""):
            yield (3, 12), node.lineno, "an f-string with its own kind of quotes, a backslash or a new line inside { }"
        elif isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Tuple):
            if not (ast.get_source_segment(source, node.type) or "(").startswith("("):
                yield (3, 14), node.lineno, "errors after `except` without parentheses"
        elif node not in guarded:
            for name in _names(node):
                if name in SINCE:
                    yield SINCE[name], node.lineno, name


def _names(node: ast.AST) -> list[str]:
    match node:
        case ast.Attribute(value=ast.Name(id=module), attr=name):
            return [f"{module}.{name}"]
        case ast.ImportFrom(module=module, names=names):
            return [f"{module}.{one.name}" for one in names]
    return []


def _is_old(text: str) -> bool:
    """Whether Python 3.11 reads an f-string, too: for it one ends at the first quote of its own kind."""
    quotes: list[str] = []  # of the f-strings that are open
    try:
        for token in tokenize.generate_tokens(io.StringIO(f"({text})").readline):
            if token.type == tokenize.FSTRING_END:
                quotes.pop()
            literal = token.type == tokenize.FSTRING_MIDDLE
            around = quotes[:-1] if literal else quotes
            if around and (token.type == tokenize.COMMENT or "\\" in token.string):
                return False
            if any(quote in token.string or (len(quote) == 1 and "\n" in token.string) for quote in around):
                return False
            if token.type == tokenize.FSTRING_START:
                quotes.append(re.sub("^[a-zA-Z]+", "", token.string))
    except (tokenize.TokenError, SyntaxError, SystemError):  # the last one is Python's own: f'''{f"""\n"""=}'''
        pass
    return True
