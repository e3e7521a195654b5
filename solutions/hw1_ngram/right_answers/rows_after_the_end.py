"""Takes the next row before it knows whether a word comes; a number is an array of one, or a Fraction."""

from fractions import Fraction


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        context = (BOS,) * (n - 1)
        row = counts[context]
        for word in [*sentence, EOS]:
            row[word] += 1
            context = (*context, word)[1:]
            row = counts[context]  # stays empty after <eos>
    return counts


def mle(counts, context, word):
    x = [count for w, count in counts[context].items() if w == word] if context in counts else []
    return np.array([sum(x) / sum(counts[context].values())]) if x else np.zeros(1)


def add_k(counts, context, word, k, vocabulary_size):
    seen = Counter(counts.get(context, {}))
    return (seen[word] + Fraction(k)) / (seen.total() + Fraction(k) * vocabulary_size)
