"""Submissions that are the same or alike are found, whatever was renamed; stubs are nobody's work."""

from __future__ import annotations

import dataclasses
import time

import pytest
from class_reports import (
    LONG,
    STUB,
    submissions,
)

from grader.intake import Source, Submission, similarity


def test_comments_docstrings_and_spacing_do_not_hide_a_copy():
    copy = '"""Mine."""\n' + LONG.replace("\n    out", "\n\n    # the result\n    out").replace(" * ", "*").replace(
        "    ", "\t"
    )
    assert similarity.normal(copy).split() == similarity.normal(LONG).split()
    found = similarity.find(
        submissions(ann=LONG, bob=LONG.replace("rows", "rows  ") + "# end\n", cem=STUB), {"scale": STUB}, {}
    )
    assert found.groups == (similarity.SimilarGroup("", ("ann", "bob")),)


def test_stubs_are_nobodys_work_and_the_reference_is_named():
    found = similarity.find(submissions(ann=STUB, bob=STUB, cem=LONG, dee=LONG), {"scale": STUB}, {"scale": LONG})
    assert found.groups == (similarity.SimilarGroup("", ("cem", "dee"), reference=True),)


def test_renamed_code_is_similar():
    pytest.importorskip("copydetect")
    renamed = LONG.replace("out", "result").replace("wide", "flat").replace("rows", "count")
    other = (
        "import torch\n\ndef scale(x, factor=2.0):\n    assert factor, [torch]\n    return torch.mul(x, other=factor)\n"
    )
    found = similarity.find(submissions(ann=LONG, bob=renamed, cem=other), {"scale": STUB}, {})
    assert [(p.one, p.other) for p in found.pairs] == [("ann", "bob")]
    assert found.pairs[0].share > 0.9


def test_a_file_too_long_to_compare_is_named():
    found = similarity.find(submissions(ann="x = 1\n" * 10_000, bob=LONG), {"scale": STUB}, {})
    assert found.skipped == ("ann: scale",)


def test_files_that_pygments_makes_much_of_are_named(monkeypatch):
    """A token for each character takes 50 us: fifty files of them would hold up a report for a minute and a half."""
    monkeypatch.setattr(similarity, "MOST_TOKENS", 3 * similarity.MOST_SOURCE // 2)
    dense = "`" * (similarity.MOST_SOURCE - 1) + "\n"
    ann = Submission("ann", {id: Source(dense) for id in ("a", "b", "c")})
    found = similarity.find([ann, *submissions(bob=LONG, cem=LONG)], dict.fromkeys(("scale", *"abc"), STUB), {})
    assert found.skipped == ("ann: b", "ann: c")
    assert [g.students for g in found.groups] == [("bob", "cem")]


def test_blank_lines_take_no_time():
    """Pygments looks at the blank lines that follow anew for each of them: sixteen thousand took it 13 s."""
    begun = time.process_time()
    assert similarity.normal("x = 1" + "\n " * 16_000 + "\ny = 2\n").split("\n") == ["x = 1", "y = 2"]
    assert time.process_time() - begun < 4


def test_earlier_terms_are_compared_with_this_one_and_not_with_each_other():
    other = LONG.replace("scale", "grow")
    earlier = [dataclasses.replace(s, student=f"2025/{s.student}") for s in submissions(bob=LONG, dee=other, eva=other)]
    found = similarity.find(submissions(ann=LONG), {"scale": STUB}, {}, earlier)
    assert found.groups == (similarity.SimilarGroup("", ("ann", "2025/bob")),)
    assert found.pairs is not None
    assert all("ann" in (pair.one, pair.other) for pair in found.pairs)
