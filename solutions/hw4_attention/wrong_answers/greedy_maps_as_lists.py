"""Makes lists of the weights: a list of rows for each word."""

CAUGHT_BY = "test_greedy"
HINT = "are one torch tensor"


def greedy(step, state, n_words, max_length):
    tokens, looks = torch.full((n_words,), BOS), []
    answers, ended = [[] for _ in range(n_words)], [False] * n_words
    while len(looks) < max_length and not all(ended):
        logits, weights, state = step(tokens, state)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        looks.append(weights.tolist())
        for b, token in enumerate(tokens.tolist()):
            ended[b] |= token == EOS
            if not ended[b]:
                answers[b].append(token)
    return answers, [[rows[b] for rows in looks] for b in range(n_words)]
