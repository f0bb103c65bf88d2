import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side == "right":
        keys = torch.arange(seq_len, device=lengths.device).unsqueeze(0) < lengths.unsqueeze(1)
    elif padding_side == "left":
        keys = torch.arange(seq_len - 1, -1, -1, device=lengths.device).unsqueeze(0) < lengths.unsqueeze(1)
    else:
        raise ValueError(padding_side)
    causal = torch.ones(seq_len, seq_len, dtype=torch.bool, device=lengths.device).tril()
    return torch.logical_and(causal, keys[:, None, None, :])
