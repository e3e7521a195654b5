"""What test cells share forgives rounding, and nothing else."""

from fractions import Fraction

import numpy as np
import pytest

from lmkit import homework
from lmkit.homework import all_close, call_each, close, hidden_rng, repeat, shape_of


@pytest.mark.parametrize("got", [0.1, np.float32(0.1), Fraction(1, 10), np.array([0.1]), 0.1 + 5e-7])
def test_close_takes_every_kind_of_number(got):
    assert close(got, 0.1) and not close(got, 0.1 + 1e-5)


@pytest.mark.parametrize("expected", [0.1, np.float32(0.1), Fraction(1, 10), np.array([0.1]), np.array([[0.1]])])
def test_close_compares_two_results_of_any_kind(expected):
    assert close(np.array([0.1]), expected) and not close(0.2, expected)


def test_close_refuses_two_numbers_to_compare_with():
    with pytest.raises((TypeError, ValueError)):
        close(0.1, np.array([0.1, 0.1]))


@pytest.mark.parametrize("got", [None, "0.1", [], [0.1, 0.1], float("nan"), object(), 10**400])
def test_what_is_no_such_number_is_not_close_and_never_raises(got):
    assert not close(got, 0.1) and not all_close(got, 0.2)


def test_zero_tiny_and_infinite():
    assert close(0, 0) and close(1e-16, 0) and not close(1e-12, 0)
    assert close(1e-300 * (1 + 1e-6), 1e-300) and not close(2e-300, 1e-300)
    assert close(float("inf"), float("inf")) and not close(float("-inf"), float("inf"))


def test_all_close_wants_the_shape_too():
    assert all_close([[1, 2], [3, 0]], np.array([[1, 2], [3, 0]]) * (1 + 1e-6))
    assert (
        not all_close([1, 2], [[1, 2]])
        and not all_close([[1, 2], [3]], [[1, 2], [3, 4]])
        and not all_close([1e-20], [2e-20])
    )


def test_a_shape_or_what_it_is_instead():
    assert [shape_of(x) for x in (1, [2.5], np.zeros((0, 3)), [[1, 2], [3, 4]])] == [(), (1,), (0, 3), (2, 2)]
    assert shape_of(None) == "None"
    assert {shape_of(x) for x in ([[1], 2], "1", [["a"]], {}, iter([1]))} == {"no array of numbers"}


def test_loops_are_plain_calls_or_one_message():
    assert repeat(lambda a, b: a + b, 3, 1, 2) == [3, 3, 3]
    assert call_each(lambda a, b: a * b, [(1, 2), [3, 4]]) == [2, 12]

    class There:
        def _repeat(self, times, *arguments):
            return ["there", times, arguments]

        def _call_each(self, calls):
            return ["there", calls]

    assert repeat(There(), 3, 1) == ["there", 3, (1,)] and call_each(There(), [(1,)]) == ["there", [(1,)]]


def test_hidden_inputs_depend_on_the_label_and_the_secret(monkeypatch):
    first = hidden_rng("roll").random()
    assert hidden_rng("roll").random() == first != hidden_rng("mle").random()
    monkeypatch.setattr(homework, "secret", "another course")
    assert hidden_rng("roll").random() != first


@pytest.mark.parametrize(
    "got",
    [
        1 + 2j,
        np.complex128(1 + 2j),
        ["1.0"],
        np.array("1.0"),
        np.timedelta64(1, "s"),
        np.array([np.timedelta64(1, "s")], dtype=object),
        np.array([np.datetime64("1970-01-02")], dtype=object),
        None,
        "1",
        np.array(["1"], object),
    ],
)
def test_texts_complex_numbers_and_times_are_no_numbers(got):
    assert not close(got, 1.0) and not all_close([got, got], [1.0, 1.0])


def test_a_tensor_with_a_gradient_is_a_number():
    torch = pytest.importorskip("torch")
    assert close(torch.tensor(1.0, requires_grad=True), 1) and not close(torch.tensor(2.0, requires_grad=True), 1)
    assert all_close(torch.ones(2, requires_grad=True), [1, 1])
