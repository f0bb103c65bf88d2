"""Never returns from C code, where no Python signal handler would run.

Stopped by: SIGKILL.
"""
# deserves 0

def scale(x, factor=2.0):
    return sum(range(1 << 62))
