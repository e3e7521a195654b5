import dataclasses
import functools
import json
import math
import tempfile
from pathlib import Path

import pytest
import torch

from lmkit.bpe import BPETokenizer
from lmkit.gpt2 import GPT2_CHOICES, from_gpt2_state_dict, gpt2_letters, gpt2_tokenizer, to_gpt2_state_dict
from lmkit.transformer import TransformerConfig, TransformerLM
from tests.doors import Door, bad_values

V, T, L, H, D = 13, 9, 3, 2, 8


@pytest.fixture
def checkpoint():
    """Random weights under GPT-2's names and in its shapes, written down from the paper's release."""
    shapes = {"wte.weight": (V, D), "wpe.weight": (T, D), "ln_f.weight": (D,), "ln_f.bias": (D,)}
    for i in range(L):
        for norm in ("ln_1", "ln_2"):
            shapes |= {f"h.{i}.{norm}.weight": (D,), f"h.{i}.{norm}.bias": (D,)}
        for linear, (n_in, n_out) in {
            "attn.c_attn": (D, 3 * D),
            "attn.c_proj": (D, D),
            "mlp.c_fc": (D, 4 * D),
            "mlp.c_proj": (4 * D, D),
        }.items():
            shapes |= {f"h.{i}.{linear}.weight": (n_in, n_out), f"h.{i}.{linear}.bias": (n_out,)}
    generator = torch.Generator().manual_seed(0)
    return {name: 0.5 * torch.randn(shape, generator=generator) for name, shape in shapes.items()}


def gpt2_by_hand(w, tokens):
    """GPT-2's function of one sequence, from its description, head by head and without this package."""
    w = {name: tensor.double() for name, tensor in w.items()}

    def norm(x, name):
        x = x - x.mean(-1, keepdim=True)
        return x / (x.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt() * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(x, name):
        return x @ w[f"{name}.weight"] + w[f"{name}.bias"]

    x = w["wte.weight"][tokens] + w["wpe.weight"][: len(tokens)]
    forbidden = torch.full((len(tokens), len(tokens)), -torch.inf, dtype=torch.float64).triu(1)
    for i in range(L):
        q, k, v = linear(norm(x, f"h.{i}.ln_1"), f"h.{i}.attn.c_attn").chunk(3, dim=-1)
        heads = []
        for h in range(H):
            part = slice(h * D // H, (h + 1) * D // H)
            scores = q[:, part] @ k[:, part].T / math.sqrt(D / H) + forbidden
            heads.append(scores.softmax(-1) @ v[:, part])
        x = x + linear(torch.cat(heads, -1), f"h.{i}.attn.c_proj")
        a = linear(norm(x, f"h.{i}.ln_2"), f"h.{i}.mlp.c_fc")
        gelu = 0.5 * a * (1 + torch.tanh(math.sqrt(2 / math.pi) * (a + 0.044715 * a**3)))
        x = x + linear(gelu, f"h.{i}.mlp.c_proj")
    return norm(x, "ln_f") @ w["wte.weight"].T


def test_computes_gpt2s_function(checkpoint):
    model = from_gpt2_state_dict(checkpoint, n_heads=H, bos_id=V - 1).double()
    tokens = torch.tensor([12, 3, 1, 4, 1, 5, 9, 2, 6])
    expected = gpt2_by_hand(checkpoint, tokens)
    torch.testing.assert_close(model.logits(tokens[None])[0], expected, rtol=1e-9, atol=1e-9)


def test_round_trip(checkpoint):
    again = to_gpt2_state_dict(from_gpt2_state_dict(checkpoint, H, bos_id=0))
    assert again.keys() == checkpoint.keys()
    assert all(torch.equal(again[name], checkpoint[name]) for name in checkpoint)


def test_prefix_and_buffers_of_published_files(checkpoint):
    published = {f"transformer.{name}": tensor for name, tensor in checkpoint.items()}
    published |= {f"transformer.h.{i}.attn.bias": torch.ones(1, 1, T, T).tril() for i in range(L)}
    published |= {"lm_head.weight": checkpoint["wte.weight"]}
    model, plain = from_gpt2_state_dict(published, H, bos_id=0), from_gpt2_state_dict(checkpoint, H, bos_id=0)
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), plain.parameters(), strict=True))


def test_an_output_matrix_of_its_own_is_refused(checkpoint):
    other = checkpoint["wte.weight"] + 1e-6
    for head in (other, other[:-1], None):
        with pytest.raises(ValueError, match=r"weights\['lm_head.weight'\] must (equal|be a tensor)"):
            from_gpt2_state_dict(checkpoint | {"lm_head.weight": head}, H, 0)


def test_errors_name_the_tensor(checkpoint):
    with pytest.raises(ValueError, match=r"missing \['h.1.ln_2.bias'\]"):
        from_gpt2_state_dict({k: v for k, v in checkpoint.items() if k != "h.1.ln_2.bias"}, H, 0)
    twice = {f"transformer.{name}": tensor for name, tensor in checkpoint.items()} | {"wpe.weight": None}
    with pytest.raises(ValueError, match="each tensor once"):
        from_gpt2_state_dict(twice, H, 0)
    with pytest.raises(ValueError, match="superfluous .*surprise"):
        from_gpt2_state_dict(checkpoint | {"surprise": torch.zeros(1)}, H, 0)
    transposed = checkpoint | {"h.2.attn.c_attn.weight": checkpoint["h.2.attn.c_attn.weight"].T}
    with pytest.raises(
        ValueError, match=r"weights\['h.2.attn.c_attn.weight'\] must have shape \(8, 24\), got \(24, 8\)"
    ):
        from_gpt2_state_dict(transposed, H, 0)
    with pytest.raises(ValueError, match=r"weights\['wte.weight'\] must be a tensor, got None"):
        from_gpt2_state_dict({}, H, 0)
    with pytest.raises(ValueError, match=r"weights\['ln_f.bias'\] must hold finite numbers"):
        from_gpt2_state_dict(checkpoint | {"ln_f.bias": torch.full((D,), math.nan)}, H, 0)


@pytest.mark.parametrize(
    "options",
    [
        {"positions": "rotary"},
        {"positions": "sinusoidal"},
        {"norm": "post-LN"},
        {"norm": "RMS"},
        {"activation": "relu"},
        {"activation": "swiglu"},
        {"qk_norm": True},
        {"tied": False},
    ],
)
def test_what_gpt2s_layout_cannot_hold_is_not_exported(options):
    model = TransformerLM(TransformerConfig(V, T, L, H, D, **options))
    with pytest.raises(ValueError, match=f"model has {next(iter(options))} = "):
        to_gpt2_state_dict(model)


def test_every_choice_of_the_config_is_held_or_refused():
    """Sizes follow from the shapes, n_heads and bos_id are arguments, dropout is none of the function's."""
    told = {"vocab_size", "context_length", "n_layers", "d_model", "n_heads", "bos_id", "dropout"}
    assert told | GPT2_CHOICES.keys() == {field.name for field in dataclasses.fields(TransformerConfig)}


END = "<|endoftext|>"
COWS = "the cows ate the grass at night, the café's cows too\n"
BPE = BPETokenizer.train(COWS * 3, 290)


def tokenizer_files(folder):
    """Files in GPT-2's layout of a small tokenizer: bytes in the published order, then merges, then the end."""
    letters = gpt2_letters()

    def spelled(token):
        return "".join(letters[byte] for byte in token)

    names = [*sorted(letters), *(spelled(a + b) for a, b in BPE.merges), END]
    (folder / "vocab.json").write_text(json.dumps({name: i for i, name in enumerate(names)}), encoding="utf-8")
    lines = ["#version: 0.2", *(f"{spelled(a)} {spelled(b)}" for a, b in BPE.merges), ""]
    (folder / "merges.txt").write_text("\n".join(lines), encoding="utf-8")
    return {"vocab_json": folder / "vocab.json", "merges_txt": folder / "merges.txt"}


def test_the_tokenizers_files(tmp_path):
    letters = gpt2_letters()
    assert len(set(letters)) == 256 and letters[ord("a")] == "a"
    assert letters[ord(" ")] == "Ġ" and letters[ord("\n")] == "Ċ"  # as the published files show them
    gpt2 = gpt2_tokenizer(**tokenizer_files(tmp_path))
    assert [gpt2.vocab[i] for i in gpt2.encode(COWS)] == [BPE.vocab[i] for i in BPE.encode(COWS)]
    assert gpt2.decode(gpt2.encode(COWS)) == COWS and gpt2.vocab[0] == b"!"
    assert gpt2.bos_id == gpt2.eos_id == gpt2.vocab_size - 1 == gpt2.encode(END, allow_special=True)[0]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("merges.txt", "#version: 0.2", "# not merges"),
        ("merges.txt", "o w\n", ""),  # then "ow" is in the vocabulary, and nothing makes it
        ("vocab.json", '"!": 0', '"!": 1'),
        ("vocab.json", '"!": 0', '"!": "0"'),
        ("vocab.json", "endoftext", "theend"),
        ("vocab.json", "{", "["),
    ],
)
def test_damaged_tokenizer_files(tmp_path, file, old, new):
    files = tokenizer_files(tmp_path)
    text = (tmp_path / file).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match="merges.txt'., are damaged or not GPT-2's"):
        gpt2_tokenizer(**files)


@functools.cache
def files():
    return tokenizer_files(Path(tempfile.mkdtemp()))


def deep_json():
    path = Path(tempfile.mkdtemp()) / "deep.json"
    path.write_text("[" * 100_000, encoding="utf-8")
    return path


MODEL = TransformerLM(TransformerConfig(V, T, L, H, D))
NO_FILES = [*bad_values("path", None), "no/such/file", tempfile.gettempdir()]
DOORS = [
    Door(gpt2_tokenizer, lambda: files(), {"vocab_json": [*NO_FILES, deep_json()], "merges_txt": NO_FILES}),
    Door(
        from_gpt2_state_dict,
        lambda: {"weights": to_gpt2_state_dict(MODEL), "n_heads": H, "bos_id": 0},
        {
            "weights": [None, 3, "x", {}, {1: 2}, to_gpt2_state_dict(MODEL) | {"wte.weight": None}, MODEL]
            + [
                to_gpt2_state_dict(MODEL) | {"h.0.ln_1.weight": w}
                for w in (torch.ones(1), torch.ones(D).long(), [1.0] * D)
            ],
            "n_heads": [*bad_values("count", H), 3],
            "bos_id": [*bad_values("index", 0), V],
        },
    ),
    Door(to_gpt2_state_dict, lambda: {"model": MODEL}, {"model": "object"}),
]


def test_weights_that_are_not_finite_are_named():
    weights = to_gpt2_state_dict(TransformerLM(TransformerConfig(5, 4, 1, 1, 4)))
    wide = weights | {"h.0.mlp.c_fc.weight": torch.full((4, 16), 1e300, dtype=torch.float64)}
    with pytest.raises(ValueError, match=r"h\.0\.mlp\.c_fc\.weight.*finite"):
        from_gpt2_state_dict(wide, n_heads=1, bos_id=0)
    with pytest.raises(ValueError, match=r"wte\.weight.*finite"):
        from_gpt2_state_dict(weights | {"wte.weight": torch.full((5, 4), torch.nan)}, n_heads=1, bos_id=0)
    for odd in (weights["wte.weight"].to_sparse(), weights["wte.weight"].to("meta")):
        with pytest.raises(ValueError, match="lm_head.weight'] must be a dense tensor"):
            from_gpt2_state_dict(weights | {"lm_head.weight": odd}, n_heads=1, bos_id=0)
