"""Objects that remember what they were asked, thrown away with every call; imports inside functions."""


class Row:
    """One line of a table."""

    def __init__(self, counts):
        self.counts = {word: count for word, count in counts.items() if count}
        self.total = sum(self.counts.values())

    def __getitem__(self, word):
        return self.counts.get(word, 0)

    def __len__(self):
        return len(self.counts)


class Die:
    """Cumulative weights and a bisection."""

    def __init__(self, weights):
        from itertools import accumulate

        row = Row(weights)
        self.sides, self.cumulative = list(row.counts), list(accumulate(row.counts.values()))

    def throw(self, rng):
        from bisect import bisect_right

        u = rng.random() * self.cumulative[-1]
        return self.sides[min(bisect_right(self.cumulative, u), len(self.sides) - 1)]


def roll(weights, rng):
    return Die(weights).throw(rng)


def mle(counts, context, word):
    row = Row(counts.get(context, {}))
    return row[word] / row.total if row.total else 0.0


def add_k(counts, context, word, k, vocabulary_size):
    row = Row(counts.get(context, {}))
    return (row[word] + k) / (row.total + k * vocabulary_size)


def continuation_probability(bigrams, word):
    rows = [Row(row) for row in bigrams.values()]
    return sum(row[word] > 0 for row in rows) / sum(map(len, rows))


def kneser_ney(bigrams, previous, word, discount):
    row = Row(bigrams.get((previous,), {}))
    lower = continuation_probability(bigrams, word)
    return max(row[word] - discount, 0) / row.total + discount * len(row) / row.total * lower if row.total else lower


def perplexity(log_probs):
    from statistics import fmean

    return math.exp(-fmean(map(float, log_probs)))
