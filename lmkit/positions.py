"""How a Transformer learns where a token stands: learned, sinusoidal, rotary, ALiBi and convolutional positions.

Attention by itself is permutation equivariant: reorder the tokens and the outputs are the same, reordered. Absolute
positions are added to the embeddings; relative ones change the scores by how far the key is from the query, or let a
token bring its neighbours along.
"""

import math

import torch
from torch import Tensor, nn

from lmkit.checks import check_flag, check_integer, check_number, check_tensor


def sinusoidal(length: int, d_model: int, base: float = 10_000.0) -> Tensor:
    """The fixed table of Vaswani et al. (2017): p[t, 2i] = sin(t·ω_i), p[t, 2i+1] = cos(t·ω_i), ω_i = base^(−2i/d).

    Args:
        length: number T of positions, 0 … T−1.
        d_model: width d, even.
        base: above 1; the slowest pair turns once in 2π·base^((d−2)/d) positions.

    Returns:
        float32, shape (T, d).
    """
    angles = _angles(length, d_model, base, "d_model")  # (T, d/2)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()  # (T, d)


class AbsolutePositions(nn.Module):
    """x_t = c_t + p_t, where the vector p_t is the same for position t of every sequence.

    Args:
        length: number T of positions; there is no vector for position T or later.
        d_model: width d of the embeddings.
        learned: p is a parameter, small at first (Radford et al. 2019), or ``sinusoidal``, which has nothing to
            learn; then the embeddings are multiplied by √d, as in the original paper.
    """

    def __init__(self, length: int, d_model: int, learned: bool = True) -> None:
        super().__init__()
        length, d_model = check_integer(length, "length", 1), check_integer(d_model, "d_model", 1)
        if check_flag(learned, "learned"):
            self.p = nn.Parameter(0.02 * torch.randn(length, d_model))  # (T, d)
        else:
            self.register_buffer("p", sinusoidal(length, d_model).to(torch.get_default_dtype()), persistent=False)
        self.scale = 1.0 if learned else math.sqrt(d_model)

    def forward(self, c: Tensor, start: int = 0) -> Tensor:
        """Embeddings with positions, (…, T, d) → (…, T, d); the first is at position ``start``."""
        p = self.p
        check_tensor(c, "c", "… T d", like=p, d=p.shape[1])
        return (c if self.scale == 1 else c * self.scale) + _rows(p, start, c.shape[-2])


class RotaryPositions(nn.Module):
    """Rotates each pair of numbers of a query or key by an angle proportional to its position (Su et al. 2021).

    The inner product of the query at i and the key at j then depends on the positions through j − i alone. Numbers 2i
    and 2i+1 are the two coordinates of a point of the complex plane, and to rotate it is to multiply it by e^(it·ω).

    Args:
        length: number of positions.
        d_k: width of one head's queries and keys, even.
        base: as in ``sinusoidal``: pair i turns by ω_i = base^(−2i/d_k) radians at every step.
    """

    def __init__(self, length: int, d_k: int, base: float = 10_000.0) -> None:
        super().__init__()
        angles = _angles(length, d_k, base, "d_k")  # (T, d_k/2)
        turn = torch.stack([angles.cos(), angles.sin()], dim=-1)  # (T, d_k/2, 2): e^(it·ω), real and imaginary part
        self.register_buffer("turn", turn.float(), persistent=False)

    def forward(self, x: Tensor, start: int = 0) -> Tensor:
        """Queries or keys (…, T, d_k), the first at position ``start``, rotated."""
        check_tensor(x, "x", "… T d_k", d_k=2 * self.turn.shape[1])
        wide = torch.promote_types(x.dtype, torch.float32)  # complex numbers have no 16 bits
        points = torch.view_as_complex(x.to(wide).unflatten(-1, (-1, 2)).contiguous())  # (…, T, d_k/2)
        turn = torch.view_as_complex(_rows(self.turn, start, x.shape[-2]).to(wide))  # (T, d_k/2)
        return torch.view_as_real(points * turn).flatten(-2).to(x.dtype)


class ConvolutionalPositions(nn.Module):
    """x_t = Σ_j w_j ⊙ c_{t−width+1+j}: each token brings the last few along, by learned weights for each channel.

    So attention sees in what order neighbours stand, and nothing about how far away they are (a causal form of the
    convolutional positions of Mohamed et al. 2019; the short convolution of Gu & Dao 2023). It starts as the identity:
    w is 1 for the token itself (j = width − 1) and 0 for those before.

    Args:
        d_model: width d of the embeddings.
        width: how many tokens, the one itself included.
    """

    def __init__(self, d_model: int, width: int = 4) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.zeros(check_integer(width, "width", 1), check_integer(d_model, "d_model", 1)))
        self.w.data[-1] = 1.0

    def forward(self, c: Tensor) -> Tensor:
        """Embeddings from the beginning of a text, (B, T, d) → (B, T, d); zeros stand before it."""
        width, T = len(self.w), check_tensor(c, "c", "B T d", like=self.w, d=self.w.shape[1]).shape[1]
        c = nn.functional.pad(c, (0, 0, width - 1, 0))  # (B, width − 1 + T, d)
        return sum(self.w[j] * c[:, j : j + T] for j in range(width))


def alibi_slopes(n_heads: int) -> Tensor:
    """One slope per head, (h,): 2^(−8/h), 2^(−16/h), …, 2^(−8) (Press, Smith & Lewis 2022).

    For a number of heads that is not a power of two, the slopes of the power below, and then every other one of twice
    that.
    """
    power = 2 ** int(math.log2(check_integer(n_heads, "n_heads", 1)))
    slopes = [2 ** (-8 * i / power) for i in range(1, power + 1)]
    slopes += [2 ** (-4 * i / power) for i in range(1, 2 * (n_heads - power), 2)]
    return torch.tensor(slopes)


def alibi_bias(slopes: Tensor, n_queries: int, n_keys: int) -> Tensor:
    """What ALiBi adds to the scores, (h, T_q, T_k): minus slope times how many tokens before the query the key is.

    The last query stands at the position of the last key. Keys after the query get a 0: masking them is the mask's job.
    """
    check_tensor(slopes, "slopes", "h")
    n_keys = check_integer(n_keys, "n_keys", 1)
    n_queries = check_integer(n_queries, "n_queries", 1, n_keys)
    queries = torch.arange(n_keys - n_queries, n_keys, device=slopes.device)  # positions
    return -slopes[:, None, None] * (queries[:, None] - torch.arange(n_keys, device=slopes.device)).clamp(min=0)


def _rows(table: Tensor, start: int, count: int) -> Tensor:
    """The rows of positions start … start+count−1."""
    start = check_integer(start, "start", 0)
    if start + count > len(table):
        reached, last = start + count - 1, len(table) - 1
        raise ValueError(f"start is {start}: {count} tokens reach position {reached}, expected at most {last}")
    return table[start : start + count]


def _angles(length: int, d: int, base: float, name: str) -> Tensor:
    """t·ω_i for t < length and i < d/2, in float64: (T, d/2)."""
    length, d, base = check_integer(length, "length", 1), check_integer(d, name, 2), check_number(base, "base", above=1)
    if d % 2:
        raise ValueError(f"{name} must be even, got {d}")
    frequencies = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # ω_i
    return torch.arange(length, dtype=torch.float64)[:, None] * frequencies
