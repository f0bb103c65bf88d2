"""A cache that is allocated ahead and doubles when it is full; bytes are counted of its filled part."""

import torch
import torch.nn.functional as F
from torch import nn


class KVCache:
    def __init__(self):
        self.length, self.data = 0, None

    def append(self, k, v):
        new = torch.stack([k, v])
        T = new.shape[3]
        if self.data is None:
            self.data = new.new_zeros(*new.shape[:3], max(16, T), new.shape[4])
        while self.length + T > self.data.shape[3]:
            self.data = torch.cat([self.data, torch.zeros_like(self.data)], 3)
        self.data = self.data.clone() if torch.is_grad_enabled() else self.data
        self.data[:, :, :, self.length : self.length + T] = new
        self.length += T
        return self.data[:, :, :, : self.length]

    @property
    def nbytes(self):
        filled = self.data[:, :, :, : self.length]
        return filled.numel() * filled.element_size()


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight, 1e-6)


class Attention(nn.Module):
    def __init__(self, dim, heads, kv_heads, theta):
        super().__init__()
        self.heads, self.kv_heads, self.theta, self.dh = heads, kv_heads, theta, dim // heads
        self.q_proj = nn.Linear(dim, heads * self.dh, bias=False)
        self.k_proj = nn.Linear(dim, kv_heads * self.dh, bias=False)
        self.v_proj = nn.Linear(dim, kv_heads * self.dh, bias=False)
        self.o_proj = nn.Linear(heads * self.dh, dim, bias=False)
        self.cache = KVCache()

    def rope(self, x, start):
        inverse = self.theta ** (-2 * torch.arange(self.dh // 2, device=x.device) / self.dh)
        angle = (start + torch.arange(x.shape[2], device=x.device))[:, None] * inverse
        cos, sin = angle.cos().repeat(1, 2), angle.sin().repeat(1, 2)
        swapped = torch.roll(x, self.dh // 2, -1)
        sign = torch.where(torch.arange(self.dh, device=x.device) < self.dh // 2, -1, 1)
        return (x * cos + swapped * sin * sign).to(x.dtype)

    def forward(self, x, continued):
        if not continued:
            self.cache = KVCache()
        B, T, C = x.shape
        start = self.cache.length
        q, k, v = (p(x).view(B, T, -1, self.dh).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        k, v = self.cache.append(self.rope(k, start), v)
        q = self.rope(q, start).reshape(B, self.kv_heads, -1, T, self.dh)
        scores = q @ k[:, :, None].transpose(-1, -2) / self.dh**0.5
        bias = torch.full((T, start + T), float("-inf"), device=x.device, dtype=x.dtype).triu(start + 1)
        y = (scores + bias).softmax(-1) @ v[:, :, None]
        return self.o_proj(y.flatten(1, 2).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, dim, heads, kv_heads, theta):
        super().__init__()
        self.attention_norm, self.attention = RMSNorm(dim), Attention(dim, heads, kv_heads, theta)
        self.mlp_norm = RMSNorm(dim)
        self.gate_proj, self.up_proj = nn.Linear(dim, 2 * dim, bias=False), nn.Linear(dim, 2 * dim, bias=False)
        self.down_proj = nn.Linear(2 * dim, dim, bias=False)

    def forward(self, x, continued):
        x = x + self.attention(self.attention_norm(x), continued)
        y = self.mlp_norm(x)
        return x + self.down_proj(F.silu(self.gate_proj(y)).mul(self.up_proj(y)))


class TinyLM(nn.Module):
    def __init__(self, vocab, hidden_size, num_layers, num_heads, num_kv_heads, theta=1e4):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes")
        self.embed = nn.Embedding(vocab, hidden_size)
        self.layers = nn.ModuleList(Block(hidden_size, num_heads, num_kv_heads, theta) for _ in range(num_layers))
        self.norm = RMSNorm(hidden_size)
        for name, p in self.named_parameters():
            if "norm" not in name:
                nn.init.normal_(p, 0, 0.02)

    def forward(self, tokens, continued=False):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, continued)
        return F.linear(self.norm(x), self.embed.weight)

    def size(self):
        return len(nn.utils.parameters_to_vector(self.parameters()))

    def loss(self, tokens):
        logits = self(tokens[:, :-1])
        target = tokens[:, 1:]
        lse = logits.logsumexp(-1)
        return (lse - logits.gather(-1, target.unsqueeze(-1)).squeeze(-1)).sum() / target.numel()

    def fit(self, batches, rate):
        params = [p for p in self.parameters()]
        state = [(torch.zeros_like(p), torch.zeros_like(p)) for p in params]
        history = []
        for t, tokens in enumerate(batches, start=1):
            for p in params:
                p.grad = None
            loss = self.loss(tokens)
            loss.backward()
            history.append(loss.detach().clone())
            for p, (m, v) in zip(params, state, strict=True):
                if p.grad is None:
                    continue
                m.mul_(0.9).add_(p.grad, alpha=0.1)
                v.mul_(0.999).addcmul_(p.grad, p.grad, value=0.001)
                step = rate * (1 - 0.999**t) ** 0.5 / (1 - 0.9**t)
                p.data.addcdiv_(m, v.sqrt().add(1e-8 * (1 - 0.999**t) ** 0.5), value=-step)
        return torch.stack(history)

    @torch.no_grad()
    def generate(self, prompt, n, use_cache=True):
        tokens = prompt
        size = 0
        for step in range(n):
            if use_cache:
                logits = self(tokens if step == 0 else tokens[:, -1:], continued=step > 0)
            else:
                logits = self(tokens)
            tokens = torch.cat([tokens, logits[:, -1].argmax(-1)[:, None]], -1)
        if use_cache:
            size = sum(layer.attention.cache.nbytes for layer in self.layers)
        return tokens[:, -n:], size
