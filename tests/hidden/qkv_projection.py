"""Hidden suite for the projections to queries, keys and values.

Not in the bank, because right: one product with the three matrices side by side, cut into pieces of the right widths;
`nn.functional.linear` with the transposed matrices; token by token.
"""

import torch

from grader.suites import Text, error_bound, expect_close, facts, laws, misconceptions, points

LAB_1B = (
    [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]],
    [[1.0, 0.5], [0.0, 1.0]],
    [[0.5, 1.0], [1.0, 0.0]],
    [[1.0, -0.5], [0.5, 1.0]],
)


@error_bound("qkv_projection")
def projection_bound(x, w_q, w_k, w_v):
    # x and a matrix may be taken to float32 (half an epsilon each), each product is rounded (half), the D products are
    # added one after another (D / 2), and the sum is stored (half): D / 2 + 2 epsilon of sum |x||w|, doubled.
    return tuple((x.shape[-1] + 4) * (x.abs() @ w.abs()) for w in (w_q, w_k, w_v))


def inputs(make, *lead, t=5, d=7, dq=4, dk=3, dv=6):
    """Random tokens with these leading dimensions, and three matrices."""
    return make.normal(*lead, t, d), *(make.normal(d, width) for width in (dq, dk, dv))


@points(0.8)
def test_three_tokens(matches_reference, make):
    """The tokens and matrices of Lab 1B give the printed queries, keys and values, also in a batch of two."""
    x, *matrices = map(make.tensor, LAB_1B)
    matches_reference.qkv_projection(x, *matrices)
    matches_reference.qkv_projection(x[:1], *matrices)
    matches_reference.qkv_projection(torch.stack([x, x.flip(0)]), *matrices)


@points(2.4)
def test_definition(matches_reference, make, dtype):
    """Queries, keys and values are x times a matrix of their own each, for any leading dimensions and any widths."""
    matches_reference.qkv_projection(*inputs(make, t=2, d=3, dq=4, dk=4, dv=5))
    matches_reference.qkv_projection(*inputs(make, t=4, d=5, dq=2, dk=3, dv=1))
    matches_reference.qkv_projection(*inputs(make, 2))
    matches_reference.qkv_projection(*inputs(make, 2, 3))
    matches_reference.qkv_projection(*inputs(make, 2, 3, 2, t=3, d=2))


@points(0.9)
def test_each_has_its_own_matrix(student, notes_values, make):
    """Another matrix for one of the three changes that one and leaves the other two as they are."""
    for d, width in ((3, 4), (6, 5)):
        x, *matrices = inputs(make, d=d, dq=width, dk=width, dv=width)
        before = student.qkv_projection(x, *matrices)
        for i, name in enumerate("QKV"):
            others = [2 * w if i == j else w for j, w in enumerate(matrices)]
            after = student.qkv_projection(x, *others)
            for j, other in enumerate("QKV"):
                left = Text("doubling the matrix of {name} does not leave {other}")
                said = Text("doubling the matrix of {name} does not double {other}") if i == j else left
                said = said.format(name=name, other=other)
                expect_close(after[j], before[j] * (2 if i == j else 1), 1e-4, said)
        notes_values.qkv_projection(x, *matrices)


@points(1)
def test_laws(student, notes_values, make):
    """With the identity as tokens the matrices come back; a token twice as long has a query, key and value twice as
    long; no token affects those of another.
    """
    for d, widths in ((3, (2, 4, 5)), (5, (3, 3, 2))):
        matrices = [make.normal(d, w) for w in widths]
        said = "tokens = identity do not give the matrices back"
        for result, w in zip(student.qkv_projection(torch.eye(d), *matrices), matrices, strict=True):
            expect_close(result, w, 1e-6, said)
        x = make.normal(4, d)
        longer = torch.cat([x[:3], 2 * x[3:]])
        for one, two in zip(
            student.qkv_projection(x, *matrices), student.qkv_projection(longer, *matrices), strict=True
        ):
            expect_close(two[:3], one[:3], 1e-5, "doubling the last token changes the others")
            expect_close(two[3:], 2 * one[3:], 1e-4, "doubling it does not double its own query, key and value")
        notes_values.qkv_projection(x, *matrices)


@points(0.6)
def test_widths(matches_reference, make):
    """Values may be wider than keys, keys narrower than queries, and all of them wider or narrower than the tokens."""
    for d, dq, dk, dv in ((4, 8, 2, 2), (3, 5, 5, 9), (8, 2, 2, 3), (6, 12, 3, 1)):
        matches_reference.qkv_projection(*inputs(make, 2, d=d, dq=dq, dk=dk, dv=dv))


@points(0.4)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and equal sizes work too."""
    for lead, t, d, width in (
        ((), 3, 3, 3), ((), 4, 3, 3), ((3,), 3, 3, 3), ((2, 2), 2, 2, 2), ((1, 3), 4, 2, 1), ((), 1, 4, 3),
        ((2,), 5, 1, 2), ((), 1, 1, 1),
    ):  # fmt: skip
        matches_reference.qkv_projection(*inputs(make, *lead, t=t, d=d, dq=width, dk=width, dv=width))


def examples(ask, make):
    ask.qkv_projection(*inputs(make, t=2, d=3))
    ask.qkv_projection(*inputs(make, 2))
    ask.qkv_projection(*inputs(make, 2, 1, 3))
    ask.qkv_projection(*inputs(make, 1, t=1, d=2))


def of_length(ask, make, n):
    ask.qkv_projection(*inputs(make, t=n, d=2))
    ask.qkv_projection(*inputs(make, t=2, d=n))
    ask.qkv_projection(*inputs(make, t=2, d=2, dq=n, dk=n, dv=n))


LAWS = laws.all(
    examples, of_length, gradient=0.6, memory_layout=0.35, inputs_unchanged=0.25, device=0.35, remembers_nothing=0.15,
    lengths=0.1,
)  # fmt: skip


@facts("qkv_projection")
def seen(results, x, w_q, w_k, w_v):
    due = dict(zip("QKV", each()(x, w_q, w_k, w_v), strict=True))
    for name, result in zip("QKV", results, strict=True):
        same = [other for other, t in due.items() if alike(result, t)]
        off = result - due[name]
        if name in same:
            continue
        if same:
            yield Text("what is returned as {name} is {same}").format(name=name, same=same[0])
        elif alike(result, x):
            yield Text("what is returned as {name} is x itself").format(name=name)
        elif x.shape[-2] > 1 and alike(off, off[..., :1, :].expand(off.shape)):
            yield Text("in {name} every token is off by the same vector, as if by a bias").format(name=name)
        else:
            yield Text("{name} is wrong").format(name=name)


def alike(one, other):
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-3, atol=1e-3)


def product(x, w):
    return x @ w


def each(*ways):
    """The three views, each made by its way, or all by one; `product` unless told otherwise."""
    ways = ways * 3 if len(ways) == 1 else ways or (product,) * 3
    return lambda x, w_q, w_k, w_v: tuple(way(x, w) for way, w in zip(ways, (w_q, w_k, w_v), strict=True))


def of_matrices(choice):
    """The views made with the matrices in another choice."""
    return lambda x, w_q, w_k, w_v: tuple(x @ w for w in choice(w_q, w_k, w_v))


def three_dimensions_only(x, w):
    _b, _t, _d = x.shape
    return x @ w


def viewed(x, w):
    return (x.view(-1, x.shape[-1]) @ w).view(*x.shape[:-1], w.shape[1])


def turned_in_place(x, w):
    return x @ w.t_().T


def centred_in_place(x, w_q, w_k, w_v):
    x -= x.mean(-1, keepdim=True)
    return x @ w_q, x @ w_k, x @ w_v


def in_one(x, w_q, w_k, w_v):
    return x @ torch.cat([w_q, w_k, w_v], dim=1)


def cut_at_d(x, w_q, w_k, w_v):
    d, together = x.shape[-1], in_one(x, w_q, w_k, w_v)
    return together[..., :d], together[..., d : 2 * d], together[..., 2 * d :]


KNOWN = misconceptions(
    "qkv_projection",
    transposed_weights=each(lambda x, w: x @ w.T),
    transposed_where_square=each(lambda x, w: x @ (w.T if w.shape[0] == w.shape[1] else w)),
    order_q_v_k=lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_v, x @ w_k),
    order_k_q_v=lambda x, w_q, w_k, w_v: (x @ w_k, x @ w_q, x @ w_v),
    all_from_w_q=of_matrices(lambda w_q, w_k, w_v: (w_q, w_q, w_q)),
    keys_from_w_q=of_matrices(lambda w_q, w_k, w_v: (w_q, w_q, w_v)),
    values_from_w_k=of_matrices(lambda w_q, w_k, w_v: (w_q, w_k, w_k)),
    tokens_themselves=each(lambda x, w: x.clone()),
    values_are_tokens=each(product, product, lambda x, w: x.clone()),
    keys_from_queries=lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_q @ w_k, x @ w_v),
    values_from_keys=lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_k, x @ w_k @ w_v),
    each_from_the_last=lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_q @ w_k, x @ w_q @ w_k @ w_v),
    relu_applied=each(lambda x, w: (x @ w).relu()),
    residual_where_it_fits=each(lambda x, w: x @ w + (x if w.shape[0] == w.shape[1] else 0)),
    tokens_in_columns=each(lambda x, w: (x @ w).mT),
    matrix_first=each(lambda x, w: w @ x),
    elementwise=each(lambda x, w: x * w),
    stacked=lambda x, w_q, w_k, w_v: torch.stack([x @ w_q, x @ w_k, x @ w_v]),
    side_by_side=in_one,
    in_a_dict=lambda x, w_q, w_k, w_v: {"q": x @ w_q, "k": x @ w_k, "v": x @ w_v},
    equal_thirds=lambda x, w_q, w_k, w_v: in_one(x, w_q, w_k, w_v).chunk(3, dim=-1),
    cut_at_d=cut_at_d,
    queries_scaled=each(lambda x, w: x @ w / w.shape[1] ** 0.5, product, product),
    flattened=each(lambda x, w: x.reshape(-1, x.shape[-1]) @ w),
    shaped_as_tokens=each(lambda x, w: (x @ w).reshape(x.shape)),
    matrices_only=each(torch.mm),
    batches_only=each(lambda x, w: torch.bmm(x, w.expand(len(x), -1, -1))),
    einsum_of_three=each(lambda x, w: torch.einsum("btd,de->bte", x, w)),
    three_dimensions_only=each(three_dimensions_only),
    viewed=each(viewed),
    squeezed=each(lambda x, w: (x @ w).squeeze()),
    forces_float32=each(lambda x, w: x.float() @ w.float()),
    dtype_of_a_layer=each(lambda x, w: torch.nn.functional.linear(x, torch.nn.Parameter(w.detach().T.float()))),
    turned_in_place=each(turned_in_place),
    centred_in_place=centred_in_place,
    matrices_detached=each(lambda x, w: x @ w.detach()),
    values_detached=each(product, product, lambda x, w: (x @ w).detach()),
    no_gradient=each(lambda x, w: x.detach() @ w.detach()),
)
