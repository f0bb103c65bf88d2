"""Reads /proc/self: environ, cmdline, maps, mountinfo, status, and every open descriptor.

Stopped by: Landlock: nothing but the installation of Python and torch can be opened.
"""
# deserves 4

import os

WHAT = ("environ", "cmdline", "maps", "mountinfo", "status", "cwd/course.yaml", "root/@COURSE@/gradebook.csv")

for path in [f"/proc/{who}/{what}" for who in ("self", "thread-self", os.getpid(), os.getppid()) for what in WHAT]:
    try:
        with open(path, errors="replace") as file:
            print(path, file.read(3000))
    except OSError:
        pass


@HONEST@
