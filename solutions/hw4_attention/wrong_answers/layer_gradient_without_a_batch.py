"""One sentence after the other, and torch.tensor of lists for the batch: only without a batch does it learn."""

CAUGHT_BY = "test_attention_layer"
HINT = "for a batch not all of the gradient"


def attention_layer(Q, X, W_K, W_V, mask=None):
    E = Q @ (X @ W_K).mT / W_K.shape[1] ** 0.5
    A = attention_weights(E, mask)
    if Q.dim() == 2:
        return A @ (X @ W_V), A
    sentences = zip(A.reshape(-1, *A.shape[-2:]), X.reshape(-1, *X.shape[-2:]), strict=True)
    Y = torch.tensor([(a @ (x @ W_V)).tolist() for a, x in sentences], dtype=Q.dtype)
    return Y.reshape(*Q.shape[:-1], -1), A
