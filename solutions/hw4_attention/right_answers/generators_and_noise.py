"""Generators, recursion, printing, warnings, and one global seed; trains in epochs over shuffled pairs."""

import random
import warnings


def mlp_scores(H, W_1, w_2, s):
    print("scores of", len(H), "sentences")

    def scores():
        for states, query in zip(H, s, strict=True):
            both = torch.hstack([states, query.tile(len(states), 1)])
            yield (both @ W_1.t()).tanh_() @ w_2

    return torch.stack(list(scores()))


def attention_weights(scores, mask=None):
    warnings.warn("looking", stacklevel=1)
    if mask is None:
        mask = torch.tensor(True)
    hidden = ~mask
    kept = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    e = torch.exp(kept - kept.max(dim=-1, keepdim=True)[0]).masked_fill(hidden, 0)
    return e / e.sum(dim=-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).tiny)


def greedy(step, state, n_words, max_length):
    def write(tokens, state, left, done):
        if not left or done.all():
            return
        logits, weights, state = step(tokens, state)
        order = logits.argsort(dim=1, descending=True).tolist()
        tokens = torch.tensor([next(i for i in row if i not in (PAD, BOS)) for row in order])
        yield tokens, weights
        yield from write(tokens, state, left - 1, done | (tokens == EOS))

    told = list(write(torch.tensor([BOS] * n_words), state, max_length, torch.zeros(n_words, dtype=torch.bool)))

    def letters(b):
        for tokens, _ in told:
            if tokens[b] == EOS:
                return
            yield int(tokens[b])

    return [list(letters(b)) for b in range(n_words)], torch.stack([weights for _, weights in told]).transpose(0, 1)


def train_reverser(pairs, seed, attend):
    dice = random.Random(seed)
    letters = "".join(sorted({c for a, b in pairs for c in a + b}, reverse=True))
    model = Reverser(letters, attend, seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.008)
    pairs, done = list(pairs), 0
    while done < 360:
        dice.shuffle(pairs)
        for at in range(0, len(pairs), 40):
            batch = pairs[at : at + 40]
            targets = as_ids([b for _, b in batch], letters)
            loss = masked_nll(model(as_ids([a for a, _ in batch], letters), decoder_inputs(targets)), targets)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            done += 1
            if done % 60 == 0:
                print("step", done, "loss", loss.item())
                for group in optimizer.param_groups:
                    group["lr"] *= 0.7
    return model
