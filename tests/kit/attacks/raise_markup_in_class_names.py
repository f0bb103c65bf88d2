"""Raises exceptions named in HTML, ANSI escapes, formulas and bidi overrides.

Stopped by: texts.clean; renderers escape.
"""
# deserves 0

NAMES = ("<script>alert(1)</script>", "=HYPERLINK(1)", "\x1b]0;owned\x07", "\u202egnp.exe", "a\nb\rc", "[red]x[/red]")
calls = 0


def scale(x, factor=2.0):
    global calls
    calls += 1
    raise type(NAMES[calls % len(NAMES)], (Exception,), {})(NAMES[calls % len(NAMES)] + "{call} {0} %s")
