"""Byte-pair encoding against the naive algorithm, by hand, and on any text and bytes."""

import json
import os
import sys
import unicodedata
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lmkit.bpe import WHITE_SPACE, BPETokenizer, learn_merges, piece_pattern

TEXT = "the bat made noise at night, and the cows ate the grass at night. She'd print her tickets; the café's 12 bats too!\n"
SMALL = BPETokenizer.train(TEXT * 3, 300)


def naive_merges(words, n_merges):
    """The definition: count every pair afresh, merge the most frequent, of equals the one with the smaller ids."""
    words = {tuple(word): count for word, count in words.items()}
    merges = []
    while len(merges) < n_merges:
        counts = Counter()
        for word, count in words.items():
            for pair in pairwise(word):
                counts[pair] += count
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        words = {naive_merge(word, best, 255 + len(merges)): count for word, count in words.items()}
    return merges


def naive_merge(word, pair, new):
    merged = []
    for token in word:
        if merged and (merged[-1], token) == pair:
            merged[-1] = new
        else:
            merged.append(token)
    return tuple(merged)


def test_by_hand():
    """In "aaabdaaabac", aa stands four times (twice in each aaa), then ab twice and (aa)a twice: aa, then ab, then (aa)(ab)."""
    assert learn_merges({b"aaabdaaabac": 1}, 3) == [(97, 97), (97, 98), (256, 257)]
    tokenizer = BPETokenizer.train("aaabdaaabac", 258 + 3)
    assert tokenizer.merges == ((b"a", b"a"), (b"a", b"b"), (b"aa", b"ab"))
    assert tokenizer.vocab[258:] == (b"aa", b"ab", b"aaab") and tokenizer.vocab[:2] == (b"<bos>", b"<eos>")
    assert tokenizer.encode("aaabdaaabac").tolist() == [260, 2 + ord("d"), 260, 2 + ord("a"), 2 + ord("c")]


words = st.dictionaries(
    st.text("abc", min_size=1, max_size=12).map(str.encode), st.integers(1, 5), min_size=1, max_size=8
)


@settings(max_examples=300)
@example({b"aaaa": 1, b"baaab": 2, b"ababab": 1}, 9)
@given(words, st.integers(1, 15))
def test_merges_are_those_of_the_naive_algorithm(words, n_merges):
    assert learn_merges(words, n_merges) == naive_merges(words, n_merges)


def test_merges_of_a_longer_text_are_those_of_the_naive_algorithm():
    from lmkit.corpora import python_docs

    pieces = Counter(piece.encode() for piece in piece_pattern().findall(python_docs()[:20_000]))
    assert learn_merges(pieces, 60) == naive_merges(pieces, 60)


@given(st.text("abcno ight'.é\n", max_size=60))
def test_encoding_applies_the_merges_in_their_order(text):
    expected = []
    for piece in piece_pattern().findall(text):
        word = [bytes([byte]) for byte in piece.encode()]
        for a, b in SMALL.merges:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == (a, b):
                    word[i : i + 2] = [a + b]
                i += 1
        expected += word
    assert [SMALL.vocab[i] for i in SMALL.encode(text)] == expected


@settings(max_examples=300)
@given(st.one_of(st.text(), st.text("' \n\t\u3000\u0301ab1²½Ⅷ漢𝒳😀_!"), st.text("the nigh'stcow")))
def test_any_text_round_trips(text):
    ids = SMALL.encode(text, eos=True)
    assert ids.dtype == np.int64 and ids[-1] == SMALL.eos_id == 1
    assert SMALL.decode(ids) == text and SMALL.decode_bytes(ids) == text.encode()
    assert "".join(piece_pattern().findall(text)) == text


@given(st.binary())
def test_any_bytes_round_trip(data):
    ids = SMALL.encode(data)
    assert SMALL.decode_bytes(ids) == data
    assert SMALL.decode(ids) == data.decode(errors="replace")


def test_frequent_words_are_one_token_and_bytes_of_unknown_ones_are_kept():
    assert len(SMALL.encode(" the")) == 1 and len(SMALL.encode(" ox")) == 3
    assert len(SMALL.encode("猫")) == 3  # its bytes in UTF-8
    assert SMALL.decode(SMALL.encode("猫")[:2]) == "�"


def test_every_character_has_the_kind_that_unicode_gives_it():
    pattern = piece_pattern()
    for code in range(sys.maxunicode + 1):
        c = chr(code)
        category = unicodedata.category(c)[0]
        if c in "\t\n\v\f\r\x85" or category == "Z":
            expected = ["a", c, "1", c, "!"] if c != " " else ["a", " 1", " !"]
        else:
            expected = {"L": ["a" + c, "1", c, "!"], "N": ["a", c + "1" + c, "!"]}.get(category, ["a", c, "1", c + "!"])
        assert pattern.findall(f"a{c}1{c}!") == expected, (hex(code), category)
    assert all(
        (c in "\t\n\v\f\r\x85") or unicodedata.category(c)[0] == "Z" for c in pattern.findall("\t \u2003\u3000")[0]
    )


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Hello world", ["Hello", " world"]),
        ("it's we'll I'D", ["it", "'s", " we", "'ll", " I", "'", "D"]),
        ("a  b   \n", ["a", " ", " b", "   \n"]),
        ("x=3.14!!", ["x", "=", "3", ".", "14", "!!"]),
        ("don't_do", ["don", "'t", "_", "do"]),
        ("Ⅷ² ½a", ["Ⅷ²", " ½", "a"]),
        ("naïve 漢字 e\u0301", ["naïve", " 漢字", " e", "\u0301"]),
        ("𝒳y😀 😀z", ["𝒳y", "😀", " 😀", "z"]),
        ("a\x1cb", ["a", "\x1c", "b"]),  # white space to Python, not to Unicode
        ("a\xa0b \u3000", ["a", "\xa0", "b", " \u3000"]),
        ("", []),
    ],
)
def test_gpt2s_rule(text, pieces):
    assert piece_pattern().findall(text) == pieces
    assert set(WHITE_SPACE)  # the class is not empty, or nothing above would be white space


def test_special_tokens_are_recognised_only_where_allowed():
    tokenizer = BPETokenizer.train(TEXT, 262, special_tokens=["<pad>", "<pad>2"])
    assert tokenizer.vocab[:4] == (b"<bos>", b"<eos>", b"<pad>", b"<pad>2") and tokenizer.special["<pad>2"] == 3
    text = "a<pad>2<pad><eos>b"
    assert set(range(4)).isdisjoint(tokenizer.encode(text)) and tokenizer.decode(tokenizer.encode(text)) == text
    ids = tokenizer.encode(text, allow_special=True)
    assert ids.tolist() == [4 + ord("a"), 3, 2, 1, 4 + ord("b")]  # the longest name that fits
    assert tokenizer.decode(ids) == "a<pad>2<pad>b"


def test_a_text_with_too_few_pairs_gives_a_smaller_vocabulary():
    tokenizer = BPETokenizer.train("aaaa bb", 1000)
    assert tokenizer.vocab_size == 258 + 4 and len(tokenizer.encode("aaaa bb")) == 2  # aa, aaaa, bb or ␣b, ␣bb


def test_several_texts_are_counted_together():
    assert (
        BPETokenizer.train(["the cows", " the cows"], 270).merges == BPETokenizer.train("the cows the cows", 270).merges
    )


def test_saved_and_loaded(tmp_path):
    tokenizer = BPETokenizer.train(TEXT, 290, special_tokens=["<pad>"])
    path = tmp_path / "bpe.json"
    tokenizer.save(path)
    loaded = BPETokenizer.load(path)
    assert (loaded.vocab, loaded.merges, loaded.special) == (tokenizer.vocab, tokenizer.merges, tokenizer.special)
    assert (loaded.encode(TEXT) == tokenizer.encode(TEXT)).all() and loaded.eos_id == 1
    assert [p.name for p in tmp_path.iterdir()] == ["bpe.json"]


def test_a_crash_while_saving_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "bpe.json"
    SMALL.save(path)

    def no_space_left(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", no_space_left)
    with pytest.raises(OSError, match="no space"):
        BPETokenizer.train(TEXT, 280).save(path)
    assert BPETokenizer.load(path).vocab == SMALL.vocab


@pytest.mark.parametrize(
    "content", ["", "[]", '{"format": "other"}', "\x00", '{"format": "lmkit byte-pair encoding 1"}']
)
def test_damaged_files_are_refused(tmp_path, content):
    path = tmp_path / "bpe.json"
    path.write_text(content)
    with pytest.raises(ValueError, match="damaged or holds no tokenizer"):
        BPETokenizer.load(path)


def test_a_missing_token_is_noticed(tmp_path):
    path = tmp_path / "bpe.json"
    SMALL.save(path)
    content = json.loads(path.read_text())
    content["vocab"].remove("z")
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match="b'z' is missing"):
        BPETokenizer.load(path)


def test_bad_arguments():
    with pytest.raises(ValueError, match="at least 258.*got 257"):
        BPETokenizer.train(TEXT, 257)
    for text in ("", []):
        with pytest.raises(ValueError, match="the text is empty"):
            BPETokenizer.train(text, 300)
    for names in (["<eos>"], ["<a>", "<a>"], [""]):
        with pytest.raises(ValueError, match="special_tokens must be distinct"):
            BPETokenizer.train(TEXT, 300, special_tokens=names)
    with pytest.raises(ValueError, match="ids"):
        SMALL.decode([0, 300])
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        SMALL.encode("a\ud800")
    with pytest.raises(ValueError, match="text must be a str or bytes, got list"):
        SMALL.encode(["the", "cows"])
    with pytest.raises(ValueError, match="special must hold '<bos>'"):
        BPETokenizer(SMALL.vocab, SMALL.merges, {"<eos>": 1})
    with pytest.raises(ValueError, match="special token '<eos>' must be in vocab under its id, got 5"):
        BPETokenizer(SMALL.vocab, SMALL.merges, {"<bos>": 0, "<eos>": 5})
