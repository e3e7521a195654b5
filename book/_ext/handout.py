"""The notebook that readers take away: a page as plain Markdown and code, for Jupyter and Colab, which know no MyST.

It is written from the finished page, not from its source: computed numbers stand in their sentences, references are the
words that the page shows, formulas need no macros of ours. Solutions and the options of polls are folded. The cells that
only check the prose stay behind. A kind of node that is not known here is a warning, and so stops the build.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from types import SimpleNamespace
from urllib.parse import urljoin

import nbformat
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx_exercise.nodes import exercise_enumerable_node, is_exercise_node, is_solution_node
from sphinx_exercise.utils import get_node_number

logger = logging.getLogger(__name__)

ONLY_FOR_THE_BUILD = re.compile(r"^from myst_nb import glue\n", re.MULTILINE)
SILENT = nodes.comment | nodes.target | nodes.meta | nodes.substitution_definition | nodes.pending | addnodes.index
TAGS = {nodes.emphasis: ("*", "em"), nodes.strong: ("**", "strong"), nodes.title_reference: ("*", "em")}
HIDDEN = {
    "hide-input": ("source_hidden",),
    "remove-input": ("source_hidden",),
    "hide-output": ("outputs_hidden",),
    "hide-cell": ("source_hidden", "outputs_hidden"),
}


@dataclass(frozen=True)
class Cell:
    """A code cell: its place in the executed notebook, and what of it is folded."""

    index: int
    folded: tuple[str, ...] = ()


Part = str | Cell  # a block of Markdown, or code


def around(parts: Iterable[Part], frame: Callable[[str], str]) -> Iterator[Part]:
    """The parts, with a frame around each run of text between the cells."""
    texts: list[str] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
            continue
        if texts:
            yield frame("\n\n".join(texts))
        texts = []
        yield part
    if texts:
        yield frame("\n\n".join(texts))


def quoted(text: str) -> str:
    """A block quote; a formula becomes one line, or Jupyter would read the marks of the quote as a part of it."""
    text = re.sub(r"\$\$\n(.*?)\n\$\$", lambda m: f"$$ {' '.join(m[1].split())} $$", text, flags=re.DOTALL)
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def folded(summary: str) -> Callable[[str], str]:
    """A frame that is closed until it is clicked; ``summary`` is HTML."""
    return lambda text: f"<details><summary>{summary}</summary>\n\n{text}\n\n</details>"


def escaped(text: str) -> str:
    """Words whose signs mean nothing to Markdown."""
    return re.sub(r"([\\`*_<\[\]$~|])", r"\\\1", text)


class Writer:
    """Writes one page."""

    def __init__(self, app: Sphinx, page: str) -> None:
        self.app, self.page, self.level = app, page, 0
        base = app.config.html_baseurl
        self.address = base and base + app.builder.get_target_uri(page)

    # ------------------------------------------------------------------------------------------------- in a line

    def line(self, children: Iterable[nodes.Node], html: bool = False) -> str:
        """Inline nodes as Markdown, or as HTML for where Markdown is not read."""
        return "".join(self.inline(node, html) for node in children)

    def inline(self, node: nodes.Node, html: bool) -> str:
        """One of them."""
        if isinstance(node, nodes.Text):
            text = re.sub(r"\s*\n\s*", " ", node.astext())
            return escape(text, quote=False) if html else escaped(text)
        if isinstance(node, SILENT) or "on-screen" in node.get("classes", ()):
            return ""
        if isinstance(node, nodes.math):
            return f"${self.tex(node)}$"
        if isinstance(node, nodes.literal | addnodes.literal_strong):
            text = node.astext()
            if "download" in node.get("classes", ()):
                return self.line(node.children, html)
            mark = "``" if "`" in text else "`"
            return f"<code>{escape(text, quote=False)}</code>" if html else f"{mark}{text}{mark}"
        if type(node) in TAGS:
            mark, tag = TAGS[type(node)]
            inside = self.line(node.children, html)
            words = inside.strip()  # a space inside the marks would undo them
            return inside.replace(words, f"<{tag}>{words}</{tag}>" if html else f"{mark}{words}{mark}")
        if isinstance(node, nodes.superscript | nodes.subscript):
            tag = "sup" if isinstance(node, nodes.superscript) else "sub"
            return f"<{tag}>{self.line(node.children, html)}</{tag}>"
        if isinstance(node, nodes.reference | addnodes.download_reference):
            inside, goal = self.line(node.children, html), self.goal(node)
            return f"[{inside}]({goal})" if goal and not html else inside
        if isinstance(node, nodes.image):
            goal = self.goal(node)
            return f"![{escaped(node.get('alt', ''))}]({goal})" if goal else f"*{escaped(node.get('alt', ''))}*"
        if isinstance(node, nodes.raw):
            return node.astext() if "html" in node.get("format", "") else ""
        if isinstance(node, nodes.inline | nodes.paragraph):
            return self.line(node.children, html)
        return self.unknown(node)

    def tex(self, node: nodes.Element) -> str:
        """A formula without the course's macros; where a line may break is KaTeX's business."""
        macros = self.app.config.formula_macros

        def meaning(found: re.Match) -> str:
            before, name = found.groups()
            body = macros[name].replace(r"\nobreak", "")
            return f"{before}{{{body}}}" if before else body

        names = "|".join(map(re.escape, macros)) or "(?!)"
        tex = node.astext().strip()
        for _ in range(3):  # a macro may stand in another
            tex = re.sub(rf"([_^]?)\\({names})(?![A-Za-z])", meaning, tex)
        return tex if isinstance(node, nodes.math_block) else " ".join(tex.split())

    def goal(self, node: nodes.Element) -> str:
        """Where a link leads from outside the site; nothing where that is not known, or in this notebook itself."""
        uri = node.get("refuri") or (node.get("uri") and self.app.builder.images.get(node["uri"])) or ""
        if isinstance(node, addnodes.download_reference):
            uri = node.get("refuri") or (f"/_downloads/{node['filename']}" if "filename" in node else "")
        elif isinstance(node, nodes.image) and uri and "://" not in uri:
            uri = f"/_images/{uri}"
        if not uri or "://" in uri:
            return uri
        if not self.address or uri.startswith("#"):
            return ""
        return self.app.config.html_baseurl + uri[1:] if uri.startswith("/") else urljoin(self.address, uri)

    def unknown(self, node: nodes.Node) -> str:
        """Warn."""
        logger.warning("handout.py does not know how to write a %s", type(node).__name__, location=node, type="handout")
        return escaped(node.astext())

    # ------------------------------------------------------------------------------------------------ on its own

    def blocks(self, children: Iterable[nodes.Node]) -> Iterator[Part]:
        """Block nodes as parts."""
        for node in children:
            yield from self.block(node)

    def block(self, node: nodes.Node) -> Iterator[Part]:
        """One of them."""
        if isinstance(node, SILENT | addnodes.toctree | nodes.system_message) or "on-screen" in node.get("classes", ()):
            return
        kind = type(node).__name__
        if isinstance(node, nodes.section):
            self.level += 1
            yield from self.blocks(node.children)
            self.level -= 1
        elif isinstance(node, nodes.title):
            yield f"{'#' * self.level} {self.line(node.children)}"
        elif isinstance(node, nodes.container) and node.get("nb_element") == "cell_code":
            tags = node["cell_metadata"].get("tags", [])
            yield Cell(node["cell_index"], tuple(name for tag in tags for name in HIDDEN.get(tag, ())))
        elif is_exercise_node(node):
            number = get_node_number(self.app, node, "exercise") if isinstance(node, exercise_enumerable_node) else ""
            yield f"**Exercise {number}**".replace(" **", "**") + self.line(node[0].children)
            yield from self.blocks(node.children[1:])
        elif is_solution_node(node):
            inside, title = list(self.blocks(node.children[1:])), self.line(node[0].children, html=True)
            if inside and isinstance(inside[0], Cell):
                yield f"<em>{title}: the folded cell below.</em>"
            for part in around(inside, folded(title)):
                yield part if isinstance(part, str) else replace(part, folded=HIDDEN["hide-cell"])
        elif kind == "poll":
            yield f"**{self.line(node[0].children)}**"
            yield from self.blocks(node.children[1:])
        elif kind == "poll_option":
            yield from around(self.blocks(node.children[1:]), folded(self.line(node[0].children, html=True)))
        elif isinstance(node, nodes.Admonition):
            has_title = isinstance(node[0], nodes.title)
            title = node[0].children if has_title else [nodes.Text(kind.capitalize())]
            inside = self.blocks(node.children[has_title:])
            if "dropdown" in node["classes"]:
                yield from around(inside, folded(self.line(title, html=True)))
            else:
                yield from around([f"**{self.line(title)}**", *inside], quoted)
        elif isinstance(node, nodes.block_quote):
            yield from around(self.blocks(node.children), quoted)
        elif isinstance(node, nodes.bullet_list | nodes.enumerated_list):
            yield self.list(node)
        elif isinstance(node, nodes.definition_list):
            for item in node.children:
                term, definition = item.children[0], item.children[-1]
                yield f"**{self.line(term.children)}**"
                yield from self.blocks(definition.children)
        elif isinstance(node, nodes.math_block):
            writer = SimpleNamespace(builder=self.app.builder)
            tag = rf" \tag{{{get_node_equation_number(writer, node)}}}" if node["number"] else ""
            yield f"$$\n{self.tex(node)}{tag}\n$$"
        elif isinstance(node, nodes.literal_block):
            yield f"```{node.get('language', '').replace('default', '')}\n{node.astext()}\n```"
        elif isinstance(node, nodes.table):
            yield self.table(node)
        elif isinstance(node, nodes.image | nodes.raw):
            yield self.inline(node, html=False)
        elif isinstance(node, nodes.paragraph | nodes.caption | nodes.rubric):
            if text := self.line(node.children).strip():
                yield re.sub(r"^([#>+-]|\d+(?=[.)]))", r"\\\1" if text[0] in "#>+-" else r"\1\\", text)
        elif kind == "PassthroughTextElement":  # the title of a card
            yield f"**{self.line(node.children)}**"
        elif isinstance(node, nodes.transition):
            yield "---"
        elif isinstance(node, nodes.container | nodes.compound | nodes.figure | nodes.document):
            yield from self.blocks(node.children)
        else:
            yield self.unknown(node)

    def list(self, node: nodes.Element) -> str:
        """A list; what follows in an item is indented under its first line."""
        lines = []
        for number, item in enumerate(node.children, start=node.get("start", 1)):
            mark = "- " if isinstance(node, nodes.bullet_list) else f"{number}. "
            blocks = []
            for part in self.blocks(item.children):
                blocks.append(part if isinstance(part, str) else self.unknown(item))
            lines.append(mark + re.sub(r"\n(?!\n)", "\n" + " " * len(mark), "\n\n".join(blocks)))
        return "\n".join(lines)

    def table(self, node: nodes.table) -> str:
        """A table with pipes; its first row is the header."""
        caption = [f"*{self.line(title.children)}*\n" for title in node.findall(nodes.title)]
        rows = [
            [" ".join(self.line(block.children) for block in entry.children) for entry in row.children]
            for row in node.findall(nodes.row)
        ]
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return "\n".join([*caption, lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def readers_copy(
    app: Sphinx, page: str, doctree: nodes.document, executed: nbformat.NotebookNode
) -> nbformat.NotebookNode:
    """The page as a notebook, with the outputs of its executed cells."""
    cells: list[nbformat.NotebookNode] = []
    for part in Writer(app, page).blocks(doctree.children):
        if isinstance(part, Cell):
            old = executed.cells[part.index]
            about = {"jupyter": dict.fromkeys(part.folded, True)} if part.folded else {}
            if tags := [tag for tag in old.metadata.get("tags", []) if tag.startswith("nbval-")]:
                about["tags"] = tags  # `make test` runs these notebooks again and compares
            source = ONLY_FOR_THE_BUILD.sub("", old.source)
            shown = {"outputs": old.outputs, "execution_count": old.execution_count}
            cells.append(nbformat.v4.new_code_cell(source, metadata=about, **shown))
        elif cells and cells[-1].cell_type == "markdown" and not part.startswith("#"):
            cells[-1].source += f"\n\n{part}"
        else:
            cells.append(nbformat.v4.new_markdown_cell(part))
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"  # the same at every build
    kept = {key: value for key, value in executed.metadata.items() if key in ("kernelspec", "language_info")}
    return nbformat.v4.new_notebook(cells=cells, metadata=kept)


def setup(app: Sphinx) -> dict:
    """Nothing to register: publish.py asks for the notebooks."""
    return {"parallel_read_safe": True, "parallel_write_safe": True}
