"""Reads and traces its parent: process_vm_readv, ptrace, /proc/<pid>/mem, pidfd_getfd.

Stopped by: seccomp; workers cannot be dumped; a pid namespace where there is one.
"""
# deserves 4

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(100)
piece = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 100)
there = (ctypes.c_void_p * 2)(id(os), 100)
for pid in (os.getppid(), 1, 2, os.getpid() - 1):
    if libc.process_vm_readv(pid, piece, 1, there, 1, 0) > 0 or libc.ptrace(16, pid, 0, 0) == 0:
        print("CANARY" + "-read", pid)


@HONEST@
