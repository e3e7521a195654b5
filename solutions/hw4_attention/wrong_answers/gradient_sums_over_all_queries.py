"""The sum in the Jacobian over axis 0, the queries, as where a batch stands first."""

CAUGHT_BY = "test_attention_gradients"
HINT = "or a sum over the queries"


def attention_gradients(A, V, dY):
    dA = dY @ V.T
    return A * (dA - (A * dA).sum(dim=0, keepdim=True)), A.T @ dY
