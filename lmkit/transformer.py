"""The Transformer language model: embeddings, a stack of attention and feed-forward sublayers, a softmax on top.

Sources: Vaswani et al. (2017), post-LN; Radford et al. (2019), pre-LN, GPT-2; Ba et al. (2016), LayerNorm; Zhang &
Sennrich (2019), RMSNorm; Shazeer (2020), SwiGLU; So et al. (2021), squared ReLU; Press & Wolf (2017), tied embeddings.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmkit.attention import KVCache, MultiHeadAttention
from lmkit.local_context import CausalConvolution, NgramEmbedding
from lmkit.neural import NeuralLM
from lmkit.positions import AbsolutePositions, RotaryPositions

CHOICES = {
    "positions": ("learned", "sinusoidal", "rotary", "alibi", "none"),
    "norm": ("layer", "rms"),
    "norm_place": ("pre", "post"),
    "activation": ("gelu", "relu", "squared_relu", "swiglu"),
}


@dataclass(frozen=True)
class TransformerConfig:
    """What defines a Transformer language model; the defaults are GPT-2's choices at the size of a laptop.

    Attributes:
        vocab_size: number V of tokens.
        context_length: the longest input, ``<bos>`` included.
        n_layers, n_heads, d_model: L, h and d; every head has size d/h.
        n_kv_heads: heads for keys and values (grouped-query attention); None: as many as n_heads.
        d_ff: inner width of the feed-forward network; None: 4d, or 8d/3 for SwiGLU, which has a third matrix.
        positions, norm, norm_place, activation: see ``CHOICES``. With "pre", the norm comes before each sublayer
            and once more at the end; with "post", after each residual sum, as in 2017.
        bias: linear maps have a bias.
        tied: the output matrix is the embedding matrix.
        qk_norm: queries and keys are scaled to root mean square 1.
        zero_init: the last matrix of every sublayer starts at zero, so that each block starts as the identity.
        conv_width: the input of each attention sublayer is a learned weighted sum of so many last positions
            (``CausalConvolution``); 1: no convolution.
        ngram_order, ngram_rows: a token also has a vector for each n-gram of 2 … ngram_order tokens that ends with it,
            from hashed tables of ngram_rows rows (``NgramEmbedding``); order 1: none.
        bos_id: the id of ``<bos>``.
    """

    vocab_size: int
    context_length: int = 64
    n_layers: int = 4
    n_heads: int = 4
    d_model: int = 128
    n_kv_heads: int | None = None
    d_ff: int | None = None
    positions: str = "learned"
    norm: str = "layer"
    norm_place: str = "pre"
    activation: str = "gelu"
    bias: bool = True
    tied: bool = True
    qk_norm: bool = False
    zero_init: bool = False
    conv_width: int = 1
    ngram_order: int = 1
    ngram_rows: int = 16_384
    bos_id: int = 0

    def __post_init__(self) -> None:
        sizes = ("vocab_size", "context_length", "n_layers", "n_heads", "d_model")
        for field in (*sizes, "conv_width", "ngram_order", "ngram_rows"):
            if getattr(self, field) < 1:
                raise ValueError(f"{field} must be at least 1, got {getattr(self, field)}")
        for field, choices in CHOICES.items():
            if getattr(self, field) not in choices:
                raise ValueError(f"{field} must be one of {', '.join(choices)}, got {getattr(self, field)!r}")
        if self.d_model % self.n_heads:
            raise ValueError(f"n_heads must divide d_model = {self.d_model}, got {self.n_heads}")
        if self.n_kv_heads is not None and (self.n_kv_heads < 1 or self.n_heads % self.n_kv_heads):
            raise ValueError(f"n_kv_heads must divide n_heads = {self.n_heads}, got {self.n_kv_heads}")
        if self.d_ff is not None and self.d_ff < 1:
            raise ValueError(f"d_ff must be at least 1 or None, got {self.d_ff}")
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise ValueError(f"d_model must be even for sinusoidal positions, got {self.d_model}")
        if self.positions == "rotary" and self.d_model // self.n_heads % 2:
            raise ValueError(f"d_model / n_heads must be even for rotary positions, got {self.d_model // self.n_heads}")
        if not 0 <= self.bos_id < self.vocab_size:
            raise ValueError(f"bos_id must be an id 0 … {self.vocab_size - 1}, got {self.bos_id}")


def layer_norm(a: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """γ ⊙ (a − μ)/√(σ² + ε) + β, with mean μ and variance σ² over the last axis: (…, d) → (…, d)."""
    mean = a.mean(dim=-1, keepdim=True)
    variance = ((a - mean) ** 2).mean(dim=-1, keepdim=True)
    return gain * (a - mean) / torch.sqrt(variance + eps) + bias


def rms_norm(a: Tensor, gain: Tensor, eps: float = 1e-5) -> Tensor:
    """γ ⊙ a/√(mean(a²) + ε) over the last axis: LayerNorm without the mean and the bias, (…, d) → (…, d)."""
    return gain * a / torch.sqrt((a**2).mean(dim=-1, keepdim=True) + eps)


def make_norm(config: TransformerConfig) -> nn.Module:
    """PyTorch's fused layers, which compute ``layer_norm`` and ``rms_norm``."""
    if config.norm == "layer":
        return nn.LayerNorm(config.d_model, eps=1e-5, bias=config.bias)
    return nn.RMSNorm(config.d_model, eps=1e-5)


class FeedForward(nn.Module):
    """The same network with one hidden layer at every position: W_down φ(W_up x).

    SwiGLU has a gate: W_down (φ(W_gate x) ⊙ W_up x).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.activation = config.activation
        gated = config.activation == "swiglu"
        d_ff = config.d_ff or (round(8 * config.d_model / 3) if gated else 4 * config.d_model)
        self.W_up = nn.Linear(config.d_model, d_ff, bias=config.bias)
        self.W_gate = nn.Linear(config.d_model, d_ff, bias=config.bias) if gated else None
        self.W_down = nn.Linear(d_ff, config.d_model, bias=config.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(…, d) → (…, d)."""
        hidden = self.W_up(x)  # (…, d_ff)
        if self.activation == "gelu":
            hidden = F.gelu(hidden, approximate="tanh")  # the approximation that GPT-2 was trained with
        elif self.activation == "swiglu":
            hidden = F.silu(self.W_gate(x)) * hidden
        else:
            hidden = F.relu(hidden)
            if self.activation == "squared_relu":
                hidden = hidden * hidden
        return self.W_down(hidden)


class Block(nn.Module):
    """One layer: attention and a feed-forward network, each with a norm and a residual connection."""

    def __init__(self, config: TransformerConfig, rotary: RotaryPositions | None) -> None:
        super().__init__()
        self.norm_place, self.conv_width = config.norm_place, config.conv_width
        self.norm_1, self.norm_2 = make_norm(config), make_norm(config)
        self.convolution = CausalConvolution(config.d_model, config.conv_width) if config.conv_width > 1 else None
        self.attention = MultiHeadAttention(
            config.d_model,
            config.n_heads,
            config.n_kv_heads,
            bias=config.bias,
            rotary=rotary,
            alibi=config.positions == "alibi",
            qk_norm=config.qk_norm,
        )
        self.feed_forward = FeedForward(config)

    def attend(self, x: Tensor, state: "LayerState | None") -> Tensor:
        """The attention sublayer with the convolution before it, if there is one; shapes as in ``forward``."""
        if self.convolution is not None:
            past = x.new_zeros(len(x), self.conv_width - 1, x.shape[-1]) if state is None else state.inputs
            x, past = self.convolution(x, past)
            if state is not None:
                state.inputs = past
        return self.attention(x, cache=None if state is None else state.cache)

    def forward(self, x: Tensor, state: "LayerState | None" = None) -> Tensor:
        """(B, T, d) → (B, T, d); with a state also (B, d) → (B, d), for the next token of each sequence."""
        if self.norm_place == "pre":
            x = x + self.attend(self.norm_1(x), state)
            return x + self.feed_forward(self.norm_2(x))
        x = self.norm_1(x + self.attend(x, state))
        return self.norm_2(x + self.feed_forward(x))


@dataclass
class LayerState:
    """What one block keeps of the tokens it has read."""

    cache: KVCache
    inputs: Tensor  # (B, conv_width − 1, d), the convolution's last inputs


@dataclass
class TransformerState:
    """What generation keeps of the tokens read so far; ``TransformerLM.step`` changes it in place."""

    tokens: Tensor  # (B, context_length)
    read: int  # how many of them are filled
    layers: list[LayerState]


class TransformerLM(NeuralLM):
    """A decoder-only Transformer.

    Args:
        config: see ``TransformerConfig``.
        seed: of the random initial weights; the global random state is left as it was.
    """

    def __init__(self, config: TransformerConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        self.vocab_size, self.bos_id, self.context_length = (
            config.vocab_size,
            config.bos_id,
            config.context_length,
        )
        with torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(seed)
            self.embedding = nn.Embedding(config.vocab_size, config.d_model)
            self.ngrams = None
            if config.ngram_order > 1:
                self.ngrams = NgramEmbedding(config.ngram_order, config.ngram_rows, config.d_model, config.bos_id)
            rotary = absolute = None
            if config.positions == "rotary":
                rotary = RotaryPositions(config.context_length, config.d_model // config.n_heads)
            if config.positions in ("learned", "sinusoidal"):
                absolute = AbsolutePositions(config.context_length, config.d_model, config.positions == "learned")
            self.positions = absolute
            self.blocks = nn.ModuleList(Block(config, rotary) for _ in range(config.n_layers))
            self.final_norm = make_norm(config) if config.norm_place == "pre" else nn.Identity()
            self.output = nn.Linear(config.d_model, config.vocab_size, bias=False)
            if config.tied:
                self.output.weight = self.embedding.weight
            self._initialise()

    def _initialise(self) -> None:
        # The outputs of a layer should be neither much larger nor much smaller than its inputs: a deviation of
        # 1/√(3 · number of inputs), PyTorch's own choice, which at GPT-2's width of 768 is GPT-2's 0.02. The last matrix
        # of a sublayer is smaller, for 2L of them add up.
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Embedding):
                nn.init.normal_(module.weight, std=1 / math.sqrt(3 * module.weight.shape[1]))
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)
        if self.ngrams is not None:
            nn.init.zeros_(self.ngrams.tables.weight)
        for block in self.blocks:
            for last in (block.attention.W_o, block.feed_forward.W_down):
                last.weight.data *= 0 if self.config.zero_init else 1 / math.sqrt(2 * self.config.n_layers)

    def logits(self, tokens: Tensor, state: TransformerState | None = None) -> Tensor:
        """See ``NeuralLM.logits``; with a state, ``tokens`` follow those that it has read, and it reads them too."""
        start, T = 0, tokens.shape[1]
        if state is not None:
            start, state.read = state.read, state.read + T
            state.tokens[:, start : state.read] = tokens
        x = self.embedding(tokens)  # (B, T, d)
        if self.ngrams is not None:
            x = x + self.ngrams(tokens, tokens[:, :0] if state is None else state.tokens[:, :start])
        if self.positions is not None:
            x = self.positions(x, start)
        if state is not None and T == 1:
            x = x[:, 0]  # (B, d): a vector for each sequence costs less than a matrix of one row
        for i, block in enumerate(self.blocks):
            x = block(x, None if state is None else state.layers[i])
        return self.output(self.final_norm(x)).view(len(tokens), T, -1)  # (B, T, V)

    def initial_state(self, batch_size: int = 1) -> TransformerState:
        """The state before the first token, which ``step`` should be given: ``<bos>``."""
        c, device = self.config, self.embedding.weight
        tokens = torch.zeros(batch_size, c.context_length, dtype=torch.int64, device=device.device)
        heads = c.n_kv_heads or c.n_heads
        layers = [
            LayerState(
                KVCache(batch_size, heads, c.context_length, c.d_model // c.n_heads, device),
                device.new_zeros(batch_size, c.conv_width - 1, c.d_model),
            )
            for _ in range(c.n_layers)
        ]
        return TransformerState(tokens, 0, layers)

    @torch.inference_mode()
    def step(self, tokens: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        """Logits (B, V) of what follows, once the next tokens are read, and the state after.

        The keys and values of earlier tokens come from the state: a step costs one token's work, not the prefix's. When
        the context is full, the last half of it is read afresh, as if nothing had been before, and there is room again.

        Args:
            tokens: the next token of every sequence (B,), or the next several (B, T), such as ``<bos>`` and a prompt.
            state: from ``initial_state`` or the last step; not to be used again.
        """
        if tokens.ndim == 1:
            tokens = tokens[:, None]
        self.check(tokens, "tokens")
        if len(tokens) != len(state.tokens):
            raise ValueError(f"tokens must be of {len(state.tokens)} sequences like the state, got {len(tokens)}")
        if state.read + tokens.shape[1] > self.context_length:
            room = min(self.context_length // 2, self.context_length - tokens.shape[1])
            kept = state.tokens[:, state.read - room : state.read]
            tokens, state = torch.cat([kept, tokens], dim=1), self.initial_state(len(tokens))
        return self.logits(tokens, state)[:, -1], state
