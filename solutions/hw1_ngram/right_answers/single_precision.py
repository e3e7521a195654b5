"""Everything in float32, results included."""


def joint_probability(factors):
    return np.prod(np.asarray(factors, dtype=np.float32))


def log_probability(factors):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(factors, dtype=np.float64)).sum().astype(np.float32)


def mle(counts, context, word):
    row = counts.get(context, {})
    total = np.float32(sum(row.values()))
    return np.float32(row.get(word, 0)) / total if total else np.float32(0)


def cross_entropy(log_probs, unit="nats"):
    scale = {"nats": np.float32(1), "bits": np.float32(np.log(2))}
    if unit not in scale:
        raise ValueError("unit must be nats or bits")
    return -np.asarray(log_probs, dtype=np.float32).mean(dtype=np.float32) / scale[unit]


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    return (np.float32(row.get(word, 0)) + np.float32(k)) / np.float32(sum(row.values()) + k * vocabulary_size)


def interpolate(tables, context, word, weights):
    p = [mle(table, context[len(context) - i :], word) for i, table in enumerate(tables)]
    return np.dot(np.array(weights, dtype=np.float32), np.array(p, dtype=np.float32))


def continuation_probability(bigrams, word):
    seen = [np.float32(w == word) for row in bigrams.values() for w, count in row.items() if count]
    return np.mean(seen, dtype=np.float32)
