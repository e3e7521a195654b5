"""Byte-pair encoding against the naive algorithm, by hand, and on any text and bytes."""

import functools
import os
import pickle
import sys
import tempfile
import unicodedata
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lmkit.bpe import PIECE, BPETokenizer, learn_merges, split_pieces
from tests.doors import NOTHING, Door

TEXT = "the bat made noise at night, and the cows ate the grass at night. She'd print her tickets; the café's 12 bats too!\n"
SMALL = BPETokenizer.train(TEXT * 3, 300)
PARTS = {"vocab": SMALL.vocab, "merges": SMALL.merges, "special": SMALL.special, "bos": "<bos>", "eos": "<eos>"}


@functools.cache
def folder():
    """A folder of a saved tokenizer, for the doors."""
    path = Path(tempfile.mkdtemp())
    SMALL.save(path / "bpe.json")
    return path


DOORS = [
    Door(split_pieces, lambda: {"text": "a b"}, {"text": "text"}),
    Door(
        BPETokenizer,
        lambda: dict(PARTS),
        {
            "vocab": [None, 3, "ab", [], SMALL.vocab[:-1], (*SMALL.vocab, b"extra"), SMALL.vocab[::-1], ["a"] * 300],
            "merges": [None, 3, "ab", [(1, 2)], [b"ab"], [(b"a",)], [("a", "b")], SMALL.merges[1:], {b"a": b"b"}],
            "special": [None, [], 3, {}, {"<bos>": 0}, {"<bos>": 0, "<eos>": 5}, {"<bos>": 0, "<eos>": "1"},
                        {"<bos>": 0, "<eos>": 999}, {"<bos>": 0, "<eos>": True}, {b"<bos>": 0}],
            "bos": "choice",
            "eos": "choice",
        },
    ),
    Door(
        BPETokenizer.train,
        lambda: {"text": "a text", "vocab_size": 260, "special_tokens": ["<pad>"]},
        {
            "text": [None, "", [], 3, [1], ["a", None], b"text", "a\ud800", {"a": 1}, NOTHING],
            "vocab_size": ["260", None, 260.0, True, 258, -1, float("nan")],
            "special_tokens": [None, "<pad>", 3, [3], ["<eos>"], ["<a>", "<a>"], [""]],
        },
    ),
    Door(
        SMALL.encode,
        lambda: {"text": "the cows"},
        {"text": [None, 3, ["the"], "a\ud800", "\udc80", NOTHING], "eos": "flag", "allow_special": "flag"},
    ),
    Door(SMALL.decode, lambda: {"ids": [1, 2]}, {"ids": "ids 300"}),
    Door(SMALL.decode_bytes, lambda: {"ids": [1, 2]}, {"ids": "ids 300"}),
    Door(SMALL.save, lambda: {"path": folder() / "again.json"}, {"path": "path"}),
    Door(BPETokenizer.load, lambda: {"path": folder() / "bpe.json"}, {"path": "path"}),
    Door(
        learn_merges,
        lambda: {"words": {b"ab": 2}, "n_merges": 1},
        {"words": [None, "ab", [b"ab"], {"ab": 1}, {b"ab": 0}, {b"ab": 1.5}, {b"ab": None}], "n_merges": "index"},
    ),
]  # fmt: skip


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

    pieces = Counter(piece.encode() for piece in split_pieces(python_docs()[:20_000]))
    assert learn_merges(pieces, 60) == naive_merges(pieces, 60)


def test_a_word_of_twice_the_length_is_twice_the_work():
    """Counted are the calls of Python's own functions, and the characters of the texts that they take apart."""
    rng, work = np.random.default_rng(0), []
    for length in (1_000, 2_000):
        letters, calls = rng.choice(list(b"abcdefgh"), size=length).astype(np.uint8), []

        def count(frame, event, function, calls=calls):
            if event == "c_call":
                word = getattr(function, "__self__", None)
                calls.append(1 + len(word) if isinstance(word, str) else 1)

        sys.setprofile(count)
        try:
            learn_merges({letters.tobytes(): 1}, 50)
        finally:
            sys.setprofile(None)
        work.append(sum(calls))
    assert work[1] < 2.5 * work[0], work


@given(st.text("abcno ight'.é\n", max_size=60))
def test_encoding_applies_the_merges_in_their_order(text):
    expected = []
    for piece in split_pieces(text):
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
    assert "".join(split_pieces(text)) == text


@given(st.binary())
def test_any_bytes_round_trip(data):
    ids = SMALL.encode(data)
    assert SMALL.decode_bytes(ids) == data
    assert SMALL.decode(ids) == data.decode(errors="replace")


def test_frequent_words_are_one_token_and_bytes_of_unknown_ones_are_kept():
    assert len(SMALL.encode(" the")) == 1 and len(SMALL.encode(" ox")) == 3
    assert len(SMALL.encode("猫")) == 3  # its bytes in UTF-8
    assert SMALL.decode(SMALL.encode("猫")[:2]) == "�"
    assert SMALL.decode([SMALL.bos_id, *SMALL.encode("ox"), SMALL.eos_id]) == "ox"


def test_every_character_has_the_kind_that_unicode_gives_it():
    for code in range(sys.maxunicode + 1):
        c = chr(code)
        if unicodedata.category(c) == "Cn":
            continue  # not assigned in this Python's version of Unicode; regex may have a later one
        category = unicodedata.category(c)[0]
        if c in "\t\n\v\f\r\x85" or category == "Z":
            expected = ["a", c, "1", c, "!"] if c != " " else ["a", " 1", " !"]
        else:
            expected = {"L": ["a" + c, "1", c, "!"], "N": ["a", c + "1" + c, "!"]}.get(category, ["a", c, "1", c + "!"])
        assert PIECE.findall(f"a{c}1{c}!") == expected, (hex(code), category)
    assert all(
        (c in "\t\n\v\f\r\x85") or unicodedata.category(c)[0] == "Z" for c in PIECE.findall("\t \u2003\u3000")[0]
    )


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Hello world", ["Hello", " world"]),
        ("it's we'll I'D", ["it", "'s", " we", "'ll", " I", "'", "D"]),
        ("I'm you're I've he'd don't", ["I", "'m", " you", "'re", " I", "'ve", " he", "'d", " don", "'t"]),
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
    assert split_pieces(text) == pieces


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


def test_pickled_and_with_numpys_ids(tmp_path):
    with_numpy = BPETokenizer(**PARTS | {"special": {name: np.int64(i) for name, i in SMALL.special.items()}})
    with_numpy.save(tmp_path / "bpe.json")
    for again in (BPETokenizer.load(tmp_path / "bpe.json"), pickle.loads(pickle.dumps(SMALL))):
        assert (again.vocab, again.special, again.eos_id) == (SMALL.vocab, SMALL.special, SMALL.eos_id)
        assert (again.encode(TEXT) == SMALL.encode(TEXT)).all()


def test_a_special_token_has_a_name():
    with pytest.raises(ValueError, match="special"):
        BPETokenizer(**PARTS | {"vocab": (*SMALL.vocab, b""), "special": SMALL.special | {"": len(SMALL.vocab)}})


def test_the_name_of_a_special_token_is_of_whole_characters():
    with pytest.raises(ValueError, match="^special_tokens holds half of a surrogate pair"):
        BPETokenizer.train(TEXT, 300, ["\ud800"])
    with pytest.raises(ValueError, match="^special's names holds half of a surrogate pair"):
        BPETokenizer(**PARTS | {"special": SMALL.special | {"\ud800": 5}})


def test_a_crash_while_saving_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "bpe.json"
    SMALL.save(path)

    def no_space_left(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", no_space_left)
    with pytest.raises(ValueError, match="no space"):
        BPETokenizer.train(TEXT, 280).save(path)
    assert BPETokenizer.load(path).vocab == SMALL.vocab


def test_a_tokenizer_is_saved_where_a_file_can_be(tmp_path):
    SMALL.save(tmp_path / "new" / "folder" / "bpe.json")
    assert BPETokenizer.load(str(tmp_path / "new" / "folder" / "bpe.json")).vocab == SMALL.vocab
    for path in (tmp_path, "", tmp_path / "new" / "folder" / "bpe.json" / "x", "a\0b", tmp_path / ("x" * 300)):
        with pytest.raises(ValueError, match="path"):
            SMALL.save(path)
    assert [p.name for p in tmp_path.rglob("*")] == ["new", "folder", "bpe.json"]


@pytest.mark.parametrize(
    "content", ["", "[]", "[" * 100_000, '{"format": "other"}', "\x00", '{"format": "lmkit byte-pair encoding 1"}']
)
def test_damaged_files_are_refused(tmp_path, content):
    path = tmp_path / "bpe.json"
    path.write_text(content)
    with pytest.raises(ValueError, match="damaged or holds no tokenizer"):
        BPETokenizer.load(path)
    for missing in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(ValueError, match="damaged or holds no tokenizer"):
            BPETokenizer.load(missing)


def test_no_flipped_bit_gives_another_tokenizer(tmp_path):
    tiny, path = BPETokenizer.train("the the then hen", 261), tmp_path / "bpe.json"
    tiny.save(path)
    good, refused = path.read_bytes(), 0
    first = good.index(b'"vocab"')
    for at in [*range(first), *range(good.index(b'"a"'), good.index(b'"f"')), *range(good.index(b"merges"), len(good))]:
        for bit in range(8):
            path.write_bytes(good[:at] + bytes([good[at] ^ 1 << bit]) + good[at + 1 :])
            try:
                found = BPETokenizer.load(path)
            except ValueError:
                refused += 1
            else:  # white space for white space
                assert (found.vocab, found.merges, found.special) == (tiny.vocab, tiny.merges, tiny.special)
    assert refused > 1000


def test_names_of_special_tokens_are_not_counted():
    text = "<pad>a<eos>" * 50
    assert BPETokenizer.train(text, 300, special_tokens=["<pad>"]).merges == ()
    assert b"pad" in BPETokenizer.train(text, 300).vocab  # now it is only text


def test_halves_of_characters():
    for half in ("\ud800", "\udc80"):  # the second is how Python shows the byte 0x80 where it stands alone
        with pytest.raises(ValueError, match="half of a surrogate pair, .* at 1, "):
            SMALL.encode("a" + half)
    assert SMALL.decode_bytes(SMALL.encode(b"\x80")) == b"\x80"


@given(st.text(st.characters(max_codepoint=127)))
@example("it's we'll 12a \x1c \t\n b!? ''  ")
def test_ascii_has_the_pieces_of_the_whole_rule(text):
    assert split_pieces(text) == PIECE.findall(text)


def test_a_pair_or_a_token_that_stands_twice_is_refused():
    vocab = [b"<bos>", b"<eos>", *(bytes([i]) for i in range(256)), b"bc", b"ab"]
    merges, special = [(b"b", b"c"), (b"a", b"b")], {"<bos>": 0, "<eos>": 1}
    assert BPETokenizer(vocab, merges, special).encode("abc").tolist() == [99, 258]
    for twice in ((vocab, [*merges, merges[0]]), ([*vocab, b"ab"], merges)):
        with pytest.raises(ValueError, match="got one twice"):
            BPETokenizer(*twice, special)
