"""Writes state and cell into arrays of its own, whatever was returned before."""

CAUGHT_BY = "test_lstm_step"
HINT = "changed the state or the cell that the first one returned"


buffers = {}


def lstm_step(x, h, c, W, b):
    hx = np.concatenate([h, x])
    score = {gate: W[gate] @ hx + b[gate] for gate in "figo"}
    f, i, o = (0.5 + 0.5 * np.tanh(0.5 * score[gate]) for gate in "fio")
    new_h, new_c = buffers.setdefault(len(h), (np.empty(len(h)), np.empty(len(h))))
    new_c[:] = f * c + i * np.tanh(score["g"])
    new_h[:] = o * np.tanh(new_c)
    return new_h, new_c
