"""The LSTM: one step as the lecture writes it, gate by gate, and the layer, with its backward pass by hand.

The layer stacks the weights of all gates, so that a step is one product. Its backward pass is quicker than autograd's through
the steps where texts are long and batches small.

Sources: Hochreiter & Schmidhuber (1997); Gers, Schmidhuber & Cummins (2000) for the forget gate; Jozefowicz, Zaremba &
Sutskever (2015) for its initial bias.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.autograd.function import FunctionCtx

from lmkit.checks import check_instance, check_tensor
from lmkit.recurrent_layers import RecurrentLayer, State

Gates = Mapping[str, Tensor] | nn.ParameterDict
GATES = "ifgo"  # in the order in which the layer stacks them, PyTorch's


def lstm_step(x: Tensor, h: Tensor, c: Tensor, W: Gates, b: Gates) -> tuple[Tensor, Tensor]:
    """One step of an LSTM, one equation per gate: x_t (…, d), h_{t−1} and c_{t−1} (…, H) → h_t, c_t.

    Args:
        W: matrices (H, H + d) that multiply [h_{t−1}; x_t], under the keys "f" (forget gate), "i" (input gate), "g"
            (candidate) and "o" (output gate).
        b: the biases (H,), under the same keys.
    """
    check_tensor(x, "x", "… d")
    check_tensor(h, "h", (*x.shape[:-1], "H"), like=x)
    check_tensor(c, "c", tuple(h.shape), like=x)
    H, d = h.shape[-1], x.shape[-1]
    for name, weights, shape in (("W", W, (H, H + d)), ("b", b, (H,))):
        if set(check_instance(weights, name, (Mapping, nn.ParameterDict))) != set(GATES):
            raise ValueError(f"{name} must have the keys f, i, g, o, got {', '.join(map(str, weights))}")
        for gate in GATES:
            check_tensor(weights[gate], f"{name}[{gate!r}]", shape, like=x)

    hx = torch.cat([h, x], dim=-1)  # (…, H + d)
    f = torch.sigmoid(hx @ W["f"].T + b["f"])  # how much of the old memory to keep
    i = torch.sigmoid(hx @ W["i"].T + b["i"])  # how much of the candidate to write
    g = torch.tanh(hx @ W["g"].T + b["g"])  # the candidate
    o = torch.sigmoid(hx @ W["o"].T + b["o"])  # how much of the memory to show
    c = f * c + i * g
    return o * torch.tanh(c), c


class LSTM(RecurrentLayer):
    """``lstm_step`` over a sequence; the state is (h, c). W_x, W_h and b hold i, f, g and o, one above the other."""

    n_blocks = len(GATES)
    n_states = 2
    torch_layer = nn.LSTM

    def __init__(self, d_input: int, d_hidden: int) -> None:
        super().__init__(d_input, d_hidden)
        # Forget gates start open, so that memories last long enough to learn from.
        self.b.data[d_hidden : 2 * d_hidden] = 1.0

    def _step(self, a: Tensor, state: State) -> State:
        h, c = state
        i, f, g, o = (a + h @ self.W_h.T).chunk(4, dim=1)  # (B, H) each
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        return torch.sigmoid(o) * torch.tanh(c), c

    def _scan(self, a: Tensor, state: State) -> tuple[Tensor, State]:
        """The same numbers and first derivatives as the steps one by one."""
        h, c_T = _LSTMSequence.apply(a, self.W_h, *state)
        return h, (h[-1], c_T)


class _LSTMSequence(torch.autograd.Function):
    """An LSTM over a whole sequence, with its backward pass by hand.

    Autograd would note every product and sum of every step. Here backward computes all local derivatives for the whole
    sequence at once, and leaves to the loop over time only what has to wait for the step after.
    """

    @staticmethod
    def forward(ctx: FunctionCtx, a: Tensor, W_h: Tensor, h_0: Tensor, c_0: Tensor) -> tuple[Tensor, Tensor]:
        """a (T, B, 4H), W_h (4H, H), h_0 and c_0 (B, H) → h_1 … h_T (T, B, H), c_T (B, H)."""
        T, (B, H) = len(a), h_0.shape
        gates = torch.empty_like(a)  # i, f, g, o of every step
        h, c = a.new_empty(2, T + 1, B, H)
        r = a.new_empty(T, B, H)  # tanh(c_t): what the output gate may show
        h[0], c[0] = h_0, c_0
        W = W_h.T if T == 1 else W_h.T.contiguous()  # (H, 4H): the copy pays: up to 3 times as fast for small batches
        for t in range(T):
            z = torch.addmm(a[t], h[t], W, out=gates[t])  # (B, 4H)
            z[:, : 2 * H].sigmoid_()
            i, f, g, o = z.chunk(4, dim=1)
            g.tanh_()
            o.sigmoid_()
            torch.mul(f, c[t], out=c[t + 1]).addcmul_(i, g)
            torch.tanh(c[t + 1], out=r[t])
            torch.mul(o, r[t], out=h[t + 1])
        ctx.save_for_backward(W_h, gates, h, c, r)
        return h[1:], c[T]

    @staticmethod
    def backward(ctx: FunctionCtx, dh_out: Tensor, dc: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """∂L/∂h_t as output (T, B, H), ∂L/∂c_T (B, H) → ∂L/∂(a, W_h, h_0, c_0)."""
        if torch.is_grad_enabled():
            raise ValueError("the LSTM's gradient has no derivative itself, expected a call without create_graph=True")
        W_h, gates, h, c, r = ctx.saved_tensors
        T, B, H = r.shape
        i, f, g, o = gates.chunk(4, dim=2)  # (T, B, H) each
        # The derivatives of c_t by the scores of i, f and g, and of h_t by those of o. The loop multiplies them by
        # ∂L/∂c_t and ∂L/∂h_t, in place, so that they become ∂L/∂(scores).
        da = torch.empty_like(gates).view(T, B, 4, H)
        torch.mul(g, i * (1 - i), out=da[:, :, 0])
        torch.mul(c[:-1], f * (1 - f), out=da[:, :, 1])
        torch.mul(i, 1 - g * g, out=da[:, :, 2])
        torch.mul(r, o * (1 - o), out=da[:, :, 3])
        dh_dc = o * (1 - r * r)
        dh, dc = dh_out[-1], dc.clone()
        for t in reversed(range(T)):
            if t < T - 1:  # h_t is an output and, through W_h, in all scores of step t + 1
                dh = torch.addmm(dh_out[t], da[t + 1].view(B, 4 * H), W_h)
            dc.addcmul_(dh, dh_dc[t])
            da[t, :, :3] *= dc[:, None]
            da[t, :, 3] *= dh
            dc *= f[t]  # c_{t−1} reaches c_t through the forget gate alone
        da = da.view(T, B, 4 * H)
        dW_h = da.flatten(0, 1).T @ h[:-1].flatten(0, 1)  # one product for all steps
        return da, dW_h, da[0] @ W_h, dc
