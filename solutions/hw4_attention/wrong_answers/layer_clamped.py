"""Clamps the scores to ±50 before the softmax."""

CAUGHT_BY = "test_attention_layer"
HINT = "cut nothing off"


def attention_layer(Q, X, W_K, W_V, mask=None):
    A = attention_weights((Q @ (X @ W_K).mT / Q.shape[-1] ** 0.5).clamp(-50, 50), mask)
    return A @ (X @ W_V), A
