import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Head by head, each with its own rows of the stored weights."""

    def __init__(self, d_model, num_heads, bias=True):
        if num_heads > d_model or d_model % num_heads:
            raise ValueError((d_model, num_heads))
        super().__init__()
        self.size = d_model // num_heads
        self.spans = [slice(i, i + self.size) for i in range(0, d_model, self.size)]
        make = lambda: nn.Linear(d_model, d_model, bias=bias)
        self.w_q, self.w_k, self.w_v, self.w_o = make(), make(), make(), make()

    def part(self, layer, x, span):
        out = x @ layer.weight[span].T
        return out if layer.bias is None else out + layer.bias[span]

    def forward(self, x, mask=None):
        weights, output = [], 0
        for i, span in enumerate(self.spans):
            q, k, v = (self.part(w, x, span) for w in (self.w_q, self.w_k, self.w_v))
            s = torch.einsum("bic,bjc->bij", q, k) * self.size**-0.5
            if mask is not None:
                m = mask if mask.dim() < 4 else mask[:, min(i, mask.shape[1] - 1)]
                s = s.masked_fill(~m, torch.finfo(s.dtype).min)
            w = torch.exp(s - s.amax(-1, keepdim=True))
            w = w / w.sum(-1, keepdim=True)
            weights.append(w)
            output = output + w @ v @ self.w_o.weight[:, span].T
        if self.w_o.bias is not None:
            output = output + self.w_o.bias
        return output, torch.stack(weights, 1)
