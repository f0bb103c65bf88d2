# ruff: noqa: E501 # tables of tests and what becomes of them
"""A teacher's tests run once on the solution and become checks; what does not is said with its reason."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from grader.authoring import from_tests
from grader.errors import CourseError

HERE = Path(__file__).resolve().parents[1] / "toy_tests"


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> from_tests.Found:
    """Of the whole folder, copied: Python leaves files beside modules."""
    folder = tmp_path_factory.mktemp("teacher")
    shutil.copytree(HERE, folder, dirs_exist_ok=True)
    return from_tests.read(folder / "tests", folder / "src")


@pytest.fixture(scope="module")
def suites(found) -> dict[str, str]:
    """Each check's lines below its title, by its name; all suites together."""
    checks = {}
    for exercise in found.exercises.values():
        for node in ast.parse(from_tests.suite(exercise)).body:
            if isinstance(node, ast.FunctionDef):
                checks[node.name] = "\n".join(map(ast.unparse, node.body[1:]))
    return checks


SORTED = "matches_reference.sort_in_place([1, 2])\ndoes_not_mutate.sort_in_place([1, 2])"
RUNNING = "running_mean(np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])"
DRAWN = "np.random.default_rng(7).standard_normal(100).reshape(20, 5)"
ASKED = {
    "test_mean_of_ints": "matches_reference.mean([1, 2, 3])",
    "test_mean_many": "\n".join(f"matches_reference.mean({x})" for x in ("[1.0]", "[1.0, 3.0]", "[-1, 1, 6]")),
    "test_mean_refuses_nothing": "raises_value_error.mean([])",
    "test_mean_leaves_its_input": "matches_reference.mean([3.0, 1.0, 2.0])\ndoes_not_mutate.mean([3.0, 1.0, 2.0])",
    "test_normalise_columns": f"matches_reference.normalise({DRAWN}, axis=0)",
    "test_normalise_seeded": "matches_reference.normalise(np.random.RandomState(0).standard_normal(4000).reshape(100, 40))",
    "test_default": f"matches_reference.{RUNNING})",
    "test_refusal": f"raises_value_error.{RUNNING}, window=0)",
    "test_sorted": "matches_reference.in_place('items').sort_in_place([3, 1, 2])",
    "test_sorted_already": SORTED,
    "test_words": "matches_reference.word_counts('a B b')",
    "test_bisect": "\n".join(f"matches_reference.bisect(lambda x: x ** 2 - {s}, 0.0, 1.0)" for s in ("shift", "shift_2")),
    "test_bisect_cosine": "matches_reference.bisect(np.cos, 0.0, 3.0)",
    "test_draw": "matches_reference.draw(4, np.random.default_rng(1))",
    "test_divide": "matches_reference.divide(1, 4)",
    "test_fitted_b": "matches_reference.normalise([1.0, 2.0, 6.0])",
    "test_clip_special": "matches_reference.with_nan.clip(np.array([1.0, np.nan, -np.inf, 5.0]), 0, 2)",
    "test_tax": "matches_reference.in_place('orders').add_tax(ORDERS, rate=0.5)",
    "test_csv": "matches_reference.totals(ORDERS)",
    "test_relu": "matches_reference.relu(torch.tensor([-1.0, 2.0]))",
    "test_gradient": "\n".join(
        f"{probe}.relu(torch.tensor([1.0, -1.0]).requires_grad_())"
        for probe in ("matches_reference", "matches_gradients", "does_not_mutate")
    ),
    "test_double": "matches_reference.in_place('x', '').double_(torch.tensor([1.0, 1.0]))",
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_what_a_test_asks_is_asked_by_its_check(suites, name):
    assert suites[name] == ASKED[name]


ALONE = "gives something else when it is called on its own, without what the test sets up around it, such as a patch"
REFUSED = {
    "test_read": f"read_numbers {ALONE}",
    "test_noise": f"noise {ALONE}",
    "test_rate": f"rate {ALONE}",
    "test_report": "report returns nothing and changes no input; what it prints or writes is not seen",
    "test_pairs": "pairs returns a value of type generator, which does not cross",
    "test_unique": "unique returns a value of type set, which does not cross",
    "test_fetch": "fetch gets a Mock, which a check cannot hand over",
    "test_later": "is skipped: later",
    "test_class": "Sample is a class; its objects and their methods are not asked for",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_test_that_is_no_check_is_named_with_the_reason(found, suites, name):
    assert name not in suites
    (line,) = [line for line in found.refused if f": {name}: " in line]
    assert f": {name}: {REFUSED[name]}" in line


def test_nothing_is_dropped_in_silence(found):
    assert (found.tests, found.checks, len(found.refused)) == (45, 36, len(REFUSED))
    said = [line.partition(": test_")[2] for line in found.partly]
    assert said == [
        "relu_is_never_negative: relu is called more often than the 20 times that are asked",
        "divide: divide raises ZeroDivisionError; a check asks for ValueError alone",
    ]


def test_what_a_test_leaves_open_is_said(found):
    said = dict(line.split(": ")[1:] for line in found.doubts)
    assert said["test_orthonormal"] == "also with results with the other sign"
    assert said["test_fitted_a"] == "also with results twice as large"
    assert not {"test_mean_of_ints", "test_sorted", "test_totals", "test_linear"} & {*said}
    assert "# The test accepts results with the other sign too; if" in from_tests.suite(found.exercises["stats"])


def test_the_widest_tolerance_of_a_function_is_kept(found):
    allowed = {name: size for e in found.exercises.values() for name, size in e.allowed.items()}
    assert allowed["mean"] == (1e-6, 1e-3)
    assert allowed["bisect"] == (1e-6, 1e-6)
    assert allowed["running_mean"] == (0.0, 1.5e-5)
    assert allowed["linear"] == (0.0, 1e-4)
    assert allowed["totals"] == (1e-5, 1e-8)
    assert not {"word_counts", "relu", "divide"} & {*allowed}


def test_titles_and_settings_come_from_the_tests(found):
    made = from_tests.files(found, "Numbers")
    assert '"""The mean of several samples."""' in made["tests/hidden/stats.py"]
    assert '"""Running mean: window."""' in made["tests/hidden/stats.py"]
    assert "arrays: torch\npackages: [pandas]\n" in made["course.yaml"]
    assert "    points: 7\n        functions: [relu, linear, double_]" in made["course.yaml"]
    assert "def bisect(f, a, b, tol=1e-09):" in made["exercises/stats.py"]


FAULTS = {
    "src/good.py": "def f(x):\n    return x + 1\n",
    "src/empty.py": "LIMIT = 3\n",
    "src/beside.py": "from good import f\n\n\ndef g(x):\n    return f(x)\n",
    "src/pack/__init__.py": "from pack.inner import h\n",
    "src/pack/inner.py": "def h(x):\n    return -x\n",
    "tests/test_good.py": "import good\n\ndef test_it():\n    assert good.f(1) == 2\n\ndef test_wrong():\n    assert good.f(1) == 3\n",
    "tests/test_empty.py": "import empty\n\ndef test_limit():\n    assert empty.LIMIT == 3\n",
    "tests/test_beside.py": "from beside import g\n\ndef test_g():\n    assert g(1) == 2\n",
    "tests/test_pack.py": "from pack import h\n\ndef test_h():\n    assert h(1) == -1\n",
    "tests/test_named.py": "from homework import f\n\ndef test_f():\n    assert f(1) == 2\n",
    "tests/test_syntax.py": "def test_f(:\n",
}  # fmt: skip


def written(folder: Path, texts: dict[str, str]) -> Path:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_faults_of_files_are_a_sentence_each(tmp_path):
    found = from_tests.read(written(tmp_path, FAULTS) / "tests", tmp_path / "src")
    assert sorted(found.exercises) == ["good", "inner"]
    said = [line.removeprefix(f"{tmp_path}/") for line in found.refused]
    assert said == [
        "tests/test_named.py: cannot be imported: ModuleNotFoundError: No module named 'homework'",
        "tests/test_syntax.py: cannot be imported: SyntaxError: invalid syntax (test_syntax.py, line 1)",
        "src/beside.py: imports good, another module of the solution; an exercise is one file, so put its lines there",
        "src/empty.py: defines no function that tests could call",
        f"tests/test_beside.py:3: test_g: it calls functions of {tmp_path}/src/beside.py, which is no exercise",
        f"tests/test_empty.py:3: test_limit: calls no function of a module in {tmp_path}/src",
        "tests/test_good.py:6: test_wrong: fails on the solution: AssertionError: assert 2 == 3",
    ]


IT = "from good import f\n\ndef test_it():\n    {}\n"
ALONE_AT_FAULT = {
    "no tests": ({"src/good.py": ""}, "holds no test_*.py and no *_test.py"),
    "an empty file": ({"src/good.py": "", "tests/test_a.py": ""}, "holds no test; nothing was written"),
    "no such folder": ({"tests/test_a.py": ""}, "no such folder; --solutions names the one that holds the solved modules"),
    "another name": (
        {"src/good.py": "", "tests/test_a.py": "import solution\n"},
        "src: the tests import no module of this folder, which holds good.py",
    ),
    "without an end": (
        {"src/good.py": "def f():\n    pass\n", "tests/test_a.py": IT.format("import time; time.sleep(600)")},
        "test_a.py::test_it did not end within 10 seconds; fix it or leave it out, nothing was written",
    ),
    "an import without an end": (
        {"src/good.py": "import time; time.sleep(600)\n", "tests/test_a.py": IT.format("f()")},
        "the import of the tests did not end within 1 seconds; fix it or leave it out, nothing was written",
    ),
    "conftest": (
        {"src/good.py": "", "tests/conftest.py": "import nowhere\n", "tests/test_a.py": IT.format("f()")},
        "pytest cannot run these tests: ModuleNotFoundError: No module named 'nowhere'",
    ),
}  # fmt: skip


SECONDS = {"without an end": 10.0, "an import without an end": 1.0}  # the former has the imports before it


@pytest.mark.parametrize("case", ALONE_AT_FAULT)
def test_what_leaves_nothing_is_said_in_a_sentence(tmp_path, case):
    texts, said = ALONE_AT_FAULT[case]
    (tmp_path / "tests").mkdir()
    with pytest.raises(CourseError) as error:
        from_tests.read(written(tmp_path, texts) / "tests", tmp_path / "src", SECONDS.get(case, 60.0))
    assert said in str(error.value)
    assert len(str(error.value).splitlines()) == (3 if case == "another name" else 1)


def test_solutions_may_lie_beside_their_tests(tmp_path):
    texts = {"good.py": FAULTS["src/good.py"], "test_good.py": IT.format("assert f(2) == 3")}
    found = from_tests.read(written(tmp_path, texts) / "test_good.py", None)
    assert (found.checks, found.refused) == (1, [])
