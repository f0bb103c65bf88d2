import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    if padding_side not in {"right", "left"}:
        raise ValueError(f"unknown side: {padding_side}")
    mask = torch.ones(len(lengths), 1, seq_len, seq_len, dtype=torch.bool, device=lengths.device).tril()
    for example, n in zip(mask, lengths.tolist()):
        if padding_side == "right":
            example[:, :, n:] = False
        else:
            example[:, :, : seq_len - n] = False
    return mask
