"""Files that are written whole: a crash leaves them as they were before, or complete."""

import os
from collections.abc import Iterable
from pathlib import Path

from lmkit.checks import check_instance


def write_whole(path: str | Path, name: str, parts: Iterable[bytes | memoryview]) -> None:
    """Write the parts, one behind the other, into a file whose folder is made if need be.

    Raises:
        ValueError: for a path that cannot be written; calls it ``name``.
    """
    target = Path(check_instance(path, name, (str, Path)))
    if os.path.isdir(target):  # "" is one, too; unlike Path.is_dir it is never too long
        raise ValueError(f"{name} must be a file, got the folder {str(path)!r}")
    temporary = target.with_name(target.name + ".part")  # the new one beside the old, then into its place in one move
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except (OSError, ValueError) as error:  # the latter for a path that can be none
        raise ValueError(f"{name} {path} cannot be written: {error}") from error
