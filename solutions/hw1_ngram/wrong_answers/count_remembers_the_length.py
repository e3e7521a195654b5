"""Remembers the table of a text by how many sentences it has."""

CAUGHT_BY = "test_count_ngrams"
HINT = "none comes from an earlier text"

_tables = {}


def count_ngrams(sentences, n):
    key = (len(sentences), n)
    if key not in _tables:
        counts = defaultdict(Counter)
        for sentence in sentences:
            for context, word in events(sentence, n):
                counts[context][word] += 1
        _tables[key] = counts
    return _tables[key]
