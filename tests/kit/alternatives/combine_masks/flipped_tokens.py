import torch


def combine_masks(seq_len, lengths, padding_side="right"):
    match padding_side:
        case "right" | "left":
            pass
        case _:
            raise ValueError
    token = torch.arange(seq_len).to(lengths.device).lt(lengths.unsqueeze(-1))
    if padding_side == "left":
        token = token.flip(-1)
    causal = torch.ones(seq_len, seq_len, device=lengths.device).tril().bool()
    return torch.logical_and(causal, token[:, None, None, :])
