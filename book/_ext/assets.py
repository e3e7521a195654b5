"""What every page loads: the course's style and widgets, MathJax from beside it, nothing from elsewhere.

Jupyter Book's defaults fetch MathJax from a CDN, carry thebe (which would fetch more) and 1.5 MB of
Font Awesome JavaScript, though the theme's style sheet draws the same icons from a font.
"""

import shutil
from importlib import metadata
from pathlib import Path

from sphinx.application import Sphinx

# Of the 24 MB in the wheel: the program, its fonts, and the TeX extensions that it loads on demand.
MATHJAX = ("tex-chtml.js", "input/tex/extensions", "output/chtml/fonts/woff-v2")


def mathjax_folder() -> Path:
    """Where pip put the files of the wheel sphinx-mathjax-offline."""
    for file in metadata.files("sphinx-mathjax-offline") or []:
        if file.name == "tex-chtml.js":
            return Path(file.locate()).parent
    raise FileNotFoundError("sphinx-mathjax-offline is installed without tex-chtml.js")


def drop_thebe(app: Sphinx) -> None:
    """Unhook sphinx-thebe, which Jupyter Book always loads: the book runs no code in the reader's browser."""
    for listeners in app.events.listeners.values():
        listeners[:] = [one for one in listeners if not one.handler.__module__.startswith("sphinx_thebe")]
    app.registry.css_files[:] = [file for file in app.registry.css_files if "thebe" not in file[0]]


def finish_pages(app: Sphinx, exception: Exception | None) -> None:
    """Put the subset of MathJax beside the pages and take Font Awesome's script out of them."""
    if exception is not None or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for name in MATHJAX:
        source, target = mathjax_folder() / name, static / "mathjax" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, target)
    for unused in static.glob("scripts/fontawesome.js*"):
        unused.unlink()
    for page in Path(app.outdir).rglob("*.html"):
        lines = page.read_text(encoding="utf-8").split("\n")
        page.write_text("\n".join(x for x in lines if "scripts/fontawesome.js" not in x), encoding="utf-8")


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.add_css_file("course.css", priority=900)  # after the theme's and every extension's
    app.add_js_file("widgets.js", loading_method="defer")
    app.config.mathjax_path = "mathjax/tex-chtml.js"
    app.connect("builder-inited", drop_thebe, priority=1)
    app.connect("build-finished", finish_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
