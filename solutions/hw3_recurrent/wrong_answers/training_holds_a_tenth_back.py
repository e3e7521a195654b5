"""Holds back a tenth of the sentences, which the seed draws."""

CAUGHT_BY = "test_train_tagger"
HINT = "All sentences are learnt from"


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 24, n_tags)
    learnt = rng.permutation(len(sentences))[len(sentences) // 10 :]
    epochs = 6
    for epoch in range(epochs):
        rate = 0.3 * (1 - epoch / epochs)
        for i in rng.permutation(learnt):
            gradients = bptt(p, *sentences[i], np.zeros(24))
            p = {name: p[name] - rate * gradients[name] for name in p}
    return p
