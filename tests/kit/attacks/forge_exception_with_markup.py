"""Claims exceptions whose names and messages hold HTML, escapes, bidi and formulas.

Stopped by: grade.clean: control characters and overrides are removed; renderers escape the rest.
"""
# deserves 0

import sys


def forged(function, request, payload, cap):
    name = "=cmd|' /C calc'!A0<script>alert(1)</script>\x1b[2J\u202e\ud800"
    return {"raised": {"types": [name], "message": name * 100, "line": 1}}, []


def scale(x, factor=2.0):
    raise NotImplementedError


sys._getframe(1).f_globals["call"] = forged
