"""The lecture's steps, and optimisers against torch's."""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from lmkit import optimisation


def test_sgd_takes_the_lectures_steps():
    """On J_i(θ) = (θ − x_i)²/2 each step is θ ← θ − η (θ − x_i), written out here."""
    x = np.array([1.0, 4.0, -2.0])
    path = list(optimisation.sgd(lambda theta, i: theta - x[i], np.array(0.5), 3, learning_rate=0.1, epochs=4, seed=3))
    assert len(path) == 1 + 4 * 3 and path[0] == 0.5
    for epoch in range(4):
        used = [
            x[np.argmin([abs(b - (a - 0.1 * (a - xi))) for xi in x])]
            for a, b in pairwise(path[3 * epoch : 3 * epoch + 4])
        ]
        assert sorted(used) == sorted(x)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (lambda p: optimisation.SGD(p, momentum=0.9), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9)),
        (
            lambda p: optimisation.AdamW(p, betas=(0.9, 0.95), weight_decay=0.1),
            lambda p: torch.optim.AdamW(p, lr=0.05, betas=(0.9, 0.95), weight_decay=0.1),
        ),
    ],
    ids=["SGD", "AdamW"],
)
def test_optimisers_equal_torchs(ours, theirs):
    torch.manual_seed(0)
    a = nn.Linear(5, 3, bias=False).double()
    b = nn.Linear(5, 3, bias=False).double()
    b.load_state_dict(a.state_dict())
    mine, torchs = ours(a.parameters()), theirs(b.parameters())
    for _ in range(20):
        x = torch.randn(8, 5, dtype=torch.float64)
        for model in (a, b):
            model.zero_grad()
            model(x).tanh().pow(2).mean().backward()
        mine.step(0.05)
        torchs.step()
    assert torch.allclose(a.weight, b.weight, rtol=0, atol=1e-12)


def test_clipping_equals_torchs():
    model = nn.Linear(4, 4)
    model(torch.randn(3, 4)).pow(2).sum().backward()
    before = [p.grad.clone() for p in model.parameters()]
    norm = optimisation.clip_gradients(model.parameters(), 0.5)
    after = [p.grad.clone() for p in model.parameters()]
    for p, g in zip(model.parameters(), before):
        p.grad = g
    assert math.isclose(norm, nn.utils.clip_grad_norm_(model.parameters(), 0.5).item(), rel_tol=1e-5)
    assert all(torch.allclose(p.grad, g, rtol=1e-4) for p, g in zip(model.parameters(), after))


def test_a_sparse_gradient_updates_the_rows_that_were_used():
    """As torch.optim.SparseAdam does, also after clipping; the two add ε before and after undoing the bias."""
    torch.manual_seed(0)
    ours, theirs = (nn.Embedding(7, 3, sparse=True).double() for _ in range(2))
    theirs.load_state_dict(ours.state_dict())
    start = ours.weight.detach().clone()
    adamw = optimisation.AdamW(ours.parameters(), eps=1e-30, weight_decay=0.1)
    sparse_adam = torch.optim.SparseAdam(theirs.parameters(), lr=0.05, betas=(0.9, 0.99), eps=1e-30)
    for tokens in ([1, 2, 2, 5], [2, 0, 5, 5], [1, 1, 1, 1]):
        for model in (ours, theirs):
            model.zero_grad()
            model(torch.tensor(tokens)).exp().sum().backward()
        norm = optimisation.clip_gradients(ours.parameters(), 2.0)
        dense = theirs.weight.grad.to_dense()
        assert math.isclose(norm, dense.norm().item()) and norm > 2
        theirs.weight.grad = (dense * 2 / norm).to_sparse(1)
        adamw.step(0.05)
        sparse_adam.step()
    assert torch.allclose(ours.weight, theirs.weight, rtol=0, atol=1e-12)
    assert torch.equal(ours.weight[[3, 4, 6]], start[[3, 4, 6]])


@pytest.mark.parametrize("shape", [(6, 6), (4, 9), (12, 3)])
def test_orthogonalising_keeps_directions_and_evens_out_singular_values(shape):
    G = torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    U, _, Vt = torch.linalg.svd(G, full_matrices=False)
    G = U * torch.logspace(0, -1.5, len(Vt), dtype=torch.float64) @ Vt  # the largest 30 times the smallest
    scaled = U.T @ optimisation.orthogonalised(G) @ Vt.T  # diagonal, if the directions are kept
    assert torch.allclose(scaled, torch.diag(scaled.diag()), atol=1e-10)
    assert 0.65 < scaled.diag().min() and scaled.diag().max() < 1.25


def test_muon_takes_torchs_steps():
    """PyTorch orthogonalises in bfloat16, which keeps three digits; momentum, scale and decay are the same."""
    torch.manual_seed(0)
    ours, theirs = nn.Linear(8, 5), nn.Linear(8, 5)
    theirs.load_state_dict(ours.state_dict())
    start = ours.weight.detach().clone()
    muon = optimisation.Muon([ours.weight], [ours.bias], weight_decay=0.1)
    torch_muon = torch.optim.Muon([theirs.weight], lr=0.02, weight_decay=0.1, adjust_lr_fn="match_rms_adamw")
    torch_adamw = torch.optim.AdamW([theirs.bias], lr=0.02, betas=(0.9, 0.99), weight_decay=0.0)
    for _ in range(10):
        x = torch.randn(16, 8)
        for model in (ours, theirs):
            model.zero_grad()
            model(x).tanh().pow(2).mean().backward()
        muon.step(0.02)
        torch_muon.step()
        torch_adamw.step()
    moved = (ours.weight - start).norm()
    assert (ours.weight - theirs.weight).norm() < 0.03 * moved
    assert torch.allclose(ours.bias, theirs.bias, atol=0.003)
    with pytest.raises(ValueError, match="two dimensions, got a parameter of shape \\(5,\\)"):
        optimisation.Muon([ours.bias])
