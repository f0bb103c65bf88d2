import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, bias: bool = True):
        super(MultiHeadAttention, self).__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.d_model = d_model
        self.h = num_heads
        self.d_k = d_model // num_heads
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d_model, d_model, bias) for _ in range(4))

    def heads(self, t):
        return t.view(t.size(0), -1, self.h, self.d_k).permute(0, 2, 1, 3).contiguous()

    def forward(self, x, mask=None):
        q, k, v = map(self.heads, (self.w_q(x), self.w_k(x), self.w_v(x)))
        scores = torch.matmul(q, k.transpose(2, 3)) / self.d_k**0.5
        if mask is not None:
            while mask.dim() < 3:
                mask = mask.unsqueeze(0)
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
            scores = torch.where(mask, scores, torch.tensor(float("-inf"), dtype=scores.dtype, device=scores.device))
        attn = F.softmax(scores, dim=-1)
        out = torch.matmul(attn, v).permute(0, 2, 1, 3).contiguous().view(x.size(0), -1, self.d_model)
        return self.w_o(out), attn
