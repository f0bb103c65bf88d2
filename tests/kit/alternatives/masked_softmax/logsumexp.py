import torch


def masked_softmax(scores, mask, dim=-1):
    filled = scores.masked_fill(~mask, -torch.inf)
    log_total = torch.logsumexp(filled, dim, keepdim=True)
    log_total = log_total.masked_fill(log_total == -torch.inf, 0)
    return torch.exp(filled - log_total).masked_fill(~mask, 0)
