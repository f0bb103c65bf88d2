"""As MiniMind writes it: [B, T, H, Dh] until after RoPE, tables of cosines, fused attention with a mask."""

import torch
import torch.nn.functional as F


def precompute(dim, end, theta, device):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2, device=device)[: dim // 2].float() / dim))
    freqs = torch.outer(torch.arange(end, device=device), freqs).float()
    return torch.cat([freqs.cos(), freqs.cos()], -1), torch.cat([freqs.sin(), freqs.sin()], -1)


def apply(x, cos, sin):
    half = x.shape[-1] // 2
    rotated = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return ((x * cos.unsqueeze(1)) + (rotated * sin.unsqueeze(1))).to(x.dtype)


def repeat_kv(x, n_rep):
    bs, slen, heads, dim = x.shape
    if n_rep == 1:
        return x
    return x[:, :, :, None, :].expand(bs, slen, heads, n_rep, dim).reshape(bs, slen, heads * n_rep, dim)


def step(x, W, num_heads, num_kv_heads, theta, cache):
    if num_heads % num_kv_heads != 0:
        raise ValueError("num_heads must be divisible by num_kv_heads")
    bsz, seq_len, hidden = x.shape
    head_dim = hidden // num_heads
    xq, xk, xv = x @ W[0], x @ W[1], x @ W[2]
    xq = xq.view(bsz, seq_len, num_heads, head_dim)
    xk = xk.view(bsz, seq_len, num_kv_heads, head_dim)
    xv = xv.view(bsz, seq_len, num_kv_heads, head_dim)
    past = cache[0].shape[2] if cache is not None else 0
    cos, sin = precompute(head_dim, past + seq_len, theta, x.device)
    xq, xk = apply(xq, cos[past:], sin[past:]), apply(xk, cos[past:], sin[past:])
    if cache is not None:
        xk = torch.cat([cache[0].transpose(1, 2), xk], dim=1)
        xv = torch.cat([cache[1].transpose(1, 2), xv], dim=1)
    new_cache = xk.transpose(1, 2), xv.transpose(1, 2)
    n_rep = num_heads // num_kv_heads
    xq, xk, xv = xq.transpose(1, 2), repeat_kv(xk, n_rep).transpose(1, 2), repeat_kv(xv, n_rep).transpose(1, 2)
    mask = torch.ones(seq_len, past + seq_len, dtype=torch.bool, device=x.device).tril(past)
    output = F.scaled_dot_product_attention(xq, xk, xv, attn_mask=mask)
    return output.transpose(1, 2).reshape(bsz, seq_len, -1) @ W[3], new_cache


def kv_decode(x, W, num_heads, num_kv_heads, chunks, theta=1e6):
    for c in chunks:
        if c < 1:
            raise ValueError("empty chunk")
    if sum(chunks) != x.shape[1]:
        raise ValueError("chunks and text differ in length")
    cache, outputs, at = None, [], 0
    for c in chunks:
        y, cache = step(x[:, at : at + c], W, num_heads, num_kv_heads, theta, cache)
        outputs.append(y)
        at += c
    return torch.cat(outputs, dim=1), cache
