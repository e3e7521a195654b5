"""Remembers which words were never seen as a context."""

CAUGHT_BY = "test_kneser_ney"
HINT = "then an unseen word was seen"

_unseen = set()


def kneser_ney(bigrams, previous, word, discount):
    if previous in _unseen or (previous,) not in bigrams:
        _unseen.add(previous)
        return continuation_probability(bigrams, word)
    row = bigrams[previous,]
    total = sum(row.values())
    different = sum(c > 0 for c in row.values())
    return max(row.get(word, 0) - discount, 0) / total + discount * different / total * continuation_probability(
        bigrams, word
    )
