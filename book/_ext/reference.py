"""The reference of ``lmkit``: a page for every module that is there, written from its docstrings.

The pages are written to ``book/reference/`` (git ignores it) when the build begins; ``_toc.yml`` takes what it finds there.
The directive ``modules`` lists them, each with the first sentence of its docstring.
"""

import ast
import inspect
import re
import sys
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxDirective

PAGE = """---
myst:
  html_meta:
    description: "{name}: {first}"
---
# {name}

```{{eval-rst}}
.. automodule:: {name}
   :members:
   :ignore-module-all:
```
"""

# Below a line of prose, or of nothing, and a blank line: not what belongs to a heading such as "Args:".
EXAMPLE = re.compile(r"(?<=\n\n)((?: {4}.*\n)(?:(?: {4}.*)?\n)*?(?=\n*\S|\n*\Z))")


def modules(root: Path) -> dict[str, str]:
    """Public modules of ``lmkit`` and the first sentences of their docstrings."""
    found = {}
    for path in sorted((root / "lmkit").rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        is_module = (path.parent / "__init__.py").is_file()  # not a template for homework authors
        if is_module and parts[-1] != "__init__" and not any(part.startswith("_") for part in parts) and text:
            found[".".join(parts)] = " ".join(text.split("\n\n")[0].split())
    return found


def write_pages(app: Sphinx, config: Config) -> None:
    """Write the page of every module; remove those of modules that are gone. What is unchanged keeps its date."""
    folder = Path(app.srcdir) / "book" / "reference"
    if not (Path(app.srcdir) / "book" / "reference.md").is_file():
        return
    folder.mkdir(exist_ok=True)
    pages = {
        folder / f"{name}.md": PAGE.format(name=name, first=first.replace("\\", "").replace('"', "'"))
        for name, first in modules(Path(app.srcdir)).items()
    }
    for old in set(folder.glob("*.md")) - set(pages):
        old.unlink()
    for path, text in pages.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def comment_behind(name: str) -> str:
    """The comment behind a field of a class, found by the field's full name; empty if there is none."""
    module, of, field = name.rsplit(".", 2)
    found = re.search(rf"^ +{field}:[^#\n]*# *(.*)$", inspect.getsource(getattr(sys.modules[module], of)), re.MULTILINE)
    return found[1] if found else ""


def plain_text(app: Sphinx, what: str, name: str, thing: object, options: dict, lines: list[str]) -> None:
    """Docstrings are plain text with ``code`` and *stress* in it; any other asterisk or bar is what it looks like.

    Indented lines between blank ones are an example, kept as they stand. The first line of an attribute's docstring is a
    sentence, too: napoleon would take what stands before a colon for its type. A field of a named tuple has the comment
    behind it for one.
    """
    if lines[:1] and lines[0].startswith("Alias for field number"):
        lines[:] = [comment_behind(name)]
    code = re.compile(r"(``.*?``|:\w+:`[^`]*`|(?<![\w*])\*[a-z][a-z ]*\*(?![\w*]))")
    pieces = EXAMPLE.split("\n".join(lines))
    for i, piece in enumerate(pieces):
        if i % 2:
            pieces[i] = f".. code-block:: text\n\n{piece}"
        else:
            text = code.split(piece)
            text[::2] = [re.sub(r"(?<!\\)([*|])", r"\\\1", part) for part in text[::2]]
            pieces[i] = "".join(text)
    lines[:] = "".join(pieces).split("\n")
    if what in ("attribute", "property", "data"):
        lines[:0] = ["..", ""]  # an empty comment: napoleon looks for a type in the first line only


def of_one_document(app: Sphinx, doctree: nodes.document) -> None:
    """Nodes that MyST had parsed as reStructuredText name another document, whose settings hold the whole environment.

    Sphinx writes and reads a page's tree several times; with that in it, 4 MB and half a second of each page each time.
    """
    for node in doctree.findall():
        node.document = doctree


class Modules(SphinxDirective):
    """The list of modules."""

    def run(self) -> list[nodes.Node]:
        """A definition list whose names are links."""
        folder = Path(self.env.srcdir) / "lmkit"
        for path in folder.rglob("*.py"):
            self.env.note_dependency(str(path))
        lines = []
        for name, first in modules(folder.parent).items():
            lines += [f"[`{name}`](/book/reference/{name}.md)", f": {first}", ""]
        container = nodes.container(classes=["modules"])
        self.state.nested_parse(StringList(lines, source="modules"), self.content_offset, container)
        return [container]


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.connect("config-inited", write_pages, priority=100)  # before the table of contents is read
    app.connect("autodoc-process-docstring", plain_text, priority=100)  # before napoleon reads the sections
    app.connect("doctree-read", of_one_document)
    app.add_directive("modules", Modules)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
