"""Helpers and variables with everyday names, those that a test might use too, and modules imported under them."""

import operator
from functools import reduce


def count(row, word):
    return row[word] if word in row else 0


def total(row):
    return reduce(operator.add, row.values(), 0)


def context(tokens, n):
    return tuple(tokens[-(n - 1) :]) if n > 1 else ()


def words(row):
    return list(row)


def weight(row, word):
    return count(row, word) / total(row)


def expected(numbers):
    return total(dict(enumerate(numbers))) / len(numbers)


def given(row):
    return [word for word in words(row) if count(row, word) > 0]


def got(bigrams):
    return [(before, word) for before, row in bigrams.items() for word in given(row)]


def joint_probability(factors):
    return reduce(operator.mul, factors, 1)


def log_probability(factors):
    return -math.inf if 0 in factors else math.fsum(map(math.log, factors))


def events(sentence, n):
    tokens, pairs = [BOS] * (n - 1), []
    for word in [*sentence, EOS]:
        pairs.append((context(tokens, n), word))
        tokens.append(word)
    return pairs


def count_ngrams(sentences, n):
    table = {}
    for sentence in sentences:
        for before, word in events(sentence, n):
            row = table.setdefault(before, {})
            row[word] = count(row, word) + 1
    return table


def mle(counts, context, word):
    row = counts.get(context)
    return weight(row, word) if row and total(row) else 0


def roll(weights, rng):
    sides = given(weights)
    p = [weight(weights, word) for word in sides]
    return sides[rng.choice(len(sides), p=p)]


def generate(counts, n, rng, max_words=50):
    tokens = [BOS] * (n - 1)
    while len(tokens) < max_words + n - 1:
        word = roll(counts[context(tokens, n)], rng)
        if word == EOS:
            break
        tokens.append(word)
    return tokens[n - 1 :]


def cross_entropy(log_probs, unit="nats"):
    if unit == "nats":
        return -expected(log_probs)
    if unit == "bits":
        return -expected(log_probs) / math.log(2)
    raise ValueError(f"no such unit: {unit}")


def perplexity(log_probs):
    return math.exp(-expected(log_probs))


def vocabulary(sentences):
    return set(reduce(operator.add, map(list, sentences), [EOS]))


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context) or {}
    return (count(row, word) + k) / (total(row) + k * vocabulary_size)


def interpolate(tables, context, word, weights):
    n = len(context)
    return math.fsum(
        w * mle(table, context[n - i :], word) for i, (table, w) in enumerate(zip(tables, weights, strict=True))
    )


def continuation_probability(bigrams, word):
    pairs = got(bigrams)
    return sum(w == word for _, w in pairs) / len(pairs)


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,))
    lower = continuation_probability(bigrams, word)
    if not row:
        return lower
    return (max(count(row, word) - discount, 0) + discount * len(given(row)) * lower) / total(row)


def excess_bits(log_probs, entropy_bits):
    return cross_entropy(log_probs, unit="bits") - entropy_bits
