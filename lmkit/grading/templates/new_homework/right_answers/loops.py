"""Plain Python, one token at a time, with helpers of everyday names."""

import math


def count(row):
    return sum(1 for _ in row)


def surprisal(probabilities):
    total = 0.0
    for p in probabilities:
        total += math.log2(1 / p)
    return total / count(probabilities)
