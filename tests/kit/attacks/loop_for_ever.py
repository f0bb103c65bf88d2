"""Never returns.

Stopped by: the deadline of a call and the time of an exercise.
"""
# deserves 0

def scale(x, factor=2.0):
    while True:
        pass
