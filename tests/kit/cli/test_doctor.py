"""`grader doctor` says what this machine can do."""

from __future__ import annotations

import sys

import pytest
from commands import in_a_process

from grader.sandbox import confinement
from grader.sandbox.confinement.layers import Layer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]


def test_doctor():
    done = in_a_process("doctor")
    names = [line.split()[1] for line in done.stdout.splitlines() if line.startswith(("✔", "✘"))]
    names = [name for name in names if name != "gpu"]  # of which a machine may have one, see test_gpu_survey.py
    assert names == ["landlock", "seccomp", "rlimits", "namespaces", "root"]
    safe = "can run strangers' code here" in done.stdout
    assert done.returncode == (0 if safe else 3)
    assert safe or "will refuse to run here" in done.stdout


def test_doctor_says_what_to_do(grader, monkeypatch):
    layer = Layer("landlock", False, "not in this kernel", "use Linux 5.13")
    monkeypatch.setattr(confinement, "survey", lambda: (layer,))
    code, out, _ = grader("doctor")
    assert code == 3
    assert "✘ landlock     not in this kernel" in out
    assert "use Linux 5.13" in out
    assert "`grader grade` will refuse to run here." in out
