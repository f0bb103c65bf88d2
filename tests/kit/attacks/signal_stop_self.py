"""Stops itself, so that it neither answers nor ends.

Stopped by: the deadline; SIGKILL ends a stopped process too.
"""
# deserves 0

import signal


def scale(x, factor=2.0):
    signal.raise_signal(signal.SIGSTOP)
    return x * factor
