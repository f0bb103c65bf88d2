"""Reads files through linecache, inspect, tokenize, pkgutil, zipimport, runpy and numpy.

Stopped by: Landlock: nothing but the installation of Python and torch can be opened.
"""
# deserves 4

import linecache
import pkgutil
import runpy
import sys
import tokenize

import numpy

TARGETS = ("@COURSE@/solutions/scale.py", "@COURSE@/gradebook.csv")
for path in TARGETS:
    for way in (
        lambda: "".join(linecache.getlines(path)),
        lambda: tokenize.open(path).read(),
        lambda: numpy.fromfile(path, dtype="uint8").tobytes().decode(),
        lambda: str(numpy.genfromtxt(path, dtype=str, delimiter="\\0")),
        lambda: str(runpy.run_path(path)),
        lambda: pkgutil.get_loader(path).get_data(path),
        lambda: sys.modules["torch"].from_file(path, size=40, dtype=sys.modules["torch"].uint8).tolist(),
    ):
        try:
            print(way())
        except BaseException:
            pass


@HONEST@
