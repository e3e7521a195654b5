"""Generators, recursion and much printing; a warning now and then."""

import warnings


def joint_probability(factors):
    print("multiplying", len(factors), "factors")
    return factors[0] * joint_probability(factors[1:]) if factors else 1.0


def log_probability(factors):
    def logs():
        for factor in factors:
            yield math.log(factor) if factor else -math.inf

    return math.fsum(logs())


def events(sentence, n):
    def pairs():
        context = (BOS,) * (n - 1)
        for word in (*sentence, EOS):
            yield context, word
            context = (*context, word)[1:]

    return list(pairs())


def count_ngrams(sentences, n):
    print("counting", n, "grams")
    flat = Counter(pair for sentence in sentences for pair in events(sentence, n))
    table = defaultdict(dict)
    for (context, word), count in flat.items():
        table[context][word] = count
    return table


def mle(counts, context, word):
    if context not in counts:
        warnings.warn(f"{context} never occurred", stacklevel=2)
        return 0
    return counts[context].get(word, 0) / sum(counts[context].values())


def generate(counts, n, rng, max_words=50):
    def go_on(context, left):
        word = roll(counts[context], rng) if left else EOS
        return [] if word == EOS else [word, *go_on((*context, word)[1:], left - 1)]

    return go_on((BOS,) * (n - 1), max_words)


def vocabulary(sentences):
    return frozenset(word for sentence in sentences for word in sentence).union([EOS])
