"""Makes twenty steps at most, however large max_length is."""

CAUGHT_BY = "test_greedy"
HINT = "max_length = 30"


def greedy(step, state, n_words, max_length):
    tokens, answers, maps, ended = torch.full((n_words,), BOS), [[] for _ in range(n_words)], [], set()
    for t in range(20):
        if t == max_length or len(ended) == n_words:
            break
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        for b, token in enumerate(tokens.tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended:
                answers[b].append(token)
    return answers, torch.stack(maps, dim=1)
