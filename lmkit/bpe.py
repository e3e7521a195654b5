"""Byte-level byte-pair encoding: a vocabulary between bytes and words, learned from a text.

Begin with the 256 bytes. Count all pairs of neighbours, make the most frequent one a token, repeat. No text is unknown,
frequent words become one token, and rare ones fall apart into pieces. As in GPT-2, no token reaches across a boundary
between words, numbers, signs and white space.

Sources: Gage (1994), for compression; Sennrich et al. (2016), for translation; Radford et al. (2019), on bytes, GPT-2.
"""

import json
import os
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from lmkit.language_model import as_token_ids
from lmkit.tokenizers import BOS, EOS

FORMAT = "lmkit byte-pair encoding 1"
MAX_CACHED = 500_000  # pieces; a text of books has fewer, and a stream of noise must not fill the memory
WHITE_SPACE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"  # Unicode's; Python's \s has four more
BEYOND = r"[\U00010000-\U0010ffff]"


@lru_cache(maxsize=1)
def piece_pattern() -> re.Pattern:
    r"""GPT-2's rule of what a token may not reach across, with the standard library's ``re``.

    An English ending ('s, 't, 're, 've, 'm, 'll, 'd), letters, numbers or other signs, each with one space in front if
    there is one, or white space, whose last space goes to the word behind. The published rule says \p{L} and \p{N} for
    letters and numbers, which ``re`` does not know: \w mixes them with the underscore, and \d misses ² and Ⅷ.
    """
    low, high = range(2**16), range(2**16, 2**17)  # above the second, nothing is a number, and \w is letters
    # ``re`` finds a character below 2^16 in one step, in whatever class, and searches through the ranges of one above.
    # So a word without any above has an alternative of its own: it comes first, and nearly always suffices.
    common_word = f"[{_ranges('L', low)}]++(?!{BEYOND})"
    letter = _run(_ranges("L", low), rf"[^\W\d_{_ranges('N', high)}]")
    number = _run(_ranges("N", low), f"[{_ranges('N', high)}]")
    sign = _run(_ranges("MPSC", low), r"\W")
    ending, space = "'(?:s|t|re|ve|m|ll|d)", f"[{WHITE_SPACE}]"
    return re.compile(rf" ?{common_word}|{ending}| ?{letter}| ?{sign}| ?{number}|{space}+(?![^{WHITE_SPACE}])|{space}+")


class BPETokenizer:
    """Text to ids of byte sequences and back.

    ``BPETokenizer.train`` learns one from a text, ``load`` reads one from a file, ``lmkit.gpt2.gpt2_tokenizer`` GPT-2's.

    Args:
        vocab: the bytes of each token, by id; for special tokens their names.
        merges: the pairs of tokens that become one, the first learned first.
        special: the ids of the special tokens, by name. No text produces them unless you ask for it.
        bos, eos: the names of those that begin and end a text.

    Attributes:
        vocab, merges, special: as above.
        vocab_size, bos_id, eos_id: as every tokenizer of the course has.

    Raises:
        ValueError: if one of the 256 bytes, or a part or the result of a merge, is not in the vocabulary.
    """

    def __init__(
        self,
        vocab: Sequence[bytes],
        merges: Iterable[tuple[bytes, bytes]],
        special: Mapping[str, int],
        bos: str = BOS,
        eos: str = EOS,
    ) -> None:
        self.vocab, self.merges, self.special = tuple(vocab), tuple(merges), dict(special)
        for name, i in self.special.items():
            if not 0 <= i < len(self.vocab) or self.vocab[i] != name.encode():
                raise ValueError(f"special token {name!r} must be in vocab under its id, got {i}")
        if bos not in self.special or eos not in self.special:
            raise ValueError(f"special must hold {bos!r} and {eos!r}, got {sorted(self.special)}")
        self.bos_id, self.eos_id = self.special[bos], self.special[eos]
        specials = set(self.special.values())
        ids = {token: i for i, token in enumerate(self.vocab) if i not in specials}
        missing = [token for token in _all_tokens(self.merges) if token not in ids]
        if missing:
            raise ValueError(
                f"vocab must hold every byte and every part and result of a merge, {missing[0]!r} is missing"
            )
        self._byte_ids = [ids[bytes([byte])] for byte in range(256)]
        # Of a pair of ids: the rank of their merge, which decides what is merged first, and the id of the result.
        self._merge = {(ids[a], ids[b]): (rank, ids[a + b]) for rank, (a, b) in enumerate(self.merges)}
        self._cache: dict[str, bytes] = _Cache(self._encode_piece)
        names = sorted(self.special, key=len, reverse=True)  # the longest that fits
        self._special_pattern = re.compile("(" + "|".join(map(re.escape, names)) + ")")

    @classmethod
    def train(cls, text: str | Iterable[str], vocab_size: int, special_tokens: Sequence[str] = ()) -> "BPETokenizer":
        """Learn the merges of a text, or of several.

        Of pairs that are equally frequent, the one with the smaller ids is merged first. If every word has become one
        token before the vocabulary is full, it stays smaller.

        Args:
            text: what to count.
            vocab_size: number of ids: ``<bos>`` = 0, ``<eos>`` = 1, the further special tokens, the 256 bytes in order,
                and as many merges as there is room for.
            special_tokens: names of further special tokens.

        Raises:
            ValueError: for an empty text, names that are empty or not distinct, or a vocab_size without room for
                the bytes.
        """
        names = [BOS, EOS, *special_tokens]
        if len(set(names)) < len(names) or "" in names:
            raise ValueError(f"special_tokens must be distinct, not empty and neither {BOS} nor {EOS}, got {names[2:]}")
        if vocab_size < len(names) + 256:
            least = f"{len(names) + 256}, {len(names)} special tokens and 256 bytes"
            raise ValueError(f"vocab_size must be at least {least}; got {vocab_size}")
        pieces: Counter[str] = Counter()
        for part in [text] if isinstance(text, str) else text:
            pieces.update(piece_pattern().findall(part))
        if not pieces:
            raise ValueError("the text is empty: there is nothing to count")
        pairs = learn_merges({_bytes(piece): count for piece, count in pieces.items()}, vocab_size - len(names) - 256)
        vocab = [bytes([byte]) for byte in range(256)]
        for a, b in pairs:
            vocab.append(vocab[a] + vocab[b])
        merges = [(vocab[a], vocab[b]) for a, b in pairs]
        return cls([name.encode() for name in names] + vocab, merges, {name: i for i, name in enumerate(names)})

    @property
    def vocab_size(self) -> int:
        """Number of ids, special tokens included."""
        return len(self.vocab)

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
        if isinstance(text, bytes):
            text = text.decode("utf-8", errors="surrogateescape")
        if not isinstance(text, str):
            raise ValueError(f"text must be a str or bytes, got {type(text).__name__}")
        if len(self._cache) > MAX_CACHED:
            self._cache.clear()
        ids = []
        for i, part in enumerate(self._special_pattern.split(text) if allow_special else [text]):
            if i % 2:  # split puts what it found between the others
                ids.append(np.array([self.special[part]]))
            else:
                cached = b"".join(map(self._cache.__getitem__, piece_pattern().findall(part)))
                ids.append(np.frombuffer(cached, dtype=np.int64))
        return np.concatenate([*ids, np.full(int(eos), self.eos_id)])

    def decode_bytes(self, ids: ArrayLike) -> bytes:
        """Exactly the bytes that were encoded, without ``<bos>`` and ``<eos>``; other special tokens by their names."""
        ids = as_token_ids(ids, self.vocab_size, "ids")
        return b"".join(self.vocab[i] for i in ids.tolist() if i not in (self.bos_id, self.eos_id))

    def decode(self, ids: ArrayLike) -> str:
        """The text. Bytes that are not UTF-8, such as half of a character, become the replacement character �."""
        return self.decode_bytes(ids).decode("utf-8", errors="replace")

    def save(self, path: str | Path) -> None:
        """Write a JSON file that ``load`` reads, whole or not at all."""
        content = {
            "format": FORMAT,
            "special": self.special,
            "bos": self.vocab[self.bos_id].decode(),
            "eos": self.vocab[self.eos_id].decode(),
            "vocab": [token.decode("latin-1") for token in self.vocab],  # a letter for each byte
            "merges": [[a.decode("latin-1"), b.decode("latin-1")] for a, b in self.merges],
        }
        temporary = Path(f"{path}.part")
        temporary.write_text(json.dumps(content, indent=0), encoding="utf-8")
        os.replace(temporary, path)

    @classmethod
    def load(cls, path: str | Path) -> "BPETokenizer":
        """Read what ``save`` wrote.

        Raises:
            ValueError: for a file that is damaged or something else.
        """
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
            if content["format"] != FORMAT:
                raise ValueError(f"its format is {content['format']!r}, expected {FORMAT!r}")
            vocab = [token.encode("latin-1") for token in content["vocab"]]
            merges = [(a.encode("latin-1"), b.encode("latin-1")) for a, b in content["merges"]]
            return cls(vocab, merges, content["special"], content["bos"], content["eos"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is damaged or holds no tokenizer: {error!r}") from error

    def _encode_piece(self, piece: str) -> bytes:
        """The ids of one piece, as the bytes of an int64 array: merge the pair that was learned first, repeat."""
        ids = [self._byte_ids[byte] for byte in _bytes(piece)]
        never = (sys.maxsize, 0)
        while len(ids) > 1:
            first = min(pairwise(ids), key=lambda pair: self._merge.get(pair, never))
            if first not in self._merge:
                break
            ids = _merged(ids, first, self._merge[first][1])
        return np.array(ids, dtype=np.int64).tobytes()


def learn_merges(words: Mapping[bytes, int], n_merges: int) -> list[tuple[int, int]]:
    """The most frequent pair of neighbours, ``n_merges`` times over, each merged before the next is counted.

    Counting everything again for each merge would take hours on a large text. But a merge only changes the counts of
    the pairs next to it, in the words that hold it.

    Args:
        words: how often each word stands in the text.

    Returns:
        Pairs of ids, a byte's id being its value and the i-th merge's 256 + i. Fewer than asked for if no pair is left.
    """
    # A word is a string with one character for each token, chr(id): Python's strings split and join fast.
    spelled = [word.decode("latin-1") for word in words]
    frequency = list(words.values())
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
        for w in where.pop(pair):
            parts = spelled[w].split(pair)
            word = spelled[w] = new.join(parts)
            at = -1
            for _ in parts[1:]:  # the place of each merge
                at = word.index(new, at + 1)
                if at > 0:
                    left = word[at - 1]
                    change[left + new] += frequency[w]
                    change[(b if left == new else left) + a] -= frequency[w]
                    where[left + new].append(w)
                if at + 1 < len(word) and word[at + 1] != new:  # two in a row share their pair
                    right = word[at + 1]
                    change[new + right] += frequency[w]
                    change[b + right] -= frequency[w]
                    where[new + right].append(w)
        del counts[pair]
        for neighbours, difference in change.items():
            counts[neighbours] += difference
            if difference > 0:
                heappush(heap, (-counts[neighbours], neighbours))
    return merges


class _Cache(dict):
    """The ids of every piece that was met; nearly all pieces of a text have been met before."""

    def __init__(self, encode_piece: Callable[[str], bytes]) -> None:
        super().__init__()
        self.encode_piece = encode_piece

    def __missing__(self, piece: str) -> bytes:
        self[piece] = self.encode_piece(piece)
        return self[piece]


def _merged(ids: list[int], pair: tuple[int, int], new: int) -> list[int]:
    """Every occurrence of the pair replaced by one id, from left to right."""
    a, b = pair
    merged, i, last = [], 0, len(ids) - 1
    while i <= last:
        if ids[i] == a and i < last and ids[i + 1] == b:
            merged.append(new)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


def _all_tokens(merges: Iterable[tuple[bytes, bytes]]) -> Iterable[bytes]:
    yield from (bytes([byte]) for byte in range(256))
    for a, b in merges:
        yield from (a, b, a + b)


def _bytes(piece: str) -> bytes:
    try:
        return piece.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"text holds half of a surrogate pair, {piece[error.start]!r}, which is no character"
        ) from None


def _ranges(categories: str, codes: range) -> str:
    """The inside of a character class: the characters of some Unicode categories, white space left out."""
    space = re.compile(f"[{WHITE_SPACE}]")
    wanted = [n for n in codes if unicodedata.category(chr(n))[0] in categories and not space.match(chr(n))]
    starts = [n for n, before in zip(wanted, [None, *wanted], strict=False) if before is None or n != before + 1]
    ends = [n for n, after in zip(wanted, [*wanted[1:], None], strict=True) if after is None or n != after - 1]
    return "".join(rf"\U{a:08x}-\U{b:08x}" for a, b in zip(starts, ends, strict=True))


def _run(low: str, high: str) -> str:
    """A pattern of one or more characters, of the class ``low`` below 2^16 and the pattern ``high`` above."""
    return rf"(?:[{low}]+|(?:(?={BEYOND}){high})+)++"
