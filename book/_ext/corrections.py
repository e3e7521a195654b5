"""The directive ``corrections``: every entry of ``book/corrections.toml``, part by part, each with the page that uses it."""

import tomllib
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DATA = "book/corrections.toml"


def entries(source: Path) -> list[dict]:
    """The corrections, in the order of their numbers."""
    return tomllib.loads((source / DATA).read_text(encoding="utf-8"))["correction"]


def parts(source: Path) -> dict[str, list[str]]:
    """The names of the pages of each part of the book, in their order."""
    toc = yaml.safe_load((source / "_toc.yml").read_text(encoding="utf-8"))
    return {part["caption"]: [Path(page["file"]).name for page in part["chapters"]] for part in toc["parts"]}


def as_markdown(found: list[dict], book: dict[str, list[str]]) -> list[str]:
    """Lines of Markdown: a heading for each part and a paragraph for each correction, in the order of the pages."""
    lines = []
    for caption, pages in book.items():
        rows = [one for page in pages for one in found if one["page"] == page]
        lines += [f"## {caption}", ""] if rows else []
        for one in rows:
            box = f", “{one['box']}”" if "box" in one else ""
            computed = f" Computed: `{one['check']}`." if "check" in one else ""
            lines += [
                f"{one['number']}\\. *{one['lectures']}:* {one['says']} **Right:** {one['right']}{computed} "
                f"({{doc}}`{one['page']}`{box})",
                "",
            ]
    return lines


class Corrections(SphinxDirective):
    """Without arguments."""

    def run(self) -> list[nodes.Node]:
        """Parse the list as if it stood in the page; it is read again when it changes."""
        source = Path(self.env.srcdir)
        for name in (DATA, "_toc.yml"):
            self.env.note_dependency(str(source / name))
        lines = as_markdown(entries(source), parts(source))
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.add_directive("corrections", Corrections)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
