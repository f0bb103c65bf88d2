"""What the tests of confinement share: student code in a confined fork, as root and as an ordinary user."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from confined import AS_I_AM, ORDINARY, WARM_PARENT, Run, as_nobody, environment, interpreter_for_nobody


@pytest.fixture(scope="session")
def warm_parents() -> Iterator[dict[str, subprocess.Popen[str]]]:
    """Both at once: each takes two seconds to import torch."""
    programs: dict[str, tuple[str, dict[str, Any]]] = {AS_I_AM: (sys.executable, {"env": environment(), "cwd": "/"})}
    if os.geteuid() != 0:
        programs[ORDINARY] = programs[AS_I_AM]
    elif program := interpreter_for_nobody():
        programs[ORDINARY] = program, as_nobody()
    parents = {}
    for name, (program, options) in programs.items():
        command = [program, "-c", WARM_PARENT, "alone" if name == AS_I_AM else "shared"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        parents[name] = subprocess.Popen(command, **pipes, **options)
    yield parents
    for parent in parents.values():
        parent.communicate(timeout=10)
        assert parent.returncode == 0


@pytest.fixture(params=[AS_I_AM, ORDINARY])
def run(request: pytest.FixtureRequest, warm_parents: dict[str, subprocess.Popen[str]]) -> Run:
    """Run student code in a confined fork of a fork server; what it said, its exit status, the layers."""
    parent = warm_parents.get(request.param)
    if parent is None:
        pytest.skip("an ordinary user cannot start this Python")

    def run_one(code: str, **limits: int) -> dict[str, Any]:
        assert parent.stdin
        assert parent.stdout
        request = {"code": code, "limits": {"memory_bytes": 1 << 30, "cpu_seconds": 20, **limits}}
        parent.stdin.write(json.dumps(request) + "\n")
        parent.stdin.flush()
        answer: dict[str, Any] = json.loads(parent.stdout.readline())
        return answer

    return run_one
