"""Figures stand in the page itself: their words are text in the page's type, their colours follow the theme.

A cell's SVG becomes part of the page (``svg.fonttype: none`` keeps its words words), named for screen readers by its alt
text. A figure without alt text is a warning, and so stops the build, which runs with warnings as errors.
"""

import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

logger = logging.getLogger(__name__)

# The colours of lmkit.plotting, each with its name in course.css: on dark paper they are lighter.
INKS = {
    "#0072b2": "--ink-blue",
    "#d55e00": "--ink-vermilion",
    "#009e73": "--ink-green",
    "#cc79a7": "--ink-purple",
    "#e69f00": "--ink-orange",
    "#56b4e9": "--ink-sky",
    "#f0e442": "--ink-yellow",
    "#000000": "--ink",
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


def inline(svg: str, alt: str, prefix: str) -> str:
    """An SVG file as part of a page: named, in the theme's colours, its identifiers made its own by ``prefix``."""
    svg = re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL).strip()
    opening, rest = re.match(r"(<svg\b[^>]*>)(.*)", svg, flags=re.DOTALL).groups()
    width = re.search(r'\swidth="([\d.]+)(pt|px)?"', opening)
    opening = re.sub(r'\s(?:width|height|version|xmlns:\w+)="[^"]*"', "", opening)
    pixels = f' style="width: {float(width[1]) * (4 / 3 if width[2] == "pt" else 1):.0f}px"' if width else ""
    opening = opening.replace("<svg", f'<svg class="figure" role="img" aria-label="{escape(alt)}"{pixels}', 1)
    ids = set(re.findall(r'\bid="([^"]+)"', rest))
    rest = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}\1"', rest)
    rest = re.sub(
        r'(url\(#|href="#)([^)"]+)', lambda m: m[1] + (prefix if m[2] in ids else "") + m[2], rest.replace("xlink:", "")
    )
    # In a style, not in an attribute: only there a colour may be a name.
    for colour, name in INKS.items():
        rest = re.sub(rf"((?:fill|stroke): ?){colour}\b", rf"\1var({name})", rest, flags=re.IGNORECASE)
    return opening + re.sub(r"\n\s*", "\n", rest)


def put_in(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Replace the SVG images of a page by the drawings themselves."""
    if app.builder.format != "html":
        return
    for number, image in enumerate(list(doctree.findall(nodes.image))):
        file = Path(app.srcdir) / image["uri"]
        if file.suffix == ".svg" and file.is_file():
            svg = file.read_text(encoding="utf-8")
            if found := re.search(r"font-family: '(cm\w+)'[^>]*>([^<]*)", svg):
                logger.warning(
                    "a figure's sign is in TeX's font %s, as %r for a reader: write it in Unicode", *found.groups()
                )
            html = inline(svg, image.get("alt", ""), f"f{number}-")
            image.replace_self(nodes.raw("", html, format="html"))


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.connect("doctree-resolved", require_alt_text, priority=400)
    app.connect("doctree-resolved", put_in)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
