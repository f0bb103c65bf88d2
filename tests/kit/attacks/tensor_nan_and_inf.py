"""Returns NaN, and inf, hoping that comparisons with NaN are not failures.

Stopped by: probes.MatchesReference: written as `error <= tolerance`, which NaN fails.
"""
# deserves at most 1

import torch


def scale(x, factor=2.0):
    return x * float("nan") if factor > 0 else x * float("inf")
