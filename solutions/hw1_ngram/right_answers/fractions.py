"""Exact fractions wherever counts are divided; numbers become floats only where a logarithm asks for it."""

from fractions import Fraction


def joint_probability(factors):
    product = Fraction(1)
    for factor in factors:
        product *= Fraction(factor)
    return product


def mle(counts, context, word):
    row = counts.get(context, {})
    total = sum(row.values())
    return Fraction(row.get(word, 0), total) if total else Fraction(0)


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    k = Fraction(k)
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocabulary_size)


def interpolate(tables, context, word, weights):
    estimates = [mle(table, context[len(context) - i :], word) for i, table in enumerate(tables)]
    return sum((Fraction(w) * p for w, p in zip(weights, estimates, strict=True)), Fraction(0))


def continuation_probability(bigrams, word):
    pairs = {(context, w) for context, row in bigrams.items() for w, count in row.items() if count > 0}
    return Fraction(len([w for _, w in pairs if w == word]), len(pairs))


def kneser_ney(bigrams, previous, word, discount):
    row = {w: count for w, count in bigrams.get((previous,), {}).items() if count > 0}
    lower, d = continuation_probability(bigrams, word), Fraction(discount)
    if not row:
        return lower
    total = sum(row.values())
    return max(row.get(word, 0) - d, Fraction(0)) / total + d * len(row) / total * lower
