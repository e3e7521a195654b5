"""Loops and plain dictionaries, nothing imported, no function calls another one of the homework."""


def joint_probability(factors):
    product = 1
    for factor in factors:
        product = product * factor
    return product


def log_probability(factors):
    if 0 in factors:
        return float("-inf")
    total = 0.0
    for factor in factors:
        total += math.log(factor)
    return total


def events(sentence, n):
    result = []
    for t in range(len(sentence) + 1):
        context = []
        for j in range(t - n + 1, t):
            context.append(sentence[j] if j >= 0 else "<bos>")
        result.append((tuple(context), sentence[t] if t < len(sentence) else "<eos>"))
    return result


def count_ngrams(sentences, n):
    counts = {}
    for sentence in sentences:
        context = ["<bos>"] * (n - 1)
        for word in sentence + ["<eos>"]:
            key = tuple(context)
            if key not in counts:
                counts[key] = {}
            if word not in counts[key]:
                counts[key][word] = 0
            counts[key][word] += 1
            context.append(word)
            context.pop(0)
    return counts


def mle(counts, context, word):
    if context not in counts or word not in counts[context]:
        return 0
    total = 0
    for other in counts[context]:
        total += counts[context][other]
    return counts[context][word] / total


def roll(weights, rng):
    total = 0
    for word in weights:
        total += weights[word]
    u = rng.uniform(0, total)
    for word in weights:
        if u < weights[word]:
            return word
        u -= weights[word]


def generate(counts, n, rng, max_words=50):
    text = ["<bos>"] * (n - 1)
    while len(text) < max_words + n - 1:
        word = roll(counts[tuple(text[len(text) - n + 1 :])], rng)
        if word == "<eos>":
            break
        text.append(word)
    return text[n - 1 :]


def cross_entropy(log_probs, unit="nats"):
    if unit == "nats":
        size = 1
    elif unit == "bits":
        size = math.log(2)
    else:
        raise ValueError("unknown unit " + str(unit))
    total = 0
    for log_prob in log_probs:
        total += log_prob
    return -total / len(log_probs) / size


def perplexity(log_probs):
    total = 0
    for log_prob in log_probs:
        total += log_prob
    return math.e ** (-total / len(log_probs))


def vocabulary(sentences):
    seen = set(["<eos>"])
    for sentence in sentences:
        for word in sentence:
            seen.add(word)
    return seen


def add_k(counts, context, word, k, vocabulary_size):
    count, total = 0, 0
    if context in counts:
        for other in counts[context]:
            total += counts[context][other]
            if other == word:
                count = counts[context][other]
    return (count + k) / (total + k * vocabulary_size)


def interpolate(tables, context, word, weights):
    result = 0
    for i in range(len(tables)):
        shorter = context
        while len(shorter) > i:
            shorter = shorter[1:]
        row = tables[i][shorter] if shorter in tables[i] else {}
        if word in row:
            result += weights[i] * row[word] / sum(row.values())
    return result


def continuation_probability(bigrams, word):
    before, everything = 0, 0
    for context in bigrams:
        for other in bigrams[context]:
            if bigrams[context][other] > 0:
                everything += 1
                if other == word:
                    before += 1
    return before / everything


def kneser_ney(bigrams, previous, word, discount):
    if (previous,) not in bigrams:
        return continuation_probability(bigrams, word)
    row = bigrams[(previous,)]
    total, saved = 0, 0
    for other in row:
        total += row[other]
        if row[other] > 0:
            saved += discount
    p = saved / total * continuation_probability(bigrams, word)
    if word in row and row[word] > 0:
        p += (row[word] - discount) / total
    return p


def excess_bits(log_probs, entropy_bits):
    total = 0
    for log_prob in log_probs:
        total -= log_prob
    return total / math.log(2) / len(log_probs) - entropy_bits
