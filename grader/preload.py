"""What torch does on first use and a confined worker could not, done once in the warm parent."""

from __future__ import annotations

import os
import tempfile

import torch


def preload() -> None:
    """Let torch read /proc/cpuinfo; without it float16, convolutions and others fail in a worker.

    Call it after `import torch`, before forking; takes milliseconds. There is no backward pass in here: on a machine
    with a GPU it starts threads, and autograd then refuses to work in a fork. Nor is torch._dynamo imported, which
    takes a second and 70 MB: a student who needs it (`FakeTensorMode`, flex attention) waits for it.
    """
    # On import torch._dynamo makes its cache folder, by default under the user's name; this one exists.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.gettempdir()
    torch.set_num_threads(1)
    with torch.no_grad():
        for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
            x = torch.ones(1, 1, 4, 4, dtype=dtype)
            torch.nn.functional.scaled_dot_product_attention(x, x, x)
            torch.nn.functional.conv2d(x, x)
            torch.softmax(x @ x, -1)
