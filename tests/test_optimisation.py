"""The lecture's steps, and optimisers against torch's."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from lmkit import optimisation
from lmkit.optimisation import SGD, AdamW, Muon, clip_gradients, minibatch_sgd, orthogonalised, sgd
from tests.doors import INF, NAN, Door


def test_sgd_takes_the_lectures_steps():
    """On J_i(θ) = (θ − x_i)²/2 each step is θ ← θ − η (θ − x_i); every epoch uses every example once, in another order."""
    x, used, theta = np.array([1.0, 4.0, -2.0, 7.0]), [], np.array([0.5])

    def gradient(theta, i):
        assert isinstance(i, int)
        used.append(i)
        return theta - x[i]

    path = list(sgd(gradient, theta, 4, learning_rate=0.1, epochs=6, seed=3))
    assert path[0] == theta == 0.5 and len(path) == 1 + 6 * 4
    for t, i in enumerate(used):
        assert path[t + 1] == path[t] - 0.1 * (path[t] - x[i])
    epochs = [used[k : k + 4] for k in range(0, 24, 4)]
    assert all(sorted(epoch) == [0, 1, 2, 3] for epoch in epochs) and len({tuple(epoch) for epoch in epochs}) > 1


def test_a_batch_of_all_examples_is_gradient_descent():
    """With the mean gradient of all, θ − x̄ shrinks by 1 − η in every step, whatever the order; for tensors too."""
    x = np.array([1.0, 4.0, -2.0])
    for theta in (np.array(9.0), torch.tensor(9.0, dtype=torch.float64)):
        path = list(minibatch_sgd(lambda theta, I_b: theta - x[I_b].mean(), theta, 3, 3, 0.25, epochs=5, seed=0))
        assert np.allclose([float(t) for t in path], 1 + 8 * 0.75 ** np.arange(6), rtol=1e-14)


def test_the_batches_of_an_epoch_are_disjoint_and_shuffled_anew():
    used = []

    def gradient(theta, I_b):
        used.append(tuple(I_b))
        return 0 * theta

    list(minibatch_sgd(gradient, np.zeros(2), 7, 3, 0.1, epochs=4, seed=1))
    epochs = [used[k : k + 3] for k in range(0, 12, 3)]
    assert all(sorted(sum(epoch, ())) == list(range(7)) for epoch in epochs) and len(set(map(tuple, epochs))) == 4


def test_a_gradient_of_another_shape_does_not_broadcast():
    with pytest.raises(ValueError, match=r"gradient must have shape \(3,\), got \(1,\)"):
        list(sgd(lambda theta, i: theta[:1], np.zeros(3), 4, 0.1, 1, 0))


@pytest.mark.parametrize("theta", [np.ones(2), torch.ones(2)], ids=["array", "tensor"])
def test_a_gradient_must_be_of_thetas_kind_and_finite(theta):
    other = torch.ones(2, dtype=torch.float64)
    wrong = [
        None,
        "ab",
        theta * NAN,
        theta > 0,
        theta * 1j,
        theta * INF,
        *([other, [1.0, 2.0]] if isinstance(theta, torch.Tensor) else []),
    ]
    for g in wrong:
        with pytest.raises(ValueError, match="gradient"):
            list(sgd(lambda theta, i, g=g: g, theta, 2, 0.1, 1, 0))


@pytest.mark.parametrize("theta", [np.ones(2), torch.ones(2, requires_grad=True)], ids=["array", "tensor"])
def test_the_parameters_that_sgd_was_given_stay_theirs(theta):
    path = sgd(lambda theta, i: 2 * theta, theta, 2, 0.1, 1, 0)
    first = next(path)
    first[:] = 7
    assert theta[0].item() == 1 and float(next(path)[0]) == pytest.approx(7 * 0.8)
    assert not any(getattr(t, "requires_grad", False) for t in (first, next(path)))  # no graph grows along the way
    for wrong in (NAN, INF):
        with pytest.raises(ValueError, match="theta"):
            sgd(
                lambda theta, i: theta,
                torch.tensor([wrong]) if isinstance(theta, torch.Tensor) else [wrong],
                2,
                0.1,
                1,
                0,
            )


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (lambda p: SGD(p), lambda p: torch.optim.SGD(p, lr=0.05)),
        (lambda p: SGD(p, momentum=0.9), lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9)),
        (
            lambda p: AdamW(p, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1),
            lambda p: torch.optim.AdamW(p, lr=0.05, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1),
        ),
        (lambda p: AdamW(p), lambda p: torch.optim.AdamW(p, lr=0.05, betas=(0.9, 0.99), weight_decay=0)),
    ],
    ids=["SGD", "momentum", "AdamW", "defaults"],
)
def test_optimisers_equal_torchs(ours, theirs):
    torch.manual_seed(0)
    a, b = (nn.Sequential(nn.Linear(5, 3, bias=False), nn.Tanh(), nn.Linear(3, 2, bias=False)).double() for _ in "ab")
    b.load_state_dict(a.state_dict())
    mine, torchs = ours(a.parameters()), theirs(b.parameters())
    for step in range(20):
        x = torch.randn(8, 5, dtype=torch.float64)
        for model in (a, b):
            model.zero_grad()
            model(x).tanh().pow(2).mean().backward()
            if step % 3 == 0:  # one is frozen now and then, and at first
                model[2].weight.grad = None
        mine.step(0.05)
        torchs.step()
    assert all(torch.allclose(p, q, rtol=0, atol=1e-12) for p, q in zip(a.parameters(), b.parameters()))


def test_muon_decays_its_others_too():
    W, other, bias = (nn.Parameter(torch.ones(shape)) for shape in ((3, 3), (3, 3), (3,)))
    for parameter in (W, other, bias):
        parameter.grad = torch.zeros_like(parameter)
    Muon([W], [other, bias], weight_decay=0.5).step(0.1)
    for decayed in (W, other):
        torch.testing.assert_close(decayed.data, torch.full((3, 3), 0.95))
    assert torch.equal(bias, torch.ones(3))


def test_gradients_that_are_not_finite_stay_as_they_are():
    for wrong in (INF, NAN):
        p = nn.Parameter(torch.ones(2))
        p.grad = torch.tensor([wrong, 1.0])
        norm = clip_gradients([p], 0.5)
        assert not math.isfinite(norm) and p.grad[1] == 1 and (p.grad[0] == wrong or p.grad[0].isnan())


def test_sparse_gradients_are_refused():
    table = nn.Embedding(3, 2, sparse=True)
    table(torch.tensor([1])).sum().backward()
    for use in (lambda p: AdamW(p).step(0.1), lambda p: SGD(p).step(0.1), lambda p: clip_gradients(p, 0.1)):
        with pytest.raises(ValueError, match="parameters have sparse gradients"):
            use(table.parameters())


def test_biases_are_not_decayed():
    p = nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(3, 3))
    for parameter in p:
        parameter.grad = torch.zeros_like(parameter)
    AdamW(p, weight_decay=0.5).step(0.1)
    assert torch.equal(p[0], torch.ones(3)) and torch.allclose(p[1], torch.full((3, 3), 0.95))


@pytest.mark.parametrize("max_norm", [0.5, 3.0, 4.4, 4.6, 100.0, math.inf])
def test_clipping_equals_torchs(max_norm):
    """On gradients of norm 4.5, with lengths above it, a little below and far below."""
    parameters = [nn.Parameter(torch.zeros(n, dtype=torch.float64)) for n in (4, 3)]
    unused = nn.Parameter(torch.zeros(2))
    gradients = torch.randn(7, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    gradients *= 4.5 / gradients.norm()
    expected, found = [], []
    for clip, into in ((nn.utils.clip_grad_norm_, expected), (clip_gradients, found)):
        for p, g in zip(parameters, gradients.split([4, 3])):
            p.grad = g.clone()
        assert math.isclose(clip([*parameters, unused], max_norm), 4.5, rel_tol=1e-12)
        into += [p.grad for p in parameters]
    assert all(torch.allclose(a, b, rtol=1e-5) for a, b in zip(found, expected))  # torch divides by the norm + 1e-6


@pytest.mark.parametrize("shape", [(6, 6), (4, 9), (12, 3)])
def test_orthogonalising_keeps_directions_and_evens_out_singular_values(shape):
    G = torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    U, _, Vt = torch.linalg.svd(G, full_matrices=False)
    G = U * torch.logspace(0, -1.5, len(Vt), dtype=torch.float64) @ Vt  # the largest 30 times the smallest
    scaled = U.T @ orthogonalised(G) @ Vt.T  # diagonal, if the directions are kept
    assert torch.allclose(scaled, torch.diag(scaled.diag()), atol=1e-10)
    assert 0.65 < scaled.diag().min() and scaled.diag().max() < 1.25


def test_orthogonalising_applies_the_papers_polynomial_five_times():
    """Jordan et al. (2024): the singular value s of the scaled matrix becomes 3.4445 s − 4.7750 s³ + 2.0315 s⁵, five times."""
    s = torch.tensor([3.0, 4.0], dtype=torch.float64)
    expected = s / 5
    for _ in range(5):
        expected = 3.4445 * expected - 4.7750 * expected**3 + 2.0315 * expected**5
    assert torch.allclose(orthogonalised(torch.diag(s)).diag(), expected, rtol=1e-6)


def test_muon_takes_torchs_steps():
    """PyTorch orthogonalises in bfloat16, which keeps three digits; momentum, scale and decay are the same."""
    torch.manual_seed(0)
    ours, theirs = nn.Linear(8, 5), nn.Linear(8, 5)
    theirs.load_state_dict(ours.state_dict())
    start = ours.weight.detach().clone()
    muon = Muon([ours.weight], [ours.bias], weight_decay=0.1)
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


def test_muons_steps_are_those_of_its_formulas():
    """v ← μ v + g; ahead = g + μ v; W ← (1 − η λ) W − 0.2 √max(rows, columns) η U Vᵀ of ahead."""
    generator = torch.Generator().manual_seed(0)
    W, *gradients = (torch.randn(3, 7, dtype=torch.float64, generator=generator) for _ in range(4))
    W, velocity = nn.Parameter(W), torch.zeros(3, 7)
    muon = Muon([W], weight_decay=0.5, momentum=0.6)
    for g in gradients:
        velocity = 0.6 * velocity + g
        expected = (1 - 0.05) * W.detach() - 0.1 * 0.2 * math.sqrt(7) * orthogonalised(g + 0.6 * velocity)
        W.grad = g.clone()
        muon.step(0.1)
        assert torch.allclose(W, expected, rtol=0, atol=1e-7)


def test_parameters_without_a_gradient_stay():
    for make in (SGD, AdamW, Muon):
        used, unused, frozen = (nn.Parameter(torch.ones(2, 2)) for _ in range(3))
        frozen.requires_grad_(False)
        optimiser = make([used, unused, frozen])
        used.grad = frozen.grad = torch.ones(2, 2)
        optimiser.step(0.1)
        assert len(optimiser.parameters) == 2 and not torch.equal(used, torch.ones(2, 2))
        assert torch.equal(unused, torch.ones(2, 2)) and torch.equal(frozen, torch.ones(2, 2))


def test_settings_are_the_hyperparameters():
    p = weights()
    assert AdamW(p, eps=1e-6).settings == {"betas": (0.9, 0.99), "eps": 1e-6, "weight_decay": 0.0}
    assert Muon(p).settings == {"momentum": 0.95, "weight_decay": 0.0} and SGD(p).settings == {"momentum": 0.0}


# --- Doors ------------------------------------------------------------------------------------------------------------


def weights(*shapes, gradient=True):
    """Parameters, with a gradient of ones."""
    parameters = [nn.Parameter(torch.ones(shape)) for shape in shapes or [(2, 3)]]
    for p in parameters:
        p.grad = torch.ones_like(p) if gradient else None
    return parameters


def descent(algorithm, **arguments):
    return list(algorithm(**arguments))


def exhausted():
    parameters = iter(weights())
    list(parameters)
    return parameters


twice = weights() * 2
NO_PARAMETERS = [None, 3, "weights", {}, [], exhausted(), [1.0], ["weight"], [np.ones(3)], nn.Linear(2, 2), torch.ones(2),
                 list(nn.Linear(2, 2).named_parameters()), [torch.ones(2)], [weights()[0] * 2], [None], twice]  # fmt: skip
RATES = [None, "3", True, NAN, INF, -0.1, [0.1]]
DESCENT = {
    "gradient": ["callable", 3, None, lambda theta, i: np.zeros(2), lambda theta, i: 0.0],
    "theta": [None, "x", ["a"], [NAN, 1.0, 1.0], [INF, 1.0, 1.0], [True, False, True], torch.tensor([1, 2, 3]), {}],
    "num_examples": "count",
    "learning_rate": [*RATES, 0],
    "epochs": "count",
    "seed": "seed",
}


def good_descent(**more):
    return {
        "gradient": lambda theta, i: theta * 0.1,
        "theta": np.ones(3),
        "num_examples": 4,
        "learning_rate": 0.1,
        "epochs": 2,
        "seed": 0,
        **more,
    }


def stepping(make):
    return lambda learning_rate: make(weights()).step(learning_rate)


DOORS = [
    Door(lambda **a: descent(sgd, **a), good_descent, DESCENT, "optimisation.sgd"),
    Door(
        lambda **a: descent(minibatch_sgd, **a),
        lambda: good_descent(batch_size=3),
        DESCENT | {"batch_size": "count"},
        "optimisation.minibatch_sgd",
    ),
    Door(
        SGD,
        lambda: {"parameters": weights(), "momentum": 0.5},
        {"parameters": NO_PARAMETERS, "momentum": ["probability", None, -0.1, 1, NAN, True]},
    ),
    Door(
        AdamW,
        lambda: {"parameters": weights(), "betas": (0.9, 0.99), "eps": 1e-8, "weight_decay": 0.1},
        {
            "parameters": NO_PARAMETERS,
            "betas": [
                None,
                0.9,
                (0.9,),
                (0.9, 0.9, 0.9),
                (0.9, 1.0),
                (-0.1, 0.9),
                (NAN, 0.9),
                ("0.9", 0.9),
                {0.9, 0.99},
            ],
            "eps": ["x", 0, *RATES],
            "weight_decay": RATES,
        },
    ),
    Door(
        Muon,
        lambda: {"matrices": weights(), "others": weights((3,)), "momentum": 0.9, "weight_decay": 0.1},
        {
            "matrices": [*NO_PARAMETERS, weights((3,)), weights((2, 3, 4))],
            "others": [None, 3, "weights", {"b": 1}, [1.0], [np.ones(3)], nn.Linear(2, 2), torch.ones(2), twice],
            "momentum": [None, "x", -0.1, 1, NAN, True],
            "weight_decay": RATES,
        },
        clashes={"others": [lambda good: good["matrices"]]},
    ),
    *(
        Door(stepping(make), lambda: {"learning_rate": 0.1}, {"learning_rate": RATES}, "optimisation.Optimiser.step")
        for make in (SGD, AdamW, Muon)
    ),
    Door(
        orthogonalised,
        lambda: {"G": torch.randn(3, 4)},
        {"G": [None, "x", torch.ones(3), torch.ones(2, 3, 4), np.ones((3, 4)), [[1.0]], torch.ones(2, 2).long()]},
    ),  # fmt: skip
    Door(
        clip_gradients,
        lambda: {"parameters": weights(), "max_norm": 1.0},
        {
            "parameters": [*NO_PARAMETERS, weights(gradient=False)],
            "max_norm": [None, "1", True, NAN, 0, -1, -INF],
        },
    ),
]


def test_a_step_without_a_gradient_is_refused():
    for make in (SGD, AdamW, Muon):
        with pytest.raises(ValueError, match="parameters have no gradient"):
            make(weights(gradient=False)).step(0.1)


def test_an_unknown_kind_of_update_cannot_be_made():
    with pytest.raises(TypeError, match="abstract"):
        optimisation.Optimiser(weights())


@pytest.mark.parametrize("learning_rate", [np.uint8(1), np.float16(0.001)])
def test_a_learning_rate_of_numpys_own_types_is_a_float(learning_rate):
    """Minus an unsigned 1 is 255, and 1 − η λ in half precision is 1."""
    moved = []
    for given in (learning_rate, float(learning_rate)):
        weight = nn.Parameter(torch.ones(1))
        weight.grad = torch.ones(1)
        AdamW([weight], weight_decay=0.1).step(given)
        moved.append(weight.item())
    assert moved[0] == moved[1]
