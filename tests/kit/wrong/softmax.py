"""Wrong submissions for softmax, as people write them; written from the statement, without the suite in view."""

# --- textbook_formula
import torch


def softmax(x, dim=-1):
    return torch.exp(x) / torch.exp(x).sum(dim=dim, keepdim=True)


# --- maximum_of_everything
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - torch.max(x))
    return e / e.sum(dim=dim, keepdim=True)


# --- keepdim_of_the_sum_forgotten
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.max(dim=dim, keepdim=True).values)
    return e / e.sum(dim=dim)


# --- keepdim_of_the_maximum_forgotten
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.max(dim=dim).values)
    return e / e.sum(dim=dim, keepdim=True)


# --- unsqueezed_at_the_end
import torch


def softmax(x, dim=-1):
    m = x.max(dim=dim).values.unsqueeze(-1)
    e = torch.exp(x - m)
    return e / e.sum(dim=dim).unsqueeze(-1)


# --- sum_of_everything
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.max(dim=dim, keepdim=True)[0])
    return e / e.sum()


# --- dim_ignored
import torch


def softmax(x, dim=-1):
    x = x - x.amax(-1, keepdim=True)
    e = x.exp()
    return e / e.sum(-1, keepdim=True)


# --- epsilon_below
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / (e.sum(dim, keepdim=True) + 1e-6)


# --- machine_epsilon_below
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / (e.sum(dim, keepdim=True) + torch.finfo(x.dtype).eps)


# --- maximum_tuple
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - torch.max(x, dim=dim, keepdim=True))
    return e / torch.sum(e, dim=dim, keepdim=True)


# --- numpy
import numpy as np
import torch


def softmax(x, dim=-1):
    a = x.detach().numpy()
    e = np.exp(a - a.max(axis=dim, keepdims=True))
    return torch.from_numpy(e / e.sum(axis=dim, keepdims=True))


# --- float32_everywhere
import torch


def softmax(x, dim=-1):
    x = x.to(torch.float32)
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


# --- in_place
import torch


def softmax(x, dim=-1):
    x -= x.amax(dim, keepdim=True)
    x.exp_()
    x /= x.sum(dim, keepdim=True)
    return x


# --- exponential_in_place
import torch


def softmax(x, dim=-1):
    e = (x - x.amax(dim, keepdim=True)).exp_()
    e /= e.sum(dim, keepdim=True)
    return e.detach()


# --- matrix_loop
import torch


def softmax(x, dim=-1):
    out = torch.zeros_like(x)
    for i in range(x.shape[0]):
        e = torch.exp(x[i] - x[i].max())
        out[i] = e / e.sum()
    return out


# --- loop_over_positive_dims
import torch


def softmax(x, dim=-1):
    if dim == -1:
        dim = 1
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


# --- transposed_there_not_back
import torch


def softmax(x, dim=-1):
    y = x.transpose(dim, -1)
    e = torch.exp(y - y.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


# --- view_of_rows
import torch


def softmax(x, dim=-1):
    y = x.transpose(dim, -1)
    rows = y.view(-1, y.shape[-1])
    e = torch.exp(rows - rows.amax(-1, keepdim=True))
    return (e / e.sum(-1, keepdim=True)).view(y.shape).transpose(dim, -1)


# --- clipped
import torch


def softmax(x, dim=-1):
    e = torch.exp(torch.clamp(x, max=80))
    return e / e.sum(dim, keepdim=True)


# --- half_of_the_minimum
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amin(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


# --- mean
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.mean(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


# --- nan_to_num
import torch


def softmax(x, dim=-1):
    e = torch.exp(x)
    return torch.nan_to_num(e / e.sum(dim, keepdim=True))


# --- infinities_made_finite
import torch


def softmax(x, dim=-1):
    x = torch.where(torch.isinf(x), torch.full_like(x, -10.0), x)
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


# --- nan_on_hidden
import torch


def softmax(x, dim=-1):
    x = x - x.amax(dim, keepdim=True)
    log = x - torch.log(torch.exp(x).sum(dim, keepdim=True))
    return log


# --- sigmoid
import torch


def softmax(x, dim=-1):
    return 1 / (1 + torch.exp(-x))


# --- normalised_not_exponentiated
import torch


def softmax(x, dim=-1):
    x = x - x.amin(dim, keepdim=True)
    return x / x.sum(dim, keepdim=True)


# --- negative_exponent
import torch


def softmax(x, dim=-1):
    e = torch.exp(x.amin(dim, keepdim=True) - x)
    return e / e.sum(dim, keepdim=True)


# --- power_of_two
import torch


def softmax(x, dim=-1):
    e = 2 ** (x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


# --- squared
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.pow(2).sum(dim, keepdim=True).sqrt()


# --- temperature
import torch


def softmax(x, dim=-1):
    e = torch.exp((x - x.amax(dim, keepdim=True)) / x.shape[dim] ** 0.5)
    return e / e.sum(dim, keepdim=True)


# --- rounded
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return torch.round(e / e.sum(dim, keepdim=True), decimals=4)


# --- squeezed
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return (e / e.sum(dim, keepdim=True)).squeeze()


# --- sum_on_the_cpu
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    total = torch.zeros(e.sum(dim, keepdim=True).shape, dtype=x.dtype)
    return e / (total + e.sum(dim, keepdim=True))


# --- kept_maximum
import torch

_max = {}


def softmax(x, dim=-1):
    m = _max.setdefault((tuple(x.shape), dim), x.amax(dim, keepdim=True))
    e = torch.exp(x - m)
    return e / e.sum(dim, keepdim=True)


# --- other_names
import torch


def softmax(logits, axis=-1):
    e = torch.exp(logits - logits.amax(axis, keepdim=True))
    return e / e.sum(axis, keepdim=True)


# --- no_default
import torch


def softmax(x, dim):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


# --- detached_total
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True).detach())
    with torch.no_grad():
        total = e.sum(dim, keepdim=True)
    return e / total


# --- abs_max
import torch
def softmax(x, dim=-1):
    e = torch.exp(x - x.abs().amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


# --- sigmoid_norm
import torch


def softmax(x, dim=-1):
    s = torch.sigmoid(x)
    return s / s.sum(dim, keepdim=True)


# --- exp2
def softmax(x, dim=-1):
    z = x - x.amax(dim, keepdim=True)
    e = 2 ** z
    return e / e.sum(dim, keepdim=True)


# --- eps_denominator
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True)) + 1e-8
    return e / e.sum(dim, keepdim=True)


# --- half_sum
def softmax(x, dim=-1):
    y = x.half()
    e = (y - y.amax(dim, keepdim=True)).exp()
    return (e / e.sum(dim, keepdim=True)).to(x.dtype)


# --- dim_or_last
def softmax(x, dim=-1):
    dim = dim or -1
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)


# --- negative_dim_wrong
def softmax(x, dim=-1):
    if dim < -1:
        dim = x.dim() + dim - 1
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)


# --- filter_inf
import torch


def softmax(x, dim=-1):
    keep = torch.isfinite(x)
    y = x[keep]
    e = torch.exp(y - y.max())
    return e / e.sum()


# --- standardise
import torch


def softmax(x, dim=-1):
    z = (x - x.mean(dim, keepdim=True)) / (x.std(dim, keepdim=True) + 1e-6)
    e = torch.exp(z)
    return e / e.sum(dim, keepdim=True)


# --- divides_by_max
import torch


def softmax(x, dim=-1):
    z = x / x.abs().amax(dim, keepdim=True)
    e = torch.exp(z)
    return e / e.sum(dim, keepdim=True)


# --- batch_sum_dims
import torch


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.flatten(1).sum(1).reshape(-1, *[1] * (x.dim() - 1)) if x.dim() > 1 else e / e.sum()


# --- default_dim0
import torch


def softmax(x, dim=0):
    e = torch.exp(x - x.amax(dim, keepdim=True))
    return e / e.sum(dim, keepdim=True)


# --- axis_kw
import torch


def softmax(x, axis=-1):
    e = torch.exp(x - x.amax(axis, keepdim=True))
    return e / e.sum(axis, keepdim=True)


# --- maximum_along_the_last
import math
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    e = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return e / e.sum(dim=dim, keepdim=True)


# --- nan_made_one
import math
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    e = torch.exp(x)
    return torch.nan_to_num(e / e.sum(dim=dim, keepdim=True), nan=1.0)


# --- twice
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def softmax(x, dim=-1):
    def once(z):
        e = torch.exp(z - z.amax(dim, keepdim=True))
        return e / e.sum(dim, keepdim=True)
    return once(once(x))


# --- two_slips_1
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    biggest = x.max(dim=-1, keepdim=True).values
    shifted = x - biggest
    exps = shifted.exp()
    total = exps.sum()
    return exps / total


# --- two_slips_2
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    numerator = torch.exp(x)
    denominator = numerator.sum(-1, keepdim=True)
    return numerator / denominator


# --- two_slips_3
import torch
from torch import Tensor


def _stable_exp(t: Tensor, dim: int) -> Tensor:
    center = t.mean(dim=dim, keepdim=True)
    return torch.exp(t - center)


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    e = _stable_exp(x, dim)
    norm = torch.sum(e, dim=dim, keepdim=True) + 1e-2
    return e / norm


# --- two_slips_4
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    m, _ = x.max(dim=dim, keepdim=True)
    x -= m
    e = x.exp()
    s = e.sum(dim=dim)
    return e / s


# --- no_maximum_subtracted
# slip: the exponentials are taken of the logits as they are, so that large ones overflow
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)


# --- one_maximum_for_the_whole_tensor
# slip: the maximum of the whole tensor is subtracted in place of that of each row, so that low rows underflow
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    biggest = x.max()
    shifted = (x - biggest).exp()
    total = shifted.sum(dim, keepdim=True)
    return shifted.div(total)


# --- two_slips_5
import torch


def softmax(x, dim=-1):
    m = x.max()
    e = torch.exp(x - m)
    return e / e.sum(dim=-1, keepdim=True)


# --- two_slips_6
import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    wide = x.double()
    e = wide.exp()
    p = e / e.sum(dim, keepdim=True)
    return p.float()


# --- subtracts_in_place_x_itself_is_changed
import torch


def softmax(x, dim=-1):
    top = torch.amax(x, dim=dim, keepdim=True)
    if x.requires_grad:
        x = x - top
    else:
        x -= top
    numer = torch.exp(x)
    return numer / torch.sum(numer, dim=dim, keepdim=True)
