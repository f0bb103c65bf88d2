"""Small messages with file descriptors between processes of ours."""

from __future__ import annotations

import os
import socket
import sys

import msgspec
import pytest

from grader.sandbox.processes.fork_messages import Fork, Forked, OfWorker, entry_point, receive, send

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


@pytest.fixture
def pair():
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    yield ends
    for end in ends:
        end.close()


def test_messages_arrive_one_by_one(pair):
    ours, theirs = pair
    for pid in range(20):
        send(ours, Forked(pid))
    assert [receive(theirs, Forked) for _ in range(20)] == [(Forked(pid), []) for pid in range(20)]


def test_descriptors_arrive_with_their_message(pair):
    ours, theirs = pair
    reading, writing = os.pipe()
    send(ours, Fork(("torch",)), [reading])
    message, (received,) = receive(theirs, Fork, 1)
    os.write(writing, b"through")
    assert (message, os.read(received, 9)) == (Fork(("torch",)), b"through")
    for fd in (reading, writing, received):
        os.close(fd)


def test_descriptors_that_nobody_asked_for_are_not_kept(pair):
    ours, theirs = pair
    before = sorted(os.listdir("/proc/self/fd"))
    send(ours, OfWorker(1, "end"), [ours.fileno(), ours.fileno()])
    assert receive(theirs, OfWorker) == (OfWorker(1, "end"), [])
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_a_peer_that_is_gone(pair):
    ours, theirs = pair
    ours.close()
    assert receive(theirs, Forked) == (None, [])
    with pytest.raises(OSError, match="Broken pipe"):
        send(theirs, Forked(1))


def test_another_message_than_the_one_expected(pair):
    ours, theirs = pair
    send(ours, OfWorker(1, "end"))
    with pytest.raises(msgspec.ValidationError):
        receive(theirs, Forked)


def test_an_entry_point_is_a_module_and_a_name():
    assert entry_point("os.path:join") is os.path.join
    with pytest.raises(ModuleNotFoundError):
        entry_point("no_such_module:run")
    with pytest.raises(AttributeError):
        entry_point("os.path:no_such_function")
