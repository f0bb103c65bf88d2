"""What student code prints: kept for the learner, cut, made plain, and no part of any answer."""

from __future__ import annotations

import sys

import pytest
from scale_files import RIGHT, on_the_call, others_pass
from support import check

from grader.report import Printed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


def test_prints_do_not_matter_and_are_kept(scale):
    found = scale("print('at import')\n" + on_the_call("print('in a call', tuple(x.shape))", "True"))
    assert found.status == "passed"
    assert found.stdout.startswith("at import\nin a call (3,)\nin a call (2, 3)\n")


def test_errors_to_stderr_are_kept_too(scale):
    assert scale("import sys\nprint('to stderr', file=sys.stderr)\n" + RIGHT).stdout == "to stderr\n"


def test_a_warning_does_not_matter(scale):
    found = scale("import warnings\n" + on_the_call("warnings.warn('careful')", "True"))
    assert found.status == "passed"
    assert "UserWarning: careful" in found.stdout


@pytest.mark.slow
def test_what_was_printed_before_a_hang_is_kept(scale):
    """This is when a learner needs it most."""
    found = scale(
        on_the_call("print('about to hang')\n        while True: pass", "factor == -1.5 and x.dtype is torch.float32")
    )
    assert check(found, "test_values[cpu-float32]").verdict == "timeout"
    assert "about to hang" in found.stdout


def test_what_was_printed_before_a_crash_is_kept(scale):
    found = scale(on_the_call("print('about to die')\n        import os; os._exit(1)"))
    assert "about to die" in found.stdout


def test_a_flood_of_output_is_cut(scale):
    found = scale(on_the_call("print('x' * 10**7)"))
    assert found.status == "passed"
    assert found.stdout == "x" * 4096


@pytest.mark.slow
def test_an_endless_flood_times_out(scale):
    found = scale(on_the_call("while True: print('y' * 1000)", "factor == -1.5 and x.dtype is torch.float32"))
    assert check(found, "test_values[cpu-float32]").verdict == "timeout"
    assert len(found.stdout) == 4096
    assert others_pass(found)


def test_output_that_is_no_text(scale):
    found = scale("import sys\nsys.stdout.buffer.write(b'\\xff\\x00\\x1b[31mred\\x1b[0m\\n')\n" + RIGHT)
    assert found.status == "passed"
    assert "\x1b" not in found.stdout
    assert "\0" not in found.stdout
    assert "red" in found.stdout


@pytest.mark.parametrize("line", ["sys.stdout.close()", "sys.stdout = None", "sys.stdout = open('/dev/null', 'w')"])
def test_standard_output_that_is_gone(scale, line):
    assert scale(f"import sys\n{line}\n" + RIGHT).status == "passed"


def test_what_the_quoted_call_printed_is_told_apart(scale):
    found = scale(
        "print('at import')\nimport torch\ndef scale(x, factor=2.0):\n    print('x has', x.shape)\n    return x\n"
    )
    assert check(found, found.chief).reason.to("en").startswith("scale(x [3] float32)")
    assert found.printed == Printed("x has torch.Size([3])\n", 1)


def test_the_lines_of_the_quoted_call_are_counted(scale):
    found = scale("import torch\ndef scale(x, factor=2.0):\n    for i in range(3000): print(i)\n    return x\n")
    assert found.printed.text.startswith("0\n1\n2\n")
    assert len(found.printed.text) <= 4096
    assert found.printed.lines == 3000


def test_where_the_quoted_call_printed_nothing(scale):
    found = scale("print('at import')\n" + RIGHT.replace("x * factor", "x + factor"))
    assert (found.printed, found.stdout) == (None, "at import\n")
    assert scale("print('at import')\n" + RIGHT).printed is None


def test_a_warning_of_torch_is_no_print(scale):
    found = scale("import warnings\n" + on_the_call("x.unsqueeze(0).unsqueeze(0).T", "True"))
    assert found.status == "passed"
    assert found.stdout == ""
