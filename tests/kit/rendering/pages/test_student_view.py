"""A report as the page shows it: in which language it speaks, and what comes first."""

from __future__ import annotations

import msgspec
from class_reports import SMALL, check, missing, report, wrong

from grader.rendering.pages import pages as html
from grader.rendering.pages import student_view


def test_a_chinese_report_is_recognised():
    chinese = report("s", wrong("scale", "结果最多相差 2", title="每个元素都乘以因子。"))
    assert student_view.language(chinese) == "zh"
    assert student_view.language(SMALL[1]) == "en"


def test_the_first_thing_to_do_is_what_was_begun():
    failed = check("t", "failed", "still raises NotImplementedError")
    facts = {"status": "failed", "started": False, "reason": failed.reason, "checks": (failed,)}
    stub = msgspec.structs.replace(missing("scale"), **facts)
    blocks = student_view.blocks(report("s", stub, wrong("pair")), None, html.NO_TEXTS)
    assert [b.status for b in blocks] == ["unstarted", "failed"]
    assert student_view.first_to_mend(blocks).id == "pair"
