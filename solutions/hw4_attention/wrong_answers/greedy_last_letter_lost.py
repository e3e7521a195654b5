"""Cuts the last id off, whether it is EOS or not."""

CAUGHT_BY = "test_greedy"
HINT = "is cut off after max_length"


def greedy(step, state, n_words, max_length):
    tokens, rows, maps, ended = torch.full((n_words,), BOS), [], [], torch.zeros(n_words, dtype=torch.bool)
    while len(maps) < max_length and not ended.all():
        logits, weights, state = step(tokens, state)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        ended |= tokens == EOS
        maps.append(weights)
        rows.append(tokens.tolist())
    words = [[*word] for word in zip(*rows, strict=True)]
    return [word[: (word[:-1] + [EOS]).index(EOS)] for word in words], torch.stack(maps, dim=1)
