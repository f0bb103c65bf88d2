"""Installs import hooks, path hooks and a profile for every later import.

Stopped by: each exercise has a process of its own; the wall.
"""
# deserves 4

import builtins
import sys


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.startswith(("solutions", "hidden")):
            raise SystemExit("CANARY" + "-hook")


sys.meta_path.insert(0, Finder)
sys.path_hooks.insert(0, lambda path: 1 / 0)
sys.path_importer_cache.clear()
real = builtins.__import__
builtins.__import__ = lambda name, *a, **k: real(name, *a, **k)


@HONEST@
