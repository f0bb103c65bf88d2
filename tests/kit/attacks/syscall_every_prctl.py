"""Asks for each of the first eighty options of prctl, among them seccomp's, the dumpable flag and the parent's death.

Stopped by: seccomp: the name of a thread is all that can be set.
"""
# deserves 4

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
NAMES = (15, 16)  # PR_SET_NAME, PR_GET_NAME
done = [option for option in range(80) if option not in NAMES and libc.prctl(option, 1, 0, 0, 0) != -1]
if done:
    print("CANARY" + "-prctl", done)


@HONEST@
