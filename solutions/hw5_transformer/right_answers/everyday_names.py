"""Helpers with names that a test might use, too."""

import torch.nn.functional as F

got = expected = rng = 5
given = tokens = "mine"


def draw(x):
    return x.transpose(1, 2)


def check(p, X, name):
    return X @ p[name]


def turned(x, y, angle):
    return x * angle.cos() - y * angle.sin(), y * angle.cos() + x * angle.sin()


def read(x):
    return x


def attention(Q, K, V, mask):
    shape = Q.shape[-1]
    row = Q @ K.swapaxes(-1, -2)
    return attention_weights(row / shape**0.5, mask) @ V


def rotate(X, start=0):
    whole, scores = X.shape[-2:]
    before = torch.arange(start, start + whole)
    after = torch.exp(-math.log(10_000) * torch.arange(0, scores, 2) / scores)
    a, b = turned(X[..., 0::2], X[..., 1::2], before[:, None] * after)
    reached = torch.empty_like(X)
    reached[..., 0::2], reached[..., 1::2] = a, b
    return reached


def self_attention(p, X, n_heads):
    few = split_heads(check(p, X, "W_q"), n_heads)
    keys = split_heads(check(p, X, "W_k"), n_heads)
    values = split_heads(check(p, X, "W_v"), n_heads)
    mask = causal_mask(*[X.shape[1]] * 2)
    return read(check(p, merge_heads(attention(rotate(few), rotate(keys), values, mask)), "W_o"))


def feed_forward(p, X):
    return F.linear(F.relu(F.linear(X, p["W_up"].T, p["b_up"])), p["W_down"].T, p["b_down"])


def nll(Z, targets):
    return F.nll_loss(Z.log_softmax(-1).flatten(0, 1), targets.flatten(), ignore_index=-1)
