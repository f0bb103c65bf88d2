"""Ends the process while the file is imported, with the exit code for success.

Stopped by: a lost worker is a failed check.
"""
# deserves 0

import os

os._exit(0)
