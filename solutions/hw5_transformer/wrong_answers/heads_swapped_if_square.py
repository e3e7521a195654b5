"""As many heads as positions: forgets to swap the axes, and the shape is right."""

CAUGHT_BY = "test_heads"
HINT = "numbers at the wrong places"


def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d")
    parts = X.reshape(*X.shape[:2], n_heads, -1)
    return parts if parts.shape[1] == n_heads else parts.transpose(1, 2)


def merge_heads(H):
    return torch.cat(list(H.unbind(dim=1)), dim=-1)
