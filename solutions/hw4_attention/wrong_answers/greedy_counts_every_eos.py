"""Stops after as many EOS as there are words; a word that has ended may write it again."""

CAUGHT_BY = "test_greedy"
HINT = "each of them once"


def greedy(step, state, n_words, max_length):
    tokens, ended = torch.full((n_words,), BOS), 0
    rows, maps = [], []
    while ended < n_words and len(maps) < max_length:
        logits, weights, state = step(tokens, state)
        maps.append(weights)
        tokens = logits[:, EOS:].argmax(dim=1) + EOS
        rows.append(tokens)
        ended += int((tokens == EOS).sum())
    rows = torch.stack(rows, dim=1).tolist()
    return [row[: row.index(EOS)] if EOS in row else row for row in rows], torch.stack(maps, dim=1)
