"""One query is the newest token, so that the mask is left out."""

CAUGHT_BY = "test_attention"
HINT = "wrong for 1 queries"


def attention(Q, K, V, mask):
    S = Q @ K.mT / Q.shape[-1] ** 0.5
    if Q.shape[-2] == 1:
        return S.softmax(-1) @ V
    return attention_weights(S, mask) @ V
