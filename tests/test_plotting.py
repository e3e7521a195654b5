"""What a page's interactive figures are given."""

import json

import numpy as np
import pytest

from lmkit.plotting import table, widget
from tests.doors import NAN, NOTHING, Door

DOORS = [
    Door(
        table,
        lambda: {"header": ["word", "count"], "rows": [["cows", 3]]},
        {"header": [None, 3, "ab"], "rows": [None, 3, "ab", [3], ["ab"], [["cows"]]]},
    ),
    Door(
        widget,
        lambda: {"name": "sampler", "data": {"p": [0.5, np.inf]}, "fallback": "A die.", "weights": {"W": np.eye(2)}},
        {
            "name": [None, 3, "", "no widget", "<b>", ["sampler"]],
            "data": [
                None,
                3,
                "x",
                [1],
                {"p": NAN},
                {"p": [np.array([NAN])]},
                {"p": NOTHING},
                {"p": {1, 2}},
                {1: 2, "1": 3},
            ],
            "fallback": [None, 3, "", "  ", b"A die."],
            "weights": [3, [1.0], "W", {"W": [1e6]}, {"W": [NAN]}, {"W": "W"}, {"W": None}],
        },
    ),
]


def given(data):
    """What the script of a widget reads."""
    return json.loads(widget("sampler", data, "A die.").data.split('json">')[1].split("</script>")[0])


def test_numpy_and_infinities():
    data = {"a": np.arange(3), 1: (np.float64(0.5), -np.inf), "flag": np.bool_(True), "none": None}
    assert given(data) == {"a": [0, 1, 2], "1": [0.5, None], "flag": True, "none": None}


def test_a_text_cannot_end_the_script():
    text = "</script><b>&amp; é"
    assert given({"text": text}) == {"text": text}
    html = widget("sampler", {"text": text}, "<p>A die.</p>").data
    assert html.count("</script>") == 1 and "<p>A die.</p>" in html and html.startswith("<lm-sampler")


@pytest.mark.parametrize("name", ["Sampler", "lm-sampler", "a b", "a>"])
def test_names_that_no_element_has(name):
    with pytest.raises(ValueError, match="name must be that of a widget"):
        widget(name, {}, "A die.")
