"""Numbers stay whole: no line ends between the thousands and the rest of a number, nor before its per cent sign."""

import re

from docutils import nodes
from sphinx.application import Sphinx

THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?!\d)")
PER_CENT = re.compile(r"(?<=\d) (?=%)")
NO_BREAK = "\u00a0"


def keep_whole(text: str) -> str:
    """A text with spaces inside numbers that do not break."""
    text = THOUSANDS.sub(lambda number: number[0].replace(" ", NO_BREAK), text)
    return PER_CENT.sub(NO_BREAK, text)


def mend(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Mend the prose of a page; code, formulas and what cells wrote stay as they are."""
    as_it_is = nodes.FixedTextElement | nodes.literal | nodes.math | nodes.raw
    for node in list(doctree.findall(nodes.Text)):
        text = keep_whole(node.astext())
        if text != node.astext() and not isinstance(node.parent, as_it_is):
            node.parent.replace(node, nodes.Text(text))


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.connect("doctree-resolved", mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
