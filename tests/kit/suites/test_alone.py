"""What the system sees to, not the student's process: that one thread alone makes a call, and with how much memory."""

from __future__ import annotations

import sys

import pytest
from support import ROOT

from grader.intake import Source, Submission
from grader.report.report import Report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only"),
]

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
        "starts a background thread on import",
    ),
}  # fmt: skip


def graded(course_process, exercise, source):
    """The checks of a file, by name."""
    report = Report.from_json(course_process.grade(Submission("s", {exercise: Source(source)}), "", 1, [exercise]))
    assert report.exercises[0].checks, report.exercises[0]
    return {c.id.partition("[")[0]: c for c in report.exercises[0].checks}


@pytest.mark.parametrize("way", WAYS)
def test_scores_made_in_another_thread_are_not_overlooked(course_process, way):
    start, call, said = WAYS[way]
    checks = graded(course_process, "flash_attention", PLAIN.format(start=start, call=call))
    for name in ("test_memory", "test_memory_causal"):
        assert checks[name].verdict == "failed", checks[name]
        assert said in checks[name].reason.to("en")
    assert sum(c.verdict == "passed" for c in checks.values()) > 5  # threads are allowed elsewhere, also afterwards


def test_threads_that_torch_is_asked_for_cost_nothing(course_process):
    asked = "import torch\ntorch.set_num_threads(4)\ntorch.set_num_interop_threads(2)\n"
    asked += "torch.ones(500, 500).mm(torch.ones(500, 500))\n"
    solution = (ROOT / "solutions" / "kv_decode.py").read_text(encoding="utf-8")
    assert {c.verdict for c in graded(course_process, "kv_decode", solution + asked).values()} == {"passed"}


SEES_NOTHING = """
import sys
operators = sys.modules["grader.sandbox.worker.dispatch"]._Operators
operators.__torch_dispatch__ = lambda self, func, types, args=(), kwargs=None: func(*args, **(kwargs or {}))
"""
KEEPS_ALL_TILES = """
import math
import torch

def flash_attention(q, k, v, block, causal=False):
    if block < 1:
        raise ValueError
    T, S = q.shape[-2], k.shape[-2]
    last = torch.arange(S - T, S).unsqueeze(1) if causal else torch.tensor([[S]])
    starts = range(0, S, block)
    tiles = [q @ k[..., s : s + block, :].mT / math.sqrt(q.shape[-1]) for s in starts]
    tiles = [t.masked_fill(torch.arange(s, s + t.shape[-1]) > last, -math.inf) for s, t in zip(starts, tiles)]
    top = torch.stack([t.amax(-1) for t in tiles]).amax(0).unsqueeze(-1)
    factors = [(t - top).exp() for t in tiles]
    total = sum(f.sum(-1, keepdim=True) for f in factors)
    return sum(f @ v[..., s : s + block, :] for s, f in zip(starts, factors)) / total
"""
TAKES_MUCH = {
    "all scores at once, and the observer is blind": SEES_NOTHING
    + PLAIN.format(start="", call="plain(q, k, v, causal)"),
    "all scores in pieces": KEEPS_ALL_TILES,
}


@pytest.mark.parametrize("way", TAKES_MUCH)
def test_who_holds_all_scores_does_not_get_by_with_little_memory(course_process, way):
    checks = graded(course_process, "flash_attention", TAKES_MUCH[way])
    for name in ("test_memory", "test_memory_causal"):
        assert checks[name].verdict == "failed", checks[name]
        assert "needs more than 6 MB of memory on line" in checks[name].reason.to("en")


RESERVES = """
import ctypes
libc = ctypes.CDLL(None)
libc.mallopt(-3, 1 << 29), libc.mallopt(-1, 1 << 29)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
libc.free(libc.malloc(64 << 20))
"""


def test_what_was_reserved_and_freed_at_import_is_no_room(course_process):
    source = TAKES_MUCH["all scores at once, and the observer is blind"] + RESERVES
    checks = graded(course_process, "flash_attention", source)
    for name in ("test_memory", "test_memory_causal"):
        assert "holds more than 6 MB before the call" in checks[name].reason.to("en"), checks[name]


def test_who_decodes_all_tokens_at_once_does_not_get_by_with_little_memory(course_process):
    source = (
        (ROOT / "solutions" / "kv_decode.py").read_text(encoding="utf-8").replace("in x.split(chunks, dim=1)", "in [x]")
    )
    checks = graded(course_process, "kv_decode", SEES_NOTHING + source)
    for name in ("test_memory", "test_memory_of_chunks"):
        assert checks[name].verdict == "failed", checks[name]
        assert "needs more than 8 MB of memory on line" in checks[name].reason.to("en")


def test_what_earlier_calls_left_in_memory_costs_nothing(course_process):
    """The call is then made once more in a fresh worker."""
    source = (
        (ROOT / "solutions" / "flash_attention.py")
        .read_text(encoding="utf-8")
        .replace(
            "    T_q, T_kv =",
            "    if q.dtype is torch.float64:\n        KEPT.append(bytearray(8 << 20))\n    T_q, T_kv =",
        )
    )
    checks = graded(course_process, "flash_attention", source + "\n\nKEPT = []\n")
    assert {c.verdict for c in checks.values()} == {"passed"}
