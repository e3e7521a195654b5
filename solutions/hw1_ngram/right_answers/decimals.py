"""Decimals of 28 digits; the logarithm of a factor is a Decimal's own."""

from collections import deque
from decimal import Decimal


def joint_probability(factors):
    product = Decimal(1)
    for factor in factors:
        product *= Decimal(factor)
    return product


def log_probability(factors):
    return sum((Decimal(factor).ln() if factor else Decimal("-Infinity") for factor in factors), Decimal(0))


def mle(counts, context, word):
    if context not in counts:
        return Decimal(0)
    row = counts[context]
    return Decimal(row.get(word, 0)) / Decimal(sum(row.values()))


def add_k(counts, context, word, k, vocabulary_size):
    row, k = counts.get(context, {}), Decimal(k)
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocabulary_size)


def interpolate(tables, context, word, weights):
    context = deque(context)
    mixture = Decimal(0)
    for counts, weight in zip(reversed(tables), reversed(weights), strict=True):
        mixture += Decimal(weight) * mle(counts, tuple(context), word)
        if context:
            context.popleft()
    return mixture
