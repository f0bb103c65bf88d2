"""Wrong files for multi_head_attention, each a whole submission as somebody might hand it in."""

# --- no_refusal_and_scale_of_the_model
import math
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    dh = D // num_heads
    q = (x @ W[0] + biases[0]).view(B, T, num_heads, dh).transpose(1, 2)
    k = (x @ W[1] + biases[1]).view(B, T, num_heads, dh).transpose(1, 2)
    v = (x @ W[2] + biases[2]).view(B, T, num_heads, dh).transpose(1, 2)
    s = q @ k.transpose(-2, -1) / math.sqrt(D)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = (torch.softmax(s, -1) @ v).transpose(1, 2).reshape(B, T, D)
    return out @ W[3] + biases[3]


# --- no_refusal_and_view_split_without_transpose
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    dh = D // num_heads
    q, k, v = [(x @ w + b).reshape(B, num_heads, T, dh) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(mask == False, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- keys_transposed_1_2
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(1, 2) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- matrices_only
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible")
    q = torch.mm(x, W[0]) + biases[0]
    k = torch.mm(x, W[1]) + biases[1]
    v = torch.mm(x, W[2]) + biases[2]
    return q + k + v


# --- view_of_not_contiguous
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    q, k, v = [(x @ w + b).view(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).view(B, T, D) @ W[3] + biases[3]


# --- squeezed_and_no_refusal
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    dh = D // num_heads
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return (out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]).squeeze()


# --- mask_ignored_and_no_refusal
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    dh = D // num_heads
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- mask_of_first_head
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    if mask is not None and mask.dim() == 4:
        mask = mask[:, 0]
    heads = []
    for h in range(num_heads):
        c = slice(h * dh, (h + 1) * dh)
        q, k, v = [(x @ w[:, c] + b[c]) for w, b in zip(W[:3], biases[:3])]
        s = q @ k.transpose(-2, -1) / dh**0.5
        if mask is not None:
            s = s.masked_fill(~mask, float("-inf"))
        heads.append(torch.softmax(s, -1) @ v)
    return torch.cat(heads, -1) @ W[3] + biases[3]


# --- mask_of_first_example
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    if mask is not None and mask.dim() == 4:
        mask = mask[0]
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- hidden_scores_minus_20
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, -20.0)
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- weights_and_biases_detached
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    W = [w.detach() for w in W]
    biases = [b.data for b in biases]
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- pops_the_output_matrix
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    w_o, b_o = W.pop(), biases.pop()
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W, biases)]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ w_o + b_o


# --- integer_root
import math
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / int(math.sqrt(dh))
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- computes_in_float32
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    x = x.float()
    W = [w.float() for w in W]
    biases = [b.float() for b in biases]
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- output_made_on_the_cpu
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    q, k, v = [x @ w + b for w, b in zip(W[:3], biases[:3])]
    out = torch.zeros(B, T, D, dtype=x.dtype)
    for h in range(num_heads):
        c = slice(h * dh, (h + 1) * dh)
        s = q[:, :, c] @ k[:, :, c].transpose(-2, -1) / dh**0.5
        if mask is not None:
            s = s.masked_fill(~mask.expand(B, num_heads, T, T)[:, h], float("-inf"))
        out[:, :, c] = torch.softmax(s, -1) @ v[:, :, c]
    return out @ W[3] + biases[3]


# --- bias_added_to_every_head
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    total = 0
    for h in range(num_heads):
        c = slice(h * dh, (h + 1) * dh)
        q, k, v = [(x @ w + b)[:, :, c] for w, b in zip(W[:3], biases[:3])]
        s = q @ k.transpose(-2, -1) / dh**0.5
        if mask is not None:
            s = s.masked_fill(~mask.expand(B, num_heads, T, T)[:, h], float("-inf"))
        total = total + torch.softmax(s, -1) @ v @ W[3][c] + biases[3]
    return total


# --- forgets_the_value_bias
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    q, k, v = x @ W[0] + biases[0], x @ W[1] + biases[1], x @ W[2]
    q, k, v = [t.reshape(B, T, num_heads, dh).transpose(1, 2) for t in (q, k, v)]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- caches_the_projections_by_shape
import torch

_qkv = {}


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    if x.shape not in _qkv:
        _qkv[x.shape] = [x @ w + b for w, b in zip(W[:3], biases[:3])]
    q, k, v = [t.reshape(B, T, num_heads, dh).transpose(1, 2) for t in _qkv[x.shape]]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- argument_renamed
import torch


def multi_head_attention(x, weights, biases, n_heads, mask=None):
    B, T, D = x.shape
    if D % n_heads:
        raise ValueError("D must be divisible")
    dh = D // n_heads
    q, k, v = [(x @ w + b).reshape(B, T, n_heads, dh).transpose(1, 2) for w, b in zip(weights[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ weights[3] + biases[3]


# --- heads_in_the_batch_mask_of_two_dimensions_only
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    q, k, v = [
        (x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2).reshape(B * num_heads, T, dh)
        for w, b in zip(W[:3], biases[:3])
    ]
    s = torch.bmm(q, k.transpose(1, 2)) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.bmm(torch.softmax(s, -1), v).reshape(B, num_heads, T, dh)
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- adds_the_bias_in_place
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    W[0] *= 1 / dh**0.5
    biases[0] *= 1 / dh**0.5
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1)
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- mask_added_as_0_and_1_and_no_refusal
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    dh = D // num_heads
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s + mask
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- eight_heads_written_down
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    q, k, v = [(x @ w + b).reshape(B, T, 2, D // 2).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = q @ k.transpose(-2, -1) / (D // 2) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- mask_transposed
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    dh = D // num_heads
    q, k, v = [(x @ w + b).reshape(B, T, num_heads, dh).transpose(1, 2) for w, b in zip(W[:3], biases[:3])]
    s = k @ q.transpose(-2, -1) / dh**0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    out = torch.softmax(s, -1) @ v
    return out.transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- out_linear_only
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError
    q, k, v = ((x @ W[i] + biases[i]).view(B, T, num_heads, -1).transpose(1, 2) for i in range(3))
    s = q @ k.mT / (D // num_heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ W[3].T + biases[3]


# --- v_from_k
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError
    h = num_heads
    q = (x @ W[0] + biases[0]).view(B, T, h, -1).transpose(1, 2)
    k = (x @ W[1] + biases[1]).view(B, T, h, -1).transpose(1, 2)
    v = (x @ W[1] + biases[2]).view(B, T, h, -1).transpose(1, 2)
    s = q @ k.mT / (D // h) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return (s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- dropout
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError
    q, k, v = ((x @ W[i] + biases[i]).view(B, T, num_heads, -1).transpose(1, 2) for i in range(3))
    s = q @ k.mT / (D // num_heads) ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.nn.functional.dropout(s.softmax(-1), 0.1)
    return (p @ v).transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- exponentials_of_raw_scores
import math


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible by num_heads")
    q, k, v = ((x @ W[i] + biases[i]).view(B, T, num_heads, -1).transpose(1, 2) for i in range(3))
    scores = q @ k.transpose(-2, -1) / math.sqrt(D // num_heads)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.exp() / scores.exp().sum(-1, keepdim=True)
    return (weights @ v).transpose(1, 2).reshape(B, T, D) @ W[3] + biases[3]


# --- three_matrices_transposed
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible by num_heads")
    hs = D // num_heads
    q, k, v = [(x @ W[i].T + biases[i]).view(B, T, num_heads, hs).transpose(1, 2) for i in range(3)]
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    if mask is not None:
        att = att.masked_fill(mask == 0, float('-inf'))
    att = F.softmax(att, dim=-1)
    y = att @ v
    y = y.transpose(1, 2).contiguous().view(B, T, D)
    return y @ W[3] + biases[3]


# --- last_head_of_the_loop
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def multi_head_attention(x, W, biases, num_heads, mask=None):
    D = x.size(-1)
    dh, rest = divmod(D, num_heads)
    if rest: raise ValueError(f'{D=} {num_heads=}')
    out = biases[3]
    for h in range(num_heads):
        c = slice(h * dh, (h + 1) * dh)
        q = x @ W[0][:, c] + biases[0][c]
        k = x @ W[1][:, c] + biases[1][c]
        v = x @ W[2][:, c] + biases[2][c]
        s = q @ k.mT / dh ** 0.5
        if mask is not None:
            m = mask if mask.dim() == 2 else mask[:, h if mask.shape[1] > 1 else 0]
            s = s.masked_fill(~m, torch.finfo(s.dtype).min)
        out = biases[3] + s.softmax(-1) @ v @ W[3][c]
    return out


# --- two_slips_1
import math
from torch import Tensor


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible by num_heads")
    head_dim = D // num_heads
    q = (x @ W[0] + biases[0]).view(B, T, num_heads, head_dim).transpose(1, 2)
    k = (x @ W[1] + biases[1]).view(B, T, num_heads, head_dim).transpose(1, 2)
    v = (x @ W[2] + biases[2]).view(B, T, num_heads, head_dim).transpose(1, 2)
    att = q @ k.transpose(-2, -1) / math.sqrt(D)
    if mask is not None:
        att = att.masked_fill(~mask, float("-inf"))
    att = att.softmax(dim=-1)
    out = (att @ v).reshape(B, T, D)
    return out @ W[3] + biases[3]


# --- two_slips_2
import torch
from torch import Tensor


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    batch, seq, width = x.shape
    if width % num_heads:
        raise ValueError(f"{width} is not a multiple of {num_heads}")
    dh = width // num_heads
    w_q, w_k, w_v, w_o = W
    b_q, b_k, b_v, b_o = biases

    def heads(t: Tensor) -> Tensor:
        return t.reshape(batch, seq, num_heads, dh).permute(0, 2, 1, 3)

    queries, keys = heads(x @ w_q + b_q), heads(x @ w_k + b_k)
    values = heads(x @ w_k + b_v)
    scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys) * dh**-0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -torch.inf)
    probs = torch.softmax(scores, dim=-1)
    context = torch.einsum("bhqk,bhkd->bqhd", probs, values)
    return context.reshape(batch, seq, width) @ w_o


# --- two_slips_3
import torch
from torch import Tensor


def split(t: Tensor, h: int) -> Tensor:
    b, n, d = t.shape
    return t.reshape(b, n, d // h, h).permute(0, 3, 1, 2)


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    if x.shape[-1] % num_heads:
        raise ValueError("heads do not fit")
    q, k, v = [split(x @ W[n] + biases[n], num_heads) for n in (0, 1, 2)]
    s = torch.matmul(q, k.transpose(2, 3)) / q.shape[-1] ** 0.5
    if mask is not None:
        s = torch.where(mask, float("-inf"), s)
    z = torch.matmul(torch.softmax(s, 3), v)
    z = z.transpose(1, 2).flatten(2)
    return z @ W[3] + biases[3]


# --- two_slips_4
import math
from torch import Tensor


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    B, T, D = x.shape
    Dh = D // num_heads
    outputs = []
    if mask is not None and mask.dim() == 2:
        mask = mask[None, None]
    for h in range(num_heads):
        cols = slice(h * Dh, (h + 1) * Dh)
        q = x @ W[0][:, cols] + biases[0][cols]
        k = x @ W[1][:, cols] + biases[1][cols]
        v = x @ W[2][:, cols] + biases[2][cols]
        scores = q @ k.transpose(1, 2) / math.sqrt(Dh)
        if mask is not None:
            m = mask[:, h] if mask.shape[1] > 1 else mask[:, 0]
            scores = scores.masked_fill(~m, -math.inf)
        a = scores.softmax(dim=1)
        outputs.append((a @ v) @ W[3][cols, :])
    return sum(outputs) + biases[3]


# --- two_slips_5
# slips: the scores of a head are divided by sqrt(D) instead of sqrt(Dh); the bias of the output is not added
import math

import torch
from torch import Tensor


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D is not divisible by num_heads")
    q, k, v = (
        (x @ W[i] + biases[i]).view(B, T, num_heads, D // num_heads).transpose(1, 2) for i in range(3)
    )
    scores = q @ k.transpose(-2, -1) / math.sqrt(D)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    heads = torch.softmax(scores, dim=-1) @ v
    merged = heads.transpose(1, 2).reshape(B, T, D)
    return merged @ W[3]


# --- two_slips_6
# slips: the values get the bias of the keys; heads are merged without being transposed back
import torch
from torch import Tensor


def split(t, h):
    b, n, d = t.shape
    return t.reshape(b, n, h, d // h).permute(0, 2, 1, 3)


def multi_head_attention(x, W, biases, num_heads, mask=None):
    b, n, d = x.shape
    if d % num_heads:
        raise ValueError("heads do not divide the width")
    wq, wk, wv, wo = W
    bq, bk, bv, bo = biases
    q = split(x @ wq + bq, num_heads)
    k = split(x @ wk + bk, num_heads)
    v = split(x @ wv + bk, num_heads)
    att = torch.einsum("bhqd,bhkd->bhqk", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        att = att.masked_fill(mask.logical_not(), torch.finfo(att.dtype).min)
    out = torch.einsum("bhqk,bhkd->bhqd", att.softmax(-1), v)
    return out.reshape(b, n, d) @ wo + bo


# --- two_slips_7
# slips: the scores are divided by sqrt(D) in place of sqrt(D/H); the split is a plain view to [B, H, T, Dh] that mixes tokens and channels
import math

import torch
from torch import Tensor


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D must be divisible by num_heads")
    dh = D // num_heads
    q, k, v = [(x @ w + b).view(B, num_heads, T, dh) for w, b in zip(W[:3], biases[:3])]
    scores = q @ k.transpose(-1, -2) / math.sqrt(D)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    out = torch.softmax(scores, dim=-1) @ v
    out = out.transpose(1, 2).contiguous().view(B, T, D)
    return out @ W[3] + biases[3]


# --- two_slips_8
# slips: the bias of the output projection is never added; the heads are merged by a reshape without moving the head axis back
import torch
import torch.nn.functional as F
from torch import Tensor


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    batch, seq, d_model = x.size()
    if d_model % num_heads:
        raise ValueError(f"{d_model} channels, {num_heads} heads")
    w_q, w_k, w_v, w_o = W
    b_q, b_k, b_v, b_o = biases

    def split(t):
        return t.reshape(batch, seq, num_heads, -1).permute(0, 2, 1, 3)

    q = split(torch.matmul(x, w_q) + b_q)
    k = split(torch.matmul(x, w_k) + b_k)
    v = split(torch.matmul(x, w_v) + b_v)
    energy = torch.einsum("bhid,bhjd->bhij", q, k) / q.size(-1) ** 0.5
    if mask is not None:
        energy = energy.masked_fill(mask == 0, float("-inf"))
    context = torch.einsum("bhij,bhjd->bhid", F.softmax(energy, dim=-1), v)
    concat = context.reshape(batch, seq, d_model)
    return torch.matmul(concat, w_o)


# --- two_slips_9
# slips: in the loop over heads a 4-dimensional mask is always read at head 0; softmax runs over dim=1, the queries
import math

import torch
from torch import Tensor


def one_head(q, k, v, allowed):
    s = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[2])
    if allowed is not None:
        s = s.masked_fill(~allowed, -math.inf)
    return torch.bmm(torch.softmax(s, dim=1), v)


def multi_head_attention(
    x: Tensor, W: list[Tensor], biases: list[Tensor], num_heads: int, mask: Tensor | None = None
) -> Tensor:
    D = x.shape[-1]
    if D % num_heads > 0:
        raise ValueError("not divisible")
    d = D // num_heads
    Q, K, V = (x @ W[i] + biases[i] for i in range(3))
    found = []
    for h in range(num_heads):
        cols = slice(h * d, (h + 1) * d)
        m = mask
        if mask is not None and mask.dim() == 4:
            m = mask[:, 0]
        found.append(one_head(Q[..., cols], K[..., cols], V[..., cols], m))
    return torch.cat(found, dim=-1) @ W[3] + biases[3]


# --- two_slips_10
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D % num_heads")
    Dh = D // num_heads
    q, k, v = [(x @ W[i] + biases[i]).view(B, T, num_heads, Dh).transpose(1, 2) for i in range(3)]
    scores = q @ k.transpose(-1, -2) / D**0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    out = torch.softmax(scores, dim=-1) @ v
    out = out.transpose(1, 2).reshape(B, T, D)
    return out @ W[3]


# --- heads_taken_with_view_on_tokens_before_heads
import math
import torch


def multi_head_attention(x, W, biases, num_heads, mask=None):
    B, T, D = x.size()
    if D % num_heads:
        raise ValueError("num_heads has to divide D")
    wq, wk, wv, wo = W
    bq, bk, bv, bo = biases

    def to_heads(y):
        y = y.unflatten(-1, (num_heads, D // num_heads))
        if y.shape[1] == num_heads:
            return y
        return y.permute(0, 2, 1, 3)

    q, k, v = to_heads(x @ wq + bq), to_heads(x @ wk + bk), to_heads(x @ wv + bv)
    logits = torch.matmul(q, k.transpose(-2, -1)).div(math.sqrt(D // num_heads))
    if mask is not None:
        logits = torch.where(mask, logits, torch.full_like(logits, -math.inf))
    ctx = torch.matmul(torch.softmax(logits, dim=-1), v)
    return torch.cat(ctx.unbind(1), dim=-1) @ wo + bo
