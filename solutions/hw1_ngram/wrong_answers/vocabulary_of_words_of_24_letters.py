"""Collects the words in an array of texts of 24 letters."""

CAUGHT_BY = "test_vocabulary"
HINT = "every entry of a sentence is a word as it is written, however long"


def vocabulary(sentences):
    words = np.array([EOS, *(word for sentence in sentences for word in sentence)], dtype="U24")
    return set(np.unique(words).tolist())
