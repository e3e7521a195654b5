import json
import math

import pytest
import torch

from lmkit.bpe import BPETokenizer
from lmkit.gpt2 import from_gpt2_state_dict, gpt2_letters, gpt2_tokenizer, to_gpt2_state_dict
from lmkit.transformer import TransformerConfig, TransformerLM

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


def test_errors_name_the_tensor(checkpoint):
    with pytest.raises(ValueError, match=r"missing \['h.1.ln_2.bias'\]"):
        from_gpt2_state_dict({k: v for k, v in checkpoint.items() if k != "h.1.ln_2.bias"}, H, 0)
    with pytest.raises(ValueError, match="superfluous .*surprise"):
        from_gpt2_state_dict(checkpoint | {"surprise": torch.zeros(1)}, H, 0)
    transposed = checkpoint | {"h.2.attn.c_attn.weight": checkpoint["h.2.attn.c_attn.weight"].T}
    with pytest.raises(ValueError, match=r"h.2.attn.c_attn.weight must have shape \(8, 24\), got \(24, 8\)"):
        from_gpt2_state_dict(transposed, H, 0)
    with pytest.raises(ValueError, match="wte.weight"):
        from_gpt2_state_dict({}, H, 0)
    with pytest.raises(ValueError, match="n_heads"):
        from_gpt2_state_dict(checkpoint, 3, 0)


def test_only_gpt2s_architecture_has_the_layout():
    with pytest.raises(ValueError, match="positions"):
        to_gpt2_state_dict(TransformerLM(TransformerConfig(V, T, L, H, D, positions="rotary")))


def test_the_tokenizers_files(tmp_path):
    """Files in GPT-2's layout, made here from a small tokenizer: bytes in the published order, then merges, then the end."""
    text = "the cows ate the grass at night, the café's cows too\n"
    tokenizer = BPETokenizer.train(text * 3, 290)
    letters = gpt2_letters()
    assert len(set(letters)) == 256 and letters[ord("a")] == "a"
    assert letters[ord(" ")] == "Ġ" and letters[ord("\n")] == "Ċ"  # as the published files show them

    def spelled(token):
        return "".join(letters[byte] for byte in token)

    end = "<|endoftext|>"
    names = [*sorted(letters), *(spelled(a + b) for a, b in tokenizer.merges), end]
    (tmp_path / "vocab.json").write_text(json.dumps({name: i for i, name in enumerate(names)}))
    lines = ["#version: 0.2", *(f"{spelled(a)} {spelled(b)}" for a, b in tokenizer.merges), ""]
    (tmp_path / "merges.txt").write_text("\n".join(lines))
    gpt2 = gpt2_tokenizer(tmp_path / "vocab.json", tmp_path / "merges.txt")
    assert [gpt2.vocab[i] for i in gpt2.encode(text)] == [tokenizer.vocab[i] for i in tokenizer.encode(text)]
    assert gpt2.decode(gpt2.encode(text)) == text and gpt2.vocab[0] == b"!"
    assert gpt2.bos_id == gpt2.eos_id == len(names) - 1 == gpt2.encode(end, allow_special=True)[0]
    (tmp_path / "merges.txt").write_text("# not merges at all\n")
    with pytest.raises(ValueError, match="merges.txt are damaged or not GPT-2's"):
        gpt2_tokenizer(tmp_path / "vocab.json", tmp_path / "merges.txt")
