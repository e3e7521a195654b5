"""Makes max_length steps, though nobody writes any more."""

CAUGHT_BY = "test_greedy"
HINT = "step was called 10 times"


def greedy(step, state, n_words, max_length):
    tokens, rows, maps = torch.full((n_words,), BOS), [], []
    for _ in range(max_length):
        logits, weights, state = step(tokens, state)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        maps.append(weights)
        rows.append(tokens.tolist())
    words = [[*word] for word in zip(*rows, strict=True)]
    return [word[: (word + [EOS]).index(EOS)] for word in words], torch.stack(maps, dim=1)
