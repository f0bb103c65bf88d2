"""What answers earn that are right in part: nothing for a guess in the mean, all for what is right, little else."""

from __future__ import annotations

import itertools
import random
import statistics

import pytest

from grader.questions import Choice, Number, Numbers, Table
from grader.questions.numbers import Unreadable
from grader.questions.parts import ChoicePart, balance, grouped, of_order, of_words, whole
from grader.texts import NOTHING

KEYS = {
    "as many of each": "yyynnn",
    "one of many": "ynnnnn",
    "a table of 24": "nnynny" + "ynnyyy" + "nynyyy" + "yyyyyy",
    "three words": "aabbbc",
    "five words": "abcde",
}


def cells(given: str, key: str) -> list[ChoicePart]:
    """A cell a letter; a blank where there is a dot."""
    return [ChoicePart(None if g == "." else g, k) for g, k in zip(given, key, strict=True)]


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_guesses_have_the_mean_0_before_what_is_below_0_is_left_out(key):
    rng, words = random.Random(2), sorted(set(key))
    found = [balance([cells("".join(rng.choices(words, k=len(key))), key)])[0] for _ in range(20_000)]
    assert abs(statistics.fmean(found)) < 5 * statistics.stdev(found) / len(found) ** 0.5
    assert max(found) <= 1 + 1e-9


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_so_has_one_word_everywhere_and_any_mix_of_words(key):
    for word in set(key):
        assert balance([cells(word * len(key), key)])[0] == pytest.approx(0)
    rng, words = random.Random(3), sorted(set(key))
    mostly = [
        balance([cells("".join(rng.choices(words, [9, *[1] * (len(words) - 1)], k=len(key))), key)])[0]
        for _ in range(20_000)
    ]
    assert abs(statistics.fmean(mostly)) < 5 * statistics.stdev(mostly) / len(mostly) ** 0.5


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_all_right_is_all_and_each_blank_costs_its_own_weight_alone(key):
    assert of_words([cells(key, key)], NOTHING).share == pytest.approx(1)
    weights = [1 - of_words([cells(f"{key[:i]}.{key[i + 1 :]}", key)], NOTHING).share for i in range(len(key))]
    assert sum(weights) == pytest.approx(1)
    assert of_words([cells("." * len(key), key)], NOTHING).share == 0
    for i, weight in enumerate(weights):
        alone = "." * i + key[i] + "." * (len(key) - i - 1)
        assert of_words([cells(alone, key)], NOTHING).share == pytest.approx(weight)


def test_half_of_what_could_be_is_not_enough_and_nothing_is_below_0():
    assert (
        of_words([cells("yyyn", "yynn")], NOTHING).share == 0
    )  # three of four: luck does that in a third of the cases
    assert of_words([cells("yyynnn", "yyyynn")], NOTHING).share == pytest.approx(0.75)
    assert of_words([cells("nnnyyy", "yyynnn")], NOTHING).share == 0


def test_columns_with_words_of_their_own_are_weighed_apart():
    columns = [cells("ab", "ab"), cells("xx", "xy"), cells("ba", "ba")]
    assert sorted(len(group) for group in grouped(columns)) == [2, 4]
    assert balance(grouped(columns))[0] == pytest.approx(4 / 6)
    assert balance([cells("abxx", "abxy")])[0] > balance(grouped(columns[:2]))[0]  # as if `a` could stand for `x`


def test_an_order_counts_pairs():
    key = tuple("abcd")
    found = [of_order(order, key) for order in itertools.permutations(key)]
    assert statistics.fmean((2 * f.right - f.total) / f.total for f in found) == pytest.approx(0)
    assert sorted(f.share for f in found)[-4:] == pytest.approx([2 / 3, 2 / 3, 2 / 3, 1])
    assert sum(f.share > 0 for f in found) == 4


def test_numbers_take_nothing_from_each_other_and_less_than_half_is_nothing():
    form = Numbers((4,), decimals=2)
    for given, share in {"1 2 3 4": 1, "1 2 3 5": 0.75, "1 2 5 5": 0.5, "1 5 5 5": 0, "5 5 5 5": 0}.items():
        assert form.parts(form.read(given), [1, 2, 3, 4]).share == share
    exact = Numbers((4,), decimals=2, whole=True)
    assert [exact.parts(exact.read(g), [1, 2, 3, 4]).share for g in ("1 2 3 4", "1 2 3 5")] == [1, 0]


def test_what_cannot_be_read_of_a_table_is_as_blank():
    form = Table(("r", "s"), ("x", "y"), Number(0))
    for given in ({"r": [1, 2], "s": [3]}, {"r": "1 2"}, {"r": [1, 2], "s": [None, "?"]}, {"r": [1, 2], "t": [1, 2]}):
        with pytest.raises(Unreadable) as caught:
            form.read(given)
        found = form.parts(caught.value.rest, [[1, 2], [3, 4]])
        assert (found.share, found.right, found.total) == (0.5, 2, 4)
    with pytest.raises(Unreadable) as caught:
        form.read({"t": [1, 2]})
    assert caught.value.rest is None


def test_one_letter_is_right_or_wrong():
    form = Choice({"a": "x", "b": "y", "c": "z"})
    assert form.parts(("a",), "a") == whole(True)
    assert form.parts(("b",), "a").share == 0
    assert not form.parts(("b",), "a").said
