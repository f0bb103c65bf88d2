"""Takes memory until there is none.

Stopped by: RLIMIT_AS.
"""
# deserves 0

def scale(x, factor=2.0):
    kept = []
    while True:
        kept.append(bytearray(50 << 20))
