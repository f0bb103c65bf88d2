"""Keeps output working on terminals and pipes that cannot show every character: missing ones are replaced."""

from __future__ import annotations

import codecs
import io
import json
import os
import sys
import unicodedata

from grader.texts import name

PLAIN = str.maketrans("✔✘→·█▓▒░│─…▸▾←↑↓▏×−–—’‘“”≤≥", "+x>.#%=-|-~>v<^v|x---''\"\"<>")
HANDLER = "grader.plain"
WIDE = ("W", "F")


def allow() -> None:
    """From now on replace characters that cannot be encoded, on stdout and stderr; a closed one ignores its output."""
    _open_closed()
    codecs.register_error(HANDLER, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def _open_closed() -> None:
    """Open standard streams that were closed at the start of the command: else the next file gets their number."""
    while (fd := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(fd, True)
    os.close(fd)
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:
            setattr(sys, stream, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 # as long as we run


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """Return similar characters that take as many columns."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end].translate(PLAIN)
    signs = (c if c.isascii() else "?" * (1 + (unicodedata.east_asian_width(c) in WIDE)) for c in missing)
    return "".join(signs), error.end


def shown_in(lang: str) -> str:
    """Return the language if stdout can show it, else English with a note."""
    try:
        name(lang).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        shown = "Chinese" if lang == "zh" else f"the language {lang}"
        said = f"grader: this terminal ({sys.stdout.encoding}) cannot show {shown}, so this is in English; try UTF-8"
        print(said, file=sys.stderr)
        return "en"
    return lang


def print_json(text: str) -> None:
    """Print JSON, with escapes if stdout could not take it as it is."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(json.loads(text))
    print(text)
