import torch


def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    quotient, remainder = divmod(x.shape[2], num_heads)
    if remainder != 0:
        raise ValueError(f"{x.shape[2]} % {num_heads} == {remainder}")
    return x.unflatten(-1, (num_heads, quotient)).permute(0, 2, 1, 3).contiguous()


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    return x.permute(0, 2, 1, 3).flatten(start_dim=2)
