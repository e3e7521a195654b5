"""Draws from the distribution, as one would for a poem."""

CAUGHT_BY = "test_greedy"
HINT = "expected the ids"


def greedy(step, state, n_words, max_length):
    tokens, rows, maps, ended = torch.full((n_words,), BOS), [], [], torch.zeros(n_words, dtype=torch.bool)
    while len(maps) < max_length and not ended.all():
        logits, weights, state = step(tokens, state)
        tokens = (
            torch.multinomial(logits[:, EOS:].softmax(dim=1), 1, generator=torch.Generator().manual_seed(0))[:, 0] + EOS
        )
        ended |= tokens == EOS
        maps.append(weights)
        rows.append(tokens.tolist())
    words = [[*word] for word in zip(*rows, strict=True)]
    return [word[: (word + [EOS]).index(EOS)] for word in words], torch.stack(maps, dim=1)
