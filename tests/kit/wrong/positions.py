"""Wrong submissions for positions, written from the statement, without the suite in view."""

# --- sines_then_cosines
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    return torch.cat([angle.sin(), angle.cos()], dim=1)


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- range_of_half_the_channels
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(channels // 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- positions_from_one
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(1, length + 1, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- ten_thousand_written_in
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / 10000 ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- times_the_power
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p * base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- odd_channels_floored
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2:
        raise ValueError("bad sizes")
    channels = channels // 2 * 2
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- asserts
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    assert length >= 1 and channels >= 2 and channels % 2 == 0
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- in_float64
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).double()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device, dtype=torch.float64)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- cosine_where_sine_belongs
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.cos(), angle.sin()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- plus_the_distance
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- no_mask
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias


# --- absolute_distance_no_mask
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return -slopes[:, None, None] * (i - j).abs()


# --- heads_from_zero
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(num_heads)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- always_halves
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2**-h for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- queries_at_the_front
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(q_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- only_the_distance_to_the_last_key
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (kv_len - 1 - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- own_position_hidden_too
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j >= i, float("-inf"))


# --- any_number_of_heads
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- minus_1e9
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, -1e9)


# --- heads_last
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf")).permute(1, 2, 0)


# --- kv_len_zero_taken_for_none
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad sizes")
    p = torch.arange(length, device=device).float()[:, None]
    angle = p / base ** (torch.arange(0, channels, 2, device=device).float() / channels)
    table = torch.empty(length, channels, device=device)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    return table


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = kv_len or q_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- key_index_bias
import math
import torch
def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad size")
    pe = torch.zeros(length, channels, device=device)
    position = torch.arange(length, device=device, dtype=torch.float32).unsqueeze(1)
    div = torch.exp(torch.arange(0, channels, 2, device=device).float() * (-math.log(base) / channels))
    pe[:, 0::2] = torch.sin(position * div)
    pe[:, 1::2] = torch.cos(position * div)
    return pe
def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad size")
    slopes = torch.tensor([2 ** (-8 * (h + 1) / num_heads) for h in range(num_heads)], device=device)
    qpos = torch.arange(kv_len - q_len, kv_len, device=device)
    kpos = torch.arange(kv_len, device=device)
    dist = qpos[:, None] - kpos[None, :]
    bias = slopes[:, None, None] * kpos
    return bias.masked_fill(dist < 0, float("-inf"))


# --- int_division
import math
import torch
def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad size")
    pe = torch.zeros(length, channels, device=device)
    position = torch.arange(length, device=device, dtype=torch.float32).unsqueeze(1)
    div = torch.exp(torch.arange(0, channels, 2, device=device).float() * (-math.log(base) / channels))
    pe[:, 0::2] = torch.sin(position * div)
    pe[:, 1::2] = torch.cos(position * div)
    return pe
def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad size")
    slopes = torch.tensor([2 ** (-8 * (h + 1) // num_heads) for h in range(num_heads)], device=device)
    qpos = torch.arange(kv_len - q_len, kv_len, device=device)
    kpos = torch.arange(kv_len, device=device)
    dist = qpos[:, None] - kpos[None, :]
    bias = -slopes[:, None, None] * dist
    return bias.masked_fill(dist < 0, float("-inf"))


# --- nan_alibi
import math
import torch
def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad size")
    pe = torch.zeros(length, channels, device=device)
    position = torch.arange(length, device=device, dtype=torch.float32).unsqueeze(1)
    div = torch.exp(torch.arange(0, channels, 2, device=device).float() * (-math.log(base) / channels))
    pe[:, 0::2] = torch.sin(position * div)
    pe[:, 1::2] = torch.cos(position * div)
    return pe
def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad size")
    slopes = torch.tensor([2 ** (-8 * (h + 1) / num_heads) for h in range(num_heads)], device=device)
    qpos = torch.arange(kv_len - q_len, kv_len, device=device)
    kpos = torch.arange(kv_len, device=device)
    dist = qpos[:, None] - kpos[None, :]
    mask = (dist < 0) * float("-inf")
    return -slopes[:, None, None] * dist + mask


# --- twice_the_channel
import torch


def _cs(length, channels):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("x")


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    _cs(length, channels)
    a = torch.arange(length, device=device).float()[:, None] / base ** (
        2 * torch.arange(channels, device=device).float() / channels
    )
    t = torch.empty(length, channels, device=device)
    t[:, 0::2], t[:, 1::2] = a[:, 0::2].sin(), a[:, 1::2].cos()
    return t


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1) or q_len < 1 or kv_len < q_len:
        raise ValueError("bad sizes")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)], device=device)
    i = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None]
    bias = -slopes[:, None, None] * (i - j)
    return bias.masked_fill(j > i, float("-inf"))


# --- two_slips_1
import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if length < 1 or channels < 2 or channels % 2 != 0:
        raise ValueError("bad length or channels")
    p = torch.arange(length, dtype=torch.float32, device=device).unsqueeze(1)
    i = torch.arange(channels // 2, dtype=torch.float32, device=device)
    angle = p / base ** (2 * i / channels)
    return torch.cat([torch.sin(angle), torch.cos(angle)], dim=1)


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    if num_heads < 1 or (num_heads & (num_heads - 1)) != 0:
        raise ValueError("num_heads must be a power of 2")
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    h = torch.arange(num_heads, device=device).float()
    slopes = 2 ** (-8 * h / num_heads)
    q_pos = torch.arange(kv_len - q_len, kv_len, device=device).view(-1, 1)
    k_pos = torch.arange(kv_len, device=device).view(1, -1)
    dist = (q_pos - k_pos).float()
    bias = -slopes.view(-1, 1, 1) * dist
    return bias.masked_fill(dist < 0, float("-inf"))


# --- two_slips_2
import math
import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if length < 1:
        raise ValueError("length")
    if channels < 2 or channels % 2:
        raise ValueError("channels")
    table = torch.zeros(length, channels, device=device)
    where = torch.arange(length, device=device).float()[:, None]
    rate = torch.exp(torch.arange(0, channels // 2, device=device).float() * (-math.log(base) / channels))
    table[:, 0::2] = torch.sin(where * rate)
    table[:, 1::2] = torch.cos(where * rate)
    return table


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    keys = kv_len if kv_len is not None else q_len
    if num_heads < 1 or 2 ** round(math.log2(num_heads)) != num_heads or q_len < 1 or keys < q_len:
        raise ValueError(f"{num_heads} heads, {q_len} queries, {keys} keys")
    slope = torch.tensor([2.0 ** (-8.0 * (h + 1) / num_heads) for h in range(num_heads)], device=device)
    n = torch.arange(keys - q_len, keys, device=device)[:, None] - torch.arange(keys, device=device)
    bias = slope[:, None, None] * n
    return torch.where(n >= 0, bias, -torch.inf)


# --- two_slips_3
import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if channels % 2 or channels < 2 or length < 1:
        raise ValueError("length and channels")
    pairs = torch.arange(0, channels, 2, device=device)
    freq = base ** -(pairs / channels)
    phase = torch.outer(torch.arange(length, device=device, dtype=torch.float32), freq)
    out = torch.empty(length, channels, device=device)
    out[:, ::2] = phase.cos()
    out[:, 1::2] = phase.sin()
    return out


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    powers = [2**e for e in range(20)]
    if num_heads not in powers:
        raise ValueError("not a power of 2")
    if not 0 < q_len <= kv_len:
        raise ValueError("lengths")
    heads = torch.arange(1, num_heads + 1, device=device, dtype=torch.float32)
    slope = torch.pow(2.0, -8.0 / num_heads * heads).reshape(num_heads, 1, 1)
    steps = torch.arange(kv_len, device=device) - torch.arange(kv_len - q_len, kv_len, device=device).unsqueeze(1)
    bias = -slope * steps.abs()
    return bias


# --- two_slips_4
import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if length < 1 or channels < 2:
        raise ValueError("length must be >= 1 and channels >= 2")
    half = (channels + 1) // 2
    k = torch.arange(half, device=device, dtype=torch.float32)
    w = 1.0 / torch.pow(torch.tensor(base, device=device), 2 * k / channels)
    a = torch.arange(length, device=device, dtype=torch.float32)[:, None] * w[None, :]
    both = torch.stack((a.sin(), a.cos()), dim=-1).flatten(1)
    return both[:, :channels]


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    n_kv = q_len if kv_len is None else kv_len
    if num_heads <= 0 or bin(num_heads).count("1") != 1 or q_len <= 0 or n_kv < q_len:
        raise ValueError("cannot build the bias")
    bias = torch.zeros(num_heads, q_len, n_kv, device=device)
    i = torch.arange(q_len, device=device)[:, None]
    j = torch.arange(n_kv, device=device)[None, :]
    far = (i - j).float()
    for h in range(num_heads):
        slope = 2.0 ** (-8 * (h + 1) / num_heads)
        bias[h] = torch.where(far < 0, -torch.inf, -slope * far)
    return bias


# --- two_slips_5
# slips: all sines come first and then all cosines, not in turns; the exponent is i / channels in place of 2i / channels
import math

import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if length < 1 or channels < 2 or channels % 2 != 0:
        raise ValueError("length / channels")
    p = torch.arange(length, dtype=torch.float32, device=device)[:, None]
    i = torch.arange(channels // 2, dtype=torch.float32, device=device)
    angle = p / base ** (i / channels)
    return torch.cat([angle.sin(), angle.cos()], dim=1)


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1):
        raise ValueError("num_heads is no power of 2")
    if q_len < 1 or kv_len < q_len:
        raise ValueError("lengths")
    h = torch.arange(1, num_heads + 1, dtype=torch.float32, device=device)
    slope = 2.0 ** (-8 * h / num_heads)
    q = torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    k = torch.arange(kv_len, device=device)[None, :]
    bias = -slope[:, None, None] * (q - k).float()
    return bias.masked_fill(k > q, -math.inf)


# --- two_slips_6
# slips: the slopes count the heads from 0; far keys get a bonus in place of a penalty
import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if length < 1:
        raise ValueError("length must be positive")
    if channels < 2 or channels % 2:
        raise ValueError("channels must be even")
    table = torch.zeros(length, channels, device=device)
    pos = torch.arange(length, device=device).float().unsqueeze(1)
    div = torch.pow(base, torch.arange(0, channels, 2, device=device).float() / channels)
    table[:, 0::2] = torch.sin(pos / div)
    table[:, 1::2] = torch.cos(pos / div)
    return table


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    if num_heads not in [2**n for n in range(20)]:
        raise ValueError("power of two please")
    if q_len < 1 or kv_len < q_len:
        raise ValueError("q_len, kv_len")
    slopes = torch.tensor([2 ** (-8 * h / num_heads) for h in range(num_heads)], device=device)
    distance = torch.arange(kv_len, device=device)[None, :] - torch.arange(kv_len - q_len, kv_len, device=device)[:, None]
    bias = slopes.view(-1, 1, 1) * distance.abs().float()
    hidden = distance > 0
    return bias.masked_fill(hidden, float("-inf"))


# --- two_slips_7
# slips: with more keys than queries the queries are taken as the first positions; the check of num_heads asks for an even number in place of a power of 2
import torch
from torch import Tensor


def sinusoidal_positions(
    length: int, channels: int, base: float = 10000.0, device: torch.device | str | None = None
) -> Tensor:
    if length <= 0 or channels <= 0 or channels % 2 == 1:
        raise ValueError
    half = channels // 2
    speed = base ** (-torch.arange(half, device=device, dtype=torch.float64) / half)
    clock = torch.outer(torch.arange(length, device=device, dtype=torch.float64), speed)
    pairs = torch.cat([clock.sin()[..., None], clock.cos()[..., None]], dim=-1)
    return pairs.reshape(length, channels).float()


def alibi_bias(
    num_heads: int, q_len: int, kv_len: int | None = None, device: torch.device | str | None = None
) -> Tensor:
    keys = kv_len or q_len
    if num_heads < 1 or num_heads % 2 != 0 or q_len < 1 or keys < q_len:
        raise ValueError("arguments")
    first = 0
    slopes = 2.0 ** (-8.0 / num_heads * torch.arange(1, num_heads + 1, device=device))
    rows = []
    for t in range(q_len):
        n_back = (first + t) - torch.arange(keys, device=device)
        row = torch.where(n_back < 0, float("-inf"), 0.0)
        rows.append(row - slopes[:, None] * n_back.clamp(min=0))
    return torch.stack(rows, dim=1).float()


# --- two_slips_8
import math
import torch


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1 or channels < 2 or channels % 2:
        raise ValueError("bad size")
    pos = torch.arange(length, dtype=torch.float64, device=device)[:, None]
    freq = base ** (-torch.arange(0, channels, 2, dtype=torch.float64, device=device) / channels)
    ang = pos * freq
    return torch.cat([ang.sin(), ang.cos()], dim=1).float()


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if num_heads < 1 or num_heads & (num_heads - 1):
        raise ValueError("num_heads must be a power of 2")
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    h = torch.arange(0, num_heads, device=device).float()
    slopes = 2.0 ** (-8.0 * h / num_heads)
    dist = torch.arange(kv_len - q_len, kv_len, device=device)[:, None] - torch.arange(kv_len, device=device)[None, :]
    bias = -slopes[:, None, None] * dist
    return bias.masked_fill(dist < 0, -math.inf)


# --- alibi_slopes_2_7_2_h_h_the_constant_10_too
import torch

RATE = 7.2


def sinusoidal_positions(length, channels, base=10000.0, device=None):
    if length < 1:
        raise ValueError("no positions")
    if channels < 2 or channels % 2 != 0:
        raise ValueError("channels must be an even number")
    k = torch.arange(channels // 2, device=device, dtype=torch.float64)
    angle = torch.arange(length, device=device, dtype=torch.float64).unsqueeze(1) / base ** (2 * k / channels)
    out = torch.empty(length, channels, device=device, dtype=torch.float32)
    out[:, 0::2] = angle.sin()
    out[:, 1::2] = angle.cos()
    return out


def alibi_bias(num_heads, q_len, kv_len=None, device=None):
    total = kv_len or q_len
    if num_heads < 1 or bin(num_heads).count("1") != 1:
        raise ValueError("num_heads must be 1, 2, 4, 8, ...")
    if q_len < 1 or total < q_len:
        raise ValueError("q_len and kv_len do not fit")
    slopes = torch.tensor([2 ** (-RATE * (h + 1) / num_heads) for h in range(num_heads)], device=device)
    q = torch.arange(total - q_len, total, device=device).unsqueeze(1)
    k = torch.arange(total, device=device).unsqueeze(0)
    back = (q - k).float()
    bias = -back * slopes.view(-1, 1, 1)
    return torch.where(back >= 0, bias, torch.full_like(bias, float("-inf")))
