"""The built book in a real browser, and the small extensions and widgets that make it.

Every check of a page is a function that returns what is wrong: so it can be shown to fail on a broken page.
"""

import functools
import io
import json
import math
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit

import numpy as np
import pytest
from conftest import ROOT
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace
from sphinx_external_toc.parsing import parse_toc_yaml

from lmkit.plotting import widget

STATIC = ROOT / "book" / "_static"
PAGES = list(parse_toc_yaml(ROOT / "_toc.yml"))
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
WIDGETS = "lm-order, lm-sampler, lm-shannon, lm-smoothing, lm-temperature"


# --------------------------------------------------------------------------------- what a page must be


def wrong_formulas(page):
    """Formulas that MathJax left as text or could not read."""
    return page.evaluate(
        """() => [...document.querySelectorAll('.math')]
            .filter(m => !m.querySelector('mjx-container') || m.querySelector('mjx-merror, [data-mjx-error]'))
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


@functools.cache
def axe_script():
    """The accessibility checker, as the wheel carries it."""
    from axe_playwright_python.base import AXE_SCRIPT

    return AXE_SCRIPT


def inaccessible(page):
    """What axe-core objects to: WCAG 2.2 A and AA, and its best practices."""
    page.evaluate(axe_script())
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
        if "_static" in path.parts:
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
    for picture in page.locator("article img[src$='.svg']").all():
        if "invert" not in picture.evaluate("i => getComputedStyle(i).filter"):
            wrong.append("dark: a figure keeps its dark ink")
    wrong += silent_widgets(page) + closed_for_good(page) + wider_than_the_screen(page)
    assert wrong + tab.errors == []


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
            '<span class="math"><mjx-container><mjx-merror>?</mjx-merror></mjx-container></span>',
        ),
        (wrong_images, '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">'),
        (wrong_images, '<img alt="figure.svg" src="figure.svg">'),
        (inaccessible, '<p style="color:#bbb;background:#fff">pale</p>'),
        (inaccessible, "<input type=text>"),
        (wider_than_the_screen, "<div style='width:3000px'>wide</div>"),
        (silent_widgets, "<lm-order><script type='application/json'>{}</script>never defined</lm-order>"),
        (
            silent_widgets,
            "<lm-order role=group aria-label=x><input type=range><p role=status>same</p></lm-order>",
        ),
        (
            silent_widgets,
            "<lm-order role=group aria-label=x><p class=lm-controls><button>b</button></p><p role=status>s",
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


# ----------------------------------------------------------------------------------------- the widgets


@pytest.fixture
def show(tmp_path, serve, visit):
    """A function that opens a page with one widget."""

    def start(name, data, **options):
        for file in ("widgets.js", "course.css"):
            (tmp_path / file).write_bytes((STATIC / file).read_bytes())
        (tmp_path / "page.html").write_text(
            "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>t</title>"
            "<link rel=stylesheet href=course.css><script defer src=widgets.js></script>"
            f"<main><h1>t</h1>{widget(name, data, '<p>In words.</p>').data}</main>",
            encoding="utf-8",
        )
        tab = visit(**options)
        page = tab.open(f"{serve(tmp_path)}/page.html")
        assert tab.errors == []
        return page.locator(f"lm-{name}")

    return start


def bar_texts(element):
    return [re.sub(r"\s+", " ", text) for text in element.locator(".lm-bars li").all_inner_texts()]


BIGRAM = {
    "": [["the", 0.75], ["a", 0.25]],
    "the": [["cow", 1.0]],
    "a": [["cow", 1.0]],
    "cow": [["<eos>", 1.0]],
}
SAMPLER = {"models": [{"label": "bigram", "order": 2, "next": BIGRAM}], "seed": 3}


@pytest.mark.slow
def test_sampler_rolls_each_word_as_often_as_the_die_says(show):
    element = show("sampler", SAMPLER)
    assert bar_texts(element) == ["the 75 %", "a 25 %"]
    the = element.evaluate(
        """e => { const roll = e.querySelector('button'); let the = 0;
                  for (let i = 0; i < 4000; i++) {  // first word, second word, end, new sentence
                    roll.click(); the += e.querySelector('[role=status]').textContent.includes('“the”');
                    roll.click(); roll.click(); roll.click(); }
                  return the; }"""
    )
    assert abs(the - 3000) < 5 * math.sqrt(4000 * 0.75 * 0.25)


@pytest.mark.slow
def test_sampler_repeats_itself_for_a_seed_and_moves_its_context(show):
    element = show("sampler", SAMPLER)
    runs = []
    for _ in range(2):
        element.get_by_role("button", name="Reset").press("Enter")
        said = []
        for _ in range(3):
            element.get_by_role("button", name="Roll", exact=True).press("Space")
            said.append(element.get_by_role("status").inner_text())
        runs.append(said)
    assert runs[0] == runs[1]
    assert "“cow” (100 %)" in runs[0][1]
    assert "over" in element.inner_text()
    element.get_by_label("Seed").fill("4")
    element.get_by_label("Seed").press("Enter")
    assert "Seed 4" in element.get_by_role("status").inner_text()


@pytest.mark.slow
def test_sampler_says_that_a_context_was_never_seen(show):
    element = show("sampler", {"models": [{"label": "bigram", "order": 2, "next": {"": [["the", 1.0]]}}]})
    element.get_by_role("button", name="Roll", exact=True).click()
    assert "“the” was never seen" in element.inner_text()


@pytest.mark.slow
def test_order_spells_out_the_numbers_of_each_n(show):
    sizes = [
        {"label": "small", "train": [80, 10, 5], "test": [82, 14, math.inf]},
        {"label": "large", "train": [81, 12, 6], "test": [81.5, 12.5, 6.5]},
    ]
    element = show("order", {"orders": [1, 2, 3], "sizes": sizes, "best": 4.2})
    slider = element.get_by_role("slider", name="Order n")
    slider.press("ArrowRight")
    assert "n = 2: training perplexity 10, test perplexity 14, best possible 4.2" in element.inner_text()
    assert slider.get_attribute("aria-valuetext") == "2"
    slider.press("End")
    assert "test perplexity ∞" in element.inner_text()
    element.get_by_label("Training text").select_option("large")
    assert "n = 3: training perplexity 6, test perplexity 6.5" in element.inner_text()


@pytest.mark.slow
def test_smoothing_moves_mass_and_names_the_best_value(show):
    counts, values = np.array([3, 1, 0]), np.array([0.01, 1.0, 100.0])
    smoothed = [(counts + k) / (counts.sum() + k * 5) for k in values]  # two more words stay unseen
    contexts = [{"context": "cows eat", "words": ["corn", "hay", "if"], "mle": counts / 4, "smoothed": smoothed}]
    element = show("smoothing", {"parameter": "k", "values": values, "test": [9, 7, 8], "contexts": contexts})
    assert bar_texts(element) == [
        "corn 44 % (was 75 %)",  # (3 + 1) / (4 + 5)
        "hay 22 % (was 25 %)",
        "if 11 % (was 0 %)",
        "all others 22 % (was 0 %)",
    ]
    element.get_by_role("slider", name="k").press("End")
    assert "k = 100: test perplexity 8; the lowest here is 7, at k = 1." in element.inner_text()


@pytest.mark.slow
def test_shannon_game_counts_bits_and_perplexity(show):
    items = [
        {"prefix": "I saw a", "choices": [["van", 0.125], ["awe", 0.5]], "answer": "van"},
        {"prefix": "cows eat", "choices": [["grass", 0.5], ["books", 0.0]], "answer": "grass"},
    ]
    element = show("shannon", {"model": "bigram", "items": items})
    element.get_by_role("button", name="awe").press("Enter")
    assert "a surprisal of 3 bits. Its perplexity so far: 8. You: 0 of 1 right." in element.inner_text()
    element.page.keyboard.press("Enter")  # the focus waits on "Next"
    element.get_by_role("button", name="grass").click()
    assert "a surprisal of 1 bits. Its perplexity so far: 4. You: 1 of 2 right." in element.inner_text()


@pytest.mark.slow
def test_temperature_is_the_softmax_of_scaled_logits(show):
    logits = np.array([2.0, 1.0, -math.inf])
    element = show("temperature", {"words": ["a", "b", "c"], "logits": logits})
    for key, temperature in (("ArrowUp", 2**0.25), ("Home", 0.125), ("End", 8.0)):
        element.get_by_role("slider").press(key)
        weights = np.exp((logits - 2) / temperature)
        p = weights / weights.sum()
        shown = [float(text.split()[1]) / 100 for text in bar_texts(element)]
        np.testing.assert_allclose(shown, p, atol=0.0051)
        entropy = -sum(q * math.log2(q) for q in p if q > 0)
        assert f"the entropy is {entropy:.2f} bits of at most 1.58" in element.inner_text()


@pytest.mark.slow
def test_widget_leaves_its_fallback_where_there_is_no_javascript(show):
    element = show("temperature", {"words": ["a"], "logits": [0]}, java_script_enabled=False)
    assert element.inner_text() == "In words."


def test_widget_writes_json_that_a_browser_can_read():
    data = {"x": np.array([1.5, np.inf]), 3: (np.int64(2), "</script>"), "flag": True}
    html = widget("order", data, "<p>text</p>").data
    text = re.search(r'<lm-order><script type="application/json">(.*?)</script>', html).group(1)
    assert json.loads(text) == {"x": [1.5, None], "3": [2, "</script>"], "flag": True}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sampl", {}, "x"), "name must be one of"),
        (("order", {"x": [math.nan]}, "x"), "NaN"),
        (("order", {}, " "), "fallback is empty"),
    ],
)
def test_widget_refuses_what_it_cannot_show(arguments, message):
    with pytest.raises(ValueError, match=message):
        widget(*arguments)


# -------------------------------------------------------------------------------------- the extensions


@pytest.fixture
def build(tmp_path, monkeypatch):
    """A function that builds one page with the book's extensions and returns (html, warnings)."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "book" / "_ext")])

    def run(text, name="index.md"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        warnings = io.StringIO()
        settings = {
            "extensions": ["myst_nb", "sphinx.ext.mathjax", "accessibility", "assets", "poll"],
            "myst_enable_extensions": ["colon_fence", "dollarmath", "tasklist"],
            "nb_execution_mode": "off",
            "html_static_path": [str(STATIC)],
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


def test_poll_becomes_details_that_explain_themselves(build):
    html, warnings = build(POLL)
    assert warnings == ""
    options = re.findall(r'<details class="poll-option (\w+)"><summary>(.*?)</summary>(.*?)</details>', html, re.S)
    assert [(kind, label) for kind, label, _ in options] == [("wrong", "Never."), ("right", "Always.")]
    assert "No. </strong>Because of" in options[0][2] and "\\(y\\)" in options[0][2]
    assert "Right. </strong>" in options[1][2] and "By definition." in options[1][2]
    assert "checkbox" not in html


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


def test_image_without_alt_text_is_a_warning(build):
    assert "picture.svg stands without alt text" in build("# Page\n\n![](picture.svg)\n")[1]


def test_assets_bring_mathjax_along_and_nothing_from_elsewhere(build, tmp_path):
    html, warnings = build("# Page\n\n$x$\n")
    assert warnings == ""
    assert "_static/mathjax/tex-chtml.js" in html and "https://cdn" not in html
    mathjax = tmp_path / "out/_static/mathjax"
    assert (mathjax / "tex-chtml.js").is_file() and (mathjax / "input/tex/extensions/boldsymbol.js").is_file()
    assert sum(file.stat().st_size for file in mathjax.rglob("*") if file.is_file()) < 2.5e6
