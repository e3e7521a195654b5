"""A dropout on what each block gives, as in the paper."""

CAUGHT_BY = "test_logits"
HINT = "is there chance in it, a dropout"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    for p in parameters["blocks"]:
        X = torch.nn.functional.dropout(block(p, X, n_heads, "pre"), 0.1)
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
