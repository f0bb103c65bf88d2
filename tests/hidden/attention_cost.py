"""Hidden suite for the number of scores. All results are whole numbers, so every comparison is exact."""

import itertools

import torch
from hidden.lib.numbers import LETS_PASS as LETS_PASS

from grader.suites import expect, laws, misconceptions, points


@points(1.25)
def test_many_sizes(matches_reference, make):
    """Every head of every layer has n * n scores."""
    for sizes in ((3, 5, 2, 1), (3, 64, 2, 5), (7, 4, 3, 2), (1024, 64, 12, 24), (100003, 64, 7, 5)):
        matches_reference.attention_cost(*sizes)
    for _ in range(2):
        n, d_head, n_heads, n_layers = (make.integer(*span) for span in ((11, 2000), (3, 300), (2, 40), (2, 60)))
        matches_reference.attention_cost(n, d_head, n_heads, n_layers)


@points(1)
def test_gpt3(matches_reference):
    """The scores of GPT-3 are counted right, for a text of 1000 tokens and for the longest that it takes."""
    for n in (1000, 2048):
        matches_reference.attention_cost(n, 128, 96, 96)


@points(1)
def test_twice_as_long(student, matches_reference, make):
    """A text twice as long has four times the scores, and takes four times the bytes."""
    for n, rest in (
        (make.integer(5, 9), (4, 2, 3)),
        (make.integer(100, 200), (64, 8, 6)),
        (2 * make.integer(60000, 90000) + 1, (64, 8, 6)),
    ):
        found, longer = (student.attention_cost(m, *rest) for m in (n, 2 * n))
        said = "from {n} to {n2} tokens, scores and bytes grow from {found} to {longer}"
        expect(list(longer) == [4 * v for v in found], said, n=n, n2=2 * n, found=list(found), longer=list(longer))
        matches_reference.attention_cost(n, *rest)


@points(1)
def test_wider_heads(student, notes_values, make):
    """A score is one number however many channels it was summed over: wider heads have no more scores."""
    for n, heads, layers in ((make.integer(5, 9), 2, 3), (make.integer(100, 200), 8, 6)):
        narrow, wide = (student.attention_cost(n, d_head, heads, layers) for d_head in (16, 128))
        said = "with d_head 16 scores and bytes are {narrow}, with 128 they are {wide}"
        expect(list(narrow) == list(wide), said, narrow=list(narrow), wide=list(wide))
        notes_values.attention_cost(n, 16, heads, layers)


@points(0.4)
def test_larger_scores(student, matches_reference):
    """Scores of twice the size take twice the bytes, and their number stays the same."""
    for sizes in ((5, 4, 2, 3), (100, 64, 8, 6)):
        (scores, small), (as_many, large) = (student.attention_cost(*sizes, bytes=size) for size in (3, 6))
        said = "{scores} scores of 3 bytes take {small} bytes, {as_many} scores of 6 bytes take {large}"
        expect(as_many == scores and large == 2 * small, said, scores=scores, small=small, as_many=as_many, large=large)
        matches_reference.attention_cost(*sizes, bytes=6)


@points(0.75)
def test_bytes(matches_reference, make):
    """A score takes 2 bytes if nothing is said, otherwise as many as are asked for."""
    for size in (2, 1, 4, 8, make.integer(9, 20)):
        matches_reference.attention_cost(7, 4, 3, 2, bytes=size)
    matches_reference.attention_cost(1000, 128, 96, 96, bytes=4)


@points(0.4)
def test_special_sizes(matches_reference):
    """One token, one head, one layer and one channel work too."""
    for sizes in (*itertools.product((1, 6), (1, 8), (1, 4), (1, 3)), (4, 4, 4, 4)):
        matches_reference.attention_cost(*sizes)
        matches_reference.attention_cost(*sizes, bytes=4)


def examples(ask, make):
    ask.attention_cost(7, 4, 3, 2)
    ask.attention_cost(5, 8, 2, 6, bytes=4)


LAWS = laws.all(examples)


def way(scores, size=lambda bytes: bytes):
    """`scores(n, d_head, n_heads, n_layers)` and the bytes that they fill, `size(bytes)` each."""

    def attention_cost(n, d_head, n_heads, n_layers, bytes=2):
        found = scores(n, d_head, n_heads, n_layers)
        return found, found * size(bytes)

    return attention_cost


def right(n, c, h, layers):
    return n * n * h * layers


def other(results):
    """`results(scores, n, d_head, n_heads, n_layers, bytes)` in place of the right ones."""
    return lambda n, d_head, n_heads, n_layers, bytes=2: results(
        right(n, d_head, n_heads, n_layers), n, d_head, n_heads, n_layers, bytes
    )


def four_bytes_by_default(n, d_head, n_heads, n_layers, bytes=4):
    return way(right)(n, d_head, n_heads, n_layers, bytes)


def in_int32(s, n, c, h, layers, bytes):
    low = 1 << 31
    return tuple((count + low) % (2 * low) - low for count in (s, s * bytes))


def in_float32(s, n, c, h, layers, bytes):
    scores = torch.tensor(float(n)) ** 2 * h * layers
    return int(scores), int(scores * bytes)


KNOWN = misconceptions(
    "attention_cost",
    linear_in_n=way(lambda n, c, h, layers: n * h * layers),
    heads_forgotten=way(lambda n, c, h, layers: n * n * layers),
    layers_forgotten=way(lambda n, c, h, layers: n * n * h),
    one_table=way(lambda n, c, h, layers: n * n),
    channels_counted=way(lambda n, c, h, layers: n * n * c * h * layers),
    operations_for_scores=way(lambda n, c, h, layers: 2 * n * n * c * h * layers),
    operations_of_both_products=way(lambda n, c, h, layers: 4 * n * n * c * h * layers),
    queries_counted=way(lambda n, c, h, layers: n * c * h * layers),
    keys_and_values_counted=way(lambda n, c, h, layers: 2 * n * c * h * layers),
    parameters_counted=way(lambda n, c, h, layers: 4 * (c * h) ** 2 * layers),
    doubled=way(lambda n, c, h, layers: 2 * n * h * layers),
    visible_only=way(lambda n, c, h, layers: n * (n + 1) // 2 * h * layers),
    diagonal_left_out=way(lambda n, c, h, layers: n * (n - 1) * h * layers),
    scores_and_weights=way(lambda n, c, h, layers: 2 * n * n * h * layers),
    bytes_of_scores_and_weights=other(lambda s, n, c, h, layers, bytes: (s, 2 * s * bytes)),
    bytes_of_one_layer=other(lambda s, n, c, h, layers, bytes: (s, n * n * h * bytes)),
    operations_counted=other(lambda s, n, c, h, layers, bytes: (2 * s * c, s * bytes)),
    bytes_ignored=way(right, lambda bytes: 2),
    four_bytes_by_default=four_bytes_by_default,
    bits=way(right, lambda bytes: 8 * bytes),
    gigabytes=way(right, lambda bytes: bytes / 1e9),
    only_scores=other(lambda s, *rest: s),
    swap_return=other(lambda s, n, c, h, layers, bytes: (s * bytes, s)),
    in_int32=other(in_int32),
    in_float32=other(in_float32),
    pairs_only=way(lambda n, c, h, layers: n * (n - 1) // 2 * h * layers),
    caret_after_products=way(lambda n, c, h, layers: n ^ (2 * h * layers)),
    caret_behind_products=way(lambda n, c, h, layers: (layers * h * n) ^ 2),
    caret_for_power=way(lambda n, c, h, layers: (n ^ 2) * h * layers),
    heads_squared=way(lambda n, c, h, layers: (n * h) ** 2 * layers),
    heads_plus_layers=way(lambda n, c, h, layers: n * n * (h + layers)),
)
