"""How a feedback page is drawn: code, outputs and the template around them. Nothing here is live."""

import base64
import hashlib
import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape
from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from lmkit.grading.markup import to_html
from lmkit.grading.outcome import clean_text, unturned

LONGEST_SHOWN = 20_000  # characters of one cell or output
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()[:10]


def python(source: str) -> Markup:
    """Code in colours."""
    formatter = HtmlFormatter(nowrap=True)
    source = source[:LONGEST_SHOWN]
    return Markup(f"<pre><code>{highlight(source, PythonLexer(stripnl=False), formatter)}</code></pre>")


def output_of(output: NotebookNode) -> Markup:
    """Plain text, or a PNG; anything else is not shown."""
    if output.output_type == "error":
        text = f"{output.ename}: {output.evalue}"
    elif output.output_type == "stream":
        text = output.text
    else:
        picture = output.get("data", {}).get("image/png", "")
        if isinstance(picture, str) and picture.startswith(PNG) and re.fullmatch(r"[A-Za-z0-9+/=\s]+", picture):
            return Markup(f'<img src="data:image/png;base64,{picture}" alt="a figure that the cell drew">')
        text = output.get("data", {}).get("text/plain", "")
    text = clean_text(strip_ansi(str(text)), LONGEST_SHOWN)
    return Markup(f'<pre class="output">{escape(text)}</pre>') if text.strip() else Markup("")


@cache
def _template() -> tuple[Environment, str, str]:
    environment = Environment(loader=PackageLoader("lmkit.grading"), autoescape=True, trim_blocks=True)
    environment.filters |= {"points": lambda points: f"{points:g}", "python": python, "output": output_of}
    environment.filters["markdown"] = lambda words: Markup(to_html(words))
    style = environment.loader.get_source(environment, "feedback.css")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return environment, style, f"sha256-{digest}"


def render(page: Any) -> str:
    """A ``feedback.Page`` as HTML."""
    environment, style, digest = _template()
    made = environment.get_template("feedback.html.j2").render(page=page, style=Markup(style), style_hash=digest)
    return unturned(made)
