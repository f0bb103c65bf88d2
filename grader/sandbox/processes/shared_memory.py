"""Memory that a worker and the grader share: inputs that must not be changed, and the answers to many calls.

The student's code can answer anything about its inputs, but this memory holds after the call what the code left there.
The answers are the student's claims, as those that come over a socket: they are copied once, before anyone looks.
"""

from __future__ import annotations

import ctypes
import functools
import mmap
import os
import struct
from collections.abc import Callable

ROOM = 1 << 20  # bytes, for the inputs of all calls that are on their way
SHARED = ROOM + (16 << 20)  # bytes, with those for answers
ALIGNED = 64  # bytes, as torch's own tensors: elsewhere the same sum may round otherwise
_NUMBER = struct.Struct("<Q")
_UNWANTED, _END = ROOM, ROOM + _NUMBER.size
"""The places where the grader writes 1 once it wants no more answers, and the worker where they end."""
_ANSWERS = _END + _NUMBER.size
_BYTES, _FAILED = ctypes.c_ubyte * SHARED, ctypes.c_void_p(-1).value


class SharedMemory:
    """The grader's view. `descriptor` is for the worker's, see `attached`."""

    def __init__(self) -> None:
        self.descriptor = os.memfd_create("inputs and answers")
        os.ftruncate(self.descriptor, SHARED)
        self._memory = mmap.mmap(self.descriptor, SHARED)
        self._sent: dict[bytes, tuple[int, bytes]] = {}
        self._end = 0

    def put(self, nonce: bytes, payload: bytes) -> tuple[int, int] | None:
        """Write the inputs of the call with this nonce; return their offset and size in bytes, None if too large."""
        start = self._end
        if start + len(payload) > ROOM:
            return None
        self._memory[start : start + len(payload)] = payload
        self._end += len(payload) + -len(payload) % ALIGNED
        self._sent[nonce] = start, payload
        return start, len(payload)

    def left_of(self, nonce: bytes) -> tuple[bytes, bytes]:
        """Return the bytes that were sent with this nonce, and those that are there now."""
        start, payload = self._sent.get(nonce, (0, b""))
        return payload, self._memory[start : start + len(payload)]

    def touched(self) -> bool:
        """True if any inputs differ from what was sent."""
        return any(sent != left for sent, left in map(self.left_of, self._sent))

    def forget(self) -> None:
        """Forget all calls that are on their way."""
        self._sent.clear()
        self._end = 0

    def want_answers(self) -> None:
        """Ask for answers from the beginning."""
        _NUMBER.pack_into(self._memory, _UNWANTED, 0)
        _NUMBER.pack_into(self._memory, _END, _ANSWERS)

    def stop_answers(self) -> None:
        """Ask for no more answers than the one that the worker is at."""
        _NUMBER.pack_into(self._memory, _UNWANTED, 1)

    def answers(self) -> bytes:
        """Return a copy of what the worker has answered."""
        (end,) = _NUMBER.unpack_from(self._memory, _END)
        return self._memory[_ANSWERS : max(_ANSWERS, min(end, SHARED))]

    def detach(self) -> None:
        """Close the grader's descriptor, once the worker has its own."""
        os.close(self.descriptor)

    def close(self) -> None:
        self._memory.close()


class Answers:
    """The worker's place for answers, in its view of the shared memory."""

    def __init__(self, memory: memoryview) -> None:
        self._memory, self._end = memory, _ANSWERS

    @property
    def wanted(self) -> bool:
        """True unless the grader has asked to stop."""
        return not self._memory[_UNWANTED]

    def add(self, answer: bytes) -> bool:
        """Add an answer; return False if there is no room for it."""
        end = self._end + len(answer)
        if end > SHARED:
            return False
        self._memory[self._end : end] = answer
        self._end = end
        _NUMBER.pack_into(self._memory, _END, end)
        return True


def attached(descriptor: int) -> memoryview:
    """Return the worker's view. Unlike Python's `mmap`, it leaves no descriptor, with which the memory could be cut.

    Raises: OSError.
    """
    address = _mmap()(None, SHARED, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED, descriptor, 0)
    if address == _FAILED:
        raise OSError(ctypes.get_errno(), "the memory for inputs cannot be mapped")
    return memoryview(_BYTES.from_address(address)).cast("B")


def rehearse() -> None:
    """Do once, before forking, what would take each worker half a millisecond."""
    inputs = SharedMemory()
    attached(inputs.descriptor)
    inputs.detach()
    inputs.close()


@functools.cache
def _mmap() -> Callable[..., int]:
    function = ctypes.CDLL(None, use_errno=True).mmap
    function.restype = ctypes.c_void_p
    function.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
    return function
