"""Writes a marker wherever a process may usually write.

Stopped by: Landlock and RLIMIT_FSIZE 0: nothing can be written.
"""
# deserves 4

import os
import tempfile

for folder in ("@MARKS@", "@RESULTS@", "@RESULTS@/reports", "@COURSE@", "/tmp", "/dev/shm", "/var/tmp", ".", "~"):
    for name in ("marker", "scale.py", "summary.csv", "sitecustomize.py"):
        try:
            with open(os.path.join(os.path.expanduser(folder), name), "a") as file:
                file.write("CANARY" + "-written")
            print("written", folder)
        except OSError:
            pass
for way in (tempfile.TemporaryFile, tempfile.NamedTemporaryFile, tempfile.mkdtemp, lambda: os.mkfifo("/tmp/fifo")):
    try:
        way()
        print("made", way)
    except OSError:
        pass


@HONEST@
