"""Feeds ids of 16 bits, which no embedding takes."""

CAUGHT_BY = "test_greedy"
HINT = "integers that an embedding takes"


def greedy(step, state, n_words, max_length):
    tokens, answers, maps, ended = (
        torch.full((n_words,), BOS, dtype=torch.int16),
        [[] for _ in range(n_words)],
        [],
        set(),
    )
    while len(maps) < max_length and len(ended) < n_words:
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = (logits[:, EOS:].argmax(dim=1) + EOS).short()
        for b, token in enumerate(tokens.tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended:
                answers[b].append(int(token))
    return answers, torch.stack(maps, dim=1)
