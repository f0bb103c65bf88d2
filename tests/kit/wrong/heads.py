"""Wrong files for heads, each a whole submission as somebody might hand it in."""


# --- no_refusal_and_split_without_transpose
def split_heads(x, num_heads):
    B, T, D = x.shape
    return x.reshape(B, num_heads, T, D // num_heads)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- neither_transposes
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, num_heads, T, D // num_heads)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.reshape(B, T, H * Dh)


# --- views
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    return x.view(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).view(B, T, H * Dh)


# --- interleaved
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, D // num_heads, num_heads).permute(0, 3, 1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * Dh)


# --- no_transpose_at_all
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, D // num_heads)


def merge_heads(x):
    B, T, H, Dh = x.shape
    return x.reshape(B, T, H * Dh)


# --- transposes_2_and_3
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(2, 3)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- chunks_of_num_heads
import torch


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return torch.stack(x.split(num_heads, dim=-1), dim=1)


def merge_heads(x):
    return torch.cat(x.unbind(1), dim=-1)


# --- squeezed
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2).squeeze()


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh).squeeze()


# --- truncates_instead_of_refusing
def split_heads(x, num_heads):
    B, T, D = x.shape
    dh = D // num_heads
    x = x[..., : dh * num_heads]
    return x.reshape(B, T, num_heads, dh).transpose(1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- merge_stacks_on_time
import torch


def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    return torch.cat([x[:, h] for h in range(x.shape[1])], dim=1)


# --- merge_adds_the_heads
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    return x.sum(dim=1)


# --- buffers_on_the_cpu
import torch


def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    dh = D // num_heads
    out = torch.zeros(B, num_heads, T, dh)
    for h in range(num_heads):
        out[:, h] = x[:, :, h * dh : (h + 1) * dh]
    return out


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- through_lists
import torch


def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    dh = D // num_heads
    rows = x.tolist()
    return torch.tensor(
        [[[rows[b][t][h * dh : (h + 1) * dh] for t in range(T)] for h in range(num_heads)] for b in range(B)]
    )


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- detached
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    return x.detach().reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.data.transpose(1, 2).reshape(B, T, H * Dh)


# --- remembers_the_number_of_heads
_state = {"heads": 1}


def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("not divisible")
    _state["heads"] = num_heads
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    B, _, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, _state["heads"] * Dh)


# --- asserts
def split_heads(x, num_heads):
    B, T, D = x.shape
    assert D % num_heads == 0
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- heads_last_first
import torch


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return torch.stack(x.chunk(num_heads, dim=-1)[::-1], dim=1)


def merge_heads(x):
    return torch.cat(x.unbind(1)[::-1], dim=-1)


# --- heads_before_the_batch
import torch


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("not divisible")
    return torch.stack(x.chunk(num_heads, dim=-1))


def merge_heads(x):
    return torch.cat(list(x), dim=-1)


# --- merge_permutes_to_channels_first
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("not divisible")
    return x.reshape(B, T, num_heads, D // num_heads).permute(0, 2, 1, 3)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.permute(0, 2, 3, 1).reshape(B, T, H * Dh)


# --- argument_renamed
def split_heads(x, heads):
    B, T, D = x.shape
    if D % heads != 0:
        raise ValueError("not divisible")
    return x.reshape(B, T, heads, D // heads).permute(0, 2, 1, 3)


def merge_heads(heads):
    B, H, T, Dh = heads.shape
    return heads.permute(0, 2, 1, 3).reshape(B, T, H * Dh)


# --- merge_direct
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.reshape(B, T, H * Dh)


# --- check_T
def split_heads(x, num_heads):
    B, T, D = x.shape
    if T % num_heads: raise ValueError("tokens")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- tensor_split_tokens
import torch


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads: raise ValueError
    return torch.stack(x.chunk(num_heads, dim=1), 1)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- merge_flatten_12
def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B * T, H * Dh)


def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


# --- merge_swap_last
def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(2, 3).reshape(B, H * Dh, T)


def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible")
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


# --- merge_global
LAST = {}
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads: raise ValueError
    LAST['shape'] = x.shape
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
def merge_heads(x):
    return x.transpose(1, 2).reshape(LAST['shape'])


# --- hard_8
def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads: raise ValueError
    return x.reshape(B, T, num_heads, 64).transpose(1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- linear_layers
import torch


def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads: raise ValueError
    x = torch.nn.Linear(D, D, dtype=x.dtype)(x)
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- inverse_condition
def split_heads(x, num_heads):
    B, T, D = x.shape
    if num_heads % D: raise ValueError
    return x.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.transpose(1, 2).reshape(B, T, H * Dh)


# --- two_slips_1
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    B, T, D = x.shape
    if D % num_heads != 0:
        raise ValueError("D not divisible")
    return x.reshape(B, num_heads, T, D // num_heads)


def merge_heads(x: Tensor) -> Tensor:
    B, H, T, Dh = x.shape
    y = x.permute(0, 2, 3, 1)
    return y.reshape(B, T, H * Dh)


# --- two_slips_2
import torch
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    batch, tokens, channels = x.shape
    if channels % num_heads:
        raise ValueError(f"{channels} channels, {num_heads} heads")
    parts = [x[:, :, h::num_heads] for h in range(num_heads)]
    return torch.stack(parts, dim=1)


def merge_heads(x: Tensor) -> Tensor:
    batch, n_heads, tokens, width = x.shape
    return x.reshape(batch, tokens, n_heads * width)


# --- two_slips_3
import torch
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    B, T, D = x.size()
    if D % num_heads:
        raise ValueError("heads")
    Dh = D // num_heads
    out = torch.zeros(B, num_heads, T, Dh, device=x.device)
    for h in range(num_heads):
        out[:, h] = x[:, :, h * Dh : (h + 1) * Dh]
    return out


def merge_heads(x: Tensor) -> Tensor:
    heads = list(x.unbind(1))
    heads.reverse()
    return torch.cat(heads, dim=-1)


# --- two_slips_4
import torch
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    B, T, D = x.shape
    width = D // num_heads
    pieces = []
    for h in range(num_heads):
        pieces.append(x[..., h * width : (h + 1) * width])
    return torch.stack(pieces, dim=2)


def merge_heads(x: Tensor) -> Tensor:
    return x.transpose(1, 2).flatten(start_dim=2)


# --- merged_in_the_wrong_order_of_axes
# slip: merge_heads reshapes without moving the head axis behind the tokens
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    b, t, d = x.shape
    if d % num_heads != 0:
        raise ValueError("D must be divisible by the number of heads")
    return x.reshape(b, t, num_heads, d // num_heads).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    b, h, t, dh = x.shape
    return x.reshape(b, t, h * dh)


# --- channels_dealt_out_in_turns
# slip: the channels are dealt out in turns (channel c * H + h) in place of in blocks, and merge_heads undoes it, so that the round trip looks right
import torch
from torch import Tensor


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    B, T, D = x.size()
    if D % num_heads:
        raise ValueError(f"{D} channels cannot be shared by {num_heads} heads")
    return x.unflatten(2, (D // num_heads, num_heads)).permute(0, 3, 1, 2)


def merge_heads(x: Tensor) -> Tensor:
    return torch.flatten(x.permute(0, 2, 3, 1), start_dim=2)


# --- two_slips_5
import torch


def split_heads(x, num_heads):
    B, T, D = x.shape
    if D % num_heads:
        raise ValueError("D must be divisible by num_heads")
    return x.reshape(B, T, D // num_heads, num_heads).permute(0, 3, 1, 2)


def merge_heads(x):
    B, H, T, Dh = x.shape
    return x.reshape(B, T, H * Dh)


# --- split_uses_view_which_fails_for_an_x
def split_heads(x, num_heads):
    B, T, D = x.size()
    if D % num_heads != 0:
        raise ValueError("number of channels not divisible by number of heads")
    x = x.view(B * T, num_heads, D // num_heads)
    return x.view(B, T, num_heads, -1).transpose(1, 2)


def merge_heads(x):
    B, H, T, Dh = x.size()
    return x.transpose(1, 2).contiguous().view(B, T, H * Dh)
