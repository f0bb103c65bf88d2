"""What the reports of a class add up to."""

from __future__ import annotations

import msgspec
from class_reports import (
    SMALL,
    check,
    report,
    right,
)

from grader.report import class_tally


def test_what_most_fail_and_what_is_slow():
    counted = class_tally.ClassTally()
    for number, one in enumerate((*SMALL, report("slow", right("scale")))):
        counted.add(one, f"r{number}")
    assert [(f.id, f.failures) for f in counted.hardest(9)] == [("test_values[cpu-float32]", 2)]
    slow = msgspec.structs.replace(right("scale"), checks=(check("test_values[cpu-float32]", seconds=3.0),))
    counted.add(report("eve", slow), "r9")
    assert [(f.longest, f.longest_by) for f in counted.slowest(1)] == [(3.0, "eve")]


def test_bins_and_quartiles():
    assert class_tally.bins([0.0, 0.05, 0.95, 1.0], 10) == [2, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert class_tally.spread([]) == (0.0, 0.0, 0.0)
    assert class_tally.spread([3.0]) == (3.0, 3.0, 3.0)
    assert class_tally.spread([1.0, 2.0, 3.0, 4.0, 5.0]) == (2.0, 3.0, 4.0)
