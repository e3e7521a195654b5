"""Leaves the end marks out and keeps what stands between."""

CAUGHT_BY = "test_greedy"
HINT = "went on writing after EOS"


def greedy(step, state, n_words, max_length):
    tokens, rows, maps, ended = torch.full((n_words,), BOS), [], [], torch.zeros(n_words, dtype=torch.bool)
    while len(maps) < max_length and not ended.all():
        logits, weights, state = step(tokens, state)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        ended |= tokens == EOS
        maps.append(weights)
        rows.append(tokens.tolist())
    return [[i for i in word if i != EOS] for word in zip(*rows, strict=True)], torch.stack(maps, dim=1)
