"""Fixtures and parameters of the hidden suites, and the verdict on one check: the plugin of their pytest session."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
import torch

from grader import probes
from grader.errors import CourseError, MachineError
from grader.known import Script
from grader.suitekit import FLOATS, CheckFailed, Make
from grader.target import NoAnswer, Target
from grader.words import Text, plain


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


class Plugin:
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
    def loose(self) -> probes.Probe:
        return self.bench.probe(probes.Loose)

    @pytest.fixture
    def largest(self) -> probes.Probe:
        return self.bench.probe(probes.Largest)

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
