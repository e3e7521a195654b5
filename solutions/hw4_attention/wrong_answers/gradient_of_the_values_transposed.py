"""dY and A the wrong way round where the sizes are equal."""

CAUGHT_BY = "test_attention_gradients"
HINT = "dV is not what autograd finds"


def attention_gradients(A, V, dY):
    dA = dY @ V.T
    dE = A * (dA - (A * dA).sum(dim=1, keepdim=True))
    return dE, A @ dY if A.shape[0] == A.shape[1] == V.shape[1] else A.T @ dY
