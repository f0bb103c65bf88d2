"""Leaves by sys.exit(0) at import.

Stopped by: worker.Session.answer catches it: an answer like any other.
"""
# deserves 0

import sys

sys.exit(0)
