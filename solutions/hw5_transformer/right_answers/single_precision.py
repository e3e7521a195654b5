"""Tables in float32, and arithmetic in float32 where nothing says otherwise."""


def causal_mask(n_queries, n_keys):
    return torch.from_numpy(np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool))


def sinusoidal_positions(n_positions, d):
    t, i = np.mgrid[:n_positions, : d // 2].astype(np.float32)
    angles = t * np.float32(10_000) ** (-2 * i / np.float32(d))
    return torch.from_numpy(np.dstack([np.sin(angles), np.cos(angles)]).reshape(n_positions, d))


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    t = torch.arange(T, dtype=torch.float32) + start
    angles = torch.outer(t, 10_000 ** (-torch.arange(0, d_k, 2, dtype=torch.float32) / d_k)).repeat_interleave(2, 1)
    partner = torch.stack([-X[..., 1::2], X[..., 0::2]], dim=-1).reshape(X.shape)
    return X.float() * angles.cos() + partner.float() * angles.sin()


def attention(Q, K, V, mask):
    Q, K, V = Q.float(), K.float(), V.float()
    return attention_weights(Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1]), mask) @ V


def self_attention(p, X, n_heads):
    X = X.float()
    Q, K, V = (split_heads(X @ p[name].float(), n_heads) for name in ("W_q", "W_k", "W_v"))
    T = X.shape[-2]
    return merge_heads(attention(rotate(Q), rotate(K), V, causal_mask(T, T))) @ p["W_o"].float()


def feed_forward(p, X):
    up, down = (torch.vstack([p[f"W_{name}"], p[f"b_{name}"]]).float() for name in ("up", "down"))
    one = torch.ones(*X.shape[:-1], 1)
    h = torch.cat([X.float(), one], dim=-1) @ up
    return torch.cat([h.relu(), one], dim=-1) @ down


def layer_norm(X, gain, bias, eps=1e-5):
    X = X.float()
    c = X - X.mean(-1, keepdim=True)
    return (gain * c / (c.square().mean(-1, keepdim=True) + eps).sqrt() + bias).float()


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens].float()
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre").float()
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T.float()


def step(parameters, tokens, cache, n_heads):
    X, new = parameters["E"][tokens].float(), []
    for p, (keys, values) in zip(parameters["blocks"], cache, strict=True):
        x = layer_norm(X, p["gain_1"], p["bias_1"])
        B, n = len(x), keys.shape[2]
        q, k, v = ((x @ p[f"W_{c}"].float()).view(B, n_heads, 1, -1) for c in "qkv")
        new.append([torch.cat([keys.float(), rotate(k, n)], -2), torch.cat([values.float(), v], -2)])
        weights = (rotate(q, n) @ new[-1][0].mT / k.shape[-1] ** 0.5).softmax(-1)
        X = X + (weights @ new[-1][1]).reshape(B, -1) @ p["W_o"].float()
        X = X + feed_forward(p, layer_norm(X, p["gain_2"], p["bias_2"]))
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T.float(), new


def attention_weights(scores, mask):
    mask, scores = torch.broadcast_tensors(mask, scores.float())
    if (~mask).all(dim=-1).any():
        raise ValueError("every query must be allowed a key")
    return torch.softmax(scores.masked_fill(mask.logical_not(), float("-inf")), dim=-1)
