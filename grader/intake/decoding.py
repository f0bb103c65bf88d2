"""Decodes the bytes of a file: a Python file by its coding line, an answer sheet as any editor saved it.

No Python tokenizer sees them here.
"""

from __future__ import annotations

import re

from grader.intake.tree import Refused
from grader.texts import translated

CODECS = {
    "utf-8": "utf-8-sig", "utf8": "utf-8-sig", "ascii": "ascii", "us-ascii": "ascii", "latin-1": "latin-1",
    "latin1": "latin-1", "iso-8859-1": "latin-1", "gbk": "gbk", "gb2312": "gb2312", "gb18030": "gb18030",
}  # fmt: skip
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_CODING = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")

NULL_BYTES = translated("{name} contains null bytes; is it a Python file?")
BAD_CODEC = translated(
    "{name} declares the encoding {codec}; save it as UTF-8 (ascii, latin-1, gbk, gb2312 and gb18030 are taken too)"
)
OTHER_KIND = translated("{name} is {kind}, whatever it is called; hand in the work itself, saved as plain text")
_KINDS = (  # by how they begin, in lower case
    (b"%pdf", translated("a PDF")),
    (b"pk\3\4", translated("a zip or a document of an office program")),
    (b"\xd0\xcf\x11\xe0", translated("a document of an office program")),
    (b"{\\rtf", translated("formatted text (RTF)")),
    (b"<!doctype html", translated("a web page")),
    (b"<html", translated("a web page")),
)
NOT_ENCODED = translated("{name} is not valid {codec}; save it as UTF-8")


def decode(name: str, data: bytes) -> str:
    """Return the text; UTF-16, which Windows' PowerShell writes, is known by its mark. Raises Refused."""
    must_be_text(name, data)
    marked = data.startswith(UTF_16)
    if marked:
        data = _decoded(name, data, "utf-16", "utf-16").encode()
    if b"\0" in data:
        raise Refused(NULL_BYTES.format(name=name))
    coding = "utf-8" if marked else _declared(data)
    codec = CODECS.get(coding.lower().replace("_", "-"))
    if codec is None:
        raise Refused(BAD_CODEC.format(name=name, codec=coding[:40]))
    return _decoded(name, data, codec, coding[:40])


def must_be_text(name: str, data: bytes, page: bool = False) -> None:
    """Raise Refused for a file of another kind under a name that promises text; with `page`, web pages may pass."""
    begins = data[:512].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for mark, kind in _KINDS:
        if begins.startswith(mark) and not (page and mark.startswith(b"<")):
            raise Refused(OTHER_KIND.format(name=name, kind=kind))


def _decoded(name: str, data: bytes, codec: str, called: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise Refused(NOT_ENCODED.format(name=name, codec=called)) from error


def encode(text: str) -> bytes:
    """Return the bytes of a text that `decode` read, in the encoding that it declares."""
    data = text.encode()
    codec = CODECS[_declared(data).lower().replace("_", "-")]
    return data if codec.startswith("utf-8") else text.encode(codec)


def _declared(data: bytes) -> str:
    lines = data.splitlines()[:2]
    return next((m.group(1) for line in lines if (m := _CODING.match(line))), b"utf-8").decode("ascii")


def decode_sheet(data: bytes, name: str = "") -> str:
    """Return the text of an answer sheet in UTF-8, UTF-16 or a Chinese system's encoding; other bytes are marked.

    With a name, a document of an office program and the like is Refused.
    """
    if name:
        must_be_text(name, data, page=True)
    if data.startswith(UTF_16):
        return data.decode("utf-16", "replace")
    if data.count(b"\0") > len(data) // 4:  # UTF-16 without its mark
        return data.decode("utf-16-le" if data[1::2].count(0) >= data[::2].count(0) else "utf-16-be", "replace")
    text = data.decode("utf-8-sig", "replace")
    broken = text.count("\ufffd")
    if broken and broken > sum(c > "\x7f" for c in text) / 2:
        return data.decode("gb18030", "replace")
    return text
