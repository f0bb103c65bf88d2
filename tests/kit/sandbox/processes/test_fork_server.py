"""The fork server as a program of its own: what it forks, what those hold, and that all end with it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from support import ROOT, alive, descendants, wait_until

from grader.sandbox.confinement import ProcessLimits
from grader.sandbox.processes import GradingStarted, StartGrading, receive, send

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

BOOT = (
    f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests' / 'kit')!r}]; import forked\n"
    "from grader.sandbox.processes import fork_server; fork_server.main(int(sys.argv[1]), 'forked:prepare')"
)
LIMITS = ProcessLimits(memory_bytes=1 << 28, cpu_seconds=10)


@dataclass
class Server:
    """The program, and the way to what it forked."""

    program: subprocess.Popen[bytes]
    control: socket.socket
    clients: list[socket.socket] = field(default_factory=list)

    def fork(self, core: int | None = None, confined: bool = False) -> tuple[Ask, tuple[int, int]]:
        """A grading process to ask things, and the ids of its pool and its own."""
        ours, theirs = socket.socketpair()
        send(self.control, StartGrading("forked:service", "forked:worker", LIMITS, confined, core), [theirs.fileno()])
        theirs.close()
        started, _ = receive(self.control, GradingStarted)
        assert started is not None
        self.clients.append(ours)
        return Ask(ours), started.pids


@dataclass
class Ask:
    sock: socket.socket

    def __call__(self, code: str) -> str:
        self.sock.sendall(code.encode())
        return self.sock.recv(1 << 16).decode()


@pytest.fixture
def server() -> Iterator[Server]:
    """It sees one variable of ours, and has one descriptor that it should not pass on."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-I", "-c", BOOT, str(theirs.fileno())]
    environment = {"PATH": os.environ["PATH"]}
    program = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment, cwd="/")
    theirs.close()
    made = Server(program, ours)
    yield made
    for sock in (ours, *made.clients):
        sock.close()
    program.kill()
    program.wait()


def test_it_forks_a_pool_and_a_grading_process(server: Server) -> None:
    ask, (pool, grading) = server.fork()
    assert ask("os.getpid()") == str(grading)
    assert {pool, grading} == descendants(server.program.pid)


def test_it_prepares_once_for_all_that_it_forks(server: Server) -> None:
    asks = [server.fork()[0] for _ in range(2)]
    assert [ask("PREPARED") for ask in asks] == [f"[{server.program.pid}]"] * 2


WORKER = "worker if (worker := pool.start()).wait_until_ready() is None else None"
LINKS = "[os.readlink(path).split(':')[0] for fd in range(3, 64) if os.path.lexists(path := f'/proc/self/fd/{fd}')]"


def test_what_it_forks_holds_no_secret(server: Server) -> None:
    """Nothing of the environment, no open file, no suite; and workers descend from the pool alone."""
    ask, (pool, _) = server.fork()
    assert eval(ask("sorted(os.environ)")) == [
        "LC_CTYPE", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH",
    ]  # fmt: skip
    assert eval(ask(LINKS)) == ["socket", "socket"]  # the client, the pool
    assert ask("[m for m in sys.modules if m.startswith(('hidden', 'solutions', '_pytest', 'grader.suites'))]") == "[]"
    assert ask(f"told({WORKER}, 'os.getppid()')") == repr(str(pool))


def test_a_worker_has_its_channel_and_its_output_open_and_no_more(server: Server) -> None:
    ask, _ = server.fork()
    assert eval(eval(ask(f"told({WORKER}, {LINKS!r})"))) == ["socket", "anon_inode"]  # the channel, how it waits for it


def test_a_confined_worker_is_refused_what_its_pool_may_do(server: Server) -> None:
    ask, _ = server.fork(confined=True)
    assert ask(f"told({WORKER}, 'os.listdir(\"/\")')") == "'PermissionError'"
    assert set(eval(ask("pool.layers"))) >= {"landlock", "seccomp", "rlimits"}


def test_a_pair_keeps_to_its_core(server: Server) -> None:
    core = min(os.sched_getaffinity(0))
    ask, (pool, grading) = server.fork(core)
    assert ask(f"told({WORKER}, 'os.sched_getaffinity(0)')") == repr(repr({core}))
    assert os.sched_getaffinity(pool) == os.sched_getaffinity(grading) == {core}


def test_all_end_when_the_control_socket_closes(server: Server) -> None:
    ask, _ = server.fork(confined=True)
    ask("pool.start().wait_until_ready()")
    server.fork()
    started = descendants(server.program.pid)
    assert len(started) >= 5  # two pairs and a worker; a guard where there are namespaces
    server.control.close()
    assert server.program.wait(5) == 0
    assert wait_until(lambda: not any(map(alive, started)))


def test_all_end_when_it_is_killed(server: Server) -> None:
    ask, _ = server.fork(confined=True)
    ask("pool.start().wait_until_ready()")
    started = descendants(server.program.pid)
    server.program.kill()
    assert wait_until(lambda: not any(map(alive, started)))


def test_a_worker_ends_with_its_grading_process(server: Server) -> None:
    ask, (_, grading) = server.fork(confined=True)
    ask("pool.start().wait_until_ready()")
    started = descendants(server.program.pid) - {grading}
    os.kill(grading, 9)
    assert wait_until(lambda: not any(map(alive, started)))
    assert Path(f"/proc/{server.program.pid}").exists()
    other, _ = server.fork()
    assert other("1 + 1") == "2"
