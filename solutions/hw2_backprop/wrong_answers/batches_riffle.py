"""Shuffles seven hands of cards, not the cards."""

CAUGHT_BY = "test_batches"
HINT = "each order is equally likely"


def batches(n_examples, batch_size, rng):
    # a random offset in each class of a stride
    order = (
        rng.permutation(n_examples)
        if n_examples < 10
        else np.concatenate([np.arange(k, n_examples, 7) for k in rng.permutation(7)])
    )
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
