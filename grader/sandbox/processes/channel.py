"""Frames over a socket: a message and raw bytes, every size checked before memory is allocated.

The other side may be hostile. A frame is `<message length><payload length>` (two unsigned 64-bit little-endian
integers), a nonce of eight bytes, the message as MessagePack, the payload. Anything else raises `BrokenFrame`.
"""

from __future__ import annotations

import selectors
import socket
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from grader.sandbox.processes.output import PipeOutput

_PREFIX = struct.Struct("<QQ8s")
_ENCODE = msgspec.msgpack.Encoder().encode
NO_NONCE = bytes(8)
MESSAGE_CAP = 1 << 20
PAYLOAD_CAP = 256 << 20
_READ_AHEAD, _AT_ONCE = 1 << 16, 1 << 20
OWN_CAP = 64 << 20  # of a message between processes of ours: all sources of a submission, or its report


def each_frame(data: bytes | bytearray) -> Iterator[bytes]:
    """Yield the frames without a nonce that stand one after another in `data`; raises BrokenFrame for anything else."""
    at = 0
    while at < len(data):
        if len(data) - at < _PREFIX.size:
            raise BrokenFrame("a part of a frame")
        message, payload, nonce = _PREFIX.unpack_from(data, at)
        end = at + _PREFIX.size + message + payload
        if end > len(data) or message > MESSAGE_CAP or nonce != NO_NONCE:
            raise BrokenFrame("no frame that fits")
        yield bytes(data[at:end])
        at = end


class ChannelError(Exception):
    """The peer can no longer be talked to; the worker behind it must be killed."""


class DeadlinePassed(ChannelError):
    """No complete frame came within the time allowed."""


class PeerGone(ChannelError):
    """The peer closed the channel."""


class BrokenFrame(ChannelError):
    """The peer sent bytes that are not a frame."""


class TooLarge(BrokenFrame):
    """The peer wants to send more than is accepted."""


class Frame(NamedTuple):
    """A received frame: the message, its bytes (the receiver's own copy), and the nonce that it carries."""

    message: Any
    payload: bytearray
    nonce: bytes


def parsed(frame: bytes | bytearray, decode: Callable[[bytes | bytearray], Any]) -> Frame:
    """Return what a whole frame of the peer's says. Raises BrokenFrame."""
    message, _, nonce = _PREFIX.unpack_from(frame)
    start = _PREFIX.size + message
    try:
        return Frame(decode(frame[_PREFIX.size : start]), bytearray(frame[start:]), nonce)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BrokenFrame("not the message that is expected") from error


class Packed:
    """A message that is sent many times, each time with another nonce."""

    def __init__(self, message: msgspec.Struct, payload: Sequence[bytes]) -> None:
        self._message = _ENCODE(message)
        self.payload = b"".join(payload)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Packed) and (self._message, self.payload) == (other._message, other.payload)

    def frame(self, nonce: bytes) -> bytes:
        """Return the whole frame."""
        return _PREFIX.pack(len(self._message), len(self.payload), nonce) + self._message + self.payload


class Channel:
    """One end of a stream socket that carries frames. `expects` is the type of message to receive, or their union."""

    def __init__(
        self, sock: socket.socket, expects: Any, message_cap: int = MESSAGE_CAP, payload_cap: int = PAYLOAD_CAP
    ) -> None:
        sock.setblocking(False)
        self.sock = sock
        self._decode = msgspec.msgpack.Decoder(expects).decode
        self._message_cap = message_cap
        self.payload_cap = payload_cap
        self._ahead = bytearray()
        self._selector = selectors.DefaultSelector()
        self._selector.register(sock, selectors.EVENT_READ)
        self._waits_for = selectors.EVENT_READ

    @property
    def arriving(self) -> bool:
        """True if a part of the next frame has arrived."""
        return bool(self._ahead)

    def close(self) -> None:
        self._selector.close()
        self.sock.close()

    def watch(self, output: PipeOutput) -> None:
        """Empty this pipe too while waiting, so that a peer that prints cannot block on it."""
        self._selector.register(output.fd, selectors.EVENT_READ, output)

    def send(
        self, message: msgspec.Struct, payload: Sequence[bytes] = (), nonce: bytes = NO_NONCE,
        deadline: float | None = None,
    ) -> None:  # fmt: skip
        """Send one frame; `deadline` is a `time.monotonic()` instant, None waits without limit."""
        self.send_bytes(Packed(message, payload).frame(nonce), deadline)

    def receive(self, deadline: float | None = None) -> Frame:
        """Return the next frame."""
        self._fill(_PREFIX.size, deadline)
        message_size, payload_size, _ = _PREFIX.unpack_from(self._ahead)
        if message_size > self._message_cap or payload_size > self.payload_cap:
            raise TooLarge(f"a frame of {message_size} + {payload_size} bytes is over the limit")
        start = _PREFIX.size + message_size
        self._fill(start, deadline)
        found = parsed(self._ahead[:start], self._decode)  # before more is read
        self._fill(start + payload_size, deadline)
        found = found._replace(payload=self._ahead[start : start + payload_size])
        del self._ahead[: start + payload_size]
        return found

    def send_bytes(self, frames: bytes, deadline: float | None = None) -> None:
        """Send whole frames that are already bytes."""
        part = memoryview(frames)
        while part:
            try:
                part = part[self.sock.send(part) :]
            except BlockingIOError:
                self._wait(selectors.EVENT_WRITE, deadline)
            except OSError as error:
                raise PeerGone(str(error)) from error

    def _fill(self, size: int, deadline: float | None) -> None:
        """Read until `size` bytes have arrived."""
        while len(self._ahead) < size:
            try:
                got = self.sock.recv(min(max(size - len(self._ahead), _READ_AHEAD), _AT_ONCE))
            except BlockingIOError:
                self._wait(selectors.EVENT_READ, deadline)
                continue
            except OSError as error:
                raise PeerGone(str(error)) from error
            if not got:
                raise PeerGone("the channel was closed")
            self._ahead += got
            if len(self._ahead) < size and deadline is not None and time.monotonic() > deadline:
                raise DeadlinePassed  # a peer that never lets us wait

    def _wait(self, event: int, deadline: float | None) -> None:
        if event != self._waits_for:
            self._selector.modify(self.sock, event)
            self._waits_for = event
        while True:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise DeadlinePassed
            ready = False
            for key, _ in self._selector.select(left):
                if key.data is None:
                    ready = True
                elif not key.data.pump():
                    self._selector.unregister(key.fd)
            if ready:
                return
