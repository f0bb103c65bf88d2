"""What a report of an exercise shows first: its most telling failed check, and one picture."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grader.report import Check
from grader.suites import CheckResult


def pictured_once(checks: Sequence[Check], chief: str | None = None) -> tuple[Check, ...]:
    """The checks with one picture for those that differ in dtype only, which keeps reports small: the `chief`'s own."""
    in_order = sorted(checks, key=lambda c: c.id != chief)
    first = {c.title: c for c in reversed(in_order) if c.picture}
    return tuple(c if first.get(c.title) is c else msgspec.structs.replace(c, picture=None) for c in checks)


def chief(results: Sequence[CheckResult]) -> CheckResult | None:
    """The failed check that tells most; a question that was answered before one that was not."""
    return min((r for r in results if r.failed), key=lambda r: (r.blank, r.telling), default=None)
