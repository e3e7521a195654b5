"""The arithmetic of scale against real models, PyTorch's counter, the published tables and closed forms."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from lmkit.attention import KVCache
from lmkit.compute import (
    BESIROGLU_2024,
    HOFFMANN_2022,
    PETAFLOP_S_DAY,
    Architecture,
    ScalingLaw,
    forward_flops_per_token,
    n_parameters,
    parameters,
    petaflop_s_days,
    serving_bytes,
    six_n_d,
    training_bytes,
)
from lmkit.published_models import (
    GPT,
    GPT3_DATA,
    GPT3_SIZES,
    GPT3_TRAINING_TOKENS,
    LLM_SIZES,
    TRAINING_RUNS,
)
from lmkit.transformer import CHOICES, TransformerConfig, TransformerLM
from tests.doors import INF, Door, bad_values

SMALL = {"vocab_size": 37, "context_length": 24, "n_layers": 3, "n_heads": 4, "d_model": 32}
VARIANTS = {
    "gpt2": {},
    "2017": {"norm": "post-LN", "positions": "sinusoidal", "activation": "relu", "tied": False},
    "llama": {"norm": "RMS", "positions": "rotary", "activation": "swiglu", "tied": False},
}
every_variant = pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
SIZED = {model.name: model for model in (*GPT3_SIZES, *GPT)}
RUNS = {run.name: run for run in TRAINING_RUNS}


@given(
    st.builds(
        TransformerConfig,
        vocab_size=st.integers(1, 40),
        context_length=st.integers(1, 9),
        n_layers=st.integers(1, 3),
        n_heads=st.just(4),
        d_model=st.sampled_from([8, 16, 40]),
        **{field: st.sampled_from([c for c in choices if c != "convolution"]) for field, choices in CHOICES.items()},
        **{flag: st.booleans() for flag in ("tied", "qk_norm")},
    )
)
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
    }
    for name, p in model.named_parameters():  # a tied output is not listed twice
        parts = {
            "positions.": "position embeddings",
            "output.": "output",
            "norm": "norms",
            "bias": "biases",
            ".attention.": "attention",
            ".feed_forward.": "feed-forward",
        }
        if name != "embedding.weight":
            count[next(part for key, part in parts.items() if key in name)] += p.numel()
    assert parameters(Architecture.of(config)) == count


def test_convolutional_positions_are_not_counted_but_refused():
    with pytest.raises(ValueError, match="config must have positions that published models have"):
        Architecture.of(TransformerConfig(**SMALL, positions="convolution"))


def test_parameters_of_a_small_one_by_hand():
    full = {
        "token embeddings": 80,
        "position embeddings": 32,
        "attention": 2 * 4 * 8 * 8,
        "feed-forward": 2 * 2 * 8 * 32,
        "biases": 2 * (4 * 8 + 32 + 8),
        "norms": 5 * 16,
        "output": 0,
    }
    assert parameters(Architecture(2, 8, 2, 10, 4)) == full and n_parameters(Architecture(2, 8, 2, 10, 4)) == sum(
        full.values()
    )
    sizes = 96, 12288, 96, 50257, 2048  # whose product no int32 holds
    assert n_parameters(Architecture(*map(np.int32, sizes))) == n_parameters(Architecture(*sizes))
    plain = parameters(Architecture(2, 8, 2, 10, 4, bias=False, learned_positions=False, tied=False))
    assert plain == full | {"position embeddings": 0, "biases": 0, "norms": 5 * 8, "output": 80}
    gated = parameters(Architecture(2, 8, 2, 10, 4, gated=True, d_ff=20, n_kv_heads=1, d_head=6))
    assert gated["attention"] == 2 * 8 * 6 * (2 + 1 + 1 + 2) and gated["feed-forward"] == 2 * 3 * 8 * 20
    assert gated["biases"] == 2 * (6 * (2 + 1 + 1) + 8 + 2 * 20 + 8)


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
    # Each product has two in the backward pass: one for the gradient of its input and one for that of its weights.
    assert backward.get_total_flops() == 2 * forward.get_total_flops()


def test_only_attention_grows_with_the_length():
    a = SIZED["GPT-3"].architecture
    short, long = (forward_flops_per_token(a, length) for length in (1000, 2000))
    assert short["weights"] == long["weights"] and long["attention"] == 2 * short["attention"]
    assert forward_flops_per_token(a, 1001, causal=True)["attention"] == forward_flops_per_token(a, 501)["attention"]
    at_2048 = forward_flops_per_token(a)
    share = at_2048["attention"] / at_2048["weights"]
    assert share == pytest.approx(0.0277, abs=0.00005)
    assert forward_flops_per_token(a, causal=True)["attention"] / at_2048["weights"] == pytest.approx(
        share / 2, rel=1e-3
    )
    small = forward_flops_per_token(SIZED["GPT-3 Small"].architecture)
    assert small["attention"] / small["weights"] == pytest.approx(0.306, abs=0.0005)
    assert sum(forward_flops_per_token(a).values()) == pytest.approx(2 * n_parameters(a), rel=0.03)  # Kaplan's 2N


def test_gpt3s_compute():
    """6 · 175e9 · 300e9 = 3.15e23 operations, not the lecture's 50 petaflop/s-days."""
    assert PETAFLOP_S_DAY == 8.64e19
    flops = six_n_d(175e9, GPT3_TRAINING_TOKENS)
    assert flops == pytest.approx(3.15e23)
    assert petaflop_s_days(flops) == pytest.approx(3646, abs=0.5)
    assert petaflop_s_days(six_n_d(174.6e9, GPT3_TRAINING_TOKENS)) == pytest.approx(3637.5, abs=0.05)
    assert RUNS["GPT-3 175B"].petaflop_s_days == 3640
    near = [run.name for run in TRAINING_RUNS if abs(run.petaflop_s_days / 50 - 1) < 0.2]
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
    millions = [125.2, 355.9, 760.3, 1315.7, 2651.6, 6658.4, 12_853.4, 174_604.3]
    assert [round(count[m.name] / 1e6, 1) for m in GPT3_SIZES] == millions
    assert count["GPT-3 175B"] == count["GPT-3"] == pytest.approx(174.6e9, abs=0.05e9)
    assert count["GPT"] == pytest.approx(116.5e6, abs=0.05e6)
    assert count["GPT-2 XL"] == pytest.approx(1557.6e6, abs=0.05e6)
    assert [SIZED[name].architecture.d_ff for name in ("GPT", "GPT-2 XL", "GPT-3")] == [3072, 6400, 49_152]
    assert SIZED["GPT-2 XL"].printed == {"d_ff": "", "n_heads": ""} and SIZED["GPT-2 XL"].architecture.n_heads == 25


def test_gpt3s_steps():
    """Larger models take larger batches and smaller steps."""
    batches, rates = zip(*((model.batch_tokens, model.learning_rate) for model in GPT3_SIZES))
    assert list(batches) == sorted(batches) and list(rates) == sorted(rates, reverse=True)
    updates = [GPT3_TRAINING_TOKENS / SIZED[name].batch_tokens for name in ("GPT-3 Small", "GPT-3 175B")]
    assert updates == pytest.approx([600_000, 93_750])


def test_misprints_do_not_fit():
    thirteen = SIZED["GPT-3 13B"]
    assert n_parameters(thirteen.architecture) == pytest.approx(12.85e9, abs=0.005e9)
    with pytest.raises(ValueError, match="n_heads must divide d_model = 5140"):
        Architecture(40, thirteen.printed["d_model"], 40, 50_257, 2048)
    # matrices; embeddings; biases and norms, 9d and 4d in a layer and 2d at the end
    printed_count = 12 * 40 * 5140**2 + 5140 * (50_257 + 2048) + 5140 * (13 * 40 + 2)
    assert printed_count == pytest.approx(12.953e9, abs=0.0005e9)
    narrow = Architecture(40, thirteen.printed["d_model"], 40, 50_257, 2048, d_head=128)
    assert n_parameters(narrow) == pytest.approx(12.936e9, abs=0.0005e9)
    xl = SIZED["GPT-3 XL"]
    wide = Architecture(24, 2048, xl.printed["n_heads"], 50_257, 2048, d_head=128)
    assert n_parameters(xl.architecture) == pytest.approx(1.316e9, abs=0.001e9)
    assert n_parameters(wide) == pytest.approx(1.517e9, abs=0.001e9)  # not the 1.3 billion that is printed
    ratio = SIZED["GPT-3 2.7B"].printed_parameters / RUNS["RoBERTa-Large"].parameters
    assert ratio == pytest.approx(7.6, abs=0.05)  # the lecture, as the paper: 10


def test_gpt3s_data():
    assert sum(source.tokens for source in GPT3_DATA) == 499e9
    assert sum(source.weight for source in GPT3_DATA) == pytest.approx(1.01)
    impossible = [s.name for s in GPT3_DATA if not s.possible_epochs[0] <= s.printed_epochs <= s.possible_epochs[1]]
    assert impossible == [source.name for source in GPT3_DATA if source.note] == ["WebText2"]
    epochs = [0.44, 3.47, 2.00, 0.44, 3.00]  # printed: 0.44, 2.9, 1.9, 0.43, 3.4
    assert [source.epochs for source in GPT3_DATA] == pytest.approx(epochs, abs=0.005)
    ranges = {source.name: source.possible_epochs for source in GPT3_DATA}
    expected = {"WebText2": (3.31, 3.65), "Books1": (1.80, 2.22), "Wikipedia": (2.14, 4.20)}
    assert all(ranges[name] == pytest.approx(both, abs=0.005) for name, both in expected.items())


def test_table_of_models_marks_what_is_not_published():
    for model in LLM_SIZES:
        assert model.source and (model.printed is None) == (model.note == "")
        if model.parameters is None:
            assert "rumour" in model.note and "parameters" in model.printed and model.tokens is None
    assert [model.name for model in LLM_SIZES if model.parameters is None] == ["GPT-4", "Gemini Ultra"]
    sizes = {model.name: model for model in LLM_SIZES}
    assert sizes["GPT-2"].parameters == pytest.approx(n_parameters(SIZED["GPT-2 XL"].architecture), rel=1e-4)
    assert sizes["GPT-3"].tokens == GPT3_TRAINING_TOKENS
    assert sizes["GPT-3"].collected == sum(source.tokens for source in GPT3_DATA)


def test_tokens_per_parameter_where_it_is_published_what_training_read():
    """Not LaMDA's: its 2.81 trillion are those of the collection, GPT-2's nobody counted."""
    ratios = {m.name: round(m.tokens / m.parameters, 2) for m in LLM_SIZES if m.tokens}
    assert ratios == {
        "GPT-3": 1.71, "PaLM": 1.44, "Chinchilla": 20.0, "LLaMA": 21.54, "Llama 2": 28.57, "Llama 3.1": 38.52
    }  # fmt: skip
    llama, lamda = LLM_SIZES[-1], next(m for m in LLM_SIZES if m.name == "LaMDA")
    assert round(llama.printed["tokens"] / llama.parameters, 1) == 37.0
    assert lamda.printed["tokens"] < lamda.collected and lamda.tokens is None
    assert f"{3.55e23 / (6 * lamda.parameters) / 1e12:.2f} trillion" in lamda.note


def test_published_rows_have_the_values_of_their_sources():
    """The whole tables in one place: [1] is right, [2] is printed."""
    rows = [(m.name, m.year, m.parameters, m.tokens, m.printed or {}) for m in LLM_SIZES]
    assert rows == [
        ("GPT-2", 2019, 1557.6e6, None, {"parameters": 1.5e9, "tokens": "~10 billion (40Gb)"}),
        ("GPT-3", 2020, 175e9, 300e9, {}),
        ("PaLM", 2022, 540e9, 780e9, {}),
        ("Chinchilla", 2022, 70e9, 1.4e12, {}),
        ("LaMDA", 2022, 137e9, None, {"tokens": 1.56e12}),
        ("LLaMA", 2023, 65e9, 1.4e12, {}),
        ("Llama 2", 2023, 70e9, 2e12, {}),
        ("GPT-4", 2023, None, None, {"parameters": 1.76e12}),
        ("Gemini Ultra", 2023, None, None, {"parameters": 1.5e12}),
        ("Llama 3.1", 2024, 405e9, 15.6e12, {"name": "LLaMA-3", "tokens": 15e12}),
    ]
    table = [
        (m.architecture.n_layers, m.architecture.d_model, m.architecture.n_heads, m.architecture.d_head,
         m.batch_tokens / 1e6, m.learning_rate * 1e4, m.printed or {}) for m in GPT3_SIZES
    ]  # fmt: skip
    assert table == [
        (12, 768, 12, 64, 0.5, pytest.approx(6.0), {}),
        (24, 1024, 16, 64, 0.5, pytest.approx(3.0), {}),
        (24, 1536, 16, 96, 0.5, pytest.approx(2.5), {}),
        (24, 2048, 16, 128, 1, pytest.approx(2.0), {"n_heads": 24}),
        (32, 2560, 32, 80, 1, pytest.approx(1.6), {}),
        (32, 4096, 32, 128, 2, pytest.approx(1.2), {}),
        (40, 5120, 40, 128, 2, pytest.approx(1.0), {"d_model": 5140}),
        (96, 12_288, 96, 128, 3.2, pytest.approx(0.6), {}),
    ]


def test_constants_are_those_of_their_sources():
    assert HOFFMANN_2022 == ScalingLaw(1.69, 406.4, 410.7, 0.34, 0.28)  # their equation 10
    assert BESIROGLU_2024 == ScalingLaw(1.8172, 482.01, 2085.43, 0.3478, 0.3658)  # their table of fits


def test_training_takes_16_bytes_a_parameter_and_the_activations():
    a = SIZED["GPT-3"].architecture
    need = training_bytes(a, batch_size=2, length=1024)
    assert sum(v for k, v in need.items() if k not in ("activations", "logits")) == 16 * n_parameters(a)
    # Korthikanti et al. (2022), section 4: T B d (34 L + 5 h T L/d + 1 + 4) and T B V logits of 4 bytes
    tokens, d = 2 * 1024, 12_288
    assert need["activations"] == tokens * d * (34 * 96 + 5) and need["logits"] == tokens * 4 * 50_257


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"norm": "post-LN"},
        {"activation": "swiglu"},  # an RMSNorm that is not fused would keep more
    ],
    ids=["gpt2", "post", "swiglu"],
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


def test_without_a_norm_at_the_end_its_input_is_not_kept():
    sizes = {"n_layers": 1, "d_model": 64, "n_heads": 8, "vocab_size": 10, "context_length": 4}
    kept = [training_bytes(Architecture(**sizes, final_norm=flag), 3)["activations"] for flag in (True, False)]
    assert kept[0] - kept[1] == 3 * 4 * 2 * 64


def test_a_gate_and_shared_keys_change_what_is_kept():
    full = Architecture(1, 64, 8, vocab_size=10, context_length=4)
    shared = Architecture(1, 64, 8, vocab_size=10, context_length=4, n_kv_heads=2)
    gated = Architecture(1, 64, 8, vocab_size=10, context_length=4, gated=True)
    kept = [training_bytes(a, batch_size=1, length=1)["activations"] for a in (full, shared, gated)]
    assert kept[0] - kept[1] == 2 * 2 * 6 * 8  # keys and values of six heads
    assert kept[2] - kept[0] == 2 * 2 * 4 * 64  # the gate's factor, and the product


def test_cache_is_as_large_as_the_real_one():
    config = TransformerConfig(**SMALL)
    state = TransformerLM(config).initial_state(batch_size=5)
    real = sum(cache.keys.nbytes + cache.values.nbytes for cache in state.caches)
    assert isinstance(state.caches[0], KVCache)
    full = Architecture.of(config)
    shared = Architecture(3, 32, 4, vocab_size=37, context_length=24, n_kv_heads=2)
    assert serving_bytes(full, 5)["KV cache"] == real / 2  # 16 bits a number, not 32
    assert serving_bytes(full)["KV cache"] == 2 * serving_bytes(shared)["KV cache"]
    assert serving_bytes(full)["weights"] == 2 * n_parameters(full)


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
    assert HOFFMANN_2022.loss(70e9, INF) == pytest.approx(1.69 + 0.083, abs=0.0005)  # what its size costs
    assert HOFFMANN_2022.loss(INF, 1.4e12) == pytest.approx(1.69 + 0.163, abs=0.0005)  # what its text costs
    refit, published = BESIROGLU_2024.best(5.76e23), HOFFMANN_2022.best(5.76e23)
    assert refit.n_tokens / refit.n_parameters == pytest.approx(20, rel=0.1)
    assert refit.n_parameters == pytest.approx(70e9, rel=0.06) and refit.n_tokens == pytest.approx(1.4e12, rel=0.06)
    assert published.n_tokens / published.n_parameters > 60  # the published constants contradict the published rule
    gpt3 = BESIROGLU_2024.best(six_n_d(175e9, 300e9))
    assert gpt3.n_parameters < 175e9 / 3 and gpt3.n_tokens > 300e9 * 3  # GPT-3 was too large for its text


A = Architecture(2, 8, 2, 10, 4)
FIELDS = {
    "n_layers": 2,
    "d_model": 8,
    "n_heads": 4,
    "vocab_size": 10,
    "context_length": 4,
    "d_head": 2,
    "n_kv_heads": 2,
}
FLAGS = ("gated", "bias", "rms_norm", "final_norm", "learned_positions", "tied")
POSITIVE = [*bad_values("positive", None), INF]
DOORS = [
    Door(
        Architecture,
        lambda: FIELDS | {"d_ff": 8} | dict.fromkeys(FLAGS, True),
        dict.fromkeys(FIELDS, "count")
        | dict.fromkeys(FLAGS, "flag")
        | {
            "d_head": "optional count",
            "d_ff": "optional count",
            "n_kv_heads": [*bad_values("optional count", None), 3],
        },
    ),
    Door(Architecture.of, lambda: {"config": TransformerConfig(**SMALL)}, {"config": "object"}),
    Door(parameters, lambda: {"a": A}, {"a": "object"}),
    Door(n_parameters, lambda: {"a": A}, {"a": "object"}),
    Door(
        forward_flops_per_token,
        lambda: {"a": A, "length": 3, "causal": True},
        {"a": "object", "length": "optional count", "causal": "flag"},
    ),
    Door(
        six_n_d,
        lambda: {"n_parameters": 1e200, "n_tokens": 2},
        {"n_parameters": [*POSITIVE, 1.5e308], "n_tokens": [*POSITIVE, 1e200]},
    ),
    Door(petaflop_s_days, lambda: {"flops": 1e9}, {"flops": POSITIVE}),
    Door(
        training_bytes,
        lambda: {"a": A, "batch_size": 2, "length": 3},
        {"a": "object", "batch_size": "count", "length": "optional count"},
    ),
    Door(
        serving_bytes,
        lambda: {"a": A, "batch_size": 2, "length": 3},
        {"a": "object", "batch_size": "count", "length": "optional count"},
    ),
    Door(
        ScalingLaw,
        lambda: {"E": 1.7, "A": 400.0, "B": 400.0, "alpha": 0.3, "beta": 0.3},
        dict.fromkeys(("E", "A", "B", "alpha", "beta"), POSITIVE),
    ),
    Door(
        HOFFMANN_2022.loss,
        lambda: {"n_parameters": 1e9, "n_tokens": INF},
        {"n_parameters": "positive", "n_tokens": "positive"},
    ),
    Door(HOFFMANN_2022.best, lambda: {"flops": 1e20}, {"flops": POSITIVE}),
]


@pytest.mark.parametrize(("A", "B"), [(1e-300, 1e300), (1e300, 1e-300), (1.0, 5e-324)])
def test_a_law_whose_best_no_float_can_hold_says_so(A, B):
    with pytest.raises(ValueError, match="flops = 1 has no best N and D"):
        ScalingLaw(1, A, B, 0.001, 0.001).best(1)


def test_heads_must_fit():
    with pytest.raises(ValueError, match="n_heads must divide d_model = 8 unless d_head is given, got 3"):
        Architecture(2, 8, 3, 10, 4)
    with pytest.raises(ValueError, match="n_kv_heads must divide n_heads = 4, got 3"):
        Architecture(2, 8, 4, 10, 4, n_kv_heads=3)


def test_importing_it_needs_no_torch():
    code = "import sys, lmkit.compute, lmkit.published_models; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_loss_that_no_float_can_hold_is_refused_and_a_large_model_has_one():
    law = ScalingLaw(1, 1, 1, 2, 1)
    assert law.loss(1e200, 1) == 2.0
    with pytest.raises(ValueError, match="too small for"):
        law.loss(1e-300, 1)
