"""Wheels of parts of ``lmkit``: the student's kit holds one, and the book's site one for its readers. Neither holds grading."""

import base64
import hashlib
import zipfile
from collections.abc import Iterable
from pathlib import Path

import lmkit
from lmkit.grading import COURSE
from lmkit.grading.packages import LMKIT, lmkit_files

LONG_AGO = (2020, 1, 1, 0, 0, 0)  # the same content gives the same file
READERS_NEEDS = ("matplotlib", "numpy", "regex", "torch", "tqdm")


def write_wheel(
    folder: Path, label: str, summary: str, files: dict[str, bytes], needs: Iterable[str], scripts: str = ""
) -> Path:
    """Writes ``lmkit-VERSION+LABEL.HASH-py3-none-any.whl`` with these files and the licence; another content is another
    version, so that pip installs it. ``needs`` are names of packages, ``scripts`` the lines of ``[console_scripts]``."""
    content = hashlib.sha256(b"".join(name.encode() + files[name] for name in sorted(files))).hexdigest()
    version = f"{lmkit.__version__}+{label}.{content[:8]}"
    about = f"lmkit-{version}.dist-info"
    files = files | {
        f"{about}/METADATA": (
            f"Metadata-Version: 2.1\nName: lmkit\nVersion: {version}\nSummary: {summary}\nLicense: MIT\n"
            "Requires-Python: >=3.11\n" + "".join(f"Requires-Dist: {name}\n" for name in needs)
        ).encode(),
        f"{about}/WHEEL": b"Wheel-Version: 1.0\nGenerator: lmkit\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{about}/licenses/LICENSE": (COURSE / "LICENSE").read_bytes(),
    }
    if scripts:
        files[f"{about}/entry_points.txt"] = f"[console_scripts]\n{scripts}".encode()
    lines = []
    for name in sorted(files):
        digest = base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(files[name])}\n")
    files[f"{about}/RECORD"] = ("".join(lines) + f"{about}/RECORD,,\n").encode()
    path = folder / f"lmkit-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name in sorted(files):
            wheel.writestr(entry(name), files[name])
    return path


def entry(name: str) -> zipfile.ZipInfo:
    """A zip's entry that depends on nothing but its name and content."""
    info = zipfile.ZipInfo(name, LONG_AGO)
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
    return info


def write_readers_wheel(folder: Path) -> Path:
    """All that the chapters import, for readers who run them elsewhere: no grading, no checks, no homework."""
    paths = [*lmkit_files(None), *sorted((LMKIT / "data").iterdir())]
    files = {f"lmkit/{path.relative_to(LMKIT).as_posix()}": path.read_bytes() for path in paths if path.is_file()}
    return write_wheel(folder, "book", "The package of the course's chapters", files, READERS_NEEDS)
