"""Wrong files for repair_block, each a whole submission as somebody might hand it in."""
# --- untouched
def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.permute(*reversed(range(k.dim())))
    return scores.softmax(dim=-1) @ v
# --- transposed_1_2
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- transposed_0_1
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(0, 1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- not_scaled
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1)
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- scale_of_the_model
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- scale_of_the_values
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- scale_after_the_mask
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    weights = (q @ k.transpose(-2, -1)).masked_fill(hidden, -math.inf).softmax(dim=-1) / math.sqrt(q.shape[-1])
    return weights @ v @ w_o
# --- not_causal
import math


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    return scores.softmax(dim=-1) @ v @ w_o
# --- itself_hidden
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(0)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- the_past_hidden
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).tril(-1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- zeros_by_tril
import math


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).tril()
    return scores.softmax(dim=-1) @ v @ w_o
# --- hidden_after_softmax
import math


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).softmax(dim=-1).tril()
    return weights @ v @ w_o
# --- no_output_projection
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v
# --- output_projection_transposed
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o.T
# --- mask_on_the_cpu
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    scores = scores + torch.full((T, T), -math.inf).triu(1)
    return scores.softmax(dim=-1) @ v @ w_o
# --- one_batch_dimension_only
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    B, T, D = x.shape
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- length_from_the_wrong_axis
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[1]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- softmax_over_queries
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-2) @ v @ w_o
# --- minus_20
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -20.0).softmax(dim=-1) @ v @ w_o
# --- residual_added
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return x + scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- squeezed
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return (scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o).squeeze()
# --- only_the_transpose_and_the_projection
def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1)
    return scores.softmax(dim=-1) @ v @ w_o
# --- scale_and_mask_only
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.permute(*reversed(range(k.dim()))) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v
# --- mask_kept_between_calls
import math

import torch

_hidden = None


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    global _hidden
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if _hidden is None:
        T = x.shape[-2]
        _hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return scores.masked_fill(_hidden, -math.inf).softmax(dim=-1) @ v @ w_o
# --- mask_of_64_positions
import math

import torch


def attention_sublayer(x, w_q, w_k, w_v, w_o):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    T = x.shape[-2]
    hidden = torch.ones(64, 64, dtype=torch.bool, device=x.device).triu(1)[:T, :T]
    return scores.masked_fill(hidden, -math.inf).softmax(dim=-1) @ v @ w_o


# --- two_slips_1
# slips: the mask lets each position see the next one too; the scores are divided by sqrt(D) instead of sqrt(D_k)
import math

import torch
from torch import Tensor


def attention_sublayer(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Tensor:
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    T = x.shape[-2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1])
    later = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(diagonal=2)
    scores = scores.masked_fill(later, float("-inf"))
    return scores.softmax(dim=-1) @ v @ w_o


# --- two_slips_2
# slips: later positions get the score 0 instead of -inf; the division by sqrt(D_k) comes after softmax
from torch import Tensor


def attention_sublayer(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Tensor:
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = (q @ k.mT).tril()
    weights = scores.softmax(dim=-1) / k.shape[-1] ** 0.5
    return (weights @ v) @ w_o


# --- scaled_by_the_number_of_tokens
# slip: after the repair the scores are divided by the root of the number of keys (k.shape[-2]), not of D_k
import torch
from torch import Tensor


def attention_sublayer(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Tensor:
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / k.shape[-2] ** 0.5
    T = x.shape[-2]
    future = torch.triu(torch.ones(T, T, dtype=torch.bool, device=x.device), diagonal=1)
    scores = scores.masked_fill(future, float("-inf"))
    return scores.softmax(dim=-1) @ v @ w_o


# --- two_slips_3
import math
import torch
from torch import Tensor


def attention_sublayer(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, w_o: Tensor) -> Tensor:
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1])
    return scores.softmax(dim=-1) @ v @ w_o
