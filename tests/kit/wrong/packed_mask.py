"""Wrong submissions for packed_mask, written from the statement, without the suite in view."""

# --- plain_causal
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- same_document_only
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- strictly_before
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril(-1)


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- single_row_only
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents[:, None] == documents[None, :]
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- triangle_the_other_way
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).triu()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- numbers_from_zero_assumed
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    same = torch.stack([documents == n for n in range(3)]).any(0).unsqueeze(-2) & same
    return same.tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- minus_infinity
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return torch.zeros(same.shape).masked_fill(~same.tril(), float('-inf'))


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- arange
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    return torch.arange(documents.shape[-1]).expand(documents.shape).clone()


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- from_one
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1)


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- restarts_by_bincount
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    return torch.cat([torch.arange(int(n)) for n in torch.bincount(documents.flatten()) if n])


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- counts_of_the_whole_document
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- restarts_at_the_first_change_only
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    first = documents == documents[..., :1]
    n = first.sum(-1, keepdim=True)
    i = torch.arange(documents.shape[-1], device=documents.device)
    return torch.where(first, i, i - n)


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- prefix_rows_open
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- prefix_one_longer
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix + 1, :prefix + 1] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- prefix_of_zero_refused
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 1 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- nothing_refused
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- no_triangle_behind
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device)
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- parent_and_self_only
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j]) if j == i else -1
    return mask


# --- columns_for_rows
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[j, i] = True
            j = int(parents[j])
    return mask


# --- self_left_out
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = int(parents[i])
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- nothing_refused_in_the_tree
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        for _ in range(n):
            if not 0 <= j < n:
                break
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- all_before
import torch


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j -= 1
    return mask


# --- prefix_only
import torch
def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()
def packed_positions(documents):
    T = documents.shape[-1]
    idx = torch.arange(T, device=documents.device).expand(documents.shape)
    new = torch.ones_like(documents, dtype=torch.bool)
    new[..., 1:] = documents[..., 1:] != documents[..., :-1]
    start = torch.where(new, idx, 0).cummax(-1).values
    return idx - start
def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad")
    m = torch.ones(length, length, dtype=torch.bool, device=device)
    m[:prefix, prefix:] = False
    return m
def tree_mask(parents):
    n = len(parents)
    m = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        if p >= 0:
            m[i] = m[p]
        m[i, i] = True
    return m


# --- tree_no_check_self
import torch
def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()
def packed_positions(documents):
    T = documents.shape[-1]
    idx = torch.arange(T, device=documents.device).expand(documents.shape)
    new = torch.ones_like(documents, dtype=torch.bool)
    new[..., 1:] = documents[..., 1:] != documents[..., :-1]
    start = torch.where(new, idx, 0).cummax(-1).values
    return idx - start
def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad")
    m = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    m[:, :prefix] = True
    return m
def tree_mask(parents):
    n = len(parents)
    m = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        p = int(parents[i])
        if p < -1 or p > i:
            raise ValueError("bad parent")
        if p >= 0:
            m[i] = m[p]
        m[i, i] = True
    return m


# --- new_doc_by_plus_one
import torch
def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()
def packed_positions(documents):
    T = documents.shape[-1]
    idx = torch.arange(T, device=documents.device).expand(documents.shape)
    new = torch.ones_like(documents, dtype=torch.bool)
    new[..., 1:] = documents[..., 1:] == documents[..., :-1] + 1
    start = torch.where(new, idx, 0).cummax(-1).values
    return idx - start
def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad")
    m = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    m[:, :prefix] = True
    return m
def tree_mask(parents):
    n = len(parents)
    m = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        if p >= 0:
            m[i] = m[p]
        m[i, i] = True
    return m


# --- siblings_too
import torch


def tree_mask(parents):
    n = len(parents)
    p = parents.tolist()
    for i, x in enumerate(p):
        if x < -1 or x >= i:
            raise ValueError("x")
    m = torch.eye(n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        if p[i] >= 0:
            m[i] |= m[p[i]]
        for j in range(i):
            if p[j] == p[i]:
                m[i, j] = True
    return m


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


# --- minus_one_is_the_last_node
import torch


def tree_mask(parents):
    n = len(parents)
    m = torch.eye(n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        p = parents[i].item()
        if p < -1 or p >= i:
            raise ValueError("x")
        m[i] |= m[p]
    return m


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril().sum(-1) - 1


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


# --- only_steps_of_one
import torch


def packed_positions(documents):
    d = documents
    change = torch.zeros_like(d)
    change[..., 1:] = d[..., 1:] - d[..., :-1]
    ar = torch.arange(d.shape[-1], device=d.device).expand(d.shape)
    start = (ar * (change == 1)).cummax(-1).values
    return ar - start


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad sizes")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        j = i
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("bad parent")
        while j >= 0:
            mask[i, j] = True
            j = int(parents[j])
    return mask


# --- minus_one_takes_the_last_row
import torch
from torch import Tensor


def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same & torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()


def packed_positions(documents):
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same.tril(-1).sum(-1)


def prefix_mask(length, prefix, device=None):
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("length or prefix")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    mask = torch.eye(n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("parent")
        mask[i] |= mask[p]
    return mask


# --- positions_in_the_dtype_of_documents
import torch

def packed_mask(documents):
    T = documents.shape[-1]
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    causal = torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()
    return same & causal

def packed_positions(documents):
    T = documents.shape[-1]
    index = torch.arange(T, device=documents.device)
    new = torch.ones_like(documents, dtype=torch.bool)
    new[..., 1:] = documents[..., 1:] != documents[..., :-1]
    start = torch.where(new, index, 0).cummax(-1).values
    return (index - start).to(documents.dtype)

def prefix_mask(length, prefix, device=None):
    if length < 1:
        raise ValueError("length is below 1")
    if prefix < 0 or prefix > length:
        raise ValueError("prefix is outside 0 to length")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:, :prefix] = True
    return mask

def tree_mask(parents):
    n = parents.shape[0]
    mask = torch.eye(n, dtype=torch.bool, device=parents.device)
    for i, p in enumerate(parents.tolist()):
        if p < -1 or p >= i:
            raise ValueError(f"parent {p} of {i}")
        if p >= 0:
            mask[i] |= mask[p]
    return mask


# --- two_slips_1
import torch
from torch import Tensor


def packed_mask(documents: Tensor) -> Tensor:
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same


def packed_positions(documents: Tensor) -> Tensor:
    T = documents.shape[-1]
    idx = torch.arange(T, device=documents.device).expand(documents.shape)
    start = torch.ones_like(documents, dtype=torch.bool)
    start[..., 1:] = documents[..., 1:] != documents[..., :-1]
    begin = torch.where(start, idx, torch.zeros_like(idx)).cummax(dim=-1).values
    return idx - begin


def prefix_mask(length: int, prefix: int, device: torch.device | str | None = None) -> Tensor:
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("bad length or prefix")
    i = torch.arange(length, device=device)[:, None]
    j = torch.arange(length, device=device)[None, :]
    return (j <= i) | (j <= prefix)


def tree_mask(parents: Tensor) -> Tensor:
    n = parents.shape[0]
    mask = torch.eye(n, dtype=torch.bool, device=parents.device)
    for i in range(n):
        p = int(parents[i])
        if p < -1 or p >= i:
            raise ValueError("parent must come before its child")
        if p >= 0:
            mask[i] |= mask[p]
    return mask


# --- two_slips_2
import torch
from torch import Tensor


def packed_mask(documents: Tensor) -> Tensor:
    T = documents.shape[-1]
    lower = torch.ones(T, T, dtype=torch.bool, device=documents.device).tril()
    return (documents[..., :, None] == documents[..., None, :]) & lower


def packed_positions(documents: Tensor) -> Tensor:
    same = documents[..., :, None] == documents[..., None, :]
    return same.tril().sum(dim=-1)


def prefix_mask(length: int, prefix: int, device: torch.device | str | None = None) -> Tensor:
    if length < 1 or not 0 <= prefix <= length:
        raise ValueError(f"length={length}, prefix={prefix}")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:, :prefix] = True
    return mask


def tree_mask(parents: Tensor) -> Tensor:
    N = len(parents)
    table = torch.zeros(N, N, dtype=torch.bool, device=parents.device)
    for node, parent in enumerate(parents.tolist()):
        if parent < -1 or parent >= node:
            raise ValueError(f"{parent} cannot be the parent of {node}")
        table[node, node] = True
        if parent != -1:
            table[node, parent] = True
            parent = int(parents[parent])
    return table


# --- two_slips_3
import torch
from torch import Tensor


def packed_mask(documents: Tensor) -> Tensor:
    query = documents[..., :, None]
    key = documents[..., None, :]
    allowed = query >= key
    return torch.tril(allowed)


def packed_positions(documents: Tensor) -> Tensor:
    out = torch.zeros(documents.shape, dtype=torch.int64, device=documents.device)
    for t in range(1, documents.shape[-1]):
        same = documents[..., t] == documents[..., t - 1]
        out[..., t] = torch.where(same, out[..., t - 1] + 1, 0)
    return out


def prefix_mask(length: int, prefix: int, device: torch.device | str | None = None) -> Tensor:
    if length <= 0:
        raise ValueError("length")
    if prefix < 0 or prefix > length:
        raise ValueError("prefix")
    pos = torch.arange(length, device=device)
    seen = pos[None, :] < prefix
    own = pos[None, :] == pos[:, None]
    return seen | own


def tree_mask(parents: Tensor) -> Tensor:
    if any(p < -1 or p >= n for n, p in enumerate(parents.tolist())):
        raise ValueError("not a tree in order")
    rows: list[Tensor] = []
    for n, p in enumerate(parents.tolist()):
        row = torch.zeros(len(parents), dtype=torch.bool, device=parents.device) if p < 0 else rows[p].clone()
        row[n] = True
        rows.append(row)
    return torch.stack(rows)


# --- two_slips_4
import torch
from torch import Tensor


def packed_mask(documents: Tensor) -> Tensor:
    eq = torch.eq(documents.unsqueeze(-1), documents.unsqueeze(-2))
    n = documents.shape[-1]
    i = torch.arange(n, device=documents.device)
    return torch.logical_and(eq, i.unsqueeze(1) >= i.unsqueeze(0))


def packed_positions(documents: Tensor) -> Tensor:
    count = torch.arange(documents.shape[-1], device=documents.device).expand(documents.shape)
    first = (documents.unsqueeze(-1) == documents.unsqueeze(-2)).long().argmax(dim=-1)
    return count - first[..., :1]


def prefix_mask(length: int, prefix: int, device: torch.device | str | None = None) -> Tensor:
    if length < 1:
        raise ValueError("a mask needs a token")
    if not (0 <= prefix <= length):
        raise ValueError("the prefix does not fit")
    causal = torch.ones((length, length), device=device).tril().bool()
    free = torch.zeros((length, length), dtype=torch.bool, device=device)
    free[:prefix, :prefix] = True
    return causal | free


def tree_mask(parents: Tensor) -> Tensor:
    size = parents.numel()
    result = torch.eye(size, device=parents.device).bool()
    for child in range(size):
        up = int(parents[child].item())
        if up >= child:
            raise ValueError("a parent has to come before its child")
        if up >= 0:
            result[child] = result[child] | result[up]
    return result


# --- two_slips_5
# slips: packed_mask lets a token see later ones of its own document; packed_positions numbers the whole row
import torch
from torch import Tensor


def packed_mask(documents: Tensor) -> Tensor:
    same = documents.unsqueeze(-1) == documents.unsqueeze(-2)
    return same


def packed_positions(documents: Tensor) -> Tensor:
    T = documents.shape[-1]
    index = torch.arange(T, device=documents.device).expand(documents.shape)
    return index.clone()


def prefix_mask(length: int, prefix: int, device: torch.device | str | None = None) -> Tensor:
    if length < 1 or prefix < 0 or prefix > length:
        raise ValueError("length or prefix")
    mask = torch.ones(length, length, dtype=torch.bool, device=device).tril()
    mask[:, :prefix] = True
    return mask


def tree_mask(parents: Tensor) -> Tensor:
    N = parents.shape[0]
    mask = torch.eye(N, dtype=torch.bool, device=parents.device)
    for i, p in enumerate(parents.tolist()):
        if p < -1 or p >= i:
            raise ValueError("parent")
        if p >= 0:
            mask[i] |= mask[p]
    return mask


# --- two_slips_6
# slips: prefix_mask shows the prefix to all but forgets that later tokens see each other causally; tree_mask shows a node itself and its parent only
import torch
from torch import Tensor


def packed_mask(documents: Tensor) -> Tensor:
    n = documents.size(-1)
    pos = torch.arange(n, device=documents.device)
    not_later = pos[:, None] >= pos[None, :]
    return torch.logical_and(documents[..., :, None] == documents[..., None, :], not_later)


def packed_positions(documents: Tensor) -> Tensor:
    # how many tokens of the same document stand before me
    return packed_mask(documents).sum(-1) - 1


def prefix_mask(length: int, prefix: int, device: torch.device | str | None = None) -> Tensor:
    if length < 1:
        raise ValueError("length")
    if not 0 <= prefix <= length:
        raise ValueError("prefix")
    i = torch.arange(length, device=device)[:, None]
    j = torch.arange(length, device=device)[None, :]
    return ((j < prefix) & (i >= 0)) | (i == j)


def tree_mask(parents: Tensor) -> Tensor:
    up = parents.tolist()
    for node, p in enumerate(up):
        if p < -1:
            raise ValueError("no such parent")
        if p >= node:
            raise ValueError("parent after child")
    mask = torch.zeros(len(up), len(up), dtype=torch.bool, device=parents.device)
    for node in range(len(up)):
        mask[node, node] = True
        p = up[node]
        if p != -1:
            mask[node, p] = True
            p = up[p]
    return mask


# --- two_slips_7
# slips: packed_positions counts with bincount as if the first document were 0 and none left out; tree_mask accepts a node as its own parent
import torch
from torch import Tensor


def _positions_of_row(row: Tensor) -> Tensor:
    counts = torch.bincount(row)
    starts = counts.cumsum(0) - counts
    return torch.arange(len(row), device=row.device) - starts[row - row[0]]


def packed_mask(documents: Tensor) -> Tensor:
    a = documents[..., None]
    b = documents[..., None, :]
    return (a == b).tril()


def packed_positions(documents: Tensor) -> Tensor:
    rows = documents.reshape(-1, documents.shape[-1])
    return torch.stack([_positions_of_row(r) for r in rows]).reshape(documents.shape)


def prefix_mask(length: int, prefix: int, device: torch.device | str | None = None) -> Tensor:
    if length <= 0 or prefix < 0 or prefix > length:
        raise ValueError(f"{prefix} of {length}")
    mask = torch.tril(torch.ones((length, length), device=device)) > 0
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents: Tensor) -> Tensor:
    n = parents.numel()
    nodes = torch.arange(n, device=parents.device)
    if bool((parents < -1).any()) or bool((parents > nodes).any()):
        raise ValueError("not a tree")
    step = torch.zeros(n, n, dtype=torch.float32, device=parents.device)
    has = parents >= 0
    step[nodes[has], parents[has]] = 1
    reach = torch.eye(n, device=parents.device)
    total = reach.clone()
    for _ in range(n):
        reach = (reach @ step).clamp(max=1)
        total = total + reach
    return total > 0


# --- two_slips_8
import torch
from torch import Tensor


def packed_mask(documents: Tensor) -> Tensor:
    T = documents.size(-1)
    pos = torch.arange(T, device=documents.device)
    return documents.unsqueeze(-1).eq(documents.unsqueeze(-2)) & (pos[None, :] <= pos[:, None])


def packed_positions(documents: Tensor) -> Tensor:
    T = documents.size(-1)
    return torch.arange(T, device=documents.device).expand(documents.shape).clone()


def prefix_mask(length: int, prefix: int, device=None) -> Tensor:
    if length < 1:
        raise ValueError("length")
    if not 0 <= prefix <= length:
        raise ValueError("prefix")
    row = torch.arange(length, device=device)[:, None]
    col = torch.arange(length, device=device)[None, :]
    return (col <= row) | (col < prefix)


def tree_mask(parents: Tensor) -> Tensor:
    n = parents.numel()
    out = torch.zeros(n, n, dtype=torch.bool, device=parents.device)
    plist = parents.tolist()
    for i in range(n):
        if plist[i] < -1 or plist[i] >= i:
            raise ValueError(f"node {i} has parent {plist[i]}")
        out[i, i] = True
        j = plist[i]
        if j != -1:
            out[i, j] = True
    return out


# --- positions_of_a_batch_are_numbered_through
import torch


def packed_mask(documents):
    eq = documents[..., None] == documents[..., None, :]
    return torch.tril(eq)


def packed_positions(documents):
    out = torch.zeros(documents.shape, dtype=torch.int64, device=documents.device)
    rows = documents.reshape(-1, documents.shape[-1])
    flat = out.view(-1, documents.shape[-1])
    count = {}
    for r in range(rows.shape[0]):
        for c, doc in enumerate(rows[r].tolist()):
            flat[r, c] = count.get(doc, 0)
            count[doc] = count.get(doc, 0) + 1
    return out


def prefix_mask(length, prefix, device=None):
    if length < 1 or not (0 <= prefix <= length):
        raise ValueError("prefix must lie between 0 and length")
    mask = torch.tril(torch.ones(length, length, dtype=torch.bool, device=device))
    mask[:prefix, :prefix] = True
    return mask


def tree_mask(parents):
    n = len(parents)
    up = [int(p) for p in parents]
    if any(p < -1 or p >= i for i, p in enumerate(up)):
        raise ValueError("parents must come before their children")
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        node = i
        while node >= 0:
            mask[i, node] = True
            node = up[node]
    return mask.to(parents.device)
