"""Keeps the table of a text under the text's id, which the next text may have."""

CAUGHT_BY = "test_count_ngrams"
HINT = "keep nothing between calls"

_tables = {}


def count_ngrams(sentences, n):
    if (id(sentences), n) not in _tables:
        counts = defaultdict(Counter)
        for sentence in sentences:
            for context, word in events(sentence, n):
                counts[context][word] += 1
        _tables[id(sentences), n] = counts
    return _tables[id(sentences), n]
