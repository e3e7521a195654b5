import dataclasses

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmkit.optimisation import AdamW
from lmkit.transformer import TransformerConfig, TransformerLM, layer_norm, rms_norm

SMALL = TransformerConfig(vocab_size=11, context_length=12, n_layers=2, n_heads=2, d_model=8)
VARIANTS = {
    "gpt2": SMALL,
    "2017": dataclasses.replace(SMALL, positions="sinusoidal", norm_place="post", activation="relu", tied=False),
    "llama": dataclasses.replace(SMALL, positions="rotary", norm="rms", activation="swiglu", bias=False, n_kv_heads=1),
    "alibi": dataclasses.replace(SMALL, positions="alibi", n_heads=4),
    "none": dataclasses.replace(SMALL, positions="none", n_heads=1),
    "speed": dataclasses.replace(
        SMALL,
        positions="rotary",
        norm="rms",
        activation="squared_relu",
        bias=False,
        qk_norm=True,
        conv_width=3,
        ngram_order=3,
        ngram_rows=50,
    ),
}
every_variant = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)


def sharp(config, seed=0):
    """A float64 model whose weights are large enough that each token matters."""
    model = TransformerLM(config, seed).double()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for p in model.parameters():
            p.add_(0.3 * torch.randn(p.shape, generator=generator, dtype=p.dtype))
    return model


def test_norms_equal_torchs():
    a = 3 + 2 * torch.randn(4, 5, 8, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    theirs, rms = nn.LayerNorm(8).double(), nn.RMSNorm(8, eps=1e-5).double()
    gain, bias = torch.linspace(0.5, 2, 8, dtype=torch.float64), torch.linspace(-1, 1, 8, dtype=torch.float64)
    theirs.weight.data, theirs.bias.data, rms.weight.data = gain, bias, gain
    torch.testing.assert_close(layer_norm(a, gain, bias), theirs(a), rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(rms_norm(a, gain), rms(a), rtol=1e-12, atol=1e-12)
    assert torch.isfinite(
        layer_norm(torch.ones(3, 8), torch.ones(8), torch.zeros(8))
    ).all()  # σ = 0: that is what ε is for


@every_variant
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_causal(config, data):
    model = sharp(config)
    T = data.draw(st.integers(2, 12))
    t = data.draw(st.integers(0, T - 2))
    tokens = torch.tensor([data.draw(st.lists(st.integers(0, 10), min_size=T, max_size=T))])
    later = tokens.clone()
    later[0, t + 1 :] = (later[0, t + 1 :] + 1) % 11
    before, after = model.logits(tokens)[0], model.logits(later)[0]
    torch.testing.assert_close(before[: t + 1], after[: t + 1], rtol=1e-9, atol=1e-9)
    assert not torch.allclose(before[t + 1], after[t + 1])


@every_variant
@settings(deadline=None, max_examples=10)
@given(st.permutations(range(4)))
def test_batch_equivariant(config, order):
    model = sharp(config)
    tokens = torch.randint(11, (4, 7), generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(model.logits(tokens)[order], model.logits(tokens[order]), rtol=1e-9, atol=1e-9)


@every_variant
@settings(deadline=None, max_examples=15)
@given(pieces=st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_steps_equal_the_full_forward(config, pieces):
    model = sharp(config)
    tokens = torch.randint(11, (2, sum(pieces)), generator=torch.Generator().manual_seed(2))
    full, state, read = model.logits(tokens), model.initial_state(2), 0
    for piece in tokens.split(pieces, dim=1):
        logits, state = model.step(piece[:, 0] if piece.shape[1] == 1 else piece, state)
        read += piece.shape[1]
        torch.testing.assert_close(logits, full[:, read - 1].detach(), rtol=1e-6, atol=1e-9)


@every_variant
def test_generation_past_the_context_reads_its_last_half_afresh(config):
    model, state = sharp(config), None
    tokens = torch.randint(11, (1, 40), generator=torch.Generator().manual_seed(3))
    state, window = model.initial_state(), []
    for t in range(40):
        logits, state = model.step(tokens[:, t], state)
        window = [*(window if len(window) < 12 else window[-6:]), int(tokens[0, t])]
        expected = model.logits(torch.tensor([window]))[:, -1].detach()
        torch.testing.assert_close(logits, expected, rtol=1e-6, atol=1e-9)


def test_context_of_one_token():
    model = TransformerLM(dataclasses.replace(SMALL, context_length=1))
    state = model.initial_state()
    for token in (0, 3, 3):
        logits, state = model.step(torch.tensor([token]), state)
        torch.testing.assert_close(logits, model.logits(torch.tensor([[token]]))[:, -1].detach())


@every_variant
def test_answers_the_two_questions(config):
    model = sharp(config)
    tokens = np.array([3, 1, 4, 1, 5])
    log_probs = model.log_probs(tokens)
    chain = [model.next_log_probs(tokens[:t])[tokens[t]] for t in range(5)]
    np.testing.assert_allclose(log_probs, chain, rtol=1e-9)
    assert np.exp(model.next_log_probs(tokens)).sum() == pytest.approx(1, abs=1e-12)
    assert model.next_log_probs(tokens)[0] == -np.inf  # <bos> is never predicted


@every_variant
def test_learns(config):
    model = TransformerLM(config)
    tokens = torch.tensor([[0, 3, 1, 4, 1, 5, 9, 2]])
    optimiser = AdamW(model.parameters())
    for _ in range(80):
        _, loss = model(tokens[:, :-1], tokens[:, 1:])
        model.zero_grad()
        loss.backward()
        optimiser.step(0.01)
    assert loss < 0.1
    assert all(p.grad is not None and p.grad.to_dense().isfinite().all() for p in model.parameters())


def test_one_layer_without_positions_ignores_the_order_of_the_prefix_two_layers_do_not():
    prefix, shuffled = torch.tensor([[1, 2, 3, 4, 5, 6]]), torch.tensor([[3, 1, 5, 4, 2, 6]])
    for n_layers, invariant in ((1, True), (2, False)):
        model = sharp(dataclasses.replace(VARIANTS["none"], n_layers=n_layers))
        same = torch.allclose(model.logits(prefix)[:, -1], model.logits(shuffled)[:, -1], rtol=1e-9)
        assert same is invariant


def test_initial_loss_is_almost_that_of_the_uniform_distribution():
    """The logits γ·c_k of inputs of length √d and weights of variance 1/(3d) have variance 1/3: half of it is lost."""
    for tied in (True, False):
        model = TransformerLM(TransformerConfig(vocab_size=65, d_model=192, n_heads=6, tied=tied, positions="rotary"))
        tokens = torch.randint(65, (16, 65), generator=torch.Generator().manual_seed(0))
        _, loss = model(tokens[:, :-1], tokens[:, 1:])
        assert loss.item() == pytest.approx(np.log(65) + 1 / 6, abs=0.05)


def test_gpt2s_width_gets_gpt2s_initial_weights():
    model = TransformerLM(TransformerConfig(vocab_size=1000, n_layers=1, n_heads=12, d_model=768))
    assert model.blocks[0].attention.W_qkv.weight.std().item() == pytest.approx(0.02, rel=0.05)
    assert model.embedding.weight.std().item() == pytest.approx(0.02, rel=0.05)


def test_zero_init_makes_every_block_the_identity():
    model = TransformerLM(dataclasses.replace(VARIANTS["speed"], zero_init=True))
    x = torch.randn(1, 5, 8, generator=torch.Generator().manual_seed(0))
    assert all(torch.equal(block(x), x) for block in model.blocks)


def test_seed_decides_the_weights_and_leaves_the_global_state():
    before = torch.random.get_rng_state()
    one, same, other = TransformerLM(SMALL, 1), TransformerLM(SMALL, 1), TransformerLM(SMALL, 2)
    assert torch.equal(before, torch.random.get_rng_state())
    assert torch.equal(one.embedding.weight, same.embedding.weight)
    assert not torch.equal(one.embedding.weight, other.embedding.weight)


def test_parameters_are_counted_as_in_the_paper():
    d, V, T, L = 8, 11, 12, 2
    expected = V * d + T * d + L * (12 * d * d + 13 * d) + 2 * d
    assert sum(p.numel() for p in TransformerLM(SMALL).parameters()) == expected
    untied = TransformerLM(dataclasses.replace(SMALL, tied=False))
    assert sum(p.numel() for p in untied.parameters()) == expected + V * d


@pytest.mark.parametrize(
    "field, value",
    [
        ("vocab_size", 0),
        ("n_layers", 0),
        ("n_heads", 3),
        ("n_kv_heads", 3),
        ("d_ff", 0),
        ("conv_width", 0),
        ("ngram_order", 0),
        ("bos_id", 11),
        ("positions", "roatry"),
        ("norm", "batch"),
        ("norm_place", "middle"),
        ("activation", "tanh"),
    ],
)
def test_a_wrong_config_names_the_field(field, value):
    with pytest.raises(ValueError, match=field):
        dataclasses.replace(SMALL, **{field: value})


def test_wrong_inputs():
    model = TransformerLM(SMALL)
    with pytest.raises(ValueError, match="longer than the context"):
        model(torch.zeros(1, 13, dtype=torch.int64))
    with pytest.raises(ValueError, match="int64"):
        model(torch.zeros(1, 3))
    with pytest.raises(ValueError, match="tokens has ids"):
        model.step(torch.tensor([11]), model.initial_state())
    with pytest.raises(ValueError, match="1 sequences"):
        model.step(torch.tensor([1, 2]), model.initial_state())
