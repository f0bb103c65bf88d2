"""Hidden suite for attention to fewer keys: a window with global tokens, buckets, keys of low rank."""

import math

import torch
from hidden.lib import masking
from hidden.lib.attention import attend, integer_root

from grader.suites import dtypes, error_bound, expect, expect_close, facts, laws, misconceptions, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there
FAR = 2**60  # here float32 and float64 cannot tell a hash from the next


@error_bound("low_rank_attention")
def low_rank_bound(q, k, v, mix_k, mix_v):
    # Mixing sums T_kv products, of inputs rounded once: each mixed key is off by at most (T_kv / 2 + 2) eps times
    # |mix||k|. In a score that counts |q| times as much, and the mixed values' error arrives with the weights.
    few_k, few_v = mix_k @ k, mix_v @ v
    n, root = k.shape[-2], math.sqrt(q.shape[-1])
    reach = q.abs() @ (mix_k.abs() @ k.abs()).transpose(-2, -1) / root
    output, _ = masking.rounding(q, few_k, few_v)
    _, shares = attend(q, few_k, few_v)
    mixed = (n / 2 + 2) * (reach + (shares * reach).sum(-1, keepdim=True)) * shares
    return output + mixed @ few_v.abs() + (n / 2 + 2) * shares @ (mix_v.abs() @ v.abs())


def inputs(make, *lead, t_q=5, t_kv=8, dh=6, dv=4, rank=3):
    """Random q, k, v and two matrices that mix."""
    q, k, v = make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh), make.normal(*lead, t_kv, dv)
    return q, k, v, make.normal(rank, t_kv, scale=0.5), make.normal(rank, t_kv, scale=0.5)


def buckets(make, *shape, count=3):
    """Random buckets 0, 1, ..."""
    return torch.tensor([make.integer(0, count - 1) for _ in range(math.prod(shape))]).reshape(shape)


@points(1.9)
def test_window_and_global_tokens(matches_reference, make):
    """Neighbours in both directions see each other; global tokens see all and are seen by all."""
    for length, window, num_global in ((6, 2, 1), (7, 3, 2), (9, 2, 3), (5, 1, 2), (8, 4, 1)):
        matches_reference.local_global_mask(length, window, num_global)
    matches_reference.local_global_mask(make.integer(12, 20), make.integer(2, 5), make.integer(1, 4))


@points(1)
def test_extremes(matches_reference):
    """Without global tokens only the window is left, with a window of 1 the diagonal; if all are global, all see
    all.
    """
    for length, window, num_global in ((5, 2, 0), (6, 1, 0), (4, 1, 4), (5, 9, 0), (1, 1, 0), (1, 3, 1), (7, 7, 0)):
        matches_reference.local_global_mask(length, window, num_global)


@points(0.5)
def test_both_directions(student, notes_values):
    """If one token sees another, it is seen by it, and with one global token any two tokens are at most two steps
    apart.
    """
    for length, window, num_global in ((6, 2, 1), (9, 3, 2)):
        seen = student.local_global_mask(length, window, num_global)
        expect(torch.equal(seen, seen.T), "a token sees another token that does not see it")
        expect((seen.float() @ seen.float() > 0).all(), "two tokens are more than two steps apart")
        notes_values.local_global_mask(length, window, num_global)


@points(0.3)
def test_refuses_sizes(raises_value_error, notes_values):
    """A length or a window below 1 is refused with ValueError."""
    for length, window, num_global in ((0, 1, 0), (-3, 2, 0), (4, 0, 1), (5, -2, 1)):
        raises_value_error.local_global_mask(length, window, num_global)
    notes_values.local_global_mask(4, 2, 4)


@points(0.2)
def test_refuses_global_tokens(raises_value_error, notes_values):
    """A number of global tokens below 0 or above the length is refused with ValueError."""
    for length, window, num_global in ((4, 2, 5), (4, 2, -1), (6, 3, 9)):
        raises_value_error.local_global_mask(length, window, num_global)
    notes_values.local_global_mask(4, 2, 4)


@points(1.5)
def test_buckets(matches_reference, make):
    """A query sees the keys that lie in its own bucket; there may be more keys than queries, and several texts."""
    matches_reference.bucket_mask(torch.tensor([0, 1, 2, 1]), torch.tensor([1, 0, 1, 5, 2, 0]))
    matches_reference.bucket_mask(buckets(make, 5), buckets(make, 7))
    matches_reference.bucket_mask(buckets(make, 2, 4), buckets(make, 2, 6))
    matches_reference.bucket_mask(buckets(make, 4), buckets(make, 4))
    matches_reference.bucket_mask(buckets(make, 2, 3, 4, count=5), buckets(make, 2, 3, 5, count=5))
    matches_reference.bucket_mask(buckets(make, 1, 1), buckets(make, 1, 4))
    matches_reference.bucket_mask(FAR + buckets(make, 4), FAR + buckets(make, 5))
    matches_reference.bucket_mask(buckets(make, 2, 1, 3, 2, 4), buckets(make, 2, 1, 3, 2, 5))
    matches_reference.bucket_mask(buckets(make, 4) - 1, buckets(make, 6) - 1)
    matches_reference.bucket_mask(buckets(make, 4).int(), buckets(make, 6).int())
    matches_reference.bucket_mask(64 * buckets(make, 4), 64 * buckets(make, 7))
    matches_reference.bucket_mask(1000 * buckets(make, 4), 1000 * buckets(make, 7))


@points(2)
@dtypes("float16", "float32", "float64")  # in bfloat16 honest rounding hides a wrong scale at some seeds
def test_low_rank(matches_reference, make, dtype):
    """Keys and values are mixed before they are compared; softmax runs over the mixed keys, with the root of Dh."""
    matches_reference.low_rank_attention(*inputs(make, t_q=2, t_kv=4, dh=3, dv=2, rank=2))
    matches_reference.low_rank_attention(*inputs(make, t_q=12, t_kv=3, dh=2, dv=64, rank=2))
    matches_reference.low_rank_attention(*inputs(make, 2, dh=16))
    matches_reference.low_rank_attention(*inputs(make, 2, 3, t_q=4, t_kv=9, dh=25, rank=5))
    matches_reference.low_rank_attention(*inputs(make, 2, 1, 3))
    matches_reference.low_rank_attention(*inputs(make, 2, 3, t_q=5, t_kv=5, dh=16))
    matches_reference.low_rank_attention(*inputs(make, t_q=1, t_kv=2, dh=1, dv=3, rank=5))


@points(1)
def test_nothing_mixed(student, notes_values, make):
    """With the identity as both matrices it is full attention; with one mixed key every query gets the one mixed
    value.
    """
    q, k, v, _, _ = inputs(make, 2)
    whole = student.low_rank_attention(q, k, v, *2 * [torch.eye(8, dtype=make.dtype)])
    expect_close(whole, attend(q, k, v)[0], 1e-4, "with the identity it is not full attention")
    _, _, _, one_k, one_v = inputs(make, rank=1)
    alone = student.low_rank_attention(q, k, v, one_k, one_v)
    expect_close(alone, (one_v @ v).expand(alone.shape), 1e-4, "with one mixed key the output is not the mixed value")
    notes_values.low_rank_attention(*inputs(make, 2, t_q=3, t_kv=3, dh=3, dv=3, rank=3))
    notes_values.low_rank_attention(*inputs(make, 1, t_q=1, t_kv=4, dh=2, dv=1, rank=1))


def examples(ask, make):
    ask.low_rank_attention(*inputs(make, t_q=2, t_kv=4))
    ask.low_rank_attention(*inputs(make, 2, 3, t_q=4, t_kv=9, rank=5))
    ask.low_rank_attention(*inputs(make, 2, 1, 3, t_q=1, t_kv=4))


def of_all(ask, make):
    ask.local_global_mask(5, 2, 1, device=CPU)
    ask.local_global_mask(6, 1, 2, CPU)
    ask.local_global_mask(4, 3, 0, CPU)
    ask.local_global_mask(4, 3, 0)
    ask.bucket_mask(buckets(make, 2, 4), buckets(make, 2, 6))
    examples(ask, make)


def of_tensors(ask, make):
    ask.bucket_mask(buckets(make, 2, 4), buckets(make, 2, 6))
    examples(ask, make)
    ask.bucket_mask(buckets(make, 1, 3), buckets(make, 1, 4))


def of_length(ask, make, n):
    ask.local_global_mask(n, 14, 2)
    ask.bucket_mask(buckets(make, n), buckets(make, n + 1))
    ask.low_rank_attention(*inputs(make, 1, t_q=n, t_kv=n + 1))


LAWS = laws.all(
    of_all, of_length, gradient=(0.6, examples), device=0.4, memory_layout=(0.2, of_tensors),
    inputs_unchanged=(0.1, of_tensors), keywords=0.05, every_dtype=(0.1, examples, laws.quiet),
)  # fmt: skip


def masked_by(visible):
    """The mask `visible(i, j, window, num_global)`."""

    def mask(length, window, num_global, device=None):
        if bad(length, window, num_global):
            raise ValueError("sizes")
        position = torch.arange(length, device=device)
        return visible(position[:, None], position, window, num_global).expand(length, length)

    return mask


def unchecked(length, window, num_global, device=None):
    position = torch.arange(length, device=device)
    chosen = position < num_global
    return ((position[:, None] - position).abs() < window) | chosen | chosen[:, None]


def refused_by(condition):
    """The right mask, refused where `condition(length, window, num_global)` holds."""

    def mask(length, window, num_global, device=None):
        if condition(length, window, num_global):
            raise ValueError("sizes")
        return unchecked(length, window, num_global, device)

    return mask


@facts("local_global_mask")
def seen_in_mask(mask, length, window, num_global, device=None):
    yield from masking.cells(mask, unchecked(length, window, num_global))


@facts("bucket_mask")
def seen_in_buckets(mask, query_buckets, key_buckets):
    yield from masking.cells(mask, query_buckets[..., :, None] == key_buckets[..., None, :])


def matching(visible):
    """The mask `visible(query_buckets [..., T_q, 1], key_buckets [..., 1, T_kv])`."""
    return lambda query_buckets, key_buckets: visible(query_buckets[..., :, None], key_buckets[..., None, :])


def right(q, k, v, mix_k, mix_v):
    return attend(q, mix_k @ k, mix_v @ v)[0]


def bad(length, window, num_global):
    """What is refused."""
    return length < 1 or window < 1 or not 0 <= num_global <= length


KNOWN = [
    *misconceptions(
        "local_global_mask",
        one_too_many=masked_by(lambda i, j, w, g: ((i - j).abs() <= w) | (i < g) | (j < g)),
        one_too_few=masked_by(lambda i, j, w, g: ((i - j).abs() < w - 1) | (i == j) | (i < g) | (j < g)),
        window_as_width=masked_by(lambda i, j, w, g: (2 * (i - j).abs() < w) | (i < g) | (j < g)),
        backwards_only=masked_by(lambda i, j, w, g: ((i - j >= 0) & (i - j < w)) | (i < g) | (j < g)),
        distance_with_its_sign=masked_by(lambda i, j, w, g: (i - j < w) | (i < g) | (j < g)),
        causal_too=masked_by(lambda i, j, w, g: (((i - j).abs() < w) | (i < g) | (j < g)) & (j <= i)),
        seen_but_not_seeing=masked_by(lambda i, j, w, g: ((i - j).abs() < w) | (j < g)),
        seeing_but_not_seen=masked_by(lambda i, j, w, g: ((i - j).abs() < w) | (i < g)),
        global_tokens_among_themselves=masked_by(lambda i, j, w, g: ((i - j).abs() < w) | ((i < g) & (j < g))),
        window_only=masked_by(lambda i, j, w, g: (i - j).abs() < w),
        global_in_the_window=masked_by(lambda i, j, w, g: ((i - j).abs() < w) & ((i < g) | (j < g))),
        global_only=masked_by(lambda i, j, w, g: (i < g) | (j < g)),
        one_global_too_many=masked_by(lambda i, j, w, g: ((i - j).abs() < w) | (i <= g) | (j <= g)),
        one_global=masked_by(lambda i, j, w, g: ((i - j).abs() < w) | (i < min(g, 1)) | (j < min(g, 1))),
        first_always_global=masked_by(lambda i, j, w, g: ((i - j).abs() < w) | (i < 1) | (j < 1)),
        half_the_window=masked_by(lambda i, j, w, g: ((i - j).abs() <= w // 2) | (i < g) | (j < g)),
        last_tokens_global=masked_by(
            lambda i, j, w, g: ((i - j).abs() < w) | (len(j) - 1 - i < g) | (len(j) - 1 - j < g)
        ),
        blocks=masked_by(lambda i, j, w, g: (i // w == j // w) | (i < g) | (j < g)),
        inverted=masked_by(lambda i, j, w, g: ((i - j).abs() >= w) & (i >= g) & (j >= g)),
        numbers_instead_of_bool=lambda *sizes, **place: refused_by(bad)(*sizes, **place).float(),
        minus_infinity_instead_of_bool=lambda *sizes, **place: torch.where(
            refused_by(bad)(*sizes, **place), 0.0, -math.inf
        ),
        not_checked=unchecked,
        only_lengths_refused=refused_by(lambda length, window, num_global: length < 1 or window < 1),
        only_global_refused=refused_by(lambda length, window, num_global: not 0 <= num_global <= length),
        no_global_refused=refused_by(lambda length, w, g: length < 1 or w < 1 or not 0 < g <= length),
        all_global_refused=refused_by(lambda length, w, g: length < 1 or w < 1 or not 0 <= g < length),
        long_windows_refused=refused_by(lambda length, w, g: not 1 <= w <= length or not 0 <= g <= length),
        device_ignored=lambda length, window, num_global, device=None: refused_by(bad)(length, window, num_global),
    ),
    *misconceptions(
        "bucket_mask",
        other_buckets=matching(lambda query, key: query != key),
        transposed=lambda query_buckets, key_buckets: query_buckets[..., None, :] == key_buckets[..., :, None],
        buckets_up_to_one_s_own=matching(lambda query, key: query >= key),
        neighbouring_buckets=matching(lambda query, key: (query - key).abs() <= 1),
        causal_in_the_bucket=matching(lambda query, key: (query == key).tril()),
        queries_only=matching(lambda query, key: query == query.mT),
        same_text_in_all=matching(
            lambda query, key: (query.flatten(0, -3)[0] == key.flatten(0, -3)[0] if query.dim() > 2 else query == key)
            .expand(*query.shape[:-1], key.shape[-1])
        ),
        compared_as_floats=matching(lambda query, key: query.float() == key.float()),
        numbers_of_buckets=matching(lambda query, key: (query == key).float()),
        one_text_only=lambda query_buckets, key_buckets: query_buckets.unsqueeze(1) == key_buckets.unsqueeze(0),
    ),
    *misconceptions(
        "low_rank_attention",
        no_scale=lambda q, k, v, mix_k, mix_v: attend(q, mix_k @ k, mix_v @ v, scale=1.0)[0],
        no_softmax=lambda q, k, v, mix_k, mix_v: q @ (mix_k @ k).mT / math.sqrt(q.shape[-1]) @ (mix_v @ v),
        scale_of_the_rank=lambda q, k, v, mix_k, mix_v: attend(
            q, mix_k @ k, mix_v @ v, scale=1 / math.sqrt(len(mix_k))
        )[0],
        scale_integer_root=lambda q, k, v, mix_k, mix_v: attend(
            q, mix_k @ k, mix_v @ v, scale=integer_root
        )[0],
        scale_d=lambda q, k, v, mix_k, mix_v: attend(q, mix_k @ k, mix_v @ v, scale=1 / q.shape[-1])[0],
        one_matrix_for_both=lambda q, k, v, mix_k, mix_v: attend(q, mix_k @ k, mix_k @ v)[0],
        matrices_exchanged=lambda q, k, v, mix_k, mix_v: attend(q, mix_v @ k, mix_k @ v)[0],
        scores_mixed_afterwards=lambda q, k, v, mix_k, mix_v: (attend(q, k, k)[1] @ mix_k.mT) @ (mix_v @ v),
        full_attention=lambda q, k, v, mix_k, mix_v: attend(q, k, v)[0],
        mixing_normalised=lambda q, k, v, mix_k, mix_v: attend(q, mix_k.softmax(-1) @ k, mix_v.softmax(-1) @ v)[0],
        softmax_over_queries=lambda q, k, v, mix_k, mix_v: attend(q, mix_k @ k, mix_v @ v, dim=-2)[0],
        causal_added=lambda q, k, v, mix_k, mix_v: attend(
            q, mix_k @ k, mix_v @ v, torch.ones(q.shape[-2], len(mix_k), dtype=torch.bool, device=q.device).tril()
        )[0],
        with_weights=lambda q, k, v, mix_k, mix_v: attend(q, mix_k @ k, mix_v @ v),
        forces_float32=lambda q, k, v, mix_k, mix_v: right(*(t.float() for t in (q, k, v, mix_k, mix_v))),
        mixing_detached=lambda q, k, v, mix_k, mix_v: right(q, k, v, mix_k.detach(), mix_v.detach()),
        no_gradient=lambda q, k, v, mix_k, mix_v: right(q, k, v, mix_k, mix_v).detach(),
        mixed_by_means=lambda q, k, v, mix_k, mix_v: right(
            q, k, v, *(m / m.sum(-1, keepdim=True) for m in (mix_k, mix_v))
        ),
    ),
]  # fmt: skip
