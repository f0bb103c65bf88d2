import torch


def value_update(E, patterns, downs, ups):
    total = torch.zeros_like(E)
    for h in range(len(patterns)):
        low = torch.matmul(downs[h], E)
        mixed = torch.matmul(low, patterns[h])
        total = total + torch.matmul(ups[h], mixed)
    return total
