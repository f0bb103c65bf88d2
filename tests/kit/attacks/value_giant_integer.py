"""Returns an integer of ten million bits.

Stopped by: wire and wording: another kind of value is a failed check with a sentence.
"""
# deserves 0

def scale(x, factor=2.0):
    return 1 << 10_000_000
