from collections import namedtuple

import torch

Views = namedtuple("Views", "q k v")


def qkv_projection(x, w_q, w_k, w_v):
    project = lambda w: torch.einsum("...td,dk->...tk", x, w)
    return Views(project(w_q), project(w_k), project(w_v))
