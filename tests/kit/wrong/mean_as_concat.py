"""Wrong files for mean_as_concat, each a whole submission as somebody might hand it in."""


# --- not_divided
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- divided_by_root
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads ** 0.5] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- divided_twice
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads ** 2] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- multiplied
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W * num_heads] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- divided_by_dh
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / W.shape[0]] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- rows_interleaved
import torch


def mean_as_concat(W, num_heads):
    W_O = (W / num_heads).repeat_interleave(num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- side_by_side
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=1)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- repeat_wrong_axis
import torch


def mean_as_concat(W, num_heads):
    W_O = (W / num_heads).repeat(1, num_heads)
    return W_O, int(torch.linalg.matrix_rank(W_O))


# --- reshaped_wide
import torch


def mean_as_concat(W, num_heads):
    W_O = (W / num_heads).repeat(1, num_heads).reshape(num_heads * W.shape[0], W.shape[1])
    return W_O, int(torch.linalg.matrix_rank(W))


# --- block_diagonal
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.block_diag(*[W / num_heads] * num_heads)
    return W_O, int(torch.linalg.matrix_rank(W_O))


# --- only_first_head
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W] + [torch.zeros_like(W)] * (num_heads - 1))
    return W_O, int(torch.linalg.matrix_rank(W))


# --- transposed
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, 0).T
    return W_O, int(torch.linalg.matrix_rank(W))


# --- rank_is_dh
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, W.shape[0]


# --- rank_is_min
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, min(W.shape)


# --- rank_min_of_w_o
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, min(W_O.shape)


# --- rank_times_heads
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W)) * num_heads


# --- rank_one
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, 1


# --- rank_is_d
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, W.shape[1]


# --- rank_nonzero_rows
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, int((W != 0).any(1).sum())


# --- rank_count_nonzero_singular
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, int((torch.linalg.svdvals(W) != 0).sum())


# --- rank_absolute_threshold
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, int((torch.linalg.svdvals(W) > 1e-3).sum())


# --- rank_threshold_one
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, int((torch.linalg.svdvals(W) > 0.5).sum())


# --- rank_eigen
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, int((torch.linalg.eigvals(W).abs() > 1e-6).sum())


# --- rank_trace
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, int(W.diagonal().ne(0).sum())


# --- swapped
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return int(torch.linalg.matrix_rank(W)), W_O


# --- only_matrix
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O


# --- result_float32
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W.float() / num_heads] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- detached
import torch


def mean_as_concat(W, num_heads):
    W = W.detach()
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- from_list
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.tensor((W / num_heads).tolist() * num_heads, dtype=W.dtype, device=W.device)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- numpy
import numpy as np
import torch


def mean_as_concat(W, num_heads):
    n = W.detach().numpy()
    W_O = torch.from_numpy(np.concatenate([n / num_heads] * num_heads))
    return W_O, int(np.linalg.matrix_rank(n))


# --- in_place
import torch


def mean_as_concat(W, num_heads):
    W /= num_heads
    W_O = torch.cat([W] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- on_cpu
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.zeros(num_heads * W.shape[0], W.shape[1], dtype=W.dtype)
    for h in range(num_heads):
        W_O[h * W.shape[0] : (h + 1) * W.shape[0]] = W / num_heads
    return W_O, int(torch.linalg.matrix_rank(W))


# --- two_heads_only
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / 2, W / 2], dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- integer_division
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W // num_heads] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- first_head_more
import torch


def mean_as_concat(W, num_heads):
    parts = [W / num_heads for _ in range(num_heads - 1)]
    return torch.cat([W] + parts), int(torch.linalg.matrix_rank(W))


# --- one_block_missing
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads for _ in range(1, num_heads)])
    return W_O, int(torch.linalg.matrix_rank(W))


# --- renamed
import torch


def mean_as_concat(weight, H):
    W, num_heads = weight, H
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    return W_O, int(torch.linalg.matrix_rank(W))


# --- view
import torch


def mean_as_concat(W, num_heads):
    W = W.view(1, W.shape[0], W.shape[1])
    W_O = (W / num_heads).expand(num_heads, -1, -1).view(-1, W.shape[-1])
    return W_O, int(torch.linalg.matrix_rank(W[0]))


# --- cached
import torch


_seen = {}


def mean_as_concat(W, num_heads):
    key = tuple(W.shape), num_heads
    if key not in _seen:
        _seen[key] = torch.cat([W / num_heads] * num_heads, dim=0), int(torch.linalg.matrix_rank(W))
    return _seen[key]


# --- no_division_and_rank_min
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W] * num_heads, dim=0)
    return W_O, min(W_O.shape)


# --- interleaved_and_rank_min
import torch


def mean_as_concat(W, num_heads):
    W_O = (W / num_heads).repeat_interleave(num_heads, dim=0)
    return W_O, min(W.shape)


# --- squeezed
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W / num_heads] * num_heads, dim=0).squeeze()
    return W_O, int(torch.linalg.matrix_rank(W))


# --- example_two
import torch


def mean_as_concat(W, num_heads):
    return torch.cat([W / 2] * num_heads), int(torch.linalg.matrix_rank(W))


# --- blocks_of_data
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.zeros(num_heads * W.shape[0], W.shape[1], dtype=W.dtype)
    for h in range(num_heads):
        W_O[h * W.shape[0]:(h + 1) * W.shape[0]] = W.data / num_heads
    return W_O, int(torch.linalg.matrix_rank(W_O))


# --- reshaped_from_side_by_side
import torch


def mean_as_concat(W, num_heads):
    W_O = W.repeat(1, num_heads).reshape(num_heads * W.shape[0], W.shape[1]) / num_heads
    return W_O, int(torch.linalg.matrix_rank(W_O))


# --- rank_taken_from_the_shape
# slip: the rank is given as min(H * Dh, D) from the shape, without looking at the numbers
import torch
from torch import Tensor


def mean_as_concat(W: Tensor, num_heads: int) -> tuple[Tensor, int]:
    W_O = torch.cat([W / num_heads] * num_heads, dim=0)
    rank = min(W_O.shape)
    return W_O, rank


# --- two_slips_1
import torch


def mean_as_concat(W, num_heads):
    W_O = torch.cat([W] * num_heads, dim=0)
    rank = min(W.shape)
    return W_O, rank
