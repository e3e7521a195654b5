"""A model is an object; functions ask it."""


class Model:
    """What the homework calls a shape, with everything that follows from it."""

    def __init__(self, n_layers, d_model, n_heads, d_head, d_ff, vocab_size=50257, context_length=2048, **flags):
        self.n_layers, self.d_model, self.n_heads, self.d_head, self.d_ff = n_layers, d_model, n_heads, d_head, d_ff
        self.vocab_size, self.context_length = vocab_size, context_length
        self.final_norm, self.tied = flags.get("final_norm", True), flags.get("tied", True)

    @property
    def maps(self):
        inner = self.n_heads * self.d_head
        d = self.d_model
        return [(d, inner)] * 3 + [(inner, d), (d, self.d_ff), (self.d_ff, d)]

    @property
    def block(self):
        return sum(a * b + b for a, b in self.maps) + 4 * self.d_model

    @property
    def size(self):
        tables = self.vocab_size * (1 if self.tied else 2) + self.context_length
        return tables * self.d_model + self.n_layers * self.block + (2 * self.d_model if self.final_norm else 0)

    def forward(self, length, clever):
        per_token = self.n_layers * sum(a * b for a, b in self.maps) + self.vocab_size * self.d_model
        return 2 * per_token + self.scores(length, clever) / length

    def scores(self, length, clever):
        pairs = length * (length + 1) / 2 if clever else length**2
        return 4 * self.n_layers * self.n_heads * self.d_head * pairs


def layer_parameters(d_model, n_heads, d_head, d_ff):
    return Model(1, d_model, n_heads, d_head, d_ff).block


def model_parameters(shape):
    return Model(**shape).size


def attention_flops(shape, length, clever):
    return Model(**shape).scores(length, clever)


def training_flops_per_token(shape, length, clever=False):
    return 3 * Model(**shape).forward(length, clever)


def row_problems(row):
    model = Model(row["n_layers"], row["d_model"], row["n_heads"], row["d_head"], 4 * row["d_model"])
    heads = model.n_heads * model.d_head == model.d_model
    return frozenset(["heads"] * (not heads) + ["size"] * (not rounds_to(model.size, row["size"])))


def repairs(row):
    n, d, h, size = (row[key] for key in ("n_layers", "d_model", "n_heads", "d_head"))
    candidates = {"d_model": (h * size, h, size), "n_heads": (d, d // size, size), "d_head": (d, h, d // h)}
    return {
        key: Model(n, width, heads, each, 4 * width).size
        for key, (width, heads, each) in candidates.items()
        if heads * each == width and h * size != d
    }
