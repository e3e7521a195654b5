"""What readers with a screen reader, a keyboard or a search engine need, where the theme does not give it.

A figure without alt text is a warning, and so stops the build, which runs with warnings as errors.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)

# What axe-core finds in the theme's and the bibliography's HTML, and what stands there instead.
MENDED = {
    'id="pst-primary-sidebar" class=': 'id="pst-primary-sidebar" role="navigation" aria-label="Book" class=',
    'role="doc-biblioentry"': 'role="listitem"',
    '<meta name="viewport" content="width=device-width, initial-scale=1.0" /><meta': "<meta",
}


def require_alt_text(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Warn about every image without a text that says what it shows."""
    cells = [node for node in doctree.findall(nodes.container) if node.get("nb_element") == "cell_code"]
    for image in doctree.findall(nodes.image):
        if image.get("alt", "").strip():
            continue
        around = [cell for cell in cells if image in cell.findall(nodes.image)]
        where = f"cell {cells.index(around[0]) + 1} draws a figure" if around else f"{image['uri']} stands"
        logger.warning(
            "%s without alt text: give a cell mystnb: {image: {alt: …}}, a file ![what it shows](file)",
            where,
            location=around[0] if around else image,
            type="accessibility",
        )


def mend_pages(app: Sphinx, exception: Exception | None) -> None:
    """Correct the HTML that comes from templates which the book does not own."""
    if exception is not None or app.builder.format != "html":
        return
    for page in Path(app.outdir).rglob("*.html"):
        html = page.read_text(encoding="utf-8")
        for wrong, right in MENDED.items():
            html = html.replace(wrong, right)
        page.write_text(html, encoding="utf-8")


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.connect("doctree-resolved", require_alt_text)
    app.connect("build-finished", mend_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
