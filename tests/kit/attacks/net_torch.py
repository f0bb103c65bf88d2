"""Opens sockets through torch.distributed and multiprocessing's managers.

Stopped by: seccomp: no sockets; Landlock: no TCP, no abstract sockets; a net namespace where there is one.
"""
# deserves at most 4

from datetime import timedelta

import torch.distributed as dist

for way in (
    lambda: dist.TCPStore("127.0.0.1", @PORT@, is_master=False, timeout=timedelta(milliseconds=50)),
    lambda: dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False, timeout=timedelta(milliseconds=50)),
    lambda: dist.FileStore("@MARKS@/store", 1),
):
    try:
        way()
    except BaseException:
        pass


@HONEST@
