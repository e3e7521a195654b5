"""step is given a column, (n_words, 1)."""

CAUGHT_BY = "test_greedy"
HINT = "step takes ids, a tensor of integers"


def greedy(step, state, n_words, max_length):
    tokens, answers, maps, ended = torch.full((n_words, 1), BOS), [[] for _ in range(n_words)], [], set()
    while len(maps) < max_length and len(ended) < n_words:
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = logits[:, EOS:].argmax(dim=1, keepdim=True) + EOS
        for b, token in enumerate(tokens[:, 0].tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended:
                answers[b].append(token)
    return answers, torch.stack(maps, dim=1)
