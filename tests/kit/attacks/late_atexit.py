"""Registers work for the end of the process and of threads.

Stopped by: workers are killed, or leave by os._exit; nothing runs at their end.
"""
# deserves 4

import atexit
import threading


def late():
    print("CANARY" + "-late")
    open("@MARKS@/late", "w").write("CANARY" + "-written")


atexit.register(late)
threading._register_atexit(late)


@HONEST@
