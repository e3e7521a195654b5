"""Students' Markdown and the feedback page: nothing live, formulas without a network, the sentence that helps first."""

import html
import re

import pytest
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from lmkit.grading import COURSE
from lmkit.grading.drawing import render
from lmkit.grading.feedback import Mark, make_page
from lmkit.grading.markup import LEFT_OUT, formula, to_html
from lmkit.grading.outcome import Kind, Outcome, TestResult
from lmkit.grading.release import load_config

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
LONG = r"\frac{\partial}{\partial p_1} = " + " + ".join(rf"\frac{{n_{i}}}{{p_{i}}}" for i in range(14))
PAYLOADS = [
    "<script>window.hit=1</script>",
    "<img src=x onerror='window.hit=1'>",
    "<svg onload=window.hit=1>",
    "[click](javascript:window.hit=1)",
    "[click](JaVaScRiPt&#58;window.hit=1)",
    "[click](data:text/html;base64,PHNjcmlwdD4=)",
    '![x](x"onerror=window.hit=1)',
    "![x](https://example.org/track.png)",
    "<javascript:window.hit=1>",
    "[x]: javascript:window.hit=1\n\n[x]",
    "$\\href{javascript:window.hit=1}{x}$",
    "$\\text{</math><script>window.hit=1</script>}$",
    '$$\\class{a" onmouseover="window.hit=1}{x}$$',
    "$\\style{background:url(https://example.org/)}{x}$",
    "```html\n</code></pre><script>window.hit=1</script>\n```",
    "<iframe srcdoc='<script>parent.hit=1</script>'>",
    "<style>*{display:none}</style>",
    "<base href='https://example.org/'>",
    "<meta http-equiv=refresh content='0;url=https://example.org/'>",
]


def test_formulas_become_mathml():
    assert formula(r"\frac{a}{b}") == (
        '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline">'
        "<mrow><mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac></mrow></math>"
    )
    for tex in (
        r"\sum_{i=1}^V p_i = 1",
        r"P(w_t \mid w_{<t})",
        r"\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        r"\mathbb{E}[x]",
    ):
        assert formula(tex).startswith("<math") and "\\" not in formula(tex)
    assert to_html("$$\na^2\n$$").count("<msup>") == to_html("\\begin{align}\na^2\n\\end{align}").count("<msup>") == 1


@pytest.mark.parametrize("tex", ["\\frac{", "{" * 5000, "\\left(", "", "&", "\\begin{x}"])
def test_a_formula_that_cannot_be_read_is_shown_as_it_is(tex):
    made = formula(tex)
    assert made.startswith(("<math", '<code class="tex">'))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markdown_is_not_live(payload):
    made = to_html(payload)
    tags = re.findall(r"<\s*([a-zA-Z]+)([^>]*)>", made)
    assert not {tag for tag, _ in tags} & {"script", "img", "svg", "iframe", "style", "base", "meta"}, made
    for _, attributes in tags:
        assert not re.search(r"\bon\w+\s*=|javascript|data:|style\s*=|class\s*=\s*.a", attributes, re.IGNORECASE), made


def test_pasted_pictures_are_shown_and_others_are_not():
    attachments = {"a.png": {"image/png": PNG}, "b.svg": {"image/svg+xml": "PHN2Zz4="}}
    made = to_html("![mine](attachment:a.png) ![b](attachment:b.svg) ![c](attachment:c.png)", attachments)
    assert made.count("<img") == 1 and 'alt="mine"' in made and made.count("a picture that is not shown") == 2


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("my notes.png", "![x](attachment:my%20notes.png)"),
        ("my notes.png", "![x](<attachment:my notes.png>)"),
        ("über.png", "![x](attachment:über.png)"),
        ("a.png", "<img src='attachment:a.png' alt='x' width=500>"),
        ("a.png", "<img src='attachment:a.png' alt=x src=b.png data-src=c.png>"),
        ("a.png", "<center>\n\n<IMG alt=x\nsrc=attachment:a.png />\n\n</center>"),
    ],
)
def test_a_pasted_picture_is_shown_however_it_is_written(name, source):
    assert f'<img src="data:image/png;base64,{PNG}" alt="x">' in to_html(source, {name: {"image/png": PNG}})


@pytest.mark.parametrize(
    "tag", ["<b onclick=alert(1)>", '<img src="attachment:b.png" onload=x>', "<a href='javascript:x'>", "<div>"]
)
def test_raw_html_is_the_text_that_it_is(tag):
    """And what stands between two tags is Markdown, formulas too."""
    made = to_html(f"{tag}\n*so* $p_1$", {"a.png": {"image/png": PNG}})
    assert made.startswith(f"<p>{html.escape(tag)}\n<em>so</em> <math") and made.count("<msub>") == 1


def test_a_picture_that_is_named_a_thousand_times_is_shown_three_times():
    for source in ("![x](attachment:a.png)", "<img alt=x src=attachment:a.png>"):
        made = to_html(f"{source}\n" * 500, {"a.png": {"image/png": PNG}})
        assert made.count("<img ") == 3 and made.count("[the same picture once more: x]") == 497


def test_long_and_deep_markdown_ends():
    for source in ("> " * 20_000 + "x", "*" * 60_000, "[" * 50_000, "`" * 59_999 + "a", "x" * 100_000, "- " * 10_000):
        assert to_html(source)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_table_is_not_filled_up_without_end(end):
    """Each row that is too short is filled up to the width of the head: columns times lines."""
    for columns in (25, 200, 1500):
        head = "|a" * columns + end + "|-" * columns + end
        assert len(to_html(head + ("|" + end) * ((20_000 - len(head)) // (1 + len(end))))) < 500_000
    assert to_html("|a|b|\n|-|-|\n|1|2|\n").count("<td>") == 2


@pytest.mark.slow
def test_a_thousand_cells_that_are_slow_to_set_end_somewhere(monkeypatch):
    """Some are set, some shown as they are, the rest is left out and said; the same in formgrader, but for answers."""
    cells = [new_markdown_cell("*a_" * 5000 + "<b>") for _ in range(900)] + [
        new_code_cell("a = 1\n" * 4000) for _ in range(90)
    ]
    cells.append(cell(new_markdown_cell, "I *think*", "why", 5, solution=True))
    notebook, set_by_us = new_notebook(cells=cells), []
    page = make_page(notebook, {"why": Mark(0, 5, waiting=True)}, "mallory")
    shown = [one["html"] for one in page.cells if "html" in one]
    escaped = sum("&lt;b&gt;" in html for html in shown)
    assert (
        len(shown) == 901 and 20 < escaped < 30 and LEFT_OUT in shown[899] and "<em>think</em>" in page.written[0].html
    )
    assert len(render(page)) < 3_000_000
    monkeypatch.setattr("lmkit.grading.markup.to_html", lambda source, _: set_by_us.append(source) or "SET")
    config = load_config(COURSE)
    notebook.cells = [c for c in cells if c.cell_type == "markdown"]
    text, _ = HTMLExporter(config=config).from_notebook_node(notebook)
    assert len(set_by_us) < 20 and set_by_us[-1] == "I *think*" and LEFT_OUT in text and len(text) < 2_000_000


def cell(make, source, grade_id, points=None, solution=False, outputs=()):
    metadata = {"grade_id": grade_id, "grade": points is not None, "solution": solution, "schema_version": 3}
    metadata |= {"points": points} if points is not None else {}
    made = make(source, metadata={"nbgrader": metadata | {"locked": not solution, "task": False}})
    if outputs:
        made.outputs = list(outputs)
    return made


@pytest.fixture
def graded():
    failed = new_output("error", ename="AssertionError", evalue="wrong sign <b>", traceback=["secret hidden line"])
    notebook = new_notebook(
        cells=[
            new_markdown_cell("# Homework 7"),
            new_markdown_cell("## Part 1 · Sums\n\n### 1.1 Add (3 points)"),
            cell(new_code_cell, "def add(a, b):\n    return a - b", "add", solution=True),
            cell(new_code_cell, "assert visible\nassert secret", "test_add", 3, outputs=[failed]),
            new_markdown_cell("### 1.2 Multiply (2 points)"),
            cell(new_code_cell, "def mul(a, b):\n    return a * b", "mul", solution=True),
            cell(new_code_cell, "assert secret2", "test_mul", 2),
            new_markdown_cell("## Part 2 · Words"),
            cell(
                new_markdown_cell, f"Because $a<b$ and ${LONG}$.\n\n" + "\n\n".join(PAYLOADS), "why", 5, solution=True
            ),
        ]
    )
    marks = {"test_add": Mark(0, 3), "test_mul": Mark(2, 2), "why": Mark(0, 5, waiting=True)}
    return notebook, marks


def test_the_page_says_first_what_was_lost(graded):
    page = make_page(*graded, "alice")
    assert (page.points, page.max_points, page.waiting) == (2, 5, 5)
    assert [(part.title, part.points, part.max_points, part.waiting) for part in page.parts] == [
        ("Part 1 · Sums", 2, 5, 0),
        ("Part 2 · Words", 0, 0, 5),
    ]
    (lost,) = page.failed
    assert (lost.title, lost.sentence) == ("1.1 Add", "wrong sign <b>") and "a - b" in lost.answer
    text = render(page)
    assert "wrong sign &lt;b&gt;" in text and "not yet read" in text and "0 / 5" not in text
    assert "secret" not in text


def test_outcomes_penalties_and_comments_are_told(graded):
    notebook, marks = graded
    marks |= {"why": Mark(4, 5, comment="Nice & short."), "add": Mark(0, 0, comment="Look at the sign.")}
    sentence = "Your notebook ran out of time in part 1.1."
    page = make_page(notebook, marks, "alice", Outcome("alice", "hw", Kind.TIMED_OUT, sentence, sandbox="none"))
    page.penalty = 1.0
    text = render(page)
    assert page.points == 5 and page.waiting == 0
    for words in (sentence, "1 points were taken off", "Nice &amp; short.", "Look at the sign.", "without a sandbox"):
        assert words in text


def test_comments_are_markdown_too(graded):
    notebook, marks = graded
    marks |= {name: Mark(0, 5, comment="See **this**: $a^2$ <script>1</script>") for name in ("why", "test_add")}
    text = render(make_page(notebook, marks, "alice"))
    assert text.count("See <strong>this</strong>: <math") == 2 and "<script" not in text


def test_outputs_are_text_or_png(graded):
    notebook, marks = graded
    notebook.cells[2].outputs = [
        new_output("stream", text="\x1b[31mred\x1b[0m <script>"),
        new_output("display_data", data={"text/html": "<script>1</script>", "text/plain": "a table"}),
        new_output("display_data", data={"image/png": PNG}),
        new_output("display_data", data={"image/png": '"><script>'}),
        new_output("display_data", data={"image/svg+xml": "<svg onload=1>", "application/javascript": "1"}),
    ]
    text = render(make_page(notebook, marks, "alice"))
    assert "red &lt;script&gt;" in text and "a table" in text and "<script" not in text and "<svg" not in text
    assert text.count("<img") == 2  # beside the sentence, and in the whole notebook


def test_the_title_is_the_homeworks_own(graded):
    notebook, marks = graded
    own = new_markdown_cell("# </title> Mine")
    own.id = "own-0"
    notebook.cells.insert(0, own)
    assert make_page(notebook, marks, "alice").title == "Homework 7"


def test_a_mistake_that_is_paid_for_elsewhere_is_said(graded):
    notebook, marks = graded
    tests = (TestResult("test_add", 0, 3), TestResult("test_mul", 2, 2, "wrong", helped=True))
    page = make_page(notebook, marks, "alice", Outcome("alice", "hw", Kind.GRADED, "", tests))
    (item,) = page.passed
    assert item.title == "1.2 Multiply" and "costs nothing" in item.sentence and item.sentence in render(page)


TURNS = "Because \u202eright to left&#x2066;."


def test_no_text_is_turned_around(graded):
    notebook, marks = graded
    notebook.cells[2].source += f"  # {TURNS}"
    notebook.cells[-1].source = TURNS
    marks["add"] = Mark(0, 0, comment=TURNS)
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", render(make_page(notebook, marks, "alice")))


def test_foreign_words_in_hebrew_stay_apart(graded):
    notebook, marks = graded
    notebook.cells[-1].source = words = "כי \u2066a * (b + \u2067ג\u2069)\u2069 הוא"
    assert words in render(make_page(notebook, marks, "alice"))


def test_formgrader_is_safe_and_needs_no_network(graded, tmp_path):
    notebook, _ = graded
    notebook.cells += [
        new_markdown_cell(TURNS),
        new_code_cell(f"# {TURNS}\u2066"),
        new_code_cell('x = "\u2067" + a - b + "\u2069"'),
        cell(new_markdown_cell, TURNS, "how", 5, solution=True),
    ]
    config = load_config(COURSE)
    config.HTMLExporter.template_name = "formgrade"  # as formgrader sets it
    about = dict.fromkeys(("assignment_id", "notebook_id", "submission_id", "last_name", "first_name", "base_url"), "")
    resources = {**about, "nbgrader": {}, "index": 0, "total": 1, "mathjax_url": "", "next_index": 0, "prev_index": 0}
    page, _ = HTMLExporter(config=config).from_notebook_node(notebook, resources)
    assert "<msup>" not in page and page.count("<math") >= 1 and "MathJax" not in page
    assert not re.search(r"(src|srcdoc)=.?(https?:|//)", page)
    body = page.split('id="notebook-container"')[-1]
    live = re.sub(r"&lt;.*?&gt;", "", body, flags=re.DOTALL)
    assert "window.hit=1</script>" not in live and "onerror='" not in live
    assert not re.search(r"<(svg|iframe|base|meta)\b", body) and 'href="javascript' not in body.lower()
    assert "right to left" in body and not re.search("[\u202a-\u202e\u2066-\u2069]", body)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"viewport": {"width": 390, "height": 844}}, {"color_scheme": "dark"}])
def test_in_a_browser_nothing_runs_and_nothing_is_asked_for(graded, visit, tmp_path, options):
    (tmp_path / "page.html").write_text(render(make_page(*graded, "alice")), encoding="utf-8")
    tab = visit(**options)
    page = tab.open(f"file://{tmp_path}/page.html")
    wide = page.locator(".wide").first
    page.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true })")
    for link in page.locator("a").all():
        assert link.get_attribute("href").startswith(("https://", "http://", "#"))
    assert page.evaluate("() => window.hit") is None
    box = wide.bounding_box()
    assert box["x"] + box["width"] <= page.viewport_size["width"]
    assert wide.evaluate("e => e.scrollWidth > e.clientWidth") == (page.viewport_size["width"] < 400)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("math mo").first.bounding_box()["width"] > 0
    assert tab.errors == []
