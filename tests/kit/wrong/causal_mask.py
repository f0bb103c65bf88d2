"""Wrong submissions for causal_mask, as people write them; written from the statement, without the suite in view."""

# --- plain_tril
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    return torch.tril(torch.ones(q_len, kv_len, device=device)).bool()


# --- plain_tril_with_checks
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if kv_len < q_len or q_len < 1:
        raise ValueError("bad lengths")
    return torch.tril(torch.ones((q_len, kv_len), dtype=torch.bool, device=device))


# --- first_rows_of_the_square
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = kv_len or q_len
    if kv_len < q_len or q_len < 1:
        raise ValueError("bad lengths")
    return torch.ones(kv_len, kv_len, dtype=torch.bool, device=device).tril()[:q_len]


# --- true_means_hidden
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    ones = torch.ones(q_len, kv_len, dtype=torch.bool, device=device)
    return ones.triu(diagonal=kv_len - q_len + 1)


# --- diagonal_one_too_high
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if min(q_len, kv_len) < 1 or kv_len < q_len:
        raise ValueError
    return torch.ones(q_len, kv_len, device=device).tril(kv_len - q_len + 1).bool()


# --- strictly_before
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    i = torch.arange(q_len, device=device)[:, None]
    j = torch.arange(kv_len, device=device)[None, :]
    return j < i + kv_len - q_len


# --- nothing_refused
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(kv_len - q_len)


# --- only_fewer_keys_refused
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if kv_len < q_len:
        raise ValueError("fewer keys than queries")
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(kv_len - q_len)


# --- as_many_keys_refused
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    elif kv_len <= q_len:
        raise ValueError("kv_len must be larger")
    if q_len < 1:
        raise ValueError("q_len must be positive")
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(kv_len - q_len)


# --- asserted
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    assert q_len >= 1 and kv_len >= q_len
    return torch.tril(torch.ones(q_len, kv_len, device=device), diagonal=kv_len - q_len) == 1


# --- or_instead_of_none
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = kv_len or q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    return torch.ones(q_len, kv_len, device=device).tril(kv_len - q_len) > 0


# --- positions_on_the_cpu
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    keys = torch.arange(kv_len)
    return keys <= torch.arange(kv_len - q_len, kv_len)[:, None]


# --- ones_on_the_device_rows_on_the_cpu
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    mask = torch.ones(q_len, kv_len, dtype=torch.bool, device=device)
    return mask & torch.ones(q_len, kv_len, dtype=torch.bool).tril(kv_len - q_len)


# --- zeros_and_ones
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    return torch.tril(torch.ones(q_len, kv_len, device=device), kv_len - q_len)


# --- minus_infinity_above
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    return torch.full((q_len, kv_len), float("-inf"), device=device).triu(kv_len - q_len + 1)


# --- for_batch_and_heads
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    return torch.ones(1, 1, q_len, kv_len, dtype=torch.bool, device=device).tril(kv_len - q_len)


# --- kept_by_q_len
import torch

_masks = {}


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    if q_len not in _masks:
        _masks[q_len] = torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(kv_len - q_len)
    return _masks[q_len]


# --- kept_without_device
import functools

import torch


@functools.lru_cache
def _triangle(n):
    return torch.ones(n, n, dtype=torch.bool).tril()


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    return _triangle(kv_len)[-q_len:]


# --- one_buffer_for_all
import torch

_buffer = torch.zeros(4096, 4096, dtype=torch.bool)


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    mask = _buffer[:q_len, :kv_len]
    mask.fill_(True)
    for i in range(q_len):
        mask[i, i + kv_len - q_len + 1 :] = False
    return mask if device is None else mask.to(device)


# --- loops_without_the_own_key
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    mask = torch.zeros(q_len, kv_len, dtype=torch.bool, device=device)
    for i in range(q_len):
        for j in range(i + kv_len - q_len):
            mask[i, j] = True
    return mask


# --- positions_in_half_precision
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    key = torch.arange(kv_len, dtype=torch.float16, device=device)
    return key[None] <= key[-q_len:, None]


# --- cut_from_1024
import torch

FULL = torch.ones(1024, 1024, dtype=torch.bool).tril()


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    return FULL[kv_len - q_len : kv_len, :kv_len].clone().to(device)


# --- offset_the_wrong_way
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(q_len - kv_len)


# --- other_names
import torch


def causal_mask(n, m=None, device=None):
    m = n if m is None else m
    if n < 1 or m < n:
        raise ValueError("bad lengths")
    return torch.ones(n, m, dtype=torch.bool, device=device).tril(m - n)


# --- keys_by_queries
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    return torch.ones(kv_len, q_len, dtype=torch.bool, device=device).triu(q_len - kv_len)


# --- own_key_or_the_cache
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    mask = torch.zeros(q_len, kv_len, dtype=torch.bool, device=device)
    mask[:, : kv_len - q_len] = True
    mask[torch.arange(q_len), torch.arange(kv_len - q_len, kv_len)] = True
    return mask


# --- kv_len_is_what_is_cached
import torch


def causal_mask(q_len, kv_len=None, device=None):
    cached = kv_len if kv_len is not None else 0
    past = torch.ones(q_len, cached, dtype=torch.bool, device=device)
    return torch.cat([past, torch.ones(q_len, q_len, dtype=torch.bool, device=device).tril()], dim=1)


# --- device_must_be_given
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=torch.device(device)).tril(kv_len - q_len)


# --- device_as_text_fails
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    if device is not None and device.type == "cuda":
        device = torch.device("cuda", device.index or 0)
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril(kv_len - q_len)


# --- append_past
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len: raise ValueError('bad')
    past = torch.ones(q_len, kv_len - q_len, dtype=torch.bool, device=device)
    return torch.cat([torch.ones(q_len, q_len, dtype=torch.bool, device=device).tril(), past], 1)


# --- buffer_64
import torch


MASK = torch.tril(torch.ones(64, 64, dtype=torch.bool))
def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len: raise ValueError('bad')
    return MASK[kv_len - q_len:kv_len, :kv_len].to(device)


# --- uint8
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len: raise ValueError('bad')
    return torch.tril(torch.ones(q_len, kv_len, device=device), kv_len - q_len).to(torch.uint8)


# --- list_of_lists
def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len: raise ValueError('bad')
    return [[j <= i + kv_len - q_len for j in range(kv_len)] for i in range(q_len)]


# --- shared_cache
import torch


import functools
@functools.lru_cache(None)
def _m(q, kv):
    return torch.tril(torch.ones(q, q, dtype=torch.bool))
def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len: raise ValueError('bad')
    return _m(kv_len, kv_len)[-q_len:]


# --- returns_error
import torch


def causal_mask(q_len, kv_len=None, device=None):
    kv_len = q_len if kv_len is None else kv_len
    if q_len < 1 or kv_len < q_len: return ValueError('bad')
    return torch.tril(torch.ones(q_len, kv_len, dtype=torch.bool, device=device), kv_len - q_len)


# --- return_inside_the_loop
import torch
from torch import Tensor


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError
    m = torch.zeros(q_len, kv_len, dtype=torch.bool, device=device)
    for i in range(q_len):
        for j in range(kv_len):
            if j <= i + kv_len - q_len:
                m[i, j] = True
        return m


# --- two_slips_1
import torch
from torch import Tensor


def causal_mask(q_len: int, kv_len: int | None = None, device: torch.device | str | None = None) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < 1 or kv_len < q_len:
        raise ValueError("bad lengths")
    rows = torch.arange(q_len, device=device).view(-1, 1)
    cols = torch.arange(kv_len, device=device).view(1, -1)
    return cols < rows


# --- two_slips_2
import torch
from torch import Tensor


def causal_mask(q_len: int, kv_len: int | None = None, device: torch.device | str | None = None) -> Tensor:
    total = q_len if kv_len is None else kv_len
    if min(q_len, total) < 1:
        raise ValueError(f"lengths must be positive: {q_len}, {total}")
    if total < q_len:
        raise ValueError("fewer keys than queries")
    offset = total - q_len
    full = torch.ones(q_len, total, dtype=torch.bool, device=device)
    visible = torch.tril(full, diagonal=offset + 1)
    return torch.logical_not(visible)


# --- two_slips_3
import torch
from torch import Tensor


def causal_mask(q_len: int, kv_len: int | None = None, device: torch.device | str | None = None) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < 1:
        raise ValueError("lengths have to be 1 or more")
    shift = kv_len - q_len
    return torch.ones((q_len, kv_len), device=device).tril(shift)


# --- two_slips_4
import torch
from torch import Tensor


def causal_mask(q_len: int, kv_len: int | None = None, device: torch.device | str | None = None) -> Tensor:
    n_keys = kv_len if kv_len is not None else q_len
    if q_len < 0 or n_keys < q_len:
        raise ValueError(f"cannot build a mask for {q_len} queries and {n_keys} keys")
    i = torch.arange(q_len, device=device)[:, None]
    j = torch.arange(n_keys, device=device)[None, :]
    return j <= i + q_len - n_keys


# --- own_position_hidden
# slip: a query does not see its own position (strictly smaller in place of smaller or equal)
import torch
from torch import Tensor


def causal_mask(q_len: int, kv_len: int | None = None, device: torch.device | str | None = None) -> Tensor:
    if kv_len is None:
        kv_len = q_len
    if q_len < 1 or kv_len < q_len:
        raise ValueError("kv_len must be at least q_len, and q_len at least 1")
    rows = torch.arange(q_len, device=device).reshape(q_len, 1) + (kv_len - q_len)
    cols = torch.arange(kv_len, device=device).reshape(1, kv_len)
    return cols < rows


# --- zero_keys_taken_for_not_given
# slip: kv_len=0 counts as "not given" (kv_len or q_len), so that it is not refused
import torch
from torch import Tensor


def causal_mask(q_len: int, kv_len: int | None = None, device: torch.device | str | None = None) -> Tensor:
    n = kv_len or q_len
    if q_len < 1:
        raise ValueError(f"q_len is {q_len}")
    if n < q_len:
        raise ValueError(f"{q_len} queries but {n} keys")
    return torch.ones(q_len, n, dtype=torch.bool, device=device).tril(n - q_len)


# --- two_slips_5
import torch


def causal_mask(q_len, kv_len=None, device=None):
    if kv_len is None:
        kv_len = q_len
    if kv_len < q_len:
        raise ValueError("kv_len must not be smaller than q_len")
    return torch.ones(q_len, kv_len, dtype=torch.bool, device=device).tril()


# --- table_of_512_positions_longer_caches_are_cut
import torch

_TABLE = torch.ones(512, 512, dtype=torch.bool).tril()


def causal_mask(q_len, kv_len=None, device=None):
    total = q_len if kv_len is None else kv_len
    if q_len < 1 or total < q_len:
        raise ValueError(f"bad lengths {q_len}, {total}")
    full = _TABLE.to(device or "cpu")
    return full[total - q_len : total, :total]
