"""MiniMind's attention block, right unless a place to go wrong is used."""

import functools
import math

import torch
from hidden.lib import heads, rotary
from hidden.lib.attention import attend, causal, merge, repeat, split


def pieces(text, sizes):
    """The arguments of the calls in which a text comes in pieces of these sizes."""
    first, *rest = text.split(sizes, 1)
    return (first,), *((piece, True) for piece in rest)


def as_it_is(x, start, theta):
    """No rotation."""
    return x


def turned(x, start, theta, quarter=rotary.half_turn, table=rotary.side_by_side, dtype=None, **wrong):
    """RoPE for positions start, start + 1, ... along dimension -2."""
    dtype, T = dtype or torch.promote_types(x.dtype, torch.float32), x.shape[-2]
    found = _tables if x.device.type == "cpu" else _tables.__wrapped__
    return rotary.turned(x, *found(x.shape[-1], start, T, theta, dtype, x.device, table, **wrong), quarter)


@functools.lru_cache(maxsize=512)  # a cache that is filled token by token asks for the same again and again
def _tables(head_dim, start, T, theta, dtype, device, table, **wrong):
    return table(rotary.angles(head_dim, torch.arange(start, start + T, device=device), theta, dtype=dtype, **wrong))


def visible(T, S, device, offset=None):
    """True = may attend; the T queries are the last of S positions."""
    return causal(T, S, offset).to(device)


def put_behind(old, new):
    return torch.cat([old, new], 2)


def block(
    x, W, H, H_kv, theta=1e6, cache=None, *, turn=turned, turn_q=None, turn_k=None, turn_v=as_it_is, before=as_it_is,
    parted=split, joined=merge, shared=repeat, attention=attend, mask=visible, start=lambda past, T: past,
    old_keys=lambda k, theta: k, behind=put_behind, values_behind=None, matrices=lambda W: W,
):  # fmt: skip
    """Output and cache; W_Q, W_K, W_V and W_O are used as x @ W."""
    W, T, past = matrices(W), x.shape[1], 0 if cache is None else cache[0].shape[2]
    first = start(past, T)
    q, k = (parted(before(x @ w, first, theta), n) for w, n in zip(W, (H, H_kv), strict=False))
    v = turn_v(parted(x @ W[2], H_kv), first, theta)
    q, k = (turn_q or turn)(q, first, theta), (turn_k or turn)(k, first, theta)
    if cache is not None:
        k, v = behind(old_keys(cache[0], theta), k), (values_behind or behind)(cache[1], v)
    n_rep = max(H // H_kv, 1)
    output, _ = attention(q, shared(k, n_rep), shared(v, n_rep), mask(T, k.shape[2], x.device))
    return joined(output) @ W[3], (k, v)


def turning(**wrong):
    return {"turn": functools.partial(turned, **wrong)}


def neighbouring(angle):
    """Tables whose columns go f0 f0 f1 f1."""
    angle = angle.repeat_interleave(2, 1)
    return angle.cos(), angle.sin()


def turned_on_cpu(x, start, theta):
    return rotary.turned(x, *rotary.tables(x.shape[-1], torch.arange(start, start + x.shape[-2]), theta))


def base(theta):
    return {"turn": lambda x, start, _: turned(x, start, theta)}


def offset(change):
    """The mask with this offset, from the numbers of queries and keys."""
    return {"mask": lambda T, S, device: visible(T, S, device, change(T, S))}


def normed(x, start, theta):
    """QK-norm without a gain; RoPE after it turns the same vectors."""
    return turned(x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6), start, theta)


def one_matrix_for_another(name):
    return {"matrices": lambda W: heads.PROJECTIONS[name](W, [None] * 4)[0]}


def attention_as(name):
    return {"attention": heads.ATTENTIONS[name]}


FAULTS = {
    "no_rope": {"turn": as_it_is},
    "rope_q_only": {"turn_k": as_it_is},
    "rope_k_only": {"turn_q": as_it_is},
    "rope_on_values": {"turn_v": turned},
    "rope_before_split": {"turn": as_it_is, "before": turned},
    "neighbours_paired": turning(quarter=rotary.neighbours_turn, table=neighbouring),
    "rotated_backwards": turning(quarter=lambda x: -rotary.half_turn(x)),
    "exponent_halved": turning(exponent=lambda i, d: i / d),
    "exponent_doubled": turning(exponent=lambda i, d: 4 * i / d),
    "theta_always_10000": base(10000.0),
    "theta_always_1e6": base(1e6),
    "half_precision_angles": {"turn": lambda x, start, theta: turned(x, start, theta, dtype=x.dtype)},
    "rope_reset": {"start": lambda past, T: 0},
    "starts_too_late": {"start": lambda past, T: past + (past > 0)},
    "start_after_appending": {"start": lambda past, T: past + T if past else 0},
    "queries_from_0": {"turn_q": lambda x, start, theta: turned(x, 0, theta)},
    "keys_from_0": {"turn_k": lambda x, start, theta: turned(x, 0, theta)},
    "re_rotates_cached_keys": {"old_keys": lambda k, theta: turned(k, 0, theta)},
    "new_before_old": {"behind": lambda old, new: torch.cat([new, old], 2)},
    "no_causal_mask": {"mask": lambda T, S, device: None},
    "top_left_mask": offset(lambda T, S: 0),
    "top_left_mask_if_several": {"mask": lambda T, S, device: visible(T, S, device, 0 if T > 1 else None)},
    "square_mask": {"mask": lambda T, S, device: visible(T, T, device)},
    "cannot_see_itself": offset(lambda T, S: S - T - 1),
    "sees_the_next": offset(lambda T, S: S - T + 1),
    "no_mask_with_cache": {"mask": lambda T, S, device: visible(T, S, device) if S == T else None},
    "mask_inverted": {"mask": lambda T, S, device: ~visible(T, S, device)},
    "sees_only_later": {"mask": lambda T, S, device: ~visible(T, S, device, S - T - 1)},
    "additive_inf_times_zero": {"attention": heads.inf_times_zero},
    "mask_on_cpu": {"mask": lambda T, S, device: visible(T, S, None)},
    "positions_on_cpu": {"turn": turned_on_cpu},
    "queries_and_keys_normalised": {"turn": normed},
    "heads_tiled": {"shared": lambda t, n_rep: t.repeat(1, n_rep, 1, 1)},
    "first_kv_head_only": {"shared": lambda t, n_rep: t[:, :1]},
    **{name: attention_as(name) for name in (
        "no_scale", "scale_sqrt_dmodel", "scale_d_head", "scale_integer_root", "softmax_over_queries",
        "softmax_over_heads", "keys_transposed_1_2", "mask_multiplied", "fill_too_high", "fill_1e9",
        "mask_after_softmax",
    )},
    **{name: heads.LAYOUTS[name] for name in (
        "split_without_transpose", "merge_without_transpose", "both_without_transpose", "both_interleaved",
        "merge_interleaved", "merge_view", "heads_not_concatenated",
    )},
    "heads_interleaved": {"parted": heads.dealt_out},
    "output_matrix_transposed": {"matrices": lambda W: [W[0].T, *W[1:3], W[3].T]},
    **{name: one_matrix_for_another(name) for name in (
        "weights_transposed", "keys_and_values_swapped", "keys_serve_as_values", "no_output_projection",
    )},
    "keys_and_values_detached": {"shared": lambda t, n_rep: repeat(t.detach(), n_rep)},
}  # fmt: skip


def units(x, W, H, H_kv, theta=1e6, cache=None):
    """How far the results may be off, in units of epsilon."""
    # A projection is a sum of C products, rounded at each step, of x and W rounded once: off by at most eps (C / 2 + 3)
    # reach with reach = |x||W|. Turning a pair adds two products and a sum, each rounded once (2), and the error of a
    # float32 table times both channels. Scores inherit that from q and from k, pair by pair, and are sums of Dh
    # products themselves; then as in gqa: a score's error counts once as it is and once averaged, softmax adds S + 8, a
    # hidden token may keep 1e-6. Heads add S products and inherit the values' errors. W_O is one more projection. What
    # comes out of the cache was rounded once.
    (_, T, C), past = x.shape, 0 if cache is None else cache[0].shape[2]
    S, Dh, n_rep, steps = past + T, C // H, H // H_kv, C / 2 + 3
    q, k, v = (split(x @ w, n) for w, n in zip(W, (H, H_kv, H_kv), strict=False))
    off_q, off_k, off_v = (steps * split(x.abs() @ w.abs(), n) for w, n in zip(W, (H, H_kv, H_kv), strict=False))
    table = (2 + rotary.table_units(torch.arange(past, S).double()))[:, None]
    off_q, off_k = (o.unflatten(-1, (2, -1)).sum(-2) * (1 + table / steps) for o in (off_q, off_k))
    k = turned(k, past, theta)
    if cache is not None:
        off_k = torch.cat([rotary.pair_lengths(cache[0]), off_k], 2)
        off_v = torch.cat([cache[1].abs(), off_v], 2)
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    long_q, long_k, wide_k = rotary.pair_lengths(q), repeat(rotary.pair_lengths(k), n_rep), repeat(off_k, n_rep)
    reach = long_q @ long_k.mT / math.sqrt(Dh)
    units = math.sqrt(2 / Dh) * (off_q @ long_k.mT + long_q @ wide_k.mT) + (Dh / 2 + 4) * reach
    hidden = ~visible(T, S, "cpu")
    output, weights = attend(turned(q, past, theta), repeat(k, n_rep), repeat(v, n_rep), ~hidden)
    exponents = (units + 2 * reach).masked_fill(hidden, 0.0) + reach.masked_fill(hidden, 0.0).amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + S + 8
    leak = hidden * 1e-6 / torch.finfo(torch.float32).eps
    off = (weights * (total + S + 4) + leak) @ repeat(v, n_rep).abs() + weights @ repeat(off_v, n_rep)
    allowed = merge(off) @ W[3].abs() + steps * merge(output).abs() @ W[3].abs()
    return allowed, torch.cat([off_k, off_k], -1), off_v
