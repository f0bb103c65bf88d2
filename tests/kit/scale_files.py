"""Files for the toy exercise `scale`: a right one, and the same with something else in one call."""

from __future__ import annotations

from support import check

RIGHT = """
import torch
def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("0")
    return x * factor
"""


def on_the_call(statement: str, condition: str = "factor == -1.5") -> str:
    """A right scale.py that does something else in one call (test_values calls it once a dtype)."""
    return RIGHT.replace("    if factor", f"    if {condition}:\n        {statement}\n    if factor")


OTHERS = ("test_gradient", "test_input_unchanged", "test_device", "test_zero")


def others_pass(found) -> bool:
    return all(check(found, name).verdict == "passed" for name in OTHERS)
