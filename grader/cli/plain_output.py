"""Output on terminals and pipes that cannot show every sign: each missing one is replaced, none ends the command."""

from __future__ import annotations

import codecs
import io
import json
import sys
import unicodedata

from grader.texts import name

PLAIN = str.maketrans("✔✘→·█▓▒░│─…▸▾←↑↓▏×−–—’‘“”≤≥", "+x>.#%=-|-~>v<^v|x---''\"\"<>")
HANDLER = "grader.plain"
WIDE = ("W", "F")


def allow() -> None:
    """From now on whatever cannot be encoded is replaced, on stdout and stderr."""
    codecs.register_error(HANDLER, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """Signs that look alike and take as many columns."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end].translate(PLAIN)
    signs = (c if c.isascii() else "?" * (1 + (unicodedata.east_asian_width(c) in WIDE)) for c in missing)
    return "".join(signs), error.end


def shown_in(lang: str) -> str:
    """The language if stdout can show it, else English; says so."""
    try:
        name(lang).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        shown = "Chinese" if lang == "zh" else f"the language {lang}"
        said = f"grader: this terminal ({sys.stdout.encoding}) cannot show {shown}, so this is in English; try UTF-8"
        print(said, file=sys.stderr)
        return "en"
    return lang


def print_json(text: str) -> None:
    """Print JSON, with escapes where stdout could not take it as it is."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(json.loads(text))
    print(text)
