"""A confined process to try things in: forks of a fork server, and small programs of their own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
PACKAGES = next((p for p in sys.path if Path(p, "torch").is_dir()), "")
AS_I_AM, ORDINARY = "as I am, in namespaces", "as an ordinary user, without namespaces"
Run = Callable[..., dict[str, Any]]

WARM_PARENT = """
import json, os, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"
from grader.sandbox.confinement import layers
from grader.sandbox.worker.preload import preload
alone = sys.argv[1] == "alone"
preload()
entered = layers.enter_namespaces() if alone else ()
root = layers.own_root() if "mounts" in entered else None
plans = {}
for line in sys.stdin:
    request = json.loads(line)
    key = json.dumps(request["limits"])
    if key not in plans:
        plans[key] = layers.prepare(layers.ProcessLimits(**request["limits"]), layers.default_readable(), root)
    plan, code = plans[key], compile(request["code"], "student.py", "exec")
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        names = {"PARENT": os.getppid(), "__name__": "student"}
        try:
            for fd in (1, 2):
                os.dup2(writing, fd)
            layers.confine(plan)
            os.closerange(3, 1 << 16)
            exec(code, names)
            answer = f"ok {names.get('result')!r}"
        except BaseException as error:
            answer = f"{type(error).__name__}: {error}"
        sys.stdout.flush()
        os.write(1, ("\\n=> " + answer).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps({"said": said, "status": status, "layers": plan.layers + entered}), flush=True)
os._exit(0)
"""


def interpreter_for_nobody() -> str:
    """A Python of this version that an ordinary user can start, "" if there is none (pyenv in /root)."""
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for program in filter(None, (sys.executable, shutil.which(name, path="/usr/local/bin:/usr/bin"))):
        try:
            command = [program, "-c", "import grader.sandbox.confinement.layers, typing_extensions"]
            subprocess.run(command, check=True, capture_output=True, **as_nobody())
            return program
        except (OSError, subprocess.CalledProcessError):
            continue
    return ""


def as_nobody() -> dict[str, Any]:
    return {"user": NOBODY, "group": NOBODY, "extra_groups": [], "env": environment(), "cwd": "/"}


def environment() -> dict[str, str]:
    return {"PYTHONPATH": f"{ROOT}:{PACKAGES}", "PYTHONDONTWRITEBYTECODE": "1"}


def outcome(answer: dict[str, Any]) -> str:
    return str(answer["said"].rpartition("\n=> ")[2])


# Without torch: programs of their own, which print and are looked at from outside.


def start(code: str, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-u", "-c", code]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/", env=environment(), **options)


def finish(program: subprocess.Popen[str]) -> str:
    """What it printed from here on; the pipe ends when its last holder has died."""
    return program.communicate(timeout=10)[0]


def said(code: str) -> str:
    return finish(start(code))
