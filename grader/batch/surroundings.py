"""What surrounds a run: our version, the environment that started processes see, the language of the system."""

from __future__ import annotations

import importlib.metadata
import locale
import os
import sys

# What Python needs to start; nothing else is passed on. Where strangers are graded, PATH would tell of the instructor.
KEPT = ("LD_LIBRARY_PATH",) if sys.platform == "linux" else ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP")


def environment() -> dict[str, str]:
    """What the processes that grade see of ours."""
    return {k: os.environ[k] for k in KEPT if k in os.environ}


def default_language() -> str:
    """`zh` in a Chinese locale, else `en`."""
    named = next((v for k in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(k))), None)
    return "zh" if (named or locale.getlocale()[0] or "").lower().startswith(("zh", "chinese")) else "en"


def kit_version() -> str:
    """The version of this package, "unknown" where it is not installed."""
    try:
        return importlib.metadata.version("attention-kit")
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
