"""How a Transformer learns where a token stands: learned, sinusoidal, rotary and ALiBi positions.

Attention by itself is permutation equivariant: reorder the tokens and the outputs are the same, reordered. Absolute
positions are added to the embeddings; relative ones change the scores by how far the key is from the query.
"""

import math

import torch
from torch import Tensor, nn


def sinusoidal(length: int, d_model: int, base: float = 10_000.0) -> Tensor:
    """The fixed table of Vaswani et al. (2017): p[t, 2i] = sin(t·ω_i), p[t, 2i+1] = cos(t·ω_i), ω_i = base^(−2i/d).

    Args:
        length: number T of positions, 0 … T−1.
        d_model: width d, even.

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
        if learned:
            self.p = nn.Parameter(0.02 * torch.randn(length, d_model))  # (T, d)
        else:
            self.register_buffer("p", sinusoidal(length, d_model), persistent=False)
        self.scale = 1.0 if learned else math.sqrt(d_model)

    def forward(self, c: Tensor, start: int = 0) -> Tensor:
        """Embeddings with positions, (B, T, d) → (B, T, d); the first is at position ``start``."""
        end = start + c.shape[-2]
        if end > len(self.p):
            raise ValueError(f"c reaches position {end - 1}, expected at most {len(self.p) - 1}")
        return (c if self.scale == 1 else c * self.scale) + self.p[start:end]


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
        end = start + x.shape[-2]
        if end > len(self.turn):
            raise ValueError(f"x reaches position {end - 1}, expected at most {len(self.turn) - 1}")
        if x.shape[-1] != 2 * self.turn.shape[1]:
            raise ValueError(f"x must have vectors of size {2 * self.turn.shape[1]}, got shape {tuple(x.shape)}")
        points = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())  # (…, T, d_k/2)
        return torch.view_as_real(points * torch.view_as_complex(self.turn[start:end])).flatten(-2)


def alibi_slopes(n_heads: int) -> Tensor:
    """One slope per head, (h,): 2^(−8/h), 2^(−16/h), …, 2^(−8) (Press, Smith & Lewis 2022).

    For a number of heads that is not a power of two, the slopes of the power below, and then every other one of twice
    that.
    """
    power = 2 ** int(math.log2(n_heads))
    slopes = [2 ** (-8 * i / power) for i in range(1, power + 1)]
    slopes += [2 ** (-4 * i / power) for i in range(1, 2 * (n_heads - power), 2)]
    return torch.tensor(slopes)


def alibi_bias(slopes: Tensor, n_queries: int, n_keys: int) -> Tensor:
    """What ALiBi adds to the scores, (h, T_q, T_k): minus slope times how many tokens before the query the key is.

    The last query stands at the position of the last key. Keys after the query get a 0: masking them is the mask's job.
    """
    queries = torch.arange(n_keys - n_queries, n_keys, device=slopes.device)  # positions
    distance = (queries[:, None] - torch.arange(n_keys, device=slopes.device)).clamp(min=0)  # (T_q, T_k)
    return -slopes[:, None, None] * distance


def _angles(length: int, d: int, base: float, name: str) -> Tensor:
    """t·ω_i for t < length and i < d/2, in float64: (T, d/2)."""
    if d < 2 or d % 2:
        raise ValueError(f"{name} must be even and positive, got {d}")
    frequencies = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)  # ω_i
    return torch.arange(length, dtype=torch.float64)[:, None] * frequencies
