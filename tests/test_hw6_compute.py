"""Homework 6: what its tables and its projects give is what its outlines and its rubric say."""

import contextlib
import io
import itertools
import re

import nbformat
import pytest

from lmkit.compute import BESIROGLU_2024, HOFFMANN_2022, Architecture, n_parameters
from lmkit.grading.answers import notebook_path
from lmkit.published_models import GPT3_DATA, GPT3_SIZES

NAME = "hw6_compute"
RUBRIC = (notebook_path(NAME).parent / "rubric.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def homework():
    """The names of the solved notebook, without its tests, and what it prints."""
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in nbformat.read(notebook_path(NAME), as_version=4).cells:
            if cell.cell_type == "code" and not cell.id.startswith("test-"):
                exec(compile(cell.source, cell.id, "exec"), names)
        names["show_rule_of_six"]()
        names["show_findings"]()
    return names | {"printed": printed.getvalue()}


def outline(grade_id):
    cells = nbformat.read(notebook_path(NAME), as_version=4).cells
    return next(c.source for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def projects(homework):
    """The project of every combination that an id can lead to."""
    found = {}
    for i in itertools.count():
        project = homework["my_project"](f"student{i}")
        found[tuple(project.values())] = project
        if len(found) == 4 * 4 * 16:
            return found.values()


def test_tables_are_the_printed_ones(homework):
    for ours, right in zip(homework["TABLE_2_1"], GPT3_SIZES, strict=True):
        a, printed = right.architecture, right.printed or {}
        assert ours["name"] == right.name
        for field in ("n_layers", "d_model", "n_heads", "d_head"):
            assert ours[field] == printed.get(field, getattr(a, field))
        assert float(ours["size"][:-1]) * {"M": 1e6, "B": 1e9}[ours["size"][-1]] == right.printed_parameters
    for ours, right in zip(homework["TABLE_2_2"], GPT3_DATA, strict=True):
        assert (ours["name"], ours["tokens"], ours["weight"]) == (right.name, right.tokens, right.weight)
        assert float(ours["epochs"]) == right.printed_epochs
    for law, right in (("HOFFMANN", HOFFMANN_2022), ("BESIROGLU", BESIROGLU_2024)):
        assert homework[law] == vars(right)


def test_the_checker_finds_the_misprints(homework):
    misfits = {row["name"]: homework["row_problems"](row) for row in homework["TABLE_2_1"]}
    assert {name for name, problems in misfits.items() if "heads" in problems} == {"GPT-3 XL", "GPT-3 13B"}
    unexplained = []
    for row in homework["TABLE_2_2"]:
        least, most = homework["epoch_range"](row["tokens"], row["weight"], 300e9)
        half = 0.5 / 10 ** len(row["epochs"].partition(".")[2])
        if not least - half < float(row["epochs"]) < most + half:
            unexplained.append(row["name"])
    assert unexplained == ["WebText2"]
    # Table D.1 decides: 16 heads, width 5120
    assert round(homework["repairs"](homework["TABLE_2_1"][3])["n_heads"] / 1e7) == 132
    assert round(homework["repairs"](homework["TABLE_2_1"][6])["d_model"] / 1e7) == 1285
    assert "499 billion tokens" in homework["printed"] and "101%" in homework["printed"]
    assert "30.6%" in homework["printed"] and "2.8%" in homework["printed"]  # attention against the rest


def test_every_project_asks_the_same_questions(homework):
    for p in projects(homework):
        C = homework["affordable_flops"](
            p["dollars"], p["FLOP/s of a card at its peak"], p["utilisation"], p["dollars for a card and hour"]
        )
        (N, D), text = BESIROGLU_2024.best(C), p["tokens of text"]
        assert 2 < D / text < 3.5  # the text is short, but four readings are not needed
        assert BESIROGLU_2024.loss(N, D) + 0.01 < BESIROGLU_2024.loss(C / 6 / text, text)
        memory = p["GiB of a card"] * 2**30
        assert 16 * 0.95 * N > memory  # not on one card, nor is one that is 5 % smaller
        one = homework["activation_bytes"](homework["gpt_shape"](44, round((N / 12 / 44) ** 0.5), 1), 1, 2048)
        assert one < 0.6 * memory  # but a sequence is


def test_the_id_is_read_kindly(homework):
    assert homework["my_project"](" Ab12\n") == homework["my_project"]("ab12") != homework["my_project"]("ab13")


def test_outline_of_the_plan(homework):
    text = outline("plan")
    C = homework["affordable_flops"](50_000, 3e14, 0.40, 1.5)
    N, D = homework["best_allocation"](C, homework["BESIROGLU"])
    shape = homework["gpt_shape"](40, 4736, 37)
    n = homework["model_parameters"](shape)
    one, states = homework["activation_bytes"](shape, 1, 2048), sum(homework["state_bytes"](n).values())
    cards = next(k for k in range(1, 99) if homework["sequences_that_fit"](48, states / k, one))
    days, dollars = homework["run_cost"](C, 64, 3e14, 0.40, 1.5)
    assert cards == 5 and round(dollars) == 50_000 and abs(n / N - 1) < 0.05
    for number in (
        f"{C:.2e} operations".replace("e+", "e"),
        f"{C / 8.64e19:.0f} petaflop/s-days",
        f"$N$ = {N / 1e9:.1f} billion",
        f"$D$ = {D / 1e9:.0f} billion",
        f"{n / 1e9:.1f} billion parameters",
        f"{states / 2**30:.0f} GiB",
        f"One sequence takes {one / 2**30:.1f} GiB",
        f"there are {states / 4 / 2**30:.1f} GiB each, which leaves {48 - states / 4 / 2**30:.1f}",
        f"there are {states / 5 / 2**30:.1f} each, which leaves {48 - states / 5 / 2**30:.1f}",
        f"{days:.1f} days",
        f"about {homework['updates'](D, 256, 2048) / 1e4:.0f}0 000 updates",
        f"{D / 80e9:.2f} times",
        f"{BESIROGLU_2024.loss(N, D):.3f} nats",
        f"a model of {C / 6 / 80e9 / 1e9:.0f} billion",
        f"{BESIROGLU_2024.loss(C / 6 / 80e9, 80e9):.3f}",
    ):
        assert number in text, number
    assert f"{n:,}".replace(",", " ") in RUBRIC


def test_rubric_computes_what_its_sample_says(homework):
    code = re.search(r"```python\n(.*?)```", RUBRIC, re.S)[1]
    for i in itertools.count():  # an id with the sample's sum and cards
        p = homework["my_project"](f"student{i}")
        if (p["dollars"], p["GiB of a card"], round(p["utilisation"], 2)) == (50_000, 48, 0.40):
            break
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        names = {"my_project": homework["my_project"]}
        exec(code.replace("the id", f"student{i}"), names)
        names["shape"](48, 7168, 56)  # the larger model of row g
        names["p"]["GiB of a card"] = 12  # one sequence takes 12.7
        names["shape"](40, 4736, 37)
    lines = printed.getvalue().splitlines()
    assert lines[0] == "C 1.44e+22 = 167 petaflop/s-days, N 10.90 billion, D 220 billion"
    assert lines[1:3] == ["2.75 readings: 2.121 nats", "or 30.0 billion parameters, one reading: 2.141 nats"]
    assert lines[3] == "11016442752 parameters, +1.0%; 164.2 GiB, a sequence 12.7 GiB: 5 cards"
    assert lines[4].startswith("29974418432") and lines[4].endswith("18 cards")
    assert lines[5].endswith(" GiB: no number of cards")
    assert "48 layers, width 7168, 56 heads are 30.0 billion parameters: 18 cards" in RUBRIC
    assert homework["updates"](220e9, 256, 2048) // 1000 == 419  # "about 420 000"


def test_outline_of_the_open_question(homework):
    law = homework["BESIROGLU"]
    N, D = homework["best_allocation"](3.15e23, law)
    loss = homework["scaling_loss"](law, N, D)
    assert f"{loss:.3f}" == "1.992" and f"{N / 1e9:.0f} {D / 1e12:.2f}" == "53 0.99"
    other = HOFFMANN_2022.best(3.15e23)
    assert 2 < N / other.n_parameters < 2.3  # the two fits differ by a factor of two

    def all_in(n, tokens):
        room = loss - law["E"] - law["A"] / n ** law["alpha"]
        return 6 * n * (law["B"] / room) ** (1 / law["beta"]) + 2 * n * tokens if room > 0 else float("inf")

    found = {}
    for tokens in (1e11, 1e12, 1e13):
        n = min((10 ** (i / 20_000) for i in range(200_000, 220_000)), key=lambda n: all_in(n, tokens))
        d = (all_in(n, 0) / 6) / n
        found[tokens] = f"{n / 1e9:.1f} {d / 1e12:.2f} {1 - all_in(n, tokens) / (6 * N * D + 2 * N * tokens):.2%}"
    assert list(found.values()) == ["50.7 1.04 0.07%", "39.7 1.37 3.79%", "23.3 3.19 33.69%"]
    assert "$N$ = 50.7, 39.7, 23.3 billion, $D$ = 1.04, 1.37, 3.19 trillion" in RUBRIC
    text = outline("open_question")
    assert "50.7 billion" in text and "1.04 trillion" in text and "0.07 % less" in text
    assert "23 billion" in text and "3.2 trillion" in text and "a third less" in text


def test_rubric_computes_any_use_of_a_model():
    code = re.findall(r"```python\n(.*?)```", RUBRIC, re.S)[1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code + "\ncheapest(1e11)\ncheapest(1e12)\ncheapest(1e13)", {})
    assert printed.getvalue().splitlines() == [
        "S 3e+12: N 31.2 billion, D 1.90 trillion",
        "S 1e+11: N 50.7 billion, D 1.04 trillion",
        "S 1e+12: N 39.7 billion, D 1.37 trillion",
        "S 1e+13: N 23.3 billion, D 3.19 trillion",
    ]


def test_model_of_the_statement_is_the_packages(homework):
    for name in ("GPT", "GPT2_SMALL", "GPT2_XL", "GPT3_SMALL", "GPT3"):
        shape = dict(homework[name])
        assert homework["model_parameters"](shape) == n_parameters(Architecture(**shape))
