"""Computes with embeddings in double precision, whatever the model is in."""

CAUGHT_BY = "test_step"
HINT = "a model in float32"


def step(parameters, tokens, cache, n_heads):
    X = parameters["E"][tokens][:, None].double()
    new = []
    for (k, v), p in zip(cache, parameters["blocks"], strict=False):
        n = k.shape[2]
        y = layer_norm(X, p["gain_1"], p["bias_1"])
        Q, K, V = (split_heads(y @ p[m].double(), n_heads) for m in ("W_q", "W_k", "W_v"))
        k, v = torch.cat([k.double(), rotate(K, n)], 2), torch.cat([v.double(), V], 2)
        X = X + merge_heads(attention(rotate(Q, n), k, v, causal_mask(1, n + 1))) @ p["W_o"]
        X = X + feed_forward(p, layer_norm(X, p["gain_2"], p["bias_2"]))
        new.append((k, v))
    return (layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T)[:, 0], new
