import torch


class MaskedSoftmax(torch.nn.Module):
    def forward(self, scores, mask, dim=-1):
        wide = scores.double() + torch.zeros_like(scores, dtype=torch.float64)
        wide = wide.masked_fill(~mask, -1e300)
        alive = mask.expand_as(scores).any(dim, keepdim=True)
        p = wide.softmax(dim)
        return (p * alive).to(scores.dtype)


masked_softmax = MaskedSoftmax()
