"""A call in which tensors are counted is made by one thread alone: the system sees to it, not the student's process."""

from __future__ import annotations

import sys

import pytest
from support import ROOT

from grader.course import course as courses
from grader.intake.submission import Source, Submission
from grader.report.report import Report

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

PLAIN = """
import torch
from concurrent.futures import ThreadPoolExecutor

def plain(q, k, v, causal):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if causal:
        T, S = scores.shape[-2:]
        scores = scores.masked_fill(torch.ones(T, S, dtype=torch.bool).triu(S - T + 1), -float("inf"))
    w = torch.exp(scores - scores.amax(-1, keepdim=True))
    return (w / w.sum(-1, keepdim=True)) @ v

{start}
def flash_attention(q, k, v, block, causal=False):
    if block < 1:
        raise ValueError
    return {call}
"""
WAYS = {
    "a thread for each call": (
        "", "ThreadPoolExecutor(1).submit(plain, q, k, v, causal).result()", "starts more threads than allowed",
    ),
    "a thread from the import on": (
        "pool = ThreadPoolExecutor(1); pool.submit(print).result()",
        "pool.submit(plain, q, k, v, causal).result()",
        "keeps threads at work beside the first one",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def opened(fork_server):
    from support import OPTIONS

    process = fork_server.grading_process(courses.load(ROOT), OPTIONS)
    yield process
    process.close()


@pytest.mark.parametrize("way", WAYS)
def test_scores_made_in_another_thread_are_not_overlooked(opened, way):
    start, call, said = WAYS[way]
    source = PLAIN.format(start=start, call=call)
    report = Report.from_json(
        opened.grade(Submission("s", {"flash_attention": Source(source)}), "", 1, ["flash_attention"])
    )
    assert report.exercises[0].checks, report.exercises[0]
    checks = {c.id.partition("[")[0]: c for c in report.exercises[0].checks}
    for name in ("test_memory", "test_memory_causal"):
        assert checks[name].verdict == "failed", checks[name]
        assert said in checks[name].reason
    assert sum(c.verdict == "passed" for c in checks.values()) > 5  # threads are allowed elsewhere, also afterwards
