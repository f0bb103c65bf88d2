"""Reads the solution and the hidden suite by their absolute paths.

Stopped by: Landlock: nothing but the installation of Python and torch can be opened.
"""
# deserves 4

for path in ("@COURSE@/solutions/scale.py", "@COURSE@/tests/hidden/scale.py", "@COURSE@/course.yaml"):
    try:
        with open(path, errors="replace") as file:
            print(path, file.read(3000))
    except OSError:
        pass


@HONEST@
