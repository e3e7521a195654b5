"""The grammar's exact numbers against enumeration, sampling and hand calculation."""

import numpy as np
import pytest

from lmkit.corpora import course_grammar
from lmkit.grammar import EOS, Grammar, Token


@pytest.fixture(scope="module")
def grammar():
    return course_grammar()


TOY = """
S -> 1 a/x S | 3 v:CLASS b/y $v!copy
CLASS: n p q
"""


def test_probabilities_of_a_grammar_done_by_hand():
    toy = Grammar(TOY)
    assert np.isclose(toy.log_prob("a a p b p".split()), np.log(1 / 4 * 1 / 4 * 3 / 4 * 1 / 2), rtol=1e-14)
    assert toy.log_prob("a p b q".split()) == -np.inf
    assert toy.log_prob([]) == -np.inf
    assert toy.next_word_distribution(["a"]) == pytest.approx({"p": 3 / 8, "q": 3 / 8, "a": 1 / 4}, rel=1e-14)
    assert toy.next_word_distribution("p b".split()) == {"p": 1.0}
    assert toy.next_word_distribution("p b p".split()) == {EOS: 1.0}
    # a geometric number of a's, each choice of rule H(1/4), then one bit for the class
    choice = -(1 / 4 * np.log2(1 / 4) + 3 / 4 * np.log2(3 / 4))
    assert np.isclose(toy.entropy("bits"), choice / (3 / 4) + 1, rtol=1e-12)
    assert np.isclose(toy.expected_length(), 1 / 3 + 3 + 1, rtol=1e-12)


def test_draws_with_another_name_differ():
    pair = Grammar("S -> 1 a:C b:C-a\nC: n p q r")
    assert pair.next_word_distribution(["q"]) == pytest.approx({"p": 0.5, "r": 0.5})
    assert np.isclose(pair.entropy("bits"), np.log2(6))


def test_course_grammar_is_unambiguous():
    """Every sentence of the small language above a probability has one derivation; all kinds of sentence are among them."""
    found = list(course_grammar(3).derivations(least=1e-6))
    sentences = [" ".join(words) for words, _ in found]
    assert len(set(sentences)) == len(sentences) > 1_000
    assert any("at last" in s for s in sentences) and any(" is " in s for s in sentences)


def test_enumerated_probabilities_agree_with_the_left_to_right_computation():
    small = course_grammar(3)
    found = list(small.derivations(least=1e-6))
    assert 0.5 < sum(p for _, p in found) < 1
    for words, p in found[:: len(found) // 300]:
        assert np.isclose(small.log_prob(words), np.log(p), rtol=0, atol=1e-12)


def test_enumerated_entropy_of_a_finite_language():
    facts = Grammar("S -> 1 A B | 2 B\nA -> 3 x/n | 1 y/n z/n\nB -> 1 x/n | 5 y/n")
    p = np.array([p for _, p in facts.derivations(0.0)])
    assert np.isclose(p.sum(), 1, rtol=1e-14)
    assert np.isclose(facts.entropy(), -(p * np.log(p)).sum(), rtol=1e-12)


def test_entropy_and_length_agree_with_samples(grammar):
    sentences = grammar.sample(1500, seed=1)
    surprise = np.array([-grammar.log_prob(s) for s in sentences])
    length = np.array([len(s) + 1 for s in sentences])
    for sample, exact in ((surprise, grammar.entropy()), (length, grammar.expected_length())):
        assert abs(sample.mean() - exact) < 4 * sample.std() / np.sqrt(len(sample))
    assert (length > 96).mean() < 0.004
    assert np.isclose(grammar.entropy_rate("bits") * np.log(2), grammar.entropy() / grammar.expected_length())


def test_next_words_sum_to_one_and_multiply_to_the_sentence(grammar):
    for sentence in grammar.sample(40, seed=2):
        log_p = 0.0
        for t, word in enumerate([*sentence, EOS]):
            p = grammar.next_word_distribution(sentence[:t])
            assert np.isclose(sum(p.values()), 1, rtol=1e-12)
            log_p += np.log(p[word])
        assert np.isclose(log_p, grammar.log_prob(sentence), rtol=1e-12)


def test_phenomena_are_what_they_claim(grammar):
    seen = set()
    for sentence in grammar.sample_annotated(400, seed=3):
        words = [token.word for token in sentence]
        for t, token in enumerate(sentence):
            if token.phenomenon is None:
                continue
            seen.add(token.phenomenon)
            p = grammar.next_word_distribution(words[:t])
            if token.phenomenon == "agreement":  # the other number is impossible here
                assert {"is": "are", "are": "is"}[token.word] not in p
                assert t >= 6
            else:
                assert p == {token.word: pytest.approx(1)}
            if token.phenomenon == "copy":
                assert words.index(token.word) < t - 10
    assert seen == {"collocation", "agreement", "copy"}


def test_seed_and_tags(grammar):
    assert grammar.sample(5, seed=4) == grammar.sample(5, seed=4) != grammar.sample(5, seed=5)
    assert all(isinstance(t, Token) and t.tag in "nvpdac." for s in grammar.sample_annotated(50, 0) for t in s)
    assert {w for s in grammar.sample(3000, seed=6) for w in s} == set(grammar.words)


def test_best_possible_model(grammar):
    vocab = ("<bos>", "<eos>", *grammar.words)
    model = grammar.language_model(vocab)
    sentence = grammar.sample(1, seed=7)[0]
    ids = [vocab.index(w) for w in [*sentence, "<eos>"]]
    assert np.isclose(model.log_probs(ids).sum(), grammar.log_prob(sentence), rtol=1e-12)
    assert len(model.log_probs(ids[:-1])) == len(ids) - 1
    p = np.exp(model.next_log_probs(ids[:3]))
    assert p.shape == (len(vocab),) and np.isclose(p.sum(), 1) and p[0] == 0
    with pytest.raises(ValueError, match="lacks words"):
        grammar.language_model(vocab[:-1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("S -> 1 S a/x", "left-recursive"),
        ("S -> 1 A b/x\nA -> 1 S c/x", "left-recursive"),
        ("S -> 1 thing", "neither"),
        ("S -> -1 a/x | 2 b/x", "positive weight"),
        ("S -> 0 a/x | 2 b/x", "positive weight"),
        ("S -> a/x", "positive weight"),
        ("S -> 1", "at least one symbol"),
        ("S -> 1 $q", "under the name 'q'"),
        ("S -> 1 b:C-z\nC: n p q", "under the name 'z'"),
        ("", "at least one rule"),
        ("hello", "a line of a grammar"),
    ],
)
def test_bad_grammars(text, message):
    with pytest.raises(ValueError, match=message):
        Grammar(text)


def test_bad_questions(grammar):
    with pytest.raises(ValueError, match="word 2, 'fly', cannot follow 'cows'"):
        grammar.next_word_distribution(["cows", "fly"])
    with pytest.raises(ValueError, match="list of words"):
        grammar.next_word_distribution("the bat")
    with pytest.raises(ValueError, match="≥ 0, got -1"):
        grammar.sample(-1, seed=0)
    with pytest.raises(ValueError, match="no finite expected length"):
        Grammar("S -> 3 x/n S S | 1 y/n").entropy()
    with pytest.raises(ValueError, match="'nats' or 'bits'"):
        grammar.entropy("bit")
