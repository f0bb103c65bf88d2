"""What goes wrong in MiniMind's attention block where a text comes in chunks, with a cache of keys and values between.

Caches are keys and values [B, H_kv, S, Dh]; W_Q, W_K, W_V and W_O are used as x @ W.
"""

import math

import torch
from hidden.lib import rotary
from hidden.lib.attention import causal, scores_of
from hidden.lib.minimind import FAULTS, offset, put_behind, turned, turning, visible


def square_added(q, k, v, visible):
    """The scores with a mask of the last columns only added to them."""
    T = q.shape[-2]
    scores = scores_of(q, k) + torch.zeros(T, T, device=q.device).masked_fill(~visible[:, -T:], -math.inf).to(q)
    return scores.softmax(-1) @ v, scores


def all_visible(T, S, device):
    return torch.ones(T, S, dtype=torch.bool, device=device)


def by_heads(x, start, theta):
    """Heads are taken for tokens."""
    return turned(x.transpose(1, 2), start, theta).transpose(1, 2)


OWN = {
    "new_keys_before_old": {"behind": lambda old, new: torch.cat([new, old], 2), "values_behind": put_behind},
    "joined_along_heads": {"behind": lambda old, new: torch.cat([old, new], 1)},
    "square_mask_on_the_left": {
        "mask": lambda T, S, device: torch.cat([visible(T, T, device), all_visible(T, S - T, device)], 1)
    },
    "mask_of_the_first_chunk": {"mask": lambda T, S, device: (visible if T == S else all_visible)(T, S, device)},
    "mask_one_too_far": FAULTS["sees_the_next"],
    "new_ones_hidden": {"mask": lambda T, S, device: (causal(T, S, S - T - 1) | (torch.arange(S) == 0)).to(device)},
    "diagonal_hidden_after_the_first": offset(lambda T, S: max(S - T - 1, 0)),
    "start_after_appending": {"start": lambda past, T: past + T},
    "rope_neighbours": FAULTS["neighbours_paired"],
    "rope_backwards": FAULTS["rotated_backwards"],
    "rope_mixed": turning(quarter=rotary.neighbours_turn),
    "rope_by_heads": {"turn": by_heads},
}
PLACES = {  # what can go wrong in a block, with a cache or without
    name: (FAULTS | OWN)[name]
    for name in (
        "new_before_old", "new_keys_before_old", "joined_along_heads", "top_left_mask", "top_left_mask_if_several",
        "square_mask", "square_mask_on_the_left", "mask_of_the_first_chunk", "mask_one_too_far", "new_ones_hidden",
        "diagonal_hidden_after_the_first", "no_causal_mask", "rope_reset", "starts_too_late", "start_after_appending",
        "no_rope", "rope_q_only", "rope_k_only", "rope_on_values", "rope_neighbours", "rope_backwards", "rope_mixed",
        "rope_by_heads", "heads_tiled", "split_without_transpose", "merge_without_transpose", "merge_view",
        "weights_transposed", "no_output_projection", "additive_inf_times_zero", "mask_on_cpu", "no_scale",
        "scale_sqrt_dmodel", "scale_d_head", "scale_integer_root", "softmax_over_queries", "softmax_over_heads",
        "mask_inverted", "mask_multiplied", "mask_after_softmax", "fill_1e9",
    )
}  # fmt: skip


def matrices(make, C, H, H_kv):
    """W_Q, W_K, W_V and W_O that keep the size of what they are given."""
    return [make.normal(C, width, scale=C**-0.5) for width in (C, C // H * H_kv, C // H * H_kv, C)]


def inputs(make, B=2, T=6, C=24, H=6, H_kv=3):
    """Tokens, matrices that keep their size, numbers of heads."""
    return make.normal(B, T, C), matrices(make, C, H, H_kv), H, H_kv


def picking(make, T=8):
    """Tokens, matrices and numbers of heads: few channels that are only moved, as exact as a dtype can have them."""
    eye = torch.eye(4).double()
    W = [1.4 * eye[[2, 0, 3, 1]], 1.4 * eye[:, [1, 3]], eye[:, [0, 2]], eye[[1, 3, 0, 2]]]
    return make.tensor(torch.where(make.mask(2, T, 4), 1.0, -1.0)), [make.tensor(w) for w in W], 2, 1
