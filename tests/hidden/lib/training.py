"""Gradient descent for the small models that questions and lessons measure."""

import torch

DOUBLE = (
    torch.float64
)  # in float32 rounding, which differs between machines, grows in hundreds of steps to other models


def matrix(random, rows, columns, scale=None):
    """A matrix to be trained; its entries are normal, and so small that vectors keep their size."""
    scale = rows**-0.5 if scale is None else scale
    return (scale * torch.randn(rows, columns, generator=random, dtype=DOUBLE)).requires_grad_()


@torch.enable_grad()
def descend(parameters, loss, steps, rate):
    """Adam, on one thread: the matrices are too small to be shared out."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        optimizer = torch.optim.Adam(parameters, lr=rate, betas=(0.9, 0.95), fused=True)
        for _ in range(steps):
            optimizer.zero_grad()
            loss().backward()
            optimizer.step()
    finally:
        torch.set_num_threads(threads)
