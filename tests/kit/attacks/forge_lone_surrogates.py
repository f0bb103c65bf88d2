"""Raises and prints lone surrogates, which no file and no terminal takes.

Stopped by: texts.clean: they are replaced.
"""
# deserves 0

import os

os.write(1, "\ud800\udfff".encode("utf-8", "surrogatepass"))


def scale(x, factor=2.0):
    raise RuntimeError("\udc80 \ud83d \udfff")
