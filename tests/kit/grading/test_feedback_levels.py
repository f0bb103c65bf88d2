"""What may appear where: full feedback, hints and verdict, in every output that is written for people.

The list is that of docs/assessment.md. A student's code does all it can to get an input into what is written.
"""

from __future__ import annotations

import dataclasses
import re

import pytest
from outputs import outputs
from support import exercise

from grader.intake import Source, Submission
from grader.report import Report
from grader.report.feedback import LEVELS, hinted, redact
from grader.suites import result_form
from grader.texts import NOTHING

SPIED = "SPIED"  # what the code puts before the inputs that it tells on

TELLS = {
    "by printing": "print('SPIED', x.tolist())\n    return x * factor + 1",
    "by an exception": "raise ValueError('SPIED %s' % x.tolist())",
    "by the name of an exception": "raise type('SPIED%d' % factor, (KeyError,), {})()",
    "by a refusal of the sandbox": "raise PermissionError('SPIED %s' % x.tolist())",
    "by a value that cannot cross": "raise type('BadValue', (Exception,), {})('SPIED %s' % x.tolist())",
    "by the name of a type": "return type('SPIED%d' % factor, (), {})()",
    "by a line of its source": (
        "import linecache; linecache.cache['scale.py'] = (9, None, ['SPIED %s\\n' % x.tolist()] * 9, 'scale.py')\n"
        "    raise ValueError"
    ),
    "by an argument that nobody passed": (
        "raise TypeError('got an unexpected keyword argument %r' % ('SPIED%012d' % (factor * 1e9)))"
    ),
    "by sizes that are none": (
        "raise RuntimeError('mat1 and mat2 shapes cannot be multiplied (SPIED%s and 1x1)' % factor)"
    ),
    "by a debugger that is none": "raise type('NoTerminal', (Exception,), {})('SPIED%s() scale' % factor)",
    "by the file to debug": "raise type('NoTerminal', (Exception,), {})('input() SPIED%s' % factor)",
    "by what it names as forbidden": "raise RuntimeError('lerp_SPIED%d is not allowed here' % factor)",
}


def graded(process, body: str) -> Report:
    source = f"def scale(x, factor=2.0):\n    {body}\n"
    submission = Submission("ann", {"scale": Source(source), "pair": Source("def pair(x):\n    return x + 1, x * 2\n")})
    return Report.from_json(process.grade(submission, "", 1))


@pytest.mark.parametrize("way", TELLS)
def test_what_the_code_tells_of_its_inputs_shows_at_full_feedback_only(process, toy, way, tmp_path):
    report = graded(process, TELLS[way])
    for level in LEVELS:
        course = dataclasses.replace(toy, settings=dataclasses.replace(toy.settings, feedback=level))
        shown = outputs([report], (), course, tmp_path / level)
        telling = [name for name, text in shown.items() if SPIED in text]
        assert bool(telling) == (level == "full"), (level, telling)


VALUE = re.compile(r"-?\d+\.\d+")


def test_hints_say_which_promise_is_broken_and_by_how_much_but_no_value(process):
    report = graded(process, "return x + factor")
    checks = [exercise(redact(report, level), "scale").failed[0] for level in ("full", "hints")]
    full, hints = (check.reason.to("en") for check in checks)
    said = r"scale\(x \[3\] float32\): the result is off by up to (\S+) \(3 of 3 entries"
    told = re.fullmatch(said + r"\)\. It is none of the known mistakes\.|" + said + r"\)", hints)
    assert told, hints
    assert re.match(said + r"; at \[\d\] it is \S+, expected \S+\)", full)
    assert [bool(check.values) for check in checks] == [True, False]
    assert set(VALUE.findall(hints)) <= {told[1] or told[2]}


SAYS = {
    "nan": ("return x * float('nan')", "the result holds NaN (3 of 3 entries are wrong)"),
    "an exception": ("raise KeyError(x)", "raises KeyError on line 2"),
    "an exception of its own": ("raise type('E', (Exception,), {})()", "raises an exception of its own on line 2"),
    "a type of its own": ("return type('T', (), {})()", "returns something else, expected torch.Tensor"),
    "a shape": ("return x[:-1]", "the result has shape [2], expected [3]"),
    "a dtype": ("return x.double() * factor", "the result has dtype float64, expected float32"),
    "an end": ("raise SystemExit", "ends the program (SystemExit on line 2) instead of returning a value"),
    "what is not there": ("open('/etc/passwd')", "opens a file that is not there where the code is graded on line 2"),
    "what is not allowed": ("import os; os.fork()", "tries something that the sandbox does not allow on line 2"),
}


@pytest.mark.parametrize("case", SAYS)
def test_what_hints_say_instead(process, case):
    body, said = SAYS[case]
    reasons = [c.reason.to("en") for c in exercise(redact(graded(process, body), "hints"), "scale").failed]
    assert f"scale(x [3] float32): {said}" in reasons or said in reasons


def test_hints_do_not_name_the_keys_of_a_result():
    said = result_form.wrong_form({"SPIED 0.3": 1}, [], {"k": 1}, [])
    assert "SPIED" in said.to("en")
    assert hinted(said).to("en") == "the result has the wrong keys (missing: 'k')"


def test_an_exam_says_nothing_of_a_check_but_its_verdict(process):
    found = exercise(redact(graded(process, "print(x)\n    return x + factor"), "verdict"), "scale")
    assert found.failed
    assert (found.reason, found.stdout, found.diagnoses) == (None, "", ())
    assert {(c.reason, c.seconds, c.picture) for c in found.checks} == {(NOTHING, 0.0, None)}


@pytest.mark.parametrize("level", LEVELS)
def test_why_a_file_could_not_be_imported_is_said_at_each_level(process, level):
    """It has seen no input by then."""
    submission = Submission("ann", {"scale": Source("F = {}['no such key']\ndef scale(x, factor=F):\n    return x\n")})
    report = redact(Report.from_json(process.grade(submission, "", 1)), level)
    said = exercise(report, "scale").reason.to("en")
    assert "raises KeyError on line 1, `F = {}['no such key']`: 'no such key'" in said
