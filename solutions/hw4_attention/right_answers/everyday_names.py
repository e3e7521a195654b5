"""Helpers with everyday names, those that a test might use too."""

from math import sqrt


def row(x):
    return x.unsqueeze(-2)


def check(x):
    return x.clone()


def expected(weights, values):
    return torch.matmul(weights, values)


def step(h, W):
    return torch.matmul(h, W)


def near(q, K):
    return torch.matmul(K, q.unsqueeze(-1)).squeeze(-1)


def got(scores, mask):
    hidden = torch.logical_not(mask)
    return torch.where(hidden, torch.full_like(scores, float("-inf")), scores)


def reference(targets):
    return targets != PAD


def dot_scores(H, s):
    return near(s, H)


def bilinear_scores(H, W, s):
    return near(s, step(H, W))


def scaled_scores(H, W_g, s):
    return near(s, step(H, W_g)) / sqrt(s.size(1))


def attention_weights(scores, mask=None):
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    mask = mask.expand_as(scores)
    rows = got(check(scores), mask)
    blind = ~mask.any(-1, keepdim=True)
    rows = torch.where(blind, torch.zeros_like(rows), rows)
    return torch.where(blind, torch.zeros_like(rows), torch.softmax(rows, -1))


def context_vectors(weights, H):
    return expected(row(weights), H)[:, 0]


def attention_layer(Q, X, W_K, W_V, mask=None):
    keys, values = step(X, W_K), step(X, W_V)
    weights = attention_weights(step(Q, keys.transpose(-1, -2)) / sqrt(Q.size(-1)), mask)
    return expected(weights, values), weights


def masked_nll(logits, targets):
    weights = reference(targets).to(logits.dtype)
    losses = -torch.log_softmax(logits, -1).gather(-1, targets[:, :, None])[:, :, 0]
    return (losses * weights).sum() / weights.sum()


def greedy(step, state, n_words, max_length):
    fed = torch.full([n_words], BOS)
    rows, maps, play = [[] for _ in range(n_words)], [], [True] * n_words
    for _ in range(max_length):
        logits, weights, state = step(fed, state)
        logits = check(logits)
        logits[:, PAD] = logits[:, BOS] = float("-inf")
        fed = torch.argmax(logits, 1)
        maps += [weights]
        for b in range(n_words):
            play[b] = play[b] and int(fed[b]) != EOS
            if play[b]:
                rows[b].append(int(fed[b]))
        if not any(play):
            break
    return rows, torch.cat([row(w) for w in maps], dim=1)
