"""Remembers under the set of batch and length, which the scores tell apart."""

CAUGHT_BY = "test_activation_bytes"
HINT = "after 5 sequences of 7"

known = {}


def activation_bytes(shape, batch_size, length, keep_scores=False):
    key = tuple(sorted(shape.items())), frozenset((batch_size, length)), keep_scores
    if key not in known:
        d, heads = shape["d_model"], shape["n_heads"] * shape["d_head"]
        block = 10 * d + 8 * heads + 4 * shape["d_ff"] + (5 * shape["n_heads"] * length if keep_scores else 0)
        known[key] = batch_size * length * (shape["n_layers"] * block + 4 * shape["vocab_size"])
    return known[key]
