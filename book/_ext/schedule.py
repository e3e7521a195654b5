"""The directive ``schedule``: the weeks of ``book/term.toml`` with the minutes that their pages take, counted from the pages."""

import re
import tomllib
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DATA = "book/term.toml"
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FORMULA = re.compile(r"^\$\$$.*?^\$\$[^\n]*$", re.DOTALL | re.MULTILINE)
MARKUP = re.compile(r"^(?:(?:```|:::+)(?:\{[\w-]+\})?|:[\w-]+:.*$|\(\S+\)=$)", re.MULTILINE)


def body(text: str) -> str:
    """A page without its header."""
    return text.split("\n---\n", 1)[1]


def cells(text: str) -> list[tuple[str, str]]:
    """The cells of a page that leave something to see, as (options, code)."""
    found = []
    for cell in CELL.findall(body(text)):
        options, code = re.match(r"((?:---\n.*?^---\n|(?::[^\n]*\n)*)\n*)(.*)", cell, re.DOTALL | re.MULTILINE).groups()
        if "remove-cell" not in options:
            found.append((options, code))
    return found


def minutes(text: str) -> float:
    """Minutes to read a page with understanding: 180 words a minute, half a minute for each displayed formula and cell."""
    prose = CELL.sub("", body(text))
    formulas = FORMULA.findall(prose)
    prose = re.sub(r"\$[^$]+\$", "x", MARKUP.sub("", FORMULA.sub("", prose)))
    return len(re.findall(r"\S*\w\S*", prose)) / 180 + (len(formulas) + len(cells(text))) / 2


def weeks(source: Path, name: str) -> list[dict]:
    """The weeks of a plan."""
    return tomllib.loads((source / DATA).read_text(encoding="utf-8"))[name]


def as_markdown(source: Path, name: str) -> list[str]:
    """Lines of Markdown: a table with a row for each week, and what a shorter plan leaves out."""

    def timed(pages: list[str]) -> tuple[str, str]:
        each = [round(minutes((source / f"book/{page}.md").read_text(encoding="utf-8"))) for page in pages]
        return ", ".join(f"{{doc}}`{page}` {m}" for page, m in zip(pages, each, strict=True)), str(sum(each))

    plan = weeks(source, name)
    lines = ["| week | pages, with their minutes | in all | homework |", "|---|---|---|---|"]
    for number, week in enumerate(plan, 1):
        said = [
            f"{week[key].split('_')[0][2:]} {word}" for key, word in (("due", "due"), ("out", "out")) if key in week
        ]
        pages, total = timed(week["pages"])
        lines.append(f"| {number} | {pages} | {total} | {', '.join(said)} |")
    read = {page for week in plan for page in week["pages"]}
    left = [page for week in weeks(source, "fourteen") for page in week["pages"] if page not in read]
    if left:
        pages, total = timed(left)
        lines += ["", f"Left out, with their minutes ({total} in all): {pages}."]
    return lines


class Schedule(SphinxDirective):
    """The name of a plan in ``book/term.toml`` as its argument."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Parse the table as if it stood in the page; it is counted again when a page changes."""
        source = Path(self.env.srcdir)
        for path in (source / DATA, *sorted(source.glob("book/*.md"))):
            self.env.note_dependency(str(path))
        return self.parse_text_to_nodes("\n".join(as_markdown(source, self.arguments[0])))


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.add_directive("schedule", Schedule)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
