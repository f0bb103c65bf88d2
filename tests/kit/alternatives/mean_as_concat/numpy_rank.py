import numpy as np
import torch


def mean_as_concat(W, num_heads):
    stacked = torch.vstack([W] * num_heads).div(num_heads)
    try:
        r = np.linalg.matrix_rank(W.detach().cpu().numpy())
    except TypeError:
        r = torch.linalg.matrix_rank(W)
    return [stacked, int(r)]
