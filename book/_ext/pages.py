"""What the theme and the extensions write into every page, and what stands there instead.

Each page passes through here once, on its way from the template to its file. A change that finds nothing to change is an
error: the theme has moved, and what readers with a slow phone or a screen reader need would be lost without a word.
"""

import re
from collections.abc import Callable

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# The faces of every page are asked for before the style sheets are read, so that the first line already
# stands in them. Not from file://, where a browser refuses to load a font ahead of its use.
FACES = """
  <script>
    if (location.protocol !== "file:")
      for (const face of ["fonts/sans", "fonts/serif", "fonts/serif-italic"]) {
        const link = document.createElement("link"), root = document.documentElement.dataset.content_root;
        Object.assign(link, { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" });
        link.href = `${root}_static/${face}.woff2`;
        document.head.append(link);
      }
  </script>
  <!-- Loaded before other Sphinx assets -->"""
# From disk a face may come after the first line, and would stay away (course.css): there its place is kept for it.
FROM_DISK = """<script>
    if (location.protocol === "file:")
      for (const face of document.fonts)
        if (/Book|KaTeX_Ma/.test(face.family)) {
          face.display = "block";
          face.load().catch(() => {});
        }
  </script>
  """
KATEX_FACES = '"fonts/serif-italic", "katex/fonts/KaTeX_Main-Regular", "katex/fonts/KaTeX_Math-Italic"'
# (what it is for, pattern in the head, what stands there instead)
HEAD = [
    ("one viewport is enough", r'\s*<meta name="viewport" content="width=device-width, initial-scale=1" ?/>', ""),
    ("the book's type comes early", r"\s*<!-- Loaded before other Sphinx assets -->", FACES),
    ("and from disk all the same", r"\Z", FROM_DISK),
    ("scripts are loaded once, at the end", r'\s*<link rel="preload" as="script"[^>]*>', ""),
    # 1.5 MB that draw the same icons as the font does
    ("icons are drawn once", r"\s*<script[^>]*scripts/fontawesome\.js[^>]*></script>", ""),
    (
        "scripts wait for the page",
        r"<script (?=[^>]*\bsrc=)(?![^>]*(?:\bdefer|documentation_options))",
        "<script defer ",
    ),
]
# The index grows with the book, and only the page that searches reads it.
SEARCH = (
    "the search index is read where it is searched",
    r'\s*<script[^>]*src="[^"]*(?:searchtools|language_data|searchindex)\.js[^>]*></script>',
    "",
)
BODY = [
    ("a button with words is named by them", r'(search-button-field[^>]*) aria-label="Search"', r"\1"),
    (
        "the sidebar is a landmark",
        r'id="pst-primary-sidebar"',
        'id="pst-primary-sidebar" role="navigation" aria-label="Book"',
    ),
    (
        "no place for advertisements",
        r'<div class="sidebar-primary-item">\s*<div id="ethical-ad[^>]*>\s*</div>\s*</div>',
        "",
    ),
]
# These are on some pages only.
SOMETIMES = [
    (
        "an arrow in the sidebar has a name",
        r'<summary>(<span class="toctree-toggle")',
        r'<summary aria-label="Pages below">\1',
    ),
    ("what can be opened is named by its own words", r'(<summary) aria-label="Toggle hidden content"', r"\1"),
    ("entries of the bibliography are items of a list", r'role="doc-biblioentry"', 'role="listitem"'),
    ("pictures come when they are near", r"<img (?![^>]*\bloading=)", '<img loading="lazy" decoding="async" '),
]


def mend(html: str, search_page: bool) -> str:
    """The page as readers get it.

    Raises:
        ExtensionError: if something that must be changed is not there.
    """
    head, end, body = html.partition("</head>")

    def change(text: str, changes: list[tuple[str, str, str]]) -> str:
        for purpose, pattern, instead in changes:
            text, found = re.subn(pattern, instead, text)
            if not found:
                raise ExtensionError(f"pages.py, {purpose}: {pattern!r} is in no page; has the theme changed?")
        return text

    head = change(head, HEAD if search_page else [SEARCH, *HEAD])
    if "katex/katex.css" in head:  # or the columns of a table of symbols move when these two arrive
        head = head.replace('"fonts/serif-italic"', KATEX_FACES)
    body = change(body, BODY)
    for _, pattern, instead in SOMETIMES:
        body = re.sub(pattern, instead, body)
    return head + end + body


def wrap(render: Callable[[str, dict], str]) -> Callable[[str, dict], str]:
    """``render`` of Sphinx's templates, with every page mended."""

    def mended(template: str, context: dict) -> str:
        html = render(template, context)
        return mend(html, template == "search.html") if "</head>" in html else html

    return mended


def install(app: Sphinx) -> None:
    """Stand between the templates and the files."""
    if app.builder.format == "html":
        app.builder.templates.render = wrap(app.builder.templates.render)


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    app.connect("builder-inited", install)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
