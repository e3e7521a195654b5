"""From the text of a probabilistic grammar to its rules, and what a grammar must not be for its entropy to be exact.

How a grammar is written stands in ``lmkit.grammar``, which computes with the rules.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import combinations
from typing import NamedTuple

import numpy as np

from lmkit.checks import check_instance
from lmkit.tokenizers import EOS


class Token(NamedTuple):
    """A word of a sampled sentence, its part of speech, and the phenomenon it tests (None for most)."""

    word: str
    tag: str
    phenomenon: str | None


@dataclass(frozen=True, eq=False)  # the same text is the same object: hashing all its words at each step takes long
class Draw:
    """A word drawn uniformly from a class, remembered under ``name`` if that is given, different from those of ``other``."""

    lexical: str
    words: tuple[Token, ...]
    name: str | None
    other: tuple[str, ...]


class Repeat(NamedTuple):
    """The word remembered under ``name``."""

    name: str
    phenomenon: str | None


Symbol = str | Token | Draw | Repeat  # a str names a nonterminal
Rules = dict[str, list[tuple[float, tuple[Symbol, ...]]]]  # of each nonterminal: probability, what it becomes


def read_rules(text: str) -> Rules:
    """The rules of a grammar's text, the start symbol's first.

    Raises:
        ValueError: for a line that cannot be read or a symbol that is unknown or explained twice; for left recursion; for
            a name that may be used before a word is drawn under it; for words told apart that might be the same or are of
            two classes.
    """
    lines: dict[str, str] = {}
    classes: dict[str, tuple[Token, ...]] = {}
    for line in filter(None, map(str.strip, check_instance(text, "text", str).splitlines())):
        left, arrow, right = (part.strip() for part in line.partition("->" if "->" in line else ":"))
        if len(left.split()) != 1 or not right or "->" in right:
            raise ValueError(f"a line of a grammar's text is 'A -> …' or 'A: tag words', got {line!r}")
        if left in lines or left in classes:
            raise ValueError(f"a grammar's text must say once what {left} is, got it again in {line!r}")
        if arrow == "->":
            lines[left] = right
        else:
            tag, *words = right.split()
            if not words or len(set(words)) < len(words):
                raise ValueError(f"a class of a grammar's text is a tag and different words, got {line!r}")
            classes[left] = tuple(_token(word, tag) for word in words)
    if not lines:
        raise ValueError("a grammar's text needs at least one rule 'A -> …', got none")
    rules: Rules = {}
    symbol = cache(lambda text: text if text in lines else _symbol(text, classes))
    for left, right in lines.items():
        options = [_option(left, option, symbol) for option in right.split("|")]
        total = sum(weight for weight, _ in options)
        rules[left] = [(weight / total, symbols) for weight, symbols in options]
        if not all(p > 0 for p, _ in rules[left]):  # the sum is infinite, or a share of it less than a float can hold
            raise ValueError(f"the weights of {left} in a grammar's text are too far apart or too large to be divided")
    _refuse_left_recursion(rules)
    _refuse_wrong_names(rules)
    return rules


def _token(word: str, tag: str, phenomenon: str | None = None) -> Token:
    if not word or not tag or word == EOS:
        raise ValueError(f"a word of a grammar's text is neither empty nor {EOS} and has a tag, got {word}/{tag}")
    return Token(word, tag, phenomenon)


def _option(left: str, text: str, read: Callable[[str], Symbol]) -> tuple[float, tuple[Symbol, ...]]:
    weight, *symbols = text.split() or [""]
    try:
        value = float(weight)
    except ValueError:
        value = np.nan
    if not 0 < value < np.inf or not symbols:
        raise ValueError(f"an option of {left} is a positive weight and at least one symbol, got {text.strip()!r}")
    return value, tuple(map(read, symbols))


def _symbol(text: str, classes: dict[str, tuple[Token, ...]]) -> Symbol:
    body, _, phenomenon = text.partition("!")
    if body.startswith("$"):
        return Repeat(body[1:], phenomenon or None)
    if "/" in body:
        return _token(*body.rsplit("/", 1), phenomenon or None)
    name, _, lexical = body.rpartition(":")
    lexical, *other = lexical.split("-")
    if lexical not in classes:
        raise ValueError(f"{text!r} is neither a nonterminal, a class, a word/tag nor a $name")
    if len(classes[lexical]) <= len(other):
        raise ValueError(f"{text!r} leaves no word, the class {lexical} has only {len(classes[lexical])}")
    words = tuple(word._replace(phenomenon=phenomenon or None) for word in classes[lexical])
    return Draw(lexical, words, name or None, tuple(other))


def _refuse_left_recursion(rules: Rules) -> None:
    first = {a: {right[0] for _, right in options if isinstance(right[0], str)} for a, options in rules.items()}
    try:
        TopologicalSorter(first).prepare()
    except CycleError as error:
        raise ValueError(f"{error.args[1][0]} is left-recursive: it can begin with itself") from None


def _refuse_wrong_names(rules: Rules) -> None:
    """So that a draw leaves always as many words as its class has beyond those that are told apart from it."""
    draws, told_apart = defaultdict(list), set()
    for options in rules.values():
        for symbol in (symbol for _, right in options for symbol in right if isinstance(symbol, Draw)):
            draws[symbol.name].append(symbol)
            told_apart.update(symbol.other)
    names = frozenset(draws)
    everywhere = _drawn_before(rules, frozenset.intersection, names)
    somewhere = _drawn_before(rules, frozenset.union, frozenset())
    for (symbol, surely), (_, perhaps) in zip(everywhere, somewhere, strict=True):
        other = symbol.other if isinstance(symbol, Draw) else ()
        for name in (symbol.name,) if isinstance(symbol, Repeat) else other:
            if name not in names:
                raise ValueError(f"no rule draws a word under the name {name!r}")
            if name not in surely:
                raise ValueError(f"a sentence may come to the name {name!r} before a word is drawn under it")
        if any(draw.lexical != symbol.lexical for name in other for draw in draws[name]):
            wrong = "-".join([symbol.lexical, *other])
            raise ValueError(f"words that are told apart must be of one class, {wrong} are not")
        for x, y in combinations(other, 2):
            if not all(x in draw.other for draw in draws[y]) and not all(y in draw.other for draw in draws[x]):
                raise ValueError(f"the words under the names {x!r} and {y!r} may be the same: tell them apart as well")
        if isinstance(symbol, Draw) and symbol.name in told_apart & perhaps:
            raise ValueError(f"a word told apart from others may be drawn twice under the name {symbol.name!r}")


def _drawn_before(rules: Rules, combine: Callable, unknown: frozenset) -> list[tuple[Symbol, frozenset]]:
    """Every symbol with the names under which words are drawn before it: on all ways to it, or on some.

    Args:
        combine: what follows from several ways, the intersection or the union.
        unknown: what is said of a nonterminal at first, all names or none; it shrinks or grows until nothing changes.
    """
    start = next(iter(rules))
    before, within = dict.fromkeys(rules, unknown), dict.fromkeys(rules, unknown)
    while True:
        found, ends, ways = [], {}, defaultdict(list, {start: [frozenset()]})
        for a, options in rules.items():
            ends[a] = []
            for _, right in options:
                names = frozenset()
                for symbol in right:
                    found.append((symbol, before[a] | names))
                    if isinstance(symbol, str):
                        ways[symbol].append(before[a] | names)
                        names |= within[symbol]
                    elif isinstance(symbol, Draw) and symbol.name:
                        names |= {symbol.name}
                ends[a].append(names)
        now = {a: combine(*ways[a]) if a in ways else unknown for a in rules}, {a: combine(*ends[a]) for a in rules}
        if now == (before, within):
            return found
        before, within = now


def _names_asked(rules: Rules) -> dict[Symbol, set[str]]:
    """Under which names each symbol may look up a word."""
    asked: dict[Symbol, set[str]] = {}
    for symbol in _symbols(rules):
        asked[symbol] = {symbol.name} if isinstance(symbol, Repeat) else set(getattr(symbol, "other", ()))
    asked |= {name: set() for name in rules}
    before = -1
    while before < (before := sum(map(len, asked.values()))):
        for name in reversed(rules):
            asked[name].update(*(asked[symbol] for _, right in rules[name] for symbol in right))
    return asked


def _with_few_words(rules: Rules) -> tuple[Rules, dict[str, frozenset[str]]]:
    """The rules with fewer words in their classes, and the kind of each word: those that the same rules draw are alike.

    Of each kind there remain as many words as two derivations can remember at a time, and one more. So if a sentence has
    two derivations, one of these words has.
    """
    draws = [symbol for symbol in _symbols(rules) if isinstance(symbol, Draw)]
    names: dict[str, set[str]] = defaultdict(set)  # of each class: under which its words are remembered
    kinds: dict[str, set[str]] = defaultdict(set)
    for draw in draws:
        names[draw.lexical] |= {draw.name} - {None}
        for word, _, _ in draw.words:
            kinds[word].add(draw.lexical)
    for symbol in _symbols(rules):
        if isinstance(symbol, Token):
            kinds[symbol.word].add(f"/{symbol.word}")  # alone of its kind
    kept: dict[frozenset[str], list[str]] = defaultdict(list)
    for word, kind in kinds.items():
        remembered = set().union(*(names.get(lexical, ()) for lexical in kind))
        if len(kept[frozenset(kind)]) <= 2 * len(remembered):
            kept[frozenset(kind)].append(word)
    words = set().union(*kept.values())
    few = {draw: replace(draw, words=tuple(token for token in draw.words if token.word in words)) for draw in draws}
    small = {a: [(p, tuple(few.get(symbol, symbol) for symbol in right)) for p, right in rules[a]] for a in rules}
    return small, {word: frozenset(kind) for word, kind in kinds.items()}


def _symbols(rules: Rules) -> dict[Symbol, None]:
    """Every symbol of the rules' right sides, once, in order."""
    return dict.fromkeys(symbol for options in rules.values() for _, right in options for symbol in right)


def as_data(rules: Rules) -> dict[str, list]:
    """Rules (``Grammar.rules``) as plain lists and dictionaries, for a program in another language: the book's ``engine.js``.

    "symbols" are those of all rules and, last, the start symbol: {"rule": its number}, {"words", "name", "other"} for a
    drawn word (one that is written out is drawn from one), {"repeat": name}. "rules" lists for each rule the pairs
    [probability, [numbers of symbols]].
    """
    place = {name: i for i, name in enumerate(check_instance(rules, "rules", dict))}
    number: dict[Symbol, int] = {}
    numbered = [
        [[p, [number.setdefault(symbol, len(number)) for symbol in right]] for p, right in options]
        for options in rules.values()
    ]

    def plain(symbol: Symbol) -> dict:
        if isinstance(symbol, str):
            return {"rule": place[symbol]}
        if isinstance(symbol, Repeat):
            return {"repeat": symbol.name}
        if isinstance(symbol, Draw):
            return {"words": [token.word for token in symbol.words], "name": symbol.name, "other": list(symbol.other)}
        return {"words": [symbol.word], "name": None, "other": []}

    return {"rules": numbered, "symbols": [plain(symbol) for symbol in (*number, next(iter(rules)))]}
