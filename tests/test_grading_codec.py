"""Values come back as they went, and nothing but data comes in."""

import math
import os
import random
import socket
import struct
import subprocess
import sys
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmkit.grading import arrays, tags
from lmkit.grading.arrays import NotData
from lmkit.grading.channel import Channel, pack_message
from lmkit.grading.codec import Packer, Unpacker, decode, encode

Point = namedtuple("Point", "x y")


def there_and_back(value):
    return Unpacker().unpack(decode(encode(Packer().pack(value))))


plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
keys = st.integers() | st.text() | st.tuples(st.text(), st.integers()) | st.booleans()
values = st.recursive(
    plain,
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(keys, inner) | st.frozensets(keys),
    max_leaves=20,
)


@given(values)
def test_data_comes_back_as_it_went(value):
    back = there_and_back(value)
    assert back == value and type(back) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        Counter(a=2, b=-1),
        deque([1, [2]]),
        {1, "a", (2, 3)},
        1 << 5000,
        -(1 << 64),
        3 + 4j,
        Fraction(22, 7),
        Decimal("0.10"),
        range(3, 30, 4),
        slice(None, 3),
        bytearray(b"ab"),
        "\ud800 half a character",
        {("cows", "eat"): Counter(corn=4), (): {"x": 1.5}},
    ],
    ids=lambda value: type(value).__name__,
)
def test_kinds_come_back(value):
    back = there_and_back(value)
    assert back == value and type(back) is type(value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (OrderedDict(a=1), {"a": 1}),
        (MappingProxyType({"a": [1]}), {"a": [1]}),
        (Point(1, "y"), (1, "y")),
        (type("Mine", (list,), {"__iter__": lambda self: iter([9])})([1, 2]), [1, 2]),
        (type("Mine", (int,), {"__eq__": lambda self, other: True, "__hash__": int.__hash__})(7), 7),
        (type("Mine", (str,), {})("text"), "text"),
    ],
)
def test_subclasses_arrive_as_their_base(value, expected):
    back = there_and_back(value)
    assert back == expected and type(back) is type(expected)


def test_a_defaultdict_keeps_its_factory():
    back = there_and_back(defaultdict(Counter, {("a",): Counter(b=1)}))
    assert back["new"] == Counter() and type(back["new"]) is Counter
    made_by_hand = there_and_back(defaultdict(lambda: 0, a=1))
    assert made_by_hand["b"] == 0


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "u1", "?", "c16", "U3", "S2", ">f8", "f2"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3)])
def test_arrays(dtype, shape):
    array = np.zeros(shape, dtype)
    back = there_and_back(array)
    assert back.dtype == array.dtype and back.shape == shape and (back == array).all() and back.flags.writeable


def test_arrays_that_are_not_in_one_piece():
    array = np.arange(24).reshape(4, 6)[::2, ::-1].T
    assert (there_and_back(array) == array).all()
    objects = np.array([["a", 1], [None, 2.5]], dtype=object)
    assert (there_and_back(objects) == objects).all()


@pytest.mark.parametrize("value", [np.float64(0.1), np.float32(0.1), np.int64(3), np.bool_(True), np.str_("é")])
def test_numpy_numbers(value):
    assert there_and_back(value) == value and type(there_and_back(value)) is type(value)


def test_nan_and_infinity():
    assert math.isnan(there_and_back(math.nan)) and there_and_back([-math.inf]) == [-math.inf]
    odd = struct.unpack("<d", b"\x01\x00\x00\x00\x00\x00\xf4\x7f")[0]  # a NaN with something in it
    assert math.isnan(there_and_back(odd))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.bool, torch.complex64])
def test_tensors(dtype):
    tensor = torch.ones(2, 3).to(dtype)
    back = there_and_back(tensor)
    assert back.dtype == dtype and torch.equal(back, tensor)
    assert there_and_back(torch.tensor(2.5)).shape == ()


def test_a_leaf_keeps_its_gradient():
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    (leaf**2).sum().backward()
    back = there_and_back(leaf)
    assert back.requires_grad and torch.equal(back.grad, torch.tensor([2.0, 4.0]))
    assert not there_and_back(leaf * 2).requires_grad  # the graph stays where it is


@pytest.mark.parametrize(
    "make",
    [
        *(lambda kind=kind: np.random.Generator(kind(5)) for kind in (np.random.PCG64, np.random.MT19937)),
        *(lambda kind=kind: np.random.Generator(kind(5)) for kind in (np.random.Philox, np.random.SFC64)),
        lambda: random.Random(5),
        lambda: torch.Generator().manual_seed(5),
    ],
)
def test_a_generator_goes_on_where_it_was(make):
    def draw(generator):
        if isinstance(generator, torch.Generator):
            return torch.rand(3, generator=generator).tolist()
        return [generator.random() for _ in range(3)]

    here = make()
    draw(here)
    written = decode(encode(arrays.generator_state(here)))
    there = arrays.new_generator(written)
    assert draw(there) == draw(here)
    arrays.set_state(here, decode(encode(arrays.generator_state(there))))
    assert draw(there) == draw(here)


def test_what_a_generator_spawns_hangs_on_its_state():
    def first(seed):
        there = arrays.new_generator(decode(encode(arrays.generator_state(np.random.default_rng(seed)))))
        return there.spawn(1)[0].random()

    assert first(1) == first(1) != first(2)
    asked = "import numpy as np\nfrom lmkit.grading import arrays\n"
    asked += "print(arrays.new_generator(arrays.generator_state(np.random.default_rng(1))).spawn(1)[0].random())"
    with_another_hash = os.environ | {"PYTHONHASHSEED": "5"}
    there = subprocess.run([sys.executable, "-c", asked], env=with_another_hash, capture_output=True, text=True)
    assert float(there.stdout) == first(1), there.stderr


def test_one_generator_twice_is_one_generator():
    rng, packer = np.random.default_rng(0), Packer()
    packed = packer.pack([rng, rng, np.random.default_rng(0)])
    assert len(packer.generators) == 2
    a, b, c = Unpacker(generators=packer.generators).unpack(packed)
    assert a is b and a is not c


def test_a_shared_row_stays_shared_for_the_student():
    row = [1, 2]
    packed = Packer(share=True).pack([row, row, {"row": row}])
    back = Unpacker(trusted=lambda *parts: None).unpack(decode(encode(packed)))
    assert back[0] is back[1] is back[2]["row"] and back[0] == row
    with pytest.raises(NotData):
        Unpacker().unpack(packed)  # the other way it could say a billion with a few bytes


def test_what_was_kept_comes_back_as_a_reference():
    row, here = [1, 2], {"row": [1, 2]}
    packed = decode(encode(Packer(kept=[row]).pack([row, (row, [row])])))
    back = Unpacker(kept=[here]).unpack(packed)
    assert back[0] is back[1][0] is back[1][1][0] is here
    for place in (1, -1):
        with pytest.raises(NotData):
            Unpacker(kept=[here]).unpack([tags.SAME, place])


def test_what_holds_itself_does_so_for_the_student_too():
    row, table, queue = [1], {}, deque()
    row.append(row), table.update(me=table, row=row), queue.append(queue)
    here = Unpacker(trusted=lambda *parts: None).unpack(decode(encode(Packer(share=True).pack([row, table, queue]))))
    assert here[0][1] is here[0] and here[1]["me"] is here[1] and here[1]["row"] is here[0] and here[2][0] is here[2]
    counter = Counter()
    counter["me"] = counter
    with pytest.raises(NotData, match="holds itself"):
        Unpacker(trusted=lambda *parts: None).unpack(decode(encode(Packer(share=True).pack(counter))))


@pytest.mark.parametrize("value", [object(), (x for x in ()), len, [1].append, type, {1: {2: open}}])
def test_what_is_not_data_is_refused(value):
    with pytest.raises(NotData):
        Packer().pack(value)


def test_no_end_of_nesting():
    endless = []
    endless.append(endless)
    with pytest.raises(NotData, match="nested"):
        Packer().pack(endless)
    deep = 1
    for _ in range(200):
        deep = [tags.LISTS, [deep]]
    with pytest.raises(NotData, match="nested"):
        Unpacker().unpack(deep)
    with pytest.raises(NotData):
        decode(b"\x91" * 100_000 + b"\x01")


@pytest.mark.parametrize(
    "packed",
    [
        {"bare": 1},
        [],
        [999],
        ["LIST", []],
        [[], []],
        [tags.LIST, [[1]]],
        [tags.LIST, {}],
        [tags.DICT, {"a": []}],
        [tags.PAIRS, [1]],
        [tags.PAIRS, [[tags.LIST, []], 1]],
        [tags.SET, [[tags.LIST, []]]],
        [tags.COUNTER, [tags.LIST, []]],
        [tags.DEFAULTDICT, "eval", [tags.DICT, {}]],
        [tags.INTEGER, b"\x01" * 20_000],
        [tags.FRACTION, 1, 0],
        [tags.FRACTION, 1.5, 2],
        [tags.DECIMAL, "1" * 2000],
        [tags.DECIMAL, "x"],
        [tags.RANGE, 0, 1 << 60, 1],
        [tags.RANGE, 0, 5, 0],
        [tags.TEXT, "not bytes"],
        [tags.SCALAR, "<f8", b"1234"],
        [tags.SCALAR, "|O", b"12345678"],
        [tags.ARRAY, "|O", [1], b"12345678"],
        [tags.ARRAY, "<f8", [2], b"12345678"],
        [tags.ARRAY, "<f8", [-1], b""],
        [tags.ARRAY, "<f8", [1 << 62], b""],
        [tags.ARRAY, "<f8", [1] * 64, b"12345678"],
        [tags.ARRAY, "f8,i4", [1], b"123456789012"],
        [tags.ARRAY, "M8[s]", [1], b"12345678"],
        [tags.ARRAY, "<f8", "1", b"12345678"],
        [tags.OBJECTS, [5], [1, 2]],
        [tags.TENSOR, "float32", [2], b"1234", False, None],
        [tags.TENSOR, "quint8", [1], b"1", False, None],
        [tags.TENSOR, "float32", [1], b"1234", 1, None],
        [tags.TENSOR, "load", [1], b"1234", False, None],
        [tags.TENSOR, "float32", [1], b"1234", True, ["float32", [2], b"12345678", False, None]],
        [tags.TENSOR, "float32", [0, *[2**31 - 1] * 3], b"", False, None],
        [tags.GENERATOR, 0],
        [tags.GENERATOR, -1],
        [tags.HANDLE, 1, "x", "c"],
        [tags.SAME, 0],
        [tags.KEEP, [tags.LIST, []]],
        [tags.NAME, "os", "system"],
        [tags.CALLBACK, 1],
    ],
    ids=str,
)
def test_hostile_values_are_refused(packed):
    with pytest.raises(NotData):
        Unpacker().unpack(decode(encode(packed)))


@given(st.binary(max_size=200))
def test_bytes_are_data_or_refused(data):
    try:
        Unpacker().unpack(decode(data))
    except NotData:
        pass


@given(st.recursive(plain | st.integers(-2, 30), lambda inner: st.lists(inner, max_size=6), max_leaves=30))
def test_anything_in_messagepack_is_data_or_refused(raw):
    try:
        Unpacker().unpack(decode(encode(raw)))
    except (NotData, OverflowError, UnicodeEncodeError):  # the last two: what MessagePack itself cannot say
        pass


@pytest.mark.parametrize(
    "written", [[], ["PCG64"], ["PCG64", b"short", 0, 0], ["os.system", b"x"], ["MT19937", {}, {}]]
)
def test_states_that_are_none(written):
    with pytest.raises((NotData, ValueError, LookupError, TypeError)):
        arrays.set_state(np.random.default_rng(0), written)


def test_messages_that_arrive_together_are_all_read_files_beside_them():
    ours, theirs = socket.socketpair()
    with ours, theirs, open(os.devnull) as null:
        here, there = Channel(ours, 1000), Channel(theirs, 1000)
        theirs.sendall(pack_message(["session", 1]) + pack_message(["end", 0]))
        there.send(["cell", "x" * 900], (null.fileno(), null.fileno()))
        theirs.sendall(pack_message("x" * 2000))
        received = [here.receive_with_files() for _ in range(3)]
        assert [message[0] for message, _ in received] == ["session", "end", "cell"]
        assert [len(files) for _, files in received] == [0, 0, 2]
        for file in received[-1][1]:
            os.close(file)
        with pytest.raises(NotData, match="a message of 2003 bytes, more than 1000"):
            here.receive_with_files()
