"""Raises and prints lone surrogates, which no file and no terminal takes.

Stopped by: grade.clean: they are replaced.
"""
# deserves 0

import sys

sys.stdout.reconfigure(errors="surrogatepass")
print("\ud800\udfff")


def scale(x, factor=2.0):
    raise RuntimeError("\udc80 \ud83d \udfff")
