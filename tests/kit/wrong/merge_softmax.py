"""Wrong files for merge_softmax, each a whole submission as somebody might hand it in."""


# --- no_care_for_hidden_rows
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    p = torch.exp(scores - m.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    a1 = torch.exp(m1 - m)
    a2 = torch.exp(m2 - m)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- no_care_in_the_part
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    p = torch.exp(scores - m.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- no_care_in_the_merge
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    a1 = torch.exp(m1 - m)
    a2 = torch.exp(m2 - m)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- nan_to_num_on_the_result
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    a1 = torch.exp(m1 - m)
    a2 = torch.exp(m2 - m)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    m, l, o = torch.nan_to_num(m), torch.nan_to_num(l), torch.nan_to_num(o)
    return m, l, o


# --- factors_nan_to_num_one
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    p = torch.nan_to_num(torch.exp(scores - m.unsqueeze(-1)), 1.0)
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    a1 = torch.nan_to_num(torch.exp(m1 - m), 1.0)
    a2 = torch.nan_to_num(torch.exp(m2 - m), 1.0)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- rescaled_the_wrong_way
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(safe - m1)
    a2 = torch.exp(safe - m2)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- not_rescaled
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 + l2
    o = o1 + o2
    return m, l, o


# --- outputs_not_rescaled
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 + o2
    return m, l, o


# --- sums_not_rescaled
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 + l2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- factors_exchanged
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a2 + l2 * a1
    o = o1 * a2.unsqueeze(-1) + o2 * a1.unsqueeze(-1)
    return m, l, o


# --- only_the_second_rescaled
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 + l2 * a2
    o = o1 + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- output_normalised_in_the_part
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v / l.unsqueeze(-1)
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- output_normalised_in_the_merge
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    o = o / l.unsqueeze(-1)
    return m, l, o


# --- output_normalised_in_both
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = torch.nan_to_num(p @ v / l.unsqueeze(-1))
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = torch.nan_to_num((o1 * (a1 * l1).unsqueeze(-1) + o2 * (a2 * l2).unsqueeze(-1)) / l.unsqueeze(-1))
    return m, l, o


# --- sum_of_maxima
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = m1 + m2
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- minimum
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.minimum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- mean_of_maxima
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = (m1 + m2) / 2
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- largest_of_all
import torch


def softmax_part(scores, v):
    m = scores.max().expand(scores.shape[:-1])
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- m_of_all_in_the_merge
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1.max(), m2.max()).expand(m1.shape)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- maximum_over_queries
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-2).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- maximum_keepdim
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1, keepdim=True).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe)
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- no_maximum
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    p = torch.exp(scores)
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- sum_keepdim
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1, keepdim=True)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- m_zero_where_hidden
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    m = safe
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    m = safe
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- finfo_min_for_hidden
import torch


def softmax_part(scores, v):
    scores = scores.masked_fill(torch.isinf(scores), torch.finfo(scores.dtype).min)
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- m_minus_1e9
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    m = torch.where(torch.isinf(m), torch.full_like(m, -1e9), m)
    safe = m
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- lists_returned_as_lse
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = torch.log(l1 * a1 + l2 * a2) + m
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- one_if_none
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    if torch.isinf(one[0]).all():
        return other
    if torch.isinf(other[0]).all():
        return one
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    a1 = torch.exp(m1 - m)
    a2 = torch.exp(m2 - m)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- if_hidden_anywhere
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    if torch.isinf(one[0]).any():
        return other
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- in_place
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1.mul_(a1).add_(l2 * a2)
    o = o1.mul_(a1.unsqueeze(-1)).add_(o2 * a2.unsqueeze(-1))
    return m, l, o


# --- scores_in_place
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    scores -= safe.unsqueeze(-1)
    p = scores.exp()
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- detached
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1.detach() * a1 + l2.detach() * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- values_detached
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v.detach()
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- no_grad
import torch


@torch.no_grad()
def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


@torch.no_grad()
def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- float32
import torch


def softmax_part(scores, v):
    scores, v = scores.float(), v.float()
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    one, other = [t.float() for t in one], [t.float() for t in other]
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- zeros_on_the_cpu
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros(m.shape, dtype=m.dtype), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros(m.shape, dtype=m.dtype), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- squeezed
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = (p @ v).squeeze()
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- torch_mm
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = torch.mm(p, v)
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- einsum_one_batch
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = torch.einsum('btn,bnd->btd', p, v)
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- weights_transposed
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p.transpose(-2, -1) @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- base_two
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp2(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp2(m1 - safe)
    a2 = torch.exp2(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- base_two_in_the_merge
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp2(m1 - safe)
    a2 = torch.exp2(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- order_l_m
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return l, m, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return l, m, o


# --- order_o_l_m_in_the_merge
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return o, l, m


# --- unsqueezed_on_the_wrong_side
import torch


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-2) + o2 * a2.unsqueeze(-2)
    return m, l, o


# --- softmax_used
import torch
def softmax_part(scores, v):
    m = scores.amax(-1)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    e = torch.softmax(scores, -1)
    return m, e.sum(-1), e @ v
def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(m == float("-inf"), torch.zeros_like(m), m)
    a1, a2 = torch.exp(m1 - safe), torch.exp(m2 - safe)
    return m, l1 * a1 + l2 * a2, o1 * a1[..., None] + o2 * a2[..., None]


# --- largest_of_all_scores
import torch


def softmax_part(scores, v):
    m = scores.max().expand(scores.shape[:-1])
    e = (scores - m[..., None]).exp()
    return m, e.sum(-1), e @ v


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- o_is_an_output_already
import torch


def softmax_part(scores, v):
    m = scores.amax(-1)
    s = m.masked_fill(m == -torch.inf, 0)
    e = (scores - s[..., None]).exp()
    l = e.sum(-1)
    return m, l, (e / l[..., None].clamp(min=1e-30)) @ v


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    a1 = torch.exp(m1 - safe)
    a2 = torch.exp(m2 - safe)
    l = l1 * a1 + l2 * a2
    o = o1 * a1.unsqueeze(-1) + o2 * a2.unsqueeze(-1)
    return m, l, o


# --- outputs_averaged_with_a_guard
import torch


def merge_softmax(one, other):
    m = torch.maximum(one[0], other[0])
    s = m.masked_fill(m == -torch.inf, 0)
    a, b = one[1] * (one[0] - s).exp(), other[1] * (other[0] - s).exp()
    l = a + b
    return m, l, (one[2] * a[..., None] + other[2] * b[..., None]) / l[..., None].clamp(min=1e-30)


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


# --- the_smaller_maximum_and_nan_to_num
import torch


def merge_softmax(one, other):
    m = torch.minimum(one[0], other[0])
    a, b = (one[0] - m).exp().nan_to_num(0, posinf=0), (other[0] - m).exp().nan_to_num(0, posinf=0)
    return m, one[1] * a + other[1] * b, one[2] * a[..., None] + other[2] * b[..., None]


def softmax_part(scores, v):
    m = scores.max(dim=-1).values
    safe = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    l = p.sum(dim=-1)
    o = p @ v
    return m, l, o


# --- first_output_in_place
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def softmax_part(scores, v):
    m = scores.amax(-1)
    safe = torch.where(m == -math.inf, torch.zeros_like(m), m)
    p = torch.exp(scores - safe.unsqueeze(-1))
    return m, p.sum(-1), p @ v
def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    safe = m.masked_fill(m == -math.inf, 0.0)
    a, b = torch.exp(m1 - safe), torch.exp(m2 - safe)
    o1 *= a[..., None]
    return m, a * l1 + b * l2, o1 + b[..., None] * o2


# --- two_slips_1
import torch
from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    m = scores.max(dim=-1).values
    base = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    e = torch.exp(scores - base[..., None])
    l = e.mean(dim=-1)
    o = e @ v
    return m, l, o


def merge_softmax(one: Part, other: Part) -> Part:
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    ref = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    f1 = torch.exp(m1 - ref)
    f2 = torch.exp(m1 - ref)
    return m, f1 * l1 + f2 * l2, f1[..., None] * o1 + f2[..., None] * o2


# --- two_slips_2
import math

import torch
from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    m = scores.amax(-1)
    shifted = scores - m.masked_fill(m == -math.inf, 0).unsqueeze(-1)
    factors = shifted.exp()
    l = factors.sum(-1)
    weights = factors / l.clamp(min=1e-12).unsqueeze(-1)
    return m, l, torch.einsum("...tn,...nd->...td", weights, v)


def merge_softmax(one: Part, other: Part) -> Part:
    m = torch.max(one[0], other[0])
    anchor = m.masked_fill(m == -math.inf, 0)
    a = torch.exp(one[0] - anchor)
    b = torch.exp(other[0] - anchor)
    l = a * one[1] + b * other[1]
    o = one[2] + other[2]
    return m, l, o


# --- two_slips_3
import torch
from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def _no_inf(t: Tensor) -> Tensor:
    return torch.where(t == float("-inf"), 0.0, t)


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    largest = scores.amax(dim=-1)
    terms = scores.exp()
    return largest, terms.sum(dim=-1), torch.matmul(terms, v)


def merge_softmax(one: Part, other: Part) -> Part:
    (m_a, l_a, o_a), (m_b, l_b, o_b) = one, other
    m_ab = torch.minimum(m_a, m_b)
    scale_a = (m_a - _no_inf(m_ab)).exp()
    scale_b = (m_b - _no_inf(m_ab)).exp()
    l_ab = scale_a * l_a + scale_b * l_b
    o_ab = scale_a.unsqueeze(-1) * o_a + scale_b.unsqueeze(-1) * o_b
    return m_ab, l_ab, o_ab


# --- two_slips_4
import torch
from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    m, _ = scores.max(dim=-1, keepdim=True)
    p = torch.exp(scores - m)
    return m.squeeze(-1), p.sum(-1), p @ v


def merge_softmax(one: Part, other: Part) -> Part:
    m = torch.maximum(one[0], other[0])
    zero = torch.nan_to_num(m, neginf=0.0)
    w1 = torch.exp(one[0] - zero)
    w2 = torch.exp(other[0] - zero)
    total = one[1] * w1 + other[1] * w2
    mixed = one[2] * torch.exp(zero - one[0]).unsqueeze(-1) + other[2] * w2.unsqueeze(-1)
    return m, total, mixed


# --- two_slips_5
# slips: a part with everything hidden gives NaN (-inf minus -inf); in the merge the exponents of the factors have the wrong sign
import torch
from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    m = scores.max(dim=-1).values
    e = torch.exp(scores - m[..., None])
    return m, e.sum(dim=-1), e @ v


def _factor(m_old, m):
    f = torch.exp(m - m_old)
    return torch.where(m_old == float("-inf"), torch.zeros_like(f), f)


def merge_softmax(one: Part, other: Part) -> Part:
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    a, b = _factor(m1, m), _factor(m2, m)
    return m, l1 * a + l2 * b, o1 * a.unsqueeze(-1) + o2 * b.unsqueeze(-1)


# --- two_slips_6
# slips: softmax_part already divides o by l; merge adds l1 and l2 without bringing them to the same maximum
import math

import torch
from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    m = scores.amax(-1, keepdim=True)
    ref = m.masked_fill(m == -math.inf, 0.0)
    p = (scores - ref).exp()
    l = p.sum(-1, keepdim=True)
    o = torch.matmul(p, v)
    o = o / l.clamp(min=1e-20)
    return m.squeeze(-1), l.squeeze(-1), o


def merge_softmax(one: Part, other: Part) -> Part:
    (m1, l1, o1), (m2, l2, o2) = one, other
    m = torch.max(m1, m2)
    ref = m.masked_fill(m == -math.inf, 0.0)
    f1, f2 = (m1 - ref).exp(), (m2 - ref).exp()
    l = l1 + l2
    o = f1[..., None] * o1 + f2[..., None] * o2
    return m, l, o


# --- two_slips_7
# slips: a hidden row reports 0 in place of -inf as its maximum; the factors meet o without an axis for the values, along the wrong dimension
import torch
from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    m = torch.amax(scores, dim=-1)
    m0 = torch.nan_to_num(m, neginf=0.0)
    w = torch.exp(scores - m0.unsqueeze(-1))
    l = torch.einsum("...tn->...t", w)
    o = torch.einsum("...tn,...nd->...td", w, v)
    return m0, l, o


def merge_softmax(one: Part, other: Part) -> Part:
    m = torch.stack([one[0], other[0]]).amax(dim=0)
    base = torch.nan_to_num(m, neginf=0.0)
    l, o = 0, 0
    for mi, li, oi in (one, other):
        factor = torch.exp(mi - base)
        l = l + li * factor
        o = o + oi * factor
    return m, l, o


# --- two_slips_8
import torch


def softmax_part(scores, v):
    m = scores.amax(dim=-1)
    ref = torch.where(torch.isinf(m), torch.zeros_like(m), m)
    e = torch.exp(scores - ref.unsqueeze(-1))
    return m, e.sum(-1), e @ v


def merge_softmax(one, other):
    m1, l1, o1 = one
    m2, l2, o2 = other
    m = torch.maximum(m1, m2)
    ref = m
    f1, f2 = torch.exp(m1 - ref), torch.exp(m2 - ref)
    l = l1 * f1 + l2 * f2
    o = o1 + o2
    return m, l, o


# --- softmax_part_row_with_everything_hidden
import torch
from torch import Tensor

Part = tuple[Tensor, Tensor, Tensor]


def softmax_part(scores: Tensor, v: Tensor) -> Part:
    m = scores.max(dim=-1, keepdim=True).values
    p = (scores - m).exp()
    return m.squeeze(-1), p.sum(dim=-1), torch.einsum("...tn,...nd->...td", p, v)


def _factor(old: Tensor, new: Tensor) -> Tensor:
    return torch.where(old == float("-inf"), torch.zeros_like(old), torch.exp(old - new))


def merge_softmax(one: Part, other: Part) -> Part:
    m = torch.max(one[0], other[0])
    a, b = _factor(one[0], m), _factor(other[0], m)
    return m, one[1] * a + other[1] * b, one[2] * a[..., None] + other[2] * b[..., None]
