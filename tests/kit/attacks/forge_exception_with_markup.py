"""Claims exceptions whose names, messages, lines and shapes hold HTML, escapes, bidi and formulas.

Stopped by: texts.clean: control characters and overrides are removed; renderers escape the rest.
"""
# deserves 0

def forged(request):
    name = "=cmd|' /C calc'!A0<script>alert(1)</script>\x1b[2J\u202e"
    return ["Raised", [name], name * 100, [1], None, name, [[name, name]]], b""


@FORGED@
