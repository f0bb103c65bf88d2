"""Grading processes seen from the command line: start the fork server, have it fork them, send them work."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

import grader
from grader import packages
from grader.course import Course, Limits
from grader.errors import CourseError, MachineError
from grader.intake import Submission
from grader.sandbox.confinement import ProcessLimits, nvidia
from grader.sandbox.processes import (
    OWN_CAP,
    Channel,
    ChannelError,
    DeadlinePassed,
    Done,
    GradingStarted,
    Message,
    Open,
    Opened,
    Run,
    RunFailed,
    RunOptions,
    StartGrading,
    portable,
    receive,
    send,
)  # fmt: skip
from grader.texts import one_line

START_SECONDS = 120.0
IMPORT_FAILED = re.compile(r"(ImportError|ModuleNotFoundError|OSError): ")
NO_MEMORY = re.compile(r"bad_alloc|MemoryError|Cannot allocate memory")
MOST_QUOTED = 200  # characters of what a process said last
SPARE_SECONDS = 60.0
ORPHANED_SECONDS = 0.5  # between the death of what was forked and that of who forked it
STARTED_AGAIN = 2  # times, if somebody ends the fork server
BUSY_MACHINE = 10.0  # times its limit: how long a submission may take by the clock, whatever it waits for
GPU_FILES = 256  # its driver alone holds some thirty open
LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}  # fewer of them to share with each worker that is forked
GRADING, GRADE = "grader.grading.process:main", "grader.grading.process:graded"
SHOW_STEPS = "grader.grading.shown_steps:shown"
AUTHORING = "grader.authoring.service"  # a module, whose functions a grading process runs for authors
_WORKER, _PREPARE = "grader.sandbox.worker.worker:run", "grader.sandbox.worker.preload:preload"
_WITHHOLD = "grader.sandbox.worker.worker:prepare"
_BOOT = (  # no collection finds garbage in what is imported, and those of a growing heap take a sixth of the import
    "import gc, sys; gc.disable(); sys.path.insert(0, sys.argv[1]); from grader.sandbox.processes import fork_server; "
    "fork_server.main(int(sys.argv[2]), sys.argv[3])"
)
_LEARNING = threading.Lock()  # msgspec learns a type when it first meets one, and two threads that do so at once crash
T = TypeVar("T")


class ForkServer:
    """The fork server on Linux; elsewhere a starter of separate processes.

    Args:
        environment: what the started processes see, nothing else.
        confined: whether workers are confined by every layer that the machine offers.
    """

    def __init__(self, environment: Mapping[str, str], confined: bool) -> None:
        self._environment = dict(environment)
        self._confined = confined
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 -- closed in close()
        self._process: subprocess.Popen[bytes] | None = None
        self._started_again = 0
        self._pools = -1  # that may use a GPU, counted from 0
        self._asking = threading.Lock()  # two answers could otherwise arrive as one
        if sys.platform == "linux":
            self._start()

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        self._asked, self._said_before = False, self._printed()
        root = str(Path(grader.__path__[0]).resolve().parent)
        command = [sys.executable, "-I", "-X", "utf8", "-c", _BOOT, root, str(theirs.fileno()), _PREPARE]
        self._process = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], env={**LARGE_PAGES, **self._environment}, stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=self._log, cwd="/", start_new_session=True,
        )  # fmt: skip
        theirs.close()

    def grading_process(self, course: Course, options: RunOptions, core: int | None = None) -> GradingProcess:
        """A grading process with the course opened; it and its workers keep to `core`, if that is given.

        Raises:
            CourseError: suites or solutions are broken.
            MachineError: it could not be started.
        """
        while True:
            process = self._made(course, options, core)
            try:
                opened = process.exchange(Open(os.fsencode(course.root), options), Opened, START_SECONDS)
            except BaseException as error:
                process.close()
                if isinstance(error, MachineError) and process.orphaned():
                    continue  # so often as the fork server is started again
                raise
            process.isolation = opened.isolation
            return process

    def _made(self, course: Course, options: RunOptions, core: int | None) -> GradingProcess:
        printed, limits = self._printed(), course.settings.limits  # so far, by others
        if self._process is None:
            started, sock = portable.start(GRADING, self._log.fileno(), self._environment)
            return GradingProcess(sock, limits, lambda: self.log(printed), started)
        card = self._card_for(course, options)
        gpu = None if card is None else gpu_limits(limits, card)
        request = StartGrading(GRADING, _WORKER, worker_limits(limits), self._confined, core, gpu, _WITHHOLD)
        with self._asking:
            while (forked := self._forked(request)) is None:
                self._start_again()
            sock, pids = forked
            return GradingProcess(sock, limits, lambda: self.log(printed), forked=pids, server=self._process)

    def _forked(self, request: StartGrading) -> tuple[socket.socket, tuple[int, int]] | None:
        """The socket to a new grading process, and the process ids of its worker pool and its own.

        None where the fork server is gone.
        """
        ours, theirs = socket.socketpair()
        self._asked, started = True, None
        with contextlib.suppress(OSError), theirs:
            send(self._control, request, [theirs.fileno()])
            started, _ = receive(self._control, GradingStarted)
        if started is None:
            ours.close()
            return None
        return ours, started.pids

    def _start_again(self) -> None:
        """Have a fork server again after it was ended. Raises MachineError where that was done often or cannot help."""
        said = self.log(self._said_before)
        if self._started_again == STARTED_AGAIN or IMPORT_FAILED.match(last_line(said)):
            raise MachineError(why_ended(said, "imports torch"))
        self._started_again += 1
        self._end()
        self._start()

    def _card_for(self, course: Course, options: RunOptions) -> int | None:
        """The GPU that the workers of the next grading process may use, each in its turn; None for the CPU alone."""
        if options.device == "cpu" or "cuda" not in course.settings.devices or not (cards := nvidia.cards()):
            return None
        self._pools += 1
        return cards[self._pools % len(cards)]

    def log(self, since: int = 0) -> str:
        """The end of what the processes printed, after the first `since` bytes."""
        if self._log.closed:
            return ""
        self._log.seek(max(since, self._printed() - 2000))
        return self._log.read().decode("utf-8", "replace").strip()

    def _printed(self) -> int:
        return os.fstat(self._log.fileno()).st_size

    def close(self) -> None:
        """End every process."""
        self._end()
        self._log.close()

    def _end(self) -> None:
        if self._process is not None:
            self._control.close()
            if self._asked:  # else it has started nothing, and may not have imported torch yet
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(5)
            self._process.kill()
            self._process.wait()


def why_ended(log: str, does: str) -> str:
    """One sentence on a process of ours that is gone: the last line of a traceback says enough."""
    last = last_line(log)
    if IMPORT_FAILED.match(last):
        name = next((name for name in packages.KNOWN if f"{name}" in last), "PyTorch")
        return f"{name} cannot be started here ({last}); install it again: `make setup`, or the README's pip command"
    if not last or NO_MEMORY.search(last):
        return (
            f"the process that {does} was ended from outside, most likely because memory ran out; close other programs "
            "and try again"
        )
    return f"the process that {does} ended by itself ({last}); try again, and should it happen again, run `make setup`"


def last_line(log: str) -> str:
    """Return the last line of what a process wrote to its log; "" if it wrote nothing."""
    return one_line(log.splitlines()[-1], MOST_QUOTED) if log else ""


def worker_limits(limits: Limits) -> ProcessLimits:
    """Return the limits of one worker, which runs one file."""
    seconds = int(limits.exercise_seconds) + 1
    return ProcessLimits(limits.memory_mb << 20, seconds, limits.open_files, limits.threads)


def gpu_limits(limits: Limits, card: int) -> ProcessLimits:
    """The same for one that runs all files of a submission on this GPU."""
    seconds, files = int(limits.submission_seconds) + 1, max(limits.open_files, GPU_FILES)
    return ProcessLimits(limits.memory_mb << 20, seconds, files, limits.threads, card=card)


class GradingProcess:
    """One process that grades, one submission at a time, seen from the command line."""

    def __init__(
        self, sock: socket.socket, limits: Limits, log: Callable[[], str],
        process: subprocess.Popen[bytes] | None = None, forked: tuple[int, ...] = (),
        server: subprocess.Popen[bytes] | None = None,
    ) -> None:  # fmt: skip
        self._channel = Channel(sock, Done | RunFailed, message_cap=OWN_CAP)
        self._limits = limits
        self._log = log
        self._process = process
        self._forked, self._server = forked, server
        self.isolation: tuple[str, ...] = ()

    def grade(
        self, submission: Submission, fingerprint: str, seed: int, only: Sequence[str] = (), by: str = GRADE
    ) -> str:
        """The report as JSON, on the exercises of `only` if it names any; `by`: the function that grades.

        Raises:
            MachineError: it died, hung or met a fault that is not the student's; it is to be closed.
        """
        seconds = BUSY_MACHINE * self._limits.submission_seconds + SPARE_SECONDS
        return self.ask(by, str, seconds, submission, fingerprint, str(seed), tuple(only))

    def ask(self, function: str, expects: type[T], seconds: float, *arguments: object) -> T:
        """Return what a function, `module:name`, gives for the open course; raises CourseError or MachineError."""
        return self.exchange(Run(function, arguments), expects, seconds)

    def exchange(self, request: Message, expects: type[T], seconds: float) -> T:
        """The answer to one request; raises as `ask` does."""
        deadline = time.monotonic() + seconds
        try:
            self._channel.send(request, deadline=deadline)
            reply = self._channel.receive(deadline).message
        except DeadlinePassed as error:
            late = f"the process that grades did not answer within {seconds:.0f} s"
            raise MachineError(f"{late}; try again when the machine is less busy") from error
        except ChannelError as error:
            raise MachineError(why_ended(self._log(), "grades")) from error
        if isinstance(reply, RunFailed):
            raise (CourseError if reply.of_course else MachineError)(reply.reason)
        with _LEARNING:
            return msgspec.convert(reply.result, expects)

    def orphaned(self) -> bool:
        """Return True if the process ended because the fork server did, whose end ends every process that it forked."""
        if self._server is None:
            return False
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._server.wait(ORPHANED_SECONDS)
            return True
        return False

    def abandon(self) -> None:
        """End what it is doing, called from another thread: a `grade` that waits raises MachineError."""
        if self._process is not None:
            self._process.kill()
        for pid in self._forked:  # the fork server never reaps them, so that the ids stay theirs
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def close(self) -> None:
        self._channel.close()
        if self._process is not None:
            portable.stop(self._process)
