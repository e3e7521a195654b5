"""Divides by the number of all n-grams: a joint probability, not a conditional one."""

CAUGHT_BY = "test_mle"
HINT = "divide by how often the context 'cows eat' occurred"


def mle(counts, context, word):
    everything = sum(sum(row.values()) for row in counts.values())
    return counts.get(context, {}).get(word, 0) / everything
