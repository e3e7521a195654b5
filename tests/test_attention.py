import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmkit.attention import (
    KVCache,
    MultiHeadAttention,
    attention,
    attention_loop,
    attention_weights,
    causal_mask,
    padding_mask,
)
from lmkit.positions import RotaryPositions

I4 = torch.eye(4)
X_POLL = torch.diag(torch.tensor([1.0, 1.0, 2.0, 1.0]))  # x_1 … x_4 of the lecture's poll


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def layer(*args, seed=0, **kwargs):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return MultiHeadAttention(*args, **kwargs).double()


@settings(deadline=None)
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


@pytest.mark.parametrize("g", [1, 2, 4])
@pytest.mark.parametrize("alibi", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_layer_equals_the_readable_version_head_by_head(g, alibi, causal):
    attend = layer(16, 4, g, alibi=alibi, causal=causal)
    x = normal(2, 5, 16)
    W_q, W_k, W_v = attend.W_qkv.weight.split([16, 4 * g, 4 * g])
    heads = []
    for i in range(4):
        q, j = x @ W_q[4 * i : 4 * i + 4].T, i // (4 // g)
        k, v = x @ W_k[4 * j : 4 * j + 4].T, x @ W_v[4 * j : 4 * j + 4].T
        bias = -(2.0 ** (-2 * (i + 1))) * (torch.arange(5)[:, None] - torch.arange(5)).clamp(min=0) if alibi else None
        heads.append(attention(q, k, v, causal_mask(5) if causal else None, bias))
    expected = torch.cat([output for output, _ in heads], dim=-1) @ attend.W_o.weight.T
    torch.testing.assert_close(attend(x), expected, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(attend.weights(x), torch.stack([w for _, w in heads], 1), rtol=1e-12, atol=1e-12)


def test_padding_does_not_change_the_real_positions():
    attend = layer(8, 2, causal=False)
    x = normal(2, 6, 8)
    mask = padding_mask(torch.tensor([4, 6]), 6)
    padded = attend(x, mask)
    torch.testing.assert_close(padded[0, :4], attend(x[:1, :4])[0], rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(padded[1], attend(x[1:])[0], rtol=1e-12, atol=1e-12)
    assert (attend.weights(x, mask)[0, :, :, 4:] == 0).all()


@settings(deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.sampled_from(["rotary", "alibi", "none"]))
def test_cache_in_any_pieces_equals_all_at_once(pieces, positions):
    rotary = RotaryPositions(16, 4) if positions == "rotary" else None
    attend = layer(8, 2, 1, rotary=rotary, alibi=positions == "alibi", qk_norm=True)
    x = normal(1, sum(pieces), 8)
    cache = KVCache(1, 1, 16, 4, x)
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
        (lambda: attention(normal(3, 4), normal(3, 5), normal(3, 5)), "K must have keys of size 4"),
        (lambda: attention(normal(3, 4), normal(3, 4), normal(2, 4)), "V must have 3 values"),
        (lambda: attention(normal(4), normal(3, 4), normal(3, 4)), "shapes"),
        (lambda: attention_weights(normal(3, 3), torch.ones(3, 3)), "mask must be boolean"),
        (lambda: attention_weights(normal(3, 3), causal_mask(4)), "mask must broadcast"),
        (lambda: attention_weights(normal(3, 3), causal_mask(3)[None]), "mask must broadcast"),
        (lambda: padding_mask(torch.tensor([0, 2]), 3), "lengths"),
        (lambda: padding_mask(torch.tensor([4]), 3), "lengths"),
        (lambda: MultiHeadAttention(8, 3), "n_heads must divide"),
        (lambda: MultiHeadAttention(8, 4, 3), "n_kv_heads must divide"),
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
