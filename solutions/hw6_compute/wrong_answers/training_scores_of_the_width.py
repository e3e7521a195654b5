"""Takes the vectors of queries and keys for d numbers, whatever n_heads · d_head is."""

CAUGHT_BY = "test_training_flops_per_token"
HINT = "right for the matrices, wrong for the scores"


def training_flops_per_token(shape, length, clever=False):
    d, k = shape["d_model"], shape["n_heads"] * shape["d_head"]
    matrices = shape["n_layers"] * (4 * d * k + 2 * d * shape["d_ff"]) + shape["vocab_size"] * d
    keys = (length + 1) / 2 if clever else length
    return 3 * (2 * matrices + 4 * shape["n_layers"] * d * keys)
