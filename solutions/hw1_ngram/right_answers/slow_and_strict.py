"""Counts by list.count, once for each event; refuses or adds up what the statement rules out; a number is an array of one."""


def count_ngrams(sentences, n):
    all_events = [event for sentence in sentences for event in events(sentence, n)]
    counts = {}
    for context, word in all_events:
        counts.setdefault(context, {})[word] = all_events.count((context, word))
    return counts


def mle(counts, context, word):
    if any(len(other) != len(context) for other in counts):
        raise ValueError(f"a table whose contexts are as long as {context} is needed")
    row = counts.get(context, {})
    total = sum(row.values())
    return row.get(word, 0) / total if total else 0


def add_k(counts, context, word, k, vocabulary_size):
    if context == ():  # 1-grams: all words
        row = sum((Counter(row) for row in counts.values()), Counter())
    else:
        row = counts.get(context, {})
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocabulary_size)


def excess_bits(log_probs, entropy_bits):
    return -np.atleast_2d(log_probs).mean(axis=1) / np.log(2) - entropy_bits
