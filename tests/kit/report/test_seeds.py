"""A resubmission's inputs are others than those of the submission before, and the same whenever it is graded."""

from __future__ import annotations

import pytest
from reports import report_of
from support import TOY, solution

from grader.batch.batch import Context, grade_all
from grader.course import course as courses
from grader.intake import Source, Submission
from grader.report import Results, Row, seeds


def test_a_new_seed_is_one_of_very_many():
    found = {seeds.new() for _ in range(50)}
    assert len(found) == 50
    assert max(found).bit_length() > 115


def test_each_attempt_has_a_seed_that_tells_nothing_of_another():
    assert seeds.of(7, 0) == 7
    derived = [seeds.of(7, attempt) for attempt in (1, 2, 3)]
    assert len({7, *derived}) == 4
    assert derived == [seeds.of(7, attempt) for attempt in (1, 2, 3)]
    assert min(d.bit_length() for d in derived) > 100
    assert seeds.of(8, 1) != seeds.of(7, 1)


def test_what_was_handed_in_anew_is_another_attempt():
    first = "source=a suites=s"
    assert seeds.attempt(first, None) == 0
    assert seeds.attempt("source=a suites=other", first) == 0
    assert seeds.attempt("source=b suites=s", first) == 1
    second = seeds.numbered("source=b suites=s", 1)
    assert second == "source=b suites=s attempt=1"
    assert seeds.attempt("source=b suites=s", second) == 1
    assert seeds.attempt("source=a suites=s", second) == 2  # back to the first one: it may know its inputs by now


class Entry:
    """A submission that is there already."""

    def __init__(self, source: str) -> None:
        self.student, self._source = "ann", source

    def load(self, course):
        return Submission("ann", {"scale": Source(self._source), "pair": Source(solution("pair"))})


class Pool:
    """Notes the seeds that it is given."""

    where = ""

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def grade(self, submission, fingerprint, seed):
        self.seeds.append(seed)
        return report_of("ann", fingerprint).to_json()

    def close(self):
        pass


@pytest.fixture
def handed_in(tmp_path):
    """`handed_in("source")` grades this submission in one RESULTS folder; the seed that it was graded with."""
    results, pool, course = Results(tmp_path / "results"), Pool(), courses.load(TOY)

    def run(source: str, regrade: bool = False) -> int | None:
        before = len(pool.seeds)
        outcomes = list(grade_all([Entry(source)], course, pool, 1, results, Context(5, {}, regrade)))
        assert all(isinstance(o, Row) for o in outcomes), outcomes
        return pool.seeds[-1] if len(pool.seeds) > before else None

    yield run, results
    results.close()


def test_a_batch_gives_each_attempt_its_seed(handed_in):
    run, _ = handed_in
    assert run("a") == 5
    assert run("a") is None  # nothing has changed
    assert run("b") == seeds.of(5, 1)
    assert run("b") is None
    assert run("b", regrade=True) == seeds.of(5, 1)
    assert run("a") == seeds.of(5, 2)


def test_who_takes_a_submission_back_for_a_while_does_not_begin_anew(handed_in):
    run, results = handed_in
    assert run("a") == 5
    assert results.set_apart(["ann"]) == ["ann"]
    assert run("b") == seeds.of(5, 1)


def test_a_seed_of_many_digits_reaches_the_inputs(fork_server, process):
    """Two such seeds give other inputs; the same one gives the same again."""
    wrong = Submission("ann", {"scale": Source("def scale(x, factor=2.0):\n    return x + factor\n")})
    one, other = 1 << 127 | 1, 1 << 127 | 3
    reports = [process.grade(wrong, "", seed) for seed in (one, other, one)]
    shown = [[line.partition('"seconds"')[0] for line in r.splitlines()] for r in reports]
    assert shown[0] == shown[2]
    assert shown[0] != shown[1]
