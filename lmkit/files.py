"""Files that are read and written whole: a crash leaves what is written as it was before, or complete."""

import os
from collections.abc import Iterable
from pathlib import Path

from lmkit.checks import check_instance


def read_whole(path: str | Path, name: str) -> bytes:
    """The content of a file.

    Raises:
        ValueError: for what is no file, such as a pipe, or cannot be read; calls it ``name``.
    """
    if os.path.exists(check_instance(path, name, (str, Path))) and not os.path.isfile(path):
        raise ValueError(f"{name} must be a file, got the folder or device {str(path)!r}")
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:  # the latter for a path that can be none
        raise ValueError(f"{name} {path} cannot be read: {error}") from error


def write_whole(path: str | Path, name: str, parts: Iterable[bytes | memoryview]) -> None:
    """Write the parts, one behind the other, into a file whose folder is made if need be; a link is followed.

    A file that was there keeps its permissions, less what the umask takes; its owner may write it.

    Raises:
        ValueError: for a path that cannot be written, or is something else than a file; calls it ``name``.
    """
    check_instance(path, name, (str, Path))
    try:
        target = Path(os.path.realpath(path))
        if os.path.lexists(target) and not os.path.isfile(target):  # "" is a folder, and what is a device must stay one
            raise ValueError("it is a folder, a device or a circle of links")
        temporary = target.with_name(target.name + ".part")  # beside the old one, then into its place in one move
        target.parent.mkdir(parents=True, exist_ok=True)
        # Writable, for what a crash leaves must not be in the way of the next.
        mode = 0o200 | os.stat(target).st_mode & 0o777 if os.path.exists(target) else 0o666
        try:
            with open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
                file.writelines(parts)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)  # half-written, where the disk is full
    except (OSError, ValueError) as error:  # the latter for a path that can be none
        raise ValueError(f"{name} {path} cannot be written: {error}") from error
