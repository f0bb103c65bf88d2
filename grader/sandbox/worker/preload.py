"""Does once in the fork server what Python and torch do on first use: what a confined worker could not do, and what
each worker would repeat.

A fresh process runs each line of ours for the first time: Python specialises its code, torch looks up its operators,
and every page that this writes to is copied. A rehearsal before the fork leaves that to the parent.
"""

from __future__ import annotations

import gc
import linecache
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from grader.arrays import Array, torch
from grader.sandbox.processes import CallFunction, Inspect
from grader.sandbox.worker import front_ends, wire, worker
from grader.sandbox.worker.forbidden import withhold
from grader.sandbox.worker.refusals import refusing_nothing
from grader.sandbox.worker.source import load

DRIVERS = ("/dev/nvidiactl", "/dev/kfd")  # there wherever a GPU is; a backward pass would start threads, see below
ROUNDS = 10
MOST_FREE = 12  # variables of what encloses a function of torch
SOURCE = '''
from __future__ import annotations
import math
import torch
from torch import nn

class Example(nn.Module):
    """An example."""

    def forward(self, x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
        if factor is None or x.dim() < 2:
            raise ValueError(f"wrong {factor}")
        return x * factor

def example(x, y=None, *more, **options):
    sizes = [n for n in x.shape[:-1]]
    for i, n in enumerate(sizes):
        x = x + (n if i % 2 else -n)
    return {"x": x[..., ::2], "y": (y, lambda: y)}

def refuses(x, y, place):
    raise ValueError(f"wrong {x.shape}")
'''
NUMPY_SOURCE = SOURCE.replace("from torch import nn\n", "").replace("nn.Module", "object").replace("torch", "numpy")


def preload() -> None:
    """Let torch read /proc/cpuinfo, without which float16, convolutions and others fail in a worker; then rehearse.

    Call it after `import torch`, before forking; takes a tenth of a second. With a GPU there is no backward pass in
    here: it starts threads, and autograd then refuses to work in a fork. Nor is torch._dynamo imported, which takes a
    second and 70 MB: a student who needs it (`FakeTensorMode`, flex attention) waits for it.
    """
    if torch is None:
        rehearse_numpy()
        return
    # On import torch._dynamo makes its cache folder, by default under the user's name; this one each worker has.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = "/"
    tempfile.gettempdir()  # kept: a worker could try out none
    torch.set_num_threads(1)
    with torch.no_grad():
        for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
            x = torch.ones(1, 1, 4, 4, dtype=dtype)
            torch.nn.functional.scaled_dot_product_attention(x, x, x)
            torch.nn.functional.conv2d(x, x)
            torch.softmax(x @ x, -1)
            torch.ones(16, 8, 8, dtype=dtype) @ torch.ones(16, 64, 8, dtype=dtype).mT  # MKL keeps 4 MB for these
    rehearse(backward=not any(map(os.path.exists, DRIVERS)))
    gc.freeze()  # else a collection in a worker would write to every object there is: 10,000 pages, 70 ms


def rehearse(backward: bool) -> None:
    """Do everything that a worker does to a student's file, with examples of ours: each way of calling, every dtype."""
    session = worker.Session({"usual": usual, "short": short})
    ways = ["", "watch", "contract", *(["gradients"] if backward else [])]
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        for way in ways:
            session.answer(*request("usual", torch.ones(2, 3, 4, dtype=dtype), way))
    for _ in range(ROUNDS):
        rehearse_file(SOURCE, torch.ones(2), (("lerp.Scalar", "CPU"),))
        for way in ways:
            session.answer(*request("short", torch.ones(2, 3, 4), way))


def rehearse_numpy() -> None:
    """Do the same for a course of numpy."""
    session = worker.Session({"usual": usual_of_numpy})
    for _ in range(ROUNDS):
        rehearse_file(NUMPY_SOURCE, np.ones(2))
        for way in ("", "watch"):
            session.answer(*request("usual", np.eye(3), way))
    gc.freeze()


def rehearse_file(source: str, x: Array, operators: tuple[tuple[str, str], ...] = ()) -> None:
    """Run and parse a file, let one of its functions raise; refuse what an exercise may forbid, and undo that."""
    session = worker.Session(load(source, "example"))
    session.answer(Inspect(source, "example", ("torch.example",), ("example",)), bytearray())
    session.answer(*request("refuses", x))
    del sys.modules["example"], linecache.cache["example.py"]
    for free in range(MOST_FREE):
        refusing_nothing(free)
    if torch is not None:
        front_ends.programs()
    undo: list[Callable[[], object]] = []
    withhold((operators, ((__name__, "example"),)), (), set(), undo)
    for take_back in reversed(undo):
        take_back()


def usual_of_numpy(x: Any, y: Any, place: Any) -> Any:
    """Run the operations that students' functions are made of, in numpy."""
    q, r = np.linalg.qr(x @ y)
    solved = np.linalg.solve(x, y[:, 0]) + np.where(r[0] > 0, r[0], -r[0]).sum()
    return q, solved, np.fft.fft(solved), np.sqrt(np.abs(np.linalg.eigvalsh(x))).max(), np.concatenate([x, y]).argmax()


def request(function: str, x: Array, way: str = "") -> tuple[CallFunction, bytearray]:
    """Return a call as it arrives in a worker; `way` is one of its switches."""
    encoder = wire.Encoder()
    args, kwargs = (
        encoder.encode([x, x + 1]),
        encoder.encode({"place": torch.device("cpu") if torch is not None else "cpu"}),
    )
    call = msgspec.structs.replace(CallFunction(function, args, kwargs), **({way: True} if way else {}))
    return call, bytearray(b"".join(encoder.parts))


def short(x: torch.Tensor, y: torch.Tensor, place: torch.device) -> Any:
    return x * y, torch.ones(2, device=place)


def usual(x: torch.Tensor, y: torch.Tensor, place: torch.device) -> Any:
    """Run the operations that students' functions are made of, in torch."""
    seen = x <= y
    scores = x @ y.transpose(-2, -1) / x.shape[-1] ** 0.5
    scores = torch.matmul(x, y.mT).masked_fill(seen[..., :1].logical_not(), float("-inf")) + scores
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True).detach())
    weights = weights / weights.sum(dim=-1, keepdim=True)
    both = torch.cat([-x[..., 2:], x[..., :2]], dim=-1) * torch.where(seen, x, y)
    pairs = both.reshape(2, 3, 2, 2).permute(0, 2, 1, 3).contiguous().view(2, 2, 3, 2)
    pairs = pairs.unsqueeze(1).expand(2, 2, 2, 3, 2)
    places = torch.arange(3, device=place).float()
    angles = torch.outer(places, 1.0 / 100.0 ** (torch.arange(0, 4, 2, device=place) / 4))
    lower = torch.ones(3, 3, dtype=torch.bool, device=place).tril() & (places[None, :] <= places[:, None])
    parts = pairs.flatten(1, 2).repeat_interleave(2, dim=1).chunk(2, dim=-1)
    stacked = torch.stack((angles.cos(), angles.sin()), dim=-1).flatten(-2).to(x.dtype)
    return weights @ y, (stacked * both.float().mean().to(x.dtype) + parts[0].sum() - parts[1].max()), lower


def example() -> None:
    """Stand for a refused function of torch."""
