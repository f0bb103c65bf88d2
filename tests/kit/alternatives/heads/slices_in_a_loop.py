# Each head is cut out by hand.
import torch


def split_heads(x, num_heads):
    D = x.shape[2]
    dh = D // num_heads
    if dh * num_heads != D:
        raise ValueError("D has to be a multiple of num_heads")
    heads = []
    for h in range(num_heads):
        piece = x[:, :, h * dh : (h + 1) * dh]  # B, T, dh
        heads.append(piece.unsqueeze(1))  # B, 1, T, dh
    return torch.cat(heads, dim=1)


def merge_heads(x):
    pieces = []
    for h in range(x.shape[1]):
        pieces.append(x[:, h, :, :])
    return torch.cat(pieces, dim=2)
