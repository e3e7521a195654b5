"""Recurrent layers: the Elman RNN, the GRU and the LSTM behind one interface, and how far their gradients reach.

First the LSTM as two functions, gate by gate and with one stacked matrix. Then layers for whole sequences, each with the
weights of all its gates stacked. The LSTM's layer has the backward pass that the chapter derives, written by hand: it is
faster than autograd, and than ``torch.nn.LSTM`` on a CPU.

Sources: Elman (1990); Hochreiter & Schmidhuber (1997) for the LSTM; Gers, Schmidhuber & Cummins (2000) for its forget gate;
Cho et al. (2014) for the GRU; Pascanu, Mikolov & Bengio (2013) for vanishing gradients; Jozefowicz, Zaremba & Sutskever
(2015) for the initial bias of the forget gate.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

State = tuple[Tensor, ...]  # what a layer remembers, each (B, H): (h,), or (h, c) for the LSTM
NONLINEARITIES = {"tanh": torch.tanh, "relu": torch.relu, "linear": lambda a: a}

# --- The LSTM, one step -----------------------------------------------------------------------------------------


def lstm_step_by_gates(
    x: Tensor, h: Tensor, c: Tensor, W: dict[str, Tensor], b: dict[str, Tensor]
) -> tuple[Tensor, Tensor]:
    """One step of an LSTM, one equation per gate: x_t (…, d), h_{t−1} and c_{t−1} (…, H) → h_t, c_t.

    Args:
        W: matrices (H, H + d) that multiply [h_{t−1}; x_t], under the keys "f" (forget gate), "i" (input gate), "g"
            (candidate) and "o" (output gate).
        b: the biases (H,), under the same keys.
    """
    hx = torch.cat([h, x], dim=-1)  # (…, H + d)
    f = torch.sigmoid(hx @ W["f"].T + b["f"])  # how much of the old memory to keep
    i = torch.sigmoid(hx @ W["i"].T + b["i"])  # how much of the candidate to write
    g = torch.tanh(hx @ W["g"].T + b["g"])  # the candidate
    o = torch.sigmoid(hx @ W["o"].T + b["o"])  # how much of the memory to show
    c = f * c + i * g
    return o * torch.tanh(c), c


def lstm_step_stacked(x: Tensor, h: Tensor, c: Tensor, W: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """``lstm_step_by_gates`` with one product: W (4H, H + d) and b (4H,) are those of i, f, o, g, one above the other."""
    a = torch.cat([h, x], dim=-1) @ W.T + b  # (…, 4H)
    i, f, o = torch.sigmoid(a[..., : 3 * h.shape[-1]]).chunk(3, dim=-1)
    c = f * c + i * torch.tanh(a[..., 3 * h.shape[-1] :])
    return o * torch.tanh(c), c


# --- Layers -----------------------------------------------------------------------------------------------------


class RecurrentLayer(nn.Module):
    """The same function at every step, state_t = f_W(state_{t−1}, x_t). Time is the first axis, as in ``torch.nn``.

    What the inputs contribute, a_t = W_x x_t + b, waits for nothing and is one product for all steps (``project``). Only
    W_h h_{t−1} must wait for the step before (``scan``).

    Attributes:
        n_blocks: how many maps (gates and candidates) are stacked in W_x (n_blocks·H, d), W_h (n_blocks·H, H), b.
        n_states: how many vectors the state consists of; the first is the output h_t.
    """

    n_blocks: int
    n_states = 1

    def __init__(self, d_input: int, d_hidden: int) -> None:
        super().__init__()
        bound = 1 / math.sqrt(d_hidden)
        rows = self.n_blocks * d_hidden
        self.W_x = nn.Parameter(torch.empty(rows, d_input).uniform_(-bound, bound))
        self.W_h = nn.Parameter(torch.empty(rows, d_hidden).uniform_(-bound, bound))
        self.b = nn.Parameter(torch.zeros(rows))

    def initial_state(self, batch_size: int) -> State:
        """Zeros: nothing has been read."""
        return tuple(self.W_h.new_zeros(batch_size, self.W_h.shape[1]) for _ in range(self.n_states))

    def project(self, x: Tensor) -> Tensor:
        """a = W_x x + b: (…, d) → (…, n_blocks·H)."""
        return F.linear(x, self.W_x, self.b)

    def step(self, a: Tensor, state: State) -> State:
        """The state after one more input, of which a = project(x), (B, n_blocks·H), is given."""
        raise NotImplementedError

    def scan(self, a: Tensor, state: State) -> tuple[Tensor, State]:
        """All steps in order: a (T, B, n_blocks·H) → the outputs h_1 … h_T (T, B, H) and the last state."""
        outputs = []
        for a_t in a:
            state = self.step(a_t, state)
            outputs.append(state[0])
        return torch.stack(outputs), state

    def forward(self, x: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        """The inputs x (T, B, d) → the outputs (T, B, H) and the last state.

        Raises:
            ValueError: for a wrong shape or dtype, or no inputs at all.
        """
        d = self.W_x.shape[1]
        if x.ndim != 3 or x.shape[2] != d or x.numel() == 0:
            raise ValueError(f"x must have shape (T, B, {d}) with T, B ≥ 1, got {tuple(x.shape)}")
        if x.dtype != self.W_x.dtype:
            raise ValueError(f"x must be {self.W_x.dtype} like the weights, got {x.dtype}")
        return self.scan(self.project(x), self.initial_state(x.shape[1]) if state is None else state)


class RNN(RecurrentLayer):
    """h_t = φ(W_x x_t + W_h h_{t−1} + b), with φ one of ``NONLINEARITIES``."""

    n_blocks = 1

    def __init__(self, d_input: int, d_hidden: int, nonlinearity: str = "tanh") -> None:
        if nonlinearity not in NONLINEARITIES:
            raise ValueError(f"nonlinearity must be one of {', '.join(NONLINEARITIES)}, got {nonlinearity!r}")
        super().__init__(d_input, d_hidden)
        self.nonlinearity = nonlinearity

    def step(self, a: Tensor, state: State) -> State:
        """See ``RecurrentLayer.step``."""
        return (NONLINEARITIES[self.nonlinearity](a + state[0] @ self.W_h.T),)


class GRU(RecurrentLayer):
    """The gated recurrent unit: one gate z to keep or replace, one gate r to ignore the past. No separate memory.

    r_t = σ(…), z_t = σ(…), n_t = tanh(W_xn x_t + b_n + r_t ⊙ (W_hn h_{t−1} + b_hn)), h_t = z_t ⊙ h_{t−1} + (1 − z_t) ⊙ n_t,
    in the variant of ``torch.nn.GRU``: the paper applies r before the matrix W_hn and calls 1 − z what is z here.
    """

    n_blocks = 3  # r, z, n

    def __init__(self, d_input: int, d_hidden: int) -> None:
        super().__init__(d_input, d_hidden)
        self.b_hn = nn.Parameter(torch.zeros(d_hidden))

    def step(self, a: Tensor, state: State) -> State:
        """See ``RecurrentLayer.step``."""
        (h,) = state
        a_r, a_z, a_n = a.chunk(3, dim=1)
        u_r, u_z, u_n = (h @ self.W_h.T).chunk(3, dim=1)
        r, z = torch.sigmoid(a_r + u_r), torch.sigmoid(a_z + u_z)
        n = torch.tanh(a_n + r * (u_n + self.b_hn))
        return (z * h + (1 - z) * n,)


class LSTM(RecurrentLayer):
    """``lstm_step_stacked`` over a sequence; the state is (h, c)."""

    n_blocks = 4  # i, f, o, g: the three gates side by side, so that one call applies σ to them
    n_states = 2

    def __init__(self, d_input: int, d_hidden: int) -> None:
        super().__init__(d_input, d_hidden)
        self.b.data[d_hidden : 2 * d_hidden] = (
            1.0  # forget gates start open, so memories last long enough to learn from
        )

    def step(self, a: Tensor, state: State) -> State:
        """See ``RecurrentLayer.step``; differentiated by autograd."""
        h, c = state
        a = a + h @ self.W_h.T  # (B, 4H)
        i, f, o = torch.sigmoid(a[:, : 3 * h.shape[1]]).chunk(3, dim=1)
        c = f * c + i * torch.tanh(a[:, 3 * h.shape[1] :])
        return o * torch.tanh(c), c

    def scan(self, a: Tensor, state: State) -> tuple[Tensor, State]:
        """See ``RecurrentLayer.scan``: the same numbers and gradients as the steps one by one, faster."""
        h, c_T = LSTMSequence.apply(a, self.W_h, *state)
        return h, (h[-1], c_T)


class LSTMSequence(torch.autograd.Function):
    """An LSTM over a whole sequence, with its backward pass by hand.

    Autograd would note every product and sum of every step. Here backward computes all local derivatives for the whole
    sequence at once, and leaves to the loop over time only what has to wait for the step after.
    """

    @staticmethod
    def forward(
        ctx: torch.autograd.function.FunctionCtx, a: Tensor, W_h: Tensor, h_0: Tensor, c_0: Tensor
    ) -> tuple[Tensor, Tensor]:
        """a (T, B, 4H), W_h (4H, H), h_0 and c_0 (B, H) → h_1 … h_T (T, B, H), c_T (B, H)."""
        T, (B, H) = len(a), h_0.shape
        gates = torch.empty_like(a)  # i, f, o, g of every step
        h, c = a.new_empty(2, T + 1, B, H)
        r = a.new_empty(T, B, H)  # tanh(c_t): what the output gate may show
        h[0], c[0] = h_0, c_0
        W = W_h.T.contiguous()  # (H, 4H): for small batches up to 3 times as fast as the transposed view
        for t in range(T):
            z = torch.addmm(a[t], h[t], W, out=gates[t])  # (B, 4H)
            z[:, : 3 * H].sigmoid_()
            z[:, 3 * H :].tanh_()
            i, f, o, g = z.chunk(4, dim=1)
            torch.mul(f, c[t], out=c[t + 1]).addcmul_(i, g)
            torch.tanh(c[t + 1], out=r[t])
            torch.mul(o, r[t], out=h[t + 1])
        ctx.save_for_backward(W_h, gates, h, c, r)
        return h[1:], c[T]

    @staticmethod
    @once_differentiable
    def backward(
        ctx: torch.autograd.function.FunctionCtx, dh_out: Tensor, dc: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """∂L/∂h_t as output (T, B, H), ∂L/∂c_T (B, H) → ∂L/∂(a, W_h, h_0, c_0)."""
        W_h, gates, h, c, r = ctx.saved_tensors
        T, B, H = r.shape
        i, f, o, g = gates.chunk(4, dim=2)  # (T, B, H) each
        # The derivatives of c_t by the scores of i, f and g, and of h_t by those of o. The loop multiplies them by
        # ∂L/∂c_t and ∂L/∂h_t, in place, so that they become ∂L/∂(scores).
        da = torch.empty_like(gates).view(T, B, 4, H)
        torch.mul(g, i * (1 - i), out=da[:, :, 0])
        torch.mul(c[:-1], f * (1 - f), out=da[:, :, 1])
        torch.mul(r, o * (1 - o), out=da[:, :, 2])
        torch.mul(i, 1 - g * g, out=da[:, :, 3])
        dh_dc = o * (1 - r * r)
        dh, dc = dh_out[-1], dc.clone()
        for t in reversed(range(T)):
            if t < T - 1:  # h_t is an output and, through W_h, in all scores of step t + 1
                dh = torch.addmm(dh_out[t], da[t + 1].view(B, 4 * H), W_h)
            dc.addcmul_(dh, dh_dc[t])
            da[t, :, :2] *= dc[:, None]
            da[t, :, 2] *= dh
            da[t, :, 3] *= dc
            dc *= f[t]  # c_{t−1} reaches c_t through the forget gate alone
        da = da.view(T, B, 4 * H)
        dW_h = da.flatten(0, 1).T @ h[:-1].flatten(0, 1)  # one product for all steps
        return da, dW_h, da[0] @ W_h, dc


def gradient_norms(layer: RecurrentLayer, x: Tensor) -> Tensor:
    """How much the last output depends on the state k steps before: spectral norms of ∂h_T/∂h_{T−k} and ∂h_T/∂c_{T−k}.

    The other part of the state is held fixed, so for an LSTM the two columns are the two roads a gradient can take.

    Args:
        x: one sequence of inputs (T, d).

    Returns:
        (T, n_states); row k − 1 is the norm at distance k = 1 … T.
    """
    H = layer.W_h.shape[1]
    # H copies of the sequence, of which copy j asks for the gradient of output j: row j of the Jacobian.
    state = tuple(s.requires_grad_() for s in layer.initial_state(H))
    states = []
    for a_t in layer.project(x).detach():
        state = tuple(s.clone() for s in state)  # or else ∂/∂c_t would include the road by way of h_t = o_t ⊙ tanh(c_t)
        states.append(state)
        state = layer.step(a_t.expand(H, -1), state)
    jacobians = torch.autograd.grad(state[0].diagonal().sum(), [s for state in reversed(states) for s in state])
    return torch.linalg.matrix_norm(torch.stack(jacobians), ord=2).view(len(x), layer.n_states)
