"""Decides when numbers are equal but for rounding: every figure for it, with its reason, see docs/tolerances.md.

A share is a share of the largest entry, so that entries that cancelled out are not measured by what is left of them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]

EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}
TINY = {"float16": 2.0**-14, "bfloat16": 2.0**-126, "float32": 2.0**-126, "float64": 2.0**-1022}
"""The smallest normal number."""
ALMOST_ZERO = 1e-30
"""Less than this is 0 in every dtype."""
LEAST = 1e-6
"""Where all entries are smaller, as what is left of terms that cancel, a share is a share of this."""

# What a check allows, in units of epsilon.
STRICT = np.zeros(())
"""The error allowed where nothing is rounded."""
FREE = np.array(np.inf)
"""The error allowed where a bound says None: any number, but not NaN."""
USUAL_UNITS, USUAL_GROWTH = 8.0, 2.0
"""The same of the largest entry, and for each root of the number of summands: twice what was measured."""
AVERAGE_UNITS = 4.0
"""The same of all entries in 16 bits together, the root of their mean square: three times what was measured."""
NUMBER_UNITS = 64
"""The same of a bare number of a course of torch: a short formula in float32."""
GRADIENT_UNITS, LEAST_GRADIENT = 512.0, 1e-2
"""The same of the largest entry of a gradient, two chained products and a sum; and of this share of the call's largest
gradient, at least of 1, where one is smaller."""
RECORDED_UNITS = 1000.0
"""The same of a visible example: its results are written down to four decimals."""
SLOPE, LEAST_SLOPE = 0.02, 1e-6
"""How far a gradient may be from a difference quotient, which is no more precise: a share of it, and what is added."""

# What two runs have in common, as shares.
VISIBLE = 1e-4
"""Two runs of the same code, a step of a student's and one of the solution's: far above rounding, below a mistake."""
VISIBLE_HALF = 2e-2
"""The same of steps in 16 bits."""
RERUN_UNITS = 64
"""Two runs of the same code in 16 bits, in units of epsilon."""

# What a known mistake and a student's file have in common, as shares; the inputs are the same, the code is not.
SHARE, SHARE_HALF = 2e-4, {"float16": 2e-2, "bfloat16": 6e-2}
"""Float32's reach, for float64 too: a call of torch may have been computed in float32."""
NUMPY_FLOAT64 = 1e-9
"""The same of numpy's float64, which is computed in what it says."""
NO_GRADIENT = 1e-3
"""Of the largest gradient of a call: where a gradient is 0 by mathematics, what is left of it is rounding."""
NEARLY = 1e-2
"""So near, at least of 1, an added or omitted number may be the only mistake."""
LEAST_NEARLY = 1e-2
"""Stands for 1 where results are called nearly right: weights over a long row are small."""
NOISE_UNITS = 64
"""What an honest formula is off in plain calls, in units of epsilon; deviations below it show no direction."""
PROPORTIONAL = 1e-3
"""How far from proportional two deviations may be that have one cause."""
HALF_DECIMAL, ROUND = 0.501, 1e-5
"""How far a result that was rounded to decimals may be from the right one: of a unit, and of the number."""

# What a question asks about: a wrong key is worse than one question less, so between the two nothing is asked.
SURELY_SAME, SURELY_OTHER, SURELY_OTHER_HALF = 1e-5, 1e-2, 0.1
"""In 16 bits nothing but equality is surely the same."""

# What people write on a sheet.
LAST_DECIMAL, HALF_LAST_DECIMAL = 1.001, 0.5005
"""Of the last decimal: a number may be rounded or cut off there, and the key be next to a half."""
WRITTEN, WRITTEN_EXACTLY = 1e-9, 1e-12
"""A number given with all its decimals, and one that is asked for exactly, as shares of the key."""


def allowed(dtype: str, units: Numbers | float, least: str = "float32") -> Numbers:
    """Return the absolute error allowed: `units` of epsilon, float32's at least, as computing in float32 is honest.

    Where nothing may be rounded (`units` is the number 0) nothing is allowed. Else the smallest subnormal is added,
    for what underflows.
    """
    if isinstance(units, float) and units == 0.0:
        return STRICT
    epsilon, floor = max(EPSILON[dtype], EPSILON[least]), 2 * TINY[dtype] * EPSILON[dtype]
    return np.asarray(units) * epsilon + max(floor, ALMOST_ZERO)


@np.errstate(all="ignore")
def within(actual: Numbers, expected: Numbers, most: Numbers | float, nan: bool = False) -> Numbers:
    """Return which entries are off by no more than `most`; infinity is right where it is expected, NaN nowhere.

    nan: NaN is right where it is expected, too.
    """
    right = np.asarray(np.abs(actual - expected) <= most)
    right = right if right.all() else right | (actual == expected)
    return right | (np.isnan(actual) & np.isnan(expected)) if nan else right


@np.errstate(all="ignore")
def close(one: Numbers, other: Numbers, share: float, least: float = LEAST) -> bool:
    """Return True if the entries differ by no more than a share of the largest of `other`, or of `least`.

    Entries that are not finite are so in both.
    """
    if one.shape != other.shape or not one.size:
        return one.shape == other.shape
    off = float(np.abs(one - other).max())
    if not math.isfinite(off):  # else all entries are finite
        finite = np.isfinite(other)
        if finite.all() or not np.array_equal(np.isfinite(one), finite):
            return False
        return close(one[finite], other[finite], share, least)
    return off <= share * max(float(np.abs(other).max()), least, LEAST)


def largest(values: Numbers) -> float:
    """Return the largest magnitude among the finite entries; 0 if there is none."""
    return float(np.abs(values[np.isfinite(values)]).max(initial=0.0))


@np.errstate(all="ignore")
def certain(one: Numbers, other: Numbers, half: bool) -> bool | None:
    """Return True if all entries are the same up to rounding, False if one is not; None if that is not certain."""
    for special in (np.isnan, np.isposinf, np.isneginf):
        if not np.array_equal(special(one), special(other)):
            return False
    finite = np.isfinite(one)
    one, other = one[finite], other[finite]
    if np.array_equal(one, other):
        return True
    off = float(np.abs(one - other).max()) / max(largest(one), largest(other))
    if half:
        return False if off > SURELY_OTHER_HALF else None
    return True if off <= SURELY_SAME else False if off > SURELY_OTHER else None
