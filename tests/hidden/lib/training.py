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
def descend(parameters, loss, steps, rate, forget=(0.1, 0.05)):
    """Adam on one thread: the matrices are too small to share out. (That of torch.optim loads torch's compiler.)"""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    means, squares = ([torch.zeros_like(p) for p in parameters] for _ in range(2))
    try:
        for step in range(1, steps + 1):
            known = [1 - (1 - share) ** step for share in forget]  # of the means: they began at 0
            for p, g, m, s in zip(parameters, torch.autograd.grad(loss(), parameters), means, squares, strict=True):
                m.lerp_(g, forget[0])
                s.lerp_(g.square(), forget[1])
                p.detach().addcdiv_(m / known[0], (s / known[1]).sqrt() + 1e-8, value=-rate)
    finally:
        torch.set_num_threads(threads)
