"""Feeds BOS at every step."""

CAUGHT_BY = "test_greedy"
HINT = "each step reads what was written"


def greedy(step, state, n_words, max_length):
    rows, maps, ended = [], [], torch.zeros(n_words, dtype=torch.bool)
    while len(maps) < max_length and not ended.all():
        logits, weights, state = step(torch.full((n_words,), BOS), state)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        ended |= tokens == EOS
        maps.append(weights)
        rows.append(tokens.tolist())
    words = [[*word] for word in zip(*rows, strict=True)]
    return [word[: (word + [EOS]).index(EOS)] for word in words], torch.stack(maps, dim=1)
