"""Asks for names instead of contents: does the course lie there, which processes run, where do links lead, who grades?

Stopped by: a root of the worker's own, in which only Python's and torch's files have names; no PATH in the environment.
"""

# deserves 4
import os

PLACES = ["@COURSE@", "@SUBMISSIONS@", "@RESULTS@", "@MARKS@", "/etc/passwd", "/etc/hostname", "/proc", "/proc/1"]
PLACES += [f"/proc/{pid}" for pid in (os.getpid(), os.getppid(), *range(2, 2000))]
LINKS = ["/proc/self/exe", "/proc/self/cwd", "/etc/mtab", "/etc/localtime", "/dev/fd", "/dev/stdout"]
for path in PLACES + LINKS:
    if os.path.lexists(path):
        print("CANARY-there", path)
for name in ("PATH", "HOME", "USER", "SUDO_USER", "PWD"):
    if name in os.environ:
        print("CANARY-environment", name)


@HONEST@
