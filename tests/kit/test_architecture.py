"""The engine's rules: who may import whom, who may print, and that none of it knows about attention."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "grader"
SOURCES = {
    path.relative_to(ENGINE).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(ENGINE.rglob("*.py"))
}
TREES = {name: ast.parse(source) for name, source in SOURCES.items()}

# Who may touch the environment of the process, and why.
ENVIRONMENT = {
    "arrays": "is told by whoever started the process that torch is not needed",
    "batch/surroundings": "reads what the user set and passes on only what Python needs to start",
    "course/course": "knows who started this through sudo, whose course may be trusted then",
    "authoring/kit/autograder": "a program of its own, which a classroom's repository starts",
    "sandbox/processes/fork_server": "sets thread counts in its own process before torch is imported",
    "sandbox/worker/preload": "names torch's cache folder in its own process",
    "sandbox/worker/as_new": "puts back in its own process what a student's file changed",
    "cli/debug": "starts plain Python in the environment of one's own shell",
    "grading/process": "hands its own environment on to the workers where nothing can be forked",
}

# Who may print beside the command line, and why.
PRINTS = {
    "integrations/notebook": "its functions are a notebook's commands",
    "authoring/kit/autograder": "a program of its own, which a classroom's repository starts",
}

# Who may catch a fault instead of passing it on to the command line, and why.
CATCHES = {
    ("cli/main", "GraderError"): "prints it and exits",
    ("pytest_plugin", "GraderError"): "hands it to pytest, which prints it",
    ("cli/main", "CourseError"): "prints it and exits",
    ("grading/process", "CourseError"): "sends it to the command line, which raises it again",
    ("grading/process", "MachineError"): "sends it to the command line, which raises it again",
    ("learner/attempts", "CourseError"): "shows it in the watch, which goes on",
    ("learner/attempts", "MachineError"): "starts lost processes anew, else shows it in the watch, which goes on",
    ("batch/pool", "MachineError"): "tries once more in another process, then raises it",
    ("batch/batch", "CourseError"): "raises it again; every other fault is listed and the others go on",
    ("cli/viva_class", "CourseError"): "raises it again; every other fault is listed and the others go on",
    ("authoring/lint", "CourseError"): "it is what lint looks for",
    ("grading/devices", "MachineError"): "a GPU that cannot be used is left out, and the report says why",
}

# An exception that stays in its room, where it becomes the reason that the student reads.
STAYS_IN = {"Refused": "intake/"}

VOCABULARY = re.compile(
    r"softmax|attention|\brope\b|rotary|\bmask\b|causal|\bheads\b|head_dim|\bgqa\b|\bkv\b|logit|transformer",
    re.IGNORECASE,
)
# Where a word of the subject is not about the course, and why.
WORDS_ALLOWED = {
    ("course/course_reader", "attention-kit"): "the name of the package",
    ("authoring/pytest_bodies", "NodeTransformer"): "a class of Python's",
    ("authoring/pytest_checks", "NodeTransformer"): "a class of Python's",
    ("cli/main", "attention-kit"): "the name of the package",
    ("batch/surroundings", "attention-kit"): "the name of the package",
    ("authoring/student_copy", "attention-kit"): "the name of the package",
    ("batch/cluster", "attention-kit"): "the name of the package",
    ("sandbox/worker/preload", "scaled_dot_product_attention"): "operators that read a file on first use",
    ("sandbox/worker/preload", "softmax"): "operators that read a file on first use",
    ("suites/api", "mask"): "an input maker that any course may use",
    ("suites/student", "nn\\.attention"): "a module of torch that imports its compiler",
    ("suites/torch_errors", "~mask"): "a boolean tensor, in what torch says of any",
}


@pytest.mark.parametrize("module", SOURCES)
def test_no_file_is_long(module):
    assert len(SOURCES[module].splitlines()) <= 300


@pytest.mark.parametrize("module", SOURCES)
def test_each_module_says_its_duty(module):
    assert ast.get_docstring(TREES[module])


@pytest.mark.parametrize("module", [m for m in SOURCES if not m.startswith("cli/") and m not in PRINTS])
def test_only_the_command_line_prints_and_exits(module):
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in ("print", "exit", "quit", "sys.exit"), f"grader/{module}.py:{node.lineno}"


@pytest.mark.parametrize("module", SOURCES)
def test_only_some_touch_the_environment(module):
    touched = [n.lineno for n in ast.walk(TREES[module]) if isinstance(n, ast.Attribute) and n.attr == "environ"]
    assert bool(touched) <= (module in ENVIRONMENT), f"grader/{module}.py:{touched}"
    assert "getenv" not in SOURCES[module]


@pytest.mark.parametrize("module", SOURCES)
def test_faults_reach_the_command_line(module):
    names = {"GraderError", "SubmissionError", "CourseError", "MachineError", "Refused"}
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            for name in {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} & names:
                stays = name in STAYS_IN and module.startswith(STAYS_IN[name])
                assert stays or (module, name) in CATCHES, f"grader/{module}.py:{node.lineno} catches {name}"


@pytest.mark.parametrize("module", SOURCES)
def test_nothing_is_unpickled(module):
    forbidden = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {a.name.split(".")[0] for a in node.names} | {(getattr(node, "module", "") or "").split(".")[0]}
            assert not names & forbidden, f"grader/{module}.py:{node.lineno}"
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called not in ("eval", "torch.load"), f"grader/{module}.py:{node.lineno}"


def test_student_code_runs_in_one_place_only():
    runs = [m for m, tree in TREES.items() for n in ast.walk(tree) if isinstance(n, ast.Call) if _name(n) == "exec"]
    assert runs == ["sandbox/worker/source"]


def _name(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


@pytest.mark.parametrize("module", SOURCES)
def test_the_engine_knows_nothing_of_the_subject(module):
    allowed = [words for m, words in WORDS_ALLOWED if m == module]
    docs = {
        n.body[0].lineno: n.body[0].end_lineno
        for n in ast.walk(TREES[module])
        if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef) and n.body and ast.get_docstring(n) is not None
    }
    for token in tokenize.generate_tokens(io.StringIO(SOURCES[module]).readline):
        in_docstring = any(first <= token.start[0] <= (last or first) for first, last in docs.items())
        if token.type != tokenize.COMMENT and not in_docstring and VOCABULARY.search(token.string):
            spared = any(words in token.string for words in allowed)
            assert spared, f"grader/{module}.py:{token.start[0]}: {token.string}"


def test_the_allowances_are_still_needed():
    """An allowance that nothing uses would let something in later."""
    for module, words in WORDS_ALLOWED:
        assert words in SOURCES[module]
    for module in ENVIRONMENT:
        assert "environ" in SOURCES[module]
    for module in PRINTS:
        assert re.search(r"\bprint\(|sys\.exit\(", SOURCES[module])
    for module, name in CATCHES:
        assert re.search(rf"except .*\b{name}\b", SOURCES[module])
