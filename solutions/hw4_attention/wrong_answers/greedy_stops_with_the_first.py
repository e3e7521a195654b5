"""Stops when one word has ended."""

CAUGHT_BY = "test_greedy"
HINT = "stopped when the first word had ended"


def greedy(step, state, n_words, max_length):
    tokens, rows, maps = torch.full((n_words,), BOS), [], []
    for _ in range(max_length):
        logits, weights, state = step(tokens, state)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        maps.append(weights)
        rows.append(tokens.tolist())
        if (tokens == EOS).any():
            break
    return [[i for i in word if i != EOS] for word in zip(*rows, strict=True)], torch.stack(maps, dim=1)
