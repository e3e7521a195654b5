"""A query that may look at nothing gets the mean of the values."""

CAUGHT_BY = "test_attention_layer"
HINT = "wrong outputs Y"


def attention_layer(Q, X, W_K, W_V, mask=None):
    V = X @ W_V
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1]), mask)
    blind = A.sum(dim=-1, keepdim=True) == 0
    return torch.where(blind, V.mean(dim=-2, keepdim=True), A @ V), A
