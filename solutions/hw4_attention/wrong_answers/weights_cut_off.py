"""The weights are worked out in numpy: nothing learns through them."""

CAUGHT_BY = "test_attention_weights"
HINT = "no gradient gets through your weights"


def attention_weights(scores, mask=None):
    e = scores.detach().numpy()
    may = np.ones(e.shape, bool) if mask is None else np.broadcast_to(mask.numpy(), e.shape)
    e = np.where(may, e, -np.inf)
    top = e.max(axis=-1, keepdims=True)
    e = np.exp(e - np.where(np.isinf(top), 0, top))
    total = e.sum(axis=-1, keepdims=True)
    return torch.from_numpy(e / np.where(total == 0, 1, total))
