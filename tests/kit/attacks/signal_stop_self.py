"""Stops itself, so that it neither answers nor ends.

Stopped by: seccomp: a worker can send itself the signals of a crash only.
"""
# deserves 0

import signal


def scale(x, factor=2.0):
    signal.raise_signal(signal.SIGSTOP)
    return x * factor
