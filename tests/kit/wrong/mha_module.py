"""Wrong files for mha_module, each a whole submission as somebody might hand it in."""

# --- no_refusal_and_mask_inverted
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, mask=None):
        B, T, D = x.shape
        dh = D // self.num_heads
        q, k, v = [w(x).view(B, T, self.num_heads, dh).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / math.sqrt(dh)
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(mask, float("-inf"))
        p = torch.softmax(s, -1)
        out = (p @ v).transpose(1, 2).reshape(B, T, D)
        return self.w_o(out), p


# --- refuses_in_forward_only
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        if D % self.h:
            raise ValueError("d_model must be divisible by num_heads")
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- mask_of_three_dimensions_not_unsqueezed
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- mean_of_the_weights
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p.mean(1)


# --- dropout_on_the_weights
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = self.dropout(torch.softmax(s, -1))
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- bias_argument_not_used
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- other_parameter_names
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.o_proj = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.q_proj, self.k_proj, self.v_proj)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.o_proj((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- head_layers_in_a_list
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.layers = nn.ModuleList([nn.Linear(d_model, d_model, bias=bias) for _ in range(4)])

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in self.layers[:3]]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.layers[3]((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- weights_used_untransposed
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def project(self, layer, x):
        out = x @ layer.weight
        return out if layer.bias is None else out + layer.bias

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [self.project(w, x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.project(self.w_o, (p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- weights_detached
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1).detach()
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- keeps_the_mask
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    mask = None

    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        if mask is not None:
            self.mask = mask if mask.dim() != 3 else mask[:, None]
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if self.mask is not None:
            s = s.masked_fill(~self.mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- scores_divided_by_heads_and_no_refusal
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.h = num_heads
        self.scale = math.sqrt(num_heads)
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, D // self.h).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / self.scale
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- result_only
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D))


# --- no_output_layer_in_forward
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return (p @ v).transpose(1, 2).reshape(B, T, D), p


# --- sequence_first
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        T, B, D = x.shape
        q, k, v = [w(x).view(T, B, self.h, -1).permute(1, 2, 0, 3) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).permute(2, 0, 1, 3).reshape(T, B, D)), p


# --- buffer_of_the_longest_mask
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]
        self.register_buffer("all_visible", torch.ones(64, 64, dtype=torch.bool))

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        mask = self.all_visible[:T, :T] if mask is None else mask
        if mask.dim() == 3:
            mask = mask.unsqueeze(1)
        s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- squeezes_the_batch
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)).squeeze(), p.squeeze()


# --- split_without_transpose_and_no_refusal
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).reshape(B, self.h, T, -1) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).reshape(B, T, D)), p


# --- mask_filled_with_minus_1e9
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, -1e9)
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- raw_scores_returned
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), s


# --- x_cast_to_float32
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q.float() @ k.float().transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p.to(v.dtype) @ v).transpose(1, 2).reshape(B, T, D)), p


# --- scale_is_a_parameter
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = [nn.Linear(d_model, d_model, bias=bias) for _ in range(4)]
        self.scale = nn.Parameter(torch.tensor((d_model // num_heads) ** -0.5))

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q, k, v = [w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.w_q, self.w_k, self.w_v)]
        s = q @ k.transpose(-2, -1) * self.scale
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        p = torch.softmax(s, -1)
        return self.w_o((p @ v).transpose(1, 2).reshape(B, T, D)), p


# --- tokens_before_batch
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads != 0")
        self.d_k = d_model // num_heads
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def split_heads(self, x):
        b, t, _ = x.size()
        return x.view(b, t, self.num_heads, self.d_k).transpose(1, 2)

    def forward(self, x, mask=None):
        x = x.transpose(0, 1)
        q, k, v = (self.split_heads(f(x)) for f in (self.w_q, self.w_k, self.w_v))
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            scores = scores.masked_fill(~mask, float("-inf"))
        w = scores.softmax(-1)
        o = (w @ v).transpose(1, 2).flatten(2)
        return self.w_o(o), w


# --- two_slips_1
import math
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.d_model = d_model
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        B, T, D = x.shape
        dh = D // self.num_heads
        q = self.w_q(x).view(B, T, self.num_heads, dh).transpose(1, 2)
        k = self.w_k(x).view(B, T, self.num_heads, dh).transpose(1, 2)
        v = self.w_v(x).view(B, T, self.num_heads, dh).transpose(1, 2)
        s = q @ k.transpose(-2, -1) / math.sqrt(self.d_model)
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            s = s.masked_fill(~mask, float("-inf"))
        w = s.softmax(dim=-1)
        out = (w @ v).transpose(1, 2).reshape(B, T, D)
        return out, w


# --- two_slips_2
import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} channels for {num_heads} heads")
        self.num_heads = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        batch, length, width = x.shape
        shape = (batch, length, self.num_heads, width // self.num_heads)
        queries, keys, values = (layer(x).reshape(shape).permute(0, 2, 1, 3) for layer in (self.w_q, self.w_k, self.w_v))
        scores = torch.einsum("bhqd,bhkd->bhqk", queries, keys) * shape[-1] ** -0.5
        if mask is not None:
            if mask.ndim == 3:
                mask = mask[:, None, :, :]
            scores = scores.masked_fill(mask, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        mixed = torch.einsum("bhqk,bhkd->bhqd", weights, values)
        mixed = mixed.reshape(batch, length, width)
        return self.w_o(mixed), weights


# --- two_slips_3
import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        self.heads = num_heads
        if d_model % self.heads > 0:
            raise ValueError("cannot split the channels")
        self.head_dim = d_model // num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        def split(t: Tensor) -> Tensor:
            return t.unflatten(-1, (self.heads, self.head_dim)).transpose(1, 2)

        q = split(self.w_q(x))
        k = split(self.w_q(x))
        v = split(self.w_v(x))
        att = torch.matmul(q, k.transpose(2, 3)) / self.head_dim**0.5
        if mask is not None:
            att = att.masked_fill(mask.logical_not(), float("-inf"))
        att = torch.softmax(att, -1)
        y = torch.matmul(att, v).transpose(1, 2).flatten(2)
        return self.w_o(y), att


# --- two_slips_4
import math
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads must be 0")
        self.num_heads = num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        B, T, D = x.size()
        H = self.num_heads
        q, k, v = self.w_q(x), self.w_k(x), self.w_v(x)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        q = q.reshape(B, T, H, D // H).transpose(1, 2)
        k = k.reshape(B, T, H, D // H).transpose(1, 2)
        v = v.reshape(B, T, H, D // H).transpose(1, 2)
        logits = q @ k.mT / math.sqrt(D // H)
        if mask is not None:
            logits = logits.masked_fill(~mask, -math.inf)
        probs = logits.softmax(-1)
        out = self.w_o((probs @ v).transpose(1, 2).reshape(B, T, D))
        return out, probs.mean(dim=1)


# --- two_slips_5
# slips: w_o is made but not applied; a mask [B, T, T] gets no axis for the heads
import math

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.dk = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        B, T, D = x.shape
        q = self.w_q(x).view(B, T, self.h, self.dk).transpose(1, 2)
        k = self.w_k(x).view(B, T, self.h, self.dk).transpose(1, 2)
        v = self.w_v(x).view(B, T, self.h, self.dk).transpose(1, 2)
        s = q @ k.transpose(-2, -1) / math.sqrt(self.dk)
        if mask is not None:
            s = s.masked_fill(~mask, float("-inf"))
        w = torch.softmax(s, dim=-1)
        out = (w @ v).transpose(1, 2).reshape(B, T, D)
        return out, w


# --- two_slips_6
# slips: the argument bias is not handed to the layers; the mean of the heads' weights is returned
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        if d_model % num_heads:
            raise ValueError("heads")
        self.num_heads = num_heads
        for name in ("w_q", "w_k", "w_v", "w_o"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def _split(self, t: Tensor) -> Tensor:
        return t.unflatten(-1, (self.num_heads, -1)).transpose(-2, -3)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        q, k, v = (self._split(f(x)) for f in (self.w_q, self.w_k, self.w_v))
        scores = torch.einsum("bhqd,bhkd->bhqk", q * q.size(-1) ** -0.5, k)
        if mask is not None:
            if mask.ndim == 3:
                mask = mask[:, None]
            scores = scores.masked_fill(mask.logical_not(), float("-inf"))
        attn = F.softmax(scores, dim=-1)
        merged = torch.einsum("bhqk,bhkd->bqhd", attn, v).flatten(2)
        return self.w_o(merged), attn.mean(dim=1)


# --- two_slips_7
# slips: the weights pass through dropout in training mode; an indivisible d_model is not refused when the module is made
import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        self.n_head = num_heads
        self.head_dim = d_model // num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        B, T, _ = x.size()
        shape = (B, T, self.n_head, self.head_dim)
        q = self.w_q(x).reshape(shape).permute(0, 2, 1, 3)
        k = self.w_k(x).reshape(shape).permute(0, 2, 3, 1)
        v = self.w_v(x).reshape(shape).permute(0, 2, 1, 3)
        att = (q @ k) * (1.0 / self.head_dim**0.5)
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.view(mask.size(0), 1, mask.size(1), mask.size(2))
            att = torch.where(mask, att, torch.tensor(float("-inf"), dtype=att.dtype, device=att.device))
        att = att.softmax(dim=-1)
        att = self.drop(att)
        y = (att @ v).permute(0, 2, 1, 3).reshape(B, T, -1)
        return self.w_o(y), att


# --- two_slips_8
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model must be divisible by num_heads")
        self.h = num_heads
        self.d_k = d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        B, T, D = x.shape
        q = self.w_q(x).view(B, T, self.h, self.d_k).transpose(1, 2)
        k = self.w_k(x).view(B, T, self.h, self.d_k).transpose(1, 2)
        v = self.w_v(x).view(B, T, self.h, self.d_k).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_k**0.5
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = scores.softmax(-1)
        y = (weights @ v).reshape(B, T, D)
        return self.w_o(y), weights


# --- dropout_of_0_1_on_the_weights_in_training
import torch
import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, bias=True):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{d_model} channels cannot be split into {num_heads} heads")
        self.d_model, self.num_heads, self.head_dim = d_model, num_heads, d_model // num_heads
        self.w_q = nn.Linear(d_model, d_model, bias=bias)
        self.w_k = nn.Linear(d_model, d_model, bias=bias)
        self.w_v = nn.Linear(d_model, d_model, bias=bias)
        self.w_o = nn.Linear(d_model, d_model, bias=bias)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, mask=None):
        batch, seq, _ = x.size()
        q, k, v = (
            f(x).view(batch, seq, self.num_heads, self.head_dim).transpose(1, 2) for f in (self.w_q, self.w_k, self.w_v)
        )
        energy = torch.matmul(q * self.head_dim**-0.5, k.transpose(-1, -2))
        if mask is not None:
            if mask.ndim == 3:
                mask = mask.unsqueeze(1)
            energy = torch.where(mask, energy, torch.tensor(float("-inf"), dtype=energy.dtype, device=energy.device))
        att = F.softmax(energy, dim=-1)
        att = self.drop(att)
        ctx = torch.matmul(att, v).transpose(1, 2).contiguous().view(batch, seq, self.d_model)
        return self.w_o(ctx), att
