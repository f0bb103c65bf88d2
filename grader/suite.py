"""Runs the hidden suites with pytest, in a trusted process: collected once, run for one target after another."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch

from grader import probes, worker
from grader.errors import CourseError, MachineError
from grader.known import AnswerKey, Script
from grader.suitekit import FLOATS, CheckFailed, Make, Misconception
from grader.target import Call, NoAnswer, Outcome, Recorder, Target
from grader.words import Text, both, plain


@dataclasses.dataclass(frozen=True)
class CheckResult:
    """What one check found. `calls` are the student's, for the diagnosis; `size` counts the elements of its input."""

    id: str
    title: Text
    verdict: str
    max_points: float
    reason: Text
    detail: Text | None
    size: int
    seconds: float
    calls: tuple[tuple[Call, Outcome], ...]


@dataclasses.dataclass
class Suite:
    """One exercise's hidden suite: its checks, misconceptions, error bounds and float64 oracles."""

    items: list[pytest.Function]
    module: ModuleType

    @property
    def misconceptions(self) -> list[Misconception]:
        """Those of the module's names, and those in a list of its own, such as pairs of mistakes."""
        named = list(vars(self.module).values())
        listed = [m for names in named if isinstance(names, list) for m in names]
        return [m for m in (*named, *listed) if isinstance(m, Misconception)]

    def marked(self, attribute: str) -> dict[str, Callable[..., Any]]:
        """The functions of the suite's module that carry `attribute`, by the name that it holds."""
        return {getattr(f, attribute): f for f in vars(self.module).values() if hasattr(f, attribute)}


class Suites:
    """The hidden suites of a course, in one pytest session.

    Args:
        hidden: the suite of each exercise.
        solutions: the solution of each exercise, whose functions are the reference.
        device: "cpu" or "cuda", where the checks run.

    Raises:
        CourseError: a suite or a solution cannot be imported, or a check has no points.
    """

    def __init__(self, hidden: Mapping[str, Path], solutions: Mapping[str, Path], device: str = "cpu") -> None:
        self.references = {i: load_solution(path) for i, path in solutions.items()}
        self.suites: dict[str, Suite] = {}
        self._plugin = _Plugin(device)
        for item in self._collect([str(path) for path in hidden.values()]):
            exercise = item.path.stem
            self.suites.setdefault(exercise, Suite([], item.module)).items.append(item)
        self._keys = {
            i: AnswerKey(self.references[i], s.marked("__oracle_of__"), s.marked("__bounds__"))
            for i, s in self.suites.items()
        }
        self._seed: int | None = None
        self._scripts: dict[str, Script] = {}
        self._points = {item.nodeid: _points(item) for s in self.suites.values() for item in s.items}

    def _collect(self, paths: list[str]) -> list[pytest.Function]:
        """Every check; what `pytest.main` does up to the run, which it offers no way to leave open."""
        from _pytest.config import _prepareconfig

        quiet = (
            "cacheprovider terminal doctest unraisableexception threadexception logging warnings faulthandler junitxml"
        )
        root = os.path.dirname(os.path.dirname(paths[0]))  # a suite is hidden.<id>, whatever else is called <id>
        arguments = ["-c", os.devnull, "--rootdir", root, "--disable-plugin-autoload", "--noconftest", "--assert=plain"]
        arguments += ["--import-mode=importlib", "--capture=no", "-o", "python_files=*.py"]
        arguments += [word for plugin in quiet.split() for word in ("-p", f"no:{plugin}")]
        config = _prepareconfig([*arguments, *paths], plugins=[self._plugin])
        config._do_configure()
        session = pytest.Session.from_config(config)
        config.hook.pytest_sessionstart(session=session)
        try:
            session.perform_collect()
        except pytest.UsageError as error:
            raise CourseError(f"a hidden suite cannot be found: {error}") from error
        if self._plugin.broken:
            raise CourseError(f"a hidden suite cannot be imported: {self._plugin.broken[0]}")
        return [item for item in session.items if isinstance(item, pytest.Function)]

    def titles(self, exercise: str) -> dict[str, Text]:
        """The title of each check, by the check's id."""
        return {item.name: both(item.function.__doc__) for item in self.suites[exercise].items}

    def points(self, exercise: str) -> float:
        """The sum over the exercise's checks."""
        return round(sum(self._points[item.nodeid] for item in self.suites[exercise].items), 6)

    def all_with(self, exercise: str, verdict: str, reason: Text) -> list[CheckResult]:
        """Every check with the same verdict, for a file that could not even be imported."""
        return [
            CheckResult(i.name, both(i.function.__doc__), verdict, self._points[i.nodeid], reason, None, 0, 0.0, ())
            for i in self.suites[exercise].items
        ]

    def _script(self, exercise: str, item: pytest.Function, following: pytest.Function | None, seed: int) -> Script:
        """A check's calls under this seed, rehearsed once; another seed forgets them."""
        if seed != self._seed:
            self._seed, self._scripts = seed, {}
        if item.nodeid not in self._scripts:
            script = self._scripts[item.nodeid] = Script(self._keys[exercise])
            self._plugin.bench = Bench(script, script, self.references[exercise], seed, self._plugin.place)
            self._plugin.run(item, following)
        return self._scripts[item.nodeid]

    def run(self, exercise: str, target: Target, seed: int) -> Iterator[CheckResult]:
        """Run one exercise's checks against `target`, one after another."""
        suite = self.suites[exercise]
        for item, following in zip(suite.items, [*suite.items[1:], None], strict=True):
            recorder = Recorder(target)
            script = self._script(exercise, item, following, seed)
            recorder.announce(script.rewind())
            self._plugin.bench = Bench(recorder, script, self.references[exercise], seed, self._plugin.place)
            started = time.perf_counter()
            verdict, reason, detail, size = self._plugin.run(item, following)
            seconds = time.perf_counter() - started
            title, points = both(item.function.__doc__), self._points[item.nodeid]
            yield CheckResult(
                item.name, title, verdict, points, reason, detail, size, seconds, tuple(recorder.calls)
            )  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Bench:
    """What the fixtures of the running check draw on."""

    target: Target
    script: Script
    reference: Mapping[str, Callable[..., Any]]
    seed: int
    device: str

    def probe(self, kind: type[probes.Probe]) -> probes.Probe:
        return kind(self.target, self.script, self.device)


VERDICTS = (CheckFailed, NoAnswer, probes.NotChecked)


class _Plugin:
    """Fixtures and parameters of the suites, and the verdict on one item."""

    def __init__(self, device: str) -> None:
        self.place = device
        self.bench: Bench
        self.broken: list[str] = []
        self._error: BaseException | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "points(value): what a check is worth")
        config.addinivalue_line("markers", "dtypes(*names): the dtypes to check in")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.broken.append(str(report.longrepr))

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        label = "meta" if "contract" in metafunc.fixturenames and self.place == "cpu" else self.place
        metafunc.parametrize("device", [self.place], ids=[label])
        if "dtype" in metafunc.fixturenames:
            mark = metafunc.definition.get_closest_marker("dtypes")
            names = mark.args if mark else FLOATS
            metafunc.parametrize("dtype", [getattr(torch, n) for n in names], ids=list(names))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Iterator[None]:
        outcome = yield
        self._error = outcome.exception  # type: ignore[attr-defined] # pluggy's result
        if isinstance(self._error, VERDICTS):
            outcome.force_result(True)  # type: ignore[attr-defined] # else pytest writes out a traceback, 10 ms each

    def run(self, item: pytest.Function, following: pytest.Function | None) -> tuple[str, Text, Text | None, int]:
        """Run one item: verdict, reason, detail for learners, size of the failing input.

        Raises:
            CourseError: the suite itself is at fault.
            MachineError: the machine is.
        """
        from _pytest.runner import runtestprotocol

        self._error = None
        reports = runtestprotocol(item, log=False, nextitem=following)
        error = self._error
        if error is None:
            for report in reports:
                if report.failed:
                    raise CourseError(f"{item.nodeid}: {report.longrepr}")
            return "passed", plain(""), None, 0
        if isinstance(error, CheckFailed):
            return "failed", error.reason, error.detail, error.size
        if isinstance(error, NoAnswer):
            return error.verdict, error.reason, None, 0
        if isinstance(error, probes.NotChecked):
            return "skipped", error.reason, None, 0
        if isinstance(error, MachineError):
            raise error
        raise CourseError(f"{item.nodeid}: {type(error).__name__}: {error}") from error

    @pytest.fixture(autouse=True)
    def device(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    @pytest.fixture
    def make(self, request: pytest.FixtureRequest, device: str) -> Make:
        params = request.node.callspec.params
        dtype = params.get("dtype", torch.float32)
        return Make(self.bench.seed, request.node.name, dtype)

    @pytest.fixture
    def reference(self) -> Any:
        """The solution's functions, for laws that need a value of their own."""
        return ReferenceView(self.bench.reference)

    @pytest.fixture
    def student(self) -> probes.Probe:
        return self.bench.probe(probes.Student)

    @pytest.fixture
    def golden(self) -> probes.Probe:
        return self.bench.probe(probes.Golden)

    @pytest.fixture
    def gradients(self) -> probes.Probe:
        return self.bench.probe(probes.Gradients)

    @pytest.fixture
    def untouched(self) -> probes.Probe:
        return self.bench.probe(probes.Untouched)

    @pytest.fixture
    def refuses(self) -> probes.Probe:
        return self.bench.probe(probes.Refuses)

    @pytest.fixture
    def contract(self) -> probes.Probe:
        return self.bench.probe(probes.Contract)


class ReferenceView:
    """The solution's functions as attributes."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        vars(self).update(functions)


def load_solution(path: Path) -> dict[str, Callable[..., Any]]:
    """The functions of a solution. Ours and trusted, so it runs here.

    Raises:
        CourseError: it cannot be read or run.
    """
    module = f"solutions.{path.stem}"
    try:
        names = worker.load(path.read_text(encoding="utf-8"), module)
    except Exception as error:
        raise CourseError(f"{path}: {type(error).__name__}: {error}") from error
    return {name: f for name, f in names.items() if callable(f) and getattr(f, "__module__", None) == module}


def _points(item: pytest.Function) -> float:
    mark = item.get_closest_marker("points")
    if mark is None:
        raise CourseError(f"{item.nodeid} has no @points")
    dtypes = item.get_closest_marker("dtypes")
    shares = len(dtypes.args if dtypes else FLOATS) if "dtype" in item.fixturenames else 1
    return float(mark.args[0]) / shares
