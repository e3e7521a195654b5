"""Students' Markdown as HTML in which nothing is live and every formula is there without a network.

Raw HTML is shown as the text that it is, links lead to the web or to nowhere, pictures are those that the student pasted
into the cell (an ``<img>`` may show them, too), and TeX becomes MathML, which browsers set by themselves.
"""

import html
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

import nbgrader
from jinja2 import pass_context
from jinja2.runtime import Context
from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbconvert.filters.highlight import Highlight2HTML

from lmkit.grading.outcome import unturned
from lmkit.student.pasted import SHOWN, picture_of

# Where formgrader looks for templates: ours first, whose ``formgrade/mathjax.html.j2`` loads no script.
TEMPLATES = [
    str(Path(__file__).parent / "templates"),
    str(Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"),
]
LONGEST = 20_000  # characters; what is longer is shown as plain text: some Markdown costs the square of its length
LONGEST_PAGE = 200_000  # characters of a notebook's Markdown that are set; as many more are shown as they are
LEFT_OUT = "(left out here: the text of this notebook is longer than a page can show)"
MOST_FIELDS = 20_000  # of tables: lines times columns of the widest one, up to which each short row is filled
MOST_TIMES = 3  # that a picture is shown in a cell: a thousand times one of 6 MB would fill the memory
LONGEST_FORMULA = 3000
WIDE_FORMULA = 40  # characters of TeX in a line of text, which may be wider than a phone: it scrolls
MATHML = "{http://www.w3.org/1998/Math/MathML}"
ElementTree.register_namespace("", MATHML[1:-1])
KEPT_TAGS = set(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub msup "
    "msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd mlabeledtr semantics".split()
)
KEPT_ATTRIBUTES = set(
    "display displaystyle scriptlevel mathvariant stretchy fence form largeop symmetric minsize maxsize lspace rspace accent "
    "accentunder linethickness columnalign rowspacing columnspacing columnlines rowlines frame width height depth "
    "movablelimits notation mathsize separator".split()
)


def formula(tex: str, display: bool = False) -> str:
    """TeX as MathML; as the TeX that it is, in ``<code>``, where it cannot be read.

    ``latex2mathml`` knows commands that set links, classes and styles: what is no mathematics is taken out of its result.
    """
    tex = tex.strip()
    kind = "block" if display else "inline"
    try:
        if len(tex) > LONGEST_FORMULA:
            raise ValueError("too long")
        root = ElementTree.fromstring(convert(tex, display=kind))
        _strip(root)
        return ElementTree.tostring(root, encoding="unicode")
    except Exception:  # whatever a converter may raise over a student's TeX
        return f'<code class="tex">{html.escape(tex)}</code>'


def _strip(element: ElementTree.Element) -> None:
    for name in [name for name in element.attrib if name not in KEPT_ATTRIBUTES]:
        del element.attrib[name]
    for child in list(element):
        if child.tag.removeprefix(MATHML) not in KEPT_TAGS:
            raise ValueError(f"no mathematics: {child.tag}")
        _strip(child)


def _renderer() -> MarkdownIt:
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).disable("html_block")
    renderer.use(dollarmath_plugin, allow_labels=False, allow_space=True, double_inline=True)
    renderer.use(amsmath_plugin)

    def math(display: bool):
        def render(tokens: list[Token], index: int, options: dict, env: dict) -> str:
            made = formula(tokens[index].content, display)
            if display:
                return f'<span class="math">{made}</span>\n'
            return f'<span class="wide">{made}</span>' if len(tokens[index].content) > WIDE_FORMULA else made

        return render

    for name, display in {
        "math_inline": False,
        "math_inline_double": True,
        "math_block": True,
        "amsmath": True,
    }.items():
        renderer.renderer.rules[name] = math(display)

    def picture(source: str, words: str, env: dict) -> str:
        for mime, data in picture_of(source, env.get("attachments", {})).items():
            if mime in SHOWN and re.fullmatch(r"[A-Za-z0-9+/=\s]+", data):
                times = env.setdefault("times", Counter())
                times[id(data)] += 1
                if times[id(data)] > MOST_TIMES:
                    return f"<em>[the same picture once more: {html.escape(words)}]</em>"
                return f'<img src="data:{mime};base64,{data}" alt="{html.escape(words) or "pasted picture"}">'
        return ""

    def image(tokens: list[Token], index: int, options: dict, env: dict) -> str:
        words = tokens[index].content
        shown = picture(str(tokens[index].attrs.get("src", "")), words, env)
        return (
            shown
            or f"<em>[a picture that is not shown; only what is pasted in as PNG or JPEG is: {html.escape(words)}]</em>"
        )

    renderer.renderer.rules["image"] = image

    def raw_html(tokens: list[Token], index: int, options: dict, env: dict) -> str:
        tag = tokens[index].content
        read = re.findall(r"""(?<![\w-])(src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", tag, re.IGNORECASE)
        found = {name.lower(): "".join(values) for name, *values in reversed(read) if tag[:4].lower() == "<img"}
        return picture(found.get("src", ""), found.get("alt", ""), env) or html.escape(tag)

    renderer.renderer.rules["html_inline"] = raw_html
    renderer.validateLink = lambda url: (
        re.match(r"(https?://|mailto:|#|attachment:)", url.strip(), re.IGNORECASE) is not None
    )

    def link(tokens: list[Token], index: int, options: dict, env: dict) -> str:
        return f'<a href="{html.escape(str(tokens[index].attrs["href"]))}" rel="noopener noreferrer nofollow" target="_blank">'

    renderer.renderer.rules["link_open"] = link
    return renderer


_MARKDOWN = _renderer()


def to_html(source: str, attachments: dict | None = None) -> str:
    """Markdown as HTML that can do nothing.

    Args:
        source: the cell's text.
        attachments: the cell's pasted pictures, as in the notebook format: ``{name: {mime: base64}}``.
    """
    return _rendered(source, attachments) if attachments else _rendered_once(source)


def _rendered(source: str, attachments: dict) -> str:
    if len(source) > LONGEST:
        return f"<pre>{html.escape(source[:LONGEST])} …</pre>"
    lines = re.split(r"\r\n?|\n", source)
    try:
        if len(lines) * max(line.count("|") for line in lines) > MOST_FIELDS:
            raise ValueError("too large a table")
        return _MARKDOWN.render(source, {"attachments": attachments})
    except (RecursionError, ValueError, IndexError, MemoryError):
        return f"<pre>{html.escape(source)}</pre>"


@lru_cache(maxsize=256)  # the statement is the same on every page of a class
def _rendered_once(source: str) -> str:
    return _rendered(source, {})


@pass_context
def notebook_markdown(context: Context, source: str) -> str:
    """``markdown2html`` of nbconvert's templates, formgrader's above all; see ``nbgrader_config.py``.

    An answer is always set, for somebody has to read it; of all other cells together no more than a page can show.
    """
    cell, page = context.get("cell") or {}, context.get("resources")
    if page is None or cell.get("metadata", {}).get("nbgrader", {}).get("solution"):
        return unturned(to_html(source, cell.get("attachments")))
    page["lmkit_length"] = page.get("lmkit_length", 0) + len(source)
    return unturned(on_page(source, cell.get("attachments"), page["lmkit_length"]))


def notebook_code(source: str, metadata: dict | None = None) -> str:
    """``highlight_code`` of nbconvert's templates, likewise."""
    # In prose what an isolate turns around may be meant; in code it would stand in another order than it runs.
    return re.sub("[\u2066-\u2069]", "�", unturned(Highlight2HTML()(source, metadata=metadata)))


def on_page(source: str, attachments: dict | None, length: int) -> str:
    """A cell's Markdown as HTML, where the cells of a page up to this one have ``length`` characters together."""
    if length <= LONGEST_PAGE:
        return to_html(source, attachments)
    cut = " …" if len(source) > LONGEST else ""
    return f"<pre>{html.escape(source[:LONGEST]) + cut if length <= 2 * LONGEST_PAGE else LEFT_OUT}</pre>"
