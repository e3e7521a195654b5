import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmkit.attention import (
    KVCache,
    MultiHeadAttention,
    attention,
    attention_loop,
    attention_weights,
    causal_mask,
    check_mask,
    padding_mask,
)
from lmkit.positions import RotaryPositions
from tests.doors import Door, bad_values

I4 = torch.eye(4)
X_POLL = torch.diag(torch.tensor([1.0, 1.0, 2.0, 1.0]))  # x_1 … x_4 of the lecture's poll


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def layer(*args, seed=0, **kwargs):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return MultiHeadAttention(*args, **kwargs).double()


@given(st.integers(1, 7), st.integers(1, 5), st.integers(1, 5), st.integers(0, 99))
def test_loop_equals_matrices(T, d_k, d_v, seed):
    Q, K, V = normal(T, d_k, seed=seed), normal(T, d_k, seed=seed + 1), normal(T, d_v, seed=seed + 2)
    outputs, weights = attention(Q, K, V, causal_mask(T))
    torch.testing.assert_close(outputs, attention_loop(Q, K, V), rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(weights.sum(-1), torch.ones(T, dtype=torch.float64), rtol=1e-12, atol=1e-12)
    assert (weights.triu(1) == 0).all()


def test_lecture_weights_give_lecture_hidden_states():
    # h_2 = .3 v_1 + .7 v_2 and h_3 = .3 v_1 + .5 v_2 + .2 v_3, all three from one product; the scores are
    # the logarithms.
    A = torch.tensor([[1.0, 0, 0], [0.3, 0.7, 0], [0.3, 0.5, 0.2]], dtype=torch.float64)
    V = normal(3, 5)
    weights = attention_weights(A.clamp(min=1e-300).log(), causal_mask(3))
    torch.testing.assert_close(weights, A)
    torch.testing.assert_close((weights @ V)[1], 0.3 * V[0] + 0.7 * V[1])
    torch.testing.assert_close((weights @ V)[2], 0.3 * V[0] + 0.5 * V[1] + 0.2 * V[2])


def test_poll_softmax_is_row_wise():
    weights = attention_weights(normal(4, 4))
    torch.testing.assert_close(weights.sum(dim=1), torch.ones(4, dtype=torch.float64))
    assert not torch.allclose(weights.sum(dim=0), torch.ones(4, dtype=torch.float64))


def test_poll_mask_is_b():
    B = torch.tensor([[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]], dtype=torch.bool)
    assert torch.equal(causal_mask(4), B)
    x = normal(4, 3)
    later = x.clone()
    later[3] += 1  # changing the last token must not reach the first three
    for mask, leaks in ((B.T, True), (B, False)):  # A is anti-causal
        before, after = attention(x, x, x, mask)[0], attention(later, later, later, mask)[0]
        assert (not torch.allclose(before[:3], after[:3])) is leaks
    only_itself = attention(x, x, x, I4.bool())[0]  # C sees only itself
    torch.testing.assert_close(only_itself, x)


def test_poll_swap_the_weights_move_with_the_content():
    def x_4(x, a):
        scores = torch.tensor(a).log()
        return attention_weights(scores[None]) @ x

    a = [0.1, 0.2, 0.6, 0.1]
    expected = torch.tensor([[0.1, 0.2, 1.2, 0.1]])
    swapped = X_POLL[[0, 2, 1, 3]]
    torch.testing.assert_close(x_4(X_POLL, a), expected)
    torch.testing.assert_close(x_4(swapped, [0.1, 0.6, 0.2, 0.1]), expected)  # keys move with their tokens
    torch.testing.assert_close(x_4(swapped, a), torch.tensor([[0.1, 0.6, 0.4, 0.1]]))  # the trap: weights stay


def test_attention_without_positions_is_permutation_equivariant():
    attend, x, order = layer(8, 2, causal=False), normal(1, 6, 8), torch.tensor([3, 0, 5, 1, 4, 2])
    torch.testing.assert_close(attend(x)[:, order], attend(x[:, order]), rtol=1e-12, atol=1e-12)


def test_last_output_of_one_causal_layer_ignores_the_order_of_the_prefix_of_two_not():
    one, two = layer(8, 2), layer(8, 2, seed=1)
    x = normal(1, 6, 8)
    shuffled = x[:, [2, 4, 0, 1, 3, 5]]
    torch.testing.assert_close(one(x)[:, -1], one(shuffled)[:, -1], rtol=1e-12, atol=1e-12)
    assert not torch.allclose(two(one(x))[:, -1], two(one(shuffled))[:, -1], rtol=1e-3)


def test_scaling_keeps_the_variance_of_the_scores():
    Q, K = normal(400, 256), normal(400, 256, seed=1)
    scores = Q @ K.T / math.sqrt(256)
    assert scores.std() == pytest.approx(1, abs=0.05)
    assert attention(Q, K, K)[1].max() < 0.2 < (Q @ K.T).softmax(-1).max()


@pytest.mark.parametrize("alibi", [False, True])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("qk_norm", [False, True])
def test_layer_equals_the_readable_version_head_by_head(alibi, causal, qk_norm):
    rotary = RotaryPositions(5, 4).double() if qk_norm else None
    attend = layer(16, 4, alibi=alibi, causal=causal, qk_norm=qk_norm, rotary=rotary, bias=qk_norm)
    x = normal(2, 5, 16)
    W_q, W_k, W_v = attend.W_qkv.weight.chunk(3)
    b_q, b_k, b_v = (0, 0, 0) if attend.W_qkv.bias is None else attend.W_qkv.bias.chunk(3)

    def prepared(y):
        return rotary(y / (y**2).mean(dim=-1, keepdim=True).sqrt()) if qk_norm else y

    Q, K, V = x @ W_q.T + b_q, x @ W_k.T + b_k, x @ W_v.T + b_v
    heads = []
    for i in range(4):
        q, k, v = (part[..., 4 * i : 4 * i + 4] for part in (Q, K, V))
        bias = -(2.0 ** (-2 * (i + 1))) * (torch.arange(5)[:, None] - torch.arange(5)).clamp(min=0) if alibi else None
        if bias is not None:
            bias = bias.double()
        heads.append(attention(prepared(q), prepared(k), v, causal_mask(5) if causal else None, bias))
    expected = torch.cat([output for output, _ in heads], dim=-1) @ attend.W_o.weight.T
    expected = expected if attend.W_o.bias is None else expected + attend.W_o.bias
    torch.testing.assert_close(attend(x), expected, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(attend.weights(x), torch.stack([w for _, w in heads], 1), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
def test_layer_is_torchs(causal):
    """torch.nn.MultiheadAttention with the same weights."""
    attend = layer(8, 2, causal=causal, bias=True, seed=3)
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True).double()
    theirs.load_state_dict({"in_proj_weight": attend.W_qkv.weight, "in_proj_bias": attend.W_qkv.bias,
                            "out_proj.weight": attend.W_o.weight, "out_proj.bias": attend.W_o.bias})  # fmt: skip
    x, mask = normal(3, 6, 8), padding_mask(torch.tensor([6, 4, 1]), 6)
    blind = ~mask & ~torch.eye(6, dtype=torch.bool)  # as torch has it, True where a query may not look
    if causal:
        blind = blind | ~causal_mask(6)
    expected, weights = theirs(x, x, x, attn_mask=blind.repeat_interleave(2, dim=0), average_attn_weights=False)
    mask = mask | torch.eye(6, dtype=torch.bool)
    torch.testing.assert_close(attend(x, mask), expected, rtol=1e-10, atol=1e-12)
    torch.testing.assert_close(attend.weights(x, mask), weights, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("alibi", [False, True])
def test_a_mask_for_each_sequence_is_that_sequences(alibi):
    attend = layer(8, 2, alibi=alibi)
    x, mask = normal(2, 4, 8), torch.rand(2, 4, 4, generator=torch.Generator().manual_seed(1)) < 0.5
    mask |= torch.eye(4, dtype=torch.bool)
    for b in range(2):
        torch.testing.assert_close(attend(x, mask)[b], attend(x[b : b + 1], mask[b])[0], rtol=1e-12, atol=1e-12)
        torch.testing.assert_close(attend.weights(x, mask)[b], attend.weights(x[b : b + 1], mask[b])[0])
        assert (attend.weights(x, mask)[b][:, ~(mask[b] & causal_mask(4))] == 0).all()


def test_padding_does_not_change_the_real_positions():
    attend = layer(8, 2, causal=False)
    x = normal(2, 6, 8)
    mask = padding_mask(torch.tensor([4, 6]), 6)
    padded = attend(x, mask)
    torch.testing.assert_close(padded[0, :4], attend(x[:1, :4])[0], rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(padded[1], attend(x[1:])[0], rtol=1e-12, atol=1e-12)
    assert (attend.weights(x, mask)[0, :, :, 4:] == 0).all()


@pytest.mark.slow
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.sampled_from(["rotary", "alibi", "none"]))
def test_cache_in_any_pieces_equals_all_at_once(pieces, positions):
    rotary = RotaryPositions(16, 4) if positions == "rotary" else None
    attend = layer(8, 2, rotary=rotary, alibi=positions == "alibi", qk_norm=True)
    x = normal(1, sum(pieces), 8)
    cache = KVCache(1, 2, 16, 4, x)
    outputs = torch.cat([attend(piece, cache=cache) for piece in x.split(pieces, dim=1)], dim=1)
    torch.testing.assert_close(outputs, attend(x), rtol=1e-6, atol=1e-9)
    assert cache.read == sum(pieces)


def test_unit_norms_do_lose_something():
    # At m = 512 and without a learned matrix, unit vectors' scaled scores lie within ±1/√512: weights
    # nearly uniform.
    unit = torch.nn.functional.normalize(normal(50, 512), dim=-1)
    unit[0], query = -unit[1], unit[1:2]  # the worst case: one key opposite, one the same
    weights = attention(query, unit, unit)[1]
    assert 1.05 < weights.max() / weights.min() <= 1.0925 == pytest.approx(math.exp(2 / math.sqrt(512)), abs=1e-3)


def test_extreme_logits_in_float32():
    scores = torch.tensor([[3e38, -3e38, 0.0], [-3e38, -3e38, -3e38]])
    torch.testing.assert_close(attention_weights(scores), torch.tensor([[1.0, 0, 0], [1 / 3, 1 / 3, 1 / 3]]))
    Q = torch.tensor([[1e4, 0.0]])
    outputs, _ = attention(Q, torch.tensor([[1e4, 0.0], [-1e4, 0.0]]), torch.tensor([[1.0], [2.0]]))
    assert outputs.item() == 1


def test_a_row_that_may_look_at_nothing_is_named():
    mask = torch.ones(2, 3, 3, dtype=torch.bool)
    mask[1, 2] = False
    with pytest.raises(ValueError, match=r"row \(1, 2\)"):
        attention(normal(2, 3, 4), normal(2, 3, 4), normal(2, 3, 4), mask)
    with pytest.raises(ValueError, match="row 0 "):
        attention_weights(normal(3, 3), ~causal_mask(3).T & causal_mask(3))
    with pytest.raises(ValueError, match="look at no key"):
        layer(4, 1)(normal(1, 3, 4), ~torch.eye(3, dtype=torch.bool))  # with the causal mask, nothing left for row 0


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: attention(normal(3, 4), normal(3, 5), normal(3, 5)),
            r"K must have shape \(T_k, 4\), got \(3, 5\)",
        ),
        (
            lambda: attention(normal(3, 4), normal(3, 4), normal(2, 4)),
            r"V must have shape \(3, d_v\), got \(2, 4\)",
        ),
        (lambda: attention(normal(4), normal(3, 4), normal(3, 4)), "Q must have shape"),
        (
            lambda: attention(normal(2, 3, 4), normal(3, 4), normal(3, 4)),
            r"K must have shape \(2, T_k, 4\), got \(3, 4\)",
        ),
        (
            lambda: attention(normal(2, 3, 4), normal(2, 3, 4), normal(1, 3, 4)),
            r"V must have shape \(2, 3, d_v\), got \(1, 3, 4\)",
        ),
        (lambda: attention_weights(normal(3, 3), torch.ones(3, 3)), "mask must be of dtype bool"),
        (lambda: attention_weights(normal(3, 3), causal_mask(4)), "mask must broadcast"),
        (lambda: attention_weights(normal(3, 3), causal_mask(3)[None]), "mask must broadcast"),
        (lambda: padding_mask(torch.tensor([0, 2]), 3), "lengths"),
        (lambda: padding_mask(torch.tensor([4]), 3), "lengths"),
        (lambda: MultiHeadAttention(8, 3), "n_heads must divide"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_full_cache_says_so():
    attend, x = layer(4, 1), normal(1, 3, 4)
    cache = KVCache(1, 1, 2, 4, x)
    with pytest.raises(ValueError, match="room for 2"):
        attend(x, cache=cache)


def test_a_refused_call_leaves_the_cache_as_it_was():
    attend, x = layer(8, 2), normal(1, 2, 8)
    cache = KVCache(1, 2, 6, 4, x)
    attend(x, cache=cache)
    for wrong in ({"mask": causal_mask(3)}, {"mask": torch.zeros(2, 4, dtype=torch.bool)}, {"x": x.float()}):
        with pytest.raises(ValueError):
            attend(**{"x": x, "cache": cache, **wrong})
    assert cache.read == 2
    torch.testing.assert_close(attend(x, cache=cache), attend(torch.cat([x, x], dim=1))[:, 2:], rtol=1e-12, atol=1e-12)


def test_a_sequence_without_its_batch_axis_is_refused():
    """It would be taken for T sequences of one token, each of which looks at itself alone."""
    with pytest.raises(ValueError, match=r"x must have shape \(B, T, d=8\), got \(3, 8\)"):
        layer(8, 2)(normal(3, 8))


def test_selected_caches_hold_the_selected_sequences():
    cache, k, v = KVCache(3, 2, 6, 4, normal(1)), normal(3, 2, 5, 4), normal(3, 2, 5, 4, seed=1)
    cache.append(k[:, :, :4], v[:, :, :4])
    other = cache.select([2, 0, 2, 2])
    rows = [2, 0, 2, 2]
    keys, values = other.append(k[rows][:, :, 4:], v[rows][:, :, 4:])
    assert torch.equal(keys, k[rows]) and torch.equal(values, v[rows]) and other.read == 5
    assert cache.read == 4 and other.keys.shape == (4, 2, 6, 4) and other.keys.dtype == torch.float64
    assert KVCache(3, 2, 6, 4, normal(1)).select([1]).read == 0  # of an empty one
    cache = KVCache(3, 2, 6, 4, normal(1))
    cache.append(k[:, :, :1], v[:, :, :1])  # as when <bos> alone was read
    assert torch.equal(cache.select(rows).append(k[rows][:, :, 1:], v[rows][:, :, 1:])[0], k[rows])


ATTEND, Q, MASK = layer(8, 2, rotary=RotaryPositions(9, 4)).float(), torch.randn(2, 3, 4), causal_mask(3)
X = torch.randn(2, 3, 8)
BAD_MASKS = [3, "x", MASK.float(), MASK.tolist(), MASK.numpy(), MASK[:, :2], torch.ones(3, 4, dtype=torch.bool),
             torch.ones(5, 1, 3, 3, dtype=torch.bool), ~MASK & MASK]  # fmt: skip
EMPTY = [torch.zeros(0, 4), torch.zeros(3, 0)]
DOORS = [
    Door(causal_mask, lambda: {"n_queries": 2, "n_keys": 3}, {"n_queries": "count", "n_keys": [2.5, True, "3", 1, 0]}),
    Door(
        padding_mask,
        lambda: {"lengths": torch.tensor([1, 3]), "n_keys": 3},
        {
            "lengths": [
                None,
                3,
                [1, 3],
                torch.tensor([0, 2]),
                torch.tensor([4]),
                torch.tensor([1.0]),
                torch.tensor([[1]]),
                torch.tensor([], dtype=torch.int64),
                torch.tensor(2),
            ],
            "n_keys": "count",
        },
    ),
    Door(
        attention_loop,
        lambda: {"Q": Q[0], "K": Q[0], "V": Q[0]},
        {
            "Q": [None, "x", Q, Q[0].numpy(), Q[0].long(), *EMPTY],
            "K": "tensor 0 1",
            "V": [*bad_values("tensor 0", Q[0]), *EMPTY],
        },
    ),
    Door(
        attention_weights,
        lambda: {"scores": Q[:, :, :3], "mask": MASK},
        {
            "scores": [
                None,
                "x",
                3.0,
                Q[0, 0],
                Q.numpy(),
                Q.long(),
                *EMPTY,
                Q[:, :, :3] / 0,
                Q[:, :, :3] * 0 - math.inf,
            ],
            "mask": BAD_MASKS,
        },
    ),
    Door(
        attention,
        lambda: {"Q": Q, "K": Q, "V": Q, "mask": MASK, "bias": Q[0, :, :3]},
        {
            "Q": [None, "x", Q[0, 0], Q.numpy(), Q.long(), Q[:, :0], Q[:0], Q[..., :0]],
            "K": [*bad_values("tensor 0 2", Q), Q[:, :0]],
            "V": [*bad_values("tensor 0 1", Q), Q[..., :0]],
            "mask": BAD_MASKS,
            "bias": [3.0, "x", MASK, Q[:, :, :2], torch.zeros(2, 2, 3, 3), Q[0, :, :3].double(), Q[0, :, :3] / 0]
            + [torch.full((3, 3), math.inf), torch.full((3, 3), -math.inf)],
        },
    ),
    Door(
        check_mask,
        lambda: {"mask": MASK, "shape": (2, 3, 3)},
        {"mask": [None, *BAD_MASKS], "shape": [None, 3, "x", [2, 3, 3], ("a", 3)]},
    ),
    Door(
        KVCache,
        lambda: {"batch_size": 2, "n_heads": 1, "length": 4, "d_k": 4, "like": Q},
        {**dict.fromkeys(["batch_size", "n_heads", "length", "d_k"], "count"), "like": "free_tensor"},
    ),
    Door(
        lambda k, v: KVCache(2, 3, 2, 4, Q).append(k, v),
        lambda: {"k": Q[:, :, None], "v": Q[:, :, None]},
        {"k": [*bad_values("tensor 0 1 3", Q[:, :, None]), Q[:, :, :0, None]], "v": "tensor 0 1 2 3"},
        name="attention.KVCache.append",
    ),
    Door(
        lambda rows: KVCache(2, 3, 2, 4, Q).select(rows),
        lambda: {"rows": [1, 1]},
        {"rows": [*bad_values("ids 2", [1, 1]), []]},
        name="attention.KVCache.select",
    ),
    Door(
        MultiHeadAttention,
        lambda: {
            "d_model": 8,
            "n_heads": 4,
            "causal": True,
            "bias": False,
            "rotary": None,
            "alibi": False,
            "qk_norm": False,
        },
        {
            "d_model": "count",
            "n_heads": ["4", True, 2.5, 0, -1, 3, None],
            **dict.fromkeys(["causal", "bias", "alibi", "qk_norm"], "flag"),
            "rotary": [3, "x", RotaryPositions(4, 4)],
        },
    ),
    Door(
        ATTEND.forward,
        lambda: {"x": X, "mask": MASK, "cache": None},
        {
            "x": [*bad_values("tensor", X), X[0], X[:0], X[:, :0]],
            "mask": BAD_MASKS,
            "cache": [
                3,
                "x",
                Q,
                *(KVCache(B, h, 5, 4, like) for B, h, like in ((2, 1, X), (1, 2, X), (2, 2, X.double()))),
            ],
        },
        name="attention.MultiHeadAttention.forward",
    ),
    *(
        Door(
            attend.project,
            lambda: {"x": X, "start": 0},
            {"x": [*bad_values("tensor", X), X[0]], "start": [*bad_values("index", 0), *too_far]},
            name="attention.MultiHeadAttention.project",
        )
        for attend, too_far in ((ATTEND, [8]), (MultiHeadAttention(8, 2), []))
    ),
    Door(
        ATTEND.weights,
        lambda: {"x": X, "mask": MASK},
        {"x": [*bad_values("tensor", X), X[0]], "mask": BAD_MASKS},
        name="attention.MultiHeadAttention.weights",
    ),
]
