"""Files are written whole; what a crash leaves is tested where they are used, in test_checkpoint and test_bpe."""

import tempfile

import pytest

from lmkit.files import write_whole
from tests.doors import NOTHING, Door

FOLDER = tempfile.TemporaryDirectory()


def test_parts_behind_each_other_in_a_folder_that_is_made(tmp_path):
    write_whole(tmp_path / "a" / "b", "file", [b"x", memoryview(b"yz")])
    write_whole(str(tmp_path / "a" / "b"), "file", [b"new"])
    assert (tmp_path / "a" / "b").read_bytes() == b"new" and [p.name for p in (tmp_path / "a").iterdir()] == ["b"]


def test_a_path_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(ValueError, match=f"file must be a file, got the folder '{tmp_path}'"):
        write_whole(tmp_path, "file", [b"x"])
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(ValueError, match="cannot be written"):
        write_whole(tmp_path / "x" / "y", "file", [b"x"])


DOORS = [
    Door(
        write_whole,
        lambda: {"path": f"{FOLDER.name}/x", "name": "path", "parts": [b"x"]},
        {"path": [None, 3, [], NOTHING, b"x", "", tempfile.gettempdir()], "name": [], "parts": []},
    )
]
