import torch


def combine_masks(seq_len: int, lengths: torch.Tensor, padding_side: str = "right") -> torch.Tensor:
    sides = {"right": 1, "left": -1}
    if padding_side not in sides:
        raise ValueError("padding_side must be 'right' or 'left'")
    p = torch.arange(seq_len, device=lengths.device)
    if sides[padding_side] < 0:
        p = seq_len - 1 - p
    token = p.expand(lengths.numel(), seq_len) < lengths.reshape(-1, 1)
    i, j = torch.meshgrid(torch.arange(seq_len), torch.arange(seq_len), indexing="ij")
    return token.view(-1, 1, 1, seq_len).expand(-1, 1, seq_len, -1) & (j <= i).to(lengths.device)
