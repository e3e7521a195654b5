"""A die as a race of exponential clocks, sentences by recursion, pairs that are named tuples, tables from flat counts."""

from typing import NamedTuple


class Event(NamedTuple):
    context: tuple
    word: str


def events(sentence, n):
    def ask(before, rest):
        head, *tail = [*rest, EOS]
        last = before[len(before) - n + 1 :]
        return [Event(last, head)] + (ask((*last, head), rest[1:]) if tail else [])

    return ask((BOS,) * (n - 1), tuple(sentence))


def count_ngrams(sentences, n):
    flat = Counter(tuple(event) for sentence in sentences for event in events(sentence, n))
    table = {}
    for (context, word), number in flat.most_common():
        table.setdefault(context, {})[word] = np.int64(number)
    return table


def roll(weights, rng):
    return min((word for word in weights if weights[word] > 0), key=lambda word: rng.exponential() / weights[word])


def generate(counts, n, rng, max_words=50):
    def go_on(context, left):
        word = roll(counts[context], rng) if left else EOS
        return [] if word == EOS else [word, *go_on((*context, word)[1:], left - 1)]

    return go_on((BOS,) * (n - 1), max_words)


def vocabulary(sentences):
    return frozenset(event.word for sentence in [[], *sentences] for event in events(sentence, 1))


def perplexity(log_probs):
    return np.exp2(cross_entropy(log_probs, unit="bits"))
