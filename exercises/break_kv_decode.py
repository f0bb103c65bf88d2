"""Break it: you write the tests.

A wrong program is found by the call that shows it. Here you write no program but calls. The grader makes each of them
on programs that are right, each in another way, and on programs with the mistakes that people make; a mistake is found
where the result is not that of the right programs. An ordinary call finds the coarse mistakes, which count for nothing
here: the points are for the others. The lesson says what makes an input a good one.
"""

from collections.abc import Iterator
from typing import Any

import torch  # noqa: F401 -- for the calls


def cases() -> Iterator[tuple[Any, ...]]:
    """Yield the arguments of calls of kv_decode, a tuple for each call.

    Yields:
        (x, W, num_heads, num_kv_heads, chunks) or the same with theta, as `kv_decode.py` describes them.
        A call that the exercise promises to refuse with a ValueError is one of them; any other call to which it
        promises no answer costs points.
        The first 6 calls that show something new count, of 32 at most that are made. The arrays of one call hold
        4,096 numbers at most, also when they are broadcast, and no whole number is larger than that.

    Example, an ordinary call:
        x, e = torch.tensor([[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]), torch.eye(2)
        yield x, [e, e, e, e], 1, 1, [2, 1]
    """
    raise NotImplementedError
