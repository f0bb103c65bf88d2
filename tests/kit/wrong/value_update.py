"""Wrong files for value_update, each a whole submission as somebody might hand it in."""


# --- pattern_from_the_left
def value_update(E, patterns, downs, ups):
    total = 0
    for A, down, up in zip(patterns, downs, ups):
        total = total + up @ (A @ (down @ E).T).T
    return total


# --- pattern_transposed
def value_update(E, patterns, downs, ups):
    return sum(up @ (down @ E @ A.T) for A, down, up in zip(patterns, downs, ups))


# --- residual
def value_update(E, patterns, downs, ups):
    out = E.clone()
    for A, down, up in zip(patterns, downs, ups):
        out = out + up @ (down @ E @ A)
    return out


# --- added_in_place
def value_update(E, patterns, downs, ups):
    for A, down, up in zip(patterns, downs, ups):
        E += up @ (down @ E @ A)
    return E


# --- one_after_another
def value_update(E, patterns, downs, ups):
    state, total = E, 0
    for A, down, up in zip(patterns, downs, ups):
        change = up @ (down @ state @ A)
        state = state + change
        total = total + change
    return total


# --- mean_of_heads
import torch


def value_update(E, patterns, downs, ups):
    return torch.stack([up @ (down @ E @ A) for A, down, up in zip(patterns, downs, ups)]).mean(0)


# --- last_head_only
def value_update(E, patterns, downs, ups):
    for A, down, up in zip(patterns, downs, ups):
        update = up @ (down @ E @ A)
    return update


# --- first_head_only
def value_update(E, patterns, downs, ups):
    return ups[0] @ downs[0] @ E @ patterns[0]


# --- returned_in_the_loop
import torch


def value_update(E, patterns, downs, ups):
    total = torch.zeros_like(E)
    for A, down, up in zip(patterns, downs, ups):
        total = total + up @ (down @ E @ A)
        return total


# --- heads_stacked
import torch


def value_update(E, patterns, downs, ups):
    return torch.stack([up @ down @ E @ A for A, down, up in zip(patterns, downs, ups)])


# --- concatenated_not_summed
import torch


def value_update(E, patterns, downs, ups):
    return torch.cat([up @ down @ E @ A for A, down, up in zip(patterns, downs, ups)], dim=0)


# --- softmax_of_patterns
import torch


def value_update(E, patterns, downs, ups):
    return sum(up @ (down @ E @ torch.softmax(A, dim=0)) for A, down, up in zip(patterns, downs, ups))


# --- columns_normalised
def value_update(E, patterns, downs, ups):
    return sum(up @ (down @ E @ (A / A.sum(0, keepdim=True))) for A, down, up in zip(patterns, downs, ups))


# --- up_and_down_exchanged
def value_update(E, patterns, downs, ups):
    return sum(down.T @ (up.T @ E @ A) for A, down, up in zip(patterns, downs, ups))


# --- down_transposed_where_needed
def value_update(E, patterns, downs, ups):
    total = 0
    for A, down, up in zip(patterns, downs, ups):
        if down.shape[0] == E.shape[0]:
            down = down.T
        total = total + up @ (down @ E @ A)
    return total


# --- no_down
def value_update(E, patterns, downs, ups):
    return sum(E @ A for A in patterns)


# --- no_pattern
def value_update(E, patterns, downs, ups):
    return sum(up @ (down @ E) for down, up in zip(downs, ups))


# --- rows
def value_update(E, patterns, downs, ups):
    return sum(A @ E @ down.T @ up.T for A, down, up in zip(patterns, downs, ups))


# --- all_patterns_multiplied
def value_update(E, patterns, downs, ups):
    total = 0
    for down, up in zip(downs, ups):
        V = down @ E
        for A in patterns:
            V = V @ A
        total = total + up @ V
    return total


# --- patterns_averaged
def value_update(E, patterns, downs, ups):
    A = sum(patterns) / len(patterns)
    return sum(up @ (down @ E @ A) for down, up in zip(downs, ups))


# --- ups_summed_downs_summed
def value_update(E, patterns, downs, ups):
    return sum(ups) @ sum(d @ E @ A for d, A in zip(downs, patterns))


# --- merged_wrong_order
import torch


def value_update(E, patterns, downs, ups):
    heads = torch.cat([d @ E @ A for d, A in zip(downs, patterns)], dim=0)
    W_O = torch.cat(ups[::-1], dim=1)
    return W_O @ heads


# --- stacked_interleaved
import torch


def value_update(E, patterns, downs, ups):
    heads = torch.stack([d @ E @ A for d, A in zip(downs, patterns)], dim=1).flatten(0, 1)
    return torch.cat(ups, dim=1) @ heads


# --- zeros_float32_cpu
import torch


def value_update(E, patterns, downs, ups):
    out = torch.zeros(E.shape)
    for A, down, up in zip(patterns, downs, ups):
        out += up @ (down @ E @ A)
    return out


# --- zeros_on_cpu
import torch


def value_update(E, patterns, downs, ups):
    out = torch.zeros(E.shape, dtype=E.dtype)
    for i in range(len(ups)):
        out = out + ups[i] @ (downs[i] @ E @ patterns[i])
    return out


# --- pops
def value_update(E, patterns, downs, ups):
    total = 0
    while patterns:
        total = total + ups.pop() @ (downs.pop() @ E @ patterns.pop())
    return total


# --- lists_reversed
def value_update(E, patterns, downs, ups):
    patterns.reverse()
    downs.reverse()
    ups.reverse()
    return sum(u @ (d @ E @ A) for A, d, u in zip(patterns, downs, ups))


# --- item_by_item
import torch


def value_update(E, patterns, downs, ups):
    out = torch.zeros_like(E)
    for A, down, up in zip(patterns, downs, ups):
        mix = (down @ E @ A).detach()
        for j in range(E.shape[1]):
            out[:, j] += up @ mix[:, j]
    return out


# --- no_grad
import torch


@torch.no_grad()
def value_update(E, patterns, downs, ups):
    return sum(up @ (down @ E @ A) for A, down, up in zip(patterns, downs, ups))


# --- patterns_constant
def value_update(E, patterns, downs, ups):
    return sum(up @ (down @ E @ A.detach()) for A, down, up in zip(patterns, downs, ups))


# --- tensor_of_list
import torch


def value_update(E, patterns, downs, ups):
    total = 0
    for A, down, up in zip(torch.tensor(patterns), torch.tensor(downs), torch.tensor(ups)):
        total = total + up @ (down @ E @ A)
    return total


# --- two_heads
def value_update(E, patterns, downs, ups):
    one = ups[0] @ (downs[0] @ E @ patterns[0])
    two = ups[1] @ (downs[1] @ E @ patterns[1])
    return one + two


# --- transposed_result
def value_update(E, patterns, downs, ups):
    return sum(up @ (down @ E @ A) for A, down, up in zip(patterns, downs, ups)).T


# --- scaled_by_heads
def value_update(E, patterns, downs, ups):
    total = 0
    for A, down, up in zip(patterns, downs, ups):
        total = total + up @ (down @ E @ A) / down.shape[0] ** 0.5
    return total


# --- causal_too
import torch


def value_update(E, patterns, downs, ups):
    return sum(up @ (down @ E @ torch.triu(A)) for A, down, up in zip(patterns, downs, ups))


# --- renamed
def value_update(E, A, down, up):
    return sum(u @ (d @ E @ a) for a, d, u in zip(A, down, up))


# --- kept_total
import torch

total = None


def value_update(E, patterns, downs, ups):
    global total
    if total is None or total.shape != E.shape:
        total = torch.zeros_like(E)
    for A, down, up in zip(patterns, downs, ups):
        total = total + up @ (down @ E @ A)
    return total


# --- first_down_for_all
def value_update(E, patterns, downs, ups):
    V = downs[0] @ E
    return sum(up @ (V @ A) for A, up in zip(patterns, ups))


# --- pop
def value_update(E, patterns, downs, ups):
    out = ups.pop(0) @ (downs.pop(0) @ E @ patterns.pop(0))
    for A, down, up in zip(patterns, downs, ups):
        out = out + up @ (down @ E @ A)
    return out


# --- sum_of_matrices
def value_update(E, patterns, downs, ups):
    return sum(ups) @ sum(downs) @ E @ sum(patterns)


# --- no_down_again
def value_update(E, patterns, downs, ups):
    return sum(u @ u.T @ E @ A for A, d, u in zip(patterns, downs, ups))


# --- range_one
import torch


def value_update(E, patterns, downs, ups):
    out = torch.zeros_like(E)
    for h in range(1, len(patterns)):
        out = out + ups[h] @ downs[h] @ E @ patterns[h]
    return out


# --- len_d
import torch


def value_update(E, patterns, downs, ups):
    out = torch.zeros_like(E)
    for h in range(E.shape[0]):
        out = out + ups[h] @ downs[h] @ E @ patterns[h]
    return out


# --- a_thousandth_added
def value_update(E, patterns, downs, ups):
    return sum(u @ (d @ E @ A) * 1 for A, d, u in zip(patterns, downs, ups)) + (E - E.detach()) * 0 + 1e-3


# --- sum_builtin_items
import torch


def value_update(E, patterns, downs, ups):
    return torch.sum([u @ d @ E @ A for A, d, u in zip(patterns, downs, ups)])


# --- inplace_real
import torch


def value_update(E, patterns, downs, ups):
    old = E.detach().clone()
    with torch.no_grad():
        for A, d, u in zip(patterns, downs, ups): E += u @ d @ old @ A
    return E - old


# --- output_into_the_next
def value_update(E, patterns, downs, ups):
    out = E
    for A, down, up in zip(patterns, downs, ups):
        out = up @ (down @ out @ A)
    return out


# --- ups_of_the_first
def value_update(E, patterns, downs, ups):
    total = 0
    for h in range(len(patterns)):
        total = total + ups[0] @ (downs[h] @ E @ patterns[h])
    return total


# --- last_head_left_out
import torch


def value_update(E, patterns, downs, ups):
    total = torch.zeros_like(E)
    for h in range(len(patterns) - 1):
        total = total + ups[h] @ downs[h] @ E @ patterns[h]
    return total


# --- sum_begins_with_the_tokens
def value_update(E, patterns, downs, ups):
    total = E
    for A, down, up in zip(patterns, downs, ups):
        total += up @ (down @ E @ A)
    return total - E


# --- two_slips_1
# slips: the pattern is used transposed; the heads' changes are averaged instead of added
import torch
from torch import Tensor


def value_update(E: Tensor, patterns: list[Tensor], downs: list[Tensor], ups: list[Tensor]) -> Tensor:
    changes = []
    for A, down, up in zip(patterns, downs, ups):
        values = down @ E
        mixed = values @ A.T
        changes.append(up @ mixed)
    return torch.stack(changes).mean(dim=0)


# --- two_slips_2
# slips: the tokens themselves are added to the update; the first head is counted twice
from torch import Tensor


def head(E, pattern, down, up):
    return up @ (down @ E @ pattern)


def value_update(E: Tensor, patterns: list[Tensor], downs: list[Tensor], ups: list[Tensor]) -> Tensor:
    update = head(E, patterns[0], downs[0], ups[0])
    for i in range(len(patterns)):
        update = update + head(E, patterns[i], downs[i], ups[i])
    return E + update


# --- pattern_read_along_rows
# slip: the pattern is transposed: row j in place of column j says what token j takes
import torch
from torch import Tensor


def value_update(E: Tensor, patterns: list[Tensor], downs: list[Tensor], ups: list[Tensor]) -> Tensor:
    update = torch.zeros_like(E)
    for A, down, up in zip(patterns, downs, ups):
        values = down @ E
        update = update + up @ (values @ A.T)
    return update


# --- two_slips_3
import torch


def value_update(E, patterns, downs, ups):
    total = torch.zeros_like(E)
    for A, down, up in zip(patterns, downs, ups):
        values = down @ E
        total = total + up @ (values @ A.T)
    return total / len(ups)
