"""Installed distributions: the engine, and the packages beside numpy and torch that a course's line `packages` names.

A process that is started for such a course has their names in its environment, and `parts` imports them.
"""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Iterable

from grader.errors import MachineError

DISTRIBUTION = "numeric-grader"
"""What the engine is installed as; pyproject.toml names it too."""
VARIABLE = "GRADER_PACKAGES"
KNOWN = ("pandas", "scipy")
"""Those whose values cross to a student's code and back, see `parts`."""


def asked() -> tuple[str, ...]:
    """Return the names of the packages that this process was started for."""
    return tuple(name for name in KNOWN if name in os.environ.get(VARIABLE, "").split())


def version(name: str) -> str:
    """Return the version that is installed here; "" if there is none."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def versions(names: Iterable[str]) -> dict[str, str]:
    """Return the versions that are installed here, by name.

    Raises:
        MachineError: one of these packages is not installed.
    """
    found = {name: version(name) for name in names}
    if absent := [name for name in found if not found[name]]:
        raise MachineError(
            f"this course uses {' and '.join(absent)}, not installed here: `pip install {' '.join(absent)}`, or in a "
            "student's copy `pip install --editable .`, which brings the versions of the course; nothing was checked"
        )
    return found
