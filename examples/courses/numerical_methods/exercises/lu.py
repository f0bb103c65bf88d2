"""LU with partial pivoting.

Elimination turns a square matrix into an upper triangular one. The factors by which rows were subtracted are the lower
triangular one. So that no factor is larger than 1, the row with the largest entry, in size, of the column comes first.
What numpy has for it (`solve`, `inv`, `lstsq`) is not allowed here.
"""

import numpy as np


def lu(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The factorisation a[p] = l @ u of a square matrix a [n, n], with partial pivoting.

    Before column k is eliminated, the row from k on whose entry in that column is the largest in size, the first of
    them if there are several, changes places with row k. a itself is not changed.

    Returns:
        p [n]: whole numbers (int64), the rows of a in their new order.
        l [n, n]: lower triangular, ones on its diagonal, no entry larger than 1 in size.
        u [n, n]: upper triangular.

    Raises:
        ValueError: a is not square, or the largest entry of a column is exactly 0.

    Example:
        lu(array([[0.0, 2.0], [4.0, 1.0]])) -> ([1, 0], [[1, 0], [0, 1]], [[4, 1], [0, 2]])
    """
    raise NotImplementedError


def solve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The solution x [n] of a @ x = b, for b [n], by `lu`, then forward and back substitution.

    Raises:
        ValueError: where `lu` does.
    """
    raise NotImplementedError
