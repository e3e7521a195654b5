"""A letter that comes twice in a row is written once."""

CAUGHT_BY = "test_greedy"
HINT = "wrong answers for words of"


def greedy(step, state, n_words, max_length):
    tokens = torch.full((n_words,), BOS)
    answers, maps, ended = [[] for _ in range(n_words)], [], set()
    while len(maps) < max_length and len(ended) < n_words:
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        for b, token in enumerate(tokens.tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended and answers[b][-1:] != [token]:
                answers[b].append(token)
    return answers, torch.stack(maps, dim=1)
