"""The look of the course's figures, and the few pictures that several chapters share."""

import base64
import json
import math
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import ArrayLike

from lmkit.checks import check_array, check_instance, check_list

if TYPE_CHECKING:
    from IPython.display import HTML

LARGEST_HALF = float(np.finfo(np.float16).max)  # 65 504

# Okabe & Ito (2008): eight colours that readers with any common colour vision tell apart.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"]


def use_course_style() -> None:
    """Draw figures as the book does: SVG whose words are text, transparent (for the dark theme), the same bytes each run."""
    plt.style.use(Path(__file__).with_name("data") / "course.mplstyle")
    plt.rcParams["axes.prop_cycle"] = plt.cycler(color=COLOURS)
    try:
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # not in a notebook
        return
    set_matplotlib_formats("svg", metadata={"Date": None})


def widget(name: str, data: dict, fallback: str, weights: Mapping[str, ArrayLike] | None = None) -> "HTML":
    """An interactive figure of the book: the last line of a notebook cell.

    Args:
        name: that of a script in ``book/_static/widgets``, which draws ``<lm-name>``.
        data: what the widget shows; numpy arrays are welcome, infinities are shown as ∞.
        fallback: HTML that stands in its place where JavaScript is off: a sentence or a small table.
        weights: of a model that ``engine.js`` runs, by name; they go into the page in half precision, in a file of their own
            that is fetched when the widget is first used.

    Raises:
        ValueError: for a name that cannot be one, data with a NaN, an empty fallback, or weights that half precision
            cannot hold.
    """
    from IPython.display import HTML

    if not re.fullmatch("[a-z]+", check_instance(name, "name", str)):
        raise ValueError(f"name must be that of a widget, small letters only, got {name!r}")
    if not check_instance(fallback, "fallback", str).strip():
        raise ValueError("fallback is empty, expected HTML for readers without JavaScript")
    text = json.dumps(_plain(check_instance(data, "data", dict)), ensure_ascii=False, separators=(",", ":"))
    text = text.replace("<", "\\u003c")  # "</script>" in a corpus must not end the script
    script = f'<script type="application/json">{text}</script>'
    if weights is not None:
        script += f'<script type="application/json" class="lm-weights">{_packed(weights)}</script>'
    return HTML(f'<lm-{name} class="lm-widget">{script}<div>{fallback}</div></lm-{name}>')


def _packed(weights: Mapping[str, ArrayLike]) -> str:
    """The shapes of the weights, and all numbers one after another in half precision, as JSON."""
    halves = {}
    for name, w in check_instance(weights, "weights", Mapping).items():
        w = check_array(w, f"weights[{name!r}]", "…")
        if (largest := np.abs(w).max(initial=0)) > LARGEST_HALF:
            raise ValueError(f"weights[{name!r}] must be within half precision's {LARGEST_HALF:.0f}, got {largest:.3g}")
        halves[name] = w.astype("<f2")
    half = base64.b64encode(b"".join(w.tobytes() for w in halves.values())).decode()
    return json.dumps({"shapes": {name: w.shape for name, w in halves.items()}, "half": half})


def _plain(value: object) -> object:
    """``value`` as what JSON knows: numpy unpacked, infinities as None."""
    if isinstance(value, dict):
        if len(names := {str(key) for key in value}) < len(value):
            raise ValueError(f"data has keys that are the same as texts, among {sorted(names)}")
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        if math.isnan(value):
            raise ValueError("data holds a NaN, expected numbers (an infinity is fine)")
        return None if math.isinf(value) else value
    if value is not None and not isinstance(value, str | int):
        raise ValueError(f"data must hold numbers, texts, lists and dicts, got {value!r}")
    return value


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """An HTML table, such as the fallback of a widget; the first entry of each row names it.

    Raises:
        ValueError: for a row that is not as long as the header.
    """
    head = "".join(f"<th scope='col'>{escape(str(name))}</th>" for name in check_list(header, "header"))
    lines = []
    for row in check_list(rows, "rows"):
        if not isinstance(row, list | tuple) or len(row) != len(header) or not row:
            raise ValueError(f"rows must have {len(header)} entries each like the header, got {row!r}")
        name, *values = (escape(str(value)) for value in row)
        lines.append(f"<th scope='row'>{name}</th>" + "".join(f"<td>{value}</td>" for value in values))
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"  # on paper the head is repeated
