"""Sends signals with kill, tgkill, tkill, rt_sigqueueinfo and pidfd_send_signal directly.

Stopped by: seccomp: no kill, tgkill to itself only; Landlock: no signal outside; a pid namespace where there is
one.
"""
# deserves 4

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
for pid in (os.getppid(), 1, -1, 2, 3):
    for number in (62, 234, 200, 129, 434, 424):
        libc.syscall(number, pid, pid, 9, 0, 0)
        libc.syscall(number, pid, 9, 0, 0, 0)


@HONEST@
