"""Hidden suite for the repaired rotary attention. Each check has T different from the number of heads at least once."""

import math

import torch
from hidden.lib import heads
from hidden.lib.attention import attend, merge, split
from hidden.lib.precision import IN_16_BITS

from grader.suites import Misconception, dtypes, error_bound, facts, laws, misconceptions, points

LETS_PASS = dict.fromkeys(IN_16_BITS, "x is float32 or float64")


@error_bound("rotary_attention")
def bound(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    # As for multi-head attention with a mask; a rotation adds two products and a sum to each entry of q and k, and
    # keeps |q||k| within twice its size.
    B, T, D = x.shape
    q, k, v = ((x.abs() @ w.abs()).view(B, T, num_heads, -1).transpose(1, 2) for w in (w_q, w_k, w_v))
    reach = 2 * (q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)).amax((-2, -1), keepdim=True)
    units = 2 * (2 * D + D // num_heads + 8) * reach + 2 * D + T + 16
    mixed = (units * v.amax(-2, keepdim=True)).expand_as(v).transpose(1, 2).reshape(B, T, D)
    return mixed @ w_o.abs()


def tables(make, t, width, start=0):
    """cos and sin [T, Dh] of the positions from `start` on."""
    steps = 100.0 ** -(torch.arange(width // 2, dtype=torch.float64) * 2 / width)
    angles = (torch.arange(t, dtype=torch.float64)[:, None] + start) * torch.cat([steps, steps])
    return make.tensor(angles.cos()), make.tensor(angles.sin())


def inputs(make, b=2, t=5, heads=3, width=4, start=0):
    """All arguments for `heads` heads of `width` channels."""
    d = heads * width
    weights = (make.normal(d, d, scale=1 / math.sqrt(d)) for _ in range(4))
    return make.normal(b, t, d), *weights, heads, *tables(make, t, width, start)


@points(1)
@dtypes("float32", "float64")
def test_values(matches_reference, make, dtype):
    """Queries and keys turn by their position, values do not; the heads are joined and projected."""
    matches_reference.rotary_attention(*inputs(make, 2, 3, 2))
    matches_reference.rotary_attention(*inputs(make))
    matches_reference.rotary_attention(*inputs(make, 3, 7, 2, 6))
    matches_reference.rotary_attention(*inputs(make, 1, 2, 1, 2))


@points(0.5)
def test_as_many_positions_as_heads(matches_reference, make):
    """As many positions as heads work too."""
    matches_reference.rotary_attention(*inputs(make, 2, 3, 3))
    matches_reference.rotary_attention(*inputs(make, 4, 4, 4))


@points(0.3)
def test_later_positions(matches_reference, make):
    """The tables may start at any position; a single position works."""
    matches_reference.rotary_attention(*inputs(make, start=9))
    matches_reference.rotary_attention(*inputs(make, t=1, start=3))
    matches_reference.rotary_attention(*inputs(make, 1, 1, 2))


def examples(ask, make):
    ask.rotary_attention(*inputs(make, 2, 3, 2))
    ask.rotary_attention(*inputs(make))
    ask.rotary_attention(*inputs(make, 1, 2, 2))


LAWS = laws.all(
    examples, lambda ask, make, n: ask.rotary_attention(*inputs(make, 1, n, 2, 2)),
    gradient=(0.4, lambda ask, make: examples(ask.wrt("x", "w_q", "w_k", "w_v", "w_o"), make)), memory_layout=0.1,
    inputs_unchanged=0.15, device=0.25, lengths=0.1,
)  # fmt: skip


@facts("rotary_attention")
def seen(y, *arguments, **named):
    yield from heads.where_wrong(y, rotary(*arguments, **named))


def turn(u, cos, sin):
    """The rotation, in half-split layout."""
    half = u.shape[-1] // 2
    return u * cos + torch.cat([-u[..., half:], u[..., :half]], -1) * sin


def along_heads(u, cos, sin):
    return turn(u, cos[:, None], sin[:, None])


def backwards(u, cos, sin):
    return turn(u, cos, -sin)


def halves_not_exchanged(u, cos, sin):
    half = u.shape[-1] // 2
    return u * cos + torch.cat([-u[..., :half], u[..., half:]], -1) * sin


def in_pairs(u, cos, sin):
    return u * cos + torch.stack([-u[..., 1::2], u[..., ::2]], -1).flatten(-2) * sin


def no_minus(u, cos, sin):
    return u * cos + u.roll(u.shape[-1] // 2, -1) * sin


def over_all_heads(u, cos, sin):
    """One rotation of all channels of a token, with the tables repeated."""
    H = u.shape[1]
    return split(turn(merge(u), cos.repeat(1, H), sin.repeat(1, H)), H)


def kept(u, cos, sin):
    return u


def rotary(
    x, w_q, w_k, w_v, w_o, num_heads, cos, sin, *, attention=attend, turn_q=turn, turn_k=turn, turn_v=kept,
    parted=split, values=None, joined=merge, projected=True,
):  # fmt: skip
    """The repaired code with places to go wrong."""
    q, k, v = parted(x @ w_q, num_heads), parted(x @ w_k, num_heads), (values or parted)(x @ w_v, num_heads)
    mixed = joined(attention(turn_q(q, cos, sin), turn_k(k, cos, sin), turn_v(v, cos, sin))[0])
    return mixed @ w_o if projected else mixed


def way(**places):
    return lambda *arguments, **named: rotary(*arguments, **named, **places)


def scales_in_place(x, w_q, w_k, w_v, w_o, num_heads, cos, sin):
    w_q *= (num_heads / x.shape[-1]) ** 0.5
    return rotary(x, w_q, w_k, w_v, w_o, num_heads, cos, sin, attention=heads.scaled(1.0))


FAULTS = {
    "tables_along_heads": {"turn_q": along_heads, "turn_k": along_heads},
    "values_not_moved": {"values": lambda v, H: v.unflatten(-1, (H, -1))},
    "heads_not_joined": {"joined": heads.piled_up},
    "not_projected": {"projected": False},
}
GIVEN = {place: change for fault in FAULTS.values() for place, change in fault.items()}
WITHIN = ("no_scale", "scale_sqrt_dmodel", "scale_d_head", "scale_integer_root", "softmax_over_heads")
WITHIN += ("softmax_over_queries", "keys_transposed_1_2", "adds_causal_always")
LAYOUTS = ("split_without_transpose", "both_without_transpose", "both_interleaved", "split_interleaved")
LAYOUTS += ("merge_interleaved", "heads_reversed", "merge_view")

KNOWN = misconceptions(
    "rotary_attention",
    **{name: way(**fault) for name, fault in FAULTS.items()},
    **{name: way(attention=heads.ATTENTIONS[name]) for name in WITHIN},
    **{name: way(**heads.LAYOUTS[name]) for name in LAYOUTS},
    scale_of_a_half=way(attention=heads.scaled(lambda q, k, v: (q.shape[-1] / 2) ** -0.5)),
    values_cut_across=way(values=heads.cut_across),
    values_rotated=way(turn_v=turn),
    only_queries=way(turn_k=kept),
    only_keys=way(turn_q=kept),
    not_rotated=way(turn_q=kept, turn_k=kept),
    backwards=way(turn_q=backwards, turn_k=backwards),
    opposite_ways=way(turn_k=backwards),
    halves_not_exchanged=way(turn_q=halves_not_exchanged, turn_k=halves_not_exchanged),
    in_pairs=way(turn_q=in_pairs, turn_k=in_pairs),
    no_minus=way(turn_q=no_minus, turn_k=no_minus),
    over_all_heads=way(turn_q=over_all_heads, turn_k=over_all_heads),
    keys_serve_as_values=lambda x, w_q, w_k, w_v, *rest, **named: rotary(x, w_q, w_k, w_k, *rest, **named),
    output_matrix_transposed=lambda x, w_q, w_k, w_v, w_o, *rest, **named: rotary(
        x, w_q, w_k, w_v, w_o.T, *rest, **named
    ),
    residual_added=lambda x, *rest, **named: x + rotary(x, *rest, **named),
    scales_in_place=scales_in_place,
    no_gradient=lambda x, *rest, **named: rotary(x, *rest, **named).detach(),
)
KNOWN += [Misconception("as_given", {"rotary_attention": way(**GIVEN)}, stub=True)]
KNOWN += heads.combined("rotary_attention", FAULTS, way)
