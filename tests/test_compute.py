"""The arithmetic of scale against real models, PyTorch's counter, the published tables and closed forms."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from lmkit.attention import KVCache
from lmkit.compute import (
    BESIROGLU_2024,
    HOFFMANN_2022,
    PEAK_FLOPS,
    PETAFLOP_S_DAY,
    Architecture,
    forward_flops_per_token,
    gpu_days,
    n_parameters,
    parameters,
    petaflop_s_days,
    serving_bytes,
    six_n_d,
    training_bytes,
    training_flops_per_token,
    twenty_tokens_per_parameter,
)
from lmkit.published_models import (
    GPT,
    GPT3_CLAIMS,
    GPT3_DATA,
    GPT3_SIZES,
    GPT3_TRAINING_TOKENS,
    MODELS,
    TRAINING_RUNS,
)
from lmkit.transformer import CHOICES, TransformerConfig, TransformerLM

SMALL = {"vocab_size": 37, "context_length": 24, "n_layers": 3, "n_heads": 4, "d_model": 32}
VARIANTS = {
    "gpt2": {},
    "2017": {"norm_place": "post", "positions": "sinusoidal", "activation": "relu", "tied": False},
    "llama": {
        "norm": "rms",
        "positions": "rotary",
        "activation": "swiglu",
        "bias": False,
        "n_kv_heads": 2,
        "tied": False,
    },
    "layer norm without bias": {"bias": False, "d_ff": 50},
    "local": {"conv_width": 3, "ngram_order": 3, "ngram_rows": 11, "norm": "rms"},
}
every_variant = pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
SIZED = {model.name: model for model in (*GPT3_SIZES, *GPT)}
CLAIMS = {claim.name: claim for claim in GPT3_CLAIMS}
RUNS = {run.name: run for run in TRAINING_RUNS}


@given(
    st.builds(
        TransformerConfig,
        vocab_size=st.integers(1, 40),
        context_length=st.integers(1, 9),
        n_layers=st.integers(1, 3),
        n_heads=st.just(4),
        d_model=st.sampled_from([8, 16, 40]),
        n_kv_heads=st.sampled_from([None, 1, 2, 4]),
        d_ff=st.sampled_from([None, 1, 50]),
        **{field: st.sampled_from(choices) for field, choices in CHOICES.items()},
        **{flag: st.booleans() for flag in ("bias", "tied", "qk_norm", "zero_init")},
        conv_width=st.integers(1, 3),
        ngram_order=st.integers(1, 3),
        ngram_rows=st.integers(1, 7),
    )
)
@settings(deadline=None)
def test_parameters_are_those_of_the_real_model(config):
    model = TransformerLM(config)
    count = {
        "token embeddings": model.embedding.weight.numel(),
        "position embeddings": 0,
        "attention": 0,
        "feed-forward": 0,
        "biases": 0,
        "norms": 0,
        "output": 0,
        "other": 0,
    }
    for name, p in model.named_parameters():  # a tied output is not listed twice
        parts = {
            "positions.": "position embeddings",
            "output.": "output",
            "norm": "norms",
            "bias": "biases",
            ".attention.": "attention",
            ".feed_forward.": "feed-forward",
            "": "other",
        }
        if name != "embedding.weight":
            count[next(part for key, part in parts.items() if key in name)] += p.numel()
    assert parameters(Architecture.of(config)) == count


@every_variant
@pytest.mark.parametrize("length", [1, 7, 24])
def test_operations_are_those_that_pytorch_counts(options, length):
    config = TransformerConfig(**SMALL | options)
    model, a = TransformerLM(config), Architecture.of(config)
    tokens = torch.randint(1, 37, (2, length))
    with sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as forward:
        _, loss = model(tokens, tokens)
    with FlopCounterMode(display=False) as backward:
        loss.backward()
    per_token = forward_flops_per_token(a, length)
    assert forward.get_total_flops() == 2 * length * sum(per_token.values())
    total = forward.get_total_flops() + backward.get_total_flops()
    assert total == 2 * length * training_flops_per_token(a, length)


def test_only_attention_grows_with_the_length():
    a = SIZED["GPT-3"].architecture
    short, long = (forward_flops_per_token(a, length) for length in (1000, 2000))
    assert short["weights"] == long["weights"] and long["attention"] == 2 * short["attention"]
    assert forward_flops_per_token(a, 1001, causal=True)["attention"] == forward_flops_per_token(a, 501)["attention"]
    at_2048 = forward_flops_per_token(a)
    share = at_2048["attention"] / at_2048["weights"]
    assert share == pytest.approx(0.028, abs=0.0005) and "2.8 %" in CLAIMS["growth with length"].note
    assert sum(forward_flops_per_token(a).values()) == pytest.approx(2 * n_parameters(a), rel=0.03)  # Kaplan's 2N


def test_gpt3s_compute():
    """6 · 175e9 · 300e9 = 3.15e23 operations, not the lecture's 50 petaflop/s-days."""
    assert PETAFLOP_S_DAY == 8.64e19
    flops = six_n_d(175e9, GPT3_TRAINING_TOKENS)
    assert flops == pytest.approx(3.15e23)
    assert petaflop_s_days(flops) == pytest.approx(3646, abs=0.5)
    claim = CLAIMS["compute"]
    assert claim.right == RUNS["GPT-3 175B"].petaflop_s_days
    near = [run.name for run in TRAINING_RUNS if abs(run.petaflop_s_days / claim.printed - 1) < 0.2]
    assert near == ["RoBERTa-Large", "GPT-3 2.7B"]  # where the 50 comes from


@pytest.mark.parametrize("run", TRAINING_RUNS, ids=lambda run: run.name)
def test_table_of_compute_follows_from_the_sizes(run):
    """To all digits that are printed, and the sizes of GPT-3 from their architectures as well."""
    assert float(f"{petaflop_s_days(run.flops):.3g}") == run.petaflop_s_days
    if run.flops_per_parameter == 6:
        assert run.flops == six_n_d(run.parameters, run.tokens)
    if run.name in SIZED:
        last_digit = 10e6 if run.parameters > 1e9 else 1e6
        assert abs(n_parameters(SIZED[run.name].architecture) - run.parameters) < last_digit / 2


def test_printed_sizes_follow_from_the_architectures():
    last_digit = [1e6, 1e6, 1e6, 1e8, 1e8, 1e8, 1e8, 1e9]
    count = {model.name: n_parameters(model.architecture) for model in SIZED.values()}
    off = [m.name for m, x in zip(GPT3_SIZES, last_digit) if abs(count[m.name] - m.printed_parameters) > x / 2]
    assert off == ["GPT-3 Medium", "GPT-3 13B"] and all(SIZED[name].note for name in off)
    assert count["GPT-3 Medium"] == pytest.approx(355.9e6, abs=0.05e6)
    assert count["GPT-3 175B"] == count["GPT-3"] == pytest.approx(174.6e9, abs=0.05e9)
    assert count["GPT"] == pytest.approx(116.5e6, abs=0.05e6)
    assert count["GPT-2 XL"] == pytest.approx(1557.6e6, abs=0.05e6)
    assert SIZED["GPT-2 XL"].architecture.d_ff == 6400


def test_gpt3s_steps():
    """Larger models take larger batches and smaller steps."""
    batches, rates = zip(*((model.batch_tokens, model.learning_rate) for model in GPT3_SIZES))
    assert list(batches) == sorted(batches) and list(rates) == sorted(rates, reverse=True)
    assert GPT3_TRAINING_TOKENS / SIZED["GPT-3 175B"].batch_tokens == pytest.approx(93_750)


def test_misprints_do_not_fit():
    thirteen = SIZED["GPT-3 13B"]
    assert n_parameters(thirteen.architecture) == pytest.approx(12.85e9, abs=0.005e9)
    with pytest.raises(ValueError, match="n_heads must divide d_model = 5140"):
        Architecture(40, thirteen.printed["d_model"], 40, 50_257, 2048)
    printed_count = 12 * 40 * 5140**2 + 5140 * (50_257 + 2048)  # matrices and embeddings
    assert printed_count == pytest.approx(12.95e9, abs=0.005e9)
    xl = SIZED["GPT-3 XL"]
    wide = Architecture(24, 2048, xl.printed["n_heads"], 50_257, 2048, d_head=128)
    assert n_parameters(xl.architecture) == pytest.approx(1.316e9, abs=0.001e9)
    assert n_parameters(wide) == pytest.approx(1.517e9, abs=0.001e9)  # not the 1.3 billion that is printed
    claim = CLAIMS["GPT-3 3B against RoBERTa-Large"]
    ratio = SIZED["GPT-3 2.7B"].printed_parameters / RUNS["RoBERTa-Large"].parameters
    assert ratio == pytest.approx(claim.right, abs=0.05) and claim.printed == 10


def test_gpt3s_data():
    assert sum(source.tokens for source in GPT3_DATA) == 499e9
    assert CLAIMS["training tokens"].printed == 500e9 and CLAIMS["training tokens"].right == GPT3_TRAINING_TOKENS
    assert sum(source.weight for source in GPT3_DATA) == pytest.approx(1.01)
    impossible = [s.name for s in GPT3_DATA if not s.possible_epochs[0] <= s.printed_epochs <= s.possible_epochs[1]]
    assert impossible == [source.name for source in GPT3_DATA if source.note] == ["WebText2"]
    epochs = [0.44, 3.47, 2.00, 0.44, 3.00]  # printed: 0.44, 2.9, 1.9, 0.43, 3.4
    assert [source.epochs for source in GPT3_DATA] == pytest.approx(epochs, abs=0.005)


def test_table_of_models_marks_what_is_not_published():
    for model in MODELS:
        assert model.source and (model.printed is None) == (model.note == "")
        if model.parameters is None:
            assert "rumour" in model.note and "parameters" in model.printed
    assert [model.name for model in MODELS if model.parameters is None] == ["GPT-4", "Gemini Ultra"]
    gpt2 = next(model for model in MODELS if model.name == "GPT-2")
    assert gpt2.parameters == pytest.approx(n_parameters(SIZED["GPT-2 XL"].architecture), rel=1e-4)


def test_gpu_days():
    """An A100 at half of its peak does 312e12/2 · 86 400 operations a day."""
    assert gpu_days(312e12 * 43_200, PEAK_FLOPS["A100"], 0.5) == pytest.approx(1)
    assert gpu_days(3.15e23, 312e12, 1.0) == pytest.approx(3.15e23 / 312e12 / 86_400)


def test_training_takes_16_bytes_a_parameter_and_the_activations():
    a = SIZED["GPT-3"].architecture
    need = training_bytes(a, batch_size=2, length=1024)
    assert sum(v for k, v in need.items() if k not in ("activations", "logits")) == 16 * n_parameters(a)
    # Korthikanti et al. (2022), section 4: T B d (34 L + 5 h T L/d + 1 + 4) and T B V logits of 4 bytes
    tokens, d = 2 * 1024, 12_288
    assert need["activations"] == tokens * d * (34 * 96 + 5) and need["logits"] == tokens * 4 * 50_257
    with_scores = training_bytes(a, 2, 1024, store_scores=True)["activations"]
    assert with_scores == tokens * d * (34 + 5 * 96 * 1024 / d) * 96 + tokens * d * 5


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"d_ff": 50},
        {"norm_place": "post"},
        {"activation": "swiglu", "bias": False},  # an RMSNorm that is not fused would keep more
    ],
    ids=["gpt2", "narrow", "post", "swiglu"],
)
def test_activations_are_those_that_pytorch_keeps(options):
    """What autograd stores of a real model, which has no dropout and numbers of 32 bits instead of 16."""

    def stored(**more):
        config = TransformerConfig(**SMALL | options | more)
        model, storages = TransformerLM(config), {}
        weights = {p.untyped_storage().data_ptr() for p in model.parameters()}

        def pack(x):
            storages[x.untyped_storage().data_ptr()] = x  # tensors that share their memory count once
            return x

        tokens = torch.zeros(5, 24, dtype=torch.int64)
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
            _, loss = model(tokens, tokens)  # the graph of the loss keeps them all alive
        assert loss.requires_grad
        kept = [x.untyped_storage().nbytes() for at, x in storages.items() if at not in weights]
        return sum(kept), training_bytes(Architecture.of(config), 5)

    tokens, d, h = 5 * 24, SMALL["d_model"], SMALL["n_heads"]
    (real_2, need_2), (real_3, need_3), (real_v, need_v) = stored(n_layers=2), stored(), stored(vocab_size=97)
    statistics = 2 * 2 + h  # mean and deviation for both norms, and one number for each head's softmax
    layer = need_3["activations"] - need_2["activations"]
    assert real_3 - real_2 == 2 * (layer - tokens * 2 * d) + 4 * tokens * statistics
    assert real_v - real_3 == need_v["logits"] - need_3["logits"]


def test_a_gate_and_shared_keys_change_what_is_kept():
    full = Architecture(1, 64, 8, vocab_size=10, context_length=4)
    shared = Architecture(1, 64, 8, vocab_size=10, context_length=4, n_kv_heads=2)
    gated = Architecture(1, 64, 8, vocab_size=10, context_length=4, gated=True)
    kept = [training_bytes(a, batch_size=1, length=1)["activations"] for a in (full, shared, gated)]
    assert kept[0] - kept[1] == 2 * 2 * 6 * 8  # keys and values of six heads
    assert kept[2] - kept[0] == 2 * 2 * 4 * 64  # the gate's factor, and the product


def test_cache_is_as_large_as_the_real_one():
    config = TransformerConfig(**SMALL | {"n_kv_heads": 2})
    state = TransformerLM(config).initial_state(batch_size=5)
    real = sum(layer.cache.keys.nbytes + layer.cache.values.nbytes for layer in state.layers)
    assert isinstance(state.layers[0].cache, KVCache)
    shared, full = Architecture.of(config), Architecture.of(TransformerConfig(**SMALL))
    assert serving_bytes(shared, 5, bytes_per_number=4)["KV cache"] == real
    assert serving_bytes(full)["KV cache"] == 2 * serving_bytes(shared)["KV cache"]
    assert serving_bytes(full, bytes_per_number=0.5)["weights"] == n_parameters(full) / 2  # 4 bits each


@pytest.mark.parametrize("law", [HOFFMANN_2022, BESIROGLU_2024], ids=["Hoffmann", "Besiroglu"])
@pytest.mark.parametrize("flops", [1e18, 5.76e23, 1e26])
def test_best_allocation_is_the_minimum(law, flops):
    best = law.best(flops)
    assert six_n_d(*best) == pytest.approx(flops)
    sizes = best.n_parameters * np.geomspace(0.01, 100, 400_001)  # the middle one is the closed form's
    losses = law.E + law.A / sizes**law.alpha + law.B / (flops / 6 / sizes) ** law.beta
    assert sizes[losses.argmin()] == pytest.approx(best.n_parameters, rel=1e-4)
    assert law.loss(*best) == pytest.approx(losses.min(), rel=1e-12) and losses.min() > law.E


def test_chinchilla():
    """Its budget of 5.76e23 operations buys 70 billion parameters and 1.4 trillion tokens, 20 for each."""
    assert HOFFMANN_2022.loss(70e9, 1e99) == pytest.approx(1.69 + 0.083, abs=0.0005)  # what its size costs
    assert HOFFMANN_2022.loss(1e99, 1.4e12) == pytest.approx(1.69 + 0.163, abs=0.0005)  # what its text costs
    rule = twenty_tokens_per_parameter(5.76e23)
    assert rule.n_parameters == pytest.approx(70e9, rel=0.02) and rule.n_tokens == pytest.approx(1.4e12, rel=0.02)
    refit, published = BESIROGLU_2024.best(5.76e23), HOFFMANN_2022.best(5.76e23)
    assert refit.n_tokens / refit.n_parameters == pytest.approx(20, rel=0.1)
    assert published.n_tokens / published.n_parameters > 60  # the published constants contradict the published rule
    gpt3 = twenty_tokens_per_parameter(six_n_d(175e9, 300e9))
    assert gpt3.n_parameters < 175e9 / 3 and gpt3.n_tokens > 300e9 * 3  # GPT-3 was too large for its text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Architecture(0, 8, 2, 10, 4), "n_layers must be at least 1, got 0"),
        (lambda: Architecture(2, 8, 3, 10, 4), "n_heads must divide d_model = 8"),
        (lambda: Architecture(2, 8, 0, 10, 4), "n_heads must divide"),
        (lambda: Architecture(2, 8, 4, 10, 4, n_kv_heads=3), "n_kv_heads must divide n_heads = 4"),
        (lambda: Architecture(2, 8, 3, 10, 4, d_head=0), "d_head must be at least 1, got 0"),
        (lambda: Architecture(2, 8, 2, 10, 4, other_parameters=-1), "other_parameters must not be negative, got -1"),
        (lambda: forward_flops_per_token(Architecture(2, 8, 2, 10, 4), 0), "length must be positive"),
        (lambda: training_bytes(Architecture(2, 8, 2, 10, 4), 1, length=0), "length must be positive, got 0"),
        (lambda: petaflop_s_days(-1), "flops must be positive, got -1"),
        (lambda: gpu_days(0), "flops must be positive, got 0"),
        (lambda: gpu_days(1e20, utilisation=0), "utilisation must be above 0 and at most 1, got 0"),
        (lambda: six_n_d(-1, 5), "n_parameters must be positive, got -1"),
        (lambda: gpu_days(1e20, utilisation=40), "utilisation must be above 0 and at most 1, got 40"),
        (lambda: gpu_days(1e20, peak=0), "peak must be positive"),
        (lambda: HOFFMANN_2022.loss(1e9, 0), "n_tokens must be positive"),
        (lambda: twenty_tokens_per_parameter(float("nan")), "flops must be positive, got nan"),
        (lambda: serving_bytes(Architecture(2, 8, 2, 10, 4), batch_size=0), "batch_size must be positive"),
        (lambda: serving_bytes(Architecture(2, 8, 2, 10, 4), bytes_per_number=0), "bytes_per_number must be positive"),
        (lambda: training_bytes(Architecture(2, 8, 2, 10, 4), 0), "batch_size must be positive"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_importing_it_needs_no_torch():
    code = "import sys, lmkit.compute, lmkit.published_models; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
