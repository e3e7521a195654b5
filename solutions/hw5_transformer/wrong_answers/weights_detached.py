"""Goes by way of numpy: torch cannot differentiate through it."""

CAUGHT_BY = "test_attention_weights"
HINT = "torch cannot differentiate through yours"


def attention_weights(scores, mask):
    if not mask.any(-1).all():
        raise ValueError("blind")
    s = np.where(mask.numpy(), scores.detach().numpy(), -np.inf)
    e = np.exp(s - s.max(-1, keepdims=True))
    return torch.from_numpy(e / e.sum(-1, keepdims=True))
