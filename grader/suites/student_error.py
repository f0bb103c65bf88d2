"""An exception that a student's code raised, as the grader keeps it."""

from __future__ import annotations

import dataclasses
import re

from grader.sandbox.processes import Raised
from grader.sandbox.worker import LINE_CAP, MESSAGE_CAP
from grader.texts import one_line

UNPACKED = re.compile("(not enough|too many) values to unpack")
RAISED = re.compile(r"(^|[:;]\s*)raise\b")


@dataclasses.dataclass(frozen=True)
class StudentError:
    """An exception of the student's, see `Raised`."""

    types: tuple[str, ...]
    message: str
    lines: tuple[int, ...] = ()
    column: int | None = None
    code: str = ""
    shapes: tuple[tuple[str, str], ...] = ()

    @property
    def refuses(self) -> bool:
        """True if it is a ValueError that refuses arguments, not Python's own in a line like `B, T, D = x.shape`."""
        return "ValueError" in self.types and not UNPACKED.match(self.message)

    @property
    def refuses_by_itself(self) -> bool:
        """True if a `raise` in the student's file refuses the arguments; torch raises ValueError too."""
        return self.refuses and RAISED.search(self.code) is not None

    @classmethod
    def of(cls, reply: Raised) -> StudentError:
        """Return the exception that a worker claims was raised, with cleaned texts."""
        types = tuple(one_line(name, 100) for name in reply.types) or ("Exception",)
        shapes = tuple((one_line(name, LINE_CAP), one_line(shape, LINE_CAP)) for name, shape in reply.shapes)
        message, code = one_line(reply.message, MESSAGE_CAP), one_line(reply.code, LINE_CAP)
        return cls(types, message, reply.lines, reply.column, code, shapes)
