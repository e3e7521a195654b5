"""What cannot be written gets the logit 0, which is the largest where all others are negative."""

CAUGHT_BY = "test_greedy"
HINT = "a logit of 0"


def greedy(step, state, n_words, max_length):
    tokens, written, maps = torch.full((n_words,), BOS), [[] for _ in range(n_words)], []
    going = set(range(n_words))
    while going and len(maps) < max_length:
        logits, weights, state = step(tokens, state)
        logits = logits.clone()
        logits[:, [PAD, BOS]] = 0.0
        tokens = logits.argmax(dim=1)
        maps.append(weights)
        for b in sorted(going):
            if tokens[b] == EOS:
                going.remove(b)
            else:
                written[b].append(int(tokens[b]))
    return written, torch.stack(maps, dim=1)
