"""The arithmetic of scale against real models, PyTorch's counter, the published tables and closed forms."""

import subprocess
import sys

import pytest
import torch
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
    GPT3_DATA,
    GPT3_PETAFLOP_S_DAYS,
    GPT3_SIZES,
    GPT3_TRAINING_TOKENS,
    LECTURE_GPT3,
    MODELS,
    ROBERTA_LARGE_PARAMETERS,
)
from lmkit.transformer import TransformerConfig, TransformerLM

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


@every_variant
def test_parameters_are_those_of_the_real_model(options):
    config = TransformerConfig(**SMALL | options)
    model = TransformerLM(config)
    parts = parameters(Architecture.of(config))
    assert sum(parts.values()) == sum(p.numel() for p in model.parameters())
    matrices = sum(p.numel() for block in model.blocks for p in block.attention.parameters() if p.ndim == 2)
    assert parts["attention"] == matrices


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
    assert 0.02 < at_2048["attention"] / at_2048["weights"] < 0.03  # the lecture: the graph grows "quadratically"
    assert sum(forward_flops_per_token(a).values()) == pytest.approx(2 * n_parameters(a), rel=0.03)  # Kaplan's 2N


def test_gpt3s_compute():
    """6 · 175e9 · 300e9 = 3.15e23 operations, not the lecture's 50 petaflop/s-days, which are those of the 2.7B model."""
    assert PETAFLOP_S_DAY == 8.64e19
    flops = six_n_d(175e9, GPT3_TRAINING_TOKENS)
    assert flops == pytest.approx(3.15e23)
    assert petaflop_s_days(flops) == pytest.approx(3646, abs=0.5)
    small = petaflop_s_days(six_n_d(n_parameters(SIZED["GPT-3 2.7B"].architecture), GPT3_TRAINING_TOKENS))
    assert small == pytest.approx(LECTURE_GPT3["petaflop/s-days"], rel=0.15)
    assert petaflop_s_days(flops) / LECTURE_GPT3["petaflop/s-days"] > 70


@pytest.mark.parametrize("name", GPT3_PETAFLOP_S_DAYS)
def test_gpt3s_table_of_compute_follows_from_the_sizes(name):
    computed = petaflop_s_days(six_n_d(n_parameters(SIZED[name].architecture), GPT3_TRAINING_TOKENS))
    assert computed == pytest.approx(GPT3_PETAFLOP_S_DAYS[name], rel=0.012)  # the paper rounds the sizes first


def test_printed_sizes_follow_from_the_architectures():
    for model in GPT3_SIZES:
        count = n_parameters(model.architecture)
        assert count == pytest.approx(model.printed_parameters, rel=0.025), model.name
    assert n_parameters(SIZED["GPT-3 175B"].architecture) == pytest.approx(174.6e9, abs=0.05e9)
    assert n_parameters(SIZED["GPT"].architecture) == pytest.approx(116.5e6, abs=0.05e6)
    assert n_parameters(SIZED["GPT-2 XL"].architecture) == pytest.approx(1557.6e6, abs=0.05e6)
    assert SIZED["GPT-2 XL"].architecture.d_ff == 6400


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
    assert n_parameters(SIZED["GPT-3 2.7B"].architecture) / ROBERTA_LARGE_PARAMETERS == pytest.approx(7.5, abs=0.1)
    assert 2.7e9 / ROBERTA_LARGE_PARAMETERS == pytest.approx(7.6, abs=0.05)  # "almost 10×"


def test_gpt3s_data():
    assert sum(source.tokens for source in GPT3_DATA) == 499e9  # of which 300 were read
    assert sum(source.weight for source in GPT3_DATA) == pytest.approx(1.01)
    impossible = [s.name for s in GPT3_DATA if not s.possible_epochs[0] <= s.printed_epochs <= s.possible_epochs[1]]
    assert impossible == ["WebText2"]
    assert GPT3_DATA[1].epochs == pytest.approx(3.47, abs=0.005)


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
    assert sum(v for k, v in need.items() if k != "activations") == 16 * n_parameters(a)
    assert need["activations"] == 96 * 2 * 1024 * 34 * 12_288
    # Korthikanti et al. (2022): T B d L (34 + 5 h T / d) bytes
    with_scores = training_bytes(a, 2, 1024, store_scores=True)["activations"]
    assert with_scores == pytest.approx(1024 * 2 * 12_288 * 96 * (34 + 5 * 96 * 1024 / 12_288))
    with pytest.raises(ValueError, match="no gate"):
        training_bytes(Architecture(2, 8, 2, 10, 4, gated=True), 1)


def test_cache_is_as_large_as_the_real_one():
    config = TransformerConfig(**SMALL | {"n_kv_heads": 2})
    state = TransformerLM(config).initial_state(batch_size=5)
    real = sum(layer.cache.keys.nbytes + layer.cache.values.nbytes for layer in state.layers)
    assert isinstance(state.layers[0].cache, KVCache)
    assert serving_bytes(Architecture.of(config), 5, bytes_per_number=4)["KV cache"] == real
    full = Architecture.of(TransformerConfig(**SMALL))
    assert serving_bytes(full)["KV cache"] == 2 * serving_bytes(Architecture.of(config))["KV cache"]


@pytest.mark.parametrize("law", [HOFFMANN_2022, BESIROGLU_2024], ids=["Hoffmann", "Besiroglu"])
@pytest.mark.parametrize("flops", [1e18, 5.76e23, 1e26])
def test_best_allocation_is_the_minimum(law, flops):
    best = law.best(flops)
    assert six_n_d(*best) == pytest.approx(flops)
    for factor in (0.5, 0.99, 1.01, 2):
        n = best.n_parameters * factor
        assert law.loss(n, flops / 6 / n) > law.loss(*best) > law.E


def test_chinchilla():
    """Its budget of 5.76e23 operations buys 70 billion parameters and 1.4 trillion tokens, 20 for each."""
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
        (lambda: forward_flops_per_token(Architecture(2, 8, 2, 10, 4), 0), "length must be positive"),
        (lambda: six_n_d(-1, 5), "n_parameters must be positive, got -1"),
        (lambda: gpu_days(1e20, utilisation=40), "utilisation must be above 0 and at most 1, got 40"),
        (lambda: gpu_days(1e20, peak=0), "peak must be positive"),
        (lambda: HOFFMANN_2022.loss(1e9, 0), "n_tokens must be positive"),
        (lambda: twenty_tokens_per_parameter(float("nan")), "flops must be positive, got nan"),
        (lambda: serving_bytes(Architecture(2, 8, 2, 10, 4), batch_size=0), "batch_size must be positive"),
        (lambda: training_bytes(Architecture(2, 8, 2, 10, 4), 0), "batch_size must be positive"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_importing_it_needs_no_torch():
    code = "import sys, lmkit.compute, lmkit.published_models; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
