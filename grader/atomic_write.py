"""Files that are written whole or not at all, whatever happens in between; also data as JSON, written and read."""

from __future__ import annotations

import contextlib
import os
import threading
from pathlib import Path
from typing import TypeVar

import msgspec

from grader.errors import MachineError

T = TypeVar("T")


def replace(path: Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write all of the new content or keep the old; `mode` limits who may read it from its first moment. Raises
    OSError.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        with open(temporary, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def write(path: Path, content: str | bytes) -> None:
    """Write all of a file or nothing of it, and make its folder.

    Raises:
        MachineError: the file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, content.encode("utf-8", "replace") if isinstance(content, str) else content)
    except OSError as error:
        raise MachineError(f"{path}: cannot be written: {error.strerror}") from error


def write_data(path: Path, data: object) -> None:
    """Write data as JSON that people can read. Raises MachineError, as `write` does."""
    write(path, msgspec.json.format(msgspec.json.encode(data), indent=1).decode() + "\n")


def read_data(path: Path, kind: type[T], missing: T, remedy: str) -> T:
    """Return the data of a JSON file; `missing` if there is no file.

    Raises:
        MachineError: the file is damaged; `remedy` says what to do then.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (FileNotFoundError, NotADirectoryError):
        return missing
    except (OSError, msgspec.MsgspecError) as error:
        raise MachineError(f"{path}: cannot be read: {error}; {remedy}") from error
