"""Divides dE by the root of the values' dimension."""

CAUGHT_BY = "test_attention_gradients"
HINT = "dE is not what autograd finds"


def attention_gradients(A, V, dY):
    dA = dY @ V.T
    dE = A * (dA - (A * dA).sum(dim=1, keepdim=True)) / math.sqrt(V.shape[1])
    return dE, A.T @ dY
