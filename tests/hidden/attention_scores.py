"""Hidden suite for the score matrix.

Not in the bank, because right: any order of the sum, comparing one pair after another, float32 inside.
"""

import math

import torch

from grader.suites import Text, error_bound, expect_close, facts, laws, misconceptions, points


@error_bound("attention_scores")
def scores_bound(q, k):
    # q and k may be taken to float32 (half an epsilon each), each product is rounded (half), the Dh products are added
    # one after another (Dh / 2), and the sum is stored (half): Dh / 2 + 2 epsilon of sum |q||k|, doubled.
    return (q.shape[-1] + 4) * (q.abs() @ k.abs().transpose(-2, -1))


def inputs(make, *lead, t_q=5, t_kv=7, dh=6):
    """Random q and k with these leading dimensions."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh)


@points(0.5)
def test_three_tokens(matches_reference, make):
    """Three tokens that serve as queries and keys give the raw dot products; two queries with other keys as well."""
    x = make.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    matches_reference.attention_scores(
        make.tensor([[1.0, 0.0], [1.0, 2.0]]), make.tensor([[1.0, 1.0], [0.0, 3.0], [-2.0, 1.0]])
    )
    matches_reference.attention_scores(x, x)


@points(1.6)
def test_definition(matches_reference, make, dtype):
    """Entry (i, j) is the dot product of query i with key j of the same example and head, for any leading
    dimensions.
    """
    matches_reference.attention_scores(*inputs(make, t_q=2, t_kv=3))
    matches_reference.attention_scores(*inputs(make, t_q=4, t_kv=3, dh=5))
    for lead in ((2,), (2, 3), (2, 3, 4)):
        matches_reference.attention_scores(*inputs(make, *lead))
        matches_reference.attention_scores(*inputs(make, *lead, t_q=3, t_kv=2))
    matches_reference.attention_scores(*(t / 16 for t in inputs(make)))  # what is rounded to decimals is lost here


@points(0.7)
def test_rows_and_columns(student, notes_values, make):
    """Row i belongs to query i and column j to key j: a changed query changes only its row, a changed key only its
    column.
    """
    for t_q, t_kv in ((3, 2), (2, 4), (5, 7)):
        q, k = inputs(make, t_q=t_q, t_kv=t_kv)
        before = student.attention_scores(q, k)
        row, column = torch.arange(t_q)[:, None] == t_q - 1, torch.arange(t_kv)[:, None] == 1
        moved = student.attention_scores(torch.where(row, q + 1.0, q), k) - before
        expect_close(moved[:-1], 0.0, 1e-5, "changing the last query changes another row")
        moved = student.attention_scores(q, torch.where(column, k + 1.0, k)) - before
        expect_close(moved[:, torch.arange(t_kv) != 1], 0.0, 1e-5, "changing key 1 changes another column")
        notes_values.attention_scores(q, k)


@points(0.6)
def test_laws(student, notes_values, make):
    """A query twice as long has scores twice as large, the opposite query the opposite scores, and vectors at right
    angles score 0.
    """
    for lead, dh in (((), 3), ((2,), 5), ((2, 3), 4)):
        q, k = inputs(make, *lead, dh=dh)
        scores = student.attention_scores(q, k)
        for factor in (2.0, -1.0):
            said = Text("queries times {factor:g} do not give scores times {factor:g}").format(factor=factor)
            expect_close(student.attention_scores(factor * q, k), factor * scores, 1e-4, said)
        notes_values.attention_scores(q, k)
    axes = torch.eye(4)
    said = "different axes do not score 0, or an axis does not score 1 with itself"
    expect_close(student.attention_scores(axes, axes), axes, 1e-6, said)


@points(0.6)
def test_not_scaled(matches_reference, make, dtype):
    """The scores are raw: with all entries 1 each of them is Dh, and long vectors score in the thousands."""
    for dh, size in ((4, 1.0), (9, 1.0), (64, 1.0), (16, 16.0), (1, 1.0)):
        q = make.tensor([[size] * dh] * 2)
        k = make.tensor([[size] * dh, [-size] * dh, [0.0] * dh])
        matches_reference.attention_scores(q, k)


@points(0.4)
def test_special_sizes(matches_reference, make):
    """Sizes of 1 and equal sizes work too."""
    for lead, t_q, t_kv, dh in (
        ((), 4, 4, 2), ((), 4, 4, 4), ((3,), 3, 3, 3), ((2, 2), 2, 2, 2), ((1, 1), 4, 4, 5), ((), 1, 1, 1),
        ((), 1, 5, 3), ((2,), 5, 1, 3), ((2, 1, 3), 1, 1, 4),
    ):  # fmt: skip
        matches_reference.attention_scores(*inputs(make, *lead, t_q=t_q, t_kv=t_kv, dh=dh))


def examples(ask, make):
    ask.attention_scores(*inputs(make, t_q=2, t_kv=3))
    ask.attention_scores(*inputs(make, 2))
    ask.attention_scores(*inputs(make, 2, 3))
    ask.attention_scores(*inputs(make, 2, 1, 3, t_q=1))


def of_length(ask, make, n):
    ask.attention_scores(*inputs(make, 1, t_q=n, t_kv=3))
    ask.attention_scores(*inputs(make, 1, t_q=3, t_kv=n))
    ask.attention_scores(*inputs(make, 1, t_q=2, t_kv=3, dh=n))


LAWS = laws.all(examples, of_length, gradient=0.5, memory_layout=0.3, inputs_unchanged=0.2, device=0.3, lengths=0.1)


@facts("attention_scores")
def seen(scores, q, k):
    due = products(q, k)
    scale = float((scores * due).sum() / due.square().sum())
    wrong = (scores - due).abs() > 1e-3 * (1 + due.abs())
    if bool(((scores - scale * due).abs() <= 1e-3 * (1 + due.abs())).all()) and abs(scale - 1) > 1e-3:
        yield Text("the scores are q k^T times {scale:.4g}").format(scale=scale)
    elif bool(wrong.any()) and not bool(wrong.all()):
        for axis, what in ((-1, Text("queries (rows)")), (-2, Text("keys (columns)"))):
            found = wrong.any(axis).reshape(-1, scores.shape[-2 if axis == -1 else -1]).any(0)
            if not bool(found.all()):
                places = found.nonzero().flatten().tolist()
                yield Text("only the scores of the {what} {places} are wrong").format(what=what, places=places)
    if bool((scores >= 0).all()) and bool((due < -1e-3).any()):
        yield Text("no score is negative, though negative ones are expected")


def products(q, k):
    return q @ k.transpose(-2, -1)


def unit(x):
    return x / x.norm(dim=-1, keepdim=True)


def squared_distances(q, k):
    return (q.unsqueeze(-2) - k.unsqueeze(-3)).square().sum(-1)


def later_keys_hidden(q, k):
    scores = products(q, k)
    return scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)


def scaled_in_place(q, k):
    q /= math.sqrt(q.shape[-1])
    return products(q, k)


def turned_in_place(q, k):
    return q @ k.transpose_(-2, -1)


def viewed(q, k):
    return products(*(t.view(-1, *t.shape[-2:]).view(t.shape) for t in (q, k)))


def four_dimensions_only(q, k):
    _b, _h, _t, _d = q.shape
    return products(q, k)


def square_table(q, k):
    n = q.shape[-2]
    return torch.stack([(q * k[..., j, None, :]).sum(-1) for j in range(n)], -1)


def first_of_all(x):
    return x.reshape(-1, *x.shape[-2:])[0]


KNOWN = misconceptions(
    "attention_scores",
    scores_transposed=lambda q, k: products(k, q),
    keys_not_transposed=lambda q, k: q @ k,
    k_reshaped_not_transposed=lambda q, k: q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]),
    k_dot_t=lambda q, k: q @ k.permute(*range(k.dim() - 1, -1, -1)),
    k_transposed_1_2=lambda q, k: q @ k.transpose(1, 2),
    k_transposed_0_1=lambda q, k: q @ k.transpose(0, 1),
    matrices_only=lambda q, k: torch.mm(q, k.mT),
    matrices_only_t=lambda q, k: q @ k.t(),
    one_dimension_in_front=lambda q, k: torch.einsum("bqd,bkd->bqk", q, k),
    four_dimensions_only=four_dimensions_only,
    up_to_heads=lambda q, k: products(q, k) if q.dim() < 5 else torch.einsum("bhqd,bhkd->bhqk", q, k),
    inputs_viewed=viewed,
    scaled=lambda q, k: products(q, k) / math.sqrt(q.shape[-1]),
    mean_of_products=lambda q, k: products(q, k) / q.shape[-1],
    softmax_applied=lambda q, k: products(q, k).softmax(-1),
    scaled_and_softmax_applied=lambda q, k: (products(q, k) / math.sqrt(q.shape[-1])).softmax(-1),
    less_the_maximum=lambda q, k: products(q, k) - products(q, k).amax(-1, keepdim=True),
    cosine=lambda q, k: products(unit(q), unit(k)),
    negative_distance=lambda q, k: -squared_distances(q, k),
    negative_distance_root=lambda q, k: -torch.cdist(q, k),
    each_with_its_own=lambda q, k: (q * k).sum(-1),
    multiplied_entry_by_entry=lambda q, k: q * k,
    features_compared=lambda q, k: products(q.mT, k.mT),
    products_not_summed=lambda q, k: q.unsqueeze(-2) * k.unsqueeze(-3),
    last_channel_left_out=lambda q, k: products(q[..., :-1], k[..., :-1]),
    negatives_cut_off=lambda q, k: products(q, k).clamp(min=0),
    absolute_values=lambda q, k: products(q, k).abs(),
    later_keys_hidden=later_keys_hidden,
    as_many_keys_as_queries=square_table,
    keys_of_first_example=lambda q, k: products(q, k if k.dim() < 3 else k[:1]),
    first_example_only=lambda q, k: products(first_of_all(q), first_of_all(k)),
    examples_compared=lambda q, k: products(q.reshape(-1, q.shape[-1]), k.reshape(-1, k.shape[-1])),
    examples_compared_in_axes=lambda q, k: torch.tensordot(q, k, dims=([-1], [-1])),
    summed_over_examples=lambda q, k: products(q, k).flatten(0, -3).sum(0) if q.dim() > 2 else products(q, k),
    later_scores_zero=lambda q, k: products(q, k).tril(),
    squeezed=lambda q, k: products(q, k).squeeze(),
    forces_float32=lambda q, k: products(q.float(), k.float()),
    scaled_in_place=scaled_in_place,
    turned_in_place=turned_in_place,
    keys_detached=lambda q, k: products(q, k.detach()),
    queries_detached=lambda q, k: products(q.detach(), k),
    no_gradient=lambda q, k: products(q.detach(), k.detach()),
)
