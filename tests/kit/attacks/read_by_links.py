"""Makes links to what it wants to read, where it may write, and reads through them.

Stopped by: Landlock: nothing but the installation of Python and torch can be opened. Nothing can be made either.
"""
# deserves 4

import os
import shutil

for make in (os.symlink, os.link, shutil.copy, os.rename):
    for target in ("@MARKS@/link", "/dev/shm/link", "/tmp/link", "link"):
        try:
            make("@COURSE@/gradebook.csv", target)
            print(open(target).read())
        except OSError:
            pass


@HONEST@
