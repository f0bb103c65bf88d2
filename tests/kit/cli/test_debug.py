"""`grader debug`: the call that failed, in plain Python where a debugger works."""

from __future__ import annotations

import os
import tempfile

import pytest
from support import solution

pytestmark = pytest.mark.slow

STOPS = "import torch\ndef scale(x, factor=2.0):\n    breakpoint()\n    return x + factor\n"


@pytest.fixture
def run(toy_copy, run_here, monkeypatch, capfd):
    """The command in this process; the Python that it starts reads `given`, and what that prints follows."""
    monkeypatch.chdir(toy_copy)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("PYTHONUTF8", "1")

    def run(*arguments: str, given: str = "") -> tuple[int, str, str]:
        with tempfile.TemporaryFile() as typed, os.fdopen(os.dup(0)) as kept:
            typed.write(given.encode())
            typed.seek(0)
            os.dup2(typed.fileno(), 0)
            try:
                done = run_here(*arguments)
            finally:
                os.dup2(kept.fileno(), 0)
        started = capfd.readouterr()
        return done.returncode, done.stdout + started.out, done.stderr + started.err

    return run


@pytest.fixture
def save(toy_copy):
    return lambda source: (toy_copy / "exercises" / "scale.py").write_text(source, encoding="utf-8")


def test_a_breakpoint_works_in_the_call_that_failed(run, save, toy_copy):
    save(STOPS)
    _, said, _ = run("check", "scale", "--seed", "11")
    assert "scale(x [3] float32): calls breakpoint() on line 3" in said
    code, out, err = run("debug", "scale", given="p ('is', x.shape, factor)\nc\n")
    assert (code, err) == (0, "")
    assert "scale, called as in the check that failed, in plain Python without the sandbox: " in out
    assert "('is', torch.Size([3]), 2.0)" in out
    first = out.splitlines()[-1]
    assert first.startswith("(Pdb) tensor([")
    again = [
        run("debug", "scale", *seed, given="c\n")[1].splitlines()[-1] for seed in (("--seed", "11"), ("--seed", "3"))
    ]
    assert again[0] == first, "without a seed it is that of the last run"
    assert again[1] != first
    assert (toy_copy / ".grader" / "debug" / "debug_scale.py").is_file()


def test_a_folder_that_cannot_be_written_is_a_sentence(run, save, toy_copy):
    save(STOPS)
    (toy_copy / ".grader").mkdir()
    (toy_copy / ".grader" / "debug").touch()
    code, out, err = run("debug", "scale")
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert ".grader/debug: cannot be written: " in err


def test_inputs_are_shown_as_far_as_feedback_allows(run, save, toy_copy):
    save(solution("scale").replace("x * factor", "print(x) or x + factor"))
    text = (toy_copy / "course.yaml").read_text(encoding="utf-8")
    shown = {}
    for feedback in ("full", "hints", "verdict"):
        (toy_copy / "course.yaml").write_text(f"feedback: {feedback}\n{text}", encoding="utf-8")
        shown[feedback] = run("debug", "scale", "--seed", str(1 << 127))
    values = [out.splitlines()[-2:] for _, out, _ in (shown["full"], shown["hints"])]
    assert all(len(lines) == 2 and lines[0].startswith("tensor([") for lines in values)
    assert values[0] != values[1], "the same shape, other values"
    assert shown["verdict"][0] == 2
    assert "this course shows no inputs" in shown["verdict"][2]


def test_what_cannot_be_imported_and_what_passes(run, save):
    save("import torch\nprint('here')\n1 / 0\n")
    code, out, err = run("debug", "scale")
    assert code == 1
    assert "scale.py cannot be imported; this imports it" in out
    assert "here" in out
    assert "ZeroDivisionError" in err
    save(solution("scale"))
    assert "scale passes everything; this is one of its calls" in run("debug", "scale", "--lang", "en")[1]
