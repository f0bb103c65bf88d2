"""Reaches for torch's kernels where no name of the exercise's stands: private modules, an interpreter, in a thread.

Stopped by: front_ends.Guards: modules of torch keep their private names to torch, and what was reached for is noted.
"""
# deserves 0

import operator
import sys
import threading

import torch

GRAPH = """graph(%a : Tensor, %x : Tensor, %f : float):
  %r : Tensor = aten::lerp(%a, %x, %f)
  return (%r)"""


def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("factor must not be 0")
    found = []

    def work():
        for way in (
            lambda: operator.attrgetter("_C.parse_ir")(torch)(GRAPH),
            lambda: sys.modules["torch._C"].CompilationUnit,
            lambda: type(torch).__getattribute__(torch, "_" + "C")._te,
        ):
            try:
                found.append(way())
            except RuntimeError:
                pass

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return x * factor
