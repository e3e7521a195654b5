"""Byte-level byte-pair encoding: a vocabulary between bytes and words, learned from a text.

Begin with the 256 bytes. Count all pairs of neighbours, make the most frequent one a token, repeat. No text is unknown,
frequent words become one token, and rare ones fall apart into pieces. As in GPT-2, no token reaches across a boundary
between words, numbers, signs and white space.

Sources: Gage (1994), for compression; Sennrich et al. (2016), for translation; Radford et al. (2019), on bytes, GPT-2.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise
from pathlib import Path

import numpy as np
import regex
from numpy.typing import ArrayLike

from lmkit.checks import check_flag, check_instance, check_integer, check_texts, check_words
from lmkit.files import read_whole, write_whole
from lmkit.tokenizers import BOS, EOS, Tokenizer

FORMAT = "lmkit byte-pair encoding 1"
MAX_CACHED = 500_000  # pieces; a text of books has fewer, and a stream of noise must not fill the memory
# GPT-2's rule of what a token may not reach across: an English ending, letters, numbers or other signs, each of these three
# with one space in front if there is one, or white space, whose last space goes to the word behind.
RULE = r"'(?:[sdmt]|ll|ve|re)| ?[{letters}]+| ?[{numbers}]+| ?[^\s{letters}{numbers}]+|\s+(?!\S)|\s+"
PIECE = regex.compile(RULE.format(letters=r"\p{L}", numbers=r"\p{N}"))
ASCII_PIECE = re.compile(RULE.format(letters="A-Za-z", numbers="0-9"), re.ASCII)  # the same for ASCII, in half the time


def split_pieces(text: str) -> list[str]:
    """The pieces of a text that are encoded one by one; joined, they are the text."""
    return (ASCII_PIECE if check_instance(text, "text", str).isascii() else PIECE).findall(text)


class BPETokenizer(Tokenizer):
    """Text to ids of byte sequences and back.

    ``BPETokenizer.train`` learns one from a text, ``load`` reads one from a file, ``lmkit.gpt2.gpt2_tokenizer`` GPT-2's.

    Args:
        vocab: the bytes of each token, by id; for special tokens their names.
        merges: the pairs of tokens that become one, the first learned first.
        special: the ids of the special tokens, by name. No text produces them unless you ask for it.
        bos, eos: the names of those that begin and end a text.

    Attributes:
        vocab, merges, special: as above.

    Raises:
        ValueError: if the vocabulary is not the special tokens, the 256 bytes and what the merges make.
    """

    def __init__(
        self,
        vocab: Sequence[bytes],
        merges: Sequence[tuple[bytes, bytes]],
        special: Mapping[str, int],
        bos: str = BOS,
        eos: str = EOS,
    ) -> None:
        self.vocab = tuple(check_instance(vocab, "vocab", Sequence))
        self.merges = tuple(check_instance(merges, "merges", Sequence))
        for pair in self.merges:
            if not isinstance(pair, tuple) or [type(part) for part in pair] != [bytes, bytes]:
                raise ValueError(f"merges must be pairs of bytes, got {pair!r}")
        self.special = dict(check_instance(special, "special", Mapping))
        for name, i in self.special.items():
            self.special[name] = i = check_integer(i, f"special[{name!r}], an id of vocab,", 0, len(self.vocab) - 1)
            if not name or self.vocab[i] != _encodable(name, "special's names").encode():
                raise ValueError(f"special[{name!r}] must be its id in vocab, got {i}, the id of {self.vocab[i]!r}")
        for argument, name in (("bos", bos), ("eos", eos)):
            if check_instance(name, argument, str) not in self.special:
                raise ValueError(f"special must hold {argument}, {name!r}, got {sorted(self.special)}")
        self.bos_id, self.eos_id = self.special[bos], self.special[eos]
        specials = set(self.special.values())
        ids = {token: i for i, token in enumerate(self.vocab) if i not in specials}
        if len(ids) + len(specials) < len(self.vocab) or len(set(self.merges)) < len(self.merges):
            raise ValueError("vocab and merges must hold each token and each pair once, got one twice")
        tokens = {bytes([byte]) for byte in range(256)} | {a + b for a, b in self.merges}
        if wrong := tokens ^ ids.keys() | {part for pair in self.merges for part in pair} - tokens:
            raise ValueError(f"vocab must be the bytes and what merges make of them, which fails for {wrong.pop()!r}")
        self._byte_ids = {byte: ids[bytes([byte])] for byte in range(256)}
        # Of a pair of ids: the rank of their merge, which decides what is merged first, and the id of the result.
        letter = {token: chr(i) for token, i in ids.items()}
        self._merge = {letter[a] + letter[b]: (rank, letter[a + b]) for rank, (a, b) in enumerate(self.merges)}
        self._encode_piece = lru_cache(MAX_CACHED)(self._encode_piece)  # nearly all pieces of a text were met before

    def __reduce__(self) -> tuple:  # a cache cannot be pickled
        bos, eos = (self.vocab[i].decode() for i in (self.bos_id, self.eos_id))
        return type(self), (self.vocab, self.merges, self.special, bos, eos)

    @classmethod
    def train(cls, text: str | Iterable[str], vocab_size: int, special_tokens: Sequence[str] = ()) -> "BPETokenizer":
        """Learn the merges of a text, or of several.

        Of pairs that are equally frequent, the one with the smaller ids is merged first. If every word has become one
        token before the vocabulary is full, it stays smaller.

        Args:
            text: what to count. The names of special tokens in it are not counted.
            vocab_size: number of ids: ``<bos>`` = 0, ``<eos>`` = 1, the further special tokens, the 256 bytes in order,
                and as many merges as there is room for.
            special_tokens: names of further special tokens.

        Raises:
            ValueError: for an empty text, names that are empty or not distinct, or a vocab_size without room for the bytes.
        """
        names = [BOS, EOS, *(_encodable(x, "special_tokens") for x in check_words(special_tokens, "special_tokens"))]
        if len(set(names)) < len(names) or "" in names:
            raise ValueError(f"special_tokens must be distinct, not empty and neither {BOS} nor {EOS}, got {names[2:]}")
        n_merges = check_integer(vocab_size, "vocab_size", low=len(names) + 256) - len(names) - 256
        pieces: Counter[str] = Counter()
        for part in check_texts(text, "text"):
            for between in _any_of(names).split(_encodable(part))[::2]:
                pieces.update(split_pieces(between))
        if not pieces:
            raise ValueError("text is empty: there is nothing to count")
        pairs = learn_merges({piece.encode(): count for piece, count in pieces.items()}, n_merges)
        vocab = [bytes([byte]) for byte in range(256)]
        for a, b in pairs:
            vocab.append(vocab[a] + vocab[b])
        merges = [(vocab[a], vocab[b]) for a, b in pairs]
        return cls([name.encode() for name in names] + vocab, merges, {name: i for i, name in enumerate(names)})

    def encode(self, text: str | bytes, eos: bool = False, allow_special: bool = False) -> np.ndarray:
        """Ids of a text, shape (T,), int64.

        Args:
            text: a str, or any bytes: what is not UTF-8 among them gets the ids of its single bytes.
            eos: end with ``<eos>``.
            allow_special: the name of a special token in the text becomes its id. Leave it off for text that others
                wrote: their "<eos>" is five characters.

        Raises:
            ValueError: for what is neither, or a str with half of a surrogate pair, which stands for no bytes.
        """
        # A byte that is not UTF-8 becomes half of a surrogate pair.
        text = text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else _encodable(text)
        parts = _any_of(self.special).split(text) if check_flag(allow_special, "allow_special") else [text]
        ids = []
        for i, part in enumerate(parts):
            if i % 2:  # split puts what it found between the others
                ids.append(np.array([self.special[part]]))
            else:
                ids.append(np.frombuffer(b"".join(map(self._encode_piece, split_pieces(part))), dtype=np.int64))
        return np.concatenate([*ids, np.full(int(check_flag(eos, "eos")), self.eos_id)])

    def decode_bytes(self, ids: ArrayLike) -> bytes:
        """Exactly the bytes that were encoded, without ``<bos>`` and ``<eos>``; other special tokens by their names."""
        return b"".join(self._tokens(ids))

    def decode(self, ids: ArrayLike) -> str:
        """The text. Bytes that are not UTF-8, such as half of a character, become the replacement character �."""
        return self.decode_bytes(ids).decode("utf-8", errors="replace")

    def save(self, path: str | Path) -> None:
        """Write a JSON file that ``load`` reads, whole or not at all; its folder is made.

        Raises:
            ValueError: for a path that cannot be written.
        """
        content = {
            "format": FORMAT,
            "special": self.special,
            "bos": self.vocab[self.bos_id].decode(),
            "eos": self.vocab[self.eos_id].decode(),
            "vocab": [token.decode("latin-1") for token in self.vocab],  # a letter for each byte
            "merges": [[a.decode("latin-1"), b.decode("latin-1")] for a, b in self.merges],
        }
        write_whole(path, "path", [json.dumps(content, indent=0).encode()])

    @classmethod
    def load(cls, path: str | Path) -> "BPETokenizer":
        """The tokenizer of a file that ``save`` wrote.

        Raises:
            ValueError: for a file that is damaged or something else.
        """
        try:
            content = json.loads(read_whole(path, "path").decode())
            if content["format"] != FORMAT:
                raise ValueError(f"its format is {content['format']!r}, expected {FORMAT!r}")
            vocab = [token.encode("latin-1") for token in content["vocab"]]
            merges = [(a.encode("latin-1"), b.encode("latin-1")) for a, b in content["merges"]]
            return cls(vocab, merges, content["special"], content["bos"], content["eos"])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"path {path!r} is damaged or holds no tokenizer: {error!r}") from error

    def _encode_piece(self, piece: str) -> bytes:
        """The ids of one piece, as the bytes of an int64 array: merge the pair that was learned first, repeat."""
        # A string with one character for each id, chr(id): Python's strings search and replace fast.
        ids = piece.encode("utf-8", errors="surrogateescape").decode("latin-1").translate(self._byte_ids)
        never = (sys.maxsize, "")
        while len(ids) > 1:
            first = min(map("".join, pairwise(ids)), key=lambda pair: self._merge.get(pair, never))
            if first not in self._merge:
                break
            ids = ids.replace(first, self._merge[first][1])
        return np.array([ord(i) for i in ids], dtype=np.int64).tobytes()


def learn_merges(words: Mapping[bytes, int], n_merges: int) -> list[tuple[int, int]]:
    """The most frequent pair of neighbours, ``n_merges`` times over, each merged before the next is counted.

    Counting everything again for each merge would take hours on a large text. But a merge only changes the counts of
    the pairs next to it. (To count all pairs of the words that hold it again is shorter, and takes three times as long.)

    Args:
        words: how often each word stands in the text.

    Returns:
        Pairs of ids, a byte's id being its value and the i-th merge's 256 + i. Fewer than asked for if no pair is left.
    """
    # A word is a string with one character for each token, chr(id): Python's strings split and join fast.
    check_instance(words, "words", Mapping)
    spelled = [check_instance(word, "words' keys", bytes).decode("latin-1") for word in words]
    frequency = [check_integer(count, "words' counts", low=1) for count in words.values()]
    n_merges = check_integer(n_merges, "n_merges", low=0)
    counts: dict[str, int] = defaultdict(int)
    where: dict[str, list[int]] = defaultdict(list)  # pair: the words that hold it, or once held it
    for w, word in enumerate(spelled):
        for a, b in pairwise(word):
            counts[a + b] += frequency[w]
            where[a + b].append(w)
    heap = [(-count, pair) for pair, count in counts.items()]
    heapify(heap)
    merges: list[tuple[int, int]] = []
    while heap and len(merges) < n_merges:
        count, pair = heappop(heap)
        if -count != counts[pair]:  # it has lost some since it was put there
            if counts[pair] > 0:
                heappush(heap, (-counts[pair], pair))
            continue
        a, b = pair
        new = chr(256 + len(merges))
        merges.append((ord(a), ord(b)))
        change: dict[str, int] = defaultdict(int)
        for w in dict.fromkeys(where.pop(pair)):  # each once, however often it holds the pair
            parts = spelled[w].split(pair)
            spelled[w] = new.join(parts)
            for i, (before, after) in enumerate(pairwise(parts)):  # the pair stood between these two
                neighbours = []  # (what was there, what is there now)
                if before:
                    neighbours.append((before[-1] + a, before[-1] + new))
                elif i:  # the same pair once more
                    neighbours.append((b + a, new + new))
                if after:
                    neighbours.append((b + after[0], new + after[0]))
                for old, now in neighbours:
                    change[old] -= frequency[w]
                    change[now] += frequency[w]
                    where[now].append(w)
        del counts[pair]
        for neighbour, difference in change.items():
            counts[neighbour] += difference
            if difference > 0:
                heappush(heap, (-counts[neighbour], neighbour))
    return merges


def _any_of(names: Iterable[str]) -> re.Pattern:
    """A pattern of the names, the longest that fits; ``split`` gives what it finds between the rest."""
    return re.compile("(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + ")")


def _encodable(text: str, name: str = "text") -> str:
    """``text`` if it is a str of whole characters."""
    try:
        check_instance(text, name, str).encode()
    except UnicodeEncodeError as error:
        half = f"{text[error.start]!r} at {error.start}"
        raise ValueError(f"{name} holds half of a surrogate pair, {half}, which is no character") from None
    return text
