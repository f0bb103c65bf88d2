"""Returns a structured array of 20,000 fields, with escape codes in their names.

Stopped by: wire.Encoder: each field is a value, and 10,000 are too many.
"""
# deserves 0

import numpy as np


def scale(x, factor=2.0):
    return np.zeros(3, dtype=[(f"\x1b[31m{i}", "f4") for i in range(20_000)])
