"""The hidden suites without the kit's sandbox, for the other ways to grade that `bench.py` measures.

The very same checks: the same functions of tests/hidden, inputs of the same seed, the same comparisons with the same
float64 references. Only the student's function is called directly, in this process, with copies of the inputs. Used by
a notebook's test cells, as a plugin of pytest (`-p same_checks`), and by the two ways that keep torch loaded.
"""

import json
import os
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]  # suites import hidden.lib

import pytest
import torch

from grader import arrays, pytree
from grader.sandbox.worker.source import load
from grader.suites import domain
from grader.suites.api import CheckFailed, Make
from grader.suites.local import LocalTarget
from grader.suites.plugin import PROBES, VALUE, VERDICTS, Bench, Plugin
from grader.suites.reference import Reference
from grader.suites.script import NothingAhead, Script
from grader.suites.several_laws import Laws
from grader.suites.target import Call, Outcome, StudentError

FLOATS = arrays.FLOATS["torch"]
CORE = ("softmax", "attention", "causal_mask", "heads", "rope", "gqa")
SEED = 7
torch.set_num_threads(1)


class Direct(NothingAhead):
    """A student's functions in this process. Gradients and watched calls go through the kit's code for them."""

    def __init__(self, functions: dict[str, Any]) -> None:
        self._functions = functions
        self._local = LocalTarget(functions)

    def call(self, call: Call) -> Outcome:
        if call.gradients or call.watch or call.contract or call.turns or call.made:
            return self._local.call(call)
        args, kwargs = pytree.mapped(_copied, (call.args, dict(call.kwargs)))
        try:
            value = pytree.mapped(_itself, self._functions[call.function](*args, **kwargs))  # plain tuples
        except Exception as error:
            types = tuple(kind.__name__ for kind in type(error).__mro__ if kind is not object)
            return Outcome(raised=StudentError(types, str(error)))
        return Outcome(value, tuple(t.device.type for t in pytree.tensors(value)))


def _itself(value: Any) -> Any:
    return value


def _copied(value: Any) -> Any:
    return value.clone() if isinstance(value, torch.Tensor) else value


class Checks:
    """One exercise's checks, each dtype by itself, with what is kept of them between submissions."""

    def __init__(self, exercise: str) -> None:
        self.module = types.ModuleType(f"hidden_{exercise}")
        path = ROOT / "tests" / "hidden" / f"{exercise}.py"
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), self.module.__dict__)
        for laws in [value for value in vars(self.module).values() if isinstance(value, Laws)]:
            vars(self.module).update(laws.checks)
        source = (ROOT / "solutions" / f"{exercise}.py").read_text(encoding="utf-8")
        self.reference = {n: f for n, f in load(source, f"solution_{exercise}").items() if callable(f)}
        marked = {name: self._marked(name) for name in ("__oracle_of__", "__bounds__")}
        self.key = Reference(self.reference, marked["__oracle_of__"], marked["__bounds__"])
        self.scripts: dict[str, Script] = {}
        self._shown = False

    def _marked(self, attribute: str) -> dict[str, Callable[..., Any]]:
        return {getattr(f, attribute): f for f in vars(self.module).values() if hasattr(f, attribute)}

    def rehearse(self) -> None:
        """Compute what is expected, once for all submissions to come."""
        for name, check, dtype, _ in self._each():
            script = Script(self.key)
            self._run(name, check, dtype, script, script)
            script.rewind()
            self._run(name, check, dtype, Direct(self.key.reference), script)  # so that all is there to compare with
            self.scripts[name] = script

    def score(self, functions: dict[str, Any], target: Direct | None = None) -> float:
        """The points of these functions."""
        target, total, self._shown = target or Direct(functions), 0.0, False
        for name, check, dtype, points in self._each():
            script = self.scripts.get(name) or Script(self.key)
            script.rewind()
            total += points * self._run(name, check, dtype, target, script)
        return round(total, 6)

    def _each(self) -> Iterator[tuple[str, Callable[..., Any], str | None, float]]:
        for name, check in vars(self.module).items():
            if name.startswith("test_"):
                marks = {mark.name: mark.args for mark in check.pytestmark}
                wants = "dtype" in check.__code__.co_varnames[: check.__code__.co_argcount]
                dtypes = marks.get("dtypes", FLOATS) if wants else (None,)
                for dtype in dtypes:
                    yield f"{name}[{dtype}]", check, dtype, marks["points"][0] / len(dtypes)

    def _run(self, name: str, check: Callable[..., Any], dtype: str | None, target: Any, script: Script) -> bool:
        kind = getattr(torch, dtype or "float32")
        label = "meta" if "stays_on_device" in check.__code__.co_varnames[: check.__code__.co_argcount] else "cpu"
        named = name.replace("[None]", f"[{label}]") if dtype is None else name.replace("[", f"[{label}-")
        given = {"make": lambda: Make(SEED, named, kind), "reference": lambda: types.SimpleNamespace(**self.reference),
                 "dtype": lambda: kind, "device": lambda: "cpu",
                 "domain": lambda: domain.of_suite(self.module, "torch")}  # fmt: skip
        arguments = check.__code__.co_varnames[: check.__code__.co_argcount]
        try:
            wrong = [] if self._shown else None
            check(**{a: PROBES[a](target, script, "cpu", wrong) if a in PROBES else given[a]() for a in arguments})
        except VERDICTS as error:
            self._shown |= shows_values(error)
            return False
        return True


def shows_values(error: BaseException) -> bool:
    """Whether a check failed since values are wrong: what asks for something else then takes no offence at them."""
    return isinstance(error, CheckFailed) and error.salience.promise == VALUE


def functions_of(source: str, exercise: str) -> dict[str, Any]:
    """The names of a student's file; none if it cannot be imported."""
    try:
        return load(source, f"student_{exercise}")
    except Exception:
        return {}


# --- as a plugin of pytest: one process a submission, SUBMISSION names its folder, SCORES the file for the points


class OneSubmission(Plugin):
    """The kit's fixtures, on one student's functions."""

    def __init__(self) -> None:
        super().__init__("cpu")
        self.scores: dict[str, float] = {}
        self._checks: dict[str, tuple[Any, Reference]] = {}
        self._shown: set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Function) -> None:
        exercise = item.path.stem
        if exercise not in self._checks:
            path = Path(os.environ["SUBMISSION"], f"{exercise}.py")
            functions = functions_of(path.read_text(encoding="utf-8"), exercise) if path.is_file() else {}
            source = (ROOT / "solutions" / path.name).read_text(encoding="utf-8")
            reference = {n: f for n, f in load(source, f"solution_{exercise}").items() if callable(f)}
            marked = [
                {getattr(f, a): f for f in vars(item.module).values() if hasattr(f, a)}
                for a in ("__oracle_of__", "__bounds__")
            ]
            self._checks[exercise] = Direct(functions), Reference(reference, *marked)
        target, key = self._checks[exercise]
        self.bench = Bench(target, Script(key), key.reference, SEED, "cpu", exercise in self._shown)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            exercise = Path(report.nodeid.partition("::")[0]).stem
            self.scores[exercise] = self.scores.get(exercise, 0.0) + dict(report.user_properties)["points"]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Iterator[None]:
        points, dtypes = pyfuncitem.get_closest_marker("points"), pyfuncitem.get_closest_marker("dtypes")
        shares = len(dtypes.args if dtypes else FLOATS) if "dtype" in pyfuncitem.fixturenames else 1
        pyfuncitem.user_properties.append(("points", points.args[0] / shares))
        outcome = yield
        if shows_values(outcome.exception):  # type: ignore[attr-defined] # pluggy's result
            self._shown.add(pyfuncitem.path.stem)

    def pytest_sessionfinish(self) -> None:
        Path(os.environ["SCORES"]).write_text(json.dumps(self.scores), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    if "SUBMISSION" in os.environ:
        config.pluginmanager.register(OneSubmission())
