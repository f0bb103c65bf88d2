"""Nothing is repeated: query heads have an axis of groups. Scores and softmax in float32."""

import torch


class Rope:
    tables = {}

    @classmethod
    def rows(cls, start, stop, dim, theta, device):
        key = (stop, dim, theta, str(device))
        if key not in cls.tables:
            i = torch.arange(0, dim, 2, device=device).float()
            angle = torch.arange(stop, device=device).float()[:, None] * theta ** (-i / dim)
            cls.tables[key] = torch.cat([angle, angle], 1).cos(), torch.cat([angle, angle], 1).sin()
        return [t[start:stop] for t in cls.tables[key]]


def turn(x, cos, sin):
    a, b = x.tensor_split(2, -1)
    return (x.float() * cos + torch.cat([-b, a], -1).float() * sin).to(x.dtype)


def minimind_attention(x, W, num_heads, num_kv_heads, theta=1e6, cache=None):
    if num_heads % num_kv_heads:
        raise ValueError("uneven groups")
    B, T, C = x.shape
    Dh = C // num_heads
    past = cache[0].shape[2] if cache else 0
    cos, sin = Rope.rows(past, past + T, Dh, theta, x.device)
    q = torch.einsum("btc,cghd->bghtd", x, W[0].reshape(C, num_kv_heads, -1, Dh))
    k = torch.einsum("btc,cgd->bgtd", x, W[1].reshape(C, num_kv_heads, Dh))
    v = torch.einsum("btc,cgd->bgtd", x, W[2].reshape(C, num_kv_heads, Dh))
    q, k = turn(q, cos, sin), turn(k, cos, sin)
    if cache:
        k, v = torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)
    scores = torch.einsum("bghid,bgjd->bghij", q.float(), k.float()) * Dh**-0.5
    i = torch.arange(T, device=x.device).unsqueeze(1) + past
    scores = scores.masked_fill(torch.arange(past + T, device=x.device) > i, torch.finfo(scores.dtype).min)
    heads = torch.einsum("bghij,bgjd->bghid", scores.softmax(-1).to(x.dtype), v)
    return torch.einsum("bghid,ghdc->bic", heads, W[3].reshape(num_kv_heads, -1, Dh, C)), (k, v)
