"""Wrong files for rms_norm, each a whole submission as somebody might hand it in."""


# --- layer_norm
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    h = h - h.mean(dim=-1, keepdim=True)
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- no_mean
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).sum(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- no_root
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / (h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- eps_outside
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / (torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True)) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- eps_ignored
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True))
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- eps_fixed
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + 1e-6)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- eps_squared
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps**2)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- clamped
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True)).clamp(min=eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- no_keepdim
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- dim_0
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=0, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- dim_1
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- whole
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean() + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- rsqrt_and_divide
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.rsqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- std
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / (h.std(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- absolute
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / (h.abs().mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- max_abs
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / (h.abs().amax(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- in_dtype_of_x
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- in_dtype_of_x_weight_cast
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight.to(x.dtype)
    return y.to(x.dtype)


# --- widened_by_weight
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        return y.to(x.dtype) * weight
    return y.to(x.dtype)


# --- always_float32
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.float()


# --- no_cast_back
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y


# --- float64_through_float32_result
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y


# --- weight_plus_one
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * (1 + weight)
    return y.to(x.dtype)


# --- weight_added
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y + weight
    return y.to(x.dtype)


# --- weight_before
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
        y = y / torch.sqrt(y.pow(2).mean(dim=-1, keepdim=True) + eps)
    return y.to(x.dtype)


# --- weight_forgotten
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        pass
    return y.to(x.dtype)


# --- weight_truth
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight:
        y = y * weight
    return y.to(x.dtype)


# --- in_place
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    x /= torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps).to(x.dtype)
    y = x + 0 * h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- in_place_weight
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = weight.mul_(y) if weight.shape == y.shape else y * weight
    return y.to(x.dtype)


# --- detached_root
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True).detach() + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- item
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else torch.tensor(x.tolist(), device=x.device)
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- ones_on_cpu
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is None:
        weight = torch.ones(x.shape[-1])
    y = y * weight
    return y.to(x.dtype)


# --- kept_root
import torch


ROOT = {}


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    key = h.shape
    if key not in ROOT:
        ROOT[key] = torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    y = h / ROOT[key]
    return y.to(x.dtype) if weight is None else (y * weight).to(x.dtype)
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- squeezed
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype).squeeze()


# --- renamed
import torch


def rms_norm(x, gamma=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).mean(dim=-1, keepdim=True) + eps)
    if gamma is not None:
        y = y * gamma
    return y.to(x.dtype)


# --- softmax
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = torch.softmax(h, dim=-1)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- divides_by_d_minus_1
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).sum(dim=-1, keepdim=True) / (x.shape[-1] - 1) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- bias_of_d_512
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.to(torch.float64) if x.dtype == torch.float64 else x.float()
    y = h / torch.sqrt(h.pow(2).sum(dim=-1, keepdim=True) / 512 + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- eps_default
import torch


def rms_norm(x, weight=None, eps=1e-5):
    h = x.double()
    y = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
    return (y if weight is None else y * weight).to(x.dtype)


# --- l2
import torch, torch.nn.functional as F


def rms_norm(x, weight=None, eps=1e-6):
    y = F.normalize(x.double(), dim=-1, eps=eps)
    return (y if weight is None else y * weight).to(x.dtype)


# --- unbiased_std
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.double()
    y = h / torch.sqrt(h.var(-1, keepdim=True) + eps)
    return (y if weight is None else y * weight).to(x.dtype)


# --- zero_guard
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.double()
    r = h.pow(2).mean(-1, keepdim=True).sqrt()
    y = torch.where(r > 0, h / r, h)
    return (y if weight is None else y * weight).to(x.dtype)


# --- mean_tokens
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.double()
    dims = tuple(range(1, x.dim())) or (0,)
    y = h / torch.sqrt((h**2).mean(dims, keepdim=True) + eps)
    return (y if weight is None else y * weight).to(x.dtype)


# --- eps_times_D
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.double()
    y = h * torch.rsqrt((h.pow(2).sum(-1, keepdim=True) + eps) / x.shape[-1])
    return (y if weight is None else y * weight).to(x.dtype)


# --- divided_by_len_x
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.double()
    y = h / torch.sqrt(h.pow(2).sum(-1, keepdim=True) / len(x) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- only_the_measure_returned
import torch


def rms_norm(x, weight=None, eps=1e-6):
    h = x.double()
    return torch.sqrt(h.pow(2).mean(-1, keepdim=True) + eps).to(x.dtype)


# --- two_slips_1
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    xf = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    ms = (xf**2).sum(dim=-1, keepdim=True)
    y = xf / torch.sqrt(ms)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- two_slips_2
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    wide = x.to(torch.promote_types(torch.float32, x.dtype))
    centered = wide - wide.mean(dim=-1, keepdim=True)
    power = centered.pow(2).mean(-1, keepdim=True)
    root = power.sqrt() + eps
    result = centered / root
    if weight is not None:
        result = result * weight
    return result.to(x.dtype)


# --- two_slips_3
import torch
from torch import Tensor


def inverse_rms(t: Tensor, eps: float) -> Tensor:
    return torch.rsqrt(t.square().mean() + eps)


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    t = x.double() if x.dtype == torch.float64 else x.float()
    out = t * inverse_rms(t, eps)
    if weight is None:
        return out.to(x.dtype)
    return (out * (1 + weight)).to(x.dtype)


# --- two_slips_4
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    dtype = x.dtype
    mean_sq = (x * x).mean(dim=-1, keepdim=True).to(torch.promote_types(x.dtype, torch.float32))
    normed = x / (mean_sq + eps).sqrt()
    if weight is not None:
        normed = normed + weight
    return normed.to(dtype)


# --- two_slips_5
# slips: the variance (mean taken off) stands in for the mean of the squares; eps is added to the root, not under it
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    h = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    ms = h.var(dim=-1, keepdim=True, unbiased=False)
    y = h / (torch.sqrt(ms) + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- two_slips_6
# slips: the squares are computed in float16 and overflow; with a wider weight the result comes back in the dtype of the weight
import torch
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    wide = x
    inv = torch.rsqrt(torch.mean(wide * wide, dim=-1, keepdim=True) + eps)
    out = (wide * inv).type_as(x)
    if weight is None:
        return out
    return out * weight


# --- two_slips_7
# slips: the squares are summed, not averaged; the weight is used as 1 + weight, as some models store it
from torch import Tensor


def rms_norm(x: Tensor, weight: Tensor | None = None, eps: float = 1e-6) -> Tensor:
    d = x.double()
    size = (d**2).sum(-1, keepdim=True)
    d = d * (size + eps) ** -0.5
    if weight is not None:
        d = d * (1 + weight.double())
    return d.to(x.dtype)


# --- two_slips_8
import torch


def rms_norm(x, weight=None, eps=1e-6):
    dt = torch.promote_types(x.dtype, torch.float32)
    y = x.to(dt)
    y = y - y.mean(dim=-1, keepdim=True)
    rms = torch.sqrt(y.pow(2).mean(dim=-1, keepdim=True))
    y = y / (rms + eps)
    if weight is not None:
        y = y * weight
    return y.to(x.dtype)


# --- squares_taken_in_float16
import torch


def rms_norm(x, weight=None, eps=1e-6):
    sq = x * x
    mean_sq = sq.to(torch.promote_types(x.dtype, torch.float32)).sum(-1, keepdim=True) / x.shape[-1]
    out = x / (mean_sq + eps) ** 0.5
    if weight is not None:
        out = out * weight
    return out.to(x.dtype)
