"""Maps files into memory: mmap, torch.from_file, torch.UntypedStorage.from_file, numpy.memmap.

Stopped by: Landlock: nothing but the installation of Python and torch can be opened.
"""
# deserves 4

import mmap
import os

import numpy
import torch

PATH = "@COURSE@/gradebook.csv"
for way in (
    lambda: mmap.mmap(os.open(PATH, os.O_RDONLY), 0, prot=mmap.PROT_READ)[:],
    lambda: bytes(torch.from_file(PATH, size=60, dtype=torch.uint8).tolist()),
    lambda: bytes(torch.UntypedStorage.from_file(PATH, False, 60)),
    lambda: bytes(numpy.memmap(PATH, mode="r")),
    lambda: torch.load(PATH),
    lambda: torch.jit.load(PATH),
    lambda: torch.ops.load_library(PATH),
):
    try:
        print(way())
    except BaseException:
        pass


@HONEST@
