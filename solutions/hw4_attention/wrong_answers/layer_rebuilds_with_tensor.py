"""torch.tensor(A.tolist()): values learn, keys do not."""

CAUGHT_BY = "test_attention_layer"
HINT = "no gradient gets through your layer to Q, W_K"


def attention_layer(Q, X, W_K, W_V, mask=None):
    A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1]), mask)
    A = torch.tensor(A.tolist(), dtype=Q.dtype)
    return A @ (X @ W_V), A
