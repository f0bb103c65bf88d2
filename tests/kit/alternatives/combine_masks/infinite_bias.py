import functools

import torch


@functools.lru_cache(maxsize=4)
def triangle(n):
    return torch.triu(torch.full((n, n), float("-inf")), diagonal=1)


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side == "right":
        padded = torch.arange(seq_len)[None] >= lengths.cpu()[:, None]
    elif padding_side == "left":
        padded = torch.arange(seq_len)[None] < (seq_len - lengths.cpu())[:, None]
    else:
        raise ValueError(f"padding_side={padding_side}")
    bias = triangle(seq_len)[None, None].masked_fill(padded[:, None, None], float("-inf"))
    return (bias == 0).to(lengths.device)
