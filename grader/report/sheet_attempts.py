"""How often a student's answers are marked: beyond that many different sheets an earlier one's marks stay."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Collection

import msgspec

from grader.report.report import Report
from grader.texts import translated

USED_UP = translated("all {count} attempts at the questions are used up; the answers of the last of them count")


@dataclasses.dataclass(frozen=True)
class SheetAttempt:
    """A submission's answer sheet, and how many different ones are marked; `ids` are the exercises it is for."""

    sheet: str
    most: int
    ids: Collection[str]

    def counted(self, report: Report, before: Report | None, lang: str) -> Report:
        """The report, which remembers the sheets that were marked; with earlier marks where this sheet is one too many.

        A sheet that was marked before is no new attempt.
        """
        digest = hashlib.sha256(self.sheet.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        sheets = before.sheets if before else ()
        if before is None or digest in sheets or len(sheets) < self.most:
            return msgspec.structs.replace(report, sheets=tuple(dict.fromkeys((*sheets, digest))))
        earlier = {e.id: e for e in before.exercises if e.id in self.ids}
        marked = report.on(earlier.get(e.id, e) for e in report.exercises)
        said = USED_UP.format(count=self.most).to(lang)
        return msgspec.structs.replace(marked, sheets=sheets, reason="; ".join(filter(None, (report.reason, said))))
