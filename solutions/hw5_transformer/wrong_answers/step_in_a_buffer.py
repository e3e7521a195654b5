"""Writes keys and values into buffers that all calls share, and returns views of them: two ways to go on are one."""

CAUGHT_BY = "test_step"
HINT = "do both share a tensor"


buffers = {}


def step(parameters, tokens, cache, n_heads):
    X = parameters["E"][tokens][:, None]
    new_cache = []
    for layer, p in enumerate(parameters["blocks"]):
        keys, values = cache[layer]
        B, h, n, d_k = keys.shape
        key = layer, B, h, d_k, keys.dtype
        if key not in buffers:
            buffers[key] = keys.new_zeros(B, h, 4096, d_k), keys.new_zeros(B, h, 4096, d_k)
        all_keys, all_values = buffers[key]
        normed = layer_norm(X, p["gain_1"], p["bias_1"])
        Q, K, V = (split_heads(normed @ p[name], n_heads) for name in ("W_q", "W_k", "W_v"))
        all_keys[:, :, :n], all_values[:, :, :n] = keys.clone(), values.clone()
        all_keys[:, :, n : n + 1], all_values[:, :, n : n + 1] = rotate(K, n), V
        keys, values = all_keys[:, :, : n + 1], all_values[:, :, : n + 1]
        X = X + merge_heads(attention(rotate(Q, n), keys, values, causal_mask(1, n + 1))) @ p["W_o"]
        X = X + feed_forward(p, layer_norm(X, p["gain_2"], p["bias_2"]))
        new_cache.append((keys, values))
    Z = layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
    return Z.flatten(0, 1), new_cache
