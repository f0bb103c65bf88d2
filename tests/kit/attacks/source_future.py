"""Uses `from __future__ import annotations` after the docstring, with annotations that are bombs.

Stopped by: annotations are not evaluated; dont_inherit keeps the worker's own flags out.
"""
# deserves 4

from __future__ import annotations


def scale(x: 9**9**9, factor: open("@MARKS@/annotation", "w") = 2.0) -> 1 / 0:
    if factor == 0:
        raise ValueError("factor must not be 0")
    return x * factor
