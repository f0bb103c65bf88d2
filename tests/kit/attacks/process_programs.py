"""Runs programs: subprocess, os.system, posix_spawn, execve, multiprocessing.

Stopped by: seccomp: no fork, no exec.
"""
# deserves at most 4

import multiprocessing
import os
import subprocess

COMMAND = ["/bin/sh", "-c", "echo CANARY" + "-written > @MARKS@/program"]
for way in (
    lambda: subprocess.run(COMMAND),
    lambda: os.system(COMMAND[2]),
    lambda: os.posix_spawn("/bin/sh", COMMAND, {}),
    lambda: os.popen(COMMAND[2]).read(),
    lambda: os.execv("/bin/sh", COMMAND),
    lambda: multiprocessing.get_context("fork").Process(target=print).start(),
    lambda: multiprocessing.get_context("spawn").Process(target=print).start(),
):
    try:
        way()
    except BaseException:
        pass


@HONEST@
