"""Kills its parent, its group, process 1 and everybody.

Stopped by: seccomp: no kill, tgkill to itself only; Landlock: no signal outside; a pid namespace where there is
one.
"""
# deserves 4

import os
import signal

for pid in (os.getppid(), 0, -1, 1, -os.getppid(), *range(2, 50)):
    for way in (os.kill, os.killpg):
        try:
            way(pid, signal.SIGKILL)
        except OSError:
            pass


@HONEST@
