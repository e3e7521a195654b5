"""Arguments that the student's code changed in place: the same change here."""

from collections import Counter, defaultdict, deque
from typing import Any

import numpy as np

from lmkit.grading import arrays


def write_back(old: Any, new: Any) -> None:
    """Makes ``old`` hold what ``new`` holds, in place, if it is of the same type."""
    kind = type(old)
    if arrays.is_tensor(old) and arrays.is_tensor(new):  # of a Parameter comes a Tensor back
        if _alike(old, new):
            if arrays.write_tensor(old)[2] != arrays.write_tensor(new)[2]:  # to write is to have changed, for a graph
                old.detach().copy_(new.detach())
        elif new.is_floating_point() or not old.requires_grad:  # unsqueeze_, resize_, data = …
            old.data = new.detach()
        old.grad = new.grad
    elif kind is not type(new):
        return
    elif kind is np.ndarray:
        if not _alike(old, new) and old.flags.c_contiguous and old.nbytes == new.nbytes and not old.dtype.hasobject:
            old.shape = old.size  # what can be set in place: other names for the same bytes
            old.dtype, old.shape = new.dtype, new.shape
        if _alike(old, new) and old.flags.writeable:
            old[...] = new
    elif kind in (list, deque):
        old.clear()
        old.extend(new)
    elif kind in (dict, Counter, defaultdict):
        old.clear()
        dict.update(old, new)
    elif kind is set:
        old.clear()
        old.update(new)


def _alike(old: Any, new: Any) -> bool:
    return old.shape == new.shape and old.dtype == new.dtype
