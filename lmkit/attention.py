"""Attention: a weighted average of values, with weights from how well a query fits each key.

Written three times: as the lecture's sum for one position after the other, as the matrix product that computes all
positions at once, and as the multi-head layer of a Transformer, which leaves the product to PyTorch's fused kernel.

Masks are boolean, and True means: this query may look at this key.

Source: Vaswani et al. (2017); query and key norm: Henry et al. (2020).
"""

import math

import torch
import torch.nn.functional as F
from numpy.typing import ArrayLike
from torch import Tensor, nn

from lmkit.checks import check_flag, check_id_tensor, check_instance, check_integer, check_tensor, check_token_ids
from lmkit.positions import RotaryPositions, alibi_bias, alibi_slopes


def causal_mask(n_queries: int, n_keys: int | None = None) -> Tensor:
    """(T_q, T_k): each query may look at its own position and those before; the last query stands at the last key."""
    n_queries = check_integer(n_queries, "n_queries", 1)
    n_keys = n_queries if n_keys is None else check_integer(n_keys, "n_keys", n_queries)
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


def padding_mask(lengths: Tensor, n_keys: int) -> Tensor:
    """(B, 1, T_k): the queries of sequence b may look at its first ``lengths[b]`` keys, not at the padding after."""
    n_keys = check_integer(n_keys, "n_keys", 1)
    check_id_tensor(lengths, "lengths", n_keys + 1, lowest=1, shape="B")
    return (torch.arange(n_keys, device=lengths.device) < lengths[:, None])[:, None]


def attention_loop(Q: Tensor, K: Tensor, V: Tensor) -> Tensor:
    """Causal attention of one sequence, a position at a time: x'_t = Σ_{j ≤ t} a_{t,j} v_j.

    Args:
        Q, K: queries and keys, (T, d_k).
        V: values, (T, d_v).

    Returns:
        (T, d_v). The same as ``attention`` with the causal mask, and far slower.
    """
    T, d_k = check_tensor(Q, "Q", "T d_k", empty=False).shape
    check_tensor(K, "K", "T d_k", like=Q, T=T, d_k=d_k)
    check_tensor(V, "V", "T d_v", like=Q, empty=False, T=T)
    outputs = []
    for t in range(T):
        s_t = torch.stack([K[j] @ Q[t] for j in range(t + 1)]) / math.sqrt(d_k)  # scores, (t+1,)
        a_t = s_t.softmax(dim=0)  # weights
        outputs.append(sum(a_t[j] * V[j] for j in range(t + 1)))
    return torch.stack(outputs)


def attention_weights(scores: Tensor, mask: Tensor | None = None) -> Tensor:
    """The softmax over the keys of each query, (…, T_q, T_k): rows sum to 1, and a masked key has weight 0.

    Raises:
        ValueError: for a mask that is not boolean or does not fit, or a query that may look at nothing (0/0).
    """
    check_tensor(scores, "scores", "… T_q T_k", empty=False)
    if mask is not None:
        check_mask(mask, scores.shape)
        scores = scores.masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1)
    if weights.isnan().any():
        raise ValueError("scores (and bias) must be below infinity, one of each query finite; its softmax is NaN")
    return weights


def attention(
    Q: Tensor, K: Tensor, V: Tensor, mask: Tensor | None = None, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Scaled dot-product attention of all queries at once: X' = A V, A = softmax(Q Kᵀ/√d_k + bias).

    Args:
        Q: queries, (…, T_q, d_k).
        K: keys, (…, T_k, d_k).
        V: values, (…, T_k, d_v).
        mask: boolean, (…, T_q, T_k) or what broadcasts to it, True where the query may look; None: everywhere.
        bias: added to the scores, as in ALiBi; (…, T_q, T_k) or what broadcasts to it.

    Returns:
        The outputs X', (…, T_q, d_v), and the weights A, (…, T_q, T_k).
    """
    *leading, _, d_k = check_tensor(Q, "Q", "… T_q d_k", empty=False).shape
    T_k = check_tensor(K, "K", (*leading, "T_k", d_k), like=Q, empty=False).shape[-2]
    check_tensor(V, "V", (*leading, T_k, "d_v"), like=Q, empty=False)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)  # (…, T_q, T_k)
    if bias is not None:
        _check_fits(check_tensor(bias, "bias", "…", like=Q), "bias", scores.shape)
        scores = scores + bias
    weights = attention_weights(scores, mask)
    return weights @ V, weights


def check_mask(mask: Tensor, shape: tuple[int, ...]) -> None:
    """Raise a ValueError unless ``mask`` is boolean, fits scores of ``shape`` and lets every query look somewhere."""
    _check_fits(check_tensor(mask, "mask", "…", "bool"), "mask", check_instance(shape, "shape", tuple))
    blind = ~mask.any(dim=-1)
    if blind.any():
        row = tuple(blind.nonzero()[0].tolist())
        raise ValueError(f"mask lets row {row[0] if len(row) == 1 else row} look at no key: its softmax would be 0/0")


def _check_fits(x: Tensor, name: str, shape: tuple[int, ...]) -> None:
    try:
        fits = torch.broadcast_shapes(x.shape, shape) == torch.Size(shape)
    except (RuntimeError, TypeError):  # of a shape that is none
        fits = False
    if not fits:
        raise ValueError(f"{name} must broadcast to the scores' shape {tuple(shape)}, got {tuple(x.shape)}")


class KVCache:
    """The keys and values of the tokens read so far, so that generating a token need not compute them again.

    The memory is reserved once, for ``length`` tokens; ``read`` of them are filled.

    Args:
        batch_size, n_heads, length, d_k: sizes of the reserved memory, (B, h, length, d_k).
        like: a tensor of the dtype and device that keys and values will have.
    """

    def __init__(self, batch_size: int, n_heads: int, length: int, d_k: int, like: Tensor) -> None:
        sizes = {"batch_size": batch_size, "n_heads": n_heads, "length": length, "d_k": d_k}
        shape = [check_integer(size, name, 1) for name, size in sizes.items()]
        check_tensor(like, "like", "…")
        self.keys, self.values = like.new_empty(shape), like.new_empty(shape)
        self.read = 0

    def append(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Store the keys and values (B, h, T, d_k) of T new tokens; all those stored so far, (B, h, read, d_k)."""
        B, h, length, d_k = self.keys.shape
        check_tensor(k, "k", "B h T d_k", like=self.keys, empty=False, B=B, h=h, d_k=d_k)
        start, T = self.read, k.shape[2]
        check_tensor(v, "v", "B h T d_k", like=self.keys, B=B, h=h, T=T, d_k=d_k)
        if start + T > length:
            raise ValueError(f"k and v hold {T} tokens, but the cache has room for {length - start}")
        self.keys.narrow(2, start, T).copy_(k)
        self.values.narrow(2, start, T).copy_(v)
        self.read = start + T
        return self.keys.narrow(2, 0, self.read), self.values.narrow(2, 0, self.read)

    def select(self, rows: ArrayLike) -> "KVCache":
        """A new cache with these of the B sequences, by number, in this order; what is named twice is there twice."""
        B, *sizes = self.keys.shape
        at = torch.from_numpy(check_token_ids(rows, "rows", B, empty=False)).to(self.keys.device)
        other = KVCache(len(at), *sizes, self.keys)
        if self.read:
            other.append(self.keys.narrow(2, 0, self.read)[at], self.values.narrow(2, 0, self.read)[at])
        return other


class MultiHeadAttention(nn.Module):
    """Multi-head self-attention: X' = concat(heads) W_o, each head with queries, keys and values of size d_k = d/h.

    Args:
        d_model: width d of inputs and outputs.
        n_heads: number h of heads.
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
        *,
        causal: bool = True,
        bias: bool = False,
        rotary: RotaryPositions | None = None,
        alibi: bool = False,
        qk_norm: bool = False,
    ) -> None:
        super().__init__()
        d, h = check_integer(d_model, "d_model", 1), check_integer(n_heads, "n_heads", 1)
        if d % h:
            raise ValueError(f"n_heads must divide d_model = {d}, got {h}")
        if rotary is not None and 2 * check_instance(rotary, "rotary", RotaryPositions).turn.shape[1] != d // h:
            raise ValueError(f"rotary must rotate heads of size {d // h}, got {2 * rotary.turn.shape[1]}")
        self.d_model, self.n_heads, self.d_k = d, h, d // h
        self.causal, self.qk_norm, self.rotary = check_flag(causal, "causal"), check_flag(qk_norm, "qk_norm"), rotary
        self.alibi = check_flag(alibi, "alibi")
        # W_q, W_k and W_v of all heads side by side: one large product instead of 3h small ones.
        self.W_qkv = nn.Linear(d, 3 * d, bias=check_flag(bias, "bias"))
        self.W_o = nn.Linear(d, d, bias=bias)
        self.register_buffer("slopes", alibi_slopes(h) if alibi else None, persistent=False)

    def forward(self, x: Tensor, mask: Tensor | None = None, cache: KVCache | None = None) -> Tensor:
        """The outputs (B, T, d) for inputs x (B, T, d).

        Args:
            x: with a cache, the inputs after the tokens that were already read.
            mask: boolean, (T, T_k) or (B, T, T_k) or what broadcasts to it, True where a query may look; the causal
                mask comes on top.
            cache: holds the keys and values of the tokens before, and takes those of x.
        """
        start = 0 if cache is None else check_instance(cache, "cache", KVCache).read
        q, k, v = self.project(x, start)
        T_q = q.shape[2]
        T_k = start + T_q
        # With nothing but the causal mask the kernel knows it itself and saves half of the work; the last token may look at all.
        plain = mask is None and not self.alibi and T_q in (1, T_k)
        mask, bias = (None, None) if plain else self._mask_and_bias(q, T_k, mask)
        if bias is not None:
            mask = bias if mask is None else torch.where(mask, bias, -math.inf)
        if cache is not None:  # last, for a call that is refused must leave it as it was
            try:
                k, v = cache.append(k, v)
            except ValueError as error:
                raise ValueError(f"cache, or the state that it is from, does not fit x: {error}") from error
        heads = F.scaled_dot_product_attention(q, k, v, mask, is_causal=plain and self.causal and T_q > 1)
        return self.W_o(heads.transpose(1, 2).flatten(2))  # concat(heads) W_o

    def project(self, x: Tensor, start: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values (B, h, T, d_k) of x (B, T, d), whose first token is at ``start``."""
        W_qkv, h = self.W_qkv, self.n_heads
        B, T, _ = check_tensor(x, "x", "B T d", like=W_qkv.weight, empty=False, d=self.d_model).shape
        start = check_integer(start, "start", 0)
        # Queries and keys are scaled and rotated alike, so they are taken apart afterwards: (B, 2h, T, d_k).
        qk, v = W_qkv(x).view(B, T, 3 * h, self.d_k).transpose(1, 2).split_with_sizes([2 * h, h], dim=1)
        if self.qk_norm:
            qk = F.rms_norm(qk, (self.d_k,))
        if self.rotary is not None:
            qk = self.rotary(qk, start)
        return *qk.split_with_sizes([h, h], dim=1), v

    def weights(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """The attention weights (B, h, T, T) of x (B, T, d), which the fused kernel does not show: for a heat map."""
        q, k, _ = self.project(x)
        mask, bias = self._mask_and_bias(q, k.shape[2], mask)
        return attention(q, k, k, mask, bias)[1]

    def _mask_and_bias(self, q: Tensor, T_k: int, mask: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
        """Which keys the queries may look at, (…, T_q, T_k), and what is added to their scores, (h, T_q, T_k)."""
        T_q = q.shape[2]
        causal = causal_mask(T_q, T_k).to(q.device) if self.causal and T_q > 1 else None  # the last may look at all
        if mask is None:
            mask = causal
        else:
            scores_shape = (*q.shape[:3], T_k)
            check_tensor(mask, "mask", "…", "bool")
            mask = mask[:, None] if mask.ndim == 3 else mask  # the same for all heads
            check_mask(mask, scores_shape)
            if causal is not None:
                mask = mask & causal
                check_mask(mask, scores_shape)
        return mask, None if self.slopes is None else alibi_bias(self.slopes, T_q, T_k)
