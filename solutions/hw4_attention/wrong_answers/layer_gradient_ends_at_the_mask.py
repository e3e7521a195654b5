"""With a mask the weights are constants for autograd."""

CAUGHT_BY = "test_attention_layer"
HINT = "with a mask not all of the gradient"


def attention_layer(Q, X, W_K, W_V, mask=None):
    K, V = X @ W_K, X @ W_V
    E = Q @ K.mT / math.sqrt(K.shape[-1])
    if mask is None:
        A = E.softmax(-1)
    else:
        mask = mask.expand(E.shape)
        A = torch.from_numpy(
            np.where(
                mask.numpy().any(-1, keepdims=True), E.masked_fill(~mask, -math.inf).softmax(-1).detach().numpy(), 0
            )
        ).to(E)
    return A @ V, A
