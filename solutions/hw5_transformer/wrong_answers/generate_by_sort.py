"""Sorts the scores and takes the first, by a sort that is not stable."""

CAUGHT_BY = "test_generate"
HINT = "topk and sort promise no order"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        result.append(int(scores.sort(descending=True).indices[0]))
        if result[-1] == 1 or len(result) == max_tokens:
            break
        scores, cache = read(result[-1], cache)
    return result
