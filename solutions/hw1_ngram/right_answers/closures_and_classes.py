"""Functional and object-oriented: generators, a class that knows its probabilities, functions that make functions."""

import bisect
import itertools
from collections import Counter, deque
from fractions import Fraction
from functools import reduce


class Row(Counter):
    """Counts after one context."""

    def share(self, word, added=0, kinds=0):
        """(count + added) / (total + added · kinds), exact until the end; 0 where it is 0/0."""
        above, below = self.get(word, 0) + added, sum(self.values()) + added * kinds
        return float(above / below) if below else 0.0


def average(numbers):
    total, n = 0.0, 0
    for n, number in enumerate(numbers, start=1):  # noqa: B007
        total += number
    return total / n


def in_unit_of(size):
    return lambda log_probs: average(-x for x in log_probs) / size


def different(row):
    return sum(1 for count in row.values() if count)


def joint_probability(factors):
    return reduce(lambda product, factor: product * factor, factors, 1.0)


def log_probability(factors):
    return math.fsum(map(lambda factor: math.log(factor) if factor else -math.inf, factors))


def events(sentence, n):
    window = deque([BOS] * (n - 1), maxlen=n - 1)
    result = []
    for word in itertools.chain(sentence, [EOS]):
        result.append((tuple(window), word))
        window.append(word)
    return result


def count_ngrams(sentences, n):
    pairs = sorted(itertools.chain.from_iterable(events(sentence, n) for sentence in sentences))
    grouped = itertools.groupby(pairs, key=lambda pair: pair[0])
    return {context: Row(word for _, word in group) for context, group in grouped}


def mle(counts, context, word):
    return Row(counts.get(context) or {}).share(word)


def roll(weights, rng):
    faces = [word for word, weight in weights.items() if weight > 0]
    edges = list(itertools.accumulate(weights[word] for word in faces))
    return faces[min(bisect.bisect_right(edges, rng.random() * edges[-1]), len(faces) - 1)]


def generate(counts, n, rng, max_words=50):
    def words():
        window = deque([BOS] * (n - 1), maxlen=n - 1)
        while (word := roll(counts[tuple(window)], rng)) != EOS:
            window.append(word)
            yield word

    return list(itertools.islice(words(), max_words))


def cross_entropy(log_probs, unit="nats"):
    match unit:
        case "nats":
            return in_unit_of(1)(log_probs)
        case "bits":
            return in_unit_of(math.log(2))(log_probs)
    raise ValueError(f"{unit!r} is neither nats nor bits")


def perplexity(log_probs):
    return 2 ** cross_entropy(log_probs, "bits")


def vocabulary(sentences):
    return frozenset(itertools.chain([EOS], *sentences))


def add_k(counts, context, word, k, vocabulary_size):
    return Row(counts.get(context) or {}).share(word, added=Fraction(k), kinds=vocabulary_size)


def interpolate(tables, context, word, weights):
    def mixture(tables, context, weights):
        if not tables:
            return 0.0
        longest = weights[-1] * mle(tables[-1], context, word)
        return longest + mixture(tables[:-1], context[1:], weights[:-1])

    return mixture(tables, context, weights)


def continuation_probability(bigrams, word):
    inverted = Counter(follower for row in bigrams.values() for follower in row if row[follower])
    return Row(inverted).share(word)


def kneser_ney(bigrams, previous, word, discount):
    row = Row(bigrams.get((previous,)) or {})
    lower = continuation_probability(bigrams, word)
    if not row.total():
        return lower
    return (max(row[word] - discount, 0) + discount * different(row) * lower) / row.total()


def excess_bits(log_probs, entropy_bits):
    return math.log2(perplexity(log_probs)) - entropy_bits
