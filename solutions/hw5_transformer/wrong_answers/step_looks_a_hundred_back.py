"""The cache keeps all, but only the last hundred keys are looked at."""

CAUGHT_BY = "test_step"
HINT = "1 text of 150 tokens"


def step(parameters, tokens, cache, n_heads):
    X = parameters["E"][tokens][:, None]
    new_cache = []
    for p, (keys, values) in zip(parameters["blocks"], cache, strict=True):
        n = keys.shape[2]
        normed = layer_norm(X, p["gain_1"], p["bias_1"])
        Q, K, V = (split_heads(normed @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))
        keys, values = torch.cat([keys, rotate(K, n)], dim=2), torch.cat([values, V], dim=2)
        new_cache.append((keys, values))
        keys, values = keys[:, :, -100:], values[:, :, -100:]
        outputs = attention(rotate(Q, n), keys, values, causal_mask(1, keys.shape[2]))
        X = X + merge_heads(outputs) @ p["W_o"]
        X = X + feed_forward(p, layer_norm(X, p["gain_2"], p["bias_2"]))
    Z = layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
    return Z[:, 0], new_cache
