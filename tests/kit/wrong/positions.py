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
