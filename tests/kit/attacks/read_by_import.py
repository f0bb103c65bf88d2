"""Puts the course on sys.path and imports the solution, the suite and the grader.

Stopped by: Landlock: nothing but the installation of Python and torch can be opened.
"""
# deserves 4

import importlib
import importlib.util
import sys

sys.path[:0] = ["@COURSE@", "@COURSE@/solutions", "@COURSE@/tests/hidden", "/"]
for name in ("solutions.scale", "tests.hidden.scale", "gradebook"):
    try:
        print(importlib.import_module(name))
    except Exception:
        pass
for path in ("@COURSE@/solutions/scale.py", "@COURSE@/tests/hidden/scale.py"):
    try:
        spec = importlib.util.spec_from_file_location("stolen", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        print(open(path).read())
    except Exception:
        pass


@HONEST@
