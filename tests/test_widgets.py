"""The book's widgets in a real browser: each answers to mouse, keyboard and finger, and its numbers are those of its page."""

import io
import json
import math
import re
from collections import Counter
from itertools import product

import numpy as np
import pytest
import torch
from conftest import ROOT
from test_engine import read_with_switches

from lmkit import autodiff, compute, corpora, decoding
from lmkit.batches import pad_sequences
from lmkit.bpe import learn_merges, split_pieces
from lmkit.grammar import Grammar
from lmkit.grammar_rules import as_data
from lmkit.linear_recurrence import sequential_scan
from lmkit.ngram import ModifiedKneserNey, NgramLM
from lmkit.plotting import table, widget
from lmkit.positions import RotaryPositions
from lmkit.recurrent import RecurrentConfig, RecurrentLM
from lmkit.tagging import SequenceTagger
from lmkit.tokenizers import WordTokenizer, split_words
from lmkit.transformer import TransformerConfig, TransformerLM

STATIC = ROOT / "book" / "_static"
NAMES = sorted(path.stem for path in (STATIC / "widgets").glob("*.js") if path.stem not in ("shared", "engine"))
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def show(tmp_path, serve, visit):
    """A function that opens a page with one widget."""

    def start(name, data, weights=None, **options):
        files = [STATIC / "course.css", *(STATIC / "widgets").iterdir()]
        for file in files:
            text = re.sub(r"@font-face *{.*?}", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)  # type: the site's
            (tmp_path / file.name).write_text(text, encoding="utf-8")
        sheets = "".join(f"<link rel=stylesheet href={file.name}>" for file in files if file.suffix == ".css")
        weights = WEIGHTS.get(name) if weights is None else weights
        scripts = ("shared", *(["engine"] if weights else []), name)
        loaded = "".join(f"<script defer src={script}.js></script>" for script in scripts)
        (tmp_path / "page.html").write_text(
            f"<!DOCTYPE html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>t</title>{sheets}{loaded}"
            f"<main class=bd-article><h1>t</h1>{widget(name, data, '<p>In words.</p>', weights).data}</main>",
            encoding="utf-8",
        )
        tab = visit(**options)
        page = tab.open(f"{serve(tmp_path)}/page.html")
        assert tab.errors == []
        return page.locator(f"lm-{name}")

    return start


def bar_texts(element):
    return [re.sub(r"\s+", " ", text).strip() for text in element.locator(".lm-bars li").all_inner_texts()]


BIGRAM = {
    "": [["the", 0.75], ["a", 0.25]],
    "the": [["cow", 1.0]],
    "a": [["cow", 1.0]],
    "cow": [["<eos>", 1.0]],
}
SAMPLER = {"models": [{"label": "bigram", "order": 2, "next": BIGRAM}], "seed": 3}
SMOOTHING = {
    "parameter": "k",
    "values": [0.01, 1.0, 100.0],
    "held_out": [5.5, 4.5, 5.0],
    "contexts": [
        {
            "context": "cows eat",
            "words": ["corn", "hay"],
            "types": 2,
            "mle": [0.75, 0.25],
            "smoothed": [[0.74, 0.248], [4 / 9, 2 / 9], [0.204, 0.2]],
            "seen": [0.988, 6 / 9, 0.404],
        }
    ],
}
SHANNON = {
    "model": "bigram",
    "items": [
        {"prefix": "I saw a", "choices": [["van", 0.125], ["awe", 0.5], ["an", 1e-100]], "answer": "van"},
        {"prefix": "cows eat", "choices": [["grass", 0.25], ["corn", 0.25], ["fish", 1e-4]], "answer": "grass"},
    ],
}
SURPRISAL = {
    "models": ["n = 1", "truth"],
    "sentences": [
        {
            "label": "first",
            "words": ["cows", "eat", "<eos>"],
            "marks": [False, True, False],
            "bits": [[6, 3.25, 1], [5, 0, 1]],
        },
        {"label": "second", "words": ["go", "<eos>"], "marks": [False, False], "bits": [[math.inf, 1], [2, 1]]},
    ],
}
GRAPH = {
    "graphs": [
        {
            "label": "every operation",
            "nodes": [
                {"name": "a", "value": 0.5, "place": [0, 0]},
                {"name": "b", "value": -1.5, "place": [2, 0]},
                {"name": "c", "op": "mul", "of": ["a", "b"], "place": [0, 1]},
                {"name": "s", "op": "sigmoid", "of": ["c"], "place": [0, 2]},
                {"name": "e", "op": "exp", "of": ["a"], "place": [3, 1]},
                {"name": "t", "op": "add", "of": ["e", "s", "e"], "place": [1, 3]},
                {"name": "l", "op": "log", "of": ["t"], "place": [1, 4]},
                {"name": "n", "op": "nlog", "of": ["s"], "place": [0, 4]},
                {"name": "m", "op": "sub", "of": ["l", "n"], "place": [1, 5]},
                {"name": "q", "op": "square", "of": ["b"], "place": [3, 5]},
                {"name": "L", "op": "add", "of": ["m", "q", "a"], "place": [2, 6]},
            ],
        },
        {
            "label": "a square",
            "nodes": [
                {"name": "x", "value": 1.5, "place": [0, 0]},
                {"name": "L", "op": "mul", "of": ["x", "x"], "place": [0, 1]},
            ],
        },
    ]
}
_WEIGHTS = np.random.default_rng(0)
NETWORK = {  # two numbers for each of five words, three hidden units
    "E": _WEIGHTS.normal(size=(5, 2)).astype(np.float16),
    "W": _WEIGHTS.normal(size=(3, 6)).astype(np.float16),
    "b_h": _WEIGHTS.normal(size=3).astype(np.float16),
    "U": _WEIGHTS.normal(size=(5, 3)).astype(np.float16),
    "b_y": _WEIGHTS.normal(size=5).astype(np.float16),
}
WINDOW = {
    "vocab": ["<bos>", "the", "cow", "cows", "eat"],
    "bos": 0,
    "frames": [
        {
            "label": "first",
            "slots": [
                {"label": "Subject", "options": ["cow", "cows"]},
                {"options": ["eat"]},
                {"options": ["the"]},
                {"label": "Last", "options": ["cow", "cows", "the"]},
            ],
            "groups": [{"label": "eat", "ids": [4]}, {"label": "cow, cows", "ids": [2, 3]}],
            "exact": [[[1], [0, 0]]] * 3 + [[[0.25], [0, 0.75]]] * 3,
            "ngram": [[0.5, 0.25]] * 6,
            "wrong": [0.5] * 3 + [0.625] * 3,
        },
        {
            "label": "second",
            "slots": [{"options": ["the"]}, {"options": ["cow"]}, {"options": ["eat"]}],
            "groups": [{"label": "the", "ids": [1]}],
            "exact": [[[1]]],
            "ngram": [[0.125]],
            "wrong": [0.875],
        },
    ],
}
TEMPERATURE = {"words": ["a", "b", "c"], "logits": [2.0, 1.0, -math.inf]}
DESCENT = {
    "places": [1, 2, 4],
    "number": [10, 8, 6],
    "ends": [2, 2, 6],
    "contours": [[[-3.0, 0.0], [-2.0, 0.5], [-3.0, 1.0]]],
    "frame": [-4.0, 1.0, -1.0, 12.0],
    "lowest": [-2.0, 5.0],
    "loss": 0.3,
    "rates": [0.5, 2.0, 400.0],
    "rate": 0,
    "momenta": [0, 0.9],
    "sizes": [1, 4, 24],
    "size": 2,
}
ONE = {"W_hh": [[1]], "b_h": [0], "W_hy": [[1]], "b_y": [0]}
UNROLL = {
    "networks": [
        {"label": "sum", "answer": "sum", "inputs": [[2], [-0.5]], "W_xh": [[1]], **ONE},
        {
            "label": "pairs",
            "answer": "yes",
            "inputs": [[2, -2], [0, 3.5]],
            "W_xh": [[1, -1]],
            **ONE,
            "W_hy": [[5], [0]],
            "b_y": [0, 0],
        },
    ]
}
BUDGET = {
    "presets": [{"label": "small", "L": 2, "d": 64, "h": 2}, {"label": "large", "L": 96, "d": 12_288, "h": 96}],
    "V": 50_257,
    "T": 2048,
    "at": 0,
    "tokens": [1e9, 3e11],
    "read": 1,
    "processors": [1, 1000],
    "many": 1,
    "peaks": [["V100", 125e12], ["A100", 312e12]],
    "utilisation": 0.4,
    "dollars": 2,
    "law": [1.8172, 482.01, 2085.43, 0.3478, 0.3658],
}
MASK = {
    "before": np.random.default_rng(0).normal(size=(3, 4, 2)).tolist(),
    "after": np.random.default_rng(1).normal(size=(3, 4, 2)).tolist(),
}
MASK["after"] = [[*old[:3], new[3]] for old, new in zip(MASK["before"], MASK["after"], strict=True)]
CLOCKS = {"q": [1, 0, 2, 1], "k": [0, 1, 1, -1], "omega": [1, 0.1], "query": 12, "key": 7, "length": 20}
FARM = Grammar(
    "S -> 2 ANIMAL eats/v it/p ./. | 1 a:WHO and/c b:WHO-a eat/v ./.\nANIMAL: n cow dog cat\nWHO: n anna bella clara"
)
FARM_WORDS = WordTokenizer([FARM.words])
READER = RecurrentLM(RecurrentConfig(FARM_WORDS.vocab_size, "lstm", 4, 40), seed=3)
READER.load_state_dict({name: (4 * w).half().float() for name, w in READER.state_dict().items()})
GATES = {
    "vocab": FARM_WORDS.vocab,
    "bos": FARM_WORDS.bos_id,
    "grammar": as_data(FARM.rules),
    "text": "cow eats",
    "unit": 7,
    "units": 40,
}
WATCHED = TransformerLM(
    TransformerConfig(FARM_WORDS.vocab_size, 9, 2, 3, 12, "convolution", qk_norm=True, tied=False), seed=3
)
for weight in WATCHED.parameters():  # with opinions, and neighbours that matter
    weight.data = 3 * weight.data + 0.2 * torch.randn(weight.shape, generator=torch.Generator().manual_seed(2))
WATCHED.load_state_dict({name: w.half().float() for name, w in WATCHED.state_dict().items()})
EXPLORER = {
    "vocab": FARM_WORDS.vocab,
    "bos": FARM_WORDS.bos_id,
    "layers": 2,
    "heads": 3,
    "qk": True,
    "grammar": as_data(FARM.rules),
    "longest": 8,
    "examples": [
        {"label": "one", "text": "cow eats it", "at": 2, "look": "1.0"},
        {"label": "two", "text": "anna and bella eat .", "at": 3, "look": "0.2"},
    ],
}
DECODER = {
    "vocab": FARM_WORDS.vocab,
    "bos": FARM_WORDS.bos_id,
    "eos": FARM_WORDS.eos_id,
    "grammar": as_data(FARM.rules),
    "text": "cow",
    "temperatures": [0, 0.5, 1, 2],
    "ks": [1, 2, 5, FARM_WORDS.vocab_size],
    "ps": [0.5, 0.9, 1],
}
BACKWARDS = {
    "W": [[0, 1], [-1, 0]],
    "x": [[1, 0.5], [-2, 0], [0.5, 1], [0, -1]],
    "v": [0.6, 0.8],
    "radii": [0.4, 1, 2.1],
    "radius": 1,
    "strengths": [0, 1],
    "strength": 0,
    "marks": [1, 4],
}
INSECTS = Grammar(
    "S -> 1 time/n flies/v WHERE | 1 time/n flies/n WHERE bite/v the/d dog/n\nWHERE -> 2 near/p the/d gate/n"
)
INSECT_WORDS = WordTokenizer([INSECTS.words])
TAGGERS = {
    prefix: SequenceTagger(
        RecurrentConfig(INSECT_WORDS.vocab_size, "lstm", 4, 5, bidirectional=prefix == "two"), 4, seed
    )
    for prefix, seed in (("one", 1), ("two", 2))
}
for tagger in TAGGERS.values():  # with opinions, as a trained one has, and in half precision
    tagger.load_state_dict({name: (4 * w).half().float() for name, w in tagger.state_dict().items()})
TAGGER = {
    "vocab": INSECT_WORDS.vocab,
    "words": INSECTS.words,
    "tags": "nvpd",
    "grammar": as_data(INSECTS.rules),
    "text": "time flies near ",
}
WEIGHTS = {
    "gates": READER.state_dict(),
    "decoder": READER.state_dict(),
    "window": NETWORK,
    "explorer": WATCHED.state_dict(),
    "tagger": {f"{prefix}.{name}": w for prefix, tagger in TAGGERS.items() for name, w in tagger.state_dict().items()},
}
SCAN = {"a": [0.5, 1, 0, 0.5, -1, 2, 0.25, 1, 1, 0.5, 1], "b": [1, 2, 3, -1, 1, 0, 4, 2, 1, 1, 8]}
ATTEND = {
    "vocab": ["<bos>", "<eos>", "a", "b"],
    "bos": 0,
    "eos": 1,
    "source": "ab",
    "longest": 3,
    "steps": [
        {"id": 3, "p": 0.75, "weights": [0.125, 0.625, 0.25], "context": [0.5, -0.25]},
        {"id": 2, "p": 0.5, "weights": [0.5, 0.375, 0.125], "context": [0.25, 0]},
        {"id": 1, "p": 0.25, "weights": [0.25, 0.25, 0.5], "context": [1, 0]},
    ],
}
SAMPLES = {
    "clocks": CLOCKS,
    "mask": MASK,
    "merges": {"text": "the cat sat on the mat"},
    "budget": BUDGET,
    "gates": GATES,
    "decoder": DECODER,
    "explorer": EXPLORER,
    "backwards": BACKWARDS,
    "scan": SCAN,
    "tagger": TAGGER,
    "attend": ATTEND,
    "unroll": UNROLL,
    "graph": GRAPH,
    "descent": DESCENT,
    "sampler": SAMPLER,
    "smoothing": SMOOTHING,
    "shannon": SHANNON,
    "surprisal": SURPRISAL,
    "temperature": TEMPERATURE,
    "window": WINDOW,
}


# ------------------------------------------------------------------------------------------------ every widget


def test_every_widget_has_a_sample_here():
    assert sorted(SAMPLES) == NAMES


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_widget_fits_a_phone_and_answers_a_finger(name, show):
    element = show(name, SAMPLES[name], viewport=PHONE, has_touch=True)
    page = element.page
    for control in element.locator("button, select, input").all():
        box = control.bounding_box()
        assert box["height"] >= 24 and box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    before = element.inner_text()
    if element.locator("button").count():
        element.locator("button").first.tap()
    else:
        box = element.locator("input[type=range]").first.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    changed = "([element, before]) => element.innerText !== before"  # a model may have to come first
    page.wait_for_function(changed, arg=[element.element_handle(), before], timeout=30_000)
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.lm-widget *')].filter(e => e.children.length === 0 && e.textContent.trim())
            .map(e => [e.textContent, e.getBoundingClientRect()])
            .filter(([, r]) => r.width && (r.left < 0 || r.right > innerWidth)).map(([text]) => text)"""
    )
    small = page.evaluate(
        """() => [...document.querySelectorAll('.lm-widget *')].filter(e => e.children.length === 0 && e.textContent.trim())
            .filter(e => parseFloat(getComputedStyle(e).fontSize) < 11).map(e => e.textContent)"""
    )
    assert cut == [] and small == [] and page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_widget_leaves_its_fallback_where_there_is_no_javascript(name, show):
    assert show(name, SAMPLES[name], java_script_enabled=False).inner_text() == "In words."


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_widget_printed_has_no_controls_and_is_not_empty(name, show):
    element = show(name, SAMPLES[name])
    assert "In words." not in element.inner_text()
    element.page.emulate_media(media="print")
    for control in element.locator(".lm-controls, .lm-typing, input, select").all():
        assert not control.is_visible()
    if name in ("decoder", "explorer", "gates", "tagger", "window"):  # its model comes with the first touch
        assert element.inner_text() == "In words."
    else:
        assert len(element.inner_text().split("\n")) > 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "untouched", "printed", "button", "touched"),
    [
        ("scan", "round 0 of 7", "round 7 of 7", "Next round", "round 1 of 7"),
        ("merges", "22 tokens after 0 merges", "8 tokens after 10 merges", "Merge", "after 1 merge;"),
        ("descent", "After 0 steps", "After 200 steps", "One step", "After 1 step:"),
    ],
)
def test_what_begins_with_a_button_is_printed_as_it_ends_and_then_stands_where_it_stood(
    name, untouched, printed, button, touched, show
):
    pypdf = pytest.importorskip("pypdf")
    element = show(name, SAMPLES[name])
    said = element.locator(".lm-said")

    def paper():
        return " ".join(pypdf.PdfReader(io.BytesIO(element.page.pdf())).pages[0].extract_text().split())

    assert untouched in said.inner_text() and printed in paper() and untouched in said.inner_text()
    element.get_by_role("button", name=button, exact=True).click()
    before = element.inner_html()
    assert touched in said.inner_text() and (printed if name == "scan" else touched) in paper()
    assert element.inner_html() == before
    # A browser that tells of it more often than it should.
    for told in (["afterprint"], ["beforeprint", "beforeprint", "afterprint", "afterprint"]):
        element.evaluate("(_, told) => told.forEach((name) => window.dispatchEvent(new Event(name)))", told)
        assert element.inner_html() == before


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 900}])
def test_typing_has_room_between_its_controls(show, viewport):
    element = show("gates", GATES, viewport=viewport)
    field = element.get_by_label("Your sentence").bounding_box()
    again = element.get_by_role("button", name="Start again").bounding_box()
    assert again["y"] - (field["y"] + field["height"]) >= 4 or again["x"] - (field["x"] + field["width"]) >= 4


def test_widget_writes_json_that_a_browser_can_read():
    data = {"x": np.array([1.5, np.inf]), 3: (np.int64(2), "</script>"), "flag": True}
    html = widget("sampler", data, "<p>text</p>").data
    text = re.search(r'<lm-sampler class="lm-widget"><script type="application/json">(.*?)</script>', html).group(1)
    assert json.loads(text) == {"x": [1.5, None], "3": [2, "</script>"], "flag": True}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("lm-sampler", {}, "x"), "name must be"),
        (("sampler", {"x": [math.nan]}, "x"), "NaN"),
        (("sampler", {}, " "), "fallback is empty"),
    ],
)
def test_widget_refuses_what_it_cannot_show(arguments, message):
    with pytest.raises(ValueError, match=message):
        widget(*arguments)


def test_table_for_readers_on_paper():
    html = table(["word", "p"], [["<eos>", 0.5]])
    assert html == (
        "<table><thead><tr><th scope='col'>word</th><th scope='col'>p</th></tr></thead>"
        "<tbody><tr><th scope='row'>&lt;eos&gt;</th><td>0.5</td></tr></tbody></table>"
    )
    with pytest.raises(ValueError, match="rows must have 2 entries"):
        table(["word", "p"], [["a"]])


@pytest.mark.slow
def test_probabilities_are_written_as_the_cells_print_them(show):
    page = show("shannon", SHANNON).page
    written = [page.evaluate(f"lm.probability({p})") for p in (0, 1e-100, 1e-4, 0.00034, 0.0005, 0.0625, 0.1, 1)]
    assert written == ["0", "10⁻¹⁰⁰", "10⁻⁴", "3.4 · 10⁻⁴", "0.001", "0.063", "0.100", "1.000"]


# ---------------------------------------------------------------------------------------------------- each one


@pytest.mark.slow
def test_sampler_rolls_each_word_as_often_as_the_die_says(show):
    element = show("sampler", SAMPLER)
    assert bar_texts(element) == ["the 0.750", "a 0.250"]
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
    assert "“cow”, which had probability 1.000" in runs[0][1]
    assert "over" in element.inner_text() and "<eos>" not in element.inner_text()
    element.get_by_label("Seed").fill("4")
    element.get_by_label("Seed").press("Enter")
    assert "Seed 4" in element.get_by_role("status").inner_text()


@pytest.mark.slow
def test_sampler_says_that_a_context_was_never_seen_and_that_a_sentence_ended_before_it_began(show):
    element = show("sampler", {"models": [{"label": "bigram", "order": 2, "next": {"": [["the", 1.0]]}}]})
    element.get_by_role("button", name="Roll", exact=True).click()
    assert "“the” was never seen" in element.inner_text()
    element = show("sampler", {"models": [{"label": "unigram", "order": 1, "next": {"": [["<eos>", 1.0]]}}]})
    element.get_by_role("button", name="Roll", exact=True).click()
    assert "The very first roll was the end" in element.inner_text() and "<eos>" not in element.inner_text()


@pytest.mark.slow
def test_sampler_begins_after_given_words_and_comes_back_to_them(show):
    element = show("sampler", {**SAMPLER, "start": ["a", "cow"]})
    first = "The die after “cow” has 1 face"
    assert element.locator(".lm-text").inner_text() == "a cow ▁" and first in element.inner_text()
    element.get_by_role("button", name="Roll", exact=True).click()
    assert "The sentence is over" in element.inner_text() and "very first" not in element.inner_text()
    element.get_by_role("button", name="Roll", exact=True).click()  # another sentence
    assert element.locator(".lm-text").inner_text() == "a cow ▁" and first in element.inner_text()
    element.get_by_role("button", name="Roll to the end").click()
    assert "The model wrote: a cow" in element.inner_text()
    element.get_by_role("button", name="Reset").click()
    assert element.locator(".lm-text").inner_text() == "a cow ▁"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"), [(125, "The model wrote: "), (300, "The model wrote, and has not come to the end: ")]
)
def test_sampler_says_so_where_a_sentence_has_not_come_to_its_end(show, words, said):
    """Of 3000 sentences that the die of the first chapter rolls the longest has 125 words."""
    faces = {f"w{i}": [[f"w{i + 1}", 1.0]] for i in range(1, words)} | {
        "": [["w1", 1.0]],
        f"w{words}": [["<eos>", 1.0]],
    }
    element = show("sampler", {"models": [{"label": "bigram", "order": 2, "next": faces}]})
    element.get_by_role("button", name="Roll to the end").click()
    rolled = " ".join(f"w{i}" for i in range(1, min(words, 200) + 1))
    assert element.get_by_role("status").inner_text() == said + rolled


@pytest.mark.slow
def test_sampler_draws_the_faces_that_share_a_bar_pale(show):
    faces = [[f"w{i}", 0.1] for i in range(10)]
    element = show("sampler", {"models": [{"label": "unigram", "order": 1, "next": {"": faces}}]})
    assert bar_texts(element)[-1] == "2 others 0.200"
    pale = element.locator(".lm-bar").evaluate_all("all => all.map(bar => getComputedStyle(bar).opacity)")
    assert pale == ["1"] * 8 + ["0.35"]


@pytest.mark.slow
def test_smoothing_moves_mass_and_names_the_best_value(show):
    element = show("smoothing", SMOOTHING)
    assert bar_texts(element) == ["corn 0.444, was 0.750", "hay 0.222, was 0.250"]  # (3 + 1) / (4 + 5)
    assert element.locator(".lm-share").inner_text().split("\n") == ["seen 0.667", "unseen 0.333"]
    assert "k = 1: 4.500 nats per held-out token. No other step is lower." in element.inner_text()
    element.get_by_role("slider", name="k").press("End")
    assert "k = 100: 5.000 nats per held-out token. The lowest is 4.500, at k = 1." in element.inner_text()
    widest = element.locator(".lm-pale").first
    track = element.locator(".lm-track").first
    assert widest.bounding_box()["width"] > 0.95 * track.bounding_box()["width"]  # bars fill the room they have


@pytest.mark.slow
def test_smoothing_draws_losses_over_the_logarithm_and_names_the_ends_and_the_best(show):
    values, losses = [0.01, 0.1, 1.0, 100.0], [5.5, 5.25, 4.5, 5.0]
    context = {**SMOOTHING["contexts"][0], "smoothed": [[0.5, 0.3]] * 4, "seen": [0.8] * 4}
    element = show("smoothing", {**SMOOTHING, "values": values, "held_out": losses, "contexts": [context]})
    dots = element.locator(".lm-curve circle").evaluate_all(
        "all => all.map(c => [+c.getAttribute('cx'), +c.getAttribute('cy')])"
    )
    for place, measured in ((0, np.log(values)), (1, -np.array(losses))):
        drawn = np.array(dots)[:, place]
        expected = (measured - measured[0]) / (measured[-1] - measured[0])
        np.testing.assert_allclose((drawn - drawn[0]) / (drawn[-1] - drawn[0]), expected, rtol=1e-9, atol=1e-12)
    labels = element.locator(".lm-ends > span")
    assert [text.split("\n") for text in labels.all_inner_texts()] == [
        ["k = 0.01", "5.500"],
        ["k = 1", "4.500, best"],
        ["k = 100", "5.000"],
    ]
    for label, (x, _) in zip(labels.all(), (dots[0], dots[2], dots[3])):
        box, curve = label.bounding_box(), element.locator(".lm-curve svg").bounding_box()
        dot = curve["x"] + curve["width"] * x / 600
        assert box["x"] - 1 < dot < box["x"] + box["width"] + 1  # a pixel for rounding


@pytest.mark.slow
def test_smoothing_drops_the_label_of_an_end_that_the_best_would_cover(show):
    sample = {**SMOOTHING, "held_out": [4.5, 5.0, 5.5]}
    assert show("smoothing", sample).locator(".lm-ends > span").all_inner_texts() == [
        "k = 0.01\n4.500, best",
        "k = 100\n5.500",
    ]
    near = {**SMOOTHING, "values": [0.01, 0.03, 100.0], "held_out": [5.0, 4.5, 5.5]}
    assert show("smoothing", near).locator(".lm-ends > span").all_inner_texts() == [
        "k = 0.03\n4.500, best",
        "k = 100\n5.500",
    ]


@pytest.mark.slow
def test_shannon_game_counts_bits_and_how_often_the_guess_was_the_model_s(show):
    element = show("shannon", SHANNON)
    element.get_by_role("button", name="awe").press("Enter")
    assert "gave it 0.125 and pays 3.00 bits. You named its likeliest word 1 time of 1." in element.inner_text()
    assert bar_texts(element) == ["van 0.125, 3.00 bits", "awe 0.500, 1.00 bits", "an 10⁻¹⁰⁰, 332.19 bits"]
    element.page.keyboard.press("Enter")  # the focus waits on "Next"
    assert element.get_by_role("status").inner_text() == "Guess 2 of 2: which word comes next?"  # no old verdict
    element.get_by_role("button", name="corn").click()
    assert "your guess was as good" in element.inner_text()
    right, tied, _ = (bar.bounding_box()["width"] for bar in element.locator(".lm-bar").all())
    assert abs(right - tied) < 0.5  # equal probabilities, equal bars, though one is in bold
    assert "pays 2.00 bits, 2.50 a word so far. You named its likeliest word 2 times of 2." in element.inner_text()
    element.page.keyboard.press("Enter")
    element.get_by_role("button", name="an", exact=True).click()
    assert "You named its likeliest word 0 times of 1." in element.inner_text()
    assert "erplexity" not in element.inner_text()


@pytest.mark.slow
def test_surprisal_shows_each_word_for_each_model(show):
    element = show("surprisal", SURPRISAL)
    assert "n = 1: 3.417 bits per token of this sentence; at the underlined word eat 3.25." in element.inner_text()
    assert element.locator(".lm-bits").all_inner_texts() == ["6.0", "3.3", "1.0"]
    element.get_by_role("slider").press("ArrowRight")
    assert "truth: 2.000 bits per token of this sentence; at the underlined word eat 0.00." in element.inner_text()
    element.get_by_label("Sentence").select_option("second")
    element.get_by_role("slider").press("Home")
    assert "n = 1: ∞ bits per token" in element.inner_text()


ENGINE = {
    "mul": lambda a, b: a * b,
    "add": lambda *terms: sum(terms),
    "sub": lambda a, b: a - b,
    "square": lambda a: a * a,
    "exp": autodiff.Value.exp,
    "log": autodiff.Value.log,
    "nlog": lambda a: -a.log(),
    "sigmoid": lambda a: 1 / (1 + (-a).exp()),
}


def differentiated(nodes, changed):
    """Value and gradient of each node by ``lmkit.autodiff``, with some inputs changed."""
    values = {}
    for node in nodes:
        if "op" in node:
            values[node["name"]] = ENGINE[node["op"]](*(values[name] for name in node["of"]))
        else:
            values[node["name"]] = autodiff.Value(changed.get(node["name"], node["value"]))
    values[nodes[-1]["name"]].backward()
    return values


def boxes(element):
    """Name, value and gradient of each node, as they are drawn."""
    texts = element.locator("svg g").evaluate_all(
        "them => them.map(g => [...g.children].map(c => c.textContent).slice(1))"
    )
    return {name: [float(number.replace("−", "-")) for number in numbers] for name, *numbers in texts}


@pytest.mark.slow
def test_graph_has_the_values_and_gradients_of_the_engine_wherever_the_inputs_are(show):
    element = show("graph", GRAPH)
    element.get_by_role("button", name="Show all").click()
    nodes = GRAPH["graphs"][0]["nodes"]
    for changed in ({}, {"a": 2.0}, {"a": 2.0, "b": -2.0}, {"b": -2.0, "a": 0.0}):
        for name, value in changed.items():
            element.get_by_label("Input").select_option(name)
            element.get_by_role("slider").press({2.0: "End", -2.0: "Home", 0.0: "Home"}[value])
            if value == 0:
                for _ in range(20):
                    element.get_by_role("slider").press("ArrowRight")
        for name, expected in differentiated(nodes, changed).items():
            value, gradient = boxes(element)[name]
            assert abs(value - expected.data) <= 6e-4 * max(1, abs(expected.data))
            assert abs(gradient - expected.grad) <= 6e-4 * max(1, abs(expected.grad))
        for name in list(changed)[-1:]:  # the input that was moved last
            assert re.search(rf"At {name} = \S+, ∂L/∂{name} = \S+\. If", element.inner_text())


@pytest.mark.slow
def test_graph_speaks_of_the_input_that_is_chosen(show):
    element = show("graph", GRAPH)
    said = element.locator(".lm-said")
    element.get_by_role("button", name="Show all").click()
    last_step = said.inner_text()
    element.get_by_label("Input").select_option("b")
    assert said.inner_text() == last_step  # nothing has been moved: the walk's last step stands there
    element.get_by_label("b", exact=True).press("ArrowRight")
    for name in ("b", "a"):
        element.get_by_label("Input").select_option(name)
        assert said.inner_text().startswith(f"At {name} = ")
    element.get_by_label("Input").focus()
    for key, name in (("ArrowDown", "b"), ("ArrowUp", "a")):  # without a mouse, too
        element.page.keyboard.press(key)
        assert element.get_by_label("Input").evaluate("(it) => it === document.activeElement")
        assert said.inner_text().startswith(f"At {name} = ")


@pytest.mark.slow
def test_graph_lights_up_forward_then_backward_and_says_each_step(show):
    element = show("graph", GRAPH)
    element.get_by_label("Graph").select_option("a square")
    assert boxes(element) == {"x": [1.5], "L": []}
    said = []
    for _ in range(3):
        element.get_by_role("button", name="Next").press("Enter")
        said.append(element.get_by_role("status").inner_text())
    assert said == [
        "Forward, 1 of 1: L = 1.500 · 1.500 = 2.250.",
        "Backward, 1 of 2: ∂L/∂L = 1.000.",
        "Backward, 2 of 2: ∂L/∂x = 1.000 · 1.500 directly + 1.000 · 1.500 directly = 3.000.",
    ]
    assert boxes(element) == {"x": [1.5, 3.0], "L": [2.25, 1.0]}
    element.get_by_role("button", name="Back", exact=True).click()
    assert boxes(element) == {"x": [1.5], "L": [2.25, 1.0]}
    element.get_by_role("button", name="Show all").click()
    element.get_by_role("slider").press("ArrowRight")  # 1.6² and 1.61²
    assert "L should change by about 0.03200; it changes by 0.03210." in element.inner_text()
    element.get_by_role("button", name="Start again").click()
    assert boxes(element) == {"x": [1.6], "L": []}


@pytest.mark.slow
def test_graph_printed_is_the_whole_walk_and_then_stands_where_it_stood(show):
    pypdf = pytest.importorskip("pypdf")
    element = show("graph", GRAPH)
    element.get_by_label("Graph").select_option("a square")
    paper = pypdf.PdfReader(io.BytesIO(element.page.pdf())).pages[0].extract_text()
    assert [paper.count(number) for number in ("2.250", "3.000")] == [1, 2] and "Next" not in paper
    assert "At x = 1.500, ∂L/∂x = 3.000." in paper
    assert boxes(element) == {"x": [1.5], "L": []} and "Press “Next”" in element.inner_text()
    element.get_by_role("button", name="Show all").click()
    element.get_by_label("x", exact=True).press("ArrowRight")
    said = element.locator(".lm-said").inner_text()
    element.page.pdf()
    assert said.startswith("At x = 1.600") and element.locator(".lm-said").inner_text() == said


@pytest.mark.slow
def test_graph_writes_no_symbol_for_two_values(show):
    """The slope of the last step alone would look like the whole derivative: ∂L/∂a = ∂L/∂L · ∂L/∂a + …"""
    element = show("graph", GRAPH)
    for _ in range(len(GRAPH["graphs"][0]["nodes"]) * 2 - 2):  # two nodes are inputs
        element.get_by_role("button", name="Next").click()
        said = element.get_by_role("status").inner_text()
        if said.startswith("Backward"):
            left, *right = said.split(": ", 1)[1].rstrip(".").split(" = ")
            terms = (
                [re.sub(r"\(−(.*?)\)", r"-\1", term).split(" · ") for term in right[-2].split(" + ")]
                if right[1:]
                else []
            )
            if terms:  # the line above the numbers names what is multiplied
                factors = [[float(x.removesuffix(" directly")) for x in term] for term in terms]
                assert abs(sum(x * y for x, y in factors) - float(right[-1].replace("−", "-"))) < 5e-3
            assert all(left not in part and "∂L/∂L" not in part for part in right)
    e, c = math.exp(0.5), -0.75
    s = 1 / (1 + math.exp(-c))
    by_c, by_e = -1.5 * s * (1 - s) * (1 / (2 * e + s) + 1 / s), 2 * e / (2 * e + s)
    assert said.startswith("Backward, 11 of 11: ∂L/∂a = ∂L/∂c · ∂c/∂a + ∂L/∂e · ∂e/∂a + 1.000 · 1.000 directly = ")
    assert said.endswith(f" = {by_c + by_e + 1:.3f}.")


@pytest.mark.slow
def test_graph_points_its_arrows_from_what_is_used_to_what_uses_it(show):
    element = show("graph", GRAPH)
    element.get_by_label("Graph").select_option("a square")
    start, tip, wing, again, other = (
        [float(x) for x in re.findall(r"-?[\d.]+", point)]
        for point in re.findall(r"[ML][^ML]+", element.locator("svg path").first.get_attribute("d"))
    )
    assert tip == again and start[1] < wing[1] == other[1] < tip[1] and wing[0] + other[0] == 2 * tip[0]


@pytest.mark.slow
def test_temperature_is_the_softmax_of_scaled_logits(show):
    logits = np.array(TEMPERATURE["logits"])
    element = show("temperature", TEMPERATURE)
    for key, temperature in (("ArrowUp", 2**0.25), ("Home", 0.125), ("End", 8.0)):
        element.get_by_role("slider").press(key)
        weights = np.exp((logits - 2) / temperature)
        p = weights / weights.sum()
        shown = [text.split(" ", 1)[1] for text in bar_texts(element)]
        assert [float(text) for text in shown if "·" not in text] == [
            float(f"{q:.3f}") for q, text in zip(p, shown) if "·" not in text
        ]
        entropy = -sum(q * math.log2(q) for q in p if q > 0)
        assert f"the entropy is {entropy:.2f} bits of at most 1.58" in element.inner_text()


def read_three(weights, bos, ids):
    """The network of lm-window in numpy: what it expects after three words."""
    weights = {name: np.asarray(w, dtype=float) for name, w in weights.items()}
    e = weights["E"][list(ids)].ravel()
    z = weights["U"] @ np.tanh(weights["W"] @ e + weights["b_h"]) + weights["b_y"]
    z[bos] = -np.inf
    return np.exp(z - z.max()) / np.exp(z - z.max()).sum()


@pytest.mark.slow
def test_window_computes_the_network_and_follows_its_menus(show):
    element = show("window", WINDOW)
    assert element.locator(".lm-text").inner_text() == "cow eat the cow …" and bar_texts(element) == []
    assert "fetched as soon as you touch" in element.inner_text()
    element.get_by_label("Subject").click()
    element.locator(".lm-bars li").first.wait_for()
    for ids in ((4, 1, 2), (0, 3, 3)):
        p = element.evaluate("(e, ids) => e.forward(ids).p", list(ids))
        np.testing.assert_allclose(p, read_three(NETWORK, 0, ids), rtol=1e-6)
    p = read_three(NETWORK, 0, (4, 1, 2))
    written = [element.page.evaluate(f"lm.probability({q})") for q in (p[4], p[2] + p[3])]
    assert bar_texts(element) == [f"eat {written[0]}, exact 1.000", f"cow, cows {written[1]}, exact 0"]
    wrong = (1 - p[4] + p[2] + p[3] + p[1]) / 2
    assert f"The network has {wrong:.3f} of its probability in the wrong place" in element.inner_text()
    assert "the 4-gram model 0.500." in element.inner_text()
    for exact in ([[1], [0, 0]], [[0.25], [0, 0.75]], [[0.2], [0.5, 0.3]]):
        found = element.evaluate("(e, a) => e.wrong(a[0], a[1].frames[0].groups, a[2])", [p.tolist(), WINDOW, exact])
        assert found == pytest.approx(abs(p - [0, 0, *exact[1], *exact[0]]).sum() / 2, abs=1e-12)
    inside = element.locator(".lm-inside").inner_html()
    element.get_by_label("Subject").select_option("cows")  # outside the window: only the exact distribution notices
    assert bar_texts(element) == [f"eat {written[0]}, exact 0.250", f"cow, cows {written[1]}, exact 0.750"]
    assert element.locator(".lm-inside").inner_html() == inside
    wrong = (abs(p[4] - 0.25) + p[2] + abs(p[3] - 0.75) + p[1]) / 2  # cow and cows, one bar, count each by itself
    assert f"The network has {wrong:.3f} of its" in element.inner_text() and "model 0.625." in element.inner_text()
    element.get_by_label("Last").select_option("the")
    assert element.locator(".lm-inside").inner_html() != inside
    element.get_by_label("Compare with").select_option("the 4-gram model")
    assert bar_texts(element)[0].endswith("4-gram 0.500")
    element.get_by_role("button", name="Next words").press("Enter")  # both menus begin anew
    assert element.locator(".lm-text").inner_text() == "cow eat the cow …"
    element.get_by_label("Sentence").select_option("second")
    assert element.locator("mark").inner_text() == "the cow eat"


# ------------------------------------------------------------------------ its drawing on the page


@pytest.mark.slow
def test_words_of_drawings_can_be_read_on_a_phone(book, book_url, visit):
    """They shrink with the drawing, which has less room on the site than in the tests above."""
    seen, small = 0, []
    for path in sorted((book / "book").glob("*.html")):
        if "<lm-" in path.read_text(encoding="utf-8"):
            page = visit(viewport=PHONE, has_touch=True).open(f"{book_url}/book/{path.name}")
            sizes = page.evaluate(
                """() => [...document.querySelectorAll('.lm-widget svg text')].filter(e => e.textContent.trim())
                    .map(e => [e.textContent, parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a])"""
            )
            seen += len(sizes)
            small += [(path.stem, text, round(size, 1)) for text, size in sizes if size < 9]
            page.close()
    assert seen > 20 and small == []


# ------------------------------------------------------------------------ its numbers are those of its page


def data_of(book, name, kind):
    """What a widget of a built page shows."""
    html = (book / "book" / f"{name}.html").read_text(encoding="utf-8")
    return json.loads(re.search(rf"<lm-{kind}[^>]*><script[^>]*>(.*?)</script>", html, re.DOTALL)[1])


def printed(page):
    return "\n".join(page.locator("article .cell_output pre").all_text_contents())


@pytest.mark.slow
def test_die_of_the_first_chapter_has_the_probabilities_that_the_cell_prints(book, book_url, visit):
    page = visit().open(f"{book_url}/book/language_modelling.html")
    after = dict(data_of(book, "language_modelling", "sampler")["models"][0]["next"]["bridge"])
    for word in ("are", "is", "near"):
        stated = re.search(rf"(\S+) = P\({word} \| bridge\)", printed(page))[1]
        assert page.evaluate(f"lm.probability({after[word]})") == stated


@pytest.mark.slow
def test_dice_are_the_counts_of_their_texts(book):
    play = [split_words(line) for line in corpora.LITTLE_PLAY.lower().splitlines() if line.strip()]
    cows = [split_words(line) for line in corpora.COWS]
    for page, lines, word in (("ngram", play, "the"), ("index", cows, "eat")):
        models = {model["order"]: model["next"] for model in data_of(book, page, "sampler")["models"]}
        after = Counter(b for line in lines for a, b in zip(line, [*line[1:], "<eos>"]) if a == word)
        assert models[2][word] == [[following, c / after.total()] for following, c in after.most_common()]
        assert all(abs(sum(p for _, p in faces) - 1) < 1e-12 for table in models.values() for faces in table.values())


@pytest.mark.slow
def test_smoothing_says_at_every_step_what_the_cell_prints(book_url, visit):
    page = visit().open(f"{book_url}/book/smoothing.html")
    table = re.findall(r"k = (\S+) *: (\S+) nats per token", printed(page))
    assert table
    slider = page.get_by_role("slider", name="k")
    slider.press("Home")
    for k, loss in table:
        said = page.locator("lm-smoothing [role=status]").inner_text()
        stated = re.search(r"k = (\S+): (\S+) nats per held-out token\. ", said)
        assert (float(stated[1]), stated[2]) == (float(k), loss)
        slider.press("ArrowRight")


@pytest.mark.slow
def test_shannon_game_shows_the_bits_that_the_cell_prints(book_url, visit):
    page = visit().open(f"{book_url}/book/perplexity.html")
    element = page.locator("lm-shannon")
    element.get_by_role("button", name="pepperoni").click()
    bits = dict(re.findall(r"(\w[\w ]*): p = \S+ +(\S+) bits", printed(page)))
    assert len(bits) == 5
    for text in bar_texts(element):
        word = next(word for word in bits if text.startswith(word))
        assert text.endswith(f", {bits[word]} bits")


@pytest.mark.slow
def test_towers_are_the_models_own_surprisal(book, book_url, visit):
    data, grammar = data_of(book, "entropy", "surprisal"), corpora.course_grammar()
    training = grammar.sample(10_000, seed=3)
    words = WordTokenizer(training)
    trigram = NgramLM.fit([words.encode(s, eos=True) for s in training], 3, words.vocab_size, ModifiedKneserNey())
    for sentence in data["sentences"]:
        assert sentence["words"][-1] == "<eos>"
        ids = words.encode(sentence["words"][:-1], eos=True)
        np.testing.assert_allclose(sentence["bits"][2], -trigram.log_probs(ids) / np.log(2), rtol=1e-9, atol=1e-9)
        best = np.array(grammar.log_probs(sentence["words"][:-1])) / -np.log(2)
        np.testing.assert_allclose(sentence["bits"][-1], best, rtol=1e-9, atol=1e-9)
    page = visit().open(f"{book_url}/book/entropy.html")
    shown = page.locator("lm-surprisal .lm-bits").all_text_contents()
    first = data["sentences"][0]["bits"][data["chosen"]]
    assert shown == [page.evaluate(f"lm.fixed({bits}, 1)") for bits in first]


@pytest.mark.slow
def test_graphs_end_with_the_gradients_that_the_cells_print(book, book_url, visit):
    page = visit().open(f"{book_url}/book/backprop.html")
    page.get_by_role("button", name="Show all").click()
    loss, p, gradient = re.search(r"L = (\S+), ŷ = (\S+), \(ŷ − 1\) x = (\S+)", printed(page)).groups()
    shown = boxes(page.locator("lm-graph"))
    assert (shown["L"][0], shown["ŷ"][0], shown["w"][1]) == (float(loss), float(p), float(gradient))
    logits = [float(z) for z in re.findall(r"z = +(\S+), ŷ", printed(page))]

    page = visit().open(f"{book_url}/book/autodiff.html")
    element = page.locator("lm-graph")
    element.get_by_role("button", name="Show all").click()
    shown = boxes(element)
    assert [shown[name][0] for name in ("z₁", "z₂", "z₃")] == logits
    row = re.findall(r"^ *(-?\d\.\d{4})(?: +-?\d\.\d{4}){4}$", printed(page), re.M)[
        ::2
    ]  # x₁ is 1: the weights' gradients are the logits'
    assert [shown[name][1] for name in ("z₁", "z₂", "z₃")] == [round(float(g), 3) for g in row]
    element.get_by_label("Graph").select_option("L = a (a + b)")
    element.get_by_role("button", name="Show all").click()
    a, b = re.search(r"∂L/∂a = (\S+) = 2a \+ b, ∂L/∂b = (\S+) = a", printed(page)).groups()
    assert (boxes(element)["a"][1], boxes(element)["b"][1]) == (float(a), float(b))
    element.get_by_label("Graph").select_option("L = u + v, v = u², u = a²")
    element.get_by_role("button", name="Show all").click()
    assert boxes(element)["a"] == [1, 6]  # as the exercise about the impatient engine says


# ------------------------------------------------------------------------------------------------ descent


def descend(rate, momentum, steps):
    """Gradient descent with all examples of DESCENT."""
    t, n, e = (np.array(DESCENT[key], dtype=float) for key in ("places", "number", "ends"))
    theta, velocity = np.zeros(2), np.zeros(2)
    for _ in range(steps):
        error = n / (1 + np.exp(-theta[0] - theta[1] * t / 10)) - e
        velocity = momentum * velocity + np.array([error.sum(), error @ t / 10]) / n.sum()
        theta = theta - rate * velocity
    z = theta[0] + theta[1] * t / 10
    return theta, float((n * np.logaddexp(0, z) - e * z).sum() / n.sum())


@pytest.mark.slow
def test_descent_takes_the_steps_of_the_formula(show):
    element = show("descent", DESCENT)
    for button, steps in (("One step", 1), ("20 steps", 21), ("200 steps", 221)):
        element.get_by_role("button", name=button).click()
        theta, loss = descend(0.5, 0, steps)
        said = element.locator(".lm-said").text_content()
        assert f"After {steps} step" in said and f"θ = ({theta[0]:.3f}, {theta[1]:.3f}), loss {loss:.4f}" in said
        assert f"{loss - 0.3:.4f} nats above" in said
    element.get_by_label("Momentum").select_option("0.9")
    element.get_by_role("button", name="20 steps").click()
    theta, loss = descend(0.5, 0.9, 20)
    assert f"({theta[0]:.3f}, {theta[1]:.3f}), loss {loss:.4f}" in element.locator(".lm-said").text_content()


@pytest.mark.slow
def test_descent_uses_every_example_once_an_epoch_and_says_when_it_is_out_of_sight(show):
    element = show("descent", DESCENT)
    element.get_by_label("Examples a step").select_option("4")
    element.get_by_label("Learning rate").fill("0")
    for _ in range(6):
        element.get_by_role("button", name="One step").click()
    said = element.locator(".lm-said").text_content()
    element.get_by_role("button", name="Start again").click()
    for _ in range(6):
        element.get_by_role("button", name="One step").click()
    assert element.locator(".lm-said").text_content() == said  # the same order of examples
    theta = np.array([float(x) for x in re.search(r"θ = \((.*?), (.*?)\)", said.replace("−", "-")).groups()])
    assert np.abs(theta - descend(0.5, 0, 6)[0]).max() < 0.25  # an epoch is about six steps with all examples
    element.get_by_label("Learning rate").fill("2")
    element.get_by_label("Examples a step").select_option("all 24")
    element.get_by_role("button", name="One step").click()
    assert descend(400, 0, 1)[0][0] < -4 and "left the picture" in element.locator(".lm-said").text_content()


# ------------------------------------------------------------------------------------------------ budget


@pytest.mark.slow
def test_budget_computes_what_lmkit_does_and_writes_it(show):
    element = show("budget", BUDGET | {"at": 1})
    for L, d, D in ((2, 64, 1e9), (96, 12_288, 3e11), (24, 2048, 1e13)):
        run = element.evaluate("(e, a) => e.run(...a)", [L, d, D, 1000, 312e12])
        N = compute.n_parameters(compute.Architecture(L, d, 2, 50_257, 2048))
        C = compute.six_n_d(N, D)
        best = compute.BESIROGLU_2024.best(C)
        seconds = C / (0.4 * 1000 * 312e12)
        expected = {
            "N": N,
            "C": C,
            "days": seconds / 86_400,
            "price": seconds / 3600 * 1000 * 2,
            "state": 16 * N,
            "loss": compute.BESIROGLU_2024.loss(N, D),
            "best": best.n_parameters,
            "bestTokens": best.n_tokens,
            "bestLoss": compute.BESIROGLU_2024.loss(*best),
        }
        assert run == pytest.approx(expected, rel=1e-12)
    text = element.inner_text()
    assert (
        "175 billion" in text and "3,638 petaflop/s-days" in text and "29.1 days" in text and "$ 1.40 million" in text
    )
    element.get_by_label("Processors").fill("0")
    assert "79.9 years" in element.inner_text() and "$ 1.40 million" in element.inner_text()
    element.get_by_label("Kind").select_option("V100")
    assert "$ 3.49 million" in element.inner_text()
    element.get_by_label("Begin with").select_option("small")
    assert "Time\n1.44 days\n" in element.inner_text()
    for read, many, expected in (("0", "0", "6.90 minutes"), ("0", "1", "0.414 seconds"), ("1", "1", "2.07 minutes")):
        element.get_by_label("Tokens read").fill(read)
        element.get_by_label("Processors").fill(many)
        assert f"Time\n{expected}\n" in element.inner_text()
    element.get_by_label("Processors").fill("0")
    element.get_by_label("Kind").select_option("A100")
    assert "Time\n13.8 hours\n" in element.inner_text()
    assert "Parameters\n3.45 million\nTokens a parameter\n87,017\n" in element.inner_text()
    element.get_by_label("Width").fill("1")
    assert "billion" in element.inner_text().split("Parameters")[1].split("Operations")[0]


# ------------------------------------------------------------------------------------------------ merges


@pytest.mark.slow
def test_merges_learns_what_lmkit_learns_from_any_text(show):
    element = show("merges", SAMPLES["merges"])
    rng = np.random.default_rng(0)
    alphabet = list("aabbcc  '.é€1😀\n") + ["the ", "'s"]
    for text in ["", "a", "aaaa aaa", *("".join(rng.choice(alphabet, size=rng.integers(1, 60))) for _ in range(40))]:
        merges = element.evaluate(
            "(e, text) => { e.begin(text); const m = []; for (let t; (t = e.merge());) m.push(t[0]); return m; }", text
        )
        counts = Counter(piece.encode() for piece in split_pieces(text))
        assert [tuple(pair) for pair in merges] == learn_merges(counts, 1000), text
    for text, said in (
        ("aa", "1 token after 1 merge; no pair"),
        ("a", "1 token after 0 merges"),
        ("", "0 tokens after 0 merges"),
    ):
        element.get_by_label("Text").fill(text)
        element.get_by_role("button", name="Merge", exact=True).click()
        assert said in element.locator(".lm-said").inner_text(), text
    element.get_by_label("Text").fill("hat hat é")
    assert "10 tokens after 0 merges; next: a + t." in re.sub(r"\s+", " ", element.inner_text()), element.inner_text()
    element.get_by_role("button", name="Merge", exact=True).click()
    assert "a + t stood 2 times and are one token now. 8 tokens after 1 merge; next: h + at." in element.inner_text()
    element.get_by_role("button", name="10 merges").press("Enter")
    assert "no pair is left" in element.inner_text()
    assert element.locator(".lm-tokens span").all_inner_texts() == ["hat", "␣hat", "␣é"]
    element.get_by_role("button", name="Start again").click()
    assert "10 tokens after 0 merges" in element.inner_text()


# ------------------------------------------------------------------------------------------------ mask


@pytest.mark.slow
def test_mask_computes_attention_and_says_what_leaks(show):
    element = show("mask", MASK)
    rng = np.random.default_rng(0)
    Q, K, V = np.array(MASK["before"])
    for _ in range(20):
        open_ = (rng.random((4, 4)) < 0.6) | np.eye(4, dtype=bool)
        for axis in (0, 1):  # of the widget: rows, columns
            scores = np.where(open_, Q @ K.T / np.sqrt(2), -np.inf)
            weights = np.exp(scores) / np.exp(scores).sum(axis=1 - axis, keepdims=True)
            found = element.evaluate("(e, a) => e.attend(...a)", [MASK["before"], open_.tolist(), axis])
            np.testing.assert_allclose(found["A"], weights, rtol=1e-12)
            np.testing.assert_allclose(found["H"], weights @ V, rtol=1e-10, atol=1e-14)
    said = element.locator(".lm-said")
    assert "no future leaks" in said.inner_text() and element.locator("li").first.inner_text() == "Output 1 stays."
    element.get_by_label("Softmax along").select_option("columns")
    assert "the future leaks" in said.inner_text()
    element.get_by_label("Softmax along").select_option("rows")
    square = element.get_by_role("button", name="query 2, key 4")
    square.press("Enter")
    assert "the future leaks" in said.inner_text() and "open, weight 0." in square.get_attribute("aria-label")
    square.click()
    assert "no future leaks" in said.inner_text()
    for name, words in (("A", "leaks"), ("C", "no future leaks"), ("none", "leaks"), ("padding", "0/0")):
        element.get_by_label("Mask", exact=True).select_option(
            next(x for x in element.locator("option").all_inner_texts() if x.startswith(name))
        )
        assert words in said.inner_text(), name
    assert "NaN" in element.inner_text() and "Output 1 is not a number." in element.inner_text()
    assert "A position that may look at nobody" in said.inner_text()
    element.get_by_label("Softmax along").select_option("columns")
    assert "not a number" not in element.inner_text()  # output 1 is zero, and each key has a query
    element.get_by_label("Mask", exact=True).select_option("B: causal")
    element.get_by_role("button", name="query 4, key 4").click()
    assert element.inner_text().count("is not a number") == 4 and "A key at which nobody may look" in said.inner_text()


# ------------------------------------------------------------------------------------------------ clocks


@pytest.mark.slow
def test_clocks_turn_as_rotary_positions_do(show):
    element = show("clocks", CLOCKS)
    rotary = RotaryPositions(20, 4, base=100.0)  # the second pair turns by 0.1
    for t, j in ((0, 0), (9, 4), (19, 3), (2, 11)):
        q, k = (rotary(torch.tensor([CLOCKS[x]], dtype=torch.float64), at)[0] for x, at in (("q", t), ("k", j)))
        assert element.evaluate("(e, a) => e.score(...a)", [t, j]) == pytest.approx(float(q @ k), abs=1e-5)
    said = element.locator(".lm-said")
    first = said.inner_text()
    assert first.startswith("Query at 12, key at 7, 5 places back: score ")
    element.get_by_role("button", name="Both 5 on").click()
    assert said.inner_text() == first.replace("at 7", "at 12").replace("at 12, key", "at 17, key")
    element.get_by_role("button", name="Both 5 on").press("Enter")  # the text ends
    assert "Query at 17, key at 12" in said.inner_text()
    element.get_by_label("Key at").fill("16")
    assert "1 place back" in said.inner_text() and said.inner_text()[-7:] != first[-7:]


# ------------------------------------------------------------------------------------------------ unroll


@pytest.mark.slow
def test_unroll_computes_what_the_networks_of_lmkit_do(show):
    element = show("unroll", UNROLL)
    said = element.locator(".lm-said")
    element.get_by_role("button", name="Next step").click()
    assert "Step 1 of 2: the state goes from 0 to 2." in said.inner_text()
    element.get_by_label("Inputs").fill("2, -.5, 1, 1")
    element.get_by_role("button", name="All steps").click()
    cards = element.locator("li").all_inner_texts()
    assert [re.search(r"sum: (\S+)", card)[1] for card in cards] == ["2", "1.5", "2.5", "3.5"]
    element.get_by_label("Network").select_option("pairs")
    element.get_by_label("Inputs").fill("(2, -2) (0, 3.5) (1, 2.2)")
    element.get_by_role("button", name="All steps").click()
    cards = element.locator("li").all_inner_texts()
    assert [re.search(r"yes: (\S+)", card)[1] for card in cards] == ["1.000", "0.924", "0.029"]
    assert (
        "Step 3 of 3: the state goes from 0.5 to −0.7, and the answer “yes” has probability 0.029." in said.inner_text()
    )


@pytest.mark.slow
def test_unroll_printed_has_all_steps_and_then_stands_where_it_stood(show):
    pypdf = pytest.importorskip("pypdf")
    element = show("unroll", UNROLL)
    paper = pypdf.PdfReader(io.BytesIO(element.page.pdf())).pages[0].extract_text()
    assert "Step 2 of 2: the state goes from 2 to 1.5." in paper and paper.count("sum: ") == 2
    assert element.locator("li").count() == 0 and "Take a step." in element.inner_text()


@pytest.mark.slow
def test_unroll_says_what_is_wrong_with_an_input_and_keeps_the_last_good_one(show):
    element = show("unroll", UNROLL)
    problem = element.locator(".lm-problem")
    element.get_by_role("button", name="All steps").click()
    element.get_by_label("Inputs").fill("two")
    assert "Numbers only" in problem.inner_text() and element.locator("li").count() == 2
    for strange in ("1.2.3", "2, - , 3", "2-3", ".", "9" * 400):
        element.get_by_label("Inputs").fill(strange)
        assert "Numbers only" in problem.inner_text() and element.locator("li").count() == 2
    for apart, read in (
        ("2 − 3", ["2", "−3"]),
        ("− 3, 4", ["−3", "4"]),
        ("2, 3, −", ["2", "3"]),
        ("2., -.5", ["2", "−0.5"]),
    ):
        element.get_by_label("Inputs").fill(apart)
        element.get_by_role("button", name="All steps").click()
        assert [card.split("\n")[0] for card in element.locator("li").all_inner_texts()] == [f"x = {x}" for x in read]
        assert problem.inner_text() == ""
    element.get_by_label("Network").select_option("pairs")
    element.get_by_label("Inputs").fill("1, 2, 3")
    assert "reads 2 numbers a step" in problem.inner_text()
    element.get_by_label("Inputs").fill("1 2 3 4")
    assert problem.inner_text() == ""
    element.get_by_label("Inputs").fill("1 2 " * 21)
    assert "first twenty steps" in problem.inner_text()
    element.get_by_role("button", name="All steps").click()
    assert element.locator("li").count() == 20


@pytest.mark.slow
def test_window_is_the_network_of_its_page_and_comes_when_asked(book_url, visit):
    tab = visit()
    fetched = []
    page = tab.open(f"{book_url}/book/embeddings.html")
    page.on("request", lambda request: "/weights/" in request.url and fetched.append(request.url))
    element = page.locator("lm-window")
    element.scroll_into_view_if_needed()
    assert fetched == [] and bar_texts(element) == []
    element.get_by_label("Subject").select_option("walls")
    element.locator(".lm-bars li").first.wait_for()
    assert len(fetched) == 1
    for subject in ("wall", "walls"):
        element.get_by_label("Subject").select_option(subject)
        for name, kind in (("the exact distribution", "exact"), ("the 4-gram model", "4-gram")):
            element.get_by_label("Compare with").select_option(name)
            by = dict(re.findall(rf"the {subject} near the old bridge … +(\S+): (.*)", printed(page)))
            for word, bar in zip(("is", "are"), bar_texts(element)):
                network, other = (re.search(rf"\b{word} (\S+)", by[model])[1] for model in ("network", kind))
                assert bar == f"{word} {network}, {kind} {'0' if float(other) == 0 else other}"


@pytest.mark.slow
def test_window_says_for_all_its_words_how_much_is_in_the_wrong_place(book, book_url, visit):
    grammar = corpora.course_grammar()
    training = grammar.sample(6000, seed=3)
    words = WordTokenizer([*training, grammar.words])
    table = NgramLM.fit(
        [words.encode(s, eos=True) for s in training[:2000]], 4, words.vocab_size, ModifiedKneserNey(), 0
    )
    truth = grammar.language_model(words.vocab, words.bos_id)
    data = data_of(book, "embeddings", "window")
    page = visit().open(f"{book_url}/book/embeddings.html")
    element = page.locator("lm-window")
    said = element.locator(".lm-said")
    assert data["vocab"] == list(words.vocab)
    behind = 0
    for frame in data["frames"]:
        element.get_by_label("Sentence").select_option(frame["label"])
        element.locator(".lm-bars li").first.wait_for()
        for menus, wrong in zip(product(*(slot["options"] for slot in frame["slots"])), frame["wrong"], strict=True):
            assert element.locator(".lm-text").text_content().strip() == f"{' '.join(menus)} …"
            ids = words.encode(list(menus))
            exact, gram = (np.exp(m.next_log_probs(ids)) for m in (truth, table))
            net = np.array(element.evaluate("(e, ids) => e.forward(ids).p", ids[-3:].tolist()))
            of_net, of_gram = (abs(exact - q).sum() / 2 for q in (net, gram))
            assert wrong == pytest.approx(of_gram, rel=1e-9)
            stated = re.search(
                r"has (\S+) of its probability in the wrong place, the 4-gram model (\S+)\.$", said.text_content()
            )
            assert [float(x) for x in stated.groups()] == pytest.approx([of_net, of_gram], abs=0.00051)
            shown = [g["ids"] for g in frame["groups"]]
            every = [*shown, sorted(set(range(len(net))) - set(sum(shown, [])))]
            by_bars = [sum(abs(sum(exact[i] - q[i] for i in ids)) for ids in every) for q in (net, gram)]
            behind += (by_bars[0] < by_bars[1]) != (of_net < of_gram)
            element.get_by_role("button", name="Next words").click()
    assert behind > 0  # the bars alone would name another model as the better one


# ------------------------------------------------------------------------------------------------ gates


def gate_rows(words, unit):
    """The table of lm-gates by lmkit: forget, input, output gate and cell state of a unit, bits of READER and of FARM."""
    layer, h, c = READER.encoder.layers[0][0], torch.zeros(40), torch.zeros(40)
    ids, rows = FARM_WORDS.encode(words), []
    own = -READER.log_probs(ids) / np.log(2)
    best = -np.array(FARM.log_probs(words)[:-1]) / np.log(2)
    with torch.no_grad():
        for t, token in enumerate([READER.bos_id, *ids]):
            z = layer.W_x @ READER.encoder.embedding.weight[token] + layer.W_h @ h + layer.b
            i, f, g, o = z.chunk(4)
            i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
            c = f * c + i * g
            h = o * c.tanh()
            if t:
                rows.append([*(float(v[unit]) for v in (f, i, o, c)), own[t - 1], best[t - 1]])
    return rows


def gate_table(element):
    """The numbers of lm-gates as they are shown, by word."""
    rows = element.locator(".lm-over tbody tr").evaluate_all(
        "them => them.map(r => [...r.children].map(c => c.textContent))"
    )
    return [(row[0], [math.inf if x == "∞" else float(x.replace("−", "-")) for x in row[1:]]) for row in rows]


@pytest.mark.slow
def test_gates_are_those_of_the_network_of_lmkit(show):
    element = show("gates", GATES)
    assert gate_table(element) == [] and "as soon as you touch" in element.locator(".lm-said").text_content()
    element.get_by_label("Your sentence").click()
    element.locator(".lm-over tbody tr").first.wait_for()
    for words, unit in ((["cow", "eats"], 7), (["anna", "and", "clara", "eat", "."], 7), (["anna", "and", "anna"], 31)):
        element.get_by_label("Your sentence").fill(" ".join(words))
        element.get_by_label("Unit", exact=True).select_option(
            str(unit) if unit != 7 else "7, the number of the subject"
        )
        shown = gate_table(element)
        assert [word for word, _ in shown] == words
        np.testing.assert_allclose([numbers for _, numbers in shown], gate_rows(words, unit), rtol=0, atol=0.00501)
        said = element.locator(".lm-said").text_content()
        own = sum(row[4] for row in gate_rows(words, unit))
        assert re.search(r"pays (\S+) bits", said)[1] == f"{own:.2f}"
        assert ("cannot say this" in said) == (words[-1:] == ["anna"])
    assert "exact" not in element.locator(".lm-bars").inner_text()  # after what cannot be said nothing is expected
    element.get_by_label("Your sentence").fill("cow")
    ids = FARM_WORDS.encode(["cow"])
    p, q = np.exp(READER.next_log_probs(ids)), FARM.next_word_distribution(["cow"])
    for text in bar_texts(element):
        word, own, exact = re.fullmatch(r"(.*?) (\S+), exact (\S+)", text).groups()
        word = "<eos>" if word == "the end" else word
        assert abs(p[FARM_WORDS.vocab.index(word)] - float(own)) < 6e-4 and abs(q.get(word, 0) - float(exact)) < 6e-4


@pytest.mark.slow
def test_gates_show_the_word_that_the_slider_is_at_and_offer_what_can_come_next(show):
    element = show("gates", GATES)
    offers = element.locator(".lm-offers button")
    assert offers.all_inner_texts() == ["it"]
    offers.first.click()
    element.locator(".lm-over tbody tr").first.wait_for()
    assert [word for word, _ in gate_table(element)] == ["cow", "eats", "it"]
    element.get_by_role("slider", name="Word").press("Home")
    assert "All units after the beginning" in element.inner_text() and "unit 7 has" not in element.inner_text()
    element.get_by_role("slider", name="Word").press("ArrowRight")
    f, i, o, c, *_ = (f"{x:.2f}".replace("-", "−") for x in gate_rows(["cow"], 7)[0])
    assert f"At “cow” unit 7 has f = {f}, i = {i}, o = {o}, c = {c}." in element.locator(".lm-said").text_content()
    element.get_by_label("Your sentence").fill("cow zebra ")
    assert "no word “zebra”" in element.inner_text() and [word for word, _ in gate_table(element)] == ["cow"]
    element.get_by_role("button", name="Start again").click()
    assert [word for word, _ in gate_table(element)] == ["cow", "eats"]


@pytest.mark.slow
def test_gates_of_the_page_are_those_that_the_cell_prints_and_come_when_asked(book_url, visit):
    tab = visit()
    fetched = []
    page = tab.open(f"{book_url}/book/gates_at_work.html")
    page.on("request", lambda request: "/weights/" in request.url and fetched.append(request.url))
    element = page.locator("lm-gates")
    element.scroll_into_view_if_needed()
    assert fetched == [] and gate_table(element) == []
    element.get_by_label("Your sentence").click()
    element.locator(".lm-over tbody tr").first.wait_for()
    assert len(fetched) == 1
    element.get_by_label("Your sentence").fill("the wall near the old bridges is open .")
    printed_rows = re.findall(
        r"^(\S+) +(-?\d\.\d\d) +(\S+) +(\S+) +(\S+) +(\d+\.\d\d) +(\d+\.\d\d)$", printed(page), re.M
    )
    shown = gate_table(element)
    assert len(shown) == len(printed_rows) >= 8
    for (word, numbers), (name, *expected) in zip(shown, printed_rows):
        assert word == name
        np.testing.assert_allclose(numbers, [float(x) for x in expected], rtol=0, atol=0.0101)


# ------------------------------------------------------------------------------------------------ explorer


def watched(words, **switches):
    """WATCHED by lmkit's parts: what the output layer reads at each height (T, V), weights, bits of each word, the stream."""
    with torch.no_grad():
        ids = FARM_WORDS.encode(words)
        stream, weights = read_with_switches(WATCHED, torch.tensor([[WATCHED.bos_id, *ids]]), **switches)
        z = torch.stack([WATCHED.output(WATCHED.final_norm(x))[0] for x in stream])
        z[..., WATCHED.bos_id] = -torch.inf
    p = z.softmax(-1).numpy()
    return p, [a[0].numpy() for a in weights], -np.log2([p[-1, t, i] for t, i in enumerate(ids)]), stream


def said_bits(element):
    """The bits in what lm-explorer says: of the words, by whom."""
    said = element.locator(".lm-said").inner_text()
    return {
        "switched": float(found[1]) if (found := re.search(r"words cost (\S+) bits", said)) else None,
        "whole": float(found[1]) if (found := re.search(r"model pays (\S+) bits", said)) else None,
    }


@pytest.mark.slow
def test_explorer_runs_the_transformer_of_lmkit_with_every_switch(show):
    element = show("explorer", EXPLORER)
    element.locator(".lm-station").first.wait_for()  # it comes when it is seen
    words = ["cow", "eats", "it"]
    whole = watched(words)
    element.page.wait_for_function("document.querySelector('.lm-switches small').textContent")
    assert said_bits(element)["whole"] == pytest.approx(whole[2].sum(), abs=0.006)
    for key, button in ((key, f"{key[0] + 1}.{key[1] + 1}") for key in ((l, i) for l in range(2) for i in range(3))):
        switch = element.get_by_role("button", name=f"Head {button}")
        more = watched(words, off=[key])[2].sum() - whole[2].sum()
        shown = switch.locator("small").inner_text()
        assert float(shown.replace("−", "-")) == pytest.approx(more, abs=0.0501)
        switch.click()
        assert switch.get_attribute("aria-pressed") == "false"
        said = element.locator(".lm-said").inner_text()
        assert f"With head {button} off" in said and ("fewer" in said) == (more < 0)
        assert said_bits(element)["switched"] == pytest.approx(whole[2].sum() + more, abs=0.006)
        switch.press("Enter")
        assert "the whole model pays" in element.locator(".lm-said").inner_text()
    element.get_by_role("button", name="Mask").click()
    assert said_bits(element)["switched"] == pytest.approx(watched(words, mask=False)[2].sum(), abs=0.006)
    assert "no cost of a language model" in element.locator(".lm-said").inner_text()
    element.get_by_role("button", name="Positions").click()
    both = watched(words, mask=False, positions=False)
    assert said_bits(element)["switched"] == pytest.approx(both[2].sum(), abs=0.006)
    assert "the mask lifted, no positions" in element.locator(".lm-said").inner_text()
    assert "convolution: off norm 0.0" in re.sub(r"\s+", " ", element.locator(".lm-flow").inner_text())
    element.get_by_role("button", name="Everything on").click()
    assert said_bits(element)["whole"] == pytest.approx(whole[2].sum(), abs=0.006)
    language = -sum(FARM.log_probs(words)[:-1]) / np.log(2)
    assert bar_texts(element)[:3] == [
        f"the language {abs(language):.2f} bits",
        f"whole model {whole[2].sum():.2f} bits",
        "as switched the same",
    ]


@pytest.mark.slow
def test_explorer_follows_one_word_down_the_stream(show):
    element = show("explorer", EXPLORER)
    element.locator(".lm-station").first.wait_for()
    element.get_by_label("Example").select_option("two")
    words = ["anna", "and", "bella", "eat", "."]
    p, weights, cost, stream = watched(words)
    chosen = element.locator(".lm-words [aria-pressed=true]")
    assert chosen.inner_text().split()[0] == "bella"
    looks = [float(x) for x in element.locator(".lm-words small").all_inner_texts() if x.strip()]
    np.testing.assert_allclose(looks, weights[0][2, 3, :4], rtol=0, atol=0.0051)  # head 1.3, and the mask
    element.get_by_label("The words show").select_option("what each cost, in bits")
    costs = [float(x) for x in element.locator(".lm-words small").all_inner_texts() if x.strip()]
    np.testing.assert_allclose(costs, cost, rtol=0, atol=0.0501)
    chosen.press("ArrowLeft")
    for t, place in ((2, "“and”"), (0, "the beginning"), (5, "“.”")):
        if t != 2:
            chosen.press({0: "Home", 5: "End"}[t])
        assert chosen.evaluate("e => e === document.activeElement")
        text = re.sub(r"\s+", " ", element.locator(".lm-flow").inner_text())
        assert f"The stream after {place}: its 12 numbers" in text
        notes = element.locator(".lm-station .lm-note").all_inner_texts()
        assert len(notes) == 5
        for height, note in enumerate(notes):
            best = p[height, t].argmax()
            name = "the end" if FARM_WORDS.vocab[best] == "<eos>" else FARM_WORDS.vocab[best]
            word, number = re.match(r"(.+?) (\d\.\d{3})", note).groups()
            assert word == name and float(number) == pytest.approx(p[height, t, best], abs=0.0006)
            assert f"norm {stream[height][0, t].norm():.1f}" in note
            came = t < 5 and words[t]
            assert not came or f"{came} " in note and "✓" in note
        for (layer, i), note in zip(
            ((l, i) for l in range(2) for i in range(3)),
            element.locator(".lm-one .lm-note").all_inner_texts(),
            strict=True,
        ):
            j = weights[layer][i, t, : t + 1].argmax()
            assert note.startswith(f"{['start', *words][j]} {weights[layer][i, t, j]:.2f}")
    element.locator(".lm-one").nth(4).click()
    assert element.get_by_label("The words show").input_value() == "where head 2.2 looks"


@pytest.mark.slow
def test_explorer_reads_what_is_typed_and_knows_what_cannot_be_said(show):
    element = show("explorer", EXPLORER)
    element.locator(".lm-station").first.wait_for()
    field, said = element.get_by_label("Your sentence"), element.locator(".lm-said")
    field.fill("anna and anna ")
    assert "cannot say this" in said.inner_text() and "exact" not in element.locator(".lm-bars").last.inner_text()
    field.fill("")
    assert "Nothing has been read yet" in said.inner_text()
    field.fill("cow cow cow cow cow cow cow cow cow")
    assert (
        "Only the first 8 words are read" in element.inner_text() and element.locator(".lm-words button").count() == 9
    )
    field.fill("cow zebra ")
    assert "no word “zebra”" in element.inner_text()
    element.get_by_role("button", name="Start again").click()
    assert field.input_value() == "cow eats it"
    assert element.locator(".lm-words [aria-pressed=true]").inner_text().split()[0] == "it"


@pytest.mark.slow
def test_explorer_of_the_page_is_the_model_that_its_cells_print(book_url, visit):
    tab = visit()
    fetched = []
    page = tab.open(f"{book_url}/book/transformer_at_work.html")
    page.on("request", lambda request: "/weights/" in request.url and fetched.append(request.url))
    element = page.locator("lm-explorer")
    assert fetched == [] and element.locator(".lm-station").count() == 0
    element.scroll_into_view_if_needed()
    element.locator(".lm-station").first.wait_for()
    assert len(fetched) == 1
    element.get_by_label("Example").select_option(index=1)
    lines = re.findall(r"^after (?:the input|\S+ \d) +norm +(\S+) +(\S+) (\d\.\d{3}), ", printed(page), re.M)
    notes = element.locator(".lm-station .lm-note").all_inner_texts()
    assert len(lines) == len(notes) == 5
    for (norm, word, p), note in zip(lines, notes, strict=True):
        shown = re.match(r"(.+?) (\d\.\d{3})", note).groups()
        assert shown[0] == word and float(shown[1]) == pytest.approx(float(p), abs=0.0011)
        assert float(re.search(r"norm (\S+)", note)[1]) == pytest.approx(float(norm), abs=0.101)


# ------------------------------------------------------------------------------------------------ decoder


@pytest.mark.slow
def test_decoder_reshapes_and_searches_as_lmkit_does(show):
    element = show("decoder", DECODER)
    said = element.locator(".lm-said")
    assert "as soon as you touch" in said.inner_text()
    element.get_by_label("Your sentence").click()
    element.locator(".lm-bars li").first.wait_for()
    rng = np.random.default_rng(0)
    for _ in range(50):
        log_p = np.log(rng.dirichlet(np.full(9, 0.5)))
        temperature, k, p = (
            float(rng.choice([0, 0.5, 1, 2])),
            int(rng.integers(1, 10)),
            float(rng.choice([0.3, 0.9, 1])),
        )
        expected = decoding.keep_top_p(decoding.keep_top_k(decoding.apply_temperature(log_p, temperature), k), p)
        found = element.evaluate("(e, a) => e.reshape(...a)", [np.exp(log_p).tolist(), temperature, k, p])
        np.testing.assert_allclose(found, np.exp(expected), rtol=1e-9, atol=1e-15)
    for words in ([], ["cow"], ["anna", "and"]):
        for width in (1, 3, 10):
            found = element.evaluate(
                "(e, a) => e.beam(e.after(a[0]), a[1]).map(([ids, cost]) => [ids, cost])", [words, width]
            )
            expected = decoding.beam_search(READER, width, FARM_WORDS.encode(words), max_tokens=100)
            assert [tuple(ids) for ids, _ in found] == [h.tokens for h in expected]
            np.testing.assert_allclose([cost for _, cost in found], [h.log_prob for h in expected], rtol=1e-4)


@pytest.mark.slow
def test_decoder_writes_and_judges(show):
    element = show("decoder", DECODER | {"text": "cow eats it"})
    element.get_by_role("button", name="Draw a sentence").click()  # asks for the model
    element.locator(".lm-bars li").first.wait_for()
    for label, value in (("Temperature", "0"), ("Top k", "1"), ("Top p", "0")):
        element.get_by_label(label).fill(value)
    assert re.search(r"^[12] of \d+ words can be drawn", element.locator(".lm-said").text_content())
    greedy = decoding.greedy(READER, FARM_WORDS.encode(["cow", "eats", "it"]), max_tokens=100)
    ending = [FARM_WORDS.vocab[i] for i in greedy]
    assert len(ending) == 100 and FARM_WORDS.eos_id not in greedy and ending[:2] == [".", "."]
    element.get_by_role("button", name="Draw a sentence").click()
    first = element.locator(".lm-written li").first
    assert first.inner_text() == " ".join(["cow eats it", *ending]) + " … (cut off; not in the language)"
    for text, ended, verdict in (
        ("cow eats it .", True, "a sentence of the language"),
        ("cow eats it", True, "not in the language"),
        ("cow eats it", False, "cut off; correct so far"),
        ("", False, "cut off; correct so far"),
        ("anna and bella", False, "cut off; correct so far"),
        ("anna and anna", False, "cut off; not in the language"),
        ("cow eats it . .", True, "not in the language"),
    ):
        assert element.evaluate("(e, a) => e.verdict(...a)", [text.split(), ended]) == verdict, text
    element.get_by_label("Top k").fill("3")  # all words
    element.get_by_label("Top p").fill("2")
    element.get_by_label("Temperature").fill("2")
    for _ in range(20):
        element.get_by_role("button", name="Draw a sentence").click()
        text, said = re.fullmatch(r"cow eats it ?(.*) \((.*)\)", first.inner_text()).groups()
        right = text == "." and not said.startswith("cut off")
        assert said.removeprefix("cut off; ") == ("a sentence of the language" if right else "not in the language")
        assert said.startswith("cut off") == text.endswith("…") == (len(text.split()) > 100)
    element.get_by_label("Beam").select_option("5")
    element.get_by_role("button", name="Search").press("Enter")
    assert re.search(r"\(beam of 5, log-probability -\d+\.\d+, ", element.locator(".lm-written li").first.inner_text())


@pytest.mark.slow
def test_decoder_calls_no_correct_text_of_its_page_wrong(book_url, visit):
    grammar = corpora.course_grammar()
    page = visit().open(f"{book_url}/book/decoding.html")
    element = page.locator("lm-decoder")
    long = "bella needs her stamps , nora needs her songs and flora needs her maps . the printer is out of paper ."
    for typed, verdicts in (("the", []), (long, [])):
        element.get_by_label("Your sentence").fill(typed)
        element.locator(".lm-bars li").first.wait_for()
        for _ in range(60):
            element.get_by_role("button", name="Draw a sentence").click()
            text, said = re.fullmatch(r"(.*) \((.*)\)", element.locator(".lm-written li").first.inner_text()).groups()
            words = text.removesuffix(" …").split()
            if said.startswith("cut off"):
                right = "correct so far" in said
                assert len(words) == len(typed.split()) + 100
                assert right == all(word in grammar.next_word_distribution(words[:t]) for t, word in enumerate(words))
            else:
                verdicts.append(said)
                assert (said == "a sentence of the language") == np.isfinite(grammar.log_prob(words))
        assert len(verdicts) > 50 and "not in the language" in verdicts
        assert typed == long or "a sentence of the language" in verdicts
    assert max(len(text.split()) for text in element.locator(".lm-written li").all_inner_texts()) > 40


# --------------------------------------------------------------------------------------------- backwards


def as_python_prints(text):
    """The numbers of a widget like 1.3 · 10⁻⁴ as Python's .1e writes them."""
    plain = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
    return [f"{float(a + 'e' + b.translate(plain)):.1e}" for a, b in re.findall(r"(\d\.\d) · 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text)]


@pytest.mark.slow
def test_backwards_multiplies_by_the_jacobians(show):
    element = show("backwards", BACKWARDS)
    said, verdicts = element.locator(".lm-said"), set()
    W, x, v = (np.array(BACKWARDS[name]) for name in ("W", "x", "v"))
    for radius, rho in enumerate(BACKWARDS["radii"]):
        for strength, size in enumerate(BACKWARDS["strengths"]):
            for unit in ("tanh", "linear"):
                h, slopes, lengths = np.zeros(2), [], [1.0]
                for x_t in x:
                    a = rho * W @ h + size * x_t
                    h = np.tanh(a) if unit == "tanh" else a
                    slopes.append(1 - h**2 if unit == "tanh" else np.ones(2))
                J = np.eye(2)
                for slope in slopes[::-1]:
                    J = J @ np.diag(slope) @ (rho * W)
                    lengths.append(np.linalg.norm(J.T @ v))
                element.get_by_label("Spectral radius").fill(str(radius))
                element.get_by_label("Strength of the inputs").fill(str(strength))
                element.get_by_label("Units").select_option(unit)
                found = element.evaluate("(e, a) => e.reach(...a)", [rho, size, unit == "tanh"])
                np.testing.assert_allclose(found, lengths, rtol=1e-12, atol=0)
                assert as_python_prints(said.inner_text()) == [f"{lengths[k]:.1e}" for k in (1, 4)]
                growth = lengths[4] / lengths[2]
                verdict = "vanishes" if growth < 0.5 else "explodes" if growth > 2 else "stays of the same order"
                assert said.inner_text().endswith(f": from step 2 on it {verdict}.")
                verdicts.add(verdict)
    assert len(verdicts) == 3


@pytest.mark.slow
def test_backwards_shows_the_numbers_of_its_page(book, book_url, visit):
    page = visit().open(f"{book_url}/book/through_time.html")
    element, data = page.locator("lm-backwards"), data_of(book, "through_time", "backwards")
    element.scroll_into_view_if_needed()
    rows = re.findall(r"ρ = ([\d.]+), inputs ([\d.]+) +(\d.*)", printed(page))
    assert len(rows) == 5
    for rho, size, numbers in rows:
        element.get_by_label("Spectral radius").fill(str(data["radii"].index(float(rho))))
        element.get_by_label("Strength of the inputs").fill(str(data["strengths"].index(float(size))))
        text = element.locator(".lm-said").text_content()
        for shown, number in zip(as_python_prints(text), numbers.split(), strict=True):  # 3.6e-03 and 4e-03
            digit = 10 ** int(number.split("e")[1])
            assert abs(float(shown) - float(number)) <= 0.551 * digit  # half a unit of each one's last digit
    assert "vanishes" in text
    element.get_by_label("Strength of the inputs").fill("0")  # the page: without inputs 1 is the border
    for rho, verdict in ((0.9, "vanishes"), (1, "stays"), (1.1, "explodes")):
        element.get_by_label("Spectral radius").fill(str(data["radii"].index(rho)))
        assert verdict in element.locator(".lm-said").text_content()


# ------------------------------------------------------------------------------------------------ tagger


def tags_of(tagger, words, vocabulary):
    with torch.no_grad():
        return torch.softmax(tagger(pad_sequences([vocabulary.encode(words)]))[0][0], dim=-1).numpy()


@pytest.mark.slow
def test_tagger_computes_the_networks_of_lmkit_and_says_where_they_differ(show):
    element = show("tagger", TAGGER)
    assert "as soon as you touch" in element.locator(".lm-said").text_content()
    assert element.locator(".lm-tags li").count() == 0
    for text in ("time", "time flies near the gate", "time flies near the gate bite the dog"):
        found = element.evaluate("(e, words) => e.tag(words)", text.split())
        for prefix, tagger in TAGGERS.items():
            np.testing.assert_allclose(found[prefix], tags_of(tagger, text.split(), INSECT_WORDS), rtol=1e-4, atol=1e-7)
        element.get_by_label("Your sentence").fill(text + " ")
        element.locator(f".lm-tags li:nth-child({len(text.split())})").wait_for()
        element.page.wait_for_function(
            "n => document.querySelectorAll('.lm-tags li').length === n", arg=len(text.split())
        )
        p = [tags_of(tagger, text.split(), INSECT_WORDS) for tagger in TAGGERS.values()]
        cards = element.locator(".lm-tags li").all_inner_texts()
        for t, (word, card) in enumerate(zip(text.split(), cards, strict=True)):
            rows = [f"{'nvpd'[q[t].argmax()]} {q[t].max():.3f}" for q in p]
            assert re.sub(r"\s+", " ", card) == f"{word} → from the left: {rows[0]} ⇄ both ways: {rows[1]}"
        apart = sum(a.argmax() != b.argmax() for a, b in zip(*p, strict=True))
        assert element.locator(".lm-said").text_content().count("for the tagger from the left") == apart


@pytest.mark.slow
def test_tagger_from_the_left_does_not_change_its_mind_and_offers_what_can_follow(show):
    element = show("tagger", TAGGER)
    short, long = (
        element.evaluate("(e, words) => e.tag(words)", t.split()) for t in ("time flies", "time flies near the")
    )
    np.testing.assert_allclose(short["one"], long["one"][:2], rtol=1e-9)
    assert np.abs(np.subtract(short["two"], long["two"][:2])).max() > 1e-3
    element.locator(".lm-offers button").first.click()
    element.locator(".lm-tags li:nth-child(4)").wait_for()
    assert element.get_by_label("Your sentence").input_value() == "time flies near the "
    element.get_by_label("Your sentence").fill("time zebra ")
    assert "no word “zebra”" in element.inner_text()


@pytest.mark.slow
def test_taggers_of_the_page_give_the_numbers_of_its_fallback(book, book_url, visit):
    page = visit().open(f"{book_url}/book/sequence_tasks.html")
    html = (book / "book" / "sequence_tasks.html").read_text(encoding="utf-8")
    rows = re.findall(r"<th scope='row'>(\w+)</th><td>(\w) ([\d.]+)</td><td>(\w) ([\d.]+)</td>", html)
    assert [row[0] for row in rows] == "time flies near the gate bite the dog".split()
    found = page.locator("lm-tagger").evaluate("(e, words) => e.tag(words)", [row[0] for row in rows])
    for t, (_, left, p, both, q) in enumerate(rows):
        for prefix, tag, stated in (("one", left, p), ("two", both, q)):
            k = "nvpdrm".index(tag)
            assert np.argmax(found[prefix][t]) == k and abs(found[prefix][t][k] - float(stated)) < 6e-4


# ------------------------------------------------------------------------------------------------ scan


@pytest.mark.slow
@pytest.mark.parametrize("T", [2, 4, 5, 8, 11])
def test_scans_of_the_page_are_the_recurrence_and_count_rounds_and_products(show, T):
    element = show("scan", SCAN)
    a, b = (torch.tensor(SCAN[name][:T], dtype=torch.float64) for name in "ab")
    counts = {}
    for way in ("one after the other", "Hillis and Steele", "Blelloch"):
        found = element.evaluate("(e, [way, T]) => e.run(way, T)", [way, T])
        np.testing.assert_allclose(found["h"], sequential_scan(a, b), rtol=1e-12)
        counts[way] = found["rounds"], found["products"]
    log = math.ceil(math.log2(T))
    assert counts["one after the other"] == (T - 1, T - 1)
    assert counts["Hillis and Steele"] == (log, sum(2 * (T - 2**k) for k in range(log)))
    if T in (4, 8):
        assert counts["Blelloch"] == (2 * log - 1, {4: 7, 8: 18}[T])


@pytest.mark.slow
def test_scan_shows_a_round_at_a_time_and_begins_anew(show):
    element = show("scan", SCAN)
    said = element.locator(".lm-said")
    assert "round 0 of 7, 0 products so far. 1 of 8 states are there." in said.inner_text()
    element.get_by_role("button", name="Next round").click()
    assert "round 1 of 7, 1 product so far. 2 of 8" in said.inner_text()
    assert element.locator("li").nth(1).inner_text().split() == ["1–2", "h", "=", "3"]
    assert element.locator(".lm-fresh").count() == element.locator(".lm-read").count() == 1
    element.get_by_label("Scan").select_option("Hillis and Steele")
    element.get_by_role("button", name="Next round").press("Enter")
    assert element.locator("li").nth(4).inner_text().split() == ["4–5", "a", "−0.5", "b", "2"]
    element.get_by_role("button", name="All rounds").click()
    assert "round 3 of 3, 34 products so far. All 8 states are there; the last is" in said.inner_text()
    element.get_by_label("Steps").select_option("11")
    assert "round 0 of 4" in said.inner_text() and element.locator("li").count() == 11


@pytest.mark.slow
def test_scan_of_the_page_ends_with_the_states_that_its_cell_prints(book_url, visit):
    page = visit().open(f"{book_url}/book/linear_recurrence.html")
    stated = [float(x) for x in re.search(r"h = ([\d. \n]+)", printed(page))[1].split()]
    for way in ("one after the other", "Hillis and Steele", "Blelloch"):
        found = page.locator("lm-scan").evaluate("(e, way) => e.run(way, 16)", way)
        np.testing.assert_allclose(found["h"], stated, rtol=1e-5)


# ------------------------------------------------------------------------------------------------ attend


@pytest.mark.slow
def test_attend_says_where_each_step_looks(show):
    element = show("attend", ATTEND)
    said = element.locator(".lm-said")
    assert (
        "Step 1 of 3 writes “b” with probability 0.750. The largest weight, 0.625, is on “b”, place 2 of 3."
        in said.inner_text()
    )
    assert "The answer is “ba”: right." in said.inner_text()
    assert bar_texts(element) == ["a 0.125", "b 0.625", "end 0.250"]
    element.get_by_role("slider", name="Step").press("End")
    assert "Step 3 of 3 writes “end”" in said.inner_text() and bar_texts(element)[2] == "end 0.500"
    element.get_by_role("button", name="Next step").press("Enter")  # from the last to the first
    assert "Step 1 of 3" in said.inner_text()
    element.locator(".lm-map tbody tr").nth(1).hover()
    assert "Step 2 of 3" in said.inner_text() and element.get_by_role("slider", name="Step").input_value() == "1"
    shades = element.locator(".lm-map td span").evaluate_all("all => all.map(one => +one.style.opacity)")
    assert shades == [a for step in ATTEND["steps"] for a in step["weights"]]
    assert element.locator(".lm-context rect").count() == 2


@pytest.mark.slow
def test_attend_says_what_is_wrong_with_a_source_and_keeps_the_last_good_one(show):
    element = show("attend", ATTEND)
    problem, field = element.locator(".lm-problem"), element.get_by_label("Source")
    for text, message in (
        ("abc", "The model knows the letters a to b only, not “c”."),
        ("", "At least one letter."),
        ("abab", "At most 3 letters."),
        ("aab", "The model could not be fetched."),  # this page has no weights
    ):
        field.fill(text)
        assert problem.inner_text() == message and "The answer is “ba”" in element.locator(".lm-said").text_content()


@pytest.mark.slow
def test_attend_is_the_model_that_the_page_trained(book, book_url, visit):
    data, page = data_of(book, "attention", "attend"), visit().open(f"{book_url}/book/attention.html")
    element = page.locator("lm-attend")
    element.scroll_into_view_if_needed()
    stated = re.findall(r"writes (\S)   most weight, (\S+), on place (\d+): (\S)", printed(page))
    assert len(stated) == len(data["source"]) + 1
    for letter, weight, place, at in stated:
        sign, written = (c.replace("⏎", "end") for c in (at, letter))
        said = element.locator(".lm-said").text_content()
        assert f"writes “{written}”" in said and f"weight, {weight}, is on “{sign}”, place {place} of" in said
        element.get_by_role("button", name="Next step").click()
    own = [(step["p"], *step["weights"], *step["context"]) for step in data["steps"]]
    field = element.get_by_label("Source")
    field.fill("a")
    element.get_by_text("of 2. The answer is").wait_for()  # right or wrong, as the model learned it on this machine
    field.fill(data["source"])  # now the engine computes what the page's cell did
    element.get_by_text(f"of {len(data['source']) + 1}. The answer is").wait_for()
    found = element.evaluate(
        """async (e, { source, vocab, bos, eos }) => {
          const model = new lm.engine.Seq2Seq(await lm.engine.weights(e));
          return model.greedy([...[...source].map((c) => vocab.indexOf(c)), eos], bos, eos, 20)
            .map(({ p, weights, context }) => [p, ...weights, ...context]);
        }""",
        data,
    )
    np.testing.assert_allclose(found, own, rtol=0, atol=1e-4)
