"""MiniMind's attention block with its cache: projections, RoPE, shared key and value heads, causal attention.

Caches are keys and values [B, H_kv, S, Dh]; W_Q, W_K, W_V and W_O are used as x @ W.
"""

import functools
import math

import torch
from hidden.lib import heads
from hidden.lib.attention import attend, causal, merge, scores_of, split
from hidden.lib.rotary import half_turn, neighbours_turn, pair_lengths, table_units, tables, turned

FLOAT32 = torch.finfo(torch.float32).eps


def repeat(x, n_rep):
    """h0 h0 h1 h1."""
    return x.repeat_interleave(n_rep, 1)


def rotated(x, start, theta, quarter=half_turn):
    """RoPE for positions start, start + 1, ... along dimension -2."""
    wide = torch.promote_types(x.dtype, torch.float32)
    return turned(x, *_turns(x.shape[-1], start, x.shape[-2], theta, wide, x.device), quarter)


def _turns(head_dim, start, T, theta, dtype, device):
    """cos and sin [T, Dh] of these positions."""
    if device.type == "cpu":
        return _turns_on_cpu(head_dim, start, T, theta, dtype)
    return tables(head_dim, torch.arange(start, start + T, device=device), theta, dtype=dtype)


@functools.lru_cache(maxsize=512)  # a cache that is filled token by token asks for the same again and again
def _turns_on_cpu(head_dim, start, T, theta, dtype):
    return tables(head_dim, torch.arange(start, start + T), theta, dtype=dtype)


def by_neighbours(x, start, theta):
    """The same for pairs of neighbouring channels."""
    y = torch.cat([x[..., ::2], x[..., 1::2]], -1)
    return torch.stack(rotated(y, start, theta).chunk(2, -1), -1).flatten(-2)


def against(x):
    """Every pair by a quarter turn the other way."""
    return -half_turn(x)


def as_it_is(x, start, theta):
    """No rotation."""
    return x


def lower_right(T, S):
    """True = may attend; the T queries are the last of S positions."""
    return causal(T, S)


def behind(old, new):
    return torch.cat([old, new], 2)


def step(
    x, W, H, H_kv, theta, cache=None, *, turn_q=rotated, turn_k=rotated, turn_v=as_it_is, cut=split, joined=merge,
    shared=repeat, mask=lower_right, attention=attend, start=lambda past, T: past, put=behind, put_v=None,
    matrices=lambda W: W, mask_device=None,
):  # fmt: skip
    """The output of the tokens x, which stand behind those of the cache, and the cache with them."""
    W_Q, W_K, W_V, W_O = matrices(W)
    q, k, v = (cut(x @ w, n) for w, n in ((W_Q, H), (W_K, H_kv), (W_V, H_kv)))
    first = start(cache[0].shape[2] if cache else 0, x.shape[1])
    q, k, v = turn_q(q, first, theta), turn_k(k, first, theta), turn_v(v, first, theta)
    if cache:
        k, v = put(cache[0], k), (put_v or put)(cache[1], v)
    visible = mask(x.shape[1], k.shape[2]).to(mask_device or x.device)
    output, _ = attention(q, *(shared(t, H // H_kv) for t in (k, v)), visible)
    return joined(output) @ W_O, (k, v)


def square_added(q, k, v, visible):
    """The scores with a mask of the last columns only added to them."""
    T = q.shape[-2]
    scores = scores_of(q, k) + torch.zeros(T, T, device=q.device).masked_fill(~visible[:, -T:], -math.inf).to(q)
    return scores.softmax(-1) @ v, scores


def all_visible(T, S):
    return torch.ones(T, S, dtype=torch.bool)


PLACES = {  # what can go wrong in a block, with a cache or without
    "new_before_old": {"put": lambda old, new: torch.cat([new, old], 2)},
    "new_keys_before_old": {"put": lambda old, new: torch.cat([new, old], 2), "put_v": behind},
    "joined_along_heads": {"put": lambda old, new: torch.cat([old, new], 1)},
    "top_left_mask": {"mask": lambda T, S: causal(T, S, 0)},
    "top_left_mask_if_several": {"mask": lambda T, S: causal(T, S, 0) if T > 1 else all_visible(T, S)},
    "square_mask": {"mask": lambda T, S: causal(T, T)},
    "square_mask_on_the_left": {"mask": lambda T, S: torch.cat([causal(T, T), all_visible(T, S - T)], 1)},
    "mask_of_the_first_chunk": {"mask": lambda T, S: causal(T, S) if T == S else all_visible(T, S)},
    "mask_one_too_far": {"mask": lambda T, S: causal(T, S, S - T + 1)},
    "new_ones_hidden": {"mask": lambda T, S: causal(T, S, S - T - 1) | (torch.arange(S) == 0)},
    "diagonal_hidden_after_the_first": {"mask": lambda T, S: causal(T, S, max(S - T - 1, 0))},
    "no_causal_mask": {"mask": all_visible},
    "rope_reset": {"start": lambda past, T: 0},
    "starts_too_late": {"start": lambda past, T: past + (past > 0)},
    "start_after_appending": {"start": lambda past, T: past + T},
    "no_rope": {"turn_q": as_it_is, "turn_k": as_it_is},
    "rope_q_only": {"turn_k": as_it_is},
    "rope_k_only": {"turn_q": as_it_is},
    "rope_on_values": {"turn_v": rotated},
    "rope_neighbours": {"turn_q": by_neighbours, "turn_k": by_neighbours},
    "rope_backwards": {f"turn_{x}": lambda x, start, theta: rotated(x, start, theta, against) for x in "qk"},
    "rope_mixed": {f"turn_{x}": lambda x, start, theta: rotated(x, start, theta, neighbours_turn) for x in "qk"},
    "rope_by_heads": {
        f"turn_{x}": lambda x, start, theta: rotated(x.transpose(1, 2), start, theta).transpose(1, 2) for x in "qk"
    },
    "heads_tiled": {"shared": lambda x, n_rep: x.repeat(1, n_rep, 1, 1)},
    "split_without_transpose": {"cut": heads.cut_across},
    "merge_without_transpose": {"joined": heads.piled_up},
    "merge_view": {"joined": heads.viewed},
    "weights_transposed": {"matrices": lambda W: [w.T for w in W]},
    "no_output_projection": {"matrices": lambda W: [*W[:3], torch.eye(len(W[3])).to(W[3])]},
    "additive_inf_times_zero": {"attention": heads.inf_times_zero},
    "mask_on_cpu": {"mask_device": "cpu"},
    **{
        name: {"attention": heads.ATTENTIONS[name]}
        for name in (
            "no_scale", "scale_sqrt_dmodel", "scale_d_head", "scale_integer_root", "softmax_over_queries",
            "softmax_over_heads", "mask_inverted", "mask_multiplied", "mask_after_softmax", "fill_1e9",
        )
    },
}  # fmt: skip


def matrices(make, C, H, H_kv):
    """W_Q, W_K, W_V and W_O that keep the size of what they are given."""
    return [make.normal(C, width, scale=C**-0.5) for width in (C, C // H * H_kv, C // H * H_kv, C)]


def picking(make, T=8):
    """Tokens, matrices and numbers of heads: few channels that are only moved, as exact as a dtype can have them."""
    eye = torch.eye(4).double()
    W = [1.4 * eye[[2, 0, 3, 1]], 1.4 * eye[:, [1, 3]], eye[:, [0, 2]], eye[[1, 3, 0, 2]]]
    return make.tensor(torch.where(make.mask(2, T, 4), 1.0, -1.0)), [make.tensor(w) for w in W], 2, 1


def bound(x, W, H, H_kv, theta=1e6, cache=None):
    """What rounding may do to the output, the keys and the values, in units of epsilon."""
    # A projection is a sum of C products, rounded at each step, of x and W rounded once: off by at most eps (C / 2 + 3)
    # reach with reach = |x||W|. Turning a pair adds two products and a sum, each rounded once (2), and the error of a
    # float32 table times both channels. Scores inherit that from q and from k, pair by pair, and are sums of Dh
    # products themselves; then as in gqa: a score's error counts once as it is and once averaged, softmax adds S + 8, a
    # hidden token may keep 1e-6. Heads add S products and inherit the values' errors. W_O is one more projection. What
    # comes out of the cache was rounded once.
    C, past = x.shape[-1], 0 if cache is None else cache[0].shape[2]
    S, Dh, n_rep, steps = past + x.shape[1], C // H, H // H_kv, C / 2 + 3
    q, k, v = (split(x @ w, n) for w, n in zip(W, (H, H_kv, H_kv), strict=False))
    off_q, off_k, off_v = (steps * split(x.abs() @ w.abs(), n) for w, n in zip(W, (H, H_kv, H_kv), strict=False))
    table = (2 + table_units(torch.arange(past, S).double())).unsqueeze(-1)
    off_q, off_k = (o.unflatten(-1, (2, -1)).sum(-2) * (1 + table / steps) for o in (off_q, off_k))
    k = rotated(k, past, theta)
    if cache is not None:
        off_k, off_v = behind(pair_lengths(cache[0]), off_k), behind(cache[1].abs(), off_v)
        k, v = behind(cache[0], k), behind(cache[1], v)
    long_q, (long_k, wide_k, wide_v, values) = (
        pair_lengths(q),
        (repeat(t, n_rep) for t in (pair_lengths(k), off_k, off_v, v)),
    )
    reach = long_q @ long_k.mT / math.sqrt(Dh)
    units = math.sqrt(2 / Dh) * (off_q @ long_k.mT + long_q @ wide_k.mT) + (Dh / 2 + 4) * reach
    hidden = ~lower_right(x.shape[1], S)
    weights = attend(rotated(q, past, theta), repeat(k, n_rep), values, ~hidden)[1]
    exponents = (units + 2 * reach).masked_fill(hidden, 0.0) + reach.masked_fill(hidden, 0.0).amax(-1, keepdim=True)
    total = exponents + (weights * exponents).sum(-1, keepdim=True) + S + 8
    leak = hidden * 1e-6 / FLOAT32
    off = (weights * (total + S + 4) + leak) @ values.abs() + weights @ wide_v
    output = merge(off) @ W[3].abs() + steps * merge(weights @ values).abs() @ W[3].abs()
    return output, torch.cat([off_k, off_k], -1), off_v
