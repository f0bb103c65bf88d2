"""Hidden suite for split_heads and merge_heads. Both only move entries, so every comparison is exact."""

import itertools

import torch
from hidden.lib import heads
from hidden.lib.attention import merge, split

from grader.suites import Text, exact, expect, facts, laws, misconceptions, points

EXACT = exact("split_heads", "merge_heads")
SHAPES = ((2, 3, 20, 4), (2, 5, 18, 3), (3, 2, 20, 4), (1, 2, 15, 3))  # B, T, D, H, pairwise different, as is D/H
EDGES = (
    (1, 1, 1, 1), (2, 3, 6, 3), (2, 1, 6, 3), (2, 5, 3, 1), (3, 2, 5, 5), (3, 2, 15, 3), (4, 4, 8, 4), (3, 3, 9, 3),
    (2, 6, 6, 3),
)  # fmt: skip # T = 1, T = H, T = D, one head, one channel a head, B = H, and several at once


def split_up(make, B, T, D, H):
    """What merge_heads gets for these sizes."""
    return make.distinct(B, H, T, D // H)


@points(2)
def test_split(matches_reference, make, dtype):
    """Entry [b, h, t, c] of the split tensor is channel h * D/H + c of token t: each head gets a block of
    neighbours.
    """
    for B, T, D, H in SHAPES:
        matches_reference.split_heads(make.distinct(B, T, D), H)
    matches_reference.split_heads(make.normal(2, 3, 10), 2)  # float64 holds what float32 does not


@points(2)
def test_merge(matches_reference, make, dtype):
    """Merging puts each token's heads side by side, head 0 first."""
    for sizes in SHAPES:
        matches_reference.merge_heads(split_up(make, *sizes))
    matches_reference.merge_heads(make.normal(2, 5, 3, 2))


@points(0.75)
def test_split_edges(matches_reference, make):
    """Splitting is right for special sizes too: one token, one head, one channel a head, equal sizes."""
    for B, T, D, H in EDGES:
        matches_reference.split_heads(make.distinct(B, T, D), H)


@points(0.75)
def test_merge_edges(matches_reference, make):
    """Merging is right for special sizes too: one token, one head, one channel a head, equal sizes."""
    for sizes in EDGES:
        matches_reference.merge_heads(split_up(make, *sizes))


@points(0.75)
def test_round_trip(student, notes_values, make):
    """Merging undoes splitting and splitting undoes merging."""
    for B, T, D, H in SHAPES[:2]:
        x, y = make.normal(B, T, D), make.normal(B, H, T, D // H)
        merged = student.merge_heads(student.split_heads(x, H))
        expect(merged == x.cpu(), "merge_heads(split_heads(x)) is not x")
        split = student.split_heads(student.merge_heads(y), H)
        expect(split == y.cpu(), "split_heads(merge_heads(y)) is not y")
    notes_values.split_heads(make.distinct(2, 3, 10), 2)
    notes_values.merge_heads(make.distinct(2, 4, 3, 5))


@points(0.75)
def test_tokens_apart(student, notes_values, make):
    """Tokens do not mix: a change of one token stays at that token in every head, and after merging too."""
    B, T, D, H = 2, 5, 18, 3
    token = make.integer(1, T - 2)
    others = [t for t in range(T) if t != token]
    x, y = make.distinct(B, T, D), split_up(make, B, T, D, H)
    x_changed, y_changed = x.clone(), y.clone()
    x_changed[:, token] += 500
    y_changed[:, :, token] += 500
    moved = (student.split_heads(x, H) != student.split_heads(x_changed, H))[:, :, others]
    expect(~moved, "splitting moves one token's channels to another token")
    moved = (student.merge_heads(y) != student.merge_heads(y_changed))[:, others]
    expect(~moved, "merging moves one token's channels to another token")
    notes_values.split_heads(x, H)
    notes_values.merge_heads(y)


@points(0.75)
def test_heads_apart(student, notes_values, make):
    """Head h is the block of channels h * D/H to (h + 1) * D/H - 1: scaling it scales that head and no other."""
    B, T, D, H = 2, 5, 18, 3
    x = make.distinct(B, T, D)
    factors = torch.tensor([1.0, 2.0, 4.0])
    scaled = student.split_heads(x.cpu() * factors.repeat_interleave(D // H), H)
    same = scaled == student.split_heads(x, H) * factors.reshape(H, 1, 1)
    expect(same, "a head does not hold its own block of channels")
    y = split_up(make, B, T, D, H)
    merged = student.merge_heads(y.cpu() * factors.reshape(H, 1, 1))
    same = merged == student.merge_heads(y) * factors.repeat_interleave(D // H)
    expect(same, "merging does not give a head its own block of channels")
    notes_values.split_heads(x, H)
    notes_values.merge_heads(y)


@points(0.25)
def test_refuses_remainder(raises_value_error, make):
    """Channels that cannot be divided evenly among the heads are refused with ValueError."""
    for D, H in ((3, 2), (10, 4), (13, 6)):
        raises_value_error.split_heads(make.distinct(2, 3, D), H)


@points(0.25)
def test_refuses_too_many_heads(raises_value_error, make):
    """More heads than channels are refused with ValueError."""
    for D, H in ((1, 2), (6, 8), (5, 10)):
        raises_value_error.split_heads(make.distinct(2, 3, D), H)


def examples(ask, make):
    for shape, sizes in (
        ((2, 3, 20), (2, 4, 3, 5)), ((2, 5, 18), (2, 3, 5, 6)), ((1, 1, 6), (1, 3, 1, 2)), ((2, 6, 6), (2, 3, 4, 4)),
    ):  # fmt: skip
        ask.split_heads(make.normal(*shape), sizes[1])
        ask.merge_heads(make.normal(*sizes))


def of_length(ask, make, n):
    ask.split_heads(make.distinct(2, 3, 2 * n), n)
    ask.split_heads(make.distinct(2, n, 6), 3)
    ask.merge_heads(make.distinct(2, n, 3, 2))
    ask.merge_heads(make.distinct(2, 3, n, 2))


test_gradients = laws.gradient(0.5, examples)
LAWS = laws.all(examples, of_length, memory_layout=0.5, inputs_unchanged=0.25, device=0.25)


# Misconceptions. Not here: num_heads = 0 and contiguity, of which the exercise says nothing; a result that shares
# memory with the input, which is honest.


def divided(x, num_heads):
    """B, T, H, D/H."""
    if x.shape[-1] % num_heads:
        raise ValueError("remainder")
    return *x.shape[:2], num_heads, x.shape[-1] // num_heads


def sources(result, x):
    """For each place of the result: the place in x that its value came from, or None."""
    flat = {value: index for index, value in enumerate(x.flatten().tolist())}
    for place in itertools.product(*map(range, result.shape)):
        index = flat.get(float(result[place]))
        yield place, None if index is None else divmod_all(index, x.shape)


def divmod_all(index, shape):
    """The place with the flat index `index`."""
    place = []
    for size in reversed(shape):
        index, position = divmod(index, size)
        place.append(position)
    return tuple(reversed(place))


def first_stray(result, x, due):
    """A sentence on the first entry that came from elsewhere than from `due(place)`."""
    for place, origin in sources(result, x):
        if origin != due(place):
            holds = Text("entry {place} holds x{origin}; expected x{due}")
            said = holds if origin else Text("entry {place} holds nothing of x; expected x{due}")
            yield said.format(place=list(place), origin=list(origin or ()), due=list(due(place)))
            return


@facts("split_heads")
def seen_in_split(y, x, num_heads):
    width = x.shape[-1] // num_heads
    yield from first_stray(y, x, lambda place: (place[0], place[2], place[1] * width + place[3]))


@facts("merge_heads")
def seen_in_merge(y, x):
    width = x.shape[-1]
    yield from first_stray(y, x, lambda place: (place[0], place[2] // width, place[1], place[2] % width))


def wrong(way):
    """A split that refuses remainders, and is `way(x, H)` otherwise."""

    def split_heads(x, num_heads):
        divided(x, num_heads)
        return way(x, num_heads)

    return split_heads


def no_check(x, num_heads):
    return x.reshape(*x.shape[:2], num_heads, x.shape[2] // num_heads).transpose(1, 2)


def asserts(x, num_heads):
    assert x.shape[-1] % num_heads == 0
    return split(x, num_heads)


def remainder_the_other_way(x, num_heads):
    if num_heads % x.shape[-1]:
        raise ValueError("heads")
    return no_check(x, num_heads)


def tokens_checked(x, num_heads):
    if x.shape[1] % num_heads:
        raise ValueError("heads")
    return no_check(x, num_heads)


def check_inverted(x, num_heads):
    if x.shape[-1] % num_heads == 0:
        raise ValueError("heads")
    return no_check(x, num_heads)


def zeros(x, num_heads):
    B, T, H, Dh = divided(x, num_heads)
    return torch.zeros(B, H, T, Dh).copy_(split(x, H))


SPLITS = misconceptions(
    "split_heads",
    view_directly=wrong(heads.cut_across),
    interleaved=wrong(heads.dealt_out),
    no_transpose=wrong(lambda x, H: x.unflatten(-1, (H, -1))),
    head_dim_for_num_heads=wrong(lambda x, H: x.unflatten(-1, (-1, H)).transpose(1, 2)),
    truncates_remainder=lambda x, num_heads: no_check(x[..., : x.shape[2] // num_heads * num_heads], num_heads),
    no_check=no_check,
    asserts=asserts,
    remainder_the_other_way=remainder_the_other_way,
    tokens_checked=tokens_checked,
    check_inverted=check_inverted,
    reversed_heads=wrong(lambda x, H: split(x, H).flip(1)),
    heads_into_batch=wrong(lambda x, H: split(x, H).flatten(0, 1)),
    heads_first=wrong(lambda x, H: split(x, H).transpose(0, 1)),
    last_two_swapped=wrong(lambda x, H: split(x, H).transpose(2, 3)),
    copies_x_per_head=wrong(lambda x, H: x.unsqueeze(1).repeat(1, H, 1, 1)),
    splits_tokens=wrong(lambda x, H: torch.stack(x[:, : x.shape[1] // H * H].chunk(H, dim=1), dim=1)),
)

MERGES = misconceptions(
    "merge_heads",
    view_without_contiguous=lambda x: heads.viewed(x),
    reshape_no_transpose=lambda x: heads.piled_up(x),
    merge_interleaved=lambda x: heads.collected(x),
    merge_reversed=lambda x: merge(x.flip(1)),
    mean_heads=lambda x: x.mean(1),
    sum_heads=lambda x: x.sum(1),
    first_head=lambda x: x[:, 0],
    concatenates_tokens=lambda x: x.flatten(1, 2),
    merges_tokens=lambda x: x.flatten(2),
    merges_batch=lambda x: torch.cat(list(x), -1),
    batch_and_heads_swapped=lambda x: x.transpose(0, 1).flatten(2),
)

BOTH = misconceptions(
    "split_heads",
    "merge_heads",
    both_without_transpose=(wrong(heads.cut_across), lambda x: heads.piled_up(x)),
    both_interleaved=(wrong(heads.dealt_out), lambda x: heads.collected(x)),
    both_reversed=(wrong(lambda x, H: split(x, H).flip(1)), lambda x: merge(x.flip(1))),
    neither_exchanged=(wrong(lambda x, H: x.unflatten(-1, (H, -1))), lambda x: x.flatten(2)),
    both_squeezed=(wrong(lambda x, H: split(x, H).squeeze()), lambda x: merge(x).squeeze()),
    detached=(wrong(lambda x, H: split(x.detach(), H)), lambda x: merge(x.detach())),
    forces_float32=(wrong(lambda x, H: split(x, H).float()), lambda x: merge(x).float()),
    default_dtype_and_device=(zeros, lambda x: torch.zeros(merge(x).shape).copy_(merge(x))),
)
