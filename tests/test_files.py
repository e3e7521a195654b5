"""Files are written whole; what a crash leaves is tested where they are used, in test_checkpoint and test_bpe."""

import os
import tempfile

import pytest

from lmkit.files import read_whole, write_whole
from tests.doors import NOTHING, Door

FOLDER = tempfile.TemporaryDirectory()


def test_parts_behind_each_other_in_a_folder_that_is_made(tmp_path):
    write_whole(tmp_path / "a" / "b", "file", [b"x", memoryview(b"yz")])
    write_whole(str(tmp_path / "a" / "b"), "file", [b"new"])
    assert (tmp_path / "a" / "b").read_bytes() == b"new" and [p.name for p in (tmp_path / "a").iterdir()] == ["b"]


def test_a_path_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(ValueError, match=f"file must be a file, got the folder or device '{tmp_path}'"):
        write_whole(tmp_path, "file", [b"x"])
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(ValueError, match="cannot be written"):
        write_whole(tmp_path / "x" / "y", "file", [b"x"])


def test_a_link_is_followed_and_a_pipe_stays_one(tmp_path):
    (tmp_path / "drive").mkdir()
    os.symlink(tmp_path / "drive" / "a", tmp_path / "link")
    for content in (b"old", b"new"):
        write_whole(tmp_path / "link", "file", [content])
        assert (tmp_path / "link").is_symlink() and (tmp_path / "drive" / "a").read_bytes() == content
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="file must be a file, got the folder or device '.*pipe'"):
        write_whole(tmp_path / "pipe", "file", [b"x"])
    with pytest.raises(ValueError, match="file .*pipe does not exist, or is no file"):
        read_whole(tmp_path / "pipe", "file")  # which would wait for a writer
    assert (tmp_path / "pipe").is_fifo() and read_whole(tmp_path / "link", "file") == b"new"


def test_a_file_that_cannot_be_read_is_named():
    with pytest.raises(ValueError, match="file /proc/self/mem cannot be read"):
        read_whole("/proc/self/mem", "file")


DOORS = [
    Door(
        read_whole, lambda: {"path": __file__, "name": "path"}, {"path": [None, 3, [], NOTHING, b"x", ""], "name": []}
    ),
    Door(
        write_whole,
        lambda: {"path": f"{FOLDER.name}/x", "name": "path", "parts": [b"x"]},
        {"path": [None, 3, [], NOTHING, b"x", "", tempfile.gettempdir()], "name": [], "parts": []},
    ),
]
