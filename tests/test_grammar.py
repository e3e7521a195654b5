"""The grammar's exact numbers against enumeration, sampling and hand calculation."""

import pickle
from collections import defaultdict

import numpy as np
import pytest

from lmkit.corpora import course_grammar
from lmkit.grammar import Grammar, GrammarLM, Token
from lmkit.grammar_rules import as_data, read_rules
from lmkit.tokenizers import EOS
from tests.doors import Door, bad_values, time_limit


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


def derivations(grammar, least):
    """Every derivation whose probability is at least ``least``: its words and its probability."""
    queue = [([], 1.0, grammar._begin)]
    while queue:
        words, p, state = queue.pop()
        if not state[0]:
            yield words, p
        queue += [([*words, t.word], p * q, behind) for q, t, behind, _ in grammar._next(state) if p * q >= least]


@pytest.mark.slow
def test_enumerated_probabilities_agree_with_the_left_to_right_computation():
    small = course_grammar(3)
    found = list(derivations(small, least=1e-6))
    sentences = [" ".join(words) for words, _ in found]
    assert len(set(sentences)) == len(sentences) > 1_000
    assert any("at last" in s for s in sentences) and any(" is " in s for s in sentences)
    assert 0.5 < sum(p for _, p in found) < 1
    for words, p in found[:: len(found) // 300]:
        assert np.isclose(small.log_prob(words), np.log(p), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "S -> 1 A B | 2 B\nA -> 3 x/n | 1 y/n z/n\nB -> 1 x/n | 5 y/n",
        "S -> 1 a:K b:K-a c:K-a-b B | 2 a:K $a B\nB -> 1 $a K | 3 d:K z/n $d\nK: n p q r s",
    ],
)
def test_enumerated_entropy_of_a_finite_language(text):
    """Of the sentences, not of their derivations, and with the words' number counted by what is left."""
    grammar, p = Grammar(text), defaultdict(float)
    for words, probability in derivations(grammar, 0.0):
        p[tuple(words)] += probability
    values = np.array(list(p.values()))
    assert np.isclose(values.sum(), 1, rtol=1e-14)
    assert np.isclose(grammar.entropy(), -(values * np.log(values)).sum(), rtol=1e-12)
    assert np.isclose(grammar.expected_length(), sum(q * (len(words) + 1) for words, q in p.items()), rtol=1e-12)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("S -> 1 a/x | 1 a/x", "'a'"),
        ("S -> 1 A | 1 x/n\nA -> 1 x/n", "'x'"),
        ("S -> 1 K K | 1 a:K $a\nK: n p q", "'p p'"),
        ("S -> 1 A y/n | 1 x/n B\nA -> 1 x/n\nB -> 1 y/n", "'x y'"),
        ("S -> 1 x/n | 1 S2 | 1 x/n x/n\nS2 -> 1 y/n S2 | 1 y/n z/n z/n | 1 y/n Z Z\nZ -> 1 z/n", "'y z z'"),
        ("S -> 1 x/a | 2 x/b", "'x'"),
        ("\n".join(f"A{i} -> 1 A{i + 1} | 2 A{i + 1}" for i in range(40)) + "\nA40 -> 1 x/n", "'x'"),
        (
            "S -> 1 K K x/n | 1 K K y/n | 1 a:K K $a x/n | 1 a:K b:K-a K x/n\nK: n " + " ".join("abcdefghijklmnopqrst"),
            "'a b a x'",
        ),
    ],
)
def test_two_derivations_of_one_sentence(text, sentence):
    with pytest.raises(ValueError, match=f"entropy is not known: {sentence} has two derivations"):
        Grammar(text).entropy()


def test_a_language_that_is_nested_without_end():
    """a^n c b^n: infinitely many states, but each choice is known by its first word. A geometric number's entropy."""
    grammar = Grammar("S -> 1 a/n S b/n | 2 c/n")
    assert np.isclose(grammar.entropy(), -(np.log(2 / 3) + 0.5 * np.log(1 / 3)), rtol=1e-12)
    assert np.isclose(grammar.expected_length(), 2 * 0.5 + 1 + 1)


@pytest.mark.parametrize("rest", ["a/n S a/n | 1 b/n S b/n | 2 a/n a/n", "a:K S $a | 2 x/n\nK: n p q"])
def test_no_entropy_without_a_proof(rest):
    """Palindromes: where the middle is shows only at the end, so pairs of derivations may be walked for ever."""
    grammar = Grammar(f"S -> 1 {rest}")
    with pytest.raises(ValueError, match="entropy is not known: whether a sentence has two derivations was not found"):
        grammar.entropy()
    assert np.isfinite(grammar.expected_length())


def test_large_classes_and_long_chains_take_no_longer_than_they_must():
    words = " ".join(f"w{i}" for i in range(3000))
    with time_limit(10):
        grammar = Grammar(f"S -> 1 a:K b:K-a K\nK: n {words}")
        assert np.isclose(grammar.entropy(), np.log(3000.0 * 2999 * 3000))
        chain = Grammar("\n".join(f"A{i} -> 1 A{i + 1}" for i in range(1100)) + "\nA1100 -> 1 x/n")
        assert chain.sample(1, 0) == [["x"]]


def test_equal_options_are_one_and_memory_ends_with_its_last_use():
    grammar = Grammar("S -> 1 A x/n | 2 B\nA -> 1 a/n\nB -> 1 a/n C\nC -> 1 x/n")
    assert len(grammar._next(grammar._begin)) == 2
    forgetful = Grammar("S -> 1 a:K $a S | 1 x/n\nK: n p q")
    forgetful.sample(200, seed=0)
    assert len(forgetful._known) < 20  # however long a sentence is
    assert len(pickle.loads(pickle.dumps(forgetful)).sample(2, 0)) == 2


@pytest.mark.slow
def test_what_is_kept_of_a_large_language_is_bounded(monkeypatch):
    """The samples are the same when it is forgotten in between."""
    text = "S -> 1 a:K T\nT -> 1 x/x T y/y | 1 x/x T z/z | 1 c:K-a\nK: n " + " ".join(f"w{i}" for i in range(12))
    samples, sizes = Grammar(text).sample(300, seed=1), []
    monkeypatch.setattr("lmkit.grammar.MAX_KNOWN", 40)
    few = Grammar(text)
    for sentence in samples:
        few.log_prob(sentence)
        sizes += [len(few._known), few._asked.cache_info().currsize]
    assert few.sample(300, seed=1) == samples and max(sizes) < 80


def test_nothing_comes_after_the_end(grammar):
    sentence = grammar.sample(1, seed=0)[0]
    with pytest.raises(ValueError, match="'<eos>', cannot follow"):
        grammar.next_word_distribution([*sentence, EOS])
    vocab = ("<bos>", "<eos>", *grammar.words)
    model, ids = grammar.language_model(vocab), [*map(vocab.index, sentence), 1]
    assert (model.next_log_probs(ids) == -np.inf).all() and model.log_probs([*ids, 5])[-1] == -np.inf


@pytest.mark.slow
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


@pytest.mark.slow
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
        ("S -> 1 A!copy\nA -> 1 a/x", "neither"),
        ("S -> -1 a/x | 2 b/x", "positive weight"),
        ("S -> 0 a/x | 2 b/x", "positive weight"),
        ("S -> inf a/x | 2 b/x", "positive weight"),
        ("S -> a/x", "positive weight"),
        ("S -> 1e308 a/x | 1e308 b/x | 1e308 c/x", "weights of S"),
        ("S -> 1e308 a/x | 1e-308 b/x", "weights of S"),
        ("S -> 1", "at least one symbol"),
        ("S ->", "a line of a grammar"),
        ("S -> 1 a/x -> 1 b/x", "a line of a grammar"),
        ("S T -> 1 a/x", "a line of a grammar"),
        ("hello", "a line of a grammar"),
        ("", "at least one rule"),
        ("K: n p", "at least one rule"),
        ("S -> 1 /x", "neither empty nor"),
        ("S -> 1 a/", "neither empty nor"),
        ("S -> 1 <eos>/x", "neither empty nor"),
        ("S -> 1 K\nK: n p <eos>", "neither empty nor"),
        ("S -> 1 K\nK: n", "a tag and different words"),
        ("S -> 1 K K\nK: n p p q", "a tag and different words"),
        ("S -> 1 a/x\nS -> 1 b/x", "once what S is"),
        ("S -> 1 K\nK: n p\nK: n q", "once what K is"),
        ("S -> 1 K\nK: n p\nK -> 1 a/x", "once what K is"),
        ("S -> 1 $q", "under the name 'q'"),
        ("S -> 1 b:C-z\nC: n p q", "under the name 'z'"),
        ("S -> 1 $a a:K\nK: n p", "the name 'a' before"),
        ("S -> 1 A $a | 1 b/x $a\nA -> 1 a:K\nK: n p", "the name 'a' before"),
        ("S -> 1 A A\nA -> 1 a:K b/x | 1 $a\nK: n p", "the name 'a' before"),
        ("S -> 1 b:K A\nA -> 1 c/x B | 1 a:K B\nB -> 1 $a\nK: n p", "the name 'a' before"),
        ("S -> 1 a:K b:K-a\nK: n p", "leaves no word"),
        ("S -> 1 a:K b:M-a\nK: n p q\nM: n q r s", "must be of one class, M-a"),
        ("S -> 1 a:K b:K c:K-a-b\nK: n p q r", "'a' and 'b' may be the same"),
        ("S -> 1 a:K A c:K-a-b\nA -> 1 b:K-a | 1 b:K\nK: n p q r", "'a' and 'b' may be the same"),
        ("S -> 1 b:K A c:K-a-b\nA -> 1 a:K-b | 1 a:K\nK: n p q r", "'a' and 'b' may be the same"),
        ("S -> 1 a:K b:K-a a:K c:K-a-b\nK: n p q r", "drawn twice under the name 'a'"),
        ("S -> 1 a:K A\nA -> 1 b:K-a A | 1 b:K-a c:K-a-b\nK: n p q r", "drawn twice under the name 'b'"),
        ("S -> 1 a/x S", "need not end"),
        ("S -> 3 x/n S S | 1 y/n", "need not end"),
        ("S -> 1 x/n S S | 1 y/n", "need not end"),  # it does end, but not in finitely many words on average
        ("S -> 1 y/n\nA -> 1 x/n A", "need not end"),
    ],
)
def test_bad_grammars(text, message):
    with pytest.raises(ValueError, match=message):
        Grammar(text)


def test_bad_questions(grammar):
    with pytest.raises(ValueError, match="word 2 of the prefix, 'fly', cannot follow 'cows'"):
        grammar.next_word_distribution(["cows", "fly"])
    with pytest.raises(ValueError, match="vocab must hold every word once"):
        grammar.language_model(("<bos>", "<eos>", *grammar.words, "cows"))
    with pytest.raises(ValueError, match="and something else at bos_id"):
        grammar.language_model(("<bos>", "<eos>", *grammar.words), bos_id=1)


SMALL = course_grammar(3)
VOCAB = ["<bos>", "<eos>", *SMALL.words]
BEST = SMALL.language_model(VOCAB)
N = str(len(VOCAB))
WHERE = {"grammar": "object", "vocab": ["<bos>", None, 3, [1], [], VOCAB[:-1], [*VOCAB, VOCAB[2]]]}
BOS_ID = {"bos_id": [None, "0", -1, len(VOCAB), True, 0.0, 1]}
DOORS = [
    Door(Grammar, lambda: {"text": TOY}, {"text": "text"}),
    Door(read_rules, lambda: {"text": TOY}, {"text": "text"}),
    Door(as_data, lambda: {"rules": SMALL.rules}, {"rules": [None, 3, TOY, [("S", [])]]}),
    Door(SMALL.next_word_distribution, lambda: {"prefix": ["cows"]}, {"prefix": [*bad_values("words", []), ["fly"]]}),
    Door(SMALL.log_probs, lambda: {"words": ["cows"]}, {"words": "words"}),
    Door(SMALL.log_prob, lambda: {"words": ["cows"]}, {"words": "words"}),
    Door(SMALL.sample, lambda: {"n": 2, "seed": 0}, {"n": "index", "seed": "seed"}),
    Door(SMALL.sample_annotated, lambda: {"n": 2, "seed": 0}, {"n": "index", "seed": "seed"}),
    Door(SMALL.entropy, lambda: {"unit": "bits"}, {"unit": "choice"}),
    Door(SMALL.entropy_rate, lambda: {"unit": "bits"}, {"unit": "choice"}),
    Door(SMALL.language_model, lambda: {"vocab": VOCAB, "bos_id": 0}, {"vocab": WHERE["vocab"], **BOS_ID}),
    Door(GrammarLM, lambda: {"grammar": SMALL, "vocab": VOCAB, "bos_id": 0}, WHERE | BOS_ID),
    Door(BEST.log_probs, lambda: {"tokens": [1]}, {"tokens": f"ids {N}"}),
    Door(BEST.next_log_probs, lambda: {"prefix": []}, {"prefix": f"ids {N}"}),
]
