"""Takes i = j for equal probabilities."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "not the same probability"


def softmax_jacobian(y_hat):
    J = -np.outer(y_hat, y_hat)
    for i in range(len(y_hat)):
        for j in range(len(y_hat)):
            if y_hat[i] == y_hat[j]:
                J[i, j] = y_hat[i] * (1 - y_hat[j])
    return J
