"""Points in time as platforms write them."""

from __future__ import annotations

import contextlib
import datetime
import re
from typing import Any

_MOODLE_TIMES = (
    "%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%A, %B %d, %Y, %I:%M %p", "%d/%m/%Y, %H:%M", "%d %B %Y, %I:%M %p",
    "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S",
)  # fmt: skip
_DIGITS = re.compile(r"(\.\d{6})\d+\s*")  # of a second, and a space before the zone: Python before 3.11 reads neither
_CHINESE_TIME = re.compile(r"(\d{4})年\s*(\d{1,2})月\s*(\d{1,2})日\D*(\d{1,2}):(\d{2})")


def platform_time(value: Any) -> datetime.datetime | None:
    """A time of the platform's, which YAML may have read as one; in UTC where it says no zone."""
    if isinstance(value, str):
        try:
            value = datetime.datetime.fromisoformat(_DIGITS.sub(r"\1", value.strip()).replace("Z", "+00:00"))
        except ValueError:
            return None
    if not isinstance(value, datetime.datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)


def moodle_time(text: str) -> datetime.datetime | None:
    """A time as Moodle writes it for people: without a zone, which is then that of the due date."""
    if found := _CHINESE_TIME.search(text):
        year, month, day, hour, minute = map(int, found.groups())
        hour += 12 * (("下午" in text or "晚上" in text) and hour < 12)
        with contextlib.suppress(ValueError):  # no such day or hour
            return datetime.datetime(year, month, day, hour, minute)
        return None
    for form in _MOODLE_TIMES:
        try:
            return datetime.datetime.strptime(text.strip(), form)
        except ValueError:
            continue
    return None
