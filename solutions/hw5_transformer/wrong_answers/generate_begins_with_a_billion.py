"""Searches the highest score by hand, from -1e9 on."""

CAUGHT_BY = "test_generate"
HINT = "not with a number of your own"


def generate(read, prefix, max_tokens):
    cache, result = None, []
    for token in [0, *prefix]:
        scores, cache = read(token, cache)
    while len(result) < max_tokens:
        best, chosen = -1e9, 0
        for token, score in enumerate(scores.tolist()):
            if score > best:
                best, chosen = score, token
        result.append(chosen)
        if chosen == 1 or len(result) == max_tokens:
            break
        scores, cache = read(chosen, cache)
    return result
