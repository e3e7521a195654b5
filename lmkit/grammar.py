"""Probabilistic grammars whose sentences, next words and entropy can all be computed exactly.

A grammar is text. Each line gives a nonterminal and what it can become, with weights:

    FACTS -> 3 FACT | 2 FACT and/c FACTS  weights 3 : 2, read from the left
    cows/n   silent/a!collocation         a word, its tag, what it tests if anything
    PET: n dogs cats horses               words with one tag, equally likely
    a:NAME   b:NAME-a   $a!copy           draw, remember; draw another; repeat a

Rules must not be left-recursive (A → A …). Then the words of a sentence decide its derivation step by step: after a
prefix only a few leftmost derivations are alive, each with its probability, and they give the next word exactly.
"""

import contextlib
import functools
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import ArrayLike

from lmkit.checks import check_instance, check_integer, check_token_ids, check_words
from lmkit.evaluation import in_unit
from lmkit.grammar_rules import Draw, Repeat, Rules, Symbol, Token, _names_asked, _symbols, _with_few_words, read_rules
from lmkit.language_model import LanguageModel
from lmkit.tokenizers import EOS

State = tuple[tuple[Symbol, ...], tuple[tuple[str, Token], ...]]  # what is still to come; what is remembered
# Probability, next word, what is behind it, whether several derivations lead there.
Option = tuple[float, Token, State, bool]
MAX_KNOWN = 100_000  # states whose options are kept
SEARCHED = 20_000  # pairs of states after which the search for a sentence with two derivations is given up
CUT, DEPTH = Token(EOS, "", None), 50  # what stands for the symbols below so many, which are searched apart


class Grammar:
    """A probability distribution over sentences, given by weighted rules; the start symbol is that of the first line.

    Raises:
        ValueError: for a text that is no grammar (see ``grammar_rules.read_rules``), or whose sentences have no finite
            expected length.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._take(read_rules(text))
        self._begin: State = ((next(iter(self.rules)),), ())
        self._uses = self._expected_uses()

    def __reduce__(self) -> tuple:
        return Grammar, (self.text,)

    def _take(self, rules: Rules) -> None:
        self.rules, asked = rules, _names_asked(rules)
        self._known: dict[State, list[Option]] = {}
        # The names that the symbols of a stack may ask for, in order.
        self._asked = functools.cache(lambda xs: sorted(set().union(*(asked.get(x, ()) for x in xs))))

    def _state(self, stack: tuple[Symbol, ...], memory: dict[str, tuple[str, Token]]) -> State:
        """What is still to come, and of the memory what it asks for."""
        return stack, tuple(memory[name] for name in self._asked(stack) if name in memory) if memory else ()

    def _next(self, state: State) -> list[Option]:
        """Every next token of a leftmost derivation, with its probability and the state behind it; [] at the end."""
        if state not in self._known:
            if len(self._known) > MAX_KNOWN:
                self._take(self.rules)  # forgets them
            todo = [state]  # a chain of rules may be longer than Python's own stack
            while todo:
                stack, memory = todo[-1]
                rules = self.rules[stack[0]] if stack and isinstance(stack[0], str) else []
                begun = [(p, (right + stack[1:], memory)) for p, right in rules]
                if unknown := [state for _, state in begun if state not in self._known]:
                    todo += unknown
                else:
                    self._known[stack, memory] = self._merged(begun) if begun else self._spoken(*todo[-1])
                    todo.pop()
        return self._known[state]

    def _merged(self, begun: list[tuple[float, State]]) -> list[Option]:
        """The options of several states, of which one is chosen with its probability; equal ones become one."""
        options: dict[tuple[Token, State], tuple[float, bool]] = {}
        for p, state in begun:
            for q, token, behind, several in self._known[state]:
                before = options.get((token, behind))
                options[token, behind] = (p * q, several) if before is None else (before[0] + p * q, True)
        return [(p, *option, several) for option, (p, several) in options.items()]

    def _spoken(self, stack: tuple[Symbol, ...], memory: tuple[tuple[str, Token], ...]) -> list[Option]:
        """The options of a state that is at its end or begins with a word."""
        if not stack:
            return []
        top, rest, known = stack[0], stack[1:], {pair[0]: pair for pair in memory}
        if isinstance(top, Draw):
            taken = {known[name][1].word for name in top.other}
            free = [token for token in top.words if token.word not in taken]
            if not top.name:
                behind = self._state(rest, known)
                return [(1 / len(free), token, behind, False) for token in free]
            pairs = [(top.name, token) for token in free]
            return [(1 / len(free), pair[1], self._state(rest, known | {top.name: pair}), False) for pair in pairs]
        token = known[top.name][1]._replace(phenomenon=top.phenomenon) if isinstance(top, Repeat) else top
        return [(1.0, token, self._state(rest, known), False)]

    def _options(self, alive: dict[State, float]) -> dict[str, dict[State, float]]:
        """For each next word (or EOS) the derivations that it leaves alive, with their weights."""
        options: dict[str, dict[State, float]] = defaultdict(lambda: defaultdict(float))
        for state, weight in alive.items():
            if not state[0]:
                options[EOS][state] += weight
            for p, token, behind, _ in self._next(state):
                options[token.word][behind] += weight * p
        return options

    def _walk(self, words: Sequence[str]) -> Iterator[dict[str, dict[State, float]]]:
        """The options before each word and after the last. Weights at each step sum to one.

        Raises:
            ValueError: for a word that cannot come where it stands.
        """
        alive = {self._begin: 1.0}
        for t, word in enumerate([*words, None]):
            options = self._options(alive)
            yield options
            if word is None:
                return
            if word not in options or word == EOS:
                before = " ".join(words[:t]) or "the beginning"
                raise ValueError(f"word {t + 1} of the prefix, {word!r}, cannot follow {before!r}")
            total = sum(options[word].values())
            alive = {state: weight / total for state, weight in options[word].items()}

    @functools.cached_property
    def words(self) -> tuple[str, ...]:
        """Every word of the language, in alphabetical order."""
        symbols = [symbol for options in self.rules.values() for _, right in options for symbol in right]
        drawn = {token.word for symbol in symbols if isinstance(symbol, Draw) for token in symbol.words}
        return tuple(sorted(drawn | {symbol.word for symbol in symbols if isinstance(symbol, Token)}))

    def next_word_distribution(self, prefix: Sequence[str]) -> dict[str, float]:
        """P(w | prefix) of every word that can come next, most probable first; the key "<eos>" is the end.

        Raises:
            ValueError: for a text instead of a list, or if the prefix itself has probability 0; says which word is impossible.
        """
        *_, options = self._walk(check_words(prefix, "prefix"))
        p = {word: sum(states.values()) for word, states in options.items()}
        return dict(sorted(p.items(), key=lambda item: (-item[1], item[0])))

    def log_probs(self, words: Sequence[str]) -> list[float]:
        """Log-probability in nats of each word given those before it, and of the end; −inf from the first impossible word on."""
        log_p: list[float] = []
        sentence = [*check_words(words, "words"), EOS]
        with contextlib.suppress(ValueError):
            for options, word in zip(self._walk(words), sentence, strict=False):
                log_p.append(float(np.log(sum(options[word].values()))) if word in options else -np.inf)
        return log_p + [-np.inf] * (len(sentence) - len(log_p))

    def log_prob(self, words: Sequence[str]) -> float:
        """Log-probability in nats of the whole sentence, its end included; −inf if the grammar cannot produce it."""
        return float(sum(self.log_probs(words)))

    def sample_annotated(self, n: int, seed: int) -> list[list[Token]]:
        """``n`` independent sentences with tags and phenomena; the same seed gives the same sentences."""
        rng = np.random.default_rng(check_integer(seed, "seed", low=0))
        dice = functools.cache(lambda state: list(accumulate(option[0] for option in self._next(state)[:-1])))
        for sentence in (sentences := [[] for _ in range(check_integer(n, "n", low=0))]):
            state = self._begin
            while options := self._next(state):
                _, token, state, _ = options[bisect_right(dice(state), rng.random())]
                sentence.append(token)
        return sentences

    def sample(self, n: int, seed: int) -> list[list[str]]:
        """``n`` independent sentences, each a list of words without ``<eos>``."""
        return [[token.word for token in sentence] for sentence in self.sample_annotated(n, seed)]

    def entropy(self, unit: str = "nats") -> float:
        """Entropy of a sentence in ``unit``, exact: the expected surprisal of every choice that its derivation makes.

        That is the entropy of the derivation, and of the sentence if each sentence has only one, which is proved first.

        Raises:
            ValueError: if a sentence with two derivations is found, or no proof that there is none.
        """
        if self._twice is not None:
            raise ValueError(f"the grammar's entropy is not known: {self._twice}")
        total = 0.0
        for symbol, uses in self._uses.items():
            if isinstance(symbol, str):
                p = np.array([p for p, _ in self.rules[symbol]])
                total -= uses * float((p * np.log(p)).sum())
            elif isinstance(symbol, Draw):
                total += uses * float(np.log(len(symbol.words) - len(symbol.other)))
        return in_unit(total, unit)

    def _expected_uses(self) -> dict[Symbol, float]:
        """Expected number of times that a sentence uses each symbol: e = start + e · (uses per rule), solved."""
        symbols = list(dict.fromkeys([*self.rules, *_symbols(self.rules)]))  # the nonterminals first
        n, number = len(self.rules), {symbol: i for i, symbol in enumerate(symbols)}
        per_use = np.zeros((n, len(symbols)))
        for name, options in self.rules.items():
            for p, right in options:
                for symbol in right:
                    per_use[number[name], number[symbol]] += p
        if abs(np.linalg.eigvals(per_use[:, :n])).max() > 1 - 1e-9:
            raise ValueError("the rules of a grammar's text repeat themselves so often that a sentence need not end")
        of_names = np.linalg.solve((np.eye(n) - per_use[:, :n]).T, np.eye(n)[0])
        return dict(zip(symbols, (np.eye(1, len(symbols))[0] + of_names @ per_use).tolist(), strict=True))

    @functools.cached_property
    def _twice(self) -> str | None:
        """Which sentence has two derivations, or that the search was given up; None is a proof that there is none.

        Pairs of derivations are walked side by side until they have parted and end together. Words that the same rules
        draw are alike until one is remembered, so a few of them stand for all.
        """
        small, (rules, kinds) = Grammar(self.text), _with_few_words(self.rules)
        small._take(rules)
        queue, seen = deque(), set()

        def visit(a: State, b: State, parted: bool, said: tuple[str, ...]) -> None:
            if not parted and len(a[0]) > DEPTH and not small._asked(a[0][DEPTH:]):
                visit((a[0][DEPTH:], ()), (a[0][DEPTH:], ()), False, said)
                a = b = (*a[0][:DEPTH], CUT), a[1]
            order: dict[str, int] = {}  # words of a kind are alike: which ones they are is left out
            codes = [
                tuple((name, order.setdefault(word, len(order)), kinds[word]) for name, (word, _, _) in state[1])
                for state in (a, b)
            ]
            pair = a[0], b[0], *codes, parted
            if pair not in seen:
                seen.add(pair)
                queue.append((a, b, parted, said))

        visit(self._begin, self._begin, False, ())
        while queue:
            a, b, parted, said = queue.popleft()
            if parted and not a[0] and not b[0]:
                return f"{' '.join(said)!r} has two derivations"
            too_far = len(seen) > SEARCHED or max(len(a[0]), len(b[0])) > 10 * DEPTH
            if too_far or (parted and CUT in (*a[0][:1], *b[0][:1])):
                return "whether a sentence has two derivations was not found out"
            for i, (_, word, behind_a, several) in enumerate(small._next(a)):
                for j, (_, other, behind_b, _) in enumerate(small._next(b)):
                    if word.word == other.word:
                        visit(behind_a, behind_b, parted or i != j or several, (*said, word.word))
        return None

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
        self.grammar, self.vocab = check_instance(grammar, "grammar", Grammar), tuple(check_words(vocab, "vocab"))
        self._id = {word: i for i, word in enumerate(vocab)}
        if missing := sorted({*grammar.words, EOS} - self._id.keys()):
            raise ValueError(f"vocab lacks words of the grammar: {', '.join(missing[:5])}")
        self.vocab_size, self.bos_id = len(vocab), check_integer(bos_id, "bos_id", 0, len(vocab) - 1)
        if len(self._id) < len(vocab) or vocab[bos_id] in (*grammar.words, EOS):
            raise ValueError("vocab must hold every word once, and something else at bos_id")

    def log_probs(self, tokens: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.log_probs``."""
        words = [self.vocab[i] for i in check_token_ids(tokens, "tokens", self.vocab_size)]
        whole = words[-1:] == [EOS]
        log_p = self.grammar.log_probs(words[:-1] if whole else words)
        return np.array(log_p if whole else log_p[:-1])

    def next_log_probs(self, prefix: ArrayLike) -> np.ndarray:
        """See ``LanguageModel.next_log_probs``; ValueError for a prefix that the grammar cannot produce."""
        words = [self.vocab[i] for i in check_token_ids(prefix, "prefix", self.vocab_size)]
        log_p = np.full(self.vocab_size, -np.inf)
        if words[-1:] == [EOS] and np.isfinite(self.grammar.log_prob(words[:-1])):
            return log_p
        for word, p in self.grammar.next_word_distribution(words).items():
            log_p[self._id[word]] = np.log(p)
        return log_p
