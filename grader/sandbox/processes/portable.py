"""Where nothing can be forked safely (macOS, Windows): a Python process for each role, talking over loopback.

Own work is checked this way everywhere. It is a process boundary without confinement.
"""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import grader
from grader.errors import MachineError
from grader.sandbox.processes.control import entry_point

START_SECONDS = 60.0
STOP_SECONDS = 30.0
_BOOT = (
    "import sys; sys.path.insert(0, sys.argv[1]); from grader.sandbox.processes import portable; "
    "portable.main(sys.argv[2])"
)


def start(entry: str, output: int | None, environment: dict[str, str]) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a process that calls `entry` (`module:name`) with a socket to us; the process, and our end of the socket.

    Raises:
        MachineError: it did not start.
    """
    token = secrets.token_bytes(32)
    with socket.create_server(("127.0.0.1", 0)) as server:
        root = str(Path(grader.__path__[0]).resolve().parent)
        command = [sys.executable, "-I", "-X", "utf8", "-c", _BOOT, root, entry]
        streams = subprocess.DEVNULL if output is None else output
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=streams, stderr=streams, env=environment)
        assert process.stdin is not None
        process.stdin.write(f"{token.hex()} {server.getsockname()[1]}\n".encode())
        process.stdin.flush()  # and left open: its end tells the process that nobody needs it any more
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and process.poll() is None:
            server.settimeout(1.0)
            try:
                sock, _ = server.accept()
            except TimeoutError:
                continue
            sock.settimeout(START_SECONDS)
            if hmac.compare_digest(sock.recv(32), token):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return process, sock
            sock.close()
    stop(process)
    raise MachineError(f"a process for {entry} did not start; try `{sys.executable} -c 'import torch'`")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process that `start` started."""
    process.kill()
    process.wait(STOP_SECONDS)
    assert process.stdin is not None
    process.stdin.close()


def main(entry: str) -> None:
    """The started process: connect back, then live as `entry` does, at most as long as whoever started it."""
    token, port = sys.stdin.buffer.readline().split()
    threading.Thread(target=_end_with, args=(os.dup(0),), daemon=True).start()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sock = socket.create_connection(("127.0.0.1", int(port)))
    sock.sendall(bytes.fromhex(token.decode()))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    entry_point(entry)(sock)


def _end_with(starter: int) -> None:
    """Wait until the process at the other end of this pipe is gone, then go too, whatever runs meanwhile."""
    os.read(starter, 1)
    os._exit(0)
