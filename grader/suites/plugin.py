"""Fixtures and parameters of the hidden suites, and the verdict on one check: the plugin of their pytest session."""

from __future__ import annotations

import dataclasses
import functools
import os
import traceback
import types
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from grader import arrays
from grader.course import nearest
from grader.errors import CourseError, MachineError
from grader.report import report
from grader.suites import domain, gradients, probes, promises, several_laws, side_effects
from grader.suites.api import PROMISES, CheckFailed, Make, MakeNumpy, Salience
from grader.suites.script import Script
from grader.suites.target import Answers, Call, NoAnswer, Outcome
from grader.texts import of_docstring, one_line


@dataclasses.dataclass(frozen=True)
class Bench:
    """The context of the running check, for fixtures. `shown`: whether an earlier check shows that values are wrong."""

    target: Answers
    script: Script
    reference: Mapping[str, Callable[..., Any]]
    seed: int
    device: str
    shown: bool = False
    wrong: list[CheckFailed] = dataclasses.field(default_factory=list)

    def probe(self, kind: type[probes.Probe]) -> probes.Probe:
        return kind(self.target, self.script, self.device, self.wrong if self.shown else None)


VALUE = PROMISES.index("value")
LEAST = Salience(len(PROMISES))  # a call that came to nothing says little about what is wrong


class CheckResult(report.Check, frozen=True):
    """The result of one check: the check as the report keeps it, and the evidence that the report does not keep.

    calls: the student's, with their outcomes. last: the call that it is about, else the last one.
    salience: how well a failure shows what is wrong. attempted: whether somebody has written the code.
    waits: whether somebody else decides later. useless: whether nobody could use the code. wrong_values: whether a
    promise is kept beside values that are wrong, as an earlier check shows.
    """

    calls: tuple[tuple[Call, Outcome], ...] = ()
    last: Call | None = None
    salience: Salience = LEAST
    attempted: bool = True
    waits: bool = False
    wrong_values: bool = False
    useless: bool = False

    @property
    def shows_values(self) -> bool:
        """Return whether the result shows that values are wrong."""
        return self.failed and self.salience.promise == VALUE


VERDICTS = (CheckFailed, NoAnswer, side_effects.NotChecked)
PROBES: Mapping[str, type[probes.Probe]] = {
    "student": probes.Student,
    "matches_reference": probes.MatchesReference,
    "matches_gradients": gradients.MatchesGradients,
    "notes_values": promises.Notes,
    "keeps_names": promises.KeepsNames,
    "keeps_layout": promises.KeepsLayout,
    "keeps_mode": promises.KeepsMode,
    "remembers_nothing": promises.RemembersNothing,
    "any_shape": side_effects.AnyShape,
    "any_items": side_effects.AnyItems,
    "largest_tensor": side_effects.LargestTensor,
    "does_not_mutate": side_effects.DoesNotMutate,
    "raises_value_error": side_effects.RaisesValueError,
    "stays_on_device": side_effects.StaysOnDevice,
}
PLAIN = {*PROBES, "make", "domain", "reference", "device", "dtype", "request"}


class Plugin:
    """Fixtures and parameters of the suites, and the verdict on one item."""

    def __init__(self, device: str, kind: str = "torch") -> None:
        self.place = device
        self.kind = kind
        self.bench: Bench
        self.broken: list[str] = []
        self.wanted: Path | None = None
        self.points: dict[str, float] = {}
        """What each check is worth, by its id in pytest."""
        self._error: BaseException | None = None

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "points(value): what a check is worth")
        config.addinivalue_line("markers", "dtypes(*names): the dtypes to check in")
        config.addinivalue_line("markers", "essential: what nobody could use the code without")

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Collect only the requested suite of a folder: pytest would look at each of its neighbours several times."""
        beside = self.wanted is not None and collection_path.parent == self.wanted.parent
        return (beside and collection_path != self.wanted) or None

    def pytest_exception_interact(
        self, node: pytest.Collector, call: pytest.CallInfo[Any], report: pytest.CollectReport
    ) -> None:
        if isinstance(report, pytest.CollectReport) and call.excinfo:
            error = call.excinfo.value
            self.broken.append(fault(error.__cause__ or error, node.path))

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, collector: pytest.Module, obj: object) -> list[Any] | None:
        return several_laws.collected(collector, obj)

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        label = "meta" if "stays_on_device" in metafunc.fixturenames and self.place == "cpu" else self.place
        metafunc.parametrize("device", [self.place], ids=[label])
        if "dtype" in metafunc.fixturenames:
            mark = metafunc.definition.get_closest_marker("dtypes")
            names = mark.args if mark else arrays.FLOATS[self.kind]
            metafunc.parametrize("dtype", [arrays.dtype(self.kind, n) for n in names], ids=list(names))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Iterator[None]:
        outcome = yield
        self._error = outcome.exception  # type: ignore[attr-defined] # pluggy's result
        if isinstance(self._error, VERDICTS):
            outcome.force_result(True)  # type: ignore[attr-defined] # else pytest writes out a traceback, 10 ms each

    def run(self, item: pytest.Function, following: pytest.Function | None) -> CheckResult:
        """Run one item, and return its result without the calls.

        Raises:
            CourseError: the suite itself is at fault.
            MachineError: the machine is.
        """
        error = self._called(item) if is_plain(item) else self._by_pytest(item, following)
        if error is None:
            return self.result(item, "passed", wrong_values=bool(self.bench.wrong))
        if isinstance(error, CheckFailed):
            return self.result(
                item, "failed", reason=error.reason, values=error.values, picture=error.picture,
                salience=error.salience, attempted=error.attempted, last=error.call, share=error.share,
                useless=error.useless or (error.salience.promise != VALUE and "essential" in item.keywords),
            )  # fmt: skip
        if isinstance(error, NoAnswer):
            return self.result(item, error.verdict, reason=error.reason)
        if isinstance(error, side_effects.NotChecked):
            return self.result(item, "skipped", reason=error.reason)
        if isinstance(error, MachineError):
            raise error
        if isinstance(error, CourseError):
            raise CourseError(f"tests/{item.nodeid}: {error}") from error
        raise CourseError(f"tests/{item.nodeid}: {fault(error, item.path)}") from error

    def result(self, item: pytest.Function, verdict: report.Verdict, share: float = 0.0, **found: Any) -> CheckResult:
        """Return the result of an item with this verdict; one that failed may earn a share of its points."""
        most = self.points[item.nodeid]
        earned = most if verdict == "passed" else round(most * share, 2)
        title = of_docstring(item.function.__doc__)
        return CheckResult(
            id=item.name, title=title, verdict=verdict, points=earned, max_points=most, in_part=share > 0, **found
        )

    def _called(self, item: pytest.Function) -> BaseException | None:
        """Return what a check raises that pytest only has to call."""
        try:
            item.obj(**{name: self.value(name, item) for name in item._fixtureinfo.argnames})
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # pytest's own outcomes are no Exceptions
            return error
        return None

    def _by_pytest(self, item: pytest.Function, following: pytest.Function | None) -> BaseException | None:
        """Return what a check raises under pytest's own protocol, with set-up and tear-down: 0.3 ms a check."""
        from _pytest.runner import runtestprotocol

        self._error = None
        reports = runtestprotocol(item, log=False, nextitem=following)
        if self._error is None:
            for report in reports:
                if report.failed:
                    raise CourseError(f"tests/{item.nodeid}: {report.longrepr}")
        return self._error

    def value(self, name: str, item: pytest.Function) -> Any:
        """Return what a check gets for an argument of this name."""
        if name in PROBES:
            return self.bench.probe(PROBES[name])
        params: Mapping[str, Any] = item.callspec.params
        if name == "make":
            dtype = params.get("dtype") or arrays.dtype(self.kind, arrays.USUAL[self.kind])
            return (Make if self.kind == "torch" else MakeNumpy)(self.bench.seed, item.name, dtype)
        if name == "domain":
            return domain.of_suite(item.module, self.kind)
        return types.SimpleNamespace(**self.bench.reference) if name == "reference" else params[name]

    @pytest.fixture(autouse=True)
    def device(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)


def _fixture(name: str) -> Any:
    @pytest.fixture(name=name)
    def give(self: Plugin, request: pytest.FixtureRequest) -> Any:
        return self.value(name, request.node)

    return give


for _name in (*PROBES, "make", "domain", "reference"):
    setattr(Plugin, _name, _fixture(_name))


def fault(error: BaseException, path: Path) -> str:
    """Describe an exception of a suite's own code, with its line there: `line 12: KeyError: 'x'`."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    said = str(error)
    if isinstance(error, SyntaxError) and error.filename == str(path):
        lines, said = [error.lineno], error.msg
    return f"{f'line {lines[-1]}: ' if lines else ''}{type(error).__name__}: {one_line(said)}"


def worth(item: pytest.Function, kind: str) -> float:
    """Return the weight of a check in one dtype."""
    named = _place(item)
    known = {*item._fixtureinfo.name2fixturedefs, *(item.callspec.params if hasattr(item, "callspec") else ()), *PLAIN}
    if name := next((name for name in item._fixtureinfo.argnames if name not in known), None):
        raise CourseError(f"{named} asks for an argument {name!r}{nearest(name, sorted(PLAIN))}")
    mark = item.get_closest_marker("points")
    if mark is None:
        raise CourseError(f"{named} has no @points; write @points(1), or what it is worth, above it")
    asked, marks = "dtype" in item.fixturenames, list(item.iter_markers("dtypes"))
    if len(marks) > 1:
        raise CourseError(f"{named} has @dtypes twice, and only one of them counts; keep one")
    if marks and not asked:
        usual = arrays.USUAL[kind]
        raise CourseError(
            f"{named} has @dtypes but no argument `dtype`, so that it would run in {usual} alone; add `dtype` to its "
            "arguments, or take @dtypes away"
        )
    return float(mark.args[0]) / (len(marks[0].args if marks else arrays.FLOATS[kind]) if asked else 1)


def _place(item: pytest.Function) -> str:
    """Name a check with its suite and its line there, unless it is a law."""
    path, line, _ = item.reportinfo()
    if line is None or Path(path) != item.path:
        return f"tests/{item.nodeid}"
    return f"tests/hidden/{item.path.name}:{line + 1}: {item.name}"


@functools.cache
def is_plain(item: pytest.Function) -> bool:
    """Return whether a check uses no fixtures but ours, and no marks that change how it is run."""
    ours = {*item.fixturenames} <= PLAIN and "request" not in item._fixtureinfo.argnames
    return ours and {mark.name for mark in item.iter_markers()} <= {"points", "dtypes", "essential"}


def session(plugin: Plugin, folder: Path) -> pytest.Session:
    """Open a session to collect into, as `pytest.main` does, which offers no way to keep it open."""
    from _pytest.config import _prepareconfig

    quiet = "cacheprovider terminal doctest unraisableexception threadexception logging warnings faulthandler junitxml"
    if not folder.is_dir():
        raise CourseError(f"{folder}: no such folder; it holds the suite of each exercise")
    root = str(folder.parent)  # a suite is hidden.<id>, whatever else is called <id>
    arguments = ["-c", os.devnull, "--rootdir", root, "--disable-plugin-autoload", "--noconftest", "--assert=plain"]
    arguments += ["--import-mode=importlib", "--capture=no"]
    arguments += ["--confcutdir", str(folder), "-o", "python_files="]  # only the file that is asked for is looked at
    arguments += [word for name in quiet.split() for word in ("-p", f"no:{name}")]
    with pytest.MonkeyPatch.context() as surroundings:  # what a person asks of pytest is not asked of suites
        for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
            surroundings.delenv(name, raising=False)
        config = _prepareconfig([*arguments, str(folder)], plugins=[plugin])
    config._do_configure()
    opened = pytest.Session.from_config(config)
    config.hook.pytest_sessionstart(session=opened)
    return opened
