"""A real Dask cluster of two worker processes: the same reports as here, also when one of them is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import OPTIONS, TOY, solution

pytestmark = pytest.mark.slow

distributed = pytest.importorskip("distributed", reason="the cluster extra is not installed")
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """The scheduler file of a cluster with two workers of one thread each."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    places = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0", "--scheduler-file", str(file)]
    started = [subprocess.Popen([str(BIN / "dask"), "scheduler", *places], **quiet)]
    worker = ["worker", "--scheduler-file", str(file), "--nworkers", "2", "--nthreads", "1", "--no-dashboard"]
    started.append(subprocess.Popen([str(BIN / "dask"), *worker, "--local-directory", str(folder)], **quiet))
    client = None
    try:
        deadline = time.monotonic() + 60
        while not file.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        client = distributed.Client(scheduler_file=str(file), set_as_default=False)
        client.wait_for_workers(2, timeout=60)
        yield file
    finally:
        if client is not None:
            client.close()
        for process in reversed(started):
            process.terminate()
            process.wait(30)


@pytest.fixture
def students(tmp_path):
    for number in range(12):
        folder = tmp_path / "class" / f"s{number:02}"
        folder.mkdir(parents=True)
        (folder / "scale.py").write_text(solution("scale") if number % 3 else "def scale(x): return x\n")
        (folder / "pair.py").write_text(solution("pair"))
    return tmp_path / "class"


def grade(students: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "grader", "grade", str(students), "--out", str(out), "--seed", "3"]
    command += ["--course", str(TOY), "--lang", "en", *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def reports(out: Path) -> dict[str, dict]:
    found = {}
    for path in (out / "reports").glob("*.json"):
        found[path.name] = json.loads(path.read_text(encoding="utf-8"))
        for exercise in found[path.name]["exercises"]:
            for check in exercise["checks"]:
                check["seconds"] = 0
    return found


def finished(process: subprocess.Popen[str]) -> str:
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    return output


def test_a_cluster_gives_the_same_reports_though_a_worker_dies(scheduler, students, tmp_path):
    finished(grade(students, tmp_path / "here"))
    running = grade(students, tmp_path / "there", "--cluster", str(scheduler))
    deadline = time.monotonic() + 60
    while not list((tmp_path / "there").glob("reports/s*.json")) and time.monotonic() < deadline:
        time.sleep(0.02)
    with distributed.Client(scheduler_file=str(scheduler), set_as_default=False) as client:
        pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)
    output = finished(running)
    assert "12 graded, 0 not graded" in output
    assert reports(tmp_path / "there") == reports(tmp_path / "here")


def test_no_scheduler_at_the_address(students, tmp_path):
    missing = tmp_path / "scheduler.json"
    process = grade(students, tmp_path / "out", "--cluster", str(missing))
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 2
    assert f"--cluster {missing}: no scheduler answers there" in output


def test_another_version_is_refused_with_both_named(scheduler, monkeypatch):
    from grader.batch import cluster
    from grader.course import course as courses
    from grader.errors import MachineError

    other = {**cluster.versions("torch"), "torch": "1.0"}
    monkeypatch.setattr(cluster, "versions", lambda arrays: other)
    with pytest.raises(MachineError, match=r"worker .* has torch \d.*, this machine has 1\.0"):
        cluster.ClusterPool(str(scheduler), courses.load(TOY), OPTIONS, {})


def test_a_course_of_numpy_asks_for_no_torch_on_the_workers(scheduler):
    from grader.batch import cluster
    from grader.course import course as courses

    assert [*cluster.versions("numpy")] == ["python", "numeric-grader", "numpy"]
    pool = cluster.ClusterPool(str(scheduler), courses.load(TOY.with_name("toy_numpy")), OPTIONS, {})
    pool.close()
    assert pool.threads == 2


def test_a_course_travels_whole(toy_copy, tmp_path):
    """With what suites read beside themselves: their texts, and the library that they share, with its arrays."""
    from grader.batch import cluster
    from grader.course import course as courses

    hidden = toy_copy / "tests" / "hidden"
    (hidden / "scale.yaml").write_text('adds_instead: "It adds."\n', encoding="utf-8")
    (hidden / "lib").mkdir()
    (hidden / "lib" / "shared.py").write_text("SHAPE = (2, 3)\n", encoding="utf-8")
    (hidden / "lib" / "weights.npy").write_bytes(b"\x93NUMPY")
    (hidden / "lib" / "mistakes.yaml").write_text('in_place: "The input is changed."\n', encoding="utf-8")
    here = courses.load(toy_copy)
    for name, content in cluster.course_files(here).items():
        path = tmp_path / "there" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    there = courses.load(tmp_path / "there")
    assert there.digests() == here.digests()
    assert [p.name for p in there.beside_suites()] == ["mistakes.yaml", "shared.py", "weights.npy", "scale.yaml"]


def test_workers_of_one_host_share_its_cores():
    threads = {"tcp://10.0.0.1:2": 2, "tcp://10.0.0.1:1": 1, "tcp://10.0.0.2:1": 4}
    from grader.batch import cluster  # needs the extra

    assert cluster.shares(threads) == {
        "tcp://10.0.0.1:1": (0, 3), "tcp://10.0.0.1:2": (1, 3), "tcp://10.0.0.2:1": (0, 4),
    }  # fmt: skip
