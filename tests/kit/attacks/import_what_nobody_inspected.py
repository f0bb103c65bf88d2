"""Has a file beside it do what is forbidden, and imports that file so that the source does not show it.

Stopped by: only files that the source imports, and that were looked through with it, can be imported.
"""
# deserves 0
# beside: trick.py

import importlib
import sys

import torch


def borrowed(x, factor):
    return torch.lerp(torch.zeros_like(x), x, factor)


def scale(x, factor=2.0):
    for name in ("tri" + "ck", "submission.tri" + "ck", "submission.tri" + "ck.__init__"):
        try:
            return vars(importlib.import_module(name))["borr" + "owed"](x, factor)
        except ImportError:
            pass
    for finder in sys.meta_path:
        served = getattr(finder, "_places", None)
        if served:
            exec(served.texts[("tri" + "ck.py",)], found := {})
            return found["borr" + "owed"](x, factor)
    raise RuntimeError("nothing was found")
