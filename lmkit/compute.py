"""The arithmetic of scale: how many parameters, operations and bytes a Transformer needs, and how best to spend them.

Everything follows from a handful of sizes. Operations are floating-point operations (FLOPs); one multiplication and one
addition are two. Bytes are bytes, not bits.

Sources: Kaplan et al. (2020) for 6N per token; Hoffmann et al. (2022), Chinchilla; Rajbhandari et al. (2020), ZeRO, for the
bytes per parameter; Korthikanti et al. (2022) for activations; Ainslie et al. (2023) for grouped queries.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from lmkit.checks import check_fields, check_flag, check_instance, check_integer, check_number

if TYPE_CHECKING:
    from lmkit.transformer import TransformerConfig

PETAFLOP_S_DAY = 1e15 * 24 * 60 * 60  # 8.64e19 operations


@dataclass(frozen=True)
class Architecture:
    """The sizes of a decoder-only Transformer, on which everything here depends.

    Where None is given for d_head, n_kv_heads or d_ff, the attribute holds the number that it stands for.

    Attributes:
        n_layers, d_model, n_heads: L, d and h.
        vocab_size: V.
        context_length: T, the number of positions.
        d_head: size d_k of a head; None: d/h.
        n_kv_heads: heads of keys and values; None: as many as n_heads.
        d_ff: inner width of the feed-forward network; None: 4d.
        gated: the feed-forward network has a third matrix, as SwiGLU has.
        bias: linear maps and norms have one.
        rms_norm: norms have a gain only.
        final_norm: one more norm before the output, as in pre-LN.
        learned_positions: a vector for each of the T positions.
        tied: the output matrix is the embedding matrix.

    Raises:
        ValueError: also for n_kv_heads that does not divide n_heads, or n_heads that does not divide d_model while no d_head
            is given.
    """

    n_layers: int
    d_model: int
    n_heads: int
    vocab_size: int
    context_length: int
    d_head: int | None = None
    n_kv_heads: int | None = None
    d_ff: int | None = None
    gated: bool = False
    bias: bool = True
    rms_norm: bool = False
    final_norm: bool = True
    learned_positions: bool = True
    tied: bool = True

    def __post_init__(self) -> None:
        check_fields(self, "n_layers d_model n_heads vocab_size context_length")
        if self.d_head is None and self.d_model % self.n_heads:
            raise ValueError(f"n_heads must divide d_model = {self.d_model} unless d_head is given, got {self.n_heads}")
        defaults = {"d_head": self.d_model // self.n_heads, "n_kv_heads": self.n_heads, "d_ff": 4 * self.d_model}
        for field, default in defaults.items():
            if getattr(self, field) is None:
                object.__setattr__(self, field, default)
        check_fields(self, "d_head n_kv_heads d_ff", "gated bias rms_norm final_norm learned_positions tied")
        if self.n_heads % self.n_kv_heads:
            raise ValueError(f"n_kv_heads must divide n_heads = {self.n_heads}, got {self.n_kv_heads}")

    @classmethod
    def of(cls, config: "TransformerConfig") -> Self:
        """The sizes of a ``lmkit.transformer.TransformerConfig``."""
        from lmkit.transformer import TransformerConfig  # which imports torch

        if check_instance(config, "config", TransformerConfig).positions == "convolution":
            raise ValueError('config must have positions that published models have, got "convolution"')
        same = ("n_layers", "d_model", "n_heads", "vocab_size", "context_length", "d_ff", "bias", "tied")
        return cls(
            **{field: getattr(config, field) for field in same},
            gated=config.activation == "swiglu",
            rms_norm=config.norm == "RMS",
            final_norm=config.norm != "post-LN",
            learned_positions=config.positions == "learned",
        )


# --- Parameters -------------------------------------------------------------------------------------------------


def parameters(a: Architecture) -> dict[str, int]:
    """The number of parameters of each part; their sum is N. About 12 L d² of them are in the layers."""
    check_instance(a, "a", Architecture)
    d, queries, keys = a.d_model, a.n_heads * a.d_head, a.n_kv_heads * a.d_head
    attention = d * (queries + 2 * keys) + queries * d  # W_q, W_k, W_v, and W_o
    feed_forward = (3 if a.gated else 2) * d * a.d_ff
    biases = (queries + 2 * keys + d) + ((2 if a.gated else 1) * a.d_ff + d) if a.bias else 0
    norm = d if a.rms_norm or not a.bias else 2 * d
    return {
        "token embeddings": a.vocab_size * d,
        "position embeddings": a.context_length * d if a.learned_positions else 0,
        "attention": a.n_layers * attention,
        "feed-forward": a.n_layers * feed_forward,
        "biases": a.n_layers * biases,
        "norms": (2 * a.n_layers + a.final_norm) * norm,
        "output": 0 if a.tied else a.vocab_size * d,
    }


def n_parameters(a: Architecture) -> int:
    """N, the number of all parameters."""
    return sum(parameters(a).values())


# --- Operations -------------------------------------------------------------------------------------------------


def forward_flops_per_token(a: Architecture, length: int | None = None, causal: bool = False) -> dict[str, float]:
    """FLOPs of the matrix products for one token of a sequence. Norms, softmax and activations are not counted: they add
    less than a percent at the size of GPT-2 and ever less above.

    Args:
        a: sizes.
        length: number of tokens T of the sequence; None: the whole context.
        causal: count only the scores that the mask lets through, (T+1)/2 for each query on average. A plain product
            computes all T.

    Returns:
        "weights": 2 for each parameter of a matrix, the output matrix included, the look-up of embeddings not.
        "attention": 2 d_k for each score and 2 d_k for its value, in every head and layer. This is the only part that
        grows with the length, so only this makes the cost of a sequence quadratic.
    """
    part, length = parameters(a), _length(a, length)
    keys = (length + 1) / 2 if check_flag(causal, "causal") else length
    return {
        "weights": 2 * (part["attention"] + part["feed-forward"] + a.vocab_size * a.d_model),
        "attention": 4 * a.n_layers * a.n_heads * a.d_head * keys,
    }


def six_n_d(n_parameters: float, n_tokens: float) -> float:
    """C ≈ 6 N D, the operations of a training run of N parameters on D tokens (Kaplan et al. 2020).

    Two for each parameter and token in the forward pass and four in the backward pass; attention's scores are left out.
    """
    N, D = check_number(n_parameters, "n_parameters", above=0), check_number(n_tokens, "n_tokens", above=0)
    return check_number(6 * N * D, "6 · n_parameters · n_tokens")


def petaflop_s_days(flops: float) -> float:
    """Operations as days of a machine that does 10^15 in a second."""
    return check_number(flops, "flops", above=0) / PETAFLOP_S_DAY


# --- Memory -----------------------------------------------------------------------------------------------------


def training_bytes(a: Architecture, batch_size: int, length: int | None = None) -> dict[str, float]:
    """Bytes to train in mixed precision with Adam, on one device, with nothing computed twice and no score kept (fused kernels).

    Args:
        a: sizes.
        batch_size, length: of sequences at a time, and their tokens; None: the whole context.

    Returns:
        weights and gradients, 2 bytes a parameter each; master weights and Adam's two moments in 32 bits, 12 bytes (16 in
        all). Then what the backward pass needs of the forward pass: "activations" in 16 bits, with a byte for each entry
        of a dropout mask, for GPT's shape 34 T B d in each layer; "logits" in 32 bits.
    """
    n, length = n_parameters(a), _length(a, length)
    tokens, d = length * check_integer(batch_size, "batch_size", low=1), a.d_model
    inputs = 4 * d  # of two norms, of W_q, W_k, W_v together and of W_up
    attention = 2 * (a.n_heads + a.n_kv_heads) * a.d_head  # queries, keys, values, and what W_o reads
    feed_forward = (4 if a.gated else 2) * a.d_ff  # into φ and out of it; with a gate also its factor and the product
    per_layer = 2 * (inputs + attention + feed_forward) + 2 * d
    outside = d + 2 * (1 + a.final_norm) * d  # the embeddings' mask, and what the last norm and the output matrix read
    return {
        "weights": 2 * n,
        "gradients": 2 * n,
        "master weights": 4 * n,
        "Adam's moments": 8 * n,
        "activations": tokens * (a.n_layers * per_layer + outside),
        "logits": 4 * tokens * a.vocab_size,
    }


def serving_bytes(a: Architecture, batch_size: int = 1, length: int | None = None) -> dict[str, float]:
    """Bytes to generate with 16-bit numbers: the weights, and a key and a value for each token, layer and key-value head
    (the KV cache).
    """
    n = n_parameters(a)
    tokens = _length(a, length) * check_integer(batch_size, "batch_size", low=1)
    return {"weights": 2 * n, "KV cache": 2 * 2 * a.n_layers * a.n_kv_heads * a.d_head * tokens}


# --- How to spend a budget --------------------------------------------------------------------------------------


class Allocation(NamedTuple):
    """Parameters N and training tokens D."""

    n_parameters: float
    n_tokens: float


@dataclass(frozen=True)
class ScalingLaw:
    """L(N, D) = E + A/N^α + B/D^β, the loss in nats per token of N parameters trained on D tokens.

    E is the entropy of the text, which no model gets below; the other terms are what a finite model and a finite text add.
    """

    E: float
    A: float
    B: float
    alpha: float
    beta: float

    def __post_init__(self) -> None:
        check_fields(self, **dict.fromkeys(("E", "A", "B", "alpha", "beta"), {"above": 0}))

    def loss(self, n_parameters: float, n_tokens: float) -> float:
        """L(N, D) in nats per token; an infinite N or D leaves its term out."""
        N = check_number(n_parameters, "n_parameters", above=0, infinite=True)
        D = check_number(n_tokens, "n_tokens", above=0, infinite=True)
        try:
            return check_number(self.E + self.A * N**-self.alpha + self.B * D**-self.beta, "loss")
        except (ArithmeticError, ValueError):
            raise ValueError(f"n_parameters or n_tokens is too small for {self}, got {N:g} and {D:g}") from None

    def best(self, flops: float) -> Allocation:
        """The N and D of least loss with 6 N D = C: N = G (C/6)^(β/(α+β)), G = (αA / βB)^(1/(α+β))."""
        budget = check_number(flops, "flops", above=0) / 6
        try:
            G = (self.alpha * self.A / (self.beta * self.B)) ** (1 / (self.alpha + self.beta))
            n = G * budget ** (self.beta / (self.alpha + self.beta))
            return Allocation(check_number(n, "n_parameters"), check_number(budget / n, "n_tokens"))
        except (ArithmeticError, ValueError):
            raise ValueError(f"flops = {flops:g} has no best N and D within the floats under {self}") from None


# As published, and as Besiroglu et al. (2024) fitted the same points again: the first does not agree with the paper's own
# rule of 20 tokens per parameter, the second does.
HOFFMANN_2022 = ScalingLaw(E=1.69, A=406.4, B=410.7, alpha=0.34, beta=0.28)
BESIROGLU_2024 = ScalingLaw(E=1.8172, A=482.01, B=2085.43, alpha=0.3478, beta=0.3658)


def _length(a: Architecture, length: int | None) -> int:
    return a.context_length if length is None else check_integer(length, "length", low=1)
