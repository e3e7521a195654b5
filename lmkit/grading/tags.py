"""How values are written: the first number of each array on the wire, and the limits of what may be said."""

from collections import Counter, defaultdict, deque

import numpy as np

DEEPEST = 40  # containers in containers
LONGEST_INTEGER = 1 << 16  # bits
LONGEST_RANGE = 1_000_000

(LIST, LISTS, TUPLE, TUPLES, DICT, PAIRS, SET, FROZENSET, COUNTER, DEFAULTDICT, DEQUE, INTEGER, COMPLEX) = range(13)
(FRACTION, DECIMAL, RANGE, SLICE, BYTEARRAY, TEXT, SCALAR, ARRAY, OBJECTS, TENSOR, GENERATOR) = range(13, 24)
(HANDLE, SAME, KEEP, NAME, CALLBACK) = range(24, 29)  # the last three are the trusted side's alone

PLAIN = frozenset({type(None), bool, float, str, int, bytes})
KEYS = frozenset({str, int})
FACTORIES = {"int": int, "float": float, "list": list, "dict": dict, "set": set, "str": str, "Counter": Counter}
FACTORY_NAMES = {factory: name for name, factory in FACTORIES.items()}
SHARED = frozenset({list, dict, defaultdict, Counter, set, deque, np.ndarray})
