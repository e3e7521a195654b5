"""The part with H is kept as long as H is the same, though W_1 may have learned in between."""

CAUGHT_BY = "test_mlp_scores"
HINT = "right in one call, wrong in the next"

_first = {}


def mlp_scores(H, W_1, w_2, s):
    m_h = H.shape[-1]
    key = H.numpy().tobytes(), W_1.shape
    if key not in _first:
        _first[key] = H @ W_1[:, :m_h].T
    return torch.tanh(_first[key] + (s @ W_1[:, m_h:].T)[:, None]) @ w_2
