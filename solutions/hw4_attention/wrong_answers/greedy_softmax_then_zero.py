"""Probabilities first, those of PAD and BOS set to 0: where these had nearly all, the others are 0 as well."""

CAUGHT_BY = "test_greedy"
HINT = "whatever their size"


def greedy(step, state, n_words, max_length):
    tokens, answers, maps, ended = torch.full((n_words,), BOS), [[] for _ in range(n_words)], [], set()
    while len(maps) < max_length and len(ended) < n_words:
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        p = logits.softmax(dim=1)
        p[:, [PAD, BOS]] = 0
        tokens = p.argmax(dim=1)
        for b, token in enumerate(tokens.tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended:
                answers[b].append(token)
    return answers, torch.stack(maps, dim=1)
