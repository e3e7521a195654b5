import dataclasses
import math
import pickle

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmkit.optimisation import AdamW
from lmkit.positions import RotaryPositions
from lmkit.transformer import (
    CHOICES,
    Block,
    FeedForward,
    TransformerConfig,
    TransformerLM,
    TransformerState,
    layer_norm,
    make_norm,
    rms_norm,
)
from tests.doors import Door, bad_values

SMALL = TransformerConfig(vocab_size=11, context_length=12, n_layers=2, n_heads=2, d_model=8)
VARIANTS = {
    "gpt2": SMALL,
    "2017": dataclasses.replace(SMALL, positions="sinusoidal", norm="post-LN", activation="relu", tied=False),
    "llama": dataclasses.replace(SMALL, positions="rotary", norm="RMS", activation="swiglu"),
    "alibi": dataclasses.replace(SMALL, positions="alibi", n_heads=4),
    "convolution": dataclasses.replace(SMALL, positions="convolution", tied=False),
    "none": dataclasses.replace(SMALL, positions="none", n_heads=1),
    "normed keys": dataclasses.replace(SMALL, positions="rotary", activation="squared_relu", qk_norm=True, dropout=0.2),
}
every_variant = pytest.mark.parametrize("config", VARIANTS.values(), ids=VARIANTS)


def sharp(config, seed=0):
    """A float64 model, not in training, whose weights are large enough that each token matters."""
    model = TransformerLM(config, seed).double().eval()
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


def test_layers_have_the_norms_that_are_written_out():
    one, zero = torch.ones(8), torch.zeros(8)
    a = 0.01 * torch.randn(5, 8, generator=torch.Generator().manual_seed(0))  # so small that ε counts
    torch.testing.assert_close(make_norm(dataclasses.replace(SMALL, norm="RMS"))(a), rms_norm(a, one))
    torch.testing.assert_close(make_norm(SMALL)(a), layer_norm(a, one, zero))


@pytest.mark.parametrize("n_layers", [1, 8])
def test_what_many_sublayers_add_to_the_stream_begins_smaller(n_layers):
    """1/√(3 · number of inputs), GPT-2's 0.02 at its width; the last matrix of a sublayer 1/√(number of sublayers) of it."""
    model = TransformerLM(TransformerConfig(300, n_layers=n_layers, d_model=128))
    for block in model.blocks:
        last, other = (block.attention.W_o, block.feed_forward.W_down), (block.attention.W_qkv, block.feed_forward.W_up)
        for layer in (*last, *other):
            share = math.sqrt(2 * n_layers) if layer in last else 1
            assert layer.weight.std().item() == pytest.approx(1 / math.sqrt(3 * layer.in_features) / share, rel=0.03)


@pytest.mark.parametrize("norm", ["pre-LN", "post-LN"])
def test_each_sublayer_is_dropped_out_by_itself(norm):
    """With everything dropped what is left is the residual stream, and of post-LN its norms."""
    block = Block(dataclasses.replace(SMALL, norm=norm, dropout=0.5)).train()
    block.dropout.p = 1.0
    x = torch.randn(2, 3, 8, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(block(x), x if norm == "pre-LN" else block.norm_2(block.norm_1(x)))


def test_the_state_of_another_model_is_refused():
    model, tokens = TransformerLM(SMALL), torch.ones(2, 1, dtype=torch.int64)
    caches, wide = model.initial_state(2).caches, TransformerLM(SMALL).double().initial_state(2)
    junk = [
        TransformerState(None, 0, caches),
        TransformerState(torch.zeros(2, 0), 0, caches),
        TransformerState(tokens[:, :0], None, caches),
        TransformerState(tokens[:, :0], 0, None),
        TransformerState(tokens[:, :0], 0, [None, None]),
        TransformerState(tokens[:, :0], 0, caches[:1]),
    ]
    for state in [wide, *junk]:
        with pytest.raises(ValueError, match="state"):
            model.step(tokens, state)
        if state is not wide:
            with pytest.raises(ValueError, match="state"):
                model.select(state, [0])


@pytest.mark.slow
@every_variant
@settings(max_examples=15)
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
@settings(max_examples=10)
@given(st.permutations(range(4)))
def test_batch_equivariant(config, order):
    model = sharp(config)
    tokens = torch.randint(11, (4, 7), generator=torch.Generator().manual_seed(1))
    torch.testing.assert_close(model.logits(tokens)[order], model.logits(tokens[order]), rtol=1e-9, atol=1e-9)


@every_variant
@settings(max_examples=15)
@given(pieces=st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_steps_equal_the_full_forward(config, pieces):
    model = sharp(config)
    tokens = torch.randint(11, (2, sum(pieces)), generator=torch.Generator().manual_seed(2))
    full, state, read = model.logits(tokens), model.initial_state(2), 0
    for piece in tokens.split(pieces, dim=1):
        logits, state = model.step(piece, state)
        read += piece.shape[1]
        torch.testing.assert_close(logits, full[:, read - 1].detach(), rtol=1e-6, atol=1e-9)


@pytest.mark.slow
@every_variant
@pytest.mark.parametrize("context_length", [1, 2, 7, 12])
def test_past_the_context_a_window_begins_at_a_multiple_of_its_half(config, context_length):
    """However the tokens come, in steps, pieces or all at once: the longest window that begins there and still fits."""
    model = sharp(dataclasses.replace(config, context_length=context_length))
    text = torch.randint(1, 11, (30,), generator=torch.Generator().manual_seed(3))
    half = max(1, context_length // 2)
    tokens, expected = torch.cat([torch.tensor([0]), text]), []
    for count in range(1, 31):
        begin = next(b for b in range(0, 30, half) if count - b <= context_length)
        expected.append(model.logits(tokens[None, begin:count])[0, -1].detach())
    for pieces in ([1] * 30, [7] * 4 + [2], [3, 20, 1, 6], [30]):
        state, read = model.initial_state(), 0
        for piece in tokens[:30].split(pieces):
            logits, state = model.step(piece[None], state)
            read += len(piece)
            torch.testing.assert_close(logits[0], expected[read - 1], rtol=1e-6, atol=1e-9)
    log_p = [
        row.index_fill(0, torch.tensor(0), -torch.inf).log_softmax(0)[w].item()
        for row, w in zip(expected, text, strict=True)
    ]
    np.testing.assert_allclose(model.log_probs(text.numpy()), log_p, rtol=1e-6)
    np.testing.assert_allclose([model.next_log_probs(text[:t].numpy())[text[t]] for t in range(30)], log_p, rtol=1e-6)


@every_variant
def test_kept_texts_go_on_as_if_they_had_been_alone(config):
    model = sharp(config)
    tokens = torch.randint(1, 11, (3, 20), generator=torch.Generator().manual_seed(4))
    _, state = model.step(tokens[:, :4], model.initial_state(3))
    state = model.select(state, [2, 0, 2, 2])
    rows = torch.cat(
        [tokens[[2, 0, 2, 2], :4], torch.randint(1, 11, (4, 14), generator=torch.Generator().manual_seed(5))], dim=1
    )
    for t in range(4, 18):  # past the context, too
        logits, state = model.step(rows[:, t : t + 1], state)
    for row, got in zip(rows, logits, strict=True):
        alone, _ = model.step(row[None], model.initial_state())
        torch.testing.assert_close(got, alone[0], rtol=1e-6, atol=1e-9)


@every_variant
def test_sixteen_bits_and_devices_that_compute_in_them(config):
    model = TransformerLM(config).eval()
    tokens = torch.randint(1, 11, (2, 12), generator=torch.Generator().manual_seed(6))
    exact = model.logits(tokens).detach()
    half = model.bfloat16()
    assert half.logits(tokens).dtype == torch.bfloat16
    torch.testing.assert_close(half.logits(tokens).float(), exact, rtol=0.1, atol=0.05)
    assert np.isfinite(half.log_probs([1, 2, 3])).all() and len(half.reader([1, 2]).log_probs) == 1


def test_dropout_is_where_the_paper_has_it():
    """On the embeddings and on what each sublayer adds; survivors are scaled up, evaluation knows nothing of it."""
    p = 0.25
    config = dataclasses.replace(SMALL, context_length=200, d_model=64, dropout=p)
    model, without = TransformerLM(config), TransformerLM(dataclasses.replace(config, dropout=0.0))
    tokens = torch.randint(11, (8, 200), generator=torch.Generator().manual_seed(7))
    assert torch.equal(model.eval().logits(tokens), without.logits(tokens))
    model.train()
    torch.manual_seed(0)
    x = model.positions(model.embedding(tokens))
    seen = []
    hooks = [
        m.register_forward_hook(lambda _, i, o: seen.append((i[0], o)))
        for m in model.modules()
        if isinstance(m, nn.Dropout)
    ]
    model.hidden(tokens)
    assert len(seen) == 1 + 2 * config.n_layers
    torch.testing.assert_close(seen[0][0], x)
    block = model.blocks[0]
    torch.testing.assert_close(seen[1][0], block.attention(block.norm_1(seen[0][1])))
    after = seen[0][1] + seen[1][1]
    torch.testing.assert_close(seen[2][0], block.feed_forward(block.norm_2(after)))
    torch.testing.assert_close(seen[3][0], model.blocks[1].attention(model.blocks[1].norm_1(after + seen[2][1])))
    for before, dropped in seen:
        kept = dropped != 0
        assert kept.float().mean().item() == pytest.approx(1 - p, abs=0.01)
        torch.testing.assert_close(dropped[kept], before[kept] / (1 - p))
    for hook in hooks:
        hook.remove()
    torch.manual_seed(1)
    first = model.logits(tokens)
    torch.manual_seed(1)
    assert torch.equal(first, model.logits(tokens)) and not torch.equal(first, model.logits(tokens))
    assert not model.training or np.array_equal(
        model.log_probs([1, 2]), model.log_probs([1, 2])
    )  # reading is no training


@every_variant
def test_answers_the_two_questions(config):
    model = sharp(config)
    tokens = np.array([3, 1, 4, 1, 5])
    log_probs = model.log_probs(tokens)
    chain = [model.next_log_probs(tokens[:t])[tokens[t]] for t in range(5)]
    np.testing.assert_allclose(log_probs, chain, rtol=1e-9)
    assert np.exp(model.next_log_probs(tokens)).sum() == pytest.approx(1, abs=1e-12)
    assert model.next_log_probs(tokens)[0] == -np.inf  # <bos> is never predicted


@pytest.mark.slow
@every_variant
def test_learns(config):
    torch.manual_seed(0)  # of the dropout, with which it learns more slowly
    model = TransformerLM(config)
    tokens = torch.tensor([[0, 3, 1, 4, 1, 5, 9, 2]])
    optimiser = AdamW(model.parameters())
    for _ in range(300 if config.dropout else 80):
        _, loss = model(tokens[:, :-1], tokens[:, 1:])
        model.zero_grad()
        loss.backward()
        optimiser.step(0.01)
    assert model.eval()(tokens[:, :-1], tokens[:, 1:])[1] < 0.1
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


def test_sizes_of_the_feed_forward_network():
    assert SMALL.d_ff == 32 and dataclasses.replace(SMALL, activation="swiglu").d_ff == 21
    assert TransformerConfig(9, d_model=64, activation="swiglu").d_ff == 171  # the nearest to 170.67
    llama = TransformerLM(VARIANTS["llama"])
    assert {tuple(llama.blocks[0].feed_forward.W_gate.weight.shape)} == {(21, 8)}
    assert not any("bias" in name for name, _ in llama.named_parameters())


@pytest.mark.parametrize("activation", ["gelu", "relu", "squared_relu", "swiglu"])
def test_feed_forward_by_hand(activation):
    network = sharp(dataclasses.replace(SMALL, activation=activation)).blocks[0].feed_forward
    x = torch.randn(5, 8, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    a = x @ network.W_up.weight.T + network.W_up.bias
    if activation == "swiglu":
        gate = x @ network.W_gate.weight.T + network.W_gate.bias
        h = gate / (1 + torch.exp(-gate)) * a
    else:
        gelu = 0.5 * a * (1 + torch.tanh(math.sqrt(2 / math.pi) * (a + 0.044715 * a**3)))
        h = {"gelu": gelu, "relu": a.clamp(min=0), "squared_relu": a.clamp(min=0) ** 2}[activation]
    expected = h @ network.W_down.weight.T + network.W_down.bias
    torch.testing.assert_close(network(x), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("norm", "pre"), [("pre-LN", True), ("RMS", True), ("post-LN", False)])
def test_block_by_hand(norm, pre):
    block = sharp(dataclasses.replace(SMALL, norm=norm)).blocks[0]
    x = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    n_1, n_2, attend, feed = block.norm_1, block.norm_2, block.attention, block.feed_forward
    if pre:
        y = x + attend(n_1(x))
        expected = y + feed(n_2(y))
    else:
        y = n_1(x + attend(x))
        expected = n_2(y + feed(y))
    torch.testing.assert_close(block(x), expected, rtol=1e-12, atol=1e-12)
    model = sharp(dataclasses.replace(SMALL, norm=norm))
    assert isinstance(model.final_norm, nn.Identity) is not pre  # post-LN has just normalised


def test_states_that_do_not_belong():
    model, other = TransformerLM(SMALL), TransformerLM(dataclasses.replace(SMALL, n_layers=1))
    tokens = torch.tensor([[1, 2]])
    for state in (other.initial_state(), model.initial_state(2), TransformerLM(VARIANTS["alibi"]).initial_state()):
        with pytest.raises(ValueError, match="state"):
            model.step(tokens, state)
    used = model.initial_state()
    model.step(tokens, used)
    with pytest.raises(ValueError, match="state"):
        model.step(tokens, used)  # its caches have moved on


def test_a_prompt_may_be_longer_than_the_context_a_batch_may_not():
    model = TransformerLM(SMALL)
    model.step(torch.ones(1, 40, dtype=torch.int64), model.initial_state())
    with pytest.raises(ValueError, match="tokens has length 13, longer than the context of 12"):
        model(torch.ones(1, 13, dtype=torch.int64))


MODEL = TransformerLM(SMALL)
X = torch.randn(2, 3, 8)
IDS = torch.tensor([[1, 2, 3], [4, 5, 6]])


def stepping(tokens, state):
    """A call with a state made anew for each try: a step uses it up."""
    return MODEL.step(tokens, MODEL.initial_state(2) if state == "fresh" else state)


DOORS = [
    Door(
        TransformerConfig,
        lambda: dataclasses.asdict(SMALL),
        {
            **dict.fromkeys(["vocab_size", "context_length", "n_layers", "n_heads", "d_model"], "count"),
            **dict.fromkeys(["positions", "norm", "activation"], "choice"),
            **dict.fromkeys(["qk_norm", "tied"], "flag"),
            "dropout": [None, "0.1", True, math.nan, -0.1, 1.0],
            "bos_id": [None, "0", True, 0.0, -1, 11],
        },
        clashes={
            "n_heads": [lambda good: 3],
        },
    ),
    Door(
        layer_norm,
        lambda: {"a": X, "gain": X[0, 0], "bias": X[0, 0], "eps": 1e-5},
        {"a": [*bad_values("free_tensor", X), X[..., :0]], "gain": "tensor", "bias": "tensor", "eps": "positive"},
    ),
    Door(
        rms_norm,
        lambda: {"a": X, "gain": X[0, 0], "eps": 1e-5},
        {"a": [*bad_values("free_tensor", X), X[..., :0]], "gain": "tensor", "eps": "positive"},
    ),
    Door(make_norm, lambda: {"config": SMALL}, {"config": "object"}),
    Door(FeedForward, lambda: {"config": SMALL}, {"config": "object"}),
    Door(
        MODEL.blocks[0].feed_forward.forward,
        lambda: {"x": X},
        {"x": [None, "x", X.numpy(), X.long(), X[..., :1], X[..., 0], X.double()]},
        name="transformer.FeedForward.forward",
    ),
    Door(
        Block,
        lambda: {"config": SMALL, "rotary": None},
        {
            "config": "object",
            "rotary": [3, "x", RotaryPositions(4, 6), RotaryPositions(4, SMALL.d_model // SMALL.n_heads)],
        },
    ),
    Door(
        Block,
        lambda: {
            "config": dataclasses.replace(SMALL, positions="rotary"),
            "rotary": RotaryPositions(4, SMALL.d_model // SMALL.n_heads),
        },
        {"config": "object", "rotary": [None]},
    ),
    Door(
        MODEL.blocks[0].forward,
        lambda: {"x": X, "cache": None},
        {"x": "tensor", "cache": [3, "x", MODEL.initial_state()]},
        name="transformer.Block.forward",
    ),
    Door(TransformerLM, lambda: {"config": SMALL, "seed": 0}, {"config": "object", "seed": "seed"}),
    Door(MODEL.hidden, lambda: {"tokens": IDS}, {"tokens": "id_tensor 11"}, name="transformer.TransformerLM.hidden"),
    Door(
        MODEL.initial_state,
        lambda: {"batch_size": 2},
        {"batch_size": "count"},
        name="transformer.TransformerLM.initial_state",
    ),
    Door(
        stepping,
        lambda: {"tokens": IDS, "state": "fresh"},
        {"tokens": "id_tensor 11", "state": "object"},
        name="transformer.TransformerLM.step",
        clashes={"state": [lambda good: MODEL.initial_state(3)]},
    ),
    Door(
        MODEL.select,
        lambda: {"state": MODEL.initial_state(2), "rows": [1, 1]},
        {"state": "object", "rows": [*bad_values("ids 2", [1, 1]), []]},
        name="transformer.TransformerLM.select",
    ),
]


@pytest.mark.parametrize("activation", CHOICES["activation"])
def test_a_model_can_be_pickled(activation):
    model = TransformerLM(TransformerConfig(7, 8, 1, 2, 8, activation=activation))
    tokens = torch.tensor([[1, 2, 3]])
    assert torch.equal(pickle.loads(pickle.dumps(model)).logits(tokens), model.logits(tokens))


def test_every_kind_of_positions_follows_the_default_dtype():
    torch.set_default_dtype(torch.float64)
    try:
        for positions in CHOICES["positions"]:
            model = TransformerLM(TransformerConfig(7, 8, 1, 2, 8, positions=positions))
            assert model.logits(torch.tensor([[1, 2, 3]])).dtype == torch.float64, positions
    finally:
        torch.set_default_dtype(torch.float32)
