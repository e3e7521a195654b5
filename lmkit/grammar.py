"""Probabilistic grammars whose sentences, next words and entropy can all be computed exactly.

A grammar is text. Each line gives a nonterminal and what it can become, with weights:

    FACTS -> 3 FACT | 2 FACT and/c FACTS        weights 3 : 2; what comes is read from left to right
    cows/n   silent/a!collocation                a word with its tag, and the phenomenon it tests, if any
    PET: n dogs cats horses                      a class of words with one tag, all equally likely
    a:NAME   b:NAME-a   $a!copy                  draw a word and remember it; draw another; repeat the first

Rules must not be left-recursive (A → A …). Then the words of a sentence decide its derivation step by step: after a
prefix only a few leftmost derivations are alive, each with its probability, and they give the next word exactly.
"""

import functools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lmkit.language_model import LanguageModel, as_token_ids

EOS = "<eos>"


class Token(NamedTuple):
    """A word of a sampled sentence, its part of speech, and the phenomenon it tests (None for most)."""

    word: str
    tag: str
    phenomenon: str | None


class Word(NamedTuple):
    """A terminal."""

    token: Token


class Draw(NamedTuple):
    """A word drawn uniformly from a class, remembered under ``name`` if that is given, different from those of ``other``."""

    words: tuple[Token, ...]
    name: str | None
    other: tuple[str, ...]

    @property
    def faces(self) -> int:
        """How many words it can be."""
        return len(self.words) - len(self.other)


class Repeat(NamedTuple):
    """The word remembered under ``name``."""

    name: str
    phenomenon: str | None


Symbol = str | Word | Draw | Repeat  # a str names a nonterminal
State = tuple[tuple[Symbol, ...], tuple[tuple[str, Token], ...]]  # what is still to come; what is remembered


class Grammar:
    """A probability distribution over sentences, given by weighted rules; the start symbol is that of the first line.

    Raises:
        ValueError: for a rule that cannot be read, an unknown symbol, or left recursion.
    """

    def __init__(self, text: str) -> None:
        classes: dict[str, tuple[Token, ...]] = {}
        lines: dict[str, str] = {}
        for line in filter(None, map(str.strip, text.splitlines())):
            if "->" in line:
                left, right = line.split("->")
                lines[left.strip()] = right
            elif ":" in line:
                left, right = line.split(":", 1)
                tag, *words = right.split()
                classes[left.strip()] = tuple(Token(w, tag, None) for w in words)
            else:
                raise ValueError(f"a line of a grammar is 'A -> …' or 'A: tag words', got {line!r}")
        if not lines:
            raise ValueError("a grammar needs at least one rule 'A -> …', got none")
        self.start = next(iter(lines))
        self._classes, self._names = classes, set(lines)
        self.rules: dict[str, list[tuple[float, tuple[Symbol, ...]]]] = {}
        for left, right in lines.items():
            options = [self._option(left, text) for text in right.split("|")]
            total = sum(weight for weight, _ in options)
            self.rules[left] = [(weight / total, symbols) for weight, symbols in options]
        self._refuse_unknown_names()
        self._refuse_left_recursion()
        self._next = functools.lru_cache(maxsize=100_000)(self._expand)

    def _option(self, left: str, text: str) -> tuple[float, tuple[Symbol, ...]]:
        weight, *symbols = text.split() or [""]
        try:
            value = float(weight)
        except ValueError:
            value = np.nan
        if not 0 < value < np.inf or not symbols:
            raise ValueError(f"an option of {left} is a positive weight and at least one symbol, got {text.strip()!r}")
        return value, tuple(map(self._symbol, symbols))

    def _refuse_unknown_names(self) -> None:
        symbols = [symbol for rules in self.rules.values() for _, right in rules for symbol in right]
        drawn = {symbol.name for symbol in symbols if isinstance(symbol, Draw)}
        used = {symbol.name for symbol in symbols if isinstance(symbol, Repeat)}
        used |= {name for symbol in symbols if isinstance(symbol, Draw) for name in symbol.other}
        if used - drawn:
            raise ValueError(f"no rule draws a word under the name {sorted(used - drawn)[0]!r}")

    def _symbol(self, text: str) -> Symbol:
        body, _, phenomenon = text.partition("!")
        if body in self._names:
            return body
        if body.startswith("$"):
            return Repeat(body[1:], phenomenon or None)
        if "/" in body:
            word, tag = body.rsplit("/", 1)
            return Word(Token(word, tag, phenomenon or None))
        name, _, lexical = body.rpartition(":")
        lexical, *other = lexical.split("-")
        if lexical not in self._classes:
            raise ValueError(f"{text!r} is neither a nonterminal, a class, a word/tag nor a $name")
        words = tuple(Token(w.word, w.tag, phenomenon or None) for w in self._classes[lexical])
        return Draw(words, name or None, tuple(other))

    def _refuse_left_recursion(self) -> None:
        first = {a: {right[0] for _, right in rules if isinstance(right[0], str)} for a, rules in self.rules.items()}
        for a in first:
            reached, queue = set(), list(first[a])
            while queue:
                b = queue.pop()
                if b == a:
                    raise ValueError(f"{a} is left-recursive: it can begin with itself")
                if b not in reached:
                    reached.add(b)
                    queue += first[b]

    def _expand(self, state: State) -> list[tuple[float, Token, State]]:
        """Every next token of a leftmost derivation, with its probability and the state behind it; [] at the end."""
        stack, memory = state
        if not stack:
            return []
        top, rest = stack[0], stack[1:]
        if isinstance(top, Word):
            return [(1.0, top.token, (rest, memory))]
        if isinstance(top, Repeat):
            token = dict(memory)[top.name]
            return [(1.0, Token(token.word, token.tag, top.phenomenon), (rest, memory))]
        if isinstance(top, Draw):
            known = dict(memory)
            taken = {known[name].word for name in top.other}
            free = [token for token in top.words if token.word not in taken]
            return [
                (1 / len(free), token, (rest, (*memory, (top.name, token)) if top.name else memory)) for token in free
            ]
        return [
            (p * q, token, behind)
            for p, right in self.rules[top]
            for q, token, behind in self._next((right + rest, memory))
        ]

    @property
    def _begin(self) -> dict[State, float]:
        return {((self.start,), ()): 1.0}

    def _options(self, alive: dict[State, float]) -> dict[str, dict[State, float]]:
        """For each next word (or EOS) the derivations that it leaves alive, with their weights."""
        options: dict[str, dict[State, float]] = defaultdict(lambda: defaultdict(float))
        for state, weight in alive.items():
            if not state[0]:
                options[EOS][state] += weight
            for p, token, behind in self._next(state):
                options[token.word][behind] += weight * p
        return options

    def _walk(self, words: Sequence[str]) -> Iterator[dict[str, dict[State, float]]]:
        """The options before each word and after the last. Weights at each step sum to one.

        Raises:
            ValueError: for a word that cannot come where it stands.
        """
        alive = self._begin
        for t, word in enumerate([*words, None]):
            options = self._options(alive)
            yield options
            if word is None or (word == EOS and t == len(words) - 1 and EOS in options):
                return
            if word not in options or word == EOS:
                raise ValueError(f"word {t + 1}, {word!r}, cannot follow {' '.join(words[:t]) or 'the beginning'!r}")
            total = sum(options[word].values())
            alive = {state: weight / total for state, weight in options[word].items()}

    @functools.cached_property
    def words(self) -> tuple[str, ...]:
        """Every word of the language, in alphabetical order."""
        tokens = [
            s.token for _, rules in self.rules.items() for _, right in rules for s in right if isinstance(s, Word)
        ]
        return tuple(sorted({t.word for t in tokens} | {t.word for c in self._classes.values() for t in c}))

    def next_word_distribution(self, prefix: Sequence[str]) -> dict[str, float]:
        """P(w | prefix) of every word that can come next, most probable first; the key "<eos>" is the end.

        Raises:
            ValueError: for a text instead of a list, or if the prefix itself has probability 0; says which word is impossible.
        """
        if isinstance(prefix, str):
            raise ValueError(f"prefix must be a list of words, got the text {prefix!r}; split it first")
        *_, options = self._walk(list(prefix))
        p = {word: sum(states.values()) for word, states in options.items()}
        return dict(sorted(p.items(), key=lambda item: (-item[1], item[0])))

    def log_probs(self, words: Sequence[str]) -> list[float]:
        """Log-probability in nats of each word given those before it, and of the end; −inf from the first impossible word on."""
        log_p: list[float] = []
        sentence = [*words, EOS]
        try:
            for options, word in zip(self._walk(words), sentence, strict=False):
                log_p.append(float(np.log(sum(options[word].values()))) if word in options else -np.inf)
        except ValueError:
            pass
        return log_p + [-np.inf] * (len(sentence) - len(log_p))

    def log_prob(self, words: Sequence[str]) -> float:
        """Log-probability in nats of the whole sentence, its end included; −inf if the grammar cannot produce it."""
        return float(sum(self.log_probs(words)))

    def sample_annotated(self, n: int, seed: int) -> list[list[Token]]:
        """``n`` independent sentences with tags and phenomena; the same seed gives the same sentences."""
        if n < 0:
            raise ValueError(f"n must be a number of sentences ≥ 0, got {n}")
        rng = np.random.default_rng(seed)
        sentences = []
        for _ in range(n):
            sentence, state = [], ((self.start,), ())
            while options := self._next(state):
                dice = np.cumsum([p for p, _, _ in options])
                _, token, state = options[min(int(np.searchsorted(dice, rng.random(), "right")), len(options) - 1)]
                sentence.append(token)
            sentences.append(sentence)
        return sentences

    def sample(self, n: int, seed: int) -> list[list[str]]:
        """``n`` independent sentences, each a list of words without ``<eos>``."""
        return [[token.word for token in sentence] for sentence in self.sample_annotated(n, seed)]

    def derivations(self, least: float) -> Iterator[tuple[list[str], float]]:
        """Every derivation whose probability is at least ``least``: its words and its probability.

        A grammar is unambiguous if no two derivations give the same words.
        """
        queue: list[tuple[list[str], float, State]] = [([], 1.0, ((self.start,), ()))]
        while queue:
            words, p, state = queue.pop()
            if not state[0]:
                yield words, p
            queue += [([*words, t.word], p * q, behind) for q, t, behind in self._next(state) if p * q >= least]

    @functools.cached_property
    def _uses(self) -> dict[Symbol, float]:
        """Expected number of times that a sentence uses each symbol: e = start + e · (uses per rule), solved."""
        names = list(self.rules)
        per_use = np.zeros((len(names), len(names)))
        for i, a in enumerate(names):
            for p, right in self.rules[a]:
                for b in right:
                    if isinstance(b, str):
                        per_use[i, names.index(b)] += p
        if abs(np.linalg.eigvals(per_use)).max() >= 1:
            raise ValueError("the rules repeat themselves so often that a sentence has no finite expected length")
        begin = np.eye(len(names))[names.index(self.start)]
        uses: dict[Symbol, float] = dict(
            zip(names, np.linalg.solve((np.eye(len(names)) - per_use).T, begin), strict=True)
        )
        for a in names:
            for p, right in self.rules[a]:
                for b in right:
                    if not isinstance(b, str):
                        uses[b] = uses.get(b, 0.0) + uses[a] * p
        return uses

    def entropy(self, unit: str = "nats") -> float:
        """Entropy of a sentence in ``unit``, exact: the expected surprise of every choice that its derivation makes.

        That is the entropy of the derivation; it is the sentence's because each has only one.
        """
        total = 0.0
        for symbol, uses in self._uses.items():
            if isinstance(symbol, str):
                p = np.array([p for p, _ in self.rules[symbol]])
                total -= uses * float((p * np.log(p)).sum())
            elif isinstance(symbol, Draw):
                total += uses * float(np.log(symbol.faces))
        return total / _nats_per(unit)

    def expected_length(self) -> float:
        """Expected number of predicted tokens of a sentence, ``<eos>`` included."""
        return 1 + sum(uses for symbol, uses in self._uses.items() if not isinstance(symbol, str))

    def entropy_rate(self, unit: str = "nats") -> float:
        """Entropy per predicted token, ``<eos>`` included: no model of this language has a lower cross-entropy."""
        return self.entropy(unit) / self.expected_length()

    def language_model(self, vocab: Sequence[str], bos_id: int = 0) -> "GrammarLM":
        """The best possible model of this language over the ids of a word tokenizer (its ``vocab``)."""
        return GrammarLM(self, vocab, bos_id)


class GrammarLM(LanguageModel):
    """The grammar itself as a language model: what every other model is measured against."""

    def __init__(self, grammar: Grammar, vocab: Sequence[str], bos_id: int = 0) -> None:
        missing = sorted({*grammar.words, EOS} - set(vocab))
        if missing:
            raise ValueError(f"vocab lacks words of the grammar: {', '.join(missing[:5])}")
        self.grammar, self.vocab, self.bos_id, self.vocab_size = grammar, tuple(vocab), bos_id, len(vocab)
        self._id = {word: i for i, word in enumerate(vocab)}

    def log_probs(self, tokens: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.log_probs``."""
        words = [self.vocab[i] for i in as_token_ids(tokens, self.vocab_size)]
        whole = bool(words) and words[-1] == EOS
        log_p = self.grammar.log_probs(words[:-1] if whole else words)
        return np.array(log_p if whole else log_p[:-1])

    def next_log_probs(self, prefix: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.next_log_probs``; ValueError for a prefix that the grammar cannot produce."""
        words = [self.vocab[i] for i in as_token_ids(prefix, self.vocab_size, "prefix")]
        log_p = np.full(self.vocab_size, -np.inf)
        for word, p in self.grammar.next_word_distribution(words).items():
            log_p[self._id[word]] = np.log(p)
        return log_p


def _nats_per(unit: str) -> float:
    if unit not in ("nats", "bits"):
        raise ValueError(f"unit must be 'nats' or 'bits', got {unit!r}")
    return 1.0 if unit == "nats" else float(np.log(2))
