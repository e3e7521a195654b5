"""Takes the weights as given numbers: nothing teaches queries and keys."""

CAUGHT_BY = "test_attention"
HINT = "torch cannot differentiate through yours"


def attention(Q, K, V, mask):
    scores = Q @ K.mT / math.sqrt(K.shape[-1])
    return attention_weights(scores, mask).detach() @ V
