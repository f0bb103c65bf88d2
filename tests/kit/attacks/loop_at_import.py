"""Never finishes importing.

Stopped by: the deadline of a call.
"""
# deserves 0

while True:
    pass
