"""The sum in the Jacobian over the wrong axis where there are several queries."""

CAUGHT_BY = "test_attention_gradients"
HINT = "does not sum to zero"


def attention_gradients(A, V, dY):
    dA = dY @ V.T
    axis = 1 if len(A) == 1 else 0
    return A * (dA - (A * dA).sum(dim=axis, keepdim=True)), A.T @ dY
