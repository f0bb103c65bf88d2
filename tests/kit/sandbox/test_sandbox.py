"""Student code that hangs, dies, forges or takes too much: what the report says; other checks do not suffer."""

from __future__ import annotations

import sys

import msgspec
import pytest
from scale_files import RIGHT, on_the_call, others_pass
from support import check, exercise, solution

from grader.sandbox.processes import Loaded, Returned

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")


def test_the_solutions_score_full(grade):
    report = grade(scale=solution("scale"), pair=solution("pair"))
    assert (report.status, report.score, report.max_score) == ("graded", 6.0, 6.0)
    assert [e.status for e in report.exercises] == ["passed", "passed"]
    assert all(c.verdict == "passed" and not c.reason for e in report.exercises for c in e.checks)


def test_the_stubs_score_nothing(grade, toy):
    report = grade(**{i: toy.stub(i).read_text(encoding="utf-8") for i in ("scale", "pair")})
    assert report.score == 0
    assert {e.reason.to("en") for e in report.exercises} == {
        "scale(x [3] float32): not started: the function still raises NotImplementedError",
        "pair(x [4] float32): not started: the function still raises NotImplementedError",
    }


def test_a_missing_file(grade):
    report = grade(pair=solution("pair"))
    missing = exercise(report, "scale")
    assert (missing.status, missing.reason.to("en"), missing.score, missing.max_score) == (
        "missing", "scale.py is missing", 0.0, 4.0,
    )  # fmt: skip
    assert exercise(report, "pair").score == 2.0


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
    assert (broken.verdict, broken.points, broken.reason.to("en")) == ("crashed", 0.0, reason)
    assert others_pass(found)
    assert found.score == 2.0


def test_a_hang_in_a_call(scale):
    found = scale(on_the_call("while True: pass", "factor == -1.5 and x.dtype is torch.float32"))
    hung = check(found, "test_values[cpu-float32]")
    assert hung.verdict == "timeout"
    assert hung.reason.to("en") == "took longer than 1 s and was stopped, in the loop on line 5, `while True: pass`"
    assert 0.9 < hung.seconds < 15  # what it waits for a processor does not count
    assert check(found, "test_values[cpu-float64]").verdict == "passed"
    assert others_pass(found)


@pytest.mark.slow
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
    found = scale("while True: factor = 2.0\n" + RIGHT.replace("factor=2.0", "factor=factor"))
    assert {c.verdict for c in found.checks} == {"timeout"}
    assert found.reason.to("en") == (
        "while the file was imported: importing the file took longer than 1 s, in the loop on line 1, `while True: "
        "factor = 2.0`; is there a loop outside the functions?"
    )


@pytest.mark.parametrize("line", ["while True: pass", "import os; os._exit(0)"])
def test_a_line_that_no_function_needs_and_that_never_ends(scale, line):
    found = scale(RIGHT + line + "\n")
    assert found.score == found.max_score
    assert (
        found.remarks[0]
        .to("en")
        .startswith("what no graded function needs was left out of scale.py: while the file was ")
    )


LOOPS = {
    "in a loop that ends, within one that does not": (
        "while True:\n            for i in range(9): x = x * 1", "in the loop on line 5, `while True:`",
    ),
    "in a helper": ("[None for _ in iter(int, 1)]", "on line 5, `[None for _ in iter(int, 1)]`"),
    "in a loop that takes too long": (
        "for i in range(10**12):\n            x = x * 1", "in the loop on line 5, `for i in range(10**12):`",
    ),
    "in a loop that prints": ("while True:\n            print(x)", "in the loop on line 5, `while True:`"),
    "in a loop that prints little at a time": (
        "while True:\n            print(0, flush=True)", "in the loop on line 5, `while True:`",
    ),
    "caught by nobody": (
        "while True:\n            try: 1 / 0\n            except BaseException: pass",
        "in the loop on line 5, `while True:`",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", LOOPS)
def test_the_line_where_a_call_hangs_is_named(scale, case):
    statement, where = LOOPS[case]
    found = scale(on_the_call(statement, "factor == -1.5 and x.dtype is torch.float32"))
    assert check(found, "test_values[cpu-float32]").reason.to("en") == f"took longer than 1 s and was stopped, {where}"


WAITING = {
    "breakpoint()": "breakpoint()",
    "import pdb; pdb.set_trace()": "pdb.set_trace()",
    "import ipdb; ipdb.set_trace()": "ipdb.set_trace()",
    "input('how many? ')": "input()",
}


@pytest.mark.parametrize("statement", WAITING)
def test_who_waits_for_a_person_is_told_of_a_way_that_works(scale, statement):
    found = scale(on_the_call(statement))
    reason = check(found, "test_values[cpu-float32]").reason.to("en")
    assert reason.partition("\n")[0].endswith(
        f"calls {WAITING[statement]} on line 5, `{statement}`, and nobody can answer here; `grader debug scale` makes "
        f"this call in plain Python on your machine, where it works"
    )
    assert found.stdout == "", "no prompt of a debugger"
    assert others_pass(found)


@pytest.mark.slow
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
    assert broken.reason.to("en") == (
        f"scale(x [2, 3] float32, factor=-1.5): ends the program ({name} on line 5, `{EXITS[case]}`) "
        "instead of returning a value"
    )
    assert others_pass(found)


@pytest.mark.parametrize("module", ["hidden.scale", "solutions.scale", "tests"])
def test_suites_and_solutions_cannot_be_imported(scale, module):
    found = scale(f"import {module}\n" + RIGHT.replace("return x", f"{module}; return x"))
    assert found.score == 0
    missing = f"No module named '{module.split('.')[0]}'"
    assert f"raises ModuleNotFoundError on line 1, `import {module}`: {missing}" in found.reason.to("en")


def test_suites_and_solutions_are_not_in_memory(scale):
    found = scale("import sys\nprint([m for m in sys.modules if m.startswith(('hidden', 'solutions'))])\n" + RIGHT)
    assert found.stdout == "[]\n"


def test_suites_cannot_be_read(scale, toy, process):
    if "landlock" not in process.isolation:
        pytest.skip("this kernel has no Landlock")
    found = scale(f"read = print(open({str(toy.suite('scale'))!r}).read())\n" + RIGHT.replace("=2.0", "=2.0, by=read"))
    assert (found.score, found.stdout) == (0, "")
    assert {c.verdict for c in found.checks} == {"blocked"}


def test_a_worker_holds_nothing_of_the_last_student(scale):
    assert scale("import builtins\nbuiltins.left = 1\n" + RIGHT).status == "passed"
    found = scale("import builtins\nassert not hasattr(builtins, 'left')\n" + RIGHT)
    assert (found.status, found.remarks) == ("passed", ())


def test_a_result_over_the_limit(scale):
    found = scale(on_the_call("return torch.zeros(1 << 20)"))
    broken = check(found, "test_values[cpu-float32]")
    assert broken.verdict in ("failed", "blocked")
    assert "1 MB" in broken.reason.to("en")
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
    assert broken.reason.to("en") == "the code disturbed the connection to the grader"
    assert others_pass(found)


def test_a_wrong_answer_is_diagnosed(scale):
    found = scale(RIGHT.replace("x * factor", "x + factor"))
    assert [d.misconception for d in found.diagnoses] == ["scale/adds_instead"]
    assert found.diagnoses[0].message.to("en") == "The factor is added instead of multiplied."
    assert "test_values[cpu-float32]" in found.diagnoses[0].checks


def test_the_environment_is_empty(scale):
    found = scale("import os\nprint(sorted(os.environ))\n" + RIGHT)
    leaked = set(eval(found.stdout)) - {
        "PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TEMP", "TMP", "LC_CTYPE", "TORCHINDUCTOR_CACHE_DIR",
        "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "GLIBC_TUNABLES",
    }  # fmt: skip
    assert not {name for name in leaked if not name.startswith(("TORCH", "TRITON", "KMP", "PYTORCH"))}


def test_isolation_is_reported(grade):
    isolation = grade(scale=RIGHT).environment.isolation
    assert set(isolation) <= {"landlock", "seccomp", "rlimits", "namespaces", "root"}
    assert "rlimits" in isolation


def test_the_same_answer_by_another_way_gets_the_same_report(scale):
    """Answers that are the reference's byte for byte are not compared again; others are. Nobody sees a difference."""
    same, other = scale(RIGHT), scale(RIGHT.replace("x * factor", "(x.double() * factor).to(x.dtype)"))
    assert "double" in RIGHT.replace("x * factor", "(x.double() * factor).to(x.dtype)")
    for found in (same, other):
        assert [(c.id, c.verdict, c.reason.to("en")) for c in found.checks] == [
            (c.id, "passed", "") for c in same.checks
        ]


def test_an_answer_after_which_the_process_hangs_still_counts(scale):
    """test_values makes two calls a dtype; the second hangs, the first is wrong: that is what the student reads."""
    hangs = on_the_call("import time; time.sleep(60)").replace("x * factor", "x * factor + 1")
    assert "the result is off" in check(scale(hangs), "test_values").reason.to("en")
