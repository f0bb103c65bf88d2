"""Hidden suite for grouped-query attention.

Not in the bank, because right: `repeat_interleave`, a copy or the tensor itself for n_rep = 1, attention group by group
without repeating anything.
"""

import torch
from hidden.lib import heads, masking
from hidden.lib.attention import attend, repeat, span

from grader.suites import Text, dtypes, error_bound, exact, expect, expect_close, facts, laws, misconceptions, points

EXACT = exact("repeat_kv")


@error_bound("grouped_query_attention")
def attention_bound(q, k, v, mask=None):
    k, v = (repeat(t, q.shape[1] // k.shape[1]) for t in (k, v))
    return masking.rounding(q, k, v, mask, leak=1e-6)


def inputs(make, b=2, h=6, h_kv=3, t_q=5, t_kv=7, dh=8, dv=4):
    """Random q, k, v."""
    return make.normal(b, h, t_q, dh), make.normal(b, h_kv, t_kv, dh), make.normal(b, h_kv, t_kv, dv)


@points(2)
def test_repeat_order(matches_reference, make, dtype):
    """repeat_kv writes each head n_rep times in a row: h0 h0 h1 h1, not h0 h1 h0 h1."""
    for shape, n_rep in (
        ((2, 3, 2, 4), 2),
        ((2, 2, 3, 5), 4),
        ((3, 4, 2, 6), 5),
        ((2, 3, 4, 5), 3),
        ((1, 2, 1, 3), 3),
        ((1, 2, 1, 1), 2),
    ):
        matches_reference.repeat_kv(make.distinct(*shape), n_rep)
    matches_reference.repeat_kv(make.normal(2, 3, 5, 4), 2)


@points(0.5)
def test_repeat_special_sizes(matches_reference, make):
    """Repeating once gives the same heads, and a single head can be repeated; equal sizes work too."""
    for shape, n_rep in (((1,) * 4, 1), ((1,) * 4, 3), ((2, 3, 5, 4), 1), ((2, 1, 5, 4), 40), ((3,) * 4, 3)):
        matches_reference.repeat_kv(make.distinct(*shape), n_rep)


@points(2)
def test_definition(matches_reference, make, dtype):
    """Each query head attends with the key and value head of its group, and the weights are returned beside the
    output.
    """
    matches_reference.grouped_query_attention(*inputs(make, h=4, h_kv=2, t_q=3, t_kv=5, dh=2, dv=6))
    matches_reference.grouped_query_attention(*inputs(make, h=6, h_kv=2, dh=3, dv=5))
    matches_reference.grouped_query_attention(*inputs(make, b=3, h=8, h_kv=2, dh=6, dv=9))


@points(1)
def test_groups(student, notes_values, make):
    """Query heads 0 to H / H_kv - 1 use key and value head 0, the next H / H_kv use head 1, and so on."""
    for h, h_kv in ((4, 2), (6, 2), (6, 3)):
        q, k, v = inputs(make, b=1, h=h, h_kv=h_kv)
        before, _ = student.grouped_query_attention(q, k, v)
        for head in range(h_kv):
            changed = torch.arange(h_kv)[:, None, None] == head
            after, _ = student.grouped_query_attention(q, k, torch.where(changed, v + 1.0, v))
            moved = (after - before).mean((0, 2, 3)).double()  # by head: 1 where it listens, else 0
            due = (torch.arange(h) // (h // h_kv) == head).double()
            found = [i for i, m in enumerate(moved.tolist()) if abs(m) > 0.5]
            want = [i for i, m in enumerate(due.tolist()) if m]
            said = "of {h} query heads, {found} use key and value head {head} of {h_kv}; expected {want}"
            expect_close(moved, due, 1e-3, said, h=h, found=found, head=head, h_kv=h_kv, want=want)
        notes_values.grouped_query_attention(q, k, v)


@points(0.5)
def test_extremes(matches_reference, make):
    """With H_kv = H this is multi-head attention, with H_kv = 1 all query heads share one head; sizes of 1 work too."""
    matches_reference.grouped_query_attention(*inputs(make, h=3, h_kv=3))
    matches_reference.grouped_query_attention(*inputs(make, h=3, h_kv=1, t_q=1))
    matches_reference.grouped_query_attention(*inputs(make, b=4, h=4, h_kv=2, t_q=4, t_kv=4, dh=4, dv=4))
    for mask in (None, make.mask(3, 3), make.mask(3, 1, 3, 3), make.mask(6, 3, 3), make.mask(1, 6, 1, 3)):
        matches_reference.grouped_query_attention(*inputs(make, b=3, h=6, h_kv=3, t_q=3, t_kv=3, dh=3, dv=3), mask=mask)
    for mask in masking.alike(make, 2):
        matches_reference.grouped_query_attention(*inputs(make, b=2, h=2, h_kv=1, t_q=2, t_kv=2, dh=2, dv=2), mask=mask)
    for sizes in ({"t_q": 1, "dv": 1}, {"t_kv": 1}, {"dh": 1}, {"t_q": 1, "t_kv": 1, "dh": 1, "dv": 1}):
        matches_reference.grouped_query_attention(*inputs(make, b=1, h=1, h_kv=1, **sizes))


@points(0.6)
def test_mask(matches_reference, make, dtype):
    """A key is seen where the mask is True and gets no weight where it is False, however the mask broadcasts."""
    for shape in ((5, 7), (6, 5, 7), (2, 6, 5, 7), (2, 1, 5, 7), (2, 1, 1, 7), (1, 6, 1, 7), (1, 5, 7), (1, 7)):
        mask = make.mask(*shape)
        _, weights = matches_reference.grouped_query_attention(*inputs(make, dh=16), mask=mask)
        expect(weights[~mask.expand(weights.shape)] < 1e-6, "a hidden key has a weight of 1e-6 or more")
    for sizes in ({"t_q": 1}, {"h_kv": 1}, {"h_kv": 6, "t_kv": 3}):
        q, k, v = inputs(make, **sizes)
        matches_reference.grouped_query_attention(q, k, v, mask=make.mask(2, 1, q.shape[2], k.shape[2]))


@points(0.4)
@dtypes("float16", "float32")
def test_hidden_score_dwarfs_the_rest(student, matches_reference, make, dtype):
    """A hidden key gets no weight even if its score is far above all visible ones."""
    for q, k, v, mask, seen in masking.far_from_zero(make):
        heads = [t.expand(2, h, *t.shape) for t, h in ((q, 4), (k, 2), (v, 2))]
        _, weights = student.grouped_query_attention(*heads, mask=mask)
        due = torch.nn.functional.one_hot(torch.tensor(seen), 3).expand(2, 4, 2, 3)
        said = "a visible key with by far the highest score among the visible ones does not get all the weight"
        expect_close(weights.cpu(), due, 1e-3, said)
        matches_reference.grouped_query_attention(*heads, mask=mask)


@points(0.3)
def test_heads_that_do_not_divide(raises_value_error, make):
    """Query heads that cannot be shared out evenly among key and value heads are refused with ValueError."""
    for h, h_kv in ((3, 2), (4, 3), (7, 2)):
        raises_value_error.grouped_query_attention(*inputs(make, b=1, h=h, h_kv=h_kv))


@points(0.3)
def test_too_few_query_heads(raises_value_error, make):
    """Fewer query heads than key and value heads are refused with ValueError."""
    for h, h_kv in ((1, 2), (2, 4), (2, 3)):
        raises_value_error.grouped_query_attention(*inputs(make, b=1, h=h, h_kv=h_kv))


def examples(ask, make, attention=lambda ask: ask):
    ask.repeat_kv(make.distinct(2, 3, 5, 4), 2)
    ask.repeat_kv(make.distinct(2, 3, 5, 4), 4)
    attention(ask).grouped_query_attention(*inputs(make, h=4, h_kv=2, t_q=2, t_kv=3))
    attention(ask).grouped_query_attention(*inputs(make), mask=make.mask(2, 1, 5, 7))
    attention(ask).grouped_query_attention(*inputs(make), mask=make.mask(5, 7))
    attention(ask).grouped_query_attention(*inputs(make))
    ask.repeat_kv(make.distinct(1, 1, 3, 2), 3)
    ask.repeat_kv(make.distinct(2, 3, 4, 4), 2)


def of_length(ask, make, n):
    ask.repeat_kv(make.normal(1, 2, n, 2), 2)
    ask.grouped_query_attention(*inputs(make, 1, 4, 2, 3, n, 2, 2), mask=make.mask(3, n))
    ask.grouped_query_attention(*inputs(make, 1, 4, 2, n, 3, 2, 2))


# only the output need pass a gradient
LAWS = laws.all(
    examples, gradient=(1, lambda ask, make: examples(ask, make, lambda ask: ask.of(0))), memory_layout=0.4,
    inputs_unchanged=0.3, device=0.4, remembers_nothing=0.15, lengths=(0.05, of_length, 17, 65, 129),
)  # fmt: skip


def tile(x, n_rep):
    return x.repeat(1, n_rep, 1, 1)


def grouped(attention=attend, repeated=repeat, repeated_v=None):
    """Grouped-query attention out of an attention and a way to repeat."""

    def grouped_query_attention(q, k, v, mask=None):
        if q.shape[1] % k.shape[1]:
            raise ValueError("query heads are not a multiple of key and value heads")
        n_rep = q.shape[1] // k.shape[1]
        return attention(q, repeated(k, n_rep), (repeated_v or repeated)(v, n_rep), mask)

    return grouped_query_attention


@facts("repeat_kv")
def seen_in_repeat(y, x, n_rep):
    origins = [next((h for h in range(x.shape[1]) if torch.equal(y[:, i], x[:, h])), None) for i in range(y.shape[1])]
    due = [h for h in range(x.shape[1]) for _ in range(n_rep)]
    came, wanted = (", ".join("?" if h is None else f"h{h}" for h in heads) for heads in (origins, due))
    yield Text("the heads of the result are {came}; expected {wanted}").format(came=came, wanted=wanted)


@facts("grouped_query_attention")
def seen_in_attention(result, q, k, v, mask=None):
    output, weights = result
    rows = weights.sum(-1)
    if not bool(((rows - 1).abs() < 2e-2).all()):
        yield Text("the weights of a query sum to {sum}, not to 1").format(sum=span(rows))
    due = [h * v.shape[1] // q.shape[1] for h in range(q.shape[1])]

    def fits(i, h):
        return torch.allclose(output[:, i], weights[:, i] @ v[:, h], atol=3e-2)

    uses = [next((h for h in (due[i], *range(v.shape[1])) if fits(i, h)), None) for i in range(q.shape[1])]
    if mask is not None and bool((weights.masked_select(~mask.expand(weights.shape)) > 1e-6).any()):
        yield Text("hidden keys have weight")
    if uses != due:
        used, wanted = (str(heads).replace("None", "?") for heads in (uses, due))
        yield Text("the query heads take their values from heads {used}; expected {wanted}").format(
            used=used, wanted=wanted
        )


def padded(x, n_rep):
    rest = torch.zeros_like(x[:, :, None]).expand(-1, -1, n_rep - 1, -1, -1)
    return torch.cat([x[:, :, None], rest], 2).flatten(1, 2)


def viewed(x, n_rep):
    B, H_kv, T, Dh = x.shape
    return x[:, :, None].expand(B, H_kv, n_rep, T, Dh).view(B, H_kv * n_rep, T, Dh)


def everywhere(chosen):
    """`chosen(x)`, [B, 1, T, Dh], in the place of every head."""
    return lambda x, n_rep: chosen(x).expand(-1, x.shape[1] * n_rep, -1, -1)


def queries_pooled(q, k, v, mask=None):
    n_rep = q.shape[1] // k.shape[1]
    pooled = repeat(q.unflatten(1, (-1, n_rep)).mean(2), n_rep) if q.shape[1] % k.shape[1] == 0 else q
    return grouped()(pooled, k, v, mask)


def no_value_error(q, k, v, mask=None):
    n_rep = max(-(-q.shape[1] // k.shape[1]), 1)
    return attend(q, repeat(k, n_rep)[:, : q.shape[1]], repeat(v, n_rep)[:, : q.shape[1]], mask)


def assertion(q, k, v, mask=None):
    assert q.shape[1] % k.shape[1] == 0
    return grouped()(q, k, v, mask)


def only_fewer_refused(q, k, v, mask=None):
    return (grouped() if q.shape[1] < k.shape[1] else no_value_error)(q, k, v, mask)


def added_too_little(q, k, v, mask=None):
    return heads.added_to_scores(lambda mask: (~mask).to(q.dtype) * -1e4)(q, k, v, mask)


def scales_in_place(q, k, v, mask=None):
    q *= q.shape[-1] ** -0.5
    return grouped(heads.scaled(1.0))(q, k, v, mask)


def matrices_only(q, k, v, mask=None):
    return grouped(lambda q, k, v, mask: torch.mm(q, k))(q, k, v, mask)


def one_head_at_a_time(q, k, v, mask=None):
    """The mask meets the scores of one head [B, T_q, T_kv]."""
    found = [attend(q[:, h], k[:, h], v[:, h], mask) for h in range(q.shape[1])]
    return tuple(torch.stack(part, 1) for part in zip(*found, strict=True))


def mask_of_first_head(q, k, v, mask=None):
    """In a mask of three dimensions too, where the heads come first."""
    cut = mask if mask is None or mask.dim() < 3 else mask[..., :1, :, :]
    return grouped()(q, k, v, cut)


def changed(change):
    """The two results, changed."""
    return lambda q, k, v, mask=None: change(grouped()(q, k, v, mask))


REPEATS = {
    "tile_repeat": tile,
    "wrong_axis_time": lambda x, n_rep: x.repeat_interleave(n_rep, 2),
    "wrong_axis_last": lambda x, n_rep: x.repeat_interleave(n_rep, -1),
    "wrong_axis_batch": lambda x, n_rep: x.repeat_interleave(n_rep, 0),
    "not_merged": lambda x, n_rep: x[:, :, None].expand(-1, -1, n_rep, -1, -1),
    "heads_and_time_mixed": lambda x, n_rep: x.repeat_interleave(n_rep, 2).reshape(x.shape[0], -1, *x.shape[2:]),
    "entries_repeated": lambda x, n_rep: x.repeat_interleave(n_rep).reshape(x.shape[0], -1, *x.shape[2:]),
    "examples_mixed": lambda x, n_rep: x.repeat(n_rep, 1, 1, 1).reshape(x.shape[0], -1, *x.shape[2:]),
    "zero_pad": padded,
    "scaled_by_n": lambda x, n_rep: repeat(x, n_rep) / n_rep,
    "one_too_few": lambda x, n_rep: repeat(x, max(n_rep - 1, 1)),
    "one_too_many": lambda x, n_rep: repeat(x, n_rep + 1),
    "not_repeated": lambda x, n_rep: x,
    "repeated_twice": lambda x, n_rep: repeat(x, 2),
    "repeated_four_times": lambda x, n_rep: repeat(x, 4),
    "reversed_groups": lambda x, n_rep: repeat(x.flip(1), n_rep),
    "view_after_expand": viewed,
    "detached": lambda x, n_rep: repeat(x.detach(), n_rep),
}
OF_BOTH = misconceptions(
    "repeat_kv", "grouped_query_attention", **{name: (r, grouped(repeated=r)) for name, r in REPEATS.items()}
)


def remainder_the_other_way(q, k, v, mask=None):
    if k.shape[1] % q.shape[1]:
        raise ValueError("heads")
    return no_value_error(q, k, v, mask)


KNOWN = misconceptions(
    "grouped_query_attention",
    **{name: grouped(attention) for name, attention in heads.ATTENTIONS.items()},
    scale_sqrt_dv=grouped(heads.scaled(lambda q, k, v: v.shape[-1] ** -0.5)),
    mask_after_softmax_renorm=grouped(heads.weighed(heads.renormalised)),
    added_too_little=grouped(added_too_little),
    global_maximum=grouped(heads.global_maximum),
    first_head_in_any_mask=mask_of_first_head,
    mask_of_one_head=grouped(one_head_at_a_time),
    mask_with_another_axis=grouped(heads.masked(lambda mask: mask.unsqueeze(1) if mask.dim() == 3 else mask)),
    every_mask_with_another_axis=grouped(heads.masked(lambda mask: mask.unsqueeze(1))),
    weights_averaged=changed(lambda both: (both[0], both[1].mean(1))),
    remainder_the_other_way=remainder_the_other_way,
    modulo_groups=grouped(repeated=tile),
    values_tiled=grouped(repeated_v=tile),
    values_not_repeated=grouped(repeated_v=lambda x, n_rep: x),
    first_head_only=grouped(repeated=everywhere(lambda x: x[:, :1])),
    heads_averaged=grouped(repeated=everywhere(lambda x: x.mean(1, keepdim=True))),
    repeated_h_kv_times=grouped(repeated=lambda x, n_rep: repeat(x, x.shape[1])),
    queries_pooled=queries_pooled,
    no_value_error=no_value_error,
    only_fewer_refused=only_fewer_refused,
    assertion=assertion,
    matrices_only=matrices_only,
    scales_in_place=scales_in_place,
    swap_return=changed(lambda both: both[::-1]),
    only_output=changed(lambda both: both[0]),
    squeezed=changed(lambda both: [t.squeeze() for t in both]),
    forces_float32=lambda q, k, v, mask=None: grouped()(q.float(), k.float(), v.float(), mask),
    keys_and_values_detached=lambda q, k, v, mask=None: grouped()(q, k.detach(), v.detach(), mask),
)
