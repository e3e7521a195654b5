"""Checkpoints: what a training needs to go on, in a file that is either whole and of this training, or refused.

The file is a line that says what it is, the SHA-256 of all that follows, and that: what ``torch.save`` writes. Beside the
numbers it holds the settings under which they came about. A model with two heads has the shapes of one with four: without
the settings it would go on from the other's weights without a complaint, to nonsense.
"""

import hashlib
import io
import pickle
from pathlib import Path

import torch

from lmkit.checks import check_instance
from lmkit.files import read_whole, write_whole

HEAD = b"lmkit checkpoint 3\n"  # a number for each change of what train saves
START = len(HEAD) + hashlib.sha256().digest_size  # of the content


def save_checkpoint(checkpoint: str | Path, content: dict, settings: dict) -> None:
    """Write content and settings. A crash leaves the file as it was before, or complete.

    Args:
        checkpoint: the file; its folder is made.
        content: tensors, numbers and texts, in lists and dicts.
        settings: what must be the same when it is loaded, by name: anything that ``str`` tells apart, in every process.

    Raises:
        ValueError: also for content that could not be loaded again.
    """
    check_instance(content, "content", dict)
    named = {name: str(value) for name, value in check_instance(settings, "settings", dict).items()}
    payload = io.BytesIO()
    try:
        torch.save({"content": content, "settings": named}, payload)
        payload.seek(0)
        torch.load(payload, map_location="cpu", weights_only=True)
    except (pickle.PickleError, AttributeError, TypeError, RuntimeError) as error:
        raise ValueError(f"content must be tensors, numbers and texts, in lists and dicts, got {error}") from None
    write_whole(checkpoint, "checkpoint", [HEAD, hashlib.sha256(payload.getbuffer()).digest(), payload.getbuffer()])


def load_checkpoint(checkpoint: str | Path, settings: dict | None = None, device: torch.device | str = "cpu") -> dict:
    """The content that was saved, its tensors on the device; of ``train`` the states "model" and "optimiser", and the "log".

    Raises:
        ValueError: if there is no such file, it is no checkpoint of this version, a single bit of it is not as it was
            written, or it was saved with other settings, which are named. None: with whichever.
    """
    written = read_whole(checkpoint, "checkpoint")
    if written[:START] != HEAD + hashlib.sha256(written[START:]).digest():
        raise ValueError(f"checkpoint {checkpoint} is damaged or not a checkpoint of this version; use another file")
    try:
        torch.zeros(1, device=torch.device(device)).item()
    except (RuntimeError, TypeError, AssertionError):  # the last from a torch without CUDA
        raise ValueError(f'device must be one that is there, such as "cpu" or "cuda", got {device!r}') from None
    try:
        saved = torch.load(io.BytesIO(written[START:]), map_location=device, weights_only=True)
        content, before = saved["content"], dict(saved["settings"])
    except Exception as error:
        raise ValueError(f"checkpoint {checkpoint} is damaged or not a checkpoint: {error}") from None
    if settings is not None:
        now = {name: str(value) for name, value in check_instance(settings, "settings", dict).items()}
        changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        if changed:
            told = [f"{x} was {before.get(x, 'not there'):.200}, is {now.get(x, 'not there'):.200}" for x in changed]
            told = "; ".join(told[:5] + [f"{len(told) - 5} more"] * (len(told) > 5))
            raise ValueError(f"checkpoint {checkpoint} was saved with other settings: {told}. Use another file")
    return content
