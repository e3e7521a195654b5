"""-100 for what cannot be written."""

CAUGHT_BY = "test_greedy"
HINT = "whatever their size"


def greedy(step, state, n_words, max_length):
    tokens, answers, maps, ended = torch.full((n_words,), BOS), [[] for _ in range(n_words)], [], set()
    while len(maps) < max_length and len(ended) < n_words:
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        logits = logits.clone()
        logits[:, [PAD, BOS]] = -100
        tokens = logits.argmax(dim=1)
        for b, token in enumerate(tokens.tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended:
                answers[b].append(token)
    return answers, torch.stack(maps, dim=1)
