"""The part with H is the same at every step, so it is kept, by the sizes of H."""

CAUGHT_BY = "test_mlp_scores"
HINT = "right in one call, wrong in the next"

_first = {}


def mlp_scores(H, W_1, w_2, s):
    m_h = H.shape[-1]
    if H.shape not in _first:
        _first[H.shape] = H @ W_1[:, :m_h].T
    return torch.tanh(_first[H.shape] + (s @ W_1[:, m_h:].T)[:, None]) @ w_2
