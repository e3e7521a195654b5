"""Every product is an einsum."""


def causal_mask(n_queries, n_keys):
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries).bool()


def attention(Q, K, V, mask):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / K.size(-1) ** 0.5
    return torch.einsum("...qk,...kv->...qv", attention_weights(scores, mask), V)


def split_heads(X, n_heads):
    B, T, d = X.size()
    if d % n_heads:
        raise ValueError
    return X.reshape(B, T, n_heads, d // n_heads).permute(0, 2, 1, 3)


def merge_heads(H):
    B, h, T, d_k = H.size()
    return H.permute(0, 2, 1, 3).reshape(B, T, h * d_k)


def self_attention(p, X, n_heads):
    d = X.size(-1)
    q, k, v = (torch.einsum("btd,dhk->bhtk", X, p[f"W_{c}"].reshape(d, n_heads, d // n_heads)) for c in "qkv")
    heads = attention(rotate(q), rotate(k), v, causal_mask(X.size(1), X.size(1)))
    return torch.einsum("bhtk,hkd->btd", heads, p["W_o"].reshape(n_heads, d // n_heads, d))


def feed_forward(p, X):
    hidden = torch.einsum("btd,df->btf", X, p["W_up"]) + p["b_up"]
    return torch.einsum("btf,fd->btd", hidden.clamp(min=0), p["W_down"]) + p["b_down"]


def logits(parameters, tokens, n_heads):
    one_hot = torch.eye(len(parameters["E"]), dtype=parameters["E"].dtype)[tokens]
    X = torch.einsum("btv,vd->btd", one_hot, parameters["E"])
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return torch.einsum("btd,vd->btv", layer_norm(X, parameters["gain"], parameters["bias"]), parameters["E"])
