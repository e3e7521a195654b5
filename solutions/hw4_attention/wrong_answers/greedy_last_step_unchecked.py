"""In the last step that is allowed every word writes what comes out, also those that have ended."""

CAUGHT_BY = "test_greedy"
HINT = "all others end with their first EOS"


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
            elif b not in ended or len(maps) == max_length:
                answers[b].append(token)
    return answers, torch.stack(maps, dim=1)
