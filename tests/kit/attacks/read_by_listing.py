"""Lists folders to learn names: the course, the submissions, /tmp, /proc.

Stopped by: Landlock: nothing but the installation of Python and torch can be opened.
"""
# deserves 4

import glob
import os

for folder in ("@COURSE@", "@SUBMISSIONS@", "/tmp", "/proc", "/", ".", "/root", "/home"):
    try:
        print(os.listdir(folder))
    except OSError:
        pass
print(glob.glob("@COURSE@/**", recursive=True)[1:], [x[2] for x in os.walk("@COURSE@")])


@HONEST@
