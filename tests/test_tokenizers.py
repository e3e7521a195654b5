"""Text to ids and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmkit.tokenizers import CharTokenizer, WordTokenizer, split_words


@given(st.text(min_size=1))
def test_characters_round_trip_exactly(text):
    tokenizer = CharTokenizer.from_text(text)
    ids = tokenizer.encode(text, eos=True)
    assert ids.dtype == np.int64 and ids[-1] == tokenizer.eos_id
    assert tokenizer.decode(ids) == text


@given(st.lists(st.lists(st.text(min_size=1), min_size=1), min_size=1))
def test_words_round_trip(sentences):
    tokenizer = WordTokenizer.from_sentences(sentences)
    for words in sentences:
        ids = tokenizer.encode(words)
        assert [tokenizer.vocab[i] for i in ids] == words


def test_order_of_the_vocabulary():
    tokenizer = WordTokenizer.from_text("b a b c a b", min_count=2)
    assert tokenizer.vocab == ("<bos>", "<eos>", "<unk>", "b", "a")
    assert tokenizer.encode("a c b").tolist() == [4, 2, 3] and tokenizer.unk_id == 2
    assert tokenizer.decode([0, 4, 2, 3, 1]) == "a <unk> b"
    assert CharTokenizer.from_text("ba").vocab == ("<bos>", "<eos>", "a", "b")


def test_a_text_cannot_forge_special_tokens():
    characters = CharTokenizer.from_text("<eos>")
    assert characters.eos_id not in characters.encode("<eos>")
    words = WordTokenizer.from_sentences([["<eos>", "a"]])
    ids = words.encode(["<eos>"])
    assert words.eos_id not in ids and words.vocab[ids[0]] == "<eos>"


def test_splitting():
    assert split_words("Don't stop, naïve_1!") == ["Don", "'", "t", "stop", ",", "naïve_1", "!"]


def test_bad_input():
    with pytest.raises(ValueError, match="token 1 of the text, 'x', is not in the vocabulary"):
        CharTokenizer.from_text("ab").encode("axb")
    with pytest.raises(ValueError, match="empty"):
        CharTokenizer.from_text("")
    with pytest.raises(ValueError, match="empty"):
        WordTokenizer.from_text("  \n ")
    with pytest.raises(ValueError, match="min_count"):
        CharTokenizer.from_text("ab", min_count=0)
    with pytest.raises(ValueError, match=r"ids\[1\] is 9"):
        CharTokenizer.from_text("ab").decode([2, 9])
