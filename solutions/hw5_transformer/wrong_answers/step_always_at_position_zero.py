"""The new token stands at position 0."""

CAUGHT_BY = "test_step"
HINT = "does it stand at position 1"


def step(parameters, tokens, cache, n_heads):
    X = parameters["E"][tokens][:, None]  # (B, 1, d)
    new_cache = []
    for layer, p in enumerate(parameters["blocks"]):
        keys, values = cache[layer]
        n = keys.shape[2]
        normed = layer_norm(X, p["gain_1"], p["bias_1"])
        Q, K, V = (split_heads(normed @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))  # (B, h, 1, d_k)
        keys, values = torch.cat([keys, rotate(K)], dim=2), torch.cat([values, V], dim=2)
        outputs = attention(rotate(Q), keys, values, causal_mask(1, n + 1))
        X = X + merge_heads(outputs) @ p["W_o"]
        X = X + feed_forward(p, layer_norm(X, p["gain_2"], p["bias_2"]))
        new_cache.append((keys, values))
    Z = layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
    return Z.flatten(0, 1), new_cache
