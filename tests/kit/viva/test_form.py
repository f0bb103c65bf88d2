"""The form of options tells nothing: the questions that are chosen look as if the right option were drawn by chance."""

from __future__ import annotations

import random
import statistics

import pytest

from grader.report.oral_exam import Option, OralQuestion
from grader.texts import NOTHING, plain
from grader.viva.form import balanced, hits
from grader.viva.material import Draft
from grader.viva.wording import NONE


def question(asked: str, right: str, *others: str, rng: random.Random) -> OralQuestion:
    """A question whose options are in an order of chance."""
    options = [Option(plain(text), text == right, NOTHING) for text in rng.sample([right, *others], 1 + len(others))]
    return OralQuestion("predict", "scale", plain(asked), (), tuple(options), single=True)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (("[2, 3, 4]", "[2, 3]", "[3]", "[4]"), "most length"),
        (("[2, 3]", "[2, 4]", "[5, 3]", "[7, 9]"), "most near"),
        (("[0.5]", "[1]", "[2]", "[3]"), "most decimals"),
        (("[1, 3]", "[2, 3]", "[2, 4]", "[5, 3]"), "most ones"),
        (("[2, 6]", "[1, 2]", "[2, 7]", "[6, 6]"), "most in the question"),
        (("[5]", "[1]", "[2]", "[9]"), "middle sum"),
    ],
)
def test_a_rule_of_form_is_right_where_the_form_says_it(options, rule):
    assert hits(question("x [2, 6]", *options, rng=random.Random(0)))[rule] in (1.0, 0.5)


def test_none_of_these_is_not_taken_for_a_short_one():
    options = (*(Option(plain(f"f({n})"), False, NOTHING) for n in (1, 20, 300)), Option(NONE, True, NOTHING))
    told = hits(OralQuestion("input", "scale", plain("Which?"), (), options, single=True))
    assert told["most place"] == 1
    assert told["least length"] == told["most length"] == 0


def test_what_is_chosen_gives_no_rule_much_more_than_chance():
    """Eight drafts in ten have their longest option right."""
    rng, told = random.Random(1), []
    for _ in range(200):
        drafts = []
        for number in range(40):
            texts = [str([rng.randrange(2, 9) for _ in range(length)]) for length in (1, 2, 3, 4)]
            right = rng.choice(texts[:3]) if number % 5 == 0 else texts[3]
            others = [text for text in texts if text != right]
            drafts.append(Draft(question(f"number {number}", right, *others, rng=rng)))
        told += [hits(draft.question) for draft in balanced(drafts, 1, rng)]
    rates = {rule: statistics.fmean(found[rule] for found in told) for rule in told[0]}
    assert max(rates.values()) < 0.35, max(rates, key=rates.__getitem__)
