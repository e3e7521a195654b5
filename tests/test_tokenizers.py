"""Text to ids and back."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmkit.bpe import BPETokenizer
from lmkit.tokenizers import CharTokenizer, Tokenizer, WordTokenizer, split_words
from tests.doors import NOTHING, Door, time_limit

TEXTS = [None, "", [], 3, [1], [[1]], [None], [b"x"], b"x", {"a": 1}, Counter("ab"), NOTHING]
COWS = "the cows eat corn, bats eat\n\n\n cows'  corn!\x1cx\n"  # \x1c is white space for Python only
THREE = [CharTokenizer(COWS), WordTokenizer(COWS), BPETokenizer.train(COWS, 270)]
WORDS = WordTokenizer([["the", "cat"]], unk=True)
DOORS = [
    Door(split_words, lambda: {"text": "the cat"}, {"text": "text"}),
    Door(CharTokenizer, lambda: {"texts": "ab"}, {"texts": [*TEXTS, [["a"]]], "min_count": "count", "unk": "flag"}),
    Door(WordTokenizer, lambda: {"texts": ["ab"]}, {"texts": [*TEXTS, ["<unk>"]], "min_count": "count", "unk": "flag"}),
    Door(CharTokenizer("ab").encode, lambda: {"text": "ba"}, {"text": "text", "eos": "flag"}),
    Door(CharTokenizer("ab").decode, lambda: {"ids": [2, 3]}, {"ids": "ids 4"}),
    Door(WORDS.encode, lambda: {"text": "the"}, {"text": [None, 3, [1], {}, NOTHING, b"the"], "eos": "flag"}),
    Door(WORDS.decode, lambda: {"ids": [2, 3]}, {"ids": "ids 5"}),
    Door(
        lambda chunks, eos: list(WORDS.encode_stream(chunks, eos)),
        lambda: {"chunks": ["the", " cat"], "eos": True},
        {"chunks": [None, 3, b"the", {"the": 1}, [1], [None], [b"x"], [["the"]], NOTHING], "eos": "flag"},
        name="tokenizers.Tokenizer.encode_stream",
    ),
]


@given(st.text(min_size=1))
def test_characters_round_trip_exactly(text):
    tokenizer = CharTokenizer(text)
    ids = tokenizer.encode(text, eos=True)
    assert ids.dtype == np.int64 and ids[-1] == tokenizer.eos_id
    assert tokenizer.decode(ids) == text


@given(st.lists(st.lists(st.text(min_size=1), min_size=1), min_size=1))
def test_words_round_trip(sentences):
    tokenizer = WordTokenizer(sentences)
    for words in sentences:
        ids = tokenizer.encode(words)
        assert [tokenizer.vocab[i] for i in ids] == words


def test_order_of_the_vocabulary():
    tokenizer = WordTokenizer("b a b c a b", min_count=2)
    assert tokenizer.vocab == ("<bos>", "<eos>", "<unk>", "b", "a") and tokenizer.vocab_size == 5
    assert tokenizer.encode("a c b").tolist() == [4, 2, 3] and tokenizer.unk_id == 2
    assert tokenizer.decode([0, 4, 2, 3, 1]) == "a <unk> b"
    assert CharTokenizer("ba").vocab == ("<bos>", "<eos>", "a", "b") and CharTokenizer("ba").unk_id is None
    assert CharTokenizer("ba", unk=True).encode("c").tolist() == [2]


def test_a_text_or_several_as_text_or_as_words():
    expected = ("<bos>", "<eos>", "cat", "the", "sat")
    for texts in ("the cat sat the cat", ["the cat", "sat the cat"], [["the", "cat"], ["sat", "the", "cat"]]):
        assert WordTokenizer(texts).vocab == expected
    assert WordTokenizer(words for words in [["the"], ["the", "cat"], "cat sat"]).vocab == expected
    assert CharTokenizer(["ab", "b"]).vocab == ("<bos>", "<eos>", "b", "a")


def test_a_text_cannot_forge_special_tokens():
    characters = CharTokenizer("<eos>")
    assert characters.eos_id not in characters.encode("<eos>")
    words = WordTokenizer([["<eos>", "a"]])
    ids = words.encode(["<eos>"])
    assert words.eos_id not in ids and words.vocab[ids[0]] == "<eos>"


@pytest.mark.parametrize("options", [{}, {"min_count": 2}, {"unk": True}])
def test_the_word_unk_is_the_unknown_word(options):
    tokenizer = WordTokenizer([["<unk>", "a", "<unk>", "a", "b", "b"]], **options)
    assert tokenizer.vocab == ("<bos>", "<eos>", "<unk>", "a", "b")
    assert tokenizer.encode(["<unk>", "c", "a"]).tolist() == [2, 2, 3]


def test_the_word_unk_in_a_text_is_that_of_a_list():
    text, words = "the <unk> eats <unk>.", ["the", "<unk>", "eats", "<unk>", "."]
    assert WordTokenizer(text).vocab == WordTokenizer([words]).vocab
    assert WordTokenizer(text).encode(text).tolist() == WordTokenizer(text).encode(words).tolist()


def test_splitting():
    assert split_words("a <unk>, <eos>") == ["a", "<unk>", ",", "<", "eos", ">"]
    assert split_words("Don't stop, naïve_1!") == ["Don", "'", "t", "stop", ",", "naïve_1", "!"]


@pytest.mark.parametrize("tokenizer", THREE, ids=lambda t: type(t).__name__)
@pytest.mark.parametrize("eos", [False, True])
def test_a_stream_has_the_ids_of_the_whole_text_wherever_it_is_cut(tokenizer, eos):
    whole = tokenizer.encode(COWS, eos)
    for first in range(len(COWS) + 1):
        for second in range(first, len(COWS) + 1):
            parts = list(tokenizer.encode_stream([COWS[:first], COWS[first:second], "", COWS[second:]], eos))
            assert np.concatenate(parts).tolist() == whole.tolist()
    for chunks, least in ((iter(COWS), 6), (COWS, 2)):  # a text is one chunk; what is sure comes at once
        parts = list(tokenizer.encode_stream(chunks, eos))
        assert np.concatenate(parts).tolist() == whole.tolist() and len(parts) >= least


def test_a_stream_without_white_space_takes_no_longer():
    with time_limit(10):
        parts = list(CharTokenizer("ab").encode_stream(["a", "", "b"] * 60_000))
    assert sum(map(len, parts)) == 120_000


def test_a_stream_is_read_part_by_part():
    """Of a text without end, the first ids come at once."""

    def endless():
        while True:
            yield "the cows eat corn "

    ids = WordTokenizer(COWS).encode_stream(endless())
    assert isinstance(WordTokenizer(COWS), Tokenizer) and len(next(ids)) == 4 == len(next(ids))


def test_tokens_outside_the_vocabulary():
    with pytest.raises(ValueError, match="token 1 of the text, 'x', is not in the vocabulary"):
        CharTokenizer("ab").encode("axb")
    with pytest.raises(ValueError, match="texts is empty"):
        WordTokenizer("  \n ")
    with pytest.raises(ValueError, match="texts is empty, or holds no token min_count = 2 times"):
        WordTokenizer("the cat", min_count=2)
