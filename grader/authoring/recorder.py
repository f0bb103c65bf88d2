"""Runs a teacher's tests with pytest and records their questions to the solution; a process for `from_tests`.

In: the file to write to, the folder of the solutions, the tests. Out: a `Recorded` as JSON.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.machinery
import inspect
import os
import re
import shutil
import sys
import threading
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.authoring import doubts, tolerances
from grader.authoring.recorded import Recorded, RecordedCall, Test, is_test
from grader.authoring.recorded_calls import CallNotes, Noted
from grader.texts import one_line

OF_CLASS = "is a class; its objects and their methods are not asked for"
MOST_CALLS = 20  # of a test become lines of its check
TOO_MANY = f"is called more often than the {MOST_CALLS} times that are asked"
QUIET = [*(w for name in ("grader", "cacheprovider", "randomly") for w in ("-p", f"no:{name}")), "-o", "addopts="]
QUIET += ["--continue-on-collection-errors"]
STOPPED = (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERRUPTED)


class Solutions:
    """Finds the modules of the solutions' folder for Python, and records the calls of their functions."""

    def __init__(self, folder: Path, notebook: CallNotes) -> None:
        self._folder, self._notebook = folder, notebook
        self.functions: dict[str, list[str]] = {}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if is_test(name.rpartition(".")[2]):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec and spec.loader and spec.origin and Path(spec.origin).resolve().is_relative_to(self._folder):
            self._wrap(spec.loader, Path(spec.origin).resolve())
            return spec
        return None

    def _wrap(self, loader: Any, file: Path) -> None:
        execute = loader.exec_module

        def exec_module(module: types.ModuleType) -> None:
            execute(module)
            own = {n: f for n, f in vars(module).items() if getattr(f, "__module__", "") == module.__name__}
            functions = [n for n, f in own.items() if callable(f) and not inspect.isclass(f) and not n.startswith("_")]
            self.functions[str(file)] = functions
            for name, thing in own.items():
                if name in functions:
                    vars(module)[name] = self._notebook.noting(file, name, thing)
                elif inspect.isclass(thing) and "__init__" in vars(thing):
                    made = self._notebook.noting(file, name, vars(thing)["__init__"], OF_CLASS)
                    thing.__init__ = made  # type: ignore[method-assign] # of a class in a module that is being watched

        loader.exec_module = exec_module


def _words(name: str) -> str:
    """Return the words of a test's name: `TestRunningMean` and `test_running_mean` give "running mean"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", re.sub("^[Tt]est_?", "", name)).strip().lower()


class RecordingPlugin:
    """The plugin: one run of all tests in which calls are recorded, then the runs of `doubts`."""

    def __init__(self, notebook: CallNotes, solutions: Solutions, to: Path, scratch: Path, seconds: float) -> None:
        self._notebook, self._solutions, self._to, self._scratch = notebook, solutions, to, scratch
        self._tests: dict[str, Test] = {}
        self._recorded = Recorded()
        self._shared: dict[int, list[Noted]] = {}
        self._noting = True
        self._seconds = seconds
        self._timer = threading.Timer(0, lambda: None)
        self.begin("the import of the tests")

    def begin(self, what: str) -> None:
        """Give this so much time from now on; when it is over, stop."""

        def over() -> None:
            if self._noting:
                self._recorded.running = what
                self._write()
            os._exit(0)

        self._timer.cancel()
        self._timer = threading.Timer(self._seconds, over)
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        """Write the record."""
        self._timer.cancel()
        self._write()

    def _test(self, item: pytest.Item) -> Test:
        path, line, _ = item.reportinfo()
        name = getattr(item, "originalname", None) or item.name
        title = one_line((inspect.getdoc(getattr(item, "obj", None)) or "").split("\n\n")[0], 200)
        inside = getattr(getattr(item, "cls", None), "__name__", "")
        title = title or ": ".join(filter(None, map(_words, (inside, name)))).capitalize() + "."
        return self._tests.setdefault(self._notebook.key(item), Test(str(path), (line or 0) + 1, name, title))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self._test(item)
        self.begin(item.nodeid)
        self._notebook.test = self._notebook.key(item)
        try:
            return (yield)
        finally:
            self._notebook.test = ""
            fixtures = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
            shared = [noted for found in fixtures.values() for noted in self._shared.get(id(found[-1]), ())]
            key = self._notebook.key(item)
            self._notebook.calls += [dataclasses.replace(n, test=key) for n in shared if n.test != key]

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        """Count the questions of a shared fixture for each of its tests."""
        before = len(self._notebook.calls)
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                self._shared[id(fixturedef)] = self._notebook.calls[before:]

    def pytest_exception_interact(self, node: Any, call: Any) -> None:
        if not self._noting:
            return
        error = call.excinfo.value.__cause__ if isinstance(node, pytest.Collector) else call.excinfo.value
        said = one_line(f"{type(error).__name__}: {error}".partition("\n")[0], 200)
        if isinstance(node, pytest.Item):
            self._test(node).why = f"fails on the solution: {said}"
        else:
            self._recorded.broken.append(f"{node.path}: cannot be imported: {said}")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        test = self._tests[report.nodeid.partition("[")[0]]
        if hasattr(report, "wasxfail"):
            test.why = "is marked as one that fails"
        elif report.skipped:
            said = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else "").removeprefix("Skipped: ")
            test.missed.append(f"is skipped: {one_line(said, 200)}")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[Any]:
        done = yield
        self.begin("the calls of the tests, made again")
        with contextlib.suppress(OSError):
            shutil.rmtree(self._scratch)  # what tests left there is no part of a course
        self._notebook.look_again()
        self._collect()
        self._write()
        self._noting = False
        for _ in doubts.found(session.items, self._tests, self._notebook, self.begin):
            self._write()
        return done

    def _collect(self) -> None:
        """Return the questions of each test, in its order, each call once."""
        for noted in self._notebook.calls:
            test = self._tests[noted.test]
            why = noted.why or (TOO_MANY if len(test.asked) >= MOST_CALLS else "")
            if not why and noted.lines not in [asked.lines for asked in test.asked]:
                test.asked.append(RecordedCall(str(noted.file), noted.name, noted.lines, noted.untouched))
            if why and (said := f"{noted.name} {why}") not in test.missed:
                test.missed.append(said)
        self._recorded.allowed = self._notebook.allowed
        self._recorded.definitions = self._notebook.writer.before
        self._recorded.imports = sorted(self._notebook.writer.imports)

    def _write(self) -> None:
        self._recorded.tests, self._recorded.functions = [*self._tests.values()], self._solutions.functions
        new = self._to.with_suffix(".new")
        new.write_bytes(msgspec.json.encode(self._recorded))
        new.replace(self._to)


def run(to: Path, folder: Path, seconds: float, tests: list[str]) -> None:
    """Run the tests, the modules of the folder being importable, also as a package."""
    notebook, scratch = CallNotes(), to.with_name("scratch")
    solutions = Solutions(folder.resolve(), notebook)
    sys.path[1:1] = [str(folder.resolve())]
    sys.path.append(str(folder.resolve().parent))
    sys.meta_path.insert(0, solutions)
    tolerances.watch(notebook.compared)
    with contextlib.suppress(ImportError):
        from hypothesis import settings

        settings.register_profile("recorded", derandomize=True, database=None, deadline=None, max_examples=MOST_CALLS)
        settings.load_profile("recorded")
    recorder = RecordingPlugin(notebook, solutions, to, scratch, seconds)
    if pytest.main([*QUIET, f"--basetemp={scratch}", *tests], plugins=[recorder]) not in STOPPED:
        recorder.end()


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), sys.argv[4:])
