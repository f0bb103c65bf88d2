"""Wrong files for minimind_module, each a whole submission as somebody might hand it in."""


# --- no_refusal
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- refuses_when_called
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if C % self.H or self.H % self.H_kv:
            raise ValueError('sizes do not divide')
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- only_kv_refused
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = 0 if self.cache_k is None else self.cache_k.size(2)
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, past, past + seq), self.rope(k, past, past + seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * self.head_dim ** -0.5
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(1 + past)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- only_channels_refused
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- asserts
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        assert hidden_size % num_heads == 0 and num_heads % num_kv_heads == 0
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- cache_of_the_class
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    cache = None

    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            MiniMindAttention.cache = None
        start = 0 if MiniMindAttention.cache is None else MiniMindAttention.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if MiniMindAttention.cache is not None:
            k = torch.cat([MiniMindAttention.cache[0], k], dim=2)
            v = torch.cat([MiniMindAttention.cache[1], v], dim=2)
        MiniMindAttention.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- cache_in_state_dict
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.register_buffer('k_cache', torch.zeros(1, num_kv_heads, 0, self.Dh))
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- tables_in_state_dict
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1))
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1))
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = 0 if self.cache_k is None else self.cache_k.size(2)
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, past, past + seq), self.rope(k, past, past + seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * self.head_dim ** -0.5
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(1 + past)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- not_reset
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- no_refusal_not_reset
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- always_reset
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- continued_inverted
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- kept_only_when_continued
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        if continued:
            self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- only_in_eval
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        if not self.training:
            self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- positions_restart
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, 0), self.rotate(k, 0)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- no_refusal_positions_restart
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = 0 if self.cache_k is None else self.cache_k.size(2)
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, 0, seq), self.rope(k, 0, seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * self.head_dim ** -0.5
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(1 + past)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- only_last_piece_kept
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        new = (k, v)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = new
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- new_before_old
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([k, self.cache[0]], dim=2)
            v = torch.cat([v, self.cache[1]], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- cache_rotated_again
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), k
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        k = self.rotate(k, 0)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- no_grad_inside
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    @torch.no_grad()
    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- scores_detached
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1).detach() @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- mask_without_offset
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = 0 if self.cache_k is None else self.cache_k.size(2)
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, past, past + seq), self.rope(k, past, past + seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * self.head_dim ** -0.5
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(1)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- no_mask_when_continued
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        if not continued:
            scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- no_refusal_no_mask_when_continued
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        if start == 0:
            scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- mask_for_single_token_only
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        if T == start + T:
            scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- no_causal
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- hides_itself
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start - 1)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- one_too_many
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = 0 if self.cache_k is None else self.cache_k.size(2)
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, past, past + seq), self.rope(k, past, past + seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * self.head_dim ** -0.5
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(2 + past)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- biases
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=True)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=True)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=True)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=True)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- o_proj_bias
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- other_names
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.wq = nn.Linear(hidden_size, hidden_size, bias=False)
        self.wk = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.wv = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.wo = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.wq(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.wk(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.wv(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.wo(out.transpose(1, 2).reshape(B, T, C))


# --- kv_full_size
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.v_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H, self.Dh)[:, :, :self.H_kv].transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H, self.Dh)[:, :, :self.H_kv].transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- fused_qkv
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.sizes = [hidden_size, num_kv_heads * self.Dh, num_kv_heads * self.Dh]
        self.qkv = nn.Linear(hidden_size, sum(self.sizes), bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        xq, xk, xv = self.qkv(x).split(self.sizes, -1)
        q = xq.reshape(B, T, self.H, self.Dh).transpose(1, 2)
        k = xk.reshape(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = xv.reshape(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- weights_not_transposed
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = (x @ self.q_proj.weight).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return out.transpose(1, 2).reshape(B, T, C) @ self.o_proj.weight


# --- no_o_proj
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return out.transpose(1, 2).reshape(B, T, C)


# --- interleaved_pairs
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., ::2], x[..., 1::2]
        return torch.stack([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).flatten(-2)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- no_refusal_interleaved
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., ::2], x[..., 1::2]
        return torch.stack([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1).flatten(-2)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- rotate_half_backwards
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((x[..., h:], -x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = 0 if self.cache_k is None else self.cache_k.size(2)
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, past, past + seq), self.rope(k, past, past + seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * self.head_dim ** -0.5
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(1 + past)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- no_rope
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- only_q
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), k
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- values_too
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k, v = self.rotate(q, start), self.rotate(k, start), self.rotate(v, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- theta_ignored
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / 10000.0 ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = 0 if self.cache_k is None else self.cache_k.size(2)
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, past, past + seq), self.rope(k, past, past + seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * self.head_dim ** -0.5
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(1 + past)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- theta_default_10000
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=10000.0):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- table_of_64
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(64).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = 0 if self.cache_k is None else self.cache_k.size(2)
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, past, past + seq), self.rope(k, past, past + seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * self.head_dim ** -0.5
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(1 + past)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- tiled
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat(1, self.H // self.H_kv, 1, 1)
        v = v.repeat(1, self.H // self.H_kv, 1, 1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- no_refusal_and_tiled
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat(1, self.H // self.H_kv, 1, 1)
        v = v.repeat(1, self.H // self.H_kv, 1, 1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- no_scale
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- scale_c
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(C)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- scale_dh
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = 0 if self.cache_k is None else self.cache_k.size(2)
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, past, past + seq), self.rope(k, past, past + seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * (1 / self.head_dim)
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(1 + past)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- merge_without_transpose
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.reshape(B, T, C))


# --- merge_view
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).view(B, T, C))


# --- split_without_transpose
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, self.H, T, self.Dh)
        k = self.k_proj(x).view(B, self.H_kv, T, self.Dh)
        v = self.v_proj(x).view(B, self.H_kv, T, self.Dh)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- dropout_left_on
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = nn.functional.dropout(scores.softmax(-1), 0.1, self.training) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- result_float32
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        x = x.float()
        self.float()
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- mask_on_cpu
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- positions_on_cpu
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2]).float()
        freq = self.theta ** (-2 * torch.arange(half).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- angles_in_half
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).to(x.dtype)
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).to(x.dtype) / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- returns_cache_too
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C)), self.cache


# --- cache_after_repeat_then_repeated
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        self.cache = (k, v)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- continued_renamed
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, use_cache=False):
        B, T, C = x.shape
        if not use_cache:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- hidden_renamed
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, dim, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if dim % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, dim // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(dim, dim, bias=False)
        self.k_proj = nn.Linear(dim, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(dim, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(dim, dim, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- buffer_of_fixed_length
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)[:, :, -32:]
            v = torch.cat([self.cache[1], v], dim=2)[:, :, -32:]
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, k.shape[2], dtype=torch.bool, device=x.device).tril(k.shape[2] - T)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- values_of_cache_forgotten
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([torch.zeros_like(self.cache[1]), v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- first_token_of_new_object_fails
import torch
import torch.nn as nn
import torch.nn.functional as F


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads = num_heads
        self.n_kv = num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(num_heads * self.head_dim, hidden_size, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos(), angles.cos()], -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin(), angles.sin()], -1), persistent=False)
        self.cache_k = None
        self.cache_v = None

    @staticmethod
    def rotate_half(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), dim=-1)

    def rope(self, x, start, end):
        return (x * self.cos[start:end] + self.rotate_half(x) * self.sin[start:end]).to(x.dtype)

    def forward(self, x, continued: bool = False):
        bsz, seq, dim = x.shape
        if not continued:
            self.cache_k, self.cache_v = None, None
        past = self.cache_k.size(2) if continued else 0
        q = self.q_proj(x).view(bsz, seq, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(bsz, seq, self.n_kv, self.head_dim).transpose(1, 2)
        q, k = self.rope(q, past, past + seq), self.rope(k, past, past + seq)
        if past:
            k, v = torch.cat([self.cache_k, k], 2), torch.cat([self.cache_v, v], 2)
        self.cache_k, self.cache_v = k, v
        k = k[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        v = v[:, :, None].expand(-1, -1, self.n_rep, -1, -1).reshape(bsz, self.n_heads, -1, self.head_dim)
        scores = q @ k.transpose(2, 3) * self.head_dim ** -0.5
        causal = torch.full((seq, past + seq), float("-inf"), device=x.device, dtype=x.dtype).triu(1 + past)
        attn = F.softmax((scores + causal).float(), dim=-1).type_as(q)
        out = (attn @ v).transpose(1, 2).reshape(bsz, seq, dim)
        return self.o_proj(out)


# --- softmax_over_queries
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-2) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- fill_minus_20
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        q, k = self.rotate(q, start), self.rotate(k, start)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, -20.0)
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- rope_before_split
import math

import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.H_kv, self.Dh = num_heads, num_kv_heads, hidden_size // num_heads
        self.theta = theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def rotate(self, x, start):
        half = self.Dh // 2
        pos = torch.arange(start, start + x.shape[2], device=x.device).float()
        freq = self.theta ** (-2 * torch.arange(half, device=x.device).float() / self.Dh)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def rotate_all(self, x, start):
        half = x.shape[-1] // 2
        pos = torch.arange(start, start + x.shape[1], device=x.device).float()
        freq = self.theta ** (-torch.arange(half, device=x.device).float() / half)
        angle = pos[:, None] * freq
        cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
        x1, x2 = x[..., :half], x[..., half:]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.cache = None
        start = 0 if self.cache is None else self.cache[0].shape[2]
        q = self.rotate_all(self.q_proj(x), start).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.rotate_all(self.k_proj(x), start).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.H_kv, self.Dh).transpose(1, 2)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k, v)
        k = k.repeat_interleave(self.H // self.H_kv, dim=1)
        v = v.repeat_interleave(self.H // self.H_kv, dim=1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.Dh)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = scores.softmax(-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- cache_buffer
import math
import torch
from torch import nn
class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes")
        self.h, self.hkv, self.d, self.theta = num_heads, num_kv_heads, hidden_size // num_heads, theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.d, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.d, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None
    def rope(self, x, start):
        inv = 1.0 / self.theta ** (torch.arange(0, self.d, 2, device=x.device).float() / self.d)
        ang = torch.outer(torch.arange(start, start + x.shape[2], device=x.device).float(), inv)
        ang = torch.cat([ang, ang], -1)
        rot = torch.cat([-x[..., self.d // 2 :], x[..., : self.d // 2]], -1)
        return (x * ang.cos() + rot * ang.sin()).to(x.dtype)
    def forward(self, x, continued=False):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.h, self.d).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.hkv, self.d).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.hkv, self.d).transpose(1, 2)
        if not continued:
            self.cache = None
        past = self.cache[0].shape[2] if self.cache is not None else 0
        q, k = self.rope(q, past), self.rope(k, past)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], 2)
            v = torch.cat([self.cache[1], v], 2)
        self.cache = (k, v)
        self.register_buffer("k_cache", k.detach())
        self.register_buffer("v_cache", v.detach())
        g = self.h // self.hkv
        K, V = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
        s = q @ K.transpose(-2, -1) / math.sqrt(self.d)
        mask = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril(past)
        w = s.masked_fill(~mask, float("-inf")).softmax(-1)
        return self.o_proj((w @ V).transpose(1, 2).reshape(B, T, C))


# --- bias
import math
import torch
from torch import nn
class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes")
        self.h, self.hkv, self.d, self.theta = num_heads, num_kv_heads, hidden_size // num_heads, theta
        self.q_proj = nn.Linear(hidden_size, hidden_size)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.d)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.d)
        self.o_proj = nn.Linear(hidden_size, hidden_size)
        self.cache = None
    def rope(self, x, start):
        inv = 1.0 / self.theta ** (torch.arange(0, self.d, 2, device=x.device).float() / self.d)
        ang = torch.outer(torch.arange(start, start + x.shape[2], device=x.device).float(), inv)
        ang = torch.cat([ang, ang], -1)
        rot = torch.cat([-x[..., self.d // 2 :], x[..., : self.d // 2]], -1)
        return (x * ang.cos() + rot * ang.sin()).to(x.dtype)
    def forward(self, x, continued=False):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.h, self.d).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.hkv, self.d).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.hkv, self.d).transpose(1, 2)
        if not continued:
            self.cache = None
        past = self.cache[0].shape[2] if self.cache is not None else 0
        q, k = self.rope(q, past), self.rope(k, past)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], 2)
            v = torch.cat([self.cache[1], v], 2)
        self.cache = (k, v)
        g = self.h // self.hkv
        K, V = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
        s = q @ K.transpose(-2, -1) / math.sqrt(self.d)
        mask = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril(past)
        w = s.masked_fill(~mask, float("-inf")).softmax(-1)
        return self.o_proj((w @ V).transpose(1, 2).reshape(B, T, C))


# --- no_gradient_when_continued
import math

import torch
from torch import nn


def _rot(x, start, theta):
    half = x.shape[-1] // 2
    f = theta ** (-torch.arange(half, device=x.device).float() / half)
    a = torch.outer(torch.arange(start, start + x.shape[-2], device=x.device).float(), f)
    c, s = torch.cat([a, a], -1).cos().to(x.dtype), torch.cat([a, a], -1).sin().to(x.dtype)
    return x * c + torch.cat([-x[..., half:], x[..., :half]], -1) * s


class Base(nn.Module):
    cut = staticmethod(lambda s: s)
    offset = staticmethod(lambda past: past)

    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("x")
        self.h, self.g, self.theta, self.d = num_heads, num_kv_heads, theta, hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.d, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.d, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def past(self, continued):
        return self.cache if continued else None

    def start(self, past):
        return 0 if past is None else past[0].shape[2]

    def join(self, past, k, v):
        return (torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)) if past is not None else (k, v)

    def rep(self, t):
        return t.repeat_interleave(self.h // self.g, 1)

    def mask(self, tq, tk, dev):
        return torch.ones(tq, tk, dtype=torch.bool, device=dev).tril(tk - tq)

    def scale(self):
        return self.d**-0.5

    def keep(self, k, v):
        self.cache = (k, v)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        q, k, v = (p(x).view(B, T, -1, self.d).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        past = self.past(continued)
        s = self.start(past)
        q, k = _rot(q, s, self.theta), _rot(k, s, self.theta)
        k, v = self.join(past, k, v)
        self.keep(k, v)
        k, v = self.rep(k), self.rep(v)
        w = (q @ k.mT * self.scale()).masked_fill(~self.mask(T, k.shape[2], x.device), -math.inf).softmax(-1)
        return self.o_proj((w @ v).transpose(1, 2).reshape(B, T, C))


class MiniMindAttention(Base):
    def forward(self, x, continued=False):
        with torch.set_grad_enabled(not continued):
            return super().forward(x, continued)


# --- one_dict_for_all_objects
import math

import torch
from torch import nn


def _rot(x, start, theta):
    half = x.shape[-1] // 2
    f = theta ** (-torch.arange(half, device=x.device).float() / half)
    a = torch.outer(torch.arange(start, start + x.shape[-2], device=x.device).float(), f)
    c, s = torch.cat([a, a], -1).cos().to(x.dtype), torch.cat([a, a], -1).sin().to(x.dtype)
    return x * c + torch.cat([-x[..., half:], x[..., :half]], -1) * s


class Base(nn.Module):
    cut = staticmethod(lambda s: s)
    offset = staticmethod(lambda past: past)

    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("x")
        self.h, self.g, self.theta, self.d = num_heads, num_kv_heads, theta, hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.d, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.d, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def past(self, continued):
        return self.cache if continued else None

    def start(self, past):
        return 0 if past is None else past[0].shape[2]

    def join(self, past, k, v):
        return (torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)) if past is not None else (k, v)

    def rep(self, t):
        return t.repeat_interleave(self.h // self.g, 1)

    def mask(self, tq, tk, dev):
        return torch.ones(tq, tk, dtype=torch.bool, device=dev).tril(tk - tq)

    def scale(self):
        return self.d**-0.5

    def keep(self, k, v):
        self.cache = (k, v)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        q, k, v = (p(x).view(B, T, -1, self.d).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        past = self.past(continued)
        s = self.start(past)
        q, k = _rot(q, s, self.theta), _rot(k, s, self.theta)
        k, v = self.join(past, k, v)
        self.keep(k, v)
        k, v = self.rep(k), self.rep(v)
        w = (q @ k.mT * self.scale()).masked_fill(~self.mask(T, k.shape[2], x.device), -math.inf).softmax(-1)
        return self.o_proj((w @ v).transpose(1, 2).reshape(B, T, C))


class MiniMindAttention(Base):
    store = {}

    def past(self, continued):
        return self.store.get("kv") if continued else None

    def keep(self, k, v):
        self.store["kv"] = (k, v)


# --- cache_of_the_class_again
import math
import torch
from torch import Tensor, nn

def rope(x, start, theta):
    T, d = x.shape[-2], x.shape[-1]
    half = d // 2
    wide = torch.promote_types(x.dtype, torch.float32)
    inv = theta ** (-torch.arange(half, device=x.device, dtype=wide) * 2 / d)
    pos = torch.arange(start, start + T, device=x.device, dtype=wide)
    ang = pos[:, None] * inv
    cos, sin = ang.cos().to(x.dtype), ang.sin().to(x.dtype)
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)

class MiniMindAttention(nn.Module):
    cache = None
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size is not a multiple of num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads is not a multiple of num_kv_heads")
        self.num_heads, self.num_kv_heads, self.theta = num_heads, num_kv_heads, theta
        self.head_dim = hidden_size // num_heads
        kv_size = num_kv_heads * self.head_dim
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, kv_size, bias=False)
        self.v_proj = nn.Linear(hidden_size, kv_size, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        MiniMindAttention.cache = None

    def forward(self, x: Tensor, continued: bool = False) -> Tensor:
        B, T, C = x.shape
        if not continued:
            MiniMindAttention.cache = None
        past = 0 if MiniMindAttention.cache is None else MiniMindAttention.cache[0].shape[2]
        q = self.q_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv_heads, self.head_dim).transpose(1, 2)
        q, k = rope(q, past, self.theta), rope(k, past, self.theta)
        if MiniMindAttention.cache is not None:
            k = torch.cat([MiniMindAttention.cache[0], k], 2)
            v = torch.cat([MiniMindAttention.cache[1], v], 2)
        MiniMindAttention.cache = (k, v)
        g = self.num_heads // self.num_kv_heads
        k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        mask = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril(past)
        scores = scores.masked_fill(~mask, float("-inf"))
        out = torch.softmax(scores, -1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- two_slips_1
# slips: tokens of a later call are rotated from position 0 again; key and value heads are repeated in the order h0, h1, h0, h1
import math

import torch
from torch import Tensor, nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be a multiple of num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be a multiple of num_kv_heads")
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.head_dim = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.head_dim, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.theta = theta
        self.cache = None

    def rope(self, x: Tensor) -> Tensor:
        half = self.head_dim // 2
        freqs = self.theta ** (-torch.arange(half, device=x.device).float() / half)
        pos = torch.arange(x.shape[2], device=x.device).float()
        angles = pos[:, None] * freqs[None, :]
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)

    def forward(self, x: Tensor, continued: bool = False) -> Tensor:
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_kv_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_kv_heads, self.head_dim).transpose(1, 2)
        q, k = self.rope(q), self.rope(k)
        if continued and self.cache is not None:
            k = torch.cat([self.cache[0], k], dim=2)
            v = torch.cat([self.cache[1], v], dim=2)
        self.cache = (k.detach(), v.detach())
        groups = self.num_heads // self.num_kv_heads
        k = k.repeat(1, groups, 1, 1)
        v = v.repeat(1, groups, 1, 1)
        total = k.shape[2]
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        future = torch.ones(T, total, dtype=torch.bool, device=x.device).triu(total - T + 1)
        scores = scores.masked_fill(future, float("-inf"))
        out = scores.softmax(dim=-1) @ v
        return self.o_proj(out.transpose(1, 2).reshape(B, T, C))


# --- two_slips_2
# slips: the RoPE exponent is i / Dh instead of 2i / Dh; the causal mask of a later call starts at the top left
import torch
from torch import Tensor, nn


def rotate_half_pairs(t, positions, theta):
    dh = t.shape[-1]
    idx = torch.arange(dh // 2, device=t.device, dtype=torch.float32)
    ang = torch.outer(positions.float(), 1.0 / theta ** (idx / dh))
    c = torch.cat([ang.cos(), ang.cos()], -1).to(t.dtype)
    s = torch.cat([ang.sin(), ang.sin()], -1).to(t.dtype)
    x1, x2 = t.chunk(2, dim=-1)
    return t * c + torch.cat([-x2, x1], -1) * s


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not fit")
        self.h, self.hkv, self.dh = num_heads, num_kv_heads, hidden_size // num_heads
        kv = self.hkv * self.dh
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, kv, bias=False)
        self.v_proj = nn.Linear(hidden_size, kv, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.theta = theta
        self._keys: list[Tensor] = []
        self._values: list[Tensor] = []

    def forward(self, x: Tensor, continued: bool = False) -> Tensor:
        if not continued:
            self._keys, self._values = [], []
        b, t, c = x.shape
        seen = sum(piece.shape[1] for piece in self._keys)
        pos = torch.arange(seen, seen + t, device=x.device)
        q = self.q_proj(x).reshape(b, t, self.h, self.dh).transpose(1, 2)
        k = self.k_proj(x).reshape(b, t, self.hkv, self.dh)
        v = self.v_proj(x).reshape(b, t, self.hkv, self.dh)
        k = rotate_half_pairs(k.transpose(1, 2), pos, self.theta).transpose(1, 2)
        q = rotate_half_pairs(q, pos, self.theta)
        all_k = torch.cat(self._keys + [k], dim=1)
        all_v = torch.cat(self._values + [v], dim=1)
        self._keys.append(k.detach())
        self._values.append(v.detach())

        q = q.reshape(b, self.hkv, self.h // self.hkv, t, self.dh)
        s = torch.einsum("bgrtd,bsgd->bgrts", q, all_k) * self.dh**-0.5
        allowed = torch.ones(t, all_k.shape[1], dtype=torch.bool, device=x.device).tril()
        s = torch.where(allowed, s, float("-inf"))
        y = torch.einsum("bgrts,bsgd->btgrd", s.softmax(-1), all_v)
        return self.o_proj(y.reshape(b, t, c))


# --- two_slips_3
# slips: a new text does not drop what was kept of the last one; with a cache no causal mask is applied to the new tokens
import math

import torch
from torch import Tensor, nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.H, self.Hkv, self.theta = num_heads, num_kv_heads, theta
        self.Dh = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.Dh, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.Dh, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache = None

    def _rope(self, t, start):
        half = self.Dh // 2
        freq = self.theta ** (-torch.arange(half, device=t.device).float() / half)
        ang = torch.outer(torch.arange(start, start + t.shape[2], device=t.device).float(), freq)
        a, b = t[..., :half], t[..., half:]
        return torch.cat([a * ang.cos() - b * ang.sin(), b * ang.cos() + a * ang.sin()], -1).to(t.dtype)

    def forward(self, x: Tensor, continued: bool = False) -> Tensor:
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.H, self.Dh).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.Hkv, self.Dh).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.Hkv, self.Dh).transpose(1, 2)
        past = 0 if self.cache is None else self.cache[0].shape[2]
        q, k = self._rope(q, past), self._rope(k, past)
        if self.cache is not None:
            k = torch.cat([self.cache[0], k], 2)
            v = torch.cat([self.cache[1], v], 2)
        self.cache = (k.detach(), v.detach())
        n = self.H // self.Hkv
        s = q @ k.repeat_interleave(n, 1).transpose(-2, -1) / math.sqrt(self.Dh)
        if past == 0:
            s = s.masked_fill(torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1), -math.inf)
        y = s.softmax(-1) @ v.repeat_interleave(n, 1)
        return self.o_proj(y.transpose(1, 2).reshape(B, T, C))


# --- two_slips_4
# slips: the kept keys and values live in a list of the class, shared by all objects; new tokens are rotated as if they began at position 0
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class MiniMindAttention(nn.Module):
    past = {}

    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_kv_heads")
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.head_dim = hidden_size // num_heads
        kv = num_kv_heads * self.head_dim
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, kv, bias=False)
        self.v_proj = nn.Linear(hidden_size, kv, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        inv = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        self.register_buffer("inv_freq", inv, persistent=False)

    def forward(self, x: Tensor, continued: bool = False) -> Tensor:
        b, t, c = x.shape
        if not continued:
            self.past.clear()
        done = self.past["k"].size(1) if "k" in self.past else 0
        pos = torch.arange(t, device=x.device)
        ang = torch.outer(pos.float(), self.inv_freq.float())
        cos, sin = ang.cos()[:, None], ang.sin()[:, None]

        def rot(u):
            u1, u2 = u.chunk(2, -1)
            return torch.cat((u1 * cos - u2 * sin, u1 * sin + u2 * cos), -1).to(u.dtype)

        q = rot(self.q_proj(x).view(b, t, self.num_heads, self.head_dim))
        k = rot(self.k_proj(x).view(b, t, self.num_kv_heads, self.head_dim))
        v = self.v_proj(x).view(b, t, self.num_kv_heads, self.head_dim)
        if done:
            k = torch.cat((self.past["k"], k), 1)
            v = torch.cat((self.past["v"], v), 1)
        self.past["k"], self.past["v"] = k.detach(), v.detach()
        q = q.view(b, t, self.num_kv_heads, -1, self.head_dim)
        s = torch.einsum("btngd,bsnd->bngts", q, k) / self.head_dim**0.5
        causal = torch.ones(t, done + t, dtype=torch.bool, device=x.device).tril(done)
        w = F.softmax(s.masked_fill(~causal, float("-inf")), -1)
        return self.o_proj(torch.einsum("bngts,bsnd->btngd", w, v).reshape(b, t, c))


# --- two_slips_5
# slips: the position of a new token goes on by the number of calls in place of the number of tokens; the output layer has a bias
import math

import torch
from torch import Tensor, nn


def rope_table(pos: Tensor, dim: int, theta: float):
    inv = theta ** (-2 * torch.arange(dim // 2, device=pos.device, dtype=torch.float32) / dim)
    a = pos.float().unsqueeze(-1) * inv
    a = torch.cat([a, a], -1)
    return a.cos(), a.sin()


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads != 0 or num_heads % num_kv_heads != 0:
            raise ValueError
        self.nh, self.nkv, self.theta = num_heads, num_kv_heads, theta
        self.hd = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, num_heads * self.hd, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.hd, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.hd, bias=False)
        self.o_proj = nn.Linear(num_heads * self.hd, hidden_size)
        self._keys, self._values = [], []
        self._step = 0

    def forward(self, x: Tensor, continued: bool = False) -> Tensor:
        if not continued:
            self._keys, self._values = [], []
            self._step = 0
        B, T, C = x.shape
        cos, sin = rope_table(torch.arange(self._step, self._step + T, device=x.device), self.hd, self.theta)

        def turn(t):
            h = self.hd // 2
            return (t * cos + torch.cat([-t[..., h:], t[..., :h]], -1) * sin).to(t.dtype)

        q = turn(self.q_proj(x).view(B, T, self.nh, self.hd).permute(0, 2, 1, 3))
        k = turn(self.k_proj(x).view(B, T, self.nkv, self.hd).permute(0, 2, 1, 3))
        v = self.v_proj(x).view(B, T, self.nkv, self.hd).permute(0, 2, 1, 3)
        K, V = torch.cat([*self._keys, k], 2), torch.cat([*self._values, v], 2)
        self._keys.append(k.detach())
        self._values.append(v.detach())
        self._step += 1
        S = K.shape[2]
        K = K[:, :, None].expand(-1, -1, self.nh // self.nkv, -1, -1).reshape(B, self.nh, S, self.hd)
        V = V[:, :, None].expand(-1, -1, self.nh // self.nkv, -1, -1).reshape(B, self.nh, S, self.hd)
        s = q @ K.mT / math.sqrt(self.hd)
        bias = torch.full((T, S), -math.inf, dtype=s.dtype, device=x.device).triu(S - T + 1)
        return self.o_proj(((s + bias).softmax(-1) @ V).permute(0, 2, 1, 3).reshape(B, T, C))


# --- two_slips_6
import torch
from torch import nn


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        self.H, self.Hk, self.theta = num_heads, num_kv_heads, theta
        self.d = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, self.d * num_kv_heads, bias=False)
        self.v_proj = nn.Linear(hidden_size, self.d * num_kv_heads, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.kv = None

    def rope(self, u, start):
        dt = torch.promote_types(u.dtype, torch.float32)
        f = self.theta ** (-torch.arange(0, self.d, 2, dtype=dt, device=u.device) / self.d)
        a = torch.outer(torch.arange(start, start + u.shape[2], dtype=dt, device=u.device), f)
        u1, u2 = u.chunk(2, -1)
        return torch.cat([u1 * a.cos() - u2 * a.sin(), u2 * a.cos() + u1 * a.sin()], -1).to(u.dtype)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if self.kv is not None and self.kv[0].shape[0] != B:
            self.kv = None
        past = self.kv[0].shape[2] if self.kv is not None else 0
        q = self.rope(self.q_proj(x).view(B, T, self.H, self.d).transpose(1, 2), past)
        k = self.rope(self.k_proj(x).view(B, T, self.Hk, self.d).transpose(1, 2), past)
        v = self.v_proj(x).view(B, T, self.Hk, self.d).transpose(1, 2)
        if past:
            k, v = torch.cat([self.kv[0], k], 2), torch.cat([self.kv[1], v], 2)
        self.kv = (k.detach(), v.detach())
        g = self.H // self.Hk
        s = q @ k.repeat_interleave(g, 1).transpose(2, 3) / self.d**0.5
        m = torch.ones(T, past + T, dtype=torch.bool, device=x.device).tril(past)
        w = s.masked_fill(~m, float("-inf")).softmax(-1)
        return self.o_proj((w @ v.repeat_interleave(g, 1)).transpose(1, 2).reshape(B, T, C))


# --- cosine_table_made_in_the_constructor_for_512
import math
import torch
from torch import Tensor, nn

MAX_LEN = 512


class MiniMindAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float = 1e6) -> None:
        super().__init__()
        if hidden_size % num_heads:
            raise ValueError("hidden_size % num_heads")
        if num_heads % num_kv_heads:
            raise ValueError("num_heads % num_kv_heads")
        self.num_heads = num_heads
        self.num_kv_heads = num_kv_heads
        self.head_dim = hidden_size // num_heads
        kv = self.head_dim * num_kv_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, kv, bias=False)
        self.v_proj = nn.Linear(hidden_size, kv, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        i = torch.arange(0, self.head_dim, 2).double() / self.head_dim
        self.angles = torch.outer(torch.arange(MAX_LEN).double(), theta**-i).repeat(1, 2)
        self.keys = self.values = None
        self.seen = 0

    def _rotate(self, t: Tensor, pos: Tensor) -> Tensor:
        a = self.angles.to(t.device)[pos.clamp(max=MAX_LEN - 1)]
        wide = t.to(torch.promote_types(t.dtype, torch.float32))
        half = torch.cat([-wide[..., self.head_dim // 2 :], wide[..., : self.head_dim // 2]], dim=-1)
        return (wide * a.cos().to(wide.dtype) + half * a.sin().to(wide.dtype)).to(t.dtype)

    def forward(self, x: Tensor, continued: bool = False) -> Tensor:
        if not continued:
            self.keys = self.values = None
            self.seen = 0
        B, T, _ = x.shape
        pos = torch.arange(self.seen, self.seen + T, device=x.device)
        q = self.q_proj(x).reshape(B, T, self.num_heads, -1).transpose(1, 2)
        k = self.k_proj(x).reshape(B, T, self.num_kv_heads, -1).transpose(1, 2)
        v = self.v_proj(x).reshape(B, T, self.num_kv_heads, -1).transpose(1, 2)
        q, k = self._rotate(q, pos), self._rotate(k, pos)
        self.keys = k if self.keys is None else torch.cat([self.keys, k], dim=2)
        self.values = v if self.values is None else torch.cat([self.values, v], dim=2)
        self.seen += T
        rep = self.num_heads // self.num_kv_heads
        K = self.keys.repeat_interleave(rep, dim=1)
        V = self.values.repeat_interleave(rep, dim=1)
        scores = q @ K.mT / math.sqrt(self.head_dim)
        allowed = torch.arange(self.seen, device=x.device) <= pos[:, None]
        scores = scores.masked_fill(~allowed, -math.inf)
        y = scores.softmax(dim=-1) @ V
        return self.o_proj(y.transpose(1, 2).flatten(2))


# --- the_cache_is_a_class_attribute_shared_by_all
import torch
from torch import nn


class MiniMindAttention(nn.Module):
    past = {}

    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads != 0 or num_heads % num_kv_heads != 0:
            raise ValueError("bad head counts")
        self.nh, self.nkv, self.theta = num_heads, num_kv_heads, theta
        self.hd = hidden_size // num_heads
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_kv_heads * self.hd, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_kv_heads * self.hd, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)

    def forward(self, x, continued=False):
        B, T, C = x.shape
        if not continued:
            self.past.clear()
        n = self.past["k"].shape[2] if self.past else 0
        q = self.q_proj(x).view(B, T, self.nh, self.hd).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.nkv, self.hd).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.nkv, self.hd).transpose(1, 2)
        dt = torch.float64 if x.dtype == torch.float64 else torch.float32
        p = torch.arange(n, n + T, device=x.device, dtype=dt)
        w = self.theta ** (-torch.arange(self.hd // 2, device=x.device, dtype=dt) * 2 / self.hd)
        c, s = torch.cos(p[:, None] * w), torch.sin(p[:, None] * w)

        def turn(z):
            l, r = z[..., : self.hd // 2], z[..., self.hd // 2 :]
            return torch.cat([l * c - r * s, r * c + l * s], dim=-1).to(z.dtype)

        q, k = turn(q), turn(k)
        if n:
            k = torch.cat([self.past["k"], k], dim=2)
            v = torch.cat([self.past["v"], v], dim=2)
        self.past["k"], self.past["v"] = k.detach(), v.detach()
        k = k.repeat_interleave(self.nh // self.nkv, dim=1)
        v = v.repeat_interleave(self.nh // self.nkv, dim=1)
        a = torch.matmul(q, k.transpose(-2, -1)) / (self.hd**0.5)
        a = a + torch.full((T, n + T), float("-inf"), device=x.device, dtype=a.dtype).triu(n + 1)
        a = torch.softmax(a, dim=-1)
        o = torch.matmul(a, v).transpose(1, 2).contiguous().view(B, T, C)
        return self.o_proj(o)
