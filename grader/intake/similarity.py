"""Finds submissions that are the same or alike: a hint where to look, never a verdict.

Python is cut into tokens by Pygments and compared by copydetect's winnowing; nothing of a submission is run.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import io
import itertools
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pygments.lexers import PythonLexer
from pygments.token import Comment, Literal, Text

from grader.intake.sources import Submission

MOST_SOURCE = 32_000  # characters of one file that are compared; honest ones are far below,
MOST_TOKENS = 100_000  # and what Pygments makes of all files of one student
NOISE, GUARANTEE = 25, 30  # filtered characters: shorter matches are never seen, longer ones always
COMMON = 0.05  # what more than this part of the class wrote is common knowledge,
AT_LEAST, AT_MOST = 3, 10  # but between these numbers of students, whatever the size of the class
ALIKE = 0.5  # the part of a submission's own fingerprints that the other one shares
LEAST_LINES = 8  # of an exercise, for the same code in it to mean anything
LEAST_OWN = 100  # filtered characters that are left of a submission once the common ones are gone
MOST_PAIRS = 200


@dataclasses.dataclass(frozen=True)
class SimilarGroup:
    """Students with the same code except for comments, spacing and docstrings: in `exercise`, or in all ("").

    `reference`: True for the course's own solution, which may have leaked or may be what everyone would write.
    """

    exercise: str
    students: tuple[str, ...]
    reference: bool = False


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two students whose code is alike without the parts that many wrote. `share` is 0 to 1."""

    one: str
    other: str
    share: float


@dataclasses.dataclass(frozen=True)
class Similarities:
    """The findings in a class; files beyond MOST_SOURCE and MOST_TOKENS are `skipped`.

    `pairs` is None if copydetect is not installed.
    """

    groups: tuple[SimilarGroup, ...]
    pairs: tuple[Pair, ...] | None
    skipped: tuple[str, ...] = ()


def find(
    submissions: Iterable[Submission], stubs: Mapping[str, str], solutions: Mapping[str, str],
    earlier: Iterable[Submission] = (),
) -> Similarities:  # fmt: skip
    """Compare submissions with each other.

    Args:
        stubs: what students start from, by exercise; that is nobody's own work. Only these exercises are compared.
        solutions: the course's own, by exercise.
        earlier: submissions of other terms, under names of their own. What only they have in common is not told.
    """
    given = {id: normal(text) for id, text in stubs.items()}
    files: dict[str, dict[str, str]] = {}
    skipped = []
    theirs = set()
    for submission, is_earlier in (*((s, False) for s in submissions), *((s, True) for s in earlier)):
        own, left = {}, MOST_TOKENS
        for id, source in submission.sources.items():
            if id not in given or not source.text:
                continue
            tokens = list(itertools.islice(_tokens(source.text), left + 1)) if len(source.text) <= MOST_SOURCE else []
            left -= len(tokens)
            if left < 0 or not tokens:
                skipped.append(f"{submission.student}: {id}")
            elif (text := _evenly(tokens)) and text != given[id]:
                own[id] = text
        if own:
            files[submission.student] = own
            theirs |= {submission.student} if is_earlier else set()
    groups = _groups(files, {id: normal(text) for id, text in solutions.items()})
    installed = importlib.util.find_spec("copydetect")
    pairs = tuple(p for p in _pairs(files, given) if not {p.one, p.other} <= theirs) if installed else None
    return Similarities(tuple(g for g in groups if not theirs.issuperset(g.students)), pairs, tuple(skipped))


def normal(source: str) -> str:
    """Return Python code without comments, docstrings and blank lines, evenly spaced."""
    return _evenly(_tokens(source))


def _tokens(source: str) -> Iterator[tuple[Any, str]]:
    written = "\n".join(line for line in source.splitlines() if line.strip())  # blank ones take Pygments long
    yield from PythonLexer(stripnl=True).get_tokens(written)


def _evenly(tokens: Iterable[tuple[Any, str]]) -> str:
    lines: list[str] = []
    line: list[str] = []
    for kind, text in tokens:
        if kind in Literal.String.Doc or kind in Comment:
            continue
        if kind in Text.Whitespace and "\n" in text:
            if any(not w.isspace() for w in line):
                lines.append("".join(line).rstrip())
            line = []
        elif kind in Text and not line:
            line.append(text)  # indentation
        elif not text.isspace():
            line.append(text + " ")
    return "\n".join(lines)


def _groups(files: Mapping[str, Mapping[str, str]], solutions: Mapping[str, str]) -> Iterator[SimilarGroup]:
    """Yield whole submissions that are the same; then single exercises of others, if the code is long enough."""
    whole = defaultdict(list)
    for student, own in files.items():
        whole[tuple(sorted(own.items()))].append(student)
    for students in sorted(whole.values(), key=len, reverse=True):
        if len(students) > 1:
            yield SimilarGroup("", tuple(students), all(t == solutions.get(i) for i, t in files[students[0]].items()))
    for exercise in dict.fromkeys(itertools.chain.from_iterable(files.values())):
        same = defaultdict(list)
        for students in whole.values():
            text = files[students[0]].get(exercise, "")
            if text.count("\n") + 1 >= LEAST_LINES:
                same[text].append(students[0])
        yield from (
            SimilarGroup(exercise, tuple(s), t == solutions.get(exercise)) for t, s in same.items() if len(s) > 1
        )


def _pairs(files: Mapping[str, Mapping[str, str]], stubs: Mapping[str, str]) -> Sequence[Pair]:
    """Return the pairs that share most of their own code; of students with the same code, the first stands for all."""
    first: dict[str, str] = {}
    for student, own in files.items():
        if len(text := "\n".join(own.values())) > 2 * GUARANTEE:
            first.setdefault(text, student)
    prints = {student: _fingerprint(text) for text, student in first.items()}
    given = set().union(*(_fingerprint(t).hashes for t in stubs.values() if len(t) > 2 * GUARANTEE))
    known = Counter(itertools.chain.from_iterable(p.hashes for p in prints.values()))
    most = min(max(AT_LEAST, int(COMMON * len(prints))), AT_MOST)
    common = given | {h for h, count in known.items() if count > most}
    holders = defaultdict(list)
    for student, found in list(prints.items()):
        _forget(found, common)
        if found.token_coverage < LEAST_OWN:
            del prints[student]
            continue
        for value in found.hashes:
            holders[value].append(student)
    shared = Counter(pair for students in holders.values() for pair in itertools.combinations(students, 2))
    pairs = (
        Pair(one, other, _share(prints[one], prints[other]))
        for (one, other), count in shared.items()
        if count >= ALIKE / 2 * min(len(prints[one].hashes), len(prints[other].hashes))
    )
    return sorted((p for p in pairs if p.share >= ALIKE), key=lambda p: (-p.share, p.one, p.other))[:MOST_PAIRS]


def _fingerprint(text: str) -> Any:
    from copydetect import CodeFingerprint

    return CodeFingerprint("x.py", NOISE, GUARANTEE - NOISE + 1, fp=io.StringIO(text))


def _forget(found: Any, common: set[int]) -> None:
    """Remove code that is not a submission's own."""
    from copydetect.utils import get_token_coverage

    found.hashes -= common
    found.hash_idx = {value: places for value, places in found.hash_idx.items() if value not in common}
    found.token_coverage = get_token_coverage(found.hash_idx, NOISE, len(found.filtered_code))


def _share(one: Any, other: Any) -> float:
    """Return the larger of the two shares that lie in both."""
    from copydetect import compare_files

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of copydetect's, about empty slices
        _, shares, _ = compare_files(one, other)
    return round(min(1.0, float(max(shares))), 3)
