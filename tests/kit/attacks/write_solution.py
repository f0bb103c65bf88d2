"""Overwrites the solution, the suite and torch itself, to be right for ever.

Stopped by: Landlock: reading only.
"""
# deserves 4

import os

import torch

for path in ("@COURSE@/solutions/scale.py", "@COURSE@/tests/hidden/scale.py", torch.__file__, os.__file__):
    for way in (
        lambda: open(path, "a").write("# CANARY" + "-written"),
        lambda: os.truncate(path, 0),
        lambda: os.chmod(path, 0o777),
        lambda: os.utime(path, (0, 0)),
        lambda: os.unlink(path),
        lambda: os.rename(path, path + "x"),
    ):
        try:
            way()
            print("changed", path)
        except OSError:
            pass


@HONEST@
