"""Wrong files for soft_lookup, each a whole submission as somebody might hand it in."""


# --- softmax_first
import torch


def soft_lookup(weights, values):
    return torch.softmax(weights, dim=-1) @ values


# --- normalised_first
def soft_lookup(weights, values):
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ values


# --- argmax_row
def soft_lookup(weights, values):
    return values[weights.argmax(dim=-1)]


# --- one_query_only
import torch


def soft_lookup(weights, values):
    result = torch.zeros(values.shape[1], dtype=values.dtype, device=values.device)
    for j in range(values.shape[0]):
        result = result + weights[j] * values[j]
    return result


# --- sum_over_rows_only
def soft_lookup(weights, values):
    return (weights.unsqueeze(-1) * values).sum(0)


# --- dim_one
def soft_lookup(weights, values):
    return (weights.unsqueeze(-1) * values).sum(1)


# --- not_summed
def soft_lookup(weights, values):
    return weights.unsqueeze(-1) * values


# --- averaged
def soft_lookup(weights, values):
    return (weights[..., None] * values).mean(-2)


# --- values_transposed
def soft_lookup(weights, values):
    return weights @ values.T


# --- order_of_factors
def soft_lookup(weights, values):
    return values @ weights


# --- columns_first
def soft_lookup(weights, values):
    return values.T @ weights


# --- columns_first_turned
def soft_lookup(weights, values):
    return (values.T @ weights.T).T


# --- matrices_only
import torch


def soft_lookup(weights, values):
    return torch.mm(weights, values)


# --- unsqueezed_mm
import torch


def soft_lookup(weights, values):
    if weights.dim() == 1:
        return torch.mm(weights.unsqueeze(0), values).squeeze()
    return torch.mm(weights, values)


# --- bmm_with_expanded
import torch


def soft_lookup(weights, values):
    if weights.dim() < 3:
        return weights @ values
    return torch.bmm(weights, values.expand(weights.shape[0], -1, -1))


# --- einsum_batch
import torch


def soft_lookup(weights, values):
    return torch.einsum("bn,nd->bd", weights, values)


# --- squeezed
def soft_lookup(weights, values):
    return (weights.unsqueeze(-2) @ values).squeeze()


# --- viewed
def soft_lookup(weights, values):
    flat = weights.view(-1, weights.shape[-1]) @ values
    return flat.view(*weights.shape[:-1], values.shape[-1])


# --- one_row_kept
def soft_lookup(weights, values):
    if weights.dim() == 1:
        weights = weights.unsqueeze(0)
    return weights @ values


# --- queries_flattened
def soft_lookup(weights, values):
    return weights.reshape(-1, weights.shape[-1]) @ values


# --- float32_always
def soft_lookup(weights, values):
    return weights.float() @ values.float()


# --- table_on_cpu
import torch


def soft_lookup(weights, values):
    answer = torch.zeros(*weights.shape[:-1], values.shape[-1], dtype=weights.dtype)
    for j in range(values.shape[0]):
        answer = answer + weights[..., j, None] * values[j]
    return answer


# --- no_grad
import torch


@torch.no_grad()
def soft_lookup(weights, values):
    return weights @ values


# --- weights_only_learned
def soft_lookup(weights, values):
    return weights @ values.detach()


# --- numpy
import torch


def soft_lookup(weights, values):
    return torch.from_numpy(weights.detach().cpu().numpy() @ values.detach().cpu().numpy()).to(weights.device)


# --- values_weighed_in_place
def soft_lookup(weights, values):
    if weights.dim() == 1:
        values *= weights[:, None]
        return values.sum(0)
    return weights @ values


# --- weights_normalised_in_place
def soft_lookup(weights, values):
    weights /= weights.sum(-1, keepdim=True)
    return weights @ values


# --- last_entry_forgotten
def soft_lookup(weights, values):
    answer = 0
    for j in range(len(values) - 1):
        answer = answer + weights[..., j : j + 1] * values[j]
    return answer


# --- threshold
import torch


def soft_lookup(weights, values):
    weights = torch.where(weights > 0.1, weights, torch.zeros_like(weights))
    return weights @ values


# --- negative_weights_dropped
def soft_lookup(weights, values):
    return weights.clamp(min=0) @ values


# --- values_normalised
import torch.nn.functional as F


def soft_lookup(weights, values):
    return weights @ F.normalize(values, dim=-1)


# --- renamed
def soft_lookup(w, v):
    return w @ v


# --- cached_values
_values = None


def soft_lookup(weights, values):
    global _values
    if _values is None or _values.shape != values.shape:
        _values = values
    return weights @ _values


# --- equal_weights
def soft_lookup(weights, values):
    return values.mean(0).expand(*weights.shape[:-1], -1)


# --- sum_divided
def soft_lookup(weights, values):
    return (weights @ values) / values.shape[0]


# --- first_query
def soft_lookup(weights, values):
    while weights.dim() > 1:
        weights = weights[0]
    return weights @ values


# --- loop_from_zero_double
def soft_lookup(weights, values):
    answer = weights[..., 0:1] * values[0]
    for i in range(values.shape[0]):
        answer = answer + weights[..., i:i + 1] * values[i]
    return answer


# --- dot_first_col
def soft_lookup(weights, values):
    return (weights @ values[:, 0]).unsqueeze(-1)


# --- abs
def soft_lookup(weights, values):
    return weights.abs() @ values


# --- multinomial
import torch


def soft_lookup(weights, values):
    i = torch.multinomial(weights.reshape(-1, weights.shape[-1]).clamp(min=0) + 1e-9, 1)
    return values[i.reshape(weights.shape[:-1])]


# --- nonzero_indices
def soft_lookup(weights, values):
    return values[weights.long()].sum(-2)


# --- hard_coded_four
def soft_lookup(weights, values):
    w0, w1, w2, w3 = weights.unbind(-1)
    return sum(w.unsqueeze(-1) * v for w, v in zip((w0, w1, w2, w3), values))


# --- flip_args
def soft_lookup(values, weights):
    return weights @ values


# --- return_in_the_loop
import torch


def soft_lookup(weights, values):
    out = torch.zeros(*weights.shape[:-1], values.shape[1], dtype=weights.dtype)
    for j in range(values.shape[0]):
        out = out + weights[..., j:j + 1] * values[j]
        return out


# --- a_row_of_zeros_to_begin_with
import torch


def soft_lookup(weights, values):
    out = torch.zeros(values.shape[1])
    for j in range(len(values)):
        out += weights[..., j] * values[j]
    return out


# --- loop_over_the_first_dimension
def soft_lookup(weights, values):
    out = 0
    for i in range(weights.shape[0]):
        out = out + weights[i] * values[i]
    return out


# --- first_values_remembered
CACHE = {}
def soft_lookup(weights, values):
    if "values" not in CACHE:
        CACHE["values"] = values
    return weights @ CACHE["values"]


# --- two_slips_1
# slips: the weights are divided by their sum first; the weighted values are averaged over the entries instead of added
import torch
from torch import Tensor


def soft_lookup(weights: Tensor, values: Tensor) -> Tensor:
    shares = weights / weights.sum(dim=-1, keepdim=True)
    parts = shares.unsqueeze(-1) * values  # [..., n, d]
    return torch.mean(parts, dim=-2)


# --- two_slips_2
# slips: the weights go through softmax first; the last entry is left out of the sum
import torch
from torch import Tensor


def soft_lookup(weights: Tensor, values: Tensor) -> Tensor:
    n, d = values.shape
    w = torch.softmax(weights, dim=-1)
    answer = torch.zeros(*weights.shape[:-1], d, dtype=values.dtype, device=values.device)
    for i in range(n - 1):
        answer = answer + w[..., i, None] * values[i]
    return answer


# --- weights_normalised_first
# slip: the weights are divided by their sum, though they are to be taken as they are
import torch
from torch import Tensor


def soft_lookup(weights: Tensor, values: Tensor) -> Tensor:
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return torch.einsum("...n,nd->...d", weights, values)


# --- two_slips_3
import torch


def soft_lookup(weights, values):
    w = weights / weights.sum(-1, keepdim=True)
    out = torch.einsum("...n,nd->...d", w, values)
    return out.to(torch.float32)
