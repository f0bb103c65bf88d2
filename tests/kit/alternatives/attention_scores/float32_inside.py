import torch


def attention_scores(q, k):
    return torch.matmul(q.float(), k.float().mT).type_as(q)
