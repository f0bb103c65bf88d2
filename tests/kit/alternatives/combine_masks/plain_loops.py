import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side != "left" and padding_side != "right":
        raise ValueError("left or right, please")
    rows = []
    for n in lengths.tolist():
        first, last = (0, n) if padding_side == "right" else (seq_len - n, seq_len)
        rows.append([[[first <= j < last and j <= i for j in range(seq_len)] for i in range(seq_len)]])
    return torch.tensor(rows, dtype=torch.bool, device=lengths.device)
