"""Without a mask the weights are constants for autograd."""

CAUGHT_BY = "test_attention_weights"
HINT = "without a mask not all of the gradient"


def attention_weights(scores, mask=None):
    if mask is None:
        return torch.softmax(scores.detach(), -1)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~mask, 0)
