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


# --- two_slips_1
import torch
import torch.nn.functional as F
from torch import nn


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


class Attn(nn.Module):
    def __init__(self, C, H, Hk, theta):
        super().__init__()
        self.H, self.Hk, self.theta, self.d = H, Hk, theta, C // H
        self.q_proj = nn.Linear(C, C, bias=False)
        self.k_proj = nn.Linear(C, Hk * self.d, bias=False)
        self.v_proj = nn.Linear(C, Hk * self.d, bias=False)
        self.o_proj = nn.Linear(C, C, bias=False)
        self.k = self.v = None

    def rope(self, x, first):
        half = self.d // 2
        freq = self.theta ** (-torch.arange(half, dtype=x.dtype, device=x.device) / half)
        ang = torch.arange(first, first + x.shape[2], dtype=x.dtype, device=x.device)[:, None] * freq
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * ang.cos() - b * ang.sin(), b * ang.cos() + a * ang.sin()], -1)

    def forward(self, x, continued):
        B, T, C = x.shape
        if not continued:
            self.k = self.v = None
        n = 0 if self.k is None else self.k.shape[2]
        q = self.rope(self.q_proj(x).view(B, T, self.H, self.d).transpose(1, 2), n)
        k = self.rope(self.k_proj(x).view(B, T, self.Hk, self.d).transpose(1, 2), n)
        v = self.v_proj(x).view(B, T, self.Hk, self.d).transpose(1, 2)
        if n:
            k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        self.k, self.v = k, v
        g = self.H // self.Hk
        s = q @ k.repeat_interleave(g, 1).transpose(2, 3) / self.d**0.5
        hide = torch.ones(T, n + T, dtype=torch.bool, device=x.device).triu(n + 1)
        w = s.masked_fill(hide, float("-inf")).softmax(-1)
        return self.o_proj((w @ v.repeat_interleave(g, 1)).transpose(1, 2).reshape(B, T, C))


class Layer(nn.Module):
    def __init__(self, C, H, Hk, theta):
        super().__init__()
        self.attention_norm, self.mlp_norm = Norm(C), Norm(C)
        self.attention = Attn(C, H, Hk, theta)
        self.gate_proj = nn.Linear(C, 2 * C, bias=False)
        self.up_proj = nn.Linear(C, 2 * C, bias=False)
        self.down_proj = nn.Linear(2 * C, C, bias=False)

    def forward(self, x, continued):
        x = x + self.attention(self.attention_norm(x), continued)
        h = self.mlp_norm(x)
        return x + self.down_proj(F.silu(self.gate_proj(h)) * self.up_proj(h))


class TinyLM(nn.Module):
    def __init__(self, vocab, hidden_size, num_layers, num_heads, num_kv_heads, theta=1e4):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.embed = nn.Embedding(vocab, hidden_size)
        self.layers = nn.ModuleList([Layer(hidden_size, num_heads, num_kv_heads, theta) for _ in range(num_layers)])
        self.norm = Norm(hidden_size)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, 0.0, 0.02)

    def forward(self, tokens, continued=False):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, continued)
        return x @ self.embed.weight.T

    def size(self):
        return sum(p.numel() for p in self.parameters())

    def loss(self, tokens):
        logits = self(tokens[:, :-1])
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1))

    def fit(self, batches, rate):
        opt = torch.optim.Adam(self.parameters(), lr=rate)
        history = []
        for tokens in batches:
            loss = self.loss(tokens)
            loss.backward()
            opt.step()
            history.append(loss.item())
        return history

    @torch.no_grad()
    def generate(self, prompt, n, use_cache=True):
        text = prompt
        logits = self(prompt)
        for i in range(n):
            new = logits[:, -1].argmax(-1, keepdim=True)
            text = torch.cat([text, new], dim=1)
            if i < n - 1:
                logits = self(new, True) if use_cache else self(text)
        size = 0
        if use_cache:
            for layer in self.layers:
                a = layer.attention
                size += (a.k.numel() + a.v.numel()) * a.k.element_size()
        return text[:, prompt.shape[1] :], size


# --- two_slips_2
import math

import torch
from torch import Tensor, nn


def rms(x: Tensor, gain: Tensor) -> Tensor:
    return x / torch.sqrt((x * x).mean(dim=-1, keepdim=True) + 1e-6) * gain


def swish(z: Tensor) -> Tensor:
    return z * torch.sigmoid(z)


class Scale(nn.Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(n))

    def forward(self, x: Tensor) -> Tensor:
        return rms(x, self.weight)


def linear(n_in: int, n_out: int) -> nn.Linear:
    layer = nn.Linear(n_in, n_out, bias=False)
    nn.init.normal_(layer.weight, std=0.02)
    return layer


class Heads(nn.Module):
    def __init__(self, width: int, n_q: int, n_kv: int) -> None:
        super().__init__()
        self.n_q, self.n_kv = n_q, n_kv
        self.q_proj, self.o_proj = linear(width, width), linear(width, width)
        self.k_proj, self.v_proj = linear(width, width // n_q * n_kv), linear(width, width // n_q * n_kv)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, past):
        q = self.q_proj(x).unflatten(-1, (self.n_q, -1))
        k = self.k_proj(x).unflatten(-1, (self.n_kv, -1))
        v = self.v_proj(x).unflatten(-1, (self.n_kv, -1))
        q, k = self.turn(q, cos, sin), self.turn(k, cos, sin)
        if past is not None:
            k, v = torch.cat([past[0], k], 1), torch.cat([past[1], v], 1)
        idx = torch.arange(self.n_q, device=x.device) // (self.n_q // self.n_kv)
        s = torch.einsum("bihd,bjhd->bhij", q, k[:, :, idx]) / math.sqrt(q.shape[-1])
        T, S = s.shape[2], s.shape[3]
        seen = torch.arange(S, device=x.device)[None, :] <= torch.arange(S - T, S, device=x.device)[:, None]
        w = s.masked_fill(~seen, -math.inf).softmax(-1)
        out = torch.einsum("bhij,bjhd->bihd", w, v[:, :, idx]).flatten(2)
        return self.o_proj(out), (k, v)

    @staticmethod
    def turn(u: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        x1, x2 = u.chunk(2, dim=-1)
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)


class Stage(nn.Module):
    def __init__(self, width: int, n_q: int, n_kv: int) -> None:
        super().__init__()
        self.attention_norm = Scale(width)
        self.attention = Heads(width, n_q, n_kv)
        self.mlp_norm = Scale(width)
        self.gate_proj, self.up_proj = linear(width, 2 * width), linear(width, 2 * width)
        self.down_proj = linear(2 * width, width)


class TinyLM(nn.Module):
    def __init__(
        self, vocab: int, hidden_size: int, num_layers: int, num_heads: int, num_kv_heads: int, theta: float = 1e4
    ) -> None:
        super().__init__()
        if hidden_size % num_heads:
            raise ValueError("hidden_size must be a multiple of num_heads")
        if num_heads % num_kv_heads:
            raise ValueError("num_heads must be a multiple of num_kv_heads")
        self.theta, self.head_dim = theta, hidden_size // num_heads
        self.embed = nn.Embedding(vocab, hidden_size)
        nn.init.normal_(self.embed.weight, std=0.02)
        self.layers = nn.ModuleList([Stage(hidden_size, num_heads, num_kv_heads) for _ in range(num_layers)])
        self.norm = Scale(hidden_size)
        self.memory = [None] * num_layers
        self.seen = 0

    def forward(self, tokens: Tensor, continued: bool = False) -> Tensor:
        if not continued:
            self.memory = [None] * len(self.layers)
            self.seen = 0
        x = self.embed(tokens)
        T = tokens.shape[1]
        f = self.theta ** (-torch.arange(0, self.head_dim, 2, device=x.device, dtype=x.dtype) / self.head_dim)
        angle = torch.arange(self.seen, self.seen + T, device=x.device, dtype=x.dtype)[:, None, None] * f
        for i, stage in enumerate(self.layers):
            y, self.memory[i] = stage.attention(stage.attention_norm(x), angle.cos(), angle.sin(), self.memory[i])
            x = x + y
            h = stage.mlp_norm(x)
            gate, up = stage.gate_proj(h), stage.up_proj(h)
            x = x + stage.down_proj(gate * swish(up))
        self.seen += T
        return torch.einsum("btc,vc->btv", self.norm(x), self.embed.weight)

    def size(self) -> int:
        total = 0
        for p in self.parameters():
            total += p.numel()
        return total

    def loss(self, tokens: Tensor) -> Tensor:
        logp = self(tokens[:, :-1]).log_softmax(dim=-1)
        target = tokens[:, 1:].unsqueeze(-1)
        return -logp.gather(-1, target).mean()

    def fit(self, batches: Tensor, rate: float) -> Tensor:
        params = list(self.parameters())
        m = [torch.zeros_like(p) for p in params]
        v = [torch.zeros_like(p) for p in params]
        record = []
        for t in range(1, len(batches) + 1):
            loss = self.loss(batches[t - 1])
            grads = torch.autograd.grad(loss, params)
            record.append(loss.detach())
            with torch.no_grad():
                for j, (p, g) in enumerate(zip(params, grads)):
                    m[j] = 0.9 * m[j] + 0.1 * g
                    v[j] = 0.999 * v[j] + 0.001 * g * g
                    step = m[j] / (1 - 0.9**t) / ((v[j] / (1 - 0.999**t)).sqrt() + 1e-8)
                    p.sub_(rate * step)
        return torch.stack(record)

    @torch.no_grad()
    def generate(self, prompt: Tensor, n: int, use_cache: bool = True) -> tuple[Tensor, int]:
        written = []
        logits = self(prompt)
        while True:
            written.append(logits[:, -1].argmax(dim=-1, keepdim=True))
            if len(written) == n:
                break
            if use_cache:
                logits = self(written[-1], continued=True)
            else:
                logits = self(torch.cat([prompt] + written, dim=1))
        kept = 0
        if use_cache:
            for keys, values in self.memory:
                kept += keys.numel() + values.numel()
        return torch.cat(written, dim=1), kept


# --- default_theta_is_1e6_not_1e4
import torch
import torch.nn.functional as F
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)


class Attention(nn.Module):
    def __init__(self, C, H, Hk, theta):
        super().__init__()
        self.H, self.Hk, self.theta, self.d = H, Hk, theta, C // H
        self.q_proj = nn.Linear(C, C, bias=False)
        self.k_proj = nn.Linear(C, Hk * self.d, bias=False)
        self.v_proj = nn.Linear(C, Hk * self.d, bias=False)
        self.o_proj = nn.Linear(C, C, bias=False)
        self.k = self.v = None

    def rope(self, x, first):
        half = self.d // 2
        speed = self.theta ** (-torch.arange(half, dtype=x.dtype, device=x.device) / half)
        phase = torch.arange(first, first + x.shape[2], dtype=x.dtype, device=x.device)[:, None] * speed
        a, b = x[..., :half], x[..., half:]
        return torch.cat([a * phase.cos() - b * phase.sin(), b * phase.cos() + a * phase.sin()], -1)

    def forward(self, x, continued):
        B, T, C = x.shape
        if not continued:
            self.k = self.v = None
        n = 0 if self.k is None else self.k.shape[2]
        q = self.rope(self.q_proj(x).view(B, T, self.H, self.d).transpose(1, 2), n)
        k = self.rope(self.k_proj(x).view(B, T, self.Hk, self.d).transpose(1, 2), n)
        v = self.v_proj(x).view(B, T, self.Hk, self.d).transpose(1, 2)
        if n:
            k, v = torch.cat([self.k, k], 2), torch.cat([self.v, v], 2)
        self.k, self.v = k, v
        g = self.H // self.Hk
        s = q @ k.repeat_interleave(g, 1).transpose(2, 3) / self.d**0.5
        hide = torch.ones(T, n + T, dtype=torch.bool, device=x.device).triu(n + 1)
        w = torch.softmax(s.masked_fill(hide, -torch.inf), dim=-1)
        return self.o_proj((w @ v.repeat_interleave(g, 1)).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, C, H, Hk, theta):
        super().__init__()
        self.attention_norm, self.mlp_norm = RMSNorm(C), RMSNorm(C)
        self.attention = Attention(C, H, Hk, theta)
        self.gate_proj = nn.Linear(C, 2 * C, bias=False)
        self.up_proj = nn.Linear(C, 2 * C, bias=False)
        self.down_proj = nn.Linear(2 * C, C, bias=False)

    def forward(self, x, continued):
        x = x + self.attention(self.attention_norm(x), continued)
        h = self.mlp_norm(x)
        return x + self.down_proj(F.silu(self.gate_proj(h)) * self.up_proj(h))


class TinyLM(nn.Module):
    def __init__(self, vocab, hidden_size, num_layers, num_heads, num_kv_heads, theta=1e6):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("sizes do not divide")
        self.embed = nn.Embedding(vocab, hidden_size)
        self.layers = nn.ModuleList([Block(hidden_size, num_heads, num_kv_heads, theta) for _ in range(num_layers)])
        self.norm = RMSNorm(hidden_size)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.normal_(p, 0.0, 0.02)

    def forward(self, tokens, continued=False):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, continued)
        return self.norm(x) @ self.embed.weight.T

    def size(self):
        return sum(p.numel() for p in self.parameters())

    def loss(self, tokens):
        logits = self(tokens[:, :-1])
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1))

    def fit(self, batches, rate):
        opt = torch.optim.Adam(self.parameters(), lr=rate)
        curve = []
        for tokens in batches:
            opt.zero_grad()
            loss = self.loss(tokens)
            loss.backward()
            opt.step()
            curve.append(loss.item())
        return curve

    @torch.no_grad()
    def generate(self, prompt, n, use_cache=True):
        text = prompt
        logits = self(prompt)
        for i in range(n):
            new = logits[:, -1].argmax(-1, keepdim=True)
            text = torch.cat([text, new], dim=1)
            if i < n - 1:
                logits = self(new, True) if use_cache else self(text)
        size = 0
        if use_cache:
            for layer in self.layers:
                a = layer.attention
                size += (a.k.numel() + a.v.numel()) * a.k.element_size()
        return text[:, prompt.shape[1] :], size
