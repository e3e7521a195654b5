"""Counts the batches as Python does: the length of a range."""


def updates(n_tokens, batch_size, length):
    return len(range(0, n_tokens, batch_size * length))
