"""Recurrent layers behind one interface: the Elman RNN and the GRU (``lmkit.lstm`` adds the LSTM), and how far gradients reach.

A layer is the same function at every step, state_t = f_W(state_{t−1}, x_t), with the weights of all its gates stacked in
PyTorch's order.

Sources: Elman (1990); Cho et al. (2014) for the GRU; Pascanu, Mikolov & Bengio (2013) for vanishing gradients.
"""

import math
from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmkit.checks import check_choice, check_finite, check_instance, check_integer, check_tensor
from lmkit.neural import NONLINEARITIES

State = tuple[Tensor, ...]  # what a layer remembers, each (B, H): (h,), or (h, c) for the LSTM


class RecurrentLayer(nn.Module, ABC):
    """What the layers share. Time is the first axis, as in ``torch.nn``.

    What the inputs contribute, a_t = W_x x_t + b, waits for nothing and is one product for all steps (``project``). Only
    W_h h_{t−1} must wait for the step before (``scan``).

    Attributes:
        W_x, W_h, b: shapes (n_blocks·H, d), (n_blocks·H, H), (n_blocks·H,).
        n_blocks: how many maps (gates and candidates) are stacked in them.
        n_states: how many vectors the state consists of; the first is the output h_t.
        torch_layer: the layer of PyTorch that computes the same.
    """

    n_blocks: int
    n_states = 1
    torch_layer: type[nn.Module]

    def __init__(self, d_input: int, d_hidden: int) -> None:
        super().__init__()
        d, H = check_integer(d_input, "d_input", 1), check_integer(d_hidden, "d_hidden", 1)
        rows, bound = self.n_blocks * H, 1 / math.sqrt(H)
        self.W_x = nn.Parameter(torch.empty(rows, d).uniform_(-bound, bound))
        self.W_h = nn.Parameter(torch.empty(rows, H).uniform_(-bound, bound))
        self.b = nn.Parameter(torch.zeros(rows))

    @torch.no_grad()
    def load_torch(self, layer: nn.Module) -> None:
        """Take over the weights of PyTorch's layer, which adds two biases: b is their sum."""
        check_instance(layer, "layer", self.torch_layer)
        shapes = [tuple(weight.shape) for weight in layer.parameters()]
        expected = [tuple(weight.shape) for weight in (self.W_x, self.W_h, self.b, self.b)]
        if shapes != expected:
            raise ValueError(f"layer must have weights of shapes {expected}, got {shapes}")
        if getattr(layer, "nonlinearity", None) != getattr(self, "nonlinearity", None):
            raise ValueError(f"layer must have the nonlinearity {self.nonlinearity!r}, got {layer.nonlinearity!r}")
        self.W_x.copy_(layer.weight_ih_l0)
        self.W_h.copy_(layer.weight_hh_l0)
        self._load_biases(layer.bias_ih_l0, layer.bias_hh_l0)

    def _load_biases(self, b_x: Tensor, b_h: Tensor) -> None:
        self.b.copy_(b_x + b_h)

    def initial_state(self, batch_size: int) -> State:
        """Zeros: nothing has been read."""
        B = check_integer(batch_size, "batch_size", 1)
        return tuple(self.W_h.new_zeros(B, self.W_h.shape[1]) for _ in range(self.n_states))

    def project(self, x: Tensor) -> Tensor:
        """a = W_x x + b: (…, d) → (…, n_blocks·H)."""
        check_tensor(x, "x", "… d", like=self.W_x, d=self.W_x.shape[1])
        return F.linear(x, self.W_x, self.b)

    def scan(self, a: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        """All steps in order: a (T, B, n_blocks·H) → the outputs h_1 … h_T (T, B, H) and the last state."""
        B = check_tensor(a, "a", "T B rows", like=self.W_x, empty=False, rows=len(self.W_x)).shape[1]
        state = self.initial_state(B) if state is None else state
        if not isinstance(state, tuple) or len(state) != self.n_states:
            raise ValueError(f"state must be a tuple of {self.n_states} tensors (B, H), got {state!r:.60}")
        for part in state:
            check_tensor(part, "state", "B H", like=self.W_x, B=B, H=self.W_h.shape[1])
        return self._scan(a, state)

    def forward(self, x: Tensor, state: State | None = None) -> tuple[Tensor, State]:
        """The inputs x (T, B, d) and the state before (zeros) → the outputs (T, B, H) and the last state."""
        check_tensor(x, "x", "T B d", empty=False)
        return self.scan(self.project(x), state)

    @abstractmethod
    def _step(self, a: Tensor, state: State) -> State:
        """The state after one more input, of which a = project(x), (B, n_blocks·H), is given."""

    def _scan(self, a: Tensor, state: State) -> tuple[Tensor, State]:
        outputs = []
        for a_t in a:
            state = self._step(a_t, state)
            outputs.append(state[0])
        return torch.stack(outputs), state


class RNN(RecurrentLayer):
    """h_t = φ(W_x x_t + W_h h_{t−1} + b), with φ one of ``neural.NONLINEARITIES``."""

    n_blocks = 1
    torch_layer = nn.RNN

    def __init__(self, d_input: int, d_hidden: int, nonlinearity: str = "tanh") -> None:
        super().__init__(d_input, d_hidden)
        self.nonlinearity = check_choice(nonlinearity, "nonlinearity", NONLINEARITIES)

    def _step(self, a: Tensor, state: State) -> State:
        return (NONLINEARITIES[self.nonlinearity](a + state[0] @ self.W_h.T),)


class GRU(RecurrentLayer):
    """The gated recurrent unit: one gate z to keep or replace, one gate r to ignore the past. No separate memory.

    r_t = σ(…), z_t = σ(…), n_t = tanh(W_xn x_t + b_n + r_t ⊙ (W_hn h_{t−1} + b_hn)), h_t = z_t ⊙ h_{t−1} + (1 − z_t) ⊙ n_t,
    in the variant of ``torch.nn.GRU``: the paper applies r before the matrix W_hn. Others call 1 − z what is z here.
    """

    n_blocks = 3  # r, z, n
    torch_layer = nn.GRU

    def __init__(self, d_input: int, d_hidden: int) -> None:
        super().__init__(d_input, d_hidden)
        self.b_hn = nn.Parameter(torch.zeros(d_hidden))

    def _load_biases(self, b_x: Tensor, b_h: Tensor) -> None:
        H = len(self.b_hn)
        self.b.copy_(torch.cat([b_x[: 2 * H] + b_h[: 2 * H], b_x[2 * H :]]))
        self.b_hn.copy_(b_h[2 * H :])

    def _step(self, a: Tensor, state: State) -> State:
        (h,) = state
        a_r, a_z, a_n = a.chunk(3, dim=1)
        u_r, u_z, u_n = (h @ self.W_h.T).chunk(3, dim=1)
        r, z = torch.sigmoid(a_r + u_r), torch.sigmoid(a_z + u_z)
        n = torch.tanh(a_n + r * (u_n + self.b_hn))
        return (z * h + (1 - z) * n,)


@torch.enable_grad()
def gradient_norms(layer: RecurrentLayer, x: Tensor) -> Tensor:
    """How much the last output depends on the state k steps before: spectral norms of ∂h_T/∂h_{T−k} and ∂h_T/∂c_{T−k}.

    The other part of the state is held fixed, so for an LSTM the two columns are the two roads a gradient can take.

    Args:
        x: one sequence of inputs (T, d).

    Returns:
        (T, n_states); row k − 1 is the norm at distance k = 1 … T.

    Raises:
        ValueError: also where they explode beyond all floats.
    """
    H = check_instance(layer, "layer", RecurrentLayer).W_h.shape[1]
    check_tensor(x, "x", "T d", empty=False)
    # H copies of the sequence, of which copy j asks for the gradient of output j: row j of the Jacobian.
    state = tuple(s.requires_grad_() for s in layer.initial_state(H))
    states = []
    for a_t in layer.project(x).detach():
        state = tuple(s.clone() for s in state)  # or else ∂/∂c_t would include the road by way of h_t = o_t ⊙ tanh(c_t)
        states.append(state)
        state = layer._step(a_t.expand(H, -1), state)
    jacobians = torch.autograd.grad(state[0].diagonal().sum(), [s for state in reversed(states) for s in state])
    jacobians = check_finite(torch.stack(jacobians), "x through layer: the gradients")
    return torch.linalg.matrix_norm(jacobians, ord=2).view(len(x), layer.n_states)
