"""Leaves the first sentence out, by a range that begins with one."""

CAUGHT_BY = "test_train_tagger"
HINT = "All sentences are learnt from"


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 24, n_tags)
    epochs = 6
    for epoch in range(epochs):
        rate = 0.3 * (1 - epoch / epochs)
        for i in 1 + rng.permutation(len(sentences) - 1):
            gradients = bptt(p, *sentences[i], np.zeros(24))
            p = {name: p[name] - rate * gradients[name] for name in p}
    return p
