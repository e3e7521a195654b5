import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmkit.positions import (
    AbsolutePositions,
    ConvolutionalPositions,
    RotaryPositions,
    alibi_bias,
    alibi_slopes,
    sinusoidal,
)
from tests.doors import Door, bad_values


def test_sinusoidal_closed_form():
    p = sinusoidal(50, 8)
    for t in (0, 1, 49):
        for i in range(4):
            angle = t / 10_000 ** (2 * i / 8)
            assert p[t, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-6)
            assert p[t, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-6)


def test_sinusoidal_shift_is_a_rotation_that_does_not_depend_on_the_position():
    p = sinusoidal(40, 6)
    inner = p @ p.T
    for distance in (1, 7):
        diagonal = inner.diagonal(distance)
        torch.testing.assert_close(diagonal, diagonal[:1].expand_as(diagonal), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("learned", [True, False])
def test_absolute_adds_the_same_vector_at_the_same_position(learned):
    positions = AbsolutePositions(10, 4, learned)
    c = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0))
    added = positions(c, start=5) - positions.scale * c
    torch.testing.assert_close(added, positions.p[5:8].expand(2, 3, 4))
    assert positions.scale == (1 if learned else 2)
    assert len(list(positions.parameters())) == learned
    with pytest.raises(ValueError, match="reach position 10, expected at most 9"):
        positions(c, start=8)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 40), st.sampled_from([2, 8, 64]))
def test_rotary_inner_product_depends_on_the_distance_only(i, j, shift, d_k):
    rotary = RotaryPositions(64, d_k)
    q, k = torch.randn(2, 1, d_k, generator=torch.Generator().manual_seed(d_k))
    here = (rotary(q, i) * rotary(k, j)).sum()
    there = (rotary(q, i + shift) * rotary(k, j + shift)).sum()
    torch.testing.assert_close(here, there, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(rotary(q, i).norm(), q.norm())  # a rotation


def test_rotary_by_hand():
    rotary = RotaryPositions(4, 4)
    x = torch.tensor([[1.0, 0.0, 0.0, 2.0]]).expand(4, 4)
    for t, row in enumerate(rotary(x)):
        slow = t * 0.01
        expected = [math.cos(t), math.sin(t), -2 * math.sin(slow), 2 * math.cos(slow)]
        torch.testing.assert_close(row, torch.tensor(expected))
    assert not torch.allclose((rotary(x)[3] * x[0]).sum(), (rotary(x)[1] * x[0]).sum())  # distances differ


def test_alibi_slopes_are_the_papers():
    torch.testing.assert_close(alibi_slopes(8), torch.tensor([2.0**-i for i in range(1, 9)]))
    torch.testing.assert_close(alibi_slopes(16), torch.tensor([2 ** (-i / 2) for i in range(1, 17)]))
    torch.testing.assert_close(alibi_slopes(1), torch.tensor([2.0**-8]))
    # 12 heads: those of 8, then the first, third, fifth, seventh of 16
    torch.testing.assert_close(alibi_slopes(12)[8:], torch.tensor([2 ** (-i / 2) for i in (1, 3, 5, 7)]))


def test_alibi_bias_is_the_negative_distance():
    bias = alibi_bias(torch.tensor([1.0, 0.5]), 3, 3)
    assert bias[0].tolist() == [[0, 0, 0], [-1, 0, 0], [-2, -1, 0]]
    assert torch.equal(bias[1], bias[0] / 2)
    assert torch.equal(alibi_bias(torch.tensor([1.0]), 1, 3)[0], bias[0, 2:])  # one query at the end


def test_rotary_in_sixteen_bits_is_rounded_once():
    """Complex numbers have no 16 bits: the product is made in 32."""
    rotary = RotaryPositions(64, 8)
    x = torch.randn(3, 64, 8, generator=torch.Generator().manual_seed(0)).bfloat16()
    assert rotary(x).dtype == torch.bfloat16
    assert torch.equal(rotary(x), rotary(x.float()).bfloat16())
    turn = torch.view_as_complex(rotary.turn.double())
    expected = torch.view_as_real(torch.view_as_complex(x.double().unflatten(-1, (-1, 2))) * turn).flatten(-2)
    torch.testing.assert_close(rotary(x.double()), expected, rtol=1e-14, atol=1e-14)  # and in 64 bits, in 64
    assert RotaryPositions(64, 8).bfloat16()(x).dtype == torch.bfloat16


def test_learned_positions_are_small_at_first():
    with torch.random.fork_rng():
        torch.manual_seed(0)
        p = AbsolutePositions(100, 64).p
    assert p.std().item() == pytest.approx(0.02, rel=0.03) and abs(p.mean().item()) < 1e-3


def test_another_base_turns_faster():
    assert torch.equal(sinusoidal(5, 4, base=100.0)[:, 2], (torch.arange(5.0, dtype=torch.float64) / 10).sin().float())
    x = torch.tensor([[0.0, 0.0, 1.0, 0.0]])
    torch.testing.assert_close(
        RotaryPositions(8, 4, base=100.0)(x, 3)[0, 2:], torch.tensor([math.cos(0.3), math.sin(0.3)])
    )


def test_convolution_is_a_weighted_sum_of_the_last_tokens():
    positions, c = ConvolutionalPositions(3, width=3), torch.randn(2, 5, 3, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(positions(c), c)  # at first it changes nothing
    positions.w.data = torch.arange(9.0).reshape(3, 3)
    padded = torch.cat([torch.zeros(2, 2, 3), c], dim=1)
    expected = torch.stack([(positions.w * padded[:, t : t + 3]).sum(dim=1) for t in range(5)], dim=1)
    torch.testing.assert_close(positions(c), expected)
    # PyTorch's own convolution, each channel on its own
    own = torch.nn.functional.conv1d(padded.transpose(1, 2), positions.w.T[:, None], groups=3).transpose(1, 2)
    torch.testing.assert_close(positions(c), own)


ROTARY, LEARNED, X = RotaryPositions(9, 4), AbsolutePositions(9, 4), torch.randn(2, 3, 4)
STARTS = [*bad_values("index", 0), 7]
BASES = [*bad_values("positive", 1e4), math.inf, 1.0]
DOORS = [
    Door(
        sinusoidal,
        lambda: {"length": 4, "d_model": 6, "base": 1e4},
        {"length": "count", "d_model": [*bad_values("count", 6), 3], "base": BASES},
    ),
    Door(
        AbsolutePositions,
        lambda: {"length": 4, "d_model": 6, "learned": False},
        {"length": "count", "d_model": [*bad_values("count", 6), 3], "learned": "flag"},
    ),
    Door(
        LEARNED.forward,
        lambda: {"c": X, "start": 2},
        {"c": [*bad_values("free_tensor", X), X[..., :1], X[0, 0], X.double()], "start": STARTS},
        name="positions.AbsolutePositions.forward",
    ),
    Door(ConvolutionalPositions, lambda: {"d_model": 6, "width": 3}, {"d_model": "count", "width": "count"}),
    Door(
        ConvolutionalPositions(4, 3).forward,
        lambda: {"c": X},
        {"c": [*bad_values("free_tensor", X), X[..., :1], X[0], X.double()]},
        name="positions.ConvolutionalPositions.forward",
    ),
    Door(
        RotaryPositions,
        lambda: {"length": 4, "d_k": 6, "base": 1e4},
        {"length": "count", "d_k": [*bad_values("count", 6), 3], "base": BASES},
    ),
    Door(
        ROTARY.forward,
        lambda: {"x": X, "start": 2},
        {"x": [*bad_values("free_tensor", X), X[..., :1], X[0, 0]], "start": STARTS},
        name="positions.RotaryPositions.forward",
    ),
    Door(alibi_slopes, lambda: {"n_heads": 6}, {"n_heads": "count"}),
    Door(
        alibi_bias,
        lambda: {"slopes": alibi_slopes(2), "n_queries": 2, "n_keys": 3},
        {
            "slopes": [*bad_values("free_tensor", alibi_slopes(2)), X],
            "n_queries": [*bad_values("count", 2), 4],
            "n_keys": "count",
        },
    ),
]
