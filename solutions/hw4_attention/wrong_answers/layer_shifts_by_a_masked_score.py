"""Every score is taken less that of the first key, also where the first key is masked: right with one mask, wrong with another."""

CAUGHT_BY = "test_attention_layer"
HINT = "wrong weights A"


def attention_layer(Q, X, W_K, W_V, mask=None):
    """The shift is infinite where nobody may look at the first key."""
    K, V = X @ W_K, X @ W_V
    E = Q @ K.mT / math.sqrt(Q.shape[-1])
    if mask is not None:
        E = E.masked_fill(~mask, -math.inf)
    weights = (E - E[..., :1]).exp()
    A = weights / weights.sum(-1, keepdim=True)
    return A @ V, A
