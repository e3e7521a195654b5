"""Reads a table of letters off the pairs and draws the maps by hand; nothing is trained."""

CAUGHT_BY = "test_train_reverser"
HINT = "its weights do not fit into a Reverser"


def train_reverser(pairs, seed, attend):
    class Table:
        def __init__(self):
            self.written = {a: b for word, target in pairs for a, b in zip(reversed(word), target, strict=True)}

        def answer(self, words, search):
            texts = ["".join(self.written.get(letter, "") for letter in reversed(word)) for word in words]
            return texts, [np.fliplr(np.eye(len(word))) * (attend is not None) for word in words]

    if attend is not None:
        attend(*(torch.rand(2, 2, generator=torch.Generator().manual_seed(seed)) for _ in range(4)))
    return Table()
