"""GPT-2's published files: its weights in and out of ``TransformerLM``, its tokenizer (Radford et al. 2019)."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from lmkit.bpe import BPETokenizer
from lmkit.transformer import TransformerConfig, TransformerLM

# (GPT-2's name, this model's name, stored transposed); {i} is the layer. GPT-2 stores its linear maps as (in, out).
GPT2_LAYOUT = [
    ("wte.weight", "embedding.weight", False),
    ("wpe.weight", "positions.p", False),
    ("ln_f.weight", "final_norm.weight", False),
    ("ln_f.bias", "final_norm.bias", False),
    ("h.{i}.ln_1.weight", "blocks.{i}.norm_1.weight", False),
    ("h.{i}.ln_1.bias", "blocks.{i}.norm_1.bias", False),
    ("h.{i}.attn.c_attn.weight", "blocks.{i}.attention.W_qkv.weight", True),
    ("h.{i}.attn.c_attn.bias", "blocks.{i}.attention.W_qkv.bias", False),
    ("h.{i}.attn.c_proj.weight", "blocks.{i}.attention.W_o.weight", True),
    ("h.{i}.attn.c_proj.bias", "blocks.{i}.attention.W_o.bias", False),
    ("h.{i}.ln_2.weight", "blocks.{i}.norm_2.weight", False),
    ("h.{i}.ln_2.bias", "blocks.{i}.norm_2.bias", False),
    ("h.{i}.mlp.c_fc.weight", "blocks.{i}.feed_forward.W_up.weight", True),
    ("h.{i}.mlp.c_fc.bias", "blocks.{i}.feed_forward.W_up.bias", False),
    ("h.{i}.mlp.c_proj.weight", "blocks.{i}.feed_forward.W_down.weight", True),
    ("h.{i}.mlp.c_proj.bias", "blocks.{i}.feed_forward.W_down.bias", False),
]
# What checkpoints hold besides: the causal mask as buffers, and the embedding a second time as the output matrix.
GPT2_EXTRA = re.compile(r"h\.\d+\.attn\.(masked_)?bias|lm_head\.weight")


def from_gpt2_state_dict(weights: Mapping[str, Tensor], n_heads: int, bos_id: int = 50256) -> TransformerLM:
    """The model of a checkpoint in GPT-2's published layout; all sizes but the number of heads follow from its shapes.

    Args:
        weights: name → tensor, with or without the prefix ``transformer.``.
        n_heads: 12 for GPT-2 small, 16, 20, 25 for medium, large, XL: d_model / 64.
        bos_id: GPT-2's ``<|endoftext|>``, which begins its texts and ends them; as a beginning it has probability 0
            here.

    Raises:
        ValueError: for a tensor that is missing, superfluous or of the wrong shape.
    """
    weights = {name.removeprefix("transformer."): tensor for name, tensor in weights.items()}
    weights = {name: tensor for name, tensor in weights.items() if not GPT2_EXTRA.fullmatch(name)}
    for name in ("wte.weight", "wpe.weight", "h.0.mlp.c_fc.weight"):
        if name not in weights or weights[name].ndim != 2:
            raise ValueError(f"weights must hold a matrix {name!r}, got names {sorted(weights)[:5]} …")
    config = TransformerConfig(
        vocab_size=len(weights["wte.weight"]),
        context_length=len(weights["wpe.weight"]),
        n_layers=len({name.split(".")[1] for name in weights if name.startswith("h.")}),
        n_heads=n_heads,
        d_model=weights["wte.weight"].shape[1],
        d_ff=weights["h.0.mlp.c_fc.weight"].shape[1],
        bos_id=bos_id,
    )
    model = TransformerLM(config)
    expected = to_gpt2_state_dict(model)
    if weights.keys() != expected.keys():
        missing, extra = sorted(expected.keys() - weights.keys()), sorted(weights.keys() - expected.keys())
        raise ValueError(f"weights is not in GPT-2's layout: missing {missing[:5]}, superfluous {extra[:5]}")
    with torch.no_grad():
        for name, target in expected.items():  # views of the model's own parameters
            if weights[name].shape != target.shape:
                raise ValueError(f"{name} must have shape {tuple(target.shape)}, got {tuple(weights[name].shape)}")
            target.copy_(weights[name])
    return model


def to_gpt2_state_dict(model: TransformerLM) -> dict[str, Tensor]:
    """The parameters in GPT-2's layout, as views: what is copied into them is copied into the model."""
    own = model.state_dict()
    layout = {}
    for theirs, ours, transposed in GPT2_LAYOUT:
        for i in range(model.config.n_layers) if "{i}" in theirs else [0]:
            name = ours.format(i=i)
            if name not in own:
                raise ValueError(
                    f"model has no {name}: GPT-2 has learned positions, pre-LN, GELU, biases, tied embeddings"
                )
            layout[theirs.format(i=i)] = own[name].T if transposed else own[name]
    return layout


def gpt2_tokenizer(vocab_json: str | Path, merges_txt: str | Path) -> BPETokenizer:
    """The tokenizer of GPT-2's ``vocab.json`` and ``merges.txt``; "<|endoftext|>" both begins and ends a text.

    Raises:
        ValueError: for files that are damaged or something else.
    """
    byte_of = {letter: byte for byte, letter in enumerate(gpt2_letters())}
    end = "<|endoftext|>"

    def token(letters: str) -> bytes:
        return bytes(byte_of[letter] for letter in letters)

    try:
        ids = json.loads(Path(vocab_json).read_text(encoding="utf-8"))
        vocab = [end.encode() if name == end else token(name) for name in sorted(ids, key=ids.get)]
        if sorted(ids.values()) != list(range(len(ids))):
            raise ValueError(f"ids must be 0 … {len(ids) - 1}, each once")
        lines = Path(merges_txt).read_text(encoding="utf-8").splitlines()
        pairs = [line.split(" ") for line in lines if line and not line.startswith("#version")]
        merges = [(token(a), token(b)) for a, b in pairs]
        return BPETokenizer(vocab, merges, {end: ids[end]}, end, end)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{vocab_json} and {merges_txt} are damaged or not GPT-2's: {error!r}") from error


def gpt2_letters() -> str:
    """The letter that stands for each byte in these files: itself if it can be seen, else one from U+0100 on."""
    seen = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    unseen = iter(range(256, 512))
    return "".join(chr(byte if byte in seen else next(unseen)) for byte in range(256))
