"""Remembers calls, rightly: by all that counts, and copies are handed out; parameters are returned as lists."""

store = {}


def forward(p, x, h0):
    key = tuple((k, np.asarray(p[k]).tobytes()) for k in sorted(p)) + (
        np.shape(x),
        np.asarray(x, float).tobytes(),
        np.asarray(h0, float).tobytes(),
    )
    if key not in store:
        if len(store) > 50:
            store.clear()
        s, hs = np.asarray(h0, float), []
        for r in x:
            s = np.tanh(p["W_xh"] @ r + p["W_hh"] @ s + p["b_h"])
            hs.append(s)
        h = np.array(hs).reshape(-1, len(p["b_h"]))
        store[key] = h, h @ p["W_hy"].T + p["b_y"]
    h, z = store[key]
    return h.copy(), z.copy()


def train_tagger(sentences, n_words, n_tags, seed):
    gen = np.random.Generator(np.random.PCG64(seed))
    p = initial_parameters(gen, n_words, 24, n_tags)
    rate = 0.3
    for _ in range(5):
        order = list(range(len(sentences)))
        gen.shuffle(order)
        for i in order:
            g = bptt(p, *sentences[i], np.zeros(24, int))
            for k in g:
                p[k] -= rate * g[k]
            rate *= 0.9992
    return {k: v.tolist() for k, v in p.items()}
