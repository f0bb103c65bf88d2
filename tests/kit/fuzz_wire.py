"""Drives the grader's side of the channel with arbitrary bytes: `python tests/kit/fuzz_wire.py [SECONDS [SEED]]`.

Whatever a worker sends, the grader gets a valid outcome or one of the named errors, in memory that is bounded.
The seed is fixed unless given, so that a run can be repeated.
Needs atheris: `pip install -e '.[fuzz]'`.
"""

from __future__ import annotations

import json
import resource
import socket
import struct
import sys
import tempfile
import time
from pathlib import Path

import atheris

FUZZED = ["grader.sandbox.processes.channel", "grader.sandbox.worker.wire", "grader.suites.target"]
with atheris.instrument_imports(include=FUZZED):
    from grader.sandbox.processes.channel import Channel, ChannelError
    from grader.sandbox.worker.wire import BadValue, decode
    from grader.suites.target import Outcome, Raised

import torch  # noqa: E402 -- as above

CAP = 1 << 16  # small, so that memory taken beyond it stands out, and that a socket holds a whole frame
MEMORY = 2 << 30
NUMBERS = (
    0,
    1,
    2,
    3,
    4,
    8,
    12,
    16,
    -1,
    1 << 31,
    (1 << 48) - 1,
    1 << 48,
    1 << 62,
    1 << 64,
    10**30,
    0.5,
    True,
    None,
    "3",
)
DTYPES = ("float32", "float16", "bool", "int64", "complex64", "uint8", "float8_e4m3fn", "", None, [])
KINDS = ("tuple", "dict", "float", "dtype", "device", "opaque", "other", None, 5)
TEXTS = ("", "cpu", "meta", "cuda", "nan", "inf", "float32", "ValueError", "\ud800", "\u202e\x1b[2J", "x" * 5000)


def through_the_socket(data: bytes) -> None:
    """The bytes as they are: prefix, header and payload all made up."""
    ours, theirs = socket.socketpair()
    channel = Channel(ours, header_cap=CAP, payload_cap=CAP)
    try:
        theirs.sendall(data[:CAP])
        theirs.close()
        while True:
            header, payload = channel.receive(time.monotonic() + 5)
            examine(header, payload)
    except ChannelError:
        pass
    finally:
        channel.close()


def past_the_frame(provider: atheris.FuzzedDataProvider) -> None:
    """A well-formed frame around what a worker might write, nearly right, so that the decoder is reached."""
    header = {"ok": tree(provider, 6), "nonce": pick(provider, TEXTS)}
    for key, depth in (("gradients", 4), ("changed", 2), ("operators", 2)):
        if not provider.ConsumeIntInRange(0, 3):
            header[key] = [tree(provider, depth)] if provider.ConsumeBool() else tree(provider, depth)
    if not provider.ConsumeIntInRange(0, 7):
        facts = {"types": [pick(provider, TEXTS)], "message": pick(provider, TEXTS), "line": pick(provider, NUMBERS)}
        header["raised"] = facts if provider.ConsumeBool() else {k: tree(provider, 3) for k in facts}
    text, payload = json.dumps(header).encode(), provider.ConsumeBytes(64)
    through_the_socket(struct.pack("<QQ", len(text), len(payload)) + text + payload)


def tree(provider: atheris.FuzzedDataProvider, depth: int) -> object:
    """Something that JSON can hold, often a value of the wire's."""
    kind = provider.ConsumeIntInRange(0, 6) if depth else 6
    if kind <= 1:
        spec = {"!": "tensor", "dtype": pick(provider, DTYPES), "device": pick(provider, TEXTS), "grad": kind == 0}
        spec.update({key: numbers(provider) for key in ("shape", "strides")})
        return {**spec, "at": pick(provider, NUMBERS), "bytes": pick(provider, NUMBERS)}
    if kind == 2:
        leaf = {"name": pick(provider, (*TEXTS, *DTYPES)), "value": pick(provider, TEXTS), "type": tree(provider, 1)}
        return {"!": pick(provider, KINDS), "items": tree(provider, depth - 1), **leaf}
    if kind == 3:
        return [tree(provider, depth - 1) for _ in range(provider.ConsumeIntInRange(0, 4))]
    if kind == 4:
        return [[pick(provider, TEXTS), tree(provider, depth - 1)], [pick(provider, NUMBERS)] * 2]
    if kind == 5:
        value: object = tree(provider, 0)
        for _ in range(provider.ConsumeIntInRange(0, 700)):
            value = [value]
        return value
    return pick(provider, (*NUMBERS, *TEXTS, float("nan"), float("inf")))


def numbers(provider: atheris.FuzzedDataProvider) -> object:
    many = [pick(provider, NUMBERS) for _ in range(provider.ConsumeIntInRange(0, 5))]
    return many if provider.ConsumeIntInRange(0, 9) else pick(provider, (*NUMBERS, *TEXTS, many * 5000))


def pick(provider: atheris.FuzzedDataProvider, choices: tuple[object, ...]) -> object:
    return choices[provider.ConsumeIntInRange(0, len(choices) - 1)]


def examine(header: dict[str, object], payload: bytearray) -> None:
    """Decode; whatever comes out has to be usable and bounded."""
    try:
        outcome = Outcome.decode(header, payload)
        decode(header.get("ok"), payload)
    except BadValue:
        return
    assert outcome.raised is None or isinstance(outcome.raised, Raised)
    for value in [outcome.value, *(outcome.gradients or [])]:
        if isinstance(value, torch.Tensor) and value.device.type == "cpu":
            value.double().abs().sum() if not value.is_complex() else value.abs().sum()
            assert value.untyped_storage().nbytes() <= max(len(payload), 16)
    assert sum(len(t) for t in outcome.raised.types) <= 800 if outcome.raised else True
    assert all(len(name) <= 60 for name in outcome.operators)


def one_input(data: bytes) -> None:
    if data[:1] < b"\x80":
        through_the_socket(data[1:])
    else:
        past_the_frame(atheris.FuzzedDataProvider(data[1:]))


def main() -> None:
    seconds, seed = [*sys.argv[1:], *("60", "1")[len(sys.argv) - 1 :]][:2]
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
    torch.set_num_threads(1)
    options = [
        f"-seed={seed}",
        f"-max_total_time={seconds}",
        "-max_len=2048",
        "-timeout=10",
        "-rss_limit_mb=0",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={tempfile.gettempdir()}/"], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
