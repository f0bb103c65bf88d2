"""Wrong files for qkv_projection, each a whole submission as somebody might hand it in."""


# --- weights_transposed
def qkv_projection(x, w_q, w_k, w_v):
    return x @ w_q.T, x @ w_k.T, x @ w_v.T


# --- linear_with_weights
import torch.nn.functional as F


def qkv_projection(x, w_q, w_k, w_v):
    return F.linear(x, w_q), F.linear(x, w_k), F.linear(x, w_v)


# --- transposed_where_square
def qkv_projection(x, w_q, w_k, w_v):
    def project(w):
        return x @ (w.T if w.shape[0] == w.shape[1] else w)

    return project(w_q), project(w_k), project(w_v)


# --- keys_and_values_swapped
def qkv_projection(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_v, x @ w_k


# --- keys_first
def qkv_projection(x, w_q, w_k, w_v):
    return x @ w_k, x @ w_q, x @ w_v


# --- one_matrix
def qkv_projection(x, w_q, w_k, w_v):
    q = x @ w_q
    return q, q, q


# --- keys_with_w_q
def qkv_projection(x, w_q, w_k, w_v):
    Q = x @ w_q
    K = x @ w_q
    V = x @ w_v
    return Q, K, V


# --- values_not_projected
def qkv_projection(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k, x


# --- values_from_keys
def qkv_projection(x, w_q, w_k, w_v):
    q = x @ w_q
    k = x @ w_k
    v = k @ w_v
    return q, k, v


# --- fused_and_thirds
import torch


def qkv_projection(x, w_q, w_k, w_v):
    qkv = x @ torch.cat([w_q, w_k, w_v], dim=1)
    return tuple(qkv.chunk(3, dim=-1))


# --- fused_split_by_d
import torch


def qkv_projection(x, w_q, w_k, w_v):
    qkv = x @ torch.cat([w_q, w_k, w_v], dim=-1)
    d = x.shape[-1]
    return qkv[..., :d], qkv[..., d : 2 * d], qkv[..., 2 * d :]


# --- stacked
import torch


def qkv_projection(x, w_q, w_k, w_v):
    return torch.stack([x @ w_q, x @ w_k, x @ w_v])


# --- a_list_of_one_tensor
import torch


def qkv_projection(x, w_q, w_k, w_v):
    return torch.cat([x @ w_q, x @ w_k, x @ w_v], dim=-1)


# --- a_dict
def qkv_projection(x, w_q, w_k, w_v):
    return {"q": x @ w_q, "k": x @ w_k, "v": x @ w_v}


# --- matrices_only
import torch


def qkv_projection(x, w_q, w_k, w_v):
    return torch.mm(x, w_q), torch.mm(x, w_k), torch.mm(x, w_v)


# --- batches_only
import torch


def qkv_projection(x, w_q, w_k, w_v):
    B = x.shape[0]
    return tuple(torch.bmm(x, w.expand(B, -1, -1)) for w in (w_q, w_k, w_v))


# --- einsum_btd
import torch


def qkv_projection(x, w_q, w_k, w_v):
    return tuple(torch.einsum("btd,de->bte", x, w) for w in (w_q, w_k, w_v))


# --- unpacked_shape
def qkv_projection(x, w_q, w_k, w_v):
    B, T, D = x.shape
    flat = x.reshape(B * T, D)
    return tuple((flat @ w).reshape(B, T, w.shape[1]) for w in (w_q, w_k, w_v))


# --- viewed
def qkv_projection(x, w_q, w_k, w_v):
    flat = x.view(-1, x.shape[-1])
    return tuple((flat @ w).view(*x.shape[:-1], w.shape[1]) for w in (w_q, w_k, w_v))


# --- flattened_and_left
def qkv_projection(x, w_q, w_k, w_v):
    flat = x.reshape(-1, x.shape[-1])
    return flat @ w_q, flat @ w_k, flat @ w_v


# --- reshaped_to_x
def qkv_projection(x, w_q, w_k, w_v):
    return tuple((x @ w).reshape(x.shape) for w in (w_q, w_k, w_v))


# --- squeezed
def qkv_projection(x, w_q, w_k, w_v):
    return tuple((x.unsqueeze(-2) @ w).squeeze() for w in (w_q, w_k, w_v))


# --- fresh_linear_layers
import torch
from torch import nn


def qkv_projection(x, w_q, w_k, w_v):
    out = []
    for w in (w_q, w_k, w_v):
        layer = nn.Linear(w.shape[0], w.shape[1], bias=False)
        layer.weight.data = w.T
        out.append(layer(x))
    return tuple(out)


# --- linear_layers_with_bias
import torch
from torch import nn


def qkv_projection(x, w_q, w_k, w_v):
    torch.manual_seed(0)
    out = []
    for w in (w_q, w_k, w_v):
        layer = nn.Linear(w.shape[0], w.shape[1]).to(x)
        with torch.no_grad():
            layer.weight.copy_(w.T)
        out.append(layer(x))
    return tuple(out)


# --- float32
def qkv_projection(x, w_q, w_k, w_v):
    x = x.float()
    return x @ w_q.float(), x @ w_k.float(), x @ w_v.float()


# --- detached_matrices
def qkv_projection(x, w_q, w_k, w_v):
    return x @ w_q.detach(), x @ w_k.detach(), x @ w_v.detach()


# --- no_gradient
import torch


def qkv_projection(x, w_q, w_k, w_v):
    with torch.no_grad():
        return x @ w_q, x @ w_k, x @ w_v


# --- values_without_gradient
def qkv_projection(x, w_q, w_k, w_v):
    return x @ w_q, x @ w_k, (x @ w_v).data


# --- queries_scaled
def qkv_projection(x, w_q, w_k, w_v):
    return x @ w_q / w_q.shape[1] ** 0.5, x @ w_k, x @ w_v


# --- out_on_cpu
import torch


def qkv_projection(x, w_q, w_k, w_v):
    results = []
    for w in (w_q, w_k, w_v):
        out = torch.empty(*x.shape[:-1], w.shape[1], dtype=x.dtype)
        for t in range(x.shape[-2]):
            out[..., t, :] = x[..., t, :] @ w
        results.append(out)
    return tuple(results)


# --- weights_turned_in_place
def qkv_projection(x, w_q, w_k, w_v):
    for w in (w_q, w_k, w_v):
        w.t_()
    return tuple(x @ w.T for w in (w_q, w_k, w_v))


# --- normalised_in_place
def qkv_projection(x, w_q, w_k, w_v):
    x -= x.mean(-1, keepdim=True)
    return x @ w_q, x @ w_k, x @ w_v


# --- columns
def qkv_projection(x, w_q, w_k, w_v):
    return tuple((w.T @ x.transpose(-2, -1)) for w in (w_q, w_k, w_v))


# --- same_width
def qkv_projection(x, w_q, w_k, w_v):
    d = min(w_q.shape[1], w_k.shape[1], w_v.shape[1])
    return tuple((x @ w)[..., :d] for w in (w_q, w_k, w_v))


# --- renamed
def qkv_projection(x, Wq, Wk, Wv):
    return x @ Wq, x @ Wk, x @ Wv


# --- weights_remembered
weights = {}


def qkv_projection(x, w_q, w_k, w_v):
    weights.setdefault("all", (w_q, w_k, w_v))
    return tuple(x @ w for w in weights["all"])


# --- generator
def qkv_projection(x, w_q, w_k, w_v):
    return (x @ w for w in (w_q, w_k, w_v))


# --- heads_split_too
def qkv_projection(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return tuple(t.unflatten(-1, (2, -1)) if t.shape[-1] % 2 == 0 else t for t in (q, k, v))


# --- chained
def qkv_projection(x, w_q, w_k, w_v):
    q = x @ w_q
    k = q @ w_k
    v = k @ w_v
    return q, k, v


# --- overwrite
def qkv_projection(x, w_q, w_k, w_v):
    q = x = x @ w_q
    k = x = x @ w_k
    return q, k, x @ w_v


# --- linear_layer
import torch


def qkv_projection(x, w_q, w_k, w_v):
    mk = lambda w: torch.nn.Linear(w.shape[0], w.shape[1], bias=False)(x)
    return mk(w_q), mk(w_k), mk(w_v)


# --- linear_bias
import torch


def qkv_projection(x, w_q, w_k, w_v):
    def mk(w):
        return x @ w + torch.randn(w.shape[1], dtype=x.dtype) * 0.02
    return mk(w_q), mk(w_k), mk(w_v)


# --- attention_out
import torch


def qkv_projection(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return torch.softmax(q @ k.mT / q.shape[-1] ** .5, -1) @ v


# --- positional_k
def qkv_projection(x, w_q, w_k, w_v):
    f = lambda w: x @ w + (x if w.shape[0] == w.shape[1] else 0)
    return f(w_q), f(w_k), f(w_v)


# --- relu
import torch


def qkv_projection(x, w_q, w_k, w_v):
    return torch.relu(x @ w_q), torch.relu(x @ w_k), torch.relu(x @ w_v)


# --- einsum_sum
import torch


def qkv_projection(x, w_q, w_k, w_v):
    f = lambda w: torch.einsum('...td,de->...e', x, w).unsqueeze(-2).expand(*x.shape[:-1], w.shape[1])
    return f(w_q), f(w_k), f(w_v)


# --- two_slips_1
from torch import Tensor


def qkv_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    q = x @ w_q.T
    k = x @ w_k
    v = x @ w_v
    return q, v, k


# --- two_slips_2
import math
from torch import Tensor


def view_of(tokens: Tensor, matrix: Tensor) -> Tensor:
    return tokens.matmul(matrix)


def qkv_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    queries = view_of(x, w_q) / math.sqrt(w_q.shape[-1])
    keys = view_of(x, w_k)
    values = view_of(x, w_k)
    return queries, keys, values


# --- two_slips_3
import torch
from torch import Tensor


def qkv_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    q = torch.einsum("...td,dh->...th", x, w_q).detach()
    k = torch.einsum("...td,dh->...th", x, w_k)
    v = torch.einsum("...td,hd->...th", x, w_v)
    return q, k, v


# --- two_slips_4
import torch
from torch import Tensor


def qkv_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    x = x.to(torch.float32)
    out = []
    for w in (w_q, w_q, w_v):
        out.append(x @ w.to(x.dtype))
    query, key, value = out
    return query, key, value


# --- weights_as_in_nn_linear
# slip: the matrices are used as nn.Linear stores them, x W^T
import torch.nn.functional as F
from torch import Tensor


def qkv_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return F.linear(x, w_q), F.linear(x, w_k), F.linear(x, w_v)


# --- one_product_cut_in_three_equal_parts
# slip: one product with the matrices side by side is cut in three equal parts, though the three may have different widths
import torch
from torch import Tensor


def qkv_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    w = torch.cat([w_q, w_k, w_v], dim=1)  # one big matmul is faster
    qkv = x @ w
    q, k, v = qkv.chunk(3, dim=-1)
    return q, k, v


# --- projections_cached_by_the_shape_of_x_a_later
import torch

_seen = {}


def qkv_projection(x, w_q, w_k, w_v):
    def project(name, w):
        key = (name, tuple(x.shape), tuple(w.shape))
        if key not in _seen:
            _seen[key] = torch.einsum("...d,de->...e", x, w)
        return _seen[key]

    return project("q", w_q), project("k", w_k), project("v", w_v)
