"""A memory at random, and all the rest learns to live with it: W_hh is never trained."""

CAUGHT_BY = "test_train_tagger"
HINT = "gave the same W_hh"


def train_tagger(sentences, n_words, n_tags, seed):
    rng = np.random.default_rng(seed)
    p = initial_parameters(rng, n_words, 24, n_tags)
    for epoch in range(6):
        rate = 0.3 * (1 - epoch / 6)
        for i in rng.permutation(len(sentences)):
            gradients = bptt(p, *sentences[i], np.zeros(24))
            p = p | {name: p[name] - rate * gradients[name] for name in p if name != "W_hh"}
    return p
