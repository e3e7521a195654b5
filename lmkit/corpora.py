"""The texts of the course: a language whose entropy is known, real English without a download, Tiny Shakespeare, toy texts.

The texts in ``data/`` were written for this course; the facts in them (which words, how often) are the lectures'.
"""

import functools
import hashlib
import os
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from lmkit.checks import check_integer
from lmkit.grammar import Grammar, Token


def _data(name: str) -> str:
    return Path(__file__).with_name("data").joinpath(f"{name}.txt").read_text(encoding="utf-8")


# ---------------------------------------------------------------------------------------------------------------------
# A language of known entropy


def course_grammar(words_per_class: int | None = None) -> Grammar:
    """The course's language of known entropy, written in ``data/course_grammar.txt`` as ``lmkit.grammar`` explains.

    Three kinds of sentences test three abilities. FACTS, collocation: a word is decided by the one or two before it, so that
    a bigram or trigram suffices. AGREE, agreement: the verb's number is that of a subject four or more words ago, and nouns
    of either number stand between; no n-gram with n ≤ 5 can know it, one bit of memory can. RECALL, copy: who needs what is
    told, the talk turns to a printer, then everybody's thing is named again; a model needs to look the thing up under the
    person's name, 20 to 90 words back.

    Args:
        words_per_class: keep only so many words of each class (at least 3): a smaller language of the same shape,
            small enough to list.
    """
    text = re.sub(r"\n\s*\|", " |", _data("course_grammar"))  # an option may stand on a line of its own
    if words_per_class is not None:  # three people are needed for a sentence
        kept = check_integer(words_per_class, "words_per_class", low=3)
        text = re.sub(r"^\w+: .*", lambda line: " ".join(line[0].split()[: kept + 2]), text, flags=re.MULTILINE)
    return _kept(text)


_kept = functools.cache(Grammar)  # a grammar knows more and more of itself


# ---------------------------------------------------------------------------------------------------------------------
# Real English


_WORD = r"(?:[A-Za-z]+(?:['’-][A-Za-z]+)*|\d+|[ei]\.[ge]\.)"
_SENTENCE = re.compile(rf"[(“]?(?=[A-Z]){_WORD}(?:[”)]*[,;:]?(?: | [–—] |—)[(“]*{_WORD})+[”)]*[.!?][”)]*")


@functools.cache
def python_docs() -> str:
    """English prose about Python, which every interpreter carries: the sentences of its documentation, one a line.

    A sentence begins with a capital, ends with a full stop, and holds nothing but words, whole numbers and the punctuation
    of prose. So headings, tables, syntax rules, code and consoles are left out, and so are sentences that quote more code
    than a plain name; the marks around names, as in "getattr()" and *default*, are taken off first. Each sentence stands
    once, though the documentation repeats some.

    It is about 0.14 million characters long and depends on the version of the interpreter, as do numbers computed from it.
    """
    from pydoc_data.topics import topics

    return "\n".join(dict.fromkeys(s for name in sorted(topics) for s in _sentences(topics[name])))


def _sentences(page: str) -> Iterator[str]:
    """The sentences of a page of Python's documentation, without marks around names."""
    # An item's mark counts as indentation, and a line that ends with a hyphen goes on in the next.
    page = re.sub(r"^ *(?:[*•]|\d+\.|\[\d+\]) ", lambda mark: " " * len(mark[0]), page, flags=re.MULTILINE)
    page = re.sub(r"(?<=[a-z]-)\n *", "", page)
    by_indentation = groupby(page.splitlines(), lambda line: len(line) - len(line.lstrip()) if line.strip() else None)
    for _, lines in by_indentation:  # neighbouring lines of one indentation are a paragraph
        paragraph = " ".join(" ".join(lines).split())
        paragraph = re.sub(r"([\"*])(\w[\w -]*)(?:\(\))?\1| \[\d+\]", r"\2", paragraph)  # also notes' numbers
        # A full stop ends a sentence where a capital follows, but that of "e.g." does not.
        for sentence in re.split(r"(?<!\.\w\.)(?:(?<=[.!?])|(?<=[.!?][)”]))\s+(?=[(“]?[A-Z])", paragraph):
            if _SENTENCE.fullmatch(sentence):
                yield sentence


TINY_SHAKESPEARE = "tinyshakespeare.txt"
TINY_SHAKESPEARE_SHA256 = "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed"
TINY_SHAKESPEARE_URL = "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt"


def tiny_shakespeare() -> str:
    """Tiny Shakespeare (Karpathy's char-rnn, 2015), 1 115 394 characters, the field's yardstick for small models.

    Taken from the folder that the environment variable ``LMKIT_DATA_DIR`` names, else fetched once with ``pooch``.

    Raises:
        FileNotFoundError: if it is in neither place; says what to do.
        ValueError: if the file is not the one that was expected.
    """
    folder = os.environ.get("LMKIT_DATA_DIR")
    try:
        if folder:
            path = Path(folder) / TINY_SHAKESPEARE
        else:
            import pooch

            known, kept = f"sha256:{TINY_SHAKESPEARE_SHA256}", pooch.os_cache("lmkit")
            path = pooch.retrieve(TINY_SHAKESPEARE_URL, known, fname=TINY_SHAKESPEARE, path=kept)
        content = Path(path).read_bytes()
    except (ImportError, OSError) as reason:
        ways = f"Set it to a folder that holds {TINY_SHAKESPEARE}, or install pooch and go online once"
        raise FileNotFoundError(f"{reason}; LMKIT_DATA_DIR is {folder or 'not set'}. {ways}.") from reason
    found = hashlib.sha256(content).hexdigest()
    if found != TINY_SHAKESPEARE_SHA256:
        raise ValueError(f"{path} is not Tiny Shakespeare: its SHA-256 is {found}, expected {TINY_SHAKESPEARE_SHA256}")
    return content.decode()


# ---------------------------------------------------------------------------------------------------------------------
# Toy texts

COWS = tuple(_data("cows").splitlines())
"""What comes after "cows eat": corn four times in eleven, grass three, hay two, "if" and "which" once."""

STUDENTS = tuple(_data("students").splitlines())
"""The batch of three sentences with which the lectures train a recurrent network."""

BAT = tuple(_data("bat").splitlines())
"""Around the sentence that the lectures take apart factor by factor."""

TAGGED = tuple(tuple(Token(*pair.split("/"), None) for pair in line.split()) for line in _data("tagged").splitlines())
"""The lectures' four samples for part-of-speech tagging; the lecture tags "their" as a noun."""

LITTLE_PLAY = _data("little_play")
"""Verses in the manner of an old play."""
