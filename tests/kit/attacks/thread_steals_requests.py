"""A thread reads the channel and answers requests before the worker does.

Stopped by: nonce and one reply a request; its own answers are still judged.
"""
# deserves at most 4

import os
import stat
import threading


def thief():
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                while True:
                    os.set_blocking(fd, True)
                    os.read(fd, 16)
        except OSError:
            pass


threading.Thread(target=thief, daemon=True).start()


@HONEST@
