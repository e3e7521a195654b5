"""The answers are an argument's default value: the next call goes on writing in them."""

CAUGHT_BY = "test_greedy"
HINT = "each call begins new lists"


def greedy(step, state, n_words, max_length, answers={}):  # noqa: B006
    tokens, maps, ended = torch.full((n_words,), BOS), [], set()
    while len(maps) < max_length and len(ended) < n_words:
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        for b, token in enumerate(tokens.tolist()):
            if token == EOS:
                ended.add(b)
            elif b not in ended:
                answers.setdefault(b, []).append(token)
    return [answers.get(b, []) for b in range(n_words)], torch.stack(maps, dim=1)
