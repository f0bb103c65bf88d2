"""Wrong submissions for softmax_inverse, as people write them; written from the statement, without the suite in view."""

# --- small_number_added
import torch


def softmax_inverse(w):
    return torch.log(w + 1e-9)


# --- machine_epsilon_added
import torch


def softmax_inverse(w):
    return torch.log(w + torch.finfo(w.dtype).eps)


# --- clamped
def softmax_inverse(w):
    return w.clamp(min=1e-8).log()


# --- clamped_to_the_smallest_number
import torch


def softmax_inverse(w):
    return w.clamp_min(torch.finfo(w.dtype).tiny).log()


# --- base_two
import torch


def softmax_inverse(w):
    return torch.log2(w)


# --- base_ten_from_the_largest
import torch


def softmax_inverse(w):
    scores = torch.log10(w)
    return scores - scores.max()


# --- inverse_of_a_sigmoid
import torch


def softmax_inverse(w):
    return torch.logit(w)


# --- surprise
import torch


def softmax_inverse(w):
    return -torch.log(w)


# --- zeros_become_a_big_number
import torch


def softmax_inverse(w):
    return torch.where(w > 0, torch.log(w), torch.tensor(-1e9, dtype=w.dtype, device=w.device))


# --- zeros_become_minus_a_billion
import torch


def softmax_inverse(w):
    return torch.log(w).masked_fill(w == 0, -1e9)


# --- zeros_cut_off
def softmax_inverse(w):
    return w.log().clamp(min=-100)


# --- zeros_stay_zero
import torch


def softmax_inverse(w):
    scores = torch.zeros_like(w)
    scores[w != 0] = w[w != 0].log()
    return scores


# --- mean_taken_away
import torch


def softmax_inverse(w):
    logs = torch.log(w)
    return logs - logs.mean()


# --- first_taken_away
def softmax_inverse(w):
    logs = w.log()
    return logs - logs[0]


# --- divided_by_the_sum_of_logs
def softmax_inverse(w):
    logs = w.log()
    return logs / logs.sum()


# --- plain_numbers
import math

import torch


def softmax_inverse(w):
    return torch.tensor([math.log(x) for x in w.tolist()])


# --- plain_numbers_with_zeros
import math

import torch


def softmax_inverse(w):
    return torch.tensor([math.log(x) if x > 0 else -math.inf for x in w.tolist()], dtype=w.dtype)


# --- always_float32
def softmax_inverse(w):
    return w.float().log()


# --- in_place
def softmax_inverse(w):
    w /= w.max()
    return w.log()


# --- log_in_place
def softmax_inverse(w):
    return w.log_()


# --- softmax_of_the_logarithm
import torch


def softmax_inverse(w):
    return torch.log_softmax(w, dim=-1)


# --- the_logarithm_of_a_softmax
import torch


def softmax_inverse(w):
    e = torch.exp(w)
    return torch.log(e / e.sum())


# --- exponentials
import torch


def softmax_inverse(w):
    return torch.exp(w) / torch.exp(w).sum()


# --- sorted
import torch


def softmax_inverse(w):
    return torch.log(w).sort(descending=True).values


# --- other_name
import torch


def softmax_inverse(weights):
    return torch.log(weights)


# --- kept_by_length
import torch

_known = {}


def softmax_inverse(w):
    if w.shape not in _known:
        _known[w.shape] = torch.log(w)
    return _known[w.shape]


# --- squeezed
import torch


def softmax_inverse(w):
    return torch.log(w).squeeze()


# --- nan_to_num
import torch


def softmax_inverse(w):
    return torch.nan_to_num(torch.log(w))


# --- square_root
import torch


def softmax_inverse(w):
    return torch.sqrt(w)


# --- half_the_gaps
import torch


def softmax_inverse(w):
    return torch.log(w) / w.shape[0] ** 0.5


# --- from_the_last
import torch


def softmax_inverse(w):
    s = torch.log(w)
    return s - s[-1]


# --- return_in_the_loop
import math
import torch


def softmax_inverse(w):
    out = torch.zeros_like(w)
    for i in range(len(w)):
        out[i] = torch.log(w[i])
        return out


# --- the_rest_of_one
import torch


def softmax_inverse(w):
    return torch.log(1 - w)


# --- two_slips_1
# slips: the logarithm to base 2 is taken; a small number is added, so a weight of 0 gets a finite score
import torch
from torch import Tensor


def softmax_inverse(w: Tensor) -> Tensor:
    scores = torch.log2(w + 1e-6)
    return scores - scores.max()


# --- two_slips_2
# slips: log(w / (1 - w)), the inverse of the sigmoid, is used; a weight of 0 gets the score 0 instead of -inf
import torch
from torch import Tensor


def softmax_inverse(w: Tensor) -> Tensor:
    scores = torch.zeros_like(w)
    positive = w > 0
    p = w[positive]
    scores[positive] = p.log() - (1 - p).clamp(min=1e-4).log()
    return scores


# --- small_number_added_before_the_log
# slip: 1e-9 is added before the logarithm, so that a weight of 0 gets a finite score
import torch
from torch import Tensor


def softmax_inverse(w: Tensor) -> Tensor:
    return torch.log(w + 1e-9)


# --- n_1e_6_added_before_the_logarithm
import torch


def softmax_inverse(w):
    return torch.log(w + 1e-6)
