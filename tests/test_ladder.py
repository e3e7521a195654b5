import math
import sys

import numpy as np
import pytest
from conftest import ROOT

from lmkit.corpora import course_grammar
from lmkit.grammar import Grammar
from lmkit.ladder import NEURAL, NGRAMS, Rung, accuracy_by_phenomenon, as_table, ladder
from lmkit.language_model import LanguageModel
from lmkit.tokenizers import WordTokenizer
from tests.doors import NOTHING, Door

QUICK = {"n_train": 500, "n_test": 40, "steps": 5}  # all rungs in seconds, none of them any good


@pytest.fixture(scope="module")
def rungs() -> dict[str, Rung]:
    return {rung.name: rung for rung in ladder(**QUICK, quiet=True)}


@pytest.mark.slow
def test_every_model_is_a_rung_from_uniform_to_the_grammar(rungs):
    assert list(rungs) == ["uniform", *NGRAMS, *NEURAL, "the grammar itself"]


@pytest.mark.slow
def test_uniform_knows_the_number_of_words_and_nothing_else(rungs):
    predictable = len(course_grammar().words) + 1  # and <eos>
    assert rungs["uniform"].bits == pytest.approx(math.log2(predictable))
    assert rungs["uniform"].parameters == 0


def test_nothing_is_below_the_grammar(rungs):
    floor = rungs["the grammar itself"]
    assert floor.excess == 0
    assert set(floor.accuracy.values()) == {1.0}
    for rung in rungs.values():
        assert rung.excess >= 0
        assert rung.bits == pytest.approx(floor.bits + rung.excess)
        assert sum(rung.costs.values()) == pytest.approx(rung.excess, abs=1e-12)
        assert set(rung.costs) == {"agreement", "collocation", "copy", "elsewhere"}
        assert rung.excess_percent == pytest.approx(100 * rung.excess / floor.bits)


@pytest.mark.slow
def test_the_floor_is_near_the_entropy_rate():
    grammar = course_grammar()
    tokenizer = WordTokenizer([list(grammar.words)])
    words = grammar.sample(2000, seed=3)
    log_p = grammar.language_model(tokenizer.vocab).log_probs_many([tokenizer.encode(w, eos=True) for w in words])
    bits = [-p.sum() / math.log(2) for p in log_p]
    lengths = [len(p) for p in log_p]
    assert sum(bits) / sum(lengths) == pytest.approx(grammar.entropy_rate("bits"), rel=0.02)


@pytest.mark.slow
def test_training_is_repeatable_and_everything_is_counted(rungs):
    again = {rung.name: rung for rung in ladder(**QUICK, quiet=True)}
    for name, rung in rungs.items():
        assert again[name].bits == rung.bits
        assert again[name].accuracy == rung.accuracy
        assert set(rung.accuracy) == {"agreement", "collocation", "copy"}
    assert all(rungs[name].parameters > 10_000 for name in NEURAL)
    assert rungs["bigram"].parameters < rungs["trigram"].parameters


def test_accuracy_looks_at_labelled_tokens_only():
    grammar = course_grammar()
    sentences = grammar.sample_annotated(60, seed=4)
    tokenizer = WordTokenizer([list(grammar.words)])
    ids = [tokenizer.encode([token.word for token in sentence], eos=True) for sentence in sentences]
    asked = []

    class Contrary(LanguageModel):
        """Right at agreement, wrong elsewhere."""

        vocab_size, bos_id = tokenizer.vocab_size, tokenizer.bos_id

        def log_probs(self, tokens):
            raise NotImplementedError

        def next_log_probs(self, prefix):
            sentence = next(s for s, i in zip(sentences, ids, strict=True) if np.array_equal(i, current[0]))
            token = sentence[len(prefix)]
            asked.append(token.phenomenon)
            log_p = np.full(tokenizer.vocab_size, -10.0)
            log_p[tokenizer.encode([token.word])[0] if token.phenomenon == "agreement" else 0] = 0
            return log_p

    current = []
    found = {"agreement": [], "copy": [], "collocation": []}
    for one, sentence in zip(ids, sentences, strict=True):
        current[:] = [one]
        if any(token.phenomenon for token in sentence):
            for name, value in accuracy_by_phenomenon(Contrary(), [one], [sentence]).items():
                found[name].append(value)
    assert set(found["agreement"]) == {1.0}
    assert set(found["copy"]) == set(found["collocation"]) == {0.0}
    assert None not in asked


def test_accuracy_needs_a_label():
    good = good_accuracy()
    unlabelled = [[token._replace(phenomenon=None) for token in sentence] for sentence in good["annotated"]]
    with pytest.raises(ValueError, match="labels no token"):
        accuracy_by_phenomenon(**good | {"annotated": unlabelled})


def test_the_table_has_a_line_per_rung_in_equal_columns(rungs):
    lines = as_table(list(rungs.values())).splitlines()
    assert len(lines) == len(rungs) + 2
    assert len({len(line) for line in lines}) == 1
    assert lines[-1].startswith("| the grammar itself")
    assert "agreement" in lines[0] and "copy" in lines[0]


def test_only_some_rungs():
    assert [rung.name for rung in ladder(**QUICK, quiet=True, only=["bigram"])] == ["bigram", "the grammar itself"]
    with pytest.raises(ValueError, match="only must be one of 'uniform', 'unigram'.*, got 'transformer'"):
        ladder(**QUICK, only=["transformer"])


# --- The table that the book keeps ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def book_ladder():
    sys.path.append(str(ROOT / "book"))
    import ladder as script

    return script


def test_the_kept_table_fits_the_code(book_ladder):
    assert book_ladder.complaint() is None


def test_only_what_can_change_a_number_counts(book_ladder):
    source = '"""Doc."""\n\n\ndef f(x):\n    """Twice x."""\n    return "# 2" + x  # why\n'
    assert book_ladder.code(source) == 'def f(x):\n    return "# 2" + x'
    assert book_ladder.code(source.replace("Twice", "Two times").replace("why", "why not")) == book_ladder.code(source)
    assert book_ladder.code(source.replace("# 2", "# 3")) != book_ladder.code(source)
    on_one_line = 'class A(Exception): """é"""\nasync def f(): "doc"; return 3\n'
    assert book_ladder.code(on_one_line) == "class A(Exception):\nasync def f(): ; return 3"


def test_a_changed_model_an_unfinished_and_a_missing_table_are_named(book_ladder, tmp_path, monkeypatch):
    kept = book_ladder.stored()
    monkeypatch.setattr(book_ladder, "fingerprint", lambda: "another")
    assert "have changed" in book_ladder.complaint()
    monkeypatch.setattr(book_ladder, "fingerprint", lambda: kept["fingerprint"])
    monkeypatch.setattr(book_ladder, "stored", lambda: kept | {"runs": {"0": {"uniform": {}}}})
    assert "not finished" in book_ladder.complaint()
    monkeypatch.setattr(book_ladder, "stored", dict)
    assert "missing" in book_ladder.complaint()


@pytest.mark.slow
def test_n_grams_learn_collocations_but_not_agreement():
    rungs = {rung.name: rung for rung in ladder(n_train=5000, n_test=300, steps=1, quiet=True)}
    for name in ("trigram", "4-gram", "5-gram"):
        assert rungs[name].accuracy["collocation"] > 0.95
        assert rungs[name].accuracy["agreement"] < 0.8
    assert rungs["5-gram"].bits < rungs["bigram"].bits < rungs["unigram"].bits < rungs["uniform"].bits


@pytest.mark.slow
def test_the_lstm_bridges_the_gap_and_only_attention_finds_the_copy():
    """What the lectures claim, and what the last rung reaches: 3 % above the best possible model at most."""
    rungs = {rung.name: rung for rung in ladder(quiet=True, only=("5-gram", "LSTM", "Transformer"))}
    assert rungs["5-gram"].accuracy["agreement"] < 0.8
    assert rungs["5-gram"].accuracy["copy"] < 0.3 and rungs["LSTM"].accuracy["copy"] < 0.3
    assert rungs["LSTM"].accuracy["agreement"] > 0.95 and rungs["Transformer"].accuracy["agreement"] > 0.95
    assert rungs["Transformer"].accuracy["copy"] > 0.9
    # 1.2 to 2.1, by seed, processor and threads
    assert rungs["Transformer"].excess_percent < 3 < rungs["LSTM"].excess_percent < rungs["5-gram"].excess_percent


# --- Doors ------------------------------------------------------------------------------------------------------------


def good_accuracy():
    grammar = course_grammar()
    sentences = grammar.sample_annotated(20, seed=4)
    tokenizer = WordTokenizer([list(grammar.words)])
    ids = [tokenizer.encode([token.word for token in sentence], eos=True) for sentence in sentences]
    return {"model": grammar.language_model(tokenizer.vocab), "sequences": ids, "annotated": sentences}


DOORS = [
    Door(
        ladder,
        lambda: {"grammar": course_grammar(), "only": ["unigram"], "quiet": True, "seed": 0, **QUICK},
        {
            "grammar": ["x", 3, NOTHING, {}, Grammar, Grammar("S -> 1 cows/n eat/v")],
            "n_train": "count",
            "n_test": "count",
            "steps": "count",
            "tokens_per_batch": "count",
            "seed": "seed",
            "quiet": "flag",
            "only": [None, 3, "unigram", ["unigrams"], [3], {"unigram"}],
        },
    ),
    Door(
        accuracy_by_phenomenon,
        good_accuracy,
        {"model": "object", "sequences": "sequences", "annotated": [None, 3, "x", [], [["cows"]], [None] * 20, {}]},
        clashes={
            "annotated": [
                lambda good: good["annotated"][1:],
                lambda good: [[token.word for token in sentence] for sentence in good["annotated"]],
                lambda good: [sentence[:-1] for sentence in good["annotated"]],
                lambda good: [
                    [token._replace(phenomenon=None) for token in sentence] for sentence in good["annotated"]
                ],
            ],
        },
    ),
    Door(
        as_table,
        lambda: {"rungs": [Rung("x", 3, 0.1, 2.0, 0.5, {"copy": 0.5}, {"copy": 0.5})]},
        {"rungs": [None, 3, "x", [], ["x"], {}, [None]]},
    ),
]
