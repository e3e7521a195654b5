"""The checks refuse what is wrong, name it, and give back what is right in the type that the code works with."""

import functools
import inspect
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from lmkit.checks import (
    check_array,
    check_choice,
    check_distribution,
    check_fields,
    check_finite,
    check_flag,
    check_id_tensor,
    check_instance,
    check_integer,
    check_list,
    check_number,
    check_sequences,
    check_shape,
    check_sizes,
    check_tensor,
    check_texts,
    check_token_ids,
    check_words,
)
from tests.doors import INF, NAN, NOTHING, Door, bad_values


def test_numbers_come_back_as_pythons_own():
    assert type(check_integer(np.int64(3), "n", 1)) is int and type(check_number(np.float32(0.5), "x")) is float
    assert type(check_number(3, "x")) is float and type(check_flag(np.True_, "flag")) is bool
    assert check_number(INF, "x", above=0, infinite=True) == INF
    with pytest.raises(ValueError, match=r"x must be a number, got Fraction\(7, 2\)"):  # torch and numpy take none
        check_number(Fraction(7, 2), "x")
    assert list(map(type, check_sizes(a=np.int8(3), b=np.uint64(4)))) == [int, int]
    config = SimpleNamespace(size=np.uint8(200), seed=np.uint8(0), bos_id=np.int8(2), vocab_size=3)
    check_fields(config, "size vocab_size", naturals="seed")
    assert {type(value) for value in vars(config).values()} == {int} and config.size * 2 == 400


@pytest.mark.parametrize(
    ("limits", "inside", "outside"),
    [
        ({"low": 1}, [1, 9], [0.999]),
        ({"high": 1}, [1, -9], [1.001]),
        ({"above": 1}, [1.001], [1, 0]),
        ({"below": 1}, [0.999], [1, 2]),
        ({"low": 0, "below": 1}, [0, 0.5], [-0.1, 1]),
    ],
)
def test_limits(limits, inside, outside):
    for value in inside:
        assert check_number(value, "x", **limits) == value
    for value in outside:
        with pytest.raises(ValueError, match=f"x must be a number .*got {value}"):
            check_number(value, "x", **limits)


def test_what_is_empty_or_not_finite_or_of_another_kind_is_refused_where_that_is_asked_for():
    empty, double = torch.zeros(2, 0), torch.zeros(2, 3, dtype=torch.float64)
    assert check_tensor(empty, "x", "T d") is empty and check_tensor(double, "x", "T d", like=double) is double
    assert check_tensor(torch.tensor([INF]), "x", "T").isinf().all() and len(check_array([], "x", "T")) == 0
    for wrong, message in [
        (lambda: check_tensor(empty, "x", "T d", empty=False), r"x must not be empty, got shape \(2, 0\)"),
        (lambda: check_array([[]], "x", "T d", empty=False), r"x must not be empty, got shape \(1, 0\)"),
        (lambda: check_token_ids([], "x", 3, empty=False), "x must not be empty"),
        (
            lambda: check_tensor(double, "x", "T d", like=empty),
            "x must be torch.float32 on cpu, got torch.float64 on cpu",
        ),
        (lambda: check_tensor(double.to("meta"), "x", "T d", like=double), "on cpu, got torch.float64 on meta"),
        (
            lambda: check_finite(torch.tensor([INF]), "x"),
            "x must hold finite numbers, got NaN or inf",
        ),
        (lambda: check_array(memoryview(b"ab"), "x", "T"), "x must be an array of numbers"),
        (
            lambda: check_token_ids([[0], [0, 1]], "x", 3),
            r"^x must be token ids of shape \(T,\), got \[\[0\], \[0, 1\]\] \(list\): its parts differ in shape$",
        ),
        (lambda: check_token_ids(bytearray(b"ab"), "x", 128), "x must be token ids"),
    ]:
        with pytest.raises(ValueError, match=message):
            wrong()


def test_arrays_come_back_as_float64_and_ids_as_int64():
    assert check_array([[1, 2]], "x", "T d").dtype == np.float64
    ids = check_token_ids(np.array([1, 2], dtype=np.uint8), "tokens", 3)
    assert ids.dtype == np.int64 and ids.tolist() == [1, 2] and len(check_token_ids([], "tokens", 3)) == 0
    assert [s.tolist() for s in check_sequences([(0, 1), []], "sequences", 2)] == [[0, 1], []]


@pytest.mark.parametrize(
    ("got", "shape", "sizes", "fits"),
    [
        ((2, 3), "T d", {}, True),
        ((2, 3), "T d", {"d": 3}, True),
        ((2, 3), "T d", {"d": 1}, False),
        ((2, 3), "d", {}, False),
        ((5, 4, 2, 3), "… T d", {"d": 3}, True),
        ((3,), "… T d", {}, False),
        ((2, 3), (2, 3), {}, True),
        ((2, 1), (2, 3), {}, False),
        ((), "…", {}, True),
    ],
)
def test_shapes(got, shape, sizes, fits):
    if fits:
        check_shape(got, "x", shape, **sizes)
    else:
        with pytest.raises(ValueError, match="x must have shape"):
            check_shape(got, "x", shape, **sizes)


def test_a_nested_tensor_has_no_shape():
    with pytest.raises(ValueError, match="x must be a dense tensor, got nested torch.strided on cpu"):
        check_tensor(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), "x", "B T")


def test_flags_masks_and_times_are_no_numbers():
    for ids in (
        [True, 2],
        (2, np.False_),
        [np.array(True), 2],
        [torch.tensor(True), 2],
        [np.ma.masked, 2],
        [np.ma.array(1, mask=True), 2],
        np.ma.array([1, 2], mask=[True, False]),
        [np.timedelta64(1), 2],
    ):
        with pytest.raises(ValueError, match="^tokens must be token ids"):
            check_token_ids(ids, "tokens", 3)
    masked = np.ma.array([1.0, 2.0], mask=[True, False])
    for array in ([[1.0, 2.0], [True, 0.5]], masked[None], [masked, [1.0, 2.0]], [bytearray(b"ab"), memoryview(b"cd")]):
        with pytest.raises(ValueError, match="^x must be an array of numbers"):
            check_array(array, "x", "T d")
    for check in (check_integer, check_number):
        with pytest.raises(ValueError, match="^n must be .*timedelta64"):
            check(np.timedelta64(3), "n", 0)
    with pytest.raises(ValueError, match="^x must be a number, got one that is too large"):
        check_number(10**400, "x", infinite=True)


def test_arrays_without_a_length_are_no_lists():
    for check, options in ((check_words, ()), (check_sequences, (3,))):
        with pytest.raises(ValueError, match="^x must be a list of .*, got array"):
            check(np.array(1), "x", *options)


def test_how_far_a_distribution_may_be_from_one():
    assert check_distribution([0.5, 0.5 + 9e-7], "p").sum() > 1
    for wrong in ([0.5, 0.5 + 2e-6], [0.5, 0.5 - 2e-6], [1.0 + 1e-9, -1e-9]):
        with pytest.raises(ValueError, match="^p must be numbers ≥ 0 that sum to 1"):
            check_distribution(wrong, "p")


def test_messages_say_what_came_and_what_was_expected():
    with pytest.raises(ValueError, match=r"^n must be an integer 1 … 5, got 2\.0 \(float\)$"):
        check_integer(2.0, "n", 1, 5)
    with pytest.raises(ValueError, match=r"^tokens\[1\] is 9, outside the vocabulary of ids 0 … 4$"):
        check_token_ids([0, 9], "tokens", 5)
    with pytest.raises(ValueError, match=r"^x must have shape \(B, d=3\), got \(2, 4\)$"):
        check_array(np.zeros((2, 4)), "x", "B d", d=3)
    with pytest.raises(ValueError, match=r"^x must be an array of numbers, got .* \(Tensor\): .* requires grad"):
        check_array(torch.ones(2, requires_grad=True), "x", "n")
    with pytest.raises(ValueError, match=r"^batch_size must be an integer ≥ 1, got 0$"):
        check_sizes(steps=1, batch_size=0)


def test_checks_need_no_torch():
    code = "import sys, lmkit.checks; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- Doors: the value is the argument; its name, and what it is compared with, come from our own code ------------------


def door(check, good, bad, **rest):
    argument, *others = inspect.signature(check).parameters
    kinds = {argument: bad} | dict.fromkeys(others, "any")
    call = functools.partial(check, name=argument, **rest)
    return Door(lambda **given: call(given[argument]), lambda: {argument: good}, kinds, f"checks.{check.__name__}")


DOORS = [
    door(check_integer, 3, "count", low=1),
    Door(
        lambda count: check_sizes(count=count),
        lambda: {"count": 3},
        {"count": "count"},
        "checks.check_sizes",
    ),
    door(check_number, 0.5, "probability", low=0, high=1),
    door(check_flag, True, "flag"),
    Door(
        lambda size, flag, letter, bos_id, step: check_fields(
            SimpleNamespace(size=size, flag=flag, letter=letter, bos_id=bos_id, step=step, vocab_size=3),
            "size",
            "flag",
            {"letter": ("a", "b")},
            "step",
        ),
        lambda: {"size": 3, "flag": True, "letter": "a", "bos_id": 2, "step": 0},
        {"size": "count", "flag": "flag", "letter": "choice", "bos_id": [*bad_values("index", 2), 3], "step": "index"}
        | dict.fromkeys(("config", "sizes", "flags", "choices", "naturals"), "any"),
        "checks.check_fields",
    ),
    door(check_choice, "a", "choice", choices=("a", "b")),
    door(check_texts, "text", [None, 3, b"x", {"a": 1}, Counter("ab"), NOTHING]),
    door(check_instance, {}, [None, 3, "x", NOTHING], kind=dict),
    door(check_instance, "text", "text", kind=str),
    door(check_list, ["a"], [None, 3, "x", b"x", {}, np.array(3), NOTHING], expected="a list"),
    door(check_words, ["the", "cat"], "words"),
    door(check_token_ids, [0, 1], "ids 5", vocab_size=5),
    door(check_sequences, [[0, 1], [2]], "sequences 5", vocab_size=5),
    door(check_array, np.ones((2, 3)), "array 0 1", shape="T d", T=2, d=3),
    door(check_distribution, [0.25, 0.75], "distribution"),
    door(check_tensor, torch.ones(2, 3), "tensor 0 1", shape="T d", like=torch.ones(1), T=2, d=3),
    door(check_finite, torch.ones(2, 3), [*bad_values("free_tensor", torch.ones(2, 3)), torch.ones(2) * NAN]),
    door(check_id_tensor, torch.ones(2, 3, dtype=torch.int64), "id_tensor 5", vocab_size=5),
    door(check_shape, (2, 3), [(2,), (3, 3), (2, 1), (1, 2, 3), ()], shape="T d", T=2, d=3),
]
