"""What a student's file may be: what is wrong with it is said with its line, what is odd about it costs nothing."""

from __future__ import annotations

import re
import sys

import pytest
from scale_files import RIGHT, on_the_call, others_pass
from support import check

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


def test_what_can_be_imported_is_not_limited_to_torch(scale):
    found = scale("import math, itertools, functools, collections, dataclasses, typing, numpy\n" + RIGHT)
    assert found.status == "passed"


@pytest.mark.parametrize("line", ["import sys; sys.exit(1)", "exit()", "raise SystemExit(0)"])
def test_an_exit_at_import(scale, line):
    found = scale(line + "\n" + RIGHT)
    assert found.score == found.max_score
    left_out = "a line of scale.py was left out, since no graded function needs it: it ends the program (SystemExit on"
    assert found.remarks[0].to("en").startswith(left_out)


def test_a_syntax_error_has_line_and_column(scale):
    found = scale("import torch\ndef scale(x, factor=2.0)\n    return x\n")
    assert found.status == "failed"
    assert (
        found.reason.to("en") == "SyntaxError in scale.py, line 2, column 25, `def scale(x, factor=2.0)`: expected ':'"
    )
    assert {c.reason for c in found.checks} == {found.reason}


def test_mixed_tabs_and_spaces(scale):
    found = scale("def scale(x, factor=2.0):\n\tif factor:\n        return x\n")
    assert found.reason.to("en").startswith("TabError in scale.py, line 3, column ")


def test_why_a_file_ends_before_it_defines_anything_is_said(scale):
    assert "ends the program (SystemExit on line 2" in scale("import sys\nsys.exit(1)\n").reason.to("en")
    assert "exit code 3" in scale("import os\nos._exit(3)\n").reason.to("en")
    assert not scale("raise NotImplementedError\n").started


def test_an_exception_at_import(scale):
    found = scale("import torch\n\nbroken = undefined_name\n" + RIGHT.replace("return x", "broken; return x"))
    assert found.reason.to("en") == (
        "the file cannot be imported: it raises NameError on line 3, `broken = undefined_name`: "
        "name 'undefined_name' is not defined"
    )


def test_an_import_that_is_not_there(scale):
    found = scale("import nonexistent_package\n" + RIGHT.replace("return x", "nonexistent_package; return x"))
    assert found.reason.to("en") == (
        "the file cannot be imported: it raises ModuleNotFoundError on line 1, `import nonexistent_package`: "
        "No module named 'nonexistent_package' [Python's own modules, those of the course and the files that you "
        "hand in are there: hand that file in too, or do without it]"
    )


def test_an_exception_has_its_text_and_line(scale):
    found = scale(on_the_call("return x @ torch.ones(7, 7)"))
    reason = check(found, "test_values[cpu-float32]").reason.to("en")
    raised = "raises RuntimeError on line 5, `return x @ torch.ones(7, 7)`: "
    assert reason.startswith(f"scale(x [2, 3] float32, factor=-1.5): {raised}")
    assert "mat1 and mat2 shapes cannot be multiplied" in reason


def test_an_exception_whose_text_fails(scale):
    found = scale("class Odd(Exception):\n    def __str__(self): raise SystemExit\n" + on_the_call("raise Odd"))
    assert check(found, "test_values").reason.to("en") == (
        "scale(x [2, 3] float32, factor=-1.5): raises Odd on line 7, `raise Odd`"
    )


def test_an_exception_with_a_huge_text(scale):
    found = scale(on_the_call("raise RuntimeError('x' * 10**7)"))
    assert len(check(found, "test_values").reason.to("en")) < 500
    assert others_pass(found)


def test_deep_recursion(scale):
    found = scale(on_the_call("return scale(x, factor)"))
    said = ": calls itself too deeply on line "  # of the two lines of the loop, that on which it had too much
    assert re.search(
        rf"{said}(5, `return scale\(x, factor\)`|4, `if factor == -1.5:`)", check(found, "test_values").reason.to("en")
    )
    assert others_pass(found)


def test_source_nested_too_deep_for_the_parser(scale):
    found = scale(RIGHT + "x = " + "(" * 5000 + ")" * 5000 + "\n")
    assert found.score == 0
    assert {c.verdict for c in found.checks} <= {"failed", "crashed"}
    assert found.reason.to("en").startswith(
        ("SyntaxError in scale.py, line 7", "the file cannot be imported", "while the file")
    )


def test_another_name(scale):
    found = scale(RIGHT.replace("def scale", "def scales"))
    assert found.status == "failed"
    assert found.reason.to("en") == "scale.py does not define scale; it defines scales"


def test_no_function_at_all(scale):
    inside = "class Scale:\n    def scale(x, factor=2.0):\n        return x * factor\n"
    said = "scale.py defines scale inside of something else; begin the line `def scale` at the left margin"
    assert scale(inside).reason.to("en") == said
    assert scale("x = 1\n").reason.to("en") == "scale.py does not define scale; it defines nothing"
    assert scale("").reason.to("en") == "scale.py does not define scale; it defines nothing"


@pytest.mark.parametrize(
    "then", ["scale = scale(__import__('torch').ones(2))\n", "del scale\n", "for scale in (1, 2): pass\n"]
)
def test_a_name_that_stands_for_something_else_in_the_end(scale, then):
    said = "scale.py defines scale, but in the end that name stands for something that cannot be called; is it assigned"
    assert scale(RIGHT + then).reason.to("en").startswith(said)


def test_a_name_that_is_no_function(scale):
    assert scale("scale = 3\n").reason.to("en") == "scale.py does not define scale; it defines nothing"


CALLABLES = {
    "lambda": "def err(): raise ValueError\nscale = lambda x, factor=2.0: x * factor if factor else err()\n",
    "object": RIGHT.replace("def scale(", "class S:\n  def __call__(self, ").replace("\n    ", "\n      ")
    + "scale = S()\n",
    "partial": RIGHT.replace("scale", "inner") + "import functools\nscale = functools.partial(inner)\n",
    "decorated": "import functools\n" + RIGHT.replace("def", "@functools.lru_cache(None)\ndef"),
}


@pytest.mark.parametrize("kind", CALLABLES)
def test_any_callable_will_do(scale, kind):
    assert scale(CALLABLES[kind]).status == "passed"


def test_state_between_calls_is_allowed(scale):
    found = scale("cache = {}\n" + RIGHT.replace("return x * factor", "cache[factor] = x; return x * factor"))
    assert found.status == "passed"


def test_a_stale_cache_is_found(scale):
    found = scale("cache = {}\n" + RIGHT.replace("return x * factor", "return cache.setdefault(0, x * factor)"))
    assert check(found, "test_values[cpu-float32]").verdict == "failed"


BORROWED = {
    "by its full name": "import torch\ndef scale(x, factor=2.0):\n    return torch.lerp(x * 0, x, factor)\n",
    "module renamed": "import torch as t\ndef scale(x, factor=2.0):\n    return t.lerp(x * 0, x, factor)\n",
    "function renamed": "from torch import lerp as f\ndef scale(x, factor=2.0):\n    return f(x * 0, x, factor)\n",
}


@pytest.mark.parametrize("case", BORROWED)
def test_a_forbidden_call_is_found_in_the_source(scale, case):
    found = scale(BORROWED[case])
    assert (found.status, found.score, found.max_score) == ("rejected", 0.0, 4.0)
    assert found.reason.to("en").startswith("line 3 uses torch.lerp, which would do this exercise's work")


def test_a_private_name_of_torch_is_found_in_the_source(scale):
    found = scale("import torch\ndef scale(x, factor=2.0):\n    return torch.ops.aten.lerp(x * 0, x, factor)\n")
    assert (found.status, found.score) == ("rejected", 0.0)
    assert found.reason.to("en").startswith("line 3 uses torch.ops.aten.lerp, a private name or a front end of torch")


HIDDEN = {
    "getattr": "getattr(torch, 'le' + 'rp')(x * 0, x, factor)",
    "a method": "(x * 0).lerp(x, factor)",
}


@pytest.mark.parametrize("case", HIDDEN)
def test_a_forbidden_call_is_found_when_it_runs(scale, case):
    found = scale(f"import torch\ndef scale(x, factor=2.0):\n    return {HIDDEN[case]}\n")
    assert (found.status, found.score) == ("rejected", 0.0)
    assert "torch.lerp" in found.reason.to("en")
    assert "write it yourself" in found.reason.to("en")


@pytest.mark.parametrize(
    "mention",
    [
        "# torch.lerp would do it\n",
        "'torch.lerp'\n",
        "lerp = 3\n",
        "def lerp(a): return a\nlerp(1)\n",
        "class T: lerp = 1\nT.lerp\n",
    ],
)
def test_a_mention_that_is_no_use(scale, mention):
    assert scale(mention + RIGHT).status == "passed"


def test_comparing_with_torch_under_main_is_allowed(scale):
    found = scale(RIGHT + "if __name__ == '__main__':\n    print(torch.lerp(torch.zeros(1), torch.ones(1), 2.0))\n")
    assert found.status == "passed"


def test_main_does_not_run(scale):
    found = scale(RIGHT + "if __name__ == '__main__':\n    print('main ran')\n")
    assert found.status == "passed"
    assert found.stdout == ""


def test_a_name_with_control_characters_reaches_no_terminal(scale):
    found = scale(on_the_call("raise RuntimeError('\\x1b[31m\\u202eevil\\ud800')"))
    reason = check(found, "test_values").reason.to("en")
    assert "evil" in reason
    assert not set("\x1b\u202e\ud800") & set(reason)
