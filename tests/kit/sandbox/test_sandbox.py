"""Student code that hangs, dies, floods or lies: what the report says, and that the next check is none the worse."""

from __future__ import annotations

import sys

import msgspec
import pytest
from support import check, exercise, solution

from grader.sandbox.processes import Loaded, Returned

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")

RIGHT = """
import torch
def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("0")
    return x * factor
"""


def on_the_call(statement: str, condition: str = "factor == -1.5") -> str:
    """A right scale.py that does something else in one call (test_values calls it once a dtype)."""
    return RIGHT.replace("    if factor", f"    if {condition}:\n        {statement}\n    if factor")


OTHERS = ("test_gradient", "test_input_unchanged", "test_device", "test_zero")


def others_pass(found) -> bool:
    return all(check(found, name).verdict == "passed" for name in OTHERS)


def test_the_solutions_score_full(grade):
    report = grade(scale=solution("scale"), pair=solution("pair"))
    assert (report.status, report.score, report.max_score) == ("graded", 6.0, 6.0)
    assert [e.status for e in report.exercises] == ["passed", "passed"]
    assert all(c.verdict == "passed" and not c.reason for e in report.exercises for c in e.checks)


def test_the_stubs_score_nothing(grade, toy):
    report = grade(**{i: toy.stub(i).read_text(encoding="utf-8") for i in ("scale", "pair")})
    assert report.score == 0
    assert {e.reason for e in report.exercises} == {
        "scale(x [3] float32): not started: the function still raises NotImplementedError",
        "pair(x [4] float32): not started: the function still raises NotImplementedError",
    }


def test_a_missing_file(grade):
    report = grade(pair=solution("pair"))
    missing = exercise(report, "scale")
    assert (missing.status, missing.reason, missing.score, missing.max_score) == (
        "missing", "scale.py is missing", 0.0, 4.0,
    )  # fmt: skip
    assert exercise(report, "pair").score == 2.0


def test_what_can_be_imported_is_not_limited_to_torch(scale):
    found = scale("import math, itertools, functools, collections, dataclasses, typing, numpy\n" + RIGHT)
    assert found.status == "passed"


CRASHES = {
    "os._exit": ("import os; os._exit(3)", "the code ended its process (exit code 3)"),
    "os._exit(0)": ("import os; os._exit(0)", "the code ended its process (exit code 0)"),
    "a segmentation fault": ("import ctypes; ctypes.string_at(0)", "the process died: Segmentation fault"),
    "abort": ("import ctypes; ctypes.CDLL(None).abort()", "the process died: Aborted"),
}


@pytest.mark.parametrize("case", CRASHES)
def test_a_crash_costs_only_its_own_check(scale, case):
    statement, reason = CRASHES[case]
    found = scale(on_the_call(statement))
    broken = check(found, "test_values[cpu-float32]")
    assert (broken.verdict, broken.points, broken.reason) == ("crashed", 0.0, reason)
    assert others_pass(found)
    assert found.score == 2.0


def test_a_hang_in_a_call(scale):
    found = scale(on_the_call("while True: pass", "factor == -1.5 and x.dtype is torch.float32"))
    hung = check(found, "test_values[cpu-float32]")
    assert (hung.verdict, hung.reason) == ("timeout", "took longer than 1 s and was stopped")
    assert 0.9 < hung.seconds < 3
    assert check(found, "test_values[cpu-float64]").verdict == "passed"
    assert others_pass(found)


def test_a_hang_that_ignores_signals(scale):
    found = scale(
        on_the_call(
            "import signal; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; __import__('time').sleep(60)",
            "factor == -1.5 and x.dtype is torch.float32",
        )
    )
    assert check(found, "test_values[cpu-float32]").verdict == "timeout"
    assert others_pass(found)


def test_a_hang_at_import(scale):
    found = scale(RIGHT + "while True: pass\n")
    assert {c.verdict for c in found.checks} == {"timeout"}
    assert found.reason == (
        "while the file was imported: importing the file took longer than 1 s; is there a loop outside the functions?"
    )


def test_all_calls_together_have_a_limit(scale):
    """Each call stays below the limit of a call (1 s), all of them pass that of the exercise (4 s)."""
    found = scale(RIGHT.replace("    if factor", "    import time; time.sleep(0.9)\n    if factor"))
    assert check(found, "test_values[cpu-float32]").verdict == "passed"
    last = check(found, "test_zero")
    assert (last.verdict, last.points) == ("timeout", 0.0)


EXITS = {
    "sys.exit()": "import sys; sys.exit(0)",
    "quit": "raise SystemExit",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
}


@pytest.mark.parametrize("case", EXITS)
def test_an_exit_in_a_call(scale, case):
    found = scale(on_the_call(EXITS[case]))
    broken = check(found, "test_values[cpu-float32]")
    name = "KeyboardInterrupt" if case == "KeyboardInterrupt" else "SystemExit"
    assert broken.verdict == "failed"
    assert broken.reason == (
        f"scale(x [2, 3] float32, factor=-1.5): ends the program ({name} on line 5, `{EXITS[case]}`) "
        "instead of returning a value"
    )
    assert others_pass(found)


@pytest.mark.parametrize("line", ["import sys; sys.exit(1)", "exit()", "raise SystemExit(0)"])
def test_an_exit_at_import(scale, line):
    found = scale(RIGHT + line + "\n")
    assert {c.verdict for c in found.checks} == {"failed"}
    assert "the file cannot be imported: it " in found.reason
    assert found.score == 0


def test_a_syntax_error_has_line_and_column(scale):
    found = scale("import torch\ndef scale(x, factor=2.0)\n    return x\n")
    assert found.status == "failed"
    assert found.reason == "SyntaxError in scale.py, line 2, column 25: expected ':'"
    assert {c.reason for c in found.checks} == {found.reason}


def test_mixed_tabs_and_spaces(scale):
    found = scale("def scale(x, factor=2.0):\n\tif factor:\n        return x\n")
    assert found.reason.startswith("TabError in scale.py, line 3, column ")


def test_an_exception_at_import(scale):
    found = scale("import torch\n\nbroken = undefined_name\n" + RIGHT)
    assert found.reason == (
        "the file cannot be imported: it raises NameError on line 3, `broken = undefined_name`: "
        "name 'undefined_name' is not defined"
    )


def test_an_import_that_is_not_there(scale):
    found = scale("import nonexistent_package\n" + RIGHT)
    assert found.reason == (
        "the file cannot be imported: it raises ModuleNotFoundError on line 1, `import nonexistent_package`: "
        "No module named 'nonexistent_package'"
    )


@pytest.mark.parametrize("module", ["hidden.scale", "solutions.scale", "tests"])
def test_suites_and_solutions_cannot_be_imported(scale, module):
    found = scale(f"import {module}\n" + RIGHT)
    assert found.score == 0
    missing = f"No module named '{module.split('.')[0]}'"
    assert f"raises ModuleNotFoundError on line 1, `import {module}`: {missing}" in found.reason


def test_suites_and_solutions_are_not_in_memory(scale):
    found = scale("import sys\nprint([m for m in sys.modules if m.startswith(('hidden', 'solutions'))])\n" + RIGHT)
    assert found.stdout == "[]\n"


def test_suites_cannot_be_read(scale, toy, process):
    if "landlock" not in process.isolation:
        pytest.skip("this kernel has no Landlock")
    found = scale(f"print(open({str(toy.suite('scale'))!r}).read())\n" + RIGHT)
    assert (found.score, found.stdout) == (0, "")
    assert {c.verdict for c in found.checks} == {"blocked"}


def test_an_exception_has_its_text_and_line(scale):
    found = scale(on_the_call("return x @ torch.ones(7, 7)"))
    reason = check(found, "test_values[cpu-float32]").reason
    raised = "raises RuntimeError on line 5, `return x @ torch.ones(7, 7)`: "
    assert reason.startswith(f"scale(x [2, 3] float32, factor=-1.5): {raised}")
    assert "mat1 and mat2 shapes cannot be multiplied" in reason


def test_an_exception_whose_text_fails(scale):
    found = scale("class Odd(Exception):\n    def __str__(self): raise SystemExit\n" + on_the_call("raise Odd"))
    assert check(found, "test_values").reason == (
        "scale(x [2, 3] float32, factor=-1.5): raises Odd on line 7, `raise Odd`"
    )


def test_an_exception_with_a_huge_text(scale):
    found = scale(on_the_call("raise RuntimeError('x' * 10**7)"))
    assert len(check(found, "test_values").reason) < 500
    assert others_pass(found)


def test_deep_recursion(scale):
    found = scale(on_the_call("return scale(x, factor)"))
    assert check(found, "test_values").reason.endswith(": calls itself too deeply on line 5, `return scale(x, factor)`")
    assert others_pass(found)


def test_source_nested_too_deep_for_the_parser(scale):
    found = scale(RIGHT + "x = " + "(" * 5000 + ")" * 5000 + "\n")
    assert found.score == 0
    assert {c.verdict for c in found.checks} <= {"failed", "crashed"}
    assert found.reason.startswith(("SyntaxError in scale.py, line 7", "the file cannot be imported", "while the file"))


def test_another_name(scale):
    found = scale(RIGHT.replace("def scale", "def scales"))
    assert found.status == "failed"
    assert found.reason == "scale.py does not define scale; it defines scales"


def test_no_function_at_all(scale):
    assert scale("x = 1\n").reason == "scale.py does not define scale; it defines nothing"
    assert scale("").reason == "scale.py does not define scale; it defines nothing"


def test_a_name_that_is_no_function(scale):
    assert scale("scale = 3\n").reason == "scale.py does not define scale; it defines nothing"


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


def test_state_between_calls_is_allowed(scale):
    found = scale("cache = {}\n" + RIGHT.replace("return x * factor", "cache[factor] = x; return x * factor"))
    assert found.status == "passed"


def test_a_stale_cache_is_found(scale):
    found = scale("cache = {}\n" + RIGHT.replace("return x * factor", "return cache.setdefault(0, x * factor)"))
    assert check(found, "test_values[cpu-float32]").verdict == "failed"


def test_a_worker_holds_nothing_of_the_last_student(scale):
    assert scale("import builtins\nbuiltins.left = 1\n" + RIGHT).status == "passed"
    found = scale("import builtins\nassert not hasattr(builtins, 'left')\n" + RIGHT)
    assert found.status == "passed"


def test_a_result_over_the_limit(scale):
    found = scale(on_the_call("return torch.zeros(1 << 20)"))
    broken = check(found, "test_values[cpu-float32]")
    assert broken.verdict in ("failed", "blocked")
    assert "1 MB" in broken.reason
    assert others_pass(found)


def test_a_result_with_too_many_values(scale):
    found = scale(on_the_call("return [0] * 20000"))
    assert check(found, "test_values[cpu-float32]").verdict == "failed"
    assert others_pass(found)


def test_a_result_that_holds_itself(scale):
    found = scale(on_the_call("a = []; a.append(a); return a"))
    assert check(found, "test_values[cpu-float32]").verdict == "failed"
    assert others_pass(found)


def test_too_much_memory(scale):
    found = scale(on_the_call("return torch.ones(1 << 30)"))
    broken = check(found, "test_values[cpu-float32]")
    assert broken.verdict != "passed"
    assert others_pass(found)


def test_a_thread_left_running(scale):
    found = scale(
        on_the_call("import threading; threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()")
    )
    assert others_pass(found)


def test_garbage_on_the_channel_earns_nothing(scale):
    found = scale(
        on_the_call(
            """import os
        for fd in range(3, 64):
            try: os.write(fd, b'garbage' * 10)
            except OSError: pass"""
        )
    )
    broken = check(found, "test_values[cpu-float32]")
    assert (broken.verdict in ("crashed", "failed"), broken.points) == (True, 0.0)
    assert others_pass(found)


FORGERIES = {
    "an answer with another nonce": msgspec.msgpack.encode(Returned(None)),
    "another kind of answer": msgspec.msgpack.encode(Loaded(["scale"])),
    "a verdict": msgspec.msgpack.encode({"verdict": "passed", "points": 4}),
    "no message": msgspec.msgpack.encode([1, 2, 3]),
    "nested": b"\x91" * 5000,
}


@pytest.mark.parametrize("case", FORGERIES)
def test_a_forged_answer_earns_nothing(scale, case):
    found = scale(
        on_the_call(
            f"""import os, struct
        message = {FORGERIES[case]!r}
        for fd in range(3, 64):
            try: os.write(fd, struct.pack('<QQ8s', len(message), 0, bytes(8)) + message)
            except OSError: pass"""
        )
    )
    broken = check(found, "test_values[cpu-float32]")
    assert (broken.verdict, broken.points) == ("crashed", 0.0)
    assert broken.reason == "the code disturbed the line to the grader"
    assert others_pass(found)


BORROWED = {
    "by its full name": "import torch\ndef scale(x, factor=2.0):\n    return torch.lerp(x * 0, x, factor)\n",
    "module renamed": "import torch as t\ndef scale(x, factor=2.0):\n    return t.lerp(x * 0, x, factor)\n",
    "function renamed": "from torch import lerp as f\ndef scale(x, factor=2.0):\n    return f(x * 0, x, factor)\n",
}


@pytest.mark.parametrize("case", BORROWED)
def test_a_forbidden_call_is_found_in_the_source(scale, case):
    found = scale(BORROWED[case])
    assert (found.status, found.score, found.max_score) == ("rejected", 0.0, 4.0)
    assert found.reason.startswith("line 3 uses torch.lerp, which would do this exercise's work")


HIDDEN = {
    "getattr": "getattr(torch, 'le' + 'rp')(x * 0, x, factor)",
    "a method": "(x * 0).lerp(x, factor)",
    "an operator": "torch.ops.aten.lerp(x * 0, x, factor)",
}


@pytest.mark.parametrize("case", HIDDEN)
def test_a_forbidden_call_is_found_when_it_runs(scale, case):
    found = scale(f"import torch\ndef scale(x, factor=2.0):\n    return {HIDDEN[case]}\n")
    assert (found.status, found.score) == ("rejected", 0.0)
    assert "torch.lerp" in found.reason
    assert "write it yourself" in found.reason


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


def test_a_wrong_answer_is_diagnosed(scale):
    found = scale(RIGHT.replace("x * factor", "x + factor"))
    assert [d.misconception for d in found.diagnoses] == ["scale/adds_instead"]
    assert found.diagnoses[0].message == "The factor is added instead of multiplied."
    assert "test_values[cpu-float32]" in found.diagnoses[0].checks


def test_a_name_with_control_characters_reaches_no_terminal(scale):
    found = scale(on_the_call("raise RuntimeError('\\x1b[31m\\u202eevil\\ud800')"))
    reason = check(found, "test_values").reason
    assert "evil" in reason
    assert not set("\x1b\u202e\ud800") & set(reason)


def test_the_environment_is_empty(scale):
    found = scale("import os\nprint(sorted(os.environ))\n" + RIGHT)
    leaked = set(eval(found.stdout)) - {
        "PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "LC_CTYPE", "TORCHINDUCTOR_CACHE_DIR",
        "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GLIBC_TUNABLES",
    }  # fmt: skip
    assert not {name for name in leaked if not name.startswith(("TORCH", "TRITON", "KMP", "PYTORCH"))}


def test_isolation_is_reported(grade):
    isolation = grade(scale=RIGHT).environment.isolation
    assert set(isolation) <= {"landlock", "seccomp", "rlimits", "namespaces"}
    assert "rlimits" in isolation


def test_the_same_answer_by_another_way_gets_the_same_report(scale):
    """Answers that are the reference's byte for byte are not compared again; others are. Nobody sees a difference."""
    same, other = scale(RIGHT), scale(RIGHT.replace("x * factor", "(x.double() * factor).to(x.dtype)"))
    assert "double" in RIGHT.replace("x * factor", "(x.double() * factor).to(x.dtype)")
    for found in (same, other):
        assert [(c.id, c.verdict, c.reason) for c in found.checks] == [(c.id, "passed", "") for c in same.checks]


def test_an_answer_after_which_the_process_hangs_still_counts(scale):
    """test_values makes two calls a dtype; the second hangs, the first is wrong: that is what the student reads."""
    hangs = on_the_call("import time; time.sleep(60)").replace("x * factor", "x * factor + 1")
    assert "the result is off" in check(scale(hangs), "test_values").reason
