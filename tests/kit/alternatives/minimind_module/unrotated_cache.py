"""Keeps keys as they were projected, in a dictionary, and turns all of them on every call, as complex numbers."""

import torch


class MiniMindAttention(torch.nn.Module):
    def __init__(self, hidden_size, num_heads, num_kv_heads, theta=1e6):
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError(f"{hidden_size} channels, {num_heads} heads, {num_kv_heads} shared")
        super().__init__()
        Dh = hidden_size // num_heads
        for name, width in (("q", num_heads), ("k", num_kv_heads), ("v", num_kv_heads), ("o", num_heads)):
            self.add_module(f"{name}_proj", torch.nn.Linear(hidden_size, width * Dh, bias=False))
        self.groups, self.Dh = num_kv_heads, Dh
        self.theta = theta
        self.kept = {}

    def turn(self, x, first):
        wide = x if x.dtype == torch.float64 else x.float()
        i = torch.arange(self.Dh // 2, device=x.device).to(wide.dtype)
        p = torch.arange(first, first + x.shape[-2], device=x.device).to(wide.dtype)
        angle = p.unsqueeze(1) * self.theta ** (-2 * i / self.Dh)
        z = torch.complex(*wide.chunk(2, -1)) * torch.polar(torch.ones_like(angle), angle)
        return torch.cat([z.real, z.imag], -1).to(x.dtype)

    def forward(self, x, continued=False):
        if not continued:
            self.kept.clear()
        B, T, C = x.shape
        for name, layer in (("k", self.k_proj), ("v", self.v_proj)):
            new = layer(x).unflatten(-1, (self.groups, self.Dh)).transpose(1, 2)
            self.kept[name] = torch.cat([self.kept[name], new], 2) if name in self.kept else new
        k, v = self.kept["k"], self.kept["v"]
        first = k.shape[2] - T
        q = self.turn(self.q_proj(x).unflatten(-1, (-1, self.Dh)).transpose(1, 2), first)
        q = q.unflatten(1, (self.groups, -1))
        scores = torch.einsum("bghid,bgjd->bghij", q, self.turn(k, 0)) * self.Dh**-0.5
        late = torch.arange(k.shape[2], device=x.device) > torch.arange(first, first + T, device=x.device)[:, None]
        scores = scores.masked_fill(late, torch.finfo(scores.dtype).min)
        heads = torch.einsum("bghij,bgjd->bighd", scores.softmax(-1), v)
        return self.o_proj(heads.reshape(B, T, C))
