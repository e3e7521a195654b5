"""What every page loads: the course's style, its own type, its widgets where there are any; nothing from elsewhere.

Jupyter Book's defaults carry thebe (which would fetch more), 1.5 MB of Font Awesome as a script though the style sheet
draws the same icons from a font, and that font with 2 000 icons of which the book uses twenty.
"""

import hashlib
import re
import shutil
from pathlib import Path

from docutils import nodes
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

logger = logging.getLogger(__name__)

BOOK = Path(__file__).resolve().parent.parent
STATIC = BOOK / "_static"
# Each face is one file for all weights; what they hold covers Western European languages and punctuation.
FACES = {
    "serif.woff2": "source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
    "serif-italic.woff2": "source-serif-4/files/source-serif-4-latin-wght-italic.woff2",
    "sans.woff2": "source-sans-3/files/source-sans-3-latin-wght-normal.woff2",
}
ICON_RULE = re.compile(r'([^{}]+)\{[^{}]*(?:content|--fa):\s*"\\([ef][0-9a-f]{3})"[^{}]*\}')

WEIGHTS = re.compile(r'<script type="application/json" class="lm-weights">(.*?)</script>', re.DOTALL)

# Script of the theme → (what for, text, what stands there instead).
PATCHES = {
    "scripts/pydata-sphinx-theme.js": (
        "scrolls.js looks after what scrolls; this would lay out the whole page again at every change in it",
        '["pre",".nboutput > .output_area",".cell_output > .output",".jp-RenderedHTMLCommon",".pst-scrollable-table-container"]',
        "['#nothing']",
    ),
}


def drop_thebe(app: Sphinx) -> None:
    """Unhook sphinx-thebe, which Jupyter Book always loads: the book runs no code in the reader's browser."""
    for listeners in app.events.listeners.values():
        listeners[:] = [one for one in listeners if not one.handler.__module__.startswith("sphinx_thebe")]
    app.registry.css_files[:] = [file for file in app.registry.css_files if "thebe" not in file[0]]


def weights_apart(app: Sphinx, context: dict, packed: str) -> str:
    """Weights of a model as a script of their own, which ``engine.js`` fetches when a reader first uses the widget."""
    name = hashlib.sha256(packed.encode()).hexdigest()[:12]
    file = Path(app.outdir) / f"_static/weights/{name}.js"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'lm.engine.deliver("{name}",{packed});\n', encoding="utf-8")
    source = context["pathto"](f"_static/weights/{name}.js", True)
    return f'<script type="application/json" class="lm-weights" data-name="{name}" data-src="{source}"></script>'


def add_widgets(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Each ``<lm-NAME>`` of a page brings ``widgets/NAME.js`` (and ``NAME.css``), and what all widgets share."""
    names = sorted(set(re.findall(r"<lm-([\w-]+)", context.get("body", ""))))
    if not names:
        return
    runs_a_model = "lm-weights" in context["body"]
    context["body"] = WEIGHTS.sub(lambda found: weights_apart(app, context, found[1]), context["body"])
    for name in ("shared", *(["engine"] if runs_a_model else []), *names):
        if not (STATIC / f"widgets/{name}.js").is_file():
            logger.warning("%s has a widget <lm-%s>, but there is no book/_static/widgets/%s.js", page, name, name)
        if (STATIC / f"widgets/{name}.css").is_file():
            app.add_css_file(f"widgets/{name}.css")
        app.add_js_file(f"widgets/{name}.js", loading_method="defer")


def subset_icons(static: Path, pages: list[Path]) -> None:
    """Leave in Font Awesome's fonts only the icons that a page, a script or a rule outside Font Awesome names.

    Raises:
        ExtensionError: if no font or no icon is found.
    """
    scripts = [path for path in static.rglob("*.js") if "fontawesome" not in path.name]
    used = {name for path in [*pages, *scripts] for name in re.findall(r"fa-[\w-]+", path.read_text(encoding="utf-8"))}
    points = set()

    def needed(rule: re.Match) -> str:
        selectors, code = rule.groups()
        own = not all(re.match(r"\s*\.fa-", one) for one in selectors.split(","))
        if own or used & set(re.findall(r"fa-[\w-]+", selectors)):
            points.add(int(code, 16))
            return rule[0]
        return ""

    for sheet in static.rglob("*.css"):
        css = sheet.read_text(encoding="utf-8")
        kept = ICON_RULE.sub(needed, css)
        if kept != css:
            sheet.write_text(kept, encoding="utf-8")
    fonts = list(static.glob("vendor/fontawesome/webfonts/*.woff2"))
    if not fonts or not points:
        raise ExtensionError("assets.py finds no icons to keep; has the theme changed?")
    for font in fonts:
        options = subset.Options(flavor="woff2")
        loaded = subset.load_font(font, options)
        subsetter = subset.Subsetter(options)
        drawn = set(loaded.getBestCmap())
        subsetter.populate(unicodes=points & drawn or {min(drawn)})  # a font without a glyph is an error to browsers
        subsetter.subset(loaded)
        subset.save_font(loaded, font, options)
        font.with_suffix(".ttf").unlink(missing_ok=True)


def make_faces(folder: Path) -> None:
    """Write the book's faces with the weights that it uses, 400 to 700: a third less to load than all weights."""
    folder.mkdir(parents=True)
    for name, file in FACES.items():
        font = TTFont(BOOK / "node_modules/@fontsource-variable" / file)
        instantiateVariableFont(font, {"wght": (400, 700)}, inplace=True)
        font.flavor = "woff2"
        font.save(folder / name)


def finish(app: Sphinx, exception: Exception | None) -> None:
    """Put the book's type beside the pages, make the icons small, and leave Font Awesome's script out."""
    if exception is not None or app.builder.format != "html":
        return
    out = Path(app.outdir)
    faces = BOOK / "node_modules/.faces"  # made once: it takes three seconds, and npm removes it with the old fonts
    if not all((faces / name).is_file() for name in FACES):
        shutil.rmtree(faces, ignore_errors=True)
        make_faces(faces)
    shutil.copytree(faces, out / "_static/fonts", dirs_exist_ok=True)
    scripts = list((out / "_static").glob("scripts/fontawesome.js*"))
    if scripts:  # the theme's files are new: this build wrote them
        for name, (purpose, text, instead) in PATCHES.items():
            script = out / "_static" / name
            code = script.read_text(encoding="utf-8")
            if text not in code:
                raise ExtensionError(f"assets.py, {purpose}: {text!r} is not in {name}; has it changed?")
            script.write_text(code.replace(text, instead), encoding="utf-8")
        subset_icons(out / "_static", [page for page in out.rglob("*.html") if "_static" not in page.parts])
    for unused in scripts:
        unused.unlink()


def digest() -> str:
    """A value that changes with what stands in ``_static`` and with what npm brings."""
    files = [*sorted(path for path in STATIC.rglob("*") if path.is_file()), BOOK / "package-lock.json"]
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.add_css_file("course.css", priority=900)  # after the theme's and every extension's
    app.add_js_file("scrolls.js", loading_method="defer")
    # Sphinx copies nothing when no page is out of date; a new value makes it write the pages and copy the folder.
    app.add_config_value("static_digest", digest(), "html")
    app.connect("builder-inited", drop_thebe, priority=1)
    app.connect("html-page-context", add_widgets)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
