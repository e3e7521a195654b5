"""Several words are given to step as a column, (n_words, 1); one word is not."""

CAUGHT_BY = "test_greedy"
HINT = "of shape (n_words,), no column"


def greedy(step, state, n_words, max_length):
    tokens, answers, maps, ended = torch.full((n_words,), BOS), [[] for _ in range(n_words)], [], set()
    while len(maps) < max_length and len(ended) < n_words:
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = logits[:, EOS:].argmax(dim=1, keepdim=n_words > 1) + EOS
        for b, token in enumerate(tokens.flatten().tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended:
                answers[b].append(token)
    return answers, torch.stack(maps, dim=1)
