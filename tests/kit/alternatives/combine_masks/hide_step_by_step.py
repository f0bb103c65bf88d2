import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in {"right", "left"}:
        raise ValueError(f"unknown side {padding_side}")
    B = lengths.shape[0]
    mask = torch.ones(B, 1, seq_len, seq_len, dtype=torch.bool, device=lengths.device)
    mask = torch.tril(mask)
    for b in range(B):
        n = int(lengths[b])
        if padding_side == "right":
            mask[b, :, :, n:] = False
        else:
            mask[b, :, :, : seq_len - n] = False
    return mask
