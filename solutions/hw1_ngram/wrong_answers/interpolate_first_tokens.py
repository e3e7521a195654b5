"""Takes the first i - 1 tokens of the context for the last ones."""

CAUGHT_BY = "test_interpolate"
HINT = "the last token of the context"


def interpolate(tables, context, word, weights):
    return sum(
        weight * mle(table, context[:i], word) for i, (table, weight) in enumerate(zip(tables, weights, strict=True))
    )
