"""Wrong submissions for flex_attention, written from the statement, without the suite in view."""

# --- any_is_full
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.any():
                kinds[i, j] = 2
            elif False:
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- last_tiles_padded
import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = -(-q_len // block), -(-kv_len // block)
    seen = torch.zeros(nq * block, nk * block, dtype=torch.bool, device=device)
    q_idx = torch.arange(q_len, device=device)[:, None]
    seen[:q_len, :kv_len] = mask_mod(q_idx, torch.arange(kv_len, device=device))
    counts = seen.view(nq, block, nk, block).sum((1, 3))
    return (counts > 0).long() + (counts == block * block).long()


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- rest_dropped
import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = q_len // block, kv_len // block
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(Tq // block):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(Tk // block):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- places_in_the_tile
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(min(block, q_len - i * block), device=device)[:, None]
            kv_idx = torch.arange(min(block, kv_len - j * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- flex_places_in_the_tile
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(min(block, Tq - i * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(min(block, Tk - j * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- hides_before_it_modifies
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- scaled_after_the_modifier
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2)
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            s = s / D**0.5
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- not_scaled
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2)
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- everything_computed
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device)[:, None, None, None]
    h = torch.arange(H, device=q.device)[:, None, None]
    q_idx = torch.arange(Tq, device=q.device)[:, None]
    kv_idx = torch.arange(Tk, device=q.device)
    s = q @ k.transpose(-1, -2) / D**0.5
    if score_mod is not None:
        s = score_mod(s, b, h, q_idx, kv_idx)
    s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
    return torch.softmax(s, -1).nan_to_num(0.0) @ v

# --- softmax_in_each_tile
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores = []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            w = torch.softmax(s, -1).nan_to_num(0.0)
            scores.append(w @ v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        out.append(torch.stack(scores).mean(0))
    return torch.cat(out, 2)

# --- heads_are_all_the_first
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, 0, 0, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- batch_and_head_in_one_index
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    bh = torch.arange(B * H, device=q.device).view(B, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, bh // H, bh % B, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- nan_for_blind_queries
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        out.append(torch.softmax(s, -1) @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- blind_queries_see_all
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), torch.finfo(s.dtype).min)
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        out.append(torch.softmax(s, -1) @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- full_tiles_asked_too
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind >= 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- partial_taken_for_full
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 3:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- full_tiles_skipped
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind != 1:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- minus_10000
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), -1e4)
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s <= -1e4).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- hidden_after_softmax
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = torch.zeros(B, H, Tq, v.shape[-1], dtype=q.dtype, device=q.device)
    for i in range(tiles.shape[0]):
        keys = [torch.arange(j * block, min(Tk, (j + 1) * block)) for j in range(tiles.shape[1]) if tiles[i, j] > 0]
        if not keys:
            continue
        kv_idx = torch.cat(keys).to(q.device)
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)
        s = q[:, :, q_idx] @ k[:, :, kv_idx].mT / D**0.5
        if score_mod is not None:
            s = score_mod(s, b, h, q_idx[:, None], kv_idx)
        w = torch.softmax(s, -1) * mask_mod(q_idx[:, None], kv_idx)
        out[:, :, q_idx] = w @ v[:, :, kv_idx]
    return out

# --- tiles_turned
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds.T.contiguous()


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    tiles = tiles.T
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- arguments_exchanged
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, kv_idx, q_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- nothing_refused
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    block = max(block, 1)
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- no_gradient
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    q, k, v = q.detach(), k.detach(), v.detach()
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- device_forgotten
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block))[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block))[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B).view(B, 1, 1, 1)
    h = torch.arange(H).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block))[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block))[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- corners_only
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_ends = torch.tensor([i * block, min(q_len, (i + 1) * block) - 1], device=device)
            kv_ends = torch.tensor([j * block, min(kv_len, (j + 1) * block) - 1], device=device)
            corners = mask_mod(q_ends[:, None], kv_ends)
            kinds[i, j] = 2 if corners.all() else 1 if corners.any() else 0
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- sum_not_rescaled
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    rows = []
    for i in range(tiles.shape[0]):
        qi = q[:, :, i * block : (i + 1) * block]
        n = qi.shape[2]
        q_idx = torch.arange(i * block, i * block + n, device=q.device)[:, None]
        m = torch.full((B, H, n, 1), -1e30, dtype=torch.float32, device=q.device)
        l = torch.zeros(B, H, n, 1, dtype=torch.float32, device=q.device)
        o = torch.zeros(B, H, n, v.shape[-1], dtype=torch.float32, device=q.device)
        for j in range(tiles.shape[1]):
            if tiles[i, j] == 0:
                continue
            kj = k[:, :, j * block : (j + 1) * block]
            kv_idx = torch.arange(j * block, j * block + kj.shape[2], device=q.device)[None, :]
            s = qi @ kj.transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            s = s.float()
            if tiles[i, j] == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            p = torch.exp(s - new)
            old = torch.exp(m - new)
            l = l + p.sum(-1, keepdim=True)
            o = o * old + p @ v[:, :, j * block : (j + 1) * block].float()
            m = new
        rows.append(torch.where(l > 0, o / l.clamp(min=1e-30), torch.zeros_like(o)))
    return torch.cat(rows, 2).to(q.dtype)

# --- modifier_left_out
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- modifier_in_partial_tiles_only
import math

import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    nq, nk = math.ceil(q_len / block), math.ceil(kv_len / block)
    kinds = torch.zeros(nq, nk, dtype=torch.int64, device=device)
    for i in range(nq):
        for j in range(nk):
            q_idx = torch.arange(i * block, min(q_len, (i + 1) * block), device=device)[:, None]
            kv_idx = torch.arange(j * block, min(kv_len, (j + 1) * block), device=device)[None, :]
            seen = mask_mod(q_idx, kv_idx)
            if seen.all():
                kinds[i, j] = 2
            elif seen.any():
                kinds[i, j] = 1
    return kinds


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if kind == 1:
                if score_mod is not None:
                    s = score_mod(s, b, h, q_idx, kv_idx)
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)

# --- booleans
import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    seen = mask_mod(torch.arange(q_len, device=device)[:, None], torch.arange(kv_len, device=device))
    rows = torch.stack([r.any(0) for r in seen.split(block, 0)])
    return torch.stack([c.any(1) for c in rows.split(block, 1)], 1)


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, D = q.shape
    Tk = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    out = []
    for i in range(tiles.shape[0]):
        q_idx = torch.arange(i * block, min(Tq, (i + 1) * block), device=q.device)[:, None]
        qi = q[:, :, i * block : (i + 1) * block]
        scores, values = [], []
        for j in range(tiles.shape[1]):
            kind = int(tiles[i, j])
            if kind == 0:
                continue
            kv_idx = torch.arange(j * block, min(Tk, (j + 1) * block), device=q.device)[None, :]
            s = qi @ k[:, :, j * block : (j + 1) * block].transpose(-1, -2) / D**0.5
            if score_mod is not None:
                s = score_mod(s, b, h, q_idx, kv_idx)
            if kind == 1:
                s = s.masked_fill(~mask_mod(q_idx, kv_idx), float("-inf"))
            scores.append(s)
            values.append(v[:, :, j * block : (j + 1) * block])
        if not scores:
            out.append(torch.zeros(B, H, qi.shape[2], v.shape[-1], dtype=q.dtype, device=q.device))
            continue
        s = torch.cat(scores, -1)
        dead = (s == float("-inf")).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        out.append(w @ torch.cat(values, 2))
    return torch.cat(out, 2)


# --- two_slips_1
# slips: the summed output is not rescaled when the maximum grows; score_mod gets indices within the tile, not in the whole text
import math
from collections.abc import Callable

import torch
from torch import Tensor


def block_mask(
    mask_mod: Callable, q_len: int, kv_len: int, block: int, device: torch.device | str | None = None
) -> Tensor:
    if block < 1:
        raise ValueError("block must be 1 or more")
    rows = math.ceil(q_len / block)
    cols = math.ceil(kv_len / block)
    kinds = torch.zeros(rows, cols, dtype=torch.int64, device=device)
    for r in range(rows):
        qi = torch.arange(r * block, min((r + 1) * block, q_len), device=device)[:, None]
        for c in range(cols):
            ki = torch.arange(c * block, min((c + 1) * block, kv_len), device=device)[None, :]
            seen = torch.as_tensor(mask_mod(qi, ki), device=device).expand(qi.shape[0], ki.shape[1])
            if seen.all():
                kinds[r, c] = 2
            elif seen.any():
                kinds[r, c] = 1
    return kinds


def flex_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask_mod: Callable,
    tiles: Tensor,
    block: int,
    score_mod: Callable | None = None,
) -> Tensor:
    B, H, Tq, Dh = q.shape
    Tkv = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    results = []
    for r in range(tiles.shape[0]):
        q0, q1 = r * block, min((r + 1) * block, Tq)
        qt = q[:, :, q0:q1]
        qi = torch.arange(q0, q1, device=q.device)[:, None]
        m = q.new_full((B, H, q1 - q0, 1), float("-inf"))
        l = q.new_zeros(B, H, q1 - q0, 1)
        o = q.new_zeros(B, H, q1 - q0, v.shape[-1])
        for c in range(tiles.shape[1]):
            kind = int(tiles[r, c])
            if kind == 0:
                continue
            k0, k1 = c * block, min((c + 1) * block, Tkv)
            ki = torch.arange(k0, k1, device=q.device)[None, :]
            s = qt @ k[:, :, k0:k1].transpose(-2, -1) / math.sqrt(Dh)
            if score_mod is not None:
                s = score_mod(s, b, h, qi - q0, ki - k0)
            if kind == 1:
                s = s.masked_fill(~mask_mod(qi, ki), float("-inf"))
            m_new = torch.maximum(m, s.detach().amax(-1, keepdim=True))
            safe = torch.where(m_new == float("-inf"), torch.zeros_like(m_new), m_new)
            p = torch.exp(s - safe)
            shrink = torch.exp(m - safe)
            l = l * shrink + p.sum(-1, keepdim=True)
            o = o + p @ v[:, :, k0:k1]
            m = m_new
        results.append(o / torch.where(l == 0, torch.ones_like(l), l))
    return torch.cat(results, dim=2)


# --- two_slips_2
# slips: a smaller tile at the edge is compared with block * block pairs, so it never counts as full; score_mod is skipped in full tiles
import math

import torch
from torch import Tensor


def _span(i, block, n):
    return i * block, min(i * block + block, n)


def block_mask(mask_mod, q_len, kv_len, block, device=None) -> Tensor:
    if block < 1:
        raise ValueError(f"block = {block}")
    n_q, n_k = -(-q_len // block), -(-kv_len // block)
    out = []
    for i in range(n_q):
        a, e = _span(i, block, q_len)
        line = []
        for j in range(n_k):
            s, t = _span(j, block, kv_len)
            qq = torch.arange(a, e, device=device).view(-1, 1)
            kk = torch.arange(s, t, device=device).view(1, -1)
            vis = torch.as_tensor(mask_mod(qq, kk), device=qq.device).expand(e - a, t - s)
            count = int(vis.sum())
            line.append(0 if count == 0 else 2 if count == block * block else 1)
        out.append(line)
    return torch.tensor(out, dtype=torch.int64, device=device)


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None) -> Tensor:
    bsz, heads, t_q, dh = q.shape
    t_kv = k.shape[2]
    b_idx = torch.arange(bsz, device=q.device)[:, None, None, None]
    h_idx = torch.arange(heads, device=q.device)[None, :, None, None]
    plan = tiles.tolist()
    rows = []
    for i, kinds in enumerate(plan):
        a, e = _span(i, block, t_q)
        scores, vals = [], []
        for j, kind in enumerate(kinds):
            if kind == 0:
                continue
            s, t = _span(j, block, t_kv)
            qq = torch.arange(a, e, device=q.device).view(-1, 1)
            kk = torch.arange(s, t, device=q.device).view(1, -1)
            sc = torch.einsum("bhqd,bhkd->bhqk", q[:, :, a:e], k[:, :, s:t]) / math.sqrt(dh)
            if kind == 1:
                if score_mod is not None:
                    sc = score_mod(sc, b_idx, h_idx, qq, kk)
                sc = torch.where(mask_mod(qq, kk), sc, -math.inf)
            scores.append(sc)
            vals.append(v[:, :, s:t])
        if not scores:
            rows.append(q.new_zeros(bsz, heads, e - a, v.shape[-1]))
            continue
        row = torch.cat(scores, -1)
        dead = (row == -math.inf).all(-1, keepdim=True)
        w = torch.softmax(row.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        rows.append(w @ torch.cat(vals, 2))
    return torch.cat(rows, dim=2)


# --- edge_tiles_never_full
# slip: a tile at the edge is compared with block * block visible pairs, so a smaller one is never called full
import math
from collections.abc import Callable

import torch
from torch import Tensor


def block_mask(
    mask_mod: Callable, q_len: int, kv_len: int, block: int, device: torch.device | str | None = None
) -> Tensor:
    if block < 1:
        raise ValueError("block")
    rows, cols = math.ceil(q_len / block), math.ceil(kv_len / block)
    tiles = torch.zeros(rows, cols, dtype=torch.int64, device=device)
    for r in range(rows):
        q_idx = torch.arange(r * block, min((r + 1) * block, q_len), device=device)[:, None]
        for c in range(cols):
            kv_idx = torch.arange(c * block, min((c + 1) * block, kv_len), device=device)[None, :]
            seen = int(mask_mod(q_idx, kv_idx).expand(q_idx.numel(), kv_idx.numel()).sum())
            if seen == block * block:
                tiles[r, c] = 2
            elif seen > 0:
                tiles[r, c] = 1
    return tiles


def flex_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask_mod: Callable,
    tiles: Tensor,
    block: int,
    score_mod: Callable | None = None,
) -> Tensor:
    B, H, n_q, d = q.shape
    n_k = k.shape[2]
    b = torch.arange(B, device=q.device).view(B, 1, 1, 1)
    h = torch.arange(H, device=q.device).view(1, H, 1, 1)
    result = []
    for r, row in enumerate(tiles.tolist()):
        lo, hi = r * block, min((r + 1) * block, n_q)
        qi = torch.arange(lo, hi, device=q.device)[:, None]
        qb = q[:, :, lo:hi]
        m = torch.full((B, H, hi - lo, 1), -math.inf, dtype=q.dtype, device=q.device)
        l = torch.zeros_like(m)
        o = torch.zeros(B, H, hi - lo, v.shape[-1], dtype=q.dtype, device=q.device)
        for c, kind in enumerate(row):
            if kind == 0:
                continue
            a, e = c * block, min((c + 1) * block, n_k)
            ki = torch.arange(a, e, device=q.device)[None, :]
            s = qb @ k[:, :, a:e].transpose(-2, -1) / math.sqrt(d)
            if score_mod is not None:
                s = score_mod(s, b, h, qi, ki)
            if kind == 1:
                s = s.masked_fill(~mask_mod(qi, ki), -math.inf)
            m_new = torch.maximum(m, s.detach().amax(-1, keepdim=True))
            ref = m_new.masked_fill(m_new == -math.inf, 0.0)
            old = torch.exp(m - ref)
            p = torch.exp(s - ref)
            l = l * old + p.sum(-1, keepdim=True)
            o = o * old + p @ v[:, :, a:e]
            m = m_new
        result.append(o / l.masked_fill(l == 0, 1.0))
    return torch.cat(result, dim=2)


# --- two_slips_3
import math
import torch


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block")
    n, m = math.ceil(q_len / block), math.ceil(kv_len / block)
    tiles = torch.zeros(n, m, dtype=torch.int64, device=device)
    for a in range(n):
        for b in range(m):
            qi = torch.arange(a * block, min(q_len, (a + 1) * block), device=device)[:, None]
            ki = torch.arange(b * block, min(kv_len, (b + 1) * block), device=device)[None, :]
            vis = torch.broadcast_to(torch.as_tensor(mask_mod(qi, ki)), (qi.shape[0], ki.shape[1]))
            if vis.any():
                tiles[a, b] = 2
            elif vis.any():
                tiles[a, b] = 1
    return tiles


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, Tq, Dh = q.shape
    Tk = k.shape[2]
    root = math.sqrt(Dh)
    bi = torch.arange(B, device=q.device)[:, None, None, None]
    hi = torch.arange(H, device=q.device)[None, :, None, None]
    rows = []
    for a in range(tiles.shape[0]):
        q0, q1 = a * block, min(Tq, (a + 1) * block)
        qa = q[:, :, q0:q1]
        parts, vals = [], []
        for b in range(tiles.shape[1]):
            kind = int(tiles[a, b])
            if kind == 0:
                continue
            k0, k1 = b * block, min(Tk, (b + 1) * block)
            qi = torch.arange(q0, q1, device=q.device)[:, None]
            ki = torch.arange(k0, k1, device=q.device)[None, :]
            s = qa @ k[:, :, k0:k1].transpose(-1, -2)
            if score_mod is not None:
                s = score_mod(s, bi, hi, qi, ki)
            s = s / root
            if kind == 1:
                s = s.masked_fill(~mask_mod(qi, ki), -math.inf)
            parts.append(s)
            vals.append(v[:, :, k0:k1])
        if not parts:
            rows.append(q.new_zeros(B, H, q1 - q0, v.shape[-1]))
            continue
        s, val = torch.cat(parts, -1), torch.cat(vals, 2)
        dead = (s == -math.inf).all(-1, keepdim=True)
        w = torch.softmax(s.masked_fill(dead, 0.0), -1).masked_fill(dead, 0.0)
        rows.append(w @ val)
    return torch.cat(rows, 2)


# --- score_mod_gets_indices_inside_the_tile
import torch
from torch import Tensor


def _idx(lo: int, hi: int, device) -> Tensor:
    return torch.arange(lo, hi, device=device)


def block_mask(mask_mod, q_len, kv_len, block, device=None):
    if block < 1:
        raise ValueError("block must be at least 1")
    rows = []
    for i in range(0, q_len, block):
        row = []
        for j in range(0, kv_len, block):
            qi, ki = _idx(i, min(i + block, q_len), device), _idx(j, min(j + block, kv_len), device)
            seen = mask_mod(qi[:, None], ki[None, :]).expand(len(qi), len(ki))
            row.append(2 if bool(seen.all()) else int(bool(seen.any())))
        rows.append(row)
    return torch.tensor(rows, dtype=torch.int64, device=device)


def flex_attention(q, k, v, mask_mod, tiles, block, score_mod=None):
    B, H, T, D = q.shape
    S, dev = k.shape[2], q.device
    b_idx = torch.arange(B, device=dev).view(B, 1, 1, 1)
    h_idx = torch.arange(H, device=dev).view(1, H, 1, 1)
    result = []
    for ti, i in enumerate(range(0, T, block)):
        qb = q[:, :, i : i + block]
        n = qb.shape[2]
        m = torch.full((B, H, n, 1), float("-inf"), dtype=q.dtype, device=dev)
        den = torch.zeros_like(m)
        num = torch.zeros(B, H, n, v.shape[3], dtype=q.dtype, device=dev)
        for tj, j in enumerate(range(0, S, block)):
            if tiles[ti, tj] == 0:
                continue
            kb, vb = k[:, :, j : j + block], v[:, :, j : j + block]
            qi = _idx(i, i + n, dev)[:, None]
            ki = _idx(j, j + kb.shape[2], dev)[None, :]
            s = qb @ kb.mT * D**-0.5
            if score_mod:
                s = score_mod(s, b_idx, h_idx, qi - i, ki - j)
            if tiles[ti, tj] == 1:
                s = torch.where(mask_mod(qi, ki), s, torch.full_like(s, float("-inf")))
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            ref = new.masked_fill(new == float("-inf"), 0)
            p, c = torch.exp(s - ref), torch.exp(m - ref)
            den, num, m = den * c + p.sum(-1, keepdim=True), num * c + p @ vb, new
        result.append(num / den.masked_fill(den == 0, 1))
    return torch.cat(result, 2)
