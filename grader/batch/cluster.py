"""Grading processes on the workers of a Dask cluster: submissions travel as text, reports come back as JSON.

A cluster's workers are the instructor's own machines; what crosses is trusted on both ends, as is the course, which
travels too. Students' code runs there as it does here: in confined workers of a fork server.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import distributed
import msgspec

from grader import packages
from grader.batch.grading_processes import ForkServer
from grader.batch.pool import GradingPool, cores
from grader.course import Course
from grader.course import course as courses
from grader.errors import CourseError, MachineError
from grader.intake import Submission
from grader.sandbox.processes import RunOptions

DOCTOR_SECONDS = 60.0
CONNECT_SECONDS = 10


class PoolPlugin(distributed.WorkerPlugin):
    """A worker's grading processes, one a thread, opened when the first submission comes; see `shares`."""

    def __init__(
        self, files: Mapping[str, bytes], options: RunOptions, environment: Mapping[str, str],
        shares: Mapping[str, tuple[int, int]],
    ) -> None:  # fmt: skip
        self._files = dict(files)
        self._options = options
        self._environment = dict(environment)
        self._shares = dict(shares)
        digest = hashlib.sha256(repr((sorted(self._files.items()), options)).encode())
        self.name = f"{packages.DISTRIBUTION}-{digest.hexdigest()[:16]}"

    def setup(self, worker: distributed.Worker) -> None:
        """Write the course where only this worker reads it, and start the fork server."""
        self._folder = Path(tempfile.mkdtemp(prefix=f"{packages.DISTRIBUTION}-", dir=worker.local_directory))
        for name, content in self._files.items():
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self._fork_server = ForkServer(self._environment, confined=True)
        mine = worker.state.nthreads
        before, together = self._shares.get(worker.address, (0, mine))  # a worker that came later is on its own
        places = cores(together)[before : before + mine]
        self.pool = GradingPool(self._fork_server, courses.load(self._folder), self._options, mine, places)

    def teardown(self, worker: distributed.Worker) -> None:
        """End the grading processes."""
        self._fork_server.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def shares(threads: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Return, by worker, how many grading processes come before its own on its host, and how many that host has in all.

    Args:
        threads: the threads of each worker, by address.
    """
    hosts: dict[str, list[str]] = {}
    for address in sorted(threads):
        hosts.setdefault(address.rpartition(":")[0], []).append(address)
    return {
        address: (sum(threads[a] for a in there[:number]), sum(threads[a] for a in there))
        for there in hosts.values()
        for number, address in enumerate(there)
    }


def grade_here(plugin: str, submission: dict[str, Any], fingerprint: str, seed: int) -> str:
    """Runs on a worker: the report as JSON."""
    here = distributed.get_worker().plugins[plugin]
    assert isinstance(here, PoolPlugin)
    return here.pool.grade(msgspec.convert(submission, Submission), fingerprint, seed)


def facts(*names: str) -> dict[str, Any]:
    """Runs on a worker: its versions, and whether its doctor lets strangers' code in."""
    command = [sys.executable, "-m", "grader", "doctor"]
    doctor = subprocess.run(command, capture_output=True, text=True, timeout=DOCTOR_SECONDS, check=False)
    return {
        **versions(*names),
        "doctor": "" if doctor.returncode == 0 else doctor.stdout[-2000:] + doctor.stderr[-2000:],
    }


def versions(*names: str) -> dict[str, str]:
    """Return the versions that both ends must share for a course with these packages, since scores depend on them."""
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, **{name: packages.version(name) or "none" for name in (packages.DISTRIBUTION, *names)}}


class ClusterPool:
    """Grades on a cluster what `GradingPool` grades here.

    Args:
        address: `tcp://host:8786`, or a scheduler file.

    Raises:
        CourseError: there is no scheduler at the address.
        MachineError: no workers, or one that has other versions or cannot build the sandbox.
    """

    def __init__(self, address: str, course: Course, options: RunOptions, environment: Mapping[str, str]) -> None:
        if address.endswith(".json") and not Path(address).is_file():  # Dask would wait for it for ever
            raise CourseError(f"--cluster {address}: no scheduler answers there (there is no such file)")
        where = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
        try:
            self._client = distributed.Client(**where, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise CourseError(f"--cluster {address}: no scheduler answers there ({error})") from error
        try:
            self._check_workers(course.settings.arrays, *course.settings.packages)
            self._plugin = PoolPlugin(course_files(course), options, environment, shares(self._client.nthreads()))
            self._client.register_plugin(self._plugin)
        except BaseException:
            self._client.close()
            raise
        self.where = f"cluster {address}"
        self._resources = {"CUDA": 1} if options.device == "cuda" else None
        self.threads = sum(self._client.nthreads().values())
        self._tasks: set[Any] = set()

    def _check_workers(self, *names: str) -> None:
        mine = versions(*names)
        found = self._client.run(facts, *names)
        if not found:
            raise MachineError("the cluster has no workers; start some, for example `dask worker ADDRESS`")
        for worker, theirs in sorted(found.items()):
            for name, version in mine.items():
                if theirs[name] != version:
                    raise MachineError(f"worker {worker} has {name} {theirs[name]}, this machine has {version}")
            if theirs["doctor"]:
                raise MachineError(f"worker {worker} cannot build the sandbox:\n{theirs['doctor']}")

    def grade(self, submission: Submission, fingerprint: str, seed: int) -> str:
        """The report as JSON. A worker that dies is retried elsewhere by the scheduler.

        Raises:
            MachineError: it could not be graded anywhere.
        """
        task = self._client.submit(
            grade_here, self._plugin.name, msgspec.to_builtins(submission), fingerprint, seed,
            pure=False, retries=1, resources=self._resources,
        )  # fmt: skip
        self._tasks.add(task)
        try:
            report: str = task.result()
            return report
        except distributed.KilledWorker as error:
            raise MachineError(f"several workers died while grading it: {error}") from error
        finally:
            self._tasks.discard(task)

    def abandon(self) -> None:
        self._client.cancel(list(self._tasks), force=True)

    def close(self) -> None:
        """Leave the cluster as it was."""
        self._client.unregister_worker_plugin(self._plugin.name)
        self._client.close()


def course_files(course: Course) -> dict[str, bytes]:
    """Return the files of the course that a grading process needs, with their contents by relative name."""
    paths = [course.root / "course.yaml", *(f(e.id) for e in course.exercises for f in (course.solution, course.suite))]
    paths += [*course.beside_suites(), *filter(None, [course.class_file()])]
    return {path.relative_to(course.root).as_posix(): path.read_bytes() for path in paths}
