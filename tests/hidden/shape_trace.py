"""Hidden suite for the shape tracer. Shapes are whole numbers, so every comparison is exact.

How the shapes are found is free: from the sizes, or from tensors without memory.
"""

import math

from hidden.lib.numbers import LETS_PASS as LETS_PASS

from grader.suites import expect, laws, misconceptions, points


@points(2)
def test_multi_head(matches_reference, make):
    """With as many key and value heads as query heads, every step has the shape of multi-head attention."""
    for sizes in ((2, 5, 15, 3), (1, 2, 6, 3), (3, 7, 8, 2), (2, 10, 768, 8), (32, 100, 512, 8)):
        matches_reference.trace(*sizes)
    B, T, h, d_head = (make.integer(*span) for span in ((4, 9), (10, 40), (2, 9), (10, 30)))
    matches_reference.trace(B, T, h * d_head, h)


@points(2)
def test_grouped(matches_reference, make):
    """With fewer key and value heads, k and v are narrower, have h_kv heads, and are repeated up to h heads."""
    for sizes, h_kv in (((2, 5, 24, 6), 3), ((1, 2, 12, 4), 2), ((2, 5, 30, 6), 2), ((3, 10, 768, 8), 2)):
        matches_reference.trace(*sizes, h_kv=h_kv)
    B, T, h_kv, share, d_head = (make.integer(*span) for span in ((4, 9), (10, 40), (2, 5), (2, 4), (21, 40)))
    matches_reference.trace(B, T, h_kv * share * d_head, h_kv * share, h_kv=h_kv)


@points(0.75)
def test_one_for_all(matches_reference):
    """With h_kv = 1 all query heads share one key and value head."""
    for sizes in ((2, 5, 15, 3), (1, 2, 6, 3), (4, 3, 768, 8)):
        matches_reference.trace(*sizes, h_kv=1)


@points(0.5)
def test_as_many(student, notes_values, make):
    """h_kv = h is the same as not giving h_kv."""
    B, T, dh = make.integer(2, 4), make.integer(5, 7), make.integer(8, 9)
    for h in (3, 6):
        one, other = student.trace(B, T, h * dh, h), student.trace(B, T, h * dh, h, h_kv=h)
        wrong = [name for name in one if tuple(one[name]) != tuple(other[name])]
        expect(not wrong, "h_kv={h} with h={h} changes {wrong}", h=h, wrong=wrong)
        notes_values.trace(B, T, h * dh, h, h_kv=h)


@points(0.75)
def test_large(matches_reference):
    """The shapes of real models, too large for tensors, are right: GPT-3, and Llama 3 with 70 billion parameters."""
    matches_reference.trace(1, 1000, 12288, 96)
    matches_reference.trace(8, 8192, 8192, 64, h_kv=8)
    matches_reference.trace(32, 2048, 12288, 96, h_kv=12)


@points(0.5)
def test_special_sizes(matches_reference):
    """One example, one token, one head, one channel a head and equal sizes work too."""
    for sizes, h_kv in (
        ((1, 1, 1, 1), 1), ((2, 1, 6, 3), 1), ((1, 5, 6, 1), 1), ((2, 3, 6, 6), 2), ((4, 4, 16, 4), 2),
        ((2, 2, 4, 2), 1),
    ):  # fmt: skip
        matches_reference.trace(*sizes)
        matches_reference.trace(*sizes, h_kv=h_kv)


@points(0.5)
def test_laws(student, notes_values, make):
    """Splitting, merging and softmax move or change entries without adding any; the scores do not know d."""
    B, T = make.integer(2, 3), make.integer(5, 7)
    for d, h, h_kv in ((12, 4, 2), (18, 6, 3)):
        found = {name: tuple(shape) for name, shape in student.trace(B, T, d, h, h_kv=h_kv).items()}
        for one, other in (("q", "q_heads"), ("k", "k_heads"), ("v", "v_heads"), ("scores", "weights"),
                           ("heads", "merged")):  # fmt: skip
            a, b = found[one], found[other]
            said = "{one} {a} and {other} {b} should have equally many entries"
            expect(math.prod(a) == math.prod(b), said, one=one, a=list(a), other=other, b=list(b))
        wide = tuple(student.trace(B, T, 5 * d, h, h_kv=h_kv)["scores"])
        said = "the scores are {wide} for d={d} and {found} for d={d2}"
        expect(wide == found["scores"], said, wide=list(wide), d=5 * d, found=list(found["scores"]), d2=d)
        notes_values.trace(B, T, d, h, h_kv=h_kv)


@points(0.375)
def test_refuses_channels(raises_value_error):
    """Channels that cannot be divided evenly among the query heads are refused with ValueError."""
    for d, h in ((3, 2), (10, 4), (6, 8)):
        raises_value_error.trace(2, 3, d, h)
    raises_value_error.trace(2, 3, 10, 4, h_kv=2)


@points(0.25)
def test_refuses_groups(raises_value_error):
    """Query heads that cannot be shared out evenly among key and value heads are refused with ValueError."""
    for d, h, h_kv in ((9, 3, 2), (12, 3, 2), (12, 4, 3)):
        raises_value_error.trace(2, 3, d, h, h_kv=h_kv)


@points(0.125)
def test_refuses_more_kv_heads(raises_value_error):
    """More key and value heads than query heads are refused with ValueError."""
    for d, h, h_kv in ((10, 2, 4), (12, 2, 4), (12, 4, 6)):
        raises_value_error.trace(2, 3, d, h, h_kv=h_kv)


def examples(ask, make):
    ask.trace(2, 5, 15, 3)
    ask.trace(2, 5, 24, 6, h_kv=3)


LAWS = laws.all(examples, remembers_nothing=0.125, keywords=0.125)


def shapes(B, T, d, h, h_kv=None, width=None, wide_kv=False, check=True):
    """The right shapes, with places to go wrong: the channels of a head, and keys and values as wide as d."""
    h_kv = h if h_kv is None else h_kv
    if check and (d % h or h % h_kv):
        raise ValueError("does not divide")
    dh = d // h if width is None else width
    kv, one, many = (B, T, d if wide_kv else h_kv * dh), (B, h_kv, T, dh), (B, h, T, dh)
    return {
        "x": (B, T, d), "q": (B, T, h * dh), "k": kv, "v": kv, "q_heads": many, "k_heads": one, "v_heads": one,
        "k_repeated": many, "v_repeated": many, "scores": (B, h, T, T), "weights": (B, h, T, T), "heads": many,
        "merged": (B, T, h * dh), "output": (B, T, d),
    }  # fmt: skip


REPEATED = ("k_repeated", "v_repeated")
SPLIT = ("q_heads", "k_heads", "v_heads", *REPEATED, "heads")
SCORES = ("scores", "weights")
WHOLE = ("x", "q", "k", "v", "merged", "output")


def way(change, *names, **places):
    """The right shapes, those of `names` (or all) replaced by `change(shape, h_kv, c)`, c the channels of a head."""

    def trace(B, T, d, h, h_kv=None):
        found = shapes(B, T, d, h, h_kv, **places)
        kv = h if h_kv is None else h_kv
        return {name: change(s, kv, d // h) if name in (names or found) else s for name, s in found.items()}

    return trace


def kv_heads_wider(B, T, d, h, h_kv=None):
    width = d // (h if h_kv is None else h_kv)
    names = ("k_heads", "v_heads", *REPEATED)
    return way(lambda s, kv, c: (*s[:3], width), *names, wide_kv=True)(B, T, d, h, h_kv)


def kv_heads_ignored(B, T, d, h, h_kv=None):
    shapes(B, T, d, h, h_kv)  # refuses
    return shapes(B, T, d, h)


def repeated_left_out(B, T, d, h, h_kv=None):
    left_out = REPEATED if h_kv in (None, h) else ()
    return {name: shape for name, shape in shapes(B, T, d, h, h_kv).items() if name not in left_out}


def repeated_missing(B, T, d, h, h_kv=None):
    return {name: shape for name, shape in shapes(B, T, d, h, h_kv).items() if name not in REPEATED}


def assertion(B, T, d, h, h_kv=None):
    assert d % h == 0
    assert h % (h_kv or h) == 0
    return shapes(B, T, d, h, h_kv)


def groups_not_refused(B, T, d, h, h_kv=None):
    if d % h:
        raise ValueError("does not divide")
    return shapes(B, T, d, h, h_kv, check=False)


def channels_refused_for_groups(B, T, d, h, h_kv=None):
    if d % h or d % (h_kv or h):
        raise ValueError("does not divide")
    return shapes(B, T, d, h, h_kv, check=False)


KNOWN = misconceptions(
    "trace",
    kv_heads_ignored=kv_heads_ignored,
    kv_projected_to_d=way(lambda s, kv, c: s, wide_kv=True),
    kv_heads_wider=kv_heads_wider,
    kv_divided_by_heads=way(lambda s, kv, c: (*s[:2], s[2] // kv), "k", "v", wide_kv=True),
    one_kv_head_by_default=lambda B, T, d, h, h_kv=None: shapes(B, T, d, h, 1 if h_kv is None else h_kv),
    heads_after_tokens=way(lambda s, kv, c: (s[0], s[2], s[1], s[3]), *SPLIT),
    heads_in_batch=way(lambda s, kv, c: (s[0] * s[1], *s[2:]), *SPLIT, *SCORES),
    heads_of_full_width=lambda B, T, d, h, h_kv=None: shapes(B, T, d, h, h_kv, width=d),
    keys_transposed=way(lambda s, kv, c: (*s[:2], s[3], s[2]), "k_heads", "k_repeated"),
    not_repeated=way(lambda s, kv, c: (s[0], kv, *s[2:]), *REPEATED),
    repeated_too_often=way(lambda s, kv, c: (s[0], s[1] * kv, *s[2:]), *REPEATED),
    repeated_along_tokens=way(lambda s, kv, c: (s[0], kv, s[2] * s[1] // kv, s[3]), *REPEATED),
    copies_on_their_own_axis=way(lambda s, kv, c: (s[0], kv, s[1] // kv, *s[2:]), *REPEATED),
    heads_of_kv_heads=way(
        lambda s, kv, c: (s[0], kv, *s[2:]) if len(s) == 4 else (*s[:2], kv * c), *SCORES, "heads", "merged"
    ),
    scores_of_kv_heads=way(lambda s, kv, c: (s[0], kv, *s[2:]), *SCORES),
    scores_with_channels=way(lambda s, kv, c: (*s[:3], c), *SCORES),
    scores_between_channels=way(lambda s, kv, c: (*s[:2], c, c), *SCORES),
    scores_between_heads=way(lambda s, kv, c: (s[0], s[2], s[1], s[1]), *SCORES),
    scores_for_all_heads_at_once=way(lambda s, kv, c: (s[0], *s[2:]), *SCORES),
    weights_averaged=way(lambda s, kv, c: (s[0], *s[2:]), "weights"),
    heads_averaged=way(lambda s, kv, c: (*s[:2], c), "merged"),
    output_of_a_head=way(lambda s, kv, c: (*s[:2], c), "output"),
    batch_second=way(lambda s, kv, c: (s[1], s[0], s[2]), *WHOLE),
    tokens_in_columns=way(lambda s, kv, c: (s[0], s[2], s[1]), *WHOLE),
    no_batch=way(lambda s, kv, c: s[1:]),
    repeated_left_out=repeated_left_out,
    repeated_missing=repeated_missing,
    no_value_error=way(lambda s, kv, c: s, check=False),
    groups_not_refused=groups_not_refused,
    channels_refused_for_groups=channels_refused_for_groups,
    assertion=assertion,
)
