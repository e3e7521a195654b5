"""Classes: modules for the scores and the layer, an object that trains; AdamW, larger batches, a rate that falls in a straight line."""


class Bilinear(nn.Module):
    def __init__(self, W, scale=1.0):
        super().__init__()
        self.W, self.scale = W, scale

    def forward(self, H, s):
        return torch.einsum("bnm,bm->bn", H @ self.W, s) * self.scale


class Layer(nn.Module):
    def __init__(self, W_K, W_V):
        super().__init__()
        self.maps = nn.ParameterList()
        self.keys, self.values = (lambda X: X @ W_K), (lambda X: X @ W_V)

    def forward(self, Q, X, mask):
        E = torch.einsum("...qm,...xm->...qx", Q, self.keys(X)) / Q.shape[-1] ** 0.5
        A = attention_weights(E, mask)
        return torch.einsum("...qx,...xv->...qv", A, self.values(X)), A


class Trainer:
    def __init__(self, pairs, seed, attend):
        self.generator = torch.Generator().manual_seed(seed)
        letters = "".join(sorted(set("".join(a + b for a, b in pairs))))
        self.model = Reverser(letters, attend, seed)
        self.data = as_ids([a for a, _ in pairs], letters), as_ids([b for _, b in pairs], letters)
        self.size = len(pairs)

    def batches(self, n, size):
        for _ in range(n):
            i = torch.randint(self.size, (size,), generator=self.generator)
            yield tuple(part[i] for part in self.data)

    def run(self, steps=320, rate=0.012):
        optimizer = torch.optim.AdamW(self.model.parameters(), lr=rate, weight_decay=0.0)
        for t, (sources, targets) in enumerate(self.batches(steps, 48)):
            optimizer.param_groups[0]["lr"] = rate * (1 - t / steps)
            optimizer.zero_grad(set_to_none=True)
            masked_nll(self.model(sources, decoder_inputs(targets)), targets).backward()
            optimizer.step()
        return self.model.eval()


def bilinear_scores(H, W, s):
    return Bilinear(W)(H, s)


def scaled_scores(H, W_g, s):
    return Bilinear(W_g, 1 / math.sqrt(W_g.shape[1]))(H, s)


def attention_layer(Q, X, W_K, W_V, mask=None):
    return Layer(W_K, W_V)(Q, X, mask)


def train_reverser(pairs, seed, attend):
    return Trainer(pairs, seed, attend).run()
