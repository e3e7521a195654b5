"""Builds new tensors from lists of numbers: torch knows of no way back."""

CAUGHT_BY = "test_heads"
HINT = "but their gradients are wrong"


def split_heads(X, n_heads):
    *_, d = X.shape
    if d % n_heads:
        raise ValueError(f"n_heads must divide {d}, got {n_heads}")
    return torch.stack(X.chunk(n_heads, dim=-1), dim=1)


def merge_heads(H):
    rows = [[sum((head[t] for head in text), []) for t in range(H.shape[2])] for text in H.tolist()]
    return torch.tensor(rows, dtype=H.dtype)
