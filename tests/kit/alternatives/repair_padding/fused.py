import torch.nn.functional as F


def padded_attention(q, k, v, mask):
    if mask.ndim == 2:
        mask = mask[:, None, None, :].expand(-1, 1, q.shape[2], -1)
    elif mask.ndim == 3:
        mask = mask.unsqueeze(1)
    else:
        raise ValueError(f"mask of {mask.ndim} dimensions")
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
