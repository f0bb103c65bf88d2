"""Fills the disk, the temporary folder and the shared memory.

Stopped by: Landlock, RLIMIT_FSIZE 0, seccomp: no memfd.
"""
# deserves 4

import os

for path in ("@MARKS@/fill", "/tmp/fill", "/dev/shm/fill"):
    try:
        with open(path, "wb") as file:
            for _ in range(64):
                file.write(bytes(1 << 20))
    except OSError:
        pass
try:
    fd = os.memfd_create("fill")
    os.truncate(fd, 1 << 30)
except OSError:
    pass


@HONEST@
