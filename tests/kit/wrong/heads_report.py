"""Wrong files for heads_report, each a whole submission as somebody might hand it in."""
# --- weights_for_every_head
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        try:
            m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        except AssertionError:
            report[h] = None
            continue
        out, w = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": sum(p.numel() for p in m.parameters()),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(w.shape),
        }
    return report
# --- refused_left_out
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            continue
        m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        out, w = m(x, x, x)
        _, per_head = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": sum(p.numel() for p in m.parameters()),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(per_head.shape),
        }
    return report
# --- last_head_left_out
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim):
        try:
            m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        except AssertionError:
            report[h] = None
            continue
        out, w = m(x, x, x)
        _, per_head = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": sum(p.numel() for p in m.parameters()),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(per_head.shape),
        }
    return report
# --- biases_not_counted
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        try:
            m = nn.MultiheadAttention(embed_dim, h, batch_first=True, bias=False)
        except AssertionError:
            report[h] = None
            continue
        out, w = m(x, x, x)
        _, per_head = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": sum(p.numel() for p in m.parameters()),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(per_head.shape),
        }
    return report
# --- counts_tensors
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        try:
            m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        except AssertionError:
            report[h] = None
            continue
        out, w = m(x, x, x)
        _, per_head = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": len(list(m.parameters())),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(per_head.shape),
        }
    return report
# --- sequence_first
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        try:
            m = nn.MultiheadAttention(embed_dim, h)
        except AssertionError:
            report[h] = None
            continue
        out, w = m(x, x, x)
        _, per_head = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": sum(p.numel() for p in m.parameters()),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(per_head.shape),
        }
    return report
# --- parameters_grow_with_heads
def heads_report(embed_dim):
    report = {}
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            report[h] = None
            continue
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": h * (4 * embed_dim * embed_dim + 4 * embed_dim),
            "output": (2, 5, embed_dim),
            "weights": (2, 5, 5),
            "per_head": (2, h, 5, 5),
        }
    return report
# --- output_of_a_head
def heads_report(embed_dim):
    report = {}
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            report[h] = None
            continue
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": 4 * embed_dim * embed_dim + 4 * embed_dim,
            "output": (2, 5, embed_dim // h),
            "weights": (2, 5, 5),
            "per_head": (2, h, 5, 5),
        }
    return report
# --- heads_before_the_batch
def heads_report(embed_dim):
    report = {}
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            report[h] = None
            continue
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": 4 * embed_dim * embed_dim + 4 * embed_dim,
            "output": (2, 5, embed_dim),
            "weights": (2, 5, 5),
            "per_head": (h, 2, 5, 5),
        }
    return report
# --- three_matrices
def heads_report(embed_dim):
    report = {}
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            report[h] = None
            continue
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": 3 * embed_dim * embed_dim + 3 * embed_dim,
            "output": (2, 5, embed_dim),
            "weights": (2, 5, 5),
            "per_head": (2, h, 5, 5),
        }
    return report
# --- keys_as_text
def heads_report(embed_dim):
    report = {}
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            report[str(h)] = None
            continue
        report[str(h)] = {
            "head_dim": embed_dim // h,
            "parameters": 4 * embed_dim * embed_dim + 4 * embed_dim,
            "output": (2, 5, embed_dim),
            "weights": (2, 5, 5),
            "per_head": (2, h, 5, 5),
        }
    return report
# --- empty_dict_where_refused
def heads_report(embed_dim):
    report = {}
    for h in range(1, embed_dim + 1):
        report[h] = {}
        if embed_dim % h == 0:
            report[h] = {
                "head_dim": embed_dim // h,
                "parameters": 4 * embed_dim * embed_dim + 4 * embed_dim,
                "output": (2, 5, embed_dim),
                "weights": (2, 5, 5),
                "per_head": (2, h, 5, 5),
            }
    return report
# --- refusal_not_caught
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        out, w = m(x, x, x)
        _, per_head = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": sum(p.numel() for p in m.parameters()),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(per_head.shape),
        }
    return report
# --- expects_value_error
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        try:
            m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        except ValueError:
            report[h] = None
            continue
        out, w = m(x, x, x)
        _, per_head = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": sum(p.numel() for p in m.parameters()),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(per_head.shape),
        }
    return report
# --- head_size_is_the_head_count
def heads_report(embed_dim):
    report = {}
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            report[h] = None
            continue
        report[h] = {
            "head_dim": h,
            "parameters": 4 * embed_dim * embed_dim + 4 * embed_dim,
            "output": (2, 5, embed_dim),
            "weights": (2, 5, 5),
            "per_head": (2, embed_dim // h, 5, 5),
        }
    return report
# --- one_report_kept
report = {}


def heads_report(embed_dim):
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            report[h] = None
            continue
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": 4 * embed_dim * embed_dim + 4 * embed_dim,
            "output": (2, 5, embed_dim),
            "weights": (2, 5, 5),
            "per_head": (2, h, 5, 5),
        }
    return report
# --- only_powers_of_two
def heads_report(embed_dim):
    report = {h: None for h in range(1, embed_dim + 1)}
    h = 1
    while h <= embed_dim and embed_dim % h == 0:
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": 4 * embed_dim * embed_dim + 4 * embed_dim,
            "output": (2, 5, embed_dim),
            "weights": (2, 5, 5),
            "per_head": (2, h, 5, 5),
        }
        h *= 2
    return report
# --- in_projection_only
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        try:
            m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        except AssertionError:
            report[h] = None
            continue
        out, w = m(x, x, x)
        _, per_head = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": m.head_dim,
            "parameters": m.in_proj_weight.numel() + m.in_proj_bias.numel(),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(per_head.shape),
        }
    return report
# --- unbatched
from torch import nn
import torch


def heads_report(embed_dim):
    report = {}
    x = torch.randn(5, embed_dim)
    for h in range(1, embed_dim + 1):
        try:
            m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        except AssertionError:
            report[h] = None
            continue
        out, w = m(x, x, x)
        _, per_head = m(x, x, x, average_attn_weights=False)
        report[h] = {
            "head_dim": embed_dim // h,
            "parameters": sum(p.numel() for p in m.parameters()),
            "output": tuple(out.shape),
            "weights": tuple(w.shape),
            "per_head": tuple(per_head.shape),
        }
    return report


# --- in_proj_bias_only
def heads_report(embed_dim):
    d = embed_dim
    return {
        h: None
        if d % h
        else {
            "head_dim": d // h,
            "parameters": 4 * d * d + 3 * d,
            "output": (2, 5, d),
            "weights": (2, 5, 5),
            "per_head": (2, h, 5, 5),
        }
        for h in range(1, d + 1)
    }


# --- params_times_head_dim
def heads_report(embed_dim):
    d = embed_dim
    return {
        h: None
        if d % h
        else {
            "head_dim": d // h,
            "parameters": 4 * d * (d // h) + 4 * d,
            "output": (2, 5, d),
            "weights": (2, 5, 5),
            "per_head": (2, h, 5, 5),
        }
        for h in range(1, d + 1)
    }


# --- typo_in_the_try
from torch import nn
import torch


def heads_report(embed_dim):
    r = {}
    for h in range(1, embed_dim + 1):
        try:
            m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
            x = torch.randn(2, 5, embed_dim)
            o, w = m(x, x, x)
            _, p = m(x, x, x, average_weights=False)
            r[h] = {"head_dim": embed_dim // h, "parameters": sum(a.numel() for a in m.parameters()), "output": tuple(o.shape), "weights": tuple(w.shape), "per_head": tuple(p.shape)}
        except:
            r[h] = None
    return r


# --- return_in_the_loop
from torch import nn
import torch


def heads_report(embed_dim):
    r = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        if embed_dim % h != 0:
            r[h] = None
            continue
        m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        o, w = m(x, x, x)
        _, p = m(x, x, x, average_attn_weights=False)
        r[h] = {"head_dim": embed_dim // h, "parameters": sum(a.numel() for a in m.parameters()), "output": tuple(o.shape), "weights": tuple(w.shape), "per_head": tuple(p.shape)}
        return r


# --- one_dict_for_all
from torch import nn
import torch


def heads_report(embed_dim):
    r = {}
    row = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        if embed_dim % h != 0:
            r[h] = None
            continue
        m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        o, w = m(x, x, x)
        _, p = m(x, x, x, average_attn_weights=False)
        row["head_dim"] = embed_dim // h
        row["parameters"] = sum(a.numel() for a in m.parameters())
        row["output"] = tuple(o.shape)
        row["weights"] = tuple(w.shape)
        row["per_head"] = tuple(p.shape)
        r[h] = row
    return r


# --- tensors_for_shapes
from torch import nn
import torch


def heads_report(embed_dim):
    r = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        if embed_dim % h != 0:
            r[h] = None
            continue
        m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        o, w = m(x, x, x)
        _, p = m(x, x, x, average_attn_weights=False)
        r[h] = {"head_dim": embed_dim // h, "parameters": sum(a.numel() for a in m.parameters()), "output": o, "weights": w, "per_head": p}
    return r


# --- five_examples_of_two
from torch import nn
import torch


def heads_report(embed_dim):
    r = {}
    x = torch.randn(5, 2, embed_dim)
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            r[h] = None
            continue
        m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        o, w = m(x, x, x)
        _, p = m(x, x, x, average_attn_weights=False)
        r[h] = {"head_dim": embed_dim // h, "parameters": sum(a.numel() for a in m.parameters()), "output": tuple(o.shape), "weights": tuple(w.shape), "per_head": tuple(p.shape)}
    return r


# --- means_and_heads_exchanged
from torch import nn
import torch


def heads_report(embed_dim):
    r = {}
    x = torch.randn(2, 5, embed_dim)
    for h in range(1, embed_dim + 1):
        if embed_dim % h:
            r[h] = None
            continue
        m = nn.MultiheadAttention(embed_dim, h, batch_first=True)
        o, p = m(x, x, x)
        _, w = m(x, x, x, average_attn_weights=False)
        r[h] = {"head_dim": embed_dim // h, "parameters": sum(a.numel() for a in m.parameters()), "output": tuple(o.shape), "weights": tuple(w.shape), "per_head": tuple(p.shape)}
    return r


# --- the_largest_h_embed_dim_itself_is_missing
import torch
import torch.nn as nn


def describe(D, h):
    try:
        layer = nn.MultiheadAttention(D, h, batch_first=True)
    except AssertionError:
        return None
    tokens = torch.randn(2, 5, D)
    y, mean_w = layer(tokens, tokens, tokens)
    head_w = layer(tokens, tokens, tokens, average_attn_weights=False)[1]
    n = 0
    for p in layer.parameters():
        n += p.numel()
    return dict(head_dim=D // h, parameters=n, output=tuple(y.shape), weights=tuple(mean_w.shape), per_head=tuple(head_w.shape))


def heads_report(embed_dim):
    return {h: describe(embed_dim, h) for h in range(1, embed_dim)}
