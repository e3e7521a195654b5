"""One array for the matrices, which the next call of the same size fills again."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "a second call has changed"

store = {}


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    shape = (len(weight_hh), weight_hh.shape[1] + weight_ih.shape[1])
    both = store.setdefault(shape, np.zeros(shape))
    both[:] = np.hstack([weight_hh, weight_ih])
    return dict(zip("ifgo", np.split(both, 4), strict=True)), dict(
        zip("ifgo", np.split(bias_ih + bias_hh, 4), strict=True)
    )
