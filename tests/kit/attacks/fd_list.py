"""Tells from its open descriptors what else is there to be had: a gradebook, a listening socket.

Stopped by: the worker inherits its channel and its output, nothing else.
"""
# deserves 4

import os
import stat

found = []
for fd in range(4096):
    try:
        found.append((fd, oct(stat.S_IFMT(os.fstat(fd).st_mode))))
    except OSError:
        pass
sockets = [fd for fd, kind in found if kind == oct(stat.S_IFSOCK)]
files = [fd for fd, kind in found if kind == oct(stat.S_IFREG)]
print("CANARY" + "-descriptors" if len(sockets) != 1 or files else "nothing to be had")


@HONEST@
