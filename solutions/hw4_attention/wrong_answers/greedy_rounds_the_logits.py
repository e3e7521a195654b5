"""Rounds the logits before it looks for the largest."""

CAUGHT_BY = "test_greedy"
HINT = "expected the ids"


def greedy(step, state, n_words, max_length):
    tokens, answers, maps, ended = torch.full((n_words,), BOS), [[] for _ in range(n_words)], [], set()
    for _ in range(max_length):
        if len(ended) == n_words:
            break
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = logits[:, EOS:].round(decimals=1).argmax(dim=1) + EOS
        for b, token in enumerate(tokens.tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended:
                answers[b].append(token)
    return answers, torch.stack(maps, dim=1)
