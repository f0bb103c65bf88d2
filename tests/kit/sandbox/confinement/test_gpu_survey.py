"""`grader doctor` says what holds on a machine's GPU, layer by layer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from grader.sandbox.confinement import gpu_survey, landlock, nvidia, survey

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux only")


@pytest.fixture
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for /dev; links to devices that every machine has stand for the driver's."""
    monkeypatch.setattr(nvidia, "DEV", str(tmp_path))
    return tmp_path


def test_nothing_is_said_where_there_is_no_gpu(dev):
    assert gpu_survey.survey() == ()


def test_an_amd_card_is_named_as_not_supported(dev):
    (dev / "kfd").symlink_to("/dev/null")
    (layer,) = gpu_survey.survey()
    assert (layer.active, layer.detail) == (False, "AMD GPUs are not supported: checks run on the CPU")


def test_each_layer_of_an_nvidia_card(dev):
    for name in ("nvidiactl", "nvidia0"):
        (dev / name).symlink_to("/dev/zero")
    found = {layer.name: layer for layer in gpu_survey.survey()}
    here = {layer.name: layer.active for layer in survey()}
    assert [*found] == ["gpu devices", "gpu ioctl", "gpu calls", "gpu memory"]
    assert found["gpu devices"].active == here["landlock"]
    assert found["gpu ioctl"].active == (here["landlock"] and landlock.version() >= landlock.IOCTL_SINCE)
    assert found["gpu calls"].active == here["seccomp"]
    assert not found["gpu memory"].active  # /dev/zero is no card
    assert "nvidia-ml-py" in found["gpu memory"].remedy


def test_an_old_kernel_is_told_what_is_missing(dev, monkeypatch):
    for name in ("nvidiactl", "nvidia0"):
        (dev / name).symlink_to("/dev/zero")
    monkeypatch.setattr(landlock, "version", lambda: 4)
    ioctl = gpu_survey.survey()[1]
    assert not ioctl.active
    assert ioctl.detail == "Landlock 4 does not rule requests of devices"
    assert "Linux 6.10" in ioctl.remedy


def test_a_card_that_cannot_be_opened(dev):
    (dev / "nvidiactl").symlink_to("/dev/zero")
    (dev / "nvidia0").symlink_to("/dev/none")
    assert not gpu_survey.survey()[0].active
