import torch


def rnn_gradient(x, w_x, w_h):
    h = torch.zeros_like(w_h[0])
    states = []
    for step in x:
        h = torch.tanh(step @ w_x + h @ w_h)
        states.append(h)
    g = torch.ones_like(h)
    for t in reversed(range(len(states))):
        g = g * (1 - states[t] ** 2)
        if t > 0:
            g = w_h @ g
    return w_x @ g


def attention_gradient(x, w_q, w_k, w_v):
    q, k, v = x[-1] @ w_q, x @ w_k, x @ w_v
    root = w_q.shape[1] ** 0.5
    a = torch.softmax(k @ q / root, 0)
    s = v.sum(-1)
    d_scores = a * (s - a @ s)
    g = a[0] * w_v.sum(-1) + d_scores[0] * (w_k @ q) / root
    if x.shape[0] == 1:
        g = g + w_q @ (d_scores @ k) / root
    return g
