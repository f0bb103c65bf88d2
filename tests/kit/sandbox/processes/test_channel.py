"""Frames over a socket: what arrives, what is refused, and that nobody waits longer than allowed."""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
import tracemalloc

import msgspec
import pytest

from grader.sandbox.processes.channel import (
    NO_NONCE,
    BrokenFrame,
    Channel,
    DeadlinePassed,
    Frame,
    PeerGone,
    TooLarge,
)
from grader.sandbox.processes.output import PipeOutput
from grader.sandbox.processes.values import Message


class Note(Message, frozen=True):
    text: str = ""
    number: int = 0


EMPTY = msgspec.msgpack.encode(Note())


@pytest.fixture
def pair():
    a, b = socket.socketpair()
    ours, theirs = Channel(a, Note), Channel(b, Note)
    yield ours, theirs
    ours.close()
    theirs.close()


@pytest.fixture
def raw():
    """A channel and the bare socket at its other end."""
    a, b = socket.socketpair()
    channel = Channel(a, Note, message_cap=1000, payload_cap=10_000)
    yield channel, b
    channel.close()
    b.close()


def soon(seconds: float = 5.0) -> float:
    return time.monotonic() + seconds


def frame(message: bytes, payload: bytes = b"", nonce: bytes = NO_NONCE) -> bytes:
    return struct.pack("<QQ8s", len(message), len(payload), nonce) + message + payload


def note_of(size: int) -> bytes:
    """A message that is this many bytes long."""
    text = "x" * (size - len(msgspec.msgpack.encode(Note("x" * 256))) + 256)
    encoded = msgspec.msgpack.encode(Note(text))
    assert len(encoded) == size
    return encoded


def test_a_frame_arrives(pair):
    ours, theirs = pair
    ours.send(Note("双语"), [b"abc", b"", b"de"], b"12345678", soon())
    assert theirs.receive(soon()) == Frame(Note("双语"), bytearray(b"abcde"), b"12345678")


def test_frames_keep_their_order(pair):
    ours, theirs = pair
    for n in range(50):
        ours.send(Note(number=n), [bytes(n)], deadline=soon())
    assert [len(theirs.receive(soon()).payload) for _ in range(50)] == list(range(50))


def test_a_frame_larger_than_the_socket_takes_at_once(pair):
    ours, theirs = pair
    payload = os.urandom(5 << 20)
    sender = threading.Thread(target=lambda: ours.send(Note(), [payload], deadline=soon(20)))
    sender.start()
    assert theirs.receive(soon(20)).payload == payload
    sender.join()


def test_silence_ends_at_the_deadline(pair):
    started = time.monotonic()
    with pytest.raises(DeadlinePassed):
        pair[0].receive(soon(0.1))
    assert 0.09 <= time.monotonic() - started < 2


def test_a_slow_drip_does_not_move_the_deadline(raw):
    channel, peer = raw
    data = frame(note_of(900))
    stop = threading.Event()

    def drip():
        for byte in data:
            peer.send(bytes([byte]))
            if stop.wait(0.01):
                return

    dripping = threading.Thread(target=drip)
    dripping.start()
    with pytest.raises(DeadlinePassed):
        channel.receive(soon(0.2))
    stop.set()
    dripping.join()


def test_a_peer_that_does_not_read(pair):
    with pytest.raises(DeadlinePassed):
        pair[0].send(Note(), [bytes(8 << 20)], deadline=soon(0.1))


def test_a_peer_that_has_gone(pair):
    ours, theirs = pair
    theirs.close()
    with pytest.raises(PeerGone):
        ours.receive(soon())
    with pytest.raises(PeerGone):
        ours.send(Note(), [bytes(1 << 20)], deadline=soon())


@pytest.mark.parametrize("sent", [0, 7, 24, 28])
def test_a_frame_cut_short(raw, sent):
    channel, peer = raw
    peer.send(frame(EMPTY)[:sent])
    peer.close()
    with pytest.raises(PeerGone, match="closed"):
        channel.receive(soon())


HUGE = {"message": (1001, 0), "payload": (2, 10_001), "message by far": (2**63, 0), "payload by far": (2, 2**64 - 1)}


@pytest.mark.parametrize("case", HUGE)
def test_too_large_is_refused_before_memory_is_taken(raw, case):
    channel, peer = raw
    peer.send(struct.pack("<QQ8s", *HUGE[case], NO_NONCE) + EMPTY)
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge, match="over the limit"):
            channel.receive(soon())
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_sizes_at_the_limit_are_taken(raw):
    channel, peer = raw
    peer.send(frame(note_of(1000), bytes(10_000)))
    assert channel.receive(soon()).payload == bytearray(10_000)


PACK = msgspec.msgpack.encode
GARBAGE = {
    "nothing": b"",
    "text": b"nonsense",
    "JSON": b'{"!": "Note"}',
    "cut short": EMPTY[:-1],
    "too long": EMPTY + b"\x00",
    "no UTF-8": b"\x93\xa4Note\xa2\xff\xfe\x00",
    "a list without end": b"\xdd\xff\xff\xff\xff",
    "a text without end": b"\x93\xa4Note\xdb\xff\xff\xff\xff",
    "nested lists": b"\x91" * 999,
    "nested maps": b"\x81\xa1a" * 300,
    "a map": PACK({"!": "Note", "text": ""}),
    "a number": PACK(1),
    "nothing at all": PACK(None),
    "no tag": PACK(["", 1]),
    "another message": PACK(["Another", "", 1]),
    "a field of another kind": PACK(["Note", 1, 1]),
    "NaN for a number": PACK(["Note", "", float("nan")]),
    "a number beyond 64 bits": b"\x93\xa4Note\xa0\xcf" + b"\xff" * 8 + b"\x00",
}


@pytest.mark.parametrize("case", GARBAGE)
def test_what_is_not_the_message_that_is_expected(raw, case):
    channel, peer = raw
    peer.send(frame(GARBAGE[case]))
    with pytest.raises(BrokenFrame, match="not the message that is expected"):
        channel.receive(soon())


def test_a_message_nested_too_deep():
    a, b = socket.socketpair()
    channel = Channel(a, object)  # any value: nothing of the type stops it before the nesting does
    sender = threading.Thread(target=lambda: b.sendall(frame(b"\x91" * 500_000)))
    sender.start()
    with pytest.raises(BrokenFrame, match="not the message that is expected"):
        channel.receive(soon())
    sender.join()
    channel.close()
    b.close()


@pytest.fixture
def pipe():
    read, write = os.pipe()
    output = PipeOutput(read, keep=100)
    yield output, write
    output.close()


def test_a_pipe_keeps_the_beginning_and_counts_the_lines(pipe):
    output, write = pipe
    os.write(write, b"a" * 60 + b"b" * 60)
    assert output.pump()
    os.write(write, b"c\n" * 1000)
    assert output.pump()
    assert (output.kept, output.lines) == (b"a" * 60 + b"b" * 40, 1000)
    os.close(write)
    assert not output.pump()


def test_a_flood_of_output_blocks_nobody(pair, pipe):
    """The peer prints 20 MB before it answers: it must get through, and only 100 bytes of it stay."""
    ours, theirs = pair
    output, write = pipe
    ours.watch(output)

    def peer():
        for _ in range(20):
            os.write(write, b"x" * ((1 << 20) - 1) + b"\n")
        os.close(write)
        theirs.send(Note("done"))

    printing = threading.Thread(target=peer)
    printing.start()
    assert ours.receive(soon(20)).message == Note("done")
    printing.join()
    while output.pump():
        pass
    assert (len(output.kept), output.lines) == (100, 20)


def test_an_endless_flood_does_not_move_the_deadline(pair, pipe):
    ours, _ = pair
    output, write = pipe
    ours.watch(output)
    stop = threading.Event()

    def flood():
        os.set_blocking(write, False)
        while not stop.is_set():
            try:
                os.write(write, b"x" * 4096)
            except BlockingIOError:
                time.sleep(0.001)
        os.close(write)

    flooding = threading.Thread(target=flood)
    flooding.start()
    started = time.monotonic()
    with pytest.raises(DeadlinePassed):
        ours.receive(soon(0.2))
    assert time.monotonic() - started < 2
    stop.set()
    flooding.join()
    assert len(output.kept) == 100


def test_a_pipe_that_ends_while_waiting(pair, pipe):
    ours, theirs = pair
    output, write = pipe
    ours.watch(output)
    os.write(write, b"last words")
    os.close(write)
    with pytest.raises(DeadlinePassed):
        ours.receive(soon(0.1))
    theirs.send(Note("still here"))
    assert ours.receive(soon()).message == Note("still here")
    assert output.kept == b"last words"


def test_what_a_peer_sent_before_it_went_can_be_received(pair):
    ours, theirs = pair
    theirs.send(Note("last"), [b"x"], b"nonce no")
    theirs.close()
    assert ours.receive(soon()) == Frame(Note("last"), b"x", b"nonce no")
    with pytest.raises(PeerGone):
        ours.receive(soon())
