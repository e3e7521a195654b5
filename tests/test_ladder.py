import math

import numpy as np
import pytest

from lmkit.corpora import course_grammar
from lmkit.ladder import NEURAL, NGRAMS, QUICK, Rung, accuracy_by_phenomenon, as_table, ladder, packed_batches
from lmkit.neural import IGNORE
from lmkit.tokenizers import WordTokenizer


@pytest.fixture(scope="module")
def rungs() -> dict[str, Rung]:
    return {rung.name: rung for rung in ladder(**QUICK, quiet=True)}


def test_every_model_is_a_rung_from_uniform_to_the_grammar(rungs):
    assert list(rungs) == ["uniform", *NGRAMS, *NEURAL, "the grammar itself"]


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
        assert rung.excess_percent == pytest.approx(100 * rung.excess / floor.bits)
        assert rung.perplexity == pytest.approx(2**rung.bits)


def test_the_floor_is_near_the_entropy_rate():
    grammar = course_grammar()
    tokenizer = WordTokenizer([grammar.words])
    words = grammar.sample(2000, seed=3)
    log_p = grammar.language_model(tokenizer.vocab).log_probs_many([tokenizer.encode(w, eos=True) for w in words])
    bits = [-p.sum() / math.log(2) for p in log_p]
    lengths = [len(p) for p in log_p]
    assert sum(bits) / sum(lengths) == pytest.approx(grammar.entropy_rate("bits"), rel=0.02)


def test_training_is_repeatable_and_everything_is_counted(rungs):
    again = {rung.name: rung for rung in ladder(**QUICK, quiet=True)}
    for name, rung in rungs.items():
        assert again[name].bits == rung.bits
        assert again[name].accuracy == rung.accuracy
        assert set(rung.accuracy) == {"agreement", "collocation", "copy"}
    assert all(rungs[name].parameters > 10_000 for name in NEURAL)
    assert rungs["bigram"].parameters < rungs["trigram"].parameters


def test_packed_batches_hold_every_sentence_once_per_epoch_with_little_padding():
    rng = np.random.default_rng(5)
    sequences = [rng.integers(2, 50, size=rng.integers(3, 60)) for _ in range(300)]
    batches = packed_batches(sequences, tokens_per_batch=400, bos_id=0, seed=1)
    found, step, padded = [], 0, 0
    while len(found) < 600:
        inputs, targets = batches(step)
        assert (inputs[:, 0] == 0).all()
        assert (targets != IGNORE).sum() <= 400 + 60
        padded += int((targets == IGNORE).sum())
        found += [tuple(row[row != IGNORE].tolist()) for row in targets]
        step += 1
    expected = sorted(tuple(s.tolist()) for s in sequences)
    assert sorted(found[:300]) == sorted(found[300:]) == expected
    assert found[:300] != found[300:]
    assert padded < 0.15 * 2 * sum(map(len, sequences))


def test_accuracy_looks_at_labelled_tokens_only():
    grammar = course_grammar()
    sentences = grammar.sample_annotated(60, seed=4)
    tokenizer = WordTokenizer([grammar.words])
    ids = [tokenizer.encode([token.word for token in sentence], eos=True) for sentence in sentences]
    asked = []

    class Contrary:
        """Right at agreement, wrong elsewhere."""

        def next_log_probs(self, prefix):
            sentence = next(s for s, i in zip(sentences, ids, strict=True) if i is current[0])
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
    grammar = course_grammar()
    ids = WordTokenizer([grammar.words]).encode("cows eat corn in winter .".split(), eos=True)
    sentence = [token for token in grammar.sample_annotated(1, seed=0)[0] if token.phenomenon is None]
    with pytest.raises(ValueError, match="labels no token"):
        accuracy_by_phenomenon(None, [ids], [sentence])


def test_the_table_has_a_line_per_rung_in_equal_columns(rungs):
    lines = as_table(list(rungs.values())).splitlines()
    assert len(lines) == len(rungs) + 2
    assert len({len(line) for line in lines}) == 1
    assert lines[-1].startswith("| the grammar itself")
    assert "agreement" in lines[0] and "copy" in lines[0]


def test_only_some_rungs():
    assert [rung.name for rung in ladder(**QUICK, quiet=True, only=["bigram"])] == ["bigram", "the grammar itself"]
    with pytest.raises(ValueError, match="only holds 'transformer', expected some of uniform, unigram"):
        ladder(**QUICK, only=["transformer"])


@pytest.mark.parametrize("sizes", [{"n_train": 0}, {"n_test": 0}])
def test_needs_sentences(sizes):
    with pytest.raises(ValueError, match="at least 1"):
        ladder(**sizes)


@pytest.mark.slow
def test_n_grams_learn_collocations_but_not_agreement():
    rungs = {rung.name: rung for rung in ladder(n_train=5000, n_test=300, steps=1, quiet=True)}
    for name in ("trigram", "4-gram", "5-gram"):
        assert rungs[name].accuracy["collocation"] > 0.95
        assert rungs[name].accuracy["agreement"] < 0.8
    assert rungs["5-gram"].bits < rungs["bigram"].bits < rungs["unigram"].bits < rungs["uniform"].bits


@pytest.mark.slow
def test_the_lstm_bridges_the_gap_and_only_attention_finds_the_copy():
    """What the lectures claim, and what the last rung reaches: less than 2 % above the best possible model."""
    rungs = {rung.name: rung for rung in ladder(quiet=True, only=("5-gram", "LSTM", "Transformer"))}
    assert rungs["5-gram"].accuracy["agreement"] < 0.8
    assert rungs["5-gram"].accuracy["copy"] < 0.3 and rungs["LSTM"].accuracy["copy"] < 0.3
    assert rungs["LSTM"].accuracy["agreement"] > 0.95 and rungs["Transformer"].accuracy["agreement"] > 0.95
    assert rungs["Transformer"].accuracy["copy"] > 0.9
    assert rungs["Transformer"].excess_percent < 2 < rungs["LSTM"].excess_percent < rungs["5-gram"].excess_percent
