"""Gradient descent for the small models that questions and lessons measure.

What the training of a model comes to is kept in `trained/`, since it takes a second; a test trains anew and compares.
"""

from pathlib import Path

import numpy as np
import torch

KEPT = Path(__file__).with_name("trained")
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


@torch.no_grad()
def restored(name, parameters):
    """Give the parameters the numbers that are kept under this name; whether there are any."""
    path = KEPT / f"{name}.npy"
    if not path.is_file():
        return False
    numbers = torch.from_numpy(np.load(path))
    for parameter, part in zip(parameters, numbers.split([p.numel() for p in parameters]), strict=True):
        parameter.copy_(part.view_as(parameter))
    return True


def keep(name, parameters):
    """Write the numbers of trained parameters, in float32."""
    KEPT.mkdir(exist_ok=True)
    np.save(KEPT / f"{name}.npy", torch.cat([p.detach().flatten() for p in parameters]).float().numpy())
