import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmkit.positions import AbsolutePositions, RotaryPositions, alibi_bias, alibi_slopes, sinusoidal


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
    with pytest.raises(ValueError, match="position 10"):
        positions(c, start=8)


@settings(deadline=None)
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


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: sinusoidal(4, 3), "d_model must be even"),
        (lambda: RotaryPositions(4, 5), "d_k must be even"),
        (lambda: RotaryPositions(4, 2)(torch.zeros(5, 2)), "position 4"),
        (lambda: RotaryPositions(4, 2)(torch.zeros(3, 4)), "vectors of size 2"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()
