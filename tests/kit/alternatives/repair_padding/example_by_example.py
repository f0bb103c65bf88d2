import torch


def padded_attention(q, k, v, mask):
    if not 2 <= mask.dim() <= 3:
        raise ValueError("2 or 3 dimensions")
    out = []
    for i in range(q.shape[0]):
        s = torch.matmul(q[i], k[i].transpose(1, 2)) * q.shape[-1] ** -0.5
        out.append(torch.where(mask[i], s, torch.tensor(float("-inf"), dtype=s.dtype, device=s.device)).softmax(2) @ v[i])
    return torch.stack(out)
