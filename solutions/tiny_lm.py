"""A small language model of MiniMind's parts: it learns from a text and goes on with one."""

import math

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, silu


def rotate(x: Tensor, start: int, theta: float) -> Tensor:
    """RoPE (Su et al. 2021) for x [B, H, T, Dh] at the positions start, start + 1, ...; pairs (i, i + Dh/2)."""
    T, Dh = x.shape[-2:]
    dtype = torch.promote_types(x.dtype, torch.float32)
    exponent = torch.arange(0, Dh, 2, dtype=dtype, device=x.device) / Dh  # [Dh/2]
    position = torch.arange(start, start + T, dtype=dtype, device=x.device)  # [T]
    angle = torch.outer(position, theta**-exponent)  # [T, Dh/2]
    x1, x2 = x.chunk(2, dim=-1)  # [B, H, T, Dh/2] each
    return torch.cat([x1 * angle.cos() - x2 * angle.sin(), x2 * angle.cos() + x1 * angle.sin()], dim=-1).to(x.dtype)


class Attention(nn.Module):
    """Causal grouped-query self-attention with RoPE and a cache, as in the exercise minimind_module."""

    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float) -> None:
        super().__init__()
        kv_size = hidden_size // num_heads * num_kv_heads
        self.num_heads, self.num_kv_heads, self.theta = num_heads, num_kv_heads, theta
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.k_proj = nn.Linear(hidden_size, kv_size, bias=False)
        self.v_proj = nn.Linear(hidden_size, kv_size, bias=False)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.cache: tuple[Tensor, Tensor] | None = None

    def forward(self, x: Tensor, continued: bool) -> Tensor:
        """Args: x [B, T, C], the next tokens of the text before if `continued`. Returns: [B, T, C]."""
        B, T, C = x.shape
        if not continued:
            self.cache = None
        q = self.q_proj(x).reshape(B, T, self.num_heads, -1).transpose(1, 2)  # [B, H, T, Dh]
        k = self.k_proj(x).reshape(B, T, self.num_kv_heads, -1).transpose(1, 2)  # [B, H_kv, T, Dh]
        v = self.v_proj(x).reshape(B, T, self.num_kv_heads, -1).transpose(1, 2)  # [B, H_kv, T, Dh]
        past = 0 if self.cache is None else self.cache[0].shape[2]
        q, k = rotate(q, past, self.theta), rotate(k, past, self.theta)
        if self.cache is not None:
            k, v = torch.cat([self.cache[0], k], dim=2), torch.cat([self.cache[1], v], dim=2)  # [B, H_kv, S, Dh]
        self.cache = k, v
        k, v = (t.repeat_interleave(self.num_heads // self.num_kv_heads, dim=1) for t in (k, v))  # [B, H, S, Dh]
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # [B, H, T, S]
        key = torch.arange(past + T, device=x.device)  # [S]
        visible = key <= key[past:].unsqueeze(1)  # [T, S]: the queries are the last T positions
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)  # [B, H, T, S]
        return self.o_proj((weights @ v).transpose(1, 2).reshape(B, T, C))


class RMSNorm(nn.Module):
    """x / sqrt(mean(x^2) + 1e-6) * weight (Zhang and Sennrich 2019)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))

    def forward(self, x: Tensor) -> Tensor:
        """Args: x [..., C]. Returns: [..., C]."""
        return x * torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + 1e-6) * self.weight


class Block(nn.Module):
    """Pre-norm: attention, then a gated MLP (Shazeer 2020), each added to what went in."""

    def __init__(self, hidden_size: int, num_heads: int, num_kv_heads: int, theta: float) -> None:
        super().__init__()
        self.attention_norm, self.mlp_norm = RMSNorm(hidden_size), RMSNorm(hidden_size)
        self.attention = Attention(hidden_size, num_heads, num_kv_heads, theta)
        self.gate_proj = nn.Linear(hidden_size, 2 * hidden_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, 2 * hidden_size, bias=False)
        self.down_proj = nn.Linear(2 * hidden_size, hidden_size, bias=False)

    def forward(self, x: Tensor, continued: bool) -> Tensor:
        """Args: x [B, T, C]. Returns: [B, T, C]."""
        x = x + self.attention(self.attention_norm(x), continued)
        h = self.mlp_norm(x)
        return x + self.down_proj(silu(self.gate_proj(h)) * self.up_proj(h))


class TinyLM(nn.Module):
    """A language model: tokens in, logits of the next token out.

    Raises:
        ValueError: hidden_size is no multiple of num_heads, or num_heads none of num_kv_heads.
    """

    def __init__(
        self, vocab: int, hidden_size: int, num_layers: int, num_heads: int, num_kv_heads: int, theta: float = 1e4
    ) -> None:
        super().__init__()
        if hidden_size % num_heads or num_heads % num_kv_heads:
            raise ValueError(f"heads must divide evenly, got {hidden_size}, {num_heads}, {num_kv_heads}")
        self.embed = nn.Embedding(vocab, hidden_size)
        self.layers = nn.ModuleList(Block(hidden_size, num_heads, num_kv_heads, theta) for _ in range(num_layers))
        self.norm = RMSNorm(hidden_size)
        for weight in self.parameters():
            if weight.dim() == 2:
                nn.init.normal_(weight, std=0.02)

    def forward(self, tokens: Tensor, continued: bool = False) -> Tensor:
        """Args: tokens [B, T], the next ones of the text before if `continued`. Returns: logits [B, T, vocab]."""
        x = self.embed(tokens)  # [B, T, C]
        for layer in self.layers:
            x = layer(x, continued)
        return self.norm(x) @ self.embed.weight.T  # [B, T, vocab]: the embedding serves as output matrix too

    def size(self) -> int:
        """How many numbers are trained."""
        return sum(weight.numel() for weight in self.parameters())

    def loss(self, tokens: Tensor) -> Tensor:
        """The mean of -log p(token t + 1 | tokens up to t). Args: tokens [B, T + 1]."""
        return cross_entropy(self(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())

    def fit(self, batches: Tensor, rate: float) -> Tensor:
        """One step of Adam (Kingma and Ba 2015) a batch.

        Args:
            batches: [steps, B, T + 1].

        Returns:
            the losses [steps], each before its step.
        """
        weights = list(self.parameters())
        means, squares = ([torch.zeros_like(w) for w in weights] for _ in range(2))
        losses = []
        for step, tokens in enumerate(batches, 1):
            loss = self.loss(tokens)
            losses.append(loss.detach())
            for w, g, m, s in zip(weights, torch.autograd.grad(loss, weights), means, squares, strict=True):
                m.lerp_(g, 0.1)
                s.lerp_(g.square(), 0.001)
                w.data -= rate * (m / (1 - 0.9**step)) / ((s / (1 - 0.999**step)).sqrt() + 1e-8)
        return torch.stack(losses)

    @torch.no_grad()
    def generate(self, prompt: Tensor, n: int, use_cache: bool = True) -> tuple[Tensor, int]:
        """Go on with a text, each time with the likeliest token.

        Args:
            prompt: [B, T].

        Returns:
            the n new tokens [B, n], and how many bytes of keys and values are kept at the end.
        """
        text, logits = prompt, self(prompt)
        for new in range(1, n + 1):
            text = torch.cat([text, logits[:, -1].argmax(dim=-1, keepdim=True)], dim=1)
            if new < n:
                logits = self(text[:, -1:], True) if use_cache else self(text)
        kept = [t for layer in self.layers for t in layer.attention.cache] if use_cache else []
        return text[:, prompt.shape[1] :], sum(t.numel() * t.element_size() for t in kept)
