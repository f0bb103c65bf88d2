"""Hidden suite for attention in tiles.

Not in the bank, because right: tiling the queries too, going through the keys backwards, accumulating in float32. A
solution that makes all scores at once gives the right values, so no replay can name it: test_memory finds it and says
so. A block of hidden keys only cannot come first here, so nothing is lost by not guarding against -inf - (-inf).
"""

import math

import torch
from hidden.lib.attention import attend
from hidden.lib.attention import causal as allowed
from hidden.lib.heads import where_wrong

from grader.suites import (
    Text,
    dtypes,
    error_bound,
    essential,
    expect,
    expect_close,
    facts,
    laws,
    misconceptions,
    points,
)


def hidden_keys(T_q, T_kv, causal):
    """True = hidden [T_q, T_kv]."""
    return torch.ones(T_q, T_kv, dtype=torch.bool).triu(T_kv - T_q + 1) & causal


@error_bound("flash_attention")
def flash_bound(q, k, v, block, causal=False):
    # As for plain attention (docs/tolerances.md): a score is off by at most eps (Dh / 2 + 4) reach with reach = sum
    # |q||k| / sqrt(Dh), softmax takes that once as it is and once averaged, adds T_kv + 8, and the output T_kv + 4. The
    # maximum may move from block to block, by 2 max reach in all, and each move costs l and o a few roundings.
    reach = q.abs() @ k.abs().mT / math.sqrt(q.shape[-1])
    hidden = hidden_keys(q.shape[-2], k.shape[-2], causal)
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(hidden, -math.inf).softmax(-1)
    reach = reach.masked_fill(hidden, 0.0)
    exponents = (q.shape[-1] / 2 + 5) * reach + 3 * reach.amax(-1, keepdim=True)
    steps = k.shape[-2] + 8 + 4 * math.ceil(k.shape[-2] / block)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + steps
    return (weights * (total + k.shape[-2] + 4)) @ v.abs()


def inputs(make, *lead, t_q=5, t_kv=8, dh=6, dv=4):
    """Random q, k, v with these leading dimensions."""
    return make.normal(*lead, t_q, dh), make.normal(*lead, t_kv, dh), make.normal(*lead, t_kv, dv)


def scored(make, rows, dv=8):
    """q, k, v whose scores are exactly these rows, one for each query: keys are unit vectors."""
    scores = make.tensor(rows)
    n = 1 << (2 * math.ceil(math.log(scores.shape[-1], 4)))  # a power of 4: its square root divides exactly
    q = torch.nn.functional.pad(scores * math.sqrt(n), (0, n - scores.shape[-1]))
    return q, make.tensor(torch.eye(n)[: scores.shape[-1]]), make.normal(scores.shape[-1], dv)


@points(1.8)
@dtypes("float32", "float64")
def test_definition(matches_reference, make, dtype):
    """The output is that of plain attention, for any leading dimensions."""
    matches_reference.flash_attention(*inputs(make, t_q=2, t_kv=4), 2)
    matches_reference.flash_attention(*inputs(make, 2), 4)
    matches_reference.flash_attention(*inputs(make, 2, 3, t_kv=9), 3)
    matches_reference.flash_attention(*inputs(make, 2, 1, 3), 2)
    matches_reference.flash_attention(*inputs(make, 2, t_q=5, t_kv=3, dh=1), 2)
    matches_reference.flash_attention(*inputs(make, t_q=1, t_kv=2, dh=2, dv=1), 1)


def signs(make, t_q=6, t_kv=6):
    """Entries of 1 and -1: as exact as a dtype can have them."""
    return tuple(make.tensor(torch.where(make.mask(*s, keep=0.5), 1.0, -1.0)) for s in ((t_q, 4), (t_kv, 4), (t_kv, 8)))


@points(0.6)
@dtypes("float16", "bfloat16")
def test_half_precision(matches_reference, make, dtype):
    """Half precision gives the same outputs, up to rounding."""
    laws.near_on_average(matches_reference, make, examples)
    for t_q, t_kv, block in ((6, 6, 2), (6, 5, 3), (3, 5, 2), (6, 8, 3)):
        q, k, v = signs(make, t_q, t_kv)
        matches_reference.flash_attention(2 * q, k, v, block)
        matches_reference.flash_attention(q / 4, k, v, block)
        matches_reference.flash_attention(2 * q[:t_kv], k, v, block, causal=True)


@points(1.3)
def test_tail(matches_reference, make):
    """If the keys do not fill the last block, the remaining keys count too, and nothing else does."""
    for t_kv, block in ((3, 2), (5, 3), (7, 4), (10, 4), (11, 3)):
        matches_reference.flash_attention(*inputs(make, t_kv=t_kv), block)
    matches_reference.flash_attention(*inputs(make, 2, 3, t_kv=7), 5)


@points(1)
def test_extreme_blocks(matches_reference, make):
    """Blocks of a single key, one block for all keys, and blocks larger than all of them work too."""
    for t_kv, block in ((1, 1), (6, 1), (6, 6), (6, 7), (6, 1000), (1, 5)):
        matches_reference.flash_attention(*inputs(make, t_kv=t_kv), block)
        matches_reference.flash_attention(*inputs(make, 2, t_q=t_kv, t_kv=t_kv), block, causal=True)


@points(1.6)
@dtypes("float16", "float32", "float64")
def test_where_the_maximum_is(matches_reference, make, dtype):
    """The largest score may be in the first block, in the last, in between, or everywhere."""
    rows = [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [1, 0, 6, 5, 2, 1], [2, 2, 2, 2, 2, 2], [-3, -7, -1, -9, -4, -2]]
    for block in (1, 2, 4):
        matches_reference.flash_attention(*scored(make, rows), block)


@points(1.3)
@dtypes("float16", "bfloat16", "float32")
def test_scores_far_from_zero(student, matches_reference, make, dtype):
    """Scores in the thousands work too, whether they rise or fall from block to block."""
    rows = [[4096, 0, -4096], [-4096, 0, 4096], [0, 4096, -4096], [-4096, -3840, -4096], [512, 0, 256]]
    q, k, v = scored(make, rows)
    q, k = q / 32, k * 32  # both fit into float16
    for block in (1, 2, 3):
        output = student.flash_attention(q, k, v, block)
        said = "the key with by far the largest score does not get the whole weight"
        expect_close(output, v[[0, 2, 1, 1, 0]], 4 * torch.finfo(dtype).eps * float(v.abs().max()), said)
    matches_reference.flash_attention(q[4:], k, v, 1)
    q, k, v = scored(make, [[-4096, 4096, 0], [-4096, 0, 4096], [0, -4096, 4096]])
    for block in (1, 2, 3):
        output = student.flash_attention(q / 32, k * 32, v, block, causal=True)
        said = "a hidden key with a large score gets weight"
        expect_close(output, v[[0, 1, 2]], 4 * torch.finfo(dtype).eps * float(v.abs().max()), said)


@points(2)
@dtypes("float32", "float64")
def test_causal(matches_reference, make, dtype):
    """With causal=True a query sees no later key, whichever block that is in."""
    matches_reference.flash_attention(*inputs(make, t_q=2, t_kv=2), 1, causal=True)
    matches_reference.flash_attention(*inputs(make, t_q=5, t_kv=5), 2, causal=True)
    matches_reference.flash_attention(*inputs(make, 2, 3, t_q=6, t_kv=6), 4, causal=True)
    matches_reference.flash_attention(*inputs(make, 2, t_q=3, t_kv=7), 2, causal=True)
    matches_reference.flash_attention(*inputs(make, 2, 1, 3, t_q=3, t_kv=5), 2, causal=True)


@points(1)
def test_causal_after_a_cache(matches_reference, make):
    """The queries are the last positions: a single query sees all keys, two see all but one, and so on."""
    for t_q, t_kv, block in ((1, 2, 1), (1, 7, 3), (2, 5, 2), (4, 9, 3), (5, 6, 4)):
        matches_reference.flash_attention(*inputs(make, 2, t_q=t_q, t_kv=t_kv), block, causal=True)


@points(1)
def test_block_does_not_matter(student, notes_values, make):
    """Whatever the size of the blocks, your output is the same."""
    for causal in (False, True):
        q, k, v = inputs(make, 2, t_q=7, t_kv=10)
        options = {"causal": True} if causal else {}
        whole = student.flash_attention(3 * q, k, v, 10, **options)
        for block in (1, 3, 4, 9):
            output = student.flash_attention(3 * q, k, v, block, **options)
            said = Text("blocks of {block} keys do not give the output of a single block").format(block=block)
            expect_close(output, whole, 1e-3, said)
        notes_values.flash_attention(q, k, v, 3, **options)


def many(make):
    """Small inputs with 2 million scores, 8 MB in float32: who makes them all does not get by with 6 MB. Who works in
    float64 and keeps the maximum, sum and output of each block of 64 keys needs half of that.
    """
    return inputs(make, 4, t_q=128, t_kv=4096, dh=2, dv=1)


@essential
@points(1.2)
def test_memory(largest_tensor, notes_values, make):
    """No intermediate tensor has as many entries as all scores together."""
    for lead, t_q, t_kv, block in (((), 40, 64, 8), ((2, 3), 24, 32, 4), ((), 300, 20, 4)):
        entries = largest_tensor.flash_attention(*inputs(make, *lead, t_q=t_q, t_kv=t_kv, dh=4, dv=3), block)
        scores = math.prod(lead) * t_q * t_kv
        said = "a tensor with {entries} entries was made; all scores together have {scores}"
        expect(entries < scores, said, entries=entries, scores=scores)
    notes_values.flash_attention(*inputs(make), 3)
    notes_values.within(6).flash_attention(*many(make), 64)


@points(0.8)
def test_memory_causal(largest_tensor, notes_values, make):
    """With causal=True there is no mask of the size of the scores either."""
    for t_q, t_kv, block in ((48, 48, 8), (20, 60, 6)):
        entries = largest_tensor.flash_attention(*inputs(make, t_q=t_q, t_kv=t_kv, dh=4, dv=3), block, causal=True)
        said = "a tensor with {entries} entries was made; all scores together have {t_q}"
        expect(entries < t_q * t_kv, said, entries=entries, t_q=t_q * t_kv)
    for t_q, t_kv in ((5, 7), (9, 9), (8, 12)):
        notes_values.flash_attention(*inputs(make, 2, t_q=t_q, t_kv=t_kv), 2, causal=True)
    notes_values.within(6).flash_attention(*many(make), 64, causal=True)


@points(0.2)
def test_refuses_blocks(raises_value_error, notes_values, make):
    """A block of 0 or fewer keys is refused with ValueError."""
    for block in (0, -1, -8):
        raises_value_error.flash_attention(*inputs(make), block)
    notes_values.flash_attention(*inputs(make), 1)


@points(0.1)
def test_refuses_blocks_causal(raises_value_error, notes_values, make):
    """With causal=True too, a block of 0 or fewer keys is refused with ValueError."""
    for block in (0, -1, -8):
        raises_value_error.flash_attention(*inputs(make, 2), block, causal=True)
    notes_values.flash_attention(*inputs(make, 2), 1, causal=True)


@points(0.2)
def test_refuses_early_queries(raises_value_error, notes_values, make):
    """With causal=True, more queries than keys are refused with ValueError, since the first would see nothing; without
    it they work.
    """
    for t_q, t_kv in ((2, 1), (5, 3), (9, 8)):
        raises_value_error.flash_attention(*inputs(make, t_q=t_q, t_kv=t_kv), 2, causal=True)
        notes_values.flash_attention(*inputs(make, t_q=t_q, t_kv=t_kv), 2)


@points(0.1)
def test_refuses_early_queries_in_heads(raises_value_error, notes_values, make):
    """More queries than keys are refused with leading dimensions too."""
    raises_value_error.flash_attention(*inputs(make, 2, 3, t_q=4, t_kv=3), 2, causal=True)
    raises_value_error.flash_attention(*inputs(make, 2, t_q=3, t_kv=2), 5, causal=True)
    notes_values.flash_attention(*inputs(make, 2, 3, t_q=7, t_kv=7), 2, causal=True)


def examples(ask, make):
    ask.flash_attention(*inputs(make, t_q=2, t_kv=3), 2)
    ask.flash_attention(*inputs(make, 2, 3), 3)
    ask.flash_attention(*inputs(make, 2, t_q=4, t_kv=6), 2, causal=True)
    ask.flash_attention(*inputs(make, t_q=5, t_kv=5), 3, causal=True)
    ask.flash_attention(*inputs(make, 2, 1, 3, t_q=1, t_kv=4), 2)


def of_length(ask, make, n):
    ask.flash_attention(*inputs(make, 1, t_q=3, t_kv=n, dh=2, dv=2), 16)
    ask.flash_attention(*inputs(make, t_q=n, t_kv=n, dh=2, dv=2), 32, causal=True)


LAWS = laws.all(
    examples, of_length, gradient=1.1, inputs_unchanged=0.35, memory_layout=0.35, device=0.5, remembers_nothing=0.2,
    lengths=0.2,
)  # fmt: skip


@facts("flash_attention")
def seen(y, q, k, v, block, causal=False):
    def right(*keys):
        mask = None if not causal else allowed(q.shape[-2], k.shape[-2])[:, slice(*keys)]
        return attend(q, k[..., slice(*keys), :], v[..., slice(*keys), :], mask)[0]

    due, T = right(None), k.shape[-2]
    yield from where_wrong(y, due)
    factor = float((y * due).sum() / due.square().sum())
    if torch.allclose(y, factor * due, atol=1e-3):
        yield Text("the output is {factor:.4g} times the right one").format(factor=factor)
    for n in range(block, T, block):
        if torch.allclose(y, right(n), atol=1e-3):
            yield Text("the output is that of the first {n} of {T} keys alone").format(n=n, T=T)
        if torch.allclose(y, right(n, T), atol=1e-3):
            yield Text("the output is that of the last {t} of {T} keys alone").format(t=T - n, T=T)
    if causal and torch.allclose(y, attend(q, k, v)[0], atol=1e-3):
        yield Text("the output is the one without causal")


def later(key, position, block):
    """Hidden where a key comes after the query's position."""
    return key > position


def left_out(key, position, block):
    """Whole blocks are left out too, by the query's number in place of its position."""
    return later(key, position, block) | (key // block > (position - position[0]) // block)


def tiled(
    hidden=later, starts=lambda T_kv, block: range(0, T_kv, block), top=torch.maximum, first=-math.inf, fill=-math.inf,
    scale=lambda q, v, block: q.shape[-1] ** -0.5, shrunk=lambda shrink: (shrink, shrink), exp=torch.exp,
    each=lambda s, o, f, w: (s + f, o + w), last=lambda s, o, n: o / s, cut=lambda t, start, block:
    t[..., start : start + block, :], turn=lambda k: k.mT, wide=None, mask_on=None, carried_on=None,
    refuses=lambda T_q, T_kv, block, causal: block < 1 or (causal and T_q > T_kv),
    always=lambda T_q, T_kv: False, early=lambda T_q, T_kv: T_kv - T_q,
):  # fmt: skip
    """The right loop, with places to go wrong."""

    def flash_attention(q, k, v, block, causal=False):
        T_q, T_kv = q.shape[-2], k.shape[-2]
        if refuses(T_q, T_kv, block, causal):
            raise ValueError("block or lengths")
        where = carried_on or q.device
        m = torch.full((*q.shape[:-1], 1), first, dtype=wide or q.dtype, device=where)
        s, o = torch.zeros_like(m), m.new_zeros(*q.shape[:-1], v.shape[-1])
        position, number = torch.arange(T_q, device=mask_on or q.device)[:, None] + early(T_q, T_kv), 0
        for start in starts(T_kv, block):
            number += 1
            scores = q @ turn(cut(k, start, block)) * scale(q, v, block)
            if causal or always(T_q, T_kv):
                key = start + torch.arange(scores.shape[-1], device=position.device)
                scores = scores.masked_fill(hidden(key, position, block), fill)
            new = top(m, scores.amax(-1, keepdim=True))
            factors = exp(scores - new)
            for_s, for_o = shrunk(exp(m - new))
            s, o = each(for_s * s, for_o * o, factors.sum(-1, keepdim=True), factors @ cut(v, start, block))
            m = new
        return last(s, o, number)

    return flash_attention


def padded(t, start, block):
    """A block that is filled up with zeros."""
    t = t[..., start : start + block, :]
    return torch.nn.functional.pad(t, (0, 0, 0, block - t.shape[-2]))


def four_dimensions(q, k, v, block, causal=False):
    _, _, _, _ = q.shape
    return tiled()(q, k, v, block, causal)


def viewed(q, k, v, block, causal=False):
    return tiled()(q, k.view(-1, *k.shape[-2:]).view(k.shape), v, block, causal)


def queries_scaled_in_place(q, k, v, block, causal=False):
    q *= q.shape[-1] ** -0.5
    return tiled(scale=lambda q, v, block: 1.0)(q, k, v, block, causal)


KNOWN = misconceptions(
    "flash_attention",
    no_rescale=tiled(shrunk=lambda shrink: (torch.ones_like(shrink), torch.ones_like(shrink))),
    blocks_left_out_too_early=tiled(hidden=left_out),
    only_l_rescaled=tiled(shrunk=lambda shrink: (shrink, torch.ones_like(shrink))),
    only_o_rescaled=tiled(shrunk=lambda shrink: (torch.ones_like(shrink), shrink)),
    rescaled_backwards=tiled(shrunk=lambda shrink: [(1 / shrink).nan_to_num(posinf=0.0)] * 2),
    rescaled_backwards_from_the_start=tiled(shrunk=lambda shrink: [1 / shrink] * 2),
    output_rescaled_backwards=tiled(shrunk=lambda shrink: (shrink, 1 / shrink)),
    last_block_only=tiled(shrunk=lambda shrink: [0 * shrink] * 2, top=lambda m, new: new),
    not_normalised=tiled(last=lambda s, o, n: o),
    normalised_in_each_block=tiled(each=lambda s, o, f, w: (s + f, (o + w) / (s + f)), last=lambda s, o, n: o),
    normalised_in_each_block_and_after=tiled(each=lambda s, o, f, w: (s + f, (o + w) / (s + f))),
    mean_of_blocks=tiled(
        shrunk=lambda shrink: (0 * shrink, torch.ones_like(shrink)),
        top=lambda m, new: new,
        each=lambda s, o, f, w: (s + f, o + w / f),
        last=lambda s, o, n: o / n,
    ),
    drops_the_tail=tiled(starts=lambda T_kv, block: range(0, T_kv // block * block or min(block, T_kv), block)),
    full_blocks_only=tiled(starts=lambda T_kv, block: range(0, T_kv - block + 1, block)),
    blocks_overlap=tiled(cut=lambda t, start, block: t[..., start : start + block + 1, :]),
    blocks_from_every_key=tiled(starts=lambda T_kv, block: range(T_kv)),
    tail_padded=tiled(cut=padded),
    maximum_starts_at_zero=tiled(first=0.0),
    maximum_starts_at_1e9=tiled(first=-1e9),
    maximum_of_the_block=tiled(top=lambda m, new: new),
    maximum_of_all_queries=tiled(top=lambda m, new: torch.maximum(m, new.max())),
    maximum_of_the_first_block=tiled(top=lambda m, new: torch.where(m.isinf(), new, m)),
    no_maximum=tiled(first=0.0, top=lambda m, new: m),
    powers_of_two=tiled(exp=torch.exp2),
    no_scale=tiled(scale=lambda q, v, block: 1.0),
    scale_of_the_block=tiled(scale=lambda q, v, block: block**-0.5),
    scale_of_the_values=tiled(scale=lambda q, v, block: v.shape[-1] ** -0.5),
    scale_integer_root=tiled(scale=lambda q, v, block: 1 / math.isqrt(q.shape[-1])),
    scale_dh=tiled(scale=lambda q, v, block: 1 / q.shape[-1]),
    causal_ignored=tiled(hidden=lambda key, position, block: key + 0 * position < 0),
    causal_always=tiled(always=lambda T_q, T_kv: T_q <= T_kv),
    causal_always_even_for_early_queries=tiled(always=lambda T_q, T_kv: True),
    causal_inverted=tiled(hidden=lambda key, position, block: key < position),
    causal_top_left=tiled(early=lambda T_q, T_kv: 0),
    causal_within_the_block=tiled(hidden=lambda key, position, block: key - key[0] > position),
    causal_hides_itself=tiled(hidden=lambda key, position, block: key >= position),
    causal_one_ahead=tiled(hidden=lambda key, position, block: key > position + 1),
    causal_by_blocks=tiled(hidden=lambda key, position, block: key // block > position // block),
    causal_fill_too_high=tiled(fill=-100.0),
    causal_fill_1e9=tiled(fill=-1e9),
    causal_fill_zero=tiled(fill=0.0),
    block_not_checked=tiled(refuses=lambda T_q, T_kv, block, causal: causal and T_q > T_kv),
    early_queries_accepted=tiled(refuses=lambda T_q, T_kv, block, causal: block < 1),
    early_queries_always_refused=tiled(refuses=lambda T_q, T_kv, block, causal: block < 1 or T_q > T_kv),
    as_many_queries_refused=tiled(refuses=lambda T_q, T_kv, block, causal: block < 1 or (causal and T_q >= T_kv)),
    matrices_only=tiled(turn=lambda k: k.permute(*reversed(range(k.dim())))),
    axes_1_and_2=tiled(turn=lambda k: k.transpose(1, 2)),
    four_dimensions_only=four_dimensions,
    inputs_viewed=viewed,
    mask_on_cpu=tiled(mask_on="cpu"),
    carried_on_cpu=tiled(carried_on="cpu"),
    carried_in_float32=tiled(wide=torch.float32),
    values_detached=tiled(cut=lambda t, start, block: t[..., start : start + block, :].detach()),
    sum_detached=tiled(each=lambda s, o, f, w: (s + f.detach(), o + w)),
    no_gradient=tiled(last=lambda s, o, n: (o / s).detach()),
    forces_float32=lambda q, k, v, block, causal=False: tiled()(q.float(), k.float(), v.float(), block, causal),
    queries_scaled_in_place=queries_scaled_in_place,
    returns_the_sum_too=tiled(last=lambda s, o, n: (o / s, s[..., 0])),
    squeezed=tiled(last=lambda s, o, n: (o / s).squeeze()),
)
