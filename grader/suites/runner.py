"""The runner of hidden suites: pytest in a trusted process, which collects once and runs them for many targets."""

from __future__ import annotations

import dataclasses
import functools
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import msgspec
import pytest

from grader.course import shared_out, suite_texts
from grader.errors import CourseError
from grader.report import report
from grader.sandbox.worker import load
from grader.suites.ahead import PreparedCalls
from grader.suites.api import Tolerance
from grader.suites.lenient import Accepted
from grader.suites.misconceptions import Misconception, explained, held_by
from grader.suites.plugin import Bench, CheckResult, Plugin, session, worth
from grader.suites.reference import Reference
from grader.suites.script import Script
from grader.suites.student import StudentCode
from grader.suites.target import ExpectedAnswer, Recorder, Target
from grader.texts import Text, of_docstring

SEEDS_KEPT = 4  # first, second and third attempts of a class have seeds of their own, and mistakes are named by another


@dataclasses.dataclass
class Suite:
    """One exercise's hidden suite: its checks, misconceptions, error bounds and float64 oracles; and the solution.

    texts: those in the catalogue beside it. shared: those that it has in common with other suites.
    """

    items: list[pytest.Function]
    module: ModuleType
    reference: dict[str, Callable[..., Any]]
    texts: dict[str, Text]
    kind: str = "torch"
    accepts: Sequence[str] = ()
    shared: Mapping[str, Text] = dataclasses.field(default_factory=dict)

    @functools.cached_property
    def key(self) -> Reference:
        """The reference that the checks compare with."""
        oracles, bounds = self.marked("__oracle_of__"), self.marked("__bounds__")
        accepts = {"": frozenset(self.accepts)} | {name: frozenset(words) for name, words in self.accepted.items()}
        return Reference(self.reference, oracles, bounds, self.tolerances, self.kind, accepts)

    @property
    def tolerances(self) -> dict[str, Tolerance]:
        """The tolerances in plain numbers, by function; "" holds for all others."""
        given = [t for t in vars(self.module).values() if isinstance(t, Tolerance)]
        return {name: t for t in given for name in t.functions or ("",)}

    @property
    def accepted(self) -> dict[str, tuple[str, ...]]:
        """The forms of results that the suite itself accepts, by function; "" for all others."""
        found: dict[str, tuple[str, ...]] = {}
        for said in (value for value in vars(self.module).values() if isinstance(value, Accepted)):
            found |= {name: found.get(name, ()) + said.words for name in said.functions or ("",)}
        return found

    @functools.cached_property
    def misconceptions(self) -> list[Misconception]:
        """The misconceptions of the module, with their explanations."""
        return explained(held_by(self.module), {**self.shared, **self.texts})

    @property
    def lets_pass(self) -> Mapping[str, str]:
        """The slips that this suite need not catch, with the reasons, see `authoring.ready_mistakes`."""
        named: Mapping[str, str] = getattr(self.module, "LETS_PASS", {})
        return named

    @property
    def facts(self) -> dict[str, Callable[..., Any]]:
        """The generators of facts about a wrong result, by function."""
        return self.marked("__facts_of__")

    def marked(self, attribute: str) -> dict[str, Callable[..., Any]]:
        """The functions of the suite's module that carry `attribute`, by the name that it holds."""
        return {getattr(f, attribute): f for f in vars(self.module).values() if hasattr(f, attribute)}


class Suites:
    """The hidden suites of a course, in one pytest session; each is loaded when it is first asked for.

    Args:
        hidden: the suite of each exercise.
        solutions: the solution of each exercise, whose functions are the reference.
        device: "cpu" or "cuda", where the checks run.
        kind: of the arrays that checks make, torch or numpy.
        accepts: forms of results that suites accept that say nothing of it, see `api.accepts`.
        points: what all checks of an exercise are worth together; without, the sum of their @points.

    Raises:
        CourseError: a suite or a solution cannot be imported, or a check has no points; when it is asked for.
    """

    def __init__(
        self, hidden: Mapping[str, Path], solutions: Mapping[str, Path], device: str = "cpu", kind: str = "torch",
        accepts: Sequence[str] = (), points: Mapping[str, float] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        self._hidden, self._solutions = dict(hidden), dict(solutions)
        self._plugin, self._accepts, self._points = Plugin(device, kind), accepts, points
        self._session = session(self._plugin, next(iter(self._hidden.values())).parent) if self._hidden else None
        self._suites: dict[str, Suite] = {}
        self._scripts: dict[int, dict[str, tuple[Script, CheckResult]]] = {}
        self._prepared: dict[tuple[int, str], PreparedCalls] = {}
        self.prove = False  # whether a rehearsal compares the solution with itself, too

    def __iter__(self) -> Iterator[str]:
        return iter(self._hidden)

    def __getitem__(self, exercise: str) -> Suite:
        """Return the suite; it is loaded when it is first asked for."""
        if exercise not in self._suites:
            self._suites[exercise] = self._load(exercise)
        return self._suites[exercise]

    def _load(self, exercise: str) -> Suite:
        path = self._hidden[exercise]
        if not path.is_file():
            raise CourseError(f"{path}: no such hidden suite")
        assert self._session is not None
        open_package(path.parent)
        self._plugin.broken.clear()
        self._plugin.wanted = path
        self._session.perform_collect([str(path)])
        if self._plugin.broken:
            raise CourseError(f"tests/hidden/{path.name} cannot be imported: {self._plugin.broken[0]}")
        items = [item for item in self._session.items if isinstance(item, pytest.Function)]
        if not items:
            raise CourseError(f"{path}: holds no check")
        reference = load_solution(self._solutions[exercise])
        weights = {item.nodeid: worth(item, self._plugin.kind) for item in items}
        self._plugin.points |= shared_out(weights, self._points.get(exercise))
        texts, kind = suite_texts.catalogue(path), self._plugin.kind
        return Suite(items, items[0].module, reference, texts, kind, self._accepts, self._shared_texts)

    @functools.cached_property
    def _shared_texts(self) -> Mapping[str, Text]:
        """The texts that all suites have in common."""
        return suite_texts.catalogue(next(iter(self._hidden.values())).parent / suite_texts.SHARED)

    def titles(self, exercise: str) -> dict[str, Text]:
        """The title of each check, by the check's id."""
        return {item.name: of_docstring(item.function.__doc__) for item in self[exercise].items}

    def all_with(
        self, exercise: str, verdict: report.Verdict, reason: Text, attempted: bool = True
    ) -> list[CheckResult]:
        """Return every check with the same verdict, for a file that could not be imported."""
        found: dict[str, Any] = {"reason": reason, "attempted": attempted, "of_file": True}
        return [self._plugin.result(item, verdict, **found) for item in self[exercise].items]

    def _script(
        self, exercise: str, item: pytest.Function, following: pytest.Function | None, seed: int
    ) -> tuple[Script, CheckResult]:
        """Return a check's calls under this seed and the verdict on the reference; each seed is rehearsed once."""
        scripts = self._scripts[seed] = self._scripts.pop(seed, {})
        if item.nodeid not in scripts:
            suite = self[exercise]
            script = Script(suite.key, self.prove)
            self._plugin.bench = Bench(script, script, suite.reference, seed, self._plugin.place)
            scripts[item.nodeid] = script, self._plugin.run(item, following)
        if len(self._scripts) > SEEDS_KEPT:
            del self._scripts[next(iter(self._scripts))]
            self._prepared = {key: kept for key, kept in self._prepared.items() if key[0] in self._scripts}
        return scripts[item.nodeid]

    def forget(self) -> None:
        """Rehearse every check again when it is next run."""
        self._scripts, self._prepared = {}, {}

    def _all_calls(self, exercise: str, seed: int) -> PreparedCalls:
        if (seed, exercise) not in self._prepared:
            answers = self.rehearsed(exercise, seed).values()
            self._prepared[seed, exercise] = PreparedCalls([e.call for each in answers for e in each])
        return self._prepared[seed, exercise]

    def prepared(self, exercise: str, seed: int) -> PreparedCalls | None:
        """Return all calls of the checks, if they were rehearsed under this seed."""
        return self._prepared.get((seed, exercise))

    def rehearsed(
        self, exercise: str, seed: int, only: Collection[str] | None = None
    ) -> dict[str, list[ExpectedAnswer]]:
        """The calls of each check, of those that are named or of all, with the reference's answers, by its id."""
        items, found = [item for item in self[exercise].items if only is None or item.name in only], {}
        try:
            for item, following in zip(items, [*items, None][1:], strict=True):
                found[item.name] = self._script(exercise, item, following, seed)[0].rewind()
        finally:
            self[exercise].items[0].session._setupstate.teardown_exact(None)
        return found

    def run(
        self,
        exercise: str,
        target: Target,
        seed: int,
        only: Sequence[int] | None = None,
        tries: int = 1,
        attempted: bool = True,
    ) -> Iterator[CheckResult]:
        """Run one exercise's checks against `target`, one after another; `only` gives the numbers of those to run.

        Args:
            tries: so many that were stopped for time are tried again.
            attempted: whether it is certain that somebody wrote it; else checks are not rehearsed until one shows it.
        """
        suite = self[exercise]
        items = suite.items if only is None else [suite.items[number] for number in only]
        try:
            yield from self._results(exercise, items, target, seed, tries, attempted)
        finally:  # else pytest would refuse the next suite after a fault in the midst of this one
            suite.items[0].session._setupstate.teardown_exact(None)

    def _results(
        self, exercise: str, items: Sequence[pytest.Function], target: Target, seed: int, tries: int, attempted: bool
    ) -> Iterator[CheckResult]:
        shown = False
        for item, following in zip(items, [*items[1:], None], strict=True):
            check = functools.partial(self._checked, exercise, item, following, target, seed, shown)
            result = check(attempted)
            unclear = result.attempted and result.salience.unclear
            if not attempted and unclear:  # the rehearsal knows calls that show more
                result = check(True)
            if result.verdict == "timeout" and tries:  # alone, in a fresh worker; once is enough to find out
                tries -= 1
                result = check(attempted)
            attempted, shown = attempted or result.attempted, shown or result.shows_values
            yield result

    def _checked(
        self, exercise: str, item: pytest.Function, following: pytest.Function | None, target: Target, seed: int,
        shown: bool, rehearse: bool,
    ) -> CheckResult:  # fmt: skip
        """Return what one check finds; a file that nobody has begun to write needs no rehearsal."""
        recorder, suite = Recorder(target), self[exercise]
        one_by_one = getattr(item.function, "__one_by_one__", False) and not shown  # else wrong values are noted, too
        script, found = Script(suite.key), None
        if rehearse:
            if isinstance(target, StudentCode):
                target.make_all(functools.partial(self._all_calls, exercise, seed))
            script, found = self._script(exercise, item, following, seed)
        started = time.perf_counter()
        as_expected, before = target.expect(script.rewind())
        if found is None or not script.found_right(recorder, as_expected, one_by_one):
            recorder = Recorder(target)  # the body sees something else than in rehearsal
            self._plugin.bench = Bench(recorder, script, suite.reference, seed, self._plugin.place, shown)
            found = self._plugin.run(item, following)
        seconds, calls = before + time.perf_counter() - started, tuple(recorder.calls)
        return msgspec.structs.replace(found, seconds=seconds, calls=calls, last=found.last or recorder.last)


def open_package(folder: Path) -> None:
    """Let the suites of a folder import each other, as `hidden.lib`; those of another course are forgotten.

    Else pytest would hand out another course's suites for those of this one, whose names are the same.
    """
    package = sys.modules.get(folder.name)
    if package is None or [*package.__path__] != [str(folder)]:
        for name in [n for n in sys.modules if f"{n}.".startswith(f"{folder.name}.")]:
            del sys.modules[name]
        package = sys.modules[folder.name] = ModuleType(folder.name)
        package.__path__ = [str(folder)]


def load_solution(path: Path) -> dict[str, Callable[..., Any]]:
    """The functions of a solution. Ours and trusted, so it runs here.

    Raises:
        CourseError: it cannot be read or run.
    """
    module = f"solutions.{path.stem}"
    try:
        names = load(path.read_text(encoding="utf-8"), module)
    except OSError as error:
        raise CourseError(f"{path}: cannot be read: {error.strerror}") from error
    except Exception as error:
        raise CourseError(f"{path}: {type(error).__name__}: {error}") from error
    return {name: f for name, f in names.items() if callable(f) and getattr(f, "__module__", None) == module}
