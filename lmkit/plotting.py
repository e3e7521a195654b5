"""The look of the course's figures, and the few pictures that several chapters share."""

import json
import math
from typing import TYPE_CHECKING

import matplotlib.pyplot as plt
import numpy as np

if TYPE_CHECKING:
    from IPython.display import HTML

# Okabe & Ito (2008): eight colours that readers with any common colour vision tell apart.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"]


def use_course_style() -> None:
    """Draw figures as the book does: SVG, transparent (for the dark theme), the same bytes each run."""
    plt.rcParams.update(
        {
            "axes.prop_cycle": plt.cycler(color=COLOURS),
            "axes.spines.right": False,
            "axes.spines.top": False,
            "figure.autolayout": True,
            "figure.dpi": 100,
            "figure.facecolor": "none",
            "axes.facecolor": "none",
            "savefig.facecolor": "none",
            "figure.figsize": (6.4, 3.4),
            "font.size": 10.5,
            "legend.frameon": False,
            "svg.fonttype": "path",
            "svg.hashsalt": "lmkit",
        }
    )
    try:
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ImportError:  # not in a notebook
        return
    set_matplotlib_formats("svg", metadata={"Date": None})


WIDGETS = ("order", "sampler", "shannon", "smoothing", "temperature")


def widget(name: str, data: dict, fallback: str) -> "HTML":
    """An interactive figure of the book (``book/_static/widgets.js``): the last line of a notebook cell.

    Args:
        name: one of ``WIDGETS``.
        data: what the widget shows; numpy arrays are welcome, infinities are shown as ∞.
        fallback: HTML that stands in its place where JavaScript is off: a sentence or a small table.

    Raises:
        ValueError: for an unknown name, data with a NaN, or an empty fallback.
    """
    from IPython.display import HTML

    if name not in WIDGETS:
        raise ValueError(f"name must be one of {', '.join(WIDGETS)}, got {name!r}")
    if not fallback.strip():
        raise ValueError("fallback is empty, expected HTML for readers without JavaScript")
    text = json.dumps(_plain(data), ensure_ascii=False, separators=(",", ":"))
    text = text.replace("<", "\\u003c")  # "</script>" in a corpus must not end the script
    return HTML(f'<lm-{name}><script type="application/json">{text}</script><div>{fallback}</div></lm-{name}>')


def _plain(value: object) -> object:
    """``value`` as what JSON knows: numpy unpacked, infinities as None."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        if math.isnan(value):
            raise ValueError("data holds a NaN, expected numbers (an infinity is fine)")
        return None if math.isinf(value) else value
    return value
