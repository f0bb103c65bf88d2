"""Forks without end.

Stopped by: seccomp: no fork, no exec.
"""
# deserves 4

import os

for _ in range(1000):
    try:
        os.fork()
    except OSError:
        break


@HONEST@
