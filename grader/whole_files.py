"""Files written whole or not at all, whatever happens in between."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from grader.errors import MachineError


def replace(path: Path, content: str | bytes) -> None:
    """All of the new content or the old one. Raises OSError."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def write(path: Path, text: str) -> None:
    """All of a file or nothing of it; its folder is made.

    Raises:
        MachineError: it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, text.encode("utf-8", "replace"))
    except OSError as error:
        raise MachineError(f"{path}: cannot be written: {error.strerror}") from error
