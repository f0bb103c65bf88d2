"""Lanes seen from the command line: start the warm parent, ask it for lanes, send them work, replace them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grader import portable, warm
from grader.channel import OWN_CAP, Channel, ChannelError
from grader.course import Course, Limits
from grader.errors import CourseError, MachineError
from grader.submission import Submission

START_SECONDS = 120.0
SPARE_SECONDS = 60.0
DRIVER = Path("/dev/nvidiactl")  # there wherever NVIDIA's driver is
LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}  # fewer of them to share with each worker that is forked
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from grader import warm; warm.main(int(sys.argv[2]))"


class Warm:
    """The warm parent on Linux; elsewhere a starter of separate processes.

    Args:
        environment: what the started processes see, nothing else.
        confined: whether workers are confined by every layer that the machine offers.
    """

    def __init__(self, environment: Mapping[str, str], confined: bool) -> None:
        self._environment = dict(environment)
        self._confined = confined
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 -- closed in close()
        self._process: subprocess.Popen[bytes] | None = None
        self._asked = False
        self._asking = threading.Lock()  # two answers could otherwise arrive as one
        if sys.platform != "linux":
            return
        self._control, theirs = socket.socketpair()
        root = str(Path(__file__).resolve().parent.parent)
        command = [sys.executable, "-I", "-X", "utf8", "-c", _BOOT, root, str(theirs.fileno())]
        self._process = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], env={**LARGE_PAGES, **self._environment}, stdin=subprocess.DEVNULL,
            stdout=self._log, stderr=self._log, cwd="/", start_new_session=True,
        )  # fmt: skip
        theirs.close()

    def lane(self, course: Course, options: Mapping[str, Any], core: int | None = None) -> Lane:
        """A lane with the course opened; it and its workers keep to `core`, if that is given.

        Raises:
            CourseError: suites or solutions are broken.
            MachineError: it could not be started.
        """
        if self._process is None:
            process, sock = portable.start("lane", self._log.fileno(), self._environment)
            lane = Lane(Channel(sock, header_cap=OWN_CAP), course.settings.limits, process)
        else:
            ours, theirs = socket.socketpair()
            may_use_cuda = options["device"] != "cpu" and "cuda" in course.settings.devices and DRIVER.exists()
            limits = worker_limits(course.settings.limits, may_use_cuda)
            request = {"op": "lane", "limits": limits, "confined": self._confined, "core": core}
            try:
                with self._asking:
                    self._asked = True
                    warm.send(self._control, request, [theirs.fileno()])
                    started, _ = warm.receive(self._control, 0)
            except OSError:
                started = None
            theirs.close()
            if started is None:
                ours.close()
                raise MachineError(f"the process that imports torch did not start: {self.log()}")
            lane = Lane(Channel(ours, header_cap=OWN_CAP), course.settings.limits, None, tuple(started["pids"]))
        try:
            opened = lane.ask({"op": "open", "course": str(course.root), "options": dict(options)}, START_SECONDS)
        except BaseException:
            lane.close()
            raise
        lane.isolation = tuple(opened["isolation"])
        return lane

    def log(self) -> str:
        """The end of what the processes printed."""
        self._log.seek(0, 2)
        self._log.seek(max(0, self._log.tell() - 2000))
        return self._log.read().decode("utf-8", "replace").strip()

    def close(self) -> None:
        """End every process."""
        if self._process is not None:
            self._control.close()
            if self._asked:  # else it has started nothing, and may not have imported torch yet
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(5)
            self._process.kill()
            self._process.wait()
        self._log.close()


def worker_limits(limits: Limits, watched: bool) -> dict[str, int]:
    """What `confine.Limits` takes. `watched`: workers may use a GPU, whose driver no address space limit fits."""
    return {
        "memory_bytes": limits.memory_mb << 20, "cpu_seconds": int(limits.exercise_seconds) + 1,
        "open_files": limits.open_files, "threads": limits.threads, "watched": watched,
    }  # fmt: skip


class Lane:
    """One process that grades, one submission at a time."""

    def __init__(
        self, channel: Channel, limits: Limits, process: subprocess.Popen[bytes] | None, forked: tuple[int, ...] = ()
    ) -> None:
        self._channel = channel
        self._limits = limits
        self._process = process
        self._forked = forked
        self.isolation: tuple[str, ...] = ()

    def grade(self, submission: Submission, fingerprint: str, seed: int, only: Sequence[str] = ()) -> str:
        """The report as JSON, on the exercises of `only` if it names any.

        Raises:
            MachineError: the lane died, hung or met a fault that is not the student's; it is to be closed.
        """
        seconds = self._limits.submission_seconds + SPARE_SECONDS
        request = {"op": "grade", "submission": submission.to_json(), "fingerprint": fingerprint, "seed": seed}
        request["only"] = list(only)
        report: str = self.ask(request, seconds)
        return report

    def ask(self, request: dict[str, Any], seconds: float) -> Any:
        """The answer to one request; raises CourseError or MachineError."""
        deadline = time.monotonic() + seconds
        try:
            self._channel.send(request, deadline=deadline)
            reply, _ = self._channel.receive(deadline)
        except ChannelError as error:
            raise MachineError(f"the grading process was lost ({type(error).__name__})") from error
        if "course" in reply:
            raise CourseError(reply["course"])
        if "machine" in reply:
            raise MachineError(reply["machine"])
        return reply["ok"]

    def abandon(self) -> None:
        """End what it is doing, called from another thread: a `grade` that waits raises MachineError."""
        if self._process is not None:
            self._process.kill()
        for pid in self._forked:  # the warm parent never reaps them, so that the ids stay theirs
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def close(self) -> None:
        self._channel.close()
        if self._process is not None:
            portable.stop(self._process)
