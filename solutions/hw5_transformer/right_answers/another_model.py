"""One wide layer, batches of sentences of one length, a falling learning rate; a step by way of a block with a past."""

import random


def block(p, X, n_heads, norm):
    attend, forward = (lambda x: self_attention(p, x, n_heads)), (lambda x: feed_forward(p, x))
    match norm:
        case "pre":
            for sub, i in ((attend, 1), (forward, 2)):
                X = X + sub(layer_norm(X, p[f"gain_{i}"], p[f"bias_{i}"]))
        case "post":
            for sub, i in ((attend, 1), (forward, 2)):
                X = layer_norm(X + sub(X), p[f"gain_{i}"], p[f"bias_{i}"])
        case _:
            raise ValueError("pre or post")
    return X


def logits(parameters, tokens, n_heads):
    def through(X, blocks):
        return through(block(blocks[0], X, n_heads, "pre"), blocks[1:]) if blocks else X

    X = through(torch.embedding(parameters["E"], tokens), parameters["blocks"])
    return torch.inner(layer_norm(X, parameters["gain"], parameters["bias"]), parameters["E"])


def train_language_model(sentences, vocab_size, seed):
    parameters = initial_parameters(vocab_size, seed, d=64, n_layers=1)
    leaves = tensors(parameters)
    for leaf in leaves:
        leaf.requires_grad = True
    rng = random.Random(seed)
    optimiser = torch.optim.AdamW(leaves, lr=0.006, weight_decay=0.01)
    ordered = sorted(sentences, key=len)
    cut = [ordered[i : i + 12] for i in range(0, len(ordered), 12)]
    n_steps = 3 * len(cut)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, n_steps)
    for _ in range(3):
        rng.shuffle(cut)
        for sentences_of_one_length in cut:
            tokens, targets = as_batch(sentences_of_one_length)
            optimiser.zero_grad()
            nll(logits(parameters, tokens, N_HEADS), targets).backward()
            optimiser.step()
            schedule.step()
    return parameters
