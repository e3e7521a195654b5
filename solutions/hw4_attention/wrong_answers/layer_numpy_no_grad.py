"""The layer under no_grad: nothing can be trained through it."""

CAUGHT_BY = "test_attention_layer"
HINT = "no gradient gets through your layer"


def attention_layer(Q, X, W_K, W_V, mask=None):
    with torch.no_grad():
        A = attention_weights(Q @ (X @ W_K).mT / math.sqrt(Q.shape[-1]), mask)
        return A @ (X @ W_V), A
