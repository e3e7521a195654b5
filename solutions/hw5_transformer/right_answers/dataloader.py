"""A DataLoader, a progress bar, keyword-only arguments and an entry of its own; the loss in single precision, by one-hot rows."""

from torch.utils.data import DataLoader
from tqdm import tqdm


def nll(Z, targets):
    Z, keep = Z.float(), (targets + 1).bool()
    chosen = torch.nn.functional.one_hot(targets.clamp(min=0), Z.shape[-1]).bool() & keep[..., None]
    return (torch.logsumexp(Z[keep], -1) - Z[chosen]).mean()


def train_language_model(sentences, vocab_size, seed, *, n_layers=2, n_epochs=2, quiet=False):
    parameters = initial_parameters(vocab_size, seed, n_layers=n_layers)
    weights = [weight.requires_grad_() for weight in tensors(parameters)]
    optimiser = torch.optim.Adam(weights, lr=4e-3, betas=(0.9, 0.99))
    generator = torch.Generator().manual_seed(seed)
    loader = DataLoader(sentences, batch_size=16, shuffle=True, collate_fn=as_batch, generator=generator)
    for _ in range(n_epochs):
        for tokens, targets in tqdm(loader, disable=quiet):
            loss = nll(logits(parameters, tokens, N_HEADS), targets)
            optimiser.zero_grad(set_to_none=False)
            loss.backward()
            optimiser.step()
    return {**parameters, "losses": [float(loss)]}
