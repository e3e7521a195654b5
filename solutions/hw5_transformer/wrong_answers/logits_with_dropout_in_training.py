"""A dropout that acts only where torch differentiates, as a layer of torch in training."""

CAUGHT_BY = "test_logits"
HINT = "a dropout where gradients are asked for"


def logits(parameters, tokens, n_heads):
    X = parameters["E"][tokens]
    X = torch.nn.functional.dropout(X, 0.1, training=X.requires_grad)
    for p in parameters["blocks"]:
        X = block(p, X, n_heads, "pre")
    return layer_norm(X, parameters["gain"], parameters["bias"]) @ parameters["E"].T
