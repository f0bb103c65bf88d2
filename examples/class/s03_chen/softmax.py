import torch

# softmax(x)_i = e^x_i / sum_j e^x_j
def softmax(x, dim=-1):
    e = torch.exp(x)
    return e / e.sum(dim=dim, keepdim=True)
