"""Wrong submissions for combine_masks, as people write them; written from the statement, without the suite in view."""

# --- joined_with_or
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    pos = torch.arange(seq_len, device=lengths.device)
    causal = pos[None, :] <= pos[:, None]
    pad = pos[None, :] < lengths[:, None]
    if padding_side == "left":
        pad = pad.flip(-1)
    return causal[None, None] | pad[:, None, None, :]


# --- side_not_checked_and_no_head_axis
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    causal = torch.tril(torch.ones(seq_len, seq_len, dtype=torch.bool, device=lengths.device))
    pos = torch.arange(seq_len, device=lengths.device)
    if padding_side == "right":
        pad = pos < lengths.unsqueeze(1)
    else:
        pad = pos >= seq_len - lengths.unsqueeze(1)
    return causal & pad.unsqueeze(1)


# --- side_not_checked
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    causal = torch.tril(torch.ones(seq_len, seq_len, dtype=torch.bool, device=lengths.device))
    pos = torch.arange(seq_len, device=lengths.device)
    if padding_side == "right":
        pad = pos < lengths.unsqueeze(1)
    else:
        pad = pos >= seq_len - lengths.unsqueeze(1)
    return causal & pad[:, None, None, :]


# --- side_ignored
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    pos = torch.arange(seq_len, device=lengths.device)
    return (pos[None, :] <= pos[:, None])[None, None] & (pos < lengths[:, None])[:, None, None]


# --- one_position_too_many
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    pos = torch.arange(seq_len, device=lengths.device)
    causal = pos[None, :] <= pos[:, None]
    if padding_side == "right":
        token = pos[None] <= lengths[:, None]
    else:
        token = pos[None] >= seq_len - lengths[:, None] - 1
    return causal & token[:, None, None]


# --- left_off_by_one
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    pos = torch.arange(seq_len, device=lengths.device)
    causal = pos[None, :] <= pos[:, None]
    if padding_side == "right":
        token = pos[None] < lengths[:, None]
    else:
        token = pos[None] > seq_len - lengths[:, None]
    return causal & token[:, None, None]


# --- rows_hidden
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    pos = torch.arange(seq_len, device=lengths.device)
    causal = pos[None, :] <= pos[:, None]
    if padding_side == "right":
        token = pos[None] < lengths[:, None]
    elif padding_side == "left":
        token = pos[None] >= seq_len - lengths[:, None]
    else:
        raise ValueError("padding_side")
    return causal & token[:, None, :, None]


# --- rows_and_columns_hidden_unchecked
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    pos = torch.arange(seq_len, device=lengths.device)
    causal = pos[None, :] <= pos[:, None]
    token = pos[None] < lengths[:, None] if padding_side == "right" else pos[None] >= seq_len - lengths[:, None]
    return causal & (token[:, None, :] & token[:, :, None])[:, None]


# --- left_padding_slides_the_triangle
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    mask = torch.zeros(len(lengths), 1, seq_len, seq_len, dtype=torch.bool, device=lengths.device)
    for b, n in enumerate(lengths.tolist()):
        tri = torch.ones(n, n, dtype=torch.bool, device=lengths.device).tril()
        if padding_side == "right":
            mask[b, 0, :n, :n] = tri
        else:
            mask[b, 0, seq_len - n :, seq_len - n :] = tri
    return mask


# --- loop_stops_at_the_row
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    B = lengths.shape[0]
    mask = torch.zeros(B, 1, seq_len, seq_len, dtype=torch.bool, device=lengths.device)
    for b in range(B):
        n = int(lengths[b])
        tokens = range(n) if padding_side == "right" else range(seq_len - n, seq_len)
        for i in range(seq_len):
            for j in range(i):
                if j in tokens:
                    mask[b, 0, i, j] = True
    return mask


# --- on_the_cpu
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    mask = torch.ones(len(lengths), 1, seq_len, seq_len, dtype=torch.bool).tril()
    for b, n in enumerate(lengths.tolist()):
        if padding_side == "right":
            mask[b, :, :, n:] = False
        else:
            mask[b, :, :, : seq_len - n] = False
    return mask


# --- minus_zero_slice
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    token = torch.zeros(len(lengths), seq_len, dtype=torch.bool, device=lengths.device)
    for b, n in enumerate(lengths.tolist()):
        if padding_side == "right":
            token[b, :n] = True
        else:
            token[b, -n:] = True
    causal = torch.ones(seq_len, seq_len, dtype=torch.bool, device=lengths.device).tril()
    return causal & token[:, None, None, :]


# --- kept_expanded_first_example
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    pos = torch.arange(seq_len, device=lengths.device)
    n = lengths[0]
    token = pos < n if padding_side == "right" else pos >= seq_len - n
    causal = pos[None] <= pos[:, None]
    return (causal & token).expand(len(lengths), 1, seq_len, seq_len)


# --- lengths_are_padding
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    pos = torch.arange(seq_len, device=lengths.device)
    token = pos < (seq_len - lengths)[:, None] if padding_side == "right" else pos >= lengths[:, None]
    return (pos[None] <= pos[:, None]) & token[:, None, None]


# --- true_is_hidden
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    pos = torch.arange(seq_len, device=lengths.device)
    pad = pos >= lengths[:, None] if padding_side == "right" else pos < seq_len - lengths[:, None]
    future = pos[None] > pos[:, None]
    return future | pad[:, None, None]


# --- numbers
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    causal = torch.tril(torch.ones(seq_len, seq_len, device=lengths.device))
    pos = torch.arange(seq_len, device=lengths.device)
    token = pos < lengths[:, None] if padding_side == "right" else pos >= seq_len - lengths[:, None]
    return causal * token[:, None, None].float()


# --- integers
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    causal = torch.tril(torch.ones(seq_len, seq_len, dtype=torch.long, device=lengths.device))
    pos = torch.arange(seq_len, device=lengths.device)
    token = pos < lengths[:, None] if padding_side == "right" else pos >= seq_len - lengths[:, None]
    return causal * token[:, None, None]


# --- lengths_rewritten
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    pos = torch.arange(seq_len, device=lengths.device)
    causal = pos[None] <= pos[:, None]
    if padding_side == "left":
        lengths *= -1
        lengths += seq_len
        return causal & (pos >= lengths[:, None])[:, None, None]
    return causal & (pos < lengths[:, None])[:, None, None]


# --- assert_for_the_side
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    assert padding_side in ["right", "left"]
    pos = torch.arange(seq_len, device=lengths.device)
    causal = pos[None] <= pos[:, None]
    token = pos < lengths[:, None] if padding_side == "right" else pos >= seq_len - lengths[:, None]
    return causal & token[:, None, None]


# --- kept_by_length
import torch

_cache = {}


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    key = (seq_len, len(lengths), padding_side)
    if key not in _cache:
        pos = torch.arange(seq_len, device=lengths.device)
        token = pos < lengths[:, None] if padding_side == "right" else pos >= seq_len - lengths[:, None]
        _cache[key] = (pos[None] <= pos[:, None]) & token[:, None, None]
    return _cache[key]


# --- other_names
import torch


def combine_masks(T, lens, side="right"):
    if side not in ("right", "left"):
        raise ValueError(side)
    pos = torch.arange(T, device=lens.device)
    token = pos < lens[:, None] if side == "right" else pos >= T - lens[:, None]
    return (pos[None] <= pos[:, None]) & token[:, None, None]


# --- squeezed
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    pos = torch.arange(seq_len, device=lengths.device)
    token = pos < lengths[:, None] if padding_side == "right" else pos >= seq_len - lengths[:, None]
    return ((pos[None] <= pos[:, None]) & token[:, None, None]).squeeze().view(-1, 1, seq_len, seq_len).squeeze(0)


# --- any_case_accepted
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    side = padding_side.lower().strip()
    if side not in ("right", "left"):
        raise ValueError(side)
    pos = torch.arange(seq_len, device=lengths.device)
    token = pos < lengths[:, None] if side == "right" else pos >= seq_len - lengths[:, None]
    return (pos[None] <= pos[:, None]) & token[:, None, None]


# --- every_row_sees_something
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    pos = torch.arange(seq_len, device=lengths.device)
    token = pos < lengths[:, None] if padding_side == "right" else pos >= seq_len - lengths[:, None]
    mask = (pos[None] <= pos[:, None]) & token[:, None, None]
    empty = ~mask.any(-1, keepdim=True)
    return mask | (empty & torch.eye(seq_len, dtype=torch.bool, device=lengths.device))


# --- longest_of_the_batch
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError(padding_side)
    T = int(lengths.max())
    pos = torch.arange(T, device=lengths.device)
    token = pos < lengths[:, None] if padding_side == "right" else pos >= T - lengths[:, None]
    return (pos[None] <= pos[:, None]) & token[:, None, None]


# --- one_more_on_the_right
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in ("right", "left"):
        raise ValueError("padding_side")
    p = torch.arange(seq_len, device=lengths.device)
    real = p <= lengths[:, None] if padding_side == "right" else p >= seq_len - lengths[:, None]
    return real[:, None, None, :] & torch.ones(seq_len, seq_len, dtype=torch.bool, device=lengths.device).tril()


# --- startswith
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    p = torch.arange(seq_len, device=lengths.device)
    if padding_side.startswith("l"):
        keep = p >= seq_len - lengths[:, None]
    elif padding_side.startswith("r"):
        keep = p < lengths[:, None]
    else:
        raise ValueError("left or right")
    return (torch.ones(seq_len, seq_len, device=lengths.device).tril().bool() & keep[:, None, :])[:, None]


# --- left_by_flip
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    p = torch.arange(seq_len, device=lengths.device)
    m = (torch.tril(torch.ones(seq_len, seq_len, device=lengths.device)).bool() & (p < lengths[:, None])[:, None, :])[
        :, None
    ]
    if padding_side == "right":
        return m
    if padding_side == "left":
        return m.flip(-1)
    raise ValueError("side")


# --- two_slips_1
import torch
from torch import Tensor


def combine_masks(seq_len: int, lengths: Tensor, padding_side: str = "right") -> Tensor:
    if padding_side not in ("right", "left"):
        raise ValueError("padding_side")
    pos = torch.arange(seq_len, device=lengths.device)
    causal = pos[None, :] < pos[:, None]
    if padding_side == "right":
        real = pos[None, :] < lengths[:, None]
    else:
        real = pos[None, :] >= seq_len - lengths[:, None]
    return causal[None, None] & real[:, None, :, None]


# --- two_slips_2
import torch
from torch import Tensor


def combine_masks(seq_len: int, lengths: Tensor, padding_side: str = "right") -> Tensor:
    if padding_side == "right":
        token = torch.arange(seq_len, device=lengths.device) < lengths.unsqueeze(1)
    elif padding_side == "left":
        token = torch.arange(seq_len, device=lengths.device) > (seq_len - lengths).unsqueeze(1)
    else:
        raise ValueError(f"unknown side {padding_side}")
    tril = torch.ones(seq_len, seq_len, dtype=torch.bool, device=lengths.device).tril()
    return tril | token[:, None, None, :]


# --- two_slips_3
import torch
from torch import Tensor


def combine_masks(seq_len: int, lengths: Tensor, padding_side: str = "right") -> Tensor:
    if padding_side != "right" and padding_side != "left":
        raise ValueError("padding_side must be right or left")
    masks = []
    for n in lengths.tolist():
        m = torch.ones(seq_len, seq_len, device=lengths.device).bool().triu()
        if padding_side == "right":
            m[:, n:] = False
        else:
            m[:, : seq_len - n] = False
        masks.append(m)
    return torch.stack(masks)


# --- two_slips_4
import torch
from torch import Tensor


def real_tokens(n: int, lengths: Tensor, side: str) -> Tensor:
    place = torch.arange(n, device=lengths.device).expand(len(lengths), n)
    if side == "right":
        return place <= lengths.view(-1, 1)
    return place >= n - lengths.view(-1, 1)


def combine_masks(seq_len: int, lengths: Tensor, padding_side: str = "right") -> Tensor:
    i = torch.arange(seq_len, device=lengths.device).view(1, 1, -1, 1)
    j = torch.arange(seq_len, device=lengths.device).view(1, 1, 1, -1)
    keys = real_tokens(seq_len, lengths, padding_side).view(-1, 1, 1, seq_len)
    return (j <= i) & keys


# --- padded_queries_hidden_too
# slip: the rows of padded queries are hidden as well, although only keys are to be hidden
import torch
from torch import Tensor


def combine_masks(seq_len: int, lengths: Tensor, padding_side: str = "right") -> Tensor:
    pos = torch.arange(seq_len, device=lengths.device)
    if padding_side == "right":
        real = pos[None, :] < lengths[:, None]
    elif padding_side == "left":
        real = pos[None, :] >= seq_len - lengths[:, None]
    else:
        raise ValueError("padding_side")
    causal = torch.tril(torch.ones(seq_len, seq_len, dtype=torch.bool, device=lengths.device))
    pad = real[:, None, None, :] & real[:, None, :, None]
    return causal & pad


# --- left_padding_one_too_short
# slip: with left padding one padded position too many counts as a token (seq_len - length - 1)
import torch
from torch import Tensor


def combine_masks(seq_len: int, lengths: Tensor, padding_side: str = "right") -> Tensor:
    if padding_side not in ("left", "right"):
        raise ValueError(f"unknown side {padding_side!r}")
    masks = []
    for n in lengths.tolist():
        token = torch.zeros(seq_len, dtype=torch.bool, device=lengths.device)
        if padding_side == "right":
            token[:n] = True
        else:
            token[max(seq_len - n - 1, 0) :] = True
        masks.append(token.expand(seq_len, seq_len).tril())
    return torch.stack(masks).unsqueeze(1)


# --- two_slips_5
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    pos = torch.arange(seq_len, device=lengths.device)
    n = lengths.view(-1, 1)
    if padding_side == "right":
        real = pos < n
    elif padding_side == "left":
        real = pos > seq_len - n
    else:
        raise ValueError(padding_side)
    causal = pos[:, None] >= pos[None, :]
    full = causal & real[:, None, :] & real[:, :, None]
    return full[:, None]


# --- empty_examples_are_given_one_token
import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side != "right" and padding_side != "left":
        raise ValueError("unknown padding side " + str(padding_side))
    lengths.clamp_(min=1)
    steps = torch.arange(seq_len, device=lengths.device)
    if padding_side == "right":
        token = steps[None, :] < lengths[:, None]
    else:
        token = steps[None, :] >= (seq_len - lengths)[:, None]
    future = torch.ones(seq_len, seq_len, device=lengths.device).triu(1).bool()
    return (token[:, None, None, :] & ~future[None, None]).contiguous()
