"""Takes away all axes of length 1, that of one text as well as that of the position."""

CAUGHT_BY = "test_step"
HINT = "wrong shape of the scores"


def step(parameters, tokens, cache, n_heads):
    X = parameters["E"][tokens][:, None]
    new = []
    for (keys, values), p in zip(cache, parameters["blocks"], strict=True):
        n = keys.shape[2]
        normed = layer_norm(X, p["gain_1"], p["bias_1"])
        Q, K, V = (split_heads(normed @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))
        keys, values = torch.cat([keys, rotate(K, n)], dim=2), torch.cat([values, V], dim=2)
        X = X + merge_heads(attention(rotate(Q, n), keys, values, causal_mask(1, n + 1))) @ p["W_o"]
        X = X + feed_forward(p, layer_norm(X, p["gain_2"], p["bias_2"]))
        new.append((keys, values))
    return (layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T).squeeze(), new
