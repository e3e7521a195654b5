"""What a page offers beside its text: its executed notebook, its source, ways to run it, and its address for the world.

Everything that depends on where the course lives follows from one line, ``repository: {url: …}`` in ``_config.yml``: the
buttons for Colab, Binder and editing, the canonical addresses, the site map, the card that is shown where the book is
shared. Where the line is empty, GitHub Actions' own variable is read; without both, the book is complete but for these.
"""

import os
import re
from html import escape
from pathlib import Path
from urllib.parse import quote, urlsplit

import nbformat
from docutils import nodes
from handout import readers_copy
from sphinx.application import Sphinx
from sphinx.config import Config

from lmkit.grading.wheels import write_readers_wheel

# The branch of executed notebooks that .github/workflows/book.yml writes: Colab and Binder open them there.
NOTEBOOK_BRANCH = "notebooks"
REDIRECT = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta http-equiv="refresh" content="0; url={home}"><link rel="canonical" href="{base}{home}">
</head><body><p><a href="{home}">{title}</a></p></body></html>
"""
NOT_FOUND = """<section><h1>This page does not exist</h1>
<p>The address may have changed with a chapter’s name. The <a href="{home}">front page</a> lists all chapters, and the
<a href="search.html">search</a> finds their words.</p></section>"""


def configure(app: Sphinx, config: Config) -> None:
    """Complete the configuration by what follows from the repository's address."""
    options = config.html_theme_options
    if not options.get("repository_url") and os.environ.get("GITHUB_REPOSITORY"):
        server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
        options["repository_url"] = f"{server}/{os.environ['GITHUB_REPOSITORY']}"
    options["repository_url"] = url = options.get("repository_url", "").rstrip("/")
    options["use_repository_button"] = options["use_edit_page_button"] = bool(url)
    if not config.html_baseurl and urlsplit(url).netloc == "github.com":
        owner, name = urlsplit(url).path.strip("/").split("/")
        config.html_baseurl = f"https://{owner.lower()}.github.io/{name}/"


def github(app: Sphinx) -> str:
    """``owner/name`` of a repository on GitHub, or nothing."""
    parts = urlsplit(app.config.html_theme_options["repository_url"])
    return parts.path.strip("/") if parts.netloc == "github.com" else ""


def publish_wheel(app: Sphinx, config: Config) -> None:
    """Put ``lmkit`` as the chapters use it beside the site: readers need no repository, which may hold solutions.

    Before the builder looks at what has changed: another wheel has another name, and every page leads to it.
    """
    folder = Path(app.outdir) / "_downloads"
    folder.mkdir(parents=True, exist_ok=True)
    wheel = write_readers_wheel(folder)
    for old in folder.glob("lmkit-*.whl"):
        if old != wheel:
            old.unlink()
    config.lmkit_wheel = f"_downloads/{wheel.name}"


def publish_notebook(app: Sphinx, page: str, doctree: nodes.document) -> str | None:
    """Put the readers' notebook of a page beside the site. Its address there, or None for a page without code."""
    source = Path(app.srcdir) / "_build" / "notebooks" / f"{Path(page).name}.ipynb"
    if not source.is_file():
        return None
    address = f"_downloads/notebooks/{source.name}"
    notebook = readers_copy(app, page, doctree, nbformat.read(source, as_version=4))
    if app.config.html_baseurl:
        code = (
            "# Colab and Binder begin without the course's package.\n"
            "try:\n    import lmkit\nexcept ImportError:\n"
            f"    %pip install --quiet {app.config.html_baseurl}{quote(app.config.lmkit_wheel)}"
        )
        notebook.cells.insert(0, nbformat.v4.new_code_cell(code, id="install"))
    target = Path(app.outdir) / address
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(nbformat.writes(notebook), encoding="utf-8")
    return address


def launch_links(app: Sphinx, page: str) -> dict[str, str]:
    """Where a page's notebook runs without an installation: name → address."""
    name, file = github(app), f"{Path(page).name}.ipynb"
    if not name:
        return {}
    return {
        "Colab": f"https://colab.research.google.com/github/{name}/blob/{NOTEBOOK_BRANCH}/{file}",
        "Binder": f"https://mybinder.org/v2/gh/{name}/{NOTEBOOK_BRANCH}?urlpath={quote('lab/tree/' + file)}",
    }


def button(text: str, url: str, tooltip: str, icon: str) -> dict:
    """An entry of the theme's menus."""
    label = f"{text.strip('.').lower()}-button"
    return {"type": "link", "url": url, "text": text, "tooltip": tooltip, "icon": icon, "label": label}


def run_box(app: Sphinx, page: str, notebook: str, source: str, package: str) -> str:
    """The words "Run this page", closed until they are asked for."""
    wheel = Path(app.config.lmkit_wheel).name
    links = launch_links(app, page)
    online = "".join(
        f'<li><a href="{escape(url)}">Open it in {name}</a>; nothing to install.</li>\n' for name, url in links.items()
    )
    if not online:
        online = (
            "<li>In Google Colab: <i>File › Upload notebook</i>, then drag the wheel into <i>Files</i> at the left, and run "
            f"<pre>%pip install {wheel}</pre> in a cell of your own at the top.</li>"
        )
    return f"""
<details class="run-chapter"><summary>Run this page</summary><ul>
<li>Download <a href="{notebook}" download>the notebook with its outputs</a>
or <a href="{source}" download>its source</a> (MyST Markdown), and <a href="{package}" download>the course’s package</a>.</li>
<li>On your machine, with Python 3.11 or newer, in the folder that holds both: <div class="run-how">
<pre>pip install jupyterlab ./{wheel}</pre>
<pre>jupyter lab {Path(page).name}.ipynb</pre></div></li>
{online}</ul></details>"""


def complete_page(app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None) -> None:
    """Downloads and launch buttons for a page with code; the words that search engines and social networks read."""
    pathto = context["pathto"]
    if doctree is not None and (notebook := publish_notebook(app, page, doctree)):
        address = pathto(notebook, 1)
        groups = context["header_buttons"]
        downloads = next(group for group in groups if group["label"] == "download-buttons")["buttons"]
        downloads.insert(0, button(".ipynb", address, "Download the executed notebook", "fas fa-code"))
        links = launch_links(app, page)
        if links:
            entries = [button(name, url, f"Run this page on {name}", "fas fa-play") for name, url in links.items()]
            menu = {"type": "group", "tooltip": "Run this page", "icon": "fas fa-rocket", "label": "launch-buttons"}
            groups.insert(0, menu | {"buttons": entries})
        source = pathto(f"_sources/{context['sourcename']}", 1)
        context["body"] = context["body"] + run_box(app, page, address, source, pathto(app.config.lmkit_wheel, 1))
    base = app.config.html_baseurl
    if doctree is not None and base:  # the workflow that publishes the site prints it, too
        downloads = next(group for group in context["header_buttons"] if group["label"] == "download-buttons")[
            "buttons"
        ]
        downloads.append(button("book.pdf", f"{base}_downloads/book.pdf", "Download the whole book", "fas fa-book"))
    title = re.sub("<[^>]*>", "", context.get("title", ""))
    tags = context.get("metatags", "")
    if 'name="description"' not in tags:
        about = f"{title} · {app.config.html_title}: language models from the chain rule to the Transformer."
        tags += f'\n<meta name="description" content="{escape(about)}" />'
    description = re.search(r'<meta content="([^"]*)" name="description"', tags)
    properties = {"og:title": title, "og:type": "book", "og:site_name": app.config.html_title}
    if description:
        properties["og:description"] = description[1]
    if base:
        properties |= {"og:url": context.get("pageurl") or base, "og:image": f"{base}_static/card.png"}
        tags += '\n<meta name="twitter:card" content="summary_large_image" />'
    for name, value in properties.items():
        tags += f'\n<meta property="{name}" content="{value if name == "og:description" else escape(value)}" />'
    context["metatags"] = tags


def not_found(app: Sphinx) -> list[tuple[str, dict, str]]:
    """The page that a server shows for an address that does not exist."""
    home = app.builder.get_target_uri(app.config.root_doc)
    return [("404", {"title": "Page not found", "body": NOT_FOUND.format(home=home)}, "page.html")]


def draw_card(path: Path, title: str) -> None:
    """The picture, 1200 × 630, that stands where the book is shared: its name and the three bars of its sign."""
    if path.is_file():
        return
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt
    from matplotlib.font_manager import FontProperties

    figure = plt.figure(figsize=(12, 6.3), dpi=100, facecolor="#fffefb")
    bold = FontProperties(family="DejaVu Sans", weight="bold")
    figure.text(0.07, 0.76, title, fontproperties=bold, fontsize=60, color="#17202b")
    figure.text(0.07, 0.66, "Language models from the chain rule to the Transformer", fontsize=22, color="#565d66")
    for place, (height, colour) in enumerate(zip((8, 12, 19), ("#0b4f7d", "#0b4f7d", "#d55e00"), strict=True)):
        figure.add_artist(plt.Rectangle((0.07 + 0.085 * place, 0.1), 0.06, 0.024 * height, color=colour))
    figure.text(0.36, 0.12, "an executable textbook\nwith homework that grades itself", fontsize=22, color="#22252a")
    figure.savefig(path, metadata={"Software": None})
    plt.close(figure)


def finish(app: Sphinx, exception: Exception | None) -> None:
    """What search engines look for at the root of a site."""
    if exception is not None or app.builder.format != "html":
        return
    base, out = app.config.html_baseurl, Path(app.outdir)
    robots = "User-agent: *\nAllow: /\n"
    page = out / "404.html"  # a server shows it for any address: its links start at the root
    html = page.read_text(encoding="utf-8")
    root = urlsplit(base).path or "/"
    html = re.sub(r'((?:href|src|action)=")(?![a-z]+:|[#/])', rf"\g<1>{root}", html)
    page.write_text(html.replace('data-content_root="./"', f'data-content_root="{root}"'), encoding="utf-8")
    home = app.builder.get_target_uri(app.config.root_doc)
    if home != "index.html":
        redirect = REDIRECT.format(title=app.config.html_title, home=home, base=base)
        (out / "index.html").write_text(redirect, encoding="utf-8")
    draw_card(out / "_static/card.png", app.config.html_title)
    if base:
        addresses = [base + app.builder.get_target_uri(page) for page in sorted(app.env.found_docs)]
        urls = "".join(f"<url><loc>{escape(url)}</loc></url>\n" for url in addresses)
        (out / "sitemap.xml").write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n',
            encoding="utf-8",
        )
        robots += f"Sitemap: {base}sitemap.xml\n"
    (out / "robots.txt").write_text(robots, encoding="utf-8")


def setup(app: Sphinx) -> dict:
    """Register with Sphinx."""
    # Before the theme reads its options; a changed address rewrites all pages.
    app.connect("config-inited", configure, priority=100)
    app.add_config_value("lmkit_wheel", "", "html")  # where it stands in the site; its name follows from its content
    app.connect("config-inited", publish_wheel)
    app.connect("html-page-context", complete_page, priority=900)  # after the theme has made its menus
    app.connect("html-collect-pages", not_found)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
