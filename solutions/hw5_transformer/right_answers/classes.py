"""Layers are modules that take their parameters from the dictionary."""


class Norm(torch.nn.Module):
    """LayerNorm with a gain and a bias that it is given."""

    def __init__(self, gain, bias, eps=1e-5):
        super().__init__()
        self.gain, self.bias, self.eps = gain, bias, eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        deviation = (x.var(-1, keepdim=True, unbiased=False) + self.eps) ** 0.5
        return (x - mean) / deviation * self.gain + self.bias


class Residual(torch.nn.Module):
    """A sublayer with its norm and its residual connection."""

    def __init__(self, norm, sub, first):
        super().__init__()
        self.norm, self.sub, self.first = norm, sub, first

    def forward(self, x):
        return x + self.sub(self.norm(x)) if self.first else self.norm(x + self.sub(x))


class Model(torch.nn.Module):
    """Embeddings, layers, norm, embeddings."""

    def __init__(self, parameters, n_heads):
        super().__init__()
        self.E = torch.nn.Embedding.from_pretrained(parameters["E"], freeze=False)
        self.E.weight = torch.nn.Parameter(parameters["E"]) if not parameters["E"].requires_grad else self.E.weight
        self.parameters_, self.n_heads = parameters, n_heads

    def forward(self, tokens):
        x = self.parameters_["E"][tokens]
        for p in self.parameters_["blocks"]:
            x = block(p, x, self.n_heads, "pre")
        return Norm(self.parameters_["gain"], self.parameters_["bias"])(x) @ self.parameters_["E"].T


def layer_norm(X, gain, bias, eps=1e-5):
    return Norm(gain, bias, eps)(X)


def block(p, X, n_heads, norm):
    if norm not in {"pre", "post"}:
        raise ValueError(f"no such norm: {norm}")
    layer = torch.nn.Sequential(
        Residual(Norm(p["gain_1"], p["bias_1"]), lambda x: self_attention(p, x, n_heads), norm == "pre"),
        Residual(Norm(p["gain_2"], p["bias_2"]), lambda x: feed_forward(p, x), norm == "pre"),
    )
    return layer(X)


def logits(parameters, tokens, n_heads):
    return Model(parameters, n_heads)(tokens)
