"""Several laws that a suite takes in one statement, `LAWS = laws.all(...)`, and how pytest collects their checks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from grader.errors import CourseError


@dataclasses.dataclass(frozen=True)
class Laws:
    """The checks of several laws, by name, in their order."""

    checks: Mapping[str, Callable[..., None]]


def collected(collector: pytest.Module, obj: object) -> list[Any] | None:
    """Return the items of the checks where `obj` holds several; None where it is something else.

    Their names are set in the suite, as if each had a line there: pytest looks a check up by its name. Where the same
    suite is collected once more, it has these names already, behind all others.

    Raises:
        CourseError: another line of the suite makes a check of the same name.
    """
    suite = vars(collector.obj)
    if not isinstance(obj, Laws):
        together = (check for laws in suite.values() if isinstance(laws, Laws) for check in laws.checks.values())
        return [] if any(obj is check for check in together) else None
    for name, check in obj.checks.items():
        if suite.setdefault(name, check) is not check:
            raise CourseError(f"laws.all and another line both make the check {name}; take one of the two away")
    return [item for name, check in obj.checks.items() for item in collector._genfunctions(name, check)]
