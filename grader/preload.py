"""What torch does on first use, done once in the warm parent: a confined worker could not, or not in time."""

from __future__ import annotations

import os
import tempfile

import torch


def preload() -> None:
    """Let torch read /proc/cpuinfo (without it float16, convolutions and others fail) and import what it imports late.

    Call it after `import torch`, before forking; takes about a second and 70 MB, nearly all of it torch._dynamo,
    which `FakeTensorMode`, `torch.func` and checkpointing import. There is no backward pass in here: on a machine
    with a GPU it starts threads, and autograd then refuses to work in a fork.
    """
    # torch._dynamo makes its cache folder when imported, under a name derived from the user; this one exists.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.gettempdir()
    from torch._subclasses.fake_tensor import FakeTensorMode

    torch.set_num_threads(1)
    with torch.no_grad():
        for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
            x = torch.ones(1, 1, 4, 4, dtype=dtype)
            torch.nn.functional.scaled_dot_product_attention(x, x, x)
            torch.nn.functional.conv2d(x, x)
            torch.softmax(x @ x, -1)
    with FakeTensorMode() as mode:
        fake = mode.from_tensor(torch.empty(2, 2, device="meta"))
        torch.softmax(fake @ fake, -1)
