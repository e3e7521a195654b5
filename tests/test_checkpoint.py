"""A checkpoint comes back bit for bit, or not at all."""

import hashlib
import io
import os
import random
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from lmkit.checkpoint import HEAD, load_checkpoint, save_checkpoint
from tests.doors import NOTHING, Door

CONTENT = {
    "model": {"weight": torch.linspace(-1, 1, 12).view(3, 4), "ids": torch.arange(5)},
    "optimiser": {"updates": 3, "mean": [torch.zeros(2, dtype=torch.float64)]},
    "log": {"losses": [0.5, 0.25], "validation": [(2, 1.5)]},
}
SETTINGS = {"model.n_heads": 2, "optimiser.betas": (0.9, 0.99), "model.text": "x" * 10_000, "gone": True}


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.pt"
    save_checkpoint(path, CONTENT, SETTINGS)
    return path


def test_what_is_saved_comes_back(saved):
    found = load_checkpoint(saved)
    assert torch.equal(found["model"]["weight"], CONTENT["model"]["weight"])
    assert found["model"]["ids"].dtype == torch.int64
    assert found["optimiser"]["mean"][0].dtype == torch.float64 and found["optimiser"]["updates"] == 3
    assert found["log"] == CONTENT["log"]


def test_a_flipped_bit_is_noticed_wherever_it_is(saved):
    """400 random ones, and those of the first and last bytes."""
    written = saved.read_bytes()
    rng = random.Random(0)
    bits = [rng.randrange(8 * len(written)) for _ in range(400)]
    ends = range(0, 8 * 60, 5)
    for bit in [*bits, *ends, *(8 * len(written) - 1 - bit for bit in ends)]:
        damaged = bytearray(written)
        damaged[bit // 8] ^= 1 << bit % 8
        saved.write_bytes(damaged)
        with pytest.raises(ValueError, match="checkpoint .* damaged"):
            load_checkpoint(saved)


def test_a_cut_and_an_addition_are_noticed(saved):
    written = saved.read_bytes()
    rng = random.Random(1)
    for length in [0, 1, 18, 19, 20, 50, 51, 52, len(written) - 1, *(rng.randrange(len(written)) for _ in range(50))]:
        saved.write_bytes(written[:length])
        with pytest.raises(ValueError, match="checkpoint .* damaged"):
            load_checkpoint(saved)
    for wrong in (written + b"\0", written + written, written[:30] + written[31:], b"\0" + written):
        saved.write_bytes(wrong)
        with pytest.raises(ValueError, match="checkpoint .* damaged"):
            load_checkpoint(saved)


class Open:
    """Something that cannot be written as it is, such as a file or a tensor whose memory was given back."""

    def __reduce__(self):
        raise RuntimeError("close it first")


@pytest.mark.parametrize(
    "x", [np.float64(1), Path("x"), lambda: 0, SimpleNamespace(), threading.Lock(), Open()], ids=type
)
def test_what_could_not_be_loaded_is_not_saved(saved, x):
    before = saved.read_bytes()
    with pytest.raises(ValueError, match="content must be tensors, numbers and texts"):
        save_checkpoint(saved, {"x": x}, {})
    assert saved.read_bytes() == before and len(list(saved.parent.iterdir())) == 1


def test_a_whole_file_of_something_else_is_no_checkpoint(saved):
    for other in ([1], {"content": {}}, {"content": {}, "settings": None}):
        payload = io.BytesIO()
        torch.save(other, payload)
        for written in (payload.getvalue(), b"hello"):
            saved.write_bytes(HEAD + hashlib.sha256(written).digest() + written)
            with pytest.raises(ValueError, match="checkpoint .* damaged"):
                load_checkpoint(saved, {})


def test_a_checkpoint_of_an_older_version_is_told(saved):
    saved.write_bytes(b"lmkit checkpoint 1\n" + saved.read_bytes()[len(HEAD) :])
    with pytest.raises(ValueError, match="not a checkpoint of this version"):
        load_checkpoint(saved)


class RunsWhenLoaded:
    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


def test_a_checkpoint_of_a_stranger_runs_nothing(tmp_path):
    payload, saved = io.BytesIO(), tmp_path / "m.pt"
    torch.save({"content": RunsWhenLoaded(tmp_path / "made"), "settings": {}}, payload)
    saved.write_bytes(HEAD + hashlib.sha256(payload.getvalue()).digest() + payload.getvalue())
    with pytest.raises(ValueError, match="damaged or not a checkpoint"):
        load_checkpoint(saved)
    assert not (tmp_path / "made").exists()


def test_where_no_file_can_be_says_so(saved):
    os.mkfifo(saved.parent / "pipe")
    for path in (saved / "x", saved.parent / ("x" * 300), saved.parent / "a\0b", saved.parent / "pipe"):
        with pytest.raises(ValueError, match="checkpoint"):
            load_checkpoint(path)
    for path in (saved / "x", saved / "x" / "y", saved.parent / ("x" * 300), saved.parent / "a\0b"):
        with pytest.raises(ValueError, match="checkpoint"):
            save_checkpoint(path, CONTENT, {})


def test_a_crash_leaves_the_old_one(saved, monkeypatch):
    def crash(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(KeyboardInterrupt):
        save_checkpoint(saved, {"model": {}}, {})
    assert load_checkpoint(saved)["log"] == CONTENT["log"]
    monkeypatch.undo()
    save_checkpoint(saved, {"model": {}}, {})
    assert load_checkpoint(saved) == {"model": {}} and [p.name for p in saved.parent.iterdir()] == ["model.pt"]


def test_other_settings_are_refused_and_each_difference_named(saved):
    assert load_checkpoint(saved, SETTINGS).keys() == CONTENT.keys()
    changed = {"model.n_heads": 1, "optimiser.betas": (0.9, 0.99), "model.text": "y", "new": None}
    with pytest.raises(ValueError) as error:
        load_checkpoint(saved, changed)
    assert "model.n_heads was 2, is 1; " in str(error.value) and "gone was True, is not there" in str(error.value)
    assert "new was not there, is None" in str(error.value) and "betas" not in str(error.value)
    assert len(str(error.value)) < 700  # a long one is cut
    with pytest.raises(ValueError, match="x0 was not there, is 0; .*Use another file") as error:
        load_checkpoint(saved, SETTINGS | {f"x{i}": i for i in range(1000)})
    assert len(str(error.value)) < 1100  # and so are many


# --- Doors ------------------------------------------------------------------------------------------------------------

NO_FILES = [None, 3, [], NOTHING, b"x", "", tempfile.gettempdir()]
NO_DICTS = [3, "x", [], NOTHING]
FOLDER = tempfile.TemporaryDirectory()


def good_file():
    save_checkpoint(f"{FOLDER.name}/model.pt", CONTENT, SETTINGS)
    return f"{FOLDER.name}/model.pt"


DOORS = [
    Door(
        save_checkpoint,
        lambda: {"checkpoint": good_file(), "content": CONTENT, "settings": SETTINGS},
        {"checkpoint": NO_FILES, "content": [None, *NO_DICTS], "settings": [None, *NO_DICTS]},
    ),
    Door(
        load_checkpoint,
        lambda: {"checkpoint": good_file(), "settings": SETTINGS, "device": "cpu"},
        {
            "checkpoint": [*NO_FILES, "no/such/file.pt", __file__],
            "settings": [*NO_DICTS, {}],
            "device": [
                None,
                "no such device",
                [],
                NOTHING,
                "meta",
                *(["cuda"] if not torch.cuda.is_available() else []),
            ],
        },
    ),
]
