"""Does not learn from the last word of a sentence."""

CAUGHT_BY = "test_train_tagger"
HINT = "each of them to its last word"


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 24, n_tags)
    epochs = 6
    for epoch in range(epochs):
        rate = 0.3 * (1 - epoch / epochs)
        for i in rng.permutation(len(sentences)):
            x, targets = sentences[i]
            last = max(1, len(x) - 1)
            gradients = bptt(p, x[:last], targets[:last], np.zeros(24))
            p = {name: p[name] - rate * gradients[name] for name in p}
    return p
