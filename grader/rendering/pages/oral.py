"""The sheets of an oral exam as pages: a student's code in colours, questions, and for the examiner the answers."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape
from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Number, String

MOST_COLOURED = 20_000  # characters of one file: a stranger's text is cut into tokens here
CLASSES = ((Comment, "c"), (String, "s"), (Keyword, "k"), (Number, "m"))


def coloured(lines: Sequence[str]) -> list[Markup]:
    """Each line with its keywords, texts, numbers and comments in colour; nothing of it is markup."""
    text = "\n".join(lines)
    if len(text) > MOST_COLOURED:
        return [escape(line) for line in lines]
    found = [Markup("")]
    for kind, piece in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        name = next((name for of, name in CLASSES if kind in of), "")
        for i, part in enumerate(piece.split("\n")):
            if i:
                found.append(Markup(""))
            shown = escape(part)
            found[-1] += Markup('<i class="{}">{}</i>').format(name, shown) if name and part else shown
    return found if len(found) == len(lines) else [escape(line) for line in lines]
