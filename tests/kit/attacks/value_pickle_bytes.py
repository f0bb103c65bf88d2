"""Returns bytes and text that hold pickles and code.

Stopped by: wire: nothing is ever unpickled or evaluated.
"""
# deserves 0

CODE = "__import__('os').system('echo CANARY" + "-written > @MARKS@/eval')"
calls = 0


def scale(x, factor=2.0):
    global calls
    calls += 1
    return (b"cos\nsystem\n(S'echo > @MARKS@/pickle'\ntR.", CODE, {"!": "tensor", "dtype": CODE}, [CODE])[calls % 4]
