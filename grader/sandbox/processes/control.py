"""Small messages with file descriptors, between processes of ours that trust each other."""

from __future__ import annotations

import functools
import importlib
import socket
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec

_LARGEST = 1 << 17
M = TypeVar("M")


def send(sock: socket.socket, message: msgspec.Struct, fds: Sequence[int] = ()) -> None:
    """One message. Raises OSError once the peer is gone."""
    socket.send_fds(sock, [msgspec.msgpack.encode(message)], fds)


def fits(message: msgspec.Struct) -> bool:
    """Whether it is small enough to be sent."""
    return len(msgspec.msgpack.encode(message)) <= _LARGEST


def receive(sock: socket.socket, expects: type[M], fds: int = 0) -> tuple[M | None, list[int]]:
    """The next message and its file descriptors, `fds` at most; None once the peer is gone."""
    try:
        data, received, _, _ = socket.recv_fds(sock, _LARGEST, fds)
    except OSError:
        return None, []
    return (_decoder(expects).decode(data), list(received)) if data else (None, [])  # type: ignore[arg-type] # types hash


@functools.cache
def _decoder(expects: type[M]) -> msgspec.msgpack.Decoder[M]:
    return msgspec.msgpack.Decoder(expects)


def entry_point(name: str) -> Callable[..., Any]:
    """The function that `module:name` stands for. Whoever starts a process names what is to run in it."""
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found
