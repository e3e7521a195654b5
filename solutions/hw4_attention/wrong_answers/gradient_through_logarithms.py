"""Goes back by autograd from log A, which is -∞ for a weight of 0."""

CAUGHT_BY = "test_attention_gradients"
HINT = "no NaN"


def attention_gradients(A, V, dY):
    E = A.log().requires_grad_()
    V = V.clone().requires_grad_()
    (E.softmax(dim=1) @ V * dY).sum().backward()
    return E.grad, V.grad
