"""The cache belongs to the model and is handed to each layer; complex RoPE; grouped products; torch.optim.Adam."""

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, n, eps=1e-6):
        super().__init__()
        self.eps, self.weight = eps, nn.Parameter(torch.ones(n))

    def forward(self, x):
        return self.weight * x * torch.rsqrt(torch.mean(x * x, -1, True) + self.eps)


def turn(x, start, theta):  # [B, T, heads, Dh]
    wide = x.double()
    z = torch.complex(*wide.chunk(2, -1))
    rate = theta ** -(torch.arange(z.shape[-1], device=x.device, dtype=torch.float64) / z.shape[-1])
    at = torch.arange(start, start + x.shape[1], device=x.device, dtype=torch.float64)
    z = z * torch.polar(torch.ones_like(at)[:, None, None], (at[:, None] * rate)[:, None, :])
    return torch.cat((z.real, z.imag), -1).to(x.dtype)


class Attention(nn.Module):
    def __init__(self, C, H, G, theta):
        super().__init__()
        self.H, self.G, self.theta = H, G, theta
        self.q_proj, self.o_proj = nn.Linear(C, C, False), nn.Linear(C, C, False)
        self.k_proj, self.v_proj = (nn.Linear(C, C // H * G, False) for _ in "kv")

    def forward(self, x, kept):
        T, past = x.shape[1], kept[0].shape[1] if kept else 0
        q = turn(self.q_proj(x).unflatten(-1, (self.H, -1)), past, self.theta)
        k = turn(self.k_proj(x).unflatten(-1, (self.G, -1)), past, self.theta)
        v = self.v_proj(x).unflatten(-1, (self.G, -1))
        if kept:
            k, v = torch.cat((kept[0], k), 1), torch.cat((kept[1], v), 1)
        q = q.unflatten(2, (self.G, -1)) * q.shape[-1] ** -0.5
        scores = torch.einsum("btgrd,bsgd->bgrts", q, k)
        hidden = torch.triu(torch.ones(T, past + T, device=x.device), past + 1).bool()
        weights = scores.masked_fill(hidden, torch.finfo(x.dtype).min).softmax(-1)
        y = torch.einsum("bgrts,bsgd->btgrd", weights, v).flatten(2)
        return self.o_proj(y), (k.detach(), v.detach())


class Layer(nn.Module):
    def __init__(self, C, H, G, theta):
        super().__init__()
        self.attention_norm, self.attention, self.mlp_norm = RMSNorm(C), Attention(C, H, G, theta), RMSNorm(C)
        self.gate_proj, self.up_proj = nn.Linear(C, 2 * C, False), nn.Linear(C, 2 * C, False)
        self.down_proj = nn.Linear(2 * C, C, False)
        self.act = nn.SiLU()

    def forward(self, x, kept):
        y, kept = self.attention(self.attention_norm(x), kept)
        x = x + y
        h = self.mlp_norm(x)
        return x + self.down_proj(self.act(self.gate_proj(h)) * self.up_proj(h)), kept


class TinyLM(nn.Module):
    def __init__(self, vocab, hidden_size, num_layers, num_heads, num_kv_heads, theta=1e4):
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError
        self.embed = nn.Embedding(vocab, hidden_size)
        nn.init.trunc_normal_(self.embed.weight, std=0.02)
        sizes = hidden_size, num_heads, num_kv_heads, theta
        self.layers = nn.Sequential(*(Layer(*sizes) for _ in range(num_layers)))
        self.norm = RMSNorm(hidden_size)
        self.cache = [None] * num_layers

    def forward(self, tokens, continued=False):
        x, cache = self.embed(tokens), self.cache if continued else [None] * len(self.layers)
        self.cache = []
        for layer, kept in zip(self.layers, cache, strict=True):
            x, kept = layer(x, kept)
            self.cache.append(kept)
        return self.norm(x) @ self.embed.weight.mT

    def size(self):
        return int(sum(torch.tensor(p.shape).prod() for p in self.parameters()))

    def loss(self, tokens):
        logits = self(tokens[:, :-1]).permute(0, 2, 1)
        return nn.CrossEntropyLoss()(logits, tokens[:, 1:])

    def fit(self, batches, rate):
        adam, losses = torch.optim.Adam(self.parameters(), rate), []
        self.train()
        for batch in batches.unbind(0):
            adam.zero_grad(set_to_none=True)
            loss = self.loss(batch)
            loss.backward()
            adam.step()
            losses += [float(loss)]
        return torch.tensor(losses, dtype=next(self.parameters()).dtype)

    def generate(self, prompt, n, use_cache=True):
        with torch.inference_mode():
            new = [self(prompt)[:, -1].argmax(-1)]
            while len(new) < n:
                logits = (
                    self(new[-1][:, None], True) if use_cache else self(torch.cat([prompt, torch.stack(new, 1)], 1))
                )
                new.append(logits[:, -1].argmax(-1))
            kept = [t for pair in self.cache for t in pair] if use_cache else []
        return torch.stack(new, 1), sum(t.numel() * t.element_size() for t in kept)
