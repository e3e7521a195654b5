"""Keeps the continuation counts under the table's id, which the next table may have."""

CAUGHT_BY = "test_kneser_ney"
HINT = "keep nothing between calls"

_continuations = {}


def kneser_ney(bigrams, previous, word, discount):
    if id(bigrams) not in _continuations:
        _continuations[id(bigrams)] = Counter(w for row in bigrams.values() for w, count in row.items() if count)
    before = _continuations[id(bigrams)]
    p = before[word] / sum(before.values())
    row = bigrams.get((previous,), {})
    total = sum(row.values())
    if not total:
        return p
    different = sum(count > 0 for count in row.values())
    return max(row.get(word, 0) - discount, 0) / total + discount * different / total * p
