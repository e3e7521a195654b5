"""The Transformer language model: embeddings, a stack of attention and feed-forward sublayers, a softmax on top.

Sources: Vaswani et al. (2017), post-LN and dropout; Radford et al. (2019), pre-LN, GPT-2; Ba et al. (2016), LayerNorm; Zhang &
Sennrich (2019), RMSNorm; Shazeer (2020), SwiGLU; So et al. (2021), squared ReLU; Press & Wolf (2017), tied embeddings.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from lmkit.attention import KVCache, MultiHeadAttention
from lmkit.checks import check_fields, check_id_tensor, check_instance, check_number, check_tensor, check_token_ids
from lmkit.neural import NONLINEARITIES, NeuralLM, seeded
from lmkit.positions import AbsolutePositions, ConvolutionalPositions, RotaryPositions

CHOICES = {
    "positions": ("learned", "sinusoidal", "rotary", "alibi", "convolution", "none"),
    "norm": ("pre-LN", "post-LN", "RMS"),
    "activation": ("gelu", "relu", "squared_relu", "swiglu"),
}


def _unchanged(x: Tensor) -> Tensor:
    """x, where nothing is dropped; quicker to call than nn.Identity."""
    return x


@dataclass(frozen=True)
class TransformerConfig:
    """What defines a Transformer language model; the defaults are GPT-2's choices at the size of a laptop.

    Attributes:
        vocab_size: number V of tokens.
        context_length: the longest input, ``<bos>`` included.
        n_layers, n_heads, d_model: L, h and d; every head has size d/h.
        positions: see ``CHOICES`` and ``lmkit.positions``.
        norm: "pre-LN", a LayerNorm before each sublayer and once more at the end (GPT-2); "post-LN", after each residual
            sum (2017); "RMS", as "pre-LN" but with RMSNorm and without any biases (Llama).
        activation: of the feed-forward network. Its inner width is 4d, but 8d/3 for SwiGLU, which has a third matrix.
        qk_norm: queries and keys are scaled to root mean square 1.
        tied: the output matrix is the embedding matrix.
        dropout: in training, the share of numbers set to 0 in the embeddings and in the output of each sublayer.
        bos_id: the id of ``<bos>``.
    """

    vocab_size: int
    context_length: int = 64
    n_layers: int = 4
    n_heads: int = 4
    d_model: int = 128
    positions: str = "learned"
    norm: str = "pre-LN"
    activation: str = "gelu"
    qk_norm: bool = False
    tied: bool = True
    dropout: float = 0.0
    bos_id: int = 0

    def __post_init__(self) -> None:
        sizes = "vocab_size context_length n_layers n_heads d_model"
        check_fields(self, sizes, "qk_norm tied", CHOICES, dropout={"low": 0, "below": 1})
        if self.d_model % self.n_heads:
            raise ValueError(f"n_heads must divide d_model = {self.d_model}, got {self.n_heads}")
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise ValueError(f"d_model must be even for sinusoidal positions, got {self.d_model}")
        if self.positions == "rotary" and self.d_model // self.n_heads % 2:
            raise ValueError(f"d_model / n_heads must be even for rotary positions, got {self.d_model // self.n_heads}")

    @property
    def d_ff(self) -> int:
        """Inner width of the feed-forward network."""
        return round(8 * self.d_model / 3) if self.activation == "swiglu" else 4 * self.d_model

    @property
    def bias(self) -> bool:
        """Whether linear maps have a bias."""
        return self.norm != "RMS"


def layer_norm(a: Tensor, gain: Tensor, bias: Tensor, eps: float = 1e-5) -> Tensor:
    """γ ⊙ (a − μ)/√(σ² + ε) + β, with mean μ and variance σ² over the last axis: (…, d) → (…, d)."""
    d = check_tensor(a, "a", "… d", empty=False).shape[-1]
    check_tensor(gain, "gain", "d", like=a, d=d)
    check_tensor(bias, "bias", "d", like=a, d=d)
    mean = a.mean(dim=-1, keepdim=True)
    variance = ((a - mean) ** 2).mean(dim=-1, keepdim=True)
    return gain * (a - mean) / torch.sqrt(variance + check_number(eps, "eps", above=0)) + bias


def rms_norm(a: Tensor, gain: Tensor, eps: float = 1e-5) -> Tensor:
    """γ ⊙ a/√(mean(a²) + ε) over the last axis: LayerNorm without the mean and the bias, (…, d) → (…, d)."""
    check_tensor(gain, "gain", "d", like=a, d=check_tensor(a, "a", "… d", empty=False).shape[-1])
    return gain * a / torch.sqrt((a**2).mean(dim=-1, keepdim=True) + check_number(eps, "eps", above=0))


def make_norm(config: TransformerConfig) -> nn.Module:
    """PyTorch's fused layers, which compute ``layer_norm`` and ``rms_norm``."""
    check_instance(config, "config", TransformerConfig)
    return nn.RMSNorm(config.d_model, eps=1e-5) if config.norm == "RMS" else nn.LayerNorm(config.d_model, eps=1e-5)


class FeedForward(nn.Module):
    """The same network with one hidden layer at every position: W_down φ(W_up x).

    SwiGLU has a gate: W_down (silu(W_gate x) ⊙ W_up x).
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        d, d_ff, bias = check_instance(config, "config", TransformerConfig).d_model, config.d_ff, config.bias
        gated = config.activation == "swiglu"
        self.d_model, self.activation = d, "silu" if gated else config.activation
        self.W_up = nn.Linear(d, d_ff, bias=bias)
        self.W_gate = nn.Linear(d, d_ff, bias=bias) if gated else None
        self.W_down = nn.Linear(d_ff, d, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        """(…, d) → (…, d)."""
        phi, W_up, W_gate = NONLINEARITIES[self.activation], self.W_up, self.W_gate
        check_tensor(x, "x", "… d", like=W_up.weight, d=self.d_model)
        return self.W_down(phi(W_up(x)) if W_gate is None else phi(W_gate(x)) * W_up(x))


class Block(nn.Module):
    """One layer: attention and a feed-forward network, each with a norm, dropout and a residual connection."""

    def __init__(self, config: TransformerConfig, rotary: RotaryPositions | None = None) -> None:
        super().__init__()
        self.pre, self.d_model = check_instance(config, "config", TransformerConfig).norm != "post-LN", config.d_model
        if (rotary is not None) != (config.positions == "rotary"):
            raise ValueError(f"rotary must be given for rotary positions only, got {rotary} for {config.positions!r}")
        self.norm_1, self.norm_2 = make_norm(config), make_norm(config)
        self.attention = MultiHeadAttention(
            config.d_model,
            config.n_heads,
            bias=config.bias,
            rotary=rotary,
            alibi=config.positions == "alibi",
            qk_norm=config.qk_norm,
        )
        self.feed_forward = FeedForward(config)
        self.dropout = nn.Dropout(config.dropout) if config.dropout else _unchanged

    def forward(self, x: Tensor, cache: KVCache | None = None) -> Tensor:
        """(B, T, d) → (B, T, d); with a cache, the tokens follow those that it holds."""
        check_tensor(x, "x", "B T d", like=self.norm_1.weight, d=self.d_model)
        if self.pre:
            x = x + self.dropout(self.attention(self.norm_1(x), cache=cache))
            return x + self.dropout(self.feed_forward(self.norm_2(x)))
        x = self.norm_1(x + self.dropout(self.attention(x, cache=cache)))
        return self.norm_2(x + self.dropout(self.feed_forward(x)))


@dataclass
class TransformerState:
    """What generation keeps of B texts."""

    tokens: Tensor  # (B, n), those in the context
    forgotten: int  # how many were read before them
    caches: list[KVCache]  # one for each layer, with n keys and values


class TransformerLM(NeuralLM):
    """A decoder-only Transformer.

    A text that outgrows the context is read in windows that begin at multiples of half the context: each token is predicted
    from the longest window behind it that fits, at least half a context long.

    Args:
        config: see ``TransformerConfig``.
        seed: of the random initial weights; the global random state is left as it was.
    """

    def __init__(self, config: TransformerConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = check_instance(config, "config", TransformerConfig)
        self.vocab_size, self.bos_id, self.context_length = config.vocab_size, config.bos_id, config.context_length
        V, T, d = config.vocab_size, config.context_length, config.d_model
        with seeded(seed):
            self.embedding = nn.Embedding(V, d)
            self.positions = nn.Identity()
            if config.positions in ("learned", "sinusoidal"):
                self.positions = AbsolutePositions(T, d, config.positions == "learned")
            elif config.positions == "convolution":
                self.positions = ConvolutionalPositions(d)
            self.dropout = nn.Dropout(config.dropout) if config.dropout else _unchanged
            rotary = RotaryPositions(T, d // config.n_heads) if config.positions == "rotary" else None
            self.blocks = nn.ModuleList(Block(config, rotary) for _ in range(config.n_layers))
            self.final_norm = nn.Identity() if config.norm == "post-LN" else make_norm(config)
            self.output = nn.Linear(d, V, bias=False)
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
        for block in self.blocks:
            for last in (block.attention.W_o, block.feed_forward.W_down):
                last.weight.data /= math.sqrt(2 * self.config.n_layers)

    def hidden(self, tokens: Tensor) -> Tensor:
        """See ``NeuralLM.hidden``."""
        self._check_tokens(tokens)
        x = self._embed(tokens, 0)
        for block in self.blocks:
            x = block(x)
        return self.final_norm(x)

    def initial_state(self, batch_size: int = 1) -> TransformerState:
        """See ``NeuralLM.initial_state``."""
        c, like = self.config, self.embedding.weight
        caches = [KVCache(batch_size, c.n_heads, c.context_length, c.d_model // c.n_heads, like) for _ in self.blocks]
        return TransformerState(torch.empty(batch_size, 0, dtype=torch.int64, device=like.device), 0, caches)

    @torch.inference_mode()
    def step(self, tokens: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        """See ``NeuralLM.step``. The work is that of the new tokens alone, but where a new window begins, that of a window."""
        check_id_tensor(tokens, "tokens", self.vocab_size)
        B = len(tokens)
        self._check_state(state, B)
        text = torch.cat([state.tokens, tokens], dim=1)
        begin = self._window_begin(state.forgotten + text.shape[1])
        if begin > state.forgotten:  # read the new window afresh
            tokens = text = text[:, begin - state.forgotten :]
            state = self.initial_state(B)
        x = self._embed(text, text.shape[1] - tokens.shape[1])
        for block, cache in zip(self.blocks, state.caches, strict=True):
            x = block(x, cache)
        return self.output(self.final_norm(x[:, -1])), TransformerState(text, begin, state.caches)

    def select(self, state: TransformerState, rows: ArrayLike) -> TransformerState:
        """See ``NeuralLM.select``."""
        self._check_state(state, None)
        rows = check_token_ids(rows, "rows", len(state.tokens), empty=False)
        tokens = state.tokens[torch.from_numpy(rows).to(state.tokens.device)]
        return TransformerState(tokens, state.forgotten, [cache.select(rows) for cache in state.caches])

    def _embed(self, text: Tensor, start: int) -> Tensor:
        """The inputs of the first block for the tokens of a text (B, n) from position ``start`` on: (B, n − start, d)."""
        positions = self.positions
        convolution = isinstance(positions, ConvolutionalPositions)
        begin = max(0, start - len(positions.w) + 1) if convolution else start  # it looks back
        x = self.embedding(text[:, begin:])
        if isinstance(positions, AbsolutePositions):
            x = positions(x, start)
        return self.dropout(positions(x)[:, start - begin :] if convolution else x)

    def _check_state(self, state: TransformerState, batch_size: int | None) -> None:
        """Raise unless the state is this model's, for so many texts (None: for any)."""
        tokens, caches = check_instance(state, "state", TransformerState).tokens, state.caches
        B, n = check_tensor(tokens, "state.tokens", "B n", "int64", B=batch_size).shape
        c = self.config
        wanted = n, (B, c.n_heads, c.context_length, c.d_model // c.n_heads)
        listed = type(state.forgotten) is int and isinstance(caches, list) and all(type(x) is KVCache for x in caches)
        got = [(x.read, x.keys.shape) for x in caches] if listed else [caches]
        if got != [wanted] * c.n_layers:
            raise ValueError(f"state must be this model's after its last step, {c.n_layers} caches {wanted}, got {got}")

    def _window_begin(self, count: int) -> int:
        """Where the window begins from which the token after the first ``count`` is predicted."""
        half = max(1, self.context_length // 2)
        return half * max(0, math.ceil((count - self.context_length) / half))

    def _pieces(self, inputs: Tensor) -> Iterator[tuple[int, Tensor]]:
        scored = 0  # positions
        while scored < inputs.shape[1]:
            begin = self._window_begin(scored + 1)
            h = self.hidden(inputs[:, begin : begin + self.context_length])
            yield scored, h[:, scored - begin :]
            scored = begin + self.context_length
