"""torch's own parts: nn.RMSNorm, fused attention, a tied nn.Linear as head, torch.optim.AdamW, tables in buffers."""

import torch
import torch.nn.functional as F
from torch import nn


def rotate_half(x):
    return torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)


class Attention(nn.Module):
    def __init__(self, dim, n_heads, n_kv, theta):
        super().__init__()
        self.n_heads, self.n_kv, self.head_dim = n_heads, n_kv, dim // n_heads
        self.q_proj = nn.Linear(dim, dim, bias=False)
        self.k_proj = nn.Linear(dim, n_kv * self.head_dim, bias=False)
        self.v_proj = nn.Linear(dim, n_kv * self.head_dim, bias=False)
        self.o_proj = nn.Linear(dim, dim, bias=False)
        freqs = 1.0 / theta ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(4096).float(), freqs)
        self.register_buffer("cos", torch.cat([angles.cos()] * 2, -1), persistent=False)
        self.register_buffer("sin", torch.cat([angles.sin()] * 2, -1), persistent=False)
        self.past = None

    def forward(self, x, continued):
        B, T, C = x.shape
        past = self.past if continued else None
        q = self.q_proj(x).view(B, T, self.n_heads, -1).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.n_kv, -1).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.n_kv, -1).transpose(1, 2)
        start = 0 if past is None else past[0].shape[2]
        cos, sin = self.cos[start : start + T], self.sin[start : start + T]
        q, k = q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
        if past is not None:
            k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
        self.past = (k, v)
        n_rep = self.n_heads // self.n_kv
        k, v = k.repeat_interleave(n_rep, 1), v.repeat_interleave(n_rep, 1)
        mask = torch.ones(T, start + T, dtype=torch.bool, device=x.device).tril(start)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.o_proj(y.transpose(1, 2).reshape(B, T, C))


class Layer(nn.Module):
    def __init__(self, dim, *rest):
        super().__init__()
        self.attention = Attention(dim, *rest)
        self.attention_norm, self.mlp_norm = nn.RMSNorm(dim, eps=1e-6), nn.RMSNorm(dim, eps=1e-6)
        self.gate_proj = nn.Linear(dim, 2 * dim, bias=False)
        self.up_proj = nn.Linear(dim, 2 * dim, bias=False)
        self.down_proj = nn.Linear(2 * dim, dim, bias=False)

    def forward(self, x, continued):
        x = x + self.attention(self.attention_norm(x), continued)
        h = self.mlp_norm(x)
        return x + self.down_proj(F.silu(self.gate_proj(h)) * self.up_proj(h))


class TinyLM(nn.Module):
    def __init__(self, vocab, hidden_size, num_layers, num_heads, num_kv_heads, theta=1e4):
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.embed = nn.Embedding(vocab, hidden_size)
        self.layers = nn.ModuleList([Layer(hidden_size, num_heads, num_kv_heads, theta) for _ in range(num_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=1e-6)
        self.head = nn.Linear(hidden_size, vocab, bias=False)
        self.head.weight = self.embed.weight
        self.apply(self._init)

    def _init(self, module):
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)

    def forward(self, tokens, continued=False):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, continued)
        return self.head(self.norm(x))

    def size(self):
        return sum(p.numel() for p in self.parameters())

    def loss(self, tokens):
        logits = self(tokens[:, :-1])
        return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), tokens[:, 1:].reshape(-1))

    def fit(self, batches, rate):
        optimizer = torch.optim.AdamW(self.parameters(), lr=rate)
        losses = []
        for batch in batches:
            loss = self.loss(batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return torch.tensor(losses, dtype=next(self.parameters()).dtype)

    def generate(self, prompt, n, use_cache=True):
        self.eval()
        out, nxt = [], prompt
        text = prompt
        with torch.no_grad():
            for i in range(n):
                logits = self(nxt, continued=i > 0) if use_cache else self(text)
                nxt = logits[:, -1:].argmax(-1)
                out.append(nxt)
                text = torch.cat([text, nxt], 1)
        size = 0
        if use_cache:
            for layer in self.layers:
                size += sum(t.nbytes for t in layer.attention.past)
        return torch.cat(out, 1), size
