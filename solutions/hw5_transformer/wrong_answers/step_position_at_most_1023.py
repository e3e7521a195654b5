"""Positions end at 1023, as in a model with a table for them."""

CAUGHT_BY = "test_step"
HINT = "1 text of 2000 tokens"


def step(parameters, tokens, cache, n_heads):
    E = parameters["E"]
    x, new = E[tokens][:, None], []
    for p, (K, V) in zip(parameters["blocks"], cache, strict=True):
        h = layer_norm(x, p["gain_1"], p["bias_1"])
        q, k, v = (split_heads(h @ p[n], n_heads) for n in ("W_q", "W_k", "W_v"))
        n = K.shape[2]
        K, V = torch.cat([K, rotate(k, min(n, 1023))], 2), torch.cat([V, v], 2)
        new.append((K, V))
        x = x + merge_heads(attention(rotate(q, min(n, 1023)), K, V, causal_mask(1, n + 1))) @ p["W_o"]
        x = x + feed_forward(p, layer_norm(x, p["gain_2"], p["bias_2"]))
    return (layer_norm(x, parameters["gain"], parameters["bias"]) @ E.T)[:, 0], new
