"""Keeps the tokens and computes everything anew."""

CAUGHT_BY = "test_step"
HINT = "cache of random keys"


read_so_far = []


def step(parameters, tokens, cache, n_heads):
    n = cache[0][0].shape[2]
    del read_so_far[n:]
    read_so_far.append(tokens)
    X = parameters["E"][torch.stack([t if len(t) == len(tokens) else tokens for t in read_so_far], dim=1)]
    new_cache = []
    for p, (keys, values) in zip(parameters["blocks"], cache, strict=True):
        normed = layer_norm(X, p["gain_1"], p["bias_1"])
        K, V = (split_heads(normed @ p[name], n_heads)[:, :, -1:] for name in ("W_k", "W_v"))
        new_cache.append((torch.cat([keys, rotate(K, n)], 2), torch.cat([values, V], 2)))
        X = block(p, X, n_heads, "pre")
    return (layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T)[:, -1], new_cache
