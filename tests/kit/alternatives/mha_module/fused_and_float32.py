import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    w_q: nn.Linear

    def __init__(self, d_model: int, num_heads: int, bias: bool = True) -> None:
        super().__init__()
        Dh, rest = divmod(d_model, num_heads)
        if rest:
            raise ValueError("heads do not divide the model")
        self.H, self.scale = num_heads, Dh**-0.5
        for name in ("w_q", "w_k", "w_v", "w_o"):
            self.register_module(name, nn.Linear(d_model, d_model, bias=bias))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        weight = torch.cat((self.w_q.weight, self.w_k.weight, self.w_v.weight))
        bias = None if self.w_q.bias is None else torch.cat((self.w_q.bias, self.w_k.bias, self.w_v.bias))
        qkv = nn.functional.linear(x, weight, bias).unflatten(-1, (3, self.H, -1))
        q, k, v = qkv.permute(2, 0, 3, 1, 4).float()
        scores = self.scale * q @ k.mT
        if mask is not None:
            mask = mask.unsqueeze(-3) if mask.dim() < 4 else mask
            scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, -1)
        return self.w_o((weights @ v).movedim(1, 2).flatten(-2).to(x.dtype)), weights.to(x.dtype)
