"""Names of ``lmkit`` in the chapters' code lead to their place in the reference.

A name is a link where the code of the page imported it and has not given it another meaning since. (sphinx-codeautolink
does this for more names; it rewrites finished pages, and loses its links whenever a page is written but not read anew.)
"""

import ast
import re
from html import escape, unescape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.nodes import NodeMatcher

Place = tuple[int, int, int, str]  # line from 0, columns from and to, what stands there with its full name


class Names(ast.NodeVisitor):
    """Collects where names of ``lmkit`` stand; what a page imported in one cell is known in the next."""

    def __init__(self):
        self.known: dict[str, str] = {}
        self.places: list[Place] = []

    def visit_Import(self, node: ast.Import) -> None:
        """``import lmkit.ngram as ngram``."""
        for alias in node.names:
            self.learn(
                alias.asname or alias.name.split(".")[0], alias.name if alias.asname else alias.name.split(".")[0]
            )

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """``from lmkit.ngram import NgramLM``: the module and each name."""
        if node.module and not node.level:
            start = node.col_offset + len("from ")
            self.places.append((node.lineno - 1, start, start + len(node.module), node.module))
            for alias in node.names:
                self.learn(alias.asname or alias.name, f"{node.module}.{alias.name}")
                end = alias.col_offset + len(alias.name)
                self.places.append((alias.lineno - 1, alias.col_offset, end, f"{node.module}.{alias.name}"))

    def learn(self, name: str, meaning: str) -> None:
        """A name has a new meaning; one outside ``lmkit`` is none of our business."""
        if meaning.split(".")[0] == "lmkit":
            self.known[name] = meaning
        else:
            self.known.pop(name, None)

    def visit_Name(self, node: ast.Name) -> None:
        """A name alone."""
        if isinstance(node.ctx, ast.Store):
            self.known.pop(node.id, None)
        elif node.id in self.known:
            self.places.append((node.lineno - 1, node.col_offset, node.end_col_offset, self.known[node.id]))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """``ngram.NgramLM.fit``: the longest part that the reference knows becomes the link."""
        chain, inner = [], node
        while isinstance(inner, ast.Attribute):
            chain.append(inner)
            inner = inner.value
        if isinstance(inner, ast.Name) and inner.id in self.known:
            full = self.known[inner.id]
            for part in reversed(chain):
                full = f"{full}.{part.attr}"
                if part.end_lineno == inner.lineno:
                    self.places.append((inner.lineno - 1, inner.col_offset, part.end_col_offset, full))
        self.visit(inner)

    def visit_Assign(self, node: ast.Assign) -> None:
        """What is read stands before what is written."""
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """The page's own function of this name; its arguments are its own too."""
        self.known.pop(node.name, None)
        outside = dict(self.known)
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                self.known.pop(argument.arg, None)
        self.generic_visit(node)
        self.known = outside

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """The page's own class of this name."""
        self.known.pop(node.name, None)
        self.generic_visit(node)


def link_line(html: str, places: list[tuple[int, int, str, str]]) -> str:
    """A highlighted line of code with links (column from, to, address, full name), the first of two that overlap."""
    pieces, column, open_until = [], 0, None
    starts = {}
    for start, end, address, name in sorted(places, key=lambda place: (place[0], -place[1])):
        if not any(s < end and start < e for s, (e, _, _) in starts.items()):
            starts[start] = (end, address, name)
    for piece in re.split(r"(<[^>]*>[^<]*</span>)", html):
        text = unescape(re.sub("<[^>]*>", "", piece))
        if open_until is None and column in starts and text:
            open_until, address, name = starts[column]
            pieces.append(f'<a class="code-link" href="{escape(address)}" title="{escape(name)}">')
        pieces.append(piece)
        column += len(text)
        if open_until is not None and column >= open_until:
            pieces.append("</a>")
            open_until = None
    return "".join(pieces) + ("</a>" if open_until is not None else "")


def find_names(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Note in every block of Python which of its places are links."""
    if app.builder.format != "html":
        return
    objects, names = app.env.domains["py"].objects, Names()
    for block in doctree.findall(NodeMatcher(nodes.literal_block)):
        if block.get("language") not in ("ipython3", "ipython", "python"):
            continue
        # A magic is not Python; an empty line in its place keeps the lines' numbers.
        code = "\n".join("" if re.match(r"\s*[%!]", line) else line for line in block.astext().split("\n"))
        names.places = []
        try:
            names.visit(ast.parse(code))
        except SyntaxError:
            continue
        links: dict[int, list] = {}
        for line, start, end, full in names.places:
            entry = objects.get(full)
            if entry is not None:
                address = f"{app.builder.get_relative_uri(page, entry.docname)}#{entry.node_id}"
                links.setdefault(line, []).append((start, end, address, full))
        block["code_links"] = links


def visit_literal_block(self: nodes.NodeVisitor, node: nodes.literal_block) -> None:
    """As the theme does it, with the links put in."""
    before = len(self.body)
    try:
        type(self).visit_literal_block(self, node)
    finally:
        if links := node.get("code_links"):
            html = "".join(self.body[before:])
            opening, pre, rest = html.partition("<pre>")
            lead = re.match(r"(?:<span></span>)?", rest)[0]
            lines = rest[len(lead) :].split("\n")
            for line, places in links.items():
                lines[line] = link_line(lines[line], places)
            self.body[before:] = [opening + pre + lead + "\n".join(lines)]


def depart_literal_block(self: nodes.NodeVisitor, node: nodes.literal_block) -> None:
    """As the theme does it."""
    type(self).depart_literal_block(self, node)


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.connect("doctree-resolved", find_names)
    app.add_node(nodes.literal_block, override=True, html=(visit_literal_block, depart_literal_block))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
