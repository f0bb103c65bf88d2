"""Drives the grader's side of the channel with arbitrary bytes: `python tests/kit/fuzz_wire.py [SECONDS [SEED]]`.

Whatever a worker sends, the grader gets a valid outcome or one of the named errors, in memory that is bounded.
The seed is fixed unless given, so that a run can be repeated.
Needs atheris: `pip install -e '.[fuzz]'`.
"""

from __future__ import annotations

import resource
import socket
import struct
import sys
import tempfile
import time
from pathlib import Path

import atheris
import msgspec

FUZZED = ["grader.sandbox.processes.channel", "grader.sandbox.worker.wire", "grader.suites.target"]
with atheris.instrument_imports(include=FUZZED):
    from grader.sandbox.processes.channel import Channel, ChannelError
    from grader.sandbox.processes.worker_messages import Evaluate, Raised, Reply, Returned, SheetRead
    from grader.sandbox.worker import BadValue
    from grader.sandbox.worker.wire import decode
    from grader.suites.given import Answering, given
    from grader.suites.target import Outcome

import torch  # noqa: E402 -- as above

CAP = 1 << 16  # small, so that memory taken beyond it stands out, and that a socket holds a whole frame
MEMORY = 2 << 30
POWERS = (1 << 31, (1 << 48) - 1, 1 << 48, 1 << 62, (1 << 64) - 1, -1 << 63)
NUMBERS = (0, 1, 2, 3, 4, 8, 12, 16, -1, *POWERS, 0.5, True, None, "3")
DTYPES = ("float32", "float16", "bool", "int64", "complex64", "uint8", "float8_e4m3fn", "", None, [])
KINDS = ("list", "tuple", "dict", "dtype", "device", "opaque", "generator", "function", "other", None, 5)
DEVICES = ("cpu", "cpu", "cpu", "meta", "cuda", "", None)
TEXTS = ("", "cpu", "meta", "nan", "ValueError", "\u202e\x1b[2J", "x" * 5000, b"\xed\xa0\x80")

NESTED = b"\x92\xa5tuple\x91"  # ["tuple", [...]]


def through_the_socket(data: bytes) -> None:
    """The bytes as they are: prefix, message and payload all made up."""
    ours, theirs = socket.socketpair()
    channel = Channel(ours, Reply, message_cap=CAP, payload_cap=CAP)
    try:
        theirs.sendall(data[:CAP])
        theirs.close()
        while True:
            frame = channel.receive(time.monotonic() + 5)
            examine(frame.message, frame.payload)
    except ChannelError:
        pass
    finally:
        channel.close()


def past_the_frame(provider: atheris.FuzzedDataProvider) -> None:
    """A well-formed frame around what a worker might write, nearly right, so that the decoder is reached."""
    payload = provider.ConsumeBytes(64)
    message = reply(provider)
    text = msgspec.msgpack.encode(message[: provider.ConsumeIntInRange(1, len(message))])
    through_the_socket(struct.pack("<QQ8s", len(text), len(payload), bytes(8)) + text + payload)


def reply(provider: atheris.FuzzedDataProvider) -> list[object]:
    """The fields of a reply, its name first."""
    kind = provider.ConsumeIntInRange(0, 8)
    if kind == 8:
        method = "" if provider.ConsumeBool() else pick(provider, TEXTS)
        return ["Evaluate", pick(provider, NUMBERS), method, ["list", [tree(provider, 6)]], tree(provider, 3)]
    if kind <= 4:
        gradients = ["list", [tree(provider, 2)]] if provider.ConsumeBool() else tree(provider, 3)
        rest = ([pick(provider, NUMBERS)], [pick(provider, TEXTS)], pick(provider, NUMBERS))
        return ["Returned", tree(provider, 6), gradients, *rest]
    if kind == 5:
        place = (pick(provider, TEXTS), pick(provider, TEXTS))
        damaged = ["DamagedAnswer", *place, pick(provider, ("size", "twice", *TEXTS)), pick(provider, NUMBERS)]
        rest = ([[*place, pick(provider, NUMBERS)]], [pick(provider, NUMBERS)], provider.ConsumeBool())
        return ["SheetRead", tree(provider, 6), pick(provider, TEXTS), [damaged], *rest]
    shapes = [[pick(provider, TEXTS), pick(provider, TEXTS)]]
    facts = ([pick(provider, TEXTS)], pick(provider, TEXTS), [pick(provider, NUMBERS)], None, pick(provider, TEXTS))
    return ["Raised" if kind == 6 else pick(provider, TEXTS), *facts, shapes, [pick(provider, TEXTS)]]


def tree(provider: atheris.FuzzedDataProvider, depth: int) -> object:
    """Something that MessagePack can hold, often a value of the wire's."""
    kind = provider.ConsumeIntInRange(0, 6) if depth else 6
    if kind <= 1:
        size = (pick(provider, NUMBERS), pick(provider, NUMBERS))
        layout = (pick(provider, DTYPES), numbers(provider), numbers(provider))
        return ["tensor", *layout, *size, pick(provider, DEVICES), kind == 0]
    if kind == 2:
        return [pick(provider, KINDS), tree(provider, depth - 1)]
    if kind == 3:
        return ["list", [tree(provider, depth - 1) for _ in range(provider.ConsumeIntInRange(0, 4))]]
    if kind == 4:
        return ["dict", [[pick(provider, TEXTS), tree(provider, depth - 1)], [pick(provider, NUMBERS)] * 2]]
    if kind == 5:
        inner = msgspec.msgpack.encode(tree(provider, 0))
        return msgspec.Raw(NESTED * provider.ConsumeIntInRange(0, 1500) + inner)
    return pick(provider, (*NUMBERS, *TEXTS, float("nan"), float("inf")))


def numbers(provider: atheris.FuzzedDataProvider) -> object:
    many = [pick(provider, NUMBERS) for _ in range(provider.ConsumeIntInRange(0, 5))]
    return many if provider.ConsumeIntInRange(0, 9) else pick(provider, (*NUMBERS, *TEXTS, many * 5000))


def pick(provider: atheris.FuzzedDataProvider, choices: tuple[object, ...]) -> object:
    return choices[provider.ConsumeIntInRange(0, len(choices) - 1)]


def examine(message: Reply, payload: bytearray) -> None:
    """Decode; whatever comes out has to be usable and bounded."""
    try:
        if isinstance(message, SheetRead):
            decode(message.answers, payload)
        if isinstance(message, Evaluate):
            Answering([given(lambda x: x)])(message, payload)
        if not isinstance(message, Returned | Raised):
            return
        outcome = Outcome.decode(message, payload)
    except BadValue:
        return
    assert all(gradient is None or gradient.is_cpu for gradient in outcome.gradients or [])
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
