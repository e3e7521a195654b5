"""Small differences of its own loss: no back-propagation at all."""

CAUGHT_BY = "test_bptt"
HINT = "small gradients stay as small as they are"


def bptt(p, x, targets, h0):
    def loss(q):
        z = forward(q, x, h0)[1]
        z = z - z.max(axis=1, keepdims=True)
        lp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
        return -lp[np.arange(len(x)), targets].mean()

    found = {}
    for name in p:
        found[name] = np.zeros(p[name].shape)
        for at in np.ndindex(p[name].shape):
            two = []
            for s in (1e-5, -1e-5):
                q = {k: v.astype(float) for k, v in p.items()}
                q[name][at] += s
                two.append(loss(q))
            found[name][at] = (two[0] - two[1]) / 2e-5
    return found
