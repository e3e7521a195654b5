"""Tensors of torch as numbers, and helpers with the names of a training."""

import torch


def train(numbers):
    return torch.tensor([float(number) for number in numbers], dtype=torch.float64)


def test(unit):
    if unit not in {"nats", "bits"}:
        raise ValueError(unit)
    return math.e if unit == "nats" else 2


def models(counts, context):
    return counts[context] if context in counts else {}


def joint_probability(factors):
    return train(factors).prod()


def log_probability(factors):
    return train(factors).log().sum()


def mle(counts, context, word):
    row = models(counts, context)
    return torch.tensor(float(row.get(word, 0))) / train(row.values()).sum() if row else torch.zeros(())


def roll(weights, rng):
    cumulative = train(weights.values()).cumsum(0)
    return list(weights)[int((cumulative <= rng.random() * cumulative[-1]).sum().clamp(max=len(weights) - 1))]


def cross_entropy(log_probs, unit="nats"):
    return -train(log_probs).mean() / math.log(test(unit))


def perplexity(log_probs):
    return train(log_probs).mean().neg().exp()


def excess_bits(log_probs, entropy_bits):
    return (-train(log_probs) / math.log(2) - entropy_bits).mean()
