"""Hidden suite for sliding-window attention.

A mistake in the mask may be made alone or, by using it, in attention as well: each is in the bank in both forms. What
can go wrong inside attention itself is in the suite of attention; the usual ones are repeated here.
"""

import functools
import math

import torch
from hidden.lib import masking
from hidden.lib.attention import attend, integer_root

from grader.suites import Text, error_bound, expect, expect_close, facts, laws, misconceptions, points

CPU = torch.device("cpu")  # the device under test, once the call has arrived there


def distances(q_len, kv_len, device=None):
    """How far each key lies before each query [q_len, kv_len], negative where it comes later."""
    query = torch.arange(kv_len - q_len, kv_len, device=device).unsqueeze(1)
    return query - torch.arange(kv_len, device=device)


@error_bound("sliding_window_attention")
def attention_bound(q, k, v, window):
    # As for plain attention under this mask; a hidden key may keep a weight of 1e-6.
    return masking.rounding(q, k, v, band(q.shape[-2], window, k.shape[-2], q.device), leak=1e-6)[0]


def inputs(make, *lead, t_q=5, t_kv=8, dh=6, dv=4):
    """Random q, k, v with these leading dimensions."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh), make.normal(*lead, t_kv, dv)


@points(2)
def test_square(matches_reference, make):
    """Every query sees its own position and the window - 1 positions before it, and nothing later."""
    for q_len, window in ((3, 2), (6, 3), (7, 5), (4, 4), (2, 1), (make.integer(10, 20), make.integer(3, 8))):
        matches_reference.sliding_window_mask(q_len, window)
    matches_reference.sliding_window_mask(150, 140)


@points(1.5)
def test_more_keys(matches_reference, make):
    """With more keys than queries the queries are the last positions."""
    for q_len, window, kv_len in ((2, 3, 5), (3, 2, 8), (4, 6, 7), (5, 3, 5), (1, 2, 3), (1, 4, 9)):
        matches_reference.sliding_window_mask(q_len, window, kv_len)
    matches_reference.sliding_window_mask(make.integer(2, 6), make.integer(2, 7), make.integer(7, 15))


@points(0.5)
def test_counts(student, notes_values):
    """Row by row, as many keys are visible as there are positions up to the query, at most `window` of them."""
    for q_len, window, kv_len in ((6, 3, 6), (5, 2, 5), (3, 4, 10), (1, 3, 8)):
        seen = student.sliding_window_mask(q_len, window, kv_len).sum(-1).tolist()
        due = [min(i + 1 + kv_len - q_len, window) for i in range(q_len)]
        said = "{q_len} queries, {kv_len} keys, window {window}: {seen} keys are visible, row by row; expected {due}"
        expect(seen == due, said, q_len=q_len, kv_len=kv_len, window=window, seen=seen, due=due)
        notes_values.sliding_window_mask(q_len, window, kv_len)


@points(0.8)
def test_extreme_windows(matches_reference):
    """A window of 1 leaves each query only itself; one as long as the text, or longer, is the causal mask."""
    for q_len, kv_len in ((4, 4), (3, 7), (1, 1)):
        for window in (1, kv_len, kv_len + 1, 10 * kv_len):
            matches_reference.sliding_window_mask(q_len, window, kv_len)


@points(0.5)
def test_one_after_another(student, notes_values):
    """One query after another gives the same rows as all queries at once."""
    for length, window in ((5, 2), (8, 3)):
        whole = student.sliding_window_mask(length, window)
        for position in range(length):
            row = student.sliding_window_mask(1, window, position + 1)
            said = "the query at position {position} sees other keys alone than among all {length}"
            expect(row[0] == whole[position, : position + 1], said, position=position, length=length)
        notes_values.sliding_window_mask(length, window)


@points(0.3)
def test_refuses_windows(raises_value_error, notes_values):
    """A window below 1 is refused with ValueError."""
    for window in (0, -1, -5):
        raises_value_error.sliding_window_mask(4, window)
        raises_value_error.sliding_window_mask(2, window, 6)
    notes_values.sliding_window_mask(4, 1)


@points(0.3)
def test_refuses_lengths(raises_value_error, notes_values):
    """A length below 1, and fewer keys than queries, are refused with ValueError."""
    for q_len, kv_len in ((0, 3), (-2, 4), (0, None), (3, 2), (5, 1), (3, 0), (1, 0)):
        raises_value_error.sliding_window_mask(q_len, 2, kv_len)
    notes_values.sliding_window_mask(3, 2, 3)


@points(2)
def test_attention(matches_reference, make, dtype):
    """Attention uses the window: softmax runs over the visible keys only."""
    matches_reference.sliding_window_attention(*inputs(make, t_q=3, t_kv=3, dh=2, dv=4), 2)
    matches_reference.sliding_window_attention(*inputs(make, 4, 5, t_q=7, t_kv=7, dh=3, dv=64), 4)
    matches_reference.sliding_window_attention(*inputs(make, 2, 3, t_q=4, t_kv=9), 5)
    matches_reference.sliding_window_attention(*inputs(make, 2, 1, 3), 3)
    far = [[8.0]] * 2, [[0.375], [0.0]], [[0.0], [1.0]]  # scores of 3 and 0: bfloat16 too tells 3 from 3.6
    matches_reference.sliding_window_attention(*map(make.tensor, far), 2)


@points(0.5)
def test_windows_of_attention(student, notes_values, make):
    """With a window of 1 the output is each query's own value; with a long one it is causal attention."""
    for t_q, t_kv in ((5, 5), (2, 7), (1, 4)):
        q, k, v = inputs(make, 2, t_q=t_q, t_kv=t_kv)
        own = student.sliding_window_attention(q, k, v, 1)
        expect_close(own, v[:, t_kv - t_q :], 1e-5, "with a window of 1 the output is not the query's own value")
        notes_values.sliding_window_attention(q, k, v, t_kv + 3)
        notes_values.sliding_window_attention(q, k, v, 2)
    notes_values.sliding_window_attention(*inputs(make, 3, 3, t_q=3, t_kv=3, dh=3, dv=3), 2)


@points(0.8)
def test_outside_the_window(student, make, dtype):
    """Keys outside a query's window do not change its output, not even with a score far above all others."""
    near, high, low = [0.0] * 6, [masking.SIDE] * 6, [-masking.SIDE] * 6
    q, v = make.tensor([[40.0] * 6] * 4), make.normal(4, 3)  # scores of 0 and +-4,899
    said = "the key that outweighs the others in the window does not get all the weight"
    for keys, seen in (
        ([high, low, near, low], [0, 0, 2, 2]), ([low, near, low, high], [0, 1, 1, 3]),
        ([near, low, high, low], [0, 0, 2, 2]),
    ):  # fmt: skip
        k = make.tensor(keys)
        expect_close(student.sliding_window_attention(q, k, v, 2), v[seen], 1e-5, said)
        expect_close(student.sliding_window_attention(q, k, v, 1), v, 1e-5, said)
    q, k = make.tensor([[300.0]] * 4), make.tensor([[0.0], [-150.0]] * 2)  # scores of -45,000 beside those of 0
    expect_close(student.sliding_window_attention(q, k, v, 1), v, 1e-5, said)


def examples(ask, make):
    ask.sliding_window_attention(*inputs(make, t_q=3, t_kv=3), 2)
    ask.sliding_window_attention(*inputs(make, 2), 3)
    ask.sliding_window_attention(*inputs(make, 2, 3, t_q=4, t_kv=4), 2)
    ask.sliding_window_attention(*inputs(make, 2, 1, 3, t_q=1, t_kv=4), 2)


def trained(ask, make):
    examples(ask, make)
    ask.sliding_window_attention(*inputs(make, t_q=2, t_kv=3), 5)


def of_both(ask, make):
    ask.sliding_window_mask(4, 2, device=CPU)
    ask.sliding_window_mask(3, 2, 5, CPU)
    ask.sliding_window_mask(3, 3, 5)
    examples(ask, make)
    ask.sliding_window_attention(*inputs(make, 2), 2)


def of_length(ask, make, n):
    ask.sliding_window_mask(n, 14)
    ask.sliding_window_attention(*inputs(make, 1, t_q=3, t_kv=n), 14)
    ask.sliding_window_attention(*inputs(make, t_q=n, t_kv=n + 1), 14)


LAWS = laws.all(
    examples, of_length, gradient=(0.6, trained), device=(0.6, of_both), memory_layout=0.25, inputs_unchanged=0.15,
    remembers_nothing=(0.1, of_both), keywords=(0.05, of_both),
)  # fmt: skip


@facts("sliding_window_mask")
def seen_in_mask(mask, q_len, window, kv_len=None, device=None):
    due = band(q_len, window, kv_len)
    yield from masking.cells(mask, due)
    yield Text("the queries see {mask} keys; expected {due}").format(
        mask=mask.sum(-1).tolist(), due=due.sum(-1).tolist()
    )


@facts("sliding_window_attention")
def seen(output, q, k, v, window):
    t_q, t_kv = q.shape[-2], k.shape[-2]
    off = (output - attend(q, k, v, band(t_q, window, t_kv))[0]).abs()
    rows = off.amax(-1).reshape(-1, t_q).amax(0) > 1e-3
    if bool(rows.any()):
        queries = rows.nonzero().flatten().tolist()
        yield Text("the outputs of queries {queries} of {t_q} are wrong").format(queries=queries, t_q=t_q)
    if torch.allclose(output, attend(q, k, v, band(t_q, t_kv, t_kv))[0], atol=1e-3):
        yield Text("they are those of causal attention without a window")
    if torch.allclose(output, attend(q, k, v)[0], atol=1e-3):
        yield Text("they are those of attention without any mask")


def masked_by(visible, refuses=True):
    """The mask `visible(distance, window, q_len, kv_len)`."""

    def mask(q_len, window, kv_len=None, device=None):
        kv_len = q_len if kv_len is None else kv_len
        if refuses and (window < 1 or q_len < 1 or kv_len < q_len):
            raise ValueError("window or lengths")
        return visible(distances(q_len, kv_len, device), window, q_len, kv_len)

    return mask


band = masked_by(lambda d, w, q_len, kv_len: (d >= 0) & (d < w))


def under(mask_of, **places):
    """Attention under the mask `mask_of(q_len, window, kv_len, device)`; `places`: see `attend`."""
    return lambda q, k, v, window: attend(q, k, v, mask_of(q.shape[-2], window, k.shape[-2], q.device), **places)[0]


def keys(d, kv_len):
    return torch.arange(kv_len, device=d.device)


def begin_of_slice(d, w, kv_len):
    """Where the slice [end - w : end] begins; below 0 it counts from the back."""
    begin = d + keys(d, kv_len) + 1 - w
    return torch.where(begin < 0, (begin + kv_len).clamp(min=0), begin)


RULES = {
    "one_too_many": lambda d, w, q_len, kv_len: (d >= 0) & (d <= w),
    "one_too_few": lambda d, w, q_len, kv_len: (d >= 0) & ((d < w - 1) | (d == 0)),
    "none_for_one": lambda d, w, q_len, kv_len: (d >= 0) & (d < w - 1),
    "both_sides": lambda d, w, q_len, kv_len: d.abs() < w,
    "future_visible": lambda d, w, q_len, kv_len: d < w,
    "causal_only": lambda d, w, q_len, kv_len: d >= 0,
    "first_keys": lambda d, w, q_len, kv_len: (d >= 0) & (keys(d, kv_len) < w),
    "last_keys": lambda d, w, q_len, kv_len: keys(d, kv_len).expand(d.shape) >= kv_len - w,
    "blocks": lambda d, w, q_len, kv_len: (d >= 0) & ((d + keys(d, kv_len)) // w == keys(d, kv_len) // w),
    "strided": lambda d, w, q_len, kv_len: (d >= 0) & (d % w == 0),
    "looks_ahead": lambda d, w, q_len, kv_len: (d <= 0) & (d > -w),
    "itself_hidden": lambda d, w, q_len, kv_len: (d > 0) & (d <= w),
    "top_left": lambda d, w, q_len, kv_len: (d - kv_len + q_len >= 0) & (d - kv_len + q_len < w),
    "not_itself": lambda d, w, q_len, kv_len: (d > 0) & (d < w),
    "begin_too_early": lambda d, w, q_len, kv_len: (d >= 0) & (d - kv_len + q_len < w),
    "begin_below_zero": lambda d, w, q_len, kv_len: (d >= 0) & (keys(d, kv_len) >= begin_of_slice(d, w, kv_len)),
    "inverted": lambda d, w, q_len, kv_len: (d < 0) | (d >= w),
}


def only_window_refused(q_len, window, kv_len=None, device=None):
    if window < 1:
        raise ValueError("window")
    return unchecked(q_len, window, kv_len, device)


def long_windows_refused(q_len, window, kv_len=None, device=None):
    if window > (q_len if kv_len is None else kv_len):
        raise ValueError("window")
    return band(q_len, window, kv_len, device)


def hidden_afterwards(q, k, v, window, divided=False):
    weights = attend(q, k, v)[1] * band(q.shape[-2], window, k.shape[-2], q.device)
    return weights / weights.sum(-1, keepdim=True) @ v if divided else weights @ v


def added(number):
    """Attention with this number added to hidden scores."""

    def wrong(q, k, v, window):
        bias = (~band(q.shape[-2], window, k.shape[-2], q.device)).to(q.dtype) * number
        return (q @ k.mT / math.sqrt(q.shape[-1]) + bias).softmax(-1) @ v

    return wrong


def added_as_it_is(q, k, v, window):
    """Minus infinity times the bool mask, which is float32 whatever the dtype of q."""
    bias = ~band(q.shape[-2], window, k.shape[-2], q.device) * -math.inf
    return (q @ k.mT / math.sqrt(q.shape[-1]) + bias).softmax(-1) @ v


def scales_in_place(q, k, v, window):
    q *= 1 / math.sqrt(q.shape[-1])
    return under(band, scale=1.0)(q, k, v, window)


unchecked = masked_by(lambda d, w, q_len, kv_len: (d >= 0) & (d < w), refuses=False)
right = under(band)
MASK, ATTENTION = "sliding_window_mask", "sliding_window_attention"
KNOWN = [
    *misconceptions(MASK, ATTENTION, **{n: (masked_by(rule), under(masked_by(rule))) for n, rule in RULES.items()}),
    *misconceptions(MASK, **{f"{n}_and_in_the_mask": masked_by(rule) for n, rule in RULES.items()}),
    *misconceptions(ATTENTION, **{f"{n}_and_in_attention": under(masked_by(rule)) for n, rule in RULES.items()}),
    *misconceptions(
        MASK,
        window_not_checked=unchecked,
        only_window_refused=only_window_refused,
        no_keys_taken_for_none=lambda q_len, window, kv_len=None, device=None: band(
            q_len, window, kv_len or None, device
        ),
        kv_len_ignored=lambda q_len, window, kv_len=None, device=None: (
            band(q_len, window, kv_len),
            band(q_len, window, None, device),
        )[1],
        transposed=lambda q_len, window, kv_len=None, device=None: band(q_len, window, kv_len, device).T,
        numbers_instead_of_bool=lambda q_len, window, kv_len=None, device=None: band(
            q_len, window, kv_len, device
        ).float(),
        minus_infinity_instead_of_bool=lambda q_len, window, kv_len=None, device=None: (
            torch.zeros(1).to(device or CPU).masked_fill(~band(q_len, window, kv_len, device), -math.inf)
        ),
        device_ignored=lambda q_len, window, kv_len=None, device=None: band(q_len, window, kv_len),
    ),
    *misconceptions(MASK, ATTENTION, long_windows_refused=(long_windows_refused, under(long_windows_refused))),
    *misconceptions(
        ATTENTION,
        no_mask_in_attention=lambda q, k, v, window: attend(q, k, v)[0],
        mask_of_queries_only=under(lambda t_q, window, t_kv, device: band(t_q, window, None, device)),
        hidden_after_softmax=hidden_afterwards,
        hidden_after_softmax_renormalised=functools.partial(hidden_afterwards, divided=True),
        hidden_scores_zero=under(band, fill=0.0),
        fill_1e9=under(band, fill=-1e9),
        fill_too_high=under(band, fill=-100.0),
        added_too_little=added(-1000.0),
        infinity_times_zero=added(-math.inf),
        infinity_times_false=added_as_it_is,
        no_scale=under(band, scale=1.0),
        scale_integer_root=under(band, scale=integer_root),
        scale_mul_sqrt=under(band, scale=lambda q, k, v: math.sqrt(q.shape[-1])),
        scale_sqrt_dv=under(band, scale=lambda q, k, v: v.shape[-1] ** -0.5),
        scale_of_the_window=lambda q, k, v, window: under(band, scale=window**-0.5)(q, k, v, window),
        softmax_over_queries=under(band, dim=-2),
        k_transposed_1_2=lambda q, k, v, window: right(q, k.transpose(1, 2).mT, v, window),
        with_weights=lambda q, k, v, window: attend(q, k, v, band(q.shape[-2], window, k.shape[-2], q.device)),
        forces_float32=lambda q, k, v, window: right(q.float(), k.float(), v.float(), window),
        mask_on_cpu=under(lambda t_q, window, t_kv, device: band(t_q, window, t_kv)),
        scales_in_place=scales_in_place,
        keys_detached=lambda q, k, v, window: right(q, k.detach(), v, window),
        weights_detached=lambda q, k, v, window: right(q.detach(), k.detach(), v, window),
        no_gradient=lambda q, k, v, window: right(q.detach(), k.detach(), v.detach(), window),
    ),
]
