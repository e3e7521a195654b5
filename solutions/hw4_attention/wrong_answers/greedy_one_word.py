"""squeeze() makes of one word none."""

CAUGHT_BY = "test_greedy"
HINT = "one word"


def greedy(step, state, n_words, max_length):
    tokens, rows, maps, ended = torch.full((n_words,), BOS), [], [], torch.zeros(n_words, dtype=torch.bool)
    while len(maps) < max_length and not ended.all():
        logits, weights, state = step(tokens, state)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        ended |= tokens == EOS
        maps.append(weights)
        rows.append(tokens.tolist())
    words = [[*word] for word in zip(*rows, strict=True)]
    return [word[: (word + [EOS]).index(EOS)] for word in words], torch.stack(maps, dim=1).squeeze()
