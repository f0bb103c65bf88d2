"""Reads packages that are installed beside torch: the grader's own, and whatever else the instructor has there.

Stopped by: Landlock and the worker's root, which hold Python, torch, numpy and what these require, package by package.
"""
# deserves 4

import importlib.util
import os
import sys

LIKELY = ("pytest", "yaml", "msgspec", "rich", "jupyter_core", "nbgrader", "pip", "pandas", "requests", "boto3", "grader")
for folder in [p for p in sys.path if p.endswith("-packages")] + ["/usr/lib/python3/dist-packages"]:
    for name in LIKELY:
        for path in (f"{folder}/{name}/__init__.py", f"{folder}/{name}.py", f"{folder}/{name}.pth"):
            try:
                print("CANARY-read", path, open(path).read()[:20])
            except OSError:
                pass
for name in LIKELY:
    found = importlib.util.find_spec(name) if name not in sys.modules else None
    if found and found.origin and os.access(found.origin, os.R_OK):
        print("CANARY-found", found.origin)


@HONEST@
