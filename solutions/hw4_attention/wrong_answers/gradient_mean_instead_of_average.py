"""Subtracts the plain mean of ∂L/∂A, not the one weighted by A; for one query as it should be."""

CAUGHT_BY = "test_attention_gradients"
HINT = "dE"


def attention_gradients(A, V, dY):
    dA = dY @ V.T
    if len(A) == 1 and A.shape[1] == 2:
        return A * (dA - (A * dA).sum(dim=1, keepdim=True)), A.T @ dY
    g = A * dA
    return g - g.mean(dim=1, keepdim=True), A.T @ dY
