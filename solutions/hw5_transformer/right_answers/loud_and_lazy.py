"""Prints, warns, yields and returns parameters of its own; the cache is a tuple of tuples."""

import itertools
import warnings


def causal_mask(n_queries, n_keys):
    print("a mask for", n_queries, "queries")
    return torch.arange(n_keys)[None].le(torch.arange(n_keys - n_queries, n_keys)[:, None])


def attention_weights(scores, mask):
    seen = mask.long().sum(-1)
    if (seen < 1).any():
        warnings.warn("somebody sees nothing", stacklevel=2)
        raise ValueError("somebody sees nothing")
    return torch.softmax(scores.where(mask, torch.tensor(-torch.inf, dtype=scores.dtype)), -1)


def step(parameters, tokens, cache, n_heads):
    def layers(x):
        for p, (keys, values) in zip(parameters["blocks"], cache, strict=True):
            n = keys.size(2)
            y = layer_norm(x, p["gain_1"], p["bias_1"])
            k = torch.cat((keys, rotate(split_heads(y @ p["W_k"], n_heads), n)), 2)
            v = torch.cat((values, split_heads(y @ p["W_v"], n_heads)), 2)
            q = rotate(split_heads(y @ p["W_q"], n_heads), start=n)
            x = x + merge_heads(attention(q, k, v, torch.ones(1, n + 1, dtype=torch.bool))) @ p["W_o"]
            x = x + feed_forward(p, layer_norm(x, p["gain_2"], p["bias_2"]))
            yield x, (k, v)

    results = list(layers(parameters["E"][tokens].unsqueeze(1)))
    x = layer_norm(results[-1][0], parameters["gain"], parameters["bias"]).squeeze(1)
    return x @ parameters["E"].T, tuple(pair for _, pair in results)


def generate(read, prefix, max_tokens):
    def new():
        cache = None
        for token in itertools.chain([0], prefix):
            scores, cache = read(token, cache)
        while True:
            token = max(range(len(scores)), key=lambda i: (float(scores[i]), -i))
            yield token
            if token == 1:
                return
            scores, cache = read(token, cache)

    return list(itertools.islice(new(), max_tokens))


def train_language_model(sentences, vocab_size, seed):
    print("training on", len(sentences), "sentences")
    parameters = initial_parameters(vocab_size, seed)
    for owner in (parameters, *parameters["blocks"]):
        for name, value in owner.items():
            if torch.is_tensor(value):
                owner[name] = torch.nn.Parameter(value)
    optimiser = torch.optim.RAdam(tensors(parameters), lr=0.01)
    generator = torch.Generator().manual_seed(seed)
    for epoch in range(2):
        order = torch.randperm(len(sentences), generator=generator).tolist()
        for start in range(0, len(order), 20):
            tokens, targets = as_batch([sentences[i] for i in order[start : start + 20]])
            loss = nll(logits(parameters, tokens, N_HEADS), targets)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(tensors(parameters), 1.0)
            optimiser.step()
        print("epoch", epoch, "loss", float(loss))
    return parameters
