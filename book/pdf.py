"""The whole book as one PDF: title, contents with page numbers, outline, links inside, every answer open.

The built pages become one page of HTML, which Chromium prints twice: the second time the contents know the page numbers.

Usage: ``make pdf``, or ``python book/pdf.py`` after ``make book``; writes ``_build/book.pdf`` and a copy into the site.
"""

import argparse
import os
import re
import shutil
import sys
from html import escape, unescape
from pathlib import Path
from urllib.parse import unquote

import yaml
from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Browser, Page, sync_playwright
from pypdf import PdfReader
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
OUT = ROOT / "_build" / "book.pdf"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NO_BROWSER = """No Chromium was found (looked for {names}): it prints the book.
Debian, Ubuntu: apt-get install chromium. Elsewhere: install Chrome or Chromium, or name it: CHROMIUM=/path/to/it make pdf"""

STYLE = """
body { display: block; background: #fff; }
main.bd-main { display: block; max-width: none; }
article.bd-article { break-before: page; padding: 0 !important; }
.title-page { height: 235mm; display: flex; flex-direction: column; justify-content: center; }
.title-page, .book-contents { font-family: var(--pst-font-family-base); }
.title-page img { width: 5rem; margin: 0 0 2.5rem; }
.title-page p { margin: 0.3rem 0; font-size: 1.3rem; line-height: 1.35; max-width: 32rem; }
.title-page p.book { font-size: 3.4rem; font-weight: 650; letter-spacing: -0.02em; line-height: 1.1; }
.book-contents { break-before: page; }
.book-contents h2 { font-size: 2rem; font-weight: 650; margin: 0 0 1.2rem; }
.book-contents p { display: flex; gap: 0.5em; margin: 0.16rem 0; break-inside: avoid; }
.book-contents p.part { margin-top: 1.1rem; font-size: 0.85rem; font-weight: 600; break-after: avoid; }
.book-contents p.page { font-weight: 600; margin-top: 0.45rem; }
.book-contents p.in { margin-left: 1.5rem; font-size: 0.95em; }
.book-contents a { color: inherit !important; text-decoration: none !important; }
.book-contents .dots { flex: 1; border-bottom: 1px dotted #999; transform: translateY(-0.35em); }
.toctree-wrapper, .tableofcontents-wrapper, .run-chapter { display: none !important; }
"""
# Everything that a reader on paper cannot open is open; what comes late on a screen is waited for.
OPEN = """async () => {
  document.documentElement.dataset.theme = document.documentElement.dataset.mode = 'light';
  document.querySelectorAll('details').forEach((d) => (d.open = true));
  document.querySelectorAll('.toggle-hidden').forEach((e) => e.classList.remove('toggle-hidden'));
  document.querySelectorAll('img').forEach((i) => (i.loading = 'eager'));
  await Promise.all([...document.images].map((i) => i.decode()));
  await document.fonts.ready;
}"""


def find_browser() -> str | None:
    """Where Chromium is: the environment's CHROMIUM, or the first known name on the path."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def parts(toc: Path) -> list[tuple[str, list[str]]]:
    """Captions of the book's parts and their pages in order, the front page first; the reference stays on the screen."""
    site = parse_toc_yaml(toc)
    found = [("", [site.root.docname])]
    for tree in site.root.subtrees:
        found.append((tree.caption or "", [str(item) for item in tree.items if str(item) in site]))
    return found


def article(name: str, names: set[str]) -> Tag:
    """A page's text, its identifiers and links made unique within the whole."""
    page = BeautifulSoup((SITE / f"{name}.html").read_text(encoding="utf-8"), "html.parser")
    found = page.find("article", class_="bd-article")
    folder = Path(name).parent
    for tag in found.find_all(id=True):
        tag["id"] = f"{name}--{tag['id']}"
    for attribute in ("href", "aria-labelledby", "fill", "clip-path", "style"):  # what an SVG points at inside itself
        for tag in found.select(f"svg [{attribute}*='#']"):
            tag[attribute] = re.sub(r"(url\(#|^#)", rf"\g<1>{name}--", tag[attribute])
    for link in found.select("a[href]"):
        path, _, anchor = link["href"].partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        target = os.path.normpath(folder / path).removesuffix(".html") if path else name
        if target in names:
            link["href"] = f"#{target}--{unquote(anchor)}" if anchor else f"#{target}"
        else:
            link.unwrap()  # a download, or a page of the reference: nothing on paper to turn to
    for image in found.select("img[src]"):
        image["src"] = os.path.normpath(folder / image["src"])
    for gone in found.select(".headerlink, button, script, .run-chapter"):
        gone.decompose()
    found["id"] = name
    return found


def assemble(toc: Path, title: str, subtitle: str, author: str) -> str:
    """One page of HTML out of all; its contents wait for their page numbers (``numbered``)."""
    order = parts(toc)
    names = {name for _, pages in order for name in pages}
    lines, articles = [], []
    for caption, pages in order:
        if caption:
            lines.append(f'<p class="part">{escape(caption)}</p>')
        for name in pages:
            articles.append(article(name, names))
            for heading in articles[-1].find_all(["h1", "h2"]) if caption else []:
                target = heading.find_parent("section")["id"]
                kind = "page" if heading.name == "h1" else "in"
                text = escape(heading.get_text("", strip=False).strip())
                lines.append(
                    f'<p class="{kind}"><a href="#{target}">{text}</a><span class="dots"></span>'
                    f'<span data-page="{escape(target)}"></span></p>'
                )
    head = ""
    for name in sorted(names):  # some style sheets are on some pages only
        for link in re.findall(
            r'<link [^>]*rel="stylesheet"[^>]*>', (SITE / f"{name}.html").read_text(encoding="utf-8")
        ):
            link = re.sub(r'href="(?:\.\./)*', 'href="', link)
            head += "" if link in head else link
    cover = (
        f'<div class="title-page"><img src="_static/logo.svg" alt=""/><p class="book">{escape(title)}</p>'
        f"<p>{escape(subtitle)}</p><p>{escape(author)}</p></div>"
    )
    return (
        f'<!DOCTYPE html><html lang="en" data-theme="light" data-content_root="./"><head><meta charset="utf-8">'
        f'<title>{escape(title)}</title>{head}<style>{STYLE}</style></head><body><main class="bd-main bd-content">{cover}'
        f'<nav class="book-contents"><h2>Contents</h2>{"".join(lines)}</nav>{"".join(map(str, articles))}</main></body></html>'
    )


def numbered(html: str, numbers: dict[str, int]) -> str:
    """The assembled book with page numbers in its contents."""
    return re.sub(r'<span data-page="([^"]*)">', lambda span: f"<span>{numbers[unescape(span[1])]}", html)


def print_pdf(page: Page, html: str, out: Path) -> None:
    """Print the assembled book."""
    source = SITE / "_book.html"
    source.write_text(html, encoding="utf-8")
    try:
        page.goto(source.as_uri())
        page.emulate_media(media="print", color_scheme="light")
        page.evaluate(OPEN)
        foot = (
            '<div style="font: 8px sans-serif; width: 100%; text-align: center"><span class="pageNumber"></span></div>'
        )
        page.pdf(
            path=out,
            prefer_css_page_size=True,
            print_background=True,
            outline=True,
            tagged=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=foot,
        )
    finally:
        source.unlink()


def print_book(chromium: Browser, toc: Path, out: Path) -> None:
    """Print all pages of a table of contents, with page numbers."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    subtitle = "Language models from the chain rule of probability to the Transformer"
    html = assemble(toc, config["title"], subtitle, config["author"])
    page = chromium.new_page()
    print_pdf(page, html, out)
    reader = PdfReader(out)
    places = reader.named_destinations.items()
    numbers = {unquote(name.lstrip("/")): reader.get_destination_page_number(place) + 1 for name, place in places}
    print_pdf(page, numbered(html, numbers), out)
    page.close()


def main() -> int:
    """Print the book; the exit status."""
    words = __doc__.replace("``", "")
    argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    browser = find_browser()
    if browser is None:
        print(NO_BROWSER.format(names=", ".join(BROWSERS)), file=sys.stderr)
        return 1
    if not (SITE / "book").is_dir() or (ROOT / "_build" / ".incomplete").exists():
        print("The book is not built, or its last build failed: run `make book` first.", file=sys.stderr)
        return 1
    with sync_playwright() as tool:
        chromium = tool.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        print_book(chromium, ROOT / "_toc.yml", OUT)
        chromium.close()
    shutil.copyfile(OUT, SITE / "_downloads" / "book.pdf")
    print(f"{OUT.as_uri()}: {len(PdfReader(OUT).pages)} pages, {OUT.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
