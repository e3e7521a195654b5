"""Trains the last layer and the embeddings; the other stays as it was drawn."""

CAUGHT_BY = "test_train_language_model"
HINT = "every tensor of tensors(parameters) is trained"


def train_language_model(sentences, vocab_size, seed):
    parameters = initial_parameters(vocab_size, seed)
    trained = [x.requires_grad_() for p in [{"E": parameters["E"]}, parameters["blocks"][-1]] for x in p.values()]
    rng = np.random.default_rng(seed)
    optimiser = torch.optim.Adam(trained, lr=0.005)
    for _ in range(2):
        order = rng.permutation(len(sentences)).tolist()
        for i in range(0, len(order), 16):
            tokens, targets = as_batch([sentences[j] for j in order[i : i + 16]])
            optimiser.zero_grad()
            nll(logits(parameters, tokens, N_HEADS), targets).backward()
            optimiser.step()
    return parameters
