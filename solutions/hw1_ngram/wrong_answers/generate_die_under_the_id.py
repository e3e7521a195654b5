"""Keeps the die of each context under the table's id, which the next table may have."""

CAUGHT_BY = "test_generate"
HINT = "keep nothing between calls"

_dice = {}


def generate(counts, n, rng, max_words=50):
    context, sentence = (BOS,) * (n - 1), []
    while len(sentence) < max_words:
        key = id(counts), context
        if key not in _dice:
            row = counts[context]
            _dice[key] = list(row), np.cumsum(list(row.values())) / sum(row.values())
        words, edges = _dice[key]
        word = words[int(np.searchsorted(edges, rng.random(), side="right"))]
        if word == EOS:
            break
        sentence.append(word)
        context = (*context, word)[1:]
    return sentence
