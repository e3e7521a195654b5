"""The search shows excerpts on a server and from ``file://`` alike, where a script may not read other pages.

The words of all pages stand in one script, which the search page asks for when it has found something. A formula is in it
as its TeX: in the pages KaTeX writes each three times.
"""

import json
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

STORE = "_static/searchtexts.js"
OPENING = "window.searchTexts = "


def words(node: nodes.Node) -> str:
    """The text below a node as HTML that holds only the sections with their ids."""
    if isinstance(node, nodes.raw | nodes.comment | nodes.image):
        return ""
    if isinstance(node, nodes.Text):
        return escape(node.astext(), quote=False)
    text = "".join(map(words, node.children))
    if isinstance(node, nodes.section):
        return f'<section id="{node["ids"][0]}">{text}</section>'
    return text if isinstance(node, nodes.Inline | nodes.image) else f"{text} "


def collect(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Note the words of a page that is about to be written."""
    if app.builder.format == "html":
        app.search_texts[app.builder.get_target_uri(page)] = (
            f'<main role="main">{" ".join(words(doctree).split())}</main>'
        )


def store(app: Sphinx, exception: Exception | None) -> None:
    """Bring the script up to date: the pages of this build, and those of earlier ones that still exist."""
    if exception is not None or app.builder.format != "html":
        return
    file = Path(app.outdir) / STORE
    old = json.loads(file.read_text(encoding="utf-8").removeprefix(OPENING)) if file.is_file() else {}
    alive = {app.builder.get_target_uri(page) for page in app.env.found_docs}
    texts = {page: text for page, text in (old | app.search_texts).items() if page in alive}
    if texts != old:
        file.write_text(OPENING + json.dumps(texts, ensure_ascii=False, sort_keys=True), encoding="utf-8")


def add_script(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Only the search page needs it."""
    if template == "search.html":
        app.add_js_file("excerpts.js", loading_method="defer")


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.search_texts = {}
    app.connect("doctree-resolved", collect, priority=900)
    app.connect("html-page-context", add_script)
    app.connect("build-finished", store)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
