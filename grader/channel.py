"""Frames over a socket: a JSON header and raw bytes, every size checked before memory is taken.

The other side may be hostile. A frame is `<header length><payload length>` (two unsigned 64-bit little-endian
integers), the header as a UTF-8 JSON object, the payload. Anything else raises `BrokenFrame`.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import struct
import time
from collections.abc import Sequence
from typing import Any

_PREFIX = struct.Struct("<QQ")
_DUMPS = json.JSONEncoder(separators=(",", ":")).encode
HEADER_CAP = 1 << 20
PAYLOAD_CAP = 256 << 20
_READ_AHEAD = 1 << 16
OWN_CAP = 64 << 20  # of a header between processes of ours: all sources of a submission, or its report


class ChannelError(Exception):
    """The peer can no longer be talked to; the worker behind it is to be killed."""


class DeadlinePassed(ChannelError):
    """No complete frame within the time allowed."""


class PeerGone(ChannelError):
    """The peer closed the channel."""


class BrokenFrame(ChannelError):
    """The peer sent something that is no frame."""


class TooLarge(BrokenFrame):
    """The peer wants to send more than is taken."""


class Drain:
    """Reads a pipe as it fills, keeps the first `keep` bytes, counts the rest."""

    def __init__(self, fd: int, keep: int) -> None:
        os.set_blocking(fd, False)
        self.fd = fd
        self.kept = b""
        self.total = 0
        self._keep = keep

    def pump(self) -> bool:
        """Take what is there now (at most 1 MB); False once the pipe has ended."""
        for _ in range(16):
            try:
                chunk = os.read(self.fd, 1 << 16)
            except BlockingIOError:
                return True
            if not chunk:
                return False
            self.total += len(chunk)
            self.kept += chunk[: self._keep - len(self.kept)]
        return True

    def close(self) -> None:
        os.close(self.fd)


class Packed:
    """A frame that is sent many times, each time with another nonce."""

    def __init__(self, header: dict[str, Any], payload: Sequence[bytes]) -> None:
        self._head = _DUMPS(header).encode()[:-1]
        self._payload = b"".join(payload)

    def frame(self, nonce: str) -> bytes:
        """The frame with `nonce`, a word of letters and digits, in its header."""
        text = self._head + b',"nonce":"' + nonce.encode() + b'"}'
        return _PREFIX.pack(len(text), len(self._payload)) + text + self._payload


class Channel:
    """One end of a stream socket that carries frames."""

    def __init__(self, sock: socket.socket, header_cap: int = HEADER_CAP, payload_cap: int = PAYLOAD_CAP) -> None:
        sock.setblocking(False)
        self.sock = sock
        self._header_cap = header_cap
        self.payload_cap = payload_cap
        self._ahead = bytearray()
        self._selector = selectors.DefaultSelector()
        self._selector.register(sock, selectors.EVENT_READ)
        self._waits_for = selectors.EVENT_READ

    def close(self) -> None:
        self._selector.close()
        self.sock.close()

    def watch(self, drain: Drain) -> None:
        """Empty this pipe too while waiting, so that a peer that prints cannot block on it."""
        self._selector.register(drain.fd, selectors.EVENT_READ, drain)

    def send(self, header: dict[str, Any], payload: Sequence[bytes] = (), deadline: float | None = None) -> None:
        """Send one frame; `deadline` is a `time.monotonic()` instant, None waits for ever."""
        text = _DUMPS(header).encode()
        size = sum(len(part) for part in payload)
        self.send_bytes(b"".join([_PREFIX.pack(len(text), size), text, *payload]), deadline)

    def receive(self, deadline: float | None = None) -> tuple[dict[str, Any], bytearray]:
        """The next frame: its header and its payload, the receiver's own copy."""
        self._fill(_PREFIX.size, deadline)
        header_size, payload_size = _PREFIX.unpack_from(self._ahead)
        if header_size > self._header_cap or payload_size > self.payload_cap:
            raise TooLarge(f"a frame of {header_size} + {payload_size} bytes is over the limit")
        start = _PREFIX.size + header_size
        self._fill(start, deadline)
        try:
            header = json.loads(self._ahead[_PREFIX.size : start].decode())
        except (ValueError, RecursionError) as error:
            raise BrokenFrame("a header that is no JSON") from error
        if not isinstance(header, dict):
            raise BrokenFrame("a header that is no JSON object")
        self._fill(start + payload_size, deadline)
        payload = self._ahead[start : start + payload_size]
        del self._ahead[: start + payload_size]
        return header, payload

    def take(self, frames: bytes, deadline: float) -> bool:
        """Take these very bytes off the channel if they are what comes next; else leave all to be received.

        False too if they have not come in time, or the peer is gone.
        """
        seen = 0
        while True:
            there = min(len(self._ahead), len(frames))
            if self._ahead[seen:there] != frames[seen:there]:
                return False
            if there == len(frames):
                del self._ahead[:there]
                return True
            seen = there
            try:
                self._fill(there + 1, deadline)
            except ChannelError:
                return False

    def send_bytes(self, frames: bytes, deadline: float | None = None) -> None:
        """Send whole frames that are bytes already."""
        part = memoryview(frames)
        while part:
            try:
                part = part[self.sock.send(part) :]
            except BlockingIOError:
                self._wait(selectors.EVENT_WRITE, deadline)
            except OSError as error:
                raise PeerGone(str(error)) from error

    def _fill(self, size: int, deadline: float | None) -> None:
        """Read until `size` bytes are there."""
        while len(self._ahead) < size:
            if deadline is not None and time.monotonic() > deadline:  # a peer that never lets us wait
                raise DeadlinePassed
            try:
                got = self.sock.recv(max(size - len(self._ahead), _READ_AHEAD))
            except BlockingIOError:
                self._wait(selectors.EVENT_READ, deadline)
                continue
            except OSError as error:
                raise PeerGone(str(error)) from error
            if not got:
                raise PeerGone("the channel was closed")
            self._ahead += got

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
