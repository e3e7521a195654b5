"""Every word is a sequence of its own, so that nothing is remembered."""

CAUGHT_BY = "test_train_tagger"
HINT = "gave the same W_hh"


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 24, n_tags)
    for epoch in range(6):
        rate = 0.3 * (1 - epoch / 6)
        for i in rng.permutation(len(sentences)):
            for x_t, k in zip(*sentences[i], strict=True):
                gradients = bptt(p, x_t[None], np.array([k]), np.zeros(24))
                p = {name: p[name] - rate / 4 * gradients[name] for name in p}
    return p
