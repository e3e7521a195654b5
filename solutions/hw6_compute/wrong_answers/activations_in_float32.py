"""Begins with a width in 32 bits, so that all that follows has 32."""

CAUGHT_BY = "test_activation_bytes"
HINT = "a float of 32 bits"


def activation_bytes(shape, batch_size, length, keep_scores=False):
    d, heads = np.float32(shape["d_model"]), shape["n_heads"] * shape["d_head"]
    block = 2 * (4 * d + 4 * heads + 2 * shape["d_ff"]) + 2 * d
    if keep_scores:
        block += 5 * shape["n_heads"] * length
    return int(batch_size * length * (shape["n_layers"] * block + 4 * shape["vocab_size"]))
