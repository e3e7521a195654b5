"""Whether two names, one in a platform's list and one in its download, can be one person's.

Between the two stand zips that lose accents or letters, programs that read one script as another, and names turned around.
What must not pass are the names of teams, which Moodle numbers from 1 on, as it numbers students.
"""

import contextlib
import unicodedata
from collections.abc import Iterator

import regex

_EAST_ASIAN = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}]"
_WORD = regex.compile(rf"{_EAST_ASIAN}+|(?:(?!{_EAST_ASIAN})[\p{{L}}\p{{M}}\p{{N}}])+")
# Accents and vowel points that people and programs leave out; vowel signs of Indian scripts are letters.
_ACCENT = regex.compile(r"(?<=[\p{Latin}\p{Greek}\p{Cyrillic}\p{Arabic}\p{Hebrew}])\p{Mn}+")
_NO_LETTERS = regex.compile(r"[_?�\s.-]*")  # what is left of a name whose letters were lost
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
_IN_TWO = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_ENCODINGS = ("utf-8", "cp866", "cp1251", "cp1252", "cp932", "cp936", "cp949", "cp950")
# Words in the names of too many people, and of teams, to tell anything.
_PARTICLES = set(
    "af al and av ben bin da dal de del den der di do dos du el et la las le los of te the und van von zu".split()
)


def agree(listed: str, name: str) -> bool | None:
    """Whether two names can be one person's, whichever came first; None where one of them has nothing to compare."""
    if listed == name:
        return True
    if _NO_LETTERS.fullmatch(listed) or _NO_LETTERS.fullmatch(name):
        return None
    return any(
        _letters(one) == _letters(other) != "" or _telling(one) & _telling(other)
        for one in _readings(listed)
        for other in _readings(name)
    )


def alike(one: str, other: str) -> bool:
    """Whether two names have the same letters, or one has no word that the other one lacks: more than ``agree`` asks."""
    return one == other or any(
        _letters(a) == _letters(b) != "" or set() < _words(a) <= _telling(b) or set() < _words(b) <= _telling(a)
        for a in _readings(one)
        for b in _readings(other)
    )


def is_hidden(name: str, identifier: str) -> bool:
    """Whether a name is the word of an identifier, ``Participant`` of ``Participant 5``; a group's name may stand before it."""
    word = "".join(regex.findall(r"\D", _joined(identifier)))
    ends = [name, *(name[i + 1 :] for i, c in enumerate(name) if c == "-")]
    return bool(word) and any(_joined(end) == word for end in ends)


def _letters(name: str) -> str:
    """The letters of a name in a fixed order: the same for a name that is turned around."""
    return "".join(sorted(_joined(name)))


def _readings(name: str) -> Iterator[str]:
    """A name, and what it was before a program took its bytes for those of old DOS, or wrote ``#U738b`` for a letter."""
    yield regex.sub(r"#U([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), name)
    with contextlib.suppress(UnicodeError):
        raw = b"" if name.isascii() else name.encode("cp437")
        for encoding in _ENCODINGS if raw else ():
            with contextlib.suppress(UnicodeError):
                yield raw.decode(encoding)


def _bare(name: str) -> str:
    """A name in small letters, without apostrophes and the dash that stretches Arabic words, which often get lost."""
    return unicodedata.normalize("NFC", regex.sub("['’`\u0640]", "", name)).casefold()


def _plain(bare: str) -> str:
    return _ACCENT.sub("", unicodedata.normalize("NFKD", bare).casefold()).translate(_PLAIN)


def _joined(name: str) -> str:
    return "".join(_WORD.findall(_plain(_bare(name))))


def _telling(name: str) -> set[str]:
    """The words of a name by which a person is known, in every way in which they may be written."""
    bare = _bare(name)
    lost = (bare.encode("ascii", how).decode() for how in ("ignore", "replace"))
    return set().union(*(_words(form) for form in (bare, bare.translate(_IN_TWO), *lost)))


def _words(name: str) -> set[str]:
    """The words of a name by which a person is known, as it is written here."""
    return {word for word in _WORD.findall(_plain(_bare(name))) if len(word) > 1 and not word.isdigit()} - _PARTICLES
