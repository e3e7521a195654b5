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
SIGNATURE = b"\x89PNG\r\n\x1a\n"
# Colab writes a picture into the text itself.
_IN_THE_TEXT = re.compile(r"data:(image/[\w.+-]+);base64,([A-Za-z0-9+/=]+)")
# Each part has an end in sight, so that no text takes the square of its length.
_PICTURE = re.compile(
    r"!\[[^\]]{0,200}\]\(\s{0,20}(?:<([^>\n]{1,300})>|([^\s)]{1,300}))|<img\b[^>]{0,300}?\bsrc\s?=\s?[\"']?([^\"'>\s]{1,300})",
    re.IGNORECASE,
)


def attached(source: str, attachments: object) -> tuple[str, dict[str, dict[str, str]]]:
    """A Markdown cell's text, and all its pictures by name as ``{mime: base64}``: also those that stood in the text."""
    found: dict[str, dict[str, str]] = {}
    for name, bundle in attachments.items() if isinstance(attachments, dict) else ():
        for mime, data in bundle.items() if isinstance(bundle, dict) else ():
            data = "".join(data) if isinstance(data, list) and all(isinstance(d, str) for d in data) else data
            if isinstance(data, str):
                found[str(name)] = {str(mime): re.sub(r"[^A-Za-z0-9+/=]", "", data)}

    def moved(match: re.Match) -> str:
        number = len(found) + 1
        while f"pasted-{number}" in found:
            number += 1
        found[f"pasted-{number}"] = {match[1].lower().replace("image/jpg", "image/jpeg"): match[2]}
        return f"attachment:pasted-{number}"

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
    found, text, code = [], [], False
    for line in source.splitlines():
        fence = line.lstrip().startswith(("```", "~~~"))
        code ^= fence
        if not (code or fence):
            text.append(re.sub(r"`[^`]{0,300}`", "", line))
    for match in _PICTURE.finditer("\n".join(text)):
        address = next(filter(None, match.groups()), "")
        picture = picture_of(address, attachments)
        if picture:
            why = why_not(picture)
        elif address.startswith("attachment:"):
            why = "it is not in the notebook"
        elif address.lower().startswith(("http:", "https:")):
            why = "it is on the web, not in the notebook"
        else:
            why = "it is a file beside the notebook, and only the notebook is read: paste it into the cell"
        found += [f"{unquote(address.removeprefix('attachment:'))[:60]}: {why}"] * bool(why)
    return found


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
