"""It draws sentences of the language itself, and does not look at those that it is given."""

CAUGHT_BY = "test_train_tagger"
HINT = "it learns from the sentences that it is given"


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 24, n_tags)
    sentences = [(np.pad(x, ((0, 0), (0, n_words - x.shape[1]))), y) for x, y in tagged(len(sentences), seed)]
    for epoch in range(6):
        rate = 0.3 * (1 - epoch / 6)
        for i in rng.permutation(len(sentences)):
            gradients = bptt(p, *sentences[i], np.zeros(24))
            p = {name: p[name] - rate * gradients[name] for name in p}
    return p
