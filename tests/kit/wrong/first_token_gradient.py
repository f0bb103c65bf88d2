"""Wrong files for first_token_gradient, each a whole submission as somebody might hand it in."""


# --- last_input
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[-1]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[-1]


# --- last_input_of_attention
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[-1]


# --- whole_gradient
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- whole_gradients
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad


# --- norm_returned
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0].norm()


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0].norm()


# --- sum_over_all_inputs
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad.sum(0)


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad.sum(0)


# --- absolute
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0].abs()


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0].abs()


# --- mean_of_the_state
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.mean(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.mean(), x)
    return grad[0]


# --- squared_sum
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad((h ** 2).sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad((out ** 2).sum(), x)
    return grad[0]


# --- all_states
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
        total = h.sum() if t == 0 else total + h.sum()
    (grad,) = torch.autograd.grad(total, x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- all_positions
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- causal_and_all_positions
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q @ k.T / math.sqrt(k.shape[-1])
    mask = torch.ones_like(scores).tril()
    scores = scores.masked_fill(mask == 0, float('-inf'))
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- first_position
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[0] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- first_state_only
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(1):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- one_step_short
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0] - 1):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- one_step_more
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    h = torch.tanh(h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- state_starts_at_one
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.ones(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- no_tanh
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = x[t] @ w_x + h @ w_h
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- sigmoid
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.sigmoid(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- relu
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.relu(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- weights_transposed
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + w_h @ h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- input_weights_transposed
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(w_x @ x[t] + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- tanh_inside_only
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x) + h @ w_h
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- hidden_detached
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h.detach() @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- no_scale
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- scale_of_d
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(x.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- scale_of_dv
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(v.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- scale_of_t
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(x.shape[0])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- scale_without_root
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / k.shape[-1]
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- keys_as_values
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_k
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- weights_detached
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights.detach() @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- values_only_formula
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    return (weights[0] * w_v.sum(-1)).detach()


# --- values_detached
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v.detach()
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- keys_only
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x.detach() @ w_q
    k = x @ w_k
    v = x.detach() @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- softmax_over_wrong
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.sigmoid(scores)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- no_softmax
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = scores
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- hand_rnn_without_derivative
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    g = torch.ones_like(h)
    for t in range(x.shape[0]):
        g = w_h @ g if t < x.shape[0] - 1 else g
    return (w_x @ g).detach()


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- hand_rnn_one_derivative
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    g = 1 - h.detach() ** 2
    for t in range(x.shape[0] - 1):
        g = w_h @ g
    return w_x @ g


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- gradient_of_the_parameter
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad.T[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- float32
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.detach().float().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x.float() + h @ w_h.float())
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.detach().float().requires_grad_(True)
    q = x @ w_q.float()
    k = x @ w_k.float()
    v = x @ w_v.float()
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- zeros_float32
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0])
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- squeezed
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0].squeeze()


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0].squeeze()


# --- finite_differences
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    out = []
    for i in range(x.shape[1]):
        y = x.detach().clone()
        y[0, i] += 1e-3
        g = torch.zeros_like(w_h[0])
        for t in range(x.shape[0]):
            g = torch.tanh(y[t] @ w_x + g @ w_h)
        out.append((g.sum() - h.sum()) / 1e-3)
    return torch.stack(out).detach()


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- hidden_size_from_x
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(x.shape[1], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- positional_softmax_over_time_of_k
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.clone().detach().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), x)
    return grad[0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = k[-1] @ q.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- mean
import math
import torch
def rnn_gradient(x, w_x, w_h):
    x = x.detach().clone().requires_grad_()
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    return torch.autograd.grad(h.mean(), x)[0][0]
def attention_gradient(x, w_q, w_k, w_v):
    x = x.detach().clone().requires_grad_()
    q, k, v = x[-1] @ w_q, x @ w_k, x @ w_v
    w = (k @ q / math.sqrt(q.shape[-1])).softmax(-1)
    return torch.autograd.grad((w @ v).sum(), x)[0][0]


# --- first_state_without_tanh
import math

import torch


def rnn_gradient(x, w_x, w_h):
    x = x.detach().clone().requires_grad_()
    h = x[0] @ w_x
    for t in range(1, len(x)):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    return torch.autograd.grad(h.sum(), x)[0][0]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.clone().detach().requires_grad_(True)
    q = x @ w_q
    k = x @ w_k
    v = x @ w_v
    scores = q[-1] @ k.T / math.sqrt(k.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), x)
    return grad[0]


# --- two_slips_1
# slips: the recurrent weights are used transposed; the attention scores are not scaled by sqrt(d_k)
import torch
from torch import Tensor


def rnn_gradient(x: Tensor, w_x: Tensor, w_h: Tensor) -> Tensor:
    leaf = x.detach().clone().requires_grad_()
    state = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for x_t in leaf:
        state = torch.tanh(x_t @ w_x + w_h @ state)
    (grad,) = torch.autograd.grad(state.sum(), leaf)
    return grad[0]


def attention_gradient(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    leaf = x.detach().clone().requires_grad_()
    query = leaf[-1] @ w_q
    keys = leaf @ w_k
    values = leaf @ w_v
    weights = torch.softmax(keys @ query, dim=0)
    (grad,) = torch.autograd.grad((weights @ values).sum(), leaf)
    return grad[0]


# --- two_slips_2
# slips: the recurrent gradient is that of the sum of all states, not of the last one; softmax runs over the queries (dim 0)
import math

import torch
from torch import Tensor


def _first_grad(y, x):
    return torch.autograd.grad(y, x)[0][0]


def rnn_gradient(x: Tensor, w_x: Tensor, w_h: Tensor) -> Tensor:
    with torch.enable_grad():
        inp = x.detach().clone()
        inp.requires_grad_(True)
        h = inp.new_zeros(w_h.shape[1])
        hs = []
        for t in range(inp.shape[0]):
            h = (inp[t] @ w_x + h @ w_h).tanh()
            hs.append(h)
        return _first_grad(torch.stack(hs).sum(), inp)


def attention_gradient(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    with torch.enable_grad():
        inp = x.detach().clone()
        inp.requires_grad_(True)
        q, k, v = inp @ w_q, inp @ w_k, inp @ w_v
        att = (q @ k.T / math.sqrt(k.shape[1])).softmax(0)
        out = att @ v
        return _first_grad(out[-1].sum(), inp)


# --- all_positions_summed
# slip: the outputs of all positions are summed, not only that of the last one
import torch
from torch import Tensor


def rnn_gradient(x: Tensor, w_x: Tensor, w_h: Tensor) -> Tensor:
    inp = x.detach().clone().requires_grad_()
    h = torch.zeros(w_h.shape[0], dtype=x.dtype)
    for t in range(inp.shape[0]):
        h = torch.tanh(inp[t] @ w_x + h @ w_h)
    (grad,) = torch.autograd.grad(h.sum(), inp)
    return grad[0]


def attention_gradient(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    inp = x.detach().clone().requires_grad_()
    q, k, v = inp @ w_q, inp @ w_k, inp @ w_v
    weights = torch.softmax(q @ k.T / k.shape[1] ** 0.5, dim=-1)
    out = weights @ v
    (grad,) = torch.autograd.grad(out.sum(), inp)
    return grad[0]


# --- two_slips_3
import torch


def rnn_gradient(x, w_x, w_h):
    x = x.detach().clone().requires_grad_(True)
    h = torch.zeros(w_h.shape[0], dtype=x.dtype, device=x.device)
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ w_x + h @ w_h)
    (g,) = torch.autograd.grad(h.sum(), x)
    return g[-1]


def attention_gradient(x, w_q, w_k, w_v):
    x = x.detach().clone().requires_grad_(True)
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q[-1] @ k.T
    out = torch.softmax(scores, dim=-1) @ v
    (g,) = torch.autograd.grad(out.sum(), x)
    return g[0]


# --- x_itself_gets_requires_grad_and_backward
import torch


def rnn_gradient(x, w_x, w_h):
    x.requires_grad_()
    x.grad = None
    h = torch.zeros(w_h.size(0), dtype=x.dtype, device=x.device)
    for step in range(len(x)):
        h = (x[step] @ w_x + h @ w_h).tanh()
    h.sum().backward()
    return x.grad[0].clone()


def attention_gradient(x, w_q, w_k, w_v):
    x.requires_grad_()
    x.grad = None
    query = x[-1] @ w_q
    keys = x @ w_k
    values = x @ w_v
    p = (keys @ query / keys.shape[-1] ** 0.5).softmax(0)
    (p @ values).sum().backward()
    return x.grad[0].clone()
