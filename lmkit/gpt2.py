"""GPT-2's published files: its weights in and out of ``TransformerLM``, its tokenizer (Radford et al. 2019)."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from lmkit.bpe import BPETokenizer
from lmkit.checks import check_finite, check_instance, check_tensor
from lmkit.files import read_whole
from lmkit.transformer import TransformerConfig, TransformerLM

# GPT-2's words in the names of parameters, for this model's.
GPT2_NAMES = {
    "embedding": "wte",
    "positions.p": "wpe.weight",
    "blocks": "h",
    "final_norm": "ln_f",
    "norm_": "ln_",
    "attention.W_qkv": "attn.c_attn",
    "attention.W_o": "attn.c_proj",
    "feed_forward.W_up": "mlp.c_fc",
    "feed_forward.W_down": "mlp.c_proj",
}
GPT2_CHOICES = {"positions": "learned", "norm": "pre-LN", "activation": "gelu", "qk_norm": False, "tied": True}
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
        ValueError: also for a tensor that is missing or superfluous, and an output matrix that is not the embedding matrix.
    """
    named = check_instance(weights, "weights", Mapping).items()
    weights = {str(name).removeprefix("transformer."): x for name, x in named}
    if len(weights) < len(named):
        raise ValueError("weights must hold each tensor once, got one with and without the prefix transformer.")
    for name in ("wte.weight", "wpe.weight"):
        check_finite(check_tensor(weights.get(name), f"weights[{name!r}]", "rows d"), f"weights[{name!r}]")
    output = check_tensor(weights.get("lm_head.weight", weights["wte.weight"]), "weights['lm_head.weight']", "…")
    if not torch.equal(output, weights["wte.weight"]):
        raise ValueError("weights['lm_head.weight'] must equal weights['wte.weight'], as in GPT-2, got another tensor")
    weights = {name: tensor for name, tensor in weights.items() if not GPT2_EXTRA.fullmatch(name)}
    config = TransformerConfig(
        vocab_size=len(weights["wte.weight"]),
        context_length=len(weights["wpe.weight"]),
        n_layers=len({name.split(".")[1] for name in weights if name.startswith("h.")}),
        n_heads=n_heads,
        d_model=weights["wte.weight"].shape[1],
        bos_id=bos_id,
    )
    model = TransformerLM(config)
    expected = to_gpt2_state_dict(model)
    if weights.keys() != expected.keys():
        missing, extra = sorted(expected.keys() - weights.keys()), sorted(weights.keys() - expected.keys())
        raise ValueError(f"weights is not in GPT-2's layout: missing {missing[:5]}, superfluous {extra[:5]}")
    with torch.no_grad():
        for name, target in expected.items():  # views of the model's own parameters
            target.copy_(check_tensor(weights[name], f"weights[{name!r}]", tuple(target.shape)))
            check_finite(target, f"weights[{name!r}]")  # also of a float64 that is too large for it
    return model


def to_gpt2_state_dict(model: TransformerLM) -> dict[str, Tensor]:
    """The parameters in GPT-2's layout, as views: what is copied into them is copied into the model.

    Raises:
        ValueError: for a model whose function that layout cannot hold.
    """
    config = check_instance(model, "model", TransformerLM).config
    wrong = [f"{field} = {value!r}" for field, value in vars(config).items() if value != GPT2_CHOICES.get(field, value)]
    if wrong:
        raise ValueError(f"model has {', '.join(wrong)}, which GPT-2's layout cannot hold, expected {GPT2_CHOICES}")
    layout = {}
    for name, tensor in model.state_dict().items():
        for ours, theirs in GPT2_NAMES.items():
            name = name.replace(ours, theirs)
        if name != "output.weight":  # the embedding once more
            linear = ".c_" in name and tensor.ndim == 2  # those are stored (in, out)
            layout[name] = tensor.T if linear else tensor
    return layout


def gpt2_tokenizer(vocab_json: str | Path, merges_txt: str | Path) -> BPETokenizer:
    """The tokenizer of GPT-2's ``vocab.json`` and ``merges.txt``; "<|endoftext|>" both begins and ends a text.

    Raises:
        ValueError: also for files that are not there, damaged or something else.
    """
    byte_of = {letter: byte for byte, letter in enumerate(gpt2_letters())}
    end = "<|endoftext|>"

    def token(letters: str) -> bytes:
        return bytes(byte_of[letter] for letter in letters)

    try:
        ids = json.loads(read_whole(vocab_json, "vocab_json").decode())
        vocab = [end.encode() if name == end else token(name) for name in sorted(ids, key=ids.get)]
        if sorted(ids.values()) != list(range(len(ids))):
            raise ValueError(f"ids must be 0 … {len(ids) - 1}, each once")
        lines = read_whole(merges_txt, "merges_txt").decode().splitlines()
        pairs = [line.split(" ") for line in lines if line and not line.startswith("#version")]
        return BPETokenizer(vocab, [(token(a), token(b)) for a, b in pairs], {end: ids[end]}, end, end)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        found = f"vocab_json, {vocab_json!r}, and merges_txt, {merges_txt!r}"
        raise ValueError(f"{found}, are damaged or not GPT-2's: {error!r}") from error


def gpt2_letters() -> str:
    """The letter that stands for each byte in these files: itself if it can be seen, else one from U+0100 on."""
    seen = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    unseen = iter(range(256, 512))
    return "".join(chr(byte if byte in seen else next(unseen)) for byte in range(256))
