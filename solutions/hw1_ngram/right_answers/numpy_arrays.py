"""Arrays wherever there is something to add up; results are numpy numbers, dice are rolled by rng.choice."""

import numpy as np


def _shares(row):
    numbers = np.array(list(row.values()), dtype=float)
    return dict(zip(row, numbers / numbers.sum(), strict=True)) if numbers.sum() else {}


def joint_probability(factors):
    return np.prod(factors)


def log_probability(factors):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(factors, dtype=float)).sum()


def events(sentence, n):
    tokens = (n - 1) * ["<bos>"] + sentence + ["<eos>"]
    columns = [tokens[i : i + len(sentence) + 1] for i in range(n)]
    return [(gram[:-1], gram[-1]) for gram in zip(*columns, strict=True)]


def count_ngrams(sentences, n):
    counts = {}
    for sentence in sentences:
        for context, word in events(sentence, n):
            row = counts.setdefault(context, {})
            row[word] = row.get(word, 0) + 1
    return counts


def mle(counts, context, word):
    return _shares(counts[context]).get(word, np.float64(0)) if context in counts else np.float64(0)


def roll(weights, rng):
    shares = _shares(weights)
    return str(rng.choice(list(shares), p=list(shares.values())))


def generate(counts, n, rng, max_words=50):
    tokens = ["<bos>"] * (n - 1)
    for _ in range(max_words):
        word = roll(counts[tuple(tokens[len(tokens) - (n - 1) :])], rng)
        if word == "<eos>":
            break
        tokens.append(word)
    return tokens[n - 1 :]


def cross_entropy(log_probs, unit="nats"):
    units = {"nats": 1.0, "bits": np.log(2)}
    if unit not in units:
        raise ValueError(f"unit: {unit}")
    return -np.mean(log_probs) / units[unit]


def perplexity(log_probs):
    return np.exp(-np.mean(log_probs))


def vocabulary(sentences):
    return set().union(["<eos>"], *sentences)


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    numbers = np.zeros(vocabulary_size + 1)
    numbers[: len(row)] = list(row.values())
    numbers[-1] = row.get(word, 0)
    return (numbers[-1] + k) / (numbers[:-1] + k).sum()


def interpolate(tables, context, word, weights):
    estimates = [mle(table, context[len(tables) - 1 - i :], word) for i, table in enumerate(tables)]
    return np.dot(weights, estimates)


def continuation_probability(bigrams, word):
    words = sorted({w for row in bigrams.values() for w in row} | {word})
    seen = np.array([[row.get(w, 0) > 0 for w in words] for row in bigrams.values()])  # (contexts, words)
    return seen[:, words.index(word)].sum() / seen.sum()


def kneser_ney(bigrams, previous, word, discount):
    lower = continuation_probability(bigrams, word)
    row = bigrams.get((previous,))
    if not row:
        return lower
    numbers = np.array(list(row.values()))
    kept = np.clip(numbers - discount, 0, None) / numbers.sum()
    return dict(zip(row, kept, strict=True)).get(word, 0.0) + (1 - kept.sum()) * lower


def excess_bits(log_probs, entropy_bits):
    return -np.mean(np.asarray(log_probs) / np.log(2)) - entropy_bits
