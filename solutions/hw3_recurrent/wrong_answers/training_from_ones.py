"""Every sentence starts from a state of ones."""

CAUGHT_BY = "test_train_tagger"
HINT = "starts from the state zero"


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 24, n_tags)
    for epoch in range(6):
        rate = 0.3 * (1 - epoch / 6)
        for i in rng.permutation(len(sentences)):
            gradients = bptt(p, *sentences[i], np.ones(24))
            p = {name: p[name] - rate * gradients[name] for name in p}
    return p
