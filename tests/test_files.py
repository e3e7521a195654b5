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
    with pytest.raises(ValueError, match=f"file {tmp_path} cannot be written: it is a folder"):
        write_whole(tmp_path, "file", [b"x"])
    (tmp_path / "x").write_bytes(b"")
    with pytest.raises(ValueError, match="cannot be written"):
        write_whole(tmp_path / "x" / "y", "file", [b"x"])


def test_what_was_half_written_is_taken_away(tmp_path):
    def parts():
        yield b"half"
        raise OSError("No space left on device")

    write_whole(tmp_path / "x", "file", [b"old"])
    with pytest.raises(ValueError, match="file .*x cannot be written: No space left"):
        write_whole(tmp_path / "x", "file", parts())
    assert (tmp_path / "x").read_bytes() == b"old" and os.listdir(tmp_path) == ["x"]


def test_a_link_is_followed_and_a_pipe_stays_one(tmp_path):
    (tmp_path / "drive").mkdir()
    os.symlink(tmp_path / "drive" / "a", tmp_path / "link")
    for content in (b"old", b"new"):
        write_whole(tmp_path / "link", "file", [content])
        assert (tmp_path / "link").is_symlink() and (tmp_path / "drive" / "a").read_bytes() == content
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="file .*pipe cannot be written: it is a folder, a device or"):
        write_whole(tmp_path / "pipe", "file", [b"x"])
    with pytest.raises(ValueError, match="file must be a file, got the folder or device '.*pipe'"):
        read_whole(tmp_path / "pipe", "file")  # which would wait for a writer
    assert (tmp_path / "pipe").is_fifo() and read_whole(tmp_path / "link", "file") == b"new"


def test_links_in_a_circle_stay_links(tmp_path):
    os.symlink("b", tmp_path / "a")
    os.symlink("a", tmp_path / "b")
    with pytest.raises(ValueError, match="file .*a cannot be written: .* a circle of links"):
        write_whole(tmp_path / "a", "file", [b"x"])
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_symlink()) == sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_a_file_that_is_written_anew_keeps_its_permissions(tmp_path, monkeypatch):
    modes, umask = [], os.umask(0o022)
    os.umask(umask)
    monkeypatch.setattr(os, "chmod", None)  # which some file systems refuse
    monkeypatch.setattr(os, "fsync", lambda _: modes.append(os.stat(tmp_path / "x.part").st_mode))
    for mode in (0o600, 0o664, 0o444):
        write_whole(tmp_path / "x", "file", [b"x"])
        (tmp_path / "x").unlink()
        os.close(os.open(tmp_path / "x", os.O_CREAT, mode))
        write_whole(tmp_path / "x", "file", [b"y"])
        assert os.stat(tmp_path / "x").st_mode == modes[-1] and modes[-1] & 0o777 == mode & ~umask | 0o200


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    os.symlink("a", tmp_path / "a")
    for path, why in (
        ("/proc/self/mem", "Errno"),
        (tmp_path / "b", "No such file"),
        (tmp_path / "a", "Too many levels"),
    ):
        with pytest.raises(ValueError, match=f"file {path} cannot be read: .*{why}"):
            read_whole(path, "file")


def test_a_folder_that_nobody_may_enter_is_not_said_to_be_empty():
    me = os.geteuid()
    with tempfile.TemporaryDirectory() as outer:
        os.chmod(outer, 0o755)
        os.mkdir(f"{outer}/folder", 0o000)
        if me == 0:  # who may read everything
            os.seteuid(65534)
        try:
            for call in (lambda path: read_whole(path, "file"), lambda path: write_whole(path, "file", [b"x"])):
                with pytest.raises(ValueError, match="file .* cannot be .*: .*Permission denied"):
                    call(f"{outer}/folder/x")
        finally:
            os.seteuid(me)


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
