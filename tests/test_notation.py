"""Every symbol in a displayed formula stands in the table of the page on notation.

What is compared is the letter with its accent and with the letters below it that are no indices: $W_{xh}$, but $h_{t-1}$ as $h$.
"""

import re
import sys

import pytest
from conftest import ROOT
from test_prose import CHAPTERS, SOURCES

sys.path.append(str(ROOT / "book/_ext"))
from schedule import CELL, FORMULA, body

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]|\d+|\s+|.", re.DOTALL)
ACCENTS = {"hat", "tilde", "overrightarrow", "overleftarrow"}
NAMES = {"mathrm", "operatorname", "mathcal", "mathbb"}
GREEK = set(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi rho sigma tau phi varphi chi psi "
    "omega Gamma Delta Theta Lambda Pi Sigma Phi Psi Omega ell".split()
)
# Bound by a sum, a product or "for all", or counting places and steps: they mean nothing outside of their formula.
BOUND = set("ijklmrst")
INDEX = set("ijklmnrstwT")


def argument(tokens, i):
    """The tokens of the argument at i, and the place behind it."""
    while i < len(tokens) and tokens[i].isspace():
        i += 1
    if i < len(tokens) and tokens[i] == "{":
        depth, j = 1, i + 1
        while depth:
            depth += (tokens[j] == "{") - (tokens[j] == "}")
            j += 1
        return tokens[i + 1 : j - 1], j
    if i < len(tokens) and tokens[i][1:] in ACCENTS | NAMES | {"text"}:
        inside, j = argument(tokens, i + 1)
        return [tokens[i], "{", *inside, "}"], j
    return tokens[i : i + 1], i + 1


def label(tokens):
    """The words of a subscript, and its letters that are no indices; $T_x$ is an index."""
    kept, i = [], 0
    while i < len(tokens):
        if tokens[i] == "T" and tokens[i + 1 : i + 2] == ["_"]:
            i += 2
        elif tokens[i][1:] in NAMES | {"text"}:
            word, j = argument(tokens, i + 1)
            kept.append("".join(word))
            i = j - 1
        elif tokens[i][1:] in GREEK or (re.fullmatch("[A-Za-z]", tokens[i]) and tokens[i] not in INDEX):
            kept.append(tokens[i])
        i += 1
    return "".join(kept)


def symbols(tex):
    """Pairs of a letter and its label."""
    return walk(TOKEN.findall(tex.replace(r"\E", r"\mathbb{E}")))


def walk(tokens):
    """``symbols`` of what has been cut into tokens."""
    found, i = [], 0
    while i < len(tokens):
        token = tokens[i]
        name = token[1:] if token[0] == "\\" else ""
        if name in ("text", "begin", "end"):
            i = argument(tokens, i + 1)[1]
            continue
        if name in ACCENTS | NAMES:
            inside, i = argument(tokens, i + 1)
            base = f"{token}{{{''.join(inside).split('_')[0].strip()}}}".replace("operatorname", "mathrm")
        elif name in GREEK or re.fullmatch("[A-Za-z]", token):
            base, i = token, i + 1
        else:
            i += 1
            continue
        below = ""
        while i < len(tokens) and tokens[i] in ("'", "_", "^"):
            if tokens[i] == "'":
                i += 1
                continue
            inside, j = argument(tokens, i + 1)
            if tokens[i] == "_":
                below = label(inside)
            elif "".join(inside) != r"\top":
                found += walk(inside)
            i = j
        found.append((base, below))
    return found


def in_the_table():
    """What the first columns of the tables hold."""
    rows = re.findall(r"^\| ((?:[^|\n]|\\\|)+) \|", SOURCES["notation"], re.MULTILINE)
    return {one for row in rows for tex in re.findall(r"\$([^$]+)\$", row) for one in symbols(tex)}


def without_meaning(text, table):
    """The symbols of the displayed formulas that the table does not explain."""
    any_label = {letter for letter, below in table if below == "u"}  # g_u: the gradient with respect to any u
    used = set()
    for formula in FORMULA.findall(CELL.sub("", body(text))):
        used |= set(symbols(re.sub(r"^\$\$[^\n]*$", "", formula, flags=re.MULTILINE)))
    letters = {letter for letter, _ in table}
    return sorted(
        f"{letter}_{{{below}}}" if below else letter
        for letter, below in used
        if letter not in BOUND | {r"\pi"}
        and (letter not in letters if not below else (letter, below) not in table and letter not in any_label)
    )


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_symbol_of_a_displayed_formula_is_in_the_table(name):
    assert without_meaning(CHAPTERS[name], in_the_table()) == []


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("h_t = W_{xh}\\, x_t", [("h", ""), ("W", "xh"), ("x", "")]),
        ("\\hat y_{w_t}^\\top", [(r"\hat{y}", "")]),
        ("\\overrightarrow{h}_{t-1}", [(r"\overrightarrow{h}", "")]),
        ("\\mathrm{PP} = e^{L}", [(r"\mathrm{PP}", ""), ("L", ""), ("e", "")]),
        ("g_{b_h}, h_{T_x}, d_{\\mathrm{in}}", [("g", "bh"), ("h", ""), ("d", "in")]),
        ("\\text{dot} \\begin{aligned} \\E[q_i^2]", [(r"\mathbb{E}", ""), ("q", "")]),
    ],
)
def test_symbols_are_read_from_a_formula(tex, expected):
    assert symbols(tex) == expected


def test_a_symbol_without_meaning_is_found():
    table = {("W", "xh"), ("h", ""), ("g", "u"), ("x", "")}
    page = "---\nx: y\n---\n$$\nh_t = W_{xz} x_t + \\Xi + \\hat h_t + g_{W_o}\n$$ (eq-x)\n"
    assert without_meaning(page.replace(r"\Xi", r"\xi"), table) == [r"W_{xz}", r"\hat{h}", r"\xi"]
