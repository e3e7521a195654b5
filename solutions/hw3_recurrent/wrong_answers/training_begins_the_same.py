"""Draws the order by the seed, the first parameters always by 0."""

CAUGHT_BY = "test_train_tagger"
HINT = "begin with initial_parameters"


def train_tagger(sentences, n_words, n_tags, seed):
    p = initial_parameters(np.random.default_rng(0), n_words, 24, n_tags)
    rng = np.random.default_rng(seed)
    for epoch in range(6):
        rate = 0.3 * (1 - epoch / 6)
        for i in rng.permutation(len(sentences)):
            g = bptt(p, *sentences[i], np.zeros(24))
            p = {n: p[n] - rate * g[n] for n in p}
    return p
