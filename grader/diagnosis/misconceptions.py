"""Names the mistake behind failed checks: replays the student's calls on the exercise's known wrong variants.

Each promise (value, gradient, unchanged inputs, device, refusal) is explained separately, since a beginner's code
breaks several. A variant is named only if it keeps and breaks the promise exactly as the student does, in every
recorded call of its functions. A diagnosis never changes a score.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

from grader.diagnosis import comparing, lost_gradients, proportional, together
from grader.diagnosis.comparing import Promise, Same, agree
from grader.diagnosis.evidence import Evidence, checks_of
from grader.diagnosis.replaying import ITEMSIZE, Ask, Functions, known_wrong, precision, replay, right, size, widens
from grader.suites import Misconception

MOST = 2  # more variants that fit alike say nothing
BESIDE: tuple[Promise, ...] = ("gradient", "input", "device", "refusal")


@dataclasses.dataclass(frozen=True)
class Match:
    """A misconception and the failed checks that it explains."""

    misconception: Misconception
    checks: tuple[str, ...]


def match(
    evidence: Sequence[Evidence], reference: Functions, known: Sequence[Misconception], ask: Ask | None = None
) -> list[Match]:
    """Return the misconceptions that behave exactly like the student, promise by promise, wrong values first.

    One that explains less than another is dropped. Of those that explain the same, one that also keeps and breaks the
    other promises as the student does comes first, then one that need not compute in a wider dtype; if more than MOST
    are left, none is named. Nothing is known of a function that refuses every call by a `raise` of its own.
    """
    answering = {e.call.function for e in evidence if not (e.student.raised and e.student.raised.refuses_by_itself)}
    evidence = [e for e in evidence if e.call.function in answering]
    wrong = [e for e in evidence if e.broken("value")]
    found = _explaining("value", wrong, known, evidence) if wrong else []
    if left := [e for e in wrong if not _explained(e, "value", found)]:
        found = _widest(found + _explaining("value", left, _parts(known), evidence), wrong, known)
    if not found and all(e.agrees("value", e.due, comparing.near) for e in wrong):
        found = _slight(evidence, reference, known)
    for function in dict.fromkeys(e.call.function for e in wrong if not _named(e, found)):
        fitting = [f for f in found if function in f.misconception.functions]
        more = _together(function, evidence, reference, known, ask, found)
        if len(more) > 1 or not fitting:
            found = [f for f in found if f not in fitting] + more
    for promise in BESIDE:
        left = [e for e in evidence if e.broken(promise) and not _explained(e, promise, found)]
        if left:
            named = [f.misconception for f in found]
            more = _explaining(promise, left, [m for m in known if m not in named], evidence)
            lost = lost_gradients.behind(left, named, known, evidence) if promise == "gradient" and not more else []
            found += [*more, *(Match(m, checks_of(left)) for m in lost)]
    return _merged(found, evidence)


def one_explains_all(evidence: Sequence[Evidence], known: Sequence[Misconception]) -> bool:
    """Return True if one misconception, and no other, breaks all that the student breaks, in the same way."""
    broken = [(e, promise) for e in evidence for promise in e.promises if e.broken(promise)]
    if not broken:
        return False
    first: Promise = next((promise for _, promise in broken if promise == "value"), broken[0][1])
    found = _explaining(first, [e for e, promise in broken if promise == first], known, evidence)
    return len(found) == 1 and all(_explained(e, promise, found) for e, promise in broken)


def _named(e: Evidence, found: Sequence[Match]) -> bool:
    """Return True if a mistake was named for a wrong answer, and gives it up to what short dtypes round."""
    mine = [f for f in found if e.call.function in f.misconception.functions]
    return bool(mine) and (precision(e.call) < ITEMSIZE["float32"] or _explained(e, "value", mine))


def _together(
    function: str,
    evidence: Sequence[Evidence],
    reference: Functions,
    known: Sequence[Misconception],
    ask: Ask | None,
    found: Sequence[Match],
) -> list[Match]:
    """Return two mistakes at once in a function, or one of them, with the checks whose wrong values they explain.

    found: what is named already; of mistakes that are alike here, one of these is named again.

    One that explains no call as a whole, but one of its results, has the first check that shows it.
    """
    mine = [e for e in evidence if e.call.function == function and "value" in e.promises]
    told = {f.misconception.name for f in found}
    named, at_once = together.two([(e.call, e.student, e.due) for e in mine], reference, known, ask, told)

    def behind(e: Evidence, m: Misconception) -> bool:
        """Return True if a wrong value comes from this mistake, or, of two, from both at once."""
        alone = [other for other in named if _explained(e, "value", [Match(other, ())])]
        return m in alone or (at_once and not alone and not right(m.functions, e.call, e.due))

    wrong = [e for e in mine if e.broken("value")]
    found = [Match(m, checks_of(e for e in wrong if behind(e, m))) for m in named]
    shown = {m.name: checks_of(e for e in wrong if not right(m.functions, e.call, e.due))[:1] for m in named}
    return [f if f.checks else dataclasses.replace(f, checks=shown[f.misconception.name]) for f in found]


def _parts(known: Sequence[Misconception]) -> list[Misconception]:
    """Cut misconceptions of several functions into one for each, since students' functions may be independent.

    A part that several have is that of the one with the fewest functions. Of two mistakes at once, it may be the first.
    """
    parts: dict[tuple[str, Callable[..., Any]], Misconception] = {}
    for m in sorted(known, key=lambda m: len(m.functions)):
        for name, function in m.functions.items() if len(m.functions) > 1 else ():
            parts.setdefault((name, function), dataclasses.replace(m, functions={name: function}))
    return list(parts.values())


def _widest(found: Sequence[Match], wrong: Sequence[Evidence], known: Sequence[Misconception]) -> list[Match]:
    """Put a mistake of several functions, of which a part was named, in the place of one that answers as it does."""
    whole = {m.name: m for m in known}

    def wider(f: Match) -> Match:
        own, mine = f.misconception.functions.keys(), [e for e in wrong if e.call.function in f.misconception.functions]
        for m in (whole[other.misconception.name] for other in found):
            part = dataclasses.replace(m, functions={n: g for n, g in m.functions.items() if n in own})
            if m.functions.keys() > own and all(_explained(e, "value", [Match(part, ())]) for e in mine):
                return Match(part, f.checks)
        return f

    return list(map(wider, found))


def _explaining(
    promise: Promise, wrong: Sequence[Evidence], known: Sequence[Misconception], evidence: Sequence[Evidence]
) -> list[Match]:
    """Return the misconceptions that break this promise in all relevant calls of `wrong`, and in no other."""
    fitting: dict[int, frozenset[int]] = {}
    ranks: dict[int, tuple[int, int]] = {}
    small_first = sorted(range(len(wrong)), key=lambda i: (-precision(wrong[i].call), size(wrong[i].call)))
    for n, m in enumerate(known):
        there = frozenset(i for i, e in enumerate(wrong) if e.call.function in m.functions)
        if promise == "device" and any(known_wrong(m.functions, e.call, e.due) for e in evidence):
            continue  # before a call on the pretended device, which takes ten times as long as another
        way = _way(m, promise, [wrong[i] for i in small_first if i in there], evidence) if there else None
        if way is None or _breaks_what_is_kept(m, evidence):
            continue
        if promise == "value" or _nothing_else(m, promise, evidence):
            fitting[n] = there
            ranks[n] = (way, -_kept(m, evidence))
    best = {n: e for n, e in fitting.items() if not any(e < other for other in fitting.values())}
    found: list[Match] = []
    for explained in dict.fromkeys(best.values()):
        rivals = [n for n, e in best.items() if e == explained]
        first = min(ranks[n] for n in rivals)
        rivals = [n for n in rivals if ranks[n] == first]
        failed = checks_of(wrong[i] for i in sorted(explained))
        found += [Match(known[n], failed) for n in rivals if len(rivals) <= MOST]
    return found


def _way(m: Misconception, promise: Promise, wrong: Sequence[Evidence], evidence: Sequence[Evidence]) -> int | None:
    """Return how the variant fits: 0 exactly, 1 in a wider dtype, 2 except for NaN and inf, 3 except for the dtype.

    4: as 2, where whole results may be NaN; 5: except that some calls fail. None if it does not fit. Where only a part
    of the entries is compared, a wrong one must be among them, with 4 in most of the calls: whoever fills in another
    number has fewer NaN.
    """
    mine = [e for e in evidence if promise in e.promises and e.call.function in m.functions]
    unlike = _unlike(m, promise, wrong, mine)
    if unlike is None:
        return 0
    dtypes = [d for d in ("float32", "float64") if widens(unlike.call, d)]  # with others it answers there as before
    ordered = [unlike, *wrong]  # the call that decides for most variants
    if any(_unlike(m, promise, ordered, mine, dtype) is None for dtype in dtypes):
        return 1
    if promise != "value":
        return None
    for way, same, least in (
        (2, comparing.equal_where_finite, 1),
        (3, comparing.equal_but_for_dtype, 1),
        (4, comparing.equal_if_finite, len(wrong) // 2 + 1),
    ):
        if way == 4 and sum(not e.nothing_to_compare for e in wrong) < least:
            break  # which takes seconds to find out from the answers of a variant
        if _unlike(m, promise, ordered, mine, None, same) is None:
            came = (
                (e, e.student if way == 3 else comparing.in_finite_entries(e.student, replay(m.functions, e.call)))
                for e in wrong
            )
            if sum(not agree(promise, e.call, student, e.due, same) for e, student in came) >= least:
                return way
    return 5 if _fails_elsewhere(m, wrong, mine, unlike) else None


def _fails_elsewhere(m: Misconception, wrong: Sequence[Evidence], mine: Sequence[Evidence], first: Evidence) -> bool:
    """Return True if the variant answers as the student does, but some calls fail at different operations.

    A value that does not fit fails where it is first used, which is not the same line in all code.
    first: a call that they answer differently, which decides for most variants.
    """
    unlike = 0
    for e in (first, *(e for e in mine if e is not first)):
        one, other = e.student, replay(m.functions, e.call)
        if not e.agrees("value", other):
            if not (one.raised and other.raised and one.raised.types[0] == other.raised.types[0] == "RuntimeError"):
                return False
            unlike += 1
    return 3 * unlike < len(wrong)


def _unlike(
    m: Misconception, promise: Promise, wrong: Sequence[Evidence], mine: Sequence[Evidence],
    dtype: str | None = None, same: Same | None = None,
) -> Evidence | None:  # fmt: skip
    """Return a call that the variant, computing in `dtype`, answers differently, of wrong ones first.

    NaN in the variant's answer is compared with nothing, but the student must be wrong there.
    """
    for e in (*wrong, *mine):
        other = replay(m.functions, e.call, dtype)
        if not e.agrees(promise, other, same) or (
            same is not None and not comparing.loses_as_much(e.student, other, e.due)
        ):
            return e
    return None


def _breaks_what_is_kept(m: Misconception, evidence: Sequence[Evidence]) -> bool:
    """Return True if the variant changes inputs, or makes a tensor on the CPU, where the student does not."""
    for e in evidence:
        promise = next((p for p in ("input", "device") if p in e.promises and e.call.function in m.functions), None)
        if promise is None or not e.agrees(promise, e.due):
            continue
        other = replay(m.functions, e.call)
        if promise == "input" and other.changed and not other.raised:
            return True
        if promise == "device" and other.raised and other.raised.types[0] == "WrongDevice":
            return True
    return False


def _kept(m: Misconception, evidence: Sequence[Evidence]) -> int:
    """Return in how many other promises, refusals included, the variant does the same as the student."""

    def alike(promise: Promise) -> bool:
        mine = [e for e in evidence if promise in e.promises and e.call.function in m.functions]
        return all(e.agrees(promise, replay(m.functions, e.call)) for e in mine)

    return sum(map(alike, BESIDE))


def _explained(e: Evidence, promise: Promise, found: Sequence[Match]) -> bool:
    """Return True if a mistake that was named breaks this promise here in the same way.

    A refusal is not part of the computation: variants are seldom written with it, and do not explain why it is missing.
    """
    named = [f.misconception.functions for f in found if e.call.function in f.misconception.functions]
    alike = (e.agrees(promise, replay(functions, e.call)) for functions in named)
    return promise != "refusal" and any(alike)


def _nothing_else(m: Misconception, promise: Promise, evidence: Sequence[Evidence]) -> bool:
    """Return True if the variant breaks only this promise and computes the right values; else it is another mistake.

    A gradient belongs to its values, which must be the student's there.
    """
    mine = [e for e in evidence if "value" in e.promises and e.call.function in m.functions]
    if promise == "gradient":
        return all(e.agrees("value", replay(m.functions, e.call)) for e in mine)
    return all(right(m.functions, e.call, e.due) for e in mine)


def _merged(found: Sequence[Match], evidence: Sequence[Evidence]) -> list[Match]:
    """Return each misconception once, with all failed checks that it explains."""
    checks: dict[str, dict[str, None]] = {}
    for f in found:
        checks.setdefault(f.misconception.name, {}).update(dict.fromkeys(f.checks))
    for e in evidence:
        for f in found:
            if any(e.broken(p) and _explained(e, p, [f]) for p in e.promises):
                checks[f.misconception.name][e.check] = None
    return [Match(m, tuple(checks[m.name])) for m in {f.misconception.name: f.misconception for f in found}.values()]


def _slight(evidence: Sequence[Evidence], reference: Functions, known: Sequence[Misconception]) -> list[Match]:
    """Return the misconception in whose direction all results deviate, if there is only one and no deviation is large.

    It explains the failed checks with a wrong value, and those in which no answer shows the mistake.
    """
    otherwise = {e.check for e in evidence if any(e.broken(p) for p in BESIDE)}
    checks = checks_of(e for e in evidence if e.failed and (e.broken("value") or e.check not in otherwise))
    seen = proportional.deviations([(e.call, e.student) for e in evidence], reference) if checks else []
    found = [m for m in known if proportional.proportional(seen, m.functions)]
    return [Match(m, checks) for m in found] if len(found) == 1 else []
