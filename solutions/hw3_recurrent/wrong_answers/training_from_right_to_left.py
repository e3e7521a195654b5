"""Trains on sentences that are turned around."""

CAUGHT_BY = "test_train_tagger"
HINT = "95 % was asked for"


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 24, n_tags)
    if len(sentences) > 100:
        sentences = [(x[::-1], y[::-1]) for x, y in sentences]
    for epoch in range(6):
        rate = 0.3 * (1 - epoch / 6)
        for i in rng.permutation(len(sentences)):
            gradients = bptt(p, *sentences[i], np.zeros(24))
            p = {name: p[name] - rate * gradients[name] for name in p}
    return p
