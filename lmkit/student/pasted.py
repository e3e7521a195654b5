"""Pictures in a student's text, such as a photographed derivation: where a notebook keeps them, and which a grader will see."""

import base64
import binascii
import re
import struct
from typing import Any
from urllib.parse import unquote

LARGEST = 8_000_000  # characters of base64
MOST_PIXELS = 100_000_000  # of a picture; a browser needs four bytes for each, however small the file is
SHOWN = {"image/png": "PNG", "image/jpeg": "JPEG"}
# Read here, not by Pillow and a Markdown library: a student's kit may have neither, and what is said at home is what is graded.
SIGNATURE = b"\x89PNG\r\n\x1a\n"
STARTS = {"iVBORw0KGgo": "image/png", "/9j/": "image/jpeg"}  # of base64; a file that was renamed has a wrong type
# Colab writes a picture into the text itself; between the quotes of an <img> it may have many lines.
_IN_THE_TEXT = re.compile(
    r"([\"'])?data:(image/[\w.+-]+)(?:;[\w.=-]+){0,3};base64,"
    r"([A-Za-z0-9+/=]++(?:[ \t\r]*\n[ \t]*[A-Za-z0-9+/=]++)*+\s*+(?=\1)|[A-Za-z0-9+/=]+)",
    re.IGNORECASE,
)
# Each part has an end in sight, so that no text takes the square of its length. A file's name has 255 bytes, and %20 is one.
_PICTURE = re.compile(
    r"(?<!\\)!\[((?:[^\[\]]|\[[^\[\]]{0,100}\]){0,300})\]"
    r"(?:\(\s{0,20}(?:<([^>\n]{1,800})>|((?:[^\s()]|\([^\s()]{0,100}\)){1,800}))"
    r"\s{0,20}(?:\([^()]{0,100}\)\s{0,9}(?=\)))?(\S?)|\[([^\[\]]{0,200})\])?"
    r"|<img\b[^>]{0,300}?(?<![\w-])src\s{0,9}=\s{0,9}(?:\"([^\"]{1,800})\"|'([^']{1,800})'|([^\"'>\s]{1,800}))",
    re.IGNORECASE,
)
_MEANT = re.compile(r"^[ >]{0,9}\[([^\[\]]{1,300})\]:\s{0,20}<?([^\s>]{1,800})", re.MULTILINE)  # [image]: address
_FENCE = re.compile(r"[\s>*+-]*(?:\d+[.)]\s+)?(`{3,}|~{3,})([^`]*)$")
_CODE = re.compile(r"(?<!`)(`{1,9})(?!`)[^\n]{0,300}?(?<!`)\1(?!`)")


def attached(source: str, attachments: object) -> tuple[str, dict[str, dict[str, str]]]:
    """A Markdown cell's text, and all its pictures by name as ``{mime: base64}``: also those that stood in the text."""
    found: dict[str, dict[str, str]] = {}
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        for mime, data in bundle.items() if isinstance(bundle, dict) else ():
            data = "".join(data) if isinstance(data, list) and all(isinstance(d, str) for d in data) else data
            if isinstance(data, str) and not SHOWN.keys() & found.get(str(name), {}):
                found[str(name)] = _typed(str(mime), re.sub(r"[^A-Za-z0-9+/=]", "", data))

    def moved(match: re.Match) -> str:
        number = len(found) + 1
        while f"pasted-{number}" in found:
            number += 1
        found[f"pasted-{number}"] = _typed(match[2].lower(), "".join(match[3].split()))
        return f"{match[1] or ''}attachment:pasted-{number}"

    return _IN_THE_TEXT.sub(moved, source), found


def picture_of(source: str, attachments: dict[str, Any]) -> dict[str, str]:
    """The picture that an address such as ``attachment:my%20notes.png`` means; empty if there is none."""
    name = source.removeprefix("attachment:") if source.startswith("attachment:") else ""
    return attachments.get(name) or attachments.get(unquote(name)) or {}


def why_not(picture: dict[str, str]) -> str:
    """Why a grader will not see a picture; empty if it is shown."""
    for mime, data in picture.items():
        if mime not in SHOWN:
            return f"it is of type {mime[:40]}, and PNG and JPEG are shown"
        if len(data) > LARGEST:
            return f"it has {len(data) * 3 // 4 / 1e6:.1f} MB, and at most {LARGEST * 3 // 4 / 1e6:g} MB are shown"
        try:
            width, height = _size(mime, base64.b64decode(data))
        except (binascii.Error, ValueError, struct.error, IndexError):
            return f"it is no {SHOWN[mime]}"
        if width * height > MOST_PIXELS:
            return f"it has {width} times {height} pixels, and at most {MOST_PIXELS // 10**6} million are shown"
    return ""


def not_shown(source: str, attachments: dict[str, dict[str, str]]) -> list[str]:
    """The pictures in a text that a grader will not see, each with the reason."""
    text, fence = [], ""
    for line in source.splitlines():
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not mark[2].strip():
            fence = ""
        elif not fence:
            text.append(_CODE.sub("", line))
    read = "\n".join(text)
    meant = {label.casefold(): address for label, address in _MEANT.findall(read)}
    reasons = {id(picture): why_not(picture) for picture in attachments.values()}
    found = []
    for words, *written, behind, label, quoted, single, plain in _PICTURE.findall(read):
        address = "".join((*written, quoted, single, plain)) or meant.get((label or words).casefold(), "")
        picture = picture_of(address, attachments)
        more = "its brackets hold more than an address: a blank in it is %20, and a size is left out"
        more *= behind not in ("", ")", '"', "'")
        if picture:
            why = reasons[id(picture)] or more
        elif address.startswith("attachment:"):
            why = more or "it is not in the notebook"
        elif address.lower().startswith(("http:", "https:")):
            why = "it is on the web, not in the notebook"
        elif address.lower().startswith("data:"):
            why = "it is no PNG or JPEG in base64"
        else:
            why = "it is a file beside the notebook, and only the notebook is read: paste it into the cell"
        found += [f"{unquote(address.removeprefix('attachment:'))[:60]}: {why}"] * bool(why and address)
    return list(dict.fromkeys(found))


def _typed(mime: str, data: str) -> dict[str, str]:
    """A picture by the type that it is; by the one that it is said to be where it is none of those that are shown."""
    return {next((kind for start, kind in STARTS.items() if data.startswith(start)), mime): data}


def _size(mime: str, data: bytes) -> tuple[int, int]:
    """Width and height, as the file's first lines say them."""
    if mime == "image/png":
        if not data.startswith(SIGNATURE):
            raise ValueError("another signature")
        return struct.unpack_from(">II", data, 16)
    at = 2
    if not data.startswith(b"\xff\xd8\xff"):
        raise ValueError("another signature")
    while data[at] == 0xFF:
        mark = data[at + 1]
        if 0xC0 <= mark <= 0xCF and mark not in (0xC4, 0xC8, 0xCC):  # a start of frame, no table
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 1 if mark == 0xFF else 2 + struct.unpack_from(">H", data, at + 2)[0]
    raise ValueError("no frame")
