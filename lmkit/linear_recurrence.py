"""Linear recurrences h_t = a_t ⊙ h_{t−1} + b_t: one after the other, by parallel scan, and as a language model.

Without a nonlinearity, the steps compose: first (a₁, b₁), then (a₂, b₂), is the one step (a₂a₁, a₂b₁ + b₂). This
composition is associative, so T steps can be bracketed as a tree of depth log T instead of a chain of depth T. That is
what makes state-space models such as Mamba train in parallel over time.

Sources: Hillis & Steele (1986) and Blelloch (1990) for the scans; Martin & Cundy (2018) for linear recurrences as scans;
Gu & Dao (2023), Mamba, for input-dependent decay.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx

from lmkit.checks import check_fields, check_instance, check_integer, check_sizes, check_tensor
from lmkit.neural import RecurrentStateLM, seeded

# --- Four ways to compute the same ------------------------------------------------------------------------------
# All take a and b of one shape (T, …) and dtype, T ≥ 1, and return h_1 … h_T (T, …), starting from h_0 = 0.


def sequential_scan(a: Tensor, b: Tensor) -> Tensor:
    """h_t = a_t ⊙ h_{t−1} + b_t as it is written: T steps, each waiting for the one before."""
    _check(a, b)
    h, states = torch.zeros_like(b[0]), []
    for a_t, b_t in zip(a, b, strict=True):
        h = a_t * h + b_t
        states.append(h)
    return torch.stack(states)


def hillis_steele_scan(a: Tensor, b: Tensor) -> Tensor:
    """⌈log₂ T⌉ rounds; in each, every position composes itself with the one 1, 2, 4, … places before.

    The fewest rounds, but T log T products: good where there are more processors than positions.
    """
    _check(a, b)
    reach = 1  # (a, b)[t] is the composition of the last ``reach`` steps up to t
    while reach < len(a):
        b = torch.cat([b[:reach], a[reach:] * b[:-reach] + b[reach:]])
        a = torch.cat([a[:reach], a[reach:] * a[:-reach]])
        reach *= 2
    return b


def blelloch_scan(a: Tensor, b: Tensor) -> Tensor:
    """Compose neighbours in pairs, solve the problem of half the length, fill in the rest: 2⌈log₂ T⌉ rounds.

    Twice as many rounds as Hillis & Steele, but fewer than 3T products: no more work, up to a constant, than in sequence.
    """
    _check(a, b)
    T = len(a)
    if T == 1:
        return b
    first, second = slice(0, T - 1, 2), slice(1, T, 2)  # steps 1, 3, … and 2, 4, …: the pairs
    h_even = blelloch_scan(a[second] * a[first], a[second] * b[first] + b[second])  # h_2, h_4, …
    h_odd = a[2::2] * h_even[: (T - 1) // 2] + b[2::2]  # h_3, h_5, …, one step after each
    h = torch.empty_like(b)
    h[0], h[1::2], h[2::2] = b[0], h_even, h_odd
    return h


def linear_scan(a: Tensor, b: Tensor) -> Tensor:
    """``sequential_scan`` in place, with its backward pass by hand: the fastest on a CPU. It has no second derivatives.

    The gradient obeys the same recurrence from right to left: with g_t = ∂L/∂h_t over all paths,
    g_t = (∂L/∂h_t as an output) + a_{t+1} ⊙ g_{t+1}; then ∂L/∂b_t = g_t and ∂L/∂a_t = g_t ⊙ h_{t−1}.
    """
    _check(a, b)
    return _LinearScan.apply(a, b)


class _LinearScan(torch.autograd.Function):
    @staticmethod
    def forward(ctx: FunctionCtx, a: Tensor, b: Tensor) -> Tensor:
        """a, b (T, …) → h (T, …)."""
        h = b.clone()
        h_at, a_at = h.unbind(), a.unbind()  # views of all steps, quicker made at once than one by one
        for t in range(1, len(a)):
            h_at[t].addcmul_(a_at[t], h_at[t - 1])
        ctx.save_for_backward(a, h)
        return h

    @staticmethod
    def backward(ctx: FunctionCtx, dh: Tensor) -> tuple[Tensor, Tensor]:
        """∂L/∂h as outputs (T, …) → ∂L/∂a, ∂L/∂b."""
        if torch.is_grad_enabled():
            raise ValueError("linear_scan's gradient has no derivative itself, expected none with create_graph=True")
        a, h = ctx.saved_tensors
        g = dh.clone(memory_format=torch.contiguous_format)
        g_at, a_at = g.unbind(), a.unbind()
        for t in reversed(range(len(a) - 1)):
            g_at[t].addcmul_(a_at[t + 1], g_at[t + 1])
        da = torch.zeros_like(a)
        torch.mul(g[1:], h[:-1], out=da[1:])
        return da, g


def _check(a: Tensor, b: Tensor) -> None:
    if check_tensor(a, "a", "…", empty=False).ndim == 0:
        raise ValueError("a must have shape (T, …), got ()")
    check_tensor(b, "b", tuple(a.shape), like=a)


# --- A language model -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LinearRecurrenceConfig:
    """What defines a ``LinearRecurrenceLM``.

    Attributes:
        vocab_size: number V of tokens.
        d_model: width d of embeddings and of the layers' outputs.
        d_inner: number of channels inside a layer.
        n_states: how many numbers each channel remembers.
        n_layers: how many layers are stacked.
        bos_id: the id of ``<bos>``.
    """

    vocab_size: int
    d_model: int = 64
    d_inner: int = 128
    n_states: int = 4
    n_layers: int = 2
    bos_id: int = 0

    def __post_init__(self) -> None:
        check_fields(self, "vocab_size d_model d_inner n_states n_layers")


class SelectiveLayer(nn.Module):
    """A diagonal state-space layer whose input decides what is kept, written and read (Mamba's core, S6).

    Each channel c holds n_states numbers h_c. With the channel's input u_t, all of the following computed from x_t:

        Δ_t = softplus(W_Δ u_t + b_Δ)               how long this input lasts, for each channel
        a_t = exp(−Δ_t λ)                           what is kept: little after a long Δ; the rates λ > 0 are learned
        h_t = a_t ⊙ h_{t−1} + (Δ_t u_t) ⊗ k_t       what is written, at the places k_t
        y_t = h_t q_t + D ⊙ u_t                     what is read, at the places q_t

    A nonlinearity acts within a step only, never along time. Mamba's short convolution is left out.
    """

    def __init__(self, d_model: int, d_inner: int, n_states: int) -> None:
        super().__init__()
        d_model, d_inner, n_states = check_sizes(d_model=d_model, d_inner=d_inner, n_states=n_states)
        self.W_in = nn.Linear(d_model, 2 * d_inner, bias=False)  # the channels' inputs u, and the gate on the outputs
        self.W_delta = nn.Linear(d_inner, d_inner)
        self.W_kq = nn.Linear(d_inner, 2 * n_states, bias=False)
        self.W_out = nn.Linear(d_inner, d_model, bias=False)
        self.log_rate = nn.Parameter(torch.arange(1.0, n_states + 1).log().repeat(d_inner, 1))  # log λ, (D, N)
        self.D = nn.Parameter(torch.ones(d_inner))
        # At the start a slow channel forgets in about 1000 steps, a fast one in one: Δ spread evenly on a logarithmic scale.
        delta = torch.logspace(math.log10(0.001), math.log10(1.0), d_inner)[torch.randperm(d_inner)]
        self.W_delta.bias.data = delta.expm1().log()  # the inverse of softplus

    def forward(self, x: Tensor, h_0: Tensor) -> tuple[Tensor, Tensor]:
        """The inputs x (T, B, d) and the state h_0 (B, D, N) → the outputs (T, B, d) and the last state (B, D, N)."""
        check_tensor(x, "x", "T B d", like=self.D, empty=False, d=self.W_in.in_features)
        check_tensor(h_0, "h_0", (x.shape[1], *self.log_rate.shape), like=self.D)
        u, gate = self.W_in(x).chunk(2, dim=-1)  # (T, B, D)
        u = F.silu(u)
        delta = F.softplus(self.W_delta(u))  # (T, B, D)
        k, q = self.W_kq(u).chunk(2, dim=-1)  # (T, B, N)
        a = torch.exp(-delta[..., None] * self.log_rate.exp())  # (T, B, D, N)
        b = (delta * u)[..., None] * k[..., None, :]  # (T, B, D, N)
        b = torch.cat([b[:1] + a[:1] * h_0, b[1:]])  # the state before, as part of the first input
        h = linear_scan(a, b)  # (T, B, D, N)
        y = (h @ q[..., None]).squeeze(-1) + self.D * u  # (T, B, D)
        return self.W_out(y * F.silu(gate)), h[-1]


class LinearRecurrenceLM(RecurrentStateLM):
    """A stack of ``SelectiveLayer`` with residual connections: the state has one size, however long the prefix.

    Args:
        config: see ``LinearRecurrenceConfig``.
        seed: of the random initial weights; the global random state is left as it was.
    """

    def __init__(self, config: LinearRecurrenceConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = check_instance(config, "config", LinearRecurrenceConfig)
        self.vocab_size, self.bos_id = config.vocab_size, config.bos_id
        d, L = config.d_model, config.n_layers
        with seeded(seed):
            self.embedding = nn.Embedding(config.vocab_size, d)
            self.layers = nn.ModuleList(SelectiveLayer(d, config.d_inner, config.n_states) for _ in range(L))
            self.norms = nn.ModuleList(nn.LayerNorm(d) for _ in range(L))
            self.final_norm = nn.LayerNorm(d)
            self.output = nn.Linear(d, config.vocab_size)

    def initial_state(self, batch_size: int = 1) -> list[Tensor]:
        """See ``RecurrentStateLM.initial_state``: (B, D, N) for each layer."""
        B, c = check_integer(batch_size, "batch_size", 1), self.config
        return [self.output.weight.new_zeros(B, c.d_inner, c.n_states) for _ in self.layers]

    def run(self, tokens: Tensor, state: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
        """See ``RecurrentStateLM.run``."""
        self._check(tokens, state)
        x = self.embedding(tokens.T)  # (T, B, d)
        after = []
        for norm, layer, h in zip(self.norms, self.layers, state, strict=True):
            y, h = layer(norm(x), h)
            x = x + y
            after.append(h)
        return self.final_norm(x).transpose(0, 1), after
