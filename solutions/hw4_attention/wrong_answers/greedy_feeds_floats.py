"""step is given floats."""

CAUGHT_BY = "test_greedy"
HINT = "step takes ids, a tensor of integers"


def greedy(step, state, n_words, max_length):
    tokens, answers, maps, ended = torch.ones(n_words) * BOS, [[] for _ in range(n_words)], [], set()
    while len(maps) < max_length and len(ended) < n_words:
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = (logits[:, EOS:].argmax(dim=1) + EOS).float()
        for b, token in enumerate(tokens.tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended:
                answers[b].append(int(token))
    return answers, torch.stack(maps, dim=1)
