"""Functions that a grading process runs for authors: texts, questions with their keys, examples, lessons, evidence.

The command line names these functions, see `GradingProcess.ask`.
"""

from __future__ import annotations

from grader.authoring import bounds as measured_bounds
from grader.authoring import evidence as measured
from grader.authoring import examples, soundness
from grader.authoring import lessons as built
from grader.authoring.judgement import ALTERNATIVES, SuiteEvidence
from grader.course import Exercise
from grader.grading import Grader
from grader.grading.process import graded
from grader.intake import Submission
from grader.sandbox.processes import DescribedQuestion, ExampleCall, Texts


def proven(grader: Grader, submission: Submission, fingerprint: str, seed: str, only: tuple[str, ...] = ()) -> str:
    """Grade as `graded` does, and compare the solution with itself in each rehearsal."""
    grader.suites.prove = True
    return graded(grader, submission, fingerprint, seed, only)


def texts(grader: Grader, exercises: tuple[str, ...] = ()) -> dict[str, Texts]:
    """Return the texts of checks, questions and mistakes of these exercises, () for all."""
    return {e.id: _texts(grader, e) for e in grader.exercises if not exercises or e.id in exercises}


def _texts(grader: Grader, exercise: Exercise) -> Texts:
    if exercise.kind == "questions":
        paper = grader.papers[exercise.id]
        named = ((f"{w.name} of {q.name}", w.message) for q in paper.questions for w in paper.solved(q).wrong_answers)
        return Texts(paper.titles(), dict(named))
    known = {m.name: m.message for m in grader.suites[exercise.id].misconceptions}
    return Texts(grader.suites.titles(exercise.id), known)


def questions(grader: Grader, variant: str) -> dict[str, list[DescribedQuestion]]:
    """Return the concept questions of this variant, by exercise."""
    return {e.id: grader.papers[e.id].described(variant) for e in grader.exercises if e.kind == "questions"}


def visible(grader: Grader) -> dict[str, list[ExampleCall]]:
    """Return short calls with their results, by exercise."""
    code = [e for e in grader.exercises if e.kind == "code"]
    return {e.id: examples.gather(grader.suites, e.id, e.functions) for e in code}


def lessons(grader: Grader, units: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Return the lessons of these units, their numbers computed: text by language, by unit."""
    return built.build(grader.course, units)


def bounds(grader: Grader, exercise: str) -> list[str]:
    """Return sentences on how far right results of an exercise differ."""
    asked, alternatives = grader.course.exercise(exercise).functions, grader.course.root / ALTERNATIVES / exercise
    return list(measured_bounds.suggestions(grader.suites, exercise, asked, alternatives))


def flaws(grader: Grader, exercise: str) -> list[str]:
    """Return sentences on the flaws of an exercise's suite."""
    unknown = soundness.unknown_names(grader.course.exercise(exercise).forbid)
    said = (f"course.yaml: {exercise}: {name}" for name in unknown)
    return [*said, *soundness.problems(grader.suites, exercise)]


def evidence(grader: Grader, exercise: str, seeds: tuple[int, ...]) -> SuiteEvidence:
    """Return how the suite of an exercise judges misconceptions and right solutions."""
    asked, alternatives = grader.course.exercise(exercise).functions, grader.course.root / ALTERNATIVES / exercise
    return measured.gather(grader.suites, exercise, asked, alternatives, seeds)
