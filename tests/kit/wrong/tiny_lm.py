"""Wrong submissions for tiny_lm, as people write them; written from the statement, without the suite in view."""


# --- targets_not_shifted
# slip: the loss compares each prediction with the token that was just read, not with the next one
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Norm(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(c))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Attn(nn.Module):
    def __init__(self, c, h, hk, theta):
        super().__init__()
        self.h, self.hk, self.d, self.theta = h, hk, c // h, theta
        self.q_proj = nn.Linear(c, h * self.d, bias=False)
        self.k_proj = nn.Linear(c, hk * self.d, bias=False)
        self.v_proj = nn.Linear(c, hk * self.d, bias=False)
        self.o_proj = nn.Linear(h * self.d, c, bias=False)
        self.past = None

    def rope(self, x, start):
        half = self.d // 2
        freq = self.theta ** (-torch.arange(half, dtype=torch.float64, device=x.device) / half)
        ang = torch.arange(start, start + x.shape[2], device=x.device).double()[:, None] * freq
        cos, sin = ang.cos().to(x.dtype), ang.sin().to(x.dtype)
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)

    def forward(self, x, continued):
        B, T, C = x.shape
        if not continued:
            self.past = None
        q = self.q_proj(x).view(B, T, self.h, self.d).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.hk, self.d).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.hk, self.d).transpose(1, 2)
        n = 0 if self.past is None else self.past[0].shape[2]
        q, k = self.rope(q, n), self.rope(k, n)
        if self.past is not None:
            k, v = torch.cat([self.past[0], k], 2), torch.cat([self.past[1], v], 2)
        self.past = (k.detach(), v.detach())
        g = self.h // self.hk
        s = q @ k.repeat_interleave(g, 1).mT / math.sqrt(self.d)
        s = s.masked_fill(torch.ones(T, n + T, dtype=torch.bool, device=x.device).triu(n + 1), -math.inf)
        y = s.softmax(-1) @ v.repeat_interleave(g, 1)
        return self.o_proj(y.transpose(1, 2).reshape(B, T, C))


class Layer(nn.Module):
    def __init__(self, c, h, hk, theta):
        super().__init__()
        self.attention_norm, self.mlp_norm = Norm(c), Norm(c)
        self.attention = Attn(c, h, hk, theta)
        self.gate_proj = nn.Linear(c, 2 * c, bias=False)
        self.up_proj = nn.Linear(c, 2 * c, bias=False)
        self.down_proj = nn.Linear(2 * c, c, bias=False)

    def forward(self, x, continued):
        x = x + self.attention(self.attention_norm(x), continued)
        h = self.mlp_norm(x)
        return x + self.down_proj(F.silu(self.gate_proj(h)) * self.up_proj(h))


class TinyLM(nn.Module):
    def __init__(
        self, vocab: int, hidden_size: int, num_layers: int, num_heads: int, num_kv_heads: int, theta: float = 1e4
    ) -> None:
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("heads")
        self.embed = nn.Embedding(vocab, hidden_size)
        self.layers = nn.ModuleList(Layer(hidden_size, num_heads, num_kv_heads, theta) for _ in range(num_layers))
        self.norm = Norm(hidden_size)
        for p in self.parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02)

    def forward(self, tokens: Tensor, continued: bool = False) -> Tensor:
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, continued)
        return self.norm(x) @ self.embed.weight.T

    def size(self) -> int:
        return sum(p.numel() for p in self.parameters())

    def loss(self, tokens: Tensor) -> Tensor:
        logits = self(tokens[:, :-1])
        target = tokens[:, :-1]
        return F.cross_entropy(logits.flatten(0, 1), target.flatten())

    def fit(self, batches: Tensor, rate: float) -> Tensor:
        opt = torch.optim.Adam(self.parameters(), lr=rate)
        losses = []
        for batch in batches:
            loss = self.loss(batch)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.detach())
        return torch.stack(losses)

    @torch.no_grad()
    def generate(self, prompt: Tensor, n: int, use_cache: bool = True) -> tuple[Tensor, int]:
        text = prompt
        logits = self(prompt)
        for i in range(n):
            new = logits[:, -1].argmax(-1, keepdim=True)
            text = torch.cat([text, new], 1)
            if i < n - 1:
                logits = self(new, True) if use_cache else self(text)
        size = 0
        if use_cache:
            for layer in self.layers:
                size += sum(t.numel() * t.element_size() for t in layer.attention.past)
        return text[:, prompt.shape[1] :], size
