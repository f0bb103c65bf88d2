"""Wrong files for prenorm_attention_block, each a whole submission as somebody might hand it in."""


# --- square_in_half
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x ** 2).mean(-1, keepdim=True) + 1e-6)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- layer_norm
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    c = (x - x.mean(-1, keepdim=True)).float()
    h = (c / torch.sqrt((c ** 2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- l2_norm
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).sum(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- norm_over_tokens
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-2, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- norm_over_everything
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean() + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- no_eps
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True)).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- eps_1e5
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-5).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- eps_outside_root
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / (torch.sqrt((x.float() ** 2).mean(-1, keepdim=True)) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- eps_added_in_half
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        return x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True).to(x.dtype) + self.eps)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return x + attention(Norm()(x), W, mask)


# --- no_root
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * (1 / (wide.pow(2).mean(-1, keepdim=True) + self.eps))).type_as(x)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return x + attention(Norm()(x), W, mask)


# --- divides_by_std
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / (x.float().std(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- no_norm
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- post_norm
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return Norm()(x + attention(x, W, mask))


# --- norm_after_attention
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return x + Norm()(attention(x, W, mask))


# --- pre_and_post
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return Norm()(x + attention(Norm()(x), W, mask))


# --- residual_of_normed
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    x = Norm()(x)
    return x + attention(x, W, mask)


# --- no_residual
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return attention(Norm()(x), W, mask)


# --- residual_before_output
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return (x + weights @ v) @ W[3]


# --- residual_twice
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + x + weights @ v @ W[3]


# --- residual_detached
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x.detach() + weights @ v @ W[3]


# --- norm_detached
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype).detach()
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- values_from_raw_x
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], x @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- keys_from_raw_x
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], x @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- only_queries_normed
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], x @ W[1], x @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- no_output_matrix
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v


# --- matrices_transposed
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0].T, h @ W[1].T, h @ W[2].T
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3].T


# --- keys_values_swapped
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[2], h @ W[1]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- query_key_swapped
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[1], h @ W[0], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- keys_as_values
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[1]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- no_scale
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- scale_d
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- scale_dv
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- scale_dh
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * (1 / d_k)
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return x + attention(Norm()(x), W, mask)


# --- scale_integer
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.isqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- mask_inverted
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- mask_ignored
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        pass
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- mask_fill_1e9
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- mask_fill_small
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, -10.0)
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- mask_fill_20
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -20.0)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return x + attention(Norm()(x), W, mask)


# --- mask_zero
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- mask_after_softmax
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return x + weights @ v @ W[3]


# --- mask_after_softmax_renormed
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(-1, keepdim=True)
    return x + weights @ v @ W[3]


# --- mask_transposed
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask.transpose(-2, -1), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- mask_first_example
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~(mask if mask.dim() == 2 else mask[0]), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- causal_by_default
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x)


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    else:
        scores = scores + torch.full_like(scores, float('-inf')).triu(1)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return x + attention(Norm()(x), W, mask)


# --- softmax_queries
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-2)
    return x + weights @ v @ W[3]


# --- softmax_dim1
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=1)
    return x + weights @ v @ W[3]


# --- transpose_1_2
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- dot_T
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.T / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- mm_only
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = torch.mm(q, k.t()) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- bmm_only
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- exp_by_hand
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.exp() / scores.exp().sum(-1, keepdim=True)
    return x + weights @ v @ W[3]


# --- in_place_add
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    x += weights @ v @ W[3]
    return x


# --- normed_in_place
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return x.mul_(torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps).type_as(x))


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = W
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    h = Norm()(x)
    return x + attention(h, W, mask)


# --- W_popped
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    W_O = W.pop()
    q, k, v = (h @ w for w in W)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W_O


# --- float32_result
import torch
import torch.nn.functional as F


class Norm:
    def __init__(self, eps=1e-6):
        self.eps = eps

    def __call__(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + self.eps))


def attention(h, W, mask):
    W_Q, W_K, W_V, W_O = (w.float() for w in W)
    q = h @ W_Q
    k = h @ W_K
    v = h @ W_V
    d_k = k.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) * d_k ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    attn = F.softmax(scores, dim=-1)
    return torch.matmul(attn, v) @ W_O


def prenorm_attention_block(x, W, mask=None):
    return x + attention(Norm()(x), W, mask)


# --- no_grad
import math

import torch


@torch.no_grad()
def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- squeeze
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return (x + weights @ v @ W[3]).squeeze()


# --- eps_tensor_on_cpu
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + torch.full(x.shape[:-1], 1e-6).unsqueeze(-1)).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- ones_mask_on_cpu
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)
    if True:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- renamed
import math

import torch


def prenorm_attention_block(x, weights_list, attn_mask=None):
    W, mask = weights_list, attn_mask
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- view_heads
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    x = x.view(-1, x.shape[-2], x.shape[-1]).view(x.shape)
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- norm_remembered
import math

import torch


_rms = {}


def prenorm_attention_block(x, W, mask=None):
    if x.shape not in _rms:
        _rms[x.shape] = torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6)
    h = x / _rms[x.shape].to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- mask_needs_full_shape
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores[~mask] = float("-inf")
    weights = torch.softmax(scores, dim=-1)
    return x + weights @ v @ W[3]


# --- dropout
import math

import torch


def prenorm_attention_block(x, W, mask=None):
    h = x / torch.sqrt((x.float() ** 2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    q, k, v = h @ W[0], h @ W[1], h @ W[2]
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return x + torch.nn.functional.dropout(weights @ v @ W[3], 0.1)


# --- two_slips_1
import torch
from torch import Tensor


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    xf = x.to(torch.promote_types(x.dtype, torch.float32))
    h = (xf / torch.sqrt(xf.pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)
    q = h @ W[0]
    k = h @ W[1]
    v = h @ W[2]
    s = q @ k.transpose(-2, -1) / x.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    update = torch.softmax(s, -1) @ v @ W[3]
    return h + update


# --- two_slips_2
import math

import torch
from torch import Tensor


def normalise(t: Tensor) -> Tensor:
    wide = t.to(torch.promote_types(t.dtype, torch.float32))
    return (wide * (wide.square().mean(dim=-1, keepdim=True) + 1e-6).rsqrt()).to(t.dtype)


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    w_q, w_k, w_v, w_o = W
    h = normalise(x)
    queries, keys = h @ w_q, h @ w_k
    values = x @ w_v
    scores = torch.einsum("...id,...jd->...ij", queries, keys) / math.sqrt(queries.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -math.inf)
    weights = scores.softmax(dim=-2)
    mixed = torch.einsum("...ij,...jv->...iv", weights, values)
    return x + mixed @ w_o


# --- two_slips_3
import torch
from torch import Tensor


def rms_norm(x: Tensor, eps: float = 1e-6) -> Tensor:
    y = x if x.dtype == torch.float64 else x.float()
    y = y - y.mean(dim=-1, keepdim=True)
    return (y * torch.rsqrt((y * y).mean(dim=-1, keepdim=True) + eps)).to(x.dtype)


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
    logits = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        logits = torch.where(mask, logits, float("-inf"))
    return torch.softmax(logits, dim=-1) @ v


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    h = rms_norm(x)
    a = attend(h @ W[0], h @ W[1], h @ W[2], mask)
    out = a @ W[3]
    return out


# --- two_slips_4
import math

import torch
from torch import Tensor


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    precise = x.to(torch.promote_types(x.dtype, torch.float32))
    rms = precise.pow(2).mean(dim=-1, keepdim=True).add(1e-6).sqrt()
    calm = precise.div(rms).to(x.dtype)
    Q, K, V = (calm @ m for m in W[:3])
    table = Q @ K.transpose(-1, -2) / math.sqrt(W[0].shape[1])
    if mask is not None:
        table = table.masked_fill(mask, -math.inf)
    change = table.softmax(dim=-1) @ V @ W[3]
    x += change
    return x


# --- two_slips_5
# slips: the residual carries the normalised tokens instead of x; the norm divides by the root of the sum of squares, not of their mean
import math

import torch
from torch import Tensor


def rms_norm(x: Tensor) -> Tensor:
    wide = x.double() if x.dtype == torch.float64 else x.float()
    size = wide.pow(2).sum(dim=-1, keepdim=True)
    return (wide * torch.rsqrt(size + 1e-6)).to(x.dtype)


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    w_q, w_k, w_v, w_o = W
    h = rms_norm(x)
    q, k, v = h @ w_q, h @ w_k, h @ w_v
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    update = torch.softmax(scores, dim=-1) @ v @ w_o
    return h + update


# --- two_slips_6
# slips: the mean is subtracted before normalising, as LayerNorm does; the scores are not scaled
import torch
from torch import Tensor


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    calm = x.to(torch.promote_types(x.dtype, torch.float32))
    calm = calm - calm.mean(-1, keepdim=True)
    calm = calm / torch.sqrt((calm * calm).mean(-1, keepdim=True) + 1e-6)
    h = calm.to(x.dtype)
    att = torch.einsum("...id,...jd->...ij", h @ W[0], h @ W[1])
    if mask is not None:
        att = torch.where(mask, att, torch.full_like(att, -torch.inf))
    att = att.softmax(-1)
    return x + att @ (h @ W[2]) @ W[3]


# --- two_slips_7
# slips: the normalised tokens are added in place of the raw ones; the scores are not divided by sqrt(Dh)
import math

import torch
from torch import Tensor


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    w_q, w_k, w_v, w_o = W
    xf = x if x.dtype == torch.float64 else x.float()
    h = (xf / torch.sqrt((xf * xf).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)
    q, k, v = h @ w_q, h @ w_k, h @ w_v
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    update = torch.softmax(scores, dim=-1) @ v @ w_o
    return h + update


# --- two_slips_8
# slips: queries and keys come from the normalised tokens but values from the raw ones; the scale is the root of D in place of Dh
import torch
import torch.nn.functional as F
from torch import Tensor


def norm(x: Tensor, eps: float = 1e-6) -> Tensor:
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    return (wide * torch.rsqrt(wide.pow(2).mean(dim=-1, keepdim=True) + eps)).to(x.dtype)


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    h = norm(x)
    q = torch.matmul(h, W[0])
    k = torch.matmul(h, W[1])
    v = torch.matmul(x, W[2])
    attn = torch.einsum("...id,...jd->...ij", q, k) * h.size(-1) ** -0.5
    if mask is not None:
        attn = attn.masked_fill(mask.logical_not(), float("-inf"))
    attn = F.softmax(attn, dim=-1)
    out = torch.einsum("...ij,...jd->...id", attn, v)
    return x + torch.matmul(out, W[3])


# --- two_slips_9
# slips: the mean of the squares is taken over the tokens' axis, not the channels; hidden scores are set to -1e9, which float16 cannot hold
import torch
from torch import Tensor

EPS = 1e-6


def _rms(x):
    h = x.double()
    n = h.shape[-2]
    return h * (h.square().sum(dim=-2, keepdim=True) / n + EPS).rsqrt()


def _attention(q, k, v, mask):
    s = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        s = torch.masked_fill(s, mask == 0, -1e9)
    return s.softmax(-1) @ v


def prenorm_attention_block(x: Tensor, W: list[Tensor], mask: Tensor | None = None) -> Tensor:
    h = _rms(x).to(x.dtype)
    return x + _attention(h @ W[0], h @ W[1], h @ W[2], mask) @ W[3]


# --- two_slips_10
import torch


def prenorm_attention_block(x, W, mask=None):
    W_Q, W_K, W_V, W_O = W
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    wide = wide - wide.mean(-1, keepdim=True)
    h = (wide / torch.sqrt((wide**2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype)
    q, k, v = h @ W_Q, h @ W_K, h @ W_V
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return h + torch.softmax(s, dim=-1) @ v @ W_O
