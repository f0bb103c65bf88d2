"""One class and helper functions; heads in a loop; the loss by hand; Adam by hand with backward(); bytes by formula."""

import math

import torch
from torch import nn


def turned(x, positions, theta):  # x [B, T, Dh]
    half = x.shape[-1] // 2
    speed = torch.tensor([theta ** (-i / half) for i in range(half)], dtype=torch.float64, device=positions.device)
    a = positions.to(torch.float64)[:, None] * speed
    c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
    return torch.cat([x[..., :half] * c - x[..., half:] * s, x[..., half:] * c + x[..., :half] * s], -1)


class TinyLM(nn.Module):
    def __init__(self, vocab, hidden_size, num_layers, num_heads, num_kv_heads, theta=1e4):
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError("heads do not divide")
        super().__init__()
        self.H, self.G, self.D, self.theta = num_heads, num_kv_heads, hidden_size // num_heads, theta
        C, kv = hidden_size, num_kv_heads * self.D
        self.embed = nn.Embedding(vocab, C)
        self.embed.weight.data *= 0.02
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            layer = nn.Module()
            layer.attention = nn.Module()
            for name, rows in (("q", C), ("k", kv), ("v", kv), ("o", C)):
                layer.attention.add_module(name + "_proj", self.linear(C, rows))
            layer.gate_proj, layer.up_proj, layer.down_proj = (
                self.linear(C, 2 * C), self.linear(C, 2 * C), self.linear(2 * C, C),
            )  # fmt: skip
            layer.attention_norm, layer.mlp_norm = self.gain(C), self.gain(C)
            self.layers.append(layer)
        self.norm = self.gain(C)
        self.memory = {}

    def linear(self, n_in, n_out):
        made = nn.Linear(n_in, n_out, bias=False)
        made.weight.data = 0.02 * torch.randn(n_out, n_in)
        return made

    def gain(self, C):
        made = nn.Module()
        made.weight = nn.Parameter(torch.ones(C))
        return made

    def normed(self, x, gain):
        return x / (x.pow(2).mean(-1, keepdim=True) + 1e-6).sqrt() * gain.weight

    def attend(self, i, x):
        part = self.layers[i].attention
        new = torch.stack([part.k_proj(x), part.v_proj(x)])
        if i in self.memory:
            new = torch.cat([self.memory[i], new], 2)
        self.memory[i] = new
        S, T = new.shape[2], x.shape[1]
        places = torch.arange(S, device=x.device)
        late = places[None, :] > places[S - T :, None]
        q, outputs = part.q_proj(x), []
        for h in range(self.H):
            own = slice(h * self.D, (h + 1) * self.D)
            g = h // (self.H // self.G)
            shared = slice(g * self.D, (g + 1) * self.D)
            k = turned(new[0][..., shared], places, self.theta)
            scores = turned(q[..., own], places[S - T :], self.theta) @ k.transpose(1, 2) / math.sqrt(self.D)
            outputs.append(torch.softmax(scores.masked_fill(late, -torch.inf), -1) @ new[1][..., shared])
        return part.o_proj(torch.cat(outputs, -1))

    def forward(self, tokens, continued=False):
        if not continued:
            self.memory.clear()
        x = self.embed.weight[tokens]
        for i, layer in enumerate(self.layers):
            x = x + self.attend(i, self.normed(x, layer.attention_norm))
            h = self.normed(x, layer.mlp_norm)
            gate = layer.gate_proj(h)
            x = x + layer.down_proj(gate * torch.sigmoid(gate) * layer.up_proj(h))
        return nn.functional.linear(self.normed(x, self.norm), self.embed.weight)

    def size(self):
        return sum(t.numel() for t in self.state_dict().values())

    def loss(self, tokens):
        log_p = self(tokens)[:, :-1].log_softmax(-1)
        return -log_p.gather(-1, tokens[:, 1:, None]).mean()

    def fit(self, batches, rate):
        m, v, losses = {}, {}, torch.zeros(len(batches), dtype=next(self.parameters()).dtype)
        for step in range(len(batches)):
            for p in self.parameters():
                p.grad = None
            loss = self.loss(batches[step])
            loss.backward()
            losses[step] = loss.item()
            with torch.no_grad():
                for name, p in self.named_parameters():
                    if p.grad is None:
                        continue
                    m[name] = 0.9 * m.get(name, 0) + 0.1 * p.grad
                    v[name] = 0.999 * v.get(name, 0) + 0.001 * p.grad**2
                    top = m[name] / (1 - 0.9 ** (step + 1))
                    p -= rate * top / (torch.sqrt(v[name] / (1 - 0.999 ** (step + 1))) + 1e-8)
        return losses

    @torch.no_grad()
    def generate(self, prompt, n, use_cache=True):
        B, T = prompt.shape
        text = prompt.clone()
        for i in range(n):
            if use_cache and i:
                logits = self.forward(text[:, T + i - 1 :], True)
            else:
                logits = self.forward(text)
            text = torch.cat((text, torch.max(logits[:, -1], -1)[1].unsqueeze(1)), 1)
        entries = 2 * len(self.layers) * B * self.G * (T + n - 1) * self.D
        return text[:, T:], entries * self.embed.weight.element_size() if use_cache else 0
