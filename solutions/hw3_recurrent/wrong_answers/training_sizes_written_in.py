"""35 words and 4 tags are written into the function."""

CAUGHT_BY = "test_train_tagger"
HINT = "with 36 words and 5 tags yours raises ValueError"


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, 35, 24, 4)
    for epoch in range(6):
        rate = 0.3 * (1 - epoch / 6)
        for i in rng.permutation(len(sentences)):
            gradients = bptt(p, *sentences[i], np.zeros(24))
            p = {name: p[name] - rate * gradients[name] for name in p}
    return p
