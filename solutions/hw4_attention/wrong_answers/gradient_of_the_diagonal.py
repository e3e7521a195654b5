"""Only the diagonal of the Jacobian of the softmax."""

CAUGHT_BY = "test_attention_gradients"
HINT = "only the diagonal"


def attention_gradients(A, V, dY):
    return A * (1 - A) * (dY @ V.T), A.T @ dY
