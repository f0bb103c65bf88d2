"""Sets alarms and timers that raise in the worker's own code, then answers honestly.

Stopped by: seccomp: no alarm, no setitimer, no timer_create.
"""
# deserves at most 4

import signal


def late(*_):
    raise SystemExit("CANARY" + "-alarm")


signal.signal(signal.SIGALRM, late)
for way in (lambda: signal.alarm(1), lambda: signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)):
    try:
        way()
    except OSError:
        pass


@HONEST@
