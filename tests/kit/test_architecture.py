"""The engine's rules: who may import whom, who may print, and that none of it knows about attention."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ENGINE = Path(__file__).resolve().parents[2] / "grader"
SOURCES = {
    path.relative_to(ENGINE).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(ENGINE.rglob("*.py"))
}
TREES = {name: ast.parse(source) for name, source in SOURCES.items()}

# Who may touch the environment of the process, and why.
ENVIRONMENT = {
    "arrays": "is told by whoever started the process that torch is not needed",
    "packages": "is told likewise which packages the course is about",
    "batch/environment": "reads what the user set and passes on only what Python needs to start",
    "course/course": "knows who started this through sudo, whose course may be trusted then",
    "authoring/kit/autograder": "a program of its own, which a classroom's repository starts",
    "sandbox/processes/fork_server": "sets thread counts in its own process before torch is imported",
    "sandbox/worker/preload": "names torch's cache folder in its own process",
    "sandbox/worker/reset": "puts back in its own process what a student's file changed",
    "authoring/from_tests": "hands its own environment on to the teacher's tests",
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
    ("study/author", "MachineError"): "starts a lost process anew once, then raises it",
    ("desk/server", "CourseError"): "shows it on the page, whose form keeps what was typed",
    ("desk/views", "CourseError"): "shows it where the code would be",
    ("desk/writing", "GraderError"): "shows it on every page, and tries again",
    ("batch/pool", "MachineError"): "tries once more in another process, then raises it",
    ("batch/batch", "CourseError"): "raises it again; every other fault is listed and the others go on",
    ("cli/batch_run", "MachineError"): "names who was not graded, and raises it again",
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
    ("sandbox/worker/preload", "scaled_dot_product_attention"): "operators that read a file on first use",
    ("sandbox/worker/preload", "softmax"): "operators that read a file on first use",
    ("suites/api", "mask"): "an input maker that any course may use",
    ("suites/student", "nn\\.attention"): "a module of torch that imports its compiler",
    ("suites/torch_errors", "~mask"): "a boolean tensor, in what torch says of any",
}


def calls() -> Iterator[tuple[str, ast.Call, str]]:
    """Every call in the engine: its module, itself, what is called."""
    for module, tree in TREES.items():
        yield from ((module, node, ast.unparse(node.func)) for node in ast.walk(tree) if isinstance(node, ast.Call))


def test_no_file_is_long():
    assert [module for module, source in SOURCES.items() if len(source.splitlines()) > 300] == []


def test_each_module_says_its_duty():
    assert [module for module, tree in TREES.items() if not ast.get_docstring(tree)] == []


def test_only_the_command_line_prints_and_exits():
    ends = {"print", "exit", "quit", "sys.exit"}
    found = [(m, node.lineno) for m, node, called in calls() if called in ends]
    assert [place for place in found if not place[0].startswith("cli/") and place[0] not in PRINTS] == []


def test_only_some_touch_the_environment():
    found = [
        (module, node.lineno)
        for module, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "environ"
    ]
    assert [place for place in found if place[0] not in ENVIRONMENT] == []
    assert [module for module, source in SOURCES.items() if "getenv" in source] == []


def test_faults_reach_the_command_line():
    names = {"GraderError", "SubmissionError", "CourseError", "MachineError", "Refused"}
    caught = [
        (module, node.lineno, name)
        for module, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and node.type is not None
        for name in {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} & names
    ]
    stays = {(m, line, name) for m, line, name in caught if name in STAYS_IN and m.startswith(STAYS_IN[name])}
    assert [place for place in caught if place not in stays and (place[0], place[2]) not in CATCHES] == []


def test_nothing_is_unpickled():
    forbidden = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
    imports = [
        (module, node.lineno)
        for module, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        if forbidden
        & ({a.name.split(".")[0] for a in node.names} | {(getattr(node, "module", "") or "").split(".")[0]})
    ]
    assert imports == []
    assert [(m, node.lineno) for m, node, called in calls() if called in ("eval", "torch.load")] == []


def test_student_code_runs_in_one_place_only():
    assert [module for module, _, called in calls() if called == "exec"] == ["sandbox/worker/source"]


def test_the_engine_knows_nothing_of_the_subject():
    said = [
        f"grader/{module}.py:{token.start[0]}: {token.string}"
        for module in SOURCES
        for token in tokens_but_docstrings(module)
        if token.type != tokenize.COMMENT and VOCABULARY.search(token.string)
        if not any(words in token.string for m, words in WORDS_ALLOWED if m == module)
    ]
    assert said == []


def tokens_but_docstrings(module: str) -> Iterator[tokenize.TokenInfo]:
    docs = [
        range(n.body[0].lineno, (n.body[0].end_lineno or n.body[0].lineno) + 1)
        for n in ast.walk(TREES[module])
        if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef) and n.body and ast.get_docstring(n) is not None
    ]
    for token in tokenize.generate_tokens(io.StringIO(SOURCES[module]).readline):
        if not any(token.start[0] in lines for lines in docs):
            yield token


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
