"""Learning by gradient: SGD as the lecture writes it, and the optimisers that replace its fixed step.

``sgd`` and ``minibatch_sgd`` are the lecture's two algorithms, for any function. The classes below do one update of a
model's parameters, for ``lmkit.training.train``.
"""

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import torch
from torch import Tensor, nn

from lmkit.batches import shuffled_batches


def sgd(
    gradient: Callable,
    theta: np.ndarray | Tensor,
    num_examples: int,
    learning_rate: float,
    epochs: int,
    seed: int,
) -> Iterator:
    """Stochastic gradient descent, one example a step: yields θ⁽⁰⁾, θ⁽¹⁾, … (Robbins & Monro 1951).

    Args:
        gradient: ``gradient(theta, i)`` is ∇J_i(θ), the gradient of the loss on example i of 0 … num_examples−1.
        theta: the parameters θ⁽⁰⁾, an array or tensor; it is not changed.
    """
    rng = np.random.default_rng(seed)
    yield theta
    for _ in range(epochs):
        for i in rng.permutation(num_examples):
            theta = theta - learning_rate * gradient(theta, i)
            yield theta


def minibatch_sgd(
    gradient: Callable,
    theta: np.ndarray | Tensor,
    num_examples: int,
    batch_size: int,
    learning_rate: float,
    epochs: int,
    seed: int,
) -> Iterator:
    """``sgd`` with the mean gradient of a batch: ``gradient(theta, I_b)`` gets the array of indices I_b of a batch."""
    yield theta
    for epoch in range(epochs):
        for batch in shuffled_batches(num_examples, batch_size, seed, epoch):
            theta = theta - learning_rate * gradient(theta, batch)
            yield theta


class Optimiser:
    """Changes parameters along their ``.grad``. A subclass defines ``step`` and keeps what it remembers in ``state``.

    Attributes:
        state: tensors, numbers and lists of them; saved with a checkpoint and restored by assignment.
    """

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        self.parameters = [p for p in parameters if p.requires_grad]
        self.state: dict = {}

    def step(self, learning_rate: float) -> None:
        """Update every parameter once."""
        raise NotImplementedError


class SGD(Optimiser):
    """θ ← θ − η v with v ← momentum · v + g; without momentum the lecture's update (``torch.optim.SGD``)."""

    def __init__(self, parameters: Iterable[nn.Parameter], momentum: float = 0.0) -> None:
        super().__init__(parameters)
        self.momentum = momentum
        self.state = {"velocity": [torch.zeros_like(p) for p in self.parameters]}

    @torch.no_grad()
    def step(self, learning_rate: float) -> None:
        """See ``Optimiser.step``."""
        for p, velocity in zip(self.parameters, self.state["velocity"], strict=True):
            if p.grad is not None:
                velocity.mul_(self.momentum).add_(p.grad)
                p.sub_(velocity, alpha=learning_rate)


class AdamW(Optimiser):
    """Adam with decoupled weight decay (Kingma & Ba 2015; Loshchilov & Hutter 2019).

    Each weight moves by the running mean of its gradient over the root of the running mean of its square. Only
    matrices are decayed: shrinking biases and normalisation gains does not regularise.

    Of a table with a sparse gradient (``torch.nn.functional.embedding(..., sparse=True)``) only the rows that the batch
    has used are updated, means included, and none are decayed, as in ``torch.optim.SparseAdam``.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        betas: tuple[float, float] = (0.9, 0.99),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(parameters)
        self.betas, self.eps, self.weight_decay = betas, eps, weight_decay
        zeros = [[torch.zeros_like(p) for p in self.parameters] for _ in range(2)]
        self.state = {"updates": 0, "mean": zeros[0], "square": zeros[1]}

    @torch.no_grad()
    def step(self, learning_rate: float) -> None:
        """See ``Optimiser.step``."""
        self.state["updates"] += 1
        beta1, beta2 = self.betas
        # Both running means start at 0; dividing by what they would be for a constant 1 takes the bias out.
        unbias1, unbias2 = (1 - beta ** self.state["updates"] for beta in self.betas)
        for p, mean, square in zip(self.parameters, self.state["mean"], self.state["square"], strict=True):
            if p.grad is None:
                continue
            if p.grad.is_sparse:
                gradient = p.grad.coalesce()
                rows, gradient = gradient.indices()[0], gradient.values()
                used_mean = mean[rows].lerp_(gradient, 1 - beta1)
                used_square = square[rows].mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
                mean[rows], square[rows] = used_mean, used_square
                step = used_mean / (used_square / unbias2).sqrt_().add_(self.eps)
                p.index_add_(0, rows, step, alpha=-learning_rate / unbias1)
                continue
            if p.ndim > 1 and self.weight_decay:
                p.mul_(1 - learning_rate * self.weight_decay)
            mean.lerp_(p.grad, 1 - beta1)
            square.mul_(beta2).addcmul_(p.grad, p.grad, value=1 - beta2)
            p.addcdiv_(mean, (square / unbias2).sqrt_().add_(self.eps), value=-learning_rate / unbias1)


class Muon(Optimiser):
    """AdamW for most parameters, and for the given matrices steps whose singular values are all about equal.

    A gradient of a matrix has few large singular values and many small ones: Adam and SGD follow the few. Muon puts
    U Vᵀ in place of the momentum U Σ Vᵀ, so that all directions are learned at one pace (Jordan et al. 2024). Scaled
    by 0.2 √max(rows, columns), a step is as long as a typical one of AdamW (Liu et al. 2025): one learning rate for both.

    Args:
        matrices: hidden weight matrices, (rows, columns). Embeddings and output matrices, of which a batch
            touches single rows, belong to ``others``.
        others: all other parameters.
        momentum: share of the running sum of gradients that a step keeps.
        weight_decay: of the matrices, in both lists.
    """

    def __init__(
        self,
        matrices: Iterable[nn.Parameter],
        others: Iterable[nn.Parameter] = (),
        momentum: float = 0.95,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(matrices)
        wrong = next((p for p in self.parameters if p.ndim != 2), None)
        if wrong is not None:
            raise ValueError(f"matrices must have two dimensions, got a parameter of shape {tuple(wrong.shape)}")
        self.matrices, self.momentum, self.weight_decay = self.parameters, momentum, weight_decay
        self.adamw = AdamW(others, weight_decay=weight_decay)
        self.parameters = self.matrices + self.adamw.parameters
        self.state = {"velocity": [torch.zeros_like(p) for p in self.matrices], "adamw": self.adamw.state}

    @torch.no_grad()
    def step(self, learning_rate: float) -> None:
        """See ``Optimiser.step``."""
        self.adamw.state = self.state["adamw"]  # a checkpoint may have put another one there
        self.adamw.step(learning_rate)
        for p, velocity in zip(self.matrices, self.state["velocity"], strict=True):
            if p.grad is None:
                continue
            velocity.mul_(self.momentum).add_(p.grad)
            ahead = p.grad + self.momentum * velocity  # Nesterov's: where the next step would begin
            p.mul_(1 - learning_rate * self.weight_decay)
            p.sub_(orthogonalised(ahead), alpha=0.2 * math.sqrt(max(p.shape)) * learning_rate)


def orthogonalised(G: Tensor, iterations: int = 5) -> Tensor:
    """About U Vᵀ of G = U Σ Vᵀ, (rows, columns), without computing the decomposition.

    X ← a X + b (X Xᵀ) X + c (X Xᵀ)² X applies s ← a s + b s³ + c s⁵ to each singular value s and leaves U and V alone.
    Jordan et al. (2024) chose a, b, c so that five rounds bring all but the tiniest s between 0.7 and 1.2.
    """
    wide = G.shape[0] <= G.shape[1]
    X = G if wide else G.T
    X = X / (X.norm() + 1e-7)  # all s ≤ 1
    a, b, c = 3.4445, -4.7750, 2.0315
    for _ in range(iterations):
        A = X @ X.T
        X = torch.addmm(X, torch.addmm(A, A, A, beta=b, alpha=c), X, beta=a)  # a X + (b A + c A²) X
    return X if wide else X.T


def clip_gradients(parameters: Iterable[nn.Parameter], max_norm: float = math.inf) -> float:
    """Scale all gradients by one factor so that their joint Euclidean norm is at most ``max_norm``.

    Returns the norm before (Pascanu et al. 2013). The direction of the step does not change.
    """
    gradients = []
    for p in parameters:
        if p.grad is not None:
            if p.grad.is_sparse:
                p.grad = p.grad.coalesce()  # a row that was used twice: one entry, the sum
            gradients.append(p.grad.values() if p.grad.is_sparse else p.grad)
    if not gradients:
        return 0.0
    norm = torch.stack([g.norm() for g in gradients]).norm().item()
    if norm > max_norm:
        for g in gradients:
            g.mul_(max_norm / norm)
    return norm
