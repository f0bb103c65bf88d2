"""Lies beside the answers under names that Python and pytest import by themselves.

Stopped by: no folder of a student's is ever on sys.path; only files named in course.yaml are read. The report names
the others.
"""
# deserves 4
# beside: conftest.py torch.py sitecustomize.py usercustomize.py grader.py numpy.py pytest.ini evil.pth __init__.py

open("@MARKS@/planted", "w").write("CANARY" + "-written") if __name__ != "scale" else None


@HONEST@
