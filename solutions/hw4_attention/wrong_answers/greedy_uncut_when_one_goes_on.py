"""Cuts the words at EOS if all have ended; otherwise it only leaves EOS out."""

CAUGHT_BY = "test_greedy"
HINT = "all others end with their first EOS"


def greedy(step, state, n_words, max_length):
    tokens = torch.full((n_words,), BOS)
    written, maps, ended = [], [], torch.zeros(n_words, dtype=torch.bool)
    while len(maps) < max_length and not ended.all():
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = logits[:, EOS:].argmax(1) + EOS
        written.append(tokens)
        ended |= tokens == EOS
    rows = torch.stack(written, 1).tolist()
    rows = [row[: row.index(EOS)] if ended.all() else [i for i in row if i != EOS] for row in rows]
    return rows, torch.stack(maps, 1)
