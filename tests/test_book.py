"""The built book in a real browser, and the small extensions that make it (widgets: test_widgets.py).

Every check of a page is a function that returns what is wrong: so it can be shown to fail on a broken page.
"""

import ast
import functools
import importlib
import io
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urldefrag, urlsplit

import nbformat
import pytest
import yaml
from conftest import ROOT
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import docutils_namespace
from sphinx_external_toc.parsing import parse_toc_yaml

STATIC = ROOT / "book" / "_static"
PAGES = list(parse_toc_yaml(ROOT / "_toc.yml"))
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
WIDGETS = ".lm-widget"


# --------------------------------------------------------------------------------- what a page must be


def wrong_formulas(page):
    """Formulas that are not set, that a screen reader cannot read, or that stop the tab key though nothing scrolls."""
    return page.evaluate(
        """() => [...document.querySelectorAll('.math')]
            .filter(m => !m.querySelector('.katex-html') || !m.querySelector('math annotation') || m.querySelector('.katex-error')
                || [...m.querySelectorAll('*')].some(e => e.tabIndex >= 0 && !e.closest('.scrolls, .eqno')))
            .map(m => 'formula: ' + m.textContent.slice(0, 80))"""
    )


def wrong_images(page):
    """Images of the article without a text, with their file's name as text, or that did not load."""
    return page.evaluate(
        r"""() => [...document.querySelectorAll('article img')]
            .filter(i => !i.alt.trim() || /\.(svg|png|jpe?g)$/.test(i.alt) || (i.complete && !i.naturalWidth))
            .map(i => `image: ${i.getAttribute('src')} alt=${i.alt}`)"""
    )


def wider_than_the_screen(page):
    """The page's width where it makes the whole page scroll sideways."""
    wide, screen = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return [f"the page is {wide} px wide on a screen of {screen}"] if wide > screen else []


SHOW_ALL = """async () => {
  document.head.append(Object.assign(document.createElement('style'),
    {textContent: '* { content-visibility: visible !important; animation: none !important }'}));
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  await document.fonts.ready;  // what comes into sight may be the first to ask for its letters
}"""
CUT = r"""async () => {
  document.querySelectorAll('.bd-article details').forEach(d => d.open = true);
  document.querySelectorAll('.toggle-hidden').forEach(e => e.classList.remove('toggle-hidden'));
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  await document.fonts.ready;
  const wrong = new Set();
  const look = (box, rects, what) => {
    for (let up = box; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up), section = up.matches('.bd-article > section > section');
      if (style.display === 'inline' || (style.overflowX === 'visible' && !section)) continue;
      const edge = up.getBoundingClientRect();
      if (!rects.some(r => r.right > edge.right + 1.5 || r.left < edge.left - 1.5)) continue;
      if (!(up.classList.contains('scrolls') && /auto|scroll/.test(style.overflowX))) wrong.add(`cut without a cue: ${what}`);
      return;
    }
    if (rects.some(r => r.right > innerWidth + 1.5 || r.left < -1.5)) wrong.add(`off the screen: ${what}`);
  };
  for (const article of document.querySelectorAll('article')) {
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let node; (node = walker.nextNode()); ) {
      const box = node.parentElement;
      if (!node.data.replace(/[\s\u200b]/g, '')) continue;
      if (box.closest('.katex-mathml, script, style, svg, [hidden], .visually-hidden')) continue;
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()].filter(r => r.width > 0);
      const around = box.closest('.math, pre, table, code') || box;
      if (rects.length) look(box, rects, `${around.localName}.${around.className}: ${around.textContent.trim().slice(0, 70)}`);
    }
    for (const picture of article.querySelectorAll('img, svg.figure, lm-order svg, lm-smoothing svg, lm-graph svg')) {
      const rect = picture.getBoundingClientRect();
      if (rect.width) look(picture, [rect], picture.getAttribute('aria-label') || picture.alt || picture.localName);
    }
  }
  return [...wrong];
}"""


def cut_off(page):
    """What of the article a narrow screen does not show and gives no sign of: text, formulas, code, tables, pictures."""
    page.evaluate(SHOW_ALL)
    return page.evaluate(CUT)


def formulas_that_scroll(page):
    """Displayed formulas that are wider than their place: on a phone the reader would have to push them about."""
    page.evaluate(SHOW_ALL)
    # What is laid out only now asks for further letters, and is wider in those that stand in for them: they are fetched first.
    return page.evaluate(
        """async () => { document.body.getBoundingClientRect();
            await Promise.all([...document.fonts].filter(f => f.family.startsWith('KaTeX')).map(f => f.load()));
            await document.fonts.ready;
            return [...document.querySelectorAll('.katex-display')].filter(m => m.scrollWidth > m.clientWidth + 1)
            .map(m => `${m.scrollWidth} px in ${m.clientWidth}: ${m.querySelector('annotation')?.textContent.trim()}`) }"""
    )


@functools.cache
def axe_script():
    """The accessibility checker, as the wheel carries it."""
    from axe_playwright_python.base import AXE_SCRIPT

    return AXE_SCRIPT


def inaccessible(page):
    """What axe-core objects to: WCAG 2.2 A and AA, and its best practices."""
    page.evaluate(axe_script())
    # As if the reader had been everywhere: what is far from the window is laid out, and made focusable, on the way there.
    page.evaluate(SHOW_ALL)
    # Without preload: axe would fetch every style sheet again and miss their imports, an error in our books.
    found = page.evaluate("axe.run({resultTypes: ['violations'], preload: false})")["violations"]
    return [f"axe {rule['id']}: {node['html'][:120]}" for rule in found for node in rule["nodes"]]


def silent_widgets(page):
    """Widgets that do not answer: each control is tried with the keyboard, each button also with a click."""
    wrong = []
    for element in page.locator(WIDGETS).all():
        name = element.evaluate("e => e.localName")
        if element.get_attribute("role") != "group" or not element.get_attribute("aria-label"):
            wrong.append(f"{name} is not a labelled group")
            continue
        for slider in element.locator("input[type=range]").all():
            for key in ("Home", "End"):  # one of the two moves it, wherever it stands
                before = element.inner_text(), slider.get_attribute("aria-valuetext")
                slider.press("Home" if key == "End" else "End")
                slider.press(key)
                if (element.inner_text(), slider.get_attribute("aria-valuetext")) != before:
                    break
            else:
                wrong.append(f"{name}: the slider changes nothing")
        if element.locator(".lm-controls button").count():
            for act in ("press", "click"):
                before = element.inner_text()
                button = element.locator(".lm-controls button").first
                button.press("Enter") if act == "press" else button.click()
                if element.inner_text() == before:
                    wrong.append(f"{name}: the first button does not answer to a {act}")
        if not element.locator("[role=status]").inner_text().strip():
            wrong.append(f"{name} says nothing")
    return wrong


def closed_for_good(page):
    """Polls and solutions that do not open."""
    wrong = []
    for option in page.locator("article details").all():
        if option.get_attribute("open") is None and option.is_visible():
            option.locator("summary").first.press("Enter")
            if option.get_attribute("open") is None:
                wrong.append(f"does not open: {option.inner_text()[:60]}")
    for solution in page.locator("article .admonition.dropdown, article .toggle:not(details)").all():
        solution.locator("button").first.click()
        if "toggle-hidden" in solution.get_attribute("class"):
            wrong.append(f"does not open: {solution.inner_text()[:60]}")
    return wrong


# -------------------------------------------------------------------------------------- links, by file


class _Links(HTMLParser):
    """Ids that a page has, what it points at, and what it loads by itself."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.targets, self.loads = {"", "top"}, set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = {key: value for key, value in attrs if value}
        self.ids |= {values[key] for key in ("id", "name") if key in values}
        for key in ("href", "src"):
            if key in values:
                self.targets.add(values[key])
                if tag != "a" and values.get("rel") != "canonical":
                    self.loads.add(values[key])


def broken_links(site):
    """Links inside the site that lead nowhere, and resources that a page would load from another machine."""
    parse = functools.cache(_Links)
    wrong = []
    for path in sorted(Path(site).rglob("*.html")):
        if "_static" in path.parts or path.name == "404.html":  # that one's links start at the server's root
            continue
        page = parse(path)
        for target in sorted(page.targets):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if target in page.loads and parts.scheme != "data":
                    wrong.append(f"{path.name} loads {target}")
                continue
            name, fragment = urldefrag(target)
            file = path.parent / unquote(urlsplit(name).path) if name else path
            if file.is_dir():
                file = file / "index.html"
            if not file.is_file():
                wrong.append(f"{path.name}: no file for {target}")
            elif fragment and file.suffix == ".html" and unquote(fragment) not in parse(file.resolve()).ids:
                wrong.append(f"{path.name}: no place for {target}")
    return wrong


def test_broken_links_finds_each_kind(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">ok</a> <a href="b.html#gone">1</a> <a href="c.html">2</a> <a href="#no">3</a>'
        '<script src="https://cdn.example/x.js"></script> <a href="https://example.org">allowed</a>'
    )
    (tmp_path / "b.html").write_text('<p id="here">')
    assert broken_links(tmp_path) == [
        "a.html: no place for #no",
        "a.html: no place for b.html#gone",
        "a.html: no file for c.html",
        "a.html loads https://cdn.example/x.js",
    ]


@pytest.mark.slow
def test_every_link_of_the_book_leads_somewhere_and_nothing_loads_from_elsewhere(book):
    assert broken_links(book) == []


# ------------------------------------------------------------------------------------ the book's pages


@pytest.mark.slow
@pytest.mark.parametrize("name", [*PAGES, "search", "genindex"])
def test_page_serves_every_reader(name, book_url, visit):
    tab = visit(viewport=DESKTOP, color_scheme="light", reduced_motion="reduce")
    page = tab.open(f"{book_url}/{name}.html")
    wrong = wrong_formulas(page) + wrong_images(page) + inaccessible(page) + wider_than_the_screen(page)
    if name in PAGES and not page.locator("meta[name=description]").count():
        wrong.append("no description: myst: {html_meta: {description: …}} at the top of the page")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.set_viewport_size(PHONE)
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.wait_for_timeout(500)  # the theme waits 300 ms after a resize before it lets the keyboard scroll tables
    wrong += [f"dark, phone: {what}" for what in inaccessible(page) + wider_than_the_screen(page)]
    for figure in page.locator("article svg.figure:has(text)").all():
        ink = figure.locator("text").first.evaluate("t => getComputedStyle(t).fill.match(/\\d+/g).map(Number)")
        if max(ink) < 128:
            wrong.append("dark: a figure keeps its dark ink")
    wrong += silent_widgets(page) + closed_for_good(page) + wider_than_the_screen(page)
    assert wrong + tab.errors == []


WITHOUT_ITS_LETTERS = r"""() => {
  let gone = 0;
  for (const sheet of document.styleSheets)
    for (let i = sheet.cssRules.length - 1; i >= 0; i--)
      if (sheet.cssRules[i] instanceof CSSFontFaceRule && /Book/.test(sheet.cssRules[i].style.fontFamily)) {
        sheet.deleteRule(i);
        gone++;
      }
  return gone;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_pages_stand_in_the_books_type_from_a_server_and_from_files(book, book_url, visit, size):
    """Where the letters come late, a page keeps the machine's own (`font-display: optional`): the next one has them."""
    for address in (book_url, book.as_uri()):
        tab = visit(viewport=size)
        for name in ("book/index", "book/ladder", "book/notation"):
            for _ in range(10):
                page = tab.open(f"{address}/{name}.html")
                asked = tab.context.new_cdp_session(page)
                asked.send("DOM.enable")
                asked.send("CSS.enable")
                root = asked.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
                drawn = {}
                for what in ("article h1", "article p"):
                    node = asked.send("DOM.querySelector", {"nodeId": root, "selector": what})["nodeId"]
                    drawn[what] = asked.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
                asked.detach()
                own = [what for what, fonts in drawn.items() if not any(font["isCustomFont"] for font in fonts)]
                if not own:
                    break
            assert not own, (address, name, drawn)


@pytest.mark.slow
def test_nothing_is_cut_off_on_a_phone(book, book_url, visit):
    """And no displayed formula of a chapter has to be pushed about.

    Nothing is cut off either where the book's letters came too late, and the machine's own, which are wider, stand for them.
    """
    tab = visit(viewport=PHONE, reduced_motion="reduce")
    wrong = {}
    for file in sorted([*book.glob("book/*.html"), *book.glob("book/reference/*.html")]):
        name = file.relative_to(book).as_posix()
        page = tab.open(f"{book_url}/{name}")
        found = wrong_formulas(page) + cut_off(page) + wider_than_the_screen(page)
        if name.removesuffix(".html") in PAGES:
            found += formulas_that_scroll(page)
        page.set_viewport_size({"width": 320, "height": 800})
        found += [f"320 px: {what}" for what in cut_off(page) + wider_than_the_screen(page)]
        assert page.evaluate(WITHOUT_ITS_LETTERS) == 3
        found += [f"320 px, other letters: {what}" for what in cut_off(page) + wider_than_the_screen(page)]
        page.set_viewport_size(PHONE)
        if found:
            wrong[name] = found
    assert wrong == {} and tab.errors == []


@pytest.mark.slow
def test_a_formula_scrolls_only_while_the_window_is_narrow(book_url, visit):
    tab = visit(viewport=PHONE, reduced_motion="reduce")
    page = tab.open(f"{book_url}/book/language_modelling.html")
    page.evaluate(SHOW_ALL)
    for width, some in ((320, True), (1280, False), (320, True)):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function("some => some === !!document.querySelector('.too-wide')", arg=some, timeout=10_000)
    page.set_viewport_size(DESKTOP)
    page.wait_for_function("!document.querySelector('.math:is(.scrolls, .more-right, [tabindex])')", timeout=10_000)
    assert tab.errors == []


@pytest.mark.slow
def test_eighty_characters_of_code_fit_at_1440(book_url, visit):
    page = visit(viewport={"width": 1440, "height": 900}).open(f"{book_url}/book/ngram.html")
    fits = page.locator("article .cell_input pre").first.evaluate(
        """pre => { const one = document.createElement('span'); one.textContent = 'x'.repeat(80); pre.append(one);
             const wide = one.getBoundingClientRect().width; one.remove();
             const style = getComputedStyle(pre);
             return wide <= pre.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight); }"""
    )
    assert fits


@pytest.mark.slow
def test_search_shows_excerpts_on_a_server_and_from_files(book, book_url, visit):
    for address in (book_url, book.as_uri()):
        tab = visit()
        page = tab.open(f"{address}/search.html?q=perplexity")
        page.locator("#search-results p.context").first.wait_for()
        texts = page.locator("#search-results p.context").all_inner_texts()
        assert any("perplexity" in text.lower() for text in texts) and tab.errors == []
        # A formula stands in an excerpt once, as its TeX.
        assert not re.search(r"\\operatorname.*\\operatorname", " ".join(texts[:1]))


@pytest.mark.slow
def test_every_chapter_offers_its_notebook_with_outputs_and_its_source(book):
    chapters = [name for name in PAGES if "{code-cell}" in (ROOT / f"{name}.md").read_text(encoding="utf-8")]
    assert chapters
    for name in chapters:
        html = (book / f"{name}.html").read_text(encoding="utf-8")
        (address,) = set(re.findall(r'href="\.\./(_downloads/notebooks/[^"]+)"', html))
        notebook = json.loads((book / address).read_text(encoding="utf-8"))
        assert any(cell.get("outputs") for cell in notebook["cells"])
        assert f'href="../_sources/{name}.md"' in html and "Run this page" in html


MYST = (
    "{glue",
    ":::",
    "```{",
    "{cite}",
    "{doc}",
    "{eq}",
    "{numref}",
    "{ref}",
    "{py:",
    "{download}",
    "glue(",
    "myst_nb",
)
CHAPTERS = [name for name in PAGES if "{code-cell}" in (ROOT / f"{name}.md").read_text(encoding="utf-8")]


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS)
def test_notebook_that_readers_take_away_is_plain(name, book, monkeypatch):
    """That it runs by itself, with the same outputs, is the last step of `make test`."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "book" / "_ext")])
    file = book / f"_downloads/notebooks/{Path(name).name}.ipynb"
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    source = "\n\n".join(cell.source for cell in notebook.cells)
    macros = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]["formula_macros"]
    assert [
        sign
        for sign in (*MYST, *(rf"\{macro}" for macro in macros))
        if re.search(rf"{re.escape(sign)}(?![A-Za-z])", source)
    ] == []
    checks = [
        c
        for c in nbformat.read(ROOT / f"_build/notebooks/{file.name}", 4).cells
        if "remove-cell" in c.metadata.get("tags", [])
    ]
    assert not {cell.source for cell in checks} & {cell.source for cell in notebook.cells}
    words = re.sub(
        r"``.*?``|`.*?`|\\\$", "", "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    )
    formulas = importlib.import_module("formulas")
    for display, inline in re.findall(
        r"\$\$(.*?)\$\$|\$(.*?)\$", words, re.DOTALL
    ):  # each stands on its own, without macros
        formulas.set_formula(display or inline, bool(display), {})


@pytest.mark.slow
def test_reference_has_every_public_name_and_code_leads_to_it(book):
    for module in sorted((ROOT / "lmkit").glob("[a-z]*.py")):
        html = (book / f"book/reference/lmkit.{module.stem}.html").read_text(encoding="utf-8")
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                assert f'id="lmkit.{module.stem}.{node.name}"' in html, f"{module.stem}.{node.name}"
        assert not re.search(r'id="lmkit\.[\w.]*\._', html), f"{module.stem}: a private name"
        assert "<blockquote>" not in html, f"{module.stem}: an example has lost its lines"
    chapters = [book / f"{name}.html" for name in PAGES]
    assert sum(path.read_text(encoding="utf-8").count('class="code-link"') for path in chapters) > 20
    # A page's tree that names another document has all of Sphinx's environment in it, which is slow to write and to read.
    trees = list((book.parent / ".doctrees/book/reference").glob("*.doctree"))
    assert not [path.name for path in trees if "templates" in path.name]
    assert max(path.stat().st_size for path in trees) < 1_000_000


@pytest.mark.slow
def test_a_page_that_does_not_exist_leads_back_from_any_depth(book):
    html = (book / "404.html").read_text(encoding="utf-8")
    assert "This page does not exist" in html
    assert re.findall(r'(?:href|src|action)="(?![a-z]+:|[#/])[^"]*"', html) == []
    root = re.search(r'data-content_root="([^"]+)"', html)[1]
    for address in re.findall(r'(?:href|src|action)="(/[^"?#]*)', html):
        assert address.startswith(root) and (book / address.removeprefix(root)).exists(), address


@pytest.mark.slow
def test_pages_stay_light(book):
    """The icon fonts hold what is used; nothing brings back the scripts that are not needed."""
    static = book / "_static"
    assert sum(font.stat().st_size for font in static.glob("vendor/fontawesome/webfonts/*")) < 10_000
    assert not list(static.rglob("*fontawesome*.js")) and not list(static.rglob("*mathjax*"))
    for path in [*book.glob("book/*.html"), *book.glob("book/reference/*.html")]:
        html = path.read_text(encoding="utf-8")
        assert html.count('name="viewport"') == 1 and "searchindex.js" not in html, path.name
        assert not re.search(r'<script (?![^>]*defer)[^>]*\ssrc="(?![^"]*documentation_options)', html), path.name


@pytest.fixture
def pdf(book, monkeypatch):
    """The module that prints the book."""
    for needed in ("playwright.sync_api", "pypdf"):
        pytest.importorskip(needed)
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "book")])
    return importlib.import_module("pdf")


@pytest.mark.slow
def test_the_whole_book_is_one_page_whose_links_lead_to_a_place(pdf):
    html = pdf.assemble(ROOT / "_toc.yml", "Title", "subtitle", "author")
    ids = Counter(re.findall(r'<[^<>]* id="([^"]+)"', html))
    inside = set(map(unquote, re.findall(r'<a [^<>]*href="#([^"]+)"', html)))
    assert len(inside) > 500 and [place for place in inside if ids[place] != 1] == []
    lines = re.findall(r'<p class="page"><a href="#([^"]+)">(?:\d+\. )?(.*?)</a>', html)
    headings = [re.search(r"^# (.*)", (ROOT / f"{name}.md").read_text("utf-8"), re.M)[1] for name in PAGES[1:]]
    assert [unescape(words) for _, words in lines] == headings and html.count("<article") == len(PAGES)
    places = list(map(unescape, re.findall(r'data-page="([^"]+)"', html)))
    assert len(places) > 5 * len(lines) and {place for place, _ in lines} < set(places) <= set(map(unescape, ids))
    numbers = {place: i for i, place in enumerate(places, start=11)}
    assert re.findall(r"<span>(\d+)</span></p>", pdf.numbered(html, numbers)) == list(map(str, numbers.values()))
    with pytest.raises(KeyError, match=re.escape(places[0])):
        pdf.numbered(html, dict(list(numbers.items())[1:]))


@pytest.mark.slow
def test_pages_print_as_one_pdf(pdf, browser, tmp_path):
    """Three of them: all of them take minutes, and are printed wherever the book is published."""
    import pypdf

    chapters = PAGES[1:3]
    toc = {
        "format": "jb-book",
        "root": PAGES[0],
        "parts": [{"caption": "Part", "chapters": [{"file": c} for c in chapters]}],
    }
    (tmp_path / "toc.yml").write_text(yaml.safe_dump(toc), encoding="utf-8")
    pdf.print_book(browser, tmp_path / "toc.yml", tmp_path / "book.pdf")
    reader = pypdf.PdfReader(tmp_path / "book.pdf")
    sheets = [sheet.extract_text() for sheet in reader.pages]

    def titles(outline):
        for entry in outline:
            yield from titles(entry) if isinstance(entry, list) else [entry.title]

    outline, places = " ".join(titles(reader.outline)), reader.named_destinations
    first = reader.get_destination_page_number(places[f"/{chapters[0]}"])
    for name in chapters:
        heading = re.search(r"^# (.*)", (ROOT / f"{name}.md").read_text(encoding="utf-8"), re.M)[1]
        number = reader.get_destination_page_number(places[f"/{name}"]) + 1
        assert heading in outline and heading in sheets[number - 1]
        assert re.search(rf"{re.escape(heading)}\s*{number}\b", "\n".join(sheets[:first])), heading
    # Answers stand open, links inside lead to a place, the pages are numbered.
    last = "\n".join(sheets[number - 1 :])
    polls = (ROOT / f"{chapters[-1]}.md").read_text(encoding="utf-8").count("- [x]")
    assert last.count("Right. ") == polls > 0 and "Solution to" in last
    links = [a.get_object() for page in reader.pages for a in page.get("/Annots", [])]
    inside = [str(link["/Dest"]) for link in links if "/Dest" in link]
    assert len(inside) > 20 and set(inside) <= set(places)
    assert sheets[9].rstrip().endswith("10")


@pytest.mark.slow
def test_what_is_printed_is_copied_to_the_downloads(pdf, browser, tmp_path):
    site, out = tmp_path / "html", tmp_path / "book.pdf"
    for folder in ("book", "_downloads"):
        (site / folder).mkdir(parents=True)
    # In a process of its own, as `make pdf` is: two drivers of a browser do not fit into one.
    code = (
        f"import sys, pathlib; sys.path.append({str(ROOT / 'book')!r}); import pdf\n"
        f"pdf.SITE, pdf.OUT = pathlib.Path({str(site)!r}), pathlib.Path({str(out)!r})\n"
        "pdf.print_book = lambda chromium, toc, out: toc == pdf.ROOT / '_toc.yml' and chromium.new_page().pdf(path=out)\n"
        "sys.exit(pdf.main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == (site / "_downloads/book.pdf").read_bytes()
    assert done.stdout.startswith(f"{out.as_uri()}: 1 pages")


def test_without_a_browser_make_pdf_says_what_to_install(monkeypatch):
    environment = {"PATH": str(Path(sys.executable).parent), "HOME": "/nonexistent"}
    done = subprocess.run([sys.executable, ROOT / "book/pdf.py"], env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and "apt-get install chromium" in done.stderr and "Traceback" not in done.stderr


def test_pdf_shows_its_help_and_prints_nothing():
    done = subprocess.run([sys.executable, ROOT / "book/pdf.py", "--help"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("usage: pdf.py") and "one PDF" in done.stdout


@pytest.mark.slow
def test_paper_leaves_out_what_only_a_screen_has_and_keeps_tables_whole(visit, tmp_path):
    pypdf = pytest.importorskip("pypdf")
    shutil.copy(STATIC / "course.css", tmp_path)

    def table(name, rows):
        lines = "".join(f"<tr><th scope=row>{name}-{i}</th><td>1</td></tr>" for i in range(rows))
        return f"<table><thead><tr><th>head-{name}</th><th>p</th></tr></thead><tbody>{lines}</tbody></table>"

    short = [f"s{i}" for i in range(9)]
    body = "<p class=on-screen>Move it.</p><p>Words <span class=on-screen>press it</span> stay.</p>"
    body += table("long", 90) + "".join(f"<p>text</p>{table(name, 20)}" for name in short)
    html = (
        f"<!DOCTYPE html><html lang=en><link rel=stylesheet href=course.css><article class=bd-article>{body}</article>"
    )
    (tmp_path / "page.html").write_text(html, encoding="utf-8")
    page = visit().open((tmp_path / "page.html").as_uri())
    assert "Move it." in page.locator("article").inner_text()
    sheets = [sheet.extract_text() for sheet in pypdf.PdfReader(io.BytesIO(page.pdf())).pages]
    assert "Move it" not in "".join(sheets) and "press it" not in "".join(sheets) and "stay" in sheets[0]
    for name in short:
        assert len([sheet for sheet in sheets if re.search(rf"\b{name}-", sheet)]) == 1, name
    long = [sheet for sheet in sheets if "long-" in sheet.replace("head-long", "")]
    assert len(long) > 1 and all("head-long" in sheet for sheet in long)


@pytest.mark.slow
def test_book_works_when_opened_as_files(book, visit):
    """Formulas and widgets without a server; on the pages that have the most of each."""

    def count(name, pattern):
        return len(re.findall(pattern, (book / f"{name}.html").read_text(encoding="utf-8")))

    chosen = {max(PAGES, key=lambda name: count(name, pattern)) for pattern in ('class="math', "<lm-", "<img")}
    for name in chosen | {PAGES[0]}:
        tab = visit()
        page = tab.open((book / f"{name}.html").as_uri())
        assert wrong_formulas(page) + wrong_images(page) + silent_widgets(page) + tab.errors == []


# ------------------------------------------------------------------------------------------ the checks


@pytest.fixture
def broken(tmp_path, serve):
    """A function that serves a page with this body and returns its address."""

    def start(body):
        html = f"<!DOCTYPE html><html lang=en><title>t</title><main><article><h1>t</h1>{body}"
        (tmp_path / "page.html").write_text(html, encoding="utf-8")
        return f"{serve(tmp_path)}/page.html"

    return start


@pytest.mark.slow
@pytest.mark.parametrize(
    ("check", "body"),
    [
        (wrong_formulas, '<span class="math">\\(x\\)</span>'),
        (
            wrong_formulas,
            '<span class="math"><span class="katex-html" tabindex="0">x</span><math><annotation>x</annotation></math></span>',
        ),
        (wrong_images, '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'),
        (wrong_images, '<img alt="figure.svg" src="figure.svg">'),
        (inaccessible, '<p style="color:#bbb;background:#fff">pale</p>'),
        (inaccessible, "<input type=text>"),
        (cut_off, '<pre style="overflow:auto;width:100px">' + "x" * 80 + "</pre>"),
        (cut_off, '<div style="overflow:hidden;width:50px"><code>' + "x" * 80 + "</code></div>"),
        (cut_off, '<svg class="figure" style="width:3000px;height:9px"></svg>'),
        (formulas_that_scroll, '<p class="katex-display" style="overflow:auto;width:90px">' + "x" * 80 + "</p>"),
        (wider_than_the_screen, "<div style='width:3000px'>wide</div>"),
        (
            silent_widgets,
            "<lm-order class=lm-widget><script type='application/json'>{}</script>never defined</lm-order>",
        ),
        (
            silent_widgets,
            "<lm-order class=lm-widget role=group aria-label=x><input type=range><p role=status>same</p></lm-order>",
        ),
        (
            silent_widgets,
            "<lm-order class=lm-widget role=group aria-label=x><p class=lm-controls><button>b</button></p><p role=status>s",
        ),
        (closed_for_good, "<details><summary onclick='event.preventDefault()'>shut</summary>x</details>"),
        (
            closed_for_good,
            "<div class='admonition dropdown toggle-hidden'><button>b</button></div>",
        ),
    ],
)
def test_check_fails_on_a_broken_page(check, body, broken, visit):
    assert check(visit().open(broken(body))) != []


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<img alt="x" src="missing.png">',
        "<script>undefined.x</script>",
        "<script>console.error('x')</script>",
    ],
)
def test_visit_notes_what_a_reader_should_never_meet(body, broken, visit):
    tab = visit()
    tab.open(broken(body))
    assert tab.errors != []


@pytest.mark.slow
def test_no_page_reaches_what_is_not_its_server(broken, visit):
    tab, asked = visit(), broken("<p>x").replace("127.0.0.1", "localhost")  # which is there
    tab.open(broken(f"<iframe src='{asked}'></iframe>"))
    assert f"leaves the machine: {asked}" in tab.errors and f"failed: {asked}" in tab.errors


# -------------------------------------------------------------------------------------- the extensions


EXTENSIONS = sorted(path.stem for path in (ROOT / "book/_ext").glob("*.py"))


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A function that builds one page with the book's extensions and returns (html, warnings)."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "book" / "_ext")])

    def run(text, name="index.md", **options):
        (tmp_path / name).write_text(text, encoding="utf-8")
        warnings = io.StringIO()
        settings = {
            "extensions": ["myst_nb", *EXTENSIONS],
            "html_theme": "sphinx_book_theme",
            "html_theme_options": {},
            "myst_enable_extensions": ["colon_fence", "dollarmath", "tasklist"],
            "nb_execution_mode": "off",
            "exclude_patterns": ["_build", "out", "jupyter_execute"],
            "html_static_path": [str(STATIC)],
            **options,
        }
        with docutils_namespace():
            out, trees = tmp_path / "out", tmp_path / "doctrees"
            Sphinx(tmp_path, None, out, trees, "html", settings, None, warnings).build()
        return (tmp_path / "out" / "index.html").read_text(encoding="utf-8"), warnings.getvalue()

    return run


POLL = """# Page

:::{poll} Does $x$ hold?
Think first.

- [ ] Never.

  Because of $y$.

- [x] Always.

  > By definition.
:::
"""


@pytest.mark.slow
def test_poll_becomes_details_that_explain_themselves(build):
    html, warnings = build(POLL)
    assert warnings == ""
    options = re.findall(r'<details class="poll-option (\w+)"><summary>(.*?)</summary>(.*?)</details>', html, re.S)
    assert [(kind, label) for kind, label, _ in options] == [("wrong", "Never."), ("right", "Always.")]
    assert "No. </strong>Because of" in options[0][2] and "<math" in options[0][2]
    assert "Right. </strong>" in options[1][2] and "By definition." in options[1][2]
    assert "checkbox" not in html


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("[x]", "[ ]", "at least one right option"),
        ("[ ] Never.", "Never.", "begins with"),
        ("  > By definition.\n", "", "needs an explanation"),
        ("- [", "  [", "ends with a list"),
    ],
)
def test_poll_names_the_author_s_mistake(wrong, right, message, build):
    assert message in build(POLL.replace(wrong, right))[1]


@pytest.mark.slow
def test_figure_without_alt_text_is_a_warning_that_names_page_and_cell(build):
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    output = {"output_type": "display_data", "data": {"image/svg+xml": svg}, "metadata": {}}
    cell = {"cell_type": "code", "source": "draw()", "outputs": [output], "execution_count": 1, "id": "a"}
    plain = {**cell, "metadata": {}, "outputs": [], "id": "b"}
    described = {**cell, "metadata": {"mystnb": {"image": {"alt": "A dot"}}}, "id": "c"}
    heading = {"cell_type": "markdown", "source": "# Page", "metadata": {}, "id": "d"}
    for cells, expected in (([plain, {**cell, "metadata": {}}], True), ([plain, described], False)):
        notebook = {"cells": [heading, *cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        warnings = build(json.dumps(notebook), "index.ipynb")[1]
        assert ("index.ipynb" in warnings and "cell 2 draws a figure without alt text" in warnings) is expected


@pytest.mark.slow
def test_image_without_alt_text_is_a_warning(build):
    assert "picture.svg stands without alt text" in build("# Page\n\n![](picture.svg)\n")[1]


@pytest.mark.slow
def test_formula_is_set_and_can_be_heard(build, tmp_path):
    html, warnings = build("# Page\n\nBoth $x \\mid y$ and\n\n$$ E = m $$ (eq)\n\nSee {eq}`eq`.\n")
    assert warnings == ""
    assert html.count('class="katex-html" aria-hidden="true"') == 2
    assert re.search(r"<annotation[^>]*> *E = m *</annotation>", html) and 'class="eqno">(1)' in html
    assert "_static/katex/katex.css" in html and "mathjax" not in html.lower().replace(
        "tex2jax_ignore mathjax_ignore", ""
    )
    assert list((tmp_path / "out/_static/katex/fonts").glob("KaTeX_Main-Regular.woff2"))
    assert "katex.css" not in build("# Page\n\nNo formula.\n")[0]


@pytest.mark.slow
def test_a_page_that_has_not_changed_leads_to_the_new_package(build, tmp_path, monkeypatch):
    """Else each change of ``lmkit`` would leave pages behind whose package is not there any more."""
    publish, wheels = importlib.import_module("publish"), []
    executed = tmp_path / "_build" / "notebooks" / "index.ipynb"
    executed.parent.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")]), executed)
    page = "---\nkernelspec: {name: python3, display_name: Python 3}\n---\n# Page\n\n```{code-cell}\n1\n```\n"
    for label in ("spring", "autumn"):
        monkeypatch.setattr(publish, "write_readers_wheel", lambda folder, label=label: made(folder, label))
        html, _ = build(page)
        wheels.append(re.findall(r"lmkit-(\w+)\.whl", html))
    assert [set(found) for found in wheels] == [{"spring"}, {"autumn"}]


def made(folder, label):
    path = folder / f"lmkit-{label}.whl"
    path.write_bytes(b"")
    return path


@pytest.mark.slow
def test_formula_that_cannot_be_read_is_a_warning_with_page_and_line(build):
    warnings = build("# Page\n\nText.\n\n$$ \\undefined{x} $$\n")[1]
    assert "index.md:5" in warnings and "Undefined control sequence" in warnings


def test_figure_becomes_part_of_the_page(build):
    figures = importlib.import_module("figures")
    svg = """<?xml version="1.0"?><svg xmlns:xlink="x" width="72pt" height="36pt" viewBox="0 0 72 36">
      <defs><path id="a" d=""/></defs><use xlink:href="#a" style="fill: #0072b2"/>
      <g clip-path="url(#a)"><text>word</text></g></svg>"""
    html = figures.inline(svg, 'bars of "words"', "f1-")
    assert 'role="img" aria-label="bars of &quot;words&quot;" style="width: 96px"' in html and "<?xml" not in html
    assert 'id="f1-a"' in html and 'href="#f1-a"' in html and "url(#f1-a)" in html
    assert "fill: var(--ink-blue)" in html and "<text>word</text>" in html


@pytest.mark.slow
def test_a_sign_in_a_font_that_no_browser_has_is_a_warning(build, tmp_path):
    sign = "<text><tspan style=\"font-family: '{}'\">0</tspan></text>"
    for font in ("cmsy10", "DejaVu Sans"):
        (tmp_path / "a.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{sign.format(font)}</svg>')
        assert ("TeX's font cmsy10" in build("# Page\n\n![a prime](a.svg)\n")[1]) == (font == "cmsy10")


def test_code_leads_to_the_reference_where_the_name_is_the_package_s(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "book" / "_ext")])
    names = importlib.import_module("codelinks").Names()
    code = (
        "from lmkit import ngram\nfrom lmkit.decoding import sample\nsample(ngram.NgramLM.fit(x))\nsample = 3\nsample"
    )
    names.visit(ast.parse(code))
    places = {(line, full) for line, _, _, full in names.places}
    assert {
        (0, "lmkit.ngram"),
        (1, "lmkit.decoding.sample"),
        (2, "lmkit.decoding.sample"),
        (2, "lmkit.ngram.NgramLM.fit"),
    } <= places
    assert not any(line == 4 for line, _ in places)  # the page has given the name another meaning


def test_page_without_what_must_be_changed_stops_the_build(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "book" / "_ext")])
    with pytest.raises(ExtensionError, match="one viewport is enough"):
        importlib.import_module("pages").mend("<head></head><body></body>", search_page=True)


@pytest.mark.slow
def test_widget_brings_its_own_script_and_one_without_a_script_is_named(build):
    html, warnings = build("# Page\n\n<lm-sampler></lm-sampler>\n")
    assert warnings == "" and "widgets/shared.js" in html and "widgets/sampler.js" in html and "shannon" not in html
    assert "there is no book/_static/widgets/nosuch.js" in build("# Page\n\n<lm-nosuch></lm-nosuch>\n")[1]
    assert "widgets/" not in build("# Page\n\nNone.\n")[0]


HANDOUT = r"""# Page

It is {glue:text}`n` of `x_1`, *one* $P(x_\bos \mid
\eos)$ and a\*. [Move *it*.]{.on-screen}

See {eq}`a`, [a page](https://example.org), 30 000.

$$ \softmax x = 1 $$ (a)

:::{admonition} Loose
:class: lecture
Words:

$$
a \\
= b
$$
:::

:::{poll} Does $x$ hold?
- [ ] *Never*, `a` < 1.

  Because.

- [x] Always.

  - By definition.
:::

1. One

   more
2. Two

| a | b |
|---|---|
| 1 | $x$ |

```{exercise} By hand
:label: ex
Try.
```

```{solution-start} ex
:class: dropdown
```
"""
HANDED = r"""# Page

It is 7 in ten of `x_1`, *one* $P(x_{\langle b\rangle} \mathrel{|} \langle e\rangle)$ and a\*.

See (1), [a page](https://example.org), 30~000.

$$
\operatorname{softmax} x = 1 \tag{1}
$$

> **Loose**
>
> Words:
>
> $$ a \\ = b $$

**Does $x$ hold?**

<details><summary><em>Never</em>, <code>a</code> &lt; 1.</summary>

**No.** Because.

</details>

<details><summary>Always.</summary>

**Right.**

- By definition.

</details>

1. One

   more
2. Two

| a | b |
|---|---|
| 1 | $x$ |

**Exercise 1** (By hand)

Try.

<em>Solution to Exercise 1 (By hand): the folded cell below.</em>""".replace("~", "\u00a0")


@pytest.fixture
def hand_out(build, tmp_path):
    """A function that builds a page from cells and returns (the notebook that readers get, warnings)."""

    def run(*cells):
        notebook = nbformat.v4.new_notebook(
            cells=list(cells),
            metadata={
                "kernelspec": {"name": "python3", "display_name": "P"},
                "language_info": {"name": "python", "pygments_lexer": "ipython3"},
                "jupytext": {},
            },
        )
        text = nbformat.writes(notebook)
        (tmp_path / "_build/notebooks").mkdir(parents=True, exist_ok=True)
        (tmp_path / "_build/notebooks/index.ipynb").write_text(text)
        _, warnings = build(
            text,
            "index.ipynb",
            extensions=["myst_nb", "sphinx_exercise", *EXTENSIONS],
            myst_enable_extensions=["attrs_inline", "colon_fence", "dollarmath", "tasklist"],
            formula_macros={
                "bos": r"\langle b\rangle",
                "eos": r"\langle e\rangle",
                "mid": r"\mathrel{|}\nobreak",
                "softmax": r"\operatorname{softmax}",
            },
            numfig=True,
        )
        return nbformat.read(tmp_path / "out/_downloads/notebooks/index.ipynb", as_version=4), warnings

    return run


@pytest.mark.slow
def test_notebook_for_readers_is_the_page_in_plain_markdown(hand_out):
    record = "application/papermill.record/"
    glued = nbformat.v4.new_output(
        "display_data",
        {f"{record}text/plain": "'7 in ten'"},
        metadata={"scrapbook": {"name": "n", "mime_prefix": record}},
    )
    code, text = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    handed, warnings = hand_out(
        text(HANDOUT),
        code("from myst_nb import glue\nx = 1", metadata={"tags": ["hide-input"]}),
        code("assert x; glue('n', 7)", outputs=[glued], metadata={"tags": ["remove-cell"]}),
        text("After.\n\n```{solution-end}\n```\n\nThe end."),
        code("x + 1", execution_count=3),
    )
    assert warnings == ""
    assert [cell.cell_type for cell in handed.cells] == ["markdown", "code", "markdown", "code"]
    assert handed.cells[0].source == HANDED
    assert handed.cells[1].source == "x = 1"
    assert handed.cells[1].metadata.jupyter == {"source_hidden": True, "outputs_hidden": True}
    assert handed.cells[2].source == (
        "<details><summary>Solution to Exercise 1 (By hand)</summary>\n\nAfter.\n\n</details>\n\nThe end."
    )
    assert (handed.cells[3].source, handed.cells[3].execution_count, handed.cells[3].metadata) == ("x + 1", 3, {})
    assert set(handed.metadata) == {"kernelspec", "language_info"}


@pytest.mark.slow
def test_what_the_readers_notebook_cannot_hold_is_a_warning(hand_out):
    text = "# Page\n\nWords[^1].\n\n[^1]: Below.\n"
    assert "handout.py does not know how to write a footnote" in hand_out(nbformat.v4.new_markdown_cell(text))[1]


@pytest.mark.slow
def test_links_of_the_readers_notebook_lead_to_the_site_where_it_has_an_address(build, tmp_path):
    cell = nbformat.v4.new_markdown_cell("# Page\n\nSee {doc}`other` and {py:mod}`none`.\n")
    text = nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))
    (tmp_path / "_build/notebooks").mkdir(parents=True)
    (tmp_path / "_build/notebooks/index.ipynb").write_text(text)
    (tmp_path / "other.md").write_text("# Other\n")
    for address, link in (
        ("", "Other"),
        ("https://owner.example/book/", "[Other](https://owner.example/book/other.html)"),
    ):
        build(text, "index.ipynb", html_baseurl=address)
        cells = nbformat.read(tmp_path / "out/_downloads/notebooks/index.ipynb", as_version=4).cells
        page = next(cell for cell in cells if cell.cell_type == "markdown")
        assert page.source == f"# Page\n\nSee {link} and `none`."


@pytest.mark.slow
def test_numbers_do_not_break_in_prose(build):
    html, warnings = build(
        "# Page\n\nOf 1 120 000 calls in 2024 100 were 95 % `10 000`, 1.5 300, $3 000$.\n\n    10 000\n"
    )
    assert warnings == ""
    assert "Of 1\u00a0120\u00a0000 calls in 2024 100 were 95\u00a0% " in html and "1.5 300" in html
    assert "10 000\n</pre>" in html and not re.search("(?:10|3)\u00a0000", html)  # code and formulas stay as they are


@pytest.mark.slow
def test_reference_keeps_examples_and_takes_no_sentence_for_a_type(build, tmp_path, monkeypatch):
    (tmp_path / "shown.py").write_text(
        '"""About: it.\n\nWith an example:\n\n    a -> 3 b | 2 *c*   ``d``\n\n    second\n\nEnd *here*.\n"""\n'
        'NAME = 1\n"""What comes after it: this, or that."""\n\n\n'
        'class Thing:\n    """A thing.\n\n    Attributes:\n        x: the *first*: one\n            or two.\n    """\n\n'
        '    @property\n    def total(self):\n        """Of all columns: their sum."""\n\n\n'
        'class Pair(__import__("typing").NamedTuple):\n    """Two."""\n\n    left: int  # (T,), the one: left\n    right: int\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "shown", raising=False)
    html, warnings = build("# Page\n\n```{eval-rst}\n.. automodule:: shown\n   :members:\n```\n")
    assert warnings == ""
    assert "<blockquote>" not in html and "Type:" not in html and "Type<" not in html
    assert "a -&gt; 3 b | 2 *c*   ``d``\n\nsecond\n</pre>" in html and "End <em>here</em>" in html
    assert "What comes after it: this, or that." in html and "Of all columns: their sum." in html
    assert "(T,), the one: left" in html and "Alias for" not in html and "shown.Pair.right" in html


@pytest.mark.slow
def test_everything_that_depends_on_the_address_follows_from_one_line(build, tmp_path):
    notebooks = tmp_path / "_build/notebooks"
    notebooks.mkdir(parents=True)
    (notebooks / "index.ipynb").write_text(
        json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    )
    plain = build("# Page\n\nText.\n")[0]
    for word in ("colab.research", "mybinder", 'rel="canonical"', "og:image", "/edit/"):
        assert word not in plain
    assert "Sitemap" not in (tmp_path / "out/robots.txt").read_text()
    html, warnings = build("# Page\n\nText.\n", html_theme_options={"repository_url": "https://github.com/Owner/book"})
    assert warnings == ""
    assert "https://colab.research.google.com/github/Owner/book/blob/notebooks/index.ipynb" in html
    assert "https://mybinder.org/v2/gh/Owner/book/notebooks?urlpath=lab/tree/index.ipynb" in html
    assert "https://github.com/Owner/book/edit/main/index.md" in html
    assert '<link rel="canonical" href="https://owner.github.io/book/index.html"' in html
    assert 'content="https://owner.github.io/book/_static/card.png"' in html
    assert "<loc>https://owner.github.io/book/index.html</loc>" in (tmp_path / "out/sitemap.xml").read_text()
    assert "Sitemap: https://owner.github.io/book/sitemap.xml" in (tmp_path / "out/robots.txt").read_text()
    assert 'href="/book/index.html"' in (tmp_path / "out/404.html").read_text()
    first = json.loads((tmp_path / "out/_downloads/notebooks/index.ipynb").read_text())["cells"][0]
    wheel = next((tmp_path / "out/_downloads").glob("lmkit-*.whl"))
    assert f"https://owner.github.io/book/_downloads/{quote(wheel.name)}" in "".join(first["source"])
    assert "git+" not in html
