"""Attention: a weighted average of values, with weights from how well a query fits each key.

Written three times: as the lecture's sum for one position after the other, as the matrix product that computes all
positions at once, and as the multi-head layer of a Transformer, which leaves the product to PyTorch's fused kernel.

Masks are boolean, and True means: this query may look at this key.

Source: Vaswani et al. (2017); grouped queries: Ainslie et al. (2023); query and key norm: Henry et al. (2020).
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmkit.positions import RotaryPositions, alibi_bias, alibi_slopes


def causal_mask(n_queries: int, n_keys: int | None = None) -> Tensor:
    """(T_q, T_k): each query may look at its own position and those before; the last query stands at the last key."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


def padding_mask(lengths: Tensor, n_keys: int) -> Tensor:
    """(B, 1, T_k): the queries of sequence b may look at its first ``lengths[b]`` keys, not at the padding after."""
    if int(lengths.min()) < 1 or int(lengths.max()) > n_keys:
        raise ValueError(f"lengths must be 1 … {n_keys}, got {int(lengths.min())} … {int(lengths.max())}")
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None]


def attention_loop(Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    """Causal attention of one sequence, a position at a time: x'_t = Σ_{j ≤ t} a_{t,j} v_j.

    Args:
        Q, K: queries and keys, (T, d_k).
        V: values, (T, d_v).

    Returns:
        (T, d_v). The same as ``attention`` with the causal mask, and far slower.
    """
    outputs = []
    for t in range(len(Q)):
        s_t = torch.stack([K[j] @ Q[t] for j in range(t + 1)]) / math.sqrt(Q.shape[-1])  # scores, (t+1,)
        a_t = s_t.softmax(dim=0)  # weights
        outputs.append(sum(a_t[j] * V[j] for j in range(t + 1)))
    return torch.stack(outputs)


def attention_weights(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """The softmax over the keys of each query, (…, T_q, T_k): rows sum to 1, and a masked key has weight 0.

    Raises:
        ValueError: for a mask that is not boolean or does not fit, or a query that may look at nothing (0/0).
    """
    if mask is None:
        return scores.softmax(dim=-1)
    check_mask(mask, scores.shape)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)


def attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention of all queries at once: X' = A V, A = softmax(Q Kᵀ/√d_k + bias).

    Args:
        Q: queries, (…, T_q, d_k).
        K: keys, (…, T_k, d_k).
        V: values, (…, T_k, d_v).
        mask: boolean, (…, T_q, T_k) or what broadcasts to it, True where the query may look; None: everywhere.
        bias: added to the scores, as in ALiBi.

    Returns:
        The outputs X', (…, T_q, d_v), and the weights A, (…, T_q, T_k).
    """
    if Q.ndim < 2 or K.ndim < 2 or V.ndim < 2:
        raise ValueError(f"Q, K, V need shapes (…, T, d), got {tuple(Q.shape)}, {tuple(K.shape)}, {tuple(V.shape)}")
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(f"K must have keys of size {Q.shape[-1]} like the queries in Q, got {K.shape[-1]}")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(f"V must have {K.shape[-2]} values, one for each key, got {V.shape[-2]}")
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])  # (…, T_q, T_k)
    if bias is not None:
        scores = scores + bias
    weights = attention_weights(scores, mask)
    return weights @ V, weights


def check_mask(mask: Tensor, shape: torch.Size) -> None:
    """Raise a ValueError unless ``mask`` is boolean, fits scores of ``shape`` and lets every query look somewhere."""
    if mask.dtype != torch.bool:
        raise ValueError(f"mask must be boolean, True where a query may look, got {mask.dtype}")
    try:
        fits = torch.broadcast_shapes(mask.shape, shape) == shape
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(f"mask must broadcast to the scores' shape {tuple(shape)}, got {tuple(mask.shape)}")
    blind = ~mask.any(dim=-1)
    if blind.any():
        row = tuple(blind.nonzero()[0].tolist())
        raise ValueError(f"mask lets row {row[0] if len(row) == 1 else row} look at no key: its softmax would be 0/0")


class KVCache:
    """The keys and values of the tokens read so far, so that generating a token need not compute them again.

    The memory is reserved once, for ``length`` tokens; ``read`` of them are filled.
    """

    def __init__(self, batch_size: int, n_kv_heads: int, length: int, d_k: int, like: Tensor) -> None:
        self.keys = like.new_zeros(batch_size, n_kv_heads, length, d_k)
        self.values = torch.zeros_like(self.keys)
        self.read = 0

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Store the keys and values (B, g, T, d_k) of T new tokens; all those stored so far, (B, g, read, d_k)."""
        start, T = self.read, k.shape[2]
        if start + T > self.keys.shape[2]:
            raise ValueError(f"k and v hold {T} tokens, but the cache has room for {self.keys.shape[2] - start}")
        self.keys.narrow(2, start, T).copy_(k)
        self.values.narrow(2, start, T).copy_(v)
        self.read = start + T
        return self.keys.narrow(2, 0, self.read), self.values.narrow(2, 0, self.read)


class MultiHeadAttention(nn.Module):
    """Multi-head self-attention: X' = concat(heads) W_o, each head with queries, keys and values of size d_k = d/h.

    Args:
        d_model: width d of inputs and outputs.
        n_heads: number h of heads.
        n_kv_heads: number g of heads for keys and values, each shared by h/g query heads; None: h, one for each.
            With fewer, the cache is smaller by h/g (grouped-query attention; multi-query for g = 1).
        causal: no position looks at a later one.
        bias: the four projections have a bias.
        rotary: rotates queries and keys by their positions.
        alibi: biases the scores by distance.
        qk_norm: scales every query and key to root mean square 1 before the (rotated) inner product.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        n_kv_heads: int | None = None,
        *,
        causal: bool = True,
        bias: bool = False,
        rotary: RotaryPositions | None = None,
        alibi: bool = False,
        qk_norm: bool = False,
    ) -> None:
        super().__init__()
        n_kv_heads = n_heads if n_kv_heads is None else n_kv_heads
        if n_heads < 1 or d_model % n_heads:
            raise ValueError(f"n_heads must divide d_model = {d_model}, got {n_heads}")
        if n_kv_heads < 1 or n_heads % n_kv_heads:
            raise ValueError(f"n_kv_heads must divide n_heads = {n_heads}, got {n_kv_heads}")
        self.n_heads, self.n_kv_heads, self.d_k = n_heads, n_kv_heads, d_model // n_heads
        self.causal, self.qk_norm, self.rotary = causal, qk_norm, rotary
        # W_q, W_k and W_v of all heads side by side: one large product instead of 3h small ones.
        self.W_qkv = nn.Linear(d_model, (n_heads + 2 * n_kv_heads) * self.d_k, bias=bias)
        self.W_o = nn.Linear(d_model, d_model, bias=bias)
        self.register_buffer("slopes", alibi_slopes(n_heads) if alibi else None, persistent=False)

    def project(self, x: Tensor, start: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        """Queries (B, h, T, d_k), keys and values (B, g, T, d_k) of x (B, T, d) or (B, d), whose first token is at ``start``."""
        heads = self.W_qkv(x).view(len(x), -1, self.n_heads + 2 * self.n_kv_heads, self.d_k).transpose(1, 2)
        h, g = self.n_heads, self.n_kv_heads
        if self.rotary is None and not self.qk_norm:
            return heads.split_with_sizes((h, g, g), dim=1)
        qk, v = heads.split_with_sizes((h + g, g), dim=1)
        if self.qk_norm:
            qk = F.rms_norm(qk, (self.d_k,))
        if self.rotary is not None:
            qk = self.rotary(qk, start)
        q, k = qk.split_with_sizes((h, g), dim=1)
        return q, k, v

    def mask_and_bias(self, T_q: int, T_k: int, mask: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
        """Which keys the queries may look at, (…, T_q, T_k), and what is added to their scores, (h, T_q, T_k)."""
        if mask is not None and mask.ndim == 3:
            mask = mask[:, None]  # (B, 1, T_q, T_k): the same for all heads
        if self.causal and T_q > 1:  # a single query is the last token: it may look at everything
            causal = causal_mask(T_q, T_k).to(self.W_o.weight.device)
            mask = causal if mask is None else mask & causal
        bias = None if self.slopes is None else alibi_bias(self.slopes, T_q, T_k)
        return mask, bias

    def forward(self, x: Tensor, mask: Tensor | None = None, cache: KVCache | None = None) -> Tensor:
        """The outputs for x, of its shape.

        Args:
            x: inputs (B, T, d), or (B, d) for one token of each sequence; with a cache, those after the tokens already read.
            mask: boolean, (T, T_k) or (B, T, T_k) or what broadcasts to it, True where a query may look; the causal
                mask comes on top.
            cache: holds the keys and values of the tokens before, and takes those of x.
        """
        q, k, v = self.project(x, 0 if cache is None else cache.read)
        if cache is not None:
            k, v = cache.append(k, v)
        if self.n_kv_heads < self.n_heads:
            k, v = (y.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1) for y in (k, v))
        T_q, T_k = q.shape[2], k.shape[2]
        if mask is None and self.slopes is None and (T_q == T_k or T_q == 1):
            heads = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal and T_q > 1)  # (B, h, T, d_k)
        else:
            mask, bias = self.mask_and_bias(T_q, T_k, mask)
            if mask is not None:
                check_mask(mask, torch.Size([len(x), self.n_heads, T_q, T_k]))
            if bias is not None:
                mask = bias if mask is None else torch.where(mask, bias, -math.inf)
            heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.W_o(heads.transpose(1, 2).reshape(x.shape))  # concat(heads) W_o

    def weights(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """The attention weights (B, h, T, T) of x (B, T, d), which the fused kernel does not show: for a heat map."""
        q, k, v = self.project(x)
        k = k.repeat_interleave(self.n_heads // self.n_kv_heads, dim=1)
        mask, bias = self.mask_and_bias(q.shape[2], k.shape[2], mask)
        return attention(q, k, k, mask, bias)[1]
