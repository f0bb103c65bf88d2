"""Wrong files for attention_scores, each a whole submission as somebody might hand it in."""


# --- scaled_by_root
import math

import torch


def attention_scores(q, k):
    return torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))


# --- scaled_by_dimension
def attention_scores(q, k):
    return q @ k.mT / q.shape[-1]


# --- softmax_too
import torch


def attention_scores(q, k):
    scores = q @ k.transpose(-1, -2)
    return torch.softmax(scores, dim=-1)


# --- scaled_softmax
import torch.nn.functional as F


def attention_scores(q, k):
    d = q.shape[-1]
    return F.softmax(q @ k.transpose(-2, -1) / d**0.5, dim=-1)


# --- no_transpose
def attention_scores(q, k):
    return q @ k


# --- transposed_result
def attention_scores(q, k):
    return k @ q.transpose(-2, -1)


# --- transpose_one_two
import torch


def attention_scores(q, k):
    return torch.matmul(q, k.transpose(1, 2))


# --- capital_t
def attention_scores(q, k):
    return q @ k.T


# --- matrices_only
import torch


def attention_scores(q, k):
    return torch.mm(q, k.t())


# --- batches_only
import torch


def attention_scores(q, k):
    return torch.bmm(q, k.transpose(1, 2))


# --- einsum_one_batch
import torch


def attention_scores(q, k):
    return torch.einsum("bqd,bkd->bqk", q, k)


# --- einsum_batch_and_heads
import torch


def attention_scores(q, k):
    if q.dim() == 2:
        return torch.einsum("qd,kd->qk", q, k)
    if q.dim() == 3:
        return torch.einsum("bqd,bkd->bqk", q, k)
    return torch.einsum("bhqd,bhkd->bhqk", q, k)


# --- reshaped_keys
def attention_scores(q, k):
    return q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])


# --- viewed_in_batches
import torch


def attention_scores(q, k):
    lead = q.shape[:-2]
    q3 = q.view(-1, q.shape[-2], q.shape[-1])
    k3 = k.view(-1, k.shape[-2], k.shape[-1])
    return torch.bmm(q3, k3.transpose(1, 2)).view(*lead, q.shape[-2], k.shape[-2])


# --- squeezed
import torch


def attention_scores(q, k):
    diff = q.unsqueeze(-2) @ k.unsqueeze(-3).transpose(-2, -1)
    return diff.squeeze()


# --- cosine
import torch.nn.functional as F


def attention_scores(q, k):
    return F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)


# --- negative_distance
import torch


def attention_scores(q, k):
    return -torch.cdist(q, k)


# --- elementwise
def attention_scores(q, k):
    return q * k


# --- row_by_row_only
def attention_scores(q, k):
    return (q * k).sum(-1)


# --- float_loop
import torch


def attention_scores(q, k):
    if q.dim() > 2:
        return torch.stack([attention_scores(a, b) for a, b in zip(q, k)])
    rows = [[float((a * b).sum()) for b in k] for a in q]
    return torch.tensor(rows, dtype=q.dtype, device=q.device)


# --- filled_table_on_cpu
import torch


def attention_scores(q, k):
    out = torch.zeros(*q.shape[:-1], k.shape[-2])
    for i in range(q.shape[-2]):
        for j in range(k.shape[-2]):
            out[..., i, j] = (q[..., i, :] * k[..., j, :]).sum(-1)
    return out


# --- always_float32
def attention_scores(q, k):
    return q.float() @ k.float().transpose(-2, -1)


# --- detached
def attention_scores(q, k):
    return q.data @ k.data.transpose(-2, -1)


# --- scales_queries_in_place
def attention_scores(q, k):
    q /= q.shape[-1] ** 0.5
    return q @ k.transpose(-2, -1)


# --- keys_transposed_in_place
def attention_scores(q, k):
    k.transpose_(-2, -1)
    return q @ k


# --- causal_too
import torch


def attention_scores(q, k):
    scores = q @ k.transpose(-2, -1)
    mask = torch.triu(torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device), 1)
    return scores.masked_fill(mask, float("-inf"))


# --- all_examples_compared
import torch


def attention_scores(q, k):
    return torch.tensordot(q, k, dims=([-1], [-1]))


# --- first_example_only
def attention_scores(q, k):
    while q.dim() > 2:
        q, k = q[0], k[0]
    return q @ k.t()


# --- keys_by_as_many_as_queries
import torch


def attention_scores(q, k):
    n = q.shape[-2]
    out = torch.empty(*q.shape[:-2], n, n, dtype=q.dtype, device=q.device)
    for i in range(n):
        for j in range(n):
            out[..., i, j] = (q[..., i, :] * k[..., j, :]).sum(-1)
    return out


# --- remembered_keys
_transposed = {}


def attention_scores(q, k):
    if k.shape not in _transposed:
        _transposed[k.shape] = k.transpose(-2, -1)
    return q @ _transposed[k.shape]


# --- renamed
def attention_scores(query, key):
    return query @ key.transpose(-2, -1)


# --- last_channel_left_out
def attention_scores(q, k):
    total = 0
    for c in range(q.shape[-1] - 1):
        total = total + q[..., :, None, c] * k[..., None, :, c]
    return total


# --- averaged
def attention_scores(q, k):
    return (q.unsqueeze(-2) * k.unsqueeze(-3)).mean(-1)


# --- all_axes_turned
def attention_scores(q, k):
    return q @ k.permute(*range(k.dim() - 1, -1, -1))


# --- centred_scores
def attention_scores(q, k):
    scores = q @ k.transpose(-2, -1)
    return scores - scores.max(dim=-1, keepdim=True).values


# --- inner_q_q
def attention_scores(q, k):
    return q @ q.transpose(-2, -1)


# --- int_cast
import torch


def attention_scores(q, k):
    return torch.round(q @ k.mT, decimals=2)


# --- bmm
import torch


def attention_scores(q, k):
    return torch.bmm(q, k.transpose(1, 2))


# --- in_place_scale
def attention_scores(q, k):
    q.data.mul_(q.shape[-1] ** -0.5)
    return q @ k.mT * q.shape[-1] ** 0.5


# --- item_list
import torch


def attention_scores(q, k):
    flat_q, flat_k = q.reshape(-1, *q.shape[-2:]), k.reshape(-1, *k.shape[-2:])
    out = [[[sum((a * b).item() for a, b in zip(x, y)) for y in kk] for x in qq] for qq, kk in zip(flat_q, flat_k)]
    return torch.tensor(out, dtype=q.dtype, device=q.device).reshape(*q.shape[:-1], k.shape[-2])


# --- two_slips_1
# slips: the scores are divided by sqrt(Dh) although raw ones are asked for; the table is transposed (keys as rows)
import torch
from torch import Tensor


def attention_scores(q: Tensor, k: Tensor) -> Tensor:
    head_dim = q.shape[-1]
    table = torch.einsum("...qd,...kd->...kq", q, k)
    return table / head_dim**0.5


# --- two_slips_2
# slips: the products are averaged over the channels instead of summed; softmax is applied to the scores
import torch
from torch import Tensor


def attention_scores(q: Tensor, k: Tensor) -> Tensor:
    columns = []
    for j in range(k.shape[-2]):
        key = k[..., j, :].unsqueeze(-2)  # [..., 1, Dh]
        columns.append((q * key).mean(dim=-1))
    scores = torch.stack(columns, dim=-1)
    return torch.softmax(scores, dim=-1)


# --- whole_transpose_of_a_batch
# slip: k.T turns around all axes of a batch, not only the last two
from torch import Tensor


def attention_scores(q: Tensor, k: Tensor) -> Tensor:
    # [T_q, Dh] @ [Dh, T_kv]
    return q @ k.T


# --- two_slips_3
import torch


def attention_scores(q, k):
    scores = torch.einsum("...id,...jd->...ji", q, k)
    return scores / q.shape[-1] ** 0.5
