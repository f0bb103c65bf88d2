"""One rotation matrix a position, in the dtype of the inputs."""

import torch
from torch import nn


def rope_cos_sin(head_dim, max_len, theta=10000.0, device=None):
    half, odd = divmod(head_dim, 2)
    if odd:
        raise ValueError("channels come in pairs")
    i = torch.arange(half, dtype=torch.float64, device=device)
    p = torch.arange(max_len, dtype=torch.float64, device=device)
    angle = (p[:, None] * torch.exp(-2.0 * i / head_dim * torch.log(torch.tensor(theta, dtype=torch.float64)))).tile(2)
    return torch.cos(angle).float(), torch.sin(angle).float()


def rotate_half(x):
    d = x.shape[-1]
    eye = torch.eye(d, dtype=x.dtype, device=x.device)
    quarter = torch.cat([eye[d // 2 :], -eye[: d // 2]])
    return x @ quarter


class Rotary(nn.Module):
    def forward(self, q, k, cos, sin):
        d = q.shape[-1]
        eye = torch.eye(d, dtype=q.dtype, device=q.device)
        turns = (
            torch.diag_embed(cos.to(q.dtype)) + torch.cat([eye[d // 2 :], -eye[: d // 2]]) * sin.to(q.dtype)[:, None]
        )
        return torch.einsum("bhtc,tcd->bhtd", q, turns), torch.einsum("bhtc,tcd->bhtd", k, turns)


apply_rotary_pos_emb = Rotary()
