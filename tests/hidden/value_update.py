"""Hidden suite for the update that heads add to tokens, tokens as columns.

Not in the bank, because right: any order of the products, a sum over heads or one W_O. Reading the pattern by rows is
the same as transposing it.
"""

import functools

import torch

from grader.suites import Text, error_bound, expect, expect_close, facts, laws, misconceptions, points


@error_bound("value_update")
def update_bound(E, patterns, downs, ups):
    # Three products in any order, with sums of d, n and dk terms, and a sum over h heads: each term is rounded once for
    # every addition it takes part in and once for every product, of inputs rounded once.
    d, n, dk, h = *E.shape, downs[0].shape[0], len(downs)
    reach = sum(u.abs() @ w.abs() @ E.abs() @ a.abs() for a, w, u in zip(patterns, downs, ups, strict=True))
    return ((d + n + dk + h) / 2 + 8) * reach


def shares(make, n):
    """A pattern: each column sums to 1."""
    return make.normal(n, n, scale=2.0).double().softmax(0).to(make.dtype)


def inputs(make, d=7, n=5, dk=3, h=2):
    """Tokens, and for each head a pattern, a down and an up."""
    patterns = [shares(make, n) for _ in range(h)]
    downs = [make.normal(dk, d, scale=d**-0.5) for _ in range(h)]
    return make.normal(d, n), patterns, downs, [make.normal(d, dk, scale=dk**-0.5) for _ in range(h)]


@points(3)
def test_definition(matches_reference, make, dtype):
    """The update is the sum over heads of up (down E A)."""
    for d, n, dk, h in ((4, 3, 2, 1), (4, 3, 2, 2), (7, 5, 3, 2), (6, 4, 5, 3), (8, 5, 2, 4)):
        matches_reference.value_update(*inputs(make, d, n, dk, h))


@points(1)
def test_columns(student, notes_values, make):
    """Column j of a pattern belongs to token j: if it takes all from token i, it gets the value of token i."""
    for d, n in ((4, 3), (7, 5)):
        E, _, downs, ups = inputs(make, d, n, 2, 1)
        source = [(j + 1) % n if j else 2 for j in range(n)]  # no permutation: some tokens are taken twice
        pattern = torch.stack([make.tensor([float(i == s) for i in range(n)]) for s in source], dim=1)
        found = student.value_update(E, [pattern], downs, ups)
        due = (ups[0] @ downs[0] @ E)[:, source]
        said = Text("tokens that take all from the tokens {source} do not get their values").format(source=source)
        expect_close(found, due, 1e-4, said)
        notes_values.value_update(*inputs(make, d, n, 2, 1))


@points(1.5)
def test_heads_add_up(student, notes_values, make):
    """Two heads give the sum of their single updates, and twice the tokens give twice the update."""
    for d, n, dk, h in ((4, 3, 2, 2), (7, 5, 3, 3)):
        E, patterns, downs, ups = inputs(make, d, n, dk, h)
        both = student.value_update(E, patterns, downs, ups)
        alone = [student.value_update(E, [patterns[i]], [downs[i]], [ups[i]]) for i in range(h)]
        expect_close(both, sum(alone), 1e-4, "the update of {h} heads is not the sum of their single updates", h=h)
        twice = student.value_update(2 * E, patterns, downs, ups)
        expect_close(twice, 2 * both, 1e-4, "twice the tokens do not give twice the update")
        notes_values.value_update(E, patterns, downs, ups)


@points(1)
def test_narrow_heads(student, notes_values, make):
    """One head moves all tokens within the dk directions of its up, so its update has rank dk at most."""
    for d, n, dk in ((6, 5, 2), (8, 7, 3)):
        arguments = inputs(make, d, n, dk, 1)
        found = student.value_update(*arguments).double()
        expect(found.isfinite(), "the update of one head is not finite")
        rank = int((torch.linalg.svdvals(found) > 1e-4 * torch.linalg.matrix_norm(found, 2)).sum())
        expect(rank <= dk, "the update of one head with dk={dk} has rank {rank}", dk=dk, rank=rank)
        notes_values.value_update(*arguments)


@points(1)
def test_special_sizes(matches_reference, make):
    """One token, one channel, dk = 1, dk = d and equal sizes work too."""
    for d, n, dk, h in (
        (4, 4, 2, 2), (3, 5, 3, 2), (3, 3, 3, 3), (6, 4, 1, 9), (5, 1, 2, 3), (1, 4, 1, 2), (1, 1, 1, 1), (2, 4, 5, 2),
    ):  # fmt: skip
        matches_reference.value_update(*inputs(make, d, n, dk, h))


def examples(ask, make):
    ask.value_update(*inputs(make, 4, 3, 2, 1))
    ask.value_update(*inputs(make))
    ask.value_update(*inputs(make, 1, 1, 1, 1))


def of_length(ask, make, n):
    ask.value_update(*inputs(make, n, 3, 2, 2))
    ask.value_update(*inputs(make, 3, n, 2, 1))


LAWS = laws.all(
    examples, of_length, gradient=1.3, memory_layout=0.4, inputs_unchanged=0.4, device=0.9, remembers_nothing=0.2,
    keywords=0.15, lengths=0.15,
)  # fmt: skip


@facts("value_update")
def seen(update, E, patterns, downs, ups):
    due = added(E, patterns, downs, ups)
    off = update - due
    scale = float((update * due).sum() / due.square().sum().clamp_min(1e-30))
    if not bool(update.any()):
        yield Text("the update is 0 everywhere")
    elif abs(scale - 1) > 1e-3 and alike(update, scale * due):
        yield Text("the update is the right one times {scale:.4g}").format(scale=scale)
    for i, head in enumerate(zip(patterns, downs, ups, strict=True)):
        part = added(E, *([t] for t in head))
        if len(ups) > 1 and alike(off, -part):
            yield Text("the update of head {i} is missing").format(i=i)
    tokens = (off.abs() > 1e-3 * (1 + due.abs())).any(0)
    if bool(tokens.any()) and not bool(tokens.all()):
        places = tokens.nonzero().flatten().tolist()
        yield Text("only the columns {places} are wrong").format(places=places)


def alike(one, other):
    return torch.allclose(one, other, rtol=1e-3, atol=1e-3)


def summed(way):
    """The sum over heads of `way(E, A, down, up)`."""
    return lambda E, patterns, downs, ups: sum(way(E, *head) for head in zip(patterns, downs, ups, strict=True))


added = summed(lambda E, A, down, up: up @ (down @ E @ A))


def mixed(change):
    """The right sum with every pattern changed."""
    return lambda E, patterns, downs, ups: added(E, [change(A) for A in patterns], downs, ups)


def gathered(gather):
    """The updates of the heads, brought together by `gather`."""

    def wrong(E, patterns, downs, ups):
        heads = zip(patterns, downs, ups, strict=True)
        return gather([up @ (down @ E @ A) for A, down, up in heads])

    return wrong


def first_down_transposed(E, A, down, up):
    return up @ ((down.T if down.shape[0] == down.shape[1] else down) @ E @ A)


def tokens_changed_in_place(E, patterns, downs, ups):
    for A, down, up in zip(patterns, downs, ups, strict=True):
        E += up @ (down @ E @ A)
    return E


def one_after_another(E, patterns, downs, ups):
    after = E
    for A, down, up in zip(patterns, downs, ups, strict=True):
        after = after + up @ (down @ after @ A)
    return after - E


def output_into_the_next(E, patterns, downs, ups):
    for A, down, up in zip(patterns, downs, ups, strict=True):
        E = up @ (down @ E @ A)
    return E


def lists_emptied(E, patterns, downs, ups):
    update = added(E, patterns, downs, ups)
    for given in (patterns, downs, ups):
        given.clear()
    return update


def lists_reversed(E, patterns, downs, ups):
    for given in (patterns, downs, ups):
        given.reverse()
    return added(E, patterns, downs, ups)


def into_zeros(E, patterns, downs, ups):
    return torch.zeros(E.shape) + added(E, patterns, downs, ups)


def by_all_patterns(E, patterns, downs, ups):
    seen = functools.reduce(torch.matmul, patterns)
    return added(E, [seen] * len(patterns), downs, ups)


def heads_of(E, patterns, downs):
    return [down @ E @ A for A, down in zip(patterns, downs, strict=True)]


KNOWN = misconceptions(
    "value_update",
    pattern_transposed=mixed(lambda A: A.T),
    pattern_on_the_left=summed(lambda E, A, down, up: up @ (A @ (down @ E))),
    tokens_as_rows=summed(lambda E, A, down, up: A @ E @ down.T @ up.T),
    no_attention=summed(lambda E, A, down, up: up @ down @ E),
    no_matrices=summed(lambda E, A, down, up: E @ A),
    first_pattern_for_all=lambda E, patterns, downs, ups: added(E, [patterns[0]] * len(patterns), downs, ups),
    first_down_for_all=lambda E, patterns, downs, ups: added(E, patterns, [downs[0]] * len(downs), ups),
    first_up_for_all=lambda E, patterns, downs, ups: added(E, patterns, downs, [ups[0]] * len(ups)),
    patterns_averaged=lambda E, patterns, downs, ups: added(
        E, [sum(patterns) / len(patterns)] * len(patterns), downs, ups
    ),
    patterns_multiplied=by_all_patterns,
    softmax_again=mixed(lambda A: A.softmax(0)),
    columns_normalised=mixed(lambda A: A / A.sum(0, keepdim=True)),
    later_tokens_hidden=mixed(torch.triu),
    mean_of_heads=lambda E, patterns, downs, ups: added(E, patterns, downs, ups) / len(ups),
    heads_mixed=lambda E, patterns, downs, ups: sum(ups) @ sum(heads_of(E, patterns, downs)),
    matrices_added=lambda E, patterns, downs, ups: sum(ups) @ sum(downs) @ E @ sum(patterns),
    last_head_left_out=lambda E, patterns, downs, ups: added(E, patterns[:-1], downs[:-1], ups[:-1]) + 0 * E,
    first_head_left_out=lambda E, patterns, downs, ups: added(E, patterns[1:], downs[1:], ups[1:]) + 0 * E,
    ups_reversed=lambda E, patterns, downs, ups: added(E, patterns, downs, ups[::-1]),
    heads_interleaved=lambda E, patterns, downs, ups: (
        torch.cat(tuple(ups), 1) @ torch.stack(heads_of(E, patterns, downs), 1).flatten(0, 1)
    ),
    ups_stacked_by_rows=lambda E, patterns, downs, ups: torch.cat(tuple(ups)) @ torch.cat(heads_of(E, patterns, downs)),
    updates_on_top=gathered(torch.cat),
    updates_stacked=gathered(torch.stack),
    down_and_up_swapped=lambda E, patterns, downs, ups: added(E, patterns, ups, downs),
    down_and_up_swapped_and_transposed=lambda E, patterns, downs, ups: added(
        E, patterns, [up.T for up in ups], [down.T for down in downs]
    ),
    square_down_transposed=summed(first_down_transposed),
    up_is_down_transposed=lambda E, patterns, downs, ups: added(E, patterns, downs, [down.T for down in downs]),
    first_head_only=lambda E, patterns, downs, ups: added(E, patterns[:1], downs[:1], ups[:1]),
    last_head_only=lambda E, patterns, downs, ups: added(E, patterns[-1:], downs[-1:], ups[-1:]),
    two_heads_exactly=gathered(lambda found: found[0] + found[1]),
    residual_included=lambda E, patterns, downs, ups: E + added(E, patterns, downs, ups),
    tokens_changed_in_place=tokens_changed_in_place,
    one_after_another=one_after_another,
    output_into_the_next=output_into_the_next,
    tokens_and_heads_in_turn=lambda E, patterns, downs, ups: tokens_changed_in_place(E.clone(), patterns, downs, ups),
    transposed_result=lambda E, patterns, downs, ups: added(E, patterns, downs, ups).T,
    squeezed=lambda E, patterns, downs, ups: added(E, patterns, downs, ups).squeeze(),
    scaled_by_dk=lambda E, patterns, downs, ups: added(E, patterns, downs, ups) / downs[0].shape[0] ** 0.5,
    lists_to_tensor=lambda E, patterns, downs, ups: added(E, *map(torch.tensor, (patterns, downs, ups))),
    lists_emptied=lists_emptied,
    lists_reversed=lists_reversed,
    into_zeros=into_zeros,
    patterns_detached=mixed(torch.Tensor.detach),
    mixes_detached=summed(lambda E, A, down, up: up @ (down @ E @ A).detach()),
    no_gradient=lambda E, patterns, downs, ups: added(E, patterns, downs, ups).detach(),
    forces_float32=lambda E, patterns, downs, ups: added(E, patterns, downs, ups).float(),
)
