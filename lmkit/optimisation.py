"""Learning by gradient: SGD as the lecture writes it, and the optimisers that replace its fixed step.

``sgd`` and ``minibatch_sgd`` are the lecture's two algorithms, for any function. The classes below do one update of a
model's parameters, for ``lmkit.training.train``.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import torch
from torch import Tensor, nn

from lmkit.batches import shuffled_batches
from lmkit.checks import check_array, check_finite, check_instance, check_integer, check_number, check_tensor


def sgd(
    gradient: Callable, theta: np.ndarray | Tensor, num_examples: int, learning_rate: float, epochs: int, seed: int
) -> Iterator:
    """Stochastic gradient descent, one example a step: θ⁽⁰⁾, θ⁽¹⁾, … one after the other (Robbins & Monro 1951).

    Args:
        gradient: ``gradient(theta, i)`` is ∇J_i(θ), the gradient of the loss on example i of 0 … num_examples−1.
        theta: the parameters θ⁽⁰⁾, an array or tensor; it is not changed.

    Raises:
        ValueError: also for a gradient that is not finite, or no array or tensor like θ.
    """
    check_instance(gradient, "gradient", Callable)
    return minibatch_sgd(lambda x, I_b: gradient(x, int(I_b[0])), theta, num_examples, 1, learning_rate, epochs, seed)


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
    check_instance(gradient, "gradient", Callable)
    theta = _finite(theta, "theta", "…", theta)
    learning_rate = check_number(learning_rate, "learning_rate", above=0)
    epochs = check_integer(epochs, "epochs", low=1)
    shuffled_batches(num_examples, batch_size, seed)  # raises now what it would raise in the first step

    def steps(theta: np.ndarray | Tensor) -> Iterator:
        yield theta
        for epoch in range(epochs):
            for I_b in shuffled_batches(num_examples, batch_size, seed, epoch):
                theta = theta - learning_rate * _finite(gradient(theta, I_b), "gradient", tuple(theta.shape), theta)
                yield theta

    return steps(theta)


class Optimiser(ABC):
    """Changes parameters along their ``.grad``. A subclass defines ``_update`` and keeps what it remembers in ``state``.

    Attributes:
        parameters: those that require a gradient.
        state: lists of tensors and numbers by name; a checkpoint holds it.
    """

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        self.parameters = _checked(parameters, "parameters")
        self.state: dict = {}

    @property
    def settings(self) -> dict:
        """The hyperparameters, by which a checkpoint tells one optimiser from another: all attributes that are numbers."""
        return {name: value for name, value in vars(self).items() if isinstance(value, int | float | tuple)}

    @torch.no_grad()
    def step(self, learning_rate: float) -> None:
        """Update every parameter that has a gradient once.

        Raises:
            ValueError: also if none has one.
        """
        learning_rate = check_number(learning_rate, "learning_rate", low=0)
        _gradients(self.parameters)
        self._update(learning_rate)

    @abstractmethod
    def _update(self, learning_rate: float) -> None:
        """Change the parameters that have a gradient."""


class SGD(Optimiser):
    """θ ← θ − η v with v ← momentum · v + g; without momentum the lecture's update (``torch.optim.SGD``)."""

    def __init__(self, parameters: Iterable[nn.Parameter], momentum: float = 0.0) -> None:
        super().__init__(parameters)
        self.momentum = check_number(momentum, "momentum", low=0, below=1)
        self.state = {"velocity": [torch.zeros_like(p) for p in self.parameters]}

    def _update(self, learning_rate: float) -> None:
        for p, velocity in zip(self.parameters, self.state["velocity"], strict=True):
            if p.grad is not None:
                velocity.mul_(self.momentum).add_(p.grad)
                p.sub_(velocity, alpha=learning_rate)


class AdamW(Optimiser):
    """Adam with decoupled weight decay (Kingma & Ba 2015; Loshchilov & Hutter 2019).

    Each weight moves by the running mean of its gradient over the root of the running mean of its square. Only
    matrices are decayed: shrinking biases and normalisation gains does not regularise.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        betas: tuple[float, float] = (0.9, 0.99),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        super().__init__(parameters)
        if not isinstance(betas, tuple | list) or len(betas) != 2:
            raise ValueError(f"betas must be a pair of numbers ≥ 0 and < 1, got {betas!r}")
        self.betas = tuple(check_number(beta, f"betas[{i}]", low=0, below=1) for i, beta in enumerate(betas))
        self.eps = check_number(eps, "eps", above=0)
        self.weight_decay = check_number(weight_decay, "weight_decay", low=0)
        zeros = [[torch.zeros_like(p) for p in self.parameters] for _ in range(2)]
        self.state = {"updates": [0] * len(self.parameters), "mean": zeros[0], "square": zeros[1]}

    def _update(self, learning_rate: float) -> None:
        beta1, beta2 = self.betas
        updates, means, squares = (self.state[name] for name in ("updates", "mean", "square"))
        for i, (p, mean, square) in enumerate(zip(self.parameters, means, squares, strict=True)):
            if p.grad is None:
                continue
            updates[i] += 1
            # Both running means start at 0; dividing by what they would be for a constant 1 takes the bias out.
            unbias1, unbias2 = (1 - beta ** updates[i] for beta in self.betas)
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
        self.matrices, others = _checked(matrices, "matrices"), _checked(others, "others", empty=True)
        for i, p in enumerate(self.matrices):
            check_tensor(p, f"matrices[{i}]", "rows columns")
        if {id(p) for p in self.matrices} & {id(p) for p in others}:
            raise ValueError("others must not hold a parameter that matrices hold, or it is updated twice")
        super().__init__(self.matrices + others)
        self.momentum = check_number(momentum, "momentum", low=0, below=1)
        self.weight_decay = check_number(weight_decay, "weight_decay", low=0)
        self.adamw = AdamW(others, weight_decay=weight_decay) if others else None
        adamw = {"adamw": self.adamw.state} if self.adamw else {}
        self.state = {"velocity": [torch.zeros_like(p) for p in self.matrices], **adamw}

    def _update(self, learning_rate: float) -> None:
        if self.adamw:
            self.adamw.state = self.state["adamw"]  # a checkpoint may have put another one there
            self.adamw._update(learning_rate)
        for p, velocity in zip(self.matrices, self.state["velocity"], strict=True):
            if p.grad is None:
                continue
            velocity.mul_(self.momentum).add_(p.grad)
            ahead = p.grad + self.momentum * velocity  # Nesterov's: where the next step would begin
            p.mul_(1 - learning_rate * self.weight_decay)
            p.sub_(orthogonalised(ahead), alpha=0.2 * math.sqrt(max(p.shape)) * learning_rate)


def orthogonalised(G: Tensor) -> Tensor:
    """About U Vᵀ of G = U Σ Vᵀ, (rows, columns), without computing the decomposition.

    X ← a X + b (X Xᵀ) X + c (X Xᵀ)² X applies s ← a s + b s³ + c s⁵ to each singular value s and leaves U and V alone.
    Jordan et al. (2024) chose a, b, c so that five rounds bring all but the tiniest s to between about 0.7 and 1.2.
    """
    check_tensor(G, "G", "rows columns")
    wide = G.shape[0] <= G.shape[1]
    X = G if wide else G.T
    X = X / (X.norm() + 1e-7)  # all s ≤ 1
    a, b, c = 3.4445, -4.7750, 2.0315
    for _ in range(5):
        A = X @ X.T
        X = torch.addmm(X, torch.addmm(A, A, A, beta=b, alpha=c), X, beta=a)  # a X + (b A + c A²) X
    return X if wide else X.T


def clip_gradients(parameters: Iterable[nn.Parameter], max_norm: float) -> float:
    """Scale all gradients by one factor so that their joint Euclidean norm is at most ``max_norm`` (``math.inf``: as they are).

    Returns the norm before (Pascanu et al. 2013). The direction of the step does not change. Gradients whose norm is not
    finite, as one too large for their dtype, stay as they are.

    Raises:
        ValueError: also if no parameter has a gradient.
    """
    max_norm = check_number(max_norm, "max_norm", above=0, infinite=True)
    gradients = _gradients(_checked(parameters, "parameters"))
    norm = torch.stack([g.norm() for g in gradients]).norm().item()
    if max_norm < norm < math.inf:
        for g in gradients:
            g.mul_(max_norm / norm)
    return norm


def _gradients(parameters: list[nn.Parameter]) -> list[Tensor]:
    gradients = [p.grad for p in parameters if p.grad is not None]
    if not gradients:
        raise ValueError("parameters have no gradient: call backward on a loss of the model that they are from")
    if any(g.is_sparse for g in gradients):
        raise ValueError("parameters have sparse gradients, expected dense ones: make nn.Embedding without sparse=True")
    return gradients


def _finite(x: np.ndarray | Tensor, name: str, shape: str | tuple[int, ...], like: np.ndarray | Tensor):
    """A copy of x, an array or a tensor as ``like`` is."""
    if isinstance(like, Tensor):
        return check_finite(check_tensor(x, name, shape, like=like), name).detach().clone()
    return check_array(x, name, shape)


def _checked(parameters: Iterable[nn.Parameter], name: str, empty: bool = False) -> list[nn.Parameter]:
    """The parameters that require a gradient, as a list."""
    if not isinstance(parameters, Iterable) or isinstance(parameters, Tensor | np.ndarray | nn.Module | str | dict):
        raise ValueError(f"{name} must be a list such as model.parameters(), got {type(parameters).__name__}")
    parameters = list(parameters)
    for i, p in enumerate(parameters):
        if not isinstance(p, Tensor) or not p.is_leaf or not p.is_floating_point():
            raise ValueError(f"{name} must hold a model's parameters, got {type(p).__name__} at {i}")
    if len({id(p) for p in parameters}) < len(parameters):
        raise ValueError(f"{name} must hold each parameter once, got one twice")
    trained = [p for p in parameters if p.requires_grad]
    if not trained and not empty:
        got = f"{len(parameters)} (a generator is read only once)"
        raise ValueError(f"{name} must hold one that requires a gradient, got {got}")
    return trained
