"""A report as the page shows it: what comes first."""

from __future__ import annotations

import msgspec
from class_reports import check, missing, report, wrong

from grader.rendering.pages import student_view


def test_the_first_thing_to_do_is_what_was_begun():
    failed = check("t", "failed", "still raises NotImplementedError")
    facts = {"status": "failed", "started": False, "reason": failed.reason, "checks": (failed,)}
    stub = msgspec.structs.replace(missing("scale"), **facts)
    blocks = student_view.blocks(report("s", stub, wrong("pair")), None)
    assert [b.exercise.state for b in blocks] == ["unstarted", "failed"]
    assert student_view.first_to_mend(blocks).exercise.id == "pair"
