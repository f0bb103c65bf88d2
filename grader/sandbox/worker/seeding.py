"""Seeds the global generators before each call.

To seed Python's and numpy's takes a third of the time of a small call. So their memory is looked at: where both are as
seeding leaves them, nothing has to be done.
"""

from __future__ import annotations

import ctypes
import random
import struct
import sys
from typing import Any

import numpy as np

from grader.arrays import torch

SEED = 1706
WORDS = 624  # of a Mersenne Twister, 4 bytes each; beside them the place of the next one
# Taken before a student's file could put others in their place.
_PYTHON, _NUMPY = random._inst, np.random.mtrand._rand
_SEED_PYTHON, _SEED_NUMPY = random.seed, np.random.seed
_BITS = _NUMPY._bit_generator
if torch is not None:
    _SEED_TORCH = torch.default_generator.manual_seed


def seed(device: str = "cpu") -> None:
    """Seed the global generators, so that a call gives the same result whenever it is made."""
    if not (_SEEDED and _NUMPY._bit_generator is _BITS and all(memory.raw == seeded for memory, seeded in _SEEDED)):
        _SEED_PYTHON(SEED)
        _SEED_NUMPY(SEED)
    if torch is not None:
        _SEED_TORCH(SEED)
    if device == "cuda":
        torch.cuda.manual_seed_all(SEED)


def _seeded() -> list[tuple[Any, bytes]]:
    """Return the memory of both generators and what it holds after seeding; nothing if it is laid out otherwise."""
    if sys.implementation.name != "cpython":
        return []
    python, numpy = random.Random(SEED), np.random.RandomState(SEED)
    *words, place = python.getstate()[1]
    state = numpy.get_state(legacy=False)["state"]
    of_python = struct.pack(f"=i{WORDS}I", place, *words)
    of_numpy = struct.pack(f"={WORDS}Ii", *state["key"], state["pos"])
    if (_memory(python).raw, _memory(numpy).raw) != (of_python, of_numpy):
        return []
    return [(_memory(_PYTHON), of_python), (_memory(_NUMPY), of_numpy)]


def _memory(generator: Any) -> Any:
    """Return the memory of a Mersenne Twister."""
    bits = getattr(generator, "_bit_generator", None)
    address = bits.ctypes.state_address if bits else id(generator) + object.__basicsize__
    return (ctypes.c_char * (4 * WORDS + 4)).from_address(address)


_SEEDED = _seeded()
