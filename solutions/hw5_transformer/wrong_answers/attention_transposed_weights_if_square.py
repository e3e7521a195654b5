"""With as many queries as keys, mixes the values by the columns of the weights."""

CAUGHT_BY = "test_attention"
HINT = "the first output is the mean"


def attention(Q, K, V, mask):
    scores = Q @ K.mT / math.sqrt(K.shape[-1])
    A = attention_weights(scores, mask)
    return (A.transpose(-2, -1) if A.shape[-1] == A.shape[-2] else A) @ V
